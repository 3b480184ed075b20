//! What an operator may ask GameLift to change: one action is one call on one resource, in the API's own words.
//!
//! Owns the values, what they are about and how they are named. Deliberately sends nothing, asks nobody's consent and
//! knows no present: the guard does all three. The rules of each field are in the submodules, next to the field.

mod alias;
mod command;
mod fleet;
mod game_session;
mod matchmaking;
mod placement;
mod queue;
mod rule;
mod script;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::id::{FleetId, Region};

pub use alias::{CreateAlias, DeleteAlias, UpdateAlias};
pub use fleet::{
    DeleteScalingPolicy, PutScalingPolicy, RuleBasedScaling, ScalingRule, SetFleetActions,
    UpdateFleetAttributes, UpdateFleetCapacity,
};
pub use game_session::{
    CreateGameSession, CreatePlayerSessions, GameSessionTarget, NewPlayerSession,
    PlayerSessionCreationPolicy, Protection, TerminateGameSession, TerminationMode, UpdateGameSession,
};
pub use matchmaking::{
    AcceptMatch, AttributeValue, MatchPlayer, PlayerAttribute, StartMatchBackfill, StartMatchmaking,
    StopMatchmaking,
};
pub use placement::{
    PlacementPlayer, PriorityOverride, RegionLatency, StartGameSessionPlacement, StopGameSessionPlacement,
};
pub use queue::{LatencyPolicy, UpdateGameSessionQueue};
pub use rule::FieldError;
pub use script::{MOST_ZIP_BYTES, UpdateScript, ZipFile};

/// One change of one resource of one Region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// Home Region of the resource, where the call goes.
    pub region: Region,
    /// What is asked.
    pub request: Request,
}

/// The call, under the name of its operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, IntoStaticStr, specta::Type)]
#[serde(tag = "operation")]
pub enum Request {
    /// A game session on a fleet or through an alias.
    CreateGameSession(CreateGameSession),
    /// Name, slots, properties, policy or protection of a game session.
    UpdateGameSession(UpdateGameSession),
    /// The end of a game session.
    TerminateGameSession(TerminateGameSession),
    /// Slots of a game session kept for players.
    CreatePlayerSessions(CreatePlayerSessions),
    /// A game session through a queue.
    StartGameSessionPlacement(StartGameSessionPlacement),
    /// The end of a placement that is still PENDING.
    StopGameSessionPlacement(StopGameSessionPlacement),
    /// A new alias.
    CreateAlias(CreateAlias),
    /// Name, description or routing of an alias; a repoint is this.
    UpdateAlias(UpdateAlias),
    /// The end of an alias.
    DeleteAlias(DeleteAlias),
    /// Desired, minimum or maximum instances of a location.
    UpdateFleetCapacity(UpdateFleetCapacity),
    /// A new or changed scaling policy.
    PutScalingPolicy(PutScalingPolicy),
    /// The end of a scaling policy.
    DeleteScalingPolicy(DeleteScalingPolicy),
    /// Scaling suspended.
    StopFleetActions(SetFleetActions),
    /// Scaling resumed.
    StartFleetActions(SetFleetActions),
    /// Protection of new game sessions of a fleet.
    UpdateFleetAttributes(UpdateFleetAttributes),
    /// Destinations, timeout or latency policies of a queue.
    UpdateGameSessionQueue(UpdateGameSessionQueue),
    /// A matchmaking ticket.
    StartMatchmaking(StartMatchmaking),
    /// Players' answers to a proposed match.
    AcceptMatch(AcceptMatch),
    /// The end of a ticket, of a match or of a backfill.
    StopMatchmaking(StopMatchmaking),
    /// New players for a running match.
    StartMatchBackfill(StartMatchBackfill),
    /// Name, version or files of a Realtime script.
    UpdateScript(UpdateScript),
}

/// What an action is about, as lists and filters name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ActionResource {
    /// Kind.
    pub kind: ResourceKind,
    /// Id, ARN or name: whatever names the resource in the API. Empty for what has no id before it is made.
    pub id: String,
    /// The fleet concerned, where one is.
    pub fleet_id: Option<FleetId>,
}

/// Kinds of resources that can be changed.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    specta::Type,
    IntoStaticStr,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "snake_case")]
pub enum ResourceKind {
    /// A game session, by ARN.
    GameSession,
    /// A placement, by id.
    Placement,
    /// An alias, by id.
    Alias,
    /// A fleet, by id.
    Fleet,
    /// A queue, by name.
    Queue,
    /// A matchmaking ticket, by id.
    Ticket,
    /// A Realtime script, by id.
    Script,
}

