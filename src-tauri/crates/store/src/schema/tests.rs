//! Tests of the migrations: what each keeps of an older file, and what remains when one is interrupted.

use std::path::Path;

use liftdeck_model::Timestamp;
use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType};
use sqlx::sqlite::SqliteJournalMode;

use super::*;
use crate::file::beside;
use crate::store::{Access, Store, StoreOptions};

/// The first bytes of each migration's checksum.
const RELEASED: [&str; 19] = [
    "e81983c0", "000a8243", "05c7f468", "b371ab62", "0aec80dd", "d840947d", "27a9536c", "88811fb0",
    "e19b678e", "92f446eb", "c00989e8", "e3c85644", "e50f4da3", "276e40a3", "9d7b850a", "2b3cad67",
    "9fe64d8f", "e50ce0b7", "2d5c21ab",
];

#[test]
fn versions_compare_by_number_not_by_text() {
    assert!(parse_version("3.51.3") >= OLDEST_SQLITE);
    assert!(parse_version("3.100.0") > OLDEST_SQLITE);
    assert!(parse_version("3.9.9") < OLDEST_SQLITE);
    assert!(parse_version("rubbish") < OLDEST_SQLITE);
}

#[tokio::test]
async fn a_file_is_ours_from_its_first_transaction_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.sqlite");
    crate::lock::create_private(&path).unwrap();
    claim(&path).await.unwrap();
    let header = std::fs::read(&path).unwrap();
    let number = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().unwrap());
    // SQLite counts in the header how often a file was changed.
    assert_eq!((number(24), i64::from(number(68))), (1, APPLICATION_ID));
    // The largest root page and the incremental mode: without them a database can never give pages back.
    assert_eq!((number(52), number(64)), (1, 1));
}

/// The newest schema with a file among the fixtures.
const FIXTURES: i64 = 8;

/// Writes a file as a program with that schema left it: a ticket, an alias, a configuration and three placements.
fn left_by(version: i64, path: &Path) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures");
    let packed = std::fs::read(folder.join(format!("schema-v{version}.sqlite.zst"))).unwrap();
    std::fs::write(path, zstd::bulk::decompress(&packed, 4 << 20).unwrap()).unwrap();
}

async fn number(connection: &mut SqliteConnection, statement: &'static str) -> i64 {
    sqlx::query_scalar(statement).fetch_one(connection).await.unwrap()
}

const MADE: &str = "SELECT group_concat(sql, x'0a') FROM (SELECT sql FROM sqlite_schema ORDER BY name)";

#[tokio::test]
async fn a_file_of_every_schema_that_was_released_is_carried_over() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new.sqlite");
    open(&new).await.unwrap().close().await;
    let mut connection = plain_options(&new).connect().await.unwrap();
    let made: String = sqlx::query_scalar(MADE).fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    for version in 1..=FIXTURES {
        let path = folder.path().join(format!("of-{version}.sqlite"));
        left_by(version, &path);
        let store = open(&path).await.unwrap();
        assert_eq!((changes(&store).await, store.recovered().is_some()), (1, false), "{version}");
        store.close().await;
        let mut connection = plain_options(&path).connect().await.unwrap();
        assert_eq!(check_file(&mut connection, &path).await.unwrap(), known(), "{version}");
        assert_eq!(number(&mut connection, "SELECT count(*) FROM placement_day").await, 2, "{version}");
        let summed = "SELECT sum(fulfilled + cancelled + timed_out + failed) FROM placement_sum \
                      JOIN region USING (region_key) WHERE span_ms = 3600000";
        assert_eq!(number(&mut connection, summed).await, 3, "{version}");
        assert_eq!(
            number(&mut connection, "SELECT count(*) FROM _sqlx_migrations").await,
            MIGRATOR.iter().count() as i64
        );
        let of_old: String = sqlx::query_scalar(MADE).fetch_one(&mut connection).await.unwrap();
        assert_eq!(of_old, made, "{version}: it has other tables than a new file");
        connection.close().await.unwrap();
        open(&path).await.unwrap().close().await;
    }
}

