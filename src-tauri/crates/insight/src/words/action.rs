//! Attempted changes, as text.

use liftdeck_model::Location;
use liftdeck_model::action::{Request, TerminationMode};

/// Describes an attempt in everyday words: the verb and the thing.
pub fn action(request: &Request, name: &str) -> String {
    match request {
        Request::CreateGameSession(_) => format!("Create a game session by {name}"),
        Request::UpdateGameSession(_) => format!("Update game session {name}"),
        Request::TerminateGameSession(it) => match it.termination_mode {
            TerminationMode::TriggerOnProcessTerminate => format!("Terminate game session {name}"),
            TerminationMode::ForceTerminate => format!("Terminate game session {name} at once"),
        },
        Request::CreatePlayerSessions(_) => format!("Reserve slots in {name}"),
        Request::StartGameSessionPlacement(it) => format!("Start placement {}", it.placement_id),
        Request::StopGameSessionPlacement(it) => format!("Stop placement {}", it.placement_id),
        Request::CreateAlias(it) => format!("Create alias {}", it.name),
        Request::UpdateAlias(it) if it.routing.is_some() => format!("Repoint alias {name}"),
        Request::UpdateAlias(_) => format!("Edit alias {name}"),
        Request::DeleteAlias(_) => format!("Delete alias {name}"),
        Request::UpdateFleetCapacity(it) => format!("Set capacity of {name}{}", at(it.location.as_ref())),
        Request::PutScalingPolicy(it) => format!("Put scaling policy {} of {name}", it.name),
        Request::DeleteScalingPolicy(it) => format!("Delete scaling policy {} of {name}", it.name),
        Request::StopFleetActions(it) => format!("Suspend scaling of {name}{}", at(it.location.as_ref())),
        Request::StartFleetActions(it) => format!("Resume scaling of {name}{}", at(it.location.as_ref())),
        Request::UpdateFleetAttributes(_) => format!("Set protection of {name}"),
        Request::CreateGameSessionQueue(it) => format!("Create queue {}", it.name),
        Request::UpdateGameSessionQueue(_) => format!("Edit queue {name}"),
        Request::StartMatchmaking(it) => format!("Start ticket {}", it.ticket_id),
        Request::AcceptMatch(it) => format!("Answer the match of ticket {}", it.ticket_id),
        Request::StopMatchmaking(it) => format!("Stop ticket {}", it.ticket_id),
        Request::StartMatchBackfill(it) => format!("Start backfill {}", it.ticket_id),
        Request::UpdateScript(_) => format!("Update script {name}"),
    }
}

/// The location in the fleet. AWS: the fleet's home Region if none is given.
fn at(location: Option<&Location>) -> String {
    location.map(|location| format!(" in {location}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use liftdeck_model::action::{DeleteAlias, UpdateAlias, UpdateFleetCapacity};
    use liftdeck_model::alias::RoutingStrategy;

    use super::*;

    #[test]
    fn a_title_names_the_thing_and_tells_a_repoint_from_an_edit() {
        let edit = UpdateAlias {
            alias_id: "alias-1".into(),
            name: Some("live".to_owned()),
            description: None,
            routing: None,
        };
        let to = RoutingStrategy::Simple { fleet_id: "fleet-2".into() };
        let repoint = UpdateAlias { routing: Some(to), ..edit.clone() };
        assert_eq!(action(&Request::UpdateAlias(edit), "live"), "Edit alias live");
        assert_eq!(action(&Request::UpdateAlias(repoint), "live"), "Repoint alias live");
        let capacity = |location: Option<&str>| {
            let request = UpdateFleetCapacity {
                fleet_id: "fleet-2".into(),
                location: location.map(Into::into),
                desired_instances: Some(4),
                min_size: None,
                max_size: None,
            };
            action(&Request::UpdateFleetCapacity(request), "arena")
        };
        assert_eq!(capacity(Some("eu-north-1")), "Set capacity of arena in eu-north-1");
        assert_eq!(capacity(None), "Set capacity of arena");
        let delete = DeleteAlias { alias_id: "alias-1".into() };
        assert_eq!(action(&Request::DeleteAlias(delete), "alias-1"), "Delete alias alias-1");
    }
}
