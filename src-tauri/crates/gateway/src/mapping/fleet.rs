//! Fleets from DescribeFleetAttributes, locations, computes, events.

use aws_sdk_gamelift::types;
use liftdeck_model::fleet::{
    Compute, ComputeKind, ComputeStatus, CreatorLimit, Fleet, FleetEvent, FleetLocation, FleetStatus,
    ProtectionPolicy,
};
use liftdeck_model::{BuildId, FleetId, Location, Region, ScriptId};

use super::{Lacks, moment, need, text, texts};

pub(crate) fn fleet(from: types::FleetAttributes, region: &Region) -> Result<Fleet, Lacks> {
    const RECORD: &str = "a fleet";
    Ok(Fleet {
        fleet_id: FleetId::new(need(from.fleet_id, RECORD, "FleetId")?),
        fleet_arn: from.fleet_arn,
        region: region.clone(),
        kind: kind(from.compute_type.as_ref(), from.fleet_type.as_ref()),
        name: from.name,
        description: from.description,
        status: FleetStatus::from(need(from.status, RECORD, "Status")?.as_str()),
        instance_type: text(from.instance_type),
        creation_time: from.creation_time.map(moment),
        termination_time: from.termination_time.map(moment),
        build_id: from.build_id.map(BuildId::new),
        script_id: from.script_id.map(ScriptId::new),
        operating_system: text(from.operating_system),
        new_game_session_protection_policy: protection(from.new_game_session_protection_policy.as_ref()),
        creator_limit: from.resource_creation_limit_policy.map(|policy| CreatorLimit {
            new_game_sessions_per_creator: policy.new_game_sessions_per_creator,
            policy_period_minutes: policy.policy_period_in_minutes,
        }),
        metric_groups: from.metric_groups.unwrap_or_default(),
        stopped_actions: texts(from.stopped_actions),
        instance_role_arn: from.instance_role_arn,
        certificate_type: from.certificate_configuration.and_then(|found| text(found.certificate_type)),
        anywhere_cost: from.anywhere_configuration.and_then(|found| found.cost),
        player_gateway_mode: text(from.player_gateway_mode),
        container: None,
    })
}

/// AWS omits ComputeType for fleets that are older than the field; those are managed EC2.
fn kind(compute: Option<&types::ComputeType>, fleet: Option<&types::FleetType>) -> ComputeKind {
    match (compute, fleet) {
        (Some(types::ComputeType::Anywhere), _) => ComputeKind::Anywhere,
        (_, Some(types::FleetType::Spot)) => ComputeKind::Ec2Spot,
        _ => ComputeKind::Ec2OnDemand,
    }
}

pub(crate) fn protection(policy: Option<&types::ProtectionPolicy>) -> Option<ProtectionPolicy> {
    policy.map(|policy| ProtectionPolicy::from(policy.as_str()))
}

pub(crate) fn location(from: types::LocationAttributes) -> Result<FleetLocation, Lacks> {
    const RECORD: &str = "a fleet location";
    let state = need(from.location_state, RECORD, "LocationState")?;
    Ok(FleetLocation {
        location: Location::new(need(state.location, RECORD, "Location")?),
        status: FleetStatus::from(need(state.status, RECORD, "Status")?.as_str()),
        scaling_suspended: from
            .stopped_actions
            .unwrap_or_default()
            .contains(&types::FleetAction::AutoScaling),
        update_pending: from.update_status == Some(types::LocationUpdateStatus::PendingUpdate),
        player_gateway_status: text(state.player_gateway_status),
    })
}

