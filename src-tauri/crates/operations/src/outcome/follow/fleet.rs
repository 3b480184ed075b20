//! Effects on fleets: capacity, scaling policies, suspended scaling, protection.

use liftdeck_model::action::{ScalingRule, UpdateFleetAttributes, UpdateFleetCapacity};
use liftdeck_model::fleet::{Fleet, FleetCapacity, FleetLocation, ScalingPolicy};

use super::verdict::Verdict;
use crate::words::Sight;

/// AWS: a change of capacity takes up to a minute to show. After this time, another value was set by somebody else.
const SHOWN_AFTER_MS: i64 = 90_000;

/// Whether a location has the requested capacity, and the instances for it.
pub(super) fn capacity(asked: &UpdateFleetCapacity, found: &FleetCapacity, age_ms: i64) -> Verdict {
    let differs = |wanted: Option<i32>, is: i32| wanted.is_some_and(|wanted| wanted != is);
    let location = found.location.clone();
    if differs(asked.min_size, found.minimum) || differs(asked.max_size, found.maximum) {
        return Verdict::Awaited(Sight::LimitsStill {
            location,
            minimum: found.minimum,
            maximum: found.maximum,
        });
    }
    let Some(wanted) = asked.desired_instances else {
        return Verdict::Seen(Sight::LimitsAre { location, minimum: found.minimum, maximum: found.maximum });
    };
    if found.desired != wanted {
        return if age_ms < SHOWN_AFTER_MS {
            Verdict::Awaited(Sight::DesiredStill { location, desired: found.desired })
        } else {
            Verdict::Missed(Sight::DesiredOverridden { location, desired: found.desired, wanted })
        };
    }
    if found.active == wanted && found.pending == 0 {
        return Verdict::Seen(Sight::InstancesActive { location, count: wanted });
    }
    Verdict::Awaited(Sight::InstancesOnTheWay { found: found.clone(), wanted })
}

/// Whether a policy is in force as requested, in every location.
pub(super) fn policy_put(name: &str, rule: &ScalingRule, found: &[ScalingPolicy]) -> Verdict {
    let policy = name.to_owned();
    let ours: Vec<&ScalingPolicy> = found.iter().filter(|policy| policy.name == name).collect();
    if ours.is_empty() {
        return Verdict::Awaited(Sight::PolicyNotShown { policy });
    }
    if let Some(failed) = ours.iter().find(|policy| policy.status.as_deref() == Some("ERROR")) {
        return Verdict::Missed(Sight::PolicyInError { policy, location: failed.location.clone() });
    }
    let in_force = |policy: &&&ScalingPolicy| {
        policy.status.as_deref() == Some("ACTIVE") && policy.update_status.is_none() && is_as(rule, policy)
    };
    let (ready, all) = (ours.iter().filter(in_force).count(), ours.len());
    if ready == all {
        Verdict::Seen(Sight::PolicyInForce { policy })
    } else {
        Verdict::Awaited(Sight::PolicyInSome { policy, ready, all })
    }
}

fn is_as(rule: &ScalingRule, policy: &ScalingPolicy) -> bool {
    match rule {
        ScalingRule::TargetBased { target_value } => policy.target_value == Some(*target_value),
        ScalingRule::RuleBased(rule) => {
            policy.metric_name == rule.metric_name
                && policy.threshold == Some(rule.threshold)
                && policy.comparison_operator.as_deref() == Some(rule.comparison_operator.as_str())
                && policy.evaluation_periods == Some(rule.evaluation_periods)
                && policy.scaling_adjustment == Some(rule.scaling_adjustment)
        }
    }
}

/// Whether a policy is gone.
pub(super) fn policy_deleted(name: &str, found: &[ScalingPolicy]) -> Verdict {
    let policy = name.to_owned();
    let left = found
        .iter()
        .filter(|policy| policy.name == name && policy.status.as_deref() != Some("DELETED"))
        .count();
    if left == 0 {
        Verdict::Seen(Sight::PolicyGone { policy })
    } else {
        Verdict::Awaited(Sight::PolicyShownStill { policy })
    }
}

/// Whether scaling is suspended, or resumed, in a location.
pub(super) fn scaling(suspend: bool, here: &str, found: Option<&FleetLocation>) -> Verdict {
    let location = here.to_owned();
    let Some(found) = found else {
        return Verdict::Missed(Sight::NoSuchLocation { location });
    };
    if found.scaling_suspended == suspend && !found.update_pending {
        Verdict::Seen(Sight::ScalingIs { suspended: suspend, location })
    } else {
        Verdict::Awaited(Sight::ScalingNotYet { suspended: suspend, location })
    }
}

