//! The built-in demo: a simulated world with a database of its own, gone when it is closed. Absent where Liftdeck is built
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

/// Id of the demo, which is no saved connection.
pub(crate) const DEMO: &str = "demo";

/// What a demo runs on besides a store: ended with it.
pub(crate) struct Stage {
    /// Ends the world.
    pub(crate) end: Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send>,
    /// Where its database lies.
    pub(crate) folder: TempDir,
}