impl Request {
    /// The API's name of the operation.
    pub fn operation(&self) -> &'static str {
        self.into()
    }

    /// What the call is about.
    pub fn resource(&self) -> ActionResource {
        let about = |kind, id: &str, fleet_id: Option<&FleetId>| ActionResource {
            kind,
            id: id.to_owned(),
            fleet_id: fleet_id.cloned(),
        };
        let session = |id: &crate::id::GameSessionId| ActionResource {
            kind: ResourceKind::GameSession,
            id: id.as_str().to_owned(),
            fleet_id: id.fleet_id(),
        };
        match self {
            Self::CreateGameSession(it) => match &it.target {
                GameSessionTarget::Fleet(fleet) => about(ResourceKind::Fleet, fleet.as_str(), Some(fleet)),
                GameSessionTarget::Alias(alias) => about(ResourceKind::Alias, alias.as_str(), None),
            },
            Self::UpdateGameSession(it) => session(&it.game_session_id),
            Self::TerminateGameSession(it) => session(&it.game_session_id),
            Self::CreatePlayerSessions(it) => session(&it.game_session_id),
            Self::StartGameSessionPlacement(it) => {
                about(ResourceKind::Placement, it.placement_id.as_str(), None)
            }
            Self::StopGameSessionPlacement(it) => {
                about(ResourceKind::Placement, it.placement_id.as_str(), None)
            }
            Self::CreateAlias(_) => about(ResourceKind::Alias, "", None),
            Self::UpdateAlias(it) => about(ResourceKind::Alias, it.alias_id.as_str(), None),
            Self::DeleteAlias(it) => about(ResourceKind::Alias, it.alias_id.as_str(), None),
            Self::UpdateFleetCapacity(it) => {
                about(ResourceKind::Fleet, it.fleet_id.as_str(), Some(&it.fleet_id))
            }
            Self::PutScalingPolicy(it) => {
                about(ResourceKind::Fleet, it.fleet_id.as_str(), Some(&it.fleet_id))
            }
            Self::DeleteScalingPolicy(it) => {
                about(ResourceKind::Fleet, it.fleet_id.as_str(), Some(&it.fleet_id))
            }
            Self::StopFleetActions(it) | Self::StartFleetActions(it) => {
                about(ResourceKind::Fleet, it.fleet_id.as_str(), Some(&it.fleet_id))
            }
            Self::UpdateFleetAttributes(it) => {
                about(ResourceKind::Fleet, it.fleet_id.as_str(), Some(&it.fleet_id))
            }
            Self::UpdateGameSessionQueue(it) => about(ResourceKind::Queue, it.name.as_str(), None),
            Self::StartMatchmaking(it) => about(ResourceKind::Ticket, it.ticket_id.as_str(), None),
            Self::AcceptMatch(it) => about(ResourceKind::Ticket, it.ticket_id.as_str(), None),
            Self::StopMatchmaking(it) => about(ResourceKind::Ticket, it.ticket_id.as_str(), None),
            Self::StartMatchBackfill(it) => about(ResourceKind::Ticket, it.ticket_id.as_str(), None),
            Self::UpdateScript(it) => about(ResourceKind::Script, it.script_id.as_str(), None),
        }
    }

    /// Everything the service would refuse for its form alone, field by field; empty when nothing is wrong.
    pub fn check(&self) -> Vec<FieldError> {
        let mut rules = rule::Rules::default();
        match self {
            Self::CreateGameSession(it) => it.check(&mut rules),
            Self::UpdateGameSession(it) => it.check(&mut rules),
            Self::TerminateGameSession(it) => it.check(&mut rules),
            Self::CreatePlayerSessions(it) => it.check(&mut rules),
            Self::StartGameSessionPlacement(it) => it.check(&mut rules),
            Self::StopGameSessionPlacement(it) => it.check(&mut rules),
            Self::CreateAlias(it) => it.check(&mut rules),
            Self::UpdateAlias(it) => it.check(&mut rules),
            Self::DeleteAlias(it) => it.check(&mut rules),
            Self::UpdateFleetCapacity(it) => it.check(&mut rules),
            Self::PutScalingPolicy(it) => it.check(&mut rules),
            Self::DeleteScalingPolicy(it) => it.check(&mut rules),
            Self::StopFleetActions(it) | Self::StartFleetActions(it) => it.check(&mut rules),
            Self::UpdateFleetAttributes(it) => it.check(&mut rules),
            Self::UpdateGameSessionQueue(it) => it.check(&mut rules),
            Self::StartMatchmaking(it) => it.check(&mut rules),
            Self::AcceptMatch(it) => it.check(&mut rules),
            Self::StopMatchmaking(it) => it.check(&mut rules),
            Self::StartMatchBackfill(it) => it.check(&mut rules),
            Self::UpdateScript(it) => it.check(&mut rules),
        }
        rules.found()
    }
}

#[cfg(test)]
mod tests;
