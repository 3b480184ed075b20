//! The event feed: receiving, deleting, long polls.

use std::time::{Duration, Instant};

use liftdeck_gateway::{ErrorKind, EventFeed, EventQueue, Patience};

use crate::server::{Answer, Server, impatient, patient, region};

fn json(status: u16, body: &str) -> Answer {
    let headers = vec![("content-type", "application/x-amz-json-1.0".to_owned())];
    Answer::Whole { status, headers, body: body.as_bytes().to_vec() }
}

async fn feed(server: &Server, patience: Patience) -> EventFeed {
    let url = format!("{}/111122223333/liftdeck-events", server.endpoint);
    server.gateway(patience).await.event_feed(&EventQueue { region: region(), url }).unwrap()
}

#[tokio::test]
async fn messages_arrive_with_their_count_and_moment() {
    let server = Server::start(|_, _| {
        json(
            200,
            r#"{"Messages":[{"MessageId":"m-1","ReceiptHandle":"rh-1","MD5OfBody":"x","Body":"{\"a\":1}",
                "Attributes":{"SentTimestamp":"1700000000123","ApproximateReceiveCount":"2"}}]}"#,
        )
    })
    .await;
    let messages =
        feed(&server, patient()).await.receive(10, Duration::ZERO, Duration::from_secs(30)).await.unwrap();
    assert_eq!(messages.len(), 1);
    assert_eq!((messages[0].body.as_str(), messages[0].receive_count), ("{\"a\":1}", 2));
    assert_eq!(messages[0].sent_at.unwrap().as_ms(), 1_700_000_000_123);
    assert!(server.requests()[0].mentions("\"VisibilityTimeout\":30"));
}

#[tokio::test]
async fn an_empty_queue_is_no_messages() {
    let server = Server::start(|_, _| json(200, "{}")).await;
    let messages = feed(&server, patient()).await.receive(10, Duration::ZERO, Duration::ZERO).await.unwrap();
    assert!(messages.is_empty());
}

#[tokio::test]
async fn twenty_five_handles_are_deleted_in_three_batches_and_refusals_come_back() {
    let server = Server::start(|_, number| match number {
        1 => json(
            200,
            r#"{"Successful":[],"Failed":[{"Id":"4","Code":"ReceiptHandleIsInvalid","SenderFault":true}]}"#,
        ),
        _ => json(200, r#"{"Successful":[],"Failed":[]}"#),
    })
    .await;
    let handles: Vec<String> = (0..25).map(|n| format!("rh-{n}")).collect();
    let failures = feed(&server, patient()).await.delete_batch(&handles).await.unwrap();
    assert_eq!(server.requests().len(), 3);
    assert_eq!(failures.len(), 1);
    assert_eq!(
        (failures[0].receipt_handle.as_str(), failures[0].code.as_str()),
        ("rh-14", "ReceiptHandleIsInvalid")
    );
}

#[tokio::test]
async fn a_long_poll_may_last_longer_than_other_calls() {
    let server = Server::start(|request, _| {
        if request.mentions("\"WaitTimeSeconds\":20") {
            std::thread::sleep(Duration::from_millis(900));
        }
        json(200, "{}")
    })
    .await;
    let begun = Instant::now();
    // The answer takes longer than the patience for other calls.
    let answer = feed(&server, impatient()).await.receive(10, Duration::from_secs(20), Duration::ZERO).await;
    assert_eq!(answer, Ok(Vec::new()));
    assert!(begun.elapsed() >= Duration::from_millis(900));
    assert_eq!(server.requests().len(), 1, "one attempt was enough");
}

#[tokio::test]
async fn a_queue_that_is_gone_is_not_found() {
    let server = Server::start(|_, _| {
        let Answer::Whole { status, mut headers, body } =
            json(400, r#"{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"gone"}"#)
        else {
            unreachable!()
        };
        headers.push(("x-amzn-query-error", "AWS.SimpleQueueService.NonExistentQueue;Sender".to_owned()));
        Answer::Whole { status, headers, body }
    })
    .await;
    let error = feed(&server, patient()).await.attributes().await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
    assert!(error.resource.unwrap().ends_with("liftdeck-events"));
}

#[tokio::test]
async fn attributes_tell_what_waits() {
    let server = Server::start(|_, _| {
        json(
            200,
            r#"{"Attributes":{"ApproximateNumberOfMessages":"7","ApproximateNumberOfMessagesNotVisible":"2",
                "QueueArn":"arn:aws:sqs:eu-west-1:111122223333:liftdeck-events","MessageRetentionPeriod":"345600"}}"#,
        )
    })
    .await;
    let attributes = feed(&server, patient()).await.attributes().await.unwrap();
    assert_eq!((attributes.waiting, attributes.in_flight), (7, 2));
    assert_eq!(attributes.retention_seconds, Some(345_600));
}
