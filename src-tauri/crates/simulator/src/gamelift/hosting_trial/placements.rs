//! Starting and stopping placements.

use super::*;
use liftdeck_simulated_world::records::{Notice, NoticeDetail, PlacementOutcome};

fn notices(trial: &mut Trial, region: &str, placement: &str) -> Vec<Notice> {
    let mut all = trial.world().drain_events(region);
    all.retain(
        |notice| matches!(&notice.detail, NoticeDetail::Placement(told) if told.placement_id == placement),
    );
    all
}

fn look(trial: &mut Trial, region: &str, placement: &str) -> Json {
    trial.ask(region, "DescribeGameSessionPlacement", json!({ "PlacementId": placement }))["GameSessionPlacement"].clone()
}

/// Creates a queue of fleets of the region, with further settings.
fn queue(trial: &mut Trial, name: &str, fleets: &[&str], more: &Json) {
    let arns: Vec<Json> = fleets
        .iter()
        .map(|fleet| {
            json!({
                "DestinationArn": format!("arn:aws:gamelift:eu-west-1::fleet/{}", trial.fleet(fleet)),
            })
        })
        .collect();
    let mut input = json!({"Name": name, "Destinations": arns});
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    trial.ask(EU, "CreateGameSessionQueue", input);
}

#[test]
fn a_placement_is_fulfilled_with_its_players_and_announced() {
    let mut trial = Trial::new();
    trial.world().drain_events(EU);
    let started = trial.ask(EU, "StartGameSessionPlacement", json!({
        "GameSessionQueueName": "arena-eu", "PlacementId": "ops-1", "MaximumPlayerSessionCount": 5,
        "GameSessionName": "probe", "GameProperties": [{"Key": "k", "Value": "v"}], "GameSessionData": "data",
        "PlayerLatencies": [
            {"PlayerId": "a", "RegionIdentifier": "eu-north-1", "LatencyInMilliseconds": 12.5},
            {"PlayerId": "a", "RegionIdentifier": "eu-west-1", "LatencyInMilliseconds": 60},
        ],
        "DesiredPlayerSessions": [{"PlayerId": "a", "PlayerData": "red"}, {"PlayerId": "b"}],
    }));
    let started = &started["GameSessionPlacement"];
    assert_eq!(
        (&started["Status"], &started["GameSessionQueueName"]),
        (&json!("PENDING"), &json!("arena-eu"))
    );
    assert!(started.get("EndTime").is_none() && started.get("PlacedPlayerSessions").is_none());
    trial.pass(8);
    let placed = look(&mut trial, EU, "ops-1");
    assert_eq!(placed["Status"], "FULFILLED");
    assert_eq!((&placed["GameSessionName"], &placed["GameSessionData"]), (&json!("probe"), &json!("data")));
    assert_eq!(placed["PlacedPlayerSessions"].as_array().unwrap().len(), 2);
    let arn = placed["GameSessionArn"].as_str().unwrap().to_owned();
    // H4: the last part of the ARN is the placement id.
    assert!(arn.ends_with("/eu-north-1/ops-1"), "{arn}");
    let session = trial.look(&arn);
    assert_eq!((&session["Name"], &session["MaximumPlayerSessionCount"]), (&json!("probe"), &json!(5)));
    assert_eq!(session["CurrentPlayerSessionCount"], 2);
    let seats = trial.ask(EU, "DescribePlayerSessions", json!({ "GameSessionId": arn }));
    assert_eq!(seats["PlayerSessions"][0]["PlayerData"], "red");
    assert_eq!(
        seats["PlayerSessions"][0]["PlayerSessionId"],
        placed["PlacedPlayerSessions"][0]["PlayerSessionId"]
    );
    let told = notices(&mut trial, EU, "ops-1");
    let NoticeDetail::Placement(detail) = &told[0].detail else { panic!("a placement") };
    assert!(matches!(&detail.outcome, PlacementOutcome::Fulfilled(found) if found.game_session_arn == arn));
    assert_eq!(told.len(), 1);
}

