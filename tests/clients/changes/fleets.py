"""Changes settings and locations of fleets, and creates and deletes fleets."""

import choose
from simulator import REGION
from twins import TRUTH, Wait

IR, NF = "InvalidRequestException", "NotFoundException"


def attributes(truth):
    fleet = choose.fleet(truth, FleetType="SPOT")
    wanted = {
        "FleetId": fleet,
        "Name": "renamed",
        "Description": "Judged",
        "NewGameSessionProtectionPolicy": "FullProtection",
        "ResourceCreationLimitPolicy": {"NewGameSessionsPerCreator": 3, "PolicyPeriodInMinutes": 10},
        "MetricGroups": ["judged"],
    }
    assert (yield "UpdateFleetAttributes", wanted, None)["FleetId"] == fleet
    shown = (yield "DescribeFleetAttributes", {"FleetIds": [fleet]}, None)["FleetAttributes"][0]
    for name, value in wanted.items():
        assert shown[name] == value
    made = {"FleetId": fleet, "MaximumPlayerSessionCount": 2, "CreatorId": "someone"}
    yield from choose.room(fleet)
    session = (yield "CreateGameSession", made, None)["GameSession"]["GameSessionId"]
    details = yield "DescribeGameSessionDetails", {"GameSessionId": session}, None
    assert details["GameSessionDetails"][0]["ProtectionPolicy"] == "FullProtection"
    yield "UpdateFleetAttributes", {"FleetId": choose.NO_FLEET, "Name": "x"}, NF
    yield "UpdateFleetAttributes", {"FleetId": fleet, "AnywhereConfiguration": {"Cost": "1"}}, IR
    yield "UpdateFleetAttributes", {"FleetId": truth["ContainerFleets"][0]["FleetId"], "Name": "x"}, IR


def runtime(truth):
    fleet = choose.fleet(truth, FleetType="SPOT")
    process = {"LaunchPath": "/local/game/server", "Parameters": "-log", "ConcurrentExecutions": 3}
    configuration = {
        "ServerProcesses": [process],
        "MaxConcurrentGameSessionActivations": 2,
        "GameSessionActivationTimeoutSeconds": 120,
    }
    answer = yield "UpdateRuntimeConfiguration", {"FleetId": fleet, "RuntimeConfiguration": configuration}, None
    assert answer["RuntimeConfiguration"] == configuration
    shown = yield "DescribeRuntimeConfiguration", {"FleetId": fleet}, None
    assert shown["RuntimeConfiguration"] == configuration
    crowded = configuration | {"ServerProcesses": [process | {"ConcurrentExecutions": 51}]}
    crowded = {"FleetId": fleet, "RuntimeConfiguration": crowded}
    yield "UpdateRuntimeConfiguration", crowded, "LimitExceededException"
    yield "UpdateRuntimeConfiguration", {"FleetId": choose.NO_FLEET, "RuntimeConfiguration": configuration}, NF
    container = truth["ContainerFleets"][0]["FleetId"]
    yield "UpdateRuntimeConfiguration", {"FleetId": container, "RuntimeConfiguration": configuration}, IR


def ports(truth):
    fleet = choose.fleet(truth, FleetType="SPOT")
    rule = {"FromPort": 5000, "ToPort": 5010, "IpRange": "10.1.0.0/16", "Protocol": "TCP"}
    yield "UpdateFleetPortSettings", {"FleetId": fleet, "InboundPermissionAuthorizations": [rule]}, None
    shown = yield "DescribeFleetPortSettings", {"FleetId": fleet}, None
    assert rule in shown["InboundPermissions"]
    yield "UpdateFleetPortSettings", {"FleetId": fleet, "InboundPermissionRevocations": [rule]}, None
    shown = yield "DescribeFleetPortSettings", {"FleetId": fleet}, None
    assert rule not in shown["InboundPermissions"]
    wrong = rule | {"FromPort": 5011}
    yield "UpdateFleetPortSettings", {"FleetId": fleet, "InboundPermissionAuthorizations": [wrong]}, IR
    yield "UpdateFleetPortSettings", {"FleetId": fleet, "InboundPermissionRevocations": [rule]}, IR
    yield "UpdateFleetPortSettings", {"FleetId": choose.NO_FLEET}, NF


