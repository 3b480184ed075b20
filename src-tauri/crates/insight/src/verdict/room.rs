//! Fleets without room: at their maximum, not allowed to grow, nearly full, or in error.

use liftdeck_model::fleet::FleetStatus;
use liftdeck_model::time::{DAY_MS, MINUTE_MS, TimeRange};
use liftdeck_model::{AliasId, FleetEventCode, FleetId, Location, Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::change::ChangeRow;
use liftdeck_store::reader::fleet::{FleetSummary, LocationFigures};
use liftdeck_store::reader::queue::{AliasRow, QueueDestination};

use super::{Alone, Rule, Scene, Target, Trouble, Verdict};
use crate::scaling::{self, Capped, KeptFree, little_room_since};
use crate::state::{FleetState, fleet_state, is_at_maximum, is_capped, scaling_is_suspended};

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let mut found = Vec::new();
    for fleet in scene.fleets {
        found.extend(in_error(scene, fleet).await?);
        found.extend(capped(scene, fleet).await?);
        found.extend(suspended(scene, fleet).await?);
        found.extend(little_room(scene, fleet).await?);
    }
    Ok(found)
}

async fn in_error(scene: &Scene<'_>, fleet: &FleetSummary) -> Result<Option<Verdict>, StoreError> {
    let is_whole = fleet.fleet.status == FleetStatus::Error;
    let is_in_error = |here: &&LocationFigures| {
        here.attributes.as_ref().is_some_and(|location| location.status == FleetStatus::Error)
    };
    let locations: Vec<Location> = if is_whole {
        Vec::new()
    } else {
        fleet.locations.iter().filter(is_in_error).map(|here| here.location.clone()).collect()
    };
    if !is_whole && locations.is_empty() {
        return Ok(None);
    }
    let id = &fleet.fleet.fleet_id;
    let since = match scene.began(Rule::FleetError, id.as_str()) {
        Some(began) => began,
        None => in_error_since(scene, id).await?.unwrap_or(scene.now),
    };
    // In its other locations it goes on.
    let severity = if is_whole { Severity::Bad } else { Severity::Warning };
    let trouble = Trouble::InError { fleet: fleet.fleet.display_name().to_owned(), locations };
    let target = Target::FleetEvents(id.clone());
    Ok(Some(Verdict::of_fleet(Rule::FleetError, fleet, severity, since, trouble, target)))
}

/// When the last event told that a fleet, or a location of it, came into ERROR.
async fn in_error_since(scene: &Scene<'_>, fleet: &FleetId) -> Result<Option<Timestamp>, StoreError> {
    /// AWS keeps fleet events for 90 days (gamelift.md, DescribeFleetEvents).
    const KEPT_MS: i64 = 90 * DAY_MS;
    let range = TimeRange::new(scene.now.plus_ms(-KEPT_MS), scene.now.plus_ms(1));
    let told = scene.reader.fleet_events_of(&[FleetEventCode::FleetStateError], range).await?;
    Ok(told
        .iter()
        .rev()
        .map(|told| &told.event)
        .find(|event| event.fleet_id == *fleet)
        .map(|event| event.event_time))
}

/// How long nothing must be free before it is worth an alert by itself. A fleet may touch its maximum for a few minutes
/// on any evening. If players are turned away meanwhile, the alert about their placements tells it.
const FULL_MS: i64 = 5 * MINUTE_MS;
/// After this long a fleet stays at its maximum until it has room again.
const LASTED_MS: i64 = 15 * MINUTE_MS;
/// How far back the beginning is looked for after the first look: polls are late, so they may tell a few more minutes.
const BACK_MS: i64 = 30 * MINUTE_MS;

