//! Changes of one run that contradict each other: they are sent side by side, so it is not certain that the last one
//! wins.
//!
//! Owns what counts as the same target. Deliberately reads nothing.

use std::collections::HashSet;

use liftdeck_model::Location;
use liftdeck_model::action::{Action, Request};

/// Finds the first change whose target another change of the same run also sets, to the same value or not.
pub(super) fn twice(actions: &[Action]) -> Option<&Action> {
    let mut seen = HashSet::new();
    actions.iter().find(|action| target(&action.request).is_some_and(|of| !seen.insert((&action.region, of))))
}

/// Returns what a change sets: two changes of the same target contradict each other. `None` if each makes something
/// new.
fn target(request: &Request) -> Option<(&'static str, String, String)> {
    let place = |location: &Option<Location>| location.as_ref().map(ToString::to_string).unwrap_or_default();
    let part = match request {
        Request::CreateAlias(_) | Request::CreatePlayerSessions(_) | Request::AcceptMatch(_) => return None,
        Request::CreateGameSession(it) => it.idempotency_token.clone(),
        Request::UpdateFleetCapacity(it) => place(&it.location),
        Request::StopFleetActions(it) | Request::StartFleetActions(it) => place(&it.location),
        Request::PutScalingPolicy(it) => it.name.clone(),
        Request::DeleteScalingPolicy(it) => it.name.clone(),
        _ => String::new(),
    };
    Some((request.operation(), request.resource().id, part))
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Region;
    use liftdeck_model::action::{
        CreateAlias, DeleteScalingPolicy, PutScalingPolicy, ScalingRule, SetFleetActions, UpdateAlias,
        UpdateFleetCapacity,
    };
    use liftdeck_model::alias::RoutingStrategy;

    use super::*;

    fn on(region: &str, request: Request) -> Action {
        Action { region: Region::from(region), request }
    }

    /// Whether two changes of one Region contradict each other.
    fn contradict(one: Request, other: Request) -> bool {
        let actions = [on("eu-west-1", one), on("eu-west-1", other)];
        twice(&actions).inspect(|found| assert_eq!(*found, &actions[1])).is_some()
    }

    fn capacity(location: Option<&str>, desired: i32) -> Request {
        Request::UpdateFleetCapacity(UpdateFleetCapacity {
            fleet_id: "fleet-1".into(),
            location: location.map(Into::into),
            desired_instances: Some(desired),
            min_size: None,
            max_size: None,
        })
    }

    fn actions_of(location: &str) -> SetFleetActions {
        SetFleetActions { fleet_id: "fleet-1".into(), location: Some(location.into()) }
    }

    fn policy(name: &str) -> Request {
        Request::PutScalingPolicy(PutScalingPolicy {
            fleet_id: "fleet-1".into(),
            name: name.to_owned(),
            rule: ScalingRule::TargetBased { target_value: 10.0 },
        })
    }

    fn no_policy(name: &str) -> Request {
        Request::DeleteScalingPolicy(DeleteScalingPolicy {
            fleet_id: "fleet-1".into(),
            name: name.to_owned(),
        })
    }

    #[test]
    fn two_changes_of_one_setting_contradict_each_other_whatever_they_set() {
        assert!(contradict(capacity(None, 1), capacity(None, 2)));
        assert!(contradict(capacity(Some("eu-north-1"), 1), capacity(Some("eu-north-1"), 1)));
        assert!(contradict(policy("buffer"), policy("buffer")));
        assert!(contradict(no_policy("buffer"), no_policy("buffer")));
        let stop = || Request::StopFleetActions(actions_of("eu-north-1"));
        assert!(contradict(stop(), stop()));
        let alias = |message: &str| {
            Request::UpdateAlias(UpdateAlias {
                alias_id: "alias-1".into(),
                name: None,
                description: None,
                routing: Some(RoutingStrategy::Terminal { message: message.to_owned() }),
            })
        };
        assert!(contradict(alias("closed"), alias("back at noon")));
    }

    #[test]
    fn other_locations_policies_and_regions_are_other_targets() {
        assert!(!contradict(capacity(None, 1), capacity(Some("eu-north-1"), 1)));
        assert!(!contradict(capacity(Some("us-east-1"), 1), capacity(Some("eu-north-1"), 1)));
        assert!(!contradict(policy("buffer"), policy("night")));
        assert!(!contradict(no_policy("buffer"), no_policy("night")));
        for act in [Request::StopFleetActions, Request::StartFleetActions] {
            assert!(!contradict(act(actions_of("eu-north-1")), act(actions_of("us-east-1"))));
        }
        let two = [on("eu-west-1", capacity(None, 1)), on("us-east-1", capacity(None, 1))];
        assert_eq!(twice(&two), None);
    }

    #[test]
    fn what_makes_something_new_each_time_contradicts_nothing() {
        let alias = || {
            Request::CreateAlias(CreateAlias {
                name: "arena".to_owned(),
                description: None,
                routing: RoutingStrategy::Simple { fleet_id: "fleet-1".into() },
            })
        };
        assert!(!contradict(alias(), alias()));
    }
}
