//! Migrations, and the checks a file must pass before anything is read from it.
//!
//! Owns the record of which migrations a file has had, `PRAGMA user_version` and `application_id`. sqlx applies the
//! migrations and records them, with their checksums, in `_sqlx_migrations`. This module adds what sqlx does not do:
//! it runs all missing migrations and the Rust code that fills their tables in one transaction, carries over files
//! from before `_sqlx_migrations`, and checks a file opened read-only without migrating it. Never edit a released
//! migration, not even a comment: its checksum would change.

mod copy;

use std::path::Path;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{SqliteAutoVacuum, SqliteConnectOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, SqliteConnection};

use crate::column::Columns as _;
use crate::error::StoreError;

pub(crate) use copy::{drop_copies, keep_copy, newest_copy};

/// `LiFt` in ASCII: marks the file as ours.
pub(crate) const APPLICATION_ID: i64 = 0x4c69_4674;

/// The migrations. A file's schema version is that of the newest migration applied to it.
pub(crate) static MIGRATOR: Migrator = sqlx::migrate!();

/// The migration whose table is filled by Rust code from the rows of an older file.
const PLACEMENT_DAYS: i64 = 3;
/// The migration whose column is filled from the events of an older file.
const ENDINGS: i64 = 9;
/// The migration after which sums of placements are to be filled again from the events.
const PLACEMENT_REGIONS: i64 = 16;

/// Values of the fact 'schema' in files from before `_sqlx_migrations`, by version from 1 on. The version itself is
/// in `user_version`.
const UNRECORDED: [&str; 7] = [
    "4f74168be40ff893",
    "6d5d3627422206e1",
    "8938cbe3a5dfb322",
    "d1536e13716b87de",
    "31719f90c734787d",
    "c65e9244c9045d42",
    "91b02c9a47b4c116",
];

/// Earlier versions may corrupt a WAL database that several connections use (SQLite's change log, 3.51.3).
const OLDEST_SQLITE: (u32, u32, u32) = (3, 51, 3);

/// Pages of 8 KiB: a day's metric chunks pack better than in 4 KiB, and wide session rows insert faster.
pub(crate) const PAGE_BYTES: u32 = 8_192;

/// A whole-file check takes about a second per gigabyte, so only small files get one at every start.
const QUICK_CHECK_PAGES: i64 = 8_192;

/// Refuses a SQLite that is too old.
pub(crate) async fn check_sqlite(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let found: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(connection).await?;
    if parse_version(&found) < OLDEST_SQLITE { Err(StoreError::OldSqlite { found }) } else { Ok(()) }
}

fn parse_version(text: &str) -> (u32, u32, u32) {
    let mut parts = text.split('.').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    (next(), next(), next())
}

/// Options for opening a file that nobody else uses yet.
pub(crate) fn plain_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .page_size(PAGE_BYTES)
        .auto_vacuum(SqliteAutoVacuum::Incremental)
        .disable_statement_logging()
}

/// Marks an empty file as ours in its own bytes, before it gets a write-ahead log, because our files must be
/// recognisable without SQLite. Uses one transaction, so that the file is never a database without our mark.
pub(crate) async fn claim(path: &Path) -> Result<(), StoreError> {
    let options =
        SqliteConnectOptions::new().filename(path).page_size(PAGE_BYTES).disable_statement_logging();
    let mut connection = options.connect().await?;
    let stamp =
        format!("BEGIN; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = {APPLICATION_ID}; COMMIT");
    let claimed = sqlx::raw_sql(AssertSqlSafe(stamp)).execute(&mut connection).await;
    connection.close().await?;
    claimed?;
    Ok(())
}

/// Lets SQLite roll back if a program was killed while it marked a new file. Only a connection that may write can do
/// this.
pub(crate) async fn roll_back(path: &Path) -> Result<(), StoreError> {
    let mut connection = plain_options(path).connect().await?;
    let read = sqlx::query("SELECT count(*) FROM sqlite_schema").fetch_one(&mut connection).await;
    connection.close().await?;
    read?;
    Ok(())
}

/// Checks every page of a file.
pub(crate) async fn check_all(connection: &mut SqliteConnection, path: &Path) -> Result<(), StoreError> {
    let verdict: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(connection).await?;
    if verdict == "ok" {
        Ok(())
    } else {
        Err(StoreError::Damaged { path: Some(path.to_owned()), detail: verdict })
    }
}

