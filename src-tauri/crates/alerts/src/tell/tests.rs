//! What is told over the course of alerts, look by look.

use liftdeck_insight::knowledge::{Knowledge, RegionKnown, SourceKnown};
use liftdeck_model::Severity;
use liftdeck_model::alert::Acknowledged;
use liftdeck_model::channel::{ChannelKind, Place};
use liftdeck_model::silence::Matchers;

use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);
const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

fn channel() -> Channel {
    Channel {
        name: "on call".to_owned(),
        kind: ChannelKind::Webhook,
        address: Place::Environment("HOOK".to_owned()),
        signing_key: None,
        endpoint: None,
        least_severity: Severity::Warning,
        rules: Vec::new(),
        regions: Vec::new(),
        is_on: true,
    }
}

fn alert(id: &str, rule: Rule) -> AlertRecord {
    AlertRecord {
        id: id.into(),
        rule: <&str>::from(rule).to_owned(),
        subject: id.to_owned(),
        region: Some("eu-west-1".into()),
        fleet_id: Some("fleet-1".into()),
        severity: Severity::Bad,
        state: AlertState::Firing,
        since: NOW,
        seen_at: NOW,
        fired_at: Some(NOW),
        clear_since: None,
        unknown_since: None,
        ended_at: None,
        acknowledged: None,
        document: String::new(),
    }
}

fn over(alert: &AlertRecord) -> AlertRecord {
    AlertRecord { state: AlertState::Resolved, ended_at: Some(NOW), ..alert.clone() }
}

fn silence(from_ms: i64, until_ms: i64) -> Silence {
    Silence {
        id: "silence-1".into(),
        matchers: Matchers::default(),
        from: NOW.plus_ms(from_ms),
        until: Some(NOW.plus_ms(until_ms)),
        author: "mia".to_owned(),
        reason: "load test".to_owned(),
        ended_at: None,
        ended_by: None,
    }
}

/// A channel and what was told there, as far as the store would keep it.
struct Told {
    channel: Channel,
    marks: Vec<ToldMark>,
    waiting: Vec<Notification>,
    silences: Vec<Silence>,
    is_settled: bool,
    ids: u32,
}

impl Told {
    fn new() -> Self {
        Self {
            channel: channel(),
            marks: Vec::new(),
            waiting: Vec::new(),
            silences: Vec::new(),
            is_settled: true,
            ids: 0,
        }
    }

    /// Looks at a moment after the start, and returns what is told of which alert, message by message. Nothing is sent
    /// until `sent` is called.
    fn look(&mut self, at_ms: i64, alerts: &[AlertRecord]) -> Vec<Vec<(String, Telling)>> {
        let ids = &mut self.ids;
        let queued = tell(
            Scene {
                alerts,
                channels: std::slice::from_ref(&self.channel),
                silences: &self.silences,
                told: &self.marks,
                waiting: &self.waiting,
                is_settled: self.is_settled,
                at: NOW.plus_ms(at_ms),
            },
            || {
                *ids += 1;
                NotificationId::new(format!("message-{ids}"))
            },
        );
        let of_message = |queued: &Queued| {
            let alerts = &queued.notification.message.alerts;
            alerts.iter().map(|alert| (alert.id.to_string(), alert.telling)).collect()
        };
        let messages = queued.iter().map(of_message).collect();
        for one in queued {
            self.waiting.retain(|waiting| !one.supersedes.contains(&waiting.id));
            self.marks.retain(|mark| {
                !one.closed.contains(&mark.alert_id)
                    && one.told.iter().all(|told| told.alert_id != mark.alert_id)
            });
            self.marks.extend(one.told);
            self.waiting.push(one.notification);
        }
        messages
    }

    fn sent(&mut self) {
        self.waiting.clear();
    }

    /// As [`Self::look`], with everything sent at once.
    fn hear(&mut self, at_ms: i64, alerts: &[AlertRecord]) -> Vec<Vec<(String, Telling)>> {
        let messages = self.look(at_ms, alerts);
        self.sent();
        messages
    }
}

fn says(alerts: &[(&str, Telling)]) -> Vec<Vec<(String, Telling)>> {
    vec![alerts.iter().map(|(id, telling)| ((*id).to_owned(), *telling)).collect()]
}

