//! Offers about a fleet: a higher maximum, scaling that works again, and two fleets side by side.

use liftdeck_model::Location;
use liftdeck_model::action::{Action, Request, SetFleetActions, UpdateFleetCapacity};
use liftdeck_store::StoreError;
use liftdeck_store::reader::fleet::{Content, FleetSummary, LocationFigures};
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope};

use super::{Ground, Help, OfferFact, Raise, last_day, named};
use crate::state::{is_at_maximum, scaling_is_suspended};

/// Without a former maximum, this much more is offered.
const MORE: f64 = 0.5;
/// Points in which a day of maxima is read: two minutes each.
const POINTS: u32 = 720;

/// What makes room on a fleet: the former maximum, else scaling resumed, else a higher maximum.
pub(super) async fn room(ground: &Ground<'_>, fleet: &FleetSummary) -> Result<Option<Help>, StoreError> {
    if let Some(former) = raise(ground, fleet, true).await? {
        return Ok(Some(former));
    }
    match resume(fleet) {
        Some(help) => Ok(Some(help)),
        None => raise(ground, fleet, false).await,
    }
}

fn at_maximum(here: &LocationFigures) -> Option<i32> {
    here.capacity.as_ref().filter(|_| is_at_maximum(here)).map(|it| it.maximum)
}

/// Raises the maximum of the locations that stand at it: to the highest of the last day, or, unless only that will do,
/// by half.
pub(super) async fn raise(
    ground: &Ground<'_>,
    fleet: &FleetSummary,
    only_former: bool,
) -> Result<Option<Help>, StoreError> {
    let mut places = Vec::new();
    let mut is_former = true;
    for here in &fleet.locations {
        let Some(from) = at_maximum(here) else { continue };
        let former = former_maximum(ground, fleet, &here.location).await?.filter(|former| *former > from);
        if former.is_none() {
            if only_former {
                continue;
            }
            is_former = false;
        }
        let more = from.saturating_add(((f64::from(from) * MORE).ceil() as i32).max(1));
        places.push(Raise { location: here.location.clone(), from, to: former.unwrap_or(more) });
    }
    Ok((!places.is_empty()).then(|| Help::RaiseMaximum { fleet: named(fleet), places, is_former }))
}

/// The highest maximum of a location in the last day.
async fn former_maximum(
    ground: &Ground<'_>,
    fleet: &FleetSummary,
    location: &Location,
) -> Result<Option<i32>, StoreError> {
    let scope =
        SeriesScope::Fleet { fleet_id: fleet.fleet.fleet_id.clone(), location: Some(location.clone()) };
    let names = vec![SeriesName::MaxInstances];
    let request = SeriesRequest { scope, names, range: last_day(ground.now), max_points: POINTS };
    let table = ground.reader.series(&request).await?;
    let highest = table.columns.first().into_iter().flatten().copied().filter(|value| value.is_finite());
    // A bucket in which the maximum was lowered shows a mean of both: only whole numbers were ever in force.
    let whole = highest.filter(|value| value.fract().abs() < f64::EPSILON);
    Ok(whole.reduce(f64::max).map(|value| value as i32))
}

fn suspended(fleet: &FleetSummary) -> Vec<Location> {
    let there = fleet.locations.iter().filter(|here| scaling_is_suspended(fleet, here));
    there.map(|here| here.location.clone()).collect()
}

/// Resumes scaling where it is suspended.
pub(super) fn resume(fleet: &FleetSummary) -> Option<Help> {
    let locations = suspended(fleet);
    (!locations.is_empty()).then(|| Help::ResumeScaling { fleet: named(fleet), locations })
}

pub(super) fn raising(fleet: &FleetSummary, places: &[Raise]) -> Vec<Action> {
    let action = |place: &Raise| Action {
        region: fleet.fleet.region.clone(),
        request: Request::UpdateFleetCapacity(UpdateFleetCapacity {
            fleet_id: fleet.fleet.fleet_id.clone(),
            location: Some(place.location.clone()),
            desired_instances: None,
            min_size: None,
            max_size: Some(place.to),
        }),
    };
    places.iter().map(action).collect()
}

pub(super) fn resuming(fleet: &FleetSummary, locations: &[Location]) -> Vec<Action> {
    let action = |location: &Location| Action {
        region: fleet.fleet.region.clone(),
        request: Request::StartFleetActions(SetFleetActions {
            fleet_id: fleet.fleet.fleet_id.clone(),
            location: Some(location.clone()),
        }),
    };
    locations.iter().map(action).collect()
}

fn fact(label: &str, before: impl Into<String>, after: impl Into<String>) -> OfferFact {
    OfferFact { label: label.to_owned(), before: before.into(), after: after.into() }
}

pub(super) fn raised(places: &[Raise]) -> Vec<OfferFact> {
    let line = |place: &Raise| {
        fact(&format!("maximum in {}", place.location), place.from.to_string(), place.to.to_string())
    };
    places.iter().map(line).collect()
}

pub(super) fn resumed(fleet: &FleetSummary, locations: &[Location]) -> Vec<OfferFact> {
    let mut facts: Vec<OfferFact> =
        locations.iter().map(|here| fact(&format!("scaling in {here}"), "suspended", "active")).collect();
    facts.push(fact("instances", format!("{} of {}", fleet.active(), fleet.maximum()), "as policies ask"));
    facts
}

/// What it runs: the version of its build or script, or the build's name.
pub(crate) fn content(fleet: &FleetSummary) -> Option<String> {
    match fleet.content.as_ref()? {
        Content::Build(build) => build.version.clone().or_else(|| build.name.clone()),
        Content::Script(script) => script.version.clone().or_else(|| script.name.clone()),
    }
}

/// Two fleets side by side: where an alias leads, and where it would lead.
pub(super) fn compared(from: Option<&FleetSummary>, to: &FleetSummary) -> Vec<OfferFact> {
    let free = |fleet: &FleetSummary| match (fleet.free_processes(), fleet.processes()) {
        (Some(free), Some(all)) => format!("{free} of {all} processes"),
        _ => "not known".to_owned(),
    };
    let name = |fleet: &FleetSummary| fleet.fleet.display_name().to_owned();
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
    let mut facts = vec![
        fact("fleet", or_none(from.map(name)), format!("{} {}", name(to), to.fleet.status)),
        fact("build", or_none(from.and_then(content)), or_none(content(to))),
        fact("free", or_none(from.map(free)), free(to)),
    ];
    if let Some(from) = from {
        let (sessions, players) = (from.game_sessions(), from.player_sessions());
        let noun = if sessions == 1 { "session" } else { "sessions" };
        let there = format!("{sessions} with {players} {}", if players == 1 { "player" } else { "players" });
        facts.push(fact(noun, there, "stay until they end"));
    }
    facts
}
