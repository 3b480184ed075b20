//! Whether Liftdeck itself can see: Regions that answer nothing, things that cannot be read, event queues that bring
//! nothing or what is not understood.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::feed::{QuarantineReason, queue_name};
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Region, Severity, Timestamp};
use liftdeck_store::{LedgerLine, StoreError};

use super::trouble::BlindRegion;
use super::{Rule, Scene, SetAside, Target, Trouble, Verdict};
use crate::knowledge::{Knowledge, RegionKnown, Source};

/// How long a poll must fail before it is reported.
const FAILING_MS: i64 = 60_000;
/// How far back messages set aside are counted.
const PUT_ASIDE_MS: i64 = 3_600_000;
/// Placed game sessions are counted from this long ago up to `SETTLED_MS` ago: later events may still come.
const PLACED_MS: i64 = 20 * 60_000;
const SETTLED_MS: i64 = 3 * 60_000;
/// This many placed game sessions without one event are no chance.
const PLACED: u64 = 5;
/// Events usually come within seconds. After this long without one, a single placed game session raises a doubt.
const DOUBT_MS: i64 = 30_000;

pub(super) async fn verdicts(scene: &Scene<'_>, knowledge: &Knowledge) -> Result<Vec<Verdict>, StoreError> {
    let mut found: Vec<Verdict> = blind(knowledge).into_iter().collect();
    found.extend(unread(scene, knowledge));
    found.extend(mute(scene, knowledge).await?);
    found.extend(put_aside(scene).await?);
    Ok(found)
}

/// One verdict for all blind Regions: they usually have one cause, and a person can do one thing about it.
fn blind(knowledge: &Knowledge) -> Option<Verdict> {
    let blind: Vec<_> = knowledge.regions.iter().filter(|region| region.blind_since.is_some()).collect();
    let since = blind.iter().filter_map(|region| region.blind_since).min()?;
    let regions = blind.iter().map(|region| BlindRegion {
        region: region.region.clone(),
        last_read: region.last_read,
        failure: region.failure.clone(),
    });
    let is_all = blind.len() == knowledge.regions.len();
    let trouble = Trouble::Blind { regions: regions.collect(), is_all };
    let subject = "connection".to_owned();
    Some(Verdict::new(Rule::Blind, subject, Severity::Bad, since, trouble, Target::Health))
}

fn is_blind(knowledge: &Knowledge, region: &Region) -> bool {
    knowledge.regions.iter().any(|known| known.region == *region && known.blind_since.is_some())
}

/// What cannot be read while the rest of its Region can: one line per Region and kind, with the error message.
fn unread(scene: &Scene<'_>, knowledge: &Knowledge) -> Vec<Verdict> {
    let mut found = Vec::new();
    // What these two tell only explains other things; whether they are up to date is said beside the alerts.
    let explains = |source: &Source| matches!(source, Source::InstanceLimits | Source::ScalingPolicies);
    for poll in Source::ALL.into_iter().filter(|source| !explains(source)).map(Source::poll) {
        let mut by_region: BTreeMap<Region, (LedgerLine, Timestamp, usize)> = BTreeMap::new();
        for line in scene.reader.polls(poll) {
            let Some(since) = line.failing_since.filter(|since| scene.now.since_ms(*since) >= FAILING_MS)
            else {
                continue;
            };
            let entry = by_region.entry(line.region.clone()).or_insert_with(|| (line, since, 0));
            entry.1 = entry.1.min(since);
            entry.2 += 1;
        }
        for (region, (line, failing_since, count)) in by_region {
            if is_blind(knowledge, &region) && poll != PollKind::EventFeed {
                continue;
            }
            // People ask since when there is no data, not when the first call failed.
            let since = line.confirmed_at.unwrap_or(failing_since);
            let subject = format!("{region}/{poll:?}");
            let failure = line.failure.unwrap_or_default();
            let trouble = Trouble::Unread { poll, region: region.clone(), count, failure };
            let verdict =
                Verdict::new(Rule::Unread, subject, Severity::Warning, since, trouble, Target::Health);
            found.push(Verdict { region: Some(region), ..verdict });
        }
    }
    found
}

