//! Which calls can cause a recorded change, and whether one did: by its name, what it names, its location and the
//! value it set. The time is left to whoever knows when the change was seen.

use serde_json::Value;

use super::{TrailCall, plain};
use crate::alias::RoutingStrategy;
use crate::arn;

/// A recorded change as a call would have left it.
#[derive(Clone, Copy, Debug)]
pub struct Footprint<'a> {
    /// Kind of resource as the store names it: `alias`, `fleet_capacity` …
    pub kind: &'a str,
    /// Its id; of a scaling policy its name, or name@location.
    pub resource: &'a str,
    /// The fleet it belongs to.
    pub fleet_id: Option<&'a str>,
    /// Location.
    pub location: Option<&'a str>,
    /// Home Region.
    pub home: &'a str,
    /// The field, or `added` / `gone`.
    pub field: &'a str,
    /// Value after, as the store keeps it.
    pub after: Option<&'a str>,
}

/// Every call that can cause a change that is recorded.
pub const CAUSING_CALLS: [&str; 32] = [
    "CreateAlias",
    "UpdateAlias",
    "DeleteAlias",
    "CreateFleet",
    "CreateContainerFleet",
    "UpdateContainerFleet",
    "DeleteFleet",
    "DeleteContainerFleet",
    "UpdateFleetAttributes",
    "UpdateFleetCapacity",
    "UpdateFleetPortSettings",
    "UpdateRuntimeConfiguration",
    "CreateFleetLocations",
    "DeleteFleetLocations",
    "StopFleetActions",
    "StartFleetActions",
    "PutScalingPolicy",
    "DeleteScalingPolicy",
    "CreateGameSessionQueue",
    "UpdateGameSessionQueue",
    "DeleteGameSessionQueue",
    "CreateMatchmakingConfiguration",
    "UpdateMatchmakingConfiguration",
    "DeleteMatchmakingConfiguration",
    "CreateMatchmakingRuleSet",
    "DeleteMatchmakingRuleSet",
    "CreateBuild",
    "UpdateBuild",
    "DeleteBuild",
    "CreateScript",
    "UpdateScript",
    "DeleteScript",
];

/// The calls that can cause a change of this field of this kind of resource; none for what AWS changes by itself.
pub fn causing_calls(kind: &str, field: &str) -> &'static [&'static str] {
    match (kind, field) {
        ("alias", "added") => &["CreateAlias"],
        ("alias", "gone") => &["DeleteAlias"],
        ("alias", _) => &["UpdateAlias"],
        ("fleet", "added") => &["CreateFleet", "CreateContainerFleet"],
        ("fleet", "gone") => &["DeleteFleet", "DeleteContainerFleet"],
        ("fleet", "stopped_actions") => &["StopFleetActions", "StartFleetActions"],
        (
            "fleet",
            "name"
            | "description"
            | "new_game_session_protection_policy"
            | "resource_creation_limit_policy"
            | "metric_groups",
        ) => &["UpdateFleetAttributes", "UpdateContainerFleet"],
        ("fleet", field) if field.starts_with("resource_creation_limit_policy.") => {
            &["UpdateFleetAttributes", "UpdateContainerFleet"]
        }
        ("fleet", field) if field.starts_with("container.") => &["UpdateContainerFleet"],
        ("fleet_location", "added") => {
            &["CreateFleetLocations", "CreateFleet", "CreateContainerFleet", "UpdateContainerFleet"]
        }
        ("fleet_location", "gone") => &["DeleteFleetLocations", "UpdateContainerFleet"],
        ("fleet_location", "scaling_suspended") => &["StopFleetActions", "StartFleetActions"],
        ("fleet_capacity", "desired" | "minimum" | "maximum") => &["UpdateFleetCapacity"],
        ("scaling_policy", "gone") => &["DeleteScalingPolicy"],
        ("scaling_policy", "status") => &[],
        ("scaling_policy", _) => &["PutScalingPolicy"],
        ("runtime_configuration", _) => &["UpdateRuntimeConfiguration"],
        ("port_settings", _) => &["UpdateFleetPortSettings", "UpdateContainerFleet"],
        ("fleet_deployment", "added") => &["UpdateContainerFleet"],
        ("queue", "added") => &["CreateGameSessionQueue"],
        ("queue", "gone") => &["DeleteGameSessionQueue"],
        ("queue", _) => &["UpdateGameSessionQueue"],
        ("matchmaking_configuration", "added") => &["CreateMatchmakingConfiguration"],
        ("matchmaking_configuration", "gone") => &["DeleteMatchmakingConfiguration"],
        ("matchmaking_configuration", _) => &["UpdateMatchmakingConfiguration"],
        ("matchmaking_rule_set", "gone") => &["DeleteMatchmakingRuleSet"],
        ("matchmaking_rule_set", _) => &["CreateMatchmakingRuleSet"],
        ("build", "added") => &["CreateBuild"],
        ("build", "gone") => &["DeleteBuild"],
        ("build", "name" | "version") => &["UpdateBuild"],
        ("script", "added") => &["CreateScript"],
        ("script", "gone") => &["DeleteScript"],
        ("script", _) => &["UpdateScript"],
        _ => &[],
    }
}

