"""Player sessions reserved by hand, and the address their players connect to."""

import choose
from simulator import REGION
from twins import TRUTH, Wait

IR, NF = "InvalidRequestException", "NotFoundException"
ONE, MANY, CONNECT = "CreatePlayerSession", "CreatePlayerSessions", "GetPlayerConnectionDetails"


def room_for(truth, seats):
    """Creates a new, active game session to fill."""
    fleet = choose.fleet(truth, FleetType="SPOT")
    made = yield "CreateGameSession", {"FleetId": fleet, "MaximumPlayerSessionCount": seats}, None
    session = made["GameSession"]["GameSessionId"]
    yield ONE, {"GameSessionId": session, "PlayerId": "early"}, "InvalidGameSessionStatusException"
    yield Wait(60)
    return session


def reserved_until_time_is_over(truth):
    session = yield from room_for(truth, 4)
    asked = {"GameSessionId": session, "PlayerId": "ada", "PlayerData": "team=red"}
    one = (yield ONE, asked, None)["PlayerSession"]
    assert one["Status"] == "RESERVED" and one["PlayerSessionId"].startswith("psess-")
    assert (one["PlayerId"], one["PlayerData"]) == ("ada", "team=red")
    two = {"GameSessionId": session, "PlayerIds": ["bo", "cy"], "PlayerDataMap": {"bo": "team=blue"}}
    made = (yield MANY, two, None)["PlayerSessions"]
    assert [player["PlayerId"] for player in made] == ["bo", "cy"]
    assert made[0]["PlayerData"] == "team=blue" and "PlayerData" not in made[1]
    yield MANY, {"GameSessionId": session, "PlayerIds": ["di", "ed"]}, "GameSessionFullException"
    shown = (yield "DescribeGameSessions", {"GameSessionId": session}, None)["GameSessions"][0]
    assert shown["CurrentPlayerSessionCount"] == 3
    where = {"GameSessionId": session, "PlayerIds": ["ada", "bo"]}
    details = (yield CONNECT, where, None)["PlayerConnectionDetails"]
    assert [item["PlayerId"] for item in details] == ["ada", "bo"]
    assert details[0]["Endpoints"] == [{"IpAddress": shown["IpAddress"], "Port": shown["Port"]}]
    yield CONNECT, where | {"PlayerIds": ["nobody"]}, NF
    truth = yield TRUTH
    assert one in truth["PlayerSessions"]
    yield Wait(61)
    late = (yield "DescribePlayerSessions", {"PlayerSessionId": one["PlayerSessionId"]}, None)["PlayerSessions"][0]
    assert late["Status"] == "TIMEDOUT"
    yield MANY, {"GameSessionId": session, "PlayerIds": ["di", "ed", "flo", "gil"]}, None
    yield ONE, asked, "GameSessionFullException"


def refused_when_rules_forbid(truth):
    session = yield from room_for(truth, 4)
    player = {"PlayerId": "ada"}
    yield ONE, player | {"GameSessionId": choose.NO_SESSION}, NF
    yield MANY, {"GameSessionId": choose.NO_SESSION, "PlayerIds": ["ada"]}, NF
    yield CONNECT, {"GameSessionId": choose.NO_SESSION, "PlayerIds": ["ada"]}, NF
    yield MANY, {"GameSessionId": session, "PlayerIds": [f"p-{n}" for n in range(26)]}, IR
    closed = {"GameSessionId": session, "PlayerSessionCreationPolicy": "DENY_ALL"}
    yield "UpdateGameSession", closed, None
    yield ONE, player | {"GameSessionId": session}, "InvalidGameSessionStatusException"
    end = {"GameSessionId": session, "TerminationMode": "FORCE_TERMINATE"}
    yield "TerminateGameSession", end, None
    yield Wait(60)
    for operation in [MANY, CONNECT]:
        asked = {"GameSessionId": session, "PlayerIds": ["ada"]}
        yield operation, asked, "InvalidGameSessionStatusException"


OPERATIONS = [ONE, MANY, CONNECT]
STORIES = [(REGION, reserved_until_time_is_over), (REGION, refused_when_rules_forbid)]
