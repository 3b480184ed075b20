//! Serves the window's pages to a browser over HTTP, so that a machine that collects can be viewed from another one
//! through an SSH tunnel.
//!
//! Owns the HTTP routes and formats. Deliberately answers nothing itself: every request goes to the core, which also
//! decides what may be asked.

mod access;
mod answer;
mod hints;
mod pages;
mod upload;

use std::future::IntoFuture;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{get, post};
use liftdeck_app::App;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub(crate) use access::Keys;

/// The largest request, in bytes: a bulk change names thousands of game sessions by their ARNs.
const LONGEST_QUESTION: usize = 16 * 1_024 * 1_024;

/// The state that all routes share.
pub(crate) struct Served {
    pub(crate) app: Arc<App>,
    pub(crate) keys: Keys,
    /// Folder of the files that browsers uploaded; deleted with the server.
    pub(crate) uploads: TempDir,
    /// Whether it listens on an address that other computers can reach.
    pub(crate) is_open_to_others: bool,
    pub(crate) stop: CancellationToken,
}

/// Serves until it is told to stop.
///
/// # Errors
/// When the system closes the listener.
pub(crate) async fn serve(listener: TcpListener, served: Arc<Served>) -> std::io::Result<()> {
    let stop = served.stop.clone();
    let known = Router::new()
        .route("/ask/{command}", post(answer::ask))
        .route("/hints", get(hints::stream))
        .layer(DefaultBodyLimit::max(LONGEST_QUESTION))
        .route("/upload/{name}", post(upload::take))
        .route_layer(middleware::from_fn_with_state(Arc::clone(&served), access::known));
    let routes = Router::new()
        .route("/session", post(access::enter))
        .merge(known)
        .fallback(get(pages::page))
        .layer(middleware::from_fn_with_state(Arc::clone(&served), access::same_origin))
        .with_state(served);
    axum::serve(listener, routes).with_graceful_shutdown(stop.cancelled_owned()).into_future().await
}

/// The link that lets one browser in.
pub(crate) fn link(address: SocketAddr, key: &str) -> String {
    format!("http://{address}/#key={key}")
}
