"""The clients for the simulator: boto3, and RPC v2 CBOR written by hand.

Both return what was on the wire, so that `model.py` checks the bytes and not a client's interpretation of them.
"""

import base64
import contextlib
import datetime
import http.client
import json
from dataclasses import dataclass
from urllib.parse import urlsplit

import boto3
import cbor2
from botocore.config import Config
from botocore.exceptions import ClientError

from simulator import REGION

KEY = "AKIAFOREIGNCLIENT"


@dataclass
class Answer:
    """One answer: the HTTP status, the decoded body (None if it had no bytes), the error code if it is an error."""

    status: int
    body: dict | None
    code: str | None
    headers: dict


def boto(endpoint, service, region=REGION, key=KEY, attempts=1, token=None):
    """Returns a boto3 client that retries only if told to, validates nothing, and stores the last raw body in
    `client.raw`. A `token` belongs to temporary credentials."""
    config = Config(retries={"mode": "standard", "total_max_attempts": attempts}, parameter_validation=False)
    client = boto3.client(
        service,
        endpoint_url=endpoint,
        region_name=region,
        aws_access_key_id=key,
        aws_secret_access_key="secret",
        aws_session_token=token,
        config=config,
    )

    def remember(response_dict, **_):
        client.raw = response_dict["body"]

    client.meta.events.register(f"before-parse.{client.meta.service_model.service_id.hyphenize()}.*", remember)
    return client


def ask_json(client, operation, parameters):
    """Calls an operation through boto3."""
    try:
        response = client._make_api_call(operation, parameters)
        meta, code = response["ResponseMetadata"], None
    except ClientError as error:
        meta, code = error.response["ResponseMetadata"], error.response["Error"]["Code"]
    return Answer(meta["HTTPStatusCode"], json.loads(client.raw or b"null"), code, meta["HTTPHeaders"])


def authorization(region=REGION, service="gamelift", key=KEY):
    """Returns an Authorization header with the right scope; signatures are not verified."""
    scope = f"{key}/20261120/{region}/{service}/aws4_request"
    return f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host;x-amz-date, Signature=00"


def send(endpoint, path, headers, body):
    """Posts a body; returns the status, the headers in lower case, and the bytes."""
    connection = http.client.HTTPConnection(urlsplit(endpoint).netloc, timeout=30)
    try:
        connection.request("POST", path, body=body, headers=headers)
        response = connection.getresponse()
        content = response.read()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, content
    finally:
        connection.close()


def _json_headers(operation, region, target="GameLift", signing_name="gamelift"):
    return {
        "x-amz-target": f"{target}.{operation}",
        "content-type": "application/x-amz-json-1.1",
        "authorization": authorization(region, signing_name),
    }


def ask_at_once(endpoint, operation, times, region=REGION, **of):
    """Returns the error codes of `times` empty calls of an operation, all sent before the first response is read."""
    with contextlib.ExitStack() as open_ones:
        connections = [http.client.HTTPConnection(urlsplit(endpoint).netloc, timeout=60) for _ in range(times)]
        for connection in connections:
            open_ones.callback(connection.close)
            connection.connect()
        for connection in connections:
            connection.request("POST", "/", body="{}", headers=_json_headers(operation, region, **of))
        return [json.load(connection.getresponse()).get("__type") for connection in connections]


def ask_json_by_hand(endpoint, operation, parameters, region=REGION):
    """Calls a GameLift operation in AWS JSON without boto3, which cannot send members of a wrong type."""
    headers = _json_headers(operation, region)
    status, headers, content = send(endpoint, "/", headers, json.dumps(parameters, default=_as_json))
    body = json.loads(content or b"null")
    return Answer(status, body, None if status < 300 else body["__type"], headers)


def _as_json(value):
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value.timestamp()


def ask_cbor(endpoint, target, operation, parameters, region=REGION, signing_name="gamelift"):
    """Calls an operation in RPC v2 CBOR. `target` is the service's name in the path."""
    headers = {
        "smithy-protocol": "rpc-v2-cbor",
        "content-type": "application/cbor",
        "accept": "application/cbor",
        "authorization": authorization(region, signing_name),
    }
    path = f"/service/{target}/operation/{operation}"
    status, headers, content = send(endpoint, path, headers, cbor2.dumps(_tagged(parameters)))
    assert headers["smithy-protocol"] == "rpc-v2-cbor"
    # The protocol: an operation without output has neither a body nor a content type.
    assert headers.get("content-type") == ("application/cbor" if content else None)
    body = cbor2.loads(content) if content else None
    code = None if status < 300 else body["__type"].split("#")[-1]
    return Answer(status, body, code, headers)


def _tagged(value):
    if isinstance(value, datetime.datetime):
        return cbor2.CBORTag(1, value.timestamp())
    if isinstance(value, dict):
        return {name: _tagged(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_tagged(inner) for inner in value]
    return value


def plain(value):
    """Returns a decoded body with times as seconds, to compare encodings by value. Whole floats stay as they are."""
    if isinstance(value, datetime.datetime):
        return round(value.timestamp(), 3)
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return round(value, 6) if isinstance(value, float) else value
