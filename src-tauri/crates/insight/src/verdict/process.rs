//! Server processes and instances that fail, as fleet events tell it: crashes, activation time-outs, processes that do
//! not get ready, and Spot interruptions.

use std::collections::BTreeMap;

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::{DAY_MS, MINUTE_MS, TimeRange};
use liftdeck_model::{FleetEventCode, FleetId, Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::change::FleetEventRow;
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::outcomes::{Outcomes, SessionMinute};

use super::excursion::{ALARM, Excursion, Rates, excursion};
use super::slow_start::first_late;
use super::{Rule, Scene, Target, Trouble, Verdict};

/// How far back events are read.
const BACK_MS: i64 = 60 * MINUTE_MS;
/// How far back events are read while a fleet is in trouble longer than that.
const FAR_BACK_MS: i64 = DAY_MS;
/// A crash is told by a fleet event before a poll sees its game session end. Older events without such a game session
/// say nothing about a share: then those that ended well are not known either, as after the first connection.
const SETTLED_MS: i64 = 10 * MINUTE_MS;
/// Least usual share of game sessions that fail.
const LEAST: f64 = 0.01;
/// Hardly any game is over sooner, in minutes: in each of them at most that part of the live game sessions ends.
const SHORTEST_GAME: i64 = 5;
/// So many minutes tell how many game sessions of a fleet end in one.
const KNOWN_LEAST: u64 = 5;
/// A poll that began longer ago does not tell how many ended well since: those of a large fleet take minutes.
const LATE_MS: i64 = 2 * MINUTE_MS;
/// Share that players notice.
const BAD_SHARE: f64 = 0.20;
/// Processes that do not get ready leave no session behind to compare with: this many in `STARTUP_MS` are too many.
const STARTUPS: i64 = 5;
const STARTUP_MS: i64 = 10 * MINUTE_MS;
/// AWS: a game session has 300 s to become ACTIVE unless the runtime configuration says otherwise.
const TIME_OUT_MS: i64 = 300_000;
/// How far back interruptions are counted.
const INTERRUPTED_MS: i64 = 15 * MINUTE_MS;
/// Interruptions further apart belong to no storm: the first of them is everyday.
const APART_MS: i64 = 5 * MINUTE_MS;
/// AWS: a Spot instance ends two minutes after its notice.
const NOTICE_MS: i64 = 2 * MINUTE_MS;
/// How many interruptions together are a storm, if they are at least this share of a fleet's instances. Instances are
/// interrupted independently of each other every day, and in a small fleet two or three of them soon meet by chance.
const STORMS: [(i64, f64); 2] = [(3, 1.0 / 3.0), (5, 0.2)];
/// Two are a storm only at once, and only if hardly anything is left.
const PAIR: (i64, f64) = (2, 2.0 / 3.0);
const AT_ONCE_MS: i64 = MINUTE_MS;

/// The kind of failure that an event tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Crash,
    Activation,
    Startup,
    Interruption,
}

impl Kind {
    const fn of(code: &FleetEventCode) -> Option<Self> {
        use FleetEventCode as Code;
        match code {
            Code::ServerProcessCrashed
            | Code::ServerProcessTerminatedUnhealthy
            | Code::GameServerContainerGroupCrashed => Some(Self::Crash),
            Code::GameSessionActivationTimeout => Some(Self::Activation),
            Code::InstanceInterrupted => Some(Self::Interruption),
            code if code.is_process_failure() => Some(Self::Startup),
            _ => None,
        }
    }
}

/// The codes that tell of a crash.
pub(crate) const CRASHES: [FleetEventCode; 3] = {
    use FleetEventCode as Code;
    [
        Code::ServerProcessCrashed,
        Code::ServerProcessTerminatedUnhealthy,
        Code::GameServerContainerGroupCrashed,
    ]
};

/// The codes that tell a failure.
const CODES: [FleetEventCode; 9] = {
    use FleetEventCode as Code;
    [
        Code::ServerProcessCrashed,
        Code::ServerProcessTerminatedUnhealthy,
        Code::GameServerContainerGroupCrashed,
        Code::GameSessionActivationTimeout,
        Code::InstanceInterrupted,
        Code::ServerProcessInvalidPath,
        Code::ServerProcessSdkInitializationTimeout,
        Code::ServerProcessSdkInitializationFailed,
        Code::ServerProcessReadyTimeout,
    ]
};

