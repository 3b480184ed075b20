//! Configuration tables. Each has few rows and is read whole.

use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::content::{Build, Script};
use liftdeck_model::fleet::{ComputeKind, Fleet, FleetLocation, ScalingPolicy};
use liftdeck_model::observation::PollKind;
use liftdeck_model::queue::GameSessionQueue;
use serde_json::{Value, json};

use super::ExportError;
use super::sink::{Cell, Sink};
use crate::error::StoreError;
use crate::reader::Reader;

pub(super) async fn fleets(reader: &Reader, sink: &mut Sink<'_>) -> Result<(), ExportError> {
    sink.begin(&[
        "fleet_id",
        "fleet_arn",
        "region",
        "name",
        "description",
        "status",
        "compute_type",
        "fleet_type",
        "instance_type",
        "creation_time",
        "termination_time",
        "build_id",
        "script_id",
        "operating_system",
        "new_game_session_protection_policy",
        "resource_creation_limit_policy",
        "metric_groups",
        "stopped_actions",
        "instance_role_arn",
        "fleet_role_arn",
        "certificate_type",
        "anywhere_cost",
        "player_gateway_mode",
        "game_server_container_group_definition_arn",
        "latest_deployment_id",
        "gone_at",
    ])?;
    for document in reader.documents::<Fleet>("fleet", None).await? {
        let fleet = document.record;
        let (compute_type, fleet_type) = match fleet.kind {
            ComputeKind::Ec2OnDemand => ("EC2", Some("ON_DEMAND")),
            ComputeKind::Ec2Spot => ("EC2", Some("SPOT")),
            ComputeKind::Container => ("CONTAINER", None),
            ComputeKind::Anywhere => ("ANYWHERE", None),
        };
        let limit = fleet.creator_limit.map(|limit| {
            json!({
                "new_game_sessions_per_creator": limit.new_game_sessions_per_creator,
                "policy_period_in_minutes": limit.policy_period_minutes,
            })
        });
        let container = fleet.container.as_ref();
        // The API has two names for the role, depending on the kind of fleet.
        let role = Cell::text(fleet.instance_role_arn.as_deref());
        let (instance_role, fleet_role) =
            if fleet.kind == ComputeKind::Container { (Value::Null, role) } else { (role, Value::Null) };
        sink.row(vec![
            Cell::of(fleet.fleet_id.as_str()),
            Cell::text(fleet.fleet_arn.as_deref()),
            Cell::of(fleet.region.as_str()),
            Cell::text(fleet.name.as_deref()),
            Cell::text(fleet.description.as_deref()),
            Cell::of(fleet.status.as_str()),
            Cell::of(compute_type),
            Cell::text(fleet_type),
            Cell::text(fleet.instance_type.as_deref()),
            Cell::time(fleet.creation_time),
            Cell::time(fleet.termination_time),
            Cell::text(fleet.build_id.as_ref()),
            Cell::text(fleet.script_id.as_ref()),
            Cell::text(fleet.operating_system.as_deref()),
            Cell::text(fleet.new_game_session_protection_policy.as_ref().map(|policy| policy.as_str())),
            limit.unwrap_or(Value::Null),
            Cell::of(fleet.metric_groups.clone()),
            Cell::of(fleet.stopped_actions.clone()),
            instance_role,
            fleet_role,
            Cell::text(fleet.certificate_type.as_deref()),
            Cell::text(fleet.anywhere_cost.as_deref()),
            Cell::text(fleet.player_gateway_mode.as_deref()),
            Cell::text(container.and_then(|container| container.game_server_definition_arn.as_deref())),
            Cell::text(container.and_then(|container| container.latest_deployment_id.as_deref())),
            Cell::time(document.gone_at),
        ])?;
    }
    Ok(())
}

pub(super) async fn fleet_locations(reader: &Reader, sink: &mut Sink<'_>) -> Result<(), ExportError> {
    sink.begin(&[
        "fleet_id",
        "location",
        "status",
        "stopped_actions",
        "update_status",
        "player_gateway_status",
        "gone_at",
    ])?;
    let directory = reader.directory().await?;
    for document in reader.documents::<FleetLocation>("fleet_location", None).await? {
        let here = document.record;
        let stopped: Vec<&str> = if here.scaling_suspended { vec!["AUTO_SCALING"] } else { Vec::new() };
        sink.row(vec![
            Cell::of(directory.fleet_id(document.owner_key).as_str()),
            Cell::of(here.location.as_str()),
            Cell::of(here.status.as_str()),
            json!(stopped),
            Cell::text(here.update_pending.then_some("PENDING_UPDATE")),
            Cell::text(here.player_gateway_status.as_deref()),
            Cell::time(document.gone_at),
        ])?;
    }
    Ok(())
}

