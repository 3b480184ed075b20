//! The guard of an open connection: exists once the gateway does, and is read-only until an operator unlocks it.

use std::future::pending;
use std::sync::Arc;

use liftdeck_model::Region;
use liftdeck_model::activity::ActivitySource;
use liftdeck_model::watch::Roll;
use liftdeck_operations::{Guard, GuardOptions, Mode, Objection};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::clock::{self, Clock};
use liftdeck_api::connection::ConnectionSummary;

/// The guard, and the mode of the connection whether or not there is a guard.
pub(super) struct Operating {
    guard: Option<Guard>,
    telling: Option<JoinHandle<()>>,
    mode: watch::Sender<Mode>,
}

impl Operating {
    pub(super) fn new() -> Self {
        let (mode, _) = watch::channel(Mode::ReadOnly);
        Self { guard: None, telling: None, mode }
    }

    /// Watches the mode.
    pub(super) fn mode(&self) -> watch::Receiver<Mode> {
        self.mode.subscribe()
    }

    /// The mode at this moment; the channel behind `mode` lags slightly.
    pub(super) fn mode_now(&self) -> Mode {
        self.guard.as_ref().map_or(Mode::ReadOnly, |guard| *guard.mode().borrow())
    }

    /// The guard, once it exists.
    pub(super) fn guard(&self) -> Option<Guard> {
        self.guard.clone()
    }

    /// Takes over an opened guard, and forwards its mode as the connection's.
    pub(super) fn take_over(&mut self, guard: Guard, roll: Roll) {
        let (modes, mode) = (guard.mode(), self.mode.clone());
        self.telling = Some(tokio::spawn(async move {
            let begin = || tell(modes.clone(), mode.clone());
            roll.carry("The watch over the unlocked connection", pending::<()>, begin).await;
        }));
        self.guard = Some(guard);
    }

    /// Releases the guard: from here on the connection is read-only.
    pub(super) fn give_up(&mut self) -> Option<Guard> {
        if let Some(telling) = self.telling.take() {
            telling.abort();
        }
        self.mode.send_replace(Mode::ReadOnly);
        self.guard.take()
    }
}

/// Forwards each mode of a guard until the guard is gone.
async fn tell(mut modes: watch::Receiver<Mode>, mode: watch::Sender<Mode>) {
    loop {
        mode.send_replace(*modes.borrow_and_update());
        if modes.changed().await.is_err() {
            return;
        }
    }
}

/// The guard's options for a connection.
pub(super) fn options(connection: &ConnectionSummary, objection: Objection, clock: Clock) -> GuardOptions {
    GuardOptions {
        connection_name: connection.name.clone(),
        environment: connection.environment,
        objection,
        profile: connection.profile.clone(),
        endpoint_url: connection.endpoint_url.clone(),
        source: ActivitySource::Window,
        regions: connection.regions.iter().map(|region| Region::from(region.as_str())).collect(),
        clock,
        steady: clock::steady(),
        ids: Arc::new(|| uuid::Uuid::new_v4().to_string()),
    }
}