/// Refuses a file that is not ours, is newer than this program, or is not intact. Returns the file's schema version,
/// 0 for an empty file.
pub(crate) async fn check_file(connection: &mut SqliteConnection, path: &Path) -> Result<i64, StoreError> {
    let application_id: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await?;
    let tables: i64 =
        sqlx::query_scalar("SELECT count(*) FROM sqlite_schema").fetch_one(&mut *connection).await?;
    if application_id != APPLICATION_ID && (tables > 0 || application_id != 0) {
        return Err(StoreError::Foreign { path: path.to_owned(), application_id });
    }
    let version = version(connection, path).await?;
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *connection).await?;
    if pages <= QUICK_CHECK_PAGES {
        let verdict: String = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(connection).await?;
        if verdict != "ok" {
            return Err(StoreError::Damaged { path: Some(path.to_owned()), detail: verdict });
        }
    }
    Ok(version)
}

/// The newest schema this program knows.
pub(crate) fn known() -> i64 {
    MIGRATOR.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// The version of a file's schema. Refuses one made by a newer program or by a development version.
async fn version(connection: &mut SqliteConnection, path: &Path) -> Result<i64, StoreError> {
    let stamped: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *connection).await?;
    let mut applied = Vec::new();
    if is_recorded(connection).await? {
        let rows =
            sqlx::query("SELECT version, checksum FROM _sqlx_migrations WHERE success ORDER BY version");
        for row in rows.fetch_all(&mut *connection).await? {
            applied.push((row.read::<i64>("version")?, row.read::<Vec<u8>>("checksum")?));
        }
    }
    let version = applied.last().map_or(stamped, |(version, _)| stamped.max(*version));
    if version > known() {
        return Err(StoreError::Newer { found: version, known: known(), path: path.to_owned() });
    }
    let is_known = if applied.is_empty() {
        version == 0 || unrecorded(connection).await? == Some(version)
    } else {
        // The file must have exactly our migrations up to that version.
        let ours = MIGRATOR.iter().take_while(|migration| migration.version <= version);
        ours.map(|migration| (migration.version, &*migration.checksum))
            .eq(applied.iter().map(|(version, checksum)| (*version, checksum.as_slice())))
    };
    if is_known { Ok(version) } else { Err(StoreError::Development { path: path.to_owned(), version }) }
}

/// Whether a file's migrations are recorded in `_sqlx_migrations`.
async fn is_recorded(connection: &mut SqliteConnection) -> Result<bool, StoreError> {
    let found =
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')");
    Ok(found.fetch_one(connection).await?)
}

/// The version of a file from before `_sqlx_migrations`, if its tables are the ones we know.
async fn unrecorded(connection: &mut SqliteConnection) -> Result<Option<i64>, StoreError> {
    let fact: Option<String> =
        sqlx::query_scalar("SELECT value FROM fact WHERE name = 'schema'").fetch_optional(connection).await?;
    Ok((1..).zip(UNRECORDED).find(|(_, schema)| fact.as_deref() == Some(*schema)).map(|(version, _)| version))
}

/// Brings the schema from version `from` to the newest of `migrator`, in one transaction: all of it or nothing.
pub(crate) async fn migrate(
    connection: &mut SqliteConnection,
    from: i64,
    migrator: &Migrator,
) -> Result<(), StoreError> {
    let is_recorded = is_recorded(connection).await?;
    let newest = migrator.iter().map(|migration| migration.version).max().unwrap_or(0);
    if is_recorded && from == newest {
        return Ok(());
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // `run_direct`, because the compiler does not accept a future of `run` on a borrowed connection as Send.
    if from > 0 && !is_recorded {
        migrator.run_direct(Some(from), &mut *transaction, true).await.map_err(refused)?;
        sqlx::query("DELETE FROM fact WHERE name = 'schema'").execute(&mut *transaction).await?;
    }
    if from < PLACEMENT_DAYS {
        migrator.run_direct(Some(PLACEMENT_DAYS), &mut *transaction, false).await.map_err(refused)?;
        crate::writer::placement_day::fill(&mut transaction).await?;
    }
    if from < ENDINGS {
        migrator.run_direct(Some(ENDINGS), &mut *transaction, false).await.map_err(refused)?;
        crate::writer::ending::fill(&mut transaction).await?;
    }
    if from < PLACEMENT_REGIONS {
        migrator.run_direct(Some(PLACEMENT_REGIONS), &mut *transaction, false).await.map_err(refused)?;
        crate::writer::placement_sum::fill(&mut transaction).await?;
    }
    migrator.run_direct(None, &mut *transaction, false).await.map_err(refused)?;
    // Earlier versions of this program look here, and refuse a newer schema.
    let stamp = format!("PRAGMA user_version = {newest}; PRAGMA application_id = {APPLICATION_ID};");
    sqlx::raw_sql(AssertSqlSafe(stamp)).execute(&mut *transaction).await?;
    transaction.commit().await?;
    tracing::info!(from, to = newest, "The database's schema was brought up to date.");
    Ok(())
}

/// Converts the error, keeping SQLite's own, such as a full disk.
fn refused(error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        other => StoreError::Sql(other.into()),
    }
}

#[cfg(test)]
mod tests;
