//! How other processes connect while a database is open here.
//!
//! Owns the interface that a host must implement for that; the host decides how.

use std::sync::{Arc, Weak};

use futures::future::BoxFuture;
use liftdeck_model::watch::Down;

use crate::app::App;
use crate::shared::SharedConnection;

/// An open door: accepts connections from other processes.
pub trait CommandSocket: Send + Sync {
    /// The door's tasks that are not running.
    fn down(&self) -> Vec<Down>;

    /// Accepts no more connections, and ends those in progress.
    fn close(self: Box<Self>) -> BoxFuture<'static, ()>;
}

/// Opens a door that offers what is in [`SharedConnection`] and passes calls to the program. `None` if it cannot be opened, which
/// is logged and has no other effect.
pub type OpenCommandSocket =
    Arc<dyn Fn(Arc<SharedConnection>, Weak<App>) -> Option<Box<dyn CommandSocket>> + Send + Sync>;

/// Opens this program's door, behind which the program answers.
pub(crate) type SocketOpener = Arc<dyn Fn(SharedConnection) -> Option<Box<dyn CommandSocket>> + Send + Sync>;

/// A door that never opens, for a host that lets no other process in.
#[must_use]
pub fn nobody() -> OpenCommandSocket {
    Arc::new(|_, _| None)
}
