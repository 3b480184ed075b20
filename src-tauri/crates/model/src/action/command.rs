//! The `aws gamelift …` command that does the same as an action.
//!
//! Owns the syntax of the AWS CLI, for people to copy. Deliberately runs nothing. Lists and structures are written as
//! JSON, which the CLI accepts everywhere and which allows commas in names.

use serde_json::{Map, Value, json};

use super::{
    Action, AttributeValue, CreateGameSession, CreateGameSessionQueue, CreatePlayerSessions,
    GameSessionTarget, MatchPlayer, PlacementPlayer, PutScalingPolicy, Request, ScalingRule, SetFleetActions,
    StartGameSessionPlacement, UpdateFleetCapacity, UpdateGameSession, UpdateGameSessionQueue, UpdateScript,
};
use crate::alias::RoutingStrategy;
use crate::game_session::GameProperty;
use crate::visible::{is_unseen, visible, visible_json};

impl Action {
    /// Returns the equivalent command on one line, quoted for bash or zsh. The zip of a script is given by its path.
    pub fn aws_command(&self, profile: Option<&str>, endpoint_url: Option<&str>) -> String {
        let mut line = CommandLine(format!("aws gamelift {}", kebab(self.request.operation())));
        self.request.options(&mut line);
        line.text("region", self.region.as_str());
        line.maybe("profile", profile);
        line.maybe("endpoint-url", endpoint_url);
        line.0
    }
}

/// A command line being built.
struct CommandLine(String);

impl CommandLine {
    fn text(&mut self, option: &str, value: &str) {
        // A value that begins with a hyphen would be taken for another option.
        let between = if value.starts_with('-') { '=' } else { ' ' };
        self.0.push_str(&format!(" --{option}{between}{}", quoted(value)));
    }

    fn maybe(&mut self, option: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(option, value);
        }
    }

    fn number(&mut self, option: &str, value: Option<i32>) {
        self.maybe(option, value.map(|value| value.to_string()).as_deref());
    }

    fn json(&mut self, option: &str, value: &Value) {
        self.text(option, &visible_json(&value.to_string()));
    }

    fn properties(&mut self, properties: &[GameProperty]) {
        if !properties.is_empty() {
            let list = properties.iter().map(|found| json!({ "Key": found.key, "Value": found.value }));
            self.json("game-properties", &list.collect());
        }
    }

    fn routing(&mut self, routing: &RoutingStrategy) {
        self.json(
            "routing-strategy",
            &match routing {
                RoutingStrategy::Simple { fleet_id } => {
                    json!({ "Type": "SIMPLE", "FleetId": fleet_id.as_str() })
                }
                RoutingStrategy::Terminal { message } => json!({ "Type": "TERMINAL", "Message": message }),
            },
        );
    }
}

