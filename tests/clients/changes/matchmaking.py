"""FlexMatch tickets, backfill, rule sets and configurations."""

import json

import choose
from simulator import REGION
from twins import Wait

IR, NF = "InvalidRequestException", "NotFoundException"
TICKET, SHOW, ACCEPT, STOP = "StartMatchmaking", "DescribeMatchmaking", "AcceptMatch", "StopMatchmaking"
BACKFILL, VALIDATE = "StartMatchBackfill", "ValidateMatchmakingRuleSet"
RULE_SET, CONFIGURATION = "CreateMatchmakingRuleSet", "CreateMatchmakingConfiguration"

ATTRIBUTE = {"name": "skill", "type": "number", "default": 1000}
OTHERS = [
    {"name": "clan", "type": "string"},
    {"name": "maps", "type": "string_list"},
    {"name": "modes", "type": "string_number_map"},
]
DUEL = {
    "name": "duel",
    "ruleLanguageVersion": "1.0",
    "playerAttributes": [ATTRIBUTE, *OTHERS],
    "teams": [{"name": "red", "minPlayers": 1, "maxPlayers": 1}, {"name": "blue", "minPlayers": 1, "maxPlayers": 1}],
    "rules": [
        {
            "name": "FairSkill",
            "type": "distance",
            "measurements": ["avg(teams[red].players.attributes[skill])"],
            "referenceValue": "avg(teams[blue].players.attributes[skill])",
            "maxDistance": 100,
        }
    ],
}


def player(name, skill, **attributes):
    return {"PlayerId": name, "PlayerAttributes": attributes | {"skill": {"N": skill}}, "LatencyInMs": {REGION: 20}}


def duel(truth, name, accepting):
    """Creates a rule set and a configuration for one against one."""
    queue = truth["GameSessionQueues"][0]["GameSessionQueueArn"]
    made = yield RULE_SET, {"Name": name, "RuleSetBody": json.dumps(DUEL), "Tags": [{"Key": "by", "Value": "judge"}]}, None
    assert json.loads(made["RuleSet"]["RuleSetBody"]) == DUEL
    wanted = {
        "Name": name,
        "Description": "One against one",
        "GameSessionQueueArns": [queue],
        "RequestTimeoutSeconds": 60,
        "AcceptanceRequired": accepting,
        "RuleSetName": name,
        "CustomEventData": "judged",
        "GameProperties": [{"Key": "mode", "Value": "duel"}],
        "FlexMatchMode": "WITH_QUEUE",
        "Tags": [{"Key": "by", "Value": "judge"}],
    }
    wanted |= {"AcceptanceTimeoutSeconds": 20} if accepting else {}
    made = (yield CONFIGURATION, wanted, None)["Configuration"]
    for member, value in wanted.items():
        assert member == "Tags" or made[member] == value, member
    return wanted


def tickets(*ids):
    """Reads the tickets with these ids."""
    shown = yield SHOW, {"TicketIds": list(ids)}, None
    return {ticket["TicketId"]: ticket for ticket in shown["TicketList"]}


