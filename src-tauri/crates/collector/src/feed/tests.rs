//! Tests of the published examples in every envelope, of what is put aside and why, and that no input can break the
//! reader.

use liftdeck_model::matchmaking::MatchmakingEvent;
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const EVENTS: &str = include_str!("../../fixtures/events.ndjson");
const NOTIFICATION: &str = include_str!("../../fixtures/sns-notification.json");

fn reading(body: &str) -> Reading {
    read(FeedBody {
        message_id: "m-1",
        queue_url: "https://sqs.eu-west-1.amazonaws.com/111122223333/liftdeck",
        region: &Region::from("us-east-1"),
        account: &AccountId::from("111122223333"),
        received_at: Timestamp::from_ms(1_772_619_330_000),
        body,
    })
}

fn placement(body: &str) -> PlacementEvent {
    match reading(body) {
        Reading::Event(event) => match *event {
            FeedEvent::Placement(event) => event,
            other => panic!("not a placement event: {other:?}"),
        },
        other => panic!("not a placement event: {other:?}"),
    }
}

fn matchmaking(body: &str) -> MatchmakingEvent {
    match reading(body) {
        Reading::Event(event) => match *event {
            FeedEvent::Matchmaking(event) => event,
            other => panic!("not a FlexMatch event: {other:?}"),
        },
        other => panic!("not a FlexMatch event: {other:?}"),
    }
}

fn aside(body: &str) -> QuarantinedMessage {
    match reading(body) {
        Reading::Aside(message) => *message,
        other => panic!("not put aside: {other:?}"),
    }
}

fn example(kind: &str) -> Value {
    EVENTS
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|event| event["detail"]["type"] == kind)
        .unwrap()
}

fn notification_of(event: &str) -> String {
    json!({"Type": "Notification", "MessageId": "n-1", "TopicArn": "arn:aws:sns:eu-west-1:111122223333:t",
        "Message": event, "Timestamp": "2026-03-04T10:15:54.201Z", "MessageAttributes": {}})
    .to_string()
}

fn without(mut event: Value, path: &[&str]) -> String {
    let (last, parents) = path.split_last().unwrap();
    let mut inner = &mut event;
    for parent in parents {
        inner = &mut inner[*parent];
    }
    inner.as_object_mut().unwrap().remove(*last).unwrap();
    event.to_string()
}

#[test]
fn every_published_example_is_understood() {
    let kinds: Vec<String> = EVENTS
        .lines()
        .map(|line| match reading(line) {
            Reading::Event(event) => match *event {
                FeedEvent::Placement(event) => event.event_type.to_string(),
                FeedEvent::Matchmaking(event) => event.event_type,
            },
            Reading::Aside(message) => panic!("{}: {line}", message.detail),
            Reading::Call(record) => panic!("{}: {line}", record.event_name),
        })
        .collect();
    let expected = PlacementEventType::KNOWN.iter().copied().chain([
        "MatchmakingSearching",
        "PotentialMatchCreated",
        "AcceptMatch",
        "AcceptMatchCompleted",
        "MatchmakingSucceeded",
        "MatchmakingTimedOut",
        "MatchmakingCancelled",
        "MatchmakingFailed",
    ]);
    assert_eq!(kinds, expected.collect::<Vec<_>>());
}

#[test]
fn a_fulfilled_placement_is_read_whole() {
    let event = placement(&example("PlacementFulfilled").to_string());
    assert_eq!(event.placement_id.as_str(), "plc-7d1f2c");
    assert_eq!(event.queue.as_str(), "arena-eu");
    assert_eq!(event.region.as_str(), "eu-west-1");
    assert_eq!(event.event_time.to_rfc3339(), "2026-03-04T10:15:30.000Z");
    assert_eq!(event.start_time.unwrap().to_rfc3339(), "2026-03-04T10:15:24.117Z");
    assert_eq!(event.end_time.unwrap().to_rfc3339(), "2026-03-04T10:15:30.402Z");
    assert!(event.game_session_id.unwrap().as_str().ends_with("/eu-north-1/plc-7d1f2c"));
    assert_eq!(event.game_session_location.unwrap().as_str(), "eu-north-1");
    assert_eq!(event.game_session_region.unwrap().as_str(), "eu-west-1");
    assert_eq!(event.port, Some(7777));
    assert_eq!(event.compute_name.as_deref(), Some("i-0abc1234def567890"));
    assert_eq!(event.custom_event_data.as_deref(), Some("arena-eu"));
    let players: Vec<&str> = event.placed_player_sessions.iter().map(|p| p.player_id.as_str()).collect();
    assert_eq!(players, ["p-100", "p-101"]);
}