const NOTHING: Vec<Vec<(String, Telling)>> = Vec::new();

#[test]
fn a_first_alert_waits_for_others_of_its_group_and_further_ones_for_the_next_message() {
    let mut told = Told::new();
    let (one, two) = (alert("a", Rule::Crashes), alert("b", Rule::Crashes));
    assert_eq!(told.hear(WAIT_MS - 1, std::slice::from_ref(&one)), NOTHING);
    let both = [one.clone(), two.clone()];
    assert_eq!(told.hear(WAIT_MS, &both), says(&[("a", Telling::Fired), ("b", Telling::Fired)]));
    let three = AlertRecord { fired_at: Some(NOW.plus_ms(MINUTE)), ..alert("c", Rule::Crashes) };
    let all = [one, two, three];
    assert_eq!(told.hear(2 * MINUTE, &all), NOTHING);
    assert_eq!(
        told.hear(WAIT_MS + UPDATE_MS, &all),
        says(&[("c", Telling::Fired), ("a", Telling::Unchanged), ("b", Telling::Unchanged)])
    );
}

#[test]
fn other_rules_and_other_regions_are_other_groups() {
    let mut told = Told::new();
    let elsewhere = AlertRecord { region: Some("us-east-1".into()), ..alert("b", Rule::Crashes) };
    let alerts = [alert("a", Rule::Crashes), elsewhere, alert("c", Rule::Startup)];
    assert_eq!(told.hear(MINUTE, &alerts).len(), 3);
}

#[test]
fn regions_that_all_go_blind_are_told_at_once() {
    let mut told = Told::new();
    let elsewhere = AlertRecord { region: Some("us-east-1".into()), ..alert("b", Rule::Blind) };
    assert_eq!(told.hear(MINUTE, &[alert("a", Rule::Blind), elsewhere]).len(), 1);
}

#[test]
fn an_alert_is_told_once_worse_once_reminded_of_every_four_hours_and_closed_once() {
    let mut told = Told::new();
    let warning = AlertRecord { severity: Severity::Warning, ..alert("a", Rule::Crashes) };
    assert_eq!(told.hear(MINUTE, std::slice::from_ref(&warning)), says(&[("a", Telling::Fired)]));
    assert_eq!(told.hear(2 * MINUTE, std::slice::from_ref(&warning)), NOTHING);
    let bad = [alert("a", Rule::Crashes)];
    assert_eq!(told.hear(3 * MINUTE, &bad), says(&[("a", Telling::Worse)]));
    // It comes and goes between two severities: that is told once.
    assert_eq!(told.hear(4 * MINUTE, std::slice::from_ref(&warning)), NOTHING);
    assert_eq!(told.hear(5 * MINUTE, &bad), NOTHING);
    assert_eq!(told.hear(3 * MINUTE + REMIND_MS - 1, &bad), NOTHING);
    assert_eq!(told.hear(3 * MINUTE + REMIND_MS, &bad), says(&[("a", Telling::Reminder)]));
    let over = [over(&bad[0])];
    assert_eq!(told.hear(9 * HOUR, &over), says(&[("a", Telling::Resolved)]));
    assert_eq!(told.hear(9 * HOUR + MINUTE, &over), NOTHING);
}

#[test]
fn an_alert_that_comes_back_while_it_recovers_is_not_told_again() {
    let mut told = Told::new();
    let firing = [alert("a", Rule::Crashes)];
    told.hear(MINUTE, &firing);
    let recovering = AlertRecord { state: AlertState::Recovering, ..firing[0].clone() };
    assert_eq!(told.hear(2 * MINUTE, &[recovering]), NOTHING);
    assert_eq!(told.hear(3 * MINUTE, &firing), NOTHING);
}

#[test]
fn whoever_took_note_is_told_and_nobody_is_reminded_any_more() {
    let mut told = Told::new();
    let firing = alert("a", Rule::Crashes);
    told.hear(MINUTE, std::slice::from_ref(&firing));
    let acknowledged = Some(Acknowledged { at: NOW, by: "mia".to_owned() });
    let seen = [AlertRecord { acknowledged, ..firing }];
    assert_eq!(told.hear(2 * MINUTE, &seen), says(&[("a", Telling::Acknowledged)]));
    assert_eq!(told.hear(9 * HOUR, &seen), NOTHING);
}

