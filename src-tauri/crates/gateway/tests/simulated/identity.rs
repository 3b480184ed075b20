//! Credentials, permissions and the event feed of a connection.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use liftdeck_gateway::{ErrorKind, EventQueue, PermissionOutcome};
use liftdeck_model::Timestamp;
use liftdeck_model::feed::{Adoption, ForeignBodies};
use liftdeck_simulator::Credentials;

use crate::world::World;

#[tokio::test]
async fn the_caller_belongs_to_the_simulated_account() {
    let world = World::frozen(1.0).await;
    let identity = world.gateway.prove().await.unwrap();
    assert_eq!(identity.account.as_str(), world.simulator.ready().account);
    assert!(identity.arn.starts_with("arn:aws:"));
}

#[tokio::test]
async fn expired_credentials_ask_for_a_login() {
    let credentials =
        Credentials { expired: BTreeSet::from(["AKIDOLD".to_owned()]), ..Credentials::default() };
    let world = World::with(1.0, credentials, "AKIDOLD").await;
    let reader = world.gateway.reader(&world.region).unwrap();
    for error in [
        reader.fleets().await.failure.unwrap(),
        world.gateway.prove().await.unwrap_err(),
        reader.list_metrics(false).await.failure.unwrap(),
    ] {
        assert_eq!(error.kind, ErrorKind::Credentials, "{error}");
        assert!(error.remedy().unwrap().contains("aws sso login"));
    }
}

#[tokio::test]
async fn the_check_finds_exactly_what_is_denied() {
    let denied = BTreeMap::from([("AKIDLESS".to_owned(), vec!["gamelift:DescribeFleetEvents".to_owned()])]);
    let world = World::with(1.0, Credentials { denied, ..Credentials::default() }, "AKIDLESS").await;
    let checks = world.gateway.check().await;
    for check in &checks {
        let expected = match check.action.as_str() {
            "gamelift:DescribeFleetEvents" => PermissionOutcome::Denied,
            _ => PermissionOutcome::Allowed,
        };
        assert_eq!(check.outcome, expected, "{check:?}");
    }
    assert_eq!(checks.len() % world.simulator.ready().regions.len(), 0);
    let queue = world.queue();
    let there = world.gateway.event_feed(&queue).unwrap().check().await;
    assert_eq!(
        (there.outcome, there.action.as_str()),
        (PermissionOutcome::Allowed, "sqs:GetQueueAttributes")
    );
    let nowhere = EventQueue { url: format!("{}-gone", queue.url), ..queue };
    let gone = world.gateway.event_feed(&nowhere).unwrap().check().await;
    assert_eq!(gone.outcome, PermissionOutcome::Failed);
    assert!(gone.detail.unwrap().contains("-gone"));
}

#[tokio::test]
async fn events_are_received_once_deleted_and_gone() {
    let world = World::frozen(1.0).await;
    let queue = world.queue();
    let feed = world.gateway.event_feed(&queue).unwrap();
    world.simulator.advance(Duration::from_secs(600)).await.unwrap();
    let attributes = feed.attributes().await.unwrap();
    let waiting = attributes.waiting;
    let adoption = Adoption {
        queue_arn: attributes.arn.unwrap(),
        queue_url: queue.url,
        region: queue.region,
        queue_created_at: attributes.created_at.unwrap(),
        adopted_at: Timestamp::from_ms(0),
        adopted_by: None,
        foreign_bodies: ForeignBodies::Leave,
        halted: None,
    };
    let feed = feed.claim(adoption).await.unwrap().expect("it is the same queue");
    let messages = feed.receive(10, Duration::from_secs(1), Duration::from_secs(600)).await.unwrap();
    assert!(waiting > 0 && !messages.is_empty(), "ten minutes of a normal day bring placements");
    assert!(messages.iter().all(|message| message.receive_count == 1 && message.sent_at.is_some()));
    let handles: Vec<_> = messages.iter().map(|message| message.receipt_handle.clone()).collect();
    assert_eq!(feed.delete_batch(&handles).await, Ok(Vec::new()));
    let left = world.gateway.event_feed(&world.queue()).unwrap().attributes().await.unwrap();
    assert_eq!(left.waiting + left.in_flight + messages.len() as u64, waiting);
}
