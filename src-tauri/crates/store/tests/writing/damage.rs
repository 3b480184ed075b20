//! A damaged database is kept aside, what AWS cannot provide again is saved, and a new database is created.

use std::path::PathBuf;

use liftdeck_model::observation::Observation;
use liftdeck_store::{Access, Preset, PresetKind, StoreError};

use crate::fixture::{NOW, Place, apply, attempt, batch, placement, session, set_desired};

const PAGE: usize = 8_192;

fn kept(place: &Place) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(place.folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let mut kept: Vec<_> = entries.filter(|path| path.to_string_lossy().contains(".damaged-")).collect();
    kept.sort();
    kept
}

async fn filled(place: &Place, attempts: u32) {
    let store = place.open().await;
    apply(&store, NOW, vec![Observation::GameSessions((0..300).map(session).collect())]).await;
    let writer = store.writer().unwrap();
    for number in 0..attempts {
        writer.begin_activity(attempt(number, set_desired(1))).await.unwrap();
    }
    let preset = Preset { name: "evening".into(), kind: PresetKind::NewSession, body: "{}".into() };
    writer.put_preset(preset).await.unwrap();
    store.close().await;
}

/// The pages that a table or index occupies.
async fn pages(place: &Place, name: &str) -> Vec<usize> {
    let pages: Vec<i64> = sqlx::query_scalar("SELECT pageno FROM dbstat WHERE name = ?")
        .bind(name)
        .fetch_all(&mut place.look().await)
        .await
        .unwrap();
    pages.into_iter().map(|page| usize::try_from(page).unwrap() - 1).collect()
}

fn destroy(place: &Place, pages: &[usize]) {
    let mut bytes = std::fs::read(place.path()).unwrap();
    for page in pages {
        bytes[page * PAGE..(page + 1) * PAGE].fill(0xff);
    }
    std::fs::write(place.path(), bytes).unwrap();
}

#[tokio::test]
async fn damage_elsewhere_costs_no_change_that_was_recorded() {
    let place = Place::new();
    filled(&place, 50).await;
    destroy(&place, &pages(&place, "game_session_state").await);
    let damaged = std::fs::read(place.path()).unwrap();
    let store = place.open().await;
    let recovered = store.recovered().expect("it is told").clone();
    assert_eq!(kept(&place), std::slice::from_ref(&recovered.kept));
    assert!(std::fs::read(&recovered.kept).unwrap() == damaged, "it is kept as it was");
    assert_eq!((recovered.saved["changes"], recovered.saved["presets"], recovered.lost), (50, 1, 0));
    let text = recovered.to_string();
    for part in
        [place.path().display().to_string(), recovered.kept.display().to_string(), "changes 50".into()]
    {
        assert!(text.contains(&part), "{text}");
    }
    assert_eq!(
        place.number("SELECT count(*) FROM activity JOIN activity_document USING (activity_key)").await,
        50
    );
    assert_eq!(place.number("SELECT count(*) FROM fact WHERE name = 'account'").await, 1);
    // It works like any other database.
    apply(&store, NOW, vec![Observation::PlacementEvents(vec![placement(1)])]).await;
    store.writer().unwrap().begin_activity(attempt(50, set_desired(1))).await.unwrap();
    store.close().await;
    let again = place.open().await;
    assert_eq!(again.recovered(), Some(&recovered), "it is said until the kept file is gone");
    again.close().await;
    std::fs::remove_file(&recovered.kept).unwrap();
    let again = place.open().await;
    assert_eq!(again.recovered(), None);
    again.close().await;
}

#[tokio::test]
async fn of_a_damaged_record_every_readable_row_is_saved() {
    let place = Place::new();
    filled(&place, 400).await;
    let record = pages(&place, "activity_document").await;
    assert!(record.len() > 4, "too few pages to damage one of many: {record:?}");
    destroy(&place, &record[record.len() / 2..=record.len() / 2]);
    let store = place.open().await;
    let recovered = store.recovered().expect("it is told");
    assert_eq!(recovered.saved["changes"], 400);
    let documents = place.number("SELECT count(*) FROM activity_document").await;
    assert!((200..400).contains(&documents), "{documents} of 400 could be read");
    store.close().await;
}

#[tokio::test]
async fn a_destroyed_first_page_is_known_for_ours_by_what_lies_beside_it() {
    let place = Place::new();
    filled(&place, 1).await;
    destroy(&place, &[0]);
    let reading = place.try_open(Access::ReadOnly).await.expect_err("there is nothing to read");
    assert!(matches!(reading, StoreError::Damaged { .. }), "{reading}");
    assert_eq!(kept(&place), Vec::<PathBuf>::new(), "who only looks moves nothing");
    let store = place.open().await;
    assert!(store.recovered().expect("it is told").to_string().contains("nothing could be read"));
    store.close().await;
}

#[tokio::test]
async fn what_was_kept_earlier_is_never_overwritten() {
    let place = Place::new();
    for round in 1..=3 {
        filled(&place, 0).await;
        destroy(&place, &pages(&place, "game_session").await);
        place.open().await.close().await;
        assert_eq!(kept(&place).len(), usize::try_from(round).unwrap());
    }
}

#[tokio::test]
async fn an_end_between_moving_the_damaged_file_and_naming_the_new_one_loses_nothing() {
    let place = Place::new();
    filled(&place, 5).await;
    destroy(&place, &pages(&place, "game_session_state").await);
    place.open().await.close().await;
    // The state at that moment, with the damaged file's log still in its old place.
    let name = |tail: &str| place.folder.path().join(format!("account.sqlite{tail}"));
    std::fs::rename(name(""), name(".new")).unwrap();
    std::fs::write(name("-wal"), "the damaged file's").unwrap();
    let store = place.open().await;
    assert!(store.recovered().is_some());
    assert_eq!(place.number("SELECT count(*) FROM activity").await, 5);
    let log = kept(&place).into_iter().find(|path| path.to_string_lossy().ends_with("-wal")).unwrap();
    assert_eq!(std::fs::read_to_string(log).unwrap(), "the damaged file's");
    store.close().await;
}

#[tokio::test]
async fn damage_met_while_running_ends_the_writing_and_the_next_start_recovers() {
    let place = Place::new();
    filled(&place, 3).await;
    let store = place.open().await;
    // A table that the writer has not read yet, because it keeps what it has read in memory.
    destroy(&place, &pages(&place, "placement_player").await);
    let writer = store.writer().unwrap();
    let events = || batch(NOW, vec![Observation::PlacementEvents(vec![placement(1)])]);
    let error = writer.apply(events()).await.expect_err("a page is destroyed");
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("Restart"), "{error}");
    let refused =
        writer.begin_activity(attempt(9, set_desired(1))).await.expect_err("nothing more is written");
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
    store.close().await;
    let store = place.open().await;
    assert_eq!(store.recovered().expect("it is told").saved["changes"], 3);
    apply(&store, NOW, vec![Observation::PlacementEvents(vec![placement(1)])]).await;
    store.close().await;
}
