"""Creates, changes and ends game sessions by hand."""

import choose
from simulator import REGION
from twins import TRUTH, Wait

IR, NF = "InvalidRequestException", "NotFoundException"
CREATE, UPDATE, END = "CreateGameSession", "UpdateGameSession", "TerminateGameSession"


def made_and_described(truth):
    fleet = choose.fleet(truth, FleetType="SPOT")
    home, remote = choose.locations(truth, fleet)[:2]
    wanted = {
        "FleetId": fleet,
        "MaximumPlayerSessionCount": 8,
        "Name": "judged",
        "GameProperties": [{"Key": "mode", "Value": "duel"}],
        "GameSessionData": "round=7",
        "CreatorId": "an-operator",
        "IdempotencyToken": "judged-1",
        "Location": home,
    }
    made = (yield CREATE, wanted, None)["GameSession"]
    assert made["GameSessionId"] == f"arn:aws:gamelift:{REGION}::gamesession/{fleet}/judged-1"
    assert made["Status"] == "ACTIVATING" and made["CurrentPlayerSessionCount"] == 0
    again = (yield CREATE, wanted, None)["GameSession"]
    assert again["GameSessionId"] == made["GameSessionId"], "the same token gives the same session"
    arn = choose.first(truth["Fleets"], FleetId=fleet)["FleetArn"]
    again = (yield CREATE, wanted | {"FleetId": arn}, None)["GameSession"]
    assert again["GameSessionId"] == made["GameSessionId"], "id and ARN name the same fleet"
    yield CREATE, wanted | {"MaximumPlayerSessionCount": 9}, "IdempotentParameterMismatchException"
    yield Wait(60)
    shown = (yield "DescribeGameSessions", {"GameSessionId": made["GameSessionId"]}, None)["GameSessions"][0]
    assert shown["Status"] == "ACTIVE" and shown["Port"] and shown["IpAddress"]
    for name in ["Name", "GameProperties", "GameSessionData", "CreatorId", "MaximumPlayerSessionCount"]:
        assert shown[name] == wanted[name]
    found = (yield "SearchGameSessions", {"FleetId": fleet, "FilterExpression": "gameSessionName = 'judged'"}, None)
    assert [session["GameSessionId"] for session in found["GameSessions"]] == [made["GameSessionId"]]
    truth = yield TRUTH
    assert shown in truth["GameSessions"]
    there = yield CREATE, {"FleetId": fleet, "MaximumPlayerSessionCount": 2, "Location": remote}, None
    assert f"/{fleet}/{remote}/" in there["GameSession"]["GameSessionId"]
    unnamed = {"FleetId": fleet, "MaximumPlayerSessionCount": 2, "GameSessionId": "of-my-own"}
    yield CREATE, unnamed, None
    yield CREATE, unnamed, "IdempotentParameterMismatchException"


def refused_when_rules_forbid(truth):
    fleet, limited = choose.fleet(truth, FleetType="SPOT"), choose.limited_fleet(truth)
    simple, terminal = choose.alias(truth, "SIMPLE"), choose.alias(truth, "TERMINAL")
    seats = {"MaximumPlayerSessionCount": 4}
    yield CREATE, seats | {"FleetId": fleet, "AliasId": simple["AliasId"]}, IR
    yield CREATE, seats, IR
    yield CREATE, {"FleetId": fleet, "MaximumPlayerSessionCount": 201}, IR
    yield CREATE, seats | {"FleetId": choose.NO_FLEET}, NF
    yield CREATE, seats | {"FleetId": fleet, "Location": choose.NOWHERE}, NF
    yield CREATE, seats | {"AliasId": "alias-none"}, NF
    yield CREATE, seats | {"AliasId": terminal["AliasId"]}, "TerminalRoutingStrategyException"
    twice = [{"Key": "mode", "Value": "duel"}] * 2
    yield CREATE, seats | {"FleetId": fleet, "GameProperties": twice}, IR
    yield CREATE, seats | {"FleetId": limited}, IR
    policy = choose.first(truth["Fleets"], FleetId=limited)["ResourceCreationLimitPolicy"]
    hasty = seats | {"FleetId": fleet, "CreatorId": "hasty"}
    yield from choose.room(fleet)
    yield CREATE, hasty, None
    yield CREATE, hasty, "LimitExceededException"
    yield from choose.room(fleet)
    yield CREATE, hasty, None
    busy = seats | {"FleetId": limited, "CreatorId": "busy"}
    for _ in range(policy["NewGameSessionsPerCreator"]):
        yield from choose.room(limited)
        yield CREATE, busy, None
    yield CREATE, busy, "LimitExceededException"


