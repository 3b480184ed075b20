"""Sets capacity by hand, stops and starts scaling, and changes scaling policies."""

import choose
from simulator import REGION
from twins import TRUTH, Wait

IR, NF = "InvalidRequestException", "NotFoundException"
SET, STOP, START = "UpdateFleetCapacity", "StopFleetActions", "StartFleetActions"
PUT, DROP = "PutScalingPolicy", "DeleteScalingPolicy"
SCALING = {"Actions": ["AUTO_SCALING"]}


def counts_of(fleet, location):
    """Reads the instance counts of a location."""
    asked = {"FleetId": fleet, "Location": location}
    shown = yield "DescribeFleetLocationCapacity", asked, None
    return shown["FleetCapacity"]["InstanceCounts"]


def stopped_of(fleet, location):
    """Reads the stopped actions of a location."""
    shown = yield "DescribeFleetLocationAttributes", {"FleetId": fleet, "Locations": [location]}, None
    return shown["LocationAttributes"][0].get("StoppedActions", [])


def set_by_hand(truth):
    fleet = choose.fleet(truth, FleetType="ON_DEMAND")
    home, remote = choose.locations(truth, fleet)[:2]
    for place in [home, remote]:
        stopped = yield STOP, {"FleetId": fleet, "Location": place} | SCALING, None
        assert stopped["FleetId"] == fleet
        assert (yield from stopped_of(fleet, place)) == ["AUTO_SCALING"]
        before = yield from counts_of(fleet, place)
        desired = before["DESIRED"] + 2
        wanted = {
            "FleetId": fleet,
            "DesiredInstances": desired,
            "MinSize": 1,
            "MaxSize": desired + 5,
            "Location": place,
        }
        answer = yield SET, wanted, None
        assert answer["FleetId"] == fleet and answer["Location"] == place
        yield Wait(61)
        after = yield from counts_of(fleet, place)
        assert (after["DESIRED"], after["MINIMUM"], after["MAXIMUM"]) == (desired, 1, desired + 5)
        assert after["PENDING"] + after["ACTIVE"] + after["TERMINATING"] >= desired
    yield Wait(900)
    after = yield from counts_of(fleet, home)
    assert after["ACTIVE"] == after["DESIRED"] and after["PENDING"] == 0, "instances start within minutes"
    yield START, {"FleetId": fleet, "Location": home} | SCALING, None
    yield START, {"FleetId": fleet, "Location": home} | SCALING, None
    assert (yield from stopped_of(fleet, home)) == []
    events = yield "DescribeFleetEvents", {"FleetId": fleet}, None
    assert any(event["EventCode"] == "FLEET_SCALING_EVENT" for event in events["Events"])


def scaled_from_zero(truth):
    fleet = choose.fleet(truth, FleetType="ON_DEMAND")
    remote = choose.locations(truth, fleet)[-1]
    managed = {"ZeroCapacityStrategy": "SCALE_TO_AND_FROM_ZERO", "ScaleInAfterInactivityMinutes": 10}
    wanted = {"FleetId": fleet, "Location": remote, "ManagedCapacityConfiguration": managed}
    answer = yield SET, wanted, None
    assert answer["ManagedCapacityConfiguration"] == managed
    shown = yield "DescribeFleetLocationCapacity", {"FleetId": fleet, "Location": remote}, None
    assert shown["FleetCapacity"]["ManagedCapacityConfiguration"] == managed
    yield SET, wanted | {"MinSize": 1}, IR


def refused_when_rules_forbid(truth):
    fleet = choose.fleet(truth, FleetType="ON_DEMAND")
    home = choose.locations(truth, fleet)[0]
    capacity = yield from counts_of(fleet, home)
    here = {"FleetId": fleet, "Location": home}
    yield SET, here | {"DesiredInstances": capacity["MAXIMUM"] + 1}, IR
    yield SET, here | {"MinSize": 9, "MaxSize": 8}, IR
    yield SET, here | {"MinSize": 0, "MaxSize": 100_000, "DesiredInstances": 99_999}, "LimitExceededException"
    yield SET, {"FleetId": choose.NO_FLEET, "DesiredInstances": 1}, NF
    yield SET, {"FleetId": fleet, "Location": choose.NOWHERE, "DesiredInstances": 1}, NF
    unchanged = yield from counts_of(fleet, home)
    assert unchanged == capacity, "what is refused changes nothing"
    for operation in [STOP, START]:
        yield operation, {"FleetId": fleet, "Actions": ["AUTO_SCALING"] * 2}, IR
        yield operation, {"FleetId": choose.NO_FLEET} | SCALING, NF
        yield operation, {"FleetId": fleet, "Location": choose.NOWHERE} | SCALING, NF


def target_tracking_wins_over_the_hand(truth):
    fleet = choose.fleet(truth, FleetType="SPOT")
    home = choose.locations(truth, fleet)[0]
    before = yield from counts_of(fleet, home)
    yield SET, {"FleetId": fleet, "Location": home, "DesiredInstances": before["MAXIMUM"]}, None
    yield Wait(300)
    after = yield from counts_of(fleet, home)
    assert after["DESIRED"] < before["MAXIMUM"], "an active target-based policy overwrites what was set by hand"


def policies(truth):
    fleet = choose.limited_fleet(truth)
    target = {
        "Name": "judged-target",
        "FleetId": fleet,
        "MetricName": "PercentAvailableGameSessions",
        "PolicyType": "TargetBased",
        "TargetConfiguration": {"TargetValue": 22.5},
    }
    assert (yield PUT, target, None)["Name"] == "judged-target"
    rule = {
        "Name": "judged-rule",
        "FleetId": fleet,
        "MetricName": "AvailableGameSessions",
        "PolicyType": "RuleBased",
        "ComparisonOperator": "LessThanThreshold",
        "Threshold": 2.0,
        "EvaluationPeriods": 3,
        "ScalingAdjustmentType": "ChangeInCapacity",
        "ScalingAdjustment": 2,
    }
    yield PUT, rule, None
    listed = (yield "DescribeScalingPolicies", {"FleetId": fleet}, None)["ScalingPolicies"]
    mine = {policy["Name"]: policy for policy in listed if policy["Name"].startswith("judged")}
    for put in [target, rule]:
        for name, value in put.items():
            assert mine[put["Name"]][name] == value, (put["Name"], name)
    yield PUT, target | {"Name": "a-second-target"}, IR
    yield PUT, target | {"MetricName": "QueueDepth"}, IR
    yield PUT, target | {"Threshold": 3.0}, IR
    for needed in ["ComparisonOperator", "Threshold", "EvaluationPeriods", "ScalingAdjustmentType", "ScalingAdjustment"]:
        yield PUT, {name: value for name, value in rule.items() if name != needed}, IR
    yield PUT, target | {"FleetId": choose.NO_FLEET}, NF
    yield PUT, rule | {"Threshold": 4.0}, None
    for name in ["judged-target", "judged-rule"]:
        yield DROP, {"FleetId": fleet, "Name": name}, None
        yield Wait(60)
        yield DROP, {"FleetId": fleet, "Name": name}, NF
    yield DROP, {"FleetId": choose.NO_FLEET, "Name": "judged-rule"}, NF
    names = {policy["Name"] for policy in (yield TRUTH)["ScalingPolicies"]}
    assert not any(name.startswith("judged") for name in names)


OPERATIONS = [SET, STOP, START, PUT, DROP]
STORIES = [
    (REGION, refused_when_rules_forbid),
    (REGION, policies),
    (REGION, set_by_hand),
    (REGION, scaled_from_zero),
    (REGION, target_tracking_wins_over_the_hand),
]
