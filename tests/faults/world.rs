//! A simulated world in this process that is frozen in time, with gateways and stores for it.

use std::path::Path;
use std::sync::Arc;

use liftdeck_collector::{Collector, CollectorOptions, EndedGameSessions, MetricsPolicy, Summary};
use liftdeck_gateway::{ConnectionSpec, CredentialSource, Gateway, Patience, RateTable};
use liftdeck_model::{GameSessionId, Region, Timestamp};
use liftdeck_simulator::{FaultPlan, FaultRule, Simulator, SimulatorOptions};
use liftdeck_store::{Access, Store, StoreOptions};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::cell::Cell;

/// 2026-11-20, 19:30 UTC: an evening with many players, whenever this test runs.
const BEGUN_MS: i64 = 1_795_203_000_000;

/// The world, and the Region under test.
pub(crate) struct World {
    pub(crate) simulator: Simulator,
    pub(crate) region: Region,
}

impl World {
    pub(crate) async fn begin() -> Self {
        let options = SimulatorOptions {
            speed: 0.0,
            throttle: false,
            start_ms: Some(BEGUN_MS),
            ..SimulatorOptions::default()
        };
        let simulator = Simulator::start(options).await.expect("a simulator");
        Self { simulator, region: Region::from("eu-west-1") }
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.simulator.now_ms())
    }

    /// Opens a gateway whose rate limits never cause a wait.
    pub(crate) async fn gateway(&self, patience: Patience) -> Gateway {
        let published = RateTable::published();
        let rates = liftdeck_simulator::operations().iter().fold(published, |table, action| {
            table.with(action.split(':').nth(1).unwrap_or_default(), 5_000.0)
        });
        let spec = ConnectionSpec {
            name: "faults".to_owned(),
            endpoint_url: Some(self.simulator.endpoint().to_owned()),
            regions: vec![self.region.clone()],
            budget_share: 1.0,
            rates,
            credentials: CredentialSource::Keys {
                access_key_id: "AKIDTEST".to_owned(),
                secret_access_key: "secret".to_owned(),
            },
            patience,
            ..ConnectionSpec::default()
        };
        Gateway::connect(spec).await.expect("a gateway")
    }

    pub(crate) async fn store(&self, folder: &Path) -> Store {
        let path = folder.join("liftdeck.sqlite");
        let options = StoreOptions { path, access: Access::ReadWrite, account: None, now: self.now() };
        Store::open(options).await.expect("a store")
    }

    /// Returns the options of a pass that reads everything, but CloudWatch only if that is under test.
    pub(crate) fn options(&self, with_metrics: bool) -> CollectorOptions {
        CollectorOptions {
            regions: vec![self.region.clone()],
            ended_game_sessions: EndedGameSessions::Pages(1),
            metrics: MetricsPolicy { enabled: with_metrics, backfill_days: 0, ..MetricsPolicy::default() },
            ..CollectorOptions::default()
        }
    }

    pub(crate) async fn pass(&self, gateway: &Gateway, store: &Store, options: CollectorOptions) -> Summary {
        let now = self.now();
        let clock: liftdeck_collector::Clock = Arc::new(move || now);
        let (writer, reader) = (store.writer().expect("a writer"), store.reader());
        let stop = CancellationToken::new();
        let pass = Collector::once(options, gateway, writer, reader, clock, stop);
        Box::pin(pass).await.expect("the Region is known")
    }

    pub(crate) fn faults(&self, rules: Vec<FaultRule>) {
        self.simulator.set_faults(FaultPlan { rules }).expect("a plan without mistakes");
    }

    /// Returns how often an operation was called and how often a fault hit it.
    pub(crate) fn counts(&self, action: &str) -> (u64, u64) {
        let counts = self.simulator.calls();
        let of_region = counts.get(self.region.as_str()).and_then(|actions| actions.get(action));
        of_region.map_or((0, 0), |count| (count.calls, count.faults))
    }

    /// Fails if no fault has hit the operation since the counter stood at `before`.
    pub(crate) fn was_struck(&self, cell: &Cell, before: u64) -> Result<(), String> {
        if self.counts(&cell.operation).1 > before {
            Ok(())
        } else {
            Err("nothing asked for it, so nothing was shown".to_owned())
        }
    }

    /// Returns the world's own records. Must not be called in async code.
    pub(crate) fn truth(&self) -> Value {
        let url = format!("{}/_simulator/truth?region={}", self.simulator.endpoint(), self.region);
        let mut answer = ureq::get(&url).call().expect(&url);
        answer.body_mut().with_config().limit(200_000_000).read_json().expect(&url)
    }
}

/// Returns the live game sessions in a store, sorted.
pub(crate) async fn live(store: &Store, region: &Region) -> Vec<GameSessionId> {
    let reader = store.reader();
    let mut live = Vec::new();
    for fleet in reader.fleets(region).await.expect("fleets") {
        live.extend(reader.live_game_sessions(&fleet.fleet_id).await.expect("game sessions"));
    }
    live.sort();
    live
}

/// Returns the game sessions in the world, sorted.
pub(crate) fn true_live(truth: &Value) -> Vec<GameSessionId> {
    let sessions = truth["GameSessions"].as_array().expect("game sessions");
    let id = |session: &Value| GameSessionId::from(session["GameSessionId"].as_str().unwrap_or_default());
    let mut live: Vec<GameSessionId> = sessions.iter().map(id).collect();
    live.sort();
    live
}
