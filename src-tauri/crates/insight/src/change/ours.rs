//! Finds the recorded changes that this installation made, and makes lines for what it did that no poll has seen yet.
//!
//! A change is ours if an attempt on the same resource ended shortly before a poll saw it, and set the field to the
//! value that was seen. Anything else is not attributed: another operator's change a minute after ours is not ours.

use std::collections::HashSet;

use liftdeck_model::action::{
    Action, Request, ScalingRule, SetFleetActions, UpdateAlias, UpdateFleetCapacity,
};
use liftdeck_model::activity::{Activity, ActivityId, RunId};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Region, Severity, Timestamp};
use liftdeck_store::reader::change::ChangeRow;
use liftdeck_store::{RunKind, RunRecord, RunState};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{Change, ChangeKind, Sent, What, Who, is_suspended};
use crate::words;

/// The attempt or run of this installation that made a change.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(tag = "kind", content = "id", rename_all = "camelCase")]
pub enum ByUs {
    /// One attempt.
    Activity(ActivityId),
    /// A run of several.
    Run(RunId),
}

/// How long after AWS accepted a capacity change a poll may first see it. Policies also change capacity, even back to
/// the same number, so this is no longer than the slowest poll takes.
const CAPACITY_SEEN_WITHIN_MS: i64 = 3 * 60_000;

/// The same for any other setting, which only people change. Scripts are listed every five minutes, and later if AWS
/// throttles.
const SEEN_WITHIN_MS: i64 = 10 * 60_000;

/// How far before a range to read attempts, so that the first changes in the range can be attributed. An attempt ends
/// some time after it began.
pub(super) const BEFORE_MS: i64 = SEEN_WITHIN_MS + 60_000;

/// Finds the attempt that made a recorded change.
pub(super) fn maker<'a>(row: &ChangeRow, activities: &'a [Activity]) -> Option<&'a Activity> {
    let within = if row.kind == "fleet_capacity" { CAPACITY_SEEN_WITHIN_MS } else { SEEN_WITHIN_MS };
    activities.iter().rev().find(|activity| {
        let done = activity.ended_at.unwrap_or(activity.at);
        row.seen_at >= activity.at
            && row.seen_at.since_ms(done) <= within
            && row.region == activity.region
            && explains(&activity.action, activity.made.as_deref(), row)
    })
}

/// Whether a completed action would show as this change.
fn explains(action: &Action, made: Option<&str>, row: &ChangeRow) -> bool {
    let of = |kind: &str, resource: &str| row.kind == kind && row.resource == resource;
    let of_fleet = |kind: &str, fleet: &FleetId| row.kind == kind && row.fleet_id.as_ref() == Some(fleet);
    let field = row.field.as_str();
    let became = |value: Option<&str>| value.is_some() && row.after.as_deref() == value;
    match &action.request {
        Request::UpdateFleetCapacity(it) => {
            let set = match field {
                "desired" => it.desired_instances,
                "minimum" => it.min_size,
                "maximum" => it.max_size,
                _ => None,
            };
            of_fleet("fleet_capacity", &it.fleet_id)
                && row.location.as_ref().is_some_and(|at| is_at(at, it.location.as_ref(), &action.region))
                && became(set.map(|count| count.to_string()).as_deref())
        }
        Request::PutScalingPolicy(it) => {
            let fits = match (&it.rule, field) {
                (ScalingRule::TargetBased { target_value }, "target_value") => {
                    row.after.as_deref().and_then(|after| after.parse::<f64>().ok()) == Some(*target_value)
                }
                (_, field) => field != "gone",
            };
            of_fleet("scaling_policy", &it.fleet_id) && is_policy(&row.resource, &it.name) && fits
        }
        Request::DeleteScalingPolicy(it) => {
            of_fleet("scaling_policy", &it.fleet_id) && is_policy(&row.resource, &it.name) && field == "gone"
        }
        Request::StopFleetActions(it) => stops(it, row, &action.region, true),
        Request::StartFleetActions(it) => stops(it, row, &action.region, false),
        Request::UpdateFleetAttributes(it) => {
            of("fleet", it.fleet_id.as_str())
                && field == "new_game_session_protection_policy"
                && became(Some(it.new_game_session_protection_policy.as_str()))
        }
        Request::CreateAlias(_) => made.is_some_and(|id| of("alias", id)) && field == "added",
        Request::UpdateAlias(it) => of("alias", it.alias_id.as_str()) && moved_alias(it, field, row),
        Request::DeleteAlias(it) => of("alias", it.alias_id.as_str()) && field == "gone",
        Request::CreateGameSessionQueue(it) => of("queue", it.name.as_str()) && field == "added",
        Request::UpdateGameSessionQueue(it) => {
            let fits = match field {
                "timeout_seconds" => became(it.timeout_seconds.map(|seconds| seconds.to_string()).as_deref()),
                "destinations" => it.destinations.as_ref().is_some_and(|to| list(row) == Some(to.clone())),
                "player_latency_policies" => it.player_latency_policies.is_some(),
                "notification_target" => became(it.notification_target.as_deref()),
                _ => false,
            };
            of("queue", it.name.as_str()) && fits
        }
        Request::UpdateScript(it) => {
            let fits = match field {
                "name" => became(it.name.as_deref()),
                "version" => became(it.version.as_deref()),
                "added" | "gone" => false,
                _ => it.zip_file.is_some(),
            };
            of("script", it.script_id.as_str()) && fits
        }
        _ => false,
    }
}

