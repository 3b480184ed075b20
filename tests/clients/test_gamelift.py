"""Every GameLift operation, in both protocols, judged by botocore's model."""

import json

import pytest

from cases import anywhere_cases, cases
from clients import ask_cbor, ask_json, ask_json_by_hand, boto
from judge import MODEL, judge_both
from model import problems
from simulator import START, Simulator
from test_changes import OPERATIONS as CHANGES
from violations import violations

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


def run(endpoint, region, all_cases):
    """Calls every case in both protocols; gives back the JSON bodies, after judging everything."""
    client, found, bodies = boto(endpoint, "gamelift", region), [], []
    for operation, parameters, expected in all_cases:
        as_json = ask_json(client, operation, parameters)
        as_cbor = ask_cbor(endpoint, "GameLift", operation, parameters, region)
        wrong = judge_both(operation, as_json, as_cbor, expected)
        found += [f"{operation} {parameters}: {line}" for line in wrong[:5]]
        bodies.append(as_json.body)
    assert not found, "\n".join(found)
    return bodies


def test_every_operation_answers_as_the_model_says_in_both_protocols(world, truth):
    everything = cases(truth)
    run(world.endpoint, REGIONS[0], everything)
    assert {operation for operation, _, _ in everything} == set(OPERATIONS)


def test_every_rule_of_the_model_is_kept_in_both_protocols(world, truth):
    found, seen = [], set()
    for operation, parameters, expected in cases(truth):
        if expected is not None or operation in seen or not parameters:
            continue
        seen.add(operation)
        shape = MODEL.operation_model(operation).input_shape
        for what, broken, code in violations(shape, parameters):
            as_json = ask_json_by_hand(world.endpoint, operation, broken)
            as_cbor = ask_cbor(world.endpoint, "GameLift", operation, broken)
            found += [f"{operation} {what}: {line}" for line in judge_both(operation, as_json, as_cbor, code)]
    assert not found, "\n".join(found)
    assert len(seen) > 30


def test_an_anywhere_fleet_is_asked_differently(world):
    region = REGIONS[2]
    run(world.endpoint, region, anywhere_cases(world.truth(region)))


def test_what_the_events_name_can_be_described():
    with Simulator("--speed", "0", "--start", START, "--no-throttle") as simulator:
        client, url = boto(simulator.endpoint, "sqs"), simulator.ready["event_queues"][REGIONS[0]]
        placements, tickets = set(), set()
        while messages := client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
            for message in messages:
                body = json.loads(message["Body"])
                detail = json.loads(body["Message"])["detail"] if "Message" in body else body["detail"]
                placements |= {detail["placementId"]} if "placementId" in detail else set()
                tickets |= {ticket["ticketId"] for ticket in detail.get("tickets", [])}
        for _ in range(40):
            simulator.post("advance", {"seconds": 4})
            truth = simulator.truth()
            placements |= {record["PlacementId"] for record in truth["GameSessionPlacements"]}
            tickets |= {record["TicketId"] for record in truth["MatchmakingTickets"]}
            if truth["MatchmakingTickets"] and truth["GameSessionPlacements"]:
                break
        assert truth["MatchmakingTickets"], "a ticket is open"
        placements, tickets = sorted(placements), sorted(tickets)
        asked = [("DescribeGameSessionPlacement", {"PlacementId": key}, None) for key in placements[:60]]
        states = {body["GameSessionPlacement"]["Status"] for body in run(simulator.endpoint, REGIONS[0], asked)}
        assert "FULFILLED" in states
        tens = [tickets[at : at + 10] for at in range(0, len(tickets), 10)]
        asked = [("DescribeMatchmaking", {"TicketIds": ten}, None) for ten in tens]
        bodies = run(simulator.endpoint, REGIONS[0], asked)
        seen = [ticket for body in bodies for ticket in body["TicketList"]]
        assert len(seen) == len(tickets)
        states = {ticket["Status"] for ticket in seen}
        assert "COMPLETED" in states and len(states) > 1


def test_what_is_not_simulated_is_an_unknown_operation(world, gamelift):
    for operation in set(MODEL.operation_names) - set(OPERATIONS) - set(CHANGES):
        answer = ask_json(gamelift, operation, {})
        assert (answer.code, answer.status) == ("UnknownOperationException", 404), operation
    answer = ask_cbor(world.endpoint, "GameLift", "MakeCoffee", {})
    assert (answer.code, answer.status) == ("UnknownOperationException", 404)


# What the truth holds, and the shape of each record in it.
RECORDS = {
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


@pytest.mark.parametrize("scenario", ["quiet", "launch-day", "capped-fleet"])
def test_the_truth_of_every_scenario_is_made_of_the_model_s_shapes(scenario):
    with Simulator("--speed", "0", "--start", START, "--scenario", scenario) as simulator:
        for _ in range(2):
            for region in REGIONS:
                truth, found = simulator.truth(region), []
                for member, name in RECORDS.items():
                    for record in truth[member]:
                        found += problems(MODEL.shape_for(name), record, "json", member)
                assert not found, "\n".join(found[:40])
                assert truth["GameSessions"] and truth["PlayerSessions"]
            simulator.post("advance", {"seconds": 1200})
