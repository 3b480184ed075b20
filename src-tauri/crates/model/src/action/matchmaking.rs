//! Actions on FlexMatch tickets and backfills.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::placement::RegionLatency;
use super::rule::Rules;
use crate::id::{GameSessionId, PlayerId, TicketId};

/// A player attribute's value, as a rule set may ask for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum AttributeValue {
    /// `S`
    Text(String),
    /// `N`
    Number(f64),
    /// `SL`
    TextList(Vec<String>),
    /// `SDM`
    NumberMap(BTreeMap<String, f64>),
}

/// A player's attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerAttribute {
    /// Name, as the rule set spells it.
    pub name: String,
    /// Value.
    pub value: AttributeValue,
}

/// A player of a ticket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MatchPlayer {
    /// Player.
    pub player_id: PlayerId,
    /// Team; only for a backfill, where it is required.
    pub team: Option<String>,
    /// At most 10.
    pub attributes: Vec<PlayerAttribute>,
    /// Latencies to Regions, as measured by the player.
    pub latencies: Vec<RegionLatency>,
}

/// StartMatchmaking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StartMatchmaking {
    /// Configuration, by name.
    pub configuration_name: String,
    /// Chosen by the caller: 1 to 128 letters, digits, hyphens and dots.
    pub ticket_id: TicketId,
    /// 1 to 10 players.
    pub players: Vec<MatchPlayer>,
}

/// AcceptMatch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AcceptMatch {
    /// Ticket in REQUIRES_ACCEPTANCE.
    pub ticket_id: TicketId,
    /// Players who answer.
    pub player_ids: Vec<PlayerId>,
    /// `ACCEPT` if true, else `REJECT`.
    pub accept: bool,
}

/// StopMatchmaking, for tickets and backfills alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StopMatchmaking {
    /// Ticket.
    pub ticket_id: TicketId,
}

/// StartMatchBackfill. AWS: only for game sessions created by FlexMatch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StartMatchBackfill {
    /// Configuration, by name.
    pub configuration_name: String,
    /// Chosen by the caller.
    pub ticket_id: TicketId,
    /// Full ARN of the running session.
    pub game_session_id: GameSessionId,
    /// All players currently in it.
    pub players: Vec<MatchPlayer>,
}

/// AWS: MatchmakingIdStringModel, `[a-zA-Z0-9-.]*`, at most 128.
fn ticket(rules: &mut Rules, ticket: &TicketId) {
    rules.length("ticketId", ticket.as_str(), 1, 128);
    rules.letters("ticketId", ticket.as_str(), "-.", "Only letters, digits, hyphens and dots.");
}

/// AWS: MatchmakingConfigurationName, `[a-zA-Z0-9-.]*`. AWS also accepts the ARN, which is refused here as for
/// fleets.
fn configuration(rules: &mut Rules, name: &str) {
    rules.length("configurationName", name, 1, 128);
    rules.letters(
        "configurationName",
        name,
        "-.",
        "The name of a configuration has letters, digits, hyphens and dots only; its ARN is not its name.",
    );
}

fn players(rules: &mut Rules, players: &[MatchPlayer], most: usize) {
    rules.require((1..=most).contains(&players.len()), "players", || {
        format!("From 1 to {most} players, not {}.", players.len())
    });
    for (index, player) in players.iter().enumerate() {
        let field = format!("players[{index}]");
        rules.player(&format!("{field}.playerId"), &player.player_id);
        if let Some(team) = &player.team {
            rules.length(&format!("{field}.team"), team, 1, 1024);
        }
        rules.require(player.attributes.len() <= 10, &format!("{field}.attributes"), || {
            format!("At most 10 attributes, not {}.", player.attributes.len())
        });
        for (at, attribute) in player.attributes.iter().enumerate() {
            let field = format!("{field}.attributes[{at}]");
            rules.length(&format!("{field}.name"), &attribute.name, 1, 1024);
            value(rules, &format!("{field}.value"), &attribute.value);
        }
        for (at, latency) in player.latencies.iter().enumerate() {
            let field = format!("{field}.latencies[{at}]");
            rules.required(&format!("{field}.region"), &latency.region);
            // AWS: PositiveInteger, unlike the latencies of a placement.
            rules.require(latency.latency_ms >= 1, &format!("{field}.latencyMs"), || {
                "At least 1 ms.".to_owned()
            });
        }
    }
}

/// AWS: PlayerAttributeString 1 to 100; quotas: 100 texts in a list, 10 pairs in a map.
fn value(rules: &mut Rules, field: &str, value: &AttributeValue) {
    let number = |rules: &mut Rules, number: f64| {
        rules.require(number.is_finite(), field, || "A number.".to_owned());
    };
    match value {
        AttributeValue::Text(text) => rules.length(field, text, 1, 100),
        AttributeValue::Number(found) => number(rules, *found),
        AttributeValue::TextList(texts) => {
            rules.require(texts.len() <= 100, field, || format!("At most 100 texts, not {}.", texts.len()));
            for text in texts {
                rules.length(field, text, 1, 100);
            }
        }
        AttributeValue::NumberMap(pairs) => {
            rules.require(pairs.len() <= 10, field, || format!("At most 10 pairs, not {}.", pairs.len()));
            for (key, found) in pairs {
                rules.length(field, key, 1, 100);
                number(rules, *found);
            }
        }
    }
}

impl StartMatchmaking {
    pub(super) fn check(&self, rules: &mut Rules) {
        configuration(rules, &self.configuration_name);
        ticket(rules, &self.ticket_id);
        // AWS: at most 10 players in a ticket.
        players(rules, &self.players, 10);
    }
}

impl AcceptMatch {
    pub(super) fn check(&self, rules: &mut Rules) {
        ticket(rules, &self.ticket_id);
        rules.require(!self.player_ids.is_empty(), "playerIds", || "Name at least one player.".to_owned());
        for (index, id) in self.player_ids.iter().enumerate() {
            rules.player(&format!("playerIds[{index}]"), id);
        }
    }
}

impl StopMatchmaking {
    pub(super) fn check(&self, rules: &mut Rules) {
        ticket(rules, &self.ticket_id);
    }
}

impl StartMatchBackfill {
    pub(super) fn check(&self, rules: &mut Rules) {
        configuration(rules, &self.configuration_name);
        ticket(rules, &self.ticket_id);
        rules.game_session("gameSessionId", &self.game_session_id);
        // AWS: a match has at most 200 players.
        players(rules, &self.players, 200);
    }
}
