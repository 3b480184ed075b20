//! What is to be told about alerts, to which channels, and when.
//!
//! Pure. Owns grouping with its fixed times, inhibition, silences and reminders. It looks at every alert in one pass,
//! and what it returns is written in the transaction of the alerts' own steps, so that nothing is told that is not
//! recorded, and nothing recorded is told twice. Deliberately knows no channel's format and sends nothing.

use std::collections::{BTreeMap, HashMap};

use liftdeck_insight::custom;
use liftdeck_insight::knowledge::{Knowledge, Source, SourceKnown};
use liftdeck_insight::verdict::{Facts, Rule, Trouble};
use liftdeck_model::alert::{Acknowledged, AlertId, AlertRecord, AlertState};
use liftdeck_model::channel::Channel;
use liftdeck_model::custom_rule::CustomRule;
use liftdeck_model::notification::{
    Message, Notification, NotificationId, NotificationState, Telling, ToldAlert, ToldMark,
};
use liftdeck_model::silence::Silence;
use liftdeck_model::{Severity, Timestamp};
use liftdeck_store::Queued;

use crate::words::told;

/// How long a first alert waits for others of its group, in milliseconds.
pub(crate) const WAIT_MS: i64 = 30_000;
/// The shortest time between a message of a group and one about further alerts of it.
pub(crate) const UPDATE_MS: i64 = 5 * 60_000;
/// How long an alert that fires and that nobody took note of goes unmentioned.
pub(crate) const REMIND_MS: i64 = 4 * 3_600_000;
/// How long fresh data is waited for after the start. After that the alerts themselves say what is unknown.
const SETTLES_MS: i64 = 3 * 60_000;

/// Everything that decides what is told at one look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    /// Every alert that is open, and those that are over without that having been told; as of this look.
    pub(crate) alerts: &'a [AlertRecord],
    /// Every channel.
    pub(crate) channels: &'a [Channel],
    /// Silences, also those of runs of ours.
    pub(crate) silences: &'a [Silence],
    /// What was told.
    pub(crate) told: &'a [ToldMark],
    /// Messages not yet sent.
    pub(crate) waiting: &'a [Notification],
    /// Whether everything was read since the start; see [`is_settled`].
    pub(crate) is_settled: bool,
    /// The moment of the look.
    pub(crate) at: Timestamp,
}

/// Whether every source of every Region has been read since the start, or enough time has passed to stop waiting for
/// it. Before that, an alert kept from an earlier run may be long over, and what inhibits it may not be known yet.
pub(crate) fn is_settled(knowledge: &Knowledge, started: Timestamp, now: Timestamp) -> bool {
    let is_read =
        |source: &SourceKnown| !source.is_unread && source.as_of.is_some_and(|as_of| as_of >= started);
    let mut sources = knowledge.regions.iter().flat_map(|region| &region.sources).peekable();
    let all_read = sources.peek().is_some() && sources.all(is_read);
    all_read || now.since_ms(started) >= SETTLES_MS
}

/// What is to be told now. `new_id` gives the ids of new messages.
pub(crate) fn tell(scene: Scene<'_>, mut new_id: impl FnMut() -> NotificationId) -> Vec<Queued> {
    let mut queued = Vec::new();
    for channel in scene.channels.iter().filter(|channel| channel.is_on) {
        let marks: HashMap<&AlertId, &ToldMark> = scene
            .told
            .iter()
            .filter(|mark| mark.channel == channel.name)
            .map(|mark| (&mark.alert_id, mark))
            .collect();
        let mut groups: BTreeMap<String, Vec<&AlertRecord>> = BTreeMap::new();
        for alert in scene.alerts {
            // What was told once is told to its end, whatever the channel takes now.
            if channel.takes(alert) || marks.contains_key(&alert.id) {
                groups.entry(topic(alert)).or_default().push(alert);
            }
        }
        for (topic, alerts) in groups {
            queued.extend(of_group(scene, channel, topic, &alerts, &marks, &mut new_id));
        }
    }
    queued
}

