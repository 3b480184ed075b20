"""Temporary credentials and the permissions behind them, through boto3 and its own provider for roles."""

import json
import os
import subprocess
import sys
import time

import pytest
from botocore.exceptions import ClientError

from clients import KEY, boto
from model import from_xml, problems, service
from operations import listed
from simulator import REGION, START, Simulator

ACCOUNT = "111122223333"
SERIAL = f"arn:aws:iam::{ACCOUNT}:mfa/ada"
CREDENTIALS = f"""
expired = ["AKIAEXPIRED"]

[users]
AKIAADA = "ada"

[denied]
AKIAADA = ["gamelift:UpdateAlias", "!gamelift:Delete*"]
AKIABLIND = ["iam:SimulatePrincipalPolicy", "sts:*"]

[mfa]
AKIAADA = {{ serial = "{SERIAL}", code = "123456" }}

[roles.Reader]
path = "/ops/"
denied = ["gamelift:Update*", "!gamelift:Delete*"]

[roles.Guarded]
trusted = ["ada"]
external_id = "liftdeck"
mfa = true
max_session_s = 7200
"""


def role(name):
    return f"arn:aws:iam::{ACCOUNT}:role/{name}"


@pytest.fixture(scope="module")
def simulator(tmp_path_factory):
    """A simulator with roles, and a history in which every call shows at once."""
    file = tmp_path_factory.mktemp("sts") / "credentials.toml"
    file.write_text(CREDENTIALS)
    options = ("--trail-delay", "0", "--trail-missing", "0", "--no-throttle")
    with Simulator("--speed", "0", "--start", START, "--credentials", str(file), *options) as simulator:
        yield simulator


def ask(client, operation, **parameters):
    """Calls an operation; its answer has to fit the model."""
    answer = client._make_api_call(operation, parameters)
    model = service(client.meta.service_model.service_name).operation_model(operation)
    assert problems(model.output_shape, from_xml(model, client.raw), "cbor") == []
    return answer


def refusal(client, operation, **parameters):
    with pytest.raises(ClientError) as raised:
        client._make_api_call(operation, parameters)
    error = raised.value.response
    return error["Error"]["Code"], error["ResponseMetadata"]["HTTPStatusCode"], error["Error"]["Message"]


def assume(simulator, name="ops/Reader", key="AKIAADA", **parameters):
    sts = boto(simulator.endpoint, "sts", key=key)
    return ask(sts, "AssumeRole", RoleArn=role(name), RoleSessionName="shift", **parameters)


def with_session(simulator, name, answer, **changed):
    """Returns a client with the credentials in an answer."""
    own = {"key": answer["Credentials"]["AccessKeyId"], "token": answer["Credentials"]["SessionToken"]}
    return boto(simulator.endpoint, name, **own | changed)


def test_a_session_of_a_role_signs_its_requests_and_is_named_everywhere(simulator):
    answer = assume(simulator)
    arn = f"arn:aws:sts::{ACCOUNT}:assumed-role/Reader/shift"
    assert answer["AssumedRoleUser"]["Arn"] == arn
    left = answer["Credentials"]["Expiration"].timestamp() - time.time()
    assert 3_000 < left <= 3_600, "by the clock of the client"
    identity = ask(with_session(simulator, "sts", answer), "GetCallerIdentity")
    assert (identity["Arn"], identity["Account"]) == (arn, ACCOUNT)
    assert identity["UserId"] == answer["AssumedRoleUser"]["AssumedRoleId"] and identity["UserId"].endswith(":shift")
    gamelift = with_session(simulator, "gamelift", answer)
    alias = gamelift.list_aliases()["Aliases"][0]["AliasId"]
    code, status, message = refusal(gamelift, "UpdateAlias", AliasId=alias, Name="x")
    assert (code, status) == ("AccessDeniedException", 403)
    assert message.startswith(f"User: {arn} is not authorized to perform: gamelift:UpdateAlias on resource: *")
    assert message.endswith("because no identity-based policy allows the gamelift:UpdateAlias action")
    _, _, message = refusal(gamelift, "DeleteAlias", AliasId=alias)
    assert message.endswith("with an explicit deny in an identity-based policy")


