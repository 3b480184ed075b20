//! What the pages are told without asking: one JSON object a line, for as long as a browser listens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures::stream;
use liftdeck_app::Hint;
use tokio::time::timeout;

use super::Served;

/// An empty line at least this often: a tunnel that carries nothing is closed by many, and a browser at the end of a dead
/// one would not notice.
const PULSE: Duration = Duration::from_secs(10);

/// Tells what moved and how collection goes: `{"changed": …}`, `{"health": …}`, or an empty line.
pub(super) async fn stream(State(served): State<Arc<Served>>) -> Response {
    let hints = served.app.hints();
    let stop = served.stop.clone();
    let lines = stream::unfold((hints, stop), |(mut hints, stop)| async move {
        let line = tokio::select! {
            hint = timeout(PULSE, hints.next()) => match hint {
                Ok(hint) => line(&hint?),
                Err(_) => "\n".to_owned(),
            },
            () = stop.cancelled() => return None,
        };
        Some((Ok::<_, Infallible>(Bytes::from(line)), (hints, stop)))
    });
    let headers = [(CONTENT_TYPE, "application/x-ndjson"), (CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(lines)).into_response()
}

fn line(hint: &Hint) -> String {
    let told = match hint {
        Hint::Changed(changed) => serde_json::json!({ "changed": changed }),
        Hint::Health(health) => serde_json::json!({ "health": health }),
    };
    format!("{told}\n")
}
