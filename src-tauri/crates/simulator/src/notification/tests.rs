//! Compares the events with the examples of the developer guides.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Announcement, Author, Event, envelope, publication};
use liftdeck_simulated_world::records::{
    FulfilledPlacement, MatchmakingKind, MatchmakingNotice, Notice, NoticeConnection, NoticeDetail,
    NoticePlayer, NoticeTicket, PlacedPlayerSession, PlacementNotice, PlacementOutcome, RuleEvaluation,
};

const ACCOUNT: &str = "111122223333";
/// 2026-03-04T10:15:30.402Z.
const END_MS: i64 = 1_772_619_330_402;
const SESSION: &str = "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/eu-north-1/plc-1";

fn placement(outcome: PlacementOutcome) -> Notice {
    let detail = PlacementNotice {
        placement_id: "plc-1".to_owned(),
        start_time_ms: END_MS - 6285,
        end_time_ms: END_MS,
        outcome,
    };
    Notice {
        id: "0b7c1f52-6a3e-4d8f-9b21-5e0c9a7d3f10".to_owned(),
        time_ms: END_MS,
        region: "eu-west-1".to_owned(),
        resource_arn: "arn:aws:gamelift:eu-west-1:111122223333:gamesessionqueue/arena-eu".to_owned(),
        notification_target: None,
        custom_event_data: Some("arena-eu".to_owned()),
        detail: NoticeDetail::Placement(detail),
    }
}

fn matchmaking(kind: MatchmakingKind, connection: Option<NoticeConnection>) -> Notice {
    let player = NoticePlayer {
        player_id: "p-100".to_owned(),
        team: Some("red".to_owned()),
        accepted: None,
        player_session_id: None,
    };
    let ticket =
        NoticeTicket { ticket_id: "tk-1".to_owned(), start_time_ms: END_MS - 90_000, players: vec![player] };
    let detail =
        MatchmakingNotice { kind, tickets: vec![ticket], match_id: Some("match-1".to_owned()), connection };
    Notice {
        resource_arn: "arn:aws:gamelift:eu-west-1:111122223333:matchmakingconfiguration/arena-2v2".to_owned(),
        custom_event_data: None,
        detail: NoticeDetail::Matchmaking(detail),
        ..placement(PlacementOutcome::Failed)
    }
}

fn body(notice: &Notice) -> Value {
    serde_json::from_str(&Announcement::new(notice.clone(), ACCOUNT).write()).unwrap()
}

#[test]
fn a_fulfilled_placement_is_told_with_its_port_as_text() {
    let placed =
        PlacedPlayerSession { player_id: "p-100".to_owned(), player_session_id: "psess-1".to_owned() };
    let fulfilled = FulfilledPlacement {
        port: 7777,
        game_session_arn: SESSION.to_owned(),
        ip_address: "203.0.113.24".to_owned(),
        dns_name: None,
        game_session_region: "eu-west-1".to_owned(),
        game_session_location: "eu-north-1".to_owned(),
        compute_name: "i-0abc".to_owned(),
        placed_player_sessions: vec![placed],
    };
    let told = body(&placement(PlacementOutcome::Fulfilled(Box::new(fulfilled))));
    let expected = json!({
        "version": "0",
        "id": "0b7c1f52-6a3e-4d8f-9b21-5e0c9a7d3f10",
        "detail-type": "GameLift Queue Placement Event",
        "source": "aws.gamelift",
        "account": ACCOUNT,
        "time": "2026-03-04T10:15:30Z",
        "region": "eu-west-1",
        "resources": ["arn:aws:gamelift:eu-west-1:111122223333:gamesessionqueue/arena-eu"],
        "detail": {
            "type": "PlacementFulfilled",
            "placementId": "plc-1",
            "port": "7777",
            "gameSessionArn": SESSION,
            "ipAddress": "203.0.113.24",
            "startTime": "2026-03-04T10:15:24.117Z",
            "endTime": "2026-03-04T10:15:30.402Z",
            "gameSessionRegion": "eu-west-1",
            "gameSessionLocation": "eu-north-1",
            "playerGatewayStatus": "DISABLED",
            "computeName": "i-0abc",
            "customEventData": "arena-eu",
            "placedPlayerSessions": [{"playerId": "p-100", "playerSessionId": "psess-1"}],
        },
    });
    assert_eq!(told, expected);
}

