//! Events that are sent to the pages without a request: one JSON object per line, for as long as a browser listens.

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

/// The longest pause before an empty line is sent: idle tunnels are often closed, and a browser at the end of a dead
/// one would not notice.
const PULSE: Duration = Duration::from_secs(10);

/// Streams what changed and how collection is going: `{"changed": …}`, `{"health": …}`, or an empty line.
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
