"""Every GameLift operation, in both protocols, judged by botocore's model."""

import pytest

from cases import cases
from clients import ask_cbor, ask_json, plain
from model import declared_errors, problems, service

MODEL = service("gamelift")
REGIONS = ["eu-west-1", "us-east-1", "ap-northeast-1"]

OPERATIONS = """
DescribeAlias DescribeBuild DescribeCompute DescribeContainerFleet DescribeContainerGroupDefinition
DescribeEC2InstanceLimits DescribeFleetAttributes DescribeFleetCapacity DescribeFleetDeployment DescribeFleetEvents
DescribeFleetLocationAttributes DescribeFleetLocationCapacity DescribeFleetLocationUtilization
DescribeFleetPortSettings DescribeFleetUtilization DescribeGameSessionDetails DescribeGameSessionPlacement
DescribeGameSessionQueues DescribeGameSessions DescribeInstances DescribeMatchmaking
DescribeMatchmakingConfigurations DescribeMatchmakingRuleSets DescribePlayerSessions DescribeRuntimeConfiguration
DescribeScalingPolicies DescribeScript ListAliases ListBuilds ListCompute ListContainerFleets
ListContainerGroupDefinitions ListFleetDeployments ListFleets ListLocations ListScripts ListTagsForResource
ResolveAlias SearchGameSessions
""".split()


def judge(operation, answer, expected, encoding):
    """Everything wrong with an answer."""
    model = MODEL.operation_model(operation)
    if answer.code != expected:
        return [f"answered {answer.code or 'success'} {answer.body}"]
    if answer.headers.get("x-amzn-requestid", "") == "":
        return ["no request id"]
    if expected is None:
        return problems(model.output_shape, answer.body, encoding)
    allowed = declared_errors(model)
    if expected not in allowed:
        return [f"{expected} is not declared"]
    if answer.status != allowed[expected]:
        return [f"{expected} came with status {answer.status}"]
    return [] if answer.body.get("Message") else ["the error has no Message"]


def test_every_operation_answers_as_the_model_says_in_both_protocols(world, gamelift, truth):
    found, seen = [], set()
    for operation, parameters, expected in cases(truth):
        seen.add(operation)
        as_json = ask_json(gamelift, operation, parameters)
        as_cbor = ask_cbor(world.endpoint, "GameLift", operation, parameters)
        wrong = judge(operation, as_json, expected, "json") + judge(operation, as_cbor, expected, "cbor")
        if expected is None and plain(as_json.body) != plain(as_cbor.body):
            wrong.append("JSON and CBOR differ")
        found += [f"{operation} {parameters}: {line}" for line in wrong[:5]]
    assert not found, "\n".join(found)
    assert seen == set(OPERATIONS)


def test_what_is_not_simulated_is_an_unknown_operation(world, gamelift):
    for operation in set(MODEL.operation_names) - set(OPERATIONS):
        answer = ask_json(gamelift, operation, {})
        assert (answer.code, answer.status) == ("UnknownOperationException", 404), operation
    answer = ask_cbor(world.endpoint, "GameLift", "MakeCoffee", {})
    assert (answer.code, answer.status) == ("UnknownOperationException", 404)


@pytest.mark.parametrize("region", REGIONS)
def test_the_truth_of_every_region_is_made_of_the_model_s_shapes(world, region):
    truth = world.truth(region)
    shapes = {
        "Fleets": "FleetAttributes",
        "ContainerFleets": "ContainerFleet",
        "FleetCapacity": "FleetCapacity",
        "FleetUtilization": "FleetUtilization",
        "ScalingPolicies": "ScalingPolicy",
        "Instances": "Instance",
        "Computes": "Compute",
        "GameSessions": "GameSession",
        "PlayerSessions": "PlayerSession",
        "GameSessionPlacements": "GameSessionPlacement",
        "MatchmakingTickets": "MatchmakingTicket",
        "GameSessionQueues": "GameSessionQueue",
        "Aliases": "Alias",
        "MatchmakingConfigurations": "MatchmakingConfiguration",
        "MatchmakingRuleSets": "MatchmakingRuleSet",
        "Builds": "Build",
        "Scripts": "Script",
        "ContainerGroupDefinitions": "ContainerGroupDefinition",
        "FleetDeployments": "FleetDeployment",
        "Locations": "LocationModel",
    }
    found = []
    for member, name in shapes.items():
        for record in truth[member]:
            found += problems(MODEL.shape_for(name), record, "json", member)
    assert not found, "\n".join(found[:40])
    assert truth["GameSessions"] and truth["PlayerSessions"]
