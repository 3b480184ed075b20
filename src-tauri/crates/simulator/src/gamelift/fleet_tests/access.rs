//! GetComputeAccess, GetInstanceAccess, DeregisterCompute.

use serde_json::json;

use super::super::trial::Trial;

#[test]
fn access_is_given_to_running_computes_of_the_right_sdk_only() {
    let mut trial = Trial::new("eu-west-1");
    let [build, script, container] =
        ["arena-prod-eu", "coop-script-eu", "royale-containers-eu"].map(|name| trial.fleet(name));
    let instance = |trial: &mut Trial, fleet: &str| {
        trial.get("DescribeInstances", json!({ "FleetId": fleet }))["Instances"][0]["InstanceId"].clone()
    };
    let (on_build, on_script) = (instance(&mut trial, &build), instance(&mut trial, &script));
    let (ir, nf) = ("InvalidRequestException", "NotFoundException");
    trial.refuses(vec![
        (
            "A14 GetInstanceAccess: server SDK 4.x or older",
            "GetInstanceAccess",
            json!({ "FleetId": build, "InstanceId": on_build }),
            ir,
        ),
        (
            "A14 GetComputeAccess: server SDK 5.x or later",
            "GetComputeAccess",
            json!({ "FleetId": script, "ComputeName": on_script }),
            ir,
        ),
        (
            "A4 GetInstanceAccess: E",
            "GetInstanceAccess",
            json!({ "FleetId": container, "InstanceId": "i-0" }),
            ir,
        ),
        (
            "A4 GetInstanceAccess: NF",
            "GetInstanceAccess",
            json!({ "FleetId": script, "InstanceId": "i-0" }),
            nf,
        ),
        (
            "A4 GetComputeAccess: NF",
            "GetComputeAccess",
            json!({ "FleetId": build, "ComputeName": "i-0" }),
            nf,
        ),
        ("A4 GetComputeAccess: ComputeName required", "GetComputeAccess", json!({ "FleetId": build }), ir),
    ]);
    let answer = trial.get("GetComputeAccess", json!({ "FleetId": build, "ComputeName": on_build }));
    assert_eq!((&answer["Target"], answer.get("ComputeArn")), (&on_build, None));
    assert_eq!(answer["Credentials"].as_object().unwrap().len(), 3);
    let answer = trial.get("GetInstanceAccess", json!({ "FleetId": script, "InstanceId": on_script }));
    assert_eq!(answer["InstanceAccess"]["Credentials"]["UserName"], "gl-user-remote");
    let compute = trial.get("ListCompute", json!({ "FleetId": container }))["ComputeList"][0].clone();
    let answer =
        trial.get("GetComputeAccess", json!({ "FleetId": container, "ComputeName": compute["ComputeArn"] }));
    assert_eq!(
        (&answer["Target"], &answer["ComputeName"]),
        (&compute["InstanceId"], &compute["ComputeName"])
    );
    assert_eq!(answer["ContainerIdentifiers"], compute["ContainerAttributes"]);
}

#[test]
fn a_deregistered_compute_is_gone_and_the_others_keep_their_names() {
    let mut trial = Trial::new("ap-northeast-1");
    let (fleet, managed) = (trial.fleet("qa-lab-anywhere"), trial.fleet("arena-prod-ap"));
    let names = |trial: &mut Trial| -> Vec<String> {
        let list = trial.get("ListCompute", json!({ "FleetId": fleet }));
        let computes = list["ComputeList"].as_array().unwrap();
        computes.iter().map(|compute| compute["ComputeName"].as_str().unwrap().to_owned()).collect()
    };
    let before = names(&mut trial);
    let input = json!({ "FleetId": fleet, "ComputeName": before[0] });
    assert_eq!(trial.get("DeregisterCompute", input.clone()), json!({}));
    assert_eq!(names(&mut trial), before[1..]);
    trial.refuses(vec![
        ("A4 DeregisterCompute: NF", "DeregisterCompute", input, "NotFoundException"),
        (
            "A4 DeregisterCompute: A",
            "DeregisterCompute",
            json!({ "FleetId": managed, "ComputeName": "i-0" }),
            "InvalidRequestException",
        ),
    ]);
    trial.wait_s(600);
    assert_eq!(names(&mut trial), before[1..]);
}
