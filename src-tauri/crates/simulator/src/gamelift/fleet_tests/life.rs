//! CreateFleet and DeleteFleet.

use serde_json::{Value as Json, json};

use super::super::trial::Trial;
use super::empty;

const HOME: &str = "eu-west-1";

fn ec2(build: &str, launch_path: &str) -> Json {
    json!({ "Name": "fresh", "BuildId": build, "EC2InstanceType": "c5.large", "RuntimeConfiguration":
        { "ServerProcesses": [{ "LaunchPath": launch_path, "ConcurrentExecutions": 3 }] },
        "Locations": [{ "Location": HOME }, { "Location": "eu-north-1" }], "Tags": [{ "Key": "k", "Value": "v" }] })
}

fn build(trial: &mut Trial, status: &str) -> String {
    let builds = trial.get("ListBuilds", json!({ "Status": status }));
    builds["Builds"][0]["BuildId"].as_str().unwrap().to_owned()
}

fn status(trial: &mut Trial, fleet: &str) -> Json {
    trial.get("DescribeFleetAttributes", json!({ "FleetIds": [fleet] }))["FleetAttributes"][0]["Status"]
        .clone()
}

#[test]
fn requests_that_break_a_rule_of_fleets_are_refused() {
    let mut trial = Trial::new(HOME);
    let (ready, failed) = (build(&mut trial, "READY"), build(&mut trial, "FAILED"));
    let good = ec2(&ready, "/local/game/arena-server");
    let with = |name: &str, value: Json| {
        let mut input = good.clone();
        input[name] = value;
        input
    };
    let (ir, nf, ifs) = ("InvalidRequestException", "NotFoundException", "InvalidFleetStatusException");
    let (busy, container) = (trial.fleet("arena-prod-eu"), trial.fleet("royale-containers-eu"));
    trial.refuses(vec![
        ("A1 CreateFleet: Name required", "CreateFleet", with("Name", Json::Null), ir),
        ("A1 CreateFleet: NF", "CreateFleet", with("BuildId", json!("build-0")), nf),
        ("A1 CreateFleet: a build that is READY", "CreateFleet", with("BuildId", json!(failed)), ir),
        ("A1 CreateFleet: BuildId or ScriptId", "CreateFleet", with("BuildId", Json::Null), ir),
        ("A1 CreateFleet: BuildId or ScriptId", "CreateFleet", with("ScriptId", json!("script-1")), ir),
        ("A1 CreateFleet: EC2InstanceType", "CreateFleet", with("EC2InstanceType", Json::Null), ir),
        ("A1 CreateFleet: RuntimeConfiguration", "CreateFleet", with("RuntimeConfiguration", Json::Null), ir),
        ("A12: VPC peering is not offered here", "CreateFleet", with("PeerVpcId", json!("vpc-1")), ir),
        ("H8: no player gateway here", "CreateFleet", with("PlayerGatewayMode", json!("ENABLED")), ir),
        ("H8: no player gateway here", "CreateFleet", with("PlayerGatewayConfiguration", json!({})), ir),
        (
            "A1 CreateFleet: InstanceRoleCredentialsProvider is not offered here",
            "CreateFleet",
            with("InstanceRoleCredentialsProvider", json!("SHARED_CREDENTIAL_FILE")),
            ir,
        ),
        (
            "A1 CreateFleet: locations of AWS",
            "CreateFleet",
            with("Locations", json!([{ "Location": HOME }, { "Location": "custom-x" }])),
            ir,
        ),
        (
            "A1 CreateFleet: Locations include the home location",
            "CreateFleet",
            with("Locations", json!([{ "Location": "eu-north-1" }])),
            ir,
        ),
        (
            "A1 CreateFleet: Anywhere takes no build",
            "CreateFleet",
            with("ComputeType", json!("ANYWHERE")),
            ir,
        ),
        (
            "A1 CreateFleet: Anywhere needs a custom location",
            "CreateFleet",
            json!({ "Name": "n", "ComputeType": "ANYWHERE" }),
            ir,
        ),
        (
            "H1 Fleet deletion: active instances must be scaled to 0 first",
            "DeleteFleet",
            json!({ "FleetId": busy }),
            ifs,
        ),
        ("A1 DeleteFleet: EA", "DeleteFleet", json!({ "FleetId": container }), ir),
        ("A1 DeleteFleet: NF", "DeleteFleet", json!({ "FleetId": "fleet-0" }), nf),
    ]);
    for made in 0.. {
        match trial.ask("CreateFleet", good.clone()) {
            Ok(_) => assert!(made < 20, "G2: 20 managed EC2 fleets"),
            Err(error) => {
                assert_eq!(error.code, "LimitExceededException", "G2: 20 managed EC2 fleets");
                break;
            }
        }
    }
}

