"""Which operations there are, by what is done with them.

`MARKED` is the list of the wire reference this project works from: what an operator's dashboard reads and does, needed
or optional. The rest makes and deletes the resources of that.
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

# What the cases of `cases.py` ask; everything else is asked by the stories of `changes`.
READS = {name for name in MARKED_READS if name.startswith(("Describe", "List", "Resolve", "Search"))} - {
    "DescribeContainerGroupPortMappings",
    "ListContainerGroupDefinitionVersions",
}


@functools.cache
def listed(service):
    """The operations of a service that the program says it answers."""
    lines = subprocess.run([*command(), "--list-operations"], check=True, capture_output=True, text=True).stdout.split()
    return {line.split(":")[1] for line in lines if line.startswith(f"{service}:")}
