//! What the window is told without asking.

use std::sync::Arc;

use liftdeck_app::{App, Hint};
use serde::Serialize;
use tauri::{AppHandle, Emitter, Manager};

/// The window all events go to.
const WINDOW: &str = "main";

/// Tells the window what moved and how collection goes, until the program ends.
pub(super) async fn hints(app: AppHandle) {
    let mut hints = app.state::<Arc<App>>().hints();
    while let Some(hint) = hints.next().await {
        match hint {
            Hint::Changed(changed) => tell(&app, "changed", changed),
            Hint::Health(health) => tell(&app, "health", *health),
        }
    }
}

/// An event that the window does not take costs a tick: it asks again by itself.
fn tell(app: &AppHandle, event: &str, told: impl Serialize + Clone) {
    if let Err(error) = app.emit_to(WINDOW, event, told) {
        tracing::info!(%error, event, "The window did not take an event.");
    }
}
