//! The permission check: tries every read action once, as cheaply as possible.
//!
//! Owns the list of what the program reads and what for. AWS checks permission before it looks for the resource, so
//! actions that need a fleet or session name one that cannot exist: "not found" means that the action is allowed.

use std::error::Error;
use std::future::Future;

use aws_sdk_cloudwatch::primitives::DateTime;
use aws_sdk_gamelift::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use liftdeck_model::Region;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::budget::Priority;
use crate::call::Call;
use crate::error::{ErrorKind, GatewayError, permission_of};
use crate::gateway::Site;
use crate::reader::metric_probe;

/// A fleet id that no account can have.
const NO_FLEET: &str = "fleet-00000000-0000-0000-0000-000000000000";

/// The same for container fleets, aliases and scripts.
const NO_CONTAINER_FLEET: &str = "containerfleet-00000000-0000-0000-0000-000000000000";
const NO_ALIAS: &str = "alias-00000000-0000-0000-0000-000000000000";
const NO_SCRIPT: &str = "script-00000000-0000-0000-0000-000000000000";

/// The result of trying an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PermissionOutcome {
    /// Allowed.
    Allowed,
    /// Denied.
    Denied,
    /// Undecided, because something else went wrong.
    Failed,
}

/// One action tried in one Region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PermissionCheck {
    /// IAM action, such as `gamelift:DescribeFleetEvents`.
    pub action: String,
    /// What the program needs it for.
    pub feature: String,
    /// Region.
    pub region: Region,
    /// Result.
    pub outcome: PermissionOutcome,
    /// The error in words, unless allowed.
    pub detail: Option<String>,
    /// AWS request id of the refusal.
    pub request_id: Option<String>,
}

impl PermissionCheck {
    /// Derives the permission from the outcome of a call about a resource that cannot exist.
    pub(crate) fn of(
        operation: &'static str,
        feature: &'static str,
        region: &Region,
        end: Result<(), GatewayError>,
    ) -> Self {
        // AWS gives these answers only after it has checked the permission.
        let about_the_resource =
            |error: &GatewayError| matches!(error.kind, ErrorKind::NotFound | ErrorKind::Invalid);
        Self::in_earnest(
            operation,
            feature,
            region,
            end.or_else(|error| if about_the_resource(&error) { Ok(()) } else { Err(error) }),
        )
    }

    /// Derives the permission from the outcome of a call about a resource that should exist.
    pub(crate) fn in_earnest(
        operation: &'static str,
        feature: &'static str,
        region: &Region,
        end: Result<(), GatewayError>,
    ) -> Self {
        let error = end.err();
        Self {
            action: permission_of(operation),
            feature: feature.to_owned(),
            region: region.clone(),
            outcome: match &error {
                None => PermissionOutcome::Allowed,
                Some(error) if error.kind == ErrorKind::Denied => PermissionOutcome::Denied,
                Some(_) => PermissionOutcome::Failed,
            },
            detail: error.as_ref().map(ToString::to_string),
            request_id: error.and_then(|error| error.request_id),
        }
    }
}

/// Tries the actions of one Region one after the other. When the Region cannot be reached or nobody can sign in, the
/// rest is skipped: it would fail the same way, each action after its own wait.
struct Trial<'a> {
    site: &'a Site,
    checks: Vec<PermissionCheck>,
    hopeless: Option<GatewayError>,
}

impl Trial<'_> {
    async fn of<O, E, F, Fut>(&mut self, operation: &'static str, feature: &'static str, send: F)
    where
        F: Fn() -> Fut,
        Fut: Future<Output = Result<O, SdkError<E, HttpResponse>>>,
        E: ProvideErrorMetadata + Error + 'static,
    {
        let end = match &self.hopeless {
            Some(error) => Err(error.clone()),
            None => {
                let call = Call::new(operation, None, Priority::OnScreen);
                self.site.proven.call(call, send).await.map(drop)
            }
        };
        if let Err(error) = &end
            && (error.is_unproven()
                || matches!(
                    error.kind,
                    ErrorKind::Unreachable | ErrorKind::TimedOut | ErrorKind::Credentials
                ))
        {
            self.hopeless = Some(error.clone());
        }
        self.checks.push(PermissionCheck::of(operation, feature, &self.site.region, end));
    }
}