def locations(truth):
    fleet = choose.fleet(truth, FleetType="SPOT")
    home = choose.locations(truth, fleet)[0]
    new = "eu-north-1"
    assert new not in choose.locations(truth, fleet)
    wanted = {"FleetId": fleet, "Locations": [{"Location": new}]}
    states = (yield "CreateFleetLocations", wanted, None)["LocationStates"]
    assert [state["Location"] for state in states] == [new] and states[0]["Status"] != "ACTIVE"
    yield "CreateFleetLocations", wanted, "ConflictException"
    yield "CreateFleetLocations", {"FleetId": fleet, "Locations": [{"Location": choose.NOWHERE}]}, IR
    yield "CreateFleetLocations", wanted | {"FleetId": choose.NO_FLEET}, NF
    yield Wait(1800)
    shown = yield "DescribeFleetLocationCapacity", {"FleetId": fleet, "Location": new}, None
    assert shown["FleetCapacity"]["InstanceCounts"]["MAXIMUM"] == 1
    assert new in choose.locations((yield TRUTH), fleet)
    yield "DeleteFleetLocations", {"FleetId": fleet, "Locations": [home]}, IR
    yield "DeleteFleetLocations", {"FleetId": choose.NO_FLEET, "Locations": [new]}, NF
    states = (yield "DeleteFleetLocations", {"FleetId": fleet, "Locations": [new]}, None)["LocationStates"]
    assert states == [{"Location": new, "Status": "DELETING"}]
    yield Wait(1800)
    yield "DescribeFleetLocationCapacity", {"FleetId": fleet, "Location": new}, NF
    assert new not in choose.locations((yield TRUTH), fleet)


def made_and_deleted(truth):
    build = next(fleet["BuildId"] for fleet in truth["Fleets"] if "BuildId" in fleet)
    process = {"LaunchPath": "/local/game/server", "Parameters": "-log", "ConcurrentExecutions": 2}
    wanted = {
        "Name": "judged",
        "BuildId": build,
        "EC2InstanceType": "c5.large",
        "FleetType": "ON_DEMAND",
        "RuntimeConfiguration": {
            "ServerProcesses": [process],
            "MaxConcurrentGameSessionActivations": 2,
            "GameSessionActivationTimeoutSeconds": 60,
        },
        "Description": "For a day",
        "MetricGroups": ["judged"],
        "LogPaths": ["/local/game/logs"],
        "NewGameSessionProtectionPolicy": "NoProtection",
        "InstanceRoleArn": "arn:aws:iam::111122223333:role/game-server",
        "CertificateConfiguration": {"CertificateType": "GENERATED"},
        "Locations": [{"Location": REGION}, {"Location": "eu-central-1"}],
        "EC2InboundPermissions": [{"FromPort": 7000, "ToPort": 7100, "IpRange": "0.0.0.0/0", "Protocol": "UDP"}],
        "Tags": [{"Key": "by", "Value": "judge"}],
    }
    answer = yield "CreateFleet", wanted, None
    made = answer["FleetAttributes"]
    fleet = made["FleetId"]
    # The model: the home Region has an entry too, and all of them are NEW.
    assert [state["Location"] for state in answer["LocationStates"]] == [REGION, "eu-central-1"]
    assert {state["Status"] for state in answer["LocationStates"]} == {"NEW"}
    assert made["Status"] == "NEW" and made["Name"] == "judged"
    session = {"FleetId": fleet, "MaximumPlayerSessionCount": 2}
    yield "CreateGameSession", session, "InvalidFleetStatusException"
    yield Wait(3600)
    shown = (yield "DescribeFleetAttributes", {"FleetIds": [fleet]}, None)["FleetAttributes"][0]
    assert shown["Status"] == "ACTIVE"
    codes = [event["EventCode"] for event in (yield "DescribeFleetEvents", {"FleetId": fleet}, None)["Events"]]
    assert {"FLEET_CREATED", "FLEET_STATE_DOWNLOADING", "FLEET_STATE_ACTIVE"} <= set(codes)
    yield "CreateGameSession", session, None
    yield "DeleteFleet", {"FleetId": fleet}, "InvalidFleetStatusException"
    empty = {"FleetId": fleet, "DesiredInstances": 0, "MinSize": 0}
    yield "UpdateFleetCapacity", empty, None
    yield "UpdateFleetCapacity", empty | {"Location": "eu-central-1"}, None
    yield Wait(3600 * 3)
    yield "DeleteFleet", {"FleetId": fleet}, None
    yield Wait(3600)
    yield "DescribeRuntimeConfiguration", {"FleetId": fleet}, NF
    assert fleet not in (yield TRUTH)["FleetIds"]
    yield "CreateFleet", {name: value for name, value in wanted.items() if name != "BuildId"}, IR
    yield "CreateFleet", wanted | {"BuildId": "build-none"}, NF
    # The model: Locations include the home location; inbound ports are within limits, ranges in CIDR notation.
    yield "CreateFleet", wanted | {"Locations": [{"Location": "eu-central-1"}]}, IR
    open_to_all = {"FromPort": 7000, "ToPort": 7100, "IpRange": "0.0.0.0/0", "Protocol": "UDP"}
    for wrong in [{"FromPort": 80}, {"IpRange": "0.0.0.0"}, {"IpRange": "10.0.0.0/33"}]:
        yield "CreateFleet", wanted | {"EC2InboundPermissions": [open_to_all | wrong]}, IR
    for name, value in {
        "PeerVpcId": "vpc-1",
        "PlayerGatewayMode": "REQUIRED",
        "PlayerGatewayConfiguration": {"GameServerIpProtocolSupported": "IPv4"},
        "InstanceRoleCredentialsProvider": "SHARED_CREDENTIAL_FILE",
    }.items():
        yield "CreateFleet", wanted | {name: value}, IR
    yield "DeleteFleet", {"FleetId": choose.NO_FLEET}, NF


