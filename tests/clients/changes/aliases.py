"""Creates, repoints and deletes aliases."""

import choose
from simulator import REGION
from twins import TRUTH, Wait

IR, NF, TERMINAL = "InvalidRequestException", "NotFoundException", "TerminalRoutingStrategyException"
CREATE, UPDATE, DELETE = "CreateAlias", "UpdateAlias", "DeleteAlias"


def simple(fleet):
    return {"Type": "SIMPLE", "FleetId": fleet}


def made_repointed_deleted(truth):
    old, new = choose.fleet(truth, FleetType="SPOT"), choose.fleet(truth, FleetType="ON_DEMAND")
    wanted = {
        "Name": "judged",
        "Description": "For a day",
        "RoutingStrategy": simple(old),
        "Tags": [{"Key": "by", "Value": "judge"}],
    }
    made = (yield CREATE, wanted, None)["Alias"]
    assert made["AliasArn"] == f"arn:aws:gamelift:{REGION}::alias/{made['AliasId']}"
    tags = yield "ListTagsForResource", {"ResourceARN": made["AliasArn"]}, None
    assert tags["Tags"] == wanted["Tags"]
    alias = {"AliasId": made["AliasId"]}
    assert (yield "ResolveAlias", alias, None)["FleetId"] == old
    yield Wait(5)
    after = (yield UPDATE, alias | {"Name": "renamed", "RoutingStrategy": simple(new)}, None)["Alias"]
    assert after["Name"] == "renamed" and after["Description"] == "For a day"
    assert after["LastUpdatedTime"] > after["CreationTime"] == made["CreationTime"]
    assert (yield "ResolveAlias", alias, None)["FleetId"] == new
    assert after in (yield TRUTH)["Aliases"]
    yield Wait(121)
    session = yield "CreateGameSession", alias | {"MaximumPlayerSessionCount": 2}, None
    assert session["GameSession"]["FleetId"] == new, "after two minutes nothing goes to the old fleet"
    closed = {"Type": "TERMINAL", "Message": "Closed for good."}
    yield UPDATE, {"AliasId": made["AliasArn"], "RoutingStrategy": closed}, None
    yield "ResolveAlias", alias, TERMINAL
    assert (yield "DescribeAlias", alias, None)["Alias"]["RoutingStrategy"] == closed
    yield DELETE, alias, None
    yield DELETE, alias, NF
    yield "DescribeAlias", alias, NF
    yield "CreateGameSession", alias | {"MaximumPlayerSessionCount": 2}, NF


def refused_when_rules_forbid(truth):
    alias, fleet = choose.alias(truth, "SIMPLE")["AliasId"], choose.fleet(truth)
    wrong = [
        simple(choose.NO_FLEET),
        {"Type": "SIMPLE"},
        {"Type": "TERMINAL"},
        {"Type": "TERMINAL", "FleetId": fleet},
        {"FleetId": fleet},
        simple(choose.first(truth["Fleets"], FleetId=fleet)["FleetArn"]),
    ]
    for routing in wrong:
        yield CREATE, {"Name": "judged", "RoutingStrategy": routing}, IR
    yield CREATE, {"Name": "  ", "RoutingStrategy": simple(fleet)}, IR
    yield UPDATE, {"AliasId": alias, "RoutingStrategy": simple(choose.NO_FLEET)}, NF
    for routing in wrong[1:]:
        yield UPDATE, {"AliasId": alias, "RoutingStrategy": routing}, IR
    yield UPDATE, {"AliasId": "alias-none", "Name": "nobody"}, NF


OPERATIONS = [CREATE, UPDATE, DELETE]
STORIES = [(REGION, made_repointed_deleted), (REGION, refused_when_rules_forbid)]
