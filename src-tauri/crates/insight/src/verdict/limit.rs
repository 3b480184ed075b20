//! Fleets that get no more instances, because the account may have no more of their type in a location.
//!
//! No fleet event tells of it: instances stay below what is desired, and the account's limit there is reached.

use liftdeck_model::fleet::InstanceLimit;
use liftdeck_model::time::{MINUTE_MS, TimeRange};
use liftdeck_model::{FleetEventCode, Region, Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::fleet::{FleetSummary, LocationFigures};

use super::{Rule, Scene, Target, Trouble, Verdict};
use crate::change::last_asked;
use crate::scaling::lacking_since;

/// AWS starts instances within moments of their being desired, and replaces one that ends as fast.
const LACKING_MS: i64 = 30_000;
/// How long before they are seen to lack instances were asked for at most.
const ASKED_MS: i64 = 3 * MINUTE_MS;

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let mut found = Vec::new();
    if !scene.fleets.iter().any(|fleet| fleet.locations.iter().any(lacks)) {
        return Ok(found);
    }
    let limits = scene.reader.instance_limits().await?;
    for fleet in scene.fleets {
        found.extend(held_back(scene, fleet, &limits).await?);
    }
    Ok(found)
}

/// Whether more instances are desired than are ACTIVE or PENDING.
fn lacks(here: &LocationFigures) -> bool {
    missing(here) > 0
}

fn missing(here: &LocationFigures) -> i64 {
    here.capacity
        .as_ref()
        .map_or(0, |it| i64::from(it.desired) - i64::from(it.active) - i64::from(it.pending))
}

async fn held_back(
    scene: &Scene<'_>,
    fleet: &FleetSummary,
    limits: &[(Region, InstanceLimit)],
) -> Result<Option<Verdict>, StoreError> {
    let Some(instance_type) = &fleet.fleet.instance_type else { return Ok(None) };
    let reached = |here: &LocationFigures| {
        limits.iter().find(|(region, limit)| {
            *region == fleet.fleet.region
                && limit.location == here.location
                && limit.instance_type == *instance_type
                && limit.current >= limit.limit
        })
    };
    let id = &fleet.fleet.fleet_id;
    let began = scene.began(Rule::InstanceLimit, id.as_str());
    let mut since = began;
    let mut locations = Vec::new();
    let (mut current, mut most, mut short) = (0, 0, 0);
    for here in fleet.locations.iter().filter(|here| lacks(here)) {
        let Some((_, limit)) = reached(here) else { continue };
        if began.is_none() {
            let lacking = lacking_since(scene.reader, id, &here.location, scene.now).await?;
            if scene.now.since_ms(lacking) < LACKING_MS {
                continue;
            }
            let lacking = asked_for(scene, fleet, here, lacking).await?;
            since = Some(since.map_or(lacking, |since| since.min(lacking)));
        }
        locations.push(here.location.clone());
        current += i64::from(limit.current);
        most += i64::from(limit.limit);
        short += missing(here);
    }
    let Some(since) = since.filter(|_| !locations.is_empty()) else { return Ok(None) };
    let severity = if fleet.free_processes() == Some(0) { Severity::Bad } else { Severity::Warning };
    let trouble = Trouble::InstanceLimit {
        fleet: fleet.fleet.display_name().to_owned(),
        instance_type: instance_type.clone(),
        locations,
        current,
        limit: most,
        missing: short,
    };
    let target = Target::FleetScaling(id.clone());
    let verdict = Verdict::of_fleet(Rule::InstanceLimit, fleet, severity, since, trouble, target);
    let desired = u64::try_from(fleet.desired()).ok();
    Ok(Some(verdict.hitting(u64::try_from(short).unwrap_or(0), desired)))
}

/// When the instances were asked for that were seen to lack at `lacking`: AWS shows a new desired count within a minute,
/// and polls come later still, but a fleet event tells the moment.
async fn asked_for(
    scene: &Scene<'_>,
    fleet: &FleetSummary,
    here: &LocationFigures,
    lacking: Timestamp,
) -> Result<Timestamp, StoreError> {
    let range = TimeRange::new(lacking.plus_ms(-ASKED_MS), lacking.plus_ms(1));
    let events = scene.reader.fleet_events_of(&[FleetEventCode::FleetScaling], range).await?;
    Ok(last_asked(&events, &fleet.fleet.fleet_id, &here.location).unwrap_or(lacking))
}
