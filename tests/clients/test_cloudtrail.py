"""CloudTrail's event history and its way through EventBridge, asked by boto3 and checked against botocore's model."""

import datetime
import json

import pytest

from clients import KEY, ask_at_once, ask_json, boto
from model import declared_errors, problems, service
from operations import listed
from simulator import REGION, START, Simulator

MODEL = service("cloudtrail")
LOOKUP = MODEL.operation_model("LookupEvents")
NOW = datetime.datetime.fromisoformat(START)

# The members that every event has, whoever made the call (CloudTrail user guide, record contents).
ALWAYS = {
    "awsRegion",
    "eventCategory",
    "eventID",
    "eventName",
    "eventSource",
    "eventTime",
    "eventType",
    "eventVersion",
    "managementEvent",
    "readOnly",
    "recipientAccountId",
    "requestID",
    "requestParameters",
    "responseElements",
    "sourceIPAddress",
    "userAgent",
    "userIdentity",
}


@pytest.fixture(scope="module")
def world():
    """A world in which someone has just repointed an alias, and every call shows at once."""
    options = ("--trail-delay", "0", "--trail-missing", "0", "--trail-events", "--no-throttle")
    denied = ("--deny", "AKIADENIED=cloudtrail:*", "--deny", "AKIADENIED=gamelift:UpdateAlias")
    with Simulator("--scenario", "bad-build", "--speed", "0", "--start", START, *options, *denied) as simulator:
        yield simulator


def look_up(client, **parameters):
    """Returns the events of all pages, each checked against the model."""
    found, token = [], {}
    while True:
        answer = ask_json(client, "LookupEvents", parameters | token)
        assert answer.code is None, answer.body
        assert problems(LOOKUP.output_shape, answer.body, "json") == []
        found += answer.body["Events"]
        if "NextToken" not in answer.body:
            return found
        token = {"NextToken": answer.body["NextToken"]}


def by(key, value):
    return {"LookupAttributes": [{"AttributeKey": key, "AttributeValue": value}]}


def record(event):
    return json.loads(event["CloudTrailEvent"])


def some_alias(gamelift):
    alias = gamelift.list_aliases()["Aliases"][0]
    return alias["AliasId"], alias["RoutingStrategy"]


def test_the_lookup_is_what_is_answered_and_other_operations_are_unknown(world):
    assert listed("cloudtrail") == {"LookupEvents"}
    answer = ask_json(boto(world.endpoint, "cloudtrail"), "DescribeTrails", {})
    assert (answer.code, answer.status) == ("UnknownOperationException", 404)


def test_a_deed_of_the_scenario_names_the_person_and_the_console(world):
    events = look_up(boto(world.endpoint, "cloudtrail"), **by("EventName", "UpdateAlias"), EndTime=NOW)
    [event] = [event for event in events if event["Username"] == "alice"]
    told = record(event)
    assert set(told) == ALWAYS | {"sessionCredentialFromConsole"}
    assert told["sessionCredentialFromConsole"] == "true"
    assert told["userIdentity"]["type"] == "AssumedRole"
    assert told["userIdentity"]["sessionContext"]["sessionIssuer"]["userName"].startswith("AWSReservedSSO_")
    assert told["eventTime"] == "2026-11-20T19:22:00Z"
    assert event["EventTime"] == (NOW - datetime.timedelta(minutes=8)).timestamp()
    alias = boto(world.endpoint, "gamelift").describe_alias(AliasId=told["requestParameters"]["aliasId"])["Alias"]
    assert told["requestParameters"]["routingStrategy"]["fleetId"] == alias["RoutingStrategy"]["FleetId"]


def test_a_change_is_found_with_the_request_id_of_its_answer(world):
    gamelift, cloudtrail = boto(world.endpoint, "gamelift"), boto(world.endpoint, "cloudtrail")
    alias, strategy = some_alias(gamelift)
    answer = ask_json(gamelift, "UpdateAlias", {"AliasId": alias, "RoutingStrategy": strategy})
    events = look_up(cloudtrail, **by("AccessKeyId", KEY))
    [event] = [event for event in events if record(event)["requestID"] == answer.headers["x-amzn-requestid"]]
    told = record(event)
    assert set(told) == ALWAYS
    assert (event["EventName"], event["ReadOnly"], event["Username"]) == ("UpdateAlias", "false", KEY)
    assert (told["readOnly"], told["sourceIPAddress"]) == (False, "127.0.0.1")
    assert told["userAgent"].startswith("Boto3/")
    lowered = {name[0].lower() + name[1:]: value for name, value in strategy.items()}
    assert told["requestParameters"] == {"aliasId": alias, "routingStrategy": lowered}
    assert told["responseElements"]["alias"]["aliasId"] == alias
    assert told["responseElements"]["alias"]["lastUpdatedTime"] == "Nov 20, 2026 7:30:00 PM"


