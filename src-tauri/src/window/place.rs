//! Where the window is sent from outside: by a notification, the tray, or a link.
//!
//! Owns which connection a link means, and the page that waits until the window takes it. Only opens pages: what the
//! window has open is closed for another connection only by a person who says so there.

use std::sync::Arc;

use parking_lot::Mutex;
use serde::Serialize;
use tauri::{AppHandle, Emitter, Manager};

use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::settings::AppState;
use liftdeck_api::{AppError, ErrorKind};
use liftdeck_app::App;
use liftdeck_model::link::Link;

use super::tell::WINDOW;

/// A page to show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Place {
    /// The window's own address.
    pub(super) route: String,
    /// The connection to open first; `None` for a page of the one that is open.
    pub(super) connection: Option<String>,
}

impl Place {
    /// A page of the connection that is open.
    pub(super) const fn here(route: String) -> Self {
        Self { route, connection: None }
    }

    /// The page of a link.
    ///
    /// # Errors
    /// When no connection of this computer is meant by it.
    pub(super) fn of(link: &Link, state: &AppState) -> Result<Self, AppError> {
        let is_meant = |one: &ConnectionSummary| {
            one.id == link.place || one.account.as_ref().is_some_and(|account| account.as_str() == link.place)
        };
        let route = link.route();
        if state.current.as_ref().is_some_and(is_meant) {
            return Ok(Self::here(route));
        }
        let connection = meant(link, &state.connections)?;
        Ok(Self { route, connection: Some(connection.id.clone()) })
    }
}

/// The connection that a link means: by its id, otherwise by its account, and of several the one opened last.
///
/// # Errors
/// When there is none.
pub(super) fn meant<'a>(
    link: &Link,
    connections: &'a [ConnectionSummary],
) -> Result<&'a ConnectionSummary, AppError> {
    let by_id = connections.iter().find(|one| one.id == link.place);
    let of_account = connections
        .iter()
        .filter(|one| one.account.as_ref().is_some_and(|account| account.as_str() == link.place));
    by_id.or_else(|| of_account.max_by_key(|one| one.last_opened)).ok_or_else(|| {
        let message = format!("No connection here is {} or belongs to that account.", link.place);
        AppError::new(ErrorKind::NotFound, message)
            .about(link.place.clone())
            .remedy("Open the link where the connection is saved, or add the connection and open it once.")
    })
}

/// The page that waits to be shown. The window is told that there is one, and takes it; if it misses that, it finds
/// the page when it starts.
#[derive(Default)]
pub(super) struct Waiting(Mutex<Option<Place>>);

impl Waiting {
    pub(super) fn put(&self, place: Place) {
        *self.0.lock() = Some(place);
    }

    pub(super) fn take(&self) -> Option<Place> {
        self.0.lock().take()
    }
}

/// Shows the window with a page.
pub(super) fn go(app: &AppHandle, place: Place) {
    app.state::<Waiting>().put(place);
    if let Err(error) = app.emit_to(WINDOW, "place", ()) {
        tracing::info!(%error, "The window did not hear of a page to show.");
    }
    show(app);
}

/// Shows the page of a link that was brought from outside.
///
/// # Errors
/// When no connection of this computer is meant by it.
pub(super) async fn follow(app: AppHandle, link: Link) -> Result<(), AppError> {
    let core = app.state::<Arc<App>>();
    // What is just being opened may be what the link means.
    let turn = core.turn().await;
    let place = Place::of(&link, &core.app_state());
    drop(turn);
    go(&app, place?);
    Ok(())
}

/// Shows the page of a link that the system brought; there is nobody to tell why not but the log.
#[cfg(target_os = "macos")]
pub(super) fn opened(app: &AppHandle, link: &str) {
    match link.parse() {
        Ok(link) => {
            let app = app.clone();
            tauri::async_runtime::spawn(async move {
                if let Err(error) = follow(app, link).await {
                    tracing::warn!(%error, "A link could not be followed.");
                }
            });
        }
        Err(error) => tracing::warn!(%error, "A link could not be followed."),
    }
}

/// Brings the window to the front.
pub(super) fn show(app: &AppHandle) {
    let Some(window) = app.get_webview_window(WINDOW) else { return };
    let shown = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::info!(%error, "The window could not be brought to the front.");
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::{Environment, Timestamp};
    use liftdeck_operations::Mode;

    use super::*;

    fn connection(id: &str, account: Option<&str>, opened_ms: Option<i64>) -> ConnectionSummary {
        ConnectionSummary {
            id: id.to_owned(),
            name: id.to_owned(),
            environment: Environment::Development,
            profile: None,
            endpoint_url: None,
            account: account.map(Into::into),
            regions: Vec::new(),
            event_queues: Vec::new(),
            last_opened: opened_ms.map(Timestamp::from_ms),
        }
    }

    fn state(current: Option<ConnectionSummary>) -> AppState {
        AppState {
            version: String::new(),
            settings: liftdeck_app::settings::default(),
            connections: vec![
                connection("old", Some("111122223333"), Some(1)),
                connection("live", Some("111122223333"), Some(2)),
                connection("new", None, None),
            ],
            current,
            demo_scenarios: Vec::new(),
            may_operate: true,
            mode: Mode::ReadOnly,
            unlock_typed: None,
            open_error: None,
            connections_error: None,
        }
    }

    fn of(link: &str, current: Option<&ConnectionSummary>) -> Result<Place, String> {
        let link: Link = link.parse().unwrap();
        Place::of(&link, &state(current.cloned())).map_err(|error| error.message.into_string())
    }

    fn place(route: &str, connection: Option<&str>) -> Result<Place, String> {
        Ok(Place { route: route.to_owned(), connection: connection.map(str::to_owned) })
    }

    #[test]
    fn a_link_means_a_connection_by_its_id_or_its_account() {
        assert_eq!(of("liftdeck://new/fleets", None), place("#/fleets", Some("new")));
        assert_eq!(of("liftdeck://111122223333/alerts/1", None), place("#/alerts/1", Some("live")));
        let refused = of("liftdeck://999999999999/alerts/1", None).unwrap_err();
        assert!(refused.contains("999999999999"), "{refused}");
    }

    #[test]
    fn what_is_open_stays_open_if_it_is_meant() {
        let old = connection("old", Some("111122223333"), Some(1));
        assert_eq!(of("liftdeck://111122223333/alerts/1", Some(&old)), place("#/alerts/1", None));
        assert_eq!(of("liftdeck://live/alerts/1", Some(&old)), place("#/alerts/1", Some("live")));
        // A demo is saved nowhere.
        let demo = connection("demo", Some("123456789012"), None);
        assert_eq!(of("liftdeck://demo/overview", Some(&demo)), place("#/overview", None));
        assert!(of("liftdeck://demo/overview", None).is_err());
    }
}
