"""The operations, grouped by how they are used.

`MARKED` is the list in the wire reference that this project works from: what an operator's dashboard reads and does,
needed or optional. The others create and delete the resources for those.
"""

import functools
import subprocess

from simulator import command

MARKED_READS = """
DescribeAlias DescribeBuild DescribeCompute DescribeContainerFleet DescribeContainerGroupDefinition
DescribeContainerGroupPortMappings DescribeEC2InstanceLimits DescribeFleetAttributes DescribeFleetCapacity
DescribeFleetDeployment DescribeFleetEvents DescribeFleetLocationAttributes DescribeFleetLocationCapacity
DescribeFleetLocationUtilization DescribeFleetPortSettings DescribeFleetUtilization DescribeGameSessionDetails
DescribeGameSessionPlacement DescribeGameSessionQueues DescribeGameSessions DescribeInstances DescribeMatchmaking
DescribeMatchmakingConfigurations DescribeMatchmakingRuleSets DescribePlayerSessions DescribeRuntimeConfiguration
DescribeScalingPolicies DescribeScript GetGameSessionLogUrl GetPlayerConnectionDetails ListAliases ListBuilds ListCompute
ListContainerFleets ListContainerGroupDefinitionVersions ListContainerGroupDefinitions ListFleetDeployments ListFleets
ListLocations ListScripts ListTagsForResource ResolveAlias SearchGameSessions ValidateMatchmakingRuleSet
""".split()

MARKED_CHANGES = """
CreateAlias CreateFleetLocations CreateGameSession CreatePlayerSession CreatePlayerSessions CreateScript DeleteAlias
DeleteFleetLocations DeleteScalingPolicy DeregisterCompute GetComputeAccess GetInstanceAccess PutScalingPolicy
StartFleetActions StartGameSessionPlacement StartMatchBackfill StartMatchmaking StopFleetActions
StopGameSessionPlacement StopMatchmaking TagResource TerminateGameSession UntagResource UpdateAlias UpdateBuild
UpdateContainerFleet UpdateFleetAttributes UpdateFleetCapacity UpdateFleetPortSettings UpdateGameSession
UpdateGameSessionQueue UpdateRuntimeConfiguration UpdateScript
""".split()

MARKED = {*MARKED_READS, *MARKED_CHANGES}

BESIDES = set(
    """
AcceptMatch CreateFleet CreateGameSessionQueue CreateMatchmakingConfiguration CreateMatchmakingRuleSet DeleteFleet
DeleteGameSessionQueue DeleteMatchmakingConfiguration DeleteMatchmakingRuleSet UpdateMatchmakingConfiguration
""".split()
)

# Operations called by `cases.py`; all others are called by the stories in `changes`.
READS = {name for name in MARKED_READS if name.startswith(("Describe", "List", "Resolve", "Search"))} - {
    "DescribeContainerGroupPortMappings",
    "ListContainerGroupDefinitionVersions",
}


@functools.cache
def listed(service):
    """Returns the operations of a service that the program says it supports."""
    lines = subprocess.run([*command(), "--list-operations"], check=True, capture_output=True, text=True).stdout.split()
    return {line.split(":")[1] for line in lines if line.startswith(f"{service}:")}