#[test]
fn a_placement_without_room_waits_times_out_or_is_stopped() {
    let mut trial = Trial::new();
    let blue = trial.fleet("arena-prod-ap-blue");
    trial.ask(
        AP,
        "CreateGameSessionQueue",
        json!({
            "Name": "empty", "TimeoutInSeconds": 30, "CustomEventData": "e",
            "Destinations": [{"DestinationArn": format!("arn:aws:gamelift:ap-northeast-1::fleet/{blue}")}],
        }),
    );
    let start = |id: &str| json!({"GameSessionQueueName": "empty", "PlacementId": id, "MaximumPlayerSessionCount": 2});
    trial.ask(AP, "StartGameSessionPlacement", start("late"));
    trial.ask(AP, "StartGameSessionPlacement", start("gone"));
    trial.pass(10);
    let stopped = trial.ask(AP, "StopGameSessionPlacement", json!({"PlacementId": "gone"}));
    assert_eq!(stopped["GameSessionPlacement"]["Status"], "CANCELLED");
    assert_eq!(
        trial.refused(AP, "StopGameSessionPlacement", json!({"PlacementId": "gone"})),
        "InvalidRequestException",
        "A14 StopGameSessionPlacement: only from PENDING"
    );
    assert_eq!(look(&mut trial, AP, "late")["Status"], "PENDING");
    trial.pass(21);
    let late = look(&mut trial, AP, "late");
    assert_eq!(late["Status"], "TIMED_OUT");
    assert!((late["EndTime"].as_f64().unwrap() - late["StartTime"].as_f64().unwrap() - 30.0).abs() < 0.01);
    let all = trial.world().drain_events(AP);
    let told = |id: &str| {
        all.iter().find_map(|notice| match &notice.detail {
            NoticeDetail::Placement(told) if told.placement_id == id => Some(told.outcome.event_type()),
            _ => None,
        })
    };
    assert_eq!((told("late"), told("gone")), (Some("PlacementTimedOut"), Some("PlacementCancelled")));
    assert_eq!(
        trial.refused(AP, "StartGameSessionPlacement", start("late")),
        "InvalidRequestException",
        "never reusable"
    );
}

#[test]
fn start_game_session_placement_keeps_the_rules_of_the_reference() {
    let mut trial = Trial::new();
    queue(&mut trial, "plain", &["arena-prod-eu"], &json!({}));
    let with = |queue: &str, extra: Json| {
        let mut input =
            json!({"GameSessionQueueName": queue, "PlacementId": "new", "MaximumPlayerSessionCount": 2});
        input.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        input
    };
    let royale = "royale-eu";
    let list = json!({"LocationOrder": ["eu-north-1"]});
    let used = trial.world().pending_placements(EU).next();
    let ended = trial.ask(EU, "StartGameSessionPlacement", with(royale, json!({"PlacementId": "ended"})));
    assert_eq!(ended["GameSessionPlacement"]["Status"], "PENDING");
    let latency = json!([{"PlayerId": "a", "RegionIdentifier": "eu-west-1", "LatencyInMilliseconds": 5}]);
    trial.refuses(EU, "StartGameSessionPlacement", vec![
        ("A7: required", json!({"PlacementId": "x", "MaximumPlayerSessionCount": 2}), "InvalidRequestException"),
        ("A14: PlacementId 1..48 [a-zA-Z0-9-]", with(royale, json!({"PlacementId": "a_b"})), "InvalidRequestException"),
        ("A14: never reusable", with(royale, json!({"PlacementId": "ended"})), "InvalidRequestException"),
        (
            "A14: PlayerLatencies together with PriorityConfigurationOverride",
            with(royale, json!({"PlayerLatencies": latency, "PriorityConfigurationOverride": list})),
            "InvalidRequestException",
        ),
        (
            "A14: the override needs a queue that prioritises LOCATION",
            with("plain", json!({ "PriorityConfigurationOverride": list })),
            "InvalidRequestException",
        ),
        (
            "A16 LocationOrderOverrideList 1..10",
            with(royale, json!({"PriorityConfigurationOverride": {"LocationOrder": []}})),
            "InvalidRequestException",
        ),
        (
            "more players than slots",
            with(royale, json!({"DesiredPlayerSessions": [{"PlayerId": "a"}, {"PlayerId": "b"}, {"PlayerId": "c"}]})),
            "InvalidRequestException",
        ),
        ("A7: NF", with("none", json!({})), "NotFoundException"),
    ]);
    assert_eq!(
        trial.refused(
            US,
            "StartGameSessionPlacement",
            json!({
                "GameSessionQueueName": "royale-us", "PlacementId": "ended", "MaximumPlayerSessionCount": 2,
            })
        ),
        "InvalidRequestException",
        "A14: unique over all Regions"
    );
    if let Some(used) = used {
        assert_eq!(
            trial.refused(EU, "StartGameSessionPlacement", with(royale, json!({ "PlacementId": used }))),
            "InvalidRequestException"
        );
    }
    trial.pass(10);
    assert_eq!(
        trial.refused(EU, "StopGameSessionPlacement", json!({"PlacementId": "ended"})),
        "InvalidRequestException",
        "A14: once a session exists"
    );
    assert_eq!(
        trial.refused(EU, "StopGameSessionPlacement", json!({"PlacementId": "none"})),
        "NotFoundException"
    );
}

