//! Troubles that come and go: one alert, few messages, an honest beginning, and an end that is told.

use liftdeck_model::channel::{Channel, ChannelKind, Place};
use liftdeck_model::notification::{NotificationId, Telling, ToldMark};

use super::*;
use crate::tell::{Scene, tell};

const SECOND: i64 = 1_000;

fn blind(since: Timestamp) -> Vec<Verdict> {
    let mut blind = verdict(Rule::Blind, Severity::Bad, since);
    blind.fleet_id = None;
    vec![blind]
}

/// Alerts and what a channel is told of them, each message sent at once.
#[derive(Default)]
struct Heard {
    kept: Kept,
    marks: Vec<ToldMark>,
    told: Vec<(Timestamp, Telling)>,
}

impl Heard {
    fn look(&mut self, at: Timestamp, verdicts: Vec<Verdict>) {
        self.kept.look(at, verdicts, known(None));
        let channel = [Channel {
            name: "on call".to_owned(),
            kind: ChannelKind::Webhook,
            address: Place::Environment("HOOK".to_owned()),
            signing_key: None,
            endpoint: None,
            least_severity: Severity::Warning,
            rules: Vec::new(),
            regions: Vec::new(),
            is_on: true,
        }];
        let alerts = &self.kept.alerts;
        let scene = Scene {
            alerts,
            channels: &channel,
            silences: &[],
            told: &self.marks,
            waiting: &[],
            is_settled: true,
            at,
        };
        for one in tell(scene, || NotificationId::new(String::new())) {
            self.marks.retain(|mark| {
                !one.closed.contains(&mark.alert_id)
                    && one.told.iter().all(|told| told.alert_id != mark.alert_id)
            });
            self.marks.extend(one.told);
            self.told.push((at, one.notification.message.telling()));
        }
    }

    /// Looks every five seconds from one moment until another; `is_wrong` says at which second of it something is wrong.
    fn watch(&mut self, from: Timestamp, minutes: i64, is_wrong: impl Fn(i64) -> bool) {
        for second in (0..minutes * 60).step_by(5) {
            let now = from.plus_ms(second * SECOND);
            self.look(now, if is_wrong(second) { blind(now) } else { Vec::new() });
        }
    }
}

#[test]
fn what_flaps_each_minute_for_an_hour_is_one_alert_and_a_handful_of_messages() {
    let mut heard = Heard::default();
    heard.watch(at(0), 60, |second| second % 60 < 40);
    let first = heard.kept.only().clone();
    assert_eq!((first.state.is_open(), first.since, first.fired_at), (true, at(0), Some(at(0))));
    assert_eq!(
        heard.told[0],
        (at(0).plus_ms(30 * SECOND), Telling::Fired),
        "the first is told as soon as ever"
    );
    heard.watch(at(60), 60, |_| false);
    let over = heard.kept.only();
    assert_eq!((over.state, over.ended_at), (AlertState::Resolved, Some(at(59).plus_ms(40 * SECOND))));
    use Telling::{Fired, Resolved};
    let told: Vec<Telling> = heard.told.iter().map(|(_, telling)| *telling).collect();
    assert_eq!(told, [Fired, Resolved, Fired, Resolved]);
    // Hours later it is another trouble, told as soon as the first.
    heard.watch(at(240), 1, |_| true);
    assert_eq!((heard.kept.alerts.len(), heard.kept.alerts[1].since), (2, at(240)));
    assert_eq!(heard.told[4], (at(240).plus_ms(30 * SECOND), Fired));
}

#[test]
fn with_each_return_it_must_stay_away_twice_as_long_until_it_was_calm_for_an_hour() {
    let mut kept = Kept::default();
    let crashes = |since| vec![verdict(Rule::Crashes, Severity::Bad, since)];
    /// How many minutes it takes from its last sign until it is over.
    fn ends_after(kept: &mut Kept, from: i64) -> i64 {
        let is_over = |kept: &Kept| kept.only().state == AlertState::Resolved;
        let mut minute = from;
        while !is_over(kept) {
            kept.look(at(minute), Vec::new(), known(None));
            minute += 1;
        }
        minute - 1 - from
    }
    let mut minute = 0;
    let mut took = Vec::new();
    for _ in 0..5 {
        kept.look(at(minute), crashes(at(minute)), known(None));
        assert_eq!((kept.only().state, kept.only().since), (AlertState::Firing, at(0)));
        let after = ends_after(&mut kept, minute + 1);
        took.push(after);
        minute += 1 + after + 1;
    }
    assert_eq!(took, [3, 6, 12, 24, 30], "half an hour at most");

    let mut kept = Kept::default();
    kept.look(at(0), crashes(at(0)), known(None));
    assert_eq!(ends_after(&mut kept, 1), 3);
    kept.look(at(5), crashes(at(5)), known(None));
    kept.look(at(70), crashes(at(5)), known(None));
    assert_eq!(ends_after(&mut kept, 71), 3, "it went on for more than an hour");
}

#[test]
fn what_comes_back_waits_as_its_rule_asks_and_goes_on_as_the_alert_that_it_was() {
    let mut kept = Kept::default();
    let mute = |since| vec![verdict(Rule::FeedMute, Severity::Bad, since)];
    kept.look(at(0), mute(at(-10)), known(None));
    kept.look(at(1), Vec::new(), known(None));
    kept.look(at(4), Vec::new(), known(None));
    assert_eq!((kept.only().state, kept.only().ended_at), (AlertState::Resolved, Some(at(1))));
    kept.look(at(6), mute(at(6)), known(None));
    let states = |kept: &Kept| kept.alerts.iter().map(|alert| alert.state).collect::<Vec<_>>();
    assert_eq!(states(&kept), [AlertState::Resolved, AlertState::Pending], "it may be a blip");
    kept.look(at(8), mute(at(6)), known(None));
    assert_eq!((kept.only().state, kept.only().since), (AlertState::Firing, at(-10)));
    assert_eq!((kept.only().ended_at, kept.only().fired_at), (None, Some(at(0))));
    assert_eq!(kept.steps.last(), Some(&AlertStepKind::Firing));
}

#[test]
fn what_goes_to_and_fro_between_bad_and_worth_knowing_is_one_alert() {
    let mut kept = Kept::default();
    let found = |severity, minute| vec![verdict(Rule::Interruptions, severity, at(minute))];
    for minute in 0..60 {
        let severity = if minute % 8 < 2 { Severity::Warning } else { Severity::Info };
        kept.look(at(minute), found(severity, minute), known(None));
    }
    kept.alerts.retain(|alert| alert.fired_at.is_some());
    assert_eq!(kept.only().since, at(0));
}

#[test]
fn another_fleet_or_rule_is_another_trouble() {
    let mut kept = Kept::default();
    kept.look(at(0), vec![verdict(Rule::FleetError, Severity::Bad, at(0))], known(None));
    kept.look(at(1), Vec::new(), known(None));
    let mut other = verdict(Rule::FleetError, Severity::Bad, at(2));
    other.subject = "fleet-2".to_owned();
    kept.look(at(2), vec![other, verdict(Rule::Crashes, Severity::Bad, at(2))], known(None));
    assert_eq!(kept.alerts.len(), 3);
}
