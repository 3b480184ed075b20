"""Every operation with parameters that succeed and parameters that fail, made from the truth of a world.

A case is (operation, parameters, expected error code or None).
"""

import datetime

from choose import NO_FLEET, NO_SESSION
from simulator import REGION

NF, IR = "NotFoundException", "InvalidRequestException"
TERMINAL = "TerminalRoutingStrategyException"


def cases(truth):
    """Returns all cases for a Region's truth."""
    return [
        *fleet_cases(truth),
        *location_cases(truth),
        *container_cases(truth),
        *compute_cases(truth),
        *session_cases(truth),
        *player_cases(truth),
        *routing_cases(truth),
        *content_cases(truth),
    ]


def pick(truth):
    """Returns the EC2 fleet with the most locations, and a container fleet."""
    places = truth["LocationAttributes"]
    ec2 = [fleet for fleet in truth["Fleets"] if fleet["ComputeType"] == "EC2"]
    wide = max(ec2, key=lambda fleet: len(places[fleet["FleetId"]]))["FleetId"]
    return wide, truth["ContainerFleets"][0]["FleetId"]


def anywhere_cases(truth):
    """Yields the operations that treat an Anywhere fleet differently, for a Region that has one."""
    anywhere = next(fleet["FleetId"] for fleet in truth["Fleets"] if fleet["ComputeType"] == "ANYWHERE")
    site = truth["LocationAttributes"][anywhere][-1]["LocationState"]["Location"]
    compute = next(item["ComputeName"] for item in truth["Computes"] if item["FleetId"] == anywhere)
    yield "DescribeFleetAttributes", {"FleetIds": [anywhere]}, None
    yield "DescribeFleetCapacity", {"FleetIds": [anywhere]}, None
    yield "DescribeFleetEvents", {"FleetId": anywhere}, None
    yield "DescribeFleetLocationAttributes", {"FleetId": anywhere}, None
    yield "DescribeFleetLocationUtilization", {"FleetId": anywhere, "Location": site}, None
    yield "DescribeFleetLocationCapacity", {"FleetId": anywhere, "Location": site}, IR
    yield "DescribeRuntimeConfiguration", {"FleetId": anywhere}, IR
    yield "DescribeFleetPortSettings", {"FleetId": anywhere}, IR
    yield "DescribeScalingPolicies", {"FleetId": anywhere}, IR
    yield "DescribeInstances", {"FleetId": anywhere}, IR
    yield "ListCompute", {"FleetId": anywhere}, None
    yield "ListCompute", {"FleetId": anywhere, "Location": site}, None
    yield "DescribeCompute", {"FleetId": anywhere, "ComputeName": compute}, None
    yield "DescribeGameSessions", {"FleetId": anywhere, "Location": site, "Limit": 5}, None
    yield "SearchGameSessions", {"FleetId": anywhere}, None


