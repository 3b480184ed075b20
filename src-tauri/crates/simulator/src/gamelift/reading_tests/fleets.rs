//! Fleets, their locations, events, instances, computes and containers.

use super::*;

#[test]
fn requests_that_break_a_rule_of_fleet_reads_are_refused() {
    let mut trial = Trial::new(EU);
    let [fleet, container] = ["arena-prod-eu", "royale-containers-eu"].map(|name| trial.fleet(name));
    let many = vec![fleet.clone(); 101];
    let of = |fleet: &str| json!({ "FleetId": fleet });
    let at = |fleet: &str, location: &str| json!({ "FleetId": fleet, "Location": location });
    trial.refuses(vec![
        (
            "A14 DescribeFleetAttributes: too many ids",
            "DescribeFleetAttributes",
            json!({ "FleetIds": many }),
            INVALID,
        ),
        (
            "A14 DescribeFleetCapacity: too many ids",
            "DescribeFleetCapacity",
            json!({ "FleetIds": many }),
            INVALID,
        ),
        (
            "A14 DescribeFleetUtilization: too many ids",
            "DescribeFleetUtilization",
            json!({ "FleetIds": many }),
            INVALID,
        ),
        ("A16 FleetIdOrArnList: 1..", "DescribeFleetAttributes", json!({ "FleetIds": [] }), INVALID),
        ("A1 ListFleets: NF", "ListFleets", json!({ "BuildId": "build-0" }), UNKNOWN),
        ("A1 ListFleets: NF", "ListFleets", json!({ "ScriptId": "script-0" }), UNKNOWN),
        ("A1 DescribeFleetEvents: FleetId required", "DescribeFleetEvents", json!({}), INVALID),
        ("A1 DescribeFleetEvents: NF", "DescribeFleetEvents", of("fleet-0"), UNKNOWN),
        (
            "A14 DescribeFleetEvents: from StartTime to EndTime",
            "DescribeFleetEvents",
            json!({ "FleetId": fleet, "StartTime": 1_700_000_001, "EndTime": 1_700_000_000 }),
            INVALID,
        ),
        ("A1 DescribeFleetLocationAttributes: NF", "DescribeFleetLocationAttributes", of("fleet-0"), UNKNOWN),
        (
            "A16 LocationList: 1..100",
            "DescribeFleetLocationAttributes",
            json!({ "FleetId": fleet, "Locations": [] }),
            INVALID,
        ),
        (
            "A1 DescribeFleetLocationCapacity: Location required",
            "DescribeFleetLocationCapacity",
            of(&fleet),
            INVALID,
        ),
        (
            "A1 DescribeFleetLocationCapacity: NF",
            "DescribeFleetLocationCapacity",
            at(&fleet, "sa-east-1"),
            UNKNOWN,
        ),
        (
            "A1 DescribeFleetLocationUtilization: EA",
            "DescribeFleetLocationUtilization",
            at(&container, EU),
            INVALID,
        ),
        (
            "A1 DescribeFleetLocationUtilization: NF",
            "DescribeFleetLocationUtilization",
            at(&fleet, "sa-east-1"),
            UNKNOWN,
        ),
        ("A1 DescribeRuntimeConfiguration: E", "DescribeRuntimeConfiguration", of(&container), INVALID),
        ("A1 DescribeRuntimeConfiguration: NF", "DescribeRuntimeConfiguration", of("fleet-0"), UNKNOWN),
        ("A1 DescribeFleetPortSettings: E", "DescribeFleetPortSettings", of(&container), INVALID),
        ("A1 DescribeFleetPortSettings: NF", "DescribeFleetPortSettings", at(&fleet, "sa-east-1"), UNKNOWN),
        ("A2 DescribeScalingPolicies: NF", "DescribeScalingPolicies", at(&fleet, "sa-east-1"), UNKNOWN),
        (
            "B ScalingStatusType",
            "DescribeScalingPolicies",
            json!({ "FleetId": fleet, "StatusFilter": "ON" }),
            INVALID,
        ),
        ("A3 DescribeContainerFleet: C", "DescribeContainerFleet", of(&fleet), INVALID),
        ("A3 DescribeContainerFleet: NF", "DescribeContainerFleet", of("fleet-0"), UNKNOWN),
        ("A3 ListFleetDeployments: C", "ListFleetDeployments", of(&fleet), INVALID),
        (
            "A3 DescribeFleetDeployment: NF",
            "DescribeFleetDeployment",
            json!({ "FleetId": container, "DeploymentId": "none" }),
            UNKNOWN,
        ),
        (
            "A3 DescribeContainerGroupDefinition: NF",
            "DescribeContainerGroupDefinition",
            json!({ "Name": "royale-server", "VersionNumber": 99 }),
            UNKNOWN,
        ),
        ("A4 DescribeInstances: NF", "DescribeInstances", at(&fleet, "sa-east-1"), UNKNOWN),
        (
            "A4 DescribeInstances: NF",
            "DescribeInstances",
            json!({ "FleetId": fleet, "InstanceId": "i-0" }),
            UNKNOWN,
        ),
        ("A4 ListCompute: declares no NF", "ListCompute", of("fleet-0"), INVALID),
        ("A4 ListCompute: declares no NF", "ListCompute", at(&fleet, "sa-east-1"), INVALID),
        (
            "B ListComputeInputStatus",
            "ListCompute",
            json!({ "FleetId": fleet, "ComputeStatus": "PENDING" }),
            INVALID,
        ),
        (
            "A4 DescribeCompute: NF",
            "DescribeCompute",
            json!({ "FleetId": fleet, "ComputeName": "i-0" }),
            UNKNOWN,
        ),
        (
            "A14 ListLocations: Filters of AWS, CUSTOM",
            "ListLocations",
            json!({ "Filters": ["MOON"] }),
            INVALID,
        ),
        ("A14 ListLocations: Filters 1..2", "ListLocations", json!({ "Filters": [] }), INVALID),
        (
            "A14 ListLocations: Filters 1..2",
            "ListLocations",
            json!({ "Filters": ["AWS", "AWS", "AWS"] }),
            INVALID,
        ),
        ("A10 DescribeBuild: NF", "DescribeBuild", json!({ "BuildId": "build-0" }), UNKNOWN),
        ("A10 DescribeScript: NF", "DescribeScript", json!({ "ScriptId": "script-0" }), UNKNOWN),
        ("B BuildStatus", "ListBuilds", json!({ "Status": "RIPE" }), INVALID),
        ("A11 ListTagsForResource: NF", "ListTagsForResource", json!({ "ResourceARN": "arn:x" }), UNKNOWN),
    ]);
    let error = trial.ask("DescribeFleetCapacity", json!({ "FleetIds": many })).unwrap_err();
    assert!(error.message.contains("100"), "A14: the message names the maximum: {error}");
}

