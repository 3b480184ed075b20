//! The port: accepts connections, reads requests, sends responses.
//!
//! How a request is answered is decided in `dispatch` and `control`.

mod answer;
mod control;
mod dispatch;
mod download;
mod journal;
mod run;
mod skew;
mod slip;
mod target;

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::DATE;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use self::answer::{Outcome, Payload};
use crate::cloud::Cloud;
use crate::gamelift;
use crate::simulator::Ready;

/// The largest request body read; a Realtime script upload is at most 5 MB.
const MAX_BODY_BYTES: usize = 16 << 20;

/// How long a connection without a response is kept open.
const STALL: Duration = Duration::from_secs(3600);

/// Serves a listener forever. Dropping the future ends every connection.
pub(crate) async fn serve(listener: TcpListener, cloud: Arc<Cloud>, ready: Ready) {
    let port = Arc::new(Port { cloud, ready, requests: AtomicU64::new(0) });
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                connections.spawn(connection(stream, peer.ip().to_string(), port.clone()));
            }
            // Out of file descriptors or the like: the next accept may succeed.
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        while connections.try_join_next().is_some() {}
    }
}

/// The state that all connections share.
#[derive(Debug)]
struct Port {
    cloud: Arc<Cloud>,
    ready: Ready,
    requests: AtomicU64,
}

impl Port {
    /// Returns an id for a request: its number, in the form of a UUID.
    fn request_id(&self) -> String {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let seed = self.ready.seed;
        format!("{:08x}-{:04x}-4000-8000-{number:012x}", seed & 0xffff_ffff, (seed >> 32) & 0xffff)
    }

    async fn answer(&self, request: Request<Incoming>, address: &str) -> Outcome {
        let (head, body) = request.into_parts();
        let Ok(body) = Limited::new(body, MAX_BODY_BYTES).collect().await else {
            return Outcome::Answer(answer::too_large(&self.request_id()));
        };
        let body = body.to_bytes();
        if head.uri.path().starts_with("/_simulator") {
            return Outcome::Answer(control::answer(&self.cloud, &self.ready, &head, &body).await);
        }
        if let Some(path) = head.uri.path().strip_prefix(gamelift::LOGS) {
            return Outcome::Answer(download::answer(
                &self.cloud,
                path,
                head.uri.query().unwrap_or_default(),
            ));
        }
        dispatch::answer(&self.cloud, &head, &body, &self.request_id(), address).await
    }
}

type Exchange = Pin<Box<dyn Future<Output = Result<Response<Payload>, Infallible>> + Send>>;

async fn connection(stream: TcpStream, address: String, port: Arc<Port>) {
    // Responses are small and needed at once.
    let _ = stream.set_nodelay(true);
    let reset = Arc::new(AtomicBool::new(false));
    let (flag, address) = (reset.clone(), Arc::<str>::from(address));
    let service = service_fn(move |request| -> Exchange {
        let (port, reset, address) = (port.clone(), flag.clone(), address.clone());
        Box::pin(async move {
            match port.answer(request, &address).await {
                Outcome::Answer(mut response) => {
                    if port.cloud.dated
                        && !response.headers().contains_key(DATE)
                        && let Some(date) = skew::date(skew::now_s())
                    {
                        response.headers_mut().insert(DATE, date);
                    }
                    Ok(response)
                }
                Outcome::Reset => {
                    reset.store(true, Ordering::Relaxed);
                    Ok(stall().await)
                }
                Outcome::Stall => Ok(stall().await),
            }
        })
    });
    let mut connection =
        http1::Builder::new().auto_date_header(false).serve_connection(TokioIo::new(stream), service);
    let ended = poll_fn(|context| {
        let polled = connection.poll_without_shutdown(context);
        if reset.load(Ordering::Relaxed) { std::task::Poll::Ready(Ok(())) } else { polled }
    })
    .await;
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
    let mut stream = connection.into_parts().io.into_inner();
    if reset.load(Ordering::Relaxed) {
        // Closing a socket with zero linger sends a reset.
        let _ = stream.set_zero_linger();
    } else {
        let _ = stream.shutdown().await;
    }
}

/// Sends no response for longer than any client waits.
async fn stall() -> Response<Payload> {
    tokio::time::sleep(STALL).await;
    Response::new(Payload::empty())
}