def test_the_event_history_names_role_and_session(simulator):
    answer = assume(simulator)
    with_session(simulator, "gamelift", answer).list_builds()
    by_key = [{"AttributeKey": "AccessKeyId", "AttributeValue": answer["Credentials"]["AccessKeyId"]}]
    cloudtrail = boto(simulator.endpoint, "cloudtrail")
    [event] = cloudtrail.lookup_events(LookupAttributes=by_key)["Events"]
    identity = json.loads(event["CloudTrailEvent"])["userIdentity"]
    assert (event["Username"], identity["type"], identity["arn"]) == (
        "shift",
        "AssumedRole",
        answer["AssumedRoleUser"]["Arn"],
    )
    issuer = identity["sessionContext"]["sessionIssuer"]
    assert (issuer["arn"], issuer["userName"]) == (role("ops/Reader"), "Reader")
    began = {"creationDate": START, "mfaAuthenticated": "false"}
    assert identity["sessionContext"]["attributes"] == began
    by_name = [{"AttributeKey": "EventName", "AttributeValue": "AssumeRole"}]
    told = json.loads(cloudtrail.lookup_events(LookupAttributes=by_name)["Events"][0]["CloudTrailEvent"])
    assert told["requestParameters"] == {"roleArn": role("ops/Reader"), "roleSessionName": "shift"}
    assert (told["userIdentity"]["userName"], told["readOnly"]) == ("ada", True)


def test_a_session_is_refused_without_its_own_token(simulator):
    answer = assume(simulator)
    for token in [None, "another", answer["Credentials"]["SessionToken"][:-1]]:
        found = refusal(with_session(simulator, "gamelift", answer, token=token), "ListFleets")
        assert found[:2] == ("UnrecognizedClientException", 403)
        for name, operation in [("sts", "GetCallerIdentity"), ("sns", "ListTopics")]:
            found = refusal(with_session(simulator, name, answer, token=token), operation)
            assert found[:2] == ("InvalidClientTokenId", 403)
    elsewhere = boto(simulator.endpoint, "sts", key="ASIANEVERISSUED00000", token="t")
    assert refusal(elsewhere, "GetCallerIdentity")[0] == "InvalidClientTokenId"


def test_a_session_ends_when_its_time_has_passed(simulator):
    answer = assume(simulator, DurationSeconds=900)
    client = with_session(simulator, "gamelift", answer)
    simulator.post("advance", {"seconds": 600})
    client.list_fleets()
    simulator.post("advance", {"seconds": 301})
    assert refusal(client, "ListFleets")[:2] == ("ExpiredTokenException", 403)
    assert refusal(with_session(simulator, "sts", answer), "GetCallerIdentity")[:2] == ("ExpiredToken", 403)


def test_a_role_is_refused_in_the_words_of_sts(simulator):
    ada, bob = boto(simulator.endpoint, "sts", key="AKIAADA"), boto(simulator.endpoint, "sts", key="AKIABOB")
    guarded = {"RoleArn": role("Guarded"), "RoleSessionName": "shift", "ExternalId": "liftdeck"}
    mfa = {"SerialNumber": SERIAL, "TokenCode": "123456"}
    user = f"arn:aws:iam::{ACCOUNT}:user"
    denied = "is not authorized to perform: sts:AssumeRole on resource:"
    failed = "MultiFactorAuthentication failed"
    for client, parameters, message in [
        (ada, {}, f"User: {user}/ada {denied} {role('Guarded')}"),
        (bob, {}, f"User: {user}/AKIABOB {denied} {role('Guarded')}"),
        (ada, mfa | {"ExternalId": "other"}, f"User: {user}/ada {denied} {role('Guarded')}"),
        (ada, {"RoleArn": role("Nobody")}, f"User: {user}/ada {denied} {role('Nobody')}"),
        (ada, mfa | {"TokenCode": "654321"}, f"{failed} with invalid MFA one time pass code. "),
        (ada, {"TokenCode": "123456"}, f"{failed}, must provide both MFA serial number and one time pass code."),
        (
            bob,
            mfa,
            f"{failed}, unable to validate MFA code.  "
            "Please verify your MFA serial number is valid and associated with this user.",
        ),
    ]:
        assert refusal(client, "AssumeRole", **guarded | parameters) == ("AccessDenied", 403, message)
    answer = ask(ada, "AssumeRole", **guarded, **mfa, DurationSeconds=7200)
    assert answer["AssumedRoleUser"]["Arn"] == f"arn:aws:sts::{ACCOUNT}:assumed-role/Guarded/shift"
    for wrong in [
        {"RoleSessionName": "a b"},
        {"RoleSessionName": "a"},
        {"RoleSessionName": "a" * 65},
        {"DurationSeconds": 899},
        {"DurationSeconds": 43_201},
        {"DurationSeconds": 7_201, **mfa},
        {"TokenCode": "12345x", "SerialNumber": SERIAL},
        {"SerialNumber": "short"},
        {"RoleArn": "r"},
        {"RoleArn": "not an arn of twenty letters"},
    ]:
        assert refusal(ada, "AssumeRole", **guarded | wrong)[:2] == ("ValidationError", 400), wrong