async fn capped(scene: &Scene<'_>, fleet: &FleetSummary) -> Result<Option<Verdict>, StoreError> {
    if scene.is_partly_unread(fleet) {
        return Ok(None);
    }
    let began = scene.began(Rule::Capped, fleet.fleet.fleet_id.as_str());
    let is_full = |here: &&LocationFigures| is_capped(here) || (began.is_some() && is_nearly_full(here));
    let full: Vec<&LocationFigures> = fleet.locations.iter().filter(is_full).collect();
    let asking = if full.is_empty() { asking(scene, fleet).await? } else { Vec::new() };
    let locations = if full.is_empty() { &asking } else { &full };
    if locations.is_empty() {
        return Ok(None);
    }
    let times = if began.is_some_and(|began| scene.now.since_ms(began) >= LASTED_MS) {
        // What has lasted needs no more history: it would tell nothing new.
        None
    } else {
        let back_ms = began.map_or(scaling::LOOK_BACK_MS, |_| BACK_MS);
        scaling::capped(scene.reader, fleet, locations, back_ms, scene.now).await?
    };
    let kept = began.unwrap_or(scene.now);
    let Capped { since, full_since } = times.unwrap_or(Capped { since: kept, full_since: kept });
    let alone = if full.is_empty() {
        // There is room yet. That it asks in vain is news only if somebody has just taken away what it asks for.
        Alone::Nothing
    } else if scene.now.since_ms(full_since) < FULL_MS {
        Alone::OnlyKnown
    } else {
        Alone::Stands
    };
    let locations: Vec<Location> = locations.iter().map(|here| here.location.clone()).collect();
    let free_processes = fleet.free_processes().unwrap_or(0);
    let severity = weight(scene, fleet, &locations, free_processes);
    let trouble = Trouble::Capped {
        fleet: fleet.fleet.display_name().to_owned(),
        of: fleet.locations.len(),
        locations,
        desired: fleet.desired(),
        maximum: fleet.maximum(),
        free_processes,
    };
    let target = Target::FleetScaling(fleet.fleet.fleet_id.clone());
    let since = since.min(kept);
    let since = led_to_since(scene, fleet).await?.map_or(since, |led| since.max(led));
    let verdict = Verdict::of_fleet(Rule::Capped, fleet, severity, since, trouble, target);
    Ok(Some(Verdict { alone, ..verdict }))
}

/// Since when queues have led to a small fleet, if the last update of each alias through which they do so was the one
/// that pointed it there. Before, it was full on its own account, and nobody missed room there.
async fn led_to_since(scene: &Scene<'_>, fleet: &FleetSummary) -> Result<Option<Timestamp>, StoreError> {
    if !has_small_share(scene, fleet) {
        return Ok(None);
    }
    let id = &fleet.fleet.fleet_id;
    let destinations = scene.queues.iter().flat_map(|row| &row.destinations);
    let leads_here = |to: &&QueueDestination| to.fleet_id.as_ref() == Some(id);
    let through: Option<Vec<&AliasId>> =
        destinations.filter(leads_here).map(|to| to.alias_id.as_ref()).collect();
    let Some(through) = through.filter(|all| !all.is_empty()) else { return Ok(None) };
    let (aliases, _) = scene.reader.aliases(scene.now).await?;
    let used = aliases.iter().filter(|row| through.contains(&&row.alias.alias_id));
    let pointed: Option<Vec<Timestamp>> = used.map(pointed_by_last_update).collect();
    Ok(pointed.and_then(|all| all.into_iter().min()))
}

/// When an alias was updated last, if that changed where it leads.
fn pointed_by_last_update(row: &AliasRow) -> Option<Timestamp> {
    let updated = row.alias.last_updated_time?;
    let is_that = |change: &&ChangeRow| {
        change.field == "routing"
            && change.seen_at >= updated
            && change.since_at.is_none_or(|before| before <= updated)
    };
    row.history.iter().find(is_that).map(|_| updated)
}

