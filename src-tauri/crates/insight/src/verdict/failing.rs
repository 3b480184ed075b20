//! Placements and matchmaking tickets that fail far more often than usual.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::time::{DAY_MS, HOUR_MS, MINUTE_MS, TimeRange};
use liftdeck_model::{QueueName, Region, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::outcomes::{Outcomes, PlacementMinute, TicketMinute};

use super::cause::{Likely, LikelyCause, Strength};
use super::excursion::{
    ALARM, Excursion, FORERUN_MS, Rates, beginning, excursion, first_after_change, with_forerunners,
    without_stragglers,
};
use super::{Alone, Rule, Scene, Target, Trouble, Verdict};

/// How far back outcomes are read.
const BACK_MS: i64 = HOUR_MS;
/// How far back a trouble that is older than that is followed to its beginning.
const FAR_BACK_MS: i64 = DAY_MS;
/// Share that players notice.
const BAD_SHARE: f64 = 0.25;
/// Least usual share of failures that is assumed.
const LEAST_PLACEMENTS: f64 = 0.03;
/// Tickets of lonely players time out on any day.
const LEAST_TICKETS: f64 = 0.10;
/// For how long after a change of where a queue places the first failure is its effect.
const AFTER_CHANGE_MS: i64 = 15 * MINUTE_MS;
/// For how long before it what fails by it may have been requested: what is placed at all is placed within seconds.
const UNDER_WAY_MS: i64 = 10_000;
/// Fewer failures before a change are everyday, however little else was asked for: two may be chance.
const FREQUENT_LEAST: u64 = 3;
/// How long before polls first saw it a change may have been made: they ask every minute.
const UNSEEN_MS: i64 = MINUTE_MS;
/// For how long after it a failure may be its effect: a queue that is seldom asked fails seldom.
const LONG_AFTER_CHANGE_MS: i64 = HOUR_MS;

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let mut found = placements(scene).await?;
    found.extend(tickets(scene).await?);
    Ok(found)
}

/// A raised failure rate of one stream.
struct Raised {
    rule: Rule,
    region: Region,
    subject: String,
    excursion: Excursion,
    rates: Rates,
    alone: Alone,
}

impl Raised {
    /// Judges the stream of one name in a Region.
    fn of(
        scene: &Scene<'_>,
        rule: Rule,
        region: Region,
        name: &str,
        stream: &Stream,
        least: f64,
    ) -> Option<Self> {
        let rates = Rates::of_past(stream.past.0, stream.past.1, least);
        let subject = format!("{region}/{name}");
        let began = scene.began(rule, &subject);
        let excursion = excursion(&stream.outcomes, rates, began)?;
        // While nobody asks for a place, nothing tells that it would work again.
        let goes_on_untold = began.is_some() && !excursion.has_success_since;
        let alone = if goes_on_untold { Alone::Stands } else { excursion.worth(began, scene.now)? };
        Some(Self { rule, region, subject, excursion, rates, alone })
    }

    /// From the minute of its first failure on.
    fn range(&self, scene: &Scene<'_>) -> TimeRange {
        TimeRange::new(self.excursion.since, scene.now.plus_ms(1))
    }

    /// The verdict; `since` if more than the minute is known.
    fn verdict(self, since: Option<Timestamp>, trouble: Trouble, target: Target) -> Verdict {
        let Excursion { since: minute, failed, all, .. } = self.excursion;
        let severity = self.excursion.severity(BAD_SHARE);
        let since = since.unwrap_or(minute);
        let verdict = Verdict::new(self.rule, self.subject, severity, since, trouble, target);
        Verdict { region: Some(self.region), alone: self.alone, ..verdict.hitting(failed, Some(all)) }
    }
}

/// Outcomes of streams of one kind.
struct Streams<K> {
    by_key: BTreeMap<K, Stream>,
    least: f64,
}

/// The outcomes of one stream, and how many failed of how many before them.
#[derive(Default)]
struct Stream {
    outcomes: Vec<Outcomes>,
    past: (u64, u64),
}

/// How many of how many failed.
fn counted<'a>(outcomes: impl IntoIterator<Item = &'a Outcomes>) -> (u64, u64) {
    outcomes
        .into_iter()
        .fold((0, 0), |(failed, all), here| (failed + here.failed, all + here.failed + here.succeeded))
}

