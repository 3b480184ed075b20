"""Starts and stops placements."""

import choose
from simulator import REGION
from twins import Wait

IR, NF = "InvalidRequestException", "NotFoundException"
START, STOP, SHOW = "StartGameSessionPlacement", "StopGameSessionPlacement", "DescribeGameSessionPlacement"


def by_latency(truth):
    """Returns a queue that puts latency first."""
    for queue in truth["GameSessionQueues"]:
        if queue.get("PriorityConfiguration", {}).get("PriorityOrder", [""])[0] == "LATENCY":
            return queue["Name"]
    raise AssertionError("no queue puts latency first")


def without_hope(truth, name):
    """Creates a queue that can place nothing, because its filter allows none of its destinations."""
    fleet = choose.fleet(truth, FleetType="SPOT")
    queue = {
        "Name": name,
        "TimeoutInSeconds": 10,
        "Destinations": [{"DestinationArn": choose.first(truth["Fleets"], FleetId=fleet)["FleetArn"]}],
        "FilterConfiguration": {"AllowedLocations": ["us-east-1"]},
        "PriorityConfiguration": {"PriorityOrder": ["LOCATION", "COST"], "LocationOrder": ["us-east-1"]},
    }
    yield "CreateGameSessionQueue", queue, None
    return name


def fulfilled(truth):
    queue = by_latency(truth)
    wanted = {
        "PlacementId": "judged-placement",
        "GameSessionQueueName": queue,
        "MaximumPlayerSessionCount": 6,
        "GameSessionName": "placed",
        "GameProperties": [{"Key": "mode", "Value": "duel"}],
        "GameSessionData": "round=7",
        "PlayerLatencies": [{"PlayerId": "ada", "RegionIdentifier": REGION, "LatencyInMilliseconds": 21.5}],
        "DesiredPlayerSessions": [{"PlayerId": "ada", "PlayerData": "team=red"}],
    }
    started = (yield START, wanted, None)["GameSessionPlacement"]
    assert started["Status"] == "PENDING" and started["GameSessionQueueName"] == queue
    yield Wait(75)
    placed = (yield SHOW, {"PlacementId": "judged-placement"}, None)["GameSessionPlacement"]
    assert placed["Status"] == "FULFILLED" and placed["GameSessionArn"] and placed["EndTime"]
    assert [player["PlayerId"] for player in placed["PlacedPlayerSessions"]] == ["ada"]
    assert placed["GameSessionRegion"] and placed["IpAddress"] and placed["Port"]
    yield STOP, {"PlacementId": "judged-placement"}, IR
    yield START, wanted, IR
    session = placed["GameSessionArn"]
    shown = (yield "DescribeGameSessions", {"GameSessionId": session}, None)["GameSessions"][0]
    assert (shown["Name"], shown["MaximumPlayerSessionCount"]) == ("placed", 6)


def stopped(truth):
    by_location = yield from without_hope(truth, "judged-idle")
    order = {"LocationOrder": [REGION], "PlacementFallbackStrategy": "NONE"}
    wanted = {
        "PlacementId": "to-be-stopped",
        "GameSessionQueueName": by_location,
        "MaximumPlayerSessionCount": 6,
        "PriorityConfigurationOverride": order,
    }
    yield START, wanted, None
    ended = (yield STOP, {"PlacementId": "to-be-stopped"}, None)["GameSessionPlacement"]
    assert ended["Status"] == "CANCELLED" and ended["EndTime"]
    yield STOP, {"PlacementId": "to-be-stopped"}, IR
    yield STOP, {"PlacementId": "never-started"}, NF
    other = wanted | {"PlacementId": "another"}
    yield START, other | {"GameSessionQueueName": "none"}, NF
    yield START, other | {"GameSessionQueueName": by_latency(truth)}, IR
    latency = {"PlayerId": "ada", "RegionIdentifier": REGION, "LatencyInMilliseconds": 21.5}
    yield START, other | {"PlayerLatencies": [latency]}, IR
    players = [{"PlayerId": f"p-{number}"} for number in range(7)]
    yield START, other | {"DesiredPlayerSessions": players}, IR


def timed_out(truth):
    """A destination without a process keeps a placement waiting until the queue's timeout."""
    queue = yield from without_hope(truth, "judged-nowhere")
    wanted = {"GameSessionQueueName": queue, "MaximumPlayerSessionCount": 2}
    yield START, wanted | {"PlacementId": "waits-for-ever"}, None
    yield Wait(30)
    ended = (yield SHOW, {"PlacementId": "waits-for-ever"}, None)["GameSessionPlacement"]
    assert ended["Status"] == "TIMED_OUT" and "GameSessionArn" not in ended


OPERATIONS = ["StartGameSessionPlacement", "StopGameSessionPlacement"]
STORIES = [(REGION, fulfilled), (REGION, stopped), (REGION, timed_out)]
