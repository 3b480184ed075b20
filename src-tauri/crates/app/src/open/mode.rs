//! Whether an open connection may be changed at this moment, whichever guard it has.
//!
//! A guard exists once AWS has confirmed whose credentials these are; without one the connection is read-only.

use std::future::pending;

use liftdeck_operations::{Guard, Mode};
use tokio::sync::watch;

use super::OpenConnection;

/// Notices each change of the mode.
pub(crate) struct ModeWatch {
    guards: watch::Receiver<Option<Guard>>,
    mode: Option<watch::Receiver<Mode>>,
}

impl OpenConnection {
    /// The mode at this moment.
    pub(crate) fn mode_now(&self) -> Mode {
        self.guard.borrow().as_ref().map_or(Mode::ReadOnly, |guard| *guard.mode().borrow())
    }

    /// Watches the mode.
    pub(crate) fn mode(&self) -> ModeWatch {
        let mut guards = self.guard.subscribe();
        let mode = guards.borrow_and_update().as_ref().map(Guard::mode);
        ModeWatch { guards, mode }
    }
}

impl ModeWatch {
    /// Waits until the mode has changed, or another guard decides about it.
    pub(crate) async fn changed(&mut self) {
        let Self { guards, mode } = self;
        let changed = async {
            match mode.as_mut() {
                Some(mode) => mode.changed().await.is_ok(),
                None => false,
            }
        };
        tokio::select! {
            Ok(()) = guards.changed() => {}
            true = changed => return,
            else => pending().await,
        }
        *mode = guards.borrow_and_update().as_ref().map(Guard::mode);
    }
}
