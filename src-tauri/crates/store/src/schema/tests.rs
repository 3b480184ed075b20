//! Migrations: what each leaves of an older file, and what is left when one breaks off.

use std::path::Path;

use liftdeck_model::Timestamp;

use super::*;
use crate::file::beside;
use crate::store::{Access, Store, StoreOptions};

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
async fn a_file_is_ours_from_its_first_transaction_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.sqlite");
    crate::lock::create_private(&path).unwrap();
    claim(&path).await.unwrap();
    let header = std::fs::read(&path).unwrap();
    let number = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().unwrap());
    // SQLite counts in a file's header how often it was changed.
    assert_eq!((number(24), i64::from(number(68))), (1, APPLICATION_ID));
    // The largest root page and the incremental mode: a database without them can never give pages back.
    assert_eq!((number(52), number(64)), (1, 1));
}

#[tokio::test]
async fn a_migration_that_breaks_off_leaves_the_schema_before_it() {
    let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
    let broken =
        ["CREATE TABLE one (x) STRICT;", "CREATE TABLE two (x INTEGER) STRICT; CREATE TABLE broken (;"];
    migrate(&mut connection, 0, &broken[1..]).await.expect_err("the script does not parse");
    let tables: i64 =
        sqlx::query_scalar("SELECT count(*) FROM sqlite_schema").fetch_one(&mut connection).await.unwrap();
    let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut connection).await.unwrap();
    assert_eq!((tables, version), (0, 0));
    migrate(&mut connection, 0, MIGRATIONS).await.unwrap();
    let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut connection).await.unwrap();
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
    assert_eq!((id.as_str(), state.as_str(), *started, *updated), ("tk-1", "COMPLETED", Some(900), 3_000));
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

/// A file as a program of schema 1 left it.
async fn of_schema_1(path: &Path) {
    let mut connection = plain_options(path).create_if_missing(true).connect().await.unwrap();
    migrate(&mut connection, 0, &MIGRATIONS[..1]).await.unwrap();
    sqlx::raw_sql(OF_SCHEMA_1).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

async fn open(path: &Path) -> Result<Store, StoreError> {
    let now = Timestamp::from_ms(10_000);
    Store::open(StoreOptions { path: path.to_owned(), access: Access::ReadWrite, account: None, now }).await
}

async fn changes(store: &Store) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM change").fetch_one(store.reader().pool()).await.unwrap()
}

#[tokio::test]
async fn a_copy_is_made_before_a_migration_and_removed_after() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.sqlite");
    of_schema_1(&path).await;
    let mut connection = plain_options(&path).connect().await.unwrap();
    keep_copy(&mut connection, &path, 1).await.unwrap();
    connection.close().await.unwrap();
    let copy = newest_copy(&path).expect("it is there while the migration runs");
    let mut connection = plain_options(&copy).connect().await.unwrap();
    assert_eq!(check_file(&mut connection, &copy).await.unwrap(), 1, "it is a whole database of its own");
    connection.close().await.unwrap();
    let store = open(&path).await.unwrap();
    assert_eq!(changes(&store).await, 1);
    assert_eq!(newest_copy(&path), None);
    store.close().await;
}

#[tokio::test]
async fn a_migration_that_damaged_the_file_is_begun_again_from_the_copy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.sqlite");
    of_schema_1(&path).await;
    let mut connection = plain_options(&path).connect().await.unwrap();
    keep_copy(&mut connection, &path, 1).await.unwrap();
    migrate(&mut connection, 1, &MIGRATIONS[..2]).await.unwrap();
    connection.close().await.unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[8_192..3 * 8_192].fill(0xff);
    std::fs::write(&path, &bytes).unwrap();
    let store = open(&path).await.unwrap();
    let recovered = store.recovered().expect("it is told");
    assert!(recovered.from_copy, "{recovered}");
    assert!(std::fs::read(&recovered.kept).unwrap() == bytes, "it is kept as it was");
    assert_eq!(changes(&store).await, 1, "what the copy had is there");
    assert_eq!(newest_copy(&path), None);
    store.close().await;
}

#[tokio::test]
async fn an_end_between_two_migrations_goes_on_with_the_next_and_keeps_the_first_copy_until_then() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.sqlite");
    of_schema_1(&path).await;
    let mut connection = plain_options(&path).connect().await.unwrap();
    keep_copy(&mut connection, &path, 1).await.unwrap();
    migrate(&mut connection, 1, &MIGRATIONS[..2]).await.unwrap();
    connection.close().await.unwrap();
    // What a copy that was broken off half-way leaves.
    std::fs::write(beside(&path, ".copy-part"), "half").unwrap();
    let store = open(&path).await.unwrap();
    assert_eq!((changes(&store).await, store.recovered().is_some()), (1, false));
    assert_eq!(
        std::fs::read_dir(folder.path())
            .unwrap()
            .filter(|entry| {
                let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
                name.contains("migration") || name.contains("part")
            })
            .count(),
        0
    );
    store.close().await;
}