/// The share that failed in the past, 0 to 1, with one failure more than were seen; 1 if none is known.
fn everyday((failed, all): (u64, u64)) -> f64 {
    (failed + 1) as f64 / (all + 1) as f64
}

impl<K: Ord + Clone> Streams<K> {
    fn of(recent: impl IntoIterator<Item = (K, Outcomes)>, least: f64) -> Self {
        let mut by_key: BTreeMap<K, Stream> = BTreeMap::new();
        for (key, outcomes) in recent {
            by_key.entry(key).or_default().outcomes.push(outcomes);
        }
        Self { by_key, least }
    }

    fn excursion(&self, outcomes: &[Outcomes]) -> Option<Excursion> {
        excursion(outcomes, Rates::of_past(0, 0, self.least), None)
    }

    /// Those that may be in trouble: only their past is worth reading.
    fn suspects(&self) -> Vec<K> {
        let may_be = |stream: &Stream| self.excursion(&stream.outcomes).is_some_and(|it| it.is_suspicious());
        self.by_key.iter().filter(|(_, stream)| may_be(stream)).map(|(key, _)| key.clone()).collect()
    }

    /// Puts the outcomes before those that are here into the past, or before them if the trouble began in them.
    fn set_past(&mut self, earlier: impl IntoIterator<Item = (K, Outcomes)>) {
        let mut before: BTreeMap<K, Vec<Outcomes>> = BTreeMap::new();
        for (key, outcomes) in earlier {
            before.entry(key).or_default().push(outcomes);
        }
        for (key, mut older) in before {
            // A trouble that goes on must not count as its own past.
            let raised = self.excursion(&older).filter(|found| found.sum >= ALARM);
            let began = raised.map(|found| found.since);
            let usual = older.iter().filter(|outcomes| began.is_none_or(|began| outcomes.at < began));
            let past = counted(usual);
            let Some(stream) = self.by_key.get_mut(&key) else { continue };
            stream.past = past;
            if began.is_some() {
                older.append(&mut stream.outcomes);
                stream.outcomes = older;
            }
        }
    }
}

fn recent(now: Timestamp) -> TimeRange {
    TimeRange::new(now.plus_ms(-BACK_MS), now.plus_ms(1))
}

fn earlier(now: Timestamp) -> TimeRange {
    TimeRange::new(now.plus_ms(-FAR_BACK_MS), now.plus_ms(-BACK_MS))
}

fn of_placements(minute: PlacementMinute) -> ((Region, QueueName), Outcomes) {
    let failed = minute.funnel.failed + minute.funnel.timed_out;
    let succeeded = minute.funnel.fulfilled;
    ((minute.region, minute.queue), Outcomes { at: minute.at, failed, succeeded })
}

fn of_tickets(minute: TicketMinute) -> ((Region, String), Outcomes) {
    let (failed, succeeded) = match minute.state.as_str() {
        "TIMED_OUT" | "FAILED" => (minute.tickets, 0),
        "COMPLETED" => (0, minute.tickets),
        _ => (0, 0),
    };
    ((minute.region, minute.configuration), Outcomes { at: minute.at, failed, succeeded })
}

async fn placements(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let minutes = scene.reader.placements_by_minute(recent(scene.now)).await?;
    let mut streams = Streams::of(minutes.into_iter().map(of_placements), LEAST_PLACEMENTS);
    // A name is read once, however many Regions have a queue of it.
    let queues: BTreeSet<QueueName> = streams.suspects().into_iter().map(|(_, queue)| queue).collect();
    for queue in queues {
        let minutes = scene.reader.placements_of_queue_by_minute(&queue, earlier(scene.now)).await?;
        streams.set_past(minutes.into_iter().map(of_placements));
    }
    let mut found = Vec::new();
    for ((region, queue), stream) in streams.by_key {
        let raised = Raised::of(scene, Rule::Placements, region, queue.as_str(), &stream, LEAST_PLACEMENTS);
        let Some(raised) = raised else { continue };
        let since = match scene.began(raised.rule, &raised.subject) {
            Some(began) => Some(began),
            None => {
                let range = raised.range(scene);
                let earlier = TimeRange::new(range.from.plus_ms(-FORERUN_MS), range.to);
                let ends = scene.reader.placement_ends(&queue, &raised.region, earlier).await?;
                let own = &ends[ends.partition_point(|end| end.at < range.from)..];
                let found = beginning(own, raised.rates.usual);
                found.map(|found| with_forerunners(&ends, found.since, everyday(stream.past)))
            }
        };
        let trouble = Trouble::PlacementsFail {
            queue: queue.clone(),
            failed: raised.excursion.failed,
            total: raised.excursion.all,
            usual_share: raised.rates.usual,
        };
        found.push(raised.verdict(since, trouble, Target::Placements(Some(queue))));
    }
    Ok(found)
}

