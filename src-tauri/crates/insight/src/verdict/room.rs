//! Fleets without room: at their maximum, nearly full, or in error.

use liftdeck_model::Severity;
use liftdeck_model::fleet::FleetStatus;
use liftdeck_store::StoreError;
use liftdeck_store::reader::fleet::{FleetSummary, LocationFigures};

use super::{Rule, Scene, Target, Trouble, Verdict};
use crate::scaling::{capped_since, little_room_since};
use crate::state::{FleetState, fleet_state, is_capped};

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let mut found = Vec::new();
    for fleet in scene.fleets {
        found.extend(in_error(scene, fleet));
        found.extend(capped(scene, fleet).await?);
        found.extend(little_room(scene, fleet).await?);
    }
    Ok(found)
}

fn in_error(scene: &Scene<'_>, fleet: &FleetSummary) -> Option<Verdict> {
    if fleet.fleet.status != FleetStatus::Error {
        return None;
    }
    let id = &fleet.fleet.fleet_id;
    let since = scene.began(Rule::FleetError, id.as_str()).unwrap_or(scene.now);
    let trouble = Trouble::InError { fleet: fleet.fleet.display_name().to_owned() };
    let target = Target::FleetEvents(id.clone());
    Some(Verdict::of_fleet(Rule::FleetError, fleet, Severity::Bad, since, trouble, target))
}

async fn capped(scene: &Scene<'_>, fleet: &FleetSummary) -> Result<Option<Verdict>, StoreError> {
    let id = &fleet.fleet.fleet_id;
    let began = scene.began(Rule::Capped, id.as_str());
    let is_it = |here: &&LocationFigures| is_capped(here) || (began.is_some() && is_nearly_full(here));
    let locations: Vec<_> = fleet.locations.iter().filter(is_it).map(|here| here.location.clone()).collect();
    if locations.is_empty() {
        return Ok(None);
    }
    // Once it is in force its beginning is kept; reading a day of history again would tell nothing new.
    let since = match began {
        Some(began) => began,
        None => capped_since(scene.reader, fleet, scene.now).await?.unwrap_or(scene.now),
    };
    let free_processes = fleet.free_processes().unwrap_or(0);
    // Elsewhere in the fleet there is room: players there, and queues that look on, notice nothing.
    let severity = if free_processes == 0 { Severity::Bad } else { Severity::Warning };
    let trouble = Trouble::Capped {
        fleet: fleet.fleet.display_name().to_owned(),
        of: fleet.locations.len(),
        locations,
        desired: fleet.desired(),
        maximum: fleet.maximum(),
        free_processes,
    };
    let target = Target::FleetScaling(id.clone());
    Ok(Some(Verdict::of_fleet(Rule::Capped, fleet, severity, since, trouble, target)))
}

/// Whether a location is at its maximum and has hardly a process free: sessions that end are replaced at once.
fn is_nearly_full(here: &LocationFigures) -> bool {
    /// Share of processes that are free between the end of a session and the start of the next.
    const FREE: f64 = 0.05;
    let at_limit = here.capacity.as_ref().is_some_and(|it| it.maximum > 0 && it.desired >= it.maximum);
    let free = here.free_processes().zip(here.processes());
    at_limit && free.is_some_and(|(free, all)| all > 0 && free as f64 <= FREE * all as f64)
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
