//! Operations that change fleet settings: attributes, ports, server processes.

use super::constraint::{FLEET, SHORT_TEXT};
use super::fleet_part::{
    ANYWHERE, Anywhere, CREATOR_LIMIT, CreatorLimit, GROUPS, PERMISSIONS, PROTECTION, Permission, RUNTIME,
    Runtime, changed_permissions, creator_limit, ec2_fleet, not_leaving, runtime,
};
use super::lookup::{self, invalid};
use crate::operation::Change;
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place, input};
use liftdeck_simulated_world::records::ProtectionPolicy;
use liftdeck_simulated_world::steering::AttributeChange;

input! {
    struct AttributesInput {
        fleet: String = required("FleetId", FLEET),
        name: Option<String> = optional("Name", SHORT_TEXT),
        description: Option<String> = optional("Description", SHORT_TEXT),
        protection: Option<ProtectionPolicy> = optional("NewGameSessionProtectionPolicy", PROTECTION),
        limit: Option<CreatorLimit> = optional("ResourceCreationLimitPolicy", CREATOR_LIMIT),
        groups: Option<Vec<String>> = optional("MetricGroups", GROUPS),
        anywhere: Option<Anywhere> = optional("AnywhereConfiguration", ANYWHERE),
    }

    struct PortsInput {
        fleet: String = required("FleetId", FLEET),
        added: Option<Vec<Permission>> = optional("InboundPermissionAuthorizations", PERMISSIONS),
        removed: Option<Vec<Permission>> = optional("InboundPermissionRevocations", PERMISSIONS),
    }

    struct RuntimeInput {
        fleet: String = required("FleetId", FLEET),
        runtime: Runtime = required("RuntimeConfiguration", RUNTIME),
    }
}

/// `UpdateFleetAttributes`, for EC2 and Anywhere fleets.
pub(super) fn update(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: AttributesInput = lookup::read(&call)?;
    let fleet = lookup::server_fleet(&call, &input.fleet)?;
    not_leaving(&fleet)?;
    if input.anywhere.is_some() && !fleet.is_anywhere() {
        return Err(invalid("AnywhereConfiguration can be set for Anywhere fleets only."));
    }
    let asked = AttributeChange {
        name: input.name,
        description: input.description,
        protection: input.protection,
        creation_limit: creator_limit(input.limit)?,
        metric_group: input.groups.map(|groups| groups.into_iter().next()),
        cost: input.anywhere.map(|anywhere| anywhere.cost),
    };
    let (key, id, arn) = (fleet.key(), fleet.id().to_owned(), fleet.arn().to_owned());
    change.world.change_attributes(key, asked);
    in_place!({ "FleetId" => id, "FleetArn" => arn }).write(writer);
    Ok(())
}

/// `UpdateFleetPortSettings`, for EC2 fleets.
pub(super) fn update_ports(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: PortsInput = lookup::read(&call)?;
    let fleet = ec2_fleet(&call, &input.fleet)?;
    not_leaving(&fleet)?;
    let ports = changed_permissions(&fleet, input.added, input.removed)?;
    let (key, id, arn) = (fleet.key(), fleet.id().to_owned(), fleet.arn().to_owned());
    change.world.change_ports(key, ports);
    in_place!({ "FleetId" => id, "FleetArn" => arn }).write(writer);
    Ok(())
}

/// `UpdateRuntimeConfiguration`, for EC2 fleets in any status except deleting or terminated.
pub(super) fn update_runtime(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    let input: RuntimeInput = lookup::read(&call)?;
    let fleet = ec2_fleet(&call, &input.fleet)?;
    not_leaving(&fleet)?;
    let configuration = runtime(input.runtime)?;
    let key = fleet.key();
    change.world.change_runtime(key, configuration.clone());
    in_place!({ "RuntimeConfiguration" => configuration }).write(writer);
    Ok(())
}
