//! A world and a collector that go in step, as fast as the machine can follow.
//!
//! The collector's clock is this runtime's paused one. It is moved by hand together with the world's, and only when
//! all that was asked has been answered, so that an answer takes no more of the world's time than it would in an
//! ordinary second.

use std::sync::Arc;
use std::time::Duration;

use liftdeck_alerts::judge_now;
use liftdeck_collector::adoption::{Peek, look};
use liftdeck_collector::{Clock, Collector, CollectorOptions, EndedGameSessions, MetricsPolicy};
use liftdeck_gateway::{ConnectionSpec, CredentialSource, EventQueue, Gateway};
use liftdeck_insight::{Alert, ScalingStep, alert_list, fleet_scaling};
use liftdeck_model::feed::ForeignBodies;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Region, Timestamp};
use liftdeck_simulator::{Scenario, Simulator, SimulatorOptions};
use liftdeck_store::{Access, Store, StoreOptions};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use super::record::Record;

/// How far both clocks move at a time.
const STEP: Duration = Duration::from_secs(1);
/// Steps between two looks for what is wrong.
const LOOK_EVERY: u64 = 5;
/// Real time without a new request after which everything counts as answered.
const QUIET: Duration = Duration::from_millis(1);
/// How often that must be seen in a row.
const QUIET_TIMES: u32 = 3;
/// A Friday, midday in Europe.
const BEGUN: &str = "2026-11-20T11:00:00Z";

/// A world and its collector.
pub(super) struct Clockwork {
    world: Option<Runtime>,
    simulator: Arc<Simulator>,
    store: Store,
    collector: Collector,
    _folder: tempfile::TempDir,
    // Time moves by itself when nothing is left to do, unless something is still under way in another thread.
    _hold: oneshot::Sender<()>,
    begun: Timestamp,
    steps: u64,
}

impl Clockwork {
    pub(super) async fn start(scenario: Scenario, seed: u64) -> Self {
        let (hold, held) = oneshot::channel::<()>();
        tokio::task::spawn_blocking(move || {
            // Ends with an error when the clockwork is dropped.
            let _ = held.blocking_recv();
        });
        let world = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a thread");
        let begun: jiff::Timestamp = BEGUN.parse().expect("a time");
        let options = SimulatorOptions {
            scenario,
            seed,
            speed: 0.0,
            start_ms: Some(begun.as_millisecond()),
            throttle: false,
            ..SimulatorOptions::default()
        };
        let simulator = world.spawn(Simulator::start(options)).await.expect("a task").expect("a world");
        let simulator = Arc::new(simulator);
        let clock = clock(&simulator);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("incidents.sqlite");
        let options = StoreOptions { path, access: Access::ReadWrite, account: None, now: clock() };
        let store = Store::open(options).await.expect("a store");
        let gateway = Gateway::connect(spec(&simulator)).await.expect("a gateway");
        let queues: Vec<EventQueue> = simulator
            .ready()
            .event_queues
            .iter()
            .map(|(region, url)| EventQueue { region: Region::new(region), url: url.clone() })
            .collect();
        let account = gateway.prove().await.expect("the account").account;
        for queue in &queues {
            let seen = Box::pin(look(&gateway, queue, &account, &[], Peek::Unharmful, clock())).await;
            let seen = seen.expect("a look");
            let name = seen.name().to_owned();
            let adoption =
                seen.adopt(ForeignBodies::Leave, Some(&name), None, clock()).expect("a queue of our own");
            store.writer().expect("a writer").adopt_queue(adoption).await.expect("an adoption");
        }
        let options = CollectorOptions {
            regions: simulator.ready().regions.iter().map(Region::new).collect(),
            event_queues: queues,
            ended_game_sessions: EndedGameSessions::Pages(1),
            metrics: MetricsPolicy { backfill_days: 1, ..MetricsPolicy::default() },
            ..CollectorOptions::default()
        };
        let (writer, reader) = (store.writer().expect("a writer"), store.reader());
        let collector = Box::pin(Collector::start(options, &gateway, writer, reader, clock)).await;
        let collector = collector.expect("the Regions are known");
        Self {
            world: Some(world),
            simulator,
            store,
            collector,
            _folder: folder,
            _hold: hold,
            begun: Timestamp::from_ms(begun.as_millisecond()),
            steps: 0,
        }
    }

