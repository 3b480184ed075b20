//! Simulates a long day of collecting; started only by hand. Memory stays flat, the database stays bounded, and the
//! stored data matches the world.
//!
//! The collector runs in this process, on the world's own clock. The world is a separate process, so that only the
//! collector's memory is measured here.

mod watch;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use liftdeck_collector::adoption::{Peek, look};
use liftdeck_collector::{Collector, CollectorOptions, EndedGameSessions, FeedHealth, MetricsPolicy};
use liftdeck_gateway::{ConnectionSpec, CredentialSource, EventQueue, Gateway, RateTable};
use liftdeck_model::feed::{Adoption, ForeignBodies};
use liftdeck_model::{Region, Timestamp};
use liftdeck_store::{Access, Store, StoreOptions};
use liftdeck_tests::program::Simulation;
use liftdeck_tests::sqs::Queue;
use liftdeck_tests::trial::Trial;

use watch::{Look, Watch};

/// World seconds per real second: as fast as a machine with two cores can keep up.
const SPEED: f64 = 30.0;
/// Time between two looks: a quarter of an hour in the world.
const BETWEEN: Duration = Duration::from_secs(900);
/// The world begins on an evening with many players.
const BEGUN: &str = "2026-11-20T17:00:00Z";

/// The most that a database may grow in an hour of the world, in MiB. A quiet world writes a few.
const MOST_GROWTH_MIB: f64 = 48.0;
/// The most that SQLite's caches take, in MiB: 64 for the writer and 16 for each of four readers. They fill only as
/// the database grows.
const CACHES_MIB: f64 = 128.0;
/// The most events that may be waiting in the queue at the end: a few receives.
const MOST_WAITING: u64 = 200;
/// The largest allowed WAL file, in MiB.
const MOST_WAL_MIB: f64 = 64.0;

fn main() -> ExitCode {
    let trial = Trial::begin("soak");
    let hours = trial.size(1);
    let home = tempfile::tempdir().expect("a folder");
    let speed = SPEED.to_string();
    let world = ["--scenario", "quiet", "--speed", &speed, "--start", BEGUN, "--no-throttle"];
    let simulation = Simulation::start(home.path(), &world);
    let region = Region::from(simulation.regions().remove(0).as_str());
    let clock = clock(&simulation, &region);
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let path = home.path().join("soaked.sqlite");
    let queue = EventQueue { region: region.clone(), url: simulation.event_queue(region.as_str()) };

    let (store, collector) = runtime.block_on(async {
        let options =
            StoreOptions { path: path.clone(), access: Access::ReadWrite, account: None, now: clock() };
        let store = Store::open(options).await.expect("a store");
        let gateway = Gateway::connect(spec(&simulation, &region)).await.expect("a gateway");
        let options = CollectorOptions {
            regions: vec![region.clone()],
            event_queues: vec![queue.clone()],
            ended_game_sessions: EndedGameSessions::Pages(1),
            metrics: MetricsPolicy { backfill_days: 1, ..MetricsPolicy::default() },
            ..CollectorOptions::default()
        };
        let (writer, reader) = (store.writer().expect("a writer"), store.reader());
        let adoption = adoption(&gateway, &queue, clock()).await;
        writer.adopt_queue(adoption).await.expect("an adoption");
        let collector = Collector::start(options, &gateway, writer, reader, Arc::clone(&clock));
        (store, Box::pin(collector).await.expect("the Region is known"))
    });
    let mut watch = Watch::new(&simulation, region, path);
    let mut looks: Vec<Look> = Vec::new();
    let begun = Instant::now();
    for number in 1..=hours * 4 {
        let due = BETWEEN.mul_f64(number as f64 / SPEED);
        std::thread::sleep(due.saturating_sub(begun.elapsed()));
        let name = format!("quarter {number}");
        if let Some(look) = trial.part(&name, || watch.look(&runtime, &store)) {
            println!("soak: {name}: {look}");
            looks.push(look);
        }
    }
    let feed = collector.health().borrow().feeds.first().cloned().expect("a feed");
    let left = Queue::at(&simulation.endpoint(), queue.region.as_str(), &queue.url).left();
    judge_feed(&trial, &feed, left);
    runtime.block_on(async {
        collector.stop().await;
        store.close().await;
    });
    let figure = judged(&trial, &looks, hours);
    trial.end(&format!("{figure}, {} events stored", feed.stored))
}

