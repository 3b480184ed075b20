//! Instances and computes.

use super::constraint::{COMPUTE, COMPUTE_STATUS, DEFINITION, FLEET, INSTANCE, LOCATION, POSITIVE, TOKEN};
use super::listing::{self, Asked};
use super::lookup::{self, invalid, no_location, not_found};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place, input};
use liftdeck_simulated_world::records::Compute;

input! {
    struct InstancesInput {
        fleet: String = required("FleetId", FLEET),
        instance: Option<String> = optional("InstanceId", INSTANCE),
        location: Option<String> = optional("Location", LOCATION),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct ListInput {
        fleet: String = required("FleetId", FLEET),
        location: Option<String> = optional("Location", LOCATION),
        definition: Option<String> = optional("ContainerGroupDefinitionName", DEFINITION),
        status: Option<String> = optional("ComputeStatus", COMPUTE_STATUS),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct DescribeInput {
        fleet: String = required("FleetId", FLEET),
        compute: String = required("ComputeName", COMPUTE),
    }
}

/// `DescribeInstances`: lists the home Region unless a location is given. An instance requested by its id is found in
/// any location.
pub(super) fn instances(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: InstancesInput = lookup::read(call)?;
    let fleet = lookup::managed_fleet(call, &input.fleet)?;
    let instances = match (&input.location, &input.instance) {
        (None, Some(_)) => {
            let places = fleet.locations();
            places.iter().filter_map(|place| fleet.instances(&place.location)).flatten().collect()
        }
        (location, _) => {
            let location = location.as_deref().unwrap_or(fleet.home());
            fleet.instances(location).ok_or_else(|| no_location(&fleet, location))?
        }
    };
    if let Some(asked) = &input.instance
        && !instances.iter().any(|instance| instance.instance_id == *asked)
    {
        return Err(not_found("Instance", asked));
    }
    let asked = Asked::new(input.limit, &input.token);
    let page = asked.cut(
        call,
        instances,
        |instance| &instance.instance_id,
        |instance| input.instance.as_ref().is_none_or(|asked| instance.instance_id == *asked),
    )?;
    listing::write(call, writer, "Instances", &page);
    Ok(())
}

/// `ListCompute`: lists every location unless one is given. It declares no NotFoundException.
pub(super) fn list(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ListInput = lookup::read(call)?;
    let fleet = lookup::fleet(call, &input.fleet).map_err(|error| invalid(error.message))?;
    let computes: Vec<Compute> = match input.location.as_deref() {
        Some(location) => {
            fleet.computes(location).ok_or_else(|| invalid(no_location(&fleet, location).message))?
        }
        None => {
            let places = fleet.locations();
            places.iter().filter_map(|place| fleet.computes(&place.location)).flatten().collect()
        }
    };
    let keep = |compute: &Compute| {
        let definition = compute.game_server_container_group_definition_arn.as_deref().unwrap_or_default();
        let name = definition.rsplit('/').next().and_then(|tail| tail.split(':').next()).unwrap_or_default();
        input.definition.as_deref().is_none_or(|asked| asked == definition || asked == name)
            && input
                .status
                .as_deref()
                .is_none_or(|asked| asked.eq_ignore_ascii_case(compute.compute_status.as_str()))
    };
    let asked = Asked::new(input.limit, &input.token);
    let page = asked.cut(call, computes, |compute| &compute.compute_name, keep)?;
    listing::write(call, writer, "ComputeList", &page);
    Ok(())
}

/// `DescribeCompute`: by name or ARN.
pub(super) fn describe(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: DescribeInput = lookup::read(call)?;
    let fleet = lookup::fleet(call, &input.fleet)?;
    let name = input.compute.split_once(":compute/").map_or(input.compute.as_str(), |(_, name)| name);
    let compute = fleet.compute_named(name).ok_or_else(|| not_found("Compute", &input.compute))?;
    in_place!({ "Compute" => compute }).write(writer);
    Ok(())
}