#[test]
fn an_anywhere_fleet_has_no_part_in_what_is_for_managed_fleets() {
    let mut trial = Trial::new(AP);
    let lab = trial.fleet("qa-lab-anywhere");
    let there = json!({ "FleetId": lab, "Location": "custom-lab-tokyo" });
    let of = json!({ "FleetId": lab });
    trial.refuses(vec![
        ("A14 DescribeInstances: an Anywhere fleet", "DescribeInstances", of.clone(), INVALID),
        ("A1 DescribeRuntimeConfiguration: E", "DescribeRuntimeConfiguration", of.clone(), INVALID),
        ("A1 DescribeFleetPortSettings: E", "DescribeFleetPortSettings", of.clone(), INVALID),
        ("A2 DescribeScalingPolicies: EC", "DescribeScalingPolicies", of.clone(), INVALID),
        ("A1 DescribeFleetLocationCapacity: EC", "DescribeFleetLocationCapacity", there.clone(), INVALID),
        (
            "A1 UpdateFleetCapacity: EC",
            "UpdateFleetCapacity",
            json!({ "FleetId": lab, "MaxSize": 1 }),
            INVALID,
        ),
        (
            "A1 StopFleetActions: EC",
            "StopFleetActions",
            json!({ "FleetId": lab, "Actions": ["AUTO_SCALING"] }),
            INVALID,
        ),
        (
            "A4 GetComputeAccess: EC",
            "GetComputeAccess",
            json!({ "FleetId": lab, "ComputeName": "a" }),
            INVALID,
        ),
        (
            "A4 GetInstanceAccess: E",
            "GetInstanceAccess",
            json!({ "FleetId": lab, "InstanceId": "i-0" }),
            INVALID,
        ),
    ]);
    trial.get("DescribeFleetLocationUtilization", there);
    for (name, member) in
        [("DescribeFleetCapacity", "FleetCapacity"), ("DescribeFleetUtilization", "FleetUtilization")]
    {
        let shown = trial.get(name, json!({ "FleetIds": [lab] }));
        assert_eq!(shown[member], json!([]), "A1 {name}: not for Anywhere fleets");
    }
}

