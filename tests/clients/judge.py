"""Checks answers: the expected code, a request id, a declared error with its status, a body that fits the model."""

from clients import ask_cbor, ask_json, boto, plain
from model import declared_errors, problems, service

MODEL = service("gamelift")


def judge(operation, answer, expected, encoding):
    """Returns everything wrong with an answer; `expected` is an error code, or None for success."""
    model = MODEL.operation_model(operation)
    if answer.code != expected:
        return [f"answered {answer.code or 'success'} {str(answer.body)[:300]} in {encoding}"]
    if answer.headers.get("x-amzn-requestid", "") == "":
        return ["no request id"]
    if expected is None:
        if model.output_shape is None:
            # Clients ignore such a body; an empty structure is the one that no client fails on.
            return [] if answer.body in (None, {}) else [f"a body ({answer.body}) where the model has no output"]
        if answer.body is None:
            return [f"no body in {encoding}"]
        return problems(model.output_shape, answer.body, encoding)
    allowed = declared_errors(model)
    if expected not in allowed:
        return [f"{expected} is not declared"]
    if answer.status != allowed[expected]:
        return [f"{expected} came with status {answer.status}"]
    return [] if answer.body.get("Message") else ["the error has no Message"]


def judge_both(operation, as_json, as_cbor, expected):
    """Returns everything wrong with the answers to one call in both protocols, which must agree."""
    wrong = judge(operation, as_json, expected, "json") + judge(operation, as_cbor, expected, "cbor")
    if wrong:
        return wrong
    if expected is None:
        same = plain(as_json.body) == plain(as_cbor.body)
    else:
        same = as_json.body["Message"] == as_cbor.body["Message"]
    return [] if same else [f"JSON says {str(as_json.body)[:400]}, CBOR says {str(as_cbor.body)[:400]}"]


def ask_all(endpoint, region, all_cases):
    """Calls every case in both protocols and checks everything; returns the JSON bodies."""
    client, found, bodies = boto(endpoint, "gamelift", region), [], []
    for operation, parameters, expected in all_cases:
        as_json = ask_json(client, operation, parameters)
        as_cbor = ask_cbor(endpoint, "GameLift", operation, parameters, region)
        wrong = judge_both(operation, as_json, as_cbor, expected)
        found += [f"{operation} {parameters}: {line}" for line in wrong[:5]]
        bodies.append(as_json.body)
    assert not found, "\n".join(found)
    return bodies
