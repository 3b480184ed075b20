//! The course of an alert, look by look.

mod flapping;
mod own;

use liftdeck_insight::knowledge::{Source, SourceKnown};
use liftdeck_insight::verdict::{Facts, Likely, LikelyCause, Strength, Target, Trouble};
use liftdeck_model::alert_rule::{RuleScope, RuleSetting};

use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);
const MINUTE: i64 = 60_000;

fn at(minutes: i64) -> Timestamp {
    NOW.plus_ms(minutes * MINUTE)
}

fn verdict(rule: Rule, severity: Severity, since: Timestamp) -> Verdict {
    let trouble = Trouble::InError { fleet: "arena".to_owned(), locations: Vec::new() };
    let mut verdict = Verdict::new(rule, "fleet-1".to_owned(), severity, since, trouble, Target::Health);
    verdict.region = Some("eu-west-1".into());
    verdict.fleet_id = Some("fleet-1".into());
    verdict
}

/// What is known of one Region; `late` is the source without fresh data, and since when.
fn known(late: Option<(Source, Timestamp)>) -> Knowledge {
    let sources = Source::ALL.into_iter().map(|source| {
        let silent = late.filter(|(late, _)| *late == source).map(|(_, since)| since);
        SourceKnown {
            source,
            as_of: Some(silent.unwrap_or(NOW)),
            is_late: silent.is_some(),
            is_unread: false,
            failure: None,
        }
    });
    let region = RegionKnown {
        region: "eu-west-1".into(),
        last_read: Some(NOW),
        blind_since: None,
        failure: None,
        failed: 0,
        sources: sources.collect(),
    };
    Knowledge { regions: vec![region], ..Knowledge::default() }
}

/// A store in memory, as far as alerts go.
#[derive(Default)]
struct Kept {
    alerts: Vec<AlertRecord>,
    steps: Vec<AlertStepKind>,
    ids: u32,
    adjustments: Vec<Adjustment>,
    courses: Courses,
}

impl Kept {
    fn look(&mut self, at: Timestamp, verdicts: Vec<Verdict>, knowledge: Knowledge) -> AlertChanges {
        let open: Vec<_> = self.alerts.iter().filter(|alert| alert.state.is_open()).cloned().collect();
        let look = Look { at, verdicts, knowledge };
        let ids = &mut self.ids;
        let changes = judge(&open, &self.courses, &look, Own::default(), &self.adjustments, || {
            *ids += 1;
            AlertId::new(format!("alert-{ids}"))
        });
        self.courses.follow(&changes, at);
        self.alerts.retain(|alert| !changes.forget.contains(&alert.id));
        for (alert, steps) in &changes.put {
            self.steps.extend(steps.iter().map(|step| step.kind));
            match self.alerts.iter_mut().find(|known| known.id == alert.id) {
                Some(known) => *known = alert.clone(),
                None => self.alerts.push(alert.clone()),
            }
        }
        changes
    }

    fn only(&self) -> &AlertRecord {
        assert_eq!(self.alerts.len(), 1, "{:?}", self.alerts);
        &self.alerts[0]
    }
}

#[test]
fn a_trouble_fires_once_it_has_lasted_as_long_as_its_rule_asks_by_its_own_beginning() {
    let mut kept = Kept::default();
    let mute = |since| vec![verdict(Rule::FeedMute, Severity::Bad, since)];
    kept.look(at(0), mute(at(0)), known(None));
    assert_eq!((kept.only().state, kept.only().fired_at), (AlertState::Pending, None));
    kept.look(at(1), mute(at(0)), known(None));
    assert_eq!(kept.only().state, AlertState::Pending);
    kept.look(at(2), mute(at(0)), known(None));
    assert_eq!((kept.only().state, kept.only().fired_at), (AlertState::Firing, Some(at(2))));

    let mut late = Kept::default();
    late.look(at(0), mute(at(-30)), known(None));
    assert_eq!(late.only().state, AlertState::Firing, "the store showed it long before anybody looked");
    assert_eq!(late.only().since, at(-30));
}

#[test]
fn a_blip_neither_ends_it_nor_dates_it_anew() {
    let mut kept = Kept::default();
    let capped = |since| vec![verdict(Rule::Capped, Severity::Bad, since)];
    kept.look(at(0), capped(at(-10)), known(None));
    kept.look(at(1), Vec::new(), known(None));
    assert_eq!(kept.only().state, AlertState::Recovering);
    kept.look(at(3), capped(at(3)), known(None));
    assert_eq!((kept.only().state, kept.only().since), (AlertState::Firing, at(-10)));
    use AlertStepKind::{Firing, Recovering};
    assert_eq!(kept.steps, [Firing, Recovering, Firing]);
}

