//! Creating, changing and deleting queues.

use super::*;

#[test]
fn a_queue_is_made_changed_and_deleted() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let arn = format!("arn:aws:gamelift:eu-west-1::fleet/{fleet}");
    let made = trial.ask(
        EU,
        "CreateGameSessionQueue",
        json!({
            "Name": "duels", "Destinations": [{ "DestinationArn": arn }], "TimeoutInSeconds": 30,
            "PriorityConfiguration": {"PriorityOrder": ["LOCATION"], "LocationOrder": ["eu-north-1"]},
            "FilterConfiguration": {"AllowedLocations": ["eu-north-1", "eu-west-1"]},
            "CustomEventData": "d", "NotificationTarget": "arn:aws:sns:eu-west-1:111122223333:topic",
            "Tags": [{"Key": "team", "Value": "ops"}],
        }),
    );
    let made = made["GameSessionQueue"].clone();
    assert_eq!(made["GameSessionQueueArn"], "arn:aws:gamelift:eu-west-1:111122223333:gamesessionqueue/duels");
    assert_eq!((&made["TimeoutInSeconds"], &made["CustomEventData"]), (&json!(30), &json!("d")));
    let seen = trial.ask(EU, "DescribeGameSessionQueues", json!({"Names": ["duels"]}));
    assert_eq!(seen["GameSessionQueues"], json!([made]));
    let changed = trial.ask(
        EU,
        "UpdateGameSessionQueue",
        json!({
            "Name": made["GameSessionQueueArn"], "PriorityConfiguration": {}, "FilterConfiguration": {},
            "PlayerLatencyPolicies": [{"MaximumIndividualPlayerLatencyMilliseconds": 80}],
        }),
    );
    let changed = &changed["GameSessionQueue"];
    assert!(changed.get("PriorityConfiguration").is_none() && changed.get("FilterConfiguration").is_none());
    assert_eq!(changed["PlayerLatencyPolicies"], json!([{"MaximumIndividualPlayerLatencyMilliseconds": 80}]));
    assert_eq!(changed["TimeoutInSeconds"], 30);
    trial.ask(EU, "DeleteGameSessionQueue", json!({"Name": "duels"}));
    let seen = trial.ask(EU, "DescribeGameSessionQueues", json!({"Names": ["duels"]}));
    assert_eq!(seen["GameSessionQueues"], json!([]));
    let start = json!({"GameSessionQueueName": "duels", "PlacementId": "p", "MaximumPlayerSessionCount": 2});
    assert_eq!(trial.refused(EU, "StartGameSessionPlacement", start), "NotFoundException");
}

#[test]
fn queues_keep_the_rules_of_the_reference() {
    let mut trial = Trial::new();
    let with = |extra: Json| {
        let mut input = json!({"Name": "q"});
        input.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        input
    };
    let arn = |fleet: &str| json!({"DestinationArn": format!("arn:aws:gamelift:eu-west-1::fleet/{fleet}")});
    let fleet = trial.fleet("arena-prod-eu");
    trial.refuses(
        EU,
        "CreateGameSessionQueue",
        vec![
            ("Name required", json!({}), "InvalidRequestException"),
            ("A16 GameSessionQueueName", json!({"Name": "a b"}), "InvalidRequestException"),
            ("names are unique within a Region", json!({"Name": "arena-eu"}), "InvalidRequestException"),
            (
                "C GameSessionQueue: TimeoutInSeconds 10..600",
                with(json!({"TimeoutInSeconds": 9})),
                "InvalidRequestException",
            ),
            (
                "C GameSessionQueue: TimeoutInSeconds 10..600",
                with(json!({"TimeoutInSeconds": 601})),
                "InvalidRequestException",
            ),
            ("A7: NF", with(json!({"Destinations": [arn("fleet-none")]})), "NotFoundException"),
            (
                "G2: 10 destinations of a queue",
                with(json!({"Destinations": vec![arn(&fleet); 11]})),
                "InvalidRequestException",
            ),
            (
                "A16 PriorityTypeList 1..4",
                with(json!({"PriorityConfiguration": {"PriorityOrder": []}})),
                "InvalidRequestException",
            ),
            (
                "each priority type is listed once",
                with(json!({"PriorityConfiguration": {"PriorityOrder": ["COST", "COST"]}})),
                "InvalidRequestException",
            ),
            (
                "all policies must have a maximum",
                with(json!({"PlayerLatencyPolicies": [{"PolicyDurationSeconds": 5}]})),
                "InvalidRequestException",
            ),
            (
                "A16 QueueSnsArnStringModel",
                with(json!({"NotificationTarget": "a/b"})),
                "InvalidRequestException",
            ),
        ],
    );
    let unknown = json!({"Name": "none", "TimeoutInSeconds": 20});
    assert_eq!(trial.refused(EU, "UpdateGameSessionQueue", unknown), "NotFoundException");
    assert_eq!(trial.refused(EU, "DeleteGameSessionQueue", json!({"Name": "none"})), "NotFoundException");
    let mut made = 0;
    let last = loop {
        match trial.call(EU, "CreateGameSessionQueue", json!({"Name": format!("queue-{made}")})) {
            Ok(_) => made += 1,
            Err(error) => break error.code,
        }
    };
    assert_eq!(last, "LimitExceededException", "G2: 100 queues");
    assert_eq!(trial.world().queues(EU).count(), 100);
}

