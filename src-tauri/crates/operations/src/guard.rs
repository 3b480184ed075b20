//! The guard of one connection.
//!
//! Owns who may call what. Deliberately holds no rule of a single resource: those are in `preview`.

use std::fmt;
use std::sync::Arc;

use liftdeck_model::activity::{Activity, ActivitySource, RunId};
use liftdeck_model::{Region, Timestamp};
use serde::{Deserialize, Serialize};

/// What a connection is to its people; decides how much a confirmation asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Environment {
    /// Players are on it: everything asks to be typed.
    Production,
    /// Before production.
    Staging,
    /// A developer's own.
    Development,
    /// The simulator.
    Demo,
}

/// Tells the present.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// What a guard needs to know of its connection.
#[derive(Clone)]
pub struct GuardOptions {
    /// The connection's name; what must be typed on production.
    pub connection_name: String,
    /// What the connection is.
    pub environment: Environment,
    /// Profile, for the equivalent commands.
    pub profile: Option<String>,
    /// Endpoint, for the equivalent commands.
    pub endpoint_url: Option<String>,
    /// Whence changes come.
    pub source: ActivitySource,
    /// Regions of the connection.
    pub regions: Vec<Region>,
    /// The present.
    pub clock: Clock,
    /// A fresh UUID at each call.
    pub ids: Arc<dyn Fn() -> String + Send + Sync>,
}

impl fmt::Debug for GuardOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardOptions")
            .field("connection_name", &self.connection_name)
            .field("environment", &self.environment)
            .field("regions", &self.regions)
            .finish_non_exhaustive()
    }
}

/// What a confirmation came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// The run that goes on in the background, when it was more than one change.
    pub run: Option<RunId>,
    /// The one attempt with its outcome, when it was one change; the attempts made so far of a run.
    pub activities: Vec<Activity>,
}

/// The guard of a connection. Clones share everything.
#[derive(Clone, Debug)]
pub struct Guard {
    options: Arc<GuardOptions>,
}

impl Guard {
    /// What the guard was told of its connection.
    pub fn options(&self) -> &GuardOptions {
        &self.options
    }
}
