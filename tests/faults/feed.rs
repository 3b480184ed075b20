//! Event queues under fault. Every event deleted from a queue is in the store once, and foreign messages stay in the
//! queue.

use std::time::Duration;

use liftdeck_collector::adoption::{Peek, look};
use liftdeck_collector::{CollectorOptions, Summary};
use liftdeck_gateway::{EventQueue, Gateway};
use liftdeck_model::AccountId;
use liftdeck_model::feed::ForeignBodies;
use liftdeck_model::observation::{Batch, Listing, Observation};
use liftdeck_store::Store;
use liftdeck_tests::program::eventually;
use liftdeck_tests::sqs::Queue;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::cell::{Cell, patience};
use crate::passes::{Known, is_said};

/// Events sent for a cell: more than one receive returns.
const EVENTS: u64 = 25;
/// How long a message stays hidden that was received and not deleted.
const HIDDEN: Duration = Duration::from_secs(2);
/// The operation that returns foreign messages to their readers.
const GIVES_BACK: &str = "ChangeMessageVisibilityBatch";
/// Foreign messages, where returning them is under test.
const FOREIGN: u64 = 3;

fn event(known: &Known, number: u64) -> String {
    let region = &known.world.region;
    let account = &known.world.simulator.ready().account;
    json!({
        "version": "0", "id": format!("00000000-0000-4000-8000-{number:012}"),
        "detail-type": "GameLift Queue Placement Event", "source": "aws.gamelift", "account": account,
        "time": "2026-11-20T19:15:54Z", "region": region.as_str(),
        "resources": [format!("arn:aws:gamelift:{region}:{account}:gamesessionqueue/arena-eu")],
        "detail": {"type": "PlacementTimedOut", "placementId": format!("faults-{number}"),
            "startTime": "2026-11-20T19:15:24.117Z", "endTime": "2026-11-20T19:15:54.120Z"}
    })
    .to_string()
}

async fn emptied(known: &Known, gateway: &Gateway, store: &Store, queue: &EventQueue) -> Summary {
    let options = CollectorOptions {
        regions: Vec::new(),
        event_queues: vec![queue.clone()],
        feed_visibility: HIDDEN,
        ..known.world.options(false)
    };
    known.world.pass(gateway, store, options).await
}

/// Adopts the SQS queue for the store, and makes the queue that its events name known.
async fn adopt(known: &Known, store: &Store, queue: &EventQueue) {
    let now = known.world.now();
    let account = AccountId::from(known.world.simulator.ready().account.as_str());
    let looking = look(&known.healthy, queue, &account, &[], Peek::Unharmful, now);
    let look = Box::pin(looking).await.expect("a look");
    let adoption = look.adopt(ForeignBodies::Leave, None, None, now).expect("nothing speaks against it");
    let writer = store.writer().expect("a writer");
    writer.adopt_queue(adoption).await.expect("it is recorded");
    let (arena, _) = known.store.reader().queues(now).await.expect("the queues that are known");
    assert!(arena.iter().any(|queue| queue.queue.name.as_str() == "arena-eu"), "the world has the queue");
    let listed = arena.into_iter().map(|row| row.queue).filter(|queue| queue.region == known.world.region);
    let observations = vec![Observation::Queues(Listing::partial(listed.collect()))];
    let batch = Batch { region: known.world.region.clone(), observed_at: now, observations };
    writer.apply(batch).await.expect("they are written");
}

fn stored(summary: &Summary) -> u64 {
    summary.rows.get("placement_events").copied().unwrap_or(0)
}

fn foreign() -> impl Iterator<Item = String> {
    (0..FOREIGN).map(|order| json!({ "order": order }).to_string())
}

