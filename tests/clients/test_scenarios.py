"""Running worlds: what their events name can be described, and their truth consists of the model's shapes."""

import json

import pytest

from clients import boto
from judge import MODEL, ask_all
from model import problems
from simulator import START, Simulator

REGIONS = ["eu-west-1", "us-east-1", "ap-northeast-1"]


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
        states = {body["GameSessionPlacement"]["Status"] for body in ask_all(simulator.endpoint, REGIONS[0], asked)}
        assert "FULFILLED" in states
        tens = [tickets[at : at + 10] for at in range(0, len(tickets), 10)]
        asked = [("DescribeMatchmaking", {"TicketIds": ten}, None) for ten in tens]
        bodies = ask_all(simulator.endpoint, REGIONS[0], asked)
        seen = [ticket for body in bodies for ticket in body["TicketList"]]
        assert len(seen) == len(tickets)
        states = {ticket["Status"] for ticket in seen}
        assert "COMPLETED" in states and len(states) > 1


# The members of the truth, and the shape of each record in them.
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


@pytest.mark.parametrize("scenario", ["quiet", "launch-day", "capped-fleet", "wrong-alias+bad-rules"])
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