/// Locations at their maximum whose target-based policy asks for more.
async fn asking<'a>(
    scene: &Scene<'_>,
    fleet: &'a FleetSummary,
) -> Result<Vec<&'a LocationFigures>, StoreError> {
    let mut asking = Vec::new();
    for here in fleet.locations.iter().filter(|here| is_at_maximum(here)) {
        let kept = KeptFree::read(scene.reader, fleet, here).await?;
        if kept.and_then(|kept| short_of(here, kept)).is_some_and(|short| short > 0) {
            asking.push(here);
        }
    }
    Ok(asking)
}

/// How much it matters that a fleet has no room in some locations: little while queues find room there in another
/// fleet, or when it is a canary beside the others.
fn weight(scene: &Scene<'_>, fleet: &FleetSummary, locations: &[Location], free_processes: i64) -> Severity {
    match free_processes {
        // A canary.
        _ if fleet.queues.is_empty() && has_small_share(scene, fleet) => Severity::Info,
        _ if locations.iter().all(|here| is_covered(scene, fleet, here)) => Severity::Info,
        0 => Severity::Bad,
        // Elsewhere in the fleet there is room: players there notice nothing.
        _ => Severity::Warning,
    }
}

/// Whether a fleet has a small share of its Region's server processes.
fn has_small_share(scene: &Scene<'_>, fleet: &FleetSummary) -> bool {
    /// The share below which a fleet is small.
    const SHARE: f64 = 0.05;
    let beside = scene.fleets.iter().filter(|other| other.fleet.region == fleet.fleet.region);
    let all: i64 = beside.filter_map(FleetSummary::processes).sum();
    let own = fleet.processes().unwrap_or(0);
    all > own && (own as f64) < SHARE * all as f64
}

/// Whether every queue that places game sessions on the fleet has another fleet with room in the same location.
fn is_covered(scene: &Scene<'_>, fleet: &FleetSummary, location: &Location) -> bool {
    let covers = |queue: &String, other: &FleetSummary| {
        other.fleet.fleet_id != fleet.fleet.fleet_id
            && other.queues.contains(queue)
            && other.locations.iter().any(|here| here.location == *location && has_room(here))
    };
    let is_served = |queue: &String| scene.fleets.iter().any(|other| covers(queue, other));
    !fleet.queues.is_empty() && fleet.queues.iter().all(is_served)
}

fn has_room(here: &LocationFigures) -> bool {
    /// Least free processes, in number and as a share, with which a fleet stands in for another.
    const FREE: (i64, f64) = (2, 0.10);
    let free = here.free_processes().zip(here.processes());
    free.is_some_and(|(free, all)| free >= FREE.0 && free as f64 >= FREE.1 * all as f64)
}

/// Whether a location is at its maximum and has hardly a process free: sessions that end are replaced at once.
fn is_nearly_full(here: &LocationFigures) -> bool {
    /// Share of processes that are free between the end of a session and the start of the next.
    const FREE: f64 = 0.05;
    let free = here.free_processes().zip(here.processes());
    is_at_maximum(here) && free.is_some_and(|(free, all)| all > 0 && free as f64 <= FREE * all as f64)
}

