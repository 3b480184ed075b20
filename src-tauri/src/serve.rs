//! The same pages in a browser, over HTTP: for the machine that collects, looked at from another through an SSH tunnel.
//!
//! Owns what goes over HTTP and in which form. Deliberately answers nothing itself: every question goes to the core, and
//! what may be asked at all is the core's to say.

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

/// Bytes of a question at most: a bulk change names thousands of game sessions by their ARNs.
const LONGEST_QUESTION: usize = 16 * 1_024 * 1_024;

/// What the server answers with.
pub(crate) struct Served {
    pub(crate) app: Arc<App>,
    pub(crate) keys: Keys,
    /// Where files lie that a browser brought; gone with the server.
    pub(crate) uploads: TempDir,
    /// Whether it listens beyond this computer.
    pub(crate) is_open_to_others: bool,
    pub(crate) stop: CancellationToken,
}

/// Serves until it is told to stop.
///
/// # Errors
/// When the system takes the listener away.
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