def fleet_cases(truth):
    wide, container = pick(truth)
    fleet = next(fleet for fleet in truth["Fleets"] if fleet["FleetId"] == wide)
    build = next(fleet["BuildId"] for fleet in truth["Fleets"] if "BuildId" in fleet)
    now = datetime.datetime.fromtimestamp(truth["Now"], datetime.timezone.utc)
    day = datetime.timedelta(days=1)
    many = ["DescribeFleetAttributes", "DescribeFleetCapacity", "DescribeFleetUtilization"]
    for operation in many:
        yield operation, {}, None
        yield operation, {"Limit": 1}, None
        yield operation, {"FleetIds": [wide, NO_FLEET]}, None
        yield operation, {"FleetIds": [fleet["FleetArn"]]}, None
        yield operation, {"FleetIds": []}, IR
        yield operation, {"FleetIds": ["no fleet"]}, IR
        yield operation, {"Limit": 0}, IR
        yield operation, {"NextToken": "forged"}, IR
        yield operation, {"FleetIds": [NO_FLEET] * 101}, IR
        yield operation, {"Limit": "five"}, "SerializationException"
    yield "ListFleets", {}, None
    yield "ListFleets", {"Limit": 2}, None
    yield "ListFleets", {"BuildId": build}, None
    yield "ListFleets", {"BuildId": "build-none"}, NF
    yield "ListFleets", {"BuildId": "none"}, IR
    yield "ListFleets", {"ScriptId": "script-none"}, NF
    yield "DescribeRuntimeConfiguration", {"FleetId": wide}, None
    yield "DescribeRuntimeConfiguration", {"FleetId": NO_FLEET}, NF
    yield "DescribeRuntimeConfiguration", {"FleetId": container}, IR
    yield "DescribeRuntimeConfiguration", {}, IR
    yield "DescribeFleetPortSettings", {"FleetId": wide}, None
    yield "DescribeFleetPortSettings", {"FleetId": wide, "Location": "mars-north-1"}, NF
    yield "DescribeScalingPolicies", {"FleetId": wide}, None
    yield "DescribeScalingPolicies", {"FleetId": container}, None
    yield "DescribeScalingPolicies", {"FleetId": wide, "StatusFilter": "ACTIVE", "Limit": 1}, None
    yield "DescribeScalingPolicies", {"FleetId": wide, "StatusFilter": "ASLEEP"}, IR
    yield "DescribeScalingPolicies", {"FleetId": NO_FLEET}, NF
    yield "DescribeFleetEvents", {"FleetId": wide}, None
    yield "DescribeFleetEvents", {"FleetId": container, "Limit": 3}, None
    yield "DescribeFleetEvents", {"FleetId": wide, "StartTime": now - day, "EndTime": now}, None
    yield "DescribeFleetEvents", {"FleetId": wide, "StartTime": now, "EndTime": now - day}, IR
    yield "DescribeFleetEvents", {"FleetId": NO_FLEET}, NF


def location_cases(truth):
    wide, container = pick(truth)
    places = [place["LocationState"]["Location"] for place in truth["LocationAttributes"][wide]]
    yield "DescribeFleetLocationAttributes", {"FleetId": wide}, None
    yield "DescribeFleetLocationAttributes", {"FleetId": wide, "Locations": places[::-1]}, None
    yield "DescribeFleetLocationAttributes", {"FleetId": wide, "Locations": ["mars-north-1"]}, None
    yield "DescribeFleetLocationAttributes", {"FleetId": container}, None
    yield "DescribeFleetLocationAttributes", {"FleetId": NO_FLEET}, NF
    for operation in ["DescribeFleetLocationCapacity", "DescribeFleetLocationUtilization"]:
        for place in places:
            yield operation, {"FleetId": wide, "Location": place}, None
        yield operation, {"FleetId": wide}, IR
        yield operation, {"FleetId": wide, "Location": "mars-north-1"}, NF
        yield operation, {"FleetId": wide, "Location": "under_score"}, IR
    home = truth["LocationAttributes"][container][0]["LocationState"]["Location"]
    yield "DescribeFleetLocationCapacity", {"FleetId": container, "Location": home}, None
    yield "DescribeFleetLocationUtilization", {"FleetId": container, "Location": home}, IR
    yield "DescribeEC2InstanceLimits", {}, None
    yield "DescribeEC2InstanceLimits", {"EC2InstanceType": "c5.large"}, None
    yield "DescribeEC2InstanceLimits", {"Location": places[-1]}, None
    yield "DescribeEC2InstanceLimits", {"EC2InstanceType": "LARGE"}, IR
    yield "DescribeEC2InstanceLimits", {"Location": "mars-north-1"}, IR
    yield "ListLocations", {}, None
    yield "ListLocations", {"Filters": ["AWS"], "Limit": 3}, None
    yield "ListLocations", {"Filters": ["CUSTOM"]}, None
    yield "ListLocations", {"Filters": ["MOON"]}, IR
    yield "ListLocations", {"Limit": 201}, IR


