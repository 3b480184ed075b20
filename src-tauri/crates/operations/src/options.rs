//! What a guard is told of its connection by whoever opens it.
//!
//! Owns no value of its own: clocks and fresh ids come in here, so that nothing below looks at a clock.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use liftdeck_model::activity::ActivitySource;
use liftdeck_model::{Environment, Region, Timestamp};

/// Tells the present.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Tells the time since some moment of this process. It only grows, and nobody can set it.
pub type Steady = Arc<dyn Fn() -> Duration + Send + Sync>;

/// Says why nothing may be changed for now, whoever unlocks; `None` when nothing stands against it.
pub type Objection = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// What a guard needs to know of its connection.
#[derive(Clone)]
pub struct GuardOptions {
    /// The connection's name; what must be typed on production.
    pub connection_name: String,
    /// What the connection is.
    pub environment: Environment,
    /// Asked at each unlock.
    pub objection: Objection,
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
    /// The time that passes.
    pub steady: Steady,
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