#[test]
fn every_page_has_its_smallest_and_its_largest_limit() {
    let mut trial = Trial::new(EU);
    let (fleet, container) = (trial.fleet("arena-prod-eu"), trial.fleet("royale-containers-eu"));
    let of = json!({ "FleetId": fleet });
    // A14: minimum 1 everywhere; a maximum only where the model has one.
    let reads = [
        ("ListFleets", json!({}), None),
        ("DescribeFleetAttributes", json!({}), None),
        ("DescribeFleetCapacity", json!({}), None),
        ("DescribeFleetUtilization", json!({}), None),
        ("DescribeFleetEvents", of.clone(), None),
        ("DescribeFleetLocationAttributes", of.clone(), None),
        ("DescribeScalingPolicies", of.clone(), None),
        ("ListContainerFleets", json!({}), None),
        ("ListFleetDeployments", json!({ "FleetId": container }), None),
        ("ListContainerGroupDefinitions", json!({}), Some(100)),
        ("ListContainerGroupDefinitionVersions", json!({ "Name": "royale-server" }), Some(100)),
        ("DescribeInstances", of.clone(), None),
        ("ListCompute", of.clone(), None),
        ("DescribeGameSessions", of.clone(), None),
        ("DescribeGameSessionDetails", of.clone(), None),
        ("SearchGameSessions", of, None),
        ("DescribePlayerSessions", json!({ "PlayerId": "nobody" }), None),
        ("DescribeGameSessionQueues", json!({}), None),
        ("ListAliases", json!({}), None),
        ("DescribeMatchmakingConfigurations", json!({}), None),
        ("DescribeMatchmakingRuleSets", json!({}), Some(10)),
        ("ListBuilds", json!({}), None),
        ("ListScripts", json!({}), None),
        ("ListLocations", json!({}), Some(200)),
    ];
    for (name, input, most) in reads {
        let with = |limit: i64| {
            let mut input = input.clone();
            input["Limit"] = json!(limit);
            input
        };
        trial.refuses(vec![("A14: Limit minimum 1", name, with(0), INVALID)]);
        trial.get(name, with(1));
        trial.get(name, with(most.unwrap_or(i64::from(i32::MAX))));
        if let Some(most) = most {
            trial.refuses(vec![("A14: Limit maximum", name, with(most + 1), INVALID)]);
        }
        let mut forged = input.clone();
        forged["NextToken"] = json!("forged");
        trial.refuses(vec![("D4: a token is the service's own", name, forged, INVALID)]);
    }
}

#[test]
fn a_limit_counts_only_where_no_fleet_is_named_and_unknown_fleets_are_left_out() {
    let mut trial = Trial::new(EU);
    let named = ["coop-script-eu", "arena-prod-eu", "arena-spot-eu"].map(|name| trial.fleet(name));
    let mut asked: Vec<&str> = named.iter().map(String::as_str).collect();
    asked.insert(1, "fleet-0");
    for (name, member) in [
        ("DescribeFleetAttributes", "FleetAttributes"),
        ("DescribeFleetCapacity", "FleetCapacity"),
        ("DescribeFleetUtilization", "FleetUtilization"),
    ] {
        let shown = trial.get(name, json!({ "FleetIds": asked, "Limit": 1 }));
        let ids = texts(shown[member].as_array().unwrap(), "FleetId");
        assert_eq!(ids, named, "A14 {name}: Limit is ignored; H7: unknown ids are left out");
        assert!(shown.get("NextToken").is_none());
        let page = trial.get(name, json!({ "Limit": 1 }));
        assert_eq!(page[member].as_array().unwrap().len(), 1);
        assert!(page["NextToken"].is_string());
    }
}

#[test]
fn every_kind_of_fleet_is_listed_and_described_by_its_own_operation() {
    let mut trial = Trial::new(EU);
    let container = trial.fleet("royale-containers-eu");
    let listed = trial.get("ListFleets", json!({}))["FleetIds"].as_array().unwrap().clone();
    let described =
        texts(&all(&mut trial, "DescribeFleetAttributes", &json!({}), "FleetAttributes"), "FleetId");
    let containers = texts(&all(&mut trial, "ListContainerFleets", &json!({}), "ContainerFleets"), "FleetId");
    // A14 ListFleets: ids of EC2, Anywhere and container fleets; DescribeFleetAttributes only of the first two.
    assert!(containers.contains(&container) && !described.contains(&container));
    let mut both: Vec<Json> = described.iter().chain(&containers).map(|id| json!(id)).collect();
    both.sort_by_key(ToString::to_string);
    let mut listed_in_order = listed;
    listed_in_order.sort_by_key(ToString::to_string);
    assert_eq!(listed_in_order, both);
    let shown = trial.get("DescribeFleetAttributes", json!({ "FleetIds": [container] }));
    assert_eq!(shown["FleetAttributes"], json!([]));
    // H7: DescribeFleetUtilization is for EC2 fleets only.
    let shown = trial.get("DescribeFleetUtilization", json!({ "FleetIds": [container] }));
    assert_eq!(shown["FleetUtilization"], json!([]));
}

