//! Locations of fleets and of the account, and the account's instance limits in them.

use super::constraint::{FLEET, INSTANCE_TYPE, LOCATION, LOCATION_FILTERS, LOCATIONS, POSITIVE, TOKEN};
use super::fleet_location::is_known;
use super::listing::{self, Asked};
use super::lookup::{self, invalid, no_location};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Integer, Wire, Writer, in_place, input};

input! {
    struct AttributesInput {
        fleet: String = required("FleetId", FLEET),
        locations: Option<Vec<String>> = optional("Locations", LOCATIONS),
        _limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct LocationInput {
        fleet: String = required("FleetId", FLEET),
        location: String = required("Location", LOCATION),
    }

    struct LimitsInput {
        instance_type: Option<String> = optional("EC2InstanceType", INSTANCE_TYPE),
        location: Option<String> = optional("Location", LOCATION),
    }

    struct ListInput {
        filters: Option<Vec<String>> = optional("Filters", LOCATION_FILTERS),
        limit: Option<i64> = optional("Limit", Integer::between(1, 200)),
        token: Option<String> = optional("NextToken", TOKEN),
    }
}

/// `DescribeFleetLocationAttributes`: the requested locations in the order requested, without those the fleet does
/// not have.
pub(super) fn attributes(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: AttributesInput = lookup::read(call)?;
    let fleet = lookup::fleet(call, &input.fleet)?;
    let mut locations = fleet.locations();
    if let Some(asked) = &input.locations {
        let place = |location: &str| asked.iter().position(|asked| asked == location);
        locations.retain(|attributes| place(&attributes.location).is_some());
        locations.sort_by_key(|attributes| place(&attributes.location));
    }
    // As documented, the limit is not enforced here.
    let asked = Asked::new(None, &input.token);
    let page = asked.cut(call, locations, |attributes| &attributes.location, |_| true)?;
    writer.open_map();
    writer.member("FleetId", fleet.id());
    writer.member("FleetArn", fleet.arn());
    writer.member("LocationAttributes", &page.items);
    writer.member("NextToken", &call.next_token(&page));
    writer.close_map();
    Ok(())
}

/// `DescribeFleetLocationCapacity`, for EC2 and container fleets.
pub(super) fn capacity(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: LocationInput = lookup::read(call)?;
    let fleet = lookup::managed_fleet(call, &input.fleet)?;
    let capacity = fleet.capacity(&input.location).ok_or_else(|| no_location(&fleet, &input.location))?;
    in_place!({ "FleetCapacity" => capacity }).write(writer);
    Ok(())
}

/// `DescribeFleetLocationUtilization`, for EC2 and Anywhere fleets.
pub(super) fn utilization(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: LocationInput = lookup::read(call)?;
    let fleet = lookup::server_fleet(call, &input.fleet)?;
    let utilization =
        fleet.utilization(&input.location).ok_or_else(|| no_location(&fleet, &input.location))?;
    in_place!({ "FleetUtilization" => utilization }).write(writer);
    Ok(())
}

/// `DescribeEC2InstanceLimits`.
pub(super) fn instance_limits(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: LimitsInput = lookup::read(call)?;
    if let Some(location) = &input.location
        && !is_known(call.world, call.region, location, false)
    {
        return Err(invalid(format!("{location} is not a location with instances.")));
    }
    let mut limits = call.world.ec2_instance_limits(call.region, input.location.as_deref());
    if let Some(asked) = &input.instance_type {
        limits.retain(|limit| limit.ec2_instance_type == *asked);
    }
    in_place!({ "EC2InstanceLimits" => limits }).write(writer);
    Ok(())
}

/// `ListLocations`.
pub(super) fn list(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ListInput = lookup::read(call)?;
    let asked = Asked::new(input.limit, &input.token).at_most(200);
    let page = asked.cut(
        call,
        call.world.locations(call.region),
        |location| &location.location_name,
        |location| {
            let kind = if location.location_arn.is_some() { "CUSTOM" } else { "AWS" };
            input.filters.as_ref().is_none_or(|filters| filters.iter().any(|filter| filter == kind))
        },
    )?;
    listing::write(call, writer, "Locations", &page);
    Ok(())
}
