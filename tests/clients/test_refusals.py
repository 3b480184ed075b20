"""Checks that precede every operation: signatures, credentials, permissions and rates."""

import email.utils
import json
import time

import pytest
from botocore.exceptions import ClientError

from clients import KEY, ask_at_once, ask_json, authorization, boto, send
from simulator import REGION, START, Simulator

TARGET = {"x-amz-target": "GameLift.ListFleets", "content-type": "application/x-amz-json-1.1"}

# Bad credentials are listed in a file or on the command line.
CREDENTIALS = """
expired = ["AKIAEXPIRED"]
[denied]
AKIADENIED = ["gamelift:DescribeFleet*", "gamelift:Update*"]
"""
FLAGS = ["--expired", "AKIAEXPIRED2", "--unknown", "AKIAUNKNOWN", "--deny", "AKIADENIED=sqs:*", "--deny", "AKIAOTHER=sns:*"]


@pytest.fixture(scope="module")
def simulator(tmp_path_factory):
    file = tmp_path_factory.mktemp("credentials") / "credentials.toml"
    file.write_text(CREDENTIALS)
    with Simulator("--speed", "0", "--start", START, "--credentials", str(file), *FLAGS) as simulator:
        yield simulator


def code(client, operation, parameters=None):
    return ask_json(client, operation, parameters or {}).code


def test_unsigned_and_half_signed_requests_are_refused(world):
    cbor = {"smithy-protocol": "rpc-v2-cbor", "content-type": "application/cbor"}
    status, headers, _ = send(world.endpoint, "/service/GameLift/operation/ListFleets", cbor, b"\xa0")
    assert (status, headers["content-type"]) == (403, "application/cbor")
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
        ("AKIAEXPIRED2", "ExpiredTokenException", "ExpiredToken"),
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
    # A different identity is denied different actions.
    other = boto(simulator.endpoint, "sns", key="AKIAOTHER")
    with pytest.raises(ClientError) as raised:
        other.list_topics()
    error = raised.value.response
    assert (error["Error"]["Code"], error["ResponseMetadata"]["HTTPStatusCode"]) == ("AuthorizationError", 403)
    assert code(boto(simulator.endpoint, "gamelift", key="AKIAOTHER"), "DescribeFleetAttributes") is None
    assert boto(simulator.endpoint, "sts", key="AKIADENIED").get_caller_identity()["Arn"] == user


def test_the_caller_is_named(world):
    identity = boto(world.endpoint, "sts").get_caller_identity()
    assert identity["Account"] == "111122223333" and identity["Arn"].endswith(f"user/{KEY}")
    with pytest.raises(ClientError) as raised:
        boto(world.endpoint, "sts").get_access_key_info(AccessKeyId=KEY)
    assert raised.value.response["Error"]["Code"] == "InvalidAction"


def test_published_rates_are_enforced_by_operation_and_region(simulator):
    client, elsewhere = boto(simulator.endpoint, "gamelift"), boto(simulator.endpoint, "gamelift", "us-east-1")
    # The limit is four at once and one a second; forty arrive at once. A call that passes breaks a rule of the model.
    began = time.monotonic()
    codes = ask_at_once(simulator.endpoint, "GetInstanceAccess", 40)
    allowed = 4 + (time.monotonic() - began)
    passed = codes.count("InvalidRequestException")
    assert 4 <= passed <= allowed + 1 and set(codes) == {"InvalidRequestException", "ThrottlingException"}
    assert code(client, "ListBuilds") is None
    assert code(elsewhere, "GetInstanceAccess") == "InvalidRequestException"
    counted = simulator.get("calls")[REGION]["gamelift:GetInstanceAccess"]
    assert counted == {"calls": 40, "throttled": 40 - passed, "errors": passed, "faults": 0}


def test_answers_carry_the_date_by_which_clients_sign_whatever_the_time_of_the_world(world):
    headers = TARGET | {"authorization": authorization()}
    _, answered, _ = send(world.endpoint, "/", headers, b"{}")
    told = email.utils.parsedate_to_datetime(answered["date"])
    assert abs(told.timestamp() - time.time()) < 600


def test_a_denied_change_changes_nothing(simulator):
    client = boto(simulator.endpoint, "gamelift", key="AKIADENIED")
    alias = simulator.truth()["Aliases"][0]
    answer = ask_json(client, "UpdateAlias", {"AliasId": alias["AliasId"], "Name": "taken over"})
    assert (answer.code, answer.status) == ("AccessDeniedException", 403)
    assert answer.body["Message"].endswith("no identity-based policy allows the gamelift:UpdateAlias action")
    assert alias in simulator.truth()["Aliases"]
