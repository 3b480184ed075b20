//! Operations that set capacity: UpdateFleetCapacity, StopFleetActions, StartFleetActions.

use super::choice::Choice;
use super::constraint::{FLEET, LOCATION};
use super::fleet_part::{WHOLE, limit_exceeded, small, wrong_status};
use super::lookup::{self, invalid, no_location};
use crate::operation::Change;
use crate::service::ServiceError;
use crate::wire::{Integer, Items, Nested, Wire, Writer, in_place, input};
use liftdeck_simulated_world::FleetRef;
use liftdeck_simulated_world::records::{FleetAction, FleetStatus, ZeroCapacityStrategy};
use liftdeck_simulated_world::steering::CapacityChange;

/// Minutes without use before a location scales to zero, unless the request gives another number.
const DEFAULT_INACTIVITY_MIN: u32 = 30;

static STRATEGY: Choice<ZeroCapacityStrategy> =
    Choice::new(ZeroCapacityStrategy::ALL, ZeroCapacityStrategy::as_str);
static MANAGED: Nested<Managed> = Nested::new();
static ACTION: Choice<FleetAction> = Choice::new(FleetAction::ALL, FleetAction::as_str);
static ACTIONS: Items<'_, Choice<FleetAction>> = Items { each: &ACTION, min: 1, max: 1 };

input! {
    struct Managed {
        strategy: Option<ZeroCapacityStrategy> = optional("ZeroCapacityStrategy", STRATEGY),
        after_min: Option<i64> = optional("ScaleInAfterInactivityMinutes", Integer::between(5, 1440)),
    }

    struct CapacityInput {
        fleet: String = required("FleetId", FLEET),
        desired: Option<i64> = optional("DesiredInstances", WHOLE),
        minimum: Option<i64> = optional("MinSize", WHOLE),
        maximum: Option<i64> = optional("MaxSize", WHOLE),
        location: Option<String> = optional("Location", LOCATION),
        managed: Option<Managed> = optional("ManagedCapacityConfiguration", MANAGED),
    }

    struct ActionsInput {
        fleet: String = required("FleetId", FLEET),
        _actions: Vec<FleetAction> = required("Actions", ACTIONS),
        location: Option<String> = optional("Location", LOCATION),
    }
}

/// `UpdateFleetCapacity`: sets one location, the home Region unless another is named.
pub(super) fn update(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: CapacityInput = lookup::read(&call)?;
    let fleet = lookup::managed_fleet(&call, &input.fleet)?;
    let location = input.location.as_deref().unwrap_or(fleet.home()).to_owned();
    let asked = CapacityChange {
        desired: input.desired.map(small),
        minimum: input.minimum.map(small),
        maximum: input.maximum.map(small),
        zero_after_min: input.managed.as_ref().and_then(zero_after_min),
    };
    check(change, &fleet, &location, &asked)?;
    let (key, id, arn) = (fleet.key(), fleet.id().to_owned(), fleet.arn().to_owned());
    change.world.change_capacity(key, &location, &asked);
    let managed = input.managed.map(|managed| {
        in_place!(move {
            "ZeroCapacityStrategy" => managed.strategy,
            "ScaleInAfterInactivityMinutes" => managed.after_min,
        })
    });
    in_place!({
        "FleetId" => id,
        "FleetArn" => arn,
        "Location" => location,
        "ManagedCapacityConfiguration" => managed,
    })
    .write(writer);
    Ok(())
}

/// Reads the scale-to-zero setting of a request; `None` if it names no strategy.
fn zero_after_min(managed: &Managed) -> Option<Option<u32>> {
    let after_min = managed.after_min.map_or(DEFAULT_INACTIVITY_MIN, small);
    managed.strategy.map(|strategy| match strategy {
        ZeroCapacityStrategy::Manual => None,
        ZeroCapacityStrategy::ScaleToAndFromZero => Some(after_min),
    })
}

fn check(
    change: &Change<'_>,
    fleet: &FleetRef<'_>,
    location: &str,
    asked: &CapacityChange,
) -> Result<(), ServiceError> {
    let capacity = fleet.capacity(location).ok_or_else(|| no_location(fleet, location))?;
    let status = fleet.location_status(location).unwrap_or(FleetStatus::NotFound);
    if status != FleetStatus::Active {
        let message = format!("Location {location} of fleet {} is in status {status}.", fleet.id());
        return Err(wrong_status(message));
    }
    let counts = capacity.instance_counts;
    let was_managed = capacity.zero_capacity_strategy == Some(ZeroCapacityStrategy::ScaleToAndFromZero);
    let managed = asked.zero_after_min.map_or(was_managed, |zero| zero.is_some());
    if managed && asked.minimum.is_some() {
        return Err(invalid("MinSize cannot be set while ZeroCapacityStrategy is SCALE_TO_AND_FROM_ZERO."));
    }
    let minimum = if managed { 0 } else { asked.minimum.unwrap_or(counts.minimum) };
    let maximum = asked.maximum.unwrap_or(counts.maximum);
    let standing = fleet.requested_instances(location).unwrap_or(counts.desired);
    let desired = asked.desired.unwrap_or(standing);
    if minimum > maximum {
        return Err(invalid(format!("MinSize ({minimum}) must not be greater than MaxSize ({maximum}).")));
    }
    if !(minimum..=maximum).contains(&desired) {
        return Err(invalid(format!(
            "DesiredInstances ({desired}) must be between MinSize ({minimum}) and MaxSize ({maximum})."
        )));
    }
    let limits = change.world.ec2_instance_limits(change.region, Some(location));
    let limit = limits.iter().find(|limit| limit.ec2_instance_type == capacity.instance_type);
    if let Some(limit) = limit.filter(|_| desired > standing) {
        let others = limit.current_instances.saturating_sub(counts.pending + counts.active);
        if others + desired > limit.instance_limit {
            return Err(limit_exceeded(format!(
                "{desired} instances of type {} exceed the account's limit of {} in {location}, {others} of which other \
                 fleets use.",
                limit.ec2_instance_type, limit.instance_limit
            )));
        }
    }
    Ok(())
}

/// `StopFleetActions`.
pub(super) fn stop(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    set_stopped(change, writer, true)
}

/// `StartFleetActions`: has no effect where nothing is stopped.
pub(super) fn start(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    set_stopped(change, writer, false)
}

fn set_stopped(change: &mut Change<'_>, writer: &mut Writer, stopped: bool) -> Result<(), ServiceError> {
    let call = change.call();
    let input: ActionsInput = lookup::read(&call)?;
    let fleet = lookup::managed_fleet(&call, &input.fleet)?;
    let location = input.location.as_deref().unwrap_or(fleet.home()).to_owned();
    if fleet.capacity(&location).is_none() {
        return Err(no_location(&fleet, &location));
    }
    let (key, id, arn) = (fleet.key(), fleet.id().to_owned(), fleet.arn().to_owned());
    change.world.set_scaling_stopped(key, &location, stopped);
    in_place!({ "FleetId" => id, "FleetArn" => arn }).write(writer);
    Ok(())
}
