//! GameLift: the table of its operations and their published rates. One file per operation family.
//!
//! An operation that is not in the table is answered as unknown.

mod access;
mod alias;
mod choice;
mod computes;
mod constraint;
mod container;
mod container_fleet;
mod content;
mod content_change;
mod event;
mod fleet;
mod fleet_capacity;
mod fleet_life;
mod fleet_location;
mod fleet_part;
mod fleet_setting;
#[cfg(test)]
mod fleet_tests;
#[cfg(test)]
mod hosting_trial;
mod listing;
mod location;
mod lookup;
mod matchmaker_change;
mod matchmaking;
mod matchmaking_change;
#[cfg(test)]
mod matchmaking_tests;
mod placement;
mod placement_change;
mod player_session;
mod queue_change;
mod queue_log;
#[cfg(test)]
mod reading_tests;
mod refusal;
mod scaling_policy;
mod search;
mod seat_change;
mod session;
mod session_change;
mod session_log;
mod shape;
mod tag;
#[cfg(test)]
mod trial;
mod truth;

pub(crate) use session_log::{LOGS, LogRefusal, read_log};
pub(crate) use truth::write_truth;

use crate::operation::Operation;

/// The rate of most reads (API limits reference).
const READ: f64 = 30.0;

/// The rate of most changes (API limits reference).
const CHANGE: f64 = 20.0;