pub(super) async fn fleet_capacity(reader: &Reader, sink: &mut Sink<'_>) -> Result<(), ExportError> {
    sink.begin(&[
        "fleet_id",
        "location",
        "desired",
        "minimum",
        "maximum",
        "pending",
        "active",
        "idle",
        "terminating",
        "zero_capacity_strategy",
        "game_server_container_group_counts",
        "active_server_process_count",
        "active_game_session_count",
        "current_player_session_count",
        "maximum_player_session_count",
        "confirmed_at",
    ])?;
    let directory = reader.directory().await?;
    let fleets = reader.documents::<Fleet>("fleet", None).await?;
    let figures = reader.figures(&directory, &fleets, None).await?;
    let lines = reader.polls(PollKind::FleetCapacity);
    let mut by_id: Vec<_> = figures.into_iter().map(|(key, here)| (directory.fleet_id(key), here)).collect();
    by_id.sort_by(|a, b| a.0.cmp(&b.0));
    for (fleet_id, locations) in by_id {
        let line = lines.iter().find(|line| line.subject.resource == fleet_id.as_str());
        for here in locations.into_values() {
            let Some(capacity) = here.capacity else { continue };
            let load = here.utilization;
            let of_load = |count: Option<i32>| count.map_or(Value::Null, Value::from);
            sink.row(vec![
                Cell::of(fleet_id.as_str()),
                Cell::of(here.location.as_str()),
                Cell::of(capacity.desired),
                Cell::of(capacity.minimum),
                Cell::of(capacity.maximum),
                Cell::of(capacity.pending),
                Cell::of(capacity.active),
                Cell::of(capacity.idle),
                Cell::of(capacity.terminating),
                Cell::text(capacity.zero_capacity_strategy.as_deref()),
                capacity
                    .container_groups
                    .map_or(Ok(Value::Null), serde_json::to_value)
                    .map_err(unreadable)?,
                of_load(load.as_ref().map(|load| load.active_server_process_count)),
                of_load(load.as_ref().map(|load| load.active_game_session_count)),
                of_load(load.as_ref().map(|load| load.current_player_session_count)),
                of_load(load.as_ref().map(|load| load.maximum_player_session_count)),
                Cell::time(line.and_then(|line| line.confirmed_at)),
            ])?;
        }
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "map_err hands the error over")]
fn unreadable(error: serde_json::Error) -> StoreError {
    StoreError::Unreadable { what: error.to_string() }
}

pub(super) async fn scaling_policies(reader: &Reader, sink: &mut Sink<'_>) -> Result<(), ExportError> {
    sink.begin(&[
        "fleet_id",
        "name",
        "location",
        "status",
        "policy_type",
        "metric_name",
        "target_value",
        "comparison_operator",
        "threshold",
        "evaluation_periods",
        "scaling_adjustment_type",
        "scaling_adjustment",
        "update_status",
        "gone_at",
    ])?;
    for document in reader.documents::<ScalingPolicy>("scaling_policy", None).await? {
        let policy = document.record;
        sink.row(vec![
            Cell::of(policy.fleet_id.as_str()),
            Cell::of(policy.name.as_str()),
            Cell::text(policy.location.as_ref()),
            Cell::text(policy.status.as_deref()),
            Cell::of(policy.policy_type.as_str()),
            Cell::of(policy.metric_name.as_str()),
            json!(policy.target_value),
            Cell::text(policy.comparison_operator.as_deref()),
            json!(policy.threshold),
            json!(policy.evaluation_periods),
            Cell::text(policy.scaling_adjustment_type.as_deref()),
            json!(policy.scaling_adjustment),
            Cell::text(policy.update_status.as_deref()),
            Cell::time(document.gone_at),
        ])?;
    }
    Ok(())
}