#[test]
fn a_port_may_be_a_text_or_a_number_and_nonsense_is_no_port() {
    let mut event = example("PlacementFulfilled");
    for (sent, read) in [
        (json!("7777"), Some(7777)),
        (json!(7777), Some(7777)),
        (json!("x"), None),
        (json!(-1), None),
        (json!(70_000), None),
        (json!(null), None),
        (json!({}), None),
        (json!(1e300), None),
    ] {
        event["detail"]["port"] = sent;
        assert_eq!(placement(&event.to_string()).port, read, "{event}");
    }
}

#[test]
fn an_older_recording_without_the_newer_fields_is_still_a_placement() {
    let mut event = example("PlacementFulfilled");
    for key in [
        "gameSessionLocation",
        "playerGatewayStatus",
        "computeName",
        "customEventData",
        "placedPlayerSessions",
    ] {
        event["detail"].as_object_mut().unwrap().remove(key);
    }
    let event = placement(&event.to_string());
    assert_eq!((event.game_session_location, event.compute_name), (None, None));
    assert!(event.placed_player_sessions.is_empty());
}

#[test]
fn the_estimated_wait_is_seconds_or_not_available() {
    let mut event = example("MatchmakingSearching");
    assert_eq!(matchmaking(&event.to_string()).estimated_wait_seconds, None);
    event["detail"]["estimatedWaitMillis"] = json!(42);
    assert_eq!(matchmaking(&event.to_string()).estimated_wait_seconds, Some(42));
}

#[test]
fn an_answer_not_given_differs_from_one_refused() {
    let event = matchmaking(&example("AcceptMatch").to_string());
    let answers: Vec<_> = event.tickets.iter().flat_map(|t| &t.players).map(|p| p.accepted).collect();
    assert_eq!(answers, [None, Some(false)]);
    assert_eq!(event.tickets[0].start_time.unwrap().to_rfc3339(), "2026-03-04T10:14:01.250Z");
    assert_eq!(event.tickets[0].players[0].team.as_deref(), Some("red"));
    assert_eq!(event.configuration, "arena-2v2");
}

#[test]
fn the_sns_envelope_is_opened_and_the_region_is_the_events_own() {
    let event = placement(NOTIFICATION);
    assert_eq!(event.event_type, PlacementEventType::TimedOut);
    assert_eq!(event.placement_id.as_str(), "plc-9e04b2");
    assert_eq!(event.region.as_str(), "eu-west-1");
}

#[test]
fn an_event_without_a_region_takes_its_queues() {
    let mut event = example("PlacementFailed");
    event.as_object_mut().unwrap().remove("region");
    assert_eq!(placement(&event.to_string()).region.as_str(), "eu-west-1");
    event["resources"] = json!(["arn:aws:gamelift:::gamesessionqueue/arena-eu"]);
    assert_eq!(placement(&event.to_string()).region.as_str(), "us-east-1");
}

#[test]
fn unknown_fields_and_any_order_of_fields_are_fine() {
    let body = r#"{"detail":{"extra":[1,{"a":null}],"placementId":"p","type":"PlacementFailed"},"novelty":{},
        "resources":["arn:aws:other","arn:aws:gamelift:eu-west-1:111122223333:gamesessionqueue/q"],
        "time":"2026-03-04T10:15:54Z","detail-type":"GameLift Queue Placement Event"}"#;
    assert_eq!(placement(body).queue.as_str(), "q");
}

