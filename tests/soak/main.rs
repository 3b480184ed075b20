//! A long day of collecting, by hand only: memory stays flat, the database bounded, and what is stored is what the world
//! says.
//!
//! The collector runs in this process, on the world's own clock; the world is a process of its own, so that what is measured
//! here is ours.

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

/// Seconds of the world in a second of ours: what a machine of two cores keeps up with.
const SPEED: f64 = 30.0;
/// Between two looks, a quarter of an hour of the world.
const BETWEEN: Duration = Duration::from_secs(900);
/// The world begins on an evening on which people play.
const BEGUN: &str = "2026-11-20T17:00:00Z";

/// The most a database may grow in an hour of the world, in MiB: a quiet world writes a few.
const MOST_GROWTH_MIB: f64 = 48.0;
/// The most that SQLite's caches take, in MiB: the writer's 64 and 16 of each of four readers. They fill with a database
/// that grows, and with nothing else.
const CACHES_MIB: f64 = 128.0;
/// The most events that may wait in the queue at the end: what comes in a few receives.
const MOST_WAITING: u64 = 200;
/// The most the log beside a database may have, in MiB.
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

/// Makes the world's event queue the collection's own.
async fn adoption(gateway: &Gateway, queue: &EventQueue, now: Timestamp) -> Adoption {
    let account = gateway.prove().await.expect("the account").account;
    let seen = look(gateway, queue, &account, &[], Peek::Unharmful, now).await.expect("a look");
    let name = seen.name().to_owned();
    seen.adopt(ForeignBodies::Leave, Some(&name), None, now).expect("a queue of our own")
}

/// Everything that came through the queue is stored, and nobody else is said to have read it.
fn judge_feed(trial: &Trial, feed: &FeedHealth, left: u64) {
    if feed.stored == 0 || left > MOST_WAITING {
        trial.broke(format!("{} events were stored and {left} wait", feed.stored));
    }
    if feed.quarantined > feed.unconfirmed || feed.left > 0 || feed.other_reader.is_some() {
        trial.broke(format!("the feed of events that are all ours says {feed:?}"));
    }
}

/// Holds the looks to what was promised; gives the figure.
fn judged(trial: &Trial, looks: &[Look], hours: u64) -> String {
    // By the second look everything was read once.
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

/// The world's clock.
fn clock(simulation: &Simulation, region: &Region) -> liftdeck_collector::Clock {
    let truth = simulation.get(&format!("/_simulator/truth?region={region}"));
    let (at, begun) = (truth["Now"].as_f64().expect("the present") * 1_000.0, Instant::now());
    Arc::new(move || Timestamp::from_ms((at + begun.elapsed().as_secs_f64() * 1_000.0 * SPEED) as i64))
}

/// Rates as fast as the world's time, so that our share of them is what it is in an ordinary hour.
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
