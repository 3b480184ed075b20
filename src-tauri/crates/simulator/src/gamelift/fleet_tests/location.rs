//! CreateFleetLocations and DeleteFleetLocations.

use serde_json::json;

use super::super::trial::Trial;
use super::{capacity, location};

const HOME: &str = "eu-west-1";

#[test]
fn requests_that_break_a_rule_of_locations_are_refused() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("arena-prod-eu");
    let add = |names: &[&str]| {
        let locations: Vec<_> = names.iter().map(|name| json!({ "Location": name })).collect();
        json!({ "FleetId": fleet, "Locations": locations })
    };
    let (ir, nf) = ("InvalidRequestException", "NotFoundException");
    trial.refuses(vec![
        ("A16 LocationConfigurationList: 1..100", "CreateFleetLocations", add(&[]), ir),
        ("A16 LocationStringModel", "CreateFleetLocations", add(&["us west"]), ir),
        ("A1 CreateFleetLocations: a location of AWS", "CreateFleetLocations", add(&["mars-north-1"]), ir),
        ("A1 CreateFleetLocations: CF", "CreateFleetLocations", add(&["eu-north-1"]), "ConflictException"),
        ("A1 CreateFleetLocations: once", "CreateFleetLocations", add(&["us-west-2", "us-west-2"]), ir),
        (
            "A1 CreateFleetLocations: NF",
            "CreateFleetLocations",
            json!({ "FleetId": "fleet-0", "Locations": [{ "Location": "us-west-2" }] }),
            nf,
        ),
        (
            "A1 DeleteFleetLocations: NF",
            "DeleteFleetLocations",
            json!({ "FleetId": fleet, "Locations": ["us-west-2"] }),
            nf,
        ),
        (
            "A1 DeleteFleetLocations: remote locations only",
            "DeleteFleetLocations",
            json!({ "FleetId": fleet, "Locations": [HOME] }),
            ir,
        ),
        (
            "A16 LocationList: 1..100",
            "DeleteFleetLocations",
            json!({ "FleetId": fleet, "Locations": [] }),
            ir,
        ),
    ]);
}

#[test]
fn a_location_becomes_active_hosts_and_is_taken_away_with_all_its_sessions() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("arena-prod-eu");
    let new = "us-east-1";
    let input = json!({ "FleetId": fleet, "Locations": [{ "Location": new }] });
    let answer = trial.get("CreateFleetLocations", input);
    assert_eq!(answer["LocationStates"], json!([{ "Location": new, "Status": "NEW" }]));
    assert_eq!(capacity(&mut trial, &fleet, new), [0, 1, 1], "H5: min 0, max 1, desired 1");
    let change = json!({ "FleetId": fleet, "Location": new, "MaxSize": 2 });
    trial.refuses(vec![(
        "A14 UpdateFleetCapacity: remote location must be ACTIVE",
        "UpdateFleetCapacity",
        change,
        "InvalidFleetStatusException",
    )]);
    trial.wait_s(400);
    let counts = trial.get("DescribeFleetLocationCapacity", json!({ "FleetId": fleet, "Location": new }));
    assert_eq!(counts["FleetCapacity"]["InstanceCounts"]["PENDING"], 1, "instances take minutes to start");
    assert_eq!(location(&mut trial, &fleet, new)["LocationState"]["Status"], "ACTIVE");
    let codes = trial.event_codes(&fleet);
    let order = ["LOCATION_STATE_ACTIVE", "LOCATION_STATE_ACTIVATING", "LOCATION_STATE_PENDING"];
    let told: Vec<&str> =
        codes.iter().map(String::as_str).filter(|code| order.contains(code)).take(3).collect();
    assert_eq!(told, order);
    trial.wait_s(300);
    let counts = trial.get("DescribeFleetLocationCapacity", json!({ "FleetId": fleet, "Location": new }));
    assert_eq!(counts["FleetCapacity"]["InstanceCounts"]["ACTIVE"], 1);

    let gone = "eu-central-1";
    let sessions = |trial: &mut Trial, status: &str| {
        let input = json!({ "FleetId": fleet, "Location": gone, "StatusFilter": status });
        trial
            .ask("DescribeGameSessions", input)
            .map(|answer| answer["GameSessions"].as_array().unwrap().len())
    };
    assert!(sessions(&mut trial, "ACTIVE").unwrap() > 0);
    let input = json!({ "FleetId": fleet, "Locations": [gone] });
    let answer = trial.get("DeleteFleetLocations", input);
    assert_eq!(answer["LocationStates"], json!([{ "Location": gone, "Status": "DELETING" }]));
    assert_eq!(location(&mut trial, &fleet, gone)["LocationState"]["Status"], "DELETING");
    assert_eq!(sessions(&mut trial, "ACTIVE").unwrap(), 0, "protected or not");
    trial.wait_s(120);
    assert!(location(&mut trial, &fleet, gone).is_null());
    assert_eq!(
        trial
            .ask("DescribeFleetLocationCapacity", json!({ "FleetId": fleet, "Location": gone }))
            .unwrap_err()
            .code,
        "NotFoundException"
    );
    assert!(trial.event_codes(&fleet).iter().any(|code| code == "LOCATION_STATE_DELETED"));
    let ended = trial.get("DescribeGameSessions", json!({ "FleetId": fleet, "StatusFilter": "TERMINATED" }));
    assert!(
        ended["GameSessions"].as_array().unwrap().iter().any(|session| session["Location"] == gone),
        "ended sessions still name it"
    );
}

#[test]
fn an_anywhere_fleet_takes_custom_locations_only_and_keeps_one() {
    let mut trial = Trial::new("ap-northeast-1");
    let (fleet, custom) = (trial.fleet("qa-lab-anywhere"), "custom-lab-tokyo");
    let add = |name: &str| json!({ "FleetId": fleet, "Locations": [{ "Location": name }] });
    let remove = |name: &str| json!({ "FleetId": fleet, "Locations": [name] });
    let ir = "InvalidRequestException";
    trial.refuses(vec![
        ("A1 CreateFleetLocations: EAC, custom ones", "CreateFleetLocations", add("us-west-2"), ir),
        ("A1 CreateFleetLocations: CF", "CreateFleetLocations", add(custom), "ConflictException"),
        ("A1 DeleteFleetLocations: NF", "DeleteFleetLocations", remove("custom-none"), "NotFoundException"),
        ("A1 DeleteFleetLocations: the last one", "DeleteFleetLocations", remove(custom), ir),
    ]);
    assert_eq!(location(&mut trial, &fleet, custom)["LocationState"]["Status"], "ACTIVE");
}