#[test]
fn what_is_not_understood_is_put_aside_whole_with_its_reason() {
    let fulfilled = || example("PlacementFulfilled");
    let succeeded = || example("MatchmakingSucceeded");
    let mut unknown_placement = fulfilled();
    unknown_placement["detail"]["type"] = json!("PlacementPostponed");
    let mut unknown_match = succeeded();
    unknown_match["detail"]["type"] = json!("MatchmakingDreaming");
    let mut other_source = fulfilled();
    other_source["detail-type"] = json!("EC2 Instance State-change Notification");
    let mut of_game_lift = fulfilled();
    of_game_lift["detail-type"] = json!("GameLift Fleet Dream Event");
    let mut empty_id = fulfilled();
    empty_id["detail"]["placementId"] = json!("");
    let mut no_moment = without(fulfilled(), &["detail", "endTime"]);
    no_moment = no_moment.replace("2026-03-04T10:15:30Z", "15m");
    // AWS's published example lacks this comma.
    let missing_comma = fulfilled().to_string().replacen(",\"computeName\"", "\"computeName\"", 1).replacen(
        "\"customEventData\":\"arena-eu\",",
        "\"customEventData\":\"arena-eu\"",
        1,
    );
    let cases = [
        (String::new(), QuarantineReason::NotJson),
        ("hello".to_owned(), QuarantineReason::NotJson),
        (missing_comma, QuarantineReason::NotJson),
        (fulfilled().to_string()[..200].to_owned(), QuarantineReason::NotJson),
        (notification_of("plain text of somebody"), QuarantineReason::NotJson),
        ("[".repeat(5_000), QuarantineReason::NotJson),
        ("[]".to_owned(), QuarantineReason::NotAnEvent),
        ("{}".to_owned(), QuarantineReason::NotAnEvent),
        ("42".to_owned(), QuarantineReason::NotAnEvent),
        (r#"{"detail-type":7}"#.to_owned(), QuarantineReason::NotAnEvent),
        (
            r#"{"Type":"SubscriptionConfirmation","Message":"You have chosen"}"#.to_owned(),
            QuarantineReason::NotAnEvent,
        ),
        (r#"{"Type":"Notification","Message":{}}"#.to_owned(), QuarantineReason::NotAnEvent),
        (notification_of("[1]"), QuarantineReason::NotAnEvent),
        (unknown_placement.to_string(), QuarantineReason::UnknownType),
        (unknown_match.to_string(), QuarantineReason::UnknownType),
        (other_source.to_string(), QuarantineReason::NotGameLift),
        (of_game_lift.to_string(), QuarantineReason::UnknownType),
        (without(fulfilled(), &["detail"]), QuarantineReason::Incomplete),
        (without(fulfilled(), &["resources"]), QuarantineReason::Incomplete),
        (without(fulfilled(), &["detail", "type"]), QuarantineReason::Incomplete),
        (without(fulfilled(), &["detail", "placementId"]), QuarantineReason::Incomplete),
        (empty_id.to_string(), QuarantineReason::Incomplete),
        (no_moment, QuarantineReason::Incomplete),
        (without(succeeded(), &["id"]), QuarantineReason::Incomplete),
        (without(succeeded(), &["time"]), QuarantineReason::Incomplete),
        (without(succeeded(), &["resources"]), QuarantineReason::Incomplete),
    ];
    for (body, reason) in cases {
        let message = aside(&body);
        assert_eq!(message.reason, reason, "{}: {body}", message.detail);
        assert_eq!(message.body, body);
        assert_eq!((message.message_id.as_str(), message.region.as_str()), ("m-1", "us-east-1"));
        assert!(!message.detail.is_empty());
    }
}

/// A call of GameLift as EventBridge delivers it.
fn delivered_call(members: &Value) -> String {
    let mut event = json!({
        "version": "0", "id": "m", "detail-type": "AWS API Call via CloudTrail", "source": "aws.gamelift",
        "account": "111122223333", "time": "2026-11-20T20:05:27Z", "region": "eu-west-1", "resources": [],
        "detail": {
            "eventID": "e-1", "eventName": "UpdateAlias", "eventTime": "2026-11-20T20:05:27Z",
            "awsRegion": "eu-west-1", "eventSource": "gamelift.amazonaws.com", "recipientAccountId": "111122223333",
            "userIdentity": { "type": "IAMUser", "userName": "bob" },
        },
    });
    for (name, value) in members.as_object().unwrap() {
        event[name] = value.clone();
    }
    event.to_string()
}

#[test]
fn a_call_of_gamelift_is_read_and_one_of_another_account_or_service_is_put_aside() {
    let Reading::Call(record) = reading(&delivered_call(&json!({}))) else { panic!("a call") };
    let call = record.call.unwrap();
    assert_eq!((record.event_id.as_str(), call.caller.principal.label()), ("e-1", "bob"));
    let reason = |members: Value| aside(&delivered_call(&members)).reason;
    assert_eq!(reason(json!({ "source": "aws.s3" })), QuarantineReason::NotGameLift);
    assert_eq!(reason(json!({ "account": "999900001111" })), QuarantineReason::OtherAccount);
    assert_eq!(reason(json!({ "detail": null })), QuarantineReason::Incomplete);
    assert_eq!(reason(json!({ "detail": { "eventID": "e-1" } })), QuarantineReason::Incomplete);
}

#[test]
fn an_event_that_names_another_account_anywhere_or_none_at_all_is_not_ours() {
    let of = |outer: Value, arn: &str, topic: &str| {
        let mut event = example("PlacementFulfilled");
        event["account"] = outer;
        event["resources"] = json!([arn]);
        let notification = json!({"Type": "Notification", "TopicArn": topic, "Message": event.to_string()});
        match reading(&notification.to_string()) {
            Reading::Event(_) | Reading::Call(_) => None,
            Reading::Aside(message) => Some((message.reason, message.detail)),
        }
    };
    let (ours, theirs) = ("111122223333", "999900001111");
    let queue = |account: &str| format!("arn:aws:gamelift:eu-west-1:{account}:gamesessionqueue/arena-eu");
    let topic = |account: &str| format!("arn:aws:sns:eu-west-1:{account}:t");
    assert_eq!(of(json!(ours), &queue(ours), &topic(ours)), None);
    assert_eq!(of(json!(ours), &queue(""), ""), None);
    assert_eq!(of(json!(null), &queue(ours), ""), None);
    for (outer, arn, over) in [
        (json!(theirs), queue(ours), topic(ours)),
        (json!(ours), queue(theirs), topic(ours)),
        (json!(ours), queue(ours), topic(theirs)),
        (json!(null), queue(theirs), String::new()),
    ] {
        let (reason, detail) = of(outer, &arn, &over).expect("another account's");
        assert_eq!(reason, QuarantineReason::OtherAccount);
        assert!(detail.contains(theirs), "{detail}");
    }
    let (reason, _) = of(json!(null), &queue(""), "").expect("nobody's");
    assert_eq!(reason, QuarantineReason::OtherAccount);
}

#[test]
fn an_event_names_its_queue_and_the_fleet_it_was_placed_on() {
    let names = FeedEvent::Placement(placement(&example("PlacementFulfilled").to_string())).names();
    let told: Vec<_> =
        names.iter().map(|name| (name.kind.as_str(), name.region.as_str(), name.id.as_str())).collect();
    assert_eq!(
        told,
        [
            ("queue", "eu-west-1", "arena-eu"),
            ("fleet", "eu-west-1", "fleet-11112222-aaaa-4bbb-8ccc-333344445555")
        ]
    );
    let names = FeedEvent::Placement(placement(&example("PlacementFailed").to_string())).names();
    assert_eq!(names.len(), 1, "it was not placed");
}

/// Any JSON, to replace a value in an event.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-zA-Z-]{1,12}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Replaces the `at`-th value (counted depth-first) of `event`.
fn replace(event: &mut Value, at: &mut usize, with: &Value) {
    if *at == 0 {
        *event = with.clone();
        *at = usize::MAX;
        return;
    }
    *at -= 1;
    match event {
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, at, with)),
        Value::Object(map) => map.values_mut().for_each(|item| replace(item, at, with)),
        _ => {}
    }
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader_and_none_is_lost(body in any::<String>()) {
        prop_assert_eq!(aside(&body).body, body);
    }

    #[test]
    fn an_event_with_any_value_swapped_is_read_or_put_aside_whole(
        line in 0..12usize, at in 0..60usize, with in any_json(), enveloped in any::<bool>(),
    ) {
        let mut event: Value = serde_json::from_str(EVENTS.lines().nth(line).unwrap()).unwrap();
        replace(&mut event, &mut { at }, &with);
        let body = if enveloped { notification_of(&event.to_string()) } else { event.to_string() };
        if let Reading::Aside(message) = reading(&body) {
            prop_assert_eq!(message.body, body);
        }
    }

    #[test]
    fn a_cut_event_is_put_aside(line in 0..12usize, share in 0.0..1.0f64) {
        let event = EVENTS.lines().nth(line).unwrap();
        let cut = &event[..(event.len() as f64 * share) as usize];
        prop_assert_eq!(aside(cut).reason, QuarantineReason::NotJson);
    }

    #[test]
    fn the_envelope_does_not_change_what_is_read(line in 0..12usize) {
        let event = EVENTS.lines().nth(line).unwrap();
        prop_assert_eq!(reading(&notification_of(event)), reading(event));
    }
}