#[test]
fn an_alert_that_grew_worse_after_somebody_took_note_can_be_acknowledged_again() {
    let mut told = Told::new();
    let warning = AlertRecord { severity: Severity::Warning, ..alert("a", Rule::Crashes) };
    told.hear(MINUTE, std::slice::from_ref(&warning));
    let at = |ms: i64| Some(Acknowledged { at: NOW.plus_ms(ms), by: "mia".to_owned() });
    let bad = AlertRecord { acknowledged: at(MINUTE), ..alert("a", Rule::Crashes) };
    assert_eq!(told.hear(2 * MINUTE, std::slice::from_ref(&bad)), says(&[("a", Telling::Worse)]));
    assert_eq!(told.hear(3 * MINUTE, std::slice::from_ref(&bad)), NOTHING);
    let again = [AlertRecord { acknowledged: at(4 * MINUTE), ..bad }];
    assert_eq!(told.hear(5 * MINUTE, &again), says(&[("a", Telling::Acknowledged)]));
    assert_eq!(told.hear(6 * MINUTE, &again), NOTHING);
}

#[test]
fn a_channel_takes_only_what_it_is_for() {
    let mut told = Told::new();
    told.channel.regions = vec!["us-east-1".into()];
    assert_eq!(told.hear(MINUTE, &[alert("a", Rule::Crashes)]), NOTHING);
    told.channel = Channel { rules: vec!["startup".to_owned()], ..channel() };
    assert_eq!(told.hear(MINUTE, &[alert("a", Rule::Crashes)]), NOTHING);
    told.channel = Channel { least_severity: Severity::Bad, ..channel() };
    let warning = AlertRecord { severity: Severity::Warning, ..alert("a", Rule::Crashes) };
    assert_eq!(told.hear(MINUTE, &[warning]), NOTHING);
    told.channel = Channel { is_on: false, ..channel() };
    assert_eq!(told.hear(MINUTE, &[alert("a", Rule::Crashes)]), NOTHING);
}

// Alertmanager #2896: after a silence nothing is told until the next repetition.
#[test]
fn when_a_silence_ends_what_still_fires_is_told_at_once() {
    let mut told = Told::new();
    let firing = [alert("a", Rule::Crashes)];
    told.silences = vec![silence(0, HOUR)];
    assert_eq!(told.hear(MINUTE, &firing), NOTHING);
    assert_eq!(told.hear(HOUR - 1, &firing), NOTHING);
    assert_eq!(told.hear(HOUR, &firing), says(&[("a", Telling::Fired)]));
    let mut told = Told::new();
    told.silences = vec![Silence { ended_at: Some(NOW.plus_ms(2 * MINUTE)), ..silence(0, HOUR) }];
    assert_eq!(told.hear(MINUTE, &firing), NOTHING);
    assert_eq!(told.hear(2 * MINUTE, &firing), says(&[("a", Telling::Fired)]), "ended early");
}

// Alertmanager #226: what is silenced when it ends stays open at the receiver for ever.
#[test]
fn what_was_told_is_closed_also_when_it_was_silenced_or_routed_elsewhere_meanwhile() {
    let mut told = Told::new();
    let firing = alert("a", Rule::Crashes);
    told.hear(MINUTE, std::slice::from_ref(&firing));
    told.silences = vec![silence(2 * MINUTE, HOUR)];
    told.channel.rules = vec!["startup".to_owned()];
    assert_eq!(told.hear(3 * MINUTE, &[over(&firing)]), says(&[("a", Telling::Resolved)]));
}

#[test]
fn what_was_over_before_anybody_was_told_is_not_told() {
    let mut told = Told::new();
    told.silences = vec![silence(0, HOUR)];
    let firing = alert("a", Rule::Crashes);
    told.hear(MINUTE, std::slice::from_ref(&firing));
    assert_eq!(told.hear(2 * MINUTE, &[over(&firing)]), NOTHING);
    assert_eq!(told.hear(2 * HOUR, &[]), NOTHING);
}