impl Request {
    fn options(&self, line: &mut CommandLine) {
        match self {
            Self::CreateGameSession(it) => create_game_session(it, line),
            Self::UpdateGameSession(it) => update_game_session(it, line),
            Self::TerminateGameSession(it) => {
                line.text("game-session-id", it.game_session_id.as_str());
                line.text("termination-mode", it.termination_mode.as_str());
            }
            Self::CreatePlayerSessions(it) => create_player_sessions(it, line),
            Self::StartGameSessionPlacement(it) => start_placement(it, line),
            Self::StopGameSessionPlacement(it) => line.text("placement-id", it.placement_id.as_str()),
            Self::CreateAlias(it) => {
                line.text("name", &it.name);
                line.maybe("description", it.description.as_deref());
                line.routing(&it.routing);
            }
            Self::UpdateAlias(it) => {
                line.text("alias-id", it.alias_id.as_str());
                line.maybe("name", it.name.as_deref());
                line.maybe("description", it.description.as_deref());
                if let Some(routing) = &it.routing {
                    line.routing(routing);
                }
            }
            Self::DeleteAlias(it) => line.text("alias-id", it.alias_id.as_str()),
            Self::UpdateFleetCapacity(it) => update_fleet_capacity(it, line),
            Self::PutScalingPolicy(it) => put_scaling_policy(it, line),
            Self::DeleteScalingPolicy(it) => {
                line.text("fleet-id", it.fleet_id.as_str());
                line.text("name", &it.name);
            }
            Self::StopFleetActions(it) | Self::StartFleetActions(it) => fleet_actions(it, line),
            Self::UpdateFleetAttributes(it) => {
                line.text("fleet-id", it.fleet_id.as_str());
                line.text(
                    "new-game-session-protection-policy",
                    it.new_game_session_protection_policy.as_str(),
                );
            }
            Self::CreateGameSessionQueue(it) => create_queue(it, line),
            Self::UpdateGameSessionQueue(it) => update_queue(it, line),
            Self::StartMatchmaking(it) => {
                line.text("configuration-name", &it.configuration_name);
                line.text("ticket-id", it.ticket_id.as_str());
                line.json("players", &it.players.iter().map(match_player).collect());
            }
            Self::AcceptMatch(it) => {
                line.text("ticket-id", it.ticket_id.as_str());
                line.json("player-ids", &it.player_ids.iter().map(|id| json!(id.as_str())).collect());
                line.text("acceptance-type", if it.accept { "ACCEPT" } else { "REJECT" });
            }
            Self::StopMatchmaking(it) => line.text("ticket-id", it.ticket_id.as_str()),
            Self::StartMatchBackfill(it) => {
                line.text("configuration-name", &it.configuration_name);
                line.text("ticket-id", it.ticket_id.as_str());
                line.text("game-session-arn", it.game_session_id.as_str());
                line.json("players", &it.players.iter().map(match_player).collect());
            }
            Self::UpdateScript(it) => update_script(it, line),
        }
    }
}

fn create_game_session(it: &CreateGameSession, line: &mut CommandLine) {
    match &it.target {
        GameSessionTarget::Fleet(fleet) => line.text("fleet-id", fleet.as_str()),
        GameSessionTarget::Alias(alias) => line.text("alias-id", alias.as_str()),
    }
    line.maybe("location", it.location.as_ref().map(AsRef::as_ref));
    line.number("maximum-player-session-count", Some(it.maximum_player_session_count));
    line.maybe("name", it.name.as_deref());
    line.properties(&it.game_properties);
    line.maybe("game-session-data", it.game_session_data.as_deref());
    line.maybe("creator-id", it.creator_id.as_deref());
    line.text("idempotency-token", &it.idempotency_token);
}

fn update_game_session(it: &UpdateGameSession, line: &mut CommandLine) {
    line.text("game-session-id", it.game_session_id.as_str());
    line.maybe("name", it.name.as_deref());
    line.number("maximum-player-session-count", it.maximum_player_session_count);
    line.maybe(
        "player-session-creation-policy",
        it.player_session_creation_policy.map(super::PlayerSessionCreationPolicy::as_str),
    );
    line.maybe("protection-policy", it.protection_policy.map(super::Protection::as_str));
    line.properties(&it.game_properties);
}

fn create_player_sessions(it: &CreatePlayerSessions, line: &mut CommandLine) {
    line.text("game-session-id", it.game_session_id.as_str());
    line.json("player-ids", &it.players.iter().map(|player| json!(player.player_id.as_str())).collect());
    let given =
        it.players.iter().filter_map(|player| Some((&player.player_id, player.player_data.as_ref()?)));
    let data: Map<String, Value> = given.map(|(id, data)| (id.as_str().to_owned(), json!(data))).collect();
    if !data.is_empty() {
        line.json("player-data-map", &Value::Object(data));
    }
}

