//! Windows of long lists: the part requested, the part returned, and how far the list was counted.

use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Sqlite};

use super::Reader;
use super::freshness::Freshness;
use crate::error::StoreError;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The part of a list to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Rows to skip.
    pub offset: u32,
    /// Rows to return; capped at [`Page::MOST`].
    pub limit: u32,
}

impl Page {
    /// Maximum number of rows in one window.
    pub const MOST: u32 = 1_000;

    /// The first `limit` rows.
    pub const fn first(limit: u32) -> Self {
        Self { offset: 0, limit }
    }

    pub(super) fn bounds(self) -> (i64, i64) {
        (i64::from(self.offset), i64::from(self.limit.min(Self::MOST)))
    }

    /// How many rows to count: `first`, or as many as it takes to reach the end of the window, so that scrolling can go
    /// on.
    pub(super) fn counted(self, first: i64) -> i64 {
        let (offset, limit) = self.bounds();
        first.max(offset + limit)
    }

    /// Appends the LIMIT and OFFSET of the window.
    pub(super) fn push(self, sql: &mut QueryBuilder<Sqlite>) {
        let (offset, limit) = self.bounds();
        sql.push(" LIMIT ").push_bind(limit).push(" OFFSET ").push_bind(offset);
    }
}

/// A part of a list, with the length of the whole list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Window<T> {
    /// The requested rows.
    pub rows: Vec<T>,
    /// Rows in the whole list, counted up to a bound that never lies before the window's end.
    pub total: u64,
    /// False when counting stopped at the bound: there are more than `total`.
    pub total_is_exact: bool,
}

impl<T> Window<T> {
    /// The window of an empty list.
    pub(super) const fn empty() -> Self {
        Self { rows: Vec::new(), total: 0, total_is_exact: true }
    }

    pub(super) fn counted(rows: Vec<T>, count: i64, bound: i64) -> Self {
        let total = u64::try_from(count.min(bound)).unwrap_or(0);
        Self { rows, total, total_is_exact: count <= bound }
    }
}

/// A window with the freshness of its rows.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Listed<T> {
    /// The requested rows.
    pub rows: Vec<T>,
    /// Rows in the whole list, as in [`Window::total`].
    pub total: u64,
    /// Whether `total` counts all rows; false if counting stopped and there are more.
    pub total_is_exact: bool,
    /// Freshness of the rows.
    pub freshness: Freshness,
}

impl<T> Listed<T> {
    /// Adds the freshness to a window and converts its rows.
    pub fn new<R>(window: Window<R>, freshness: Freshness, row: impl FnMut(R) -> T) -> Self {
        Self {
            rows: window.rows.into_iter().map(row).collect(),
            total: window.total,
            total_is_exact: window.total_is_exact,
            freshness,
        }
    }
}

/// A list from which windows are read.
pub(super) struct List {
    /// The SELECT, up to and including WHERE.
    pub(super) head: &'static str,
    /// The table to count in, with the alias that conditions use.
    pub(super) table: &'static str,
    /// The order of the rows.
    pub(super) order: &'static str,
    /// How many rows to count while the window is near the top.
    pub(super) counted: i64,
}

impl Reader {
    /// The window of the rows that satisfy a condition.
    pub(super) async fn window<T>(
        &self,
        list: &List,
        page: Page,
        push_condition: impl Fn(&mut QueryBuilder<Sqlite>),
        read: impl Fn(&SqliteRow) -> Result<T, StoreError>,
    ) -> Result<Window<T>, StoreError> {
        let bound = page.counted(list.counted);
        let count = self.count_up_to(list.table, bound, &push_condition).await?;
        let mut sql = QueryBuilder::new(list.head);
        push_condition(&mut sql);
        sql.push(list.order);
        page.push(&mut sql);
        let rows = sql.build().fetch_all(self.pool()).await?;
        Ok(Window::counted(rows.iter().map(read).collect::<Result<_, _>>()?, count, bound))
    }

    /// Counts the rows of a table that satisfy a condition, up to one more than `bound`.
    pub(super) async fn count_up_to(
        &self,
        table: &str,
        bound: i64,
        push_condition: impl Fn(&mut QueryBuilder<Sqlite>),
    ) -> Result<i64, StoreError> {
        let mut sql = QueryBuilder::new("SELECT count(*) FROM (SELECT 1 FROM ");
        sql.push(table).push(" WHERE ");
        push_condition(&mut sql);
        sql.push(" LIMIT ").push_bind(bound + 1).push(")");
        Ok(sql.build_query_scalar().fetch_one(self.pool()).await?)
    }
}
