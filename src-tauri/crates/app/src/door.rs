//! Where other processes come in while a database is open here.
//!
//! Owns what a host has to bring for that; the host owns how it is done.

use std::sync::{Arc, Weak};

use futures::future::BoxFuture;
use liftdeck_model::watch::Down;

use crate::app::App;
use crate::lent::Lent;

/// An open door.
pub trait Door: Send + Sync {
    /// Tasks of the door that are not running.
    fn down(&self) -> Vec<Down>;

    /// Lets nobody in any more, and ends what is going on inside.
    fn close(self: Box<Self>) -> BoxFuture<'static, ()>;
}

/// Opens a door on what is lent, where questions go to the program; `None` where it cannot be opened, which is logged and
/// hinders nothing else.
pub type OpenDoor = Arc<dyn Fn(Arc<Lent>, Weak<App>) -> Option<Box<dyn Door>> + Send + Sync>;

/// How the door of one program is opened, and what answers there.
#[derive(Clone)]
pub(crate) struct Doorway {
    pub(crate) open: OpenDoor,
    pub(crate) app: Weak<App>,
}

impl Doorway {
    /// One that is never opened.
    pub(crate) fn nobody() -> Self {
        Self { open: nobody(), app: Weak::new() }
    }

    /// Opens a door on what is lent.
    pub(crate) fn open(&self, lent: Lent) -> Option<Box<dyn Door>> {
        (self.open)(Arc::new(lent), Weak::clone(&self.app))
    }
}

/// A door that is never opened: for a host that lets no other process in.
#[must_use]
pub fn nobody() -> OpenDoor {
    Arc::new(|_, _| None)
}
