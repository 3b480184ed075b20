//! Migrations, and the checks a file must pass before anything is read from it.
//!
//! Owns `PRAGMA user_version`, `application_id` and the fact 'schema', a fingerprint of what the version stands for: while
//! nothing is released, a version may still come to mean other tables. Each migration and its version number commit together, so a
//! program killed half-way leaves the schema before or after it, never between.

mod copy;

use std::path::Path;

use sqlx::sqlite::{SqliteAutoVacuum, SqliteConnectOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, SqliteConnection};
use xxhash_rust::xxh3::Xxh3;

use crate::error::StoreError;

pub(crate) use copy::{drop_copies, keep_copy, newest_copy};

/// `LiFt` in ASCII: marks the file as ours.
pub(crate) const APPLICATION_ID: i64 = 0x4c69_4674;

/// Migrations in order; the position, counted from 1, is the schema's version.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_first_schema.sql"),
    include_str!("../migrations/0002_activity.sql"),
    PLACEMENT_DAYS,
    include_str!("../migrations/0004_ticket_players.sql"),
    include_str!("../migrations/0005_match_answers.sql"),
    include_str!("../migrations/0006_ticket_states.sql"),
    include_str!("../migrations/0007_feed.sql"),
];

/// The one whose table is filled from what an older file holds.
const PLACEMENT_DAYS: &str = include_str!("../migrations/0003_placement_days.sql");

/// The newest schema this program knows.
pub(crate) const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Earlier ones may corrupt a WAL database that several connections use (SQLite's change log, 3.51.3).
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

/// How a file is opened that nobody else uses yet.
pub(crate) fn plain_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .page_size(PAGE_BYTES)
        .auto_vacuum(SqliteAutoVacuum::Incremental)
        .disable_statement_logging()
}

/// Marks an empty file as ours, in its own bytes and before it gets a log: whose a file is must be told without SQLite.
/// One transaction, so that there is no moment in which the file is a database and not ours.
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

/// Lets SQLite undo what a program was killed in while it marked a new file; only a connection that may write can.
pub(crate) async fn roll_back(path: &Path) -> Result<(), StoreError> {
    let mut connection = plain_options(path).connect().await?;
    let read = sqlx::query("SELECT count(*) FROM sqlite_schema").fetch_one(&mut connection).await;
    connection.close().await?;
    read?;
    Ok(())
}

/// Looks at every page of a file.
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
    let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *connection).await?;
    let tables: i64 =
        sqlx::query_scalar("SELECT count(*) FROM sqlite_schema").fetch_one(&mut *connection).await?;
    if application_id != APPLICATION_ID && (tables > 0 || application_id != 0) {
        return Err(StoreError::Foreign { path: path.to_owned(), application_id });
    }
    if version > KNOWN {
        return Err(StoreError::Newer { found: version, known: KNOWN, path: path.to_owned() });
    }
    if version > 0 {
        let found: Option<String> = sqlx::query_scalar("SELECT value FROM fact WHERE name = 'schema'")
            .fetch_optional(&mut *connection)
            .await?;
        if found.is_none_or(|found| found != fingerprint(MIGRATIONS, version)) {
            return Err(StoreError::Development { path: path.to_owned(), version });
        }
    }
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *connection).await?;
    if pages <= QUICK_CHECK_PAGES {
        let verdict: String = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(connection).await?;
        if verdict != "ok" {
            return Err(StoreError::Damaged { path: Some(path.to_owned()), detail: verdict });
        }
    }
    Ok(version)
}

/// Fingerprint of the migrations up to `version`. Comments and spacing do not count: they may be mended later.
fn fingerprint(migrations: &[&str], version: i64) -> String {
    let mut hash = Xxh3::new();
    for (_, script) in (1..=version).zip(migrations) {
        for line in script.lines() {
            let code = line.split_once("--").map_or(line, |(code, _)| code);
            code.split_whitespace().for_each(|word| {
                hash.update(word.as_bytes());
                hash.update(b" ");
            });
        }
    }
    format!("{:016x}", hash.digest())
}

/// Brings the schema from version `from` to the newest of `migrations`.
pub(crate) async fn migrate(
    connection: &mut SqliteConnection,
    from: i64,
    migrations: &[&'static str],
) -> Result<(), StoreError> {
    for (version, script) in (1_i64..).zip(migrations).filter(|(version, _)| *version > from) {
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::raw_sql(*script).execute(&mut *transaction).await?;
        if *script == PLACEMENT_DAYS {
            crate::writer::placement_day::fill(&mut transaction).await?;
        }
        let stamp = format!("PRAGMA user_version = {version}; PRAGMA application_id = {APPLICATION_ID};");
        sqlx::raw_sql(AssertSqlSafe(stamp)).execute(&mut *transaction).await?;
        sqlx::query(
            "INSERT INTO fact (name, value) VALUES ('schema', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(fingerprint(migrations, version))
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        tracing::info!(version, "The database's schema was brought up to date.");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