/// Weakens the changes that explain what may be chance, if what failed shows nothing of them. Some time after a change
/// two placements fail together, if one waits long enough; and shortly before one two may have failed.
pub(super) async fn weigh_causes(scene: &Scene<'_>, verdicts: &mut [Verdict]) -> Result<(), StoreError> {
    for verdict in verdicts.iter_mut().filter(|verdict| verdict.alone == Alone::Nothing) {
        let Some(region) = &verdict.region else { continue };
        let facts = &mut verdict.facts;
        for likely in facts.causes.iter_mut().filter(|likely| likely.strength == Strength::Strong) {
            if !shows(scene, region, &facts.trouble, verdict.since, likely).await? {
                likely.strength = Strength::Fair;
            }
        }
    }
    Ok(())
}

/// Whether trouble that began at `since` shows anything of a change shortly after or long before it.
async fn shows(
    scene: &Scene<'_>,
    region: &Region,
    trouble: &Trouble,
    since: Timestamp,
    likely: &Likely,
) -> Result<bool, StoreError> {
    let Some(at) = likely.at else { return Ok(true) };
    Ok(match trouble {
        Trouble::PlacementsFail { queue, .. } if since < at && likely.cause.reroutes() => {
            failed_since(scene, (queue, region), (&likely.cause, at), since).await?.is_some()
        }
        Trouble::PlacementsFail { usual_share, .. } | Trouble::TicketsFail { usual_share, .. }
            if since.since_ms(at) >= AFTER_CHANGE_MS =>
        {
            let range = TimeRange::new(at, scene.now.plus_ms(1));
            let (failed, all) = ended(scene, trouble, region, range).await?;
            Rates::of_usual(*usual_share).sum(failed, all - failed) > 0.0
        }
        _ => true,
    })
}

/// How many of how many failed in a time, of the queue or configuration that a trouble is about.
async fn ended(
    scene: &Scene<'_>,
    trouble: &Trouble,
    region: &Region,
    range: TimeRange,
) -> Result<(u64, u64), StoreError> {
    let outcomes: Vec<Outcomes> = match trouble {
        Trouble::PlacementsFail { queue, .. } => {
            let minutes = scene.reader.placements_of_queue_by_minute(queue, range).await?;
            let own = minutes.into_iter().filter(|minute| minute.region == *region);
            own.map(|minute| of_placements(minute).1).collect()
        }
        Trouble::TicketsFail { configuration, .. } => {
            let minutes =
                scene.reader.tickets_of_configuration_by_minute(configuration, region, range).await?;
            minutes.into_iter().map(|minute| of_tickets(minute).1).collect()
        }
        _ => Vec::new(),
    };
    Ok(counted(&outcomes))
}

/// Dates new trouble by the change that explains it. The first placement that fails of what was asked for since then is
/// more likely its effect than an everyday failure, however alone it is for some minutes; what was asked for before is
/// not its effect. Later an everyday failure is more likely, and how soon the first came decides, as it does for
/// matches: their tickets do not tell when a placement was asked for.
pub(super) async fn date_by_changes(scene: &Scene<'_>, verdicts: &mut [Verdict]) -> Result<(), StoreError> {
    for verdict in verdicts.iter_mut() {
        let is_new = scene.began(verdict.rule, &verdict.subject).is_none();
        let (Some(region), Some(first), true) = (&verdict.region, verdict.facts.causes.first(), is_new)
        else {
            continue;
        };
        let changed = first.at.filter(|_| first.strength == Strength::Strong && first.cause.reroutes());
        let since = verdict.since;
        let Some(at) = changed.filter(|at| since.since_ms(*at) < LONG_AFTER_CHANGE_MS) else { continue };
        verdict.since = match &verdict.facts.trouble {
            Trouble::PlacementsFail { queue, .. } if since.since_ms(at) < AFTER_CHANGE_MS => {
                first_effect(scene, (queue, region), (&first.cause, at), since).await?
            }
            Trouble::PlacementsFail { queue, .. } => {
                let ends = scene.reader.placement_ends(queue, region, TimeRange::new(at, since)).await?;
                let day = TimeRange::new(at.plus_ms(-DAY_MS), at);
                let before = ended(scene, &verdict.facts.trouble, region, day).await?;
                first_after_change(&ends, since, everyday(before))
            }
            Trouble::TicketsFail { configuration, .. } if since >= at => {
                let range = TimeRange::new(at.plus_ms(-DAY_MS), since);
                let ends = scene.reader.ticket_ends(configuration, region, range).await?.matches;
                let (before, after) = ends.split_at(ends.partition_point(|end| end.at < at));
                first_after_change(after, since, everyday(counted(before)))
            }
            _ => since,
        };
    }
    Ok(())
}

