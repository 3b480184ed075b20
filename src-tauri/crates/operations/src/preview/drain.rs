//! The drain of a fleet before it begins: the changes it consists of, who it concerns, and what prevents it.
//!
//! Deliberately sends nothing and knows no steps: the preview covers all of it at once.

mod leads;

use liftdeck_model::Location;
use liftdeck_model::action::{
    Action, Protection, Request, SetFleetActions, UpdateFleetAttributes, UpdateFleetCapacity,
};
use liftdeck_model::activity::RunId;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::ProtectionPolicy;
use liftdeck_store::{RunKind, RunState};

use super::compose::Drained;
use super::crowd;
use super::draft::Draft;
use super::present::Present;
use crate::connection::Connection;
use crate::error::OperationError;
use crate::intent::DrainPlan;
use crate::words::{self, WarningFact};

/// Returns the changes of a drain in order, except those that protect single sessions, which are added when their
/// step comes.
///
/// # Errors
/// `Refused` for a plan that makes no sense, `Gateway` if the fleet cannot be read.
pub(crate) async fn actions(
    connection: &Connection,
    plan: &DrainPlan,
) -> Result<Vec<Action>, OperationError> {
    only_one(connection, plan, None).await?;
    let aws = connection.reader(&plan.region)?;
    let fleet = aws
        .fleet(&plan.fleet_id)
        .await?
        .ok_or_else(|| OperationError::Unknown { what: "fleet", id: plan.fleet_id.to_string() })?;
    let mut actions = routes(plan)?;
    let act = |request| Action { region: plan.region.clone(), request };
    let fleet_id = || plan.fleet_id.clone();
    if plan.protect && fleet.new_game_session_protection_policy != Some(ProtectionPolicy::FullProtection) {
        actions.push(act(Request::UpdateFleetAttributes(UpdateFleetAttributes {
            fleet_id: fleet_id(),
            new_game_session_protection_policy: Protection::FullProtection,
        })));
    }
    if !fleet.kind.has_capacity() || !(plan.suspend_scaling || plan.scale_to_zero) {
        return Ok(actions);
    }
    let (locations, failure) = aws.fleet_locations(&plan.fleet_id).await.into_listing();
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    // The home location is the default of these calls and is left out of them.
    let named = |place: &Location| Some(place.clone()).filter(|place| place.as_str() != plan.region.as_str());
    if plan.suspend_scaling {
        actions.extend(locations.items.iter().filter(|place| !place.scaling_suspended).map(|place| {
            let location = named(&place.location);
            act(Request::StopFleetActions(SetFleetActions { fleet_id: fleet_id(), location }))
        }));
    }
    if plan.scale_to_zero {
        actions.extend(locations.items.iter().map(|place| {
            act(Request::UpdateFleetCapacity(UpdateFleetCapacity {
                fleet_id: fleet_id(),
                location: named(&place.location),
                desired_instances: Some(0),
                min_size: Some(0),
                max_size: Some(0),
            }))
        }));
    }
    Ok(actions)
}

/// Reads what there is to a drain besides its changes.
///
/// # Errors
/// `Gateway` if the current state cannot be read.
pub(crate) async fn regard(connection: &Connection, plan: &DrainPlan) -> Result<Drained, OperationError> {
    let mut present = Present::new(connection);
    let fleet = present.fleet(&plan.region, &plan.fleet_id).await?;
    Ok(Drained {
        fleet: words::fleet(&plan.fleet_id, fleet.as_ref()),
        still_leads: leads::still(&mut present, plan).await?,
        crowd: crowd::on_fleet(&present, &plan.region, &plan.fleet_id, None).await?,
    })
}

/// Reads what there is to the rest of a paused drain besides its changes.
///
/// # Errors
/// `Refused` while another drain of the fleet is under way, `Gateway` if the current state cannot be read.
pub(crate) async fn resumed(
    connection: &Connection,
    id: &RunId,
    plan: &DrainPlan,
) -> Result<Drained, OperationError> {
    only_one(connection, plan, Some(id)).await?;
    regard(connection, plan).await
}

/// Ensures that a fleet has one drain at a time: two would count and scale against each other. While one is paused,
/// no other can begin. Of two that are already paused, one may go on.
///
/// The caller holds `Sender::drains` from this check until the drain is on record, so that of two at once the second
/// is refused.
async fn only_one(
    connection: &Connection,
    plan: &DrainPlan,
    resumed: Option<&RunId>,
) -> Result<(), OperationError> {
    let open = connection.store.runs(true).await?;
    let other = open.iter().find(|run| {
        run.kind == RunKind::Drain
            && run.fleet_id.as_ref() == Some(&plan.fleet_id)
            && resumed.is_none_or(|id| *id != run.id && run.state == RunState::Running)
    });
    let Some(other) = other else { return Ok(()) };
    let advice = if other.state == RunState::Running {
        "Let it go on, or stop it first."
    } else {
        "It is paused: resume it, or stop it first."
    };
    Err(OperationError::Refused(format!("The fleet is already being drained by run {}. {advice}", other.id)))
}

/// Ensures that a drain can be carried out as a whole: if AWS would refuse part of it now, the drain is refused. Its
/// capacity changes are checked when their turn comes, and a game session that is gone needs no protection.
///
/// # Errors
/// `Refused` with what AWS would refuse.
pub(crate) fn whole(drafts: &mut [Draft]) -> Result<(), OperationError> {
    for draft in drafts {
        let Some(skip) = draft.skip.take() else { continue };
        match (&draft.action.request, skip.reason) {
            (Request::UpdateFleetCapacity(_), _) => {
                draft.bad(WarningFact::WouldBeRefused { why: skip.facts })
            }
            (Request::UpdateGameSession(_), _) => draft.skip = Some(skip.as_ended()),
            _ => {
                return Err(OperationError::Refused(format!("The drain is not possible: {}", skip.text())));
            }
        }
    }
    Ok(())
}

/// Returns the changes that send new sessions elsewhere, after checking that they do just that.
fn routes(plan: &DrainPlan) -> Result<Vec<Action>, OperationError> {
    let refuse = |text: String| Err(OperationError::Refused(text));
    for route in &plan.routes {
        match &route.request {
            Request::UpdateAlias(it) => {
                if it.routing.is_none() {
                    return refuse(format!(
                        "A drain changes where the alias {} points. Name another fleet, or a message.",
                        it.alias_id
                    ));
                }
                if it.routing == Some(RoutingStrategy::Simple { fleet_id: plan.fleet_id.clone() }) {
                    return refuse(format!(
                        "The alias {} would still point to the fleet being drained. Choose another fleet.",
                        it.alias_id
                    ));
                }
            }
            Request::UpdateGameSessionQueue(it) => {
                if it.destinations.is_none() {
                    return refuse(format!(
                        "A drain changes where the queue {} places. Name the destinations that remain.",
                        it.name
                    ));
                }
                let here = |arn: &String| arn.ends_with(&format!("/{}", plan.fleet_id));
                if it.destinations.iter().flatten().any(here) {
                    return refuse(format!(
                        "The queue {} would still place on the fleet being drained. Remove the fleet from the \
                         destinations.",
                        it.name
                    ));
                }
            }
            other => {
                return refuse(format!(
                    "A drain sends new game sessions elsewhere through aliases and queues, not through {}.",
                    other.operation()
                ));
            }
        }
    }
    Ok(plan.routes.clone())
}
