"""Every GameLift operation, in both protocols, checked against botocore's model."""

from cases import anywhere_cases, cases
from clients import ask_cbor, ask_json_by_hand
from judge import MODEL, ask_all, judge_both
from operations import READS
from violations import members, violations

REGIONS = ["eu-west-1", "us-east-1", "ap-northeast-1"]


def test_every_operation_answers_as_the_model_says_in_both_protocols(world, truth):
    everything = cases(truth)
    ask_all(world.endpoint, REGIONS[0], everything)
    assert {operation for operation, _, expected in everything if expected is None} == READS
    assert {operation for operation, _, expected in everything if expected is not None} == READS


def test_every_rule_of_the_model_is_kept_in_both_protocols(world, truth):
    found, done = [], {operation: set() for operation in READS}
    for operation, parameters, expected in cases(truth):
        if expected is not None:
            continue
        shape = MODEL.operation_model(operation).input_shape
        for path, what, broken, code in list(violations(shape, parameters, frozenset(done[operation]))):
            done[operation].add(path)
            as_json = ask_json_by_hand(world.endpoint, operation, broken)
            as_cbor = ask_cbor(world.endpoint, "GameLift", operation, broken)
            found += [f"{operation} {what}: {line}" for line in judge_both(operation, as_json, as_cbor, code)]
    assert not found, "\n".join(found)
    for operation, broken in done.items():
        assert broken == set(members(MODEL.operation_model(operation).input_shape)), operation


def test_an_anywhere_fleet_is_asked_differently(world):
    region = REGIONS[2]
    ask_all(world.endpoint, region, anywhere_cases(world.truth(region)))