def test_a_read_has_no_response_and_a_lookup_is_recorded_itself(world):
    boto(world.endpoint, "gamelift").list_fleets(Limit=3)
    cloudtrail = boto(world.endpoint, "cloudtrail")
    look_up(cloudtrail, **by("EventName", "ListFleets"))
    told = record(look_up(cloudtrail, **by("EventName", "ListFleets"))[0])
    assert (told["readOnly"], told["requestParameters"], told["responseElements"]) == (True, {"limit": 3}, None)
    lookups = [record(event) for event in look_up(cloudtrail, **by("EventSource", "cloudtrail.amazonaws.com"))]
    asked = {"lookupAttributes": [{"attributeKey": "EventName", "attributeValue": "ListFleets"}]}
    assert asked in [told["requestParameters"] for told in lookups]


def test_refused_calls_are_recorded_with_their_errors(world):
    cloudtrail = boto(world.endpoint, "cloudtrail")
    alias, _ = some_alias(boto(world.endpoint, "gamelift"))
    for key, parameters, code, logged in [
        ("AKIADENIED", {"AliasId": alias, "Name": "x"}, "AccessDeniedException", "AccessDenied"),
        (KEY, {"AliasId": "alias-nobody", "Name": "x"}, "NotFoundException", "NotFoundException"),
        (KEY, {"AliasId": alias, "Name": ""}, "InvalidRequestException", "InvalidRequestException"),
    ]:
        answer = ask_json(boto(world.endpoint, "gamelift", key=key), "UpdateAlias", parameters)
        assert answer.code == code
        events = [record(event) for event in look_up(cloudtrail, **by("EventName", "UpdateAlias"))]
        [told] = [told for told in events if told["requestID"] == answer.headers["x-amzn-requestid"]]
        assert set(told) == ALWAYS | {"errorCode", "errorMessage"}
        assert (told["errorCode"], told["errorMessage"]) == (logged, answer.body["Message"])
        assert (told["requestParameters"]["aliasId"], told["responseElements"]) == (parameters["AliasId"], None)


def test_a_listing_of_several_pages_is_complete_and_newest_first(world):
    gamelift, cloudtrail = boto(world.endpoint, "gamelift"), boto(world.endpoint, "cloudtrail")
    for number in range(120):
        gamelift.list_builds(Limit=1 + number % 50)
    paginator = cloudtrail.get_paginator("lookup_events")
    pages = list(paginator.paginate(**by("EventName", "ListBuilds"), PaginationConfig={"PageSize": 40}))
    events = [event for page in pages for event in page["Events"]]
    assert [len(page["Events"]) for page in pages] == [40, 40, 40]
    assert len({event["EventId"] for event in events}) == 120
    times = [event["EventTime"] for event in events]
    assert times == sorted(times, reverse=True)
    [alone] = look_up(cloudtrail, **by("EventId", events[7]["EventId"]))
    assert alone["CloudTrailEvent"] == events[7]["CloudTrailEvent"]


def test_each_broken_rule_is_refused_with_the_error_the_model_declares(world):
    cloudtrail = boto(world.endpoint, "cloudtrail")
    boto(world.endpoint, "gamelift").list_aliases()
    first = ask_json(cloudtrail, "LookupEvents", {"MaxResults": 1}).body
    once = by("EventName", "UpdateAlias")["LookupAttributes"][0]
    declared = declared_errors(LOOKUP)
    for parameters, code in [
        ({"MaxResults": 0}, "InvalidMaxResultsException"),
        ({"MaxResults": 51}, "InvalidMaxResultsException"),
        ({"LookupAttributes": [once, once]}, "InvalidLookupAttributesException"),
        (by("Colour", "red"), "InvalidLookupAttributesException"),
        (by("EventName", ""), "InvalidLookupAttributesException"),
        (by("EventName", "x" * 2001), "InvalidLookupAttributesException"),
        ({"LookupAttributes": [{"AttributeKey": "EventName"}]}, "InvalidLookupAttributesException"),
        ({"StartTime": NOW, "EndTime": NOW - datetime.timedelta(seconds=1)}, "InvalidTimeRangeException"),
        ({"EventCategory": "data"}, "InvalidEventCategoryException"),
        ({"NextToken": "nonsense"}, "InvalidNextTokenException"),
        ({"NextToken": first["NextToken"], "EndTime": NOW}, "InvalidNextTokenException"),
    ]:
        answer = ask_json(cloudtrail, "LookupEvents", parameters)
        assert (answer.code, answer.status) == (code, declared[code]), parameters
        assert answer.body["message"], parameters
    assert ask_json(cloudtrail, "LookupEvents", {"EventCategory": "insight"}).body["Events"] == []
    denied = ask_json(boto(world.endpoint, "cloudtrail", key="AKIADENIED"), "LookupEvents", {})
    assert denied.code == "AccessDeniedException"
    assert "cloudtrail:LookupEvents" in denied.body["message"]