def container_cases(truth):
    wide, container = pick(truth)
    definition = truth["ContainerGroupDefinitions"][0]
    name, arn = definition["Name"], definition["ContainerGroupDefinitionArn"]
    deployment = truth["FleetDeployments"][0]["DeploymentId"]
    yield "ListContainerFleets", {}, None
    yield "ListContainerFleets", {"ContainerGroupDefinitionName": name}, None
    yield "ListContainerFleets", {"ContainerGroupDefinitionName": "a name"}, IR
    yield "DescribeContainerFleet", {"FleetId": container}, None
    yield "DescribeContainerFleet", {"FleetId": wide}, IR
    yield "DescribeContainerFleet", {"FleetId": NO_FLEET}, NF
    yield "ListFleetDeployments", {}, None
    yield "ListFleetDeployments", {"FleetId": container, "Limit": 1}, None
    yield "ListFleetDeployments", {"FleetId": NO_FLEET}, NF
    yield "DescribeFleetDeployment", {"FleetId": container}, None
    yield "DescribeFleetDeployment", {"FleetId": container, "DeploymentId": deployment}, None
    yield "DescribeFleetDeployment", {"FleetId": container, "DeploymentId": "none"}, NF
    yield "ListContainerGroupDefinitions", {}, None
    yield "ListContainerGroupDefinitions", {"ContainerGroupType": "PER_INSTANCE"}, None
    yield "ListContainerGroupDefinitions", {"ContainerGroupType": "BOX"}, IR
    yield "ListContainerGroupDefinitions", {"Limit": 101}, IR
    yield "DescribeContainerGroupDefinition", {"Name": name}, None
    yield "DescribeContainerGroupDefinition", {"Name": arn}, None
    yield "DescribeContainerGroupDefinition", {"Name": name, "VersionNumber": 1}, None
    yield "DescribeContainerGroupDefinition", {"Name": name, "VersionNumber": 999}, NF
    yield "DescribeContainerGroupDefinition", {"Name": "none"}, NF


def compute_cases(truth):
    wide, container = pick(truth)
    instance = next(item for item in truth["Instances"] if item["FleetId"] == wide)
    compute = next(item for item in truth["Computes"] if item["FleetId"] == container)
    yield "DescribeInstances", {"FleetId": wide}, None
    yield "DescribeInstances", {"FleetId": wide, "Location": instance["Location"], "Limit": 1}, None
    one = {"FleetId": wide, "InstanceId": instance["InstanceId"], "Location": instance["Location"]}
    yield "DescribeInstances", one, None
    # A single instance is found by its id in any location.
    away = next(item for item in truth["Instances"] if item["FleetId"] == wide and item["Location"] != REGION)
    yield "DescribeInstances", {"FleetId": wide, "InstanceId": away["InstanceId"]}, None
    yield "DescribeInstances", {"FleetId": wide, "InstanceId": away["InstanceId"], "Location": REGION}, NF
    yield "DescribeInstances", {"FleetId": wide, "InstanceId": "i-none"}, NF
    yield "DescribeInstances", {"FleetId": wide, "Location": "mars-north-1"}, NF
    yield "ListCompute", {"FleetId": wide}, None
    yield "ListCompute", {"FleetId": container, "ComputeStatus": "ACTIVE", "Limit": 2}, None
    yield "ListCompute", {"FleetId": container, "Location": compute["Location"]}, None
    yield "ListCompute", {"FleetId": NO_FLEET}, IR
    yield "ListCompute", {"FleetId": wide, "ComputeStatus": "GONE"}, IR
    yield "DescribeCompute", {"FleetId": container, "ComputeName": compute["ComputeName"]}, None
    yield "DescribeCompute", {"FleetId": wide, "ComputeName": instance["InstanceId"]}, None
    yield "DescribeCompute", {"FleetId": wide, "ComputeName": "i-none"}, NF