#[test]
fn a_new_fleet_goes_through_every_state_to_active() {
    let mut trial = Trial::new(HOME);
    let ready = build(&mut trial, "READY");
    let answer = trial.get("CreateFleet", ec2(&ready, "/local/game/arena-server"));
    let attributes = &answer["FleetAttributes"];
    let fleet = attributes["FleetId"].as_str().unwrap().to_owned();
    assert_eq!((&attributes["Status"], &attributes["FleetType"]), (&json!("NEW"), &json!("ON_DEMAND")));
    let states = [HOME, "eu-north-1"].map(|place| json!({ "Location": place, "Status": "NEW" }));
    assert_eq!(answer["LocationStates"], json!(states), "A1 CreateFleet: an entry for the home Region too");
    assert!(trial.get("ListFleets", json!({}))["FleetIds"].as_array().unwrap().contains(&json!(fleet)));
    let mut states = vec![];
    for _ in 0..80 {
        let now = status(&mut trial, &fleet);
        if states.last() != Some(&now) {
            states.push(now);
        }
        trial.wait_s(10);
    }
    assert_eq!(states, ["NEW", "DOWNLOADING", "VALIDATING", "BUILDING", "ACTIVATING", "ACTIVE"], "H1");
    trial.wait_s(120);
    for location in [HOME, "eu-north-1"] {
        let input = json!({ "FleetId": fleet, "Location": location });
        let counts =
            trial.get("DescribeFleetLocationCapacity", input)["FleetCapacity"]["InstanceCounts"].clone();
        assert_eq!((&counts["DESIRED"], &counts["ACTIVE"]), (&json!(1), &json!(1)));
    }
    let mut codes = trial.event_codes(&fleet);
    codes.reverse();
    let told: Vec<&str> =
        codes.iter().map(String::as_str).filter(|code| code.starts_with("FLEET_STATE")).collect();
    let order =
        ["DOWNLOADING", "VALIDATING", "BUILDING", "ACTIVATING", "ACTIVE"].map(|s| format!("FLEET_STATE_{s}"));
    assert_eq!(
        (codes[0].as_str(), told),
        ("FLEET_CREATED", order.iter().map(String::as_str).collect()),
        "B1"
    );
    let points = trial.world.metrics().read(HOME, "ActiveInstances", &[("FleetId", &fleet)], 0, i64::MAX, 60);
    assert!(points.iter().all(|point| point.sum <= 2.0) && points.last().unwrap().sum == 2.0);
}

#[test]
fn a_fleet_whose_launch_path_is_not_in_the_build_ends_in_error_and_can_be_deleted() {
    let mut trial = Trial::new(HOME);
    let ready = build(&mut trial, "READY");
    let answer = trial.get("CreateFleet", ec2(&ready, "/opt/elsewhere/server"));
    let fleet = answer["FleetAttributes"]["FleetId"].as_str().unwrap().to_owned();
    trial.wait_s(900);
    assert_eq!(status(&mut trial, &fleet), "ERROR");
    let codes = trial.event_codes(&fleet);
    assert_eq!(codes[..2], ["FLEET_STATE_ERROR", "FLEET_VALIDATION_LAUNCH_PATH_NOT_FOUND"], "B1");
    trial.get("DeleteFleet", json!({ "FleetId": fleet }));
    assert_eq!(status(&mut trial, &fleet), "DELETING");
}

