//! What needs attention now: fleets at their limit, with little room or in error, storms of fleet events, failing
//! placements, feeds and polls in trouble. Judged from the store alone, so it holds whether or not anything is being collected.

use std::collections::BTreeMap;

use liftdeck_model::Timestamp;
use liftdeck_model::feed::{QuarantineReason, queue_name};
use liftdeck_model::fleet::FleetStatus;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::{TimeRange, in_words};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::{LedgerLine, Reader, StoreError};

use super::storm::event_storms;
use super::{Attention, Target};
use crate::change::Severity;
use crate::scaling::{capped_since, little_room_since};
use crate::state::{FleetState, fleet_state};

/// Fleets with little room that have a line of their own; more share one.
const OWN_LINES: usize = 4;
/// How far back placements count.
const PLACED_MS: i64 = 15 * 60_000;
/// Share of failed placements that is worth a look, and the one players notice.
const FAILED_WARNING: f64 = 0.10;
const FAILED_BAD: f64 = 0.25;
/// Fewer failures than this are chance.
const FEW_FAILED: u64 = 3;
/// How long a poll may fail before it is worth a line.
const FAILING_MS: i64 = 2 * 60_000;
/// How far back messages put aside count.
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

fn capped(fleet: &FleetSummary, since: Timestamp) -> Attention {
    let (desired, maximum) = (fleet.desired(), fleet.maximum());
    let size = if desired == maximum {
        format!("desired = max = {maximum}")
    } else {
        format!("a location is at its maximum, {desired} of {maximum} instances over all")
    };
    let free = fleet.free_processes().unwrap_or(0);
    Attention {
        key: format!("capped {}", fleet.fleet.fleet_id),
        severity: Severity::Bad,
        title: format!("{} is capped", fleet.fleet.display_name()),
        detail: format!("{size} · {free} free processes"),
        fleet_id: Some(fleet.fleet.fleet_id.clone()),
        since,
        target: Target::FleetScaling(fleet.fleet.fleet_id.clone()),
    }
}

/// Fleets whose sign is a warning, so that no sign stands without its reason: fullest first.
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
    let fullest: Vec<String> = full
        .iter()
        .take(OWN_LINES)
        .map(|(fleet, percent)| format!("{} {percent:.0} %", fleet.fleet.display_name()))
        .collect();
    let since = lines.iter().map(|line| line.since).min().unwrap_or(now);
    Ok(vec![Attention {
        key: "little room".to_owned(),
        severity: Severity::Warning,
        title: format!("{} fleets have little room", full.len()),
        detail: format!("free processes: {} …", fullest.join(", ")),
        fleet_id: None,
        since,
        target: Target::FleetsByRoom,
    }])
}

fn with_little_room(fleet: &FleetSummary, percent: f64, since: Timestamp) -> Attention {
    let (free, all) = (fleet.free_processes().unwrap_or(0), fleet.processes().unwrap_or(0));
    let full: Vec<&str> = fleet
        .locations
        .iter()
        .filter(|here| here.processes().is_some_and(|all| all > 0) && here.free_processes() == Some(0))
        .map(|here| here.location.as_str())
        .collect();
    let coming = fleet.desired() - fleet.active();
    let detail = [
        Some(format!("{free} of {all} processes free ({percent:.0} %)")),
        (!full.is_empty()).then(|| format!("none in {}", full.join(", "))),
        (coming > 0).then(|| format!("{coming} more desired than active")),
    ];
    Attention {
        key: format!("little room {}", fleet.fleet.fleet_id),
        severity: Severity::Warning,
        title: format!("{} has little room", fleet.fleet.display_name()),
        detail: detail.into_iter().flatten().collect::<Vec<_>>().join(" · "),
        fleet_id: Some(fleet.fleet.fleet_id.clone()),
        since,
        target: Target::FleetScaling(fleet.fleet.fleet_id.clone()),
    }
}

fn in_error(fleet: &FleetSummary, now: Timestamp) -> Option<Attention> {
    (fleet.fleet.status == FleetStatus::Error).then(|| Attention {
        key: format!("error {}", fleet.fleet.fleet_id),
        severity: Severity::Bad,
        title: format!("{} is in ERROR", fleet.fleet.display_name()),
        detail: "the fleet cannot host game sessions; its events say why".to_owned(),
        fleet_id: Some(fleet.fleet.fleet_id.clone()),
        since: fleet.fleet.creation_time.unwrap_or(now),
        target: Target::FleetEvents(fleet.fleet.fleet_id.clone()),
    })
}

