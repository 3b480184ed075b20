//! Activity: what this installation asked AWS to change.

use liftdeck_model::action::{ActionResource, Request, ResourceKind, TerminationMode};
use liftdeck_model::activity::{
    Activity, ActivityId, ActivityOutcome, ActivitySource, EffectState, FactChange, Proof, RunId,
};
use liftdeck_model::{FleetId, Location};
use liftdeck_store::export::Format;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::goto::encoded;
use crate::wire::number::Ms;
use crate::wire::window::{Page, Range};

/// How the effect of a change stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EffectRow {
    pub(crate) state: EffectState,
    pub(crate) text: String,
    pub(crate) at_ms: Ms,
}

/// A slot kept for a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReservedSlot {
    pub(crate) player_id: String,
    pub(crate) player_session_id: String,
    /// Where the player connects to, once the session says.
    pub(crate) connection: Option<String>,
}

/// An attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActivityRow {
    pub(crate) id: String,
    pub(crate) run_id: Option<String>,
    pub(crate) at_ms: Ms,
    pub(crate) ended_ms: Option<Ms>,
    pub(crate) duration_ms: Option<Ms>,
    pub(crate) region: String,
    pub(crate) operation: String,
    pub(crate) resource_kind: ResourceKind,
    pub(crate) resource_id: String,
    pub(crate) resource_name: Option<String>,
    pub(crate) fleet_id: Option<String>,
    pub(crate) title: String,
    pub(crate) facts: Vec<FactChange>,
    pub(crate) outcome: ActivityOutcome,
    /// How that is known.
    pub(crate) proof: Proof,
    pub(crate) effect: Option<EffectRow>,
    pub(crate) source: ActivitySource,
    pub(crate) caller_arn: Option<String>,
    pub(crate) request_id: Option<String>,
    pub(crate) aws_code: Option<String>,
    pub(crate) message: Option<String>,
    /// ARN or id of what was made.
    pub(crate) made: Option<String>,
    pub(crate) made_player_sessions: Vec<ReservedSlot>,
    pub(crate) can_undo: bool,
    pub(crate) undo_of: Option<String>,
    pub(crate) undone_by: Option<String>,
    /// Address of the screen of what it concerned.
    pub(crate) link: Option<String>,
    /// The same as a command of the AWS CLI.
    pub(crate) command: String,
}

/// A question about attempts.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActivityQuery {
    pub(crate) text: String,
    /// Outcomes wanted; empty for all.
    pub(crate) outcomes: Vec<ActivityOutcome>,
    pub(crate) operation: Option<String>,
    pub(crate) resource_kind: Option<ResourceKind>,
    pub(crate) resource_id: Option<String>,
    pub(crate) fleet_id: Option<String>,
    pub(crate) run_id: Option<String>,
    pub(crate) range: Option<Range>,
    pub(crate) page: Page,
}

/// A window onto attempts, newest first.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActivityPage {
    pub(crate) rows: Vec<ActivityRow>,
    pub(crate) total: u32,
    /// Attempts of which nobody knows yet what became of them, filter or not.
    pub(crate) unsettled: u32,
}

/// How activity is written to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ActivityFormat {
    Csv,
    Ndjson,
    Json,
}

impl ActivityRow {
    /// An attempt with the one that undid it, the equivalent command, and where reserved players connect to.
    pub(crate) fn new(
        activity: Activity,
        undone_by: Option<ActivityId>,
        command: String,
        connection: Option<&str>,
    ) -> Self {
        let resource = activity.action.request.resource();
        let link = link(&activity, &resource);
        // Ids are long and their ends tell them apart.
        let called =
            activity.name.as_deref().unwrap_or_else(|| resource.id.rsplit('/').next().unwrap_or_default());
        let slot = |(player_id, player_session_id): (String, String)| ReservedSlot {
            player_id,
            player_session_id,
            connection: connection.map(str::to_owned),
        };
        Self {
            can_undo: activity.is_surely_ours() && !activity.undo.is_empty() && undone_by.is_none(),
            title: title(&activity.action.request, called),
            operation: activity.action.request.operation().to_owned(),
            id: activity.id.into_string(),
            run_id: activity.run.map(RunId::into_string),
            at_ms: activity.at.into(),
            ended_ms: activity.ended_at.map(Ms::from),
            duration_ms: activity.ended_at.map(|ended| Ms(ended.since_ms(activity.at))),
            region: activity.region.into_string(),
            resource_kind: resource.kind,
            resource_id: resource.id,
            resource_name: activity.name,
            fleet_id: activity.fleet_id.map(FleetId::into_string),
            facts: activity.facts,
            outcome: activity.outcome,
            proof: activity.proof,
            effect: activity.effect.map(|effect| EffectRow {
                state: effect.state,
                text: effect.text,
                at_ms: effect.at.into(),
            }),
            source: activity.source,
            caller_arn: activity.caller_arn,
            request_id: activity.request_id,
            aws_code: activity.aws_code,
            message: activity.message,
            made: activity.made,
            made_player_sessions: activity.made_player_sessions.into_iter().map(slot).collect(),
            undo_of: activity.undo_of.map(ActivityId::into_string),
            undone_by: undone_by.map(ActivityId::into_string),
            link,
            command,
        }
    }
}