    /// Lets some seconds pass, and looks for what is wrong every few of them.
    pub(super) async fn run(&mut self, seconds: u64) {
        for _ in 0..seconds {
            self.step().await;
        }
    }

    async fn step(&mut self) {
        let simulator = Arc::clone(&self.simulator);
        let world = self.world.as_ref().expect("it runs");
        world.spawn(async move { simulator.advance(STEP).await }).await.expect("a task").expect("a world");
        tokio::time::advance(STEP).await;
        self.settle().await;
        self.steps += 1;
        if self.steps.is_multiple_of(LOOK_EVERY) {
            let writer = self.store.writer().expect("a writer");
            judge_now(&self.store.reader(), &writer, self.now()).await.expect("a look");
        }
    }

    /// Waits until no request has come for a while.
    async fn settle(&self) {
        let (mut calls, mut quiet) = (self.calls(), 0);
        while quiet < QUIET_TIMES {
            tokio::task::spawn_blocking(|| std::thread::sleep(QUIET)).await.expect("a pause");
            let now = self.calls();
            quiet = if now == calls { quiet + 1 } else { 0 };
            calls = now;
        }
    }

    fn calls(&self) -> u64 {
        self.simulator.calls().values().flat_map(|actions| actions.values()).map(|count| count.calls).sum()
    }

    /// The world's time.
    pub(super) fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.simulator.now_ms())
    }

    /// What happened so far, as the world knows it.
    pub(super) fn record(&self) -> Record {
        let regions = &self.simulator.ready().regions;
        regions.iter().map(|region| Record::of(self.simulator.endpoint(), region)).fold(
            Record::default(),
            |mut all, here| {
                all.incidents.extend(here.incidents);
                all.scaling_steps.extend(here.scaling_steps);
                all
            },
        )
    }

    /// The scaling steps so far, with the fleet of each.
    pub(super) async fn scaling_steps(&self) -> Vec<(FleetId, ScalingStep)> {
        let (reader, now) = (self.store.reader(), self.now());
        let range = TimeRange::new(self.begun, now.plus_ms(1));
        let mut all = Vec::new();
        for fleet in reader.fleet_summaries(now).await.expect("fleets") {
            let id = fleet.fleet.fleet_id;
            let scaling = fleet_scaling(&reader, &id, range, now).await.expect("scaling");
            all.extend(scaling.into_iter().flat_map(|it| it.steps).map(|step| (id.clone(), step)));
        }
        all
    }

    /// The alerts so far.
    pub(super) async fn alerts(&self) -> Vec<Alert> {
        let range = TimeRange::new(Timestamp::from_ms(0), self.now().plus_ms(1));
        alert_list(&self.store.reader(), range, self.now()).await.expect("alerts").alerts
    }

    pub(super) async fn stop(mut self) {
        // What waits for a time must see it pass.
        let passing = tokio::spawn(async {
            loop {
                tokio::time::advance(STEP).await;
                tokio::task::spawn_blocking(|| std::thread::sleep(QUIET)).await.expect("a pause");
            }
        });
        self.collector.stop().await;
        self.store.close().await;
        passing.abort();
        if let Some(world) = self.world.take() {
            world.shutdown_background();
        }
    }
}

fn clock(simulator: &Arc<Simulator>) -> Clock {
    let simulator = Arc::clone(simulator);
    Arc::new(move || Timestamp::from_ms(simulator.now_ms()))
}

fn spec(simulator: &Simulator) -> ConnectionSpec {
    ConnectionSpec {
        name: "incidents".to_owned(),
        account: Some(simulator.ready().account.as_str().into()),
        endpoint_url: Some(simulator.endpoint().to_owned()),
        regions: simulator.ready().regions.iter().map(Region::new).collect(),
        credentials: CredentialSource::Keys {
            access_key_id: "AKIDTEST".to_owned(),
            secret_access_key: "secret".to_owned(),
        },
        ..ConnectionSpec::default()
    }
}