/// Maps an instance of managed EC2. Its id is also its compute name, which game sessions refer to.
pub(crate) fn instance(
    from: types::Instance,
    fleet: &FleetId,
    location: &Location,
) -> Result<Compute, Lacks> {
    const RECORD: &str = "an instance";
    let id = need(from.instance_id, RECORD, "InstanceId")?;
    Ok(Compute {
        fleet_id: fleet.clone(),
        compute_name: id.clone(),
        instance_id: Some(id),
        status: ComputeStatus::from(need(from.status, RECORD, "Status")?.as_str()),
        location: from.location.map_or_else(|| location.clone(), Location::new),
        instance_type: text(from.r#type),
        ip_address: from.ip_address,
        dns_name: from.dns_name,
        operating_system: text(from.operating_system),
        creation_time: from.creation_time.map(moment),
    })
}

pub(crate) fn compute(from: types::Compute, fleet: &FleetId, home: &Location) -> Result<Compute, Lacks> {
    const RECORD: &str = "a compute";
    Ok(Compute {
        fleet_id: fleet.clone(),
        compute_name: need(from.compute_name, RECORD, "ComputeName")?,
        instance_id: from.instance_id,
        status: ComputeStatus::from(need(from.compute_status, RECORD, "ComputeStatus")?.as_str()),
        location: from.location.map_or_else(|| home.clone(), Location::new),
        instance_type: text(from.r#type),
        ip_address: from.ip_address,
        dns_name: from.dns_name,
        operating_system: text(from.operating_system),
        creation_time: from.creation_time.map(moment),
    })
}

pub(crate) fn event(from: types::Event, fleet: &FleetId) -> Result<FleetEvent, Lacks> {
    const RECORD: &str = "a fleet event";
    Ok(FleetEvent {
        event_id: need(from.event_id, RECORD, "EventId")?,
        fleet_id: from.resource_id.map_or_else(|| fleet.clone(), FleetId::new),
        event_code: need(text(from.event_code), RECORD, "EventCode")?.as_str().into(),
        message: from.message,
        event_time: moment(need(from.event_time, RECORD, "EventTime")?),
        count: from.count.unwrap_or(1),
        has_log: from.pre_signed_log_url.is_some_and(|url| !url.is_empty()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes() -> types::builders::FleetAttributesBuilder {
        types::FleetAttributes::builder().fleet_id("fleet-1").status(types::FleetStatus::Active)
    }

    #[test]
    fn compute_type_decides_the_kind_before_fleet_type() {
        let region = Region::from("eu-west-1");
        let kind = |built: types::FleetAttributes| fleet(built, &region).unwrap().kind;
        assert_eq!(kind(attributes().build()), ComputeKind::Ec2OnDemand);
        assert_eq!(kind(attributes().fleet_type(types::FleetType::Spot).build()), ComputeKind::Ec2Spot);
        let anywhere =
            attributes().compute_type(types::ComputeType::Anywhere).fleet_type(types::FleetType::OnDemand);
        assert_eq!(kind(anywhere.build()), ComputeKind::Anywhere);
    }

    #[test]
    fn a_status_of_tomorrow_is_kept_as_text() {
        let built = attributes().status(types::FleetStatus::from("HIBERNATING")).build();
        let fleet = fleet(built, &Region::from("eu-west-1")).unwrap();
        assert_eq!(fleet.status, FleetStatus::Other("HIBERNATING".to_owned()));
    }

    #[test]
    fn a_fleet_without_an_id_says_what_it_lacks() {
        let lacks = fleet(types::FleetAttributes::builder().build(), &Region::from("eu-west-1")).unwrap_err();
        assert_eq!(lacks.to_string(), "a fleet came without FleetId");
    }

    #[test]
    fn a_location_tells_whether_scaling_is_suspended_and_still_changing() {
        let state =
            types::LocationState::builder().location("eu-north-1").status(types::FleetStatus::Active).build();
        let quiet = types::LocationAttributes::builder().location_state(state);
        let stopped = quiet
            .clone()
            .stopped_actions(types::FleetAction::AutoScaling)
            .update_status(types::LocationUpdateStatus::PendingUpdate);
        let (quiet, stopped) = (location(quiet.build()).unwrap(), location(stopped.build()).unwrap());
        assert!(!quiet.scaling_suspended && !quiet.update_pending);
        assert!(stopped.scaling_suspended && stopped.update_pending);
    }

    #[test]
    fn an_event_keeps_only_that_there_was_a_log() {
        let built = types::Event::builder()
            .event_id("e-1")
            .event_code(types::EventCode::from("FLEET_SCALING_EVENT"))
            .event_time(aws_sdk_gamelift::primitives::DateTime::from_secs(1))
            .pre_signed_log_url("https://example.com/log?signature=x")
            .build();
        let event = event(built, &FleetId::from("fleet-1")).unwrap();
        assert!(event.has_log);
        assert_eq!((event.count, event.fleet_id.as_str()), (1, "fleet-1"));
    }
}
