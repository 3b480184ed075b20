//! Keeps the write-ahead log short, even while there is always a reader.
//!
//! Owns the checkpoints of the writer's connection. SQLite's own passive checkpoint copies pages back, but the log
//! can start over only at a moment without readers, which never comes while a window is busy. Beyond a certain size
//! the log is therefore restarted explicitly: readers that begin meanwhile read the database file alone, and the
//! restart waits only for those already running.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::SqliteConnection;

use crate::error::StoreError;
use crate::file::beside;

/// From this size on the log is restarted after a commit. The limit it must never exceed is 64 MiB.
const RESTART_BYTES: u64 = 16 * 1024 * 1024;
/// How long a restart waits for running queries.
const RESTART_WAIT: Duration = Duration::from_millis(250);
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Watches the log of one database.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    log: PathBuf,
    warned: bool,
}

impl Checkpoint {
    pub(crate) fn new(database: &Path) -> Self {
        Self { log: beside(database, "-wal"), warned: false }
    }

    /// Restarts the log if it has grown too large. Call it after a commit.
    pub(crate) async fn after_commit(&mut self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let bytes = std::fs::metadata(&self.log).map(|file| file.len()).unwrap_or(0);
        if bytes < RESTART_BYTES {
            return Ok(());
        }
        sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(&mut *connection).await?;
        set_timeout(connection, RESTART_WAIT).await?;
        // The first column is `busy`, and the only one that matters here.
        let outcome = sqlx::query_scalar("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut *connection).await;
        set_timeout(connection, BUSY_TIMEOUT).await?;
        let busy: i64 = outcome?;
        if busy != 0 && !self.warned {
            tracing::warn!(
                bytes,
                "The database's log could not be restarted: a query or another program holds it."
            );
        }
        self.warned = busy != 0;
        Ok(())
    }
}

async fn set_timeout(connection: &mut SqliteConnection, wait: Duration) -> Result<(), StoreError> {
    let statement = format!("PRAGMA busy_timeout = {}", wait.as_millis());
    sqlx::query(sqlx::AssertSqlSafe(statement)).persistent(false).fetch_one(connection).await?;
    Ok(())
}
