//! How long placements and matchmaking tickets waited until they were fulfilled or matched, one by one.

use liftdeck_model::time::TimeRange;
use liftdeck_model::{Region, Timestamp};
use sqlx::{QueryBuilder, Sqlite};

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

/// What waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Placements of a queue, until they were fulfilled.
    Placements,
    /// Tickets of a matchmaking configuration, until they were matched.
    Tickets,
}

/// How long one waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waited {
    /// When its wait was over.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub ms: i64,
}

/// How long those that came first usually wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsualWait {
    /// How many there were.
    pub count: u64,
    /// The time within which 99 % of them got what they waited for, in milliseconds.
    pub p99_ms: i64,
}

impl Waiting {
    /// The columns of a wait, and its table.
    const fn columns(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Self::Placements => ("queue", "event_at", "end_at - start_at", "placement_event"),
            Self::Tickets => ("configuration", "updated_at", "updated_at - started_at", "ticket"),
        }
    }

    fn push_condition(self, sql: &mut QueryBuilder<Sqlite>, range: TimeRange) {
        let (_, at, took, _) = self.columns();
        sql.push(match self {
            Self::Placements => "event_type = 50",
            Self::Tickets => "state = 'COMPLETED'",
        });
        sql.push(" AND ").push(took).push(" IS NOT NULL AND ");
        sql.push(at).push(" >= ").push_bind(range.from.as_ms());
        sql.push(" AND ").push(at).push(" < ").push_bind(range.to.as_ms());
    }
}

impl Reader {
    /// The queues or matchmaking configurations with one whose wait ended in `range` and was longer than `longer_ms`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn waited_longer(
        &self,
        waiting: Waiting,
        range: TimeRange,
        longer_ms: i64,
    ) -> Result<Vec<(Region, String)>, StoreError> {
        let directory = self.directory().await?;
        let (name, _, took, table) = waiting.columns();
        let mut sql = QueryBuilder::new("SELECT DISTINCT region_key, ");
        sql.push(name).push(" AS name FROM ").push(table).push(" WHERE ");
        waiting.push_condition(&mut sql, range);
        sql.push(" AND ").push(took).push(" > ").push_bind(longer_ms).push(" ORDER BY 1, 2");
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter().map(|row| Ok((directory.region(row.read("region_key")?), row.read("name")?))).collect()
    }

    /// How long each of a queue or matchmaking configuration waited whose wait ended in `range`, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn waits(
        &self,
        waiting: Waiting,
        name: &str,
        region: &Region,
        range: TimeRange,
    ) -> Result<Vec<Waited>, StoreError> {
        let Some(region_key) = self.directory().await?.region_key(region) else { return Ok(Vec::new()) };
        let (_, at, took, _) = waiting.columns();
        let mut sql = QueryBuilder::new("SELECT ");
        sql.push(at).push(" AS at, max(0, ").push(took).push(") AS took");
        push_own(&mut sql, waiting, (name, region_key), range);
        sql.push(" ORDER BY 1");
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter().map(|row| Ok(Waited { at: row.read("at")?, ms: row.read("took")? })).collect()
    }

    /// How long those of a queue or matchmaking configuration usually wait, by those whose wait ended in `range`; `None`
    /// if there are none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn usual_wait(
        &self,
        waiting: Waiting,
        name: &str,
        region: &Region,
        range: TimeRange,
    ) -> Result<Option<UsualWait>, StoreError> {
        let Some(region_key) = self.directory().await?.region_key(region) else { return Ok(None) };
        let (_, _, took, _) = waiting.columns();
        let mut sql = QueryBuilder::new("SELECT count(*)");
        push_own(&mut sql, waiting, (name, region_key), range);
        let count: i64 = sql.build_query_scalar().fetch_one(self.pool()).await?;
        let mut sql = QueryBuilder::new("SELECT max(0, ");
        sql.push(took).push(")");
        push_own(&mut sql, waiting, (name, region_key), range);
        sql.push(" ORDER BY 1 DESC LIMIT 1 OFFSET ").push_bind(count / 100);
        let p99_ms: Option<i64> = sql.build_query_scalar().fetch_optional(self.pool()).await?;
        Ok(p99_ms.map(|p99_ms| UsualWait { count: u64::try_from(count).unwrap_or(0), p99_ms }))
    }
}

/// Appends the table and what selects the waits of one queue or matchmaking configuration.
fn push_own(
    sql: &mut QueryBuilder<Sqlite>,
    waiting: Waiting,
    (name, region_key): (&str, i64),
    range: TimeRange,
) {
    let (column, _, _, table) = waiting.columns();
    sql.push(" FROM ").push(table).push(" WHERE ").push(column).push(" = ").push_bind(name.to_owned());
    sql.push(" AND region_key = ").push_bind(region_key).push(" AND ");
    waiting.push_condition(sql, range);
}
