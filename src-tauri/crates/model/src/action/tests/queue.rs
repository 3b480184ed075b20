//! Form rules of queues.

use super::*;

#[test]
fn queues() {
    let update = || UpdateGameSessionQueue {
        name: "eu".into(),
        timeout_seconds: None,
        destinations: None,
        player_latency_policies: None,
        notification_target: None,
    };
    let timeout = |seconds| UpdateGameSessionQueue { timeout_seconds: Some(seconds), ..update() };
    let to = |arns: &[&str]| UpdateGameSessionQueue {
        destinations: Some(arns.iter().map(|arn| (*arn).to_owned()).collect()),
        ..update()
    };
    let policy = |maximum_individual_player_latency_ms, policy_duration_seconds| UpdateGameSessionQueue {
        player_latency_policies: Some(vec![LatencyPolicy {
            maximum_individual_player_latency_ms,
            policy_duration_seconds,
        }]),
        ..update()
    };
    let told =
        |topic: &str| UpdateGameSessionQueue { notification_target: Some(topic.to_owned()), ..update() };
    let fleet = "arn:aws:gamelift:eu-west-1::fleet/fleet-1";
    hold(
        [
            ("H7 queue timeout 10..600", timeout(10), &[][..]),
            ("H7 queue timeout 10..600", timeout(9), &["timeoutSeconds"]),
            ("H7 queue timeout 10..600", timeout(601), &["timeoutSeconds"]),
            ("H4 DestinationArn", to(&[fleet, "arn:aws:gamelift:eu-west-1::alias/alias-1"]), &[]),
            ("A7 Destinations: no minimum", to(&[]), &[]),
            ("H4 DestinationArn: always an ARN", to(&["fleet-1"]), &["destinations[0]"]),
            ("our own: a destination twice", to(&[fleet, fleet]), &["destinations[1]"]),
            ("A16 WholeNumber", policy(Some(0), None), &[]),
            ("A16 WholeNumber", policy(Some(-1), None), &["playerLatencyPolicies[0]"]),
            ("A16 WholeNumber", policy(None, Some(-1)), &["playerLatencyPolicies[0]"]),
            ("A16 QueueSnsArnStringModel", told("arn:aws:sns:eu-west-1:111122223333:events"), &[]),
            ("A16 QueueSnsArnStringModel", told("arn:aws:sns:eu-west-1:111122223333:events.fifo"), &[]),
            ("our own: the ARN of a topic", told("events"), &["notificationTarget"]),
            (
                "our own: the ARN of a topic",
                told("arn:aws:sqs:eu-west-1:111122223333:q"),
                &["notificationTarget"],
            ),
            ("A16 QueueSnsArnStringModel", told(""), &["notificationTarget", "notificationTarget"]),
            ("our own: nothing to change", update(), &["name"]),
            (
                "A16 GameSessionQueueName",
                UpdateGameSessionQueue { name: "arn:aws:x:gamesessionqueue/eu".into(), ..timeout(10) },
                &["name"],
            ),
        ],
        Request::UpdateGameSessionQueue,
    );
}

#[test]
fn a_new_queue_is_named_and_its_settings_are_what_aws_takes() {
    let create = |name: &str| CreateGameSessionQueue {
        name: name.into(),
        timeout_seconds: None,
        destinations: Vec::new(),
        player_latency_policies: Vec::new(),
        allowed_locations: Vec::new(),
        priority_order: Vec::new(),
        location_order: Vec::new(),
        custom_event_data: None,
        notification_target: None,
    };
    let texts = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
    let ordered = |priority: &[&str], location: &[&str]| CreateGameSessionQueue {
        priority_order: texts(priority),
        location_order: texts(location),
        ..create("eu")
    };
    let marked = |length| CreateGameSessionQueue { custom_event_data: Some(text(length)), ..create("eu") };
    hold(
        [
            ("A16 GameSessionQueueName", create("arena-eu"), &[][..]),
            ("A16 GameSessionQueueName", create("arena eu"), &["name"]),
            ("A16 GameSessionQueueName", create(""), &["name"]),
            (
                "H7 queue timeout 10..600",
                CreateGameSessionQueue { timeout_seconds: Some(9), ..create("eu") },
                &["timeoutSeconds"],
            ),
            ("A16 QueueCustomEventData", marked(256), &[]),
            ("A16 QueueCustomEventData", marked(257), &["customEventData"]),
            ("B PriorityType", ordered(&["LOCATION", "COST"], &["eu-west-1", "us-east-1"]), &[]),
            ("B PriorityType", ordered(&["SPEED"], &[]), &["priorityOrder[0]"]),
            ("our own: a priority twice", ordered(&["COST", "COST"], &[]), &["priorityOrder[1]"]),
            (
                "our own: an order that counts for nothing",
                ordered(&["COST"], &["eu-west-1"]),
                &["locationOrder"],
            ),
            ("our own: a location twice", ordered(&["LOCATION"], &["a", "a"]), &["locationOrder[1]"]),
        ],
        Request::CreateGameSessionQueue,
    );
}

#[test]
fn a_topic_is_known_by_its_arn() {
    assert_eq!(topic_region("arn:aws:sns:eu-west-1:111122223333:events"), Some("eu-west-1"));
    for arn in ["", "events", "arn:aws:sns:eu-west-1:1:events", "arn:aws:sns::111122223333:events"] {
        assert_eq!(topic_region(arn), None, "{arn}");
    }
    assert!(is_fifo("arn:aws:sns:eu-west-1:111122223333:events.fifo"));
}