/// Tries every read action in one Region.
pub(crate) async fn check(site: &Site) -> Vec<PermissionCheck> {
    let mut trial = Trial { site, checks: Vec::new(), hopeless: None };
    try_fleets(&mut trial).await;
    try_sessions(&mut trial).await;
    try_routing(&mut trial).await;
    try_metrics(&mut trial).await;
    try_trail(&mut trial).await;
    trial.checks
}

async fn try_fleets(trial: &mut Trial<'_>) {
    let client = &trial.site.clients.gamelift;
    let home = trial.site.region.as_str();
    trial
        .of("DescribeFleetAttributes", "Fleets", || client.describe_fleet_attributes().limit(1).send())
        .await;
    trial
        .of("ListContainerFleets", "Container fleets", || client.list_container_fleets().limit(1).send())
        .await;
    trial
        .of("DescribeContainerFleet", "Container fleets", || {
            client.describe_container_fleet().fleet_id(NO_CONTAINER_FLEET).send()
        })
        .await;
    trial
        .of("DescribeFleetCapacity", "Instance counts", || client.describe_fleet_capacity().limit(1).send())
        .await;
    trial
        .of("DescribeFleetUtilization", "Fleet load", || client.describe_fleet_utilization().limit(1).send())
        .await;
    trial
        .of("DescribeFleetLocationAttributes", "Locations", || {
            client.describe_fleet_location_attributes().fleet_id(NO_FLEET).limit(1).send()
        })
        .await;
    trial
        .of("DescribeFleetLocationCapacity", "Instance counts of remote locations", || {
            client.describe_fleet_location_capacity().fleet_id(NO_FLEET).location(home).send()
        })
        .await;
    trial
        .of("DescribeFleetLocationUtilization", "Load of remote locations", || {
            client.describe_fleet_location_utilization().fleet_id(NO_FLEET).location(home).send()
        })
        .await;
    trial
        .of("DescribeEC2InstanceLimits", "Instance limits of the account", || {
            client.describe_ec2_instance_limits().location(home).send()
        })
        .await;
    trial
        .of("DescribeFleetEvents", "Fleet events", || {
            client.describe_fleet_events().fleet_id(NO_FLEET).limit(1).send()
        })
        .await;
    trial
        .of("DescribeScalingPolicies", "Scaling", || {
            client.describe_scaling_policies().fleet_id(NO_FLEET).limit(1).send()
        })
        .await;
    trial
        .of("DescribeRuntimeConfiguration", "Fleet configuration", || {
            client.describe_runtime_configuration().fleet_id(NO_FLEET).send()
        })
        .await;
    trial
        .of("DescribeFleetPortSettings", "Fleet configuration", || {
            client.describe_fleet_port_settings().fleet_id(NO_FLEET).send()
        })
        .await;
    trial
        .of("ListFleetDeployments", "Container deployments", || {
            client.list_fleet_deployments().fleet_id(NO_FLEET).limit(1).send()
        })
        .await;
    trial
        .of("DescribeInstances", "Instances", || {
            client.describe_instances().fleet_id(NO_FLEET).limit(1).send()
        })
        .await;
    trial.of("ListCompute", "Computes", || client.list_compute().fleet_id(NO_FLEET).limit(1).send()).await;
}