def test_a_plan_loses_or_delays_the_events_of_some_calls(world):
    gamelift, cloudtrail = boto(world.endpoint, "gamelift"), boto(world.endpoint, "cloudtrail")
    alias, strategy = some_alias(gamelift)
    gamelift.update_alias(AliasId=alias, RoutingStrategy=strategy)
    usual = len(look_up(cloudtrail, **by("EventName", "UpdateAlias")))
    for kind in ["trail-missing", "trail-delay"]:
        world.post("faults", {"fault": [{"operation": "gamelift:UpdateAlias", "kind": kind, "delay_s": 7200}]})
        assert look_up(cloudtrail, **by("EventName", "UpdateAlias")) == []
        assert look_up(cloudtrail, **by("EventName", "ListAliases"))
        world.post("faults", {"fault": []})
        assert len(look_up(cloudtrail, **by("EventName", "UpdateAlias"))) == usual


def test_what_the_games_own_backend_starts_fills_the_history(world):
    times = {"StartTime": NOW - datetime.timedelta(minutes=40), "EndTime": NOW - datetime.timedelta(minutes=10)}
    events = look_up(boto(world.endpoint, "cloudtrail"), **by("EventSource", "gamelift.amazonaws.com"), **times)
    assert len(events) > 50, "more than a page"
    assert len({event["EventId"] for event in events}) == len(events)
    assert {event["EventName"] for event in events} == {"StartGameSessionPlacement"}
    gamelift = boto(world.endpoint, "gamelift")
    for told in [record(event) for event in events[:5]]:
        assert set(told) == ALWAYS
        placement = told["requestParameters"]["placementId"]
        assert ask_json(gamelift, "DescribeGameSessionPlacement", {"PlacementId": placement}).code is None


def test_other_regions_have_a_history_of_their_own(world):
    gamelift, cloudtrail = boto(world.endpoint, "gamelift"), boto(world.endpoint, "cloudtrail", "us-east-1")
    gamelift.describe_alias(AliasId=some_alias(gamelift)[0])
    assert look_up(cloudtrail, **by("EventName", "DescribeAlias")) == []
    assert look_up(boto(world.endpoint, "cloudtrail"), **by("EventName", "DescribeAlias"))


def test_eventbridge_brings_changes_to_the_event_queue_as_the_same_records(world):
    gamelift, cloudtrail = boto(world.endpoint, "gamelift"), boto(world.endpoint, "cloudtrail")
    alias, strategy = some_alias(gamelift)
    answer = ask_json(gamelift, "UpdateAlias", {"AliasId": alias, "RoutingStrategy": strategy})
    gamelift.list_scripts()
    world.post("advance", {"seconds": 1})
    sqs, url, seen = boto(world.endpoint, "sqs"), world.ready["event_queues"][REGION], {}
    while messages := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        for message in messages:
            body = json.loads(message["Body"])
            if body.get("detail-type") == "AWS API Call via CloudTrail":
                seen[body["detail"]["eventID"]] = body
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    assert not any(body["detail"]["readOnly"] for body in seen.values())
    [event] = [
        body for body in seen.values() if body["detail"]["requestID"] == answer.headers["x-amzn-requestid"]
    ]
    assert (event["version"], event["source"], event["region"]) == ("0", "aws.gamelift", REGION)
    assert (event["account"], event["resources"]) == (world.ready["account"], [])
    assert event["time"] == event["detail"]["eventTime"]
    events = look_up(cloudtrail, **by("EventName", "UpdateAlias"))
    assert {json.dumps(record(found), sort_keys=True) for found in events} <= {
        json.dumps(body["detail"], sort_keys=True) for body in seen.values()
    }


def test_events_arrive_minutes_after_their_calls():
    with Simulator("--speed", "0", "--start", START, "--no-throttle") as simulator:
        gamelift, cloudtrail = boto(simulator.endpoint, "gamelift"), boto(simulator.endpoint, "cloudtrail")
        alias, strategy = some_alias(gamelift)
        for _ in range(40):
            gamelift.update_alias(AliasId=alias, RoutingStrategy=strategy)
        arrived = []
        for minutes in [1, 4, 11, 70]:
            arrived.append(len(look_up(cloudtrail, **by("EventName", "UpdateAlias"))))
            simulator.post("advance", {"seconds": minutes * 60})
        arrived.append(len(look_up(cloudtrail, **by("EventName", "UpdateAlias"))))
        assert arrived[:2] == [0, 0], "none within a minute"
        assert 10 < arrived[2] < 35, "about half after five minutes"
        assert arrived[2] < arrived[3] <= arrived[4] and arrived[4] >= 38


def test_two_lookups_a_second_are_answered_and_the_rest_is_throttled():
    with Simulator("--speed", "0", "--start", START) as simulator:
        target = "com.amazonaws.cloudtrail.v20131101.CloudTrail_20131101"
        # One after the other they would be slow enough to be answered on a busy machine.
        codes = ask_at_once(simulator.endpoint, "LookupEvents", 40, target=target, signing_name="cloudtrail")
        assert codes.count(None) >= 2
        assert set(codes) == {None, "ThrottlingException"}
        elsewhere = ask_json(boto(simulator.endpoint, "cloudtrail", "us-east-1"), "LookupEvents", {})
        assert elsewhere.code is None, "each Region has its own rate"