/// What belongs together: alerts of one rule in one Region. Regions that all went blind are one trouble.
fn topic(alert: &AlertRecord) -> String {
    match &alert.region {
        Some(region) if !is_of(alert, Rule::Blind) => format!("{}/{region}", alert.rule),
        _ => alert.rule.clone(),
    }
}

fn is_of(alert: &AlertRecord, rule: Rule) -> bool {
    alert.rule == <&str>::from(rule)
}

fn of_group(
    scene: Scene<'_>,
    channel: &Channel,
    topic: String,
    alerts: &[&AlertRecord],
    marks: &HashMap<&AlertId, &ToldMark>,
    new_id: &mut impl FnMut() -> NotificationId,
) -> Option<Queued> {
    let tellings: Vec<(&AlertRecord, Telling)> = alerts
        .iter()
        .filter_map(|alert| Some((*alert, telling(scene, alert, marks.get(&alert.id).copied())?)))
        .collect();
    let has_news = |wanted: fn(Telling) -> bool| tellings.iter().any(|(_, telling)| wanted(*telling));
    if !has_news(|telling| telling != Telling::Unchanged) {
        return None;
    }
    let only_new = !has_news(|telling| !matches!(telling, Telling::Unchanged | Telling::Fired));
    if only_new && !may_grow(scene, &tellings, marks) {
        return None;
    }
    let at = scene.at;
    let severity =
        |alert: &AlertRecord, telling| severity_told(alert, telling, marks.get(&alert.id).copied());
    let mut message = Message {
        alerts: tellings
            .iter()
            .map(|(alert, telling)| ToldAlert {
                severity: severity(alert, *telling),
                ..told(alert, *telling)
            })
            .collect(),
    };
    let earlier = scene.waiting.iter().filter(|one| {
        one.state == NotificationState::Waiting && one.channel == channel.name && one.topic == topic
            // Its receiver may have it: only under its own id is it known as a repeat.
            && !one.may_be_repeat
    });
    let supersedes: Vec<NotificationId> = earlier
        .map(|one| {
            take_in(&mut message, &one.message);
            one.id.clone()
        })
        .collect();
    message.alerts.sort_by_key(|alert| (alert.telling, alert.since));
    let (over, open): (Vec<_>, Vec<_>) =
        tellings.iter().partition(|(_, telling)| *telling == Telling::Resolved);
    let marked =
        open.iter().filter(|(_, telling)| *telling != Telling::Unchanged).map(|(alert, telling)| ToldMark {
            channel: channel.name.clone(),
            alert_id: alert.id.clone(),
            severity: severity(alert, *telling),
            acknowledged: alert.acknowledged.is_some(),
            at,
        });
    Some(Queued {
        told: marked.collect(),
        closed: over.iter().map(|(alert, _)| alert.id.clone()).collect(),
        supersedes,
        notification: Notification {
            id: new_id(),
            channel: channel.name.clone(),
            topic,
            state: NotificationState::Waiting,
            queued_at: at,
            due_at: at,
            attempts: 0,
            may_be_repeat: false,
            ended_at: None,
            detail: None,
            message,
        },
    })
}

/// What there is to tell about one alert; `None` if it is not to be mentioned.
fn telling(scene: Scene<'_>, alert: &AlertRecord, mark: Option<&ToldMark>) -> Option<Telling> {
    let is_quiet = || {
        !is_sure(scene, alert)
            || is_inhibited(scene, alert)
            || Silence::of(scene.silences, alert, scene.at).is_some()
    };
    match (mark, alert.state) {
        // What was opened is closed, also when it was silenced meanwhile. That it is over was judged on fresh data.
        (Some(_), AlertState::Resolved) => Some(Telling::Resolved),
        (None, AlertState::Firing) if !is_quiet() => Some(Telling::Fired),
        (None, _) => None,
        (Some(mark), _) if alert.severity > mark.severity && !is_quiet() => Some(Telling::Worse),
        (Some(mark), _) if is_news(alert.acknowledged.as_ref(), mark) => Some(Telling::Acknowledged),
        (Some(mark), AlertState::Firing)
            if alert.acknowledged.is_none() && scene.at.since_ms(mark.at) >= REMIND_MS && !is_quiet() =>
        {
            Some(Telling::Reminder)
        }
        (Some(_), _) => Some(Telling::Unchanged),
    }
}

