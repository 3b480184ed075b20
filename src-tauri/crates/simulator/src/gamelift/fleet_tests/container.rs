//! UpdateContainerFleet, ListContainerGroupDefinitionVersions, DescribeContainerGroupPortMappings.

use serde_json::{Value as Json, json};

use super::super::trial::Trial;

const HOME: &str = "eu-west-1";

fn definition(version: u32) -> String {
    format!("arn:aws:gamelift:{HOME}:111122223333:containergroupdefinition/royale-server:{version}")
}

fn deployment(trial: &mut Trial, fleet: &str, id: &Json) -> Json {
    trial.get("DescribeFleetDeployment", json!({ "FleetId": fleet, "DeploymentId": id }))
}

#[test]
fn requests_that_break_a_rule_of_containers_are_refused() {
    let mut trial = Trial::new(HOME);
    let (fleet, other) = (trial.fleet("royale-containers-eu"), trial.fleet("arena-prod-eu"));
    let compute =
        trial.get("ListCompute", json!({ "FleetId": fleet }))["ComputeList"][0]["ComputeName"].clone();
    let (ir, nf) = ("InvalidRequestException", "NotFoundException");
    let update = |name: &str, value: Json| json!({ "FleetId": fleet, name: value });
    let mappings = |kind: &str, name: &str, value: Json| json!({ "FleetId": fleet, "ContainerGroupType": kind, name: value });
    let (op, map) = ("UpdateContainerFleet", "DescribeContainerGroupPortMappings");
    trial.refuses(vec![
        ("A3 UpdateContainerFleet: C", op, json!({ "FleetId": other }), ir),
        (
            "A3 UpdateContainerFleet: NF",
            op,
            update("GameServerContainerGroupDefinitionName", json!("none")),
            nf,
        ),
        (
            "A3 UpdateContainerFleet: NF",
            op,
            update("GameServerContainerGroupDefinitionName", json!(definition(9))),
            nf,
        ),
        (
            "B ContainerGroupType",
            op,
            update("PerInstanceContainerGroupDefinitionName", json!("royale-server")),
            ir,
        ),
        (
            "A16 GameServerContainerGroupsPerInstance: 1..5000",
            op,
            update("GameServerContainerGroupsPerInstance", json!(0)),
            ir,
        ),
        (
            "C MaximumGameServerContainerGroupsPerInstance",
            op,
            update("GameServerContainerGroupsPerInstance", json!(50)),
            ir,
        ),
        (
            "A3: reserved ports",
            op,
            update("InstanceConnectionPortRange", json!({ "FromPort": 4000, "ToPort": 4100 })),
            ir,
        ),
        (
            "A16 MinimumHealthyPercentage: 30..75",
            op,
            update("DeploymentConfiguration", json!({ "MinimumHealthyPercentage": 80 })),
            ir,
        ),
        ("A16 ContainerFleetRemoveAttributeList: 1..1", op, update("RemoveAttributes", json!([])), ir),
        ("C LogConfiguration", op, update("LogConfiguration", json!({ "LogDestination": "S3" })), ir),
        ("A3: NF", "ListContainerGroupDefinitionVersions", json!({ "Name": "none" }), nf),
        (
            "A16 Limit: 1..100",
            "ListContainerGroupDefinitionVersions",
            json!({ "Name": "royale-server", "Limit": 101 }),
            ir,
        ),
        (
            "A3 port mappings: GAME_SERVER needs ComputeName",
            map,
            mappings("GAME_SERVER", "InstanceId", json!("i-0")),
            ir,
        ),
        (
            "A3 port mappings: PER_INSTANCE takes no ComputeName",
            map,
            mappings("PER_INSTANCE", "ComputeName", compute.clone()),
            ir,
        ),
        (
            "A3 port mappings: PER_INSTANCE needs InstanceId",
            map,
            mappings("PER_INSTANCE", "ContainerName", json!("c")),
            ir,
        ),
        ("A3 port mappings: NF", map, mappings("GAME_SERVER", "ComputeName", json!("i-0/0")), nf),
        (
            "A3 port mappings: the instance must match",
            map,
            json!({ "FleetId": fleet, "ContainerGroupType": "GAME_SERVER",
            "ComputeName": compute, "InstanceId": "i-0" }),
            ir,
        ),
        (
            "A3 port mappings: NF",
            map,
            json!({ "FleetId": fleet, "ContainerGroupType": "GAME_SERVER",
            "ComputeName": compute, "ContainerName": "none" }),
            nf,
        ),
    ]);
}

#[test]
fn what_takes_no_deployment_changes_at_once() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("royale-containers-eu");
    let before = trial.get("ListFleetDeployments", json!({ "FleetId": fleet }));
    let answer = trial.get(
        "UpdateContainerFleet",
        json!({ "FleetId": fleet, "Description": "words",
        "MetricGroups": ["g"], "NewGameSessionProtectionPolicy": "NoProtection",
        "GameSessionCreationLimitPolicy": { "NewGameSessionsPerCreator": 2, "PolicyPeriodInMinutes": 5 } }),
    );
    let shown = &answer["ContainerFleet"];
    assert_eq!((&shown["Description"], &shown["Status"]), (&json!("words"), &json!("ACTIVE")));
    assert_eq!(shown["NewGameSessionProtectionPolicy"], "NoProtection");
    assert_eq!(trial.get("ListFleetDeployments", json!({ "FleetId": fleet })), before);
}

