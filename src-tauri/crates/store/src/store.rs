//! An open database: access to its writer and its readers, and notices of what changed.
//!
//! Owns opening, closing and the notice sent after each commit. Deliberately contains no SQL except for the facts
//! that are checked when a file is opened; the writer and the readers own the rows.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use liftdeck_model::observation::Subject;
use liftdeck_model::{AccountId, Timestamp};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tokio::sync::broadcast;

use crate::damage::{self, Recovered};
use crate::error::StoreError;
use crate::file::{self, Found};
use crate::ledger::Ledger;
use crate::lock::{self, WriterLock};
use crate::reader::Reader;
use crate::schema;
use crate::writer::{Memory, ProvenTime, Writer, WriterTask, kept_proven_time};

/// Whether a store may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads and writes; only one process at a time may.
    ReadWrite,
    /// Only reads; allowed while another process writes.
    ReadOnly,
}

/// What to open.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// The database file; created if missing (read-write only).
    pub path: PathBuf,
    /// Whether to write.
    pub access: Access,
    /// The connection's AWS account. A file that holds another account is refused. `None`: not known yet, so not
    /// checked.
    pub account: Option<AccountId>,
    /// The current time.
    pub now: Timestamp,
}

/// Says that a commit raised the revision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// The new revision.
    pub revision: u64,
    /// The subjects it touched, sorted, without duplicates.
    pub subjects: Vec<Subject>,
}

impl Notice {
    /// Says that everything may have changed, without a new revision: for a listener that lost notices.
    pub fn of_everything() -> Self {
        let mut everything = Self::default();
        everything.add(Self { revision: 0, subjects: Subject::OF_THE_STORE.to_vec() });
        everything
    }

    /// Adds what another notice says. The newest revision counts.
    pub fn add(&mut self, other: Self) {
        self.revision = self.revision.max(other.revision);
        self.subjects.extend(other.subjects);
        self.subjects.sort_unstable();
        self.subjects.dedup();
    }
}

/// Sends notices to the listeners, and counts those that a slow listener missed.
#[derive(Clone, Debug)]
pub(crate) struct Notices {
    sender: broadcast::Sender<Notice>,
    dropped: Arc<AtomicU64>,
}

impl Notices {
    fn new() -> Self {
        Self { sender: broadcast::Sender::new(NOTICES), dropped: Arc::default() }
    }

