//! Operations that add and remove fleet locations.

use super::constraint::{FLEET, LOCATION, LOCATIONS};
use super::fleet_part::{limit_exceeded, wrong_status};
use super::lookup::{self, invalid, no_location};
use crate::operation::Change;
use crate::service::ServiceError;
use crate::wire::{Items, Nested, Wire, Writer, in_place, input, structure};
use liftdeck_simulated_world::World;
use liftdeck_simulated_world::records::FleetStatus;

/// The most locations of one fleet (G2).
pub(super) const MOST_LOCATIONS: usize = 10;

static CONFIGURATION: Nested<Configuration> = Nested::new();
pub(super) static CONFIGURATIONS: Items<'_, Nested<Configuration>> =
    Items { each: &CONFIGURATION, min: 1, max: 100 };

input! {
    /// `LocationConfiguration`.
    pub(super) struct Configuration {
        location: String = required("Location", LOCATION),
    }

    struct CreateInput {
        fleet: String = required("FleetId", FLEET),
        locations: Vec<Configuration> = required("Locations", CONFIGURATIONS),
    }

    struct DeleteInput {
        fleet: String = required("FleetId", FLEET),
        locations: Vec<String> = required("Locations", LOCATIONS),
    }
}

/// `LocationState`.
pub(super) struct LocationState(pub(super) String, pub(super) FleetStatus);

structure!(LocationState, state, { "Location" => state.0, "Status" => state.1 });

/// Refuses a location named twice.
pub(super) fn distinct(locations: &[String]) -> Result<(), ServiceError> {
    for (place, location) in locations.iter().enumerate() {
        if locations.iter().take(place).any(|before| before == location) {
            return Err(invalid(format!("Location {location} is named more than once.")));
        }
    }
    Ok(())
}

/// Whether the region has this location: a custom one if `custom` is set, otherwise one of AWS.
pub(super) fn is_known(world: &World, region: &str, location: &str, custom: bool) -> bool {
    let mut known = world.locations(region).iter();
    known.any(|known| known.location_name == location && known.location_arn.is_some() == custom)
}

/// `CreateFleetLocations`, for fleets that are ACTIVE: custom locations for Anywhere fleets, AWS locations for the
/// others.
pub(super) fn create(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: CreateInput = lookup::read(&call)?;
    let fleet = lookup::fleet(&call, &input.fleet)?;
    if fleet.status() != FleetStatus::Active {
        return Err(wrong_status(format!("Fleet {} is in status {}.", fleet.id(), fleet.status())));
    }
    let locations: Vec<String> =
        input.locations.into_iter().map(|configuration| configuration.location).collect();
    distinct(&locations)?;
    for location in &locations {
        if !is_known(call.world, call.region, location, fleet.is_anywhere()) {
            return Err(invalid(format!("{location} is not a location this kind of fleet can use.")));
        }
        if fleet.location_status(location).is_some() {
            let message = format!("Fleet {} already has location {location}.", fleet.id());
            return Err(ServiceError::new("ConflictException", message));
        }
    }
    let total = fleet.locations().len() + locations.len();
    if total > MOST_LOCATIONS {
        return Err(limit_exceeded(format!(
            "A fleet can have at most {MOST_LOCATIONS} locations; this one would have {total}."
        )));
    }
    let (key, id, arn) = (fleet.key(), fleet.id().to_owned(), fleet.arn().to_owned());
    change.world.add_locations(key, &locations);
    let states: Vec<LocationState> =
        locations.into_iter().map(|location| LocationState(location, FleetStatus::New)).collect();
    in_place!({ "FleetId" => id, "FleetArn" => arn, "LocationStates" => states }).write(writer);
    Ok(())
}

/// `DeleteFleetLocations`: remote locations of managed fleets, custom ones of Anywhere fleets.
pub(super) fn delete(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: DeleteInput = lookup::read(&call)?;
    let fleet = lookup::fleet(&call, &input.fleet)?;
    distinct(&input.locations)?;
    for location in &input.locations {
        if location == fleet.home() {
            return Err(invalid(format!("{location} is the fleet's home and cannot be deleted.")));
        }
        match fleet.location_status(location) {
            None => return Err(no_location(&fleet, location)),
            Some(FleetStatus::Deleting) => {
                return Err(invalid(format!("Location {location} is already being deleted.")));
            }
            Some(_) => {}
        }
    }
    let places = fleet.locations();
    if places.iter().all(|place| input.locations.contains(&place.location)) {
        return Err(invalid(format!("Fleet {} must keep at least one location.", fleet.id())));
    }
    let (key, id, arn) = (fleet.key(), fleet.id().to_owned(), fleet.arn().to_owned());
    change.world.remove_locations(key, &input.locations);
    let leaving = |location| LocationState(location, FleetStatus::Deleting);
    let states: Vec<LocationState> = input.locations.into_iter().map(leaving).collect();
    in_place!({ "FleetId" => id, "FleetArn" => arn, "LocationStates" => states }).write(writer);
    Ok(())
}