/// Looks at a queue without adopting it. Each message becomes visible again at once, or the look reports that it does
/// not.
async fn looked_at(known: &Known, gateway: &Gateway, cell: &Cell, beside: &Queue) -> Result<(), String> {
    let queue = EventQueue { region: known.world.region.clone(), url: beside.url.clone() };
    let account = AccountId::from(known.world.simulator.ready().account.as_str());
    let looking = look(gateway, &queue, &account, &[], Peek::Unharmful, known.world.now());
    let looked = Box::pin(looking).await.map_err(|error| format!("a look fails: {error}"))?;
    let waiting = looked.waiting.expect("it has no dead-letter rule");
    if waiting.foreign != FOREIGN {
        return Err(format!("{FOREIGN} messages are taken for {waiting:?}"));
    }
    let feed = known.healthy.event_feed(&queue).expect("the Region is known");
    let told = feed.attributes().await.map_err(|error| error.to_string())?;
    match waiting.kept_hidden {
        None if told.waiting != FOREIGN => Err(format!("messages stay hidden and nobody says so: {told:?}")),
        Some(why) if !why.contains(cell.name()) => Err(format!("what failed is not said: {why}")),
        _ if told.waiting + told.in_flight != FOREIGN => Err(format!("a look took some away: {told:?}")),
        _ => Ok(()),
    }
}

/// Checks a cell, with its own queue and store.
pub(crate) fn hold(runtime: &Runtime, known: &Known, cell: &Cell) -> Result<Duration, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let store = runtime.block_on(known.world.store(folder.path()));
    let queue_of = |name: &str| {
        let name = format!("{name}-{}", cell.to_string().replace([' ', ':'], "-"));
        Queue::create(known.world.simulator.endpoint(), known.world.region.as_str(), &name)
    };
    let (ours, beside) = (queue_of("faults"), queue_of("beside"));
    let queue = EventQueue { region: known.world.region.clone(), url: ours.url.clone() };
    runtime.block_on(adopt(known, &store, &queue));
    let mut stay = 0;
    if cell.name() == GIVES_BACK {
        beside.send(foreign());
        // Sent before the events, so that events remain behind the messages that cannot be returned.
        ours.send(foreign());
        stay = FOREIGN;
    }
    ours.send((0..EVENTS).map(|number| event(known, number)));
    let gateway = runtime.block_on(known.world.gateway(patience(cell.kind)));

    known.world.faults(vec![cell.rule(0)]);
    let ended = runtime.block_on(known.pace.hold(async {
        if stay > 0 {
            looked_at(known, &gateway, cell, &beside).await?;
        }
        // The look that precedes reading a queue is what requests its attributes.
        if cell.name() == "GetQueueAttributes" {
            let feed = gateway.event_feed(&queue).expect("the Region is known");
            if let Err(error) = feed.attributes().await
                && !error.to_string().contains(cell.name())
            {
                return Err(format!("what failed is not said: {error}"));
            }
        }
        Ok(emptied(known, &gateway, &store, &queue).await)
    }));
    known.world.faults(Vec::new());
    let (struck, took) = ended?;
    let struck = struck?;
    is_said(cell, &struck)?;
    let left = ours.left().checked_sub(stay).ok_or("what is somebody else's was deleted")?;
    if stored(&struck) + left < EVENTS {
        return Err(format!("of {EVENTS} events {} are stored and {left} in the queue", stored(&struck)));
    }
    if left > 0 && struck.is_complete() && struck.feeds.iter().all(|feed| feed.message.is_none()) {
        return Err(format!("{left} events were left and nobody says so"));
    }
    let mut all = stored(&struck);
    eventually(Duration::from_secs(120), "what was left comes again", || {
        all += stored(&runtime.block_on(emptied(known, &known.healthy, &store, &queue)));
        (ours.left() <= stay).then_some(())
    });
    runtime.block_on(store.close());
    if ours.left() != stay {
        return Err("what is somebody else's was deleted".to_owned());
    }
    if all == EVENTS { Ok(took) } else { Err(format!("{all} of {EVENTS} events are in the store")) }
}
