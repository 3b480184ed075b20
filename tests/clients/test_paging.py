"""Pages and their tokens, read with boto3's own paginators and by hand."""

import pytest

from clients import ask_json, boto
from cases import pick

# Listings longer than the page size given, each with the member it fills.
LISTINGS = [
    ("ListFleets", "FleetIds", {}),
    ("DescribeFleetAttributes", "FleetAttributes", {}),
    ("DescribeFleetEvents", "Events", {"FleetId": "wide"}),
    ("DescribeGameSessions", "GameSessions", {"FleetId": "wide", "StatusFilter": "ACTIVE"}),
    ("SearchGameSessions", "GameSessions", {"FleetId": "wide", "SortExpression": "playerSessionCount DESC"}),
    ("ListAliases", "Aliases", {}),
    ("DescribeScalingPolicies", "ScalingPolicies", {"FleetId": "wide"}),
    ("ListLocations", "Locations", {}),
    ("ListCompute", "ComputeList", {"FleetId": "wide"}),
]


def filled(parameters, truth):
    return parameters | ({"FleetId": pick(truth)[0]} if "FleetId" in parameters else {})


def walk(client, operation, member, parameters, limit):
    """Returns all items of a listing and the number of pages it took."""
    items, pages, token = [], 0, {}
    while True:
        page = ask_json(client, operation, parameters | {"Limit": limit} | token).body
        items += page[member]
        pages += 1
        if "NextToken" not in page:
            return items, pages
        assert len(page[member]) == limit
        token = {"NextToken": page["NextToken"]}


@pytest.mark.parametrize("operation, member, parameters", LISTINGS)
def test_small_pages_together_are_the_large_page(gamelift, truth, operation, member, parameters):
    parameters = filled(parameters, truth)
    small, pages = walk(gamelift, operation, member, parameters, 2)
    large, _ = walk(gamelift, operation, member, parameters, 20 if operation == "SearchGameSessions" else 100)
    assert pages > 1
    assert small == large[: len(small)] and len(small) == len(large)


def test_boto3_s_paginators_read_what_the_truth_says(gamelift, truth):
    for fleet in truth["FleetIds"]:
        pages = gamelift.get_paginator("describe_game_sessions")
        seen = {
            session["GameSessionId"]
            for status in ["ACTIVE", "ACTIVATING"]
            for page in pages.paginate(FleetId=fleet, StatusFilter=status, PaginationConfig={"PageSize": 7})
            for session in page["GameSessions"]
        }
        real = {s["GameSessionId"] for s in truth["GameSessions"] if s["FleetId"] == fleet and s["Status"] != "TERMINATING"}
        assert seen == real


def test_a_token_is_good_for_its_own_listing_only(world, gamelift, truth):
    fleet = pick(truth)[0]
    active = {"FleetId": fleet, "StatusFilter": "ACTIVE", "Limit": 2}
    token = ask_json(gamelift, "DescribeGameSessions", active).body["NextToken"]
    other = next(key for key in truth["FleetIds"] if key != fleet)
    elsewhere = [
        (gamelift, "DescribeGameSessions", active | {"FleetId": other}),
        (gamelift, "DescribeGameSessions", {"FleetId": fleet}),
        (gamelift, "DescribeGameSessionDetails", active),
        (gamelift, "ListFleets", {}),
        (boto(world.endpoint, "gamelift", "us-east-1"), "ListFleets", {}),
    ]
    for client, operation, parameters in elsewhere:
        answer = ask_json(client, operation, parameters | {"NextToken": token})
        assert answer.code == "InvalidRequestException", operation
    changed = token[:-2] + ("A" if token[-2] != "A" else "B") + token[-1]
    assert ask_json(gamelift, "DescribeGameSessions", active | {"NextToken": changed}).code == "InvalidRequestException"
    assert ask_json(gamelift, "DescribeGameSessions", active | {"NextToken": token, "Limit": 3}).code is None
