"""Every kind of fault in the fault plan, as seen by boto3 and an RPC v2 CBOR client."""

import email.utils
import http.client
import json
import time

import boto3
import cbor2
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError, HTTPClientError, ReadTimeoutError
from botocore.parsers import ResponseParserError

import choose
from clients import KEY, ask_cbor, ask_json, authorization, boto, send
from simulator import REGION

LIST = "gamelift:ListBuilds"


@pytest.fixture
def plan(changing):
    """Activates a rule that applies once by default; removes all rules after the test."""

    def put(**rule):
        changing.post("faults", {"fault": [{"operation": LIST, "count": 1} | rule]})

    yield put
    changing.post("faults", {"fault": []})


@pytest.fixture
def client(changing):
    return boto(changing.endpoint, "gamelift")


def code(client, operation, parameters=None):
    return ask_json(client, operation, parameters or {}).code


def raw_cbor(endpoint):
    """Returns the status, headers and bytes of ListBuilds in CBOR, valid or not."""
    headers = {"smithy-protocol": "rpc-v2-cbor", "content-type": "application/cbor", "authorization": authorization()}
    return send(endpoint, "/service/GameLift/operation/ListBuilds", headers, b"\xa0")


def test_errors_of_the_service_are_errors_in_both_protocols(changing, client, plan):
    for rule, expected in [
        ({"kind": "throttle"}, ("ThrottlingException", 400)),
        ({"kind": "status", "status": 500}, ("InternalServiceException", 500)),
        ({"kind": "status", "status": 429}, ("ThrottlingException", 429)),
        ({"kind": "status"}, ("ServiceUnavailable", 503)),
        ({"kind": "status", "status": 400}, ("RequestAbortedException", 400)),
    ]:
        plan(**rule, count=2)
        for answer in [ask_json(client, "ListBuilds", {}), ask_cbor(changing.endpoint, "GameLift", "ListBuilds", {})]:
            assert (answer.code, answer.status) == expected and answer.body["Message"], rule
        assert code(client, "ListBuilds") is None


@pytest.mark.parametrize("status", [403, 429, 500, 502])
def test_a_status_comes_without_a_body_or_with_a_proxy_s_page(changing, client, plan, status):
    for kind, content_type, body in [("empty-status", "text/plain", b""), ("html", "text/html", b"<html>")]:
        plan(kind=kind, status=status, count=2)
        answered, headers, content = raw_cbor(changing.endpoint)
        assert (answered, headers["content-type"], content[:6]) == (status, content_type, body)
        with pytest.raises((ClientError, ResponseParserError)):
            client.list_builds()
        assert client.list_builds()["Builds"], kind


def test_answers_that_cannot_be_read_are_followed_by_right_ones(changing, client, plan):
    right = raw_cbor(changing.endpoint)[2]
    plan(kind="garble", count=2)
    status, headers, content = raw_cbor(changing.endpoint)
    assert (status, headers["content-type"]) == (200, "application/cbor")
    with pytest.raises(cbor2.CBORDecodeError):
        cbor2.loads(content)
    with pytest.raises((ResponseParserError, UnicodeDecodeError)):
        client.list_builds()
    plan(kind="truncate", count=2)
    with pytest.raises(http.client.IncompleteRead) as cut:
        raw_cbor(changing.endpoint)
    assert right.startswith(cut.value.partial) and 0 < len(cut.value.partial) < len(right)
    lost = client.list_builds()
    # boto3 reads half a body as a response without members.
    assert "Builds" not in lost and 0 < len(client.raw) < int(lost["ResponseMetadata"]["HTTPHeaders"]["content-length"])
    plan(kind="reset", count=2)
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        raw_cbor(changing.endpoint)
    with pytest.raises((ConnectionClosedError, HTTPClientError)):
        client.list_builds()
    assert raw_cbor(changing.endpoint)[2] == right and client.list_builds()["Builds"]


def test_an_answer_comes_late_or_never(changing, client, plan):
    plan(kind="latency", latency_ms=300)
    began = time.monotonic()
    assert code(client, "ListBuilds") is None
    assert time.monotonic() - began >= 0.3
    plan(kind="stall")
    with pytest.raises(ReadTimeoutError):
        impatient(changing.endpoint).list_builds()
    assert code(client, "ListBuilds") is None


def walked(client, limit):
    """Returns the ids of all fleets, read in pages, and the number of pages."""
    pages = list(client.get_paginator("list_fleets").paginate(PaginationConfig={"PageSize": limit}))
    return [fleet for page in pages for fleet in page["FleetIds"]], len(pages)


