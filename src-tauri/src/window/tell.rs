//! Events that are sent to the window without a request.

use std::sync::Arc;

use liftdeck_app::{App, Hint};
use serde::Serialize;
use tauri::{AppHandle, Emitter, Manager};

/// The window that receives all events.
pub(super) const WINDOW: &str = "main";

/// Tells the window what changed and how collection is going, until the program ends.
pub(super) async fn hints(app: AppHandle) {
    let mut hints = app.state::<Arc<App>>().hints();
    while let Some(hint) = hints.next().await {
        match hint {
            Hint::Changed(changed) => tell(&app, "changed", changed),
            Hint::Health(health) => tell(&app, "health", *health),
        }
    }
}

/// Sends an event. If it is lost the window is one tick late: it also asks by itself.
fn tell(app: &AppHandle, event: &str, told: impl Serialize + Clone) {
    if let Err(error) = app.emit_to(WINDOW, event, told) {
        tracing::info!(%error, event, "The window did not take an event.");
    }
}