def session_cases(truth):
    wide, container = pick(truth)
    session = next(item for item in truth["GameSessions"] if item["FleetId"] == wide)
    simple = next(alias for alias in truth["Aliases"] if alias["RoutingStrategy"]["Type"] == "SIMPLE")
    terminal = next(alias for alias in truth["Aliases"] if alias["RoutingStrategy"]["Type"] == "TERMINAL")
    for operation in ["DescribeGameSessions", "DescribeGameSessionDetails"]:
        yield operation, {"FleetId": wide}, None
        yield operation, {"FleetId": wide, "StatusFilter": "ACTIVE", "Limit": 5}, None
        yield operation, {"FleetId": container, "StatusFilter": "TERMINATED", "Limit": 5}, None
        yield operation, {"FleetId": wide, "Location": session["Location"], "Limit": 7}, None
        yield operation, {"AliasId": simple["AliasId"], "Limit": 2}, None
        yield operation, {"GameSessionId": session["GameSessionId"]}, None
        yield operation, {"AliasId": terminal["AliasArn"]}, TERMINAL
        yield operation, {"GameSessionId": NO_SESSION}, NF
        yield operation, {"FleetId": NO_FLEET}, NF
        yield operation, {"FleetId": wide, "Location": "mars-north-1"}, NF
        yield operation, {"FleetId": wide, "StatusFilter": "ERROR"}, IR
        yield operation, {"FleetId": wide, "AliasId": simple["AliasId"]}, IR
        yield operation, {}, IR
    search = "SearchGameSessions"
    yield search, {"FleetId": wide}, None
    yield search, {"AliasId": simple["AliasId"], "SortExpression": "creationTimeMillis DESC"}, None
    expression = "hasAvailablePlayerSessions=true AND NOT (playerSessionCount<1 OR maximumSessions>=500)"
    yield search, {"FleetId": wide, "FilterExpression": expression, "Limit": 3}, None
    yield search, {"FleetId": wide, "FilterExpression": "gameSessionProperties.mode = 'ranked'"}, None
    by_id = f"gameSessionId = '{session['GameSessionId']}'"
    yield search, {"FleetId": wide, "FilterExpression": by_id}, None
    yield search, {"FleetId": wide, "FilterExpression": "players = 3"}, IR
    yield search, {"FleetId": wide, "FilterExpression": "playerSessionCount < inf"}, IR
    yield search, {"FleetId": wide, "FilterExpression": "gameSessionProperties.season > 5"}, IR
    yield search, {"FleetId": wide, "SortExpression": "creationTimeMillis"}, IR
    yield search, {"AliasId": terminal["AliasId"]}, TERMINAL
    yield search, {"FleetId": NO_FLEET}, NF


def player_cases(truth):
    player = next(item for item in truth["PlayerSessions"] if item["Status"] == "ACTIVE")
    describe = "DescribePlayerSessions"
    yield describe, {"PlayerSessionId": player["PlayerSessionId"]}, None
    yield describe, {"PlayerId": player["PlayerId"]}, None
    yield describe, {"PlayerId": "nobody"}, None
    yield describe, {"GameSessionId": player["GameSessionId"]}, None
    yield describe, {"GameSessionId": player["GameSessionId"], "Limit": 2}, None
    active = {"GameSessionId": player["GameSessionId"], "PlayerSessionStatusFilter": "ACTIVE"}
    yield describe, active, None
    yield describe, active | {"PlayerSessionStatusFilter": "AWAKE"}, IR
    yield describe, {"PlayerSessionId": "psess-none"}, NF
    yield describe, {"GameSessionId": NO_SESSION}, NF
    yield describe, {}, IR


