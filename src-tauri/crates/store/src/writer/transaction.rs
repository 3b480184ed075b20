//! One transaction, which writes the rows of a group of batches.
//!
//! Owns when the transaction begins (with the first row, so that an unchanged poll has none), when gathered rows are
//! sent, and the tally of each batch. The submodules decide what the rows are.

use std::collections::BTreeSet;

use liftdeck_model::observation::{Poll, Subject};
use liftdeck_model::{GameSessionId, Region, Timestamp};
use sqlx::SqliteConnection;

use crate::error::StoreError;
use crate::ledger::Ledger;
use crate::text::Packer;
use crate::writer::ending::HostEvent;
use crate::writer::memory::Memory;
use crate::writer::sheets::Sheets;
use crate::writer::write_connection::WriteConnection;
use crate::writer::{Applied, ProvenTime, Written};

/// What one batch has done so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) written: Written,
    pub(super) subjects: BTreeSet<Subject>,
    pub(super) player_counts_changed: Vec<GameSessionId>,
    pub(super) duplicates: u64,
    pub(super) no_room: Vec<String>,
}

impl Tally {
    /// Counts rows of a kind that touch a subject.
    pub(super) fn count(&mut self, kind: &'static str, rows: u64, subject: Subject) {
        if rows > 0 {
            *self.written.entry(kind).or_default() += rows;
            self.subjects.insert(subject);
        }
    }

    pub(super) fn into_applied(self) -> Applied {
        Applied {
            revision: 0,
            written: self.written,
            subjects: self.subjects.into_iter().collect(),
            player_counts_changed: self.player_counts_changed,
            duplicates: self.duplicates,
            no_room: self.no_room,
        }
    }
}

/// A group of batches being written.
pub(super) struct Transaction<'a> {
    connection: &'a mut WriteConnection,
    pub(super) memory: &'a mut Memory,
    pub(super) ledger: &'a Ledger,
    pub(super) packer: &'a mut Packer,
    pub(super) time: &'a ProvenTime,
    pub(super) sheets: Sheets,
    /// Properties of sessions that are not in `sheets` yet: session key, and pairs of key and value.
    pub(super) unfiled: Vec<(i64, Vec<(String, String)>)>,
    /// Events on computes that may explain how sessions of this batch ended.
    pub(super) unexplained: Vec<((i64, String), HostEvent)>,
    begun: bool,
    /// The Region and time of the batch being applied.
    pub(super) region: Region,
    pub(super) region_key: i64,
    pub(super) at: i64,
    pub(super) tally: Tally,
    /// Recorded in the ledger only once the rows are durable: a failed transaction must not make anything look
    /// confirmed.
    pub(super) polls: Vec<(Region, Poll)>,
    pub(super) confirmed: Vec<(GameSessionId, i64, Timestamp)>,
}

impl<'a> Transaction<'a> {
    pub(super) fn new(
        connection: &'a mut WriteConnection,
        memory: &'a mut Memory,
        ledger: &'a Ledger,
        packer: &'a mut Packer,
        time: &'a ProvenTime,
    ) -> Self {
        Self {
            connection,
            memory,
            ledger,
            packer,
            time,
            sheets: Sheets::new(),
            unfiled: Vec::new(),
            unexplained: Vec::new(),
            begun: false,
            region: Region::new(""),
            region_key: 0,
            at: 0,
            tally: Tally::default(),
            polls: Vec::new(),
            confirmed: Vec::new(),
        }
    }

    /// Returns the connection for a query, once all rows sent earlier are written.
    pub(super) async fn read(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        self.connection.get().await
    }

    /// Returns the connection for a write, once all rows sent earlier are written. Begins the transaction if there is
    /// none.
    pub(super) async fn write(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        let connection = self.connection.get().await?;
        if !self.begun {
            sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
            self.begun = true;
        }
        Ok(connection)
    }

    /// Whether a transaction is open.
    pub(super) const fn begun(&self) -> bool {
        self.begun
    }

    /// Sends the gathered rows of every table, parents first, and returns before they are written.
    pub(super) async fn send(&mut self) -> Result<(), StoreError> {
        if self.sheets.all().iter().all(|bulk| bulk.is_empty()) {
            return Ok(());
        }
        if !self.begun {
            self.write().await?;
        }
        let mut statements = Vec::new();
        for bulk in self.sheets.all() {
            bulk.drain_into(&mut statements);
        }
        self.connection.send(statements).await
    }

    /// Sends the gathered rows if there are many.
    pub(super) async fn send_if_full(&mut self) -> Result<(), StoreError> {
        if self.sheets.all().iter().any(|bulk| bulk.is_full()) { self.send().await } else { Ok(()) }
    }

    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        if self.begun {
            sqlx::query("COMMIT").execute(self.connection.get().await?).await?;
            self.begun = false;
        }
        Ok(())
    }

    pub(super) async fn rollback(&mut self) {
        if self.begun
            && let Err(error) = self.undo().await
        {
            // SQLite has already rolled back after a full disk or an I/O error; then there is nothing to undo.
            tracing::info!(%error, "The transaction had been rolled back already.");
        }
        self.begun = false;
    }

    async fn undo(&mut self) -> Result<(), StoreError> {
        if let Err(error) = self.connection.wait().await {
            tracing::info!(%error, "Rows of a failed transaction had not arrived either.");
        }
        sqlx::query("ROLLBACK").execute(self.connection.get().await?).await?;
        Ok(())
    }
}