def matched(truth):
    yield from duel(truth, "judged-open", False)
    first = {"ConfigurationName": "judged-open", "Players": [player("ada", 1000.0)], "TicketId": "t-ada"}
    ticket = (yield TICKET, first, None)["MatchmakingTicket"]
    assert ticket["TicketId"] == "t-ada" and ticket["Status"] in ("QUEUED", "SEARCHING")
    yield TICKET, first, IR
    far = {"ConfigurationName": "judged-open", "Players": [player("far", 2000.0)], "TicketId": "t-far"}
    yield TICKET, far, None
    yield Wait(20)
    assert {ticket["Status"] for ticket in (yield from tickets("t-ada", "t-far")).values()} == {"SEARCHING"}
    unnamed = {"ConfigurationName": "judged-open", "Players": [player("bo", 1050.0)]}
    other = (yield TICKET, unnamed, None)["MatchmakingTicket"]["TicketId"]
    yield Wait(30)
    shown = yield from tickets("t-ada", other)
    assert {ticket["Status"] for ticket in shown.values()} == {"COMPLETED"}
    info, theirs = (shown[ticket]["GameSessionConnectionInfo"] for ticket in ["t-ada", other])
    assert info["GameSessionArn"] == theirs["GameSessionArn"]
    # The model: one player session for each player of the original request.
    assert [seat["PlayerId"] for seat in info["MatchedPlayerSessions"]] == ["ada"]
    assert [seat["PlayerId"] for seat in theirs["MatchedPlayerSessions"]] == ["bo"]
    session = yield "DescribeGameSessions", {"GameSessionId": info["GameSessionArn"]}, None
    data = json.loads(session["GameSessions"][0]["MatchmakerData"])
    assert data["matchmakingConfigurationArn"].endswith("judged-open")
    yield STOP, {"TicketId": "t-ada"}, IR
    yield STOP, {"TicketId": "t-far"}, None
    for number, attributes in enumerate([{"clan": {"S": "x"}}, {"maps": {"SL": ["a"]}}, {"modes": {"SDM": {"duel": 2.0}}}]):
        # The attribute comes first, because rule violations are tried only on a map's first entry.
        kind = {"ConfigurationName": "judged-open", "TicketId": f"t-kind-{number}"}
        kind["Players"] = [player(f"kind-{number}", 9000.0 + 500 * number, **attributes)]
        yield TICKET, kind, None
        yield STOP, {"TicketId": f"t-kind-{number}"}, None
    assert (yield from tickets("t-far"))["t-far"]["Status"] == "CANCELLED"
    backfill = {
        "ConfigurationName": "judged-open",
        "GameSessionArn": info["GameSessionArn"],
        "Players": [player("ada", 1000.0) | {"Team": "red"}],
        "TicketId": "t-backfill",
    }
    ticket = (yield BACKFILL, backfill, None)["MatchmakingTicket"]
    assert ticket["TicketId"] == "t-backfill"
    for attributes in [{"clan": {"S": "x"}}, {"maps": {"SL": ["a"]}}, {"modes": {"SDM": {"duel": 2.0}}}]:
        again = [player("ada", 1000.0, **attributes) | {"Team": "red"}]
        yield BACKFILL, backfill | {"Players": again, "TicketId": f"t-{next(iter(attributes))}"}, None
    assert (yield from tickets("t-backfill"))["t-backfill"]["Status"] == "CANCELLED", "a new one replaces it"
    yield BACKFILL, backfill | {"ConfigurationName": "none", "TicketId": "t-none"}, NF
    yield BACKFILL, backfill | {"Players": [player("ada", 1000.0)], "TicketId": "t-teamless"}, IR
    by_hand = choose.session(truth, choose.fleet(truth, FleetType="SPOT"))
    yield BACKFILL, backfill | {"GameSessionArn": by_hand, "TicketId": "t-hand"}, IR


def refused_when_rules_forbid(truth):
    name = truth["MatchmakingConfigurations"][0]["Name"]
    one = {"ConfigurationName": name, "Players": [player("ada", 1000.0)]}
    yield TICKET, one | {"ConfigurationName": "none"}, NF
    yield TICKET, one | {"Players": []}, IR
    yield TICKET, one | {"Players": [player(f"p-{number}", 1.0) for number in range(11)]}, IR
    many = {f"a{number}": {"N": 1.0} for number in range(11)}
    yield TICKET, one | {"Players": [{"PlayerId": "ada", "PlayerAttributes": many}]}, IR
    listed, mapped = {"SL": ["x"] * 101}, {"SDM": {f"k{number}": 1.0 for number in range(11)}}
    for wrong in [{"skill": {"S": "much"}}, {"maps": listed}, {"modes": mapped}, {"skill": {}}]:
        yield TICKET, one | {"Players": [{"PlayerId": "ada", "PlayerAttributes": wrong}]}, IR
    yield STOP, {"TicketId": "none"}, NF