#[test]
fn it_is_over_at_the_moment_it_was_first_not_seen_once_that_has_lasted() {
    let mut kept = Kept::default();
    kept.look(at(0), vec![verdict(Rule::Capped, Severity::Bad, at(-10))], known(None));
    kept.look(at(1), Vec::new(), known(None));
    kept.look(at(5), Vec::new(), known(None));
    assert_eq!(kept.only().state, AlertState::Recovering);
    kept.look(at(6), Vec::new(), known(None));
    assert_eq!((kept.only().state, kept.only().ended_at), (AlertState::Resolved, Some(at(1))));
    kept.look(at(31), vec![verdict(Rule::Capped, Severity::Bad, at(31))], known(None));
    assert_eq!(kept.alerts.len(), 2, "what comes later is another alert");
}

#[test]
fn without_fresh_data_it_neither_ends_nor_begins_and_says_since_when() {
    let mut kept = Kept::default();
    kept.look(at(0), vec![verdict(Rule::Capped, Severity::Bad, at(-10))], known(None));
    let blind = || known(Some((Source::Capacity, at(0))));
    for minutes in [4, 8, 60] {
        kept.look(at(minutes), Vec::new(), blind());
    }
    assert_eq!((kept.only().state, kept.only().unknown_since), (AlertState::Firing, Some(at(0))));
    kept.look(at(61), Vec::new(), known(None));
    assert_eq!((kept.only().state, kept.only().clear_since), (AlertState::Recovering, Some(at(61))));
    assert_eq!(kept.only().unknown_since, None);
    use AlertStepKind::{Firing, Known, Recovering, Unknown};
    assert_eq!(kept.steps, [Firing, Unknown, Recovering, Known]);

    let mut other = Kept::default();
    other.look(at(0), vec![verdict(Rule::Capped, Severity::Bad, at(-10))], blind());
    assert_eq!(other.alerts, [], "what old data shows may be long over");
}

#[test]
fn only_the_sources_of_a_rule_hold_it_up() {
    let mut kept = Kept::default();
    let late = known(Some((Source::EventQueue, at(-60))));
    kept.look(at(0), vec![verdict(Rule::Capped, Severity::Bad, at(-10))], late.clone());
    assert_eq!(kept.only().state, AlertState::Firing);
    kept.look(at(6), Vec::new(), late.clone());
    kept.look(at(12), Vec::new(), late);
    assert_eq!(kept.only().state, AlertState::Resolved);
}

#[test]
fn what_is_only_worth_knowing_never_fires_and_leaves_no_trace() {
    let mut kept = Kept::default();
    let room = || vec![verdict(Rule::LittleRoom, Severity::Info, at(-90))];
    kept.look(at(0), room(), known(None));
    kept.look(at(30), room(), known(None));
    assert_eq!(kept.only().state, AlertState::Pending);
    kept.look(at(31), Vec::new(), known(None));
    let changes = kept.look(at(36), Vec::new(), known(None));
    assert_eq!((changes.forget.len(), kept.alerts.len()), (1, 0));
}

#[test]
fn a_blip_does_not_make_a_trouble_wait_anew() {
    let mut kept = Kept::default();
    let mute = |since| vec![verdict(Rule::FeedMute, Severity::Bad, since)];
    kept.look(at(0), mute(at(0)), known(None));
    kept.look(at(1), Vec::new(), known(None));
    kept.look(at(2), mute(at(2)), known(None));
    assert_eq!((kept.only().state, kept.only().since), (AlertState::Firing, at(0)));
}

#[test]
fn an_alert_that_comes_down_to_what_is_worth_knowing_recovers() {
    let mut kept = Kept::default();
    let mut storm = verdict(Rule::Interruptions, Severity::Warning, at(-1));
    storm.facts.hit.count = 9;
    kept.look(at(0), vec![storm], known(None));
    kept.look(at(2), vec![verdict(Rule::Interruptions, Severity::Info, at(-1))], known(None));
    assert_eq!(kept.only().state, AlertState::Recovering);
    assert_eq!(
        Facts::of_document(&kept.only().document).unwrap().hit.count,
        9,
        "what it was while it was bad"
    );
    kept.look(at(5), vec![verdict(Rule::Interruptions, Severity::Info, at(-1))], known(None));
    assert_eq!(kept.only().state, AlertState::Resolved);
}

#[test]
fn a_storm_after_something_worth_knowing_is_dated_by_its_own_beginning() {
    let mut kept = Kept::default();
    kept.look(at(0), vec![verdict(Rule::Interruptions, Severity::Info, at(0))], known(None));
    kept.look(at(14), vec![verdict(Rule::Interruptions, Severity::Warning, at(13))], known(None));
    assert_eq!((kept.only().state, kept.only().since), (AlertState::Firing, at(13)));
    kept.look(at(15), vec![verdict(Rule::Interruptions, Severity::Warning, at(14))], known(None));
    assert_eq!(kept.only().since, at(13), "from then on it stays");
}

