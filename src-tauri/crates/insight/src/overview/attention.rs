//! What needs attention now: fleets at their limit, with little room or in error; storms of fleet events; failing
//! placements; event queues and polls in trouble. Judged from the store alone, so it works whether or not anything is
//! being collected.

use std::collections::BTreeMap;

use liftdeck_model::feed::{QuarantineReason, queue_name};
use liftdeck_model::fleet::FleetStatus;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Region, Severity, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::{LedgerLine, Reader, StoreError};

use super::storm::event_storms;
use super::{Attention, FleetRoom, SetAside, Target, Trouble};
use crate::scaling::{capped_since, little_room_since};
use crate::state::{FleetState, fleet_state};
use crate::words;

/// Number of fleets with little room that get a line each; if there are more, they share one line.
const OWN_LINES: usize = 4;
/// How far back placements are counted.
const PLACED_MS: i64 = 15 * 60_000;
/// Share of failed placements that deserves a warning, and the share that players notice.
const FAILED_WARNING: f64 = 0.10;
const FAILED_BAD: f64 = 0.25;
/// Fewer failures than this may be chance.
const FEW_FAILED: u64 = 3;
/// How long a poll must fail before it is reported.
const FAILING_MS: i64 = 2 * 60_000;
/// How far back messages set aside are counted.
const PUT_ASIDE_MS: i64 = 3_600_000;

pub(super) async fn attention(
    reader: &Reader,
    fleets: &[FleetSummary],
    now: Timestamp,
) -> Result<Vec<Attention>, StoreError> {
    let mut found = Vec::new();
    for fleet in fleets {
        if let Some(since) = capped_since(reader, fleet, now).await? {
            found.push(capped(fleet, since));
        }
        found.extend(in_error(fleet, now));
    }
    found.extend(little_room(reader, fleets, now).await?);
    found.extend(event_storms(reader, fleets, now).await?);
    found.extend(failed_placements(reader, now).await?);
    found.extend(put_aside(reader, now).await?);
    found.extend(failing_polls(reader, now));
    found.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| b.since.cmp(&a.since)));
    Ok(found)
}

impl Attention {
    /// A problem of one fleet.
    pub(super) fn of_fleet(
        what: &str,
        fleet: &FleetId,
        severity: Severity,
        since: Timestamp,
        trouble: Trouble,
        target: Target,
    ) -> Self {
        Self {
            fleet_id: Some(fleet.clone()),
            ..Self::new(format!("{what} {fleet}"), severity, since, trouble, target)
        }
    }

    fn new(key: String, severity: Severity, since: Timestamp, trouble: Trouble, target: Target) -> Self {
        let (title, detail) = words::attention(&trouble);
        Self { key, severity, fleet_id: None, since, trouble, title, detail, target }
    }
}

fn capped(fleet: &FleetSummary, since: Timestamp) -> Attention {
    let id = &fleet.fleet.fleet_id;
    let trouble = Trouble::Capped {
        fleet: fleet.fleet.display_name().to_owned(),
        desired: fleet.desired(),
        maximum: fleet.maximum(),
        free_processes: fleet.free_processes().unwrap_or(0),
    };
    Attention::of_fleet("capped", id, Severity::Bad, since, trouble, Target::FleetScaling(id.clone()))
}

/// Lists every fleet in the warning state, fullest first, so that no warning sign lacks an explanation.
async fn little_room(
    reader: &Reader,
    fleets: &[FleetSummary],
    now: Timestamp,
) -> Result<Vec<Attention>, StoreError> {
    let mut full: Vec<(&FleetSummary, f64)> = fleets
        .iter()
        .filter(|fleet| fleet_state(fleet) == FleetState::Warning)
        .filter_map(|fleet| Some((fleet, fleet.free_percent()?)))
        .collect();
    full.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let mut lines = Vec::new();
    for (fleet, percent) in full.iter().take(OWN_LINES) {
        let since = little_room_since(reader, fleet, now).await?;
        lines.push(with_little_room(fleet, *percent, since));
    }
    if full.len() <= OWN_LINES {
        return Ok(lines);
    }
    let fullest = full.iter().take(OWN_LINES).map(|(fleet, percent)| room(fleet, *percent)).collect();
    let since = lines.iter().map(|line| line.since).min().unwrap_or(now);
    let trouble = Trouble::FleetsWithLittleRoom { count: full.len(), fullest };
    let key = "little room".to_owned();
    Ok(vec![Attention::new(key, Severity::Warning, since, trouble, Target::FleetsByRoom)])
}

fn room(fleet: &FleetSummary, free_percent: f64) -> FleetRoom {
    FleetRoom { fleet: fleet.fleet.display_name().to_owned(), free_percent }
}

