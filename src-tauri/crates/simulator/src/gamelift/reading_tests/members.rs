//! A16: every length, range, pattern and list size of an input member, at its limits and beyond.

mod texts;

use super::*;

/// One shape of A16 as a member of an operation's input, with values it allows and values it does not.
struct Rule {
    shape: &'static str,
    operation: &'static str,
    /// The member names from the outside in; `0` stands for the first item of a list.
    path: &'static str,
    good: Vec<Json>,
    bad: Vec<Json>,
}

fn rule<const G: usize, const B: usize>(
    shape: &'static str,
    operation: &'static str,
    path: &'static str,
    good: [Json; G],
    bad: [Json; B],
) -> Rule {
    Rule { shape, operation, path, good: good.into(), bad: bad.into() }
}

/// Text of a given length with a given beginning.
fn long(start: &str, length: usize) -> Json {
    json!(format!("{start}{}", "a".repeat(length - start.len())))
}

fn times(count: usize, item: &Json) -> Json {
    json!(vec![item; count])
}

/// Builds an input with the value at the path, and a name.
fn input(path: &str, value: &Json) -> Json {
    let mut input = path.rsplit('.').fold(value.clone(), |inner, name| match name {
        "0" => json!([inner]),
        name => json!({ name: inner }),
    });
    // Some operations check the name before anything else.
    if input.get("Name").is_none() {
        input["Name"] = json!("a");
    }
    input
}

/// The path as the service reports it.
fn told(path: &str) -> String {
    let names = path.split('.').map(|name| match name.split_at(1) {
        ("0", _) => "1.member".to_owned(),
        (first, rest) => format!("{}{rest}", first.to_ascii_lowercase()),
    });
    names.collect::<Vec<_>>().join(".")
}

fn numbers() -> Vec<Rule> {
    const MOST: i64 = i32::MAX as i64;
    let rows: [(&str, &str, &str, i64, i64); 16] = [
        (
            "GameServerContainerGroupsPerInstance",
            "UpdateContainerFleet",
            "GameServerContainerGroupsPerInstance",
            1,
            5_000,
        ),
        (
            "GameSessionActivationTimeoutSeconds",
            "UpdateRuntimeConfiguration",
            "RuntimeConfiguration.GameSessionActivationTimeoutSeconds",
            1,
            600,
        ),
        (
            "ListContainerGroupDefinitionVersionsLimit",
            "ListContainerGroupDefinitionVersions",
            "Limit",
            1,
            100,
        ),
        ("ListContainerGroupDefinitionsLimit", "ListContainerGroupDefinitions", "Limit", 1, 100),
        ("ListLocationsLimit", "ListLocations", "Limit", 1, 200),
        (
            "MatchmakingAcceptanceTimeoutInteger",
            "UpdateMatchmakingConfiguration",
            "AcceptanceTimeoutSeconds",
            1,
            600,
        ),
        (
            "MatchmakingRequestTimeoutInteger",
            "UpdateMatchmakingConfiguration",
            "RequestTimeoutSeconds",
            1,
            43_200,
        ),
        (
            "MaxConcurrentGameSessionActivations",
            "UpdateRuntimeConfiguration",
            "RuntimeConfiguration.MaxConcurrentGameSessionActivations",
            1,
            MOST,
        ),
        (
            "MinimumHealthyPercentage",
            "UpdateContainerFleet",
            "DeploymentConfiguration.MinimumHealthyPercentage",
            30,
            75,
        ),
        ("PortNumber", "UpdateFleetPortSettings", "InboundPermissionAuthorizations.0.FromPort", 1, 60_000),
        ("PositiveInteger", "ListFleets", "Limit", 1, MOST),
        ("PositiveInteger", "PutScalingPolicy", "EvaluationPeriods", 1, MOST),
        ("PositiveInteger", "StartMatchmaking", "Players.0.LatencyInMs.eu-west-1", 1, MOST),
        ("RuleSetLimit", "DescribeMatchmakingRuleSets", "Limit", 1, 10),
        (
            "ScaleInAfterInactivityMinutes",
            "UpdateFleetCapacity",
            "ManagedCapacityConfiguration.ScaleInAfterInactivityMinutes",
            5,
            1_440,
        ),
        ("WholeNumber", "CreateGameSession", "MaximumPlayerSessionCount", 0, MOST),
    ];
    let rules = rows.into_iter().map(|(shape, operation, path, low, high)| {
        rule(shape, operation, path, [json!(low), json!(high)], [json!(low - 1), json!(high + 1)])
    });
    rules.collect()
}