// Alertmanager #2496: a mute that meets the interval of a group may never notify.
#[test]
fn a_silence_that_ends_within_the_interval_of_a_group_does_not_swallow_the_alert() {
    let mut told = Told::new();
    let (one, two) = (alert("a", Rule::Crashes), alert("b", Rule::Crashes));
    let both = [one, two];
    let only_b = Matchers { subject: Some("b".to_owned()), ..Matchers::default() };
    told.silences = vec![Silence { matchers: only_b, ..silence(0, 2 * MINUTE) }];
    assert_eq!(told.hear(MINUTE, &both), says(&[("a", Telling::Fired)]));
    assert_eq!(told.hear(3 * MINUTE, &both), NOTHING, "the group was told of two minutes ago");
    assert_eq!(
        told.hear(MINUTE + UPDATE_MS, &both),
        says(&[("b", Telling::Fired), ("a", Telling::Unchanged)])
    );
}

// Alertmanager #4064, #2628: what inhibits is evaluated later than what it inhibits.
#[test]
fn a_region_that_goes_blind_in_the_same_look_inhibits_what_it_makes_doubtful() {
    let mut told = Told::new();
    let alerts = [alert("a", Rule::Crashes), alert("z", Rule::Blind)];
    assert_eq!(told.hear(MINUTE, &alerts), says(&[("z", Telling::Fired)]));
    let elsewhere = AlertRecord { region: Some("us-east-1".into()), ..alert("b", Rule::Crashes) };
    let alerts = [alert("a", Rule::Crashes), alert("z", Rule::Blind), elsewhere];
    assert_eq!(told.hear(2 * MINUTE, &alerts), says(&[("b", Telling::Fired)]), "another Region is seen");
}

// Alertmanager #1153: what was inhibited is not told once it no longer is.
#[test]
fn what_was_inhibited_is_told_once_its_region_is_seen_again() {
    let mut told = Told::new();
    let firing = alert("a", Rule::Crashes);
    let blind = alert("z", Rule::Blind);
    told.hear(MINUTE, &[firing.clone(), blind.clone()]);
    let mut heard = told.hear(2 * MINUTE, &[firing, over(&blind)]).concat();
    heard.sort();
    assert_eq!(heard, [("a".to_owned(), Telling::Fired), ("z".to_owned(), Telling::Resolved)]);
}

#[test]
fn a_mute_event_queue_inhibits_only_what_is_known_from_events() {
    let mut told = Told::new();
    let alerts = [alert("a", Rule::Placements), alert("b", Rule::Crashes), alert("m", Rule::FeedMute)];
    let mut heard = told.hear(MINUTE, &alerts).concat();
    heard.sort();
    assert_eq!(heard, [("b".to_owned(), Telling::Fired), ("m".to_owned(), Telling::Fired)]);
}

// Grafana #58386: when a source comes back, everything is told anew.
#[test]
fn an_alert_without_data_is_neither_told_nor_closed_and_not_told_again_once_there_is() {
    let mut told = Told::new();
    let firing = alert("a", Rule::Crashes);
    let unknown = AlertRecord { unknown_since: Some(NOW), ..firing.clone() };
    assert_eq!(told.hear(MINUTE, std::slice::from_ref(&unknown)), NOTHING);
    told.hear(2 * MINUTE, std::slice::from_ref(&firing));
    assert_eq!(told.hear(9 * HOUR, std::slice::from_ref(&unknown)), NOTHING, "not even reminded of");
    assert_eq!(told.hear(9 * HOUR, std::slice::from_ref(&firing)), says(&[("a", Telling::Reminder)]));
}

#[test]
fn after_the_start_nothing_but_blindness_is_told_before_everything_was_read() {
    let mut told = Told::new();
    told.is_settled = false;
    let firing = alert("a", Rule::Crashes);
    assert_eq!(told.hear(MINUTE, std::slice::from_ref(&firing)), NOTHING);
    assert_eq!(told.hear(MINUTE, &[alert("z", Rule::Blind)]), says(&[("z", Telling::Fired)]));
    told.is_settled = true;
    assert_eq!(told.hear(2 * MINUTE, std::slice::from_ref(&firing)), says(&[("a", Telling::Fired)]));
}