#[test]
fn capacity_utilization_and_instances_are_those_of_the_home_region_unless_a_location_is_named() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("arena-prod-eu");
    for (name, member) in
        [("DescribeFleetCapacity", "FleetCapacity"), ("DescribeFleetUtilization", "FleetUtilization")]
    {
        let shown = trial.get(name, json!({ "FleetIds": [fleet] }));
        let places = texts(shown[member].as_array().unwrap(), "Location");
        assert_eq!(places, [EU], "A14 {name}: home Region only");
    }
    let instances = all(&mut trial, "DescribeInstances", &json!({ "FleetId": fleet }), "Instances");
    assert!(!instances.is_empty() && instances.iter().all(|instance| instance["Location"] == EU), "A14");
    let away = json!({ "FleetId": fleet, "Location": "eu-central-1" });
    let instances = all(&mut trial, "DescribeInstances", &away, "Instances");
    assert!(!instances.is_empty() && instances.iter().all(|instance| instance["Location"] == "eu-central-1"));
    // H7: scaling policies are returned once per location when none is given.
    let policies =
        all(&mut trial, "DescribeScalingPolicies", &json!({ "FleetId": fleet }), "ScalingPolicies");
    let places: std::collections::BTreeSet<String> = texts(&policies, "Location").into_iter().collect();
    assert_eq!(places.len(), 3);
    let here = json!({ "FleetId": fleet, "Location": EU });
    let at_home = all(&mut trial, "DescribeScalingPolicies", &here, "ScalingPolicies");
    assert_eq!(at_home.len() * places.len(), policies.len());
}

#[test]
fn locations_come_in_the_order_asked_and_whatever_the_limit() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("arena-prod-eu");
    let whole = trial.get("DescribeFleetLocationAttributes", json!({ "FleetId": fleet, "Limit": 1 }));
    let mut places: Vec<String> = whole["LocationAttributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["LocationState"]["Location"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(places.len(), 3, "A14 DescribeFleetLocationAttributes: Limit is not enforced");
    places.reverse();
    let asked =
        trial.get("DescribeFleetLocationAttributes", json!({ "FleetId": fleet, "Locations": places }));
    let shown: Vec<&str> = asked["LocationAttributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["LocationState"]["Location"].as_str().unwrap())
        .collect();
    assert_eq!(shown, places, "A14: request order when Locations was given");
}

#[test]
fn events_begin_with_the_fleet_and_end_now_unless_told_otherwise() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("arena-prod-eu");
    let of = |from: Option<f64>, to: Option<f64>| {
        let mut input = json!({ "FleetId": fleet });
        if let Some(from) = from {
            input["StartTime"] = json!(from);
        }
        if let Some(to) = to {
            input["EndTime"] = json!(to);
        }
        input
    };
    let events = all(&mut trial, "DescribeFleetEvents", &of(None, None), "Events");
    let times: Vec<f64> = events.iter().map(|event| event["EventTime"].as_f64().unwrap()).collect();
    assert_eq!(
        events.last().unwrap()["EventCode"],
        "FLEET_CREATED",
        "A14: no StartTime = from fleet creation"
    );
    assert!(times.is_sorted_by(|one, two| one >= two), "newest first");
    let middle = times[times.len() / 2];
    let later = all(&mut trial, "DescribeFleetEvents", &of(Some(middle), None), "Events");
    assert_eq!(later.len(), times.iter().filter(|time| **time >= middle).count(), "A14: no EndTime = to now");
    let earlier = all(&mut trial, "DescribeFleetEvents", &of(None, Some(middle - 0.001)), "Events");
    assert_eq!(later.len() + earlier.len(), events.len());
}

#[test]
fn containers_are_listed_newest_first_and_in_their_latest_version() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("royale-containers-eu");
    let deployments =
        all(&mut trial, "ListFleetDeployments", &json!({ "FleetId": fleet }), "FleetDeployments");
    let times: Vec<f64> = deployments.iter().map(|one| one["CreationTime"].as_f64().unwrap()).collect();
    assert!(
        times.len() > 1 && times.is_sorted_by(|one, two| one >= two),
        "A14 ListFleetDeployments: newest first"
    );
    let newest = trial.get("DescribeFleetDeployment", json!({ "FleetId": fleet }));
    assert_eq!(newest["FleetDeployment"]["DeploymentId"], deployments[0]["DeploymentId"]);
    let listed = all(&mut trial, "ListContainerGroupDefinitions", &json!({}), "ContainerGroupDefinitions");
    let named: Vec<&Json> = listed.iter().filter(|one| one["Name"] == "royale-server").collect();
    assert_eq!((named.len(), &named[0]["VersionNumber"]), (1, &json!(4)));
}