/// The operations, sorted by name.
static OPERATIONS: &[Operation] = &[
    Operation::change("AcceptMatch", 100.0, matchmaking_change::accept),
    Operation::change("CreateAlias", CHANGE, alias::create),
    Operation::change("CreateFleet", 1.0, fleet_life::create).with_burst(4.0),
    Operation::change("CreateFleetLocations", CHANGE, fleet_location::create),
    Operation::change("CreateGameSession", 50.0, session_change::create),
    Operation::change("CreateGameSessionQueue", CHANGE, queue_change::create),
    Operation::change("CreateMatchmakingConfiguration", CHANGE, matchmaker_change::create),
    Operation::change("CreateMatchmakingRuleSet", CHANGE, matchmaker_change::create_rule_set),
    Operation::change("CreatePlayerSession", 200.0, seat_change::create),
    Operation::change("CreatePlayerSessions", 200.0, seat_change::create_many),
    Operation::change("CreateScript", CHANGE, content_change::create_script),
    Operation::change("DeleteAlias", CHANGE, alias::delete),
    Operation::change("DeleteFleet", CHANGE, fleet_life::delete),
    Operation::change("DeleteFleetLocations", CHANGE, fleet_location::delete),
    Operation::change("DeleteGameSessionQueue", CHANGE, queue_change::delete),
    Operation::change("DeleteMatchmakingConfiguration", CHANGE, matchmaker_change::delete),
    Operation::change("DeleteMatchmakingRuleSet", CHANGE, matchmaker_change::delete_rule_set),
    Operation::change("DeleteScalingPolicy", CHANGE, scaling_policy::delete),
    Operation::change("DeregisterCompute", CHANGE, access::deregister),
    Operation::new("DescribeAlias", READ, alias::describe),
    Operation::new("DescribeBuild", READ, content::describe_build),
    Operation::new("DescribeCompute", READ, computes::describe),
    Operation::new("DescribeContainerFleet", READ, container::describe),
    Operation::new("DescribeContainerGroupDefinition", READ, container::describe_definition),
    Operation::new("DescribeContainerGroupPortMappings", 100.0, container_fleet::port_mappings),
    Operation::new("DescribeEC2InstanceLimits", READ, location::instance_limits).with_burst(40.0),
    Operation::new("DescribeFleetAttributes", READ, fleet::attributes),
    Operation::new("DescribeFleetCapacity", READ, fleet::capacity),
    Operation::new("DescribeFleetDeployment", READ, container::describe_deployment),
    Operation::new("DescribeFleetEvents", READ, event::describe),
    Operation::new("DescribeFleetLocationAttributes", READ, location::attributes),
    Operation::new("DescribeFleetLocationCapacity", READ, location::capacity),
    Operation::new("DescribeFleetLocationUtilization", READ, location::utilization),
    Operation::new("DescribeFleetPortSettings", READ, fleet::port_settings),
    Operation::new("DescribeFleetUtilization", READ, fleet::utilization),
    Operation::new("DescribeGameSessionDetails", READ, session::details),
    Operation::new("DescribeGameSessionPlacement", 75.0, placement::describe),
    Operation::new("DescribeGameSessionQueues", READ, placement::queues),
    Operation::new("DescribeGameSessions", 20.0, session::describe),
    Operation::new("DescribeInstances", READ, computes::instances),
    Operation::new("DescribeMatchmaking", 200.0, matchmaking::tickets),
    Operation::new("DescribeMatchmakingConfigurations", READ, matchmaking::configurations),
    Operation::new("DescribeMatchmakingRuleSets", READ, matchmaking::rule_sets),
    Operation::new("DescribePlayerSessions", 200.0, player_session::describe),
    Operation::new("DescribeRuntimeConfiguration", READ, fleet::runtime_configuration),
    Operation::new("DescribeScalingPolicies", READ, fleet::scaling_policies),
    Operation::new("DescribeScript", READ, content::describe_script),
    Operation::new("GetComputeAccess", 1.0, access::compute).with_burst(4.0),
    Operation::new("GetGameSessionLogUrl", 1.0, session_log::url).with_burst(4.0),
    Operation::new("GetInstanceAccess", 1.0, access::instance).with_burst(4.0),
    Operation::new("GetPlayerConnectionDetails", 200.0, seat_change::connect),
    Operation::new("ListAliases", READ, alias::list),
    Operation::new("ListBuilds", READ, content::list_builds),
    Operation::new("ListCompute", READ, computes::list),
    Operation::new("ListContainerFleets", READ, container::list),
    Operation::new("ListContainerGroupDefinitionVersions", READ, container_fleet::versions),
    Operation::new("ListContainerGroupDefinitions", READ, container::list_definitions),
    Operation::new("ListFleetDeployments", READ, container::list_deployments),
    Operation::new("ListFleets", READ, fleet::list),
    Operation::new("ListLocations", READ, location::list),
    Operation::new("ListScripts", READ, content::list_scripts),
    Operation::new("ListTagsForResource", READ, tag::list),
    Operation::change("PutScalingPolicy", CHANGE, scaling_policy::put),
    Operation::new("ResolveAlias", READ, alias::resolve),
    Operation::new("SearchGameSessions", READ, search::search),
    Operation::change("StartFleetActions", CHANGE, fleet_capacity::start),
    Operation::change("StartGameSessionPlacement", 75.0, placement_change::start),
    Operation::change("StartMatchBackfill", 70.0, matchmaking_change::start_backfill),
    Operation::change("StartMatchmaking", 100.0, matchmaking_change::start),
    Operation::change("StopFleetActions", CHANGE, fleet_capacity::stop),
    Operation::change("StopGameSessionPlacement", CHANGE, placement_change::stop),
    Operation::change("StopMatchmaking", 100.0, matchmaking_change::stop),
    Operation::change("TagResource", READ, tag::tag),
    Operation::change("TerminateGameSession", CHANGE, session_change::terminate),
    Operation::change("UntagResource", READ, tag::untag),
    Operation::change("UpdateAlias", CHANGE, alias::update),
    Operation::change("UpdateBuild", CHANGE, content_change::update_build),
    Operation::change("UpdateContainerFleet", CHANGE, container_fleet::update),
    Operation::change("UpdateFleetAttributes", CHANGE, fleet_setting::update),
    Operation::change("UpdateFleetCapacity", CHANGE, fleet_capacity::update),
    Operation::change("UpdateFleetPortSettings", CHANGE, fleet_setting::update_ports),
    Operation::change("UpdateGameSession", CHANGE, session_change::update),
    Operation::change("UpdateGameSessionQueue", CHANGE, queue_change::update),
    Operation::change("UpdateMatchmakingConfiguration", CHANGE, matchmaker_change::update),
    Operation::change("UpdateRuntimeConfiguration", CHANGE, fleet_setting::update_runtime),
    Operation::change("UpdateScript", CHANGE, content_change::update_script),
    Operation::new("ValidateMatchmakingRuleSet", READ, matchmaker_change::validate),
];

/// The names of the operations, in order.
pub(crate) fn operations() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().map(|operation| operation.name)
}

/// Finds the operation with this name.
pub(crate) fn operation(name: &str) -> Option<&'static Operation> {
    let at = OPERATIONS.binary_search_by(|operation| operation.name.cmp(name)).ok()?;
    OPERATIONS.get(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_found_by_its_name() {
        for known in OPERATIONS {
            assert_eq!(operation(known.name).map(|found| found.name), Some(known.name));
        }
        assert!(operation("ClaimGameServer").is_none());
    }
}