fn with_little_room(fleet: &FleetSummary, percent: f64, since: Timestamp) -> Attention {
    let full = fleet
        .locations
        .iter()
        .filter(|here| here.processes().is_some_and(|all| all > 0) && here.free_processes() == Some(0));
    let trouble = Trouble::LittleRoom {
        room: room(fleet, percent),
        free_processes: fleet.free_processes().unwrap_or(0),
        processes: fleet.processes().unwrap_or(0),
        full_locations: full.map(|here| here.location.clone()).collect(),
        coming_instances: (fleet.desired() - fleet.active()).max(0),
    };
    let id = &fleet.fleet.fleet_id;
    let target = Target::FleetScaling(id.clone());
    Attention::of_fleet("little room", id, Severity::Warning, since, trouble, target)
}

fn in_error(fleet: &FleetSummary, now: Timestamp) -> Option<Attention> {
    let id = &fleet.fleet.fleet_id;
    let trouble = || Trouble::InError { fleet: fleet.fleet.display_name().to_owned() };
    let since = fleet.fleet.creation_time.unwrap_or(now);
    let target = Target::FleetEvents(id.clone());
    (fleet.fleet.status == FleetStatus::Error)
        .then(|| Attention::of_fleet("error", id, Severity::Bad, since, trouble(), target))
}

async fn failed_placements(reader: &Reader, now: Timestamp) -> Result<Option<Attention>, StoreError> {
    let range = TimeRange::new(now.plus_ms(-PLACED_MS), now.plus_ms(1));
    let funnel = reader.placement_statistics(None, range).await?.funnel;
    let failed = funnel.failed + funnel.timed_out;
    let Some(share) = funnel.failed_share().filter(|share| *share >= FAILED_WARNING && failed >= FEW_FAILED)
    else {
        return Ok(None);
    };
    let severity = if share >= FAILED_BAD { Severity::Bad } else { Severity::Warning };
    let (timed_out, failed, total) = (funnel.timed_out, funnel.failed, funnel.total());
    let trouble = Trouble::PlacementsFail { timed_out, failed, total };
    let key = "placements".to_owned();
    Ok(Some(Attention::new(key, severity, range.from, trouble, Target::Placements(None))))
}

/// Reports messages that could not be turned into events, one line per queue. Messages of other senders are not
/// reported, because somebody chose to set them aside.
async fn put_aside(reader: &Reader, now: Timestamp) -> Result<Vec<Attention>, StoreError> {
    use QuarantineReason::{Incomplete, Unconfirmed, UnknownType};
    let mut by_queue: BTreeMap<String, (Vec<SetAside>, Timestamp)> = BTreeMap::new();
    for count in reader.aside_counts().await? {
        let is_news = matches!(count.reason, Unconfirmed | UnknownType | Incomplete);
        if !is_news || now.since_ms(count.newest_at) >= PUT_ASIDE_MS {
            continue;
        }
        let entry = by_queue.entry(count.queue_url).or_insert_with(|| (Vec::new(), count.newest_at));
        entry.0.push(SetAside { reason: count.reason, messages: count.messages });
        entry.1 = entry.1.max(count.newest_at);
    }
    let told = by_queue.into_iter().map(|(url, (counts, newest_at))| {
        let trouble = Trouble::EventsAside { queue: queue_name(&url).to_owned(), counts };
        Attention::new(format!("put aside {url}"), Severity::Warning, newest_at, trouble, Target::Health)
    });
    Ok(told.collect())
}

/// Reports failing polls that everything else depends on: one line per Region and kind, with the error message.
fn failing_polls(reader: &Reader, now: Timestamp) -> Vec<Attention> {
    let mut found: Vec<Attention> = Vec::new();
    for poll in [PollKind::Fleets, PollKind::FleetCapacity, PollKind::GameSessions, PollKind::EventFeed] {
        let mut by_region: BTreeMap<Region, (LedgerLine, Timestamp, usize)> = BTreeMap::new();
        for line in reader.polls(poll) {
            let Some(since) = line.failing_since.filter(|since| now.since_ms(*since) >= FAILING_MS) else {
                continue;
            };
            let entry = by_region.entry(line.region.clone()).or_insert_with(|| (line, since, 0));
            entry.1 = entry.1.min(since);
            entry.2 += 1;
        }
        found.extend(by_region.into_iter().map(|(region, (line, since, count))| {
            let key = format!("failing {poll:?} {region}");
            let (failure, for_ms) = (line.failure.unwrap_or_default(), now.since_ms(since));
            let trouble = Trouble::Unread { poll, region, count, failure, for_ms };
            Attention::new(key, Severity::Warning, since, trouble, Target::Health)
        }));
    }
    found
}