/// What an attempt was, as people say it: the verb and the thing.
fn title(request: &Request, name: &str) -> String {
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
        Request::UpdateGameSessionQueue(_) => format!("Edit queue {name}"),
        Request::StartMatchmaking(it) => format!("Start ticket {}", it.ticket_id),
        Request::AcceptMatch(it) => format!("Answer the match of ticket {}", it.ticket_id),
        Request::StopMatchmaking(it) => format!("Stop ticket {}", it.ticket_id),
        Request::StartMatchBackfill(it) => format!("Start backfill {}", it.ticket_id),
        Request::UpdateScript(_) => format!("Update script {name}"),
    }
}

/// Where in the fleet; AWS: its home Region where none is named.
fn at(location: Option<&Location>) -> String {
    location.map(|location| format!(" in {location}")).unwrap_or_default()
}

/// The address of the screen of what an attempt concerned, or of what it made.
fn link(activity: &Activity, resource: &ActionResource) -> Option<String> {
    let made = activity.made.as_deref();
    let id = made.unwrap_or(resource.id.as_str());
    let region = encoded(activity.region.as_str());
    let screen = match &activity.action.request {
        Request::CreateGameSession(_) => made.map(|arn| format!("#/sessions/{}", encoded(arn))),
        _ => match resource.kind {
            ResourceKind::GameSession => Some(format!("#/sessions/{}", encoded(&resource.id))),
            ResourceKind::Placement => Some(format!("#/placements/{}", encoded(&resource.id))),
            ResourceKind::Alias if id.is_empty() => None,
            ResourceKind::Alias => Some(format!("#/aliases/{}", encoded(id))),
            ResourceKind::Fleet => Some(format!("#/fleets/{}/scaling", encoded(&resource.id))),
            ResourceKind::Queue => Some(format!("#/placements/queues/{region}/{}", encoded(&resource.id))),
            ResourceKind::Ticket => Some(format!("#/matchmaking/tickets/{region}/{}", encoded(&resource.id))),
            ResourceKind::Script => Some("#/builds".to_owned()),
        },
    };
    screen.or_else(|| {
        activity.fleet_id.as_ref().map(|fleet| format!("#/fleets/{}/scaling", encoded(fleet.as_str())))
    })
}

impl ActivityFormat {
    /// The ending of a file's name.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Json => "json",
        }
    }
}

impl From<ActivityFormat> for Format {
    fn from(format: ActivityFormat) -> Self {
        match format {
            ActivityFormat::Csv => Self::Csv,
            ActivityFormat::Ndjson => Self::Ndjson,
            ActivityFormat::Json => Self::Json,
        }
    }
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
        assert_eq!(title(&Request::UpdateAlias(edit), "live"), "Edit alias live");
        assert_eq!(title(&Request::UpdateAlias(repoint), "live"), "Repoint alias live");
        let capacity = |location: Option<&str>| {
            let request = UpdateFleetCapacity {
                fleet_id: "fleet-2".into(),
                location: location.map(Into::into),
                desired_instances: Some(4),
                min_size: None,
                max_size: None,
            };
            title(&Request::UpdateFleetCapacity(request), "arena")
        };
        assert_eq!(capacity(Some("eu-north-1")), "Set capacity of arena in eu-north-1");
        assert_eq!(capacity(None), "Set capacity of arena");
        let delete = DeleteAlias { alias_id: "alias-1".into() };
        assert_eq!(title(&Request::DeleteAlias(delete), "alias-1"), "Delete alias alias-1");
    }
}