fn is_at(seen: &Location, asked: Option<&Location>, home: &Region) -> bool {
    asked.map_or(home.as_str(), Location::as_str) == seen.as_str()
}

/// A policy is recorded under its name, or under name@location if GameLift lists one for each location.
fn is_policy(resource: &str, name: &str) -> bool {
    resource == name || resource.strip_prefix(name).is_some_and(|rest| rest.starts_with('@'))
}

/// Suspended scaling shows on the location and, for the fleet's home Region, also on the fleet.
fn stops(it: &SetFleetActions, row: &ChangeRow, home: &Region, stopped: bool) -> bool {
    let after = || super::fact::after(row).is_some_and(|value| is_suspended(&value));
    let at_home = it.location.as_ref().is_none_or(|location| location.as_str() == home.as_str());
    match (row.kind.as_str(), row.field.as_str()) {
        ("fleet", "stopped_actions") => at_home && row.resource == it.fleet_id.as_str() && after() == stopped,
        ("fleet_location", "scaling_suspended") => {
            row.fleet_id.as_ref() == Some(&it.fleet_id)
                && is_at(&Location::new(row.resource.as_str()), it.location.as_ref(), home)
                && after() == stopped
        }
        _ => false,
    }
}

fn moved_alias(it: &UpdateAlias, field: &str, row: &ChangeRow) -> bool {
    let after = row.after.as_deref();
    match field {
        "name" => it.name.is_some() && after == it.name.as_deref(),
        "description" => it.description.is_some() && after == it.description.as_deref(),
        "routing" => {
            let seen = after.and_then(|text| serde_json::from_str::<RoutingStrategy>(text).ok());
            it.routing.is_some() && seen == it.routing
        }
        _ => false,
    }
}

fn list(row: &ChangeRow) -> Option<Vec<String>> {
    serde_json::from_str(row.after.as_deref()?).ok()
}

/// The fleets an attempt affects: its own, and those an alias or a queue pointed to before or points to after.
pub(super) fn touched(activity: &Activity) -> Vec<FleetId> {
    let mut fleets: Vec<FleetId> = activity.fleet_id.iter().cloned().collect();
    for action in activity.undo.iter().chain(std::iter::once(&activity.action)) {
        match &action.request {
            Request::UpdateAlias(it) => fleets.extend(it.routing.as_ref().and_then(led_to)),
            Request::CreateAlias(it) => fleets.extend(led_to(&it.routing)),
            Request::UpdateGameSessionQueue(it) => {
                let ids = it.destinations.iter().flatten().filter_map(|arn| arn.split_once("fleet/"));
                fleets.extend(ids.map(|(_, id)| FleetId::from(id)));
            }
            _ => {}
        }
    }
    let mut seen = HashSet::new();
    fleets.retain(|fleet| seen.insert(fleet.clone()));
    fleets
}

fn led_to(routing: &RoutingStrategy) -> Option<FleetId> {
    match routing {
        RoutingStrategy::Simple { fleet_id } => Some(fleet_id.clone()),
        RoutingStrategy::Terminal { .. } => None,
    }
}

