"""What Liftdeck collected (current SDK, CBOR) equals what boto3 and an older SDK (both AWS JSON) read.

The simulator stands still (`--speed 0`), so three readers in turn see the same world.
"""

import json
import os
import subprocess

import boto3
import pytest

LIFTDECK = os.environ["LIFTDECK_BIN"]
KEYS = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_EC2_METADATA_DISABLED": "true"}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A frozen simulator and a database collected from it in one pass."""
    home = tmp_path_factory.mktemp("home")
    environment = os.environ | KEYS | {"LIFTDECK_HOME": str(home), "HOME": str(home)}
    # Nothing else needs this world's request rates.
    (home / "config").mkdir()
    (home / "config/settings.json").write_text(json.dumps({"budgetShare": 1}))
    simulate = subprocess.Popen(
        [LIFTDECK, "simulate", "--scenario", "quiet", "--seed", "3", "--speed", "0", "--no-throttle"],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )
    try:
        ready = json.loads(simulate.stdout.readline())
        database = home / "world.sqlite"
        collect = [LIFTDECK, "collect", "--once", "--db", database, "--endpoint-url", ready["endpoint"]]
        for region in ready["regions"]:
            collect += ["--region", region]
        subprocess.run(collect, env=environment, check=True)
        yield ready, database, environment
    finally:
        simulate.kill()


def client(ready, region):
    return boto3.client(
        "gamelift",
        region_name=region,
        endpoint_url=ready["endpoint"],
        aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
    )


def exported(world, kind, *more):
    _, database, environment = world
    command = [LIFTDECK, "export", kind, "--db", database, "--format", "ndjson", *more]
    lines = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def read_with_boto3(world):
    ready = world[0]
    fleets, sessions, players = {}, {}, {}
    for region in ready["regions"]:
        gamelift = client(ready, region)
        for fleet_id in gamelift.get_paginator("list_fleets").paginate().build_full_result()["FleetIds"]:
            fleets[fleet_id] = region
            pages = gamelift.get_paginator("describe_game_sessions").paginate(FleetId=fleet_id, StatusFilter="ACTIVE")
            for session in pages.build_full_result()["GameSessions"]:
                sessions[session["GameSessionId"]] = session
    for region in ready["regions"]:
        gamelift = client(ready, region)
        for session in sessions.values():
            if fleets[session["FleetId"]] != region:
                continue
            pages = gamelift.get_paginator("describe_player_sessions").paginate(GameSessionId=session["GameSessionId"])
            for player in pages.build_full_result()["PlayerSessions"]:
                players[player["PlayerSessionId"]] = player
    return fleets, sessions, players


@pytest.fixture(scope="module")
def read(world):
    return read_with_boto3(world)


def test_fleets_are_the_same(world, read):
    assert {fleet["fleet_id"] for fleet in exported(world, "fleets")} == set(read[0])


def test_active_game_sessions_are_the_same_field_by_field(world, read):
    ours = {session["game_session_id"]: session for session in exported(world, "game-sessions", "--where", "status:active")}
    theirs = read[1]
    assert set(ours) == set(theirs)
    assert len(theirs) > 50
    for session_id, session in theirs.items():
        kept = ours[session_id]
        for ours_name, name in [
            ("name", "Name"),
            ("fleet_id", "FleetId"),
            ("current_player_session_count", "CurrentPlayerSessionCount"),
            ("maximum_player_session_count", "MaximumPlayerSessionCount"),
            ("ip_address", "IpAddress"),
            ("port", "Port"),
            ("dns_name", "DnsName"),
            ("location", "Location"),
            ("creator_id", "CreatorId"),
            ("compute_name", "ComputeName"),
            ("matchmaker_data", "MatchmakerData"),
            ("game_session_data", "GameSessionData"),
        ]:
            assert (kept.get(ours_name) or None) == (session.get(name) or None), (session_id, name)
        properties = {item["key"]: item["value"] for item in kept["game_properties"]}
        assert properties == {item["Key"]: item["Value"] for item in session.get("GameProperties", [])}


def test_player_sessions_of_active_game_sessions_are_the_same(world, read):
    ours = {player["player_session_id"]: player for player in exported(world, "player-sessions")}
    theirs = read[2]
    assert len(theirs) > 200
    for player_session_id, player in theirs.items():
        kept = ours[player_session_id]
        assert (kept["player_id"], kept["game_session_id"], kept["status"]) == (
            player["PlayerId"],
            player["GameSessionId"],
            player["Status"],
        )
    active = set(read[1])
    assert {key for key, player in ours.items() if player["game_session_id"] in active} == set(theirs)


@pytest.mark.skipif("LIFTDECK_OLDER_SDK" not in os.environ, reason="the older SDK was not installed")
def test_an_sdk_that_speaks_json_reads_the_same(world, read):
    ready, _, environment = world
    fleets, sessions, players = read
    for region in ready["regions"]:
        command = ["node", os.environ["LIFTDECK_OLDER_SDK"], ready["endpoint"], region]
        seen = json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
        # DescribeFleetAttributes omits container fleets, as AWS documents.
        here = {fleet for fleet, home in fleets.items() if home == region and not fleet.startswith("containerfleet-")}
        assert set(seen["fleets"]) == here
        theirs = {key: session for key, session in sessions.items() if session["FleetId"] in here}
        assert set(seen["game_sessions"]) == set(theirs)
        for key, session in seen["game_sessions"].items():
            for name in ["Name", "Status", "CurrentPlayerSessionCount", "MaximumPlayerSessionCount", "IpAddress", "Port"]:
                assert session[name] == theirs[key].get(name), (key, name)
            assert session["CreationTime"] == pytest.approx(theirs[key]["CreationTime"].timestamp(), abs=0.002)
        for key, player in seen["player_sessions"].items():
            assert player["PlayerId"] == players[key]["PlayerId"]
            assert player["Status"] == players[key]["Status"]