#[test]
fn a_start_is_over_once_every_source_was_read_since_or_three_minutes_passed() {
    let known = |as_of: Option<Timestamp>| {
        let source =
            SourceKnown { source: Source::Fleets, as_of, is_late: false, is_unread: false, failure: None };
        let region = RegionKnown {
            region: "eu-west-1".into(),
            last_read: as_of,
            blind_since: None,
            failure: None,
            failed: 0,
            sources: vec![source],
        };
        Knowledge { regions: vec![region], ..Knowledge::default() }
    };
    let later = NOW.plus_ms(1_000);
    assert!(!is_settled(&Knowledge::default(), NOW, later));
    assert!(!is_settled(&known(None), NOW, later));
    assert!(!is_settled(&known(Some(NOW.plus_ms(-1))), NOW, later), "read by an earlier run");
    assert!(is_settled(&known(Some(later)), NOW, later));
    assert!(is_settled(&known(None), NOW, NOW.plus_ms(SETTLES_MS)));
}

#[test]
fn what_could_not_be_sent_is_told_once_in_the_state_of_now() {
    let mut told = Told::new();
    let firing = alert("a", Rule::Crashes);
    told.look(MINUTE, std::slice::from_ref(&firing));
    assert_eq!(told.waiting.len(), 1);
    // The receiver is away for hours: the reminder takes the place of the first message.
    let again = told.look(MINUTE + REMIND_MS, std::slice::from_ref(&firing));
    assert_eq!(again, says(&[("a", Telling::Fired)]), "nobody has heard of it yet");
    assert_eq!(told.waiting.len(), 1);
    assert_eq!(told.look(9 * HOUR, &[over(&firing)]), says(&[("a", Telling::Resolved)]));
    assert_eq!(told.waiting.len(), 1, "one message after a long outage, not three");
}

#[test]
fn what_ended_in_a_message_not_yet_sent_is_still_closed() {
    let mut told = Told::new();
    let (one, two) = (alert("a", Rule::Crashes), alert("b", Rule::Crashes));
    told.hear(MINUTE, &[one.clone(), two.clone()]);
    told.look(2 * MINUTE, &[over(&one), two.clone()]);
    let last = told.look(3 * MINUTE, &[over(&two)]);
    let mut last = last.concat();
    last.sort();
    assert_eq!(last, [("a".to_owned(), Telling::Resolved), ("b".to_owned(), Telling::Resolved)]);
}

#[test]
fn an_alert_is_over_with_the_severity_it_was_told_with() {
    let mut told = Told::new();
    let bad = alert("a", Rule::Crashes);
    told.hear(MINUTE, std::slice::from_ref(&bad));
    let warning = AlertRecord { severity: Severity::Warning, ..bad };
    told.look(2 * MINUTE, &[over(&warning)]);
    let message = &told.waiting[0].message;
    assert_eq!((message.alerts[0].telling, message.alerts[0].severity), (Telling::Resolved, Severity::Bad));
}

#[test]
fn what_a_silence_held_back_of_an_alert_is_told_once_it_ends_also_when_somebody_took_note_meanwhile() {
    let mut told = Told::new();
    let warning = AlertRecord { severity: Severity::Warning, ..alert("a", Rule::Crashes) };
    told.hear(MINUTE, std::slice::from_ref(&warning));
    told.silences = vec![silence(2 * MINUTE, HOUR)];
    let acknowledged = Some(Acknowledged { at: NOW, by: "mia".to_owned() });
    let bad = [AlertRecord { acknowledged, ..alert("a", Rule::Crashes) }];
    told.look(3 * MINUTE, &bad);
    assert_eq!(told.waiting[0].message.alerts[0].severity, Severity::Warning, "as it was told");
    told.sent();
    assert_eq!(told.hear(HOUR, &bad), says(&[("a", Telling::Worse)]));
}

#[test]
fn a_message_that_may_have_arrived_keeps_its_id_and_the_next_tells_only_what_is_new() {
    let mut told = Told::new();
    let firing = alert("a", Rule::Crashes);
    told.look(MINUTE, std::slice::from_ref(&firing));
    told.waiting[0].may_be_repeat = true;
    assert_eq!(told.look(2 * MINUTE, &[over(&firing)]), says(&[("a", Telling::Resolved)]));
    let waiting: Vec<&str> = told.waiting.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(waiting, ["message-1", "message-2"]);
}
