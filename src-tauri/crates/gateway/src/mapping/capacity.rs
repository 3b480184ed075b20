//! Instance counts and load of a fleet's location.

use aws_sdk_gamelift::types;
use liftdeck_model::fleet::{ContainerGroupCounts, FleetCapacity, FleetUtilization, InstanceLimit};
use liftdeck_model::{FleetId, Location};

use super::{Lacks, need, text};

/// `asked` is the location that was requested, used when the response does not name one.
pub(crate) fn capacity(from: types::FleetCapacity, asked: &Location) -> Result<FleetCapacity, Lacks> {
    const RECORD: &str = "a fleet capacity";
    let counts = need(from.instance_counts, RECORD, "InstanceCounts")?;
    Ok(FleetCapacity {
        fleet_id: FleetId::new(need(from.fleet_id, RECORD, "FleetId")?),
        location: from.location.map_or_else(|| asked.clone(), Location::new),
        desired: need(counts.desired, RECORD, "DESIRED")?,
        minimum: need(counts.minimum, RECORD, "MINIMUM")?,
        maximum: need(counts.maximum, RECORD, "MAXIMUM")?,
        pending: need(counts.pending, RECORD, "PENDING")?,
        active: need(counts.active, RECORD, "ACTIVE")?,
        idle: need(counts.idle, RECORD, "IDLE")?,
        terminating: need(counts.terminating, RECORD, "TERMINATING")?,
        zero_capacity_strategy: from
            .managed_capacity_configuration
            .and_then(|configuration| text(configuration.zero_capacity_strategy)),
        container_groups: from.game_server_container_group_counts.map(|counts| ContainerGroupCounts {
            pending: counts.pending.unwrap_or_default(),
            active: counts.active.unwrap_or_default(),
            idle: counts.idle.unwrap_or_default(),
            terminating: counts.terminating.unwrap_or_default(),
        }),
    })
}

/// `asked` is the location that was requested, used when the response does not name one.
pub(crate) fn utilization(
    from: types::FleetUtilization,
    asked: &Location,
) -> Result<FleetUtilization, Lacks> {
    const RECORD: &str = "a fleet utilization";
    Ok(FleetUtilization {
        fleet_id: FleetId::new(need(from.fleet_id, RECORD, "FleetId")?),
        location: from.location.map_or_else(|| asked.clone(), Location::new),
        active_server_process_count: need(
            from.active_server_process_count,
            RECORD,
            "ActiveServerProcessCount",
        )?,
        active_game_session_count: need(from.active_game_session_count, RECORD, "ActiveGameSessionCount")?,
        current_player_session_count: need(
            from.current_player_session_count,
            RECORD,
            "CurrentPlayerSessionCount",
        )?,
        maximum_player_session_count: need(
            from.maximum_player_session_count,
            RECORD,
            "MaximumPlayerSessionCount",
        )?,
    })
}

/// `asked` is the location that was requested, used when the response does not name one.
pub(crate) fn instance_limit(
    from: types::Ec2InstanceLimit,
    asked: &Location,
) -> Result<InstanceLimit, Lacks> {
    const RECORD: &str = "an instance limit";
    Ok(InstanceLimit {
        instance_type: need(text(from.ec2_instance_type), RECORD, "EC2InstanceType")?,
        location: from.location.map_or_else(|| asked.clone(), Location::new),
        current: need(from.current_instances, RECORD, "CurrentInstances")?,
        limit: need(from.instance_limit, RECORD, "InstanceLimit")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts() -> types::builders::Ec2InstanceCountsBuilder {
        types::Ec2InstanceCounts::builder()
            .desired(3)
            .minimum(1)
            .maximum(10)
            .pending(1)
            .active(2)
            .idle(0)
            .terminating(0)
    }

    #[test]
    fn a_count_that_did_not_come_is_not_taken_for_zero() {
        let built = types::FleetCapacity::builder()
            .fleet_id("fleet-1")
            .instance_counts(counts().set_active(None).build());
        let lacks = capacity(built.build(), &Location::from("eu-west-1")).unwrap_err();
        assert_eq!(lacks.to_string(), "a fleet capacity came without ACTIVE");
    }

    #[test]
    fn an_answer_without_a_location_is_about_the_location_asked() {
        let built = types::FleetCapacity::builder().fleet_id("fleet-1").instance_counts(counts().build());
        let capacity = capacity(built.build(), &Location::from("eu-north-1")).unwrap();
        assert_eq!((capacity.location.as_str(), capacity.desired, capacity.active), ("eu-north-1", 3, 2));
    }

    #[test]
    fn an_instance_limit_that_did_not_come_is_not_taken_for_none() {
        let asked = Location::from("eu-north-1");
        let built = || types::Ec2InstanceLimit::builder().ec2_instance_type("c5.large".into());
        let limit = instance_limit(built().current_instances(3).instance_limit(3).build(), &asked).unwrap();
        assert_eq!((limit.location.as_str(), limit.current, limit.limit), ("eu-north-1", 3, 3));
        let lacks = instance_limit(built().current_instances(3).build(), &asked).unwrap_err();
        assert_eq!(lacks.to_string(), "an instance limit came without InstanceLimit");
    }
}
