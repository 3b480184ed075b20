//! Which files are opened, and which errors the others give.

use std::os::unix::fs::PermissionsExt;

use liftdeck_model::observation::{Observation, Poll, PollKind, PollSubject};
use liftdeck_model::{AccountId, Environment};
use liftdeck_store::{Access, Store, StoreError, StoreOptions};

use crate::fixture::{NOW, Place, apply, region, session};

async fn run(place: &Place, statement: &'static str) {
    let mut connection = place.look().await;
    sqlx::raw_sql(statement).execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
}

#[tokio::test]
async fn a_new_file_is_private_to_its_user() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::GameSessions(vec![session(1)])]).await;
    for name in ["account.sqlite", "account.sqlite-wal", "account.sqlite.lock"] {
        let mode = std::fs::metadata(place.folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    store.close().await;
}

#[tokio::test]
async fn a_newer_database_is_refused_and_left_as_it_is() {
    let place = Place::new();
    place.open().await.close().await;
    run(&place, "PRAGMA user_version = 99").await;
    let before = std::fs::read(place.path()).unwrap();
    for access in [Access::ReadWrite, Access::ReadOnly] {
        let error = place.try_open(access).await.expect_err("the schema is newer");
        assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
        assert!(error.to_string().contains("Update Liftdeck"), "{error}");
    }
    assert_eq!(std::fs::read(place.path()).unwrap(), before);
}

#[tokio::test]
async fn a_file_of_the_same_version_with_other_tables_is_refused_and_left_as_it_is() {
    let place = Place::new();
    for unreleased in [
        "UPDATE _sqlx_migrations SET checksum = x'00' WHERE version = 2",
        "DELETE FROM _sqlx_migrations WHERE version = 2",
        "DROP TABLE _sqlx_migrations",
    ] {
        std::fs::remove_file(place.path()).ok();
        place.open().await.close().await;
        run(&place, unreleased).await;
        let before = std::fs::read(place.path()).unwrap();
        for access in [Access::ReadWrite, Access::ReadOnly] {
            let error = place.try_open(access).await.expect_err("the tables are others");
            assert!(matches!(error, StoreError::Development { .. }), "{error}");
            assert!(error.to_string().contains("development version"), "{error}");
        }
        assert_eq!(std::fs::read(place.path()).unwrap(), before);
    }
}

#[tokio::test]
async fn a_file_without_our_schema_yet_is_not_read_and_not_migrated_by_a_reading_copy() {
    let place = Place::new();
    std::fs::write(place.path(), "").unwrap();
    let error = place.try_open(Access::ReadOnly).await.expect_err("the schema is older");
    assert!(matches!(error, StoreError::Older { found: 0, .. }), "{error}");
    assert_eq!(std::fs::metadata(place.path()).unwrap().len(), 0);
}

#[tokio::test]
async fn a_second_writing_copy_is_refused_while_a_reading_one_works() {
    let place = Place::new();
    let store = place.open().await;
    let error = place.try_open(Access::ReadWrite).await.expect_err("the file is being written");
    assert!(matches!(error, StoreError::Busy { .. }), "{error}");
    let reading = place.try_open(Access::ReadOnly).await.unwrap();
    apply(&store, NOW, vec![Observation::GameSessions(vec![session(1)])]).await;
    assert_eq!(reading.revision().await, 1);
    assert!(matches!(reading.writer(), Err(StoreError::ReadOnly)));
    store.close().await;
    place.open().await.close().await;
    reading.close().await;
}

#[tokio::test]
async fn another_accounts_file_is_refused() {
    let place = Place::new();
    place.open().await.close().await;
    let account = Some(AccountId::from("999988887777"));
    let options = StoreOptions { path: place.path(), access: Access::ReadWrite, account, now: NOW };
    let error = Store::open(options).await.expect_err("the file belongs to another account");
    assert!(
        matches!(&error, StoreError::WrongAccount { found, .. } if found.as_str() == "111122223333"),
        "{error}"
    );
}

#[tokio::test]
async fn a_missing_file_is_not_made_by_a_reading_copy() {
    let place = Place::new();
    let error = place.try_open(Access::ReadOnly).await.expect_err("there is no file");
    assert!(error.to_string().contains("liftdeck collect"), "it says what makes one: {error}");
    assert!(matches!(error, StoreError::Absent { .. }), "{error}");
    assert!(!place.path().exists());
}

#[tokio::test]
async fn a_refused_write_is_an_error_confirms_nothing_and_the_next_one_recovers() {
    let place = Place::new();
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::GameSessions(vec![session(1)])]).await;
    // Another program holds the write lock: the writer's transaction is refused as on a full disk.
    let mut other = place.look().await;
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let subject = PollSubject { kind: PollKind::Fleets, resource: String::new() };
    let poll = Poll { subject: subject.clone(), at: NOW, took_ms: 1, failure: None };
    let batch = crate::fixture::batch(
        NOW,
        vec![Observation::GameSessions(vec![session(2)]), Observation::Poll(poll)],
    );
    let error = store.writer().unwrap().apply(batch.clone()).await.expect_err("the file is locked");
    assert!(error.retryable(), "{error}");
    assert_eq!(store.reader().poll(&region(), &subject), None, "what was not written is not confirmed");
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    let applied = store.writer().unwrap().apply(batch).await.unwrap();
    assert_eq!(applied.written.get("game_sessions"), Some(&1));
    assert_eq!(place.number("SELECT count(*) FROM game_session").await, 2);
    store.close().await;
}

#[tokio::test]
async fn a_program_killed_between_migrations_and_account_goes_on_where_it_stopped() {
    let place = Place::new();
    place.open().await.close().await;
    run(&place, "DELETE FROM fact").await;
    place.open().await.close().await;
    assert_eq!(place.number("SELECT count(*) FROM fact WHERE name = 'account'").await, 1);
}

#[tokio::test]
async fn the_strictest_mark_stays_with_the_file_until_a_person_decides_otherwise() {
    let place = Place::new();
    let store = place.open().await;
    let (writer, reader) = (store.writer().unwrap(), store.reader());
    assert_eq!(reader.mark().await.unwrap(), None);
    for (raised, stays) in [
        (Environment::Development, Environment::Development),
        (Environment::Production, Environment::Production),
        (Environment::Staging, Environment::Production),
    ] {
        writer.raise_mark(raised).await.unwrap();
        assert_eq!(reader.mark().await.unwrap(), Some(stays), "{raised:?}");
    }
    store.close().await;
    // The mark stays in a copy of the file.
    let copy = place.folder.path().join("copy.sqlite");
    std::fs::copy(place.path(), &copy).unwrap();
    let options = StoreOptions { path: copy, access: Access::ReadOnly, account: None, now: NOW };
    let copied = Store::open(options).await.unwrap();
    assert_eq!(copied.reader().mark().await.unwrap(), Some(Environment::Production));
    assert_eq!(copied.reader().account().await.unwrap(), Some(AccountId::from("111122223333")));
    copied.close().await;

    let store = place.open().await;
    store.writer().unwrap().set_mark(Environment::Development).await.unwrap();
    assert_eq!(store.reader().mark().await.unwrap(), Some(Environment::Development));
    store.close().await;
    run(&place, "UPDATE fact SET value = 'canary' WHERE name = 'environment'").await;
    let store = place.open().await;
    let found = store.reader().mark().await.unwrap();
    assert_eq!(found, Some(Environment::Production), "a word this program does not know is the strictest");
    store.close().await;
}
