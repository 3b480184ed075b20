//! Migrations, and the checks a file must pass before anything is read from it.
//!
//! Owns `PRAGMA user_version`, `application_id` and the fact 'schema', a fingerprint of what the version stands for: while
//! nothing is released, a version may still come to mean other tables. Each migration and its version number commit together, so a
//! program killed half-way leaves the schema before or after it, never between.

use std::path::Path;

use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use xxhash_rust::xxh3::Xxh3;

use crate::error::StoreError;

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
];

/// The one whose table is filled from what an older file holds.
const PLACEMENT_DAYS: &str = include_str!("../migrations/0003_placement_days.sql");

/// The newest schema this program knows.
pub(crate) const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Earlier ones may corrupt a WAL database that several connections use (SQLite's change log, 3.51.3).
const OLDEST_SQLITE: (u32, u32, u32) = (3, 51, 3);

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
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number_not_by_text() {
        assert!(parse_version("3.51.3") >= OLDEST_SQLITE);
        assert!(parse_version("3.100.0") > OLDEST_SQLITE);
        assert!(parse_version("3.9.9") < OLDEST_SQLITE);
        assert!(parse_version("rubbish") < OLDEST_SQLITE);
    }

    #[test]
    fn comments_and_spacing_do_not_make_another_schema_and_a_column_does() {
        let of = |script: &str| fingerprint(&[script], 1);
        assert_eq!(of("CREATE TABLE one (x);"), of("-- One.\nCREATE  TABLE one (x); -- x"));
        assert_ne!(of("CREATE TABLE one (x);"), of("CREATE TABLE one (x, y);"));
    }

    #[tokio::test]
    async fn a_migration_that_breaks_off_leaves_the_schema_before_it() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let broken =
            ["CREATE TABLE one (x) STRICT;", "CREATE TABLE two (x INTEGER) STRICT; CREATE TABLE broken (;"];
        migrate(&mut connection, 0, &broken[1..]).await.expect_err("the script does not parse");
        let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema")
            .fetch_one(&mut connection)
            .await
            .unwrap();
        let version: i64 =
            sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut connection).await.unwrap();
        assert_eq!((tables, version), (0, 0));
        migrate(&mut connection, 0, MIGRATIONS).await.unwrap();
        let version: i64 =
            sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut connection).await.unwrap();
        assert_eq!(version, KNOWN);
    }

    /// What a program of schema 1 had stored of one ticket, one alias and three placements.
    const OF_SCHEMA_1: &str = r#"
        INSERT INTO region (region_key, name) VALUES (1, 'eu-west-1');
        INSERT INTO resource (kind, region_key, owner_key, id, document, fingerprint, first_seen_at, changed_at) VALUES
            ('alias', 1, 0, 'alias-1', '{}', 1, 1, 1),
            ('matchmaking_configuration', 1, 0, 'ranked', '{"acceptance_required":true}', 1, 1, 1);
        INSERT INTO change (seen_at, region_key, kind, resource, field) VALUES (5, 1, 'alias', 'alias-1', 'added');
        INSERT INTO matchmaking_event (event_key, event_id, event_type, configuration, region_key, event_at, match_id, tickets)
        VALUES
            (1, 'e1', 'MatchmakingSearching', 'ranked', 1, 1000, NULL,
             '[{"ticket_id":"tk-1","start_time":900,"players":[{"player_id":"p1","team":null,"accepted":null}]}]'),
            (2, 'e2', 'PotentialMatchCreated', 'ranked', 1, 2000, 'm',
             '[{"ticket_id":"tk-1","start_time":900,"players":[{"player_id":"p1","team":"red","accepted":null}]},
               {"ticket_id":"tk-2","start_time":950,"players":[{"player_id":"0b7c1f52-6a3e-4d8f-9b21-5e0c9a7d3f10"},
                {"player_id":"gsess-0b7c1f52-6a3e-4d8f-9b21-5e0c9a7d3f10"},
                {"player_id":"0B7C1F52-6a3e-4d8f-9b21-5e0c9a7d3f10"}, {"player_id":"-----1f52-6a3e-4d8f-9b21-5e0c9a7d3f1"}]}]'),
            (3, 'e3', 'AcceptMatch', 'ranked', 1, 2000, 'm',
             '[{"ticket_id":"tk-1","start_time":null,"players":[{"player_id":"p1","team":"red","accepted":true}]}]'),
            (4, 'e4', 'MatchmakingSucceeded', 'ranked', 1, 3000, 'm',
             '[{"ticket_id":"tk-1","start_time":900,"players":[{"player_id":"p1","team":"red","accepted":null}]}]');
        INSERT INTO placement_event (placement_id, event_type, queue, region_key, event_at, start_at, end_at, fleet_key, players)
        VALUES ('pl-1', 50, 'arena', 1, 90000000, 89999000, 90000000, 7, 1), ('pl-2', 50, 'arena', 1, 90000500, 89999000, 90000500, 7, 1),
               ('pl-3', 52, 'arena', 1, 90000000, 89990000, 90000000, NULL, 0);
    "#;

    #[tokio::test]
    async fn a_file_of_schema_1_keeps_what_it_holds_and_learns_what_its_events_add_up_to() {
        use crate::code::Code;
        use crate::store::{Access, Store, StoreOptions};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.sqlite");
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
        migrate(&mut connection, 0, &MIGRATIONS[..1]).await.unwrap();
        sqlx::raw_sql(OF_SCHEMA_1).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();

        let now = liftdeck_model::Timestamp::from_ms(10_000);
        let open = |access| Store::open(StoreOptions { path: path.clone(), access, account: None, now });
        let refused = open(Access::ReadOnly).await.expect_err("only a writer brings it up to date");
        assert!(matches!(refused, StoreError::Older { found: 1, .. }), "{refused}");
        let store = open(Access::ReadWrite).await.unwrap();
        let reader = store.reader();
        let (tickets, changes) = tokio::join!(
            sqlx::query_as::<_, (String, String, Option<i64>, i64, String)>(
                "SELECT ticket_id, state, started_at, updated_at, players FROM ticket ORDER BY ticket_id"
            )
            .fetch_all(reader.pool()),
            sqlx::query_scalar::<_, i64>("SELECT count(*) FROM change").fetch_one(reader.pool()),
        );
        let (tickets, changes) = (tickets.unwrap(), changes.unwrap());
        assert_eq!(changes, 1);
        assert_eq!(tickets.len(), 2);
        let (id, state, started, updated, players) = &tickets[0];
        assert_eq!(
            (id.as_str(), state.as_str(), *started, *updated),
            ("tk-1", "COMPLETED", Some(900), 3_000)
        );
        assert!(players.contains("true"), "the answer outlives the event that does not repeat it: {players}");
        assert_eq!((tickets[1].1.as_str(), tickets[1].3), ("REQUIRES_ACCEPTANCE", 2_000));
        let answers: Vec<(String, Option<i64>, i64)> =
            sqlx::query_as("SELECT match_id, asked, accepted FROM match_answer")
                .fetch_all(reader.pool())
                .await
                .unwrap();
        assert_eq!(answers, [("m".to_owned(), None, 1)]);
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT json_extract(one.value, '$.player_id') FROM ticket, json_each(ticket.players) one",
        )
        .fetch_all(reader.pool())
        .await
        .unwrap();
        let mut codes: Vec<Code> = ids.iter().map(|id| Code::encode(id)).collect();
        let mut led: Vec<Code> =
            sqlx::query_scalar("SELECT player FROM ticket_player").fetch_all(reader.pool()).await.unwrap();
        codes.sort_unstable();
        led.sort_unstable();
        assert_eq!(led, codes, "a player leads to a ticket under the code a reader looks for");
        assert_eq!(led.len(), 5);
        let days: Vec<(i64, i64, i64, i64, i64)> = sqlx::query_as(
            "SELECT day_at, fleet_key, fulfilled, timed_out, length(times) FROM placement_day ORDER BY fleet_key",
        )
        .fetch_all(reader.pool())
        .await
        .unwrap();
        assert_eq!(days, [(86_400_000, 0, 0, 1, 0), (86_400_000, 7, 2, 0, 4)]);
        store.close().await;
    }
}