#[test]
fn the_other_placement_outcomes_carry_no_session() {
    for (outcome, name) in [
        (PlacementOutcome::Cancelled, "PlacementCancelled"),
        (PlacementOutcome::TimedOut, "PlacementTimedOut"),
        (PlacementOutcome::Failed, "PlacementFailed"),
    ] {
        let detail = &body(&placement(outcome))["detail"];
        assert_eq!(detail["type"], name);
        let members = detail.as_object().unwrap();
        assert_eq!(members.len(), 5, "{members:?}");
    }
}

#[test]
fn a_wrapped_event_is_text_inside_a_notification() {
    let topic = "arn:aws:sns:eu-west-1:111122223333:gamelift-placements";
    let notice = placement(PlacementOutcome::TimedOut);
    let event = Arc::new(Announcement::new(notice, ACCOUNT));
    let told = publication(&event, topic.to_owned());
    let outer = envelope(&told, &format!("{topic}:1"));
    assert_eq!((&outer["Type"], &outer["TopicArn"]), (&json!("Notification"), &json!(topic)));
    assert_eq!(outer["Timestamp"], "2026-03-04T10:15:30.402Z");
    assert!(outer["UnsubscribeURL"].as_str().unwrap().starts_with("https://sns.eu-west-1.amazonaws.com/?"));
    let inner: Value = serde_json::from_str(outer["Message"].as_str().unwrap()).unwrap();
    assert_eq!(inner["detail"]["type"], "PlacementTimedOut");
    assert_eq!(inner, serde_json::from_str::<Value>(&event.body().text()).unwrap());
    assert_eq!(event.member("detail").as_ref(), inner.get("detail"));
}

#[test]
fn an_estimated_wait_that_is_not_known_is_said_in_words() {
    let known = body(&matchmaking(MatchmakingKind::Searching { estimated_wait_s: Some(14) }, None));
    assert_eq!(known["detail"]["estimatedWaitMillis"], 14);
    let unknown = body(&matchmaking(MatchmakingKind::Searching { estimated_wait_s: None }, None));
    assert_eq!(unknown["detail"]["estimatedWaitMillis"], "NOT_AVAILABLE");
}

#[test]
fn a_succeeded_match_is_told_with_its_port_as_a_number() {
    let connection = NoticeConnection {
        game_session_arn: SESSION.to_owned(),
        ip_address: "203.0.113.24".to_owned(),
        dns_name: Some("ec2.example".to_owned()),
        port: 7777,
        game_session_location: "eu-west-1".to_owned(),
        compute_name: "i-0abc".to_owned(),
    };
    let told = body(&matchmaking(MatchmakingKind::Succeeded, Some(connection)));
    assert_eq!(told["detail-type"], "GameLift Matchmaking Event");
    let player = json!({"playerId": "p-100", "team": "red"});
    let expected = json!({
        "type": "MatchmakingSucceeded",
        "matchId": "match-1",
        "tickets": [{"ticketId": "tk-1", "startTime": "2026-03-04T10:14:00.402Z", "players": [player]}],
        "gameSessionInfo": {
            "gameSessionArn": SESSION,
            "ipAddress": "203.0.113.24",
            "dnsName": "ec2.example",
            "port": 7777,
            "playerGatewayStatus": "DISABLED",
            "computeName": "i-0abc",
            "gameSessionLocation": "eu-west-1",
            "players": [player],
        },
    });
    assert_eq!(told["detail"], expected);
}

#[test]
fn a_match_that_failed_says_why() {
    let rules = vec![RuleEvaluation { rule_name: "EvenTeams".to_owned(), passed_count: 3, failed_count: 1 }];
    let told = body(&matchmaking(
        MatchmakingKind::TimedOut { rule_evaluation_metrics: rules, message: "timed out".to_owned() },
        None,
    ));
    let detail = &told["detail"];
    assert_eq!((&detail["reason"], &detail["message"]), (&json!("TimedOut"), &json!("timed out")));
    let rules = json!([{"ruleName": "EvenTeams", "passedCount": 3, "failedCount": 1}]);
    assert_eq!(detail["ruleEvaluationMetrics"], rules);
}

#[test]
fn the_same_notice_gives_the_same_message() {
    let notice = placement(PlacementOutcome::Cancelled);
    assert_eq!(body(&notice), body(&notice));
}
