//! The event feed: receiving, deleting, long polls.

use std::time::{Duration, Instant};

use liftdeck_gateway::{AdoptedFeed, ErrorKind, EventFeed, EventQueue, Patience};
use liftdeck_model::Timestamp;
use liftdeck_model::feed::{Adoption, ForeignBodies};

use crate::server::{Answer, Request, Server, impatient, patient, region};

fn json(status: u16, body: &str) -> Answer {
    let headers = vec![("content-type", "application/x-amz-json-1.0".to_owned())];
    Answer::Whole { status, headers, body: body.as_bytes().to_vec() }
}

async fn feed(server: &Server, patience: Patience) -> EventFeed {
    let url = format!("{}/111122223333/liftdeck-events", server.endpoint);
    server.gateway(patience).await.event_feed(&EventQueue { region: region(), url }).unwrap()
}

const ARN: &str = "arn:aws:sqs:eu-west-1:111122223333:liftdeck-events";

fn adoption() -> Adoption {
    Adoption {
        queue_arn: ARN.to_owned(),
        queue_url: String::new(),
        region: region(),
        queue_created_at: Timestamp::from_ms(1_700_000_000_000),
        adopted_at: Timestamp::from_ms(1_700_000_001_000),
        adopted_by: None,
        foreign_bodies: ForeignBodies::Leave,
        halted: None,
    }
}

/// Answers a request for the attributes of the adopted queue.
fn attributes(request: &Request) -> Option<Answer> {
    (request.operation == "GetQueueAttributes").then(|| {
        let text = format!(r#"{{"Attributes":{{"QueueArn":"{ARN}","CreatedTimestamp":"1700000000"}}}}"#);
        json(200, &text)
    })
}

async fn adopted(server: &Server, patience: Patience) -> AdoptedFeed {
    feed(server, patience).await.claim(adoption()).await.unwrap().expect("it is the same queue")
}

#[tokio::test]
async fn a_queue_made_anew_or_another_is_not_claimed() {
    let server = Server::start(|request, _| attributes(request).unwrap()).await;
    let feed = feed(&server, patient()).await;
    let later = Adoption { queue_created_at: Timestamp::from_ms(1_700_000_060_000), ..adoption() };
    assert!(feed.claim(later).await.unwrap().is_none());
    let theirs = Adoption { queue_arn: ARN.replace("1111", "9999"), ..adoption() };
    assert!(feed.claim(theirs).await.unwrap().is_none());
    let elsewhere = Adoption { region: "us-east-1".into(), ..adoption() };
    assert!(feed.claim(elsewhere).await.unwrap().is_none());
    let silent = Server::start(|_, _| json(200, "{}")).await;
    assert!(self::feed(&silent, patient()).await.claim(adoption()).await.unwrap().is_none());
}

#[tokio::test]
async fn a_claim_knows_what_was_said_of_the_queue() {
    let server = Server::start(|request, _| attributes(request).unwrap()).await;
    assert_eq!(adopted(&server, patient()).await.attributes().arn.as_deref(), Some(ARN));
}

#[tokio::test]
async fn a_glance_gives_back_every_message_it_saw_also_when_it_is_broken_off() {
    let server = Server::start(|request, number| match (request.operation.as_str(), number) {
        ("ReceiveMessage", 0) => json(
            200,
            r#"{"Messages":[{"MessageId":"m-1","ReceiptHandle":"rh-1","MD5OfBody":"x","Body":"a"}]}"#,
        ),
        ("ReceiveMessage", _) => json(400, r#"{"__type":"com.amazonaws.sqs#OverLimit","message":"full"}"#),
        _ => json(200, r#"{"Successful":[],"Failed":[]}"#),
    })
    .await;
    feed(&server, patient()).await.glance(50).await.unwrap_err();
    let last = server.requests().pop().unwrap();
    assert_eq!(last.operation, "ChangeMessageVisibilityBatch");
    assert!(last.mentions("rh-1") && last.mentions("\"VisibilityTimeout\":0"));
    assert!(!server.requests().iter().any(|request| request.operation.starts_with("Delete")));
}

#[tokio::test]
async fn a_receive_whose_answer_was_lost_is_not_repeated() {
    let server = Server::start(|request, _| {
        attributes(request).unwrap_or_else(|| Answer::Cut { body: b"{\"Messages\":[]}".to_vec(), sent: 4 })
    })
    .await;
    let feed = adopted(&server, patient()).await;
    let error = feed.receive(10, Duration::ZERO, Duration::ZERO).await.unwrap_err();
    assert!(error.may_have_happened());
    assert_eq!(server.requests().len(), 2, "the attributes and one receive");
}

#[tokio::test]
async fn messages_arrive_with_their_count_and_moment() {
    let server = Server::start(|request, _| {
        let messages = json(
            200,
            r#"{"Messages":[{"MessageId":"m-1","ReceiptHandle":"rh-1","MD5OfBody":"x","Body":"{\"a\":1}",
                "Attributes":{"SentTimestamp":"1700000000123","ApproximateReceiveCount":"2"}}]}"#,
        );
        attributes(request).unwrap_or(messages)
    })
    .await;
    let messages =
        adopted(&server, patient()).await.receive(10, Duration::ZERO, Duration::from_secs(30)).await.unwrap();
    assert_eq!(messages.len(), 1);
    assert_eq!((messages[0].body.as_str(), messages[0].receive_count), ("{\"a\":1}", 2));
    assert_eq!(messages[0].sent_at.unwrap().as_ms(), 1_700_000_000_123);
    assert!(server.requests()[1].mentions("\"VisibilityTimeout\":30"));
}

