"""What stands before every operation: signatures, credentials, permissions, rates and the fault plan."""

import json
import time

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError, HTTPClientError
from botocore.parsers import ResponseParserError

import choose
from clients import KEY, ask_json, authorization, boto, send
from simulator import REGION, START, Simulator

TARGET = {"x-amz-target": "GameLift.ListFleets", "content-type": "application/x-amz-json-1.1"}

CREDENTIALS = """
expired = ["AKIAEXPIRED"]
unknown = ["AKIAUNKNOWN"]
[denied]
AKIADENIED = ["gamelift:DescribeFleet*", "gamelift:Update*", "sqs:*"]
"""


@pytest.fixture(scope="module")
def simulator(tmp_path_factory):
    file = tmp_path_factory.mktemp("credentials") / "credentials.toml"
    file.write_text(CREDENTIALS)
    with Simulator("--speed", "0", "--start", START, "--credentials", str(file)) as simulator:
        yield simulator


def code(client, operation, parameters=None):
    return ask_json(client, operation, parameters or {}).code


def test_unsigned_and_half_signed_requests_are_refused(world):
    for header, expected in [
        ({}, "MissingAuthenticationToken"),
        ({"authorization": "Bearer something"}, "IncompleteSignature"),
        ({"authorization": authorization().replace("Signature=00", "")}, "IncompleteSignature"),
    ]:
        status, _, body = send(world.endpoint, "/", TARGET | header, b"{}")
        assert (status, json.loads(body)["__type"]) == (403, expected)


def test_bad_credentials_are_told_apart(simulator):
    for key, json_code, sts_code in [
        ("AKIAEXPIRED", "ExpiredTokenException", "ExpiredToken"),
        ("AKIAUNKNOWN", "UnrecognizedClientException", "InvalidClientTokenId"),
    ]:
        answer = ask_json(boto(simulator.endpoint, "gamelift", key=key), "ListFleets", {})
        assert (answer.code, answer.status) == (json_code, 403)
        with pytest.raises(ClientError) as raised:
            boto(simulator.endpoint, "sts", key=key).get_caller_identity()
        assert raised.value.response["Error"]["Code"] == sts_code


def test_denied_actions_name_the_user_and_the_rest_goes_on(simulator):
    client = boto(simulator.endpoint, "gamelift", key="AKIADENIED")
    answer = ask_json(client, "DescribeFleetAttributes", {})
    assert (answer.code, answer.status) == ("AccessDeniedException", 403)
    user = "arn:aws:iam::111122223333:user/AKIADENIED"
    wanted = f"User: {user} is not authorized to perform: gamelift:DescribeFleetAttributes"
    assert answer.body["Message"].startswith(wanted)
    assert code(client, "ListFleets") is None
    assert code(boto(simulator.endpoint, "sqs", key="AKIADENIED"), "ListQueues") == "AccessDenied"
    assert boto(simulator.endpoint, "sts", key="AKIADENIED").get_caller_identity()["Arn"] == user


def test_the_caller_is_named(world):
    identity = boto(world.endpoint, "sts").get_caller_identity()
    assert identity["Account"] == "111122223333" and identity["Arn"].endswith(f"user/{KEY}")
    with pytest.raises(ClientError) as raised:
        boto(world.endpoint, "sts").get_session_token()
    assert raised.value.response["Error"]["Code"] == "InvalidAction"


def test_published_rates_are_enforced_by_operation_and_region(simulator):
    client, elsewhere = boto(simulator.endpoint, "gamelift"), boto(simulator.endpoint, "gamelift", "us-east-1")
    began = time.monotonic()
    codes = [code(client, "ListAliases") for _ in range(60)]
    allowed = 30 + 30 * (time.monotonic() - began)
    passed = codes.count(None)
    assert 30 <= passed <= allowed + 1 and set(codes) == {None, "ThrottlingException"}
    assert code(client, "ListBuilds") is None and code(elsewhere, "ListAliases") is None
    counted = simulator.get("calls")[REGION]["gamelift:ListAliases"]
    assert counted == {"calls": 60, "throttled": 60 - passed, "errors": 0, "faults": 0}


def plan(simulator, **rule):
    return simulator.post("faults", {"fault": [{"operation": "gamelift:ListBuilds", "count": 1} | rule]})


