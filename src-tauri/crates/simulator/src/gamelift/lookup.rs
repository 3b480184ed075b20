//! Lookups of what an input names, and the errors when it does not exist or is of the wrong kind.

use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{FromWire, read_input};
use liftdeck_simulated_world::FleetRef;
use liftdeck_simulated_world::records::{Alias, RoutingStrategy};

/// The error for something that does not exist.
pub(super) fn not_found(what: &str, name: &str) -> ServiceError {
    ServiceError::new("NotFoundException", format!("{what} {name} was not found."))
}

/// The error for a request that breaks a rule of the service.
pub(super) fn invalid(message: impl std::fmt::Display) -> ServiceError {
    ServiceError::new("InvalidRequestException", message)
}

/// Reads the typed input of a call.
pub(super) fn read<T: FromWire>(call: &Call<'_>) -> Result<T, ServiceError> {
    read_input(call.body).map_err(|problems| {
        if problems.unreadable() { ServiceError::unreadable(&problems) } else { invalid(&problems) }
    })
}

/// Whether an id or ARN names the resource with this id and ARN.
pub(super) fn names(id_or_arn: &str, id: &str, arn: &str) -> bool {
    id_or_arn == id || id_or_arn == arn
}

/// Finds the fleet with this id or ARN.
pub(super) fn fleet<'a>(call: &Call<'a>, id_or_arn: &str) -> Result<FleetRef<'a>, ServiceError> {
    let id = id_or_arn.rsplit('/').next().unwrap_or(id_or_arn);
    let found = call.world.fleet(call.region, id);
    found
        .filter(|fleet| names(id_or_arn, fleet.id(), fleet.arn()))
        .ok_or_else(|| not_found("Fleet", id_or_arn))
}

/// Finds the fleet; refuses a container fleet, for which the operation is not offered.
pub(super) fn server_fleet<'a>(call: &Call<'a>, id_or_arn: &str) -> Result<FleetRef<'a>, ServiceError> {
    let fleet = fleet(call, id_or_arn)?;
    if fleet.is_container() {
        return Err(unfit(call, fleet.id(), "container"));
    }
    Ok(fleet)
}

/// Finds the fleet; refuses an Anywhere fleet, for which the operation is not offered.
pub(super) fn managed_fleet<'a>(call: &Call<'a>, id_or_arn: &str) -> Result<FleetRef<'a>, ServiceError> {
    let fleet = fleet(call, id_or_arn)?;
    if fleet.is_anywhere() {
        return Err(unfit(call, fleet.id(), "Anywhere"));
    }
    Ok(fleet)
}

/// The error for a fleet of a kind that the operation is not offered for.
pub(super) fn unfit(call: &Call<'_>, fleet_id: &str, kind: &str) -> ServiceError {
    invalid(format!("{} is not supported for the {kind} fleet {fleet_id}.", call.operation))
}

/// The error for a location the fleet does not have.
pub(super) fn no_location(fleet: &FleetRef<'_>, location: &str) -> ServiceError {
    ServiceError::new("NotFoundException", format!("Fleet {} has no location {location}.", fleet.id()))
}

/// Finds the alias with this id or ARN.
pub(super) fn alias<'a>(call: &Call<'a>, id_or_arn: &str) -> Result<&'a Alias, ServiceError> {
    let mut aliases = call.world.aliases(call.region).iter();
    let found = aliases.find(|alias| names(id_or_arn, &alias.alias_id, &alias.alias_arn));
    found.ok_or_else(|| not_found("Alias", id_or_arn))
}

/// Returns the id of the fleet an alias routes to; a terminal alias returns an error with its message.
pub(super) fn route(alias: &Alias) -> Result<&str, ServiceError> {
    strategy(&alias.routing_strategy)
}

/// Returns the id of the fleet a strategy routes to; a terminal one returns an error with its message.
pub(super) fn strategy(routing: &RoutingStrategy) -> Result<&str, ServiceError> {
    match routing {
        RoutingStrategy::Simple { fleet_id } => Ok(fleet_id),
        RoutingStrategy::Terminal { message } => {
            Err(ServiceError::new("TerminalRoutingStrategyException", message))
        }
    }
}

/// Finds the fleet by its own id or by an alias; exactly one has to be given.
pub(super) fn fleet_or_alias<'a>(
    call: &Call<'a>,
    fleet_id: Option<&str>,
    alias_id: Option<&str>,
) -> Result<FleetRef<'a>, ServiceError> {
    match (fleet_id, alias_id) {
        (Some(id), None) => fleet(call, id),
        (None, Some(id)) => fleet(call, route(alias(call, id)?)?),
        _ => Err(invalid("Exactly one of FleetId and AliasId must be specified.")),
    }
}