async fn try_sessions(trial: &mut Trial<'_>) {
    let client = &trial.site.clients.gamelift;
    let no_session = format!("arn:aws:gamelift:{}::gamesession/{NO_FLEET}/none", trial.site.region);
    trial
        .of("DescribeGameSessions", "Game sessions", || {
            client.describe_game_sessions().fleet_id(NO_FLEET).limit(1).send()
        })
        .await;
    trial
        .of("DescribeGameSessionDetails", "Game session protection", || {
            client.describe_game_session_details().fleet_id(NO_FLEET).limit(1).send()
        })
        .await;
    trial
        .of("GetGameSessionLogUrl", "Game session logs", || {
            client.get_game_session_log_url().game_session_id(&no_session).send()
        })
        .await;
    trial
        .of("DescribeGameSessionPlacement", "Placements followed", || {
            client.describe_game_session_placement().placement_id("none").send()
        })
        .await;
    trial
        .of("SearchGameSessions", "Game session search", || {
            client.search_game_sessions().fleet_id(NO_FLEET).limit(1).send()
        })
        .await;
    trial
        .of("DescribePlayerSessions", "Players", || {
            client.describe_player_sessions().game_session_id(&no_session).limit(1).send()
        })
        .await;
}

async fn try_routing(trial: &mut Trial<'_>) {
    let client = &trial.site.clients.gamelift;
    trial
        .of("DescribeGameSessionQueues", "Queues", || client.describe_game_session_queues().limit(1).send())
        .await;
    trial.of("ListAliases", "Aliases", || client.list_aliases().limit(1).send()).await;
    trial.of("DescribeAlias", "Aliases", || client.describe_alias().alias_id(NO_ALIAS).send()).await;
    trial
        .of("DescribeMatchmakingConfigurations", "Matchmaking", || {
            client.describe_matchmaking_configurations().limit(1).send()
        })
        .await;
    trial
        .of("DescribeMatchmakingRuleSets", "Matchmaking", || {
            client.describe_matchmaking_rule_sets().limit(1).send()
        })
        .await;
    trial
        .of("DescribeMatchmaking", "Tickets", || client.describe_matchmaking().ticket_ids("none").send())
        .await;
    trial.of("ListBuilds", "Builds", || client.list_builds().limit(1).send()).await;
    trial.of("ListScripts", "Scripts", || client.list_scripts().limit(1).send()).await;
    trial.of("DescribeScript", "Scripts", || client.describe_script().script_id(NO_SCRIPT).send()).await;
    trial.of("ListLocations", "Locations", || client.list_locations().limit(1).send()).await;
}

async fn try_metrics(trial: &mut Trial<'_>) {
    let site = trial.site;
    let client = &site.clients.cloudwatch;
    trial
        .of("ListMetrics", "Charts", || {
            client.list_metrics().namespace("AWS/GameLift").metric_name("ActiveInstances").send()
        })
        .await;
    // Any minute in the past will do; a fixed one avoids needing a clock here. It costs one metric.
    site.proven.wire.meter.metrics(1);
    trial
        .of("GetMetricData", "Charts", || {
            client
                .get_metric_data()
                .start_time(DateTime::from_secs(1_750_000_020))
                .end_time(DateTime::from_secs(1_750_000_080))
                .metric_data_queries(metric_probe())
                .send()
        })
        .await;
}

async fn try_trail(trial: &mut Trial<'_>) {
    let client = &trial.site.clients.cloudtrail;
    trial.of("LookupEvents", "Who changed it", || client.lookup_events().max_results(1).send()).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_about_the_resource_means_the_action_is_allowed() {
        for (kind, outcome) in [
            (ErrorKind::NotFound, PermissionOutcome::Allowed),
            (ErrorKind::Invalid, PermissionOutcome::Allowed),
            (ErrorKind::Denied, PermissionOutcome::Denied),
            (ErrorKind::Throttled, PermissionOutcome::Failed),
            (ErrorKind::Credentials, PermissionOutcome::Failed),
        ] {
            let end = Err(GatewayError::plain(kind, "DescribeInstances", "said so"));
            let check =
                PermissionCheck::of("DescribeInstances", "Instances", &Region::from("eu-west-1"), end);
            assert_eq!(check.outcome, outcome, "{kind:?}");
            assert_eq!(check.detail.is_none(), outcome == PermissionOutcome::Allowed);
            assert_eq!(check.action, "gamelift:DescribeInstances");
        }
    }
}