/// The line for an attempt that no recorded change covers; `None` if it changes no setting.
pub(super) fn line(activity: &Activity) -> Option<Change> {
    let (kind, sent) = sent(&activity.action.request)?;
    let severity = match (kind, &sent) {
        (_, Sent::ScalingSuspended) | (ChangeKind::Alias, Sent::Removed) => Severity::Warning,
        _ => Severity::Info,
    };
    let resource = activity.action.request.resource();
    let name = activity.name.as_ref().unwrap_or(&resource.id);
    let what = What::Sent { sent, facts: activity.facts.clone() };
    Some(Change {
        key: format!("activity {}", activity.id),
        at: activity.ended_at.unwrap_or(activity.at),
        seen_at: activity.ended_at.unwrap_or(activity.at),
        kind,
        severity,
        region: activity.region.clone(),
        fleet_id: activity.fleet_id.clone(),
        fleets: touched(activity),
        location: location(&activity.action),
        words: words::change(kind, name, &what),
        what,
        by_us: Some(ByUs::Activity(activity.id.clone())),
        who: Some(Who::Ours),
        resource: resource.id,
    })
}

fn sent(request: &Request) -> Option<(ChangeKind, Sent)> {
    Some(match request {
        Request::UpdateFleetCapacity(it) if it.desired_instances.is_none() => {
            (ChangeKind::Capacity, Sent::Limits)
        }
        Request::UpdateFleetCapacity(_) => (ChangeKind::Capacity, Sent::Capacity),
        Request::PutScalingPolicy(it) => (ChangeKind::ScalingPolicy, Sent::Policy(it.name.clone())),
        Request::DeleteScalingPolicy(it) => (ChangeKind::ScalingPolicy, Sent::PolicyRemoved(it.name.clone())),
        Request::StopFleetActions(_) => (ChangeKind::Fleet, Sent::ScalingSuspended),
        Request::StartFleetActions(_) => (ChangeKind::Fleet, Sent::ScalingResumed),
        Request::UpdateFleetAttributes(_) => (ChangeKind::Fleet, Sent::Protection),
        Request::CreateAlias(_) => (ChangeKind::Alias, Sent::Added),
        Request::UpdateAlias(it) if it.routing.is_some() => (ChangeKind::Alias, Sent::Repointed),
        Request::UpdateAlias(_) => (ChangeKind::Alias, Sent::Edited),
        Request::DeleteAlias(_) => (ChangeKind::Alias, Sent::Removed),
        Request::CreateGameSessionQueue(_) => (ChangeKind::Queue, Sent::Added),
        Request::UpdateGameSessionQueue(_) => (ChangeKind::Queue, Sent::Edited),
        Request::UpdateScript(it) if it.zip_file.is_some() => (ChangeKind::Script, Sent::Files),
        Request::UpdateScript(_) => (ChangeKind::Script, Sent::Edited),
        _ => return None,
    })
}

fn location(action: &Action) -> Option<Location> {
    let home = || Location::new(action.region.as_str());
    match &action.request {
        Request::UpdateFleetCapacity(UpdateFleetCapacity { location, .. })
        | Request::StopFleetActions(SetFleetActions { location, .. })
        | Request::StartFleetActions(SetFleetActions { location, .. }) => {
            Some(location.clone().unwrap_or_else(home))
        }
        _ => None,
    }
}

/// The beginning of a fleet's drain, and its end if it has ended. Bulk changes get one line per change instead.
pub(super) fn run_lines(run: &RunRecord, fleet_name: Option<&str>, range: TimeRange) -> Vec<Change> {
    if run.kind != RunKind::Drain {
        return Vec::new();
    }
    let own = fleet_name.or(run.fleet_id.as_ref().map(FleetId::as_str)).unwrap_or(&run.title);
    let line = |ended: Option<RunState>, at: Timestamp| {
        let what = What::Drain { ended };
        Change {
            key: format!("run {} {}", run.id, ended.map_or("begun", <&str>::from)),
            at,
            seen_at: at,
            kind: ChangeKind::Fleet,
            severity: Severity::Warning,
            region: run.region.clone().unwrap_or_else(|| Region::new("")),
            resource: run.fleet_id.as_ref().map(ToString::to_string).unwrap_or_default(),
            fleet_id: run.fleet_id.clone(),
            fleets: run.fleet_id.iter().cloned().collect(),
            location: None,
            words: words::change(ChangeKind::Fleet, own, &what),
            what,
            by_us: Some(ByUs::Run(run.id.clone())),
            who: Some(Who::Ours),
        }
    };
    let mut lines = vec![line(None, run.created_at)];
    if !run.state.is_open() {
        lines.push(line(Some(run.state), run.changed_at));
    }
    lines.retain(|line| range.contains(line.at));
    lines
}
