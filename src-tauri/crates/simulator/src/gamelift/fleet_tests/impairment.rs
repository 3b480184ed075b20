//! Container fleet deployments that fail (H1: failed validation).

use serde_json::{Value as Json, json};

use super::super::trial::Trial;

const HOME: &str = "eu-west-1";

fn definition(name_and_version: &str) -> String {
    format!("arn:aws:gamelift:{HOME}:111122223333:containergroupdefinition/{name_and_version}")
}

/// Starts a deployment of a definition and returns its id.
fn deploy(trial: &mut Trial, fleet: &str, name_and_version: &str, strategy: &str) -> Json {
    let input = json!({ "FleetId": fleet, "GameServerContainerGroupDefinitionName": definition(name_and_version),
        "DeploymentConfiguration": { "ProtectionStrategy": "IGNORE_PROTECTION", "ImpairmentStrategy": strategy } });
    let answer = trial.get("UpdateContainerFleet", input);
    answer["ContainerFleet"]["DeploymentDetails"]["LatestDeploymentId"].clone()
}

/// Returns the statuses a deployment goes through in at most an hour, each once, and those of its locations at the
/// end.
fn course(trial: &mut Trial, fleet: &str, id: &Json, end: &str) -> (Vec<String>, Vec<String>) {
    let mut states: Vec<String> = Vec::new();
    for _ in 0..240 {
        let shown = trial.get("DescribeFleetDeployment", json!({ "FleetId": fleet, "DeploymentId": id }));
        let status = shown["FleetDeployment"]["DeploymentStatus"].as_str().unwrap().to_owned();
        if states.last() != Some(&status) {
            states.push(status.clone());
        }
        if status == end {
            let locations = shown["LocationalDeployments"].as_object().unwrap().values();
            let locations = locations.map(|place| place["DeploymentStatus"].as_str().unwrap().to_owned());
            return (states, locations.collect());
        }
        trial.wait_s(15);
    }
    panic!("{states:?}")
}

fn binaries(trial: &mut Trial, fleet: &str) -> Vec<Json> {
    let list = trial.get("ListCompute", json!({ "FleetId": fleet, "ComputeStatus": "ACTIVE" }));
    let computes = list["ComputeList"].as_array().unwrap();
    computes.iter().map(|compute| compute["GameServerContainerGroupDefinitionArn"].clone()).collect()
}

#[test]
fn a_deployment_that_fails_is_impaired_and_the_next_one_mends_the_fleet() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("royale-containers-eu");
    let failed = deploy(&mut trial, &fleet, "royale-preview:1", "MAINTAIN");
    let (states, locations) = course(&mut trial, &fleet, &failed, "IMPAIRED");
    assert_eq!(states, ["IN_PROGRESS", "IMPAIRED"], "H1: strategy MAINTAIN");
    assert!(locations.iter().all(|status| status == "IMPAIRED"), "{locations:?}");
    let container = trial.get("DescribeContainerFleet", json!({ "FleetId": fleet }));
    assert_eq!(container["ContainerFleet"]["Status"], "ACTIVE");
    assert!(
        binaries(&mut trial, &fleet).contains(&json!(definition("royale-server:4"))),
        "A3 MinimumHealthyPercentage: the others run on"
    );

    let mending = deploy(&mut trial, &fleet, "royale-server:3", "MAINTAIN");
    let (states, _) = course(&mut trial, &fleet, &mending, "COMPLETE");
    assert_eq!(states, ["IN_PROGRESS", "COMPLETE"]);
    trial.wait_s(120);
    let running = binaries(&mut trial, &fleet);
    assert!(!running.is_empty() && running.iter().all(|arn| *arn == definition("royale-server:3")));
}

#[test]
fn a_deployment_that_fails_goes_back_to_the_definition_before_it() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("royale-containers-eu");
    let failed = deploy(&mut trial, &fleet, "royale-preview:1", "ROLLBACK");
    let (states, locations) = course(&mut trial, &fleet, &failed, "ROLLBACK_COMPLETE");
    assert_eq!(states, ["IN_PROGRESS", "ROLLBACK_IN_PROGRESS", "ROLLBACK_COMPLETE"], "H1: strategy ROLLBACK");
    assert!(locations.iter().all(|status| status == "ROLLBACK_COMPLETE"), "{locations:?}");
    let container = trial.get("DescribeContainerFleet", json!({ "FleetId": fleet }));
    let shown = &container["ContainerFleet"];
    assert_eq!(shown["GameServerContainerGroupDefinitionArn"], definition("royale-server:4"));
    assert_eq!(shown["Status"], "ACTIVE");
    trial.wait_s(120);
    let running = binaries(&mut trial, &fleet);
    assert!(!running.is_empty() && running.iter().all(|arn| *arn == definition("royale-server:4")));
}
