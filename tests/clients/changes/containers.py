"""Changes container fleets, and their deployments, definitions and port mappings."""

import choose
from simulator import REGION
from twins import Wait

IR, NF = "InvalidRequestException", "NotFoundException"
MAPPINGS = "DescribeContainerGroupPortMappings"


def versions_and_ports(truth):
    name = truth["ContainerFleets"][0]["GameServerContainerGroupDefinitionName"]
    known = [item for item in truth["ContainerGroupDefinitions"] if item["Name"] == name]
    listed = yield "ListContainerGroupDefinitionVersions", {"Name": name, "Limit": 100}, None
    found = sorted(item["VersionNumber"] for item in listed["ContainerGroupDefinitions"])
    assert found == sorted(item["VersionNumber"] for item in known)
    page = yield "ListContainerGroupDefinitionVersions", {"Name": name, "Limit": 1}, None
    assert len(page["ContainerGroupDefinitions"]) == 1 and page["NextToken"]
    yield "ListContainerGroupDefinitionVersions", {"Name": "none"}, NF
    fleet = truth["ContainerFleets"][0]["FleetId"]
    compute = choose.first(truth["Computes"], FleetId=fleet)["ComputeName"]
    asked = {"FleetId": fleet, "ContainerGroupType": "GAME_SERVER", "ComputeName": compute}
    mapped = yield MAPPINGS, asked, None
    assert mapped["ComputeName"] == compute and mapped["ContainerGroupPortMappings"]
    yield MAPPINGS, asked | {"ComputeName": "none"}, NF
    yield MAPPINGS, asked | {"FleetId": choose.NO_FLEET}, NF
    yield MAPPINGS, {"FleetId": fleet, "ContainerGroupType": "GAME_SERVER"}, IR
    yield MAPPINGS, asked | {"FleetId": choose.fleet(truth)}, IR


def deployed(truth):
    fleet = truth["ContainerFleets"][0]["FleetId"]
    name = truth["ContainerFleets"][0]["GameServerContainerGroupDefinitionName"]
    before = yield "ListFleetDeployments", {"FleetId": fleet}, None
    plain = {
        "Description": "Judged",
        "MetricGroups": ["judged"],
        "NewGameSessionProtectionPolicy": "NoProtection",
        "GameSessionCreationLimitPolicy": {"NewGameSessionsPerCreator": 3, "PolicyPeriodInMinutes": 10},
    }
    described = (yield "UpdateContainerFleet", {"FleetId": fleet} | plain, None)["ContainerFleet"]
    for member, value in plain.items():
        assert described[member] == value
    same = yield "ListFleetDeployments", {"FleetId": fleet}, None
    assert same == before, "what instances are not made of needs no deployment"
    rule = {"FromPort": 4392, "ToPort": 4400, "IpRange": "10.0.0.0/8", "Protocol": "UDP"}
    settings = {
        "FleetId": fleet,
        "InstanceConnectionPortRange": {"FromPort": 4192, "ToPort": 4400},
        "InstanceInboundPermissionAuthorizations": [rule],
        "LogConfiguration": {"LogDestination": "S3", "S3BucketName": "container-logs"},
        "RemoveAttributes": ["PER_INSTANCE_CONTAINER_GROUP_DEFINITION"],
    }
    set_up = (yield "UpdateContainerFleet", settings, None)["ContainerFleet"]
    assert set_up["Status"] == "UPDATING" and rule in set_up["InstanceInboundPermissions"]
    assert set_up["LogConfiguration"] == settings["LogConfiguration"]
    logs = {"LogDestination": "CLOUDWATCH", "LogGroupArn": "arn:aws:logs:eu-west-1:111122223333:log-group:containers:*"}
    revoked = {"FleetId": fleet, "InstanceInboundPermissionRevocations": [rule], "LogConfiguration": logs}
    set_up = (yield "UpdateContainerFleet", revoked, None)["ContainerFleet"]
    assert rule not in set_up["InstanceInboundPermissions"] and set_up["LogConfiguration"] == logs
    for wrong in [{"LogDestination": "S3"}, {"LogDestination": "NONE", "S3BucketName": "b"}]:
        yield "UpdateContainerFleet", {"FleetId": fleet, "LogConfiguration": wrong}, IR
    older = next(item for item in truth["ContainerGroupDefinitions"] if item.get("VersionNumber") == 3)
    change = {
        "FleetId": fleet,
        "GameServerContainerGroupDefinitionName": older["ContainerGroupDefinitionArn"],
        "DeploymentConfiguration": {
            "ProtectionStrategy": "IGNORE_PROTECTION",
            "MinimumHealthyPercentage": 50,
            "ImpairmentStrategy": "ROLLBACK",
        },
    }
    changed = (yield "UpdateContainerFleet", change, None)["ContainerFleet"]
    assert changed["Status"] == "UPDATING"
    first = changed["DeploymentDetails"]["LatestDeploymentId"]
    change["GameServerContainerGroupDefinitionName"] = name
    second = (yield "UpdateContainerFleet", change, None)["ContainerFleet"]["DeploymentDetails"]["LatestDeploymentId"]
    shown = yield "DescribeFleetDeployment", {"FleetId": fleet, "DeploymentId": first}, None
    assert shown["FleetDeployment"]["DeploymentStatus"] == "CANCELLED", "the second deployment cancels the first"
    listed = (yield "ListFleetDeployments", {"FleetId": fleet}, None)["FleetDeployments"]
    assert [item["DeploymentId"] for item in listed[:2]] == [second, first], "the newest first"
    yield Wait(3 * 3600)
    shown = yield "DescribeFleetDeployment", {"FleetId": fleet, "DeploymentId": second}, None
    assert shown["FleetDeployment"]["DeploymentStatus"] == "COMPLETE"
    shown = yield "DescribeContainerFleet", {"FleetId": fleet}, None
    assert shown["ContainerFleet"]["Status"] == "ACTIVE"
    yield "UpdateContainerFleet", {"FleetId": choose.NO_FLEET, "Description": "x"}, NF
    yield "UpdateContainerFleet", {"FleetId": fleet, "GameServerContainerGroupDefinitionName": "none"}, NF
    yield "UpdateContainerFleet", {"FleetId": choose.fleet(truth), "Description": "x"}, IR


OPERATIONS = ["UpdateContainerFleet", "ListContainerGroupDefinitionVersions", MAPPINGS]
STORIES = [(REGION, versions_and_ports), (REGION, deployed)]