fn start_placement(it: &StartGameSessionPlacement, line: &mut CommandLine) {
    line.text("placement-id", it.placement_id.as_str());
    line.text("game-session-queue-name", it.game_session_queue_name.as_str());
    line.number("maximum-player-session-count", Some(it.maximum_player_session_count));
    line.maybe("game-session-name", it.game_session_name.as_deref());
    line.properties(&it.game_properties);
    line.maybe("game-session-data", it.game_session_data.as_deref());
    if !it.players.is_empty() {
        line.json("desired-player-sessions", &it.players.iter().map(desired_player_session).collect());
    }
    let latencies: Vec<Value> = it.players.iter().flat_map(player_latencies).collect();
    if !latencies.is_empty() {
        line.json("player-latencies", &Value::Array(latencies));
    }
    if let Some(order) = &it.priority_override {
        let strategy = if order.fall_back { "DEFAULT_AFTER_SINGLE_PASS" } else { "NONE" };
        line.json(
            "priority-configuration-override",
            &json!({ "PlacementFallbackStrategy": strategy, "LocationOrder": order.location_order }),
        );
    }
}

fn desired_player_session(player: &PlacementPlayer) -> Value {
    let mut to = Map::from_iter([("PlayerId".to_owned(), json!(player.player_id.as_str()))]);
    if let Some(data) = &player.player_data {
        to.insert("PlayerData".to_owned(), json!(data));
    }
    Value::Object(to)
}

fn player_latencies(player: &PlacementPlayer) -> impl Iterator<Item = Value> + '_ {
    player.latencies.iter().map(|latency| {
        json!({
            "PlayerId": player.player_id.as_str(),
            "RegionIdentifier": latency.region,
            "LatencyInMilliseconds": latency.latency_ms,
        })
    })
}

fn update_fleet_capacity(it: &UpdateFleetCapacity, line: &mut CommandLine) {
    line.text("fleet-id", it.fleet_id.as_str());
    line.maybe("location", it.location.as_ref().map(AsRef::as_ref));
    line.number("desired-instances", it.desired_instances);
    line.number("min-size", it.min_size);
    line.number("max-size", it.max_size);
}

fn put_scaling_policy(it: &PutScalingPolicy, line: &mut CommandLine) {
    line.text("fleet-id", it.fleet_id.as_str());
    line.text("name", &it.name);
    match &it.rule {
        ScalingRule::TargetBased { target_value } => {
            line.text("policy-type", "TargetBased");
            line.text("metric-name", "PercentAvailableGameSessions");
            line.json("target-configuration", &json!({ "TargetValue": target_value }));
        }
        ScalingRule::RuleBased(rule) => {
            line.text("policy-type", "RuleBased");
            line.text("metric-name", &rule.metric_name);
            line.text("comparison-operator", &rule.comparison_operator);
            line.text("threshold", &rule.threshold.to_string());
            line.number("evaluation-periods", Some(rule.evaluation_periods));
            line.text("scaling-adjustment-type", &rule.scaling_adjustment_type);
            line.number("scaling-adjustment", Some(rule.scaling_adjustment));
        }
    }
}

fn fleet_actions(it: &SetFleetActions, line: &mut CommandLine) {
    line.text("fleet-id", it.fleet_id.as_str());
    line.text("actions", "AUTO_SCALING");
    line.maybe("location", it.location.as_ref().map(AsRef::as_ref));
}

fn create_queue(it: &CreateGameSessionQueue, line: &mut CommandLine) {
    line.text("name", it.name.as_str());
    line.number("timeout-in-seconds", it.timeout_seconds);
    if !it.destinations.is_empty() {
        line.json("destinations", &destinations(&it.destinations));
    }
    if !it.player_latency_policies.is_empty() {
        line.json("player-latency-policies", &latency_policies(&it.player_latency_policies));
    }
    if !it.allowed_locations.is_empty() {
        line.json("filter-configuration", &json!({ "AllowedLocations": it.allowed_locations }));
    }
    let orders = [("PriorityOrder", &it.priority_order), ("LocationOrder", &it.location_order)];
    let given = orders.into_iter().filter(|(_, order)| !order.is_empty());
    let priorities: Map<String, Value> = given.map(|(name, order)| (name.to_owned(), json!(order))).collect();
    if !priorities.is_empty() {
        line.json("priority-configuration", &Value::Object(priorities));
    }
    line.maybe("custom-event-data", it.custom_event_data.as_deref());
    line.maybe("notification-target", it.notification_target.as_deref());
}