/// Failures of one kind in one fleet, oldest first.
type Failures = BTreeMap<(FleetId, Kind), Vec<FleetEventRow>>;

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let mut window = Window::read(scene, BACK_MS).await?;
    // Only while something is wrong is it worth reading a whole day.
    if window.has_trouble_from_the_start(scene) {
        window = Window::read(scene, FAR_BACK_MS).await?;
    }
    let mut found = Vec::new();
    for fleet in scene.fleets {
        let id = &fleet.fleet.fleet_id;
        for (kind, rule) in [(Kind::Crash, Rule::Crashes), (Kind::Activation, Rule::Activation)] {
            let began = scene.began(rule, id.as_str());
            let Some(excursion) = window.excursion(scene, fleet, kind, began) else { continue };
            let verdict = of_sessions(scene, fleet, rule, excursion, window.failures(id, kind));
            let Some(mut verdict) = verdict else { continue };
            if let Some(began) = began {
                // An everyday failure before it does not date it anew.
                verdict.since = began;
            } else if kind == Kind::Activation {
                // It was late long before it was given up.
                let from = verdict.since.plus_ms(-TIME_OUT_MS);
                let late = first_late(scene, id, from).await?;
                verdict.since = late.map_or(verdict.since, |late| late.min(verdict.since));
            }
            found.push(verdict);
        }
        found.extend(startup(scene, fleet, window.failures(id, Kind::Startup)));
        found.extend(interruptions(scene, fleet, window.failures(id, Kind::Interruption)));
    }
    Ok(found)
}

/// The failures of a time, and the game sessions that ended in it.
struct Window {
    failures: Failures,
    ended: BTreeMap<FleetId, Vec<SessionMinute>>,
    now: Timestamp,
}

impl Window {
    async fn read(scene: &Scene<'_>, back_ms: i64) -> Result<Self, StoreError> {
        let range = TimeRange::new(scene.now.plus_ms(-back_ms), scene.now.plus_ms(1));
        let mut failures = Failures::new();
        for event in scene.reader.fleet_events_of(&CODES, range).await? {
            if let Some(kind) = Kind::of(&event.event.event_code) {
                failures.entry((event.event.fleet_id.clone(), kind)).or_default().push(event);
            }
        }
        let mut ended: BTreeMap<FleetId, Vec<SessionMinute>> = BTreeMap::new();
        // Without a failure there is nothing to set them against.
        if !failures.is_empty() {
            for minute in scene.reader.sessions_ended_by_minute(range).await? {
                ended.entry(minute.fleet_id.clone()).or_default().push(minute);
            }
        }
        Ok(Self { failures, ended, now: scene.now })
    }

    fn failures(&self, fleet: &FleetId, kind: Kind) -> &[FleetEventRow] {
        self.failures.get(&(fleet.clone(), kind)).map_or(&[], Vec::as_slice)
    }

    fn excursion(
        &self,
        scene: &Scene<'_>,
        fleet: &FleetSummary,
        kind: Kind,
        began: Option<Timestamp>,
    ) -> Option<Excursion> {
        let id = &fleet.fleet.fleet_id;
        let failures = self.failures(id, kind);
        if failures.is_empty() {
            return None;
        }
        // Failed and ended, by minute.
        let mut minutes: BTreeMap<Timestamp, (u64, u64)> = BTreeMap::new();
        let settled = self.now.plus_ms(-SETTLED_MS);
        for failure in failures.iter().filter(|failure| failure.event.event_time >= settled) {
            let minute = failure.event.event_time.floor_to_ms(MINUTE_MS);
            minutes.entry(minute).or_default().0 += u64::try_from(failure.event.count.max(1)).unwrap_or(1);
        }
        let ended = self.ended.get(id).map_or(&[][..], Vec::as_slice);
        for minute in ended {
            let failed = if kind == Kind::Crash { minute.crashed } else { minute.timed_out };
            let entry = minutes.entry(minute.at).or_default();
            *entry = (entry.0.max(failed), entry.1 + minute.ended);
        }
        let first_failed = minutes.iter().find(|(_, (failed, _))| *failed > 0).map(|(at, _)| *at);
        let read = Readings::of(scene, fleet, ended);
        let mut minute = first_failed.unwrap_or(self.now);
        while minute < self.now {
            if !read.know(minute) {
                let (failed, all) = minutes.entry(minute).or_default();
                *all = (*all).max(*failed + read.well_a_minute);
            }
            minute = minute.plus_ms(MINUTE_MS);
        }
        let outcomes: Vec<Outcomes> = minutes
            .into_iter()
            .map(|(at, (failed, ended))| Outcomes {
                at,
                failed,
                // A session that failed has ended as well, once a poll has seen it.
                succeeded: ended.saturating_sub(failed),
            })
            .collect();
        excursion(&outcomes, Rates::of_past(0, 0, LEAST), began)
    }

