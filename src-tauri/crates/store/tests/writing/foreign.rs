//! Files that are not ours stay as they are: their bytes, their times and their folder.

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use liftdeck_store::{Access, StoreError};
use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};

use crate::fixture::Place;

/// Every file of a folder with its bytes, permissions and modification time.
fn picture(folder: &Path) -> BTreeMap<String, (Vec<u8>, u32, i64)> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let look = entries.map(|entry| {
        let metadata = entry.metadata().unwrap();
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        let facts = (bytes, metadata.permissions().mode(), metadata.mtime_nsec());
        (entry.file_name().into_string().unwrap(), facts)
    });
    look.collect()
}

async fn assert_untouched(place: &Place, what: &str) -> StoreError {
    let before = picture(place.folder.path());
    let mut last = None;
    for access in [Access::ReadOnly, Access::ReadWrite] {
        let error = place.try_open(access).await.expect_err(what);
        assert!(error.to_string().contains("not touched"), "{what}: {error}");
        assert!(picture(place.folder.path()) == before, "{what}, {access:?}: something moved in its folder");
        last = Some(error);
    }
    last.unwrap()
}

async fn foreign(path: &Path, mode: SqliteJournalMode) -> sqlx::SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true).journal_mode(mode);
    let mut connection = options.connect().await.unwrap();
    sqlx::raw_sql("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('theirs')")
        .execute(&mut connection)
        .await
        .unwrap();
    connection
}

#[tokio::test]
async fn another_programs_database_is_not_touched_by_a_byte() {
    for mode in [SqliteJournalMode::Delete, SqliteJournalMode::Wal] {
        let place = Place::new();
        sqlx::Connection::close(foreign(&place.path(), mode).await).await.unwrap();
        std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o644)).unwrap();
        let error = assert_untouched(&place, "a foreign database").await;
        assert!(matches!(error, StoreError::Foreign { application_id: 0, .. }), "{error}");
    }
}

#[tokio::test]
async fn another_programs_database_with_a_log_that_it_has_not_taken_in_keeps_that_log() {
    let (place, elsewhere) = (Place::new(), Place::new());
    let connection = foreign(&elsewhere.path(), SqliteJournalMode::Wal).await;
    for tail in ["", "-wal"] {
        let name = format!("account.sqlite{tail}");
        std::fs::copy(elsewhere.folder.path().join(&name), place.folder.path().join(&name)).unwrap();
    }
    drop(connection);
    assert_untouched(&place, "a foreign database as its program's end left it").await;
}

#[tokio::test]
async fn what_is_no_database_is_not_touched_either() {
    let place = Place::new();
    for rubbish in ["x", "x".repeat(20_000).as_str(), "SQLite format 3"] {
        std::fs::write(place.path(), rubbish).unwrap();
        let error = assert_untouched(&place, "a text").await;
        assert!(matches!(error, StoreError::NoDatabase { .. }), "{error}");
    }
}

#[tokio::test]
async fn a_folder_and_a_link_to_somebody_elses_file_are_refused() {
    let place = Place::new();
    std::fs::create_dir(place.path()).unwrap();
    assert_untouched(&place, "a folder").await;
    std::fs::remove_dir(place.path()).unwrap();
    std::fs::write(place.folder.path().join("theirs"), "text").unwrap();
    symlink(place.folder.path().join("theirs"), place.path()).unwrap();
    assert_untouched(&place, "a link to a text").await;
}

#[tokio::test]
async fn a_link_that_leads_nowhere_makes_no_file_there() {
    let place = Place::new();
    symlink(place.folder.path().join("nowhere"), place.path()).unwrap();
    place.try_open(Access::ReadWrite).await.expect_err("nobody named that place");
    assert!(!place.folder.path().join("nowhere").exists());
    assert!(!place.folder.path().join("account.sqlite.lock").exists());
}

#[tokio::test]
async fn a_file_of_ours_behind_a_link_is_used() {
    let (place, elsewhere) = (Place::new(), Place::new());
    elsewhere.open().await.close().await;
    symlink(elsewhere.path(), place.path()).unwrap();
    place.open().await.close().await;
}

#[tokio::test]
async fn a_new_file_says_whose_it_is_from_its_first_page_on() {
    let place = Place::new();
    let store = place.open().await;
    // While it is open, and without what is still only in its log.
    let header = std::fs::read(place.path()).unwrap();
    assert_eq!(&header[68..72], b"LiFt");
    store.close().await;
}
