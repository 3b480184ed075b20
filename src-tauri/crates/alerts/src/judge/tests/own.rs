//! Alerts of rules of one's own: without values, without time, without their rule.

use liftdeck_insight::custom::RuleSubject;
use liftdeck_model::custom_rule::{Compare, MetricSubject, Watched};
use liftdeck_model::series_name::SeriesName;

use super::*;

fn rule() -> CustomRule {
    let (figure, of) = (SeriesName::ActiveInstances, MetricSubject::EachFleet);
    CustomRule {
        name: "Mine".to_owned(),
        watched: Watched::Metric { figure, of, relative: None, over_minutes: 1 },
        compare: Compare::Below,
        raise: 4.0,
        clear: 6.0,
        pending_ms: 2 * MINUTE,
        severity: Severity::Warning,
        is_off: false,
    }
}

fn seen(standing: Standing) -> CustomLook {
    let subject = RuleSubject {
        key: "fleet-1".to_owned(),
        name: "arena".to_owned(),
        region: Some("eu-west-1".into()),
        fleet_id: Some("fleet-1".into()),
        target: Target::Health,
    };
    let facts = verdict(Rule::Capped, Severity::Bad, at(0)).facts;
    let facts = matches!(standing, Standing::Wrong { .. }).then_some(facts);
    CustomLook { rule: rule(), verdicts: vec![CustomVerdict { subject, standing, facts }] }
}

fn wrong() -> CustomLook {
    seen(Standing::Wrong { since: at(0), is_older: false, value: 3.0 })
}

fn well() -> CustomLook {
    CustomLook { rule: rule(), verdicts: Vec::new() }
}

/// The alert after a look at `minute` that saw this, and `None` if there is none.
fn after(
    open: Option<&AlertRecord>,
    minute: i64,
    looks: &[CustomLook],
    not_looked: &[String],
    knowledge: Knowledge,
) -> Option<AlertRecord> {
    let look = Look { at: at(minute), verdicts: Vec::new(), knowledge };
    let open: Vec<AlertRecord> = open.into_iter().cloned().collect();
    let own = Own { looks, not_looked };
    let changes = judge(&open, &Courses::default(), &look, own, &[], || AlertId::from("alert-1"));
    let kept = open.into_iter().find(|alert| !changes.forget.contains(&alert.id));
    changes.put.into_iter().map(|(alert, _)| alert).next_back().or(kept)
}

fn firing() -> AlertRecord {
    let pending = after(None, 1, &[wrong()], &[], known(None)).unwrap();
    assert_eq!((pending.state, pending.rule.as_str()), (AlertState::Pending, "own:Mine"));
    let firing = after(Some(&pending), 2, &[wrong()], &[], known(None)).unwrap();
    assert_eq!((firing.state, firing.since, firing.fired_at), (AlertState::Firing, at(0), Some(at(2))));
    firing
}

#[test]
fn without_values_it_stays_what_it_was_and_says_since_when_nothing_is_known() {
    let firing = firing();
    let silent = seen(Standing::Unknown { since: at(3) });
    let unknown = after(Some(&firing), 9, &[silent], &[], known(None)).unwrap();
    assert_eq!((unknown.state, unknown.unknown_since), (AlertState::Firing, Some(at(3))));
    let calm = after(Some(&unknown), 10, &[well()], &[], known(None)).unwrap();
    assert_eq!((calm.state, calm.unknown_since), (AlertState::Recovering, None));
    let over = after(Some(&calm), 13, &[well()], &[], known(None)).unwrap();
    assert_eq!((over.state, over.ended_at), (AlertState::Resolved, Some(at(10))));
}

#[test]
fn a_region_whose_capacity_is_not_read_makes_it_unknown_although_old_values_hold() {
    let late = || known(Some((Source::Capacity, at(1))));
    assert_eq!(after(None, 2, &[wrong()], &[], late()), None, "old data begins nothing");
    let unknown = after(Some(&firing()), 3, &[well()], &[], late()).unwrap();
    assert_eq!((unknown.state, unknown.unknown_since), (AlertState::Firing, Some(at(1))));
}

#[test]
fn a_rule_there_was_no_time_for_changes_nothing() {
    let firing = firing();
    assert_eq!(after(Some(&firing), 9, &[], &[rule().key()], known(None)), Some(firing));
}

#[test]
fn a_rule_that_is_deleted_or_switched_off_ends_what_fires_and_forgets_what_waits() {
    let over = after(Some(&firing()), 9, &[], &[], known(None)).unwrap();
    assert_eq!((over.state, over.ended_at), (AlertState::Resolved, Some(at(9))));
    let pending = after(None, 1, &[wrong()], &[], known(None)).unwrap();
    assert_eq!(after(Some(&pending), 2, &[], &[], known(None)), None);
}
