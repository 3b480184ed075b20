"""The operations that are tested, supported and listed in the reference are the same."""

import re
from pathlib import Path

from changes import FAMILIES
from clients import ask_cbor, ask_json, ask_json_by_hand
from judge import MODEL
from operations import BESIDES, MARKED, READS, listed

MANUAL = Path(__file__).resolve().parents[2] / "src-tauri/crates/simulator/MANUAL.md"


def test_every_operation_that_is_answered_is_judged_and_none_is_missing():
    told = [name for family in FAMILIES for name in family.OPERATIONS]
    assert len(told) == len(set(told)), "an operation is judged in one place"
    assert READS.isdisjoint(told)
    assert READS | set(told) == listed("gamelift") == MARKED | BESIDES
    assert (len(MARKED), len(MARKED | BESIDES)) == (77, 87)


def test_what_is_not_simulated_is_an_unknown_operation(world, gamelift):
    for name in sorted(set(MODEL.operation_names) - listed("gamelift")):
        answer = ask_json(gamelift, name, {})
        assert (answer.code, answer.status) == ("UnknownOperationException", 404), name
    for service, name in [("GameLift", "MakeCoffee"), ("GameLift", "CreateVpcPeeringConnection"), ("Kitchen", "MakeTea")]:
        answer = ask_cbor(world.endpoint, service, name, {})
        assert (answer.code, answer.status) == ("UnknownOperationException", 404)


def test_every_error_has_a_status_a_code_and_a_message_and_nothing_else(world):
    wrong = {"FleetId": "?", "Name": "", "Limit": 0}
    refused = 0
    for name in sorted(listed("gamelift")):
        as_json = ask_json_by_hand(world.endpoint, name, wrong)
        as_cbor = ask_cbor(world.endpoint, "GameLift", name, wrong)
        assert as_json.code == as_cbor.code, name
        for answer in [as_json, as_cbor] if as_json.code else []:
            assert answer.status == 400 and answer.body["Message"], name
            assert set(answer.body) == {"__type", "Message"}, name
            assert len(answer.headers["x-amzn-requestid"]) == 36, name
        refused += as_json.code is not None
    assert refused > 75


def test_the_manual_names_what_is_answered_and_what_is_not():
    sections = re.split(r"^## ", MANUAL.read_text(), flags=re.MULTILINE)
    named = {section.split("\n")[0]: set(re.findall(r"`([A-Z]\w+)`", section)) for section in sections}
    every, answered = set(MODEL.operation_names), listed("gamelift")
    covered = named["What it covers"] & every
    assert covered == answered
    assert named["What it does not cover"] & every == every - answered