def test_a_session_token_is_of_the_user_and_goes_no_further(simulator):
    sts = boto(simulator.endpoint, "sts", key="AKIAADA")
    answer = ask(sts, "GetSessionToken", SerialNumber=SERIAL, TokenCode="123456", DurationSeconds=900)
    session = with_session(simulator, "sts", answer)
    assert ask(session, "GetCallerIdentity")["Arn"] == f"arn:aws:iam::{ACCOUNT}:user/ada"
    assert refusal(session, "GetSessionToken") == (
        "AccessDenied",
        403,
        "Cannot call GetSessionToken with session credentials",
    )
    guarded = {"RoleArn": role("Guarded"), "RoleSessionName": "shift", "ExternalId": "liftdeck"}
    ask(session, "AssumeRole", **guarded)
    alias = boto(simulator.endpoint, "gamelift").list_aliases()["Aliases"][0]["AliasId"]
    denied = refusal(with_session(simulator, "gamelift", answer), "UpdateAlias", AliasId=alias, Name="x")
    assert denied[0] == "AccessDeniedException"
    blind = boto(simulator.endpoint, "sts", key="AKIABLIND")
    assert refusal(blind, "GetSessionToken")[:2] == ("AccessDenied", 403)
    assert refusal(blind, "AssumeRole", RoleArn=role("ops/Reader"), RoleSessionName="shift")[0] == "AccessDenied"
    chained = with_session(simulator, "sts", assume(simulator))
    again = {"RoleArn": role("ops/Reader"), "RoleSessionName": "again"}
    assert ask(chained, "AssumeRole", **again)["AssumedRoleUser"]["Arn"].endswith("Reader/again")
    assert refusal(chained, "AssumeRole", **guarded)[0] == "AccessDenied"


PROFILES = """
[profile base]
[profile reader]
role_arn = {reader}
source_profile = base
role_session_name = from-a-profile
[profile guarded]
role_arn = {guarded}
source_profile = base
external_id = liftdeck
mfa_serial = {serial}
duration_seconds = 7200
role_session_name = with-a-code
"""

SCRIPT = """
import getpass
import sys
getpass.getpass = lambda prompt: "123456"
import boto3
print(boto3.Session(profile_name=sys.argv[1]).client("sts").get_caller_identity()["Arn"])
"""


@pytest.mark.parametrize(
    ("profile", "session"), [("reader", "Reader/from-a-profile"), ("guarded", "Guarded/with-a-code")]
)
def test_a_profile_assumes_its_role_by_itself(simulator, tmp_path, profile, session):
    config, shared = tmp_path / "config", tmp_path / "credentials"
    config.write_text(PROFILES.format(reader=role("ops/Reader"), guarded=role("Guarded"), serial=SERIAL))
    shared.write_text("[base]\naws_access_key_id = AKIAADA\naws_secret_access_key = any\n")
    given = {"AWS_CONFIG_FILE": str(config), "AWS_SHARED_CREDENTIALS_FILE": str(shared), "AWS_REGION": REGION}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")} | given
    environment |= {"AWS_ENDPOINT_URL": simulator.endpoint, "AWS_DEFAULT_REGION": REGION}
    line = [sys.executable, "-c", SCRIPT, profile]
    told = subprocess.run(line, env=environment, check=True, capture_output=True, text=True).stdout.strip()
    assert told == f"arn:aws:sts::{ACCOUNT}:assumed-role/{session}"


def test_the_credentials_can_be_replaced_at_run_time():
    with Simulator("--speed", "0", "--start", START) as simulator:
        simulator.post("credentials", {"roles": {"Late": {"denied": ["gamelift:*"]}}})
        answer = assume(simulator, "Late", key=KEY)
        client = with_session(simulator, "gamelift", answer)
        assert refusal(client, "ListFleets")[0] == "AccessDeniedException"
        simulator.post("credentials", {"roles": {"Late": {}}})
        client.list_fleets()
        simulator.post("credentials", {"expired": [answer["Credentials"]["AccessKeyId"]], "roles": {"Late": {}}})
        assert refusal(client, "ListFleets")[0] == "ExpiredTokenException"
        simulator.post("credentials", {})
        assert refusal(client, "ListFleets")[0] == "UnrecognizedClientException"