#[tokio::test]
async fn an_empty_queue_is_no_messages() {
    let server = Server::start(|request, _| attributes(request).unwrap_or_else(|| json(200, "{}"))).await;
    let messages =
        adopted(&server, patient()).await.receive(10, Duration::ZERO, Duration::ZERO).await.unwrap();
    assert!(messages.is_empty());
}

#[tokio::test]
async fn twenty_five_handles_are_deleted_in_three_batches_and_refusals_come_back() {
    let server = Server::start(|request, number| match number {
        0 => attributes(request).unwrap(),
        2 => json(
            200,
            r#"{"Successful":[],"Failed":[{"Id":"4","Code":"ReceiptHandleIsInvalid","SenderFault":true}]}"#,
        ),
        _ => json(200, r#"{"Successful":[],"Failed":[]}"#),
    })
    .await;
    let handles: Vec<String> = (0..25).map(|n| format!("rh-{n}")).collect();
    let failures = adopted(&server, patient()).await.delete_batch(&handles).await.unwrap();
    assert_eq!(server.requests().len(), 4);
    assert_eq!(failures.len(), 1);
    assert_eq!(
        (failures[0].receipt_handle.as_str(), failures[0].code.as_str()),
        ("rh-14", "ReceiptHandleIsInvalid")
    );
    assert!(failures[0].is_final);
}

#[tokio::test]
async fn messages_are_given_back_for_their_time_each_and_refusals_come_back() {
    let server = Server::start(|request, _| {
        let refused = json(
            200,
            r#"{"Successful":[],"Failed":[{"Id":"1","Code":"MessageNotInflight","SenderFault":true}]}"#,
        );
        attributes(request).unwrap_or(refused)
    })
    .await;
    let handles =
        [("rh-a".to_owned(), Duration::from_secs(60)), ("rh-b".to_owned(), Duration::from_secs(240))];
    let failures = adopted(&server, patient()).await.give_back(&handles).await.unwrap();
    let asked = server.requests().pop().unwrap();
    assert_eq!(asked.operation, "ChangeMessageVisibilityBatch");
    for part in ["rh-a", "rh-b", "\"VisibilityTimeout\":60", "\"VisibilityTimeout\":240"] {
        assert!(asked.mentions(part), "{part}");
    }
    assert_eq!(failures.iter().map(|failure| failure.receipt_handle.as_str()).collect::<Vec<_>>(), ["rh-b"]);
}

#[tokio::test]
async fn a_long_poll_may_last_longer_than_other_calls() {
    /// Longer than other calls wait.
    const LONGER: Duration = Duration::from_secs(5);
    let server = Server::start(|request, _| {
        if request.mentions("\"WaitTimeSeconds\":20") {
            std::thread::sleep(LONGER);
        }
        attributes(request).unwrap_or_else(|| json(200, "{}"))
    })
    .await;
    let feed = adopted(&server, impatient()).await;
    let begun = Instant::now();
    let answer = feed.receive(10, Duration::from_secs(20), Duration::ZERO).await;
    assert_eq!(answer, Ok(Vec::new()));
    assert!(begun.elapsed() >= LONGER);
    assert_eq!(server.requests().len(), 2, "one attempt was enough, after the attributes");
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