/// Whether the fleet's target-based policy would ask for more instances where automatic scaling is suspended.
async fn suspended(scene: &Scene<'_>, fleet: &FleetSummary) -> Result<Option<Verdict>, StoreError> {
    let id = &fleet.fleet.fleet_id;
    let began = scene.began(Rule::ScalingSuspended, id.as_str());
    // Around its target the count sways: what has been told lasts while not a single instance could be spared.
    let lasts = began.is_some_and(|began| scene.now.since_ms(began) >= Rule::ScalingSuspended.pending_ms());
    let mut lacking = Vec::new();
    let (mut free, mut all, mut target_percent) = (0, 0, 0.0);
    for here in fleet.locations.iter().filter(|here| scaling_is_suspended(fleet, here)) {
        let Some(kept) = KeptFree::read(scene.reader, fleet, here).await? else { continue };
        if short_of(here, kept).is_some_and(|short| short > 0 || (lasts && short == 0)) {
            lacking.push((here, kept));
            free += here.free_processes().unwrap_or(0);
            all += here.processes().unwrap_or(0);
            target_percent = kept.percent;
        }
    }
    if lacking.is_empty() {
        return Ok(None);
    }
    let at = scene.reader.scaling_suspended_at(id).await?;
    let since = match (began, at) {
        (Some(began), _) => began,
        (None, Some(at)) => first_asked(scene, id, &lacking, at).await?,
        (None, None) => scene.now,
    };
    let locations: Vec<Location> = lacking.iter().map(|(here, _)| here.location.clone()).collect();
    // Longer ago it was meant to be: whether players find room is then told by what they meet.
    let is_new = at.is_some_and(|at| scene.now.since_ms(at) < DAY_MS);
    let severity = if is_new { weight(scene, fleet, &locations, free) } else { Severity::Info };
    let trouble = Trouble::ScalingSuspended {
        fleet: fleet.fleet.display_name().to_owned(),
        locations,
        free_percent: free as f64 * 100.0 / all.max(1) as f64,
        target_percent,
    };
    let target = Target::FleetScaling(id.clone());
    Ok(Some(Verdict::of_fleet(Rule::ScalingSuspended, fleet, severity, since, trouble, target)))
}

/// Since when the first of the locations has needed more instances than it has, since its scaling was suspended.
async fn first_asked(
    scene: &Scene<'_>,
    fleet: &FleetId,
    lacking: &[(&LocationFigures, KeptFree)],
    suspended_at: Timestamp,
) -> Result<Timestamp, StoreError> {
    let mut first = scene.now;
    for (here, kept) in lacking {
        let asks =
            |game_sessions: u64| short_by(here, *kept, game_sessions as f64).is_some_and(|short| short > 0);
        let of = (fleet, &here.location);
        first = first.min(scaling::asking_since(scene.reader, of, asks, suspended_at, scene.now).await?);
    }
    Ok(first)
}

/// By how many instances a location is short of what its policy keeps free; negative if it has more than that. `None`
/// where nothing can be said.
fn short_of(here: &LocationFigures, kept: KeptFree) -> Option<i64> {
    short_by(here, kept, here.game_sessions as f64)
}

/// The same with so many game sessions.
fn short_by(here: &LocationFigures, kept: KeptFree, game_sessions: f64) -> Option<i64> {
    let capacity = here.capacity.as_ref().filter(|it| it.active > 0)?;
    // A maximum that was lowered holds before the desired count shows it.
    let allowed = capacity.desired.min(capacity.maximum);
    Some(kept.instances(game_sessions) as i64 - i64::from(allowed))
}

/// Worth knowing, but automatic scaling lives on it: never an alert.
async fn little_room(scene: &Scene<'_>, fleet: &FleetSummary) -> Result<Option<Verdict>, StoreError> {
    let Some(free_percent) = fleet.free_percent().filter(|_| fleet_state(fleet) == FleetState::Warning)
    else {
        return Ok(None);
    };
    let id = &fleet.fleet.fleet_id;
    let since = match scene.began(Rule::LittleRoom, id.as_str()) {
        Some(began) => began,
        None => little_room_since(scene.reader, fleet, scene.now).await?,
    };
    let full = fleet
        .locations
        .iter()
        .filter(|here| here.processes().is_some_and(|all| all > 0) && here.free_processes() == Some(0));
    let trouble = Trouble::LittleRoom {
        fleet: fleet.fleet.display_name().to_owned(),
        free_percent,
        free_processes: fleet.free_processes().unwrap_or(0),
        processes: fleet.processes().unwrap_or(0),
        full_locations: full.map(|here| here.location.clone()).collect(),
        coming_instances: (fleet.desired() - fleet.active()).max(0),
    };
    let target = Target::FleetScaling(id.clone());
    Ok(Some(Verdict::of_fleet(Rule::LittleRoom, fleet, Severity::Info, since, trouble, target)))
}