pub(super) async fn queues(reader: &Reader, sink: &mut Sink<'_>) -> Result<(), ExportError> {
    sink.begin(&[
        "name",
        "region",
        "game_session_queue_arn",
        "timeout_in_seconds",
        "destinations",
        "player_latency_policies",
        "allowed_locations",
        "priority_order",
        "location_order",
        "custom_event_data",
        "notification_target",
        "gone_at",
    ])?;
    for document in reader.documents::<GameSessionQueue>("queue", None).await? {
        let queue = document.record;
        // The last policy of a queue has no duration: it holds for the rest of the wait.
        let policies = queue.player_latency_policies.iter().map(|policy| {
            let members = [
                (
                    "maximum_individual_player_latency_milliseconds",
                    policy.maximum_individual_player_latency_ms,
                ),
                ("policy_duration_seconds", policy.policy_duration_seconds),
            ];
            let given =
                members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?))));
            Value::Object(given.collect())
        });
        let destinations = queue.destinations.iter().map(|arn| json!({"destination_arn": arn}));
        sink.row(vec![
            Cell::of(queue.name.as_str()),
            Cell::of(queue.region.as_str()),
            Cell::text(queue.arn.as_deref()),
            json!(queue.timeout_seconds),
            Value::Array(destinations.collect()),
            Value::Array(policies.collect()),
            Cell::of(queue.allowed_locations.clone()),
            Cell::of(queue.priority_order.clone()),
            Cell::of(queue.location_order.clone()),
            Cell::text(queue.custom_event_data.as_deref()),
            Cell::text(queue.notification_target.as_deref()),
            Cell::time(document.gone_at),
        ])?;
    }
    Ok(())
}

pub(super) async fn aliases(reader: &Reader, sink: &mut Sink<'_>) -> Result<(), ExportError> {
    sink.begin(&[
        "alias_id",
        "alias_arn",
        "region",
        "name",
        "description",
        "type",
        "fleet_id",
        "message",
        "creation_time",
        "last_updated_time",
        "gone_at",
    ])?;
    for document in reader.documents::<Alias>("alias", None).await? {
        let alias = document.record;
        let (kind, fleet_id, message) = match &alias.routing {
            RoutingStrategy::Simple { fleet_id } => ("SIMPLE", Some(fleet_id.as_str()), None),
            RoutingStrategy::Terminal { message } => ("TERMINAL", None, Some(message.as_str())),
        };
        sink.row(vec![
            Cell::of(alias.alias_id.as_str()),
            Cell::text(alias.alias_arn.as_deref()),
            Cell::of(alias.region.as_str()),
            Cell::of(alias.name.as_str()),
            Cell::text(alias.description.as_deref()),
            Cell::of(kind),
            Cell::text(fleet_id),
            Cell::text(message),
            Cell::time(alias.creation_time),
            Cell::time(alias.last_updated_time),
            Cell::time(document.gone_at),
        ])?;
    }
    Ok(())
}

pub(super) async fn builds(reader: &Reader, sink: &mut Sink<'_>) -> Result<(), ExportError> {
    sink.begin(&[
        "build_id",
        "build_arn",
        "region",
        "name",
        "version",
        "status",
        "size_on_disk",
        "operating_system",
        "server_sdk_version",
        "creation_time",
        "gone_at",
    ])?;
    for document in reader.documents::<Build>("build", None).await? {
        let build = document.record;
        sink.row(vec![
            Cell::of(build.build_id.as_str()),
            Cell::text(build.arn.as_deref()),
            Cell::of(build.region.as_str()),
            Cell::text(build.name.as_deref()),
            Cell::text(build.version.as_deref()),
            Cell::of(build.status.as_str()),
            json!(build.size_on_disk_bytes),
            Cell::text(build.operating_system.as_deref()),
            Cell::text(build.server_sdk_version.as_deref()),
            Cell::time(build.creation_time),
            Cell::time(document.gone_at),
        ])?;
    }
    Ok(())
}

pub(super) async fn scripts(reader: &Reader, sink: &mut Sink<'_>) -> Result<(), ExportError> {
    sink.begin(&[
        "script_id",
        "script_arn",
        "region",
        "name",
        "version",
        "size_on_disk",
        "node_js_version",
        "creation_time",
        "gone_at",
    ])?;
    for document in reader.documents::<Script>("script", None).await? {
        let script = document.record;
        sink.row(vec![
            Cell::of(script.script_id.as_str()),
            Cell::text(script.arn.as_deref()),
            Cell::of(script.region.as_str()),
            Cell::text(script.name.as_deref()),
            Cell::text(script.version.as_deref()),
            json!(script.size_on_disk_bytes),
            Cell::text(script.node_js_version.as_deref()),
            Cell::time(script.creation_time),
            Cell::time(document.gone_at),
        ])?;
    }
    Ok(())
}
