//! Statements that write many rows at once, which makes sqlx fast enough.
//!
//! Each statement costs sqlx a switch between threads (about 50 µs), so rows are gathered and sent in chunks that
//! share one cached statement. Owns only that; the tables belong to the callers.

use std::sync::Arc;

use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, AssertSqlSafe, Encode, Sqlite, SqliteConnection, Type};

use crate::error::StoreError;

/// Values in one statement. SQLite allows 32 766, but beyond a few thousand nothing is gained.
const VALUES: usize = 4_096;
/// Full statements gathered before they are sent. The last, shorter statement of each send is not cached and costs a
/// parse.
const FULL: usize = 8;

/// OR FAIL keeps what a failing statement did, because the whole transaction is rolled back anyway. To undo a
/// statement of many rows on its own, SQLite would have to copy every page it touches; it still does so when a row is
/// updated.
const INSERT: &str = "INSERT OR FAIL";

/// A statement with its values.
pub(crate) struct Statement {
    text: Arc<str>,
    arguments: SqliteArguments,
    /// Whether the same text is used again, so that it should stay prepared.
    again: bool,
}

impl Statement {
    /// Executes the statement and returns the number of rows SQLite wrote.
    pub(crate) async fn execute(self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        let query = sqlx::query_with(AssertSqlSafe(self.text), self.arguments).persistent(self.again);
        Ok(query.execute(connection).await?.rows_affected())
    }
}

/// Rows gathered for one table.
pub(crate) struct Bulk {
    into: &'static str,
    tail: &'static str,
    columns: usize,
    chunk: usize,
    full: Vec<SqliteArguments>,
    open: SqliteArguments,
    open_values: usize,
}

impl Bulk {
    /// Gathers rows that do not exist yet; a row that does fails the statement. `into` is the table with its columns.
    pub(crate) fn insert(into: &'static str) -> Self {
        Self::upsert(into, "")
    }

    /// Gathers rows that may exist already. `tail` is the ON CONFLICT clause that says what happens to those.
    pub(crate) fn upsert(into: &'static str, tail: &'static str) -> Self {
        let columns = into.split(',').count();
        let chunk = (VALUES / columns).max(1);
        Self {
            into,
            tail,
            columns,
            chunk,
            full: Vec::new(),
            open: SqliteArguments::default(),
            open_values: 0,
        }
    }

    /// Adds the next value, row by row and column by column.
    pub(crate) fn push<'q, T>(&mut self, value: T) -> Result<(), StoreError>
    where
        T: Encode<'q, Sqlite> + Type<Sqlite>,
    {
        self.open.add(value).map_err(|error| StoreError::Sql(sqlx::Error::Encode(error)))?;
        self.open_values += 1;
        if self.open_values == self.chunk * self.columns {
            let mut next = SqliteArguments::default();
            next.reserve(self.open_values, 0);
            self.full.push(std::mem::replace(&mut self.open, next));
            self.open_values = 0;
        }
        Ok(())
    }

    /// Whether there is nothing to send.
    pub(crate) const fn is_empty(&self) -> bool {
        self.full.is_empty() && self.open_values == 0
    }

    /// Whether enough full statements are waiting that they should be sent, to bound memory.
    pub(crate) const fn is_full(&self) -> bool {
        self.full.len() >= FULL
    }

    /// Moves all rows gathered so far into `statements`.
    pub(crate) fn drain_into(&mut self, statements: &mut Vec<Statement>) {
        if !self.full.is_empty() {
            let text: Arc<str> = self.statement(self.chunk).into();
            let full = self.full.drain(..);
            statements.extend(full.map(|arguments| Statement {
                text: Arc::clone(&text),
                arguments,
                again: true,
            }));
        }
        if self.open_values > 0 {
            let text = self.statement(self.open_values / self.columns).into();
            let arguments = std::mem::take(&mut self.open);
            self.open_values = 0;
            statements.push(Statement { text, arguments, again: false });
        }
    }

    /// Sends all rows gathered so far and returns the number of rows SQLite wrote.
    pub(crate) async fn send(&mut self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        let mut statements = Vec::new();
        self.drain_into(&mut statements);
        let mut written = 0;
        for statement in statements {
            written += statement.execute(&mut *connection).await?;
        }
        Ok(written)
    }

    fn statement(&self, rows: usize) -> String {
        let mut row = String::with_capacity(self.columns * 2 + 2);
        row.push('(');
        row.push_str(&vec!["?"; self.columns].join(","));
        row.push(')');
        format!("{INSERT} INTO {} VALUES {} {}", self.into, vec![row.as_str(); rows].join(","), self.tail)
    }
}

/// Rows of a table whose caller knows which of them exist already.
///
/// New rows avoid the cost of an upsert, which SQLite must be able to undo on its own if it fails.
pub(crate) struct Upsert {
    new: Bulk,
    known: Bulk,
}

impl Upsert {
    /// Gathers rows for `into`, the table with its columns. `update` is the ON CONFLICT clause for known rows.
    pub(crate) fn new(into: &'static str, update: &'static str) -> Self {
        Self { new: Bulk::insert(into), known: Bulk::upsert(into, update) }
    }

    /// Returns where to push a row, depending on whether it is known.
    pub(crate) const fn rows(&mut self, known: bool) -> &mut Bulk {
        if known { &mut self.known } else { &mut self.new }
    }

    /// Both, in the order in which they must be sent: a row may change in the same group that created it.
    pub(crate) fn all(&mut self) -> [&mut Bulk; 2] {
        [&mut self.new, &mut self.known]
    }
}