def an_anywhere_fleet_made_and_changed(truth):
    place = choose.locations(truth, choose.first(truth["Fleets"], ComputeType="ANYWHERE")["FleetId"])[0]
    wanted = {
        "Name": "judged-anywhere",
        "Description": "For a day",
        "ComputeType": "ANYWHERE",
        "Locations": [{"Location": place}],
        "AnywhereConfiguration": {"Cost": "1.25"},
        "NewGameSessionProtectionPolicy": "NoProtection",
        "ResourceCreationLimitPolicy": {"NewGameSessionsPerCreator": 3, "PolicyPeriodInMinutes": 10},
        "MetricGroups": ["judged"],
    }
    made = (yield "CreateFleet", wanted, None)["FleetAttributes"]
    assert (made["Status"], made["ComputeType"], made["AnywhereConfiguration"]) == ("ACTIVE", "ANYWHERE", {"Cost": "1.25"})
    change = {"FleetId": made["FleetId"], "AnywhereConfiguration": {"Cost": "2"}}
    yield "UpdateFleetAttributes", change, None
    shown = (yield "DescribeFleetAttributes", {"FleetIds": [made["FleetId"]]}, None)["FleetAttributes"][0]
    assert shown["AnywhereConfiguration"] == {"Cost": "2"}
    here = {"FleetId": made["FleetId"], "Locations": [{"Location": place}]}
    yield "CreateFleetLocations", here, "ConflictException"
    yield "CreateFleetLocations", here | {"Locations": [{"Location": "us-west-2"}]}, IR
    yield "DeleteFleetLocations", here | {"Locations": [place]}, IR
    yield "DeleteFleet", {"FleetId": made["FleetId"]}, None


OPERATIONS = [
    *["CreateFleet", "DeleteFleet", "CreateFleetLocations", "DeleteFleetLocations"],
    *["UpdateFleetAttributes", "UpdateFleetPortSettings", "UpdateRuntimeConfiguration"],
]
STORIES = [
    (REGION, runtime),
    (REGION, ports),
    (REGION, locations),
    (REGION, made_and_deleted),
    (REGION, attributes),
    ("ap-northeast-1", an_anywhere_fleet_made_and_changed),
]