#[test]
fn a_strong_cause_is_told_after_it_was_put_right_and_a_weak_one_only_without_another() {
    let likely = |fleet: &str, strength| Likely {
        cause: LikelyCause::AtMaximum { fleet: fleet.to_owned(), locations: Vec::new() },
        strength,
        at: None,
    };
    let with = |causes| {
        let mut verdict = verdict(Rule::Placements, Severity::Bad, at(0));
        verdict.facts.causes = causes;
        vec![verdict]
    };
    let (weak, strong) = (likely("one", Strength::Fair), likely("two", Strength::Strong));
    let mut kept = Kept::default();
    let mut told = |minute, causes| {
        kept.look(at(minute), with(causes), known(None));
        Facts::of_document(&kept.only().document).unwrap().causes
    };
    assert_eq!(told(20, vec![weak.clone()]), std::slice::from_ref(&weak));
    assert_eq!(told(21, Vec::new()), [weak], "nothing else is known");
    assert_eq!(told(22, vec![strong.clone()]), std::slice::from_ref(&strong));
    let other = likely("three", Strength::Fair);
    assert_eq!(told(23, vec![other.clone()]), [strong, other]);
}

#[test]
fn a_look_that_shows_nothing_new_writes_nothing() {
    let mut kept = Kept::default();
    let seen = || vec![verdict(Rule::Crashes, Severity::Bad, at(-1))];
    assert!(!kept.look(at(0), seen(), known(None)).is_empty());
    assert!(kept.look(at(1), seen(), known(None)).is_empty());
}

fn adjusted(rule: Rule, change: impl FnOnce(&mut RuleSetting)) -> Vec<Adjustment> {
    let mut setting = RuleSetting {
        rule: <&str>::from(rule).to_owned(),
        scope: RuleScope::default(),
        is_off: false,
        pending_ms: None,
        severity: None,
    };
    change(&mut setting);
    vec![Adjustment { setting, at: NOW, by: String::new() }]
}

#[test]
fn a_rule_that_is_off_is_seen_but_never_fires_and_fires_again_once_it_is_on() {
    let mut kept = Kept { adjustments: adjusted(Rule::Crashes, |it| it.is_off = true), ..Kept::default() };
    let crashes = || vec![verdict(Rule::Crashes, Severity::Bad, at(-5))];
    kept.look(at(0), crashes(), known(None));
    kept.look(at(60), crashes(), known(None));
    assert_eq!((kept.only().state, kept.only().severity), (AlertState::Pending, Severity::Info));
    kept.adjustments.clear();
    kept.look(at(61), crashes(), known(None));
    assert_eq!((kept.only().state, kept.only().severity), (AlertState::Firing, Severity::Bad));
    assert_eq!(kept.only().since, at(-5), "it began when it began");
}

#[test]
fn switching_a_rule_off_ends_its_alerts_but_not_without_data() {
    let mut kept = Kept::default();
    let crashes = || vec![verdict(Rule::Crashes, Severity::Bad, at(-5))];
    kept.look(at(0), crashes(), known(None));
    assert_eq!(kept.only().state, AlertState::Firing);
    kept.adjustments = adjusted(Rule::Crashes, |it| it.is_off = true);
    kept.look(at(1), crashes(), known(Some((Source::GameSessions, at(0)))));
    assert_eq!((kept.only().state, kept.only().severity), (AlertState::Firing, Severity::Bad));
    kept.look(at(2), crashes(), known(None));
    assert_eq!(kept.only().state, AlertState::Recovering);
    kept.look(at(5), crashes(), known(None));
    assert_eq!((kept.only().state, kept.only().severity), (AlertState::Resolved, Severity::Bad));
}

#[test]
fn a_rule_waits_as_long_as_was_set_and_fires_with_the_severity_that_was_set() {
    let adjustments = adjusted(Rule::Capped, |it| {
        it.pending_ms = Some(10 * MINUTE);
        it.severity = Some(Severity::Warning);
    });
    let mut kept = Kept { adjustments, ..Kept::default() };
    let capped = || vec![verdict(Rule::Capped, Severity::Bad, at(0))];
    kept.look(at(0), capped(), known(None));
    kept.look(at(9), capped(), known(None));
    assert_eq!(kept.only().state, AlertState::Pending);
    kept.look(at(10), capped(), known(None));
    assert_eq!((kept.only().state, kept.only().severity), (AlertState::Firing, Severity::Warning));
}