def routing_cases(truth):
    alias = next(alias for alias in truth["Aliases"] if alias["RoutingStrategy"]["Type"] == "SIMPLE")
    terminal = next(alias for alias in truth["Aliases"] if alias["RoutingStrategy"]["Type"] == "TERMINAL")
    queue = truth["GameSessionQueues"][0]
    yield "ListAliases", {}, None
    yield "ListAliases", {"RoutingStrategyType": "TERMINAL"}, None
    yield "ListAliases", {"Name": alias["Name"], "Limit": 1}, None
    yield "ListAliases", {"RoutingStrategyType": "WINDING"}, IR
    for operation in ["DescribeAlias", "ResolveAlias"]:
        yield operation, {"AliasId": alias["AliasId"]}, None
        yield operation, {"AliasId": alias["AliasArn"]}, None
        yield operation, {"AliasId": "alias-none"}, NF
        yield operation, {}, IR
    yield "DescribeAlias", {"AliasId": terminal["AliasId"]}, None
    yield "ResolveAlias", {"AliasId": terminal["AliasId"]}, TERMINAL
    yield "DescribeGameSessionQueues", {}, None
    yield "DescribeGameSessionQueues", {"Names": [queue["Name"], "none"]}, None
    yield "DescribeGameSessionQueues", {"Names": [queue["GameSessionQueueArn"]]}, None
    yield "DescribeGameSessionQueues", {"Names": ["a queue"]}, IR
    place = "DescribeGameSessionPlacement"
    for session in truth["GameSessions"]:
        placement = session["GameSessionId"].rsplit("/", 1)[1]
        if placement.startswith("plc-"):
            yield place, {"PlacementId": placement}, None
            break
    yield place, {"PlacementId": "none"}, NF
    yield place, {"PlacementId": "no placement"}, IR
    yield "DescribeMatchmaking", {"TicketIds": ["none"]}, None
    yield "DescribeMatchmaking", {"TicketIds": ["none"] * 11}, IR
    configuration = truth["MatchmakingConfigurations"][0]
    yield "DescribeMatchmakingConfigurations", {}, None
    yield "DescribeMatchmakingConfigurations", {"Names": [configuration["Name"]]}, None
    yield "DescribeMatchmakingConfigurations", {"RuleSetName": configuration["RuleSetName"]}, None
    yield "DescribeMatchmakingConfigurations", {"Limit": 1}, None
    yield "DescribeMatchmakingConfigurations", {"RuleSetName": "a rule set"}, IR
    yield "DescribeMatchmakingRuleSets", {}, None
    yield "DescribeMatchmakingRuleSets", {"Names": [configuration["RuleSetName"]], "Limit": 10}, None
    yield "DescribeMatchmakingRuleSets", {"Names": ["none"]}, NF
    yield "DescribeMatchmakingRuleSets", {"Limit": 11}, IR


def content_cases(truth):
    build = truth["Builds"][0]
    yield "ListBuilds", {}, None
    yield "ListBuilds", {"Status": "READY", "Limit": 1}, None
    yield "ListBuilds", {"Status": "RIPE"}, IR
    yield "DescribeBuild", {"BuildId": build["BuildId"]}, None
    yield "DescribeBuild", {"BuildId": build["BuildArn"]}, None
    yield "DescribeBuild", {"BuildId": "build-none"}, NF
    yield "ListScripts", {}, None
    yield "ListScripts", {"NextToken": "forged"}, IR
    yield "DescribeScript", {"ScriptId": "script-none"}, NF
    for script in truth["Scripts"][:1]:
        yield "DescribeScript", {"ScriptId": script["ScriptId"]}, None
        yield "ListFleets", {"ScriptId": script["ScriptArn"]}, None
    for resource in [truth["Fleets"][0]["FleetArn"], truth["GameSessionQueues"][0]["GameSessionQueueArn"]]:
        yield "ListTagsForResource", {"ResourceARN": resource}, None
    yield "ListTagsForResource", {"ResourceARN": "arn:aws:gamelift:eu-west-1::fleet/fleet-none"}, NF
    yield "ListTagsForResource", {}, IR
