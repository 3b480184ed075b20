//! The process API: starts a simulator in the running program, says where it is, moves its time and ends it.

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

/// What a simulator says when it is ready: the line `liftdeck simulate` prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ready {
    /// Where the services are, for example `http://127.0.0.1:34567`.
    pub endpoint: String,
    /// The account everything belongs to.
    pub account: String,
    /// The regions that hold anything.
    pub regions: Vec<String>,
    /// The URL of the event queue of each region.
    pub event_queues: BTreeMap<String, String>,
    /// The scenario that plays.
    pub scenario: String,
    /// The world's seed.
    pub seed: u64,
}

/// A simulator that could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be listened on.
    #[error("the simulator cannot listen on {address}: {source}")]
    Listen {
        /// The address asked for.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The world failed while it was made or moved.
    #[error("the simulated world failed")]
    World,
}

/// A running simulator. Dropping it ends it.
#[derive(Debug)]
pub struct Simulator {
    cloud: Arc<Cloud>,
    ready: Ready,
    tasks: Vec<JoinHandle<()>>,
}

impl Simulator {
    /// Starts a simulator; returns when it answers requests.
    ///
    /// # Errors
    /// When the address cannot be listened on.
    pub async fn start(options: SimulatorOptions) -> Result<Simulator, StartError> {
        let address = options.listen;
        let listen = |source| StartError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let endpoint = format!("http://{}", listener.local_addr().map_err(listen)?);
        let (seed, scenario) = (options.seed, options.scenario.to_string());
        let start_ms = options.start_ms.unwrap_or_else(|| jiff::Timestamp::now().as_millisecond());
        let at = endpoint.clone();
        // Making a world takes a second of computation.
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

    /// What `liftdeck simulate` prints.
    #[must_use]
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// Where the services are.
    #[must_use]
    pub fn endpoint(&self) -> &str {
        &self.ready.endpoint
    }

    /// Virtual now, in milliseconds since the epoch.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.cloud.now_ms()
    }

    /// Moves virtual time; returns when the world has caught up.
    ///
    /// # Errors
    /// When the world failed on the way.
    pub async fn advance(&self, by: Duration) -> Result<(), StartError> {
        let cloud = self.cloud.clone();
        tokio::task::spawn_blocking(move || cloud.advance(by)).await.map_err(|_| StartError::World)
    }

    /// Replaces the fault plan; all counts of its rules begin anew.
    ///
    /// # Errors
    /// When a number of the plan is out of range; the plan before stays in force.
    pub fn set_faults(&self, plan: FaultPlan) -> Result<(), PlanError> {
        self.cloud.faults.replace(plan.checked()?);
        Ok(())
    }

    /// Replaces which credentials are not as they should be, from the next request on.
    pub fn set_credentials(&self, credentials: Credentials) {
        self.cloud.set_credentials(credentials);
    }

    /// How often each operation has been called, by region.
    #[must_use]
    pub fn calls(&self) -> CallCounts {
        self.cloud.calls.counts()
    }

    /// Ends it; returns when nothing of it runs any more.
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
            tracing::error!("the simulated world failed and stands still");
            return;
        }
    }
}