    fn has_trouble_from_the_start(&self, scene: &Scene<'_>) -> bool {
        scene.fleets.iter().any(|fleet| {
            let id = &fleet.fleet.fleet_id;
            let from = self.now.plus_ms(STARTUP_MS - BACK_MS);
            let starting = together(self.failures(id, Kind::Startup), STARTUP_MS);
            if starting.len() > 1 && starting[0].event.event_time <= from {
                return true;
            }
            [Kind::Crash, Kind::Activation].into_iter().any(|kind| {
                let found = self.excursion(scene, fleet, kind, None);
                found.is_some_and(|found| found.sum >= ALARM && found.from_the_start)
            })
        })
    }
}

/// Of which minutes the polls tell how a fleet's game sessions ended. Fleet events tell of failures before the first poll
/// and sooner than the next one; those that ended well meanwhile are not known.
struct Readings {
    /// The minute from which on polls saw some end well.
    from: Timestamp,
    /// The first minute that the last poll, being late, does not tell of; else now.
    to: Timestamp,
    /// How many may end well in a minute of which no poll tells.
    well_a_minute: u64,
}

impl Readings {
    fn of(scene: &Scene<'_>, fleet: &FleetSummary, ended: &[SessionMinute]) -> Self {
        let assumed = u64::try_from(fleet.game_sessions() / SHORTEST_GAME).unwrap_or(0);
        let id = fleet.fleet.fleet_id.as_str();
        let Some(watched) = scene.reader.watched(PollKind::GameSessions, id) else {
            return Self { from: scene.now, to: scene.now, well_a_minute: assumed };
        };
        let well = ended.iter().filter_map(|minute| {
            let well = minute.ended.saturating_sub(minute.crashed + minute.timed_out);
            (well > 0 && minute.at >= watched.since).then_some((minute.at, well))
        });
        let from = well.clone().next().map_or(scene.now, |(at, _)| at);
        let is_late = scene.now.since_ms(watched.read_from) > LATE_MS;
        let to = if is_late { watched.read_from.floor_to_ms(MINUTE_MS) } else { scene.now };
        let known = u64::try_from(to.since_ms(from) / MINUTE_MS).unwrap_or(0);
        let well_a_minute = if known < KNOWN_LEAST {
            assumed
        } else {
            well.take_while(|(at, _)| *at < to).map(|(_, well)| well).sum::<u64>() / known
        };
        Self { from, to, well_a_minute }
    }

    fn know(&self, minute: Timestamp) -> bool {
        minute >= self.from && minute < self.to
    }
}

fn of_sessions(
    scene: &Scene<'_>,
    fleet: &FleetSummary,
    rule: Rule,
    found: Excursion,
    failures: &[FleetEventRow],
) -> Option<Verdict> {
    let id = &fleet.fleet.fleet_id;
    let alone = found.worth(scene.began(rule, id.as_str()), scene.now)?;
    let first = failures.iter().find(|failure| failure.event.event_time >= found.since)?;
    let message = failures.last().and_then(said);
    let name = fleet.fleet.display_name().to_owned();
    let trouble = if rule == Rule::Crashes {
        Trouble::SessionsCrash { fleet: name, crashed: found.failed, ended: found.all, message }
    } else {
        Trouble::ActivationsTimeOut { fleet: name, timed_out: found.failed, ended: found.all, message }
    };
    let severity = found.severity(BAD_SHARE);
    let target = Target::FleetEvents(id.clone());
    let verdict = Verdict::of_fleet(rule, fleet, severity, first.event.event_time, trouble, target);
    Some(Verdict { alone, ..verdict.hitting(found.failed, Some(found.all)) })
}

fn said(failure: &FleetEventRow) -> Option<String> {
    let said = failure.event.message.as_deref()?.trim();
    (!said.is_empty()).then(|| said.to_owned())
}