/// Whether new game sessions are protected as requested.
pub(super) fn protection(asked: &UpdateFleetAttributes, found: Option<&Fleet>) -> Verdict {
    let wanted = asked.new_game_session_protection_policy.as_str();
    match found {
        None => Verdict::Missed(Sight::FleetForgotten),
        Some(fleet)
            if fleet.new_game_session_protection_policy.as_ref().is_some_and(|is| is.as_str() == wanted) =>
        {
            Verdict::Seen(Sight::ProtectionIs { protection: wanted })
        }
        Some(_) => Verdict::Awaited(Sight::ProtectionNotYet { protection: wanted }),
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::fleet::{FleetStatus, PolicyType};
    use liftdeck_model::{FleetId, Location};

    use super::*;

    fn asked(desired: Option<i32>) -> UpdateFleetCapacity {
        UpdateFleetCapacity {
            fleet_id: FleetId::from("fleet-1"),
            location: None,
            desired_instances: desired,
            min_size: Some(1),
            max_size: None,
        }
    }

    fn found(desired: i32, active: i32) -> FleetCapacity {
        FleetCapacity {
            fleet_id: FleetId::from("fleet-1"),
            location: Location::from("eu-west-1"),
            desired,
            minimum: 1,
            maximum: 10,
            pending: (desired - active).max(0),
            active,
            idle: 0,
            terminating: 0,
            zero_capacity_strategy: None,
            container_groups: None,
        }
    }

    #[test]
    fn capacity_is_seen_once_the_instances_are_there() {
        assert!(matches!(capacity(&asked(Some(8)), &found(4, 4), 1_000), Verdict::Awaited(_)));
        assert!(matches!(capacity(&asked(Some(8)), &found(8, 5), 60_000), Verdict::Awaited(_)));
        let seen = capacity(&asked(Some(8)), &found(8, 8), 60_000);
        let Verdict::Seen(sight) = seen else { panic!("they are there") };
        assert_eq!(sight.to_string(), "eu-west-1 has 8 instances active.");
    }

    #[test]
    fn limits_alone_are_seen_without_counting_instances() {
        assert!(matches!(capacity(&asked(None), &found(8, 5), 1), Verdict::Seen(_)));
        let other = UpdateFleetCapacity { max_size: Some(20), ..asked(None) };
        assert!(matches!(capacity(&other, &found(8, 5), 1), Verdict::Awaited(_)));
    }

    #[test]
    fn capacity_that_a_policy_overrode_is_missed_with_what_to_do() {
        let Verdict::Missed(why) = capacity(&asked(Some(8)), &found(5, 5), SHOWN_AFTER_MS) else {
            panic!("overridden")
        };
        assert!(matches!(why, Sight::DesiredOverridden { desired: 5, wanted: 8, .. }), "{why}");
    }

    fn policy(location: &str, target: f64, update: Option<&str>) -> ScalingPolicy {
        ScalingPolicy {
            fleet_id: FleetId::from("fleet-1"),
            name: "spare".to_owned(),
            location: Some(Location::from(location)),
            status: Some("ACTIVE".to_owned()),
            policy_type: PolicyType::TargetBased,
            metric_name: "PercentAvailableGameSessions".to_owned(),
            target_value: Some(target),
            comparison_operator: None,
            threshold: None,
            evaluation_periods: None,
            scaling_adjustment_type: None,
            scaling_adjustment: None,
            update_status: update.map(str::to_owned),
        }
    }

    #[test]
    fn a_policy_is_seen_once_every_location_has_it() {
        let rule = ScalingRule::TargetBased { target_value: 20.0 };
        assert!(matches!(policy_put("spare", &rule, &[]), Verdict::Awaited(_)));
        let half = [policy("eu-west-1", 20.0, None), policy("eu-north-1", 10.0, Some("PENDING_UPDATE"))];
        let awaited = Verdict::Awaited(Sight::PolicyInSome { policy: "spare".to_owned(), ready: 1, all: 2 });
        assert_eq!(policy_put("spare", &rule, &half), awaited);
        let whole = [policy("eu-west-1", 20.0, None), policy("eu-north-1", 20.0, None)];
        assert!(matches!(policy_put("spare", &rule, &whole), Verdict::Seen(_)));
        assert!(matches!(policy_deleted("spare", &whole), Verdict::Awaited(_)));
        assert!(matches!(policy_deleted("spare", &[]), Verdict::Seen(_)));
    }

    #[test]
    fn suspended_scaling_is_seen_once_the_location_has_taken_it() {
        let mut place = FleetLocation {
            location: Location::from("eu-west-1"),
            status: FleetStatus::Active,
            scaling_suspended: true,
            update_pending: true,
            player_gateway_status: None,
        };
        assert!(matches!(scaling(true, "eu-west-1", Some(&place)), Verdict::Awaited(_)));
        place.update_pending = false;
        assert!(matches!(scaling(true, "eu-west-1", Some(&place)), Verdict::Seen(_)));
        assert!(matches!(scaling(false, "eu-west-1", Some(&place)), Verdict::Awaited(_)));
        assert!(matches!(scaling(true, "mars-1", None), Verdict::Missed(_)));
    }
}