fn update_queue(it: &UpdateGameSessionQueue, line: &mut CommandLine) {
    line.text("name", it.name.as_str());
    line.number("timeout-in-seconds", it.timeout_seconds);
    if let Some(arns) = &it.destinations {
        line.json("destinations", &destinations(arns));
    }
    if let Some(policies) = &it.player_latency_policies {
        line.json("player-latency-policies", &latency_policies(policies));
    }
    line.maybe("notification-target", it.notification_target.as_deref());
}

fn destinations(arns: &[String]) -> Value {
    arns.iter().map(|arn| json!({ "DestinationArn": arn })).collect()
}

fn latency_policies(policies: &[super::LatencyPolicy]) -> Value {
    let policy = |from: &super::LatencyPolicy| {
        let members = [
            ("MaximumIndividualPlayerLatencyMilliseconds", from.maximum_individual_player_latency_ms),
            ("PolicyDurationSeconds", from.policy_duration_seconds),
        ];
        let given = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?))));
        Value::Object(given.collect())
    };
    policies.iter().map(policy).collect()
}

fn match_player(from: &MatchPlayer) -> Value {
    let mut to = Map::from_iter([("PlayerId".to_owned(), json!(from.player_id.as_str()))]);
    if let Some(team) = &from.team {
        to.insert("Team".to_owned(), json!(team));
    }
    if !from.attributes.is_empty() {
        let attributes = from.attributes.iter().map(|found| (found.name.clone(), attribute(&found.value)));
        to.insert("PlayerAttributes".to_owned(), Value::Object(attributes.collect()));
    }
    if !from.latencies.is_empty() {
        let latencies =
            from.latencies.iter().map(|latency| (latency.region.clone(), json!(latency.latency_ms)));
        to.insert("LatencyInMs".to_owned(), Value::Object(latencies.collect()));
    }
    Value::Object(to)
}

fn attribute(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::Text(text) => json!({ "S": text }),
        AttributeValue::Number(number) => json!({ "N": number }),
        AttributeValue::TextList(texts) => json!({ "SL": texts }),
        AttributeValue::NumberMap(numbers) => json!({ "SDM": numbers }),
    }
}

fn update_script(it: &UpdateScript, line: &mut CommandLine) {
    line.text("script-id", it.script_id.as_str());
    line.maybe("name", it.name.as_deref());
    // The AWS CLI reserves `--version` for itself.
    line.maybe("script-version", it.version.as_deref());
    line.maybe("zip-file", it.zip_file.as_ref().map(|zip| format!("fileb://{}", zip.path)).as_deref());
}

/// Converts a name such as `UpdateGameSessionQueue` to the CLI's `update-game-session-queue`.
fn kebab(operation: &str) -> String {
    let mut to = String::with_capacity(operation.len() + 4);
    for letter in operation.chars() {
        if letter.is_ascii_uppercase() && !to.is_empty() {
            to.push('-');
        }
        to.push(letter.to_ascii_lowercase());
    }
    to
}

/// Quotes one word for a shell. Line breaks, control characters and invisible characters are escaped (bash and zsh
/// read `$'…'`), so that the command stays on one line, cannot control the terminal that shows it, and runs exactly
/// as it reads.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@,+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if visible(word) == word {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut to = String::from("$'");
    for letter in word.chars() {
        match letter {
            '\'' | '\\' => to.extend(['\\', letter]),
            '\n' => to.push_str("\\n"),
            '\t' => to.push_str("\\t"),
            unseen if is_unseen(unseen) => {
                let number = u32::from(unseen);
                to.push_str(&if number > 0xffff {
                    format!("\\U{number:08x}")
                } else {
                    format!("\\u{number:04x}")
                });
            }
            letter => to.push(letter),
        }
    }
    to.push('\'');
    to
}

#[cfg(test)]
mod tests;
