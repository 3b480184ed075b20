//! Attempts to change something: recorded before sending, kept through a crash, deleted only once settled and old.

use liftdeck_model::activity::{ActivityOutcome, Effect, EffectState, RunId};
use liftdeck_model::observation::{Observation, Subject};
use liftdeck_store::reader::activity::{ActivityRequest, RunCounts};
use liftdeck_store::reader::window::Page;
use liftdeck_store::{Preset, PresetKind, RunKind, RunRecord, RunState, StoreError};
use tokio::sync::broadcast::error::RecvError;

use crate::fixture::{
    DAY_MS, FLEET, NOW, Place, answer, apply, attempt, region, repoint, session, set_desired,
};

fn run(state: RunState, progress: &str) -> RunRecord {
    RunRecord {
        id: "run-1".into(),
        kind: RunKind::Drain,
        state,
        title: "Drain eu-prod".to_owned(),
        region: Some(region()),
        fleet_id: Some(FLEET.into()),
        created_at: NOW,
        changed_at: NOW,
        plan: format!("{{\"steps\":[{}]}}", "\"wait\",".repeat(200).trim_end_matches(',')),
        progress: progress.to_owned(),
    }
}

#[tokio::test]
async fn an_attempt_is_there_after_a_crash_and_tells_that_nobody_knows_its_outcome() {
    let place = Place::new();
    let store = place.open().await;
    let sent = attempt(1, repoint("fleet-new"));
    store.writer().unwrap().begin_activity(sent.clone()).await.unwrap();
    // No orderly shutdown: what was acknowledged must already be on the disk.
    std::mem::forget(store);
    let copy = Place::new();
    for ending in ["", "-wal"] {
        let name = format!("account.sqlite{ending}");
        std::fs::copy(place.folder.path().join(&name), copy.folder.path().join(&name)).unwrap();
    }
    let store = copy.open().await;
    assert_eq!(store.reader().unsettled().await.unwrap(), std::slice::from_ref(&sent));
    store.writer().unwrap().end_activity(&sent.id, answer(&sent, ActivityOutcome::Unknown)).await.unwrap();
    assert_eq!(store.reader().unsettled_count().await.unwrap(), 1);
    let mut settled = answer(&sent, ActivityOutcome::Done);
    settled.request_id = None;
    store.writer().unwrap().end_activity(&sent.id, settled).await.unwrap();
    let told = store.reader().activity(&sent.id).await.unwrap().unwrap();
    assert_eq!(told.outcome, ActivityOutcome::Done);
    assert_eq!(told.request_id.unwrap(), format!("request-{}", sent.id), "the first answer's id stays");
    assert!(store.reader().unsettled().await.unwrap().is_empty());
    store.close().await;
}

#[tokio::test]
async fn an_attempt_is_recorded_once_and_each_step_is_told() {
    let place = Place::new();
    let store = place.open().await;
    let mut notices = store.notices();
    let writer = store.writer().unwrap();
    let mut sent = attempt(1, set_desired(8));
    sent.outcome = ActivityOutcome::Done;
    writer.begin_activity(sent.clone()).await.unwrap();
    let notice = notices.recv().await.unwrap();
    assert_eq!((notice.revision, notice.subjects), (1, vec![Subject::Activity]));
    let recorded = store.reader().activity(&sent.id).await.unwrap().unwrap();
    assert_eq!(recorded.outcome, ActivityOutcome::Sending, "whatever the caller thinks of it");
    let again = writer.begin_activity(sent.clone()).await.expect_err("it may have been sent");
    assert!(matches!(again, StoreError::Recorded { .. }), "{again}");
    let lost = writer.end_activity(&"nobody".into(), answer(&sent, ActivityOutcome::Done)).await;
    assert!(matches!(lost, Err(StoreError::Unrecorded { .. })));
    // The writer still works after a refusal.
    let applied = apply(&store, NOW, vec![Observation::GameSessions(vec![session(1)])]).await;
    assert_eq!((applied.revision, store.revision().await), (2, 2));
    let awaited = Effect { state: EffectState::Awaited, text: "Desired is 8".to_owned(), at: NOW };
    writer.note_effect(&sent.id, awaited).await.unwrap();
    assert_eq!(store.reader().awaited().await.unwrap().len(), 1);
    let seen = Effect { state: EffectState::Seen, text: "8 instances are active".to_owned(), at: NOW };
    writer.note_effect(&sent.id, seen.clone()).await.unwrap();
    assert!(store.reader().awaited().await.unwrap().is_empty());
    assert_eq!(store.reader().activity(&sent.id).await.unwrap().unwrap().effect, Some(seen));
    store.close().await;
}