fn lists() -> Vec<Rule> {
    let (fleet, location, tag) = (json!("fleet-1"), json!("eu-west-1"), json!({ "Key": "a", "Value": "b" }));
    let (port, process) = (
        json!({ "FromPort": 1, "ToPort": 2, "IpRange": "0.0.0.0/0", "Protocol": "UDP" }),
        json!({ "LaunchPath": "/local/game/a", "ConcurrentExecutions": 1 }),
    );
    let (log, property) = (json!({ "LogDestination": "S3" }), json!({ "Key": "a", "Value": "b" }));
    type Row = (&'static str, &'static str, &'static str, Json, usize, Option<usize>);
    let rows: [Row; 17] = [
        (
            "ContainerFleetRemoveAttributeList",
            "UpdateContainerFleet",
            "RemoveAttributes",
            json!("PER_INSTANCE_CONTAINER_GROUP_DEFINITION"),
            1,
            Some(1),
        ),
        ("FleetActionList", "StopFleetActions", "Actions", json!("AUTO_SCALING"), 1, Some(1)),
        ("FleetIdOrArnList", "DescribeFleetCapacity", "FleetIds", fleet, 1, None),
        ("GamePropertyList", "UpdateGameSession", "GameProperties", property, 0, Some(16)),
        ("IpPermissionsList", "UpdateFleetPortSettings", "InboundPermissionRevocations", port, 0, Some(50)),
        (
            "LocationConfigurationList",
            "CreateFleetLocations",
            "Locations",
            json!({ "Location": "eu-west-1" }),
            1,
            Some(100),
        ),
        ("LocationFilterList", "ListLocations", "Filters", json!("AWS"), 1, Some(2)),
        ("LocationList", "DeleteFleetLocations", "Locations", location.clone(), 1, Some(100)),
        (
            "LocationOrderOverrideList",
            "StartGameSessionPlacement",
            "PriorityConfigurationOverride.LocationOrder",
            location,
            1,
            Some(10),
        ),
        (
            "LogDeliveryDestinationList",
            "UpdateGameSessionQueue",
            "RemoveLogDeliveryDestinations",
            log,
            1,
            Some(3),
        ),
        ("MatchmakingRuleSetNameList", "DescribeMatchmakingRuleSets", "Names", json!("a"), 1, Some(10)),
        ("MetricGroupList", "UpdateContainerFleet", "MetricGroups", json!("a"), 0, Some(1)),
        ("PlayerIdList", "CreatePlayerSessions", "PlayerIds", json!("a"), 1, Some(25)),
        (
            "PriorityTypeList",
            "CreateGameSessionQueue",
            "PriorityConfiguration.PriorityOrder",
            json!("COST"),
            1,
            Some(4),
        ),
        (
            "ServerProcessList",
            "UpdateRuntimeConfiguration",
            "RuntimeConfiguration.ServerProcesses",
            process,
            1,
            Some(50),
        ),
        ("TagKeyList", "UntagResource", "TagKeys", json!("a"), 0, Some(200)),
        ("TagList", "TagResource", "Tags", tag, 0, Some(200)),
    ];
    let rules = rows.into_iter().map(|(shape, operation, path, item, low, high)| {
        let good = [low, high.unwrap_or(low)].map(|count| times(count, &item)).into();
        let bad = [low.checked_sub(1), high.map(|high| high + 1)];
        let bad = bad.into_iter().flatten().map(|count| times(count, &item)).collect();
        Rule { shape, operation, path, good, bad }
    });
    rules.collect()
}

#[test]
fn every_shape_takes_what_its_line_allows_and_nothing_beyond() {
    let mut trial = Trial::new(EU);
    for Rule { shape, operation, path, good, bad } in
        [texts::rules(), numbers(), lists()].into_iter().flatten()
    {
        // Other members are missing, so most inputs are refused; the message says for which members.
        let named = format!("at '{}' failed to satisfy constraint", told(path));
        let mut complains = |value: &Json| match trial.ask(operation, input(path, value)) {
            Ok(_) => false,
            Err(error) => {
                assert_ne!(error.code, "SerializationException", "A16 {shape}: {error}");
                error.code == INVALID && error.message.contains(&named)
            }
        };
        for value in &good {
            assert!(!complains(value), "A16 {shape} in {operation} allows {value}");
        }
        for value in &bad {
            assert!(complains(value), "A16 {shape} in {operation} does not allow {value}");
        }
    }
}

#[test]
fn the_keys_of_maps_have_their_lengths_too() {
    let mut trial = Trial::new(EU);
    let long = "a".repeat(1_025);
    let player = |member: &str, map: Json| {
        let mut player = json!({ "PlayerId": "a" });
        player[member] = map;
        json!({ "ConfigurationName": "arena-ranked-eu", "Players": [player] })
    };
    let number = json!({ "N": 1.0 });
    trial.refuses(vec![
        (
            "A16 NonZeroAndMaxString: 1..1024",
            "StartMatchmaking",
            player("PlayerAttributes", json!({ "": number })),
            INVALID,
        ),
        (
            "A16 NonZeroAndMaxString: 1..1024",
            "StartMatchmaking",
            player("PlayerAttributes", json!({ long.clone(): number })),
            INVALID,
        ),
        (
            "A16 PlayerAttributeString: 1..100",
            "StartMatchmaking",
            player("PlayerAttributes", json!({ "a": { "SDM": { "": 1.0 } } })),
            INVALID,
        ),
        ("A16 NonEmptyString: 1..", "StartMatchmaking", player("LatencyInMs", json!({ "": 5 })), INVALID),
        (
            "A16 NonZeroAndMaxString: 1..1024",
            "CreatePlayerSessions",
            json!({ "GameSessionId": "arn:a", "PlayerIds": ["a"], "PlayerDataMap": { "": "x" } }),
            INVALID,
        ),
        ("D1: a member of another type", "ListFleets", json!({ "Limit": "five" }), "SerializationException"),
        ("D1: a member of another type", "ListFleets", json!({ "BuildId": 5 }), "SerializationException"),
        (
            "D1: a member of another type",
            "TagResource",
            json!({ "ResourceARN": "a", "Tags": "b" }),
            "SerializationException",
        ),
    ]);
}