def test_tokens_are_repeated_or_wrong_and_rows_come_twice_over_a_page_border(client, plan):
    whole, _ = walked(client, 100)
    first = ask_json(client, "ListFleets", {"Limit": 1}).body["NextToken"]
    plan(operation="gamelift:ListFleets", kind="repeat-token")
    asked = {"Limit": 1, "NextToken": first}
    assert ask_json(client, "ListFleets", asked).body["NextToken"] == first
    assert ask_json(client, "ListFleets", asked).body["NextToken"] != first
    plan(operation="gamelift:ListFleets", kind="wrong-token")
    page = ask_json(client, "ListFleets", {"Limit": 2}).body
    assert page["FleetIds"] == whole[:2]
    assert code(client, "ListFleets", {"Limit": 2, "NextToken": page["NextToken"]}) == "InvalidRequestException"
    plan(operation="gamelift:ListFleets", kind="repeat-row")
    seen, pages = walked(client, 2)
    assert seen == [*whole[:2], whole[1], *whole[2:]] and pages == -(-len(seen) // 2)
    # The last page has no next token, and pages of one item cannot overlap.
    plan(operation="gamelift:ListFleets", kind="repeat-row", count=100)
    assert walked(client, 100) == (whole, 1)
    assert walked(client, 1) == (whole, len(whole))


def test_a_service_whose_clock_is_off_tells_its_time_and_takes_what_is_signed_by_it(changing, client, plan):
    plan(kind="clock-skew", skew_s=7200, count=3)
    answer = ask_json(client, "ListBuilds", {})
    assert (answer.code, answer.status) == ("RequestTimeTooSkewed", 403)
    told = email.utils.parsedate_to_datetime(answer.headers["date"])
    assert 7000 < told.timestamp() - time.time() < 7400
    headers = {"x-amz-target": "GameLift.ListBuilds", "content-type": "application/x-amz-json-1.1"}
    headers |= {"authorization": authorization(), "x-amz-date": told.strftime("%Y%m%dT%H%M%SZ")}
    status, answered, body = send(changing.endpoint, "/", headers, b"{}")
    assert status == 200 and json.loads(body)["Builds"]
    told = email.utils.parsedate_to_datetime(answered["date"])
    assert abs(told.timestamp() - time.time()) < 600, "its own time again"
    assert ask_cbor(changing.endpoint, "GameLift", "ListBuilds", {}).code == "RequestTimeTooSkewed", "no time at all"


def test_what_is_struck_is_counted_and_nothing_else(changing, client, plan):
    def struck():
        return changing.get("calls")[REGION][LIST]["faults"]

    assert code(client, "ListBuilds") is None
    before = struck()
    plan(kind="throttle", skip=1, count=2)
    assert [code(client, "ListBuilds") is None for _ in range(5)] == [True, False, False, True, True]
    assert struck() == before + 2
    plan(kind="throttle", region="us-*", count=None)
    assert code(client, "ListBuilds") is None and code(client, "ListScripts") is None
    assert code(boto(changing.endpoint, "gamelift", "us-east-1"), "ListBuilds") == "ThrottlingException"
    assert struck() == before + 2


def test_a_plan_with_a_mistake_changes_nothing(changing, client, plan):
    plan(kind="throttle")
    mistakes = [{"kind": "explode"}, {"probability": 7}, {"status": 99}, {"skew_s": 10**6}, {"colour": "red"}]
    for body in [*({"fault": [rule]} for rule in mistakes), {"rules": []}]:
        status, _, answer = send(changing.endpoint, "/_simulator/faults", {}, json.dumps(body).encode())
        assert status == 400 and json.loads(answer)["error"], body
    assert code(client, "ListBuilds") == "ThrottlingException", "the plan before is still in force"


def configured(endpoint, **config):
    return boto3.client(
        "gamelift",
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id=KEY,
        aws_secret_access_key="secret",
        config=Config(**config),
    )


def retrying(endpoint):
    """Returns a boto3 client as people use it, with retries."""
    return configured(endpoint, retries={"mode": "standard", "total_max_attempts": 3})


def impatient(endpoint):
    """Returns a boto3 client that waits a second for a response, without retries."""
    return configured(endpoint, read_timeout=1, retries={"total_max_attempts": 1})


@pytest.mark.parametrize("kind", ["throttle", "status", "html", "reset", "empty-status"])
def test_boto3_s_own_retries_get_over_a_fault(changing, plan, kind):
    name = "gamelift:ListScripts"
    before = changing.get("calls")[REGION].get(name, {"calls": 0})["calls"]
    plan(operation=name, kind=kind)
    answer = retrying(changing.endpoint).list_scripts()
    assert answer["Scripts"] and answer["ResponseMetadata"]["RetryAttempts"] == 1
    assert changing.get("calls")[REGION][name]["calls"] == before + 2


def test_a_token_makes_a_change_happen_once_though_its_answer_is_lost(changing, client, plan):
    fleet = choose.fleet(changing.truth(), FleetType="ON_DEMAND")
    wanted = {"FleetId": fleet, "MaximumPlayerSessionCount": 2, "IdempotencyToken": "only-once"}
    plan(operation="gamelift:CreateGameSession", kind="truncate")
    assert "GameSession" not in client.create_game_session(**wanted)
    arn = client.create_game_session(**wanted)["GameSession"]["GameSessionId"]
    made = [session["GameSessionId"] for session in changing.truth()["GameSessions"]]
    assert made.count(arn) == 1 and sum(name.endswith("/only-once") for name in made) == 1


def test_a_fault_before_a_change_leaves_the_world_as_it_was(changing, client, plan):
    before = changing.truth()["Aliases"]
    for kind in ["throttle", "status", "html", "reset", "garble", "clock-skew"]:
        plan(operation="gamelift:UpdateAlias", kind=kind)
        with pytest.raises((ClientError, HTTPClientError, ResponseParserError, UnicodeDecodeError)):
            client.update_alias(AliasId=before[0]["AliasId"], Name=f"lost to {kind}")
        assert changing.truth()["Aliases"] == before
