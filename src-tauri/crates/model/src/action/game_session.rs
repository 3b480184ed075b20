//! Actions on game sessions and their slots.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::rule::Rules;
use crate::game_session::GameProperty;
use crate::id::{AliasId, FleetId, GameSessionId, Location, PlayerId};

/// AWS: a game session has at most 200 slots.
const MOST_PLAYERS: i32 = 200;

/// Where a game session is created without a queue. AWS: exactly one of FleetId and AliasId.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum GameSessionTarget {
    /// The fleet itself.
    Fleet(FleetId),
    /// The fleet an alias leads to when the call arrives.
    Alias(AliasId),
}

/// CreateGameSession.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CreateGameSession {
    /// Fleet or alias.
    pub target: GameSessionTarget,
    /// Location; the home Region when absent. AWS: required for Anywhere fleets.
    pub location: Option<Location>,
    /// Slots, 1 to 200.
    pub maximum_player_session_count: i32,
    /// Name, 1 to 1024 characters.
    pub name: Option<String>,
    /// At most 16.
    pub game_properties: Vec<GameProperty>,
    /// 1 to 262 144 characters.
    pub game_session_data: Option<String>,
    /// Makes a retry harmless and becomes the last part of the ARN: 1 to 48 letters, digits and hyphens.
    pub idempotency_token: String,
    /// Required where the fleet limits sessions per creator.
    pub creator_id: Option<String>,
}

/// Whether new players may join.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr, specta::Type,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum PlayerSessionCreationPolicy {
    /// `ACCEPT_ALL`
    AcceptAll,
    /// `DENY_ALL`
    DenyAll,
}

impl PlayerSessionCreationPolicy {
    /// As the API spells it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Whether a session survives scale-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, specta::Type)]
pub enum Protection {
    /// `NoProtection`
    NoProtection,
    /// `FullProtection`
    FullProtection,
}

impl Protection {
    /// As the API spells it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// UpdateGameSession; absent fields stay unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateGameSession {
    /// Full ARN.
    pub game_session_id: GameSessionId,
    /// Name.
    pub name: Option<String>,
    /// Slots, 1 to 200.
    pub maximum_player_session_count: Option<i32>,
    /// Whether new players may join.
    pub player_session_creation_policy: Option<PlayerSessionCreationPolicy>,
    /// Whether it survives scale-in.
    pub protection_policy: Option<Protection>,
    /// Properties to add or overwrite. AWS: never deleted.
    pub game_properties: Vec<GameProperty>,
}

/// How a game session is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, specta::Type)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum TerminationMode {
    /// Asks the game server to end itself; it may never do so.
    TriggerOnProcessTerminate,
    /// Ends the server process at once.
    ForceTerminate,
}

impl TerminationMode {
    /// As the API spells it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// TerminateGameSession.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TerminateGameSession {
    /// Full ARN.
    pub game_session_id: GameSessionId,
    /// Gracefully or at once.
    pub termination_mode: TerminationMode,
}

/// A player to reserve a slot for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NewPlayerSession {
    /// Player, 1 to 1024 characters.
    pub player_id: PlayerId,
    /// 1 to 2048 characters.
    pub player_data: Option<String>,
}

/// CreatePlayerSessions, also used for a single player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CreatePlayerSessions {
    /// Full ARN.
    pub game_session_id: GameSessionId,
    /// 1 to 25 players.
    pub players: Vec<NewPlayerSession>,
}

/// AWS: GamePropertyKey at most 32, GamePropertyValue at most 96 characters, at most 16 properties. Refusing a key
/// given twice is our own rule: AWS does not say which value would win.
pub(super) fn properties(rules: &mut Rules, properties: &[GameProperty]) {
    rules.require(properties.len() <= 16, "gameProperties", || {
        format!("At most 16 properties, not {}.", properties.len())
    });
    for (index, property) in properties.iter().enumerate() {
        rules.length(&format!("gameProperties[{index}].key"), &property.key, 0, 32);
        rules.length(&format!("gameProperties[{index}].value"), &property.value, 0, 96);
        let twice = properties.iter().take(index).any(|other| other.key == property.key);
        rules.require(!twice, &format!("gameProperties[{index}].key"), || {
            "This key is already there.".to_owned()
        });
    }
}

/// AWS: LargeGameSessionData, 1 to 262 144 characters.
pub(super) fn session_data(rules: &mut Rules, data: Option<&str>) {
    if let Some(data) = data {
        rules.length("gameSessionData", data, 1, 262_144);
    }
}

pub(super) fn slots(rules: &mut Rules, count: i32) {
    rules.range("maximumPlayerSessionCount", count, 1, MOST_PLAYERS);
}

impl CreateGameSession {
    pub(super) fn check(&self, rules: &mut Rules) {
        match &self.target {
            GameSessionTarget::Fleet(fleet) => rules.fleet("target", fleet),
            GameSessionTarget::Alias(alias) => rules.prefixed("target", alias.as_str(), "alias-"),
        }
        if let Some(location) = &self.location {
            rules.location("location", location.as_str());
        }
        slots(rules, self.maximum_player_session_count);
        for (field, text) in [("name", &self.name), ("creatorId", &self.creator_id)] {
            if let Some(text) = text {
                rules.length(field, text, 1, 1024);
            }
        }
        properties(rules, &self.game_properties);
        session_data(rules, self.game_session_data.as_deref());
        rules.token("idempotencyToken", &self.idempotency_token);
    }
}

impl UpdateGameSession {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.game_session("gameSessionId", &self.game_session_id);
        if let Some(name) = &self.name {
            rules.length("name", name, 1, 1024);
        }
        if let Some(count) = self.maximum_player_session_count {
            slots(rules, count);
        }
        properties(rules, &self.game_properties);
        let nothing = self.name.is_none()
            && self.maximum_player_session_count.is_none()
            && self.player_session_creation_policy.is_none()
            && self.protection_policy.is_none()
            && self.game_properties.is_empty();
        rules.require(!nothing, "gameSessionId", || "Nothing would change.".to_owned());
    }
}

impl TerminateGameSession {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.game_session("gameSessionId", &self.game_session_id);
    }
}

impl CreatePlayerSessions {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.game_session("gameSessionId", &self.game_session_id);
        rules.require((1..=25).contains(&self.players.len()), "players", || {
            format!("From 1 to 25 players, not {}.", self.players.len())
        });
        for (index, player) in self.players.iter().enumerate() {
            rules.player(&format!("players[{index}].playerId"), &player.player_id);
            rules.player_data(&format!("players[{index}].playerData"), player.player_data.as_deref());
            let twice = self.players.iter().take(index).any(|other| other.player_id == player.player_id);
            rules.require(!twice, &format!("players[{index}].playerId"), || {
                "This player is already there.".to_owned()
            });
        }
    }
}