#[test]
fn priorities_latencies_and_overrides_choose_the_location() {
    let mut trial = Trial::new();
    let by_location = json!({"PriorityConfiguration": {
        "PriorityOrder": ["LOCATION"], "LocationOrder": ["eu-north-1", "eu-west-1"],
    }});
    queue(&mut trial, "listed", &["arena-prod-eu"], &by_location);
    queue(&mut trial, "plain", &["arena-spot-eu", "arena-prod-eu"], &json!({}));
    queue(
        &mut trial,
        "strict",
        &["arena-prod-eu"],
        &json!({"PlayerLatencyPolicies": [
            {"MaximumIndividualPlayerLatencyMilliseconds": 30, "PolicyDurationSeconds": 40},
            {"MaximumIndividualPlayerLatencyMilliseconds": 200},
        ]}),
    );
    let latency = |player: &str, region: &str, ms: f64| {
        json!({
            "PlayerId": player, "RegionIdentifier": region, "LatencyInMilliseconds": ms,
        })
    };
    let mut number = 0;
    let mut start = |trial: &mut Trial, queue: &str, extra: Json| {
        number += 1;
        let id = format!("choose-{number}");
        let mut input =
            json!({"GameSessionQueueName": queue, "PlacementId": id, "MaximumPlayerSessionCount": 2});
        input.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        trial.ask(EU, "StartGameSessionPlacement", input);
        id
    };
    let place = |trial: &mut Trial, id: &str| {
        let arn = look(trial, EU, id)["GameSessionArn"].as_str().unwrap().to_owned();
        let session = trial.look(&arn);
        (session["FleetId"].as_str().unwrap().to_owned(), session["Location"].as_str().unwrap().to_owned())
    };
    let (spot, prod) = (trial.fleet("arena-spot-eu"), trial.fleet("arena-prod-eu"));
    let listed = start(&mut trial, "listed", json!({}));
    let replaced = start(
        &mut trial,
        "listed",
        json!({
            "PriorityConfigurationOverride": {"LocationOrder": ["eu-central-1"], "PlacementFallbackStrategy": "NONE"},
        }),
    );
    let nowhere = start(
        &mut trial,
        "listed",
        json!({
            "PriorityConfigurationOverride": {"LocationOrder": ["sa-east-1"], "PlacementFallbackStrategy": "NONE"},
        }),
    );
    let fallback = start(
        &mut trial,
        "listed",
        json!({"PriorityConfigurationOverride": {"LocationOrder": ["sa-east-1"]}}),
    );
    let plain = start(&mut trial, "plain", json!({}));
    let near = start(
        &mut trial,
        "plain",
        json!({"PlayerLatencies": [
            latency("a", "eu-north-1", 10.0), latency("a", "eu-west-1", 50.0), latency("b", "eu-north-1", 20.0),
        ]}),
    );
    let strict = start(
        &mut trial,
        "strict",
        json!({"PlayerLatencies": [
            latency("a", "eu-west-1", 10.0), latency("b", "eu-west-1", 90.0),
        ]}),
    );
    trial.pass(10);
    assert_eq!(place(&mut trial, &listed).1, "eu-north-1", "C PriorityConfiguration: LocationOrder");
    assert_eq!(place(&mut trial, &replaced).1, "eu-central-1", "C PriorityConfigurationOverride");
    assert_eq!(look(&mut trial, EU, &nowhere)["Status"], "PENDING", "B PlacementFallbackStrategy NONE");
    assert_eq!(
        place(&mut trial, &fallback).1,
        "eu-north-1",
        "B PlacementFallbackStrategy DEFAULT_AFTER_SINGLE_PASS"
    );
    let (fleet, location) = place(&mut trial, &plain);
    assert_eq!(fleet, spot, "C PriorityConfiguration: the queue's order of destinations");
    assert!(["eu-central-1", "eu-west-1"].contains(&location.as_str()));
    assert_eq!(place(&mut trial, &near), (prod, "eu-north-1".to_owned()), "lowest mean latency");
    // A policy applies to every player: the one with the highest latency keeps the placement waiting until the policy
    // relaxes.
    assert_eq!(look(&mut trial, EU, &strict)["Status"], "PENDING");
    trial.pass(45);
    assert_eq!(place(&mut trial, &strict).1, "eu-west-1");
    assert_eq!(look(&mut trial, EU, &strict)["Status"], "FULFILLED");
}

#[test]
fn placements_by_hand_are_counted_by_their_queue() {
    let mut trial = Trial::new();
    queue(&mut trial, "counted", &["arena-prod-eu"], &json!({}));
    trial.pass(60);
    let from_ms = trial.world().now_ms().div_euclid(60_000) * 60_000;
    for number in 0..3 {
        trial.ask(EU, "StartGameSessionPlacement", json!({
            "GameSessionQueueName": "counted", "PlacementId": format!("c-{number}"), "MaximumPlayerSessionCount": 2,
        }));
    }
    trial.pass(180);
    let read = |name: &str| -> f64 {
        let points = trial.inner.world.metrics().read(
            EU,
            name,
            &[("QueueName", "counted")],
            from_ms,
            from_ms + 240_000,
            60,
        );
        points.iter().map(|point| point.sum).sum()
    };
    assert_eq!((read("PlacementsStarted"), read("PlacementsSucceeded")), (3.0, 3.0));
}
