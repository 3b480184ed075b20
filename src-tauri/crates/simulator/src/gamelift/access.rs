//! Access to hosting resources: credentials for instances and computes, and deregistering computes of Anywhere
//! fleets.

use super::constraint::{COMPUTE, FLEET, INSTANCE};
use super::fleet_part::ec2_fleet;
use super::listing;
use super::lookup::{self, invalid, not_found};
use crate::operation::{Call, Change};
use crate::service::ServiceError;
use crate::wire::{Filled, Wire, Writer, in_place, input};
use liftdeck_simulated_world::records::{ComputeStatus, InstanceStatus};

/// The first server SDK version whose computes are accessed with GetComputeAccess.
const FIRST_NEW_SDK: u32 = 5;

input! {
    struct ComputeInput {
        fleet: String = required("FleetId", FLEET),
        compute: String = required("ComputeName", COMPUTE),
    }

    struct InstanceInput {
        fleet: String = required("FleetId", FLEET),
        instance: String = required("InstanceId", INSTANCE),
    }
}

/// Extracts the name of a compute from its name or ARN.
fn compute_name(name_or_arn: &str) -> &str {
    name_or_arn.split_once(":compute/").map_or(name_or_arn, |(_, name)| name)
}

/// `GetComputeAccess`, for EC2 fleets with server SDK 5 or later and for container fleets.
pub(super) fn compute(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ComputeInput = lookup::read(call)?;
    let fleet = lookup::managed_fleet(call, &input.fleet)?;
    if fleet.server_sdk().is_some_and(|version| version < FIRST_NEW_SDK) {
        return Err(invalid(format!(
            "Fleet {} uses server SDK 4 or older; use GetInstanceAccess.",
            fleet.id()
        )));
    }
    let name = compute_name(&input.compute);
    let compute = fleet.compute_named(name).ok_or_else(|| not_found("Compute", &input.compute))?;
    if !matches!(compute.compute_status, ComputeStatus::Active | ComputeStatus::ActiveContainer) {
        return Err(invalid(format!("Compute {name} is in status {}.", compute.compute_status)));
    }
    let secrets = call.world.secrets(name);
    let credentials = in_place!({
        "AccessKeyId" => secrets.access_key_id,
        "SecretAccessKey" => secrets.secret,
        "SessionToken" => secrets.session_token,
    });
    in_place!({
        "FleetId" => fleet.id(),
        "FleetArn" => fleet.arn(),
        "ComputeName" => compute.compute_name,
        "ComputeArn" => compute.compute_arn,
        "Credentials" => credentials,
        "Target" => compute.instance_id.as_ref().unwrap_or(&compute.compute_name),
        "ContainerIdentifiers" => Filled(&compute.container_attributes),
    })
    .write(writer);
    Ok(())
}

/// `GetInstanceAccess`, for EC2 fleets with server SDK 4 or older.
pub(super) fn instance(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: InstanceInput = lookup::read(call)?;
    let fleet = ec2_fleet(call, &input.fleet)?;
    let places = fleet.locations();
    let mut instances = places.iter().filter_map(|place| fleet.instances(&place.location)).flatten();
    let found = instances.find(|instance| instance.instance_id == input.instance);
    let instance = found.ok_or_else(|| not_found("Instance", &input.instance))?;
    if fleet.server_sdk().is_none_or(|version| version >= FIRST_NEW_SDK) {
        return Err(invalid(format!(
            "Fleet {} uses server SDK 5 or later; use GetComputeAccess.",
            fleet.id()
        )));
    }
    if instance.status != InstanceStatus::Active {
        return Err(invalid(format!("Instance {} is in status {}.", input.instance, instance.status)));
    }
    let credentials = in_place!({
        "UserName" => "gl-user-remote",
        "Secret" => call.world.secrets(&input.instance).secret,
    });
    let access = in_place!({
        "FleetId" => fleet.id(),
        "InstanceId" => instance.instance_id,
        "IpAddress" => instance.ip_address,
        "OperatingSystem" => instance.operating_system,
        "Credentials" => credentials,
    });
    in_place!({ "InstanceAccess" => access }).write(writer);
    Ok(())
}

/// `DeregisterCompute`, for Anywhere fleets.
pub(super) fn deregister(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: ComputeInput = lookup::read(&call)?;
    let fleet = lookup::fleet(&call, &input.fleet)?;
    if !fleet.is_anywhere() {
        return Err(lookup::unfit(&call, fleet.id(), "managed"));
    }
    let key = fleet.key();
    if !change.world.deregister_compute(key, compute_name(&input.compute)) {
        return Err(not_found("Compute", &input.compute));
    }
    listing::write_empty(writer);
    Ok(())
}
