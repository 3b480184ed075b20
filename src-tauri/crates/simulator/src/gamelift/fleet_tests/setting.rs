//! UpdateFleetAttributes, UpdateFleetPortSettings, UpdateRuntimeConfiguration, and tags.

use serde_json::json;

use super::super::trial::Trial;

const HOME: &str = "eu-west-1";

#[test]
fn requests_that_break_a_rule_of_settings_are_refused() {
    let mut trial = Trial::new(HOME);
    let (fleet, container) = (trial.fleet("arena-prod-eu"), trial.fleet("royale-containers-eu"));
    let port = |from: u32, to: u32| json!([{ "FromPort": from, "ToPort": to, "IpRange": "10.0.0.0/8", "Protocol": "TCP" }]);
    let process =
        |count: u32| json!([{ "LaunchPath": "/local/game/arena-server", "ConcurrentExecutions": count }]);
    let (ir, nf, le) = ("InvalidRequestException", "NotFoundException", "LimitExceededException");
    trial.refuses(vec![
        ("A16 NonZeroAndMaxString: 1..1024", "UpdateFleetAttributes", json!({ "FleetId": fleet, "Name": "" }), ir),
        ("A1 UpdateFleetAttributes: EA", "UpdateFleetAttributes", json!({ "FleetId": container, "Name": "n" }), ir),
        ("A1 UpdateFleetAttributes: NF", "UpdateFleetAttributes", json!({ "FleetId": "fleet-1" }), nf),
        ("A16 MetricGroupList: ..1", "UpdateFleetAttributes", json!({ "FleetId": fleet, "MetricGroups": ["a", "b"] }), ir),
        ("G2 NewGameSessionsPerCreator: 10", "UpdateFleetAttributes", json!({ "FleetId": fleet,
            "ResourceCreationLimitPolicy": { "NewGameSessionsPerCreator": 11, "PolicyPeriodInMinutes": 5 } }), le),
        ("C FleetAttributes: AnywhereConfiguration", "UpdateFleetAttributes", json!({ "FleetId": fleet,
            "AnywhereConfiguration": { "Cost": "1.5" } }), ir),
        ("A16 NonNegativeLimitedLengthDouble", "UpdateFleetAttributes", json!({ "FleetId": fleet,
            "AnywhereConfiguration": { "Cost": "-1" } }), ir),
        ("A16 PortNumber: 1..60000", "UpdateFleetPortSettings", json!({ "FleetId": fleet,
            "InboundPermissionAuthorizations": port(1, 60_001) }), ir),
        ("A1 UpdateFleetPortSettings: FromPort above ToPort", "UpdateFleetPortSettings", json!({ "FleetId": fleet,
            "InboundPermissionAuthorizations": port(20, 10) }), ir),
        ("C IpPermission: 22 and 1026-60000 for Linux", "UpdateFleetPortSettings", json!({ "FleetId": fleet,
            "InboundPermissionAuthorizations": port(80, 80) }), ir),
        ("C IpPermission: 22 and 1026-60000 for Linux", "UpdateFleetPortSettings", json!({ "FleetId": fleet,
            "InboundPermissionAuthorizations": port(22, 1_030) }), ir),
        ("C IpPermission: CIDR notation", "UpdateFleetPortSettings", json!({ "FleetId": fleet,
            "InboundPermissionAuthorizations": [{ "FromPort": 7000, "ToPort": 7000, "IpRange": "10.0.0.0", "Protocol": "UDP" }] }), ir),
        ("C IpPermission: CIDR notation", "UpdateFleetPortSettings", json!({ "FleetId": fleet,
            "InboundPermissionAuthorizations": [{ "FromPort": 7000, "ToPort": 7000, "IpRange": "10.0.0.0/33", "Protocol": "UDP" }] }), ir),
        ("A1 UpdateFleetPortSettings: revocations must match", "UpdateFleetPortSettings", json!({ "FleetId": fleet,
            "InboundPermissionRevocations": port(10, 20) }), ir),
        ("A1 UpdateRuntimeConfiguration: required", "UpdateRuntimeConfiguration", json!({ "FleetId": fleet }), ir),
        ("A16 ServerProcessList: 1..50", "UpdateRuntimeConfiguration", json!({ "FleetId": fleet,
            "RuntimeConfiguration": { "ServerProcesses": [] } }), ir),
        ("A16 GameSessionActivationTimeoutSeconds: 1..600", "UpdateRuntimeConfiguration", json!({ "FleetId": fleet,
            "RuntimeConfiguration": { "ServerProcesses": process(1), "GameSessionActivationTimeoutSeconds": 601 } }), ir),
        ("G2 Server processes per instance: 50", "UpdateRuntimeConfiguration", json!({ "FleetId": fleet,
            "RuntimeConfiguration": { "ServerProcesses": process(51) } }), le),
        ("A1 UpdateRuntimeConfiguration: E", "UpdateRuntimeConfiguration", json!({ "FleetId": container,
            "RuntimeConfiguration": { "ServerProcesses": process(1) } }), ir),
        ("A11 TagResource: NF", "TagResource", json!({ "ResourceARN": "arn:x", "Tags": [] }), nf),
        ("A11 TagResource: TF, reserved keys", "TagResource", json!({
            "ResourceARN": format!("arn:aws:gamelift:{HOME}::fleet/{fleet}"), "Tags": [{ "Key": "aws:a", "Value": "" }] }),
            "TaggingFailedException"),
        ("A16 TagKey: 1..128", "TagResource", json!({ "ResourceARN": "arn:x", "Tags": [{ "Key": "", "Value": "" }] }), ir),
        ("A11 UntagResource: TagKeys required", "UntagResource", json!({ "ResourceARN": "arn:x" }), ir),
    ]);
}

