//! The options that a guard is opened with.
//!
//! Owns no value of its own: clocks and fresh ids come in here, so that nothing below reads a clock.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use liftdeck_model::activity::ActivitySource;
use liftdeck_model::{Environment, Timestamp};

/// Returns the current time.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Returns the time since some moment of this process. It only grows, and nobody can set it.
pub type Steady = Arc<dyn Fn() -> Duration + Send + Sync>;

/// Returns why nothing may be changed for now, whoever unlocks; `None` if there is no objection.
pub type Objection = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// What a guard needs to know about its connection.
#[derive(Clone)]
pub struct GuardOptions {
    /// The connection's name, which must be typed on production.
    pub connection_name: String,
    /// The connection's environment.
    pub environment: Environment,
    /// Checked at each unlock.
    pub objection: Objection,
    /// Where changes come from.
    pub source: ActivitySource,
    /// The current time.
    pub clock: Clock,
    /// The monotonic time.
    pub steady: Steady,
    /// A fresh UUID at each call.
    pub ids: Arc<dyn Fn() -> String + Send + Sync>,
}

impl fmt::Debug for GuardOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardOptions")
            .field("connection_name", &self.connection_name)
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}