def a_full_fleet_has_no_room(truth):
    fleet = choose.limited_fleet(truth)
    yield Wait(60)
    used = (yield "DescribeFleetUtilization", {"FleetIds": [fleet]}, None)["FleetUtilization"][0]
    wanted = {"FleetId": fleet, "MaximumPlayerSessionCount": 2}
    for number in range(used["ActiveServerProcessCount"] - used["ActiveGameSessionCount"]):
        yield CREATE, wanted | {"CreatorId": f"c-{number}"}, None
    yield CREATE, wanted | {"CreatorId": "late"}, "FleetCapacityExceededException"


def changed(truth):
    fleet = choose.fleet(truth, FleetType="ON_DEMAND")
    session = choose.session(truth, fleet)
    change = {
        "GameSessionId": session,
        "MaximumPlayerSessionCount": 3,
        "Name": "renamed",
        "PlayerSessionCreationPolicy": "DENY_ALL",
        "ProtectionPolicy": "NoProtection",
        "GameProperties": [{"Key": "mode", "Value": "closed"}, {"Key": "judged", "Value": "yes"}],
    }
    before = choose.first(truth["GameSessions"], GameSessionId=session)
    after = (yield UPDATE, change, None)["GameSession"]
    for name in ["MaximumPlayerSessionCount", "Name", "PlayerSessionCreationPolicy"]:
        assert after[name] == change[name]
    properties = {item["Key"]: item["Value"] for item in before.get("GameProperties", [])}
    properties |= {"mode": "closed", "judged": "yes"}
    assert {item["Key"]: item["Value"] for item in after["GameProperties"]} == properties
    details = (yield "DescribeGameSessionDetails", {"GameSessionId": session}, None)["GameSessionDetails"]
    assert details == [{"GameSession": after, "ProtectionPolicy": "NoProtection"}]
    yield UPDATE, {"GameSessionId": choose.NO_SESSION, "Name": "x"}, NF
    too_many = [{"Key": f"k{number}", "Value": "v"} for number in range(16)]
    yield UPDATE, {"GameSessionId": session, "GameProperties": too_many}, IR


def ended_both_ways(truth):
    fleet = choose.fleet(truth, FleetType="ON_DEMAND")
    for mode, reason in [
        ("TRIGGER_ON_PROCESS_TERMINATE", "TRIGGERED_ON_PROCESS_TERMINATE"),
        ("FORCE_TERMINATE", "FORCE_TERMINATED"),
    ]:
        session = choose.session((yield TRUTH), fleet)
        ending = yield END, {"GameSessionId": session, "TerminationMode": mode}, None
        assert ending["GameSession"]["Status"] == "TERMINATING"
        yield Wait(90)
        ended = yield "DescribeGameSessions", {"GameSessionId": session}, None
        ended = ended["GameSessions"][0]
        assert ended["Status"] == "TERMINATED" and ended["StatusReason"] == reason and ended["TerminationTime"]
        yield UPDATE, {"GameSessionId": session, "Name": "late"}, "InvalidGameSessionStatusException"
        yield END, {"GameSessionId": session, "TerminationMode": mode}, "InvalidGameSessionStatusException"
        players = (yield "DescribePlayerSessions", {"GameSessionId": session}, None)["PlayerSessions"]
        assert not {"ACTIVE", "RESERVED"} & {player["Status"] for player in players}
        log = (yield "GetGameSessionLogUrl", {"GameSessionId": session}, None)["PreSignedUrl"]
        assert log.startswith("http://127.0.0.1:")
    yield END, {"GameSessionId": choose.NO_SESSION, "TerminationMode": mode}, NF
    yield "GetGameSessionLogUrl", {"GameSessionId": choose.NO_SESSION}, NF
    yield "GetGameSessionLogUrl", {"GameSessionId": choose.session((yield TRUTH), fleet)}, NF


def nothing_is_forced_on_an_anywhere_fleet(truth):
    fleet = choose.first(truth["Fleets"], ComputeType="ANYWHERE")["FleetId"]
    wanted = {"FleetId": fleet, "MaximumPlayerSessionCount": 2}
    yield CREATE, wanted, IR
    site = choose.locations(truth, fleet)[0]
    session = (yield CREATE, wanted | {"Location": site}, None)["GameSession"]["GameSessionId"]
    yield Wait(60)
    yield END, {"GameSessionId": session, "TerminationMode": "FORCE_TERMINATE"}, IR
    yield END, {"GameSessionId": session, "TerminationMode": "TRIGGER_ON_PROCESS_TERMINATE"}, None


OPERATIONS = [CREATE, UPDATE, END, "GetGameSessionLogUrl"]
STORIES = [
    (REGION, made_and_described),
    (REGION, refused_when_rules_forbid),
    (REGION, a_full_fleet_has_no_room),
    (REGION, changed),
    (REGION, ended_both_ways),
    ("ap-northeast-1", nothing_is_forced_on_an_anywhere_fleet),
]