#[test]
fn a_deleted_fleet_terminates_and_takes_its_sessions_along() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("arena-spot-eu");
    let ended = trial
        .get("DescribeGameSessions", json!({ "FleetId": fleet, "StatusFilter": "TERMINATED", "Limit": 1 }));
    let session = ended["GameSessions"][0]["GameSessionId"].clone();
    empty(&mut trial, &fleet);
    trial.wait_s(180);
    assert_eq!(trial.get("DeleteFleet", json!({ "FleetId": fleet })), json!({}), "no output shape");
    assert_eq!(status(&mut trial, &fleet), "DELETING");
    trial.refuses(vec![
        (
            "H1: only in ACTIVE or ERROR",
            "DeleteFleet",
            json!({ "FleetId": fleet }),
            "InvalidFleetStatusException",
        ),
        (
            "A1 UpdateFleetAttributes: IFS",
            "UpdateFleetAttributes",
            json!({ "FleetId": fleet, "Name": "n" }),
            "InvalidFleetStatusException",
        ),
    ]);
    trial.wait_s(120);
    assert_eq!(status(&mut trial, &fleet), "TERMINATED");
    assert_eq!(trial.event_codes(&fleet)[0], "FLEET_DELETED");
    let gone = trial.ask("DescribeGameSessions", json!({ "GameSessionId": session }));
    let left = gone.map(|answer| answer["GameSessions"].as_array().unwrap().len()).unwrap_or_default();
    assert_eq!(left, 0, "G3: removed permanently with DeleteFleet");
    trial.wait_s(900);
    assert!(status(&mut trial, &fleet).is_null());
    assert_eq!(
        trial.ask("DescribeFleetEvents", json!({ "FleetId": fleet })).unwrap_err().code,
        "NotFoundException"
    );
    trial.wait_s(7_200);
}

#[test]
fn an_anywhere_fleet_is_active_at_once() {
    let mut trial = Trial::new("ap-northeast-1");
    let input = json!({ "Name": "desk", "ComputeType": "ANYWHERE", "Locations": [{ "Location": "custom-lab-tokyo" }],
        "AnywhereConfiguration": { "Cost": "1.25" } });
    let answer = trial.get("CreateFleet", input);
    let attributes = &answer["FleetAttributes"];
    assert_eq!(
        (&attributes["Status"], &attributes["AnywhereConfiguration"]["Cost"]),
        (&json!("ACTIVE"), &json!("1.25"))
    );
    let fleet = attributes["FleetId"].clone();
    trial.wait_s(120);
    assert_eq!(trial.get("ListCompute", json!({ "FleetId": fleet }))["ComputeList"], json!([]));
}

#[test]
fn a_new_fleet_hosts_a_session_and_can_be_emptied_and_deleted() {
    let mut trial = Trial::new(HOME);
    let ready = build(&mut trial, "READY");
    let mut input = ec2(&ready, "/local/game/server");
    input["Locations"] = Json::Null;
    let fleet = trial.get("CreateFleet", input)["FleetAttributes"]["FleetId"].as_str().unwrap().to_owned();
    trial.wait_s(3_600);
    trial.get("CreateGameSession", json!({ "FleetId": fleet, "MaximumPlayerSessionCount": 2 }));
    trial.get("UpdateFleetCapacity", json!({ "FleetId": fleet, "DesiredInstances": 0, "MinSize": 0 }));
    trial.wait_s(240);
    let counts = trial.get("DescribeFleetCapacity", json!({ "FleetIds": [fleet] }));
    assert_eq!(counts["FleetCapacity"][0]["InstanceCounts"]["ACTIVE"], 0);
    trial.get("DeleteFleet", json!({ "FleetId": fleet }));
}