#[tokio::test]
async fn a_run_keeps_its_plan_and_counts_its_attempts() {
    let place = Place::new();
    let store = place.open().await;
    let writer = store.writer().unwrap();
    writer.put_run(run(RunState::Running, "{}")).await.unwrap();
    for number in 0..6_u32 {
        let mut sent = attempt(number, set_desired(8));
        sent.run = Some(RunId::from("run-1"));
        sent.item = Some(number);
        writer.begin_activity(sent.clone()).await.unwrap();
        let outcome = match number {
            0 | 1 => ActivityOutcome::Done,
            2 => ActivityOutcome::Failed,
            3 => ActivityOutcome::Unknown,
            _ => continue,
        };
        writer.end_activity(&sent.id, answer(&sent, outcome)).await.unwrap();
    }
    writer.put_run(run(RunState::Paused, "{\"step\":\"wait\"}")).await.unwrap();
    store.close().await;
    let store = place.open().await;
    let reader = store.reader();
    let open = reader.runs(true).await.unwrap();
    assert_eq!(open, [run(RunState::Paused, "{\"step\":\"wait\"}")]);
    let counts = reader.run_counts(&"run-1".into()).await.unwrap();
    assert_eq!(counts, RunCounts { sending: 2, done: 2, failed: 1, unknown: 1 });
    store.writer().unwrap().put_run(run(RunState::Finished, "{}")).await.unwrap();
    assert!(reader.runs(true).await.unwrap().is_empty());
    assert_eq!(reader.runs(false).await.unwrap().len(), 1);
    assert_eq!(place.number("SELECT count(*) FROM run_plan").await, 1);
    store.close().await;
}

#[tokio::test]
async fn presets_are_replaced_by_name_and_forgotten() {
    let place = Place::new();
    let store = place.open().await;
    let writer = store.writer().unwrap();
    let preset = |name: &str, body: &str| Preset {
        name: name.to_owned(),
        kind: PresetKind::NewSession,
        body: body.to_owned(),
    };
    for (name, body) in [("ranked", "{}"), ("casual", "{}"), ("ranked", "{\"players\":8}")] {
        writer.put_preset(preset(name, body)).await.unwrap();
    }
    let kept = store.reader().presets(PresetKind::NewSession).await.unwrap();
    assert_eq!(kept, [preset("casual", "{}"), preset("ranked", "{\"players\":8}")]);
    writer.delete_preset(PresetKind::NewSession, "casual").await.unwrap();
    writer.delete_preset(PresetKind::NewSession, "casual").await.unwrap();
    assert_eq!(store.reader().presets(PresetKind::NewSession).await.unwrap().len(), 1);
    store.close().await;
}

#[tokio::test]
async fn settled_attempts_are_kept_two_years_and_open_ones_until_they_are_settled() {
    let place = Place::new();
    let store = place.open().await;
    let writer = store.writer().unwrap();
    let outcomes = [ActivityOutcome::Done, ActivityOutcome::Failed, ActivityOutcome::Unknown];
    for (offset, age_days) in [(0, 731), (10, 729)] {
        for (number, outcome) in (0..).zip(outcomes) {
            let mut sent = attempt(number + offset, set_desired(8));
            sent.at = NOW.plus_ms(-age_days * DAY_MS);
            writer.begin_activity(sent.clone()).await.unwrap();
            writer.end_activity(&sent.id, answer(&sent, outcome)).await.unwrap();
        }
    }
    let old = NOW.plus_ms(-800 * DAY_MS);
    writer.put_run(RunRecord { created_at: old, ..run(RunState::Finished, "{}") }).await.unwrap();
    writer
        .put_run(RunRecord { id: "run-2".into(), created_at: old, ..run(RunState::Paused, "{}") })
        .await
        .unwrap();
    let retained = crate::fixture::retain(&store).await;
    assert_eq!((retained.deleted.get("activities"), retained.deleted.get("runs")), (Some(&2), Some(&1)));
    let left = store.reader().activities(&ActivityRequest::everything(Page::first(10))).await.unwrap();
    assert_eq!(left.total, 4);
    assert_eq!(place.number("SELECT count(*) FROM activity_document").await, 4);
    assert_eq!(store.reader().runs(false).await.unwrap()[0].id, "run-2".into());
    store.close().await;
}

#[tokio::test]
async fn notices_a_slow_listener_did_not_get_are_counted() {
    let place = Place::new();
    let store = place.open().await;
    let writer = store.writer().unwrap();
    let tell = async |times: u64| {
        for _ in 0..times {
            let preset = Preset { name: "evening".into(), kind: PresetKind::NewSession, body: "{}".into() };
            writer.put_preset(preset).await.unwrap();
        }
    };
    tell(300).await;
    assert_eq!(writer.dropped_notices(), 0, "nobody listens");
    let mut notices = store.notices();
    tell(256).await;
    assert_eq!(writer.dropped_notices(), 0);
    tell(4).await;
    assert_eq!(writer.dropped_notices(), 4);
    assert!(matches!(notices.recv().await, Err(RecvError::Lagged(4))));
    assert_eq!(notices.recv().await.unwrap().revision, 305);
    store.close().await;
}