impl Footprint<'_> {
    /// The calls that can have caused it.
    pub fn calls(&self) -> &'static [&'static str] {
        causing_calls(self.kind, self.field)
    }

    /// Whether this call would have left this change, whenever it was made. What a call does not tell, such as
    /// parameters that CloudTrail left out, speaks against it: a name is never guessed.
    pub fn is_left_by(&self, call: &TrailCall) -> bool {
        call.took_effect()
            && call.source == "gamelift.amazonaws.com"
            && call.region.as_str() == self.home
            && self.calls().contains(&call.event_name.as_str())
            && self.is_named_by(call)
            && self.is_at_location_of(call)
            && self.is_set_by(call)
    }

    fn is_named_by(&self, call: &TrailCall) -> bool {
        let of_fleet = || self.fleet_id.is_some_and(|fleet| call.names(&["fleetId", "fleetArn"], fleet));
        match self.kind {
            "alias" => call.names(&["aliasId", "aliasArn"], self.resource),
            "fleet" => call.names(&["fleetId", "fleetArn"], self.resource),
            "scaling_policy" => {
                let policy = self.resource.split_once('@').map_or(self.resource, |(name, _)| name);
                of_fleet() && call.parameter("name").as_deref() == Some(policy)
            }
            "queue" | "matchmaking_configuration" | "matchmaking_rule_set" => {
                call.names(&["name"], self.resource)
            }
            "build" => call.names(&["buildId", "buildArn"], self.resource),
            "script" => call.names(&["scriptId", "scriptArn"], self.resource),
            _ => of_fleet(),
        }
    }

    fn is_at_location_of(&self, call: &TrailCall) -> bool {
        let asked = call.parameter("location");
        let asked = asked.as_deref().unwrap_or(self.home);
        match (self.kind, self.field) {
            ("fleet_capacity", _) => self.location.is_none_or(|at| at == asked),
            ("fleet_location", "scaling_suspended") => self.resource == asked,
            ("fleet_location", _) => lists_location(&call.request, self.resource),
            // Of the fleet itself, stopped actions are those of its home Region.
            ("fleet", "stopped_actions") => asked == self.home,
            _ => true,
        }
    }

    /// Whether the call set the field to the value that was seen, as far as the call tells.
    fn is_set_by(&self, call: &TrailCall) -> bool {
        let became = |parameter: Option<String>| parameter.as_deref() == self.after && self.after.is_some();
        let has = |member: &str| call.request.get(member).is_some_and(|value| !value.is_null());
        match (self.kind, self.field) {
            ("fleet_capacity", "desired") => became(call.parameter("desiredInstances")),
            ("fleet_capacity", "minimum") => became(call.parameter("minSize")),
            ("fleet_capacity", "maximum") => became(call.parameter("maxSize")),
            ("fleet_location", "scaling_suspended") => self.is_switched_by(call),
            ("fleet", "stopped_actions") => self.is_switched_by(call),
            ("alias", "routing") => call.request.get("routingStrategy").is_some_and(|to| self.is_routed(to)),
            ("queue", "timeout_seconds") => became(call.parameter("timeoutInSeconds")),
            ("queue", "destinations") => has("destinations"),
            ("queue", "player_latency_policies") => has("playerLatencyPolicies"),
            ("scaling_policy", "target_value") => {
                let target = call.request.get("targetConfiguration").and_then(|it| it.get("targetValue"));
                let after = self.after.and_then(|after| after.parse::<f64>().ok());
                after.is_some() && target.and_then(Value::as_f64) == after
            }
            ("alias" | "fleet" | "build" | "script", "name") => became(call.parameter("name")),
            ("alias" | "fleet", "description") => has("description"),
            ("build" | "script", "version") => became(call.parameter("version")),
            ("fleet", "new_game_session_protection_policy") => {
                became(call.parameter("newGameSessionProtectionPolicy"))
            }
            ("matchmaking_configuration", "rule_set_name") => became(call.parameter("ruleSetName")),
            _ => true,
        }
    }

    /// Suspended and resumed scaling have a call each.
    fn is_switched_by(&self, call: &TrailCall) -> bool {
        let stopped = match self.after {
            Some("true") => true,
            Some("false") | None => false,
            Some(actions) => actions.contains("AUTO_SCALING"),
        };
        (call.event_name == "StopFleetActions") == stopped
    }

    fn is_routed(&self, to: &Value) -> bool {
        let after = self.after.and_then(|after| serde_json::from_str::<RoutingStrategy>(after).ok());
        match after {
            Some(RoutingStrategy::Simple { fleet_id }) => {
                let led = to.get("fleetId").and_then(Value::as_str);
                led.is_some_and(|id| arn::id_of(id) == fleet_id.as_str())
            }
            Some(RoutingStrategy::Terminal { message }) => {
                to.get("message").and_then(plain).as_deref() == Some(message.as_str())
            }
            None => false,
        }
    }
}

/// Whether the parameters list a location: as a text, or as an object that names it. A call that lists none is about
/// the home Region.
fn lists_location(request: &Value, location: &str) -> bool {
    let Some(listed) = request.get("locations").and_then(Value::as_array) else { return true };
    let is_it = |item: &Value| item.as_str().or_else(|| item.get("location")?.as_str()) == Some(location);
    listed.iter().any(is_it)
}
