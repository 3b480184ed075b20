//! Alerts: kept with their course through a restart, at most one open for a rule and a subject, deleted once old.

use liftdeck_model::alert::{Acknowledged, AlertId, AlertRecord, AlertState, AlertStep, AlertStepKind};
use liftdeck_model::observation::{Observation, Poll, PollKind, PollSubject, Subject};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{Severity, Timestamp};
use liftdeck_store::{AlertChanges, Judged, StoreError, Writer};

use crate::fixture::{DAY_MS, FLEET, NOW, Place, apply, region};

fn alert(id: &str, state: AlertState) -> AlertRecord {
    AlertRecord {
        id: AlertId::from(id),
        rule: "crashes".to_owned(),
        subject: FLEET.to_owned(),
        region: Some(region()),
        fleet_id: Some(FLEET.into()),
        severity: Severity::Bad,
        state,
        since: NOW.plus_ms(-600_000),
        seen_at: NOW,
        fired_at: Some(NOW),
        clear_since: None,
        unknown_since: Some(NOW.plus_ms(-1_000)),
        ended_at: None,
        acknowledged: None,
        document: format!("{{\"said\":\"{}\"}}", "x".repeat(300)),
    }
}

async fn put(
    writer: &Writer,
    alert: AlertRecord,
    kind: AlertStepKind,
    at: Timestamp,
) -> Result<(), StoreError> {
    let put = vec![(alert, vec![AlertStep::new(at, kind)])];
    writer.change_alerts(AlertChanges { put, ..AlertChanges::default() }).await
}

#[tokio::test]
async fn an_alert_and_its_course_are_the_same_after_a_restart() {
    let place = Place::new();
    let store = place.open().await;
    let mut notices = store.notices();
    let first = alert("alert-1", AlertState::Firing);
    put(&store.writer().unwrap(), first.clone(), AlertStepKind::Firing, NOW).await.unwrap();
    assert_eq!(notices.recv().await.unwrap().subjects, [Subject::Alerts]);
    store.close().await;

    let store = place.open().await;
    let reader = store.reader();
    assert_eq!(reader.open_alerts().await.unwrap(), std::slice::from_ref(&first));
    let by_whom = AlertStep {
        at: NOW.plus_ms(5_000),
        kind: AlertStepKind::Acknowledged,
        by: Some("mia".to_owned()),
        text: None,
    };
    store.writer().unwrap().note_alert(&first.id, by_whom.clone()).await.unwrap();
    // A look knows nothing of what a person did meanwhile, and must not undo it.
    let over = AlertRecord {
        state: AlertState::Resolved,
        ended_at: Some(NOW.plus_ms(60_000)),
        ..alert("alert-1", AlertState::Firing)
    };
    put(&store.writer().unwrap(), over.clone(), AlertStepKind::Resolved, NOW.plus_ms(90_000)).await.unwrap();
    let kept = reader.alert(&first.id).await.unwrap().unwrap();
    let acknowledged = Some(Acknowledged { at: NOW.plus_ms(5_000), by: "mia".to_owned() });
    assert_eq!(kept, AlertRecord { acknowledged, ..over });
    let steps = reader.alert_steps(&first.id).await.unwrap();
    let kinds: Vec<_> = steps.iter().map(|step| step.kind).collect();
    assert_eq!(kinds, [AlertStepKind::Firing, AlertStepKind::Acknowledged, AlertStepKind::Resolved]);
    assert_eq!(steps[1], by_whom);
    assert!(reader.open_alerts().await.unwrap().is_empty());
    let listed = async |from: i64, to: i64| {
        let range = TimeRange::new(NOW.plus_ms(from), NOW.plus_ms(to));
        reader.alerts(range, 10).await.unwrap().len()
    };
    assert_eq!((listed(0, 30_000).await, listed(61_000, 90_000).await), (1, 0));
    let missing = store.writer().unwrap().note_alert(&"nobody".into(), by_whom).await;
    assert!(matches!(missing, Err(StoreError::Unrecorded { .. })), "{missing:?}");
    store.close().await;
}

#[tokio::test]
async fn a_rule_has_one_open_alert_about_a_subject_and_what_never_fired_leaves_no_trace() {
    let place = Place::new();
    let store = place.open().await;
    let writer = store.writer().unwrap();
    let pending = AlertRecord { fired_at: None, ..alert("alert-1", AlertState::Pending) };
    put(&writer, pending, AlertStepKind::Pending, NOW).await.unwrap();
    put(&writer, alert("alert-2", AlertState::Firing), AlertStepKind::Firing, NOW)
        .await
        .expect_err("there is one already");
    let changes = AlertChanges {
        put: vec![(alert("alert-2", AlertState::Firing), Vec::new())],
        forget: vec!["alert-1".into()],
        ..AlertChanges::default()
    };
    writer.change_alerts(changes).await.unwrap();
    let reader = store.reader();
    let open: Vec<_> = reader.open_alerts().await.unwrap().into_iter().map(|alert| alert.id).collect();
    assert_eq!(open, [AlertId::from("alert-2")]);
    assert!(reader.alert_steps(&"alert-1".into()).await.unwrap().is_empty());
    store.close().await;
}

#[tokio::test]
async fn alerts_go_with_their_course_a_year_after_they_ended() {
    let place = Place::new();
    let store = place.open().await;
    let writer = store.writer().unwrap();
    let over = AlertRecord { ended_at: Some(NOW), ..alert("alert-1", AlertState::Resolved) };
    put(&writer, over, AlertStepKind::Resolved, NOW).await.unwrap();
    put(&writer, alert("alert-2", AlertState::Firing), AlertStepKind::Firing, NOW).await.unwrap();
    let later = NOW.plus_ms(366 * DAY_MS);
    writer.listen_to(std::sync::Arc::new(move || Some(later)));
    writer.retain(later, Default::default()).await.unwrap();
    let reader = store.reader();
    assert!(reader.alert(&"alert-1".into()).await.unwrap().is_none());
    assert!(reader.alert_steps(&"alert-1".into()).await.unwrap().is_empty());
    assert!(reader.alert(&"alert-2".into()).await.unwrap().is_some(), "what is open stays");
    store.close().await;
}

#[tokio::test]
async fn when_alerts_were_judged_outlives_a_restart_and_costs_no_commit() {
    let place = Place::new();
    let store = place.open().await;
    let writer = store.writer().unwrap();
    writer.note_judged(NOW, true);
    let judged = Judged { at: Some(NOW), is_whole: true };
    assert_eq!(store.reader().judged(), judged, "at once");
    let subject = PollSubject { kind: PollKind::Fleets, resource: String::new() };
    let confirmed = Poll { subject, at: NOW, took_ms: 10, failure: None };
    apply(&store, NOW, vec![Observation::Poll(confirmed)]).await;
    assert_eq!(store.revision().await, 0, "it travels with the poll ledger");
    store.close().await;
    let store = place.open().await;
    assert_eq!(store.reader().judged(), judged);
    store.close().await;
}