#[tokio::test]
async fn a_file_of_an_earlier_program_with_other_tables_is_not_carried_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.sqlite");
    left_by(2, &path);
    let mut connection = plain_options(&path).connect().await.unwrap();
    sqlx::raw_sql("UPDATE fact SET value = '0' WHERE name = 'schema'")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = open(&path).await.expect_err("its tables are unknown");
    assert!(matches!(error, StoreError::Development { version: 2, .. }), "{error}");
    assert!(std::fs::read(&path).unwrap() == before, "it is left as it was");
}

#[tokio::test]
async fn a_migration_that_breaks_off_leaves_the_schema_before_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.sqlite");
    left_by(1, &path);
    let script = "CREATE TABLE one (x INTEGER) STRICT; CREATE TABLE broken (;";
    let broken =
        Migration::new(known() + 1, "broken".into(), MigrationType::Simple, script.into_sql_str(), false);
    let migrator = Migrator::with_migrations(MIGRATOR.iter().cloned().chain([broken]).collect());
    let mut connection = plain_options(&path).connect().await.unwrap();
    let made: String = sqlx::query_scalar(MADE).fetch_one(&mut connection).await.unwrap();
    migrate(&mut connection, 1, &migrator).await.expect_err("the script does not parse");
    let left: String = sqlx::query_scalar(MADE).fetch_one(&mut connection).await.unwrap();
    assert_eq!((left, check_file(&mut connection, &path).await.unwrap()), (made, 1));
    migrate(&mut connection, 1, &MIGRATOR).await.unwrap();
    assert_eq!(check_file(&mut connection, &path).await.unwrap(), known());
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_kill_in_the_middle_of_the_migrations_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (path, killed) = (folder.path().join("old.sqlite"), folder.path().join("killed.sqlite"));
    left_by(1, &path);
    let options = plain_options(&path).journal_mode(SqliteJournalMode::Wal).pragma("cache_size", "1");
    let mut connection = options.connect().await.unwrap();
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.unwrap();
    MIGRATOR.skip(&mut *transaction, Some(1)).await.unwrap();
    MIGRATOR.run_to(2, &mut *transaction).await.unwrap();
    for tail in ["", "-wal"] {
        std::fs::copy(beside(&path, tail), beside(&killed, tail)).unwrap();
    }
    assert!(std::fs::metadata(beside(&killed, "-wal")).unwrap().len() > 100_000, "nothing was on its way");
    transaction.rollback().await.unwrap();
    connection.close().await.unwrap();
    let store = open(&killed).await.unwrap();
    assert_eq!((changes(&store).await, store.recovered().is_some()), (1, false));
    store.close().await;
}

#[test]
fn a_migration_that_was_released_is_not_edited() {
    let sums: Vec<String> = MIGRATOR
        .iter()
        .map(|one| one.checksum.iter().take(4).map(|byte| format!("{byte:02x}")).collect())
        .collect();
    assert_eq!(sums, RELEASED, "files that have had it would be refused: write another migration");
}

#[tokio::test]
async fn a_file_of_schema_1_keeps_what_it_holds_and_learns_what_its_events_add_up_to() {
    use crate::code::Code;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.sqlite");
    left_by(1, &path);
    let now = Timestamp::from_ms(10_000);
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

#[tokio::test]
async fn sessions_of_a_file_of_schema_8_have_ended_as_their_reasons_and_events_say() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.sqlite");
    left_by(8, &path);
    let store = open(&path).await.unwrap();
    let endings: Vec<Option<i64>> = sqlx::query_scalar(
        "SELECT ending FROM game_session_state WHERE fleet_key = 900 ORDER BY session_key",
    )
    .fetch_all(store.reader().pool())
    .await
    .unwrap();
    // Live, ended by itself, interrupted, not seen ending, named by a crash, alone on a compute at its crash.
    assert_eq!(endings, [None, Some(1), Some(60), Some(0), Some(20), Some(20)]);
    store.close().await;
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
    left_by(1, &path);
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
    left_by(1, &path);
    let mut connection = plain_options(&path).connect().await.unwrap();
    keep_copy(&mut connection, &path, 1).await.unwrap();
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
    left_by(1, &path);
    let mut connection = plain_options(&path).connect().await.unwrap();
    keep_copy(&mut connection, &path, 1).await.unwrap();
    connection.close().await.unwrap();
    // An earlier program ended one migration further.
    left_by(2, &path);
    // Left by a copy that was interrupted half-way.
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