/// Whether somebody took note of an alert, for the first time or after it grew worse.
fn is_news(acknowledged: Option<&Acknowledged>, mark: &ToldMark) -> bool {
    acknowledged.is_some_and(|acknowledged| !mark.acknowledged || acknowledged.at > mark.at)
}

/// The severity an alert is told with: the highest it was told with so far, to its end. Receivers that go by it, as an
/// Alertmanager's labels or the filter of a subscription do, would otherwise miss that it is over, or take it for
/// another.
fn severity_told(alert: &AlertRecord, telling: Telling, mark: Option<&ToldMark>) -> Severity {
    match (telling, mark) {
        (Telling::Fired | Telling::Worse, _) | (_, None) => alert.severity,
        (_, Some(mark)) => mark.severity,
    }
}

/// Whether enough was read since the start to speak of this alert. That nothing can be read needs no data.
fn is_sure(scene: Scene<'_>, alert: &AlertRecord) -> bool {
    scene.is_settled || is_of(alert, Rule::Blind)
}

/// Whether a Region that cannot be read, or an event queue that is mute, makes this alert doubtful.
fn is_inhibited(scene: Scene<'_>, alert: &AlertRecord) -> bool {
    if is_of(alert, Rule::Blind) {
        return false;
    }
    let here = |other: &AlertRecord| match (&other.region, &alert.region) {
        (Some(other), Some(region)) => other == region,
        _ => true,
    };
    let by = |rule: Rule| {
        scene
            .alerts
            .iter()
            .any(|other| is_of(other, rule) && other.state == AlertState::Firing && here(other))
    };
    let needs_events = sources_of(alert).contains(&Source::EventQueue);
    alert.unknown_since.is_some() || by(Rule::Blind) || (needs_events && by(Rule::FeedMute))
}

/// What an alert's rule looks at.
fn sources_of(alert: &AlertRecord) -> &'static [Source] {
    if CustomRule::name_of(&alert.rule).is_none() {
        return alert.rule.parse().map_or(&[], Rule::sources);
    }
    match Facts::of_document(&alert.document).map(|facts| facts.trouble) {
        Some(Trouble::Custom { rule, .. }) => custom::sources(&rule),
        _ => &[],
    }
}

/// Whether a group may be told of alerts that are new in it: the first ones wait for others, further ones for some
/// time after the last message. What a silence has held back does not wait again.
fn may_grow(
    scene: Scene<'_>,
    tellings: &[(&AlertRecord, Telling)],
    marks: &HashMap<&AlertId, &ToldMark>,
) -> bool {
    let last = tellings.iter().filter_map(|(alert, _)| Some(marks.get(&alert.id)?.at)).max();
    match last {
        Some(last) => scene.at.since_ms(last) >= UPDATE_MS,
        None => tellings
            .iter()
            .filter_map(|(alert, _)| alert.fired_at)
            .min()
            .is_some_and(|fired| scene.at.since_ms(fired) >= WAIT_MS),
    }
}

/// Takes in what an earlier message would have told: nobody has heard it yet.
fn take_in(message: &mut Message, earlier: &Message) {
    for before in &earlier.alerts {
        match message.alerts.iter_mut().find(|alert| alert.id == before.id) {
            // It goes by the heavier of the two; what is over is told once, as over.
            Some(now) if now.telling != Telling::Resolved => now.telling = now.telling.min(before.telling),
            Some(_) => {}
            None => message.alerts.push(before.clone()),
        }
    }
}

#[cfg(test)]
mod tests;
