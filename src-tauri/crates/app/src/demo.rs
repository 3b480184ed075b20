//! The built-in demo: a simulated world with its own database, deleted when it is closed. Absent if Liftdeck is built
//! without the simulator.

#[cfg(not(feature = "simulator"))]
mod absent;
#[cfg(feature = "simulator")]
mod simulated;

use futures::future::BoxFuture;
use tempfile::TempDir;

#[cfg(not(feature = "simulator"))]
pub(crate) use absent::{scenarios, stage};
#[cfg(feature = "simulator")]
pub(crate) use simulated::{scenarios, stage};

/// Id of the demo, which is not a saved connection.
pub(crate) const DEMO: &str = "demo";

/// What a demo needs besides a store; ends with the demo.
pub(crate) struct Stage {
    /// Shuts down the simulated world.
    pub(crate) end: Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send + Sync>,
    /// The folder of its database.
    pub(crate) folder: TempDir,
}