    /// Sends a notice; having no listener is not an error.
    pub(crate) fn tell(&self, notice: Notice) {
        if self.sender.len() >= NOTICES {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        let _ = self.sender.send(notice);
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Notice> {
        self.sender.subscribe()
    }

    /// Number of notices that a listener missed. The listener learned that it fell behind.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}

/// An open database. Dropping it without `close` loses nothing that was acknowledged.
#[derive(Debug)]
pub struct Store {
    reader: Reader,
    writer: Option<Writer>,
    task: Option<tokio::task::JoinHandle<()>>,
    notices: Notices,
    recovered: Option<Recovered>,
}

/// Size of the writer's page cache in KiB. The minus sign is SQLite's notation for KiB.
const WRITER_CACHE: &str = "-65536";
/// Size of one reader's page cache in KiB.
const READER_CACHE: &str = "-16384";
const READERS: u32 = 4;
/// Rows that a connection's thread may read ahead of the consumer. Each time it has to wait costs a switch between
/// threads.
const ROWS_AHEAD: usize = 1_000;
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Notices a listener may fall behind. Beyond that it loses notices, and learns only that it did.
const NOTICES: usize = 256;

impl Store {
    /// Opens a database. A read-write open also creates or migrates it.
    ///
    /// # Errors
    /// A [`StoreError`] that says what to do: the schema is newer, another copy is writing, the disk is read-only or
    /// full, or the file is damaged, foreign or another account's.
    pub async fn open(options: StoreOptions) -> Result<Self, StoreError> {
        let path = options.path.clone();
        Self::open_unnamed(options).await.map_err(|error| error.of(&path))
    }

    async fn open_unnamed(options: StoreOptions) -> Result<Self, StoreError> {
        let StoreOptions { path, access, account, now } = options;
        let notices = Notices::new();
        if access == Access::ReadOnly {
            match file::look(&path)? {
                Found::Nothing => return Err(StoreError::Absent { path }),
                Found::Empty => return Err(StoreError::Older { found: 0, known: schema::known(), path }),
                Found::Destroyed => return Err(destroyed()),
                Found::Ours => {}
            }
            let mut connection = look_options(&path).connect().await?;
            let version = prepare(&mut connection, &path).await?;
            if version < schema::known() {
                return Err(StoreError::Older { found: version, known: schema::known(), path });
            }
            check_account(&mut connection, &path, account.as_ref(), None).await?;
            let ledger = Arc::new(Ledger::load(&mut connection).await?);
            let recovered = damage::told(&mut connection).await?;
            connection.close().await?;
            let reader = Reader::new(read_pool(look_options(&path)).await?, ledger);
            return Ok(Self { reader, writer: None, task: None, notices, recovered });
        }
        // Checked before any file is created beside it: a file that is not ours stays as it is, to the byte.
        file::look(&path)?;
        lock::create_folder(&path)?;
        let held = WriterLock::take(&path)?;
        damage::finish(&path)?;
        let prepared = match prepare_for_writing(&path, account.as_ref(), now).await {
            Err(StoreError::Damaged { detail, .. }) => {
                damage::replace(&path, &detail, now).await?;
                prepare_for_writing(&path, account.as_ref(), now).await?
            }
            prepared => prepared?,
        };
        let Prepared { connection, ledger, memory, proven_ms, recovered } = prepared;
        let ledger = Arc::new(ledger);
        let pool =
            read_pool(write_options(&path).pragma("query_only", "ON").pragma("cache_size", READER_CACHE))
                .await?;
        let reader = Reader::new(pool, Arc::clone(&ledger));
        let time = Arc::new(ProvenTime::default());
        if let Some(proven_ms) = proven_ms {
            time.restore(proven_ms);
        }
        let (writer, task) =
            WriterTask::start(connection, memory, &path, ledger, time, notices.clone(), held);
        Ok(Self { reader, writer: Some(writer), task: Some(task), notices, recovered })
    }

    /// What happened to an earlier, damaged database at this path, as long as the file that was set aside exists.
    pub const fn recovered(&self) -> Option<&Recovered> {
        self.recovered.as_ref()
    }

    /// Returns a handle to the single writer.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] when the store was opened read-only.
    pub fn writer(&self) -> Result<Writer, StoreError> {
        self.writer.clone().ok_or(StoreError::ReadOnly)
    }

    /// Returns a handle for queries.
    pub fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// Subscribes to the notices of commits from now on. A listener that lags can query everything again and loses
    /// nothing.
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.notices.subscribe()
    }

    /// The revision of the last commit that wrote rows; 0 when it cannot be read.
    pub async fn revision(&self) -> u64 {
        self.reader.revision().await.unwrap_or(0)
    }

    /// Writes what is pending, closes every connection and releases the lock. Waits for running queries.
    pub async fn close(self) {
        if let Some(writer) = self.writer {
            writer.stop().await;
        }
        if let Some(task) = self.task
            && let Err(error) = task.await
        {
            tracing::error!(%error, "The store's writer did not end cleanly.");
        }
        self.reader.close().await;
    }
}

/// A database that is ready to be written.
struct Prepared {
    connection: SqliteConnection,
    ledger: Ledger,
    memory: Memory,
    proven_ms: Option<i64>,
    recovered: Option<Recovered>,
}

/// Opens or creates the file and migrates it to the newest schema. After an error no connection to it is left open.
async fn prepare_for_writing(
    path: &Path,
    account: Option<&AccountId>,
    now: Timestamp,
) -> Result<Prepared, StoreError> {
    if file::look(path)? == Found::Ours && file::beside(path, "-journal").exists() {
        schema::roll_back(path).await?;
    }
    match file::look(path)? {
        Found::Nothing | Found::Empty => {
            lock::create_private(path)?;
            schema::claim(path).await?;
        }
        Found::Destroyed => return Err(destroyed()),
        Found::Ours => {}
    }
    // Checked read-only before anything may write, so that a damaged file is kept exactly as it was found.
    let mut looking = look_options(path).connect().await?;
    let looked = async {
        if damage::is_noted(path) {
            schema::check_all(&mut looking, path).await?;
        }
        prepare(&mut looking, path).await
    };
    let looked = looked.await;
    looking.close().await?;
    let version = looked?;
    lock::create_private(path)?;
    // The writer's upserts keep copies of the pages they touch, which would otherwise go to a temporary file. Not for
    // the readers: their sorts take twice as long that way.
    let mut connection = write_options(path).pragma("temp_store", "MEMORY").connect().await?;
    let loading = async {
        if (1..schema::known()).contains(&version) {
            schema::keep_copy(&mut connection, path, version).await?;
        }
        schema::migrate(&mut connection, version, &schema::MIGRATOR).await?;
        schema::drop_copies(path);
        check_account(&mut connection, path, account, Some(now)).await?;
        let ledger = Ledger::load(&mut connection).await?;
        let memory = Memory::load(&mut connection).await?;
        let proven_ms = kept_proven_time(&mut connection).await?;
        let recovered = damage::told(&mut connection).await?;
        Ok((ledger, memory, proven_ms, recovered))
    };
    match loading.await {
        Ok((ledger, memory, proven_ms, recovered)) => {
            damage::forget(path);
            Ok(Prepared { connection, ledger, memory, proven_ms, recovered })
        }
        Err(error) => {
            // Closed, not dropped: a dropped connection ends later, and would delete the log of whatever file has
            // this name by then.
            if let Err(error) = connection.close().await {
                tracing::info!(%error, "A database that was refused did not close cleanly.");
            }
            Err(error)
        }
    }
}

fn destroyed() -> StoreError {
    StoreError::Damaged { path: None, detail: "its first page is destroyed".to_owned() }
}

async fn prepare(connection: &mut SqliteConnection, path: &Path) -> Result<i64, StoreError> {
    schema::check_sqlite(connection).await?;
    schema::check_file(connection, path).await
}

fn write_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .page_size(schema::PAGE_BYTES)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("cache_size", WRITER_CACHE)
        .disable_statement_logging()
}

fn look_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("query_only", "ON")
        .pragma("cache_size", READER_CACHE)
        .disable_statement_logging()
}

