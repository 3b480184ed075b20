//! Replaces a damaged database: sets it aside unchanged, and saves what AWS cannot provide again into a new one.
//!
//! Owns an order of steps that loses nothing if it is interrupted: the new file is completed under another name, then
//! the damaged one is moved away, then the new one takes its name. Deliberately repairs nothing in place.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use liftdeck_model::Timestamp;
use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, SqliteConnection};

use crate::error::StoreError;
use crate::file::{beside, remove, siblings, sync_folder};
use crate::{lock, schema};

/// Suffix of the new file while it is being made.
const NEW: &str = ".new";
/// Suffix of a damaged file that is kept, followed by the time.
const KEPT: &str = ".damaged-";
/// Suffix of the note that damage was found while the database was in use. The next start then checks the whole file.
const SEEN: &str = ".damage-seen";
/// Suffixes of the files that SQLite keeps beside a database. They must move with it.
const TAILS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Tables that AWS cannot provide again, parents first. Those whose rows are counted have the name shown to people.
const SAVED: [(&str, Option<&str>); 9] = [
    ("region", None),
    ("fleet", None),
    ("activity", Some("changes")),
    ("activity_document", None),
    ("run", Some("runs")),
    ("run_plan", None),
    ("preset", Some("presets")),
    ("feed_adoption", Some("adopted queues")),
    ("custom_rule", Some("rules of your own")),
];
/// Facts that still hold for the new file.
const FACTS: &str = "'account', 'created_at', 'proven_time'";
/// The fact that records what happened.
const RECOVERED: &str = "recovered";
/// Row ids tried up to this one if a damaged table does not even yield its lowest and highest row id.
const REACH: i64 = 100_000;

/// What happened to a damaged database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovered {
    /// The path of the database, where the new one is now.
    pub database: PathBuf,
    /// The damaged file, kept as it was.
    pub kept: PathBuf,
    /// What was wrong with it.
    pub detail: String,
    /// Number of rows saved from it, by kind.
    pub saved: BTreeMap<String, u64>,
    /// Rows of those kinds that could not be read.
    pub lost: u64,
    /// Whether the copy made before a migration took its place instead, with everything it held.
    pub from_copy: bool,
}

impl fmt::Display for Recovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { database, kept, detail, saved, lost, from_copy } = self;
        write!(
            f,
            "The database {} was damaged ({detail}). It is kept as {}. ",
            database.display(),
            kept.display()
        )?;
        if *from_copy {
            write!(f, "The copy made before its last migration took its place. ")?;
        } else {
            let counts: Vec<String> = saved.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            let counts =
                if counts.is_empty() { "nothing could be read".to_owned() } else { counts.join(", ") };
            write!(f, "Saved from it: {counts}; unreadable: {lost}. A new database was started. ")?;
        }
        write!(
            f,
            "What AWS still has will be collected again. This notice stays until the kept file is moved or deleted."
        )
    }
}

/// Notes for the next start that damage was found.
pub(crate) fn note(database: &Path, detail: &str) {
    let note = beside(database, SEEN);
    if let Err(error) = std::fs::write(&note, detail) {
        tracing::warn!(%error, "The damage could not be noted for the next start.");
    }
}

/// Whether damage was noted.
pub(crate) fn is_noted(database: &Path) -> bool {
    beside(database, SEEN).exists()
}

/// Removes the note.
pub(crate) fn forget(database: &Path) {
    remove(&beside(database, SEEN));
}

/// Finishes a replacement that was interrupted when the program ended. Call it with the lock held, before the file is
/// opened.
pub(crate) fn finish(database: &Path) -> Result<(), StoreError> {
    let new = beside(database, NEW);
    if !database.exists() {
        // The damaged file was moved, but perhaps not the files beside it, which SQLite would take for the new
        // file's.
        if let Some(kept) = siblings(database, KEPT).into_iter().rfind(|path| !is_tail(path)) {
            move_tails(database, &kept)?;
        }
        if new.exists() {
            rename(&new, database)?;
            forget(database);
        }
    }
    for tail in TAILS.into_iter().chain([""]) {
        remove(&beside(&new, tail));
    }
    Ok(())
}

