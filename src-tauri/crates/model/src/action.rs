//! Changes an operator may ask GameLift to make: one action is one call on one resource, in the API's own words.
//!
//! Owns the values, the resource each concerns and their names. Deliberately sends nothing, asks for no consent and
//! does not know the current state: the guard does all three. The rules of each field are in the submodules, next to
//! the field.

mod alias;
mod amendment;
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

use crate::id::{FleetId, Location, Region};

pub use alias::{CreateAlias, DeleteAlias, UpdateAlias};
pub use amendment::{NothingToAmend, RuleAmendment};
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
pub use queue::{CreateGameSessionQueue, LatencyPolicy, UpdateGameSessionQueue, is_fifo, topic_region};
pub use rule::FieldError;
pub use script::{MOST_ZIP_BYTES, UpdateScript, ZipFile};

/// One change to one resource in one Region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// Home Region of the resource, where the call goes.
    pub region: Region,
    /// The change requested.
    pub request: Request,
}

/// The call, under the name of its operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, IntoStaticStr, specta::Type)]
#[serde(tag = "operation")]
pub enum Request {
    /// Creates a game session on a fleet or through an alias.
    CreateGameSession(CreateGameSession),
    /// Changes name, slots, properties, policy or protection of a game session.
    UpdateGameSession(UpdateGameSession),
    /// Ends a game session.
    TerminateGameSession(TerminateGameSession),
    /// Reserves slots of a game session for players.
    CreatePlayerSessions(CreatePlayerSessions),
    /// Starts a game session through a queue.
    StartGameSessionPlacement(StartGameSessionPlacement),
    /// Ends a placement that is still PENDING.
    StopGameSessionPlacement(StopGameSessionPlacement),
    /// Creates an alias.
    CreateAlias(CreateAlias),
    /// Changes name, description or routing of an alias; also used to repoint it.
    UpdateAlias(UpdateAlias),
    /// Deletes an alias.
    DeleteAlias(DeleteAlias),
    /// Changes desired, minimum or maximum instances of a location.
    UpdateFleetCapacity(UpdateFleetCapacity),
    /// Creates or changes a scaling policy.
    PutScalingPolicy(PutScalingPolicy),
    /// Deletes a scaling policy.
    DeleteScalingPolicy(DeleteScalingPolicy),
    /// Suspends scaling.
    StopFleetActions(SetFleetActions),
    /// Resumes scaling.
    StartFleetActions(SetFleetActions),
    /// Changes the protection of new game sessions of a fleet.
    UpdateFleetAttributes(UpdateFleetAttributes),
    /// Creates a queue.
    CreateGameSessionQueue(CreateGameSessionQueue),
    /// Changes destinations, timeout, latency policies or notification target of a queue.
    UpdateGameSessionQueue(UpdateGameSessionQueue),
    /// Starts a matchmaking ticket.
    StartMatchmaking(StartMatchmaking),
    /// Accepts or rejects a proposed match for players.
    AcceptMatch(AcceptMatch),
    /// Ends a ticket, whether for a match or for a backfill.
    StopMatchmaking(StopMatchmaking),
    /// Requests new players for a running match.
    StartMatchBackfill(StartMatchBackfill),
    /// Changes name, version or files of a Realtime script.
    UpdateScript(UpdateScript),
}

/// The resource an action concerns, as named in lists and filters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ActionResource {
    /// Kind.
    pub kind: ResourceKind,
    /// Id, ARN or name: whatever identifies the resource in the API. Empty if it has no id before it is created.
    pub id: String,
    /// The fleet concerned, if any.
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

    /// The resource the call concerns.
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
            Self::CreateGameSessionQueue(it) => about(ResourceKind::Queue, it.name.as_str(), None),
            Self::UpdateGameSessionQueue(it) => about(ResourceKind::Queue, it.name.as_str(), None),
            Self::StartMatchmaking(it) => about(ResourceKind::Ticket, it.ticket_id.as_str(), None),
            Self::AcceptMatch(it) => about(ResourceKind::Ticket, it.ticket_id.as_str(), None),
            Self::StopMatchmaking(it) => about(ResourceKind::Ticket, it.ticket_id.as_str(), None),
            Self::StartMatchBackfill(it) => about(ResourceKind::Ticket, it.ticket_id.as_str(), None),
            Self::UpdateScript(it) => about(ResourceKind::Script, it.script_id.as_str(), None),
        }
    }

    /// The location the call names, if any: a fleet may have a change per location.
    pub fn location(&self) -> Option<&Location> {
        match self {
            Self::UpdateFleetCapacity(it) => it.location.as_ref(),
            Self::StopFleetActions(it) | Self::StartFleetActions(it) => it.location.as_ref(),
            Self::CreateGameSession(it) => it.location.as_ref(),
            _ => None,
        }
    }

    /// Returns everything the service would refuse for its form alone, field by field; empty when nothing is wrong.
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
            Self::CreateGameSessionQueue(it) => it.check(&mut rules),
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
