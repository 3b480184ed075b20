//! The process API: starts a simulator in the running program, reports its endpoint, advances its time and stops it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::calls::CallCounts;
use crate::cloud::Cloud;
use crate::fault::{FaultPlan, PlanError};
use crate::identity::Credentials;
use crate::options::SimulatorOptions;
use crate::server;

/// How often the world catches up with virtual time.
const STEP: Duration = Duration::from_millis(250);

/// What a simulator reports when it is ready: the line `liftdeck simulate` prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ready {
    /// The base URL of the services, for example `http://127.0.0.1:34567`.
    pub endpoint: String,
    /// The account that owns everything.
    pub account: String,
    /// The regions that contain resources.
    pub regions: Vec<String>,
    /// The URL of the event queue of each region.
    pub event_queues: BTreeMap<String, String>,
    /// The scenario in play.
    pub scenario: String,
    /// The world's seed.
    pub seed: u64,
}

/// The error when a simulator cannot be started or advanced.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Listening on the address failed.
    #[error("the simulator cannot listen on {address}: {source}")]
    Listen {
        /// The requested address.
        address: SocketAddr,
        /// The cause.
        source: std::io::Error,
    },
    /// The world failed while it was created or advanced.
    #[error("the simulated world failed")]
    World,
}

/// A running simulator. Dropping it stops it.
#[derive(Debug)]
pub struct Simulator {
    cloud: Arc<Cloud>,
    ready: Ready,
    tasks: Vec<JoinHandle<()>>,
}

impl Simulator {
    /// Starts a simulator; returns once it answers requests.
    ///
    /// # Errors
    /// When listening on the address or creating the world fails.
    pub async fn start(options: SimulatorOptions) -> Result<Simulator, StartError> {
        let address = options.listen;
        let listen = |source| StartError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let endpoint = format!("http://{}", listener.local_addr().map_err(listen)?);
        let (seed, scenario) = (options.seed, options.scenario.to_string());
        let start_ms = options.start_ms.unwrap_or_else(|| jiff::Timestamp::now().as_millisecond());
        let at = endpoint.clone();
        // Creating a world takes a second of computation.
        let cloud = tokio::task::spawn_blocking(move || {
            let cloud = Cloud::new(options, start_ms, &at);
            cloud.catch_up();
            cloud
        });
        let cloud = Arc::new(cloud.await.map_err(|_| StartError::World)?);
        let regions = {
            let world = cloud.world.read().map_err(|_| StartError::World)?;
            world.regions().map(str::to_owned).collect()
        };
        let ready = Ready {
            endpoint,
            account: cloud.account.clone(),
            regions,
            event_queues: cloud.sqs.queues.urls(),
            scenario,
            seed,
        };
        let tasks = vec![
            tokio::spawn(server::serve(listener, cloud.clone(), ready.clone())),
            tokio::spawn(keep_time(cloud.clone())),
        ];
        Ok(Simulator { cloud, ready, tasks })
    }

    /// Returns what `liftdeck simulate` prints.
    #[must_use]
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// The base URL of the services.
    #[must_use]
    pub fn endpoint(&self) -> &str {
        &self.ready.endpoint
    }

    /// The current virtual time, in milliseconds since the epoch.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.cloud.now_ms()
    }

    /// Advances virtual time; returns once the world has caught up.
    ///
    /// # Errors
    /// When the world fails on the way.
    pub async fn advance(&self, by: Duration) -> Result<(), StartError> {
        let cloud = self.cloud.clone();
        tokio::task::spawn_blocking(move || cloud.advance(by)).await.map_err(|_| StartError::World)
    }

    /// Replaces the fault plan and resets all counts of its rules.
    ///
    /// # Errors
    /// When a number in the plan is out of range; the previous plan stays in force.
    pub fn set_faults(&self, plan: FaultPlan) -> Result<(), PlanError> {
        self.cloud.faults.replace(plan.checked()?);
        Ok(())
    }

    /// Replaces the expired, unknown, restricted and foreign credentials, from the next request on.
    pub fn set_credentials(&self, credentials: Credentials) {
        self.cloud.set_credentials(credentials);
    }

    /// How often each operation has been called, by region.
    #[must_use]
    pub fn calls(&self) -> CallCounts {
        self.cloud.calls.counts()
    }

    /// Stops the simulator; returns once none of its tasks is running.
    pub async fn shutdown(mut self) {
        for task in std::mem::take(&mut self.tasks) {
            task.abort();
            // An aborted task ends with an error that says just that.
            let _ = task.await;
        }
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

async fn keep_time(cloud: Arc<Cloud>) {
    let mut steps = tokio::time::interval(STEP);
    steps.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        steps.tick().await;
        let cloud = cloud.clone();
        if tokio::task::spawn_blocking(move || cloud.catch_up()).await.is_err() {
            tracing::error!("the simulated world failed and has stopped advancing");
            return;
        }
    }
}
