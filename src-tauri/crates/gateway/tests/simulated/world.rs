//! A frozen simulated world, a gateway to it, and the world's own records.

use std::collections::BTreeSet;

use liftdeck_gateway::{ConnectionSpec, CredentialSource, EventQueue, Gateway};
use liftdeck_model::Region;
use liftdeck_simulator::{Credentials, Simulator, SimulatorOptions};
use serde_json::Value;

/// 2026-11-20, 19:30 UTC: an evening when people play, whenever this runs.
const BEGUN_MS: i64 = 1_795_203_000_000;

/// A world and a connection to it.
pub(crate) struct World {
    pub(crate) simulator: Simulator,
    pub(crate) gateway: Gateway,
    pub(crate) region: Region,
}

impl World {
    /// A world that does not move, with a gateway that uses this share of the published rates.
    pub(crate) async fn frozen(budget_share: f64) -> Self {
        Self::with(budget_share, Credentials::default(), "AKIDGOOD").await
    }

    pub(crate) async fn with(budget_share: f64, credentials: Credentials, access_key_id: &str) -> Self {
        let options = SimulatorOptions {
            speed: 0.0,
            credentials,
            start_ms: Some(BEGUN_MS),
            keep: true,
            ..SimulatorOptions::default()
        };
        let simulator = Simulator::start(options).await.unwrap();
        let region = Region::new(simulator.ready().regions.first().unwrap().clone());
        let spec = ConnectionSpec {
            endpoint_url: Some(simulator.endpoint().to_owned()),
            regions: simulator.ready().regions.iter().map(|region| Region::new(region.clone())).collect(),
            budget_share,
            credentials: CredentialSource::Keys {
                access_key_id: access_key_id.to_owned(),
                secret_access_key: "secret".to_owned(),
            },
            ..ConnectionSpec::default()
        };
        Self { simulator, gateway: Gateway::connect(spec).await.unwrap(), region }
    }

    /// The event queue of the first Region.
    pub(crate) fn queue(&self) -> EventQueue {
        let url = self.simulator.ready().event_queues[self.region.as_str()].clone();
        EventQueue { region: self.region.clone(), url }
    }

    /// A document of the simulator's control plane.
    pub(crate) async fn control(&self, path: &str) -> Value {
        let url = format!("{}/_simulator/{path}", self.simulator.endpoint());
        let get = move || {
            ureq::get(&url).call().unwrap().body_mut().with_config().limit(1 << 30).read_json().unwrap()
        };
        tokio::task::spawn_blocking(get).await.unwrap()
    }

    /// The world's own records of the first Region.
    pub(crate) async fn truth(&self) -> Value {
        self.control(&format!("truth?region={}", self.region)).await
    }
}

/// The set of values of one member, over all records of a list in the world's own records.
pub(crate) fn column(truth: &Value, list: &str, member: &str) -> BTreeSet<String> {
    let records = truth[list].as_array().unwrap();
    assert!(!records.is_empty(), "the world has {list}");
    records.iter().map(|record| record[member].as_str().unwrap().to_owned()).collect()
}