/// When the first placement failed by a change that was seen at `at`. That is `since` if failures were frequent before
/// the change already.
async fn first_effect(
    scene: &Scene<'_>,
    (queue, region): (&QueueName, &Region),
    (cause, at): (&LikelyCause, Timestamp),
    since: Timestamp,
) -> Result<Timestamp, StoreError> {
    let found = failed_since(scene, (queue, region), (cause, at), since).await?;
    let Some(effect) = found else { return Ok(since) };
    if since >= at || effect <= since {
        return Ok(effect);
    }
    let ends = scene.reader.placement_ends(queue, region, TimeRange::new(since, effect)).await?;
    let (failed, all) = counted(&ends);
    let was_everyday = failed < FREQUENT_LEAST || (failed as f64) < all as f64 * BAD_SHARE;
    Ok(if was_everyday { effect } else { since })
}

/// The first placement of a trouble that began at `since` which failed after a change, seen at `at`, and was requested
/// since that was made.
async fn failed_since(
    scene: &Scene<'_>,
    (queue, region): (&QueueName, &Region),
    (cause, at): (&LikelyCause, Timestamp),
    since: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let made = at.plus_ms(if cause.is_dated_by_its_call() { 0 } else { -UNSEEN_MS });
    let ended = TimeRange::new(if since < at { made } else { at }, scene.now.plus_ms(1));
    let requested = made.plus_ms(-UNDER_WAY_MS);
    scene.reader.first_failed_requested_since(queue, region, requested, ended).await
}

async fn tickets(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let minutes = scene.reader.tickets_by_minute(recent(scene.now)).await?;
    let mut streams = Streams::of(minutes.into_iter().map(of_tickets), LEAST_TICKETS);
    for (region, configuration) in streams.suspects() {
        let minutes = scene
            .reader
            .tickets_of_configuration_by_minute(&configuration, &region, earlier(scene.now))
            .await?;
        streams.set_past(minutes.into_iter().map(of_tickets));
    }
    let mut found = Vec::new();
    for ((region, configuration), stream) in streams.by_key {
        let raised = Raised::of(scene, Rule::Tickets, region, &configuration, &stream, LEAST_TICKETS);
        let Some(mut raised) = raised else { continue };
        let mut since = scene.began(raised.rule, &raised.subject);
        if since.is_none() {
            let ends = scene.reader.ticket_ends(&configuration, &raised.region, raised.range(scene)).await?;
            // The tickets of a match end together: together they are one outcome. A failure of the other kind may be
            // an everyday one.
            let searches = excursion(&ends.tickets, raised.rates, None).map(|found| {
                // Lonely players' searches time out on any day.
                let since = without_stragglers(&ends.tickets, found.since, scene.now);
                Excursion { since, ..found }
            });
            let matches = excursion(&ends.matches, raised.rates, None);
            let stronger =
                searches.into_iter().chain(matches).max_by(|one, other| one.sum.total_cmp(&other.sum));
            match stronger.and_then(|found| found.worth(None, scene.now)) {
                Some(alone) => raised.alone = alone,
                None => continue,
            }
            since = stronger.map(|found| found.since);
        }
        let trouble = Trouble::TicketsFail {
            configuration: configuration.clone(),
            failed: raised.excursion.failed,
            total: raised.excursion.all,
            usual_share: raised.rates.usual,
        };
        found.push(raised.verdict(since, trouble, Target::Tickets(configuration)));
    }
    Ok(found)
}