/// A queue that brings nothing looks just like a quiet game. Game sessions that placements made tell them apart.
async fn mute(scene: &Scene<'_>, knowledge: &Knowledge) -> Result<Vec<Verdict>, StoreError> {
    let adoptions = scene.reader.adoptions().await?;
    if adoptions.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    // While a backlog is worked off, the newest events come last.
    let comes =
        |region: &Region| scene.reader.heard_at(region).is_some_and(|at| scene.now.since_ms(at) < SETTLED_MS);
    let silent = |region: &&RegionKnown| region.blind_since.is_none() && !comes(&region.region);
    for region in knowledge.regions.iter().filter(silent) {
        // Before a queue was adopted nobody listened.
        let here = adoptions.iter().filter(|adoption| adoption.region == region.region);
        let Some(listening) = here.map(|adoption| adoption.adopted_at).min() else { continue };
        let from = scene.now.plus_ms(-PLACED_MS).max(listening);
        let until = |ms: i64| TimeRange::new(from, scene.now.plus_ms(-ms).max(from));
        let told = scene
            .queues
            .iter()
            .filter(|queue| queue.queue.region == region.region && queue.queue.notification_target.is_some());
        let fleets: BTreeSet<FleetId> =
            told.flat_map(|queue| &queue.destinations).filter_map(|to| to.fleet_id.clone()).collect();
        let fleets: Vec<FleetId> = fleets.into_iter().collect();
        let doubted = scene.reader.heard_of(&region.region, &fleets, until(DOUBT_MS)).await?;
        if doubted.placed == 0 || doubted.events > 0 {
            continue;
        }
        let settled = scene.reader.heard_of(&region.region, &fleets, until(SETTLED_MS)).await?;
        let is_sure = settled.placed >= PLACED;
        let (heard, severity) =
            if is_sure { (settled, Severity::Warning) } else { (doubted, Severity::Info) };
        let subject = region.region.to_string();
        let since =
            scene.began(Rule::FeedMute, &subject).or(heard.last_event).or(heard.first_placed).unwrap_or(from);
        let trouble = Trouble::FeedMute {
            region: region.region.clone(),
            placed: heard.placed,
            last_event: heard.last_event,
        };
        let verdict = Verdict::new(Rule::FeedMute, subject, severity, since, trouble, Target::Health);
        found.push(Verdict { region: Some(region.region.clone()), ..verdict });
    }
    Ok(found)
}

/// Messages that could not be turned into events, one line per queue. Messages of other senders are not reported,
/// because somebody chose to set them aside.
async fn put_aside(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    use QuarantineReason::{Incomplete, Unconfirmed, UnknownType};
    let mut by_queue: BTreeMap<String, (Vec<SetAside>, Timestamp)> = BTreeMap::new();
    for count in scene.reader.aside_counts().await? {
        let is_news = matches!(count.reason, Unconfirmed | UnknownType | Incomplete);
        if !is_news || scene.now.since_ms(count.newest_at) >= PUT_ASIDE_MS {
            continue;
        }
        let entry = by_queue.entry(count.queue_url).or_insert_with(|| (Vec::new(), count.newest_at));
        entry.0.push(SetAside { reason: count.reason, messages: count.messages });
        entry.1 = entry.1.min(count.newest_at);
    }
    let told = by_queue.into_iter().map(|(url, (counts, newest_at))| {
        let since = scene.began(Rule::EventsAside, &url).unwrap_or(newest_at);
        let trouble = Trouble::EventsAside { queue: queue_name(&url).to_owned(), counts };
        Verdict::new(Rule::EventsAside, url, Severity::Warning, since, trouble, Target::Health)
    });
    Ok(told.collect())
}