#[test]
fn a_deployment_replaces_every_instance_and_a_second_one_cancels_the_first() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("royale-containers-eu");
    let update = |trial: &mut Trial, version: u32| {
        let input = json!({ "FleetId": fleet, "GameServerContainerGroupDefinitionName": definition(version),
            "DeploymentConfiguration": { "ProtectionStrategy": "IGNORE_PROTECTION", "MinimumHealthyPercentage": 50 } });
        let answer = trial.get("UpdateContainerFleet", input)["ContainerFleet"].clone();
        assert_eq!(answer["Status"], "UPDATING", "A14: until done");
        assert_eq!(answer["GameServerContainerGroupDefinitionArn"], definition(version));
        answer["DeploymentDetails"]["LatestDeploymentId"].clone()
    };
    let instances = |trial: &mut Trial| -> Vec<Json> {
        let list = trial.get("ListCompute", json!({ "FleetId": fleet, "ComputeStatus": "ACTIVE" }));
        let computes = list["ComputeList"].as_array().unwrap();
        computes.iter().map(|compute| compute["GameServerContainerGroupDefinitionArn"].clone()).collect()
    };
    let first = update(&mut trial, 2);
    let shown = deployment(&mut trial, &fleet, &first);
    assert_eq!(shown["FleetDeployment"]["DeploymentStatus"], "IN_PROGRESS");
    assert_eq!(shown["FleetDeployment"]["RollbackGameServerBinaryArn"], definition(4));
    assert!(instances(&mut trial).iter().all(|arn| *arn == definition(4)), "instances run on");
    trial.wait_s(60);
    let second = update(&mut trial, 3);
    let cancelled = deployment(&mut trial, &fleet, &first);
    assert_eq!(
        cancelled["FleetDeployment"]["DeploymentStatus"], "CANCELLED",
        "A14: a second one cancels the first"
    );
    let mut status = json!(null);
    for _ in 0..120 {
        trial.wait_s(30);
        let shown = deployment(&mut trial, &fleet, &second);
        status = shown["FleetDeployment"]["DeploymentStatus"].clone();
        if status == "COMPLETE" {
            assert_eq!(shown["LocationalDeployments"]["eu-north-1"]["DeploymentStatus"], "COMPLETE");
            break;
        }
    }
    assert_eq!(status, "COMPLETE");
    let container = trial.get("DescribeContainerFleet", json!({ "FleetId": fleet }));
    assert_eq!(container["ContainerFleet"]["Status"], "ACTIVE");
    trial.wait_s(120);
    let after = instances(&mut trial);
    assert!(!after.is_empty() && after.iter().all(|arn| *arn == definition(3)));
    let list = trial.get("ListFleetDeployments", json!({ "FleetId": fleet }));
    assert_eq!(list["FleetDeployments"][0]["DeploymentId"], second, "A14: newest first");
    assert_eq!(trial.event_codes(&fleet).iter().filter(|code| *code == "FLEET_STATE_UPDATING").count(), 2);
}

#[test]
fn a_deployment_with_protection_waits_for_protected_sessions() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("royale-containers-eu");
    let sessions = |trial: &mut Trial| -> Vec<Json> {
        let input = json!({ "FleetId": fleet, "StatusFilter": "ACTIVE" });
        let answer = trial.get("DescribeGameSessions", input);
        answer["GameSessions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|session| session["GameSessionId"].clone())
            .collect()
    };
    let before = sessions(&mut trial);
    assert!(!before.is_empty());
    trial.get("UpdateContainerFleet", json!({ "FleetId": fleet, "GameServerContainerGroupsPerInstance": 3 }));
    trial.wait_s(45);
    let after = sessions(&mut trial);
    let lost: Vec<_> = before.iter().filter(|id| !after.contains(id)).collect();
    assert!(lost.len() <= 2, "only those that were over: {lost:?}");
}

#[test]
fn versions_are_listed_latest_first_and_ports_lead_to_game_sessions() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("royale-containers-eu");
    let listed =
        trial.get("ListContainerGroupDefinitionVersions", json!({ "Name": definition(1), "Limit": 3 }));
    let versions: Vec<u64> = listed["ContainerGroupDefinitions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|definition| definition["VersionNumber"].as_u64().unwrap())
        .collect();
    assert_eq!(versions, [4, 3, 2]);
    let rest = json!({ "Name": definition(1), "Limit": 3, "NextToken": listed["NextToken"] });
    let rest = trial.get("ListContainerGroupDefinitionVersions", rest);
    assert_eq!(rest["ContainerGroupDefinitions"][0]["VersionNumber"], 1);

    let session =
        trial.get("DescribeGameSessions", json!({ "FleetId": fleet, "StatusFilter": "ACTIVE", "Limit": 1 }));
    let session = session["GameSessions"][0].clone();
    let input = json!({ "FleetId": fleet, "ContainerGroupType": "GAME_SERVER", "ComputeName": session["ComputeName"] });
    let answer = trial.get("DescribeContainerGroupPortMappings", input);
    let ports = answer["ContainerGroupPortMappings"][0]["ContainerPortMappings"].as_array().unwrap().clone();
    assert_eq!((ports.len(), &ports[0]["ContainerPort"]), (11, &json!(7000)));
    assert_eq!(ports[0]["ConnectionPort"], session["Port"]);
    assert_eq!(answer["ContainerGroupDefinitionArn"], definition(4));
}