def iam(simulator, key="AKIAADA"):
    return boto(simulator.endpoint, "iam", "us-east-1", key)


def test_what_is_refused_is_told_before_by_the_policy_simulator(simulator):
    actions = ["gamelift:UpdateAlias", "gamelift:DeleteAlias", "gamelift:ListAliases", "sqs:ReceiveMessage"]
    wanted = ["implicitDeny", "explicitDeny", "allowed", "allowed"]
    for source in [f"arn:aws:iam::{ACCOUNT}:user/ada", role("ops/Reader")]:
        answer = ask(iam(simulator), "SimulatePrincipalPolicy", PolicySourceArn=source, ActionNames=actions)
        results = answer["EvaluationResults"]
        assert [(one["EvalActionName"], one["EvalDecision"]) for one in results] == list(zip(actions, wanted))
        assert {one["EvalResourceName"] for one in results} == {"*"} and answer["IsTruncated"] is False
    fleets = [f"arn:aws:gamelift:{REGION}:{ACCOUNT}:fleet/fleet-{n}" for n in range(2)]
    asked = {"PolicySourceArn": role("ops/Reader"), "ActionNames": actions, "ResourceArns": fleets}
    pages = list(iam(simulator).get_paginator("simulate_principal_policy").paginate(**asked, PaginationConfig={"PageSize": 3}))
    assert [len(page["EvaluationResults"]) for page in pages] == [3, 1]
    specific = pages[0]["EvaluationResults"][0]["ResourceSpecificResults"]
    assert [(one["EvalResourceName"], one["EvalResourceDecision"]) for one in specific] == [
        (fleet, "implicitDeny") for fleet in fleets
    ]


def test_bad_questions_to_iam_are_refused_in_its_words(simulator):
    client = iam(simulator)
    good = {"PolicySourceArn": role("ops/Reader"), "ActionNames": ["gamelift:ListFleets"]}
    session = f"arn:aws:sts::{ACCOUNT}:assumed-role/Reader/shift"
    for wrong, code, status in [
        ({"PolicySourceArn": session}, "InvalidInput", 400),
        ({"PolicySourceArn": f"arn:aws:iam::{ACCOUNT}:user/nobody"}, "NoSuchEntity", 404),
        ({"PolicySourceArn": role("Nobody")}, "NoSuchEntity", 404),
        ({"ActionNames": ["ListFleets"]}, "InvalidInput", 400),
        ({"Marker": "forged"}, "InvalidInput", 400),
        ({"MaxItems": 1001}, "ValidationError", 400),
        ({"PolicySourceArn": "short"}, "ValidationError", 400),
    ]:
        assert refusal(client, "SimulatePrincipalPolicy", **good | wrong)[:2] == (code, status), wrong
    code, status, message = refusal(iam(simulator, "AKIABLIND"), "SimulatePrincipalPolicy", **good)
    assert (code, status) == ("AccessDenied", 403)
    assert f"is not authorized to perform: iam:SimulatePrincipalPolicy on resource: {role('ops/Reader')} " in message
    assert refusal(client, "GetRole", RoleName="Nobody")[:2] == ("NoSuchEntity", 404)
    assert refusal(client, "ListUsers")[0] == "InvalidAction"
    nowhere = boto(simulator.endpoint, "iam", "mars-north-1")
    assert refusal(nowhere, "GetRole", RoleName="Reader")[:2] == ("SignatureDoesNotMatch", 403)


def test_a_role_shows_whom_it_trusts(simulator):
    shown = ask(iam(simulator), "GetRole", RoleName="Guarded")["Role"]
    assert (shown["Arn"], shown["Path"], shown["MaxSessionDuration"]) == (role("Guarded"), "/", 7200)
    [statement] = shown["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {"AWS": [f"arn:aws:iam::{ACCOUNT}:user/ada"]}
    assert statement["Condition"] == {
        "Bool": {"aws:MultiFactorAuthPresent": "true"},
        "StringEquals": {"sts:ExternalId": "liftdeck"},
    }
    assert ask(iam(simulator), "GetRole", RoleName="Reader")["Role"]["Path"] == "/ops/"


def test_every_operation_of_both_services_is_listed():
    assert listed("sts") == {"AssumeRole", "GetCallerIdentity", "GetSessionToken"}
    assert listed("iam") == {"GetRole", "SimulatePrincipalPolicy"}