def test_every_fault_is_felt_once_and_then_the_answer_is_right(simulator):
    client = boto(simulator.endpoint, "gamelift")
    right = ask_json(client, "ListBuilds", {}).body
    felt = [
        ({"kind": "throttle"}, lambda: code(client, "ListBuilds") == "ThrottlingException"),
        ({"kind": "status", "status": 500}, lambda: ask_json(client, "ListBuilds", {}).status == 500),
    ]
    for rule, check in felt:
        plan(simulator, **rule)
        assert check(), rule
        assert ask_json(client, "ListBuilds", {}).body == right
    broken = {
        "html": (ClientError, ResponseParserError),
        "empty-status": (ClientError, ResponseParserError),
        "garble": (ResponseParserError, UnicodeDecodeError),
        "truncate": HTTPClientError,
        "reset": (ConnectionClosedError, HTTPClientError),
    }
    for kind, error in broken.items():
        plan(simulator, kind=kind)
        with pytest.raises(error):
            client.list_builds()
        assert client.list_builds()["Builds"], kind
    plan(simulator, kind="latency", latency_ms=300)
    began = time.monotonic()
    assert ask_json(client, "ListBuilds", {}).body == right
    assert time.monotonic() - began >= 0.3
    assert simulator.get("calls")[REGION]["gamelift:ListBuilds"]["faults"] == 8


def test_a_repeated_token_is_the_one_that_was_asked(simulator):
    client = boto(simulator.endpoint, "gamelift")
    token = ask_json(client, "ListFleets", {"Limit": 1}).body["NextToken"]
    plan(simulator, operation="gamelift:ListFleets", kind="repeat-token")
    second = ask_json(client, "ListFleets", {"Limit": 1, "NextToken": token}).body
    assert second["NextToken"] == token
    assert ask_json(client, "ListFleets", {"Limit": 1, "NextToken": token}).body["NextToken"] != token


def test_a_plan_with_a_mistake_changes_nothing(simulator):
    for body in [{"fault": [{"kind": "explode"}]}, {"fault": [{"probability": 7}]}, {"rules": []}]:
        status, _, answer = send(simulator.endpoint, "/_simulator/faults", {}, json.dumps(body).encode())
        assert status == 400 and json.loads(answer)["error"]
    assert code(boto(simulator.endpoint, "gamelift"), "ListScripts") is None


def test_no_answer_carries_a_date(world):
    headers = TARGET | {"authorization": authorization()}
    _, answered, _ = send(world.endpoint, "/", headers, b"{}")
    assert "date" not in answered


def test_a_denied_change_changes_nothing(simulator):
    client = boto(simulator.endpoint, "gamelift", key="AKIADENIED")
    alias = simulator.truth()["Aliases"][0]
    answer = ask_json(client, "UpdateAlias", {"AliasId": alias["AliasId"], "Name": "taken over"})
    assert (answer.code, answer.status) == ("AccessDeniedException", 403)
    assert answer.body["Message"].endswith("no identity-based policy allows the gamelift:UpdateAlias action")
    assert alias in simulator.truth()["Aliases"]


def retrying(endpoint):
    """A boto3 client as people use it: it retries."""
    return boto3.client(
        "gamelift",
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id=KEY,
        aws_secret_access_key="secret",
        config=Config(retries={"mode": "standard", "total_max_attempts": 3}),
    )


@pytest.mark.parametrize("kind", ["throttle", "status", "html", "reset", "empty-status"])
def test_boto3_s_own_retries_get_over_a_fault(simulator, kind):
    before = simulator.get("calls")[REGION].get("gamelift:ListScripts", {"calls": 0})["calls"]
    plan(simulator, operation="gamelift:ListScripts", kind=kind)
    answer = retrying(simulator.endpoint).list_scripts()
    assert answer["Scripts"] and answer["ResponseMetadata"]["RetryAttempts"] == 1
    assert simulator.get("calls")[REGION]["gamelift:ListScripts"]["calls"] == before + 2


def test_a_token_makes_a_change_happen_once_though_its_answer_is_lost(simulator):
    client = boto(simulator.endpoint, "gamelift")
    fleet = choose.fleet(simulator.truth(), FleetType="SPOT")
    wanted = {"FleetId": fleet, "MaximumPlayerSessionCount": 2, "IdempotencyToken": "only-once"}
    plan(simulator, operation="gamelift:CreateGameSession", kind="truncate")
    with pytest.raises(HTTPClientError):
        client.create_game_session(**wanted)
    arn = client.create_game_session(**wanted)["GameSession"]["GameSessionId"]
    made = [session["GameSessionId"] for session in simulator.truth()["GameSessions"]]
    assert made.count(arn) == 1 and sum(name.endswith("/only-once") for name in made) == 1


def test_a_fault_before_a_change_leaves_the_world_as_it_was(simulator):
    client, before = boto(simulator.endpoint, "gamelift"), simulator.truth()["Aliases"]
    for kind in ["throttle", "status", "html", "reset", "garble"]:
        plan(simulator, operation="gamelift:UpdateAlias", kind=kind)
        with pytest.raises((ClientError, HTTPClientError, ResponseParserError, UnicodeDecodeError)):
            client.update_alias(AliasId=before[0]["AliasId"], Name=f"lost to {kind}")
        assert simulator.truth()["Aliases"] == before
