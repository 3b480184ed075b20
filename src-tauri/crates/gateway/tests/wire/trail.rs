//! Look-ups in CloudTrail's event history: throttling, refusals, repeated tokens and damaged records.

use liftdeck_gateway::ErrorKind;
use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use serde_json::{Value, json};

use crate::server::{Answer, Server, patient, region};

fn window() -> TimeRange {
    TimeRange::new(Timestamp::from_ms(1_700_000_000_000), Timestamp::from_ms(1_700_000_600_000))
}

fn answer(status: u16, body: &Value) -> Answer {
    let headers = vec![
        ("content-type", "application/x-amz-json-1.1".to_owned()),
        ("x-amzn-requestid", "req-1".to_owned()),
    ];
    Answer::Whole { status, headers, body: body.to_string().into_bytes() }
}

fn event(id: &str, raw: &str) -> Value {
    json!({ "EventId": id, "EventName": "UpdateAlias", "EventTime": 1_700_000_030, "CloudTrailEvent": raw })
}

fn record(id: &str) -> String {
    json!({
        "eventID": id, "eventName": "UpdateAlias", "eventTime": "2023-11-14T22:13:50Z", "awsRegion": "eu-west-1",
        "eventSource": "gamelift.amazonaws.com",
    })
    .to_string()
}

#[tokio::test]
async fn a_throttled_look_up_waits_and_is_made_again() {
    let server = Server::start(|_, number| match number {
        0 => answer(400, &json!({ "__type": "ThrottlingException", "message": "Rate exceeded" })),
        _ => answer(200, &json!({ "Events": [event("e-1", &record("e-1"))] })),
    })
    .await;
    let gateway = server.gateway(patient()).await;
    let found = gateway.reader(&region()).unwrap().trail("UpdateAlias", window()).await;
    assert!(found.complete && found.items.len() == 1, "{:?}", found.failure);
    let usage = gateway.usage();
    let lookups = usage.operations.iter().find(|usage| usage.operation == "LookupEvents").unwrap();
    assert_eq!((lookups.throttles, lookups.retries), (1, 1));
    assert!(server.requests().iter().all(|request| request.mentions("UpdateAlias")));
}

#[tokio::test]
async fn a_refusal_names_the_permission() {
    let denied = json!({ "__type": "AccessDeniedException", "message": "User is not authorized" });
    let server = Server::start(move |_, _| answer(400, &denied)).await;
    let found = server.reader().await.trail("UpdateAlias", window()).await;
    let failure = found.failure.unwrap();
    assert_eq!(failure.kind, ErrorKind::Denied);
    assert!(failure.remedy().unwrap().contains("`cloudtrail:LookupEvents`"));
}

#[tokio::test]
async fn a_damaged_record_is_kept_and_an_event_without_its_text_is_a_flaw() {
    let bare = json!({ "EventId": "e-3", "EventName": "UpdateAlias", "EventTime": 1_700_000_030 });
    let events = json!({ "Events": [event("e-1", "{\"eventID\":"), event("e-2", &record("e-2")), bare] });
    let server = Server::start(move |_, _| answer(200, &events)).await;
    let found = server.reader().await.trail("UpdateAlias", window()).await;
    let read: Vec<_> = found.items.iter().map(|it| (it.event_id.as_str(), it.call.is_some())).collect();
    assert_eq!(read, [("e-1", false), ("e-2", true)]);
    assert!(!found.complete && found.failure.is_some());
}

#[tokio::test]
async fn an_event_that_two_pages_have_is_one() {
    let server = Server::start(|request, _| {
        let events = [event("e-2", &record("e-2")), event("e-1", &record("e-1"))];
        let last = [event("e-1", &record("e-1")), event("e-0", &record("e-0"))];
        match request.mentions("token-a") {
            false => answer(200, &json!({ "Events": events, "NextToken": "token-a" })),
            true => answer(200, &json!({ "Events": last })),
        }
    })
    .await;
    let found = server.reader().await.trail("UpdateAlias", window()).await;
    let ids: Vec<_> = found.items.iter().map(|record| record.event_id.as_str()).collect();
    assert_eq!((ids, found.complete), (vec!["e-2", "e-1", "e-0"], true));
}

#[tokio::test]
async fn a_repeated_token_never_passes_for_the_whole_history() {
    let page = json!({ "Events": [event("e-1", &record("e-1"))], "NextToken": "same" });
    let server = Server::start(move |_, _| answer(200, &page)).await;
    let found = server.reader().await.trail("UpdateAlias", window()).await;
    assert!(!found.complete);
    assert_eq!(found.failure.unwrap().kind, ErrorKind::Decode);
}
