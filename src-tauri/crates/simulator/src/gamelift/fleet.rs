//! Reads of whole fleets of every kind: lists, attributes, capacity, utilization, runtime configuration, ports,
//! policies.

use super::constraint::{BUILD, FLEET, FLEETS, LOCATION, POSITIVE, SCALING_STATUS, SCRIPT, TOKEN};
use super::listing::Asked;
use super::lookup::{self, invalid, names, no_location, not_found};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place, input};
use liftdeck_simulated_world::FleetRef;

/// The most fleet ids in one call. The service has a maximum too, but does not publish it.
const MAX_FLEET_IDS: usize = 100;

input! {
    struct ListInput {
        build: Option<String> = optional("BuildId", BUILD),
        script: Option<String> = optional("ScriptId", SCRIPT),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct FleetsInput {
        fleets: Option<Vec<String>> = optional("FleetIds", FLEETS),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct FleetInput {
        fleet: String = required("FleetId", FLEET),
        location: Option<String> = optional("Location", LOCATION),
    }

    struct PoliciesInput {
        fleet: String = required("FleetId", FLEET),
        status: Option<String> = optional("StatusFilter", SCALING_STATUS),
        location: Option<String> = optional("Location", LOCATION),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }
}

/// `ListFleets`.
pub(super) fn list(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ListInput = lookup::read(call)?;
    let build = match &input.build {
        Some(asked) => {
            let mut builds = call.world.builds(call.region).iter();
            let build = builds.find(|build| names(asked, &build.build_id, &build.build_arn));
            Some(&build.ok_or_else(|| not_found("Build", asked))?.build_id)
        }
        None => None,
    };
    let script = match &input.script {
        Some(asked) => {
            let mut scripts = call.world.scripts(call.region).iter();
            let script = scripts.find(|script| names(asked, &script.script_id, &script.script_arn));
            Some(&script.ok_or_else(|| not_found("Script", asked))?.script_id)
        }
        None => None,
    };
    let keep = |fleet: &FleetRef<'_>| {
        build.is_none_or(|build| fleet.build_id() == Some(build))
            && script.is_none_or(|script| fleet.script_id() == Some(script))
    };
    let asked = Asked::new(input.limit, &input.token);
    let page = asked.cut(call, call.world.fleets(call.region), |fleet| fleet.id(), keep)?;
    writer.open_map();
    writer.member("FleetIds", &page.items.iter().map(FleetRef::id).collect::<Vec<_>>());
    writer.member("NextToken", &call.next_token(&page));
    writer.close_map();
    Ok(())
}

/// Lists one record per fleet: of the named fleets in the order named, or of all fleets that have one.
fn per_fleet<T: Wire>(
    call: &Call<'_>,
    writer: &mut Writer,
    member: &str,
    record: impl Fn(&FleetRef<'_>) -> Option<T>,
) -> Result<(), ServiceError> {
    let input: FleetsInput = lookup::read(call)?;
    let Some(ids) = input.fleets else {
        let fleets = call.world.fleets(call.region).filter_map(|fleet| Some((fleet.id(), record(&fleet)?)));
        let page = Asked::new(input.limit, &input.token).cut(call, fleets, |(id, _)| id, |_| true)?;
        writer.open_map();
        writer.member(member, &page.items.iter().map(|(_, record)| record).collect::<Vec<_>>());
        writer.member("NextToken", &call.next_token(&page));
        writer.close_map();
        return Ok(());
    };
    if ids.len() > MAX_FLEET_IDS {
        return Err(invalid(format!("At most {MAX_FLEET_IDS} fleet ids can be given in one request.")));
    }
    let found = ids.iter().filter_map(|id| lookup::fleet(call, id).ok());
    let records: Vec<T> = found.filter_map(|fleet| record(&fleet)).collect();
    writer.open_map();
    writer.member(member, &records);
    writer.close_map();
    Ok(())
}

/// `DescribeFleetAttributes`, for EC2 and Anywhere fleets.
pub(super) fn attributes(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    per_fleet(call, writer, "FleetAttributes", |fleet| fleet.attributes())
}

/// `DescribeFleetCapacity`: the home location of EC2 and container fleets.
pub(super) fn capacity(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    per_fleet(call, writer, "FleetCapacity", |fleet| fleet.capacity(fleet.home()))
}

/// `DescribeFleetUtilization`: the home location of EC2 fleets.
pub(super) fn utilization(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    per_fleet(call, writer, "FleetUtilization", |fleet| {
        if fleet.is_container() || fleet.is_anywhere() { None } else { fleet.utilization(fleet.home()) }
    })
}

/// `DescribeRuntimeConfiguration`.
pub(super) fn runtime_configuration(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: FleetInput = lookup::read(call)?;
    let fleet = lookup::server_fleet(call, &input.fleet)?;
    let configuration = fleet
        .runtime_configuration()
        .filter(|_| !fleet.is_anywhere())
        .ok_or_else(|| lookup::unfit(call, fleet.id(), "Anywhere"))?;
    in_place!({ "RuntimeConfiguration" => configuration }).write(writer);
    Ok(())
}

/// `DescribeFleetPortSettings`.
pub(super) fn port_settings(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: FleetInput = lookup::read(call)?;
    let fleet = lookup::server_fleet(call, &input.fleet)?;
    if fleet.is_anywhere() {
        return Err(lookup::unfit(call, fleet.id(), "Anywhere"));
    }
    let location = input.location.as_deref();
    if let Some(location) = location.filter(|location| fleet.capacity(location).is_none()) {
        return Err(no_location(&fleet, location));
    }
    in_place!({
        "FleetId" => fleet.id(),
        "FleetArn" => fleet.arn(),
        "InboundPermissions" => fleet.inbound_permissions(),
        "UpdateStatus" => location.and_then(|location| fleet.ports_update_status(location)),
        "Location" => location,
    })
    .write(writer);
    Ok(())
}

/// `DescribeScalingPolicies`: one record per policy and location.
pub(super) fn scaling_policies(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: PoliciesInput = lookup::read(call)?;
    let fleet = lookup::managed_fleet(call, &input.fleet)?;
    if let Some(location) = input.location.as_deref().filter(|location| fleet.capacity(location).is_none()) {
        return Err(no_location(&fleet, location));
    }
    let policies = fleet.scaling_policies().into_iter().map(|policy| {
        let key = format!("{} {}", policy.location, policy.name);
        (key, policy)
    });
    let page = Asked::new(input.limit, &input.token).cut(
        call,
        policies,
        |(key, _)| key,
        |(_, policy)| {
            input.status.as_deref().is_none_or(|status| policy.status.as_str() == status)
                && input.location.as_deref().is_none_or(|location| policy.location == location)
        },
    )?;
    writer.open_map();
    writer.member("ScalingPolicies", &page.items.iter().map(|(_, policy)| policy).collect::<Vec<_>>());
    writer.member("NextToken", &call.next_token(&page));
    writer.close_map();
    Ok(())
}