#[test]
fn attributes_change_at_once_and_a_new_protection_counts_for_new_sessions_only() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("arena-prod-eu");
    let details = json!({ "FleetId": fleet, "StatusFilter": "ACTIVE", "Limit": 1 });
    let running = trial.get("DescribeGameSessionDetails", details)["GameSessionDetails"][0].clone();
    let id = running["GameSession"]["GameSessionId"].clone();
    trial.get(
        "UpdateFleetAttributes",
        json!({ "FleetId": fleet, "Name": "arena-renamed", "Description": "new words",
        "NewGameSessionProtectionPolicy": "NoProtection", "MetricGroups": ["other"],
        "ResourceCreationLimitPolicy": { "NewGameSessionsPerCreator": 3, "PolicyPeriodInMinutes": 30 } }),
    );
    let shown =
        trial.get("DescribeFleetAttributes", json!({ "FleetIds": [fleet] }))["FleetAttributes"][0].clone();
    assert_eq!(
        (&shown["Name"], &shown["Description"], &shown["MetricGroups"]),
        (&json!("arena-renamed"), &json!("new words"), &json!(["other"]))
    );
    assert_eq!(shown["ResourceCreationLimitPolicy"]["NewGameSessionsPerCreator"], 3);
    assert_eq!(trial.event_codes(&fleet)[0], "FLEET_NEW_GAME_SESSION_PROTECTION_POLICY_UPDATED", "B1");
    let same = trial.get("DescribeGameSessionDetails", json!({ "GameSessionId": id }));
    assert_eq!(same["GameSessionDetails"][0]["ProtectionPolicy"], "FullProtection", "H5");
}

#[test]
fn ports_are_added_and_taken_away_and_reach_remote_locations_later() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("arena-prod-eu");
    let rule = json!({ "FromPort": 22, "ToPort": 22, "IpRange": "10.0.0.0/8", "Protocol": "TCP" });
    for member in ["InboundPermissionAuthorizations", "InboundPermissionRevocations"] {
        trial.get("UpdateFleetPortSettings", json!({ "FleetId": fleet, member: [rule] }));
        let at_home = trial.get("DescribeFleetPortSettings", json!({ "FleetId": fleet }));
        let there = at_home["InboundPermissions"].as_array().unwrap().contains(&rule);
        assert_eq!(there, member == "InboundPermissionAuthorizations");
        let away = json!({ "FleetId": fleet, "Location": "eu-north-1" });
        assert_eq!(trial.get("DescribeFleetPortSettings", away.clone())["UpdateStatus"], "PENDING_UPDATE");
        trial.wait_s(60);
        assert!(trial.get("DescribeFleetPortSettings", away).get("UpdateStatus").is_none());
    }
}

#[test]
fn a_new_runtime_configuration_starts_processes_and_never_ends_one() {
    let mut trial = Trial::new(HOME);
    let fleet = trial.fleet("arena-prod-eu");
    let processes = |trial: &mut Trial| {
        let input = json!({ "FleetId": fleet, "Location": HOME });
        let used = trial.get("DescribeFleetLocationUtilization", input.clone());
        let held = trial.get("DescribeFleetLocationCapacity", input);
        let active = held["FleetCapacity"]["InstanceCounts"]["ACTIVE"].as_u64().unwrap();
        used["FleetUtilization"]["ActiveServerProcessCount"].as_u64().unwrap() as f64 / active as f64
    };
    let configure = |trial: &mut Trial, count: u32| {
        let configuration = json!({ "ServerProcesses":
            [{ "LaunchPath": "/local/game/arena-server", "ConcurrentExecutions": count }] });
        let input = json!({ "FleetId": fleet, "RuntimeConfiguration": configuration });
        let answer = trial.get("UpdateRuntimeConfiguration", input);
        assert_eq!(answer["RuntimeConfiguration"], configuration);
        let shown = trial.get("DescribeRuntimeConfiguration", json!({ "FleetId": fleet }));
        assert_eq!(shown["RuntimeConfiguration"], configuration);
    };
    assert!(processes(&mut trial) <= 6.0);
    configure(&mut trial, 9);
    trial.wait_s(90);
    assert!(processes(&mut trial) > 8.0, "missing processes start");
    configure(&mut trial, 4);
    trial.wait_s(75);
    assert!(processes(&mut trial) > 6.0, "running ones are not ended");
    trial.wait_s(5_400);
    assert!(processes(&mut trial) <= 6.0, "ended ones are not replaced");
}

#[test]
fn tags_are_added_overwritten_and_taken_away() {
    let mut trial = Trial::new(HOME);
    let arn = trial.world.fleet(HOME, &trial.fleet("arena-prod-eu")).unwrap().arn().to_owned();
    let tags = json!([{ "Key": "stage", "Value": "blue" }, { "Key": "owner", "Value": "" }]);
    assert_eq!(trial.get("TagResource", json!({ "ResourceARN": arn, "Tags": tags })), json!({}));
    trial.get("UntagResource", json!({ "ResourceARN": arn, "TagKeys": ["game", "team", "unknown"] }));
    let shown = trial.get("ListTagsForResource", json!({ "ResourceARN": arn }));
    assert_eq!(shown["Tags"], json!([{ "Key": "owner", "Value": "" }, { "Key": "stage", "Value": "blue" }]));
    let many: Vec<_> = (0..199).map(|n| json!({ "Key": format!("k{n}"), "Value": "v" })).collect();
    trial.refuses(vec![(
        "A11 TagResource: TF; A16 TagList: ..200",
        "TagResource",
        json!({ "ResourceARN": arn, "Tags": many }),
        "TaggingFailedException",
    )]);
}