fn startup(scene: &Scene<'_>, fleet: &FleetSummary, failures: &[FleetEventRow]) -> Option<Verdict> {
    let from = scene.now.plus_ms(-STARTUP_MS);
    let recent = &failures[failures.partition_point(|failure| failure.event.event_time < from)..];
    let count = number_of(recent);
    let id = &fleet.fleet.fleet_id;
    let least = if scene.began(Rule::Startup, id.as_str()).is_some() { 1 } else { STARTUPS };
    if count < least {
        return None;
    }
    let trouble = Trouble::ProcessesDoNotStart {
        fleet: fleet.fleet.display_name().to_owned(),
        count,
        message: recent.last().and_then(said),
    };
    // What goes on without a break since long before began then.
    let first = together(failures, STARTUP_MS).first()?.event.event_time;
    let target = Target::FleetEvents(id.clone());
    let verdict = Verdict::of_fleet(Rule::Startup, fleet, Severity::Bad, first, trouble, target);
    Some(verdict.hitting(u64::try_from(count).unwrap_or(0), None))
}

/// How many failures these events tell of.
fn number_of(failures: &[FleetEventRow]) -> i64 {
    failures.iter().map(|failure| failure.event.count.max(1)).sum()
}

/// These failures, divided where one was further than that from the one before.
fn waves(failures: &[FleetEventRow], apart_ms: i64) -> impl DoubleEndedIterator<Item = &[FleetEventRow]> {
    failures
        .chunk_by(move |before, after| after.event.event_time.since_ms(before.event.event_time) <= apart_ms)
}

/// The last of these failures, with those before that were at most so far from each other.
fn together(failures: &[FleetEventRow], apart_ms: i64) -> &[FleetEventRow] {
    waves(failures, apart_ms).next_back().unwrap_or_default()
}

/// Whether these failures came at the same time.
fn is_at_once(failures: &[FleetEventRow]) -> bool {
    let ends = failures.first().zip(failures.last());
    ends.is_some_and(|(first, last)| last.event.event_time.since_ms(first.event.event_time) <= AT_ONCE_MS)
}

/// How many instances of how many got a notice.
struct Struck {
    count: i64,
    instances: i64,
}

impl Struck {
    fn of(scene: &Scene<'_>, fleet: &FleetSummary, notices: &[FleetEventRow]) -> Self {
        let count = number_of(notices);
        // Instances that left are no longer counted, but they are part of what was hit.
        let gone_by = scene.now.plus_ms(-NOTICE_MS);
        let gone =
            number_of(&notices[..notices.partition_point(|notice| notice.event.event_time <= gone_by)]);
        Self { count, instances: (fleet.active() + gone).max(count) }
    }

    fn is_storm(&self, is_at_once: bool) -> bool {
        let share = self.count as f64 / self.instances.max(1) as f64;
        let is_at_least = |(least, part): (i64, f64)| self.count >= least && share >= part;
        STORMS.into_iter().any(is_at_least) || (is_at_once && is_at_least(PAIR))
    }
}

/// Single interruptions are part of what Spot is; most of a fleet at once is a storm.
fn interruptions(scene: &Scene<'_>, fleet: &FleetSummary, failures: &[FleetEventRow]) -> Option<Verdict> {
    let from = scene.now.plus_ms(-INTERRUPTED_MS);
    let start = failures.partition_point(|failure| failure.event.event_time < from);
    let recent = together(&failures[start..], APART_MS);
    let first = recent.first()?.event.event_time;
    let id = &fleet.fleet.fleet_id;
    // A storm counts from its beginning, so that it does not end with its largest wave.
    let began = scene.began(Rule::Interruptions, id.as_str()).map_or(first, |began| began.min(first));
    let all = &failures[failures.partition_point(|notice| notice.event.event_time < began)..];
    let is_storm =
        |notices: &[FleetEventRow]| Struck::of(scene, fleet, notices).is_storm(is_at_once(notices));
    let counted = if waves(all, APART_MS).any(is_storm) { all } else { recent };
    let is_storm = is_storm(counted);
    let Struck { count, instances } = Struck::of(scene, fleet, if is_storm { counted } else { recent });
    let severity = if is_storm { Severity::Warning } else { Severity::Info };
    // A storm that goes on since long before began then.
    let since = if is_storm { together(failures, APART_MS).first()?.event.event_time } else { first };
    let trouble = Trouble::Interrupted {
        fleet: fleet.fleet.display_name().to_owned(),
        count,
        instances,
        instance_type: fleet.fleet.instance_type.clone(),
    };
    let target = Target::FleetEvents(id.clone());
    let verdict = Verdict::of_fleet(Rule::Interruptions, fleet, severity, since, trouble, target);
    Some(verdict.hitting(u64::try_from(count).unwrap_or(0), u64::try_from(instances).ok()))
}
