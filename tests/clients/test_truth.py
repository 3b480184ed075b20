"""What a client reads is what the world holds: compares every listing with the truth, record by record."""

import pytest

from clients import ask_json

# Operation, the member it returns, the member of the truth.
WHOLE_LISTINGS = [
    ("DescribeFleetAttributes", "FleetAttributes", "Fleets"),
    ("ListContainerFleets", "ContainerFleets", "ContainerFleets"),
    ("DescribeGameSessionQueues", "GameSessionQueues", "GameSessionQueues"),
    ("ListAliases", "Aliases", "Aliases"),
    ("DescribeMatchmakingConfigurations", "Configurations", "MatchmakingConfigurations"),
    ("DescribeMatchmakingRuleSets", "RuleSets", "MatchmakingRuleSets"),
    ("ListBuilds", "Builds", "Builds"),
    ("ListScripts", "Scripts", "Scripts"),
    ("ListLocations", "Locations", "Locations"),
]


def read(client, operation, parameters):
    """Returns the body of an answer that must succeed and be complete."""
    answer = ask_json(client, operation, parameters)
    assert answer.code is None and "NextToken" not in answer.body, (operation, parameters, answer.body)
    return answer.body


@pytest.mark.parametrize("operation, member, real", WHOLE_LISTINGS)
def test_a_listing_holds_every_record(gamelift, truth, operation, member, real):
    assert read(gamelift, operation, {})[member] == truth[real]


def test_capacity_and_utilization_of_every_location(gamelift, truth):
    for operation, member in [
        ("DescribeFleetLocationCapacity", "FleetCapacity"),
        ("DescribeFleetLocationUtilization", "FleetUtilization"),
    ]:
        containers = {fleet["FleetId"] for fleet in truth["ContainerFleets"]}
        checked = 0
        for record in truth[member]:
            if member == "FleetUtilization" and record["FleetId"] in containers:
                continue
            place = {"FleetId": record["FleetId"], "Location": record["Location"]}
            assert read(gamelift, operation, place)[member] == record
            checked += 1
        assert checked > 3


def test_everything_below_a_fleet(gamelift, truth):
    managed = {record["FleetId"] for record in truth["FleetCapacity"]}
    for fleet in truth["FleetIds"]:
        mine = {"FleetId": fleet}
        places = read(gamelift, "DescribeFleetLocationAttributes", mine)["LocationAttributes"]
        assert places == truth["LocationAttributes"][fleet]
        computes = [record for record in truth["Computes"] if record["FleetId"] == fleet]
        assert read(gamelift, "ListCompute", mine)["ComputeList"] == computes
        if fleet not in managed:
            continue
        policies = [record for record in truth["ScalingPolicies"] if record["FleetId"] == fleet]
        assert read(gamelift, "DescribeScalingPolicies", mine)["ScalingPolicies"] == policies
        for place in places:
            location = place["LocationState"]["Location"]
            instances = [
                record
                for record in truth["Instances"]
                if record["FleetId"] == fleet and record["Location"] == location
            ]
            assert read(gamelift, "DescribeInstances", mine | {"Location": location})["Instances"] == instances


def test_the_players_of_every_session(gamelift, truth):
    players = {}
    for record in truth["PlayerSessions"]:
        players.setdefault(record["GameSessionId"], []).append(record)
    for session in truth["GameSessions"][:150]:
        arn = session["GameSessionId"]
        found = read(gamelift, "DescribePlayerSessions", {"GameSessionId": arn})["PlayerSessions"]
        assert found == players.get(arn, [])
        taken = [record for record in found if record["Status"] in ("ACTIVE", "RESERVED")]
        if session["Status"] == "ACTIVE":
            assert len(taken) == session["CurrentPlayerSessionCount"] <= session["MaximumPlayerSessionCount"]


def test_a_search_finds_what_the_truth_says(gamelift, truth):
    fleet = max(truth["FleetIds"], key=lambda key: sum(s["FleetId"] == key for s in truth["GameSessions"]))
    active = [s for s in truth["GameSessions"] if s["FleetId"] == fleet and s["Status"] == "ACTIVE"]
    crowd = sorted(session["CurrentPlayerSessionCount"] for session in active)[len(active) // 2]

    def found(expression, sort):
        items, token = [], {}
        while True:
            asked = {"FleetId": fleet, "FilterExpression": expression, "SortExpression": sort} | token
            page = ask_json(gamelift, "SearchGameSessions", asked).body
            items += page["GameSessions"]
            assert len(page["GameSessions"]) <= 20
            if "NextToken" not in page:
                return items
            token = {"NextToken": page["NextToken"]}

    sessions = found(f"playerSessionCount >= {crowd}", "creationTimeMillis DESC")
    ids = {session["GameSessionId"] for session in active if session["CurrentPlayerSessionCount"] >= crowd}
    assert {session["GameSessionId"] for session in sessions} == ids and len(sessions) == len(ids)
    times = [session["CreationTime"] for session in sessions]
    assert times == sorted(times, reverse=True)
    open_ones = found("hasAvailablePlayerSessions = true", "playerSessionCount ASC")
    assert len(open_ones) == sum(s["CurrentPlayerSessionCount"] < s["MaximumPlayerSessionCount"] for s in active)


def test_a_quiet_world_has_no_incident(truth):
    assert truth["Incidents"] == []


def test_the_steps_of_every_location_end_at_the_count_that_was_requested_last(truth):
    steps, last = truth["ScalingSteps"], {}
    assert len(steps) > 50 and [step["Time"] for step in steps] == sorted(step["Time"] for step in steps)
    policies = {(policy["FleetId"], policy["Name"]) for policy in truth["ScalingPolicies"]}
    for step in steps:
        place = step["FleetId"], step["Location"]
        assert last.get(place, step["From"]) == step["From"] != step["To"]
        assert step["Reason"] == "POLICY" and (step["FleetId"], step["PolicyName"]) in policies
        last[place] = step["To"]
    for record in truth["FleetCapacity"]:
        place = record["FleetId"], record["Location"]
        settled = not any(
            (step["FleetId"], step["Location"]) == place and step["Time"] > truth["Now"] - 60 for step in steps
        )
        if place in last and settled:
            assert record["InstanceCounts"]["DESIRED"] == last[place]