/// Moves a damaged database aside and puts a new one in its place, with everything that could be saved. Nothing may
/// have it open.
pub(crate) async fn replace(database: &Path, detail: &str, now: Timestamp) -> Result<Recovered, StoreError> {
    let new = beside(database, NEW);
    let kept = free_name(database, now);
    let mut recovered = Recovered {
        database: database.to_owned(),
        kept: kept.clone(),
        detail: detail.to_owned(),
        saved: BTreeMap::new(),
        lost: 0,
        from_copy: false,
    };
    match schema::newest_copy(database) {
        Some(copy) => {
            std::fs::copy(&copy, &new).map_err(|source| lock::refused(&new, "created", source))?;
            recovered.from_copy = true;
        }
        None => lock::create_private(&new)?,
    }
    let mut connection = schema::plain_options(&new).connect().await?;
    let filled = fill(&mut connection, database, &mut recovered).await;
    connection.close().await?;
    filled.map_err(|error| error.of(database))?;
    std::fs::File::open(&new)
        .and_then(|file| file.sync_all())
        .map_err(|source| lock::refused(&new, "written", source))?;
    rename(database, &kept)?;
    move_tails(database, &kept)?;
    rename(&new, database)?;
    sync_folder(database);
    forget(database);
    tracing::error!("{recovered}");
    Ok(recovered)
}

/// Returns what happened to this database, as long as the kept file exists.
pub(crate) async fn told(connection: &mut SqliteConnection) -> Result<Option<Recovered>, StoreError> {
    let fact: Option<String> = sqlx::query_scalar("SELECT value FROM fact WHERE name = ?")
        .bind(RECOVERED)
        .fetch_optional(connection)
        .await?;
    let recovered: Option<Recovered> = fact.and_then(|fact| serde_json::from_str(&fact).ok());
    Ok(recovered.filter(|recovered| recovered.kept.exists()))
}

