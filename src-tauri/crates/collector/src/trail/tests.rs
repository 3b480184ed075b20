//! When CloudTrail is asked, what for, and when no more.

use liftdeck_model::Region;
use liftdeck_model::time::MINUTE_MS;

use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_795_203_000_000);

fn at(minutes: i64) -> Timestamp {
    NOW.plus_ms(minutes * MINUTE_MS)
}

fn region() -> Region {
    Region::from("eu-west-1")
}

/// A maximum lowered to 9, seen at minute 0 and not yet there a minute before.
fn lowered() -> ChangeRow {
    ChangeRow {
        change_key: 1,
        seen_at: at(0),
        region: region(),
        kind: "fleet_capacity".into(),
        resource: "fleet-1".into(),
        name: None,
        fleet_id: Some("fleet-1".into()),
        fleet_name: None,
        location: Some("eu-west-1".into()),
        field: "maximum".into(),
        before: Some("24".into()),
        after: Some("9".into()),
        since_at: Some(at(-1)),
    }
}

/// The call that lowered it.
fn call(maximum: i64) -> TrailCall {
    let record = serde_json::json!({
        "eventID": "e-1", "eventName": "UpdateFleetCapacity", "eventTime": at(0).plus_ms(-20_000).to_rfc3339(),
        "awsRegion": "eu-west-1", "eventSource": "gamelift.amazonaws.com",
        "requestParameters": { "fleetId": "fleet-1", "maxSize": maximum },
    });
    TrailCall::read(&record.to_string()).unwrap()
}

fn look(asked_at: Timestamp, range: TimeRange, is_denied: bool) -> TrailLook {
    TrailLook { region: region(), event_name: "UpdateFleetCapacity".into(), asked_at, range, is_denied }
}

fn mark() -> TrailMark {
    TrailMark { region: region(), begun_at: at(-600), settled_at: at(-60) }
}

fn planned(changes: &[ChangeRow], calls: &[TrailCall], looks: &[TrailLook], now: Timestamp) -> Plan {
    let mark = mark();
    plan(Known { changes, calls, ours: &[], looks, mark: &mark, is_first_asked: true }, now)
}

#[test]
fn nothing_is_asked_while_nothing_changed() {
    assert_eq!(planned(&[], &[], &[], at(0)), Plan { asks: Vec::new(), settled_at: at(0) });
    let by_aws = ChangeRow { kind: "fleet".into(), field: "status".into(), ..lowered() };
    assert!(planned(&[by_aws], &[], &[], at(0)).asks.is_empty(), "AWS itself changed it");
}

#[test]
fn a_change_is_asked_for_at_once_and_after_5_15_60_and_150_minutes() {
    let change = [lowered()];
    let mut looks = Vec::new();
    let mut asked = Vec::new();
    for minute in 0..400 {
        let plan = planned(&change, &[], &looks, at(minute));
        for (name, range) in plan.asks {
            assert_eq!(name, "UpdateFleetCapacity");
            assert_eq!(range, change[0].made_in());
            asked.push(minute);
            looks.push(look(at(minute), range, false));
        }
    }
    assert_eq!(asked, [0, 5, 15, 60, 150]);
    assert_eq!(planned(&change, &[], &looks, at(151)).settled_at, at(151), "nothing more is to be expected");
}

#[test]
fn a_change_with_its_call_is_settled_and_one_with_another_call_is_not() {
    let change = [lowered()];
    assert!(planned(&change, &[call(9)], &[], at(0)).asks.is_empty());
    assert_eq!(planned(&change, &[call(10)], &[], at(0)).asks.len(), 1);
}

#[test]
fn one_look_up_serves_all_changes_of_a_name_at_most_every_five_minutes() {
    let later = ChangeRow { change_key: 2, seen_at: at(3), since_at: Some(at(2)), ..lowered() };
    let (first, changes) = (lowered(), [lowered(), later]);
    let looks = [look(at(0), first.made_in(), false)];
    assert!(planned(&changes, &[], &looks, at(4)).asks.is_empty(), "too soon");
    let plan = planned(&changes, &[], &looks, at(5));
    assert_eq!(plan.asks.len(), 1);
    assert_eq!(plan.asks[0].1, TimeRange::new(first.made_in().from, changes[1].made_in().to));
}

#[test]
fn after_a_refusal_it_is_asked_again_rarely() {
    let change = [lowered()];
    let looks = [look(at(0), change[0].made_in(), true)];
    let plan = planned(&change, &[], &looks, at(359));
    assert_eq!(plan, Plan { asks: Vec::new(), settled_at: mark().settled_at });
    assert_eq!(planned(&change, &[], &looks, at(361)).asks.len(), 1);
}

#[test]
fn after_a_long_sleep_it_is_asked_once_more_and_after_ninety_days_not_at_all() {
    let change = [lowered()];
    let looks = [look(at(0), change[0].made_in(), false)];
    let days = |days: i64| at(days * 24 * 60);
    assert_eq!(planned(&change, &[], &looks, days(30)).asks.len(), 1);
    assert!(planned(&change, &[], &looks, days(91)).asks.is_empty());
}

#[test]
fn what_was_there_at_first_sight_is_asked_for_and_a_single_pass_does_not() {
    let begun = TrailMark { begun_at: at(0), settled_at: at(0), ..mark() };
    let known = Known { changes: &[], calls: &[], ours: &[], looks: &[], mark: &begun, is_first_asked: true };
    let asks = plan(known, at(0)).asks;
    assert_eq!(asks.iter().map(|(name, _)| *name).collect::<Vec<_>>(), AT_FIRST);
    assert_eq!(asks[0].1, TimeRange::new(at(0).plus_ms(-BEFORE_FIRST_MS), at(0)));
    assert!(plan(Known { is_first_asked: false, ..known }, at(0)).asks.is_empty());
    let settled = TrailMark { settled_at: at(1), ..begun.clone() };
    assert!(plan(Known { mark: &settled, ..known }, at(500)).asks.is_empty());
}