/// Adopts the world's event queue for the collection.
async fn adoption(gateway: &Gateway, queue: &EventQueue, now: Timestamp) -> Adoption {
    let account = gateway.prove().await.expect("the account").account;
    let seen = look(gateway, queue, &account, &[], Peek::Unharmful, now).await.expect("a look");
    let name = seen.name().to_owned();
    seen.adopt(ForeignBodies::Leave, Some(&name), None, now).expect("a queue of our own")
}

/// Checks that everything from the queue is stored, and that no other reader is reported.
fn judge_feed(trial: &Trial, feed: &FeedHealth, left: u64) {
    if feed.stored == 0 || left > MOST_WAITING {
        trial.broke(format!("{} events were stored and {left} wait", feed.stored));
    }
    if feed.quarantined > feed.unconfirmed || feed.left > 0 || feed.other_reader.is_some() {
        trial.broke(format!("the feed of events that are all ours says {feed:?}"));
    }
}

/// Checks the looks against the limits and returns the figure to print.
fn judged(trial: &Trial, looks: &[Look], hours: u64) -> String {
    // By the second look everything has been read once.
    let (Some(early), Some(last)) = (looks.get(1), looks.last()) else {
        trial.broke("it was not looked at");
        return "nothing".to_owned();
    };
    let cached = (last.database_mib - early.database_mib).clamp(0.0, CACHES_MIB);
    let most = early.memory_mib * 1.25 + 24.0 + cached;
    if last.memory_mib > most {
        trial.broke(format!("memory grew from {:.0} to {:.0} MiB", early.memory_mib, last.memory_mib));
    }
    let quarters = (looks.len().saturating_sub(2)).max(1) as f64;
    let growth = (last.database_mib - early.database_mib) * 4.0 / quarters;
    if growth > MOST_GROWTH_MIB {
        trial.broke(format!("the database grows by {growth:.1} MiB an hour"));
    }
    let wal = looks.iter().map(|look| look.wal_mib).fold(0.0, f64::max);
    if wal > MOST_WAL_MIB {
        trial.broke(format!("the log beside the database had {wal:.0} MiB"));
    }
    format!(
        "{hours} virtual hours, memory {:.0} to {:.0} MiB, database {:.1} MiB and {growth:.1} MiB more an hour, \
         at most {wal:.0} MiB of log, {} game sessions stored as the world has them",
        early.memory_mib, last.memory_mib, last.database_mib, last.sessions
    )
}

/// Returns the world's clock.
fn clock(simulation: &Simulation, region: &Region) -> liftdeck_collector::Clock {
    let truth = simulation.get(&format!("/_simulator/truth?region={region}"));
    let (at, begun) = (truth["Now"].as_f64().expect("the present") * 1_000.0, Instant::now());
    Arc::new(move || Timestamp::from_ms((at + begun.elapsed().as_secs_f64() * 1_000.0 * SPEED) as i64))
}

/// Scales the rates to the world's speed, so that the collector's share is the same as in an ordinary hour.
fn spec(simulation: &Simulation, region: &Region) -> ConnectionSpec {
    let published = RateTable::published();
    let faster = liftdeck_simulator::operations().iter().fold(published.clone(), |table, action| {
        let operation = action.split(':').nth(1).unwrap_or_default();
        match published.per_second(operation) {
            Some(rate) => table.with(operation, rate * SPEED),
            None => table,
        }
    });
    ConnectionSpec {
        name: "soak".to_owned(),
        endpoint_url: Some(simulation.endpoint()),
        regions: vec![region.clone()],
        rates: faster,
        credentials: CredentialSource::Keys {
            access_key_id: "AKIDTEST".to_owned(),
            secret_access_key: "secret".to_owned(),
        },
        ..ConnectionSpec::default()
    }
}