async fn failed_placements(reader: &Reader, now: Timestamp) -> Result<Option<Attention>, StoreError> {
    let range = TimeRange::new(now.plus_ms(-PLACED_MS), now.plus_ms(1));
    let funnel = reader.placement_statistics(None, range).await?.funnel;
    let failed = funnel.failed + funnel.timed_out;
    let Some(share) = funnel.failed_share().filter(|share| *share >= FAILED_WARNING && failed >= FEW_FAILED)
    else {
        return Ok(None);
    };
    Ok(Some(Attention {
        key: "placements".to_owned(),
        severity: if share >= FAILED_BAD { Severity::Bad } else { Severity::Warning },
        title: format!("{:.0} % of placements fail", share * 100.0),
        detail: format!(
            "{} timed out and {} failed of {} in the last 15 min",
            funnel.timed_out,
            funnel.failed,
            funnel.total()
        ),
        fleet_id: None,
        since: range.from,
        target: Target::Placements(None),
    }))
}

/// Messages that became no event, a line a queue; others' messages were set aside because somebody chose that, and are
/// no news.
async fn put_aside(reader: &Reader, now: Timestamp) -> Result<Vec<Attention>, StoreError> {
    let mut by_queue: BTreeMap<String, (Vec<String>, Timestamp)> = BTreeMap::new();
    for count in reader.aside_counts().await? {
        let what = match count.reason {
            QuarantineReason::Unconfirmed => "about a Region or resource that this connection does not know",
            QuarantineReason::UnknownType | QuarantineReason::Incomplete => "not understood",
            _ => continue,
        };
        if now.since_ms(count.newest_at) >= PUT_ASIDE_MS {
            continue;
        }
        let entry = by_queue.entry(count.queue_url).or_insert_with(|| (Vec::new(), count.newest_at));
        entry.0.push(format!("{} {what}", count.messages));
        entry.1 = entry.1.max(count.newest_at);
    }
    Ok(by_queue
        .into_iter()
        .map(|(queue_url, (parts, newest_at))| Attention {
            key: format!("put aside {queue_url}"),
            severity: Severity::Warning,
            title: "Events of a queue are kept aside and not counted".to_owned(),
            detail: format!("{}: {}", queue_name(&queue_url), parts.join(", ")),
            fleet_id: None,
            since: newest_at,
            target: Target::Health,
        })
        .collect())
}

/// What everything else rests on: one line a Region and kind, with the words of the failure.
fn failing_polls(reader: &Reader, now: Timestamp) -> Vec<Attention> {
    let kinds = [
        (PollKind::Fleets, "Fleets"),
        (PollKind::FleetCapacity, "Capacity"),
        (PollKind::GameSessions, "Game sessions"),
        (PollKind::EventFeed, "The event queue"),
    ];
    let mut found: Vec<Attention> = Vec::new();
    for (kind, what) in kinds {
        let mut by_region: BTreeMap<String, (LedgerLine, Timestamp, usize)> = BTreeMap::new();
        for line in reader.polls(kind) {
            let Some(since) = line.failing_since.filter(|since| now.since_ms(*since) >= FAILING_MS) else {
                continue;
            };
            let region = line.region.as_str().to_owned();
            let entry = by_region.entry(region).or_insert_with(|| (line, since, 0));
            entry.1 = entry.1.min(since);
            entry.2 += 1;
        }
        found.extend(by_region.into_iter().map(|(region, (line, since, count))| {
            let lasts = in_words(now.since_ms(since));
            let more = if count > 1 { format!(" ({count} of them)") } else { String::new() };
            Attention {
                key: format!("failing {kind:?} {region}"),
                severity: Severity::Warning,
                title: format!("{what} of {region} could not be read for {lasts}"),
                detail: format!("{}{more}", line.failure.unwrap_or_default()),
                fleet_id: None,
                since,
                target: Target::Health,
            }
        }));
    }
    found
}
