"""Access to instances and computes, and computes deregistered from an Anywhere fleet."""

import choose
from simulator import REGION
from twins import TRUTH

IR, NF = "InvalidRequestException", "NotFoundException"


def access(truth):
    container = truth["ContainerFleets"][0]["FleetId"]
    for fleet in [choose.fleet(truth), container]:
        compute = choose.first(truth["Computes"], FleetId=fleet)["ComputeName"]
        given = yield "GetComputeAccess", {"FleetId": fleet, "ComputeName": compute}, None
        assert given["ComputeName"] == compute and given["Credentials"]["SessionToken"]
        yield "GetComputeAccess", {"FleetId": fleet, "ComputeName": "none"}, NF
    yield "GetComputeAccess", {"FleetId": choose.NO_FLEET, "ComputeName": "none"}, NF
    yield "GetInstanceAccess", {"FleetId": choose.NO_FLEET, "InstanceId": "i-none"}, NF
    yield "GetInstanceAccess", {"FleetId": container, "InstanceId": "i-none"}, IR


def access_to_servers_of_before_sdk_5(truth):
    scripted = next(fleet["FleetId"] for fleet in truth["Fleets"] if "ScriptId" in fleet)
    instance = choose.first(truth["Instances"], FleetId=scripted)["InstanceId"]
    asked = {"FleetId": scripted, "InstanceId": instance}
    given = (yield "GetInstanceAccess", asked, None)["InstanceAccess"]
    assert given["InstanceId"] == instance and given["Credentials"]["Secret"]
    yield "GetInstanceAccess", asked | {"InstanceId": "i-none"}, NF


def deregistered(truth):
    fleet = choose.first(truth["Fleets"], ComputeType="ANYWHERE")["FleetId"]
    compute = choose.first(truth["Computes"], FleetId=fleet)["ComputeName"]
    yield "DeregisterCompute", {"FleetId": fleet, "ComputeName": compute}, None
    yield "DeregisterCompute", {"FleetId": fleet, "ComputeName": compute}, NF
    yield "DescribeCompute", {"FleetId": fleet, "ComputeName": compute}, NF
    assert compute not in {item["ComputeName"] for item in (yield TRUTH)["Computes"]}
    managed = choose.fleet(truth)
    other = choose.first(truth["Computes"], FleetId=managed)["ComputeName"]
    yield "DeregisterCompute", {"FleetId": managed, "ComputeName": other}, IR


OPERATIONS = ["GetComputeAccess", "GetInstanceAccess", "DeregisterCompute"]
STORIES = [(REGION, access), (REGION, access_to_servers_of_before_sdk_5), ("ap-northeast-1", deregistered)]
