//! What a recorded call set, as the changes it would have left: for calls whose effect no poll saw, because it was made
//! before anybody looked or was taken back between two polls.

use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::trail::TrailCall;
use liftdeck_model::{Location, arn};
use liftdeck_store::reader::change::ChangeRow;
use serde_json::Value;

use super::Names;

/// The changes that a call would have left; none for a call that sets nothing that is told. What was there before is
/// not known.
pub(super) fn rows(call: &TrailCall, names: &Names) -> Vec<ChangeRow> {
    let fleet = call.parameter("fleetId").or_else(|| answered(call, "fleetId"));
    let fleet = fleet.map(|id| arn::id_of(&id).to_owned());
    let is_new = call.event_name.starts_with("Create");
    let is_gone = call.event_name.starts_with("Delete");
    let row = |kind: &str, resource: String, field: &str, after: Option<String>| ChangeRow {
        change_key: 0,
        seen_at: call.at,
        region: call.region.clone(),
        kind: kind.to_owned(),
        name: None,
        fleet_id: None,
        fleet_name: None,
        location: None,
        field: if is_new {
            "added"
        } else if is_gone {
            "gone"
        } else {
            field
        }
        .to_owned(),
        before: None,
        after: after.filter(|_| !is_new && !is_gone),
        since_at: Some(call.at),
        resource,
    };
    let of_fleet = |kind: &str, resource: Option<String>, field: &str, after: Option<String>| {
        let fleet = fleet.clone()?;
        let row = row(kind, resource.unwrap_or_else(|| fleet.clone()), field, after);
        let id = liftdeck_model::FleetId::from(fleet.as_str());
        Some(ChangeRow {
            fleet_name: names.fleets.get(&id).cloned().or(Some(fleet)),
            fleet_id: Some(id),
            ..row
        })
    };
    let place = || {
        let location = call.parameter("location").unwrap_or_else(|| call.region.as_str().to_owned());
        Location::new(location)
    };
    match call.event_name.as_str() {
        "CreateAlias" | "UpdateAlias" | "DeleteAlias" => {
            let id = call.parameter("aliasId").or_else(|| answered(call, "aliasId"));
            let Some(id) = id.map(|id| arn::id_of(&id).to_owned()) else { return Vec::new() };
            let name = call.parameter("name").or_else(|| answered(call, "name"));
            let routing = call.request.get("routingStrategy").and_then(routing);
            let mut set = vec![("routing", routing)];
            set.extend(["name", "description"].map(|field| (field, call.parameter(field))));
            let set = set.into_iter().filter(|(_, after)| after.is_some() && !is_new && !is_gone);
            let whole = (is_new || is_gone).then_some(("", None));
            let rows = set.chain(whole).map(|(field, after)| row("alias", id.clone(), field, after));
            rows.map(|row| ChangeRow { name: name.clone(), ..row }).collect()
        }
        "UpdateFleetCapacity" => {
            let counts = [("desired", "desiredInstances"), ("minimum", "minSize"), ("maximum", "maxSize")];
            let set = counts.into_iter().filter_map(|(field, member)| {
                of_fleet("fleet_capacity", None, field, Some(call.parameter(member)?))
            });
            set.map(|row| ChangeRow { location: Some(place()), ..row }).collect()
        }
        "StopFleetActions" | "StartFleetActions" => {
            let stopped = (call.event_name == "StopFleetActions").to_string();
            let at = place();
            let row = of_fleet("fleet_location", Some(at.to_string()), "scaling_suspended", Some(stopped));
            row.map(|row| ChangeRow { location: Some(at), ..row }).into_iter().collect()
        }
        "PutScalingPolicy" | "DeleteScalingPolicy" => {
            let Some(name) = call.parameter("name") else { return Vec::new() };
            let target = call.request.get("targetConfiguration").and_then(|it| it.get("targetValue"));
            let (field, after) = match target {
                Some(target) => ("target_value", Some(target.to_string())),
                None => ("threshold", call.parameter("threshold")),
            };
            let row = of_fleet("scaling_policy", Some(name.clone()), field, after);
            row.map(|row| ChangeRow { name: Some(name), ..row }).into_iter().collect()
        }
        "CreateGameSessionQueue" | "UpdateGameSessionQueue" | "DeleteGameSessionQueue" => {
            let Some(name) = call.parameter("name") else { return Vec::new() };
            let name = arn::id_of(&name).to_owned();
            let set = [
                ("timeout_seconds", call.parameter("timeoutInSeconds")),
                ("destinations", call.request.get("destinations").and_then(destinations)),
                ("player_latency_policies", call.request.get("playerLatencyPolicies").map(Value::to_string)),
            ];
            let set = set.into_iter().filter(|(_, after)| after.is_some() && !is_new && !is_gone);
            let whole = (is_new || is_gone).then_some(("", None));
            let rows = set.chain(whole).map(|(field, after)| row("queue", name.clone(), field, after));
            rows.map(|row| ChangeRow { name: Some(name.clone()), ..row }).collect()
        }
        "CreateMatchmakingConfiguration"
        | "UpdateMatchmakingConfiguration"
        | "DeleteMatchmakingConfiguration" => {
            let Some(name) = call.parameter("name") else { return Vec::new() };
            let name = arn::id_of(&name).to_owned();
            let settings = [
                ("rule_set_name", "ruleSetName"),
                ("request_timeout_seconds", "requestTimeoutSeconds"),
                ("acceptance_required", "acceptanceRequired"),
                ("acceptance_timeout_seconds", "acceptanceTimeoutSeconds"),
                ("additional_player_count", "additionalPlayerCount"),
                ("backfill_mode", "backfillMode"),
            ];
            let set = settings.map(|(field, member)| (field, call.parameter(member)));
            let set = set.into_iter().filter(|(_, after)| after.is_some() && !is_new && !is_gone);
            let whole = (is_new || is_gone).then_some(("", None));
            let rows = set.chain(whole);
            let rows =
                rows.map(|(field, after)| row("matchmaking_configuration", name.clone(), field, after));
            rows.map(|row| ChangeRow { name: Some(name.clone()), ..row }).collect()
        }
        "CreateScript" | "UpdateScript" | "DeleteScript" => {
            let id = call.parameter("scriptId").or_else(|| answered(call, "scriptId"));
            let Some(id) = id.map(|id| arn::id_of(&id).to_owned()) else { return Vec::new() };
            let name = call.parameter("name").or_else(|| answered(call, "name"));
            let row = row("script", id, "version", call.parameter("version"));
            vec![ChangeRow { name, ..row }]
        }
        "UpdateRuntimeConfiguration" => {
            of_fleet("runtime_configuration", None, "server_processes", None).into_iter().collect()
        }
        "CreateFleet" | "CreateContainerFleet" | "DeleteFleet" | "DeleteContainerFleet" => {
            of_fleet("fleet", None, "", None).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// A text of the answer's only record, such as `alias` or `script`.
fn answered(call: &TrailCall, member: &str) -> Option<String> {
    let records = call.response.as_object()?;
    let found = records.values().find_map(|record| record.get(member)).or_else(|| records.get(member))?;
    found.as_str().map(str::to_owned)
}

/// A routing strategy as the store keeps it.
fn routing(strategy: &Value) -> Option<String> {
    let text = |member: &str| strategy.get(member).and_then(Value::as_str);
    let routing = match (text("fleetId"), text("message")) {
        (Some(fleet), _) => RoutingStrategy::Simple { fleet_id: arn::id_of(fleet).into() },
        (None, Some(message)) => RoutingStrategy::Terminal { message: message.to_owned() },
        (None, None) => return None,
    };
    serde_json::to_string(&routing).ok()
}

fn destinations(listed: &Value) -> Option<String> {
    let arns = listed.as_array()?.iter().filter_map(|one| one.get("destinationArn")?.as_str());
    serde_json::to_string(&arns.collect::<Vec<_>>()).ok()
}