#[test]
fn what_waits_in_a_deleted_queue_fails_and_its_matches_with_it() {
    let mut trial = Trial::new();
    let blue = trial.fleet("arena-prod-ap-blue");
    trial.ask(AP, "CreateGameSessionQueue", json!({
        "Name": "empty", "Destinations": [{"DestinationArn": format!("arn:aws:gamelift:ap-northeast-1::fleet/{blue}")}],
    }));
    trial.ask(
        AP,
        "StartGameSessionPlacement",
        json!({
            "GameSessionQueueName": "empty", "PlacementId": "w-1", "MaximumPlayerSessionCount": 2,
        }),
    );
    trial.ask(AP, "DeleteGameSessionQueue", json!({"Name": "empty"}));
    trial.ask(EU, "DeleteGameSessionQueue", json!({"Name": "arena-ranked-eu"}));
    let seen = trial.ask(AP, "DescribeGameSessionPlacement", json!({"PlacementId": "w-1"}));
    assert_eq!(seen["GameSessionPlacement"]["Status"], "FAILED");
    trial.pass(180);
    assert!(trial.world().pending_placements(AP).all(|id| id != "w-1"));
}

#[test]
fn log_destinations_are_given_added_removed_and_shown() {
    let mut trial = Trial::new();
    let logs =
        json!({"LogDestination": "CLOUDWATCH", "DestinationArn": "arn:aws:logs:eu-west-1:1:log-group:a:*"});
    let bucket = json!({"LogDestination": "S3", "DestinationArn": "arn:aws:s3:::placements"});
    let stream = json!({"LogDestination": "FIREHOSE"});
    let plain = trial.ask(EU, "CreateGameSessionQueue", json!({"Name": "plain"}));
    assert!(plain["GameSessionQueue"].get("LogConfiguration").is_none());
    let input = json!({"Name": "logged", "LogConfiguration": {"DeliveryDestinations": [logs]}});
    let made = trial.ask(EU, "CreateGameSessionQueue", input);
    assert_eq!(made["GameSessionQueue"]["LogConfiguration"]["DeliveryDestinations"], json!([logs]));
    let change = json!({"Name": "logged", "AddLogDeliveryDestinations": [logs, bucket, stream]});
    let changed = trial.ask(EU, "UpdateGameSessionQueue", change);
    let all = &changed["GameSessionQueue"]["LogConfiguration"]["DeliveryDestinations"];
    assert_eq!(*all, json!([logs, bucket, stream]), "what is there is not doubled");
    let other = json!({"LogDestination": "S3", "DestinationArn": "arn:aws:s3:::other"});
    let add = |more: Json| json!({"Name": "logged", "AddLogDeliveryDestinations": more});
    let remove = |less: Json| json!({"Name": "logged", "RemoveLogDeliveryDestinations": less});
    trial.refuses(
        EU,
        "UpdateGameSessionQueue",
        vec![
            ("A16 LogDeliveryDestinationList 1..3", add(json!([])), "InvalidRequestException"),
            ("A16 LogDeliveryDestinationList 1..3, together", add(json!([other])), "InvalidRequestException"),
            ("only what is there is removed", remove(json!([other])), "InvalidRequestException"),
            (
                "LogDestination is required",
                add(json!([{"DestinationArn": "arn:aws:s3:::a"}])),
                "InvalidRequestException",
            ),
            ("enumeration", add(json!([{"LogDestination": "TAPE"}])), "InvalidRequestException"),
        ],
    );
    let gone = trial.ask(EU, "UpdateGameSessionQueue", remove(json!([logs, bucket, stream])));
    assert!(gone["GameSessionQueue"].get("LogConfiguration").is_none());
}