def accepted_and_rejected(truth):
    yield from duel(truth, "judged-asked", True)
    for number, answer, outcome in [(1, "ACCEPT", "COMPLETED"), (2, "REJECT", "CANCELLED")]:
        for name in ["ada", "bo"]:
            asked = {"ConfigurationName": "judged-asked", "TicketId": f"{name}-{number}"}
            yield TICKET, asked | {"Players": [player(f"{name}-{number}", 1000.0)]}, None
        yield Wait(10)
        shown = yield from tickets(f"ada-{number}", f"bo-{number}")
        assert {ticket["Status"] for ticket in shown.values()} == {"REQUIRES_ACCEPTANCE"}
        if number == 1:
            yield ACCEPT, {"TicketId": "none", "PlayerIds": ["ada-1"], "AcceptanceType": "ACCEPT"}, NF
            yield ACCEPT, {"TicketId": "ada-1", "PlayerIds": ["a-stranger"], "AcceptanceType": "ACCEPT"}, IR
        for name, said in [("ada", "ACCEPT"), ("bo", answer)]:
            mine = {"TicketId": f"{name}-{number}", "PlayerIds": [f"{name}-{number}"], "AcceptanceType": said}
            yield ACCEPT, mine, None
        yield Wait(30)
        assert (yield from tickets(f"bo-{number}"))[f"bo-{number}"]["Status"] == outcome
    # The players of a ticket play in one team. A ticket that fits no team is accepted, and waits in vain.
    pair = {"ConfigurationName": "judged-asked", "Players": [player("cy", 5000.0), player("di", 5000.0)]}
    yield TICKET, pair | {"TicketId": "pair"}, None
    yield Wait(10)
    shown = yield from tickets("ada-2", "pair")
    assert [shown[ticket]["Status"] for ticket in ["ada-2", "pair"]] == ["SEARCHING", "SEARCHING"]
    yield Wait(60)
    shown = yield from tickets("ada-2", "pair")
    assert [shown[ticket]["Status"] for ticket in ["ada-2", "pair"]] == ["TIMED_OUT", "TIMED_OUT"]


def rule_sets_and_configurations(truth):
    assert (yield VALIDATE, {"RuleSetBody": json.dumps(DUEL)}, None)["Valid"] is True
    for broken in ["no JSON", "{}", json.dumps(DUEL | {"teams": []}), json.dumps(DUEL | {"ruleLanguageVersion": "7"})]:
        yield VALIDATE, {"RuleSetBody": broken}, IR
        yield RULE_SET, {"Name": "broken", "RuleSetBody": broken}, IR
    wanted = yield from duel(truth, "judged-rules", False)
    yield RULE_SET, {"Name": "judged-rules", "RuleSetBody": json.dumps(DUEL)}, IR
    yield CONFIGURATION, wanted, IR
    yield CONFIGURATION, wanted | {"Name": "lost", "RuleSetName": "none"}, NF
    yield CONFIGURATION, wanted | {"Name": "lost", "GameSessionQueueArns": []}, IR
    both = {"GameSessionQueueArns": wanted["GameSessionQueueArns"] * 2}
    yield CONFIGURATION, wanted | {"Name": "lost"} | both, IR
    yield "UpdateMatchmakingConfiguration", {"Name": "judged-rules"} | both, IR
    change = {"Name": "judged-rules", "RequestTimeoutSeconds": 90, "Description": "Longer"}
    change |= {name: wanted[name] for name in ["GameProperties", "GameSessionQueueArns"]}
    after = (yield "UpdateMatchmakingConfiguration", change, None)["Configuration"]
    assert (after["RequestTimeoutSeconds"], after["Description"]) == (90, "Longer")
    shown = yield "DescribeMatchmakingConfigurations", {"Names": ["judged-rules"]}, None
    assert shown["Configurations"] == [after]
    yield "UpdateMatchmakingConfiguration", {"Name": "none", "Description": "x"}, NF
    yield "DeleteMatchmakingRuleSet", {"Name": "judged-rules"}, IR
    yield "DeleteMatchmakingConfiguration", {"Name": "judged-rules"}, None
    yield "DeleteMatchmakingConfiguration", {"Name": "judged-rules"}, NF
    yield "DeleteMatchmakingRuleSet", {"Name": "judged-rules"}, None
    yield "DeleteMatchmakingRuleSet", {"Name": "judged-rules"}, NF
    yield "DescribeMatchmakingRuleSets", {"Names": ["judged-rules"]}, NF


OPERATIONS = [
    *[TICKET, ACCEPT, STOP, BACKFILL, VALIDATE, RULE_SET, "DeleteMatchmakingRuleSet"],
    *[CONFIGURATION, "UpdateMatchmakingConfiguration", "DeleteMatchmakingConfiguration"],
]
STORIES = [
    (REGION, rule_sets_and_configurations),
    (REGION, refused_when_rules_forbid),
    (REGION, matched),
    (REGION, accepted_and_rejected),
]