async fn read_pool(options: SqliteConnectOptions) -> Result<SqlitePool, StoreError> {
    Ok(SqlitePoolOptions::new()
        .max_connections(READERS)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(options.with_regexp().row_buffer_size(ROWS_AHEAD))
        .await?)
}

/// Compares the file's account with the expected one. If the file has none and `claim` gives a time, records the
/// expected account in it.
async fn check_account(
    connection: &mut SqliteConnection,
    path: &Path,
    expected: Option<&AccountId>,
    claim: Option<Timestamp>,
) -> Result<(), StoreError> {
    let found: Option<String> = sqlx::query_scalar("SELECT value FROM fact WHERE name = 'account'")
        .fetch_optional(&mut *connection)
        .await?;
    match (found, expected) {
        (Some(found), Some(expected)) if found != expected.as_str() => Err(StoreError::WrongAccount {
            path: path.to_owned(),
            found: found.into(),
            expected: expected.clone(),
        }),
        (None, Some(expected)) => {
            if let Some(now) = claim {
                sqlx::query("INSERT INTO fact (name, value) VALUES ('account', ?), ('created_at', ?)")
                    .bind(expected.as_str())
                    .bind(now.to_rfc3339())
                    .execute(connection)
                    .await?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_are_gathered_into_one_with_the_newest_revision() {
        let mut gathered = Notice { revision: 7, subjects: vec![Subject::GameSessions] };
        gathered.add(Notice { revision: 8, subjects: vec![Subject::Fleets, Subject::GameSessions] });
        gathered.add(Notice { revision: 6, subjects: Vec::new() });
        assert_eq!(gathered.revision, 8);
        assert_eq!(gathered.subjects, [Subject::Fleets, Subject::GameSessions]);
        assert_eq!(Notice::of_everything().subjects.len(), Subject::OF_THE_STORE.len());
    }
}
