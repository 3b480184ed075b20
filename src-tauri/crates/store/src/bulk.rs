//! Statements of many rows: what makes sqlx fast enough.
//!
//! A statement costs sqlx a hand-over between threads (about 50 µs), so rows are gathered and sent in chunks of one
//! cached statement. Owns only that; the tables are its callers'.

use std::sync::Arc;

use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, AssertSqlSafe, Encode, Sqlite, SqliteConnection, Type};

use crate::error::StoreError;

/// Values of one statement; SQLite allows 32 766, and beyond a few thousand nothing is gained.
const VALUES: usize = 4_096;
/// Full statements gathered before they are sent: the last, odd one of each sending is not cached and costs a parse.
const FULL: usize = 8;

/// Leaves what a failing statement did to the transaction, which is rolled back as a whole. Undoing a statement of many
/// rows by itself would take SQLite a copy of every page it touches; only a row that is updated has it do so still.
const INSERT: &str = "INSERT OR FAIL";

/// A statement with its values.
pub(crate) struct Statement {
    text: Arc<str>,
    arguments: SqliteArguments,
    /// Whether its text comes again: then it stays prepared.
    again: bool,
}

impl Statement {
    /// Returns how many rows SQLite wrote.
    pub(crate) async fn execute(self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        let query = sqlx::query_with(AssertSqlSafe(self.text), self.arguments).persistent(self.again);
        Ok(query.execute(connection).await?.rows_affected())
    }
}

/// Rows on their way into one table.
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
    /// Rows none of which is there already; one that is fails the statement. `into` is the table with its columns.
    pub(crate) fn insert(into: &'static str) -> Self {
        Self::upsert(into, "")
    }

    /// Rows that may be there already, of which `tail` tells what becomes: an ON CONFLICT clause.
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

    /// Whether many full statements are waiting: a good moment to send, so that memory stays bounded.
    pub(crate) const fn is_full(&self) -> bool {
        self.full.len() >= FULL
    }

    /// Appends the statements of every row gathered so far.
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

    /// Sends every row gathered so far; returns how many rows SQLite wrote.
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

/// Rows of a table that is told which of them it has already.
///
/// New rows are spared the cost of an upsert, which is undone by itself when it fails.
pub(crate) struct Upsert {
    new: Bulk,
    known: Bulk,
}

impl Upsert {
    /// `into` is the table with its columns, `update` what becomes of a known row: an ON CONFLICT clause.
    pub(crate) fn new(into: &'static str, update: &'static str) -> Self {
        Self { new: Bulk::insert(into), known: Bulk::upsert(into, update) }
    }

    /// Where a row goes.
    pub(crate) const fn rows(&mut self, known: bool) -> &mut Bulk {
        if known { &mut self.known } else { &mut self.new }
    }

    /// Both, in the order they are to be sent: a row may change in the group that made it.
    pub(crate) fn all(&mut self) -> [&mut Bulk; 2] {
        [&mut self.new, &mut self.known]
    }
}