async fn fill(
    connection: &mut SqliteConnection,
    damaged: &Path,
    recovered: &mut Recovered,
) -> Result<(), StoreError> {
    if !recovered.from_copy {
        schema::migrate(connection, 0, &schema::MIGRATOR).await?;
        // Opened read-only, because somebody may want to look at the damaged file later.
        let attach = sqlx::query("ATTACH ? AS old").bind(format!("file:{}?mode=ro", uri_path(damaged)));
        match attach.execute(&mut *connection).await {
            Ok(_) => save(connection, recovered).await?,
            Err(error) => tracing::warn!(%error, "Nothing can be read of the damaged database."),
        }
    }
    let fact = serde_json::to_string(recovered)
        .map_err(|error| StoreError::Unreadable { what: format!("fact recovered: {error}") })?;
    sqlx::query("INSERT INTO main.fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
        .bind(RECOVERED)
        .bind(fact)
        .execute(connection)
        .await?;
    Ok(())
}

async fn save(connection: &mut SqliteConnection, recovered: &mut Recovered) -> Result<(), StoreError> {
    for (table, kind) in SAVED {
        let (saved, lost) = copy_table(connection, table).await?;
        if let Some(kind) = kind.filter(|_| saved + lost > 0) {
            recovered.saved.insert(kind.to_owned(), saved);
            recovered.lost += lost;
        }
    }
    let facts = format!("INSERT OR IGNORE INTO main.fact SELECT * FROM old.fact WHERE name IN ({FACTS})");
    bearable(sqlx::query(AssertSqlSafe(facts)).execute(connection).await.map(|_| ()))?;
    Ok(())
}

/// Copies the readable rows of a table. A range of rows that fails is halved, until only single rows are left out.
/// Returns the numbers of saved and lost rows.
async fn copy_table(connection: &mut SqliteConnection, table: &str) -> Result<(u64, u64), StoreError> {
    // An older file may lack columns. If it lacks the table, or its schema is unreadable, there is nothing to copy.
    let columns = sqlx::query_scalar::<_, String>(
        "SELECT name FROM pragma_table_info(?1, 'main') WHERE name IN (SELECT name FROM pragma_table_info(?1, 'old'))",
    )
    .bind(table)
    .fetch_all(&mut *connection)
    .await;
    let columns = bearable(columns)?.unwrap_or_default().join(", ");
    if columns.is_empty() {
        return Ok((0, 0));
    }
    let bounds = format!("SELECT min(rowid), max(rowid) FROM old.{table}");
    let bounds = sqlx::query_as::<_, (Option<i64>, Option<i64>)>(AssertSqlSafe(bounds));
    let bounds = match bearable(bounds.fetch_one(&mut *connection).await)? {
        Some((Some(first), Some(last))) => (first, last),
        Some(_) => return Ok((0, 0)),
        None => (1, REACH),
    };
    let part = format!(
        "INSERT OR IGNORE INTO main.{table} ({columns}) SELECT {columns} FROM old.{table} WHERE rowid BETWEEN ? AND ?"
    );
    let (mut saved, mut lost) = (0, 0);
    let mut parts = vec![bounds];
    while let Some((first, last)) = parts.pop() {
        let query = sqlx::query(AssertSqlSafe(part.as_str())).bind(first).bind(last);
        match bearable(query.execute(&mut *connection).await)? {
            Some(rows) => saved += rows.rows_affected(),
            None if first == last => lost += 1,
            None => {
                let middle = first + (last - first) / 2;
                parts.extend([(first, middle), (middle + 1, last)]);
            }
        }
    }
    Ok((saved, lost))
}

/// Returns `None` for an error in the damaged file, which is to be expected, and an error if the new file cannot be
/// written.
fn bearable<T>(outcome: Result<T, sqlx::Error>) -> Result<Option<T>, StoreError> {
    match outcome.map_err(StoreError::from) {
        Ok(done) => Ok(Some(done)),
        Err(error @ (StoreError::DiskFull { .. } | StoreError::ReadOnlyDisk { .. } | StoreError::Closed)) => {
            Err(error)
        }
        Err(error) => {
            tracing::info!(%error, "A part of the damaged database could not be read.");
            Ok(None)
        }
    }
}

/// Returns a name that no file has, so that no kept file is ever overwritten.
fn free_name(database: &Path, now: Timestamp) -> PathBuf {
    let moment: String = now.to_rfc3339().chars().take(19).filter(char::is_ascii_alphanumeric).collect();
    let first = beside(database, &format!("{KEPT}{moment}"));
    let others = (2_u32..).map(|number| beside(database, &format!("{KEPT}{moment}-{number}")));
    std::iter::once(first.clone()).chain(others).find(|path| !path.exists()).unwrap_or(first)
}

fn is_tail(path: &Path) -> bool {
    let name = path.to_string_lossy();
    TAILS.iter().any(|tail| name.ends_with(tail))
}

fn move_tails(from: &Path, to: &Path) -> Result<(), StoreError> {
    for tail in TAILS {
        let tail_from = beside(from, tail);
        match std::fs::metadata(&tail_from) {
            // Left by looking at the file: empty files, and an index that SQLite makes again.
            Ok(file) if file.len() == 0 || tail == "-shm" => remove(&tail_from),
            Ok(_) => rename(&tail_from, &beside(to, tail))?,
            Err(_) => {}
        }
    }
    Ok(())
}

fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    std::fs::rename(from, to).map_err(|source| lock::refused(from, "moved aside", source))
}

/// Formats a path for use in a SQLite URI.
fn uri_path(path: &Path) -> String {
    let text = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    if cfg!(windows) { format!("/{}", text.replace('\\', "/")) } else { text }
}
