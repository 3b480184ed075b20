//! The control plane of the simulator: the truth of its world, its time, its fault plan, its credentials and its
//! call counts. It is JSON on the same port, without credentials, because it is not an AWS service.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use hyper::http::request::Parts;
use hyper::{Method, Response};
use serde::Deserialize;
use serde_json::json;

use super::answer::{Payload, plain};
use crate::cloud::Cloud;
use crate::fault::FaultPlan;
use crate::gamelift;
use crate::simulator::Ready;
use crate::wire::Writer;

/// The longest time that one call may advance virtual time: 30 days, as long as GameLift keeps anything.
const MAX_ADVANCE_SECONDS: f64 = 30.0 * 86_400.0;

/// The body of `advance`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    seconds: f64,
}

/// Answers a request under `/_simulator`.
pub(super) async fn answer(
    cloud: &Arc<Cloud>,
    ready: &Ready,
    head: &Parts,
    body: &[u8],
) -> Response<Payload> {
    let path = head.uri.path().trim_start_matches("/_simulator").trim_matches('/');
    match (&head.method, path) {
        (&Method::GET, "") => plain(200, "text/plain; charset=utf-8", summary(cloud, ready)),
        (&Method::GET, "truth") => truth(cloud, head),
        (&Method::GET, "calls") => json_answer(200, &json!(cloud.calls.counts())),
        (&Method::POST, "advance") => advance(cloud, body).await,
        (&Method::POST, "faults") => faults(cloud, body),
        (&Method::POST, "credentials") => credentials(cloud, body),
        _ => refuse(404, format!("there is no {} /_simulator/{path}", head.method)),
    }
}

fn json_answer(status: u16, body: &serde_json::Value) -> Response<Payload> {
    plain(status, "application/json", body.to_string())
}

fn refuse(status: u16, message: impl std::fmt::Display) -> Response<Payload> {
    json_answer(status, &json!({ "error": message.to_string() }))
}

fn summary(cloud: &Cloud, ready: &Ready) -> String {
    let now_ms = cloud.now_ms();
    let now = jiff::Timestamp::from_millisecond(now_ms).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let calls: u64 =
        cloud.calls.counts().values().flat_map(|actions| actions.values()).map(|count| count.calls).sum();
    format!(
        "simulator of scenario {} with seed {} in {}; virtual time {now:.0}; {calls} calls answered\n",
        ready.scenario,
        ready.seed,
        ready.regions.join(", "),
    )
}

fn truth(cloud: &Cloud, head: &Parts) -> Response<Payload> {
    let query = head.uri.query().unwrap_or_default();
    let region = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "region");
    let Some((_, region)) = region else { return refuse(400, "the query has no region") };
    let world = cloud.world.read().unwrap_or_else(PoisonError::into_inner);
    if !world.regions().any(|known| known == region) {
        return refuse(404, format!("the world has no region {region}"));
    }
    let mut writer = Writer::json();
    gamelift::write_truth(&world, &region, &mut writer);
    plain(200, "application/json", writer.finish())
}

async fn advance(cloud: &Arc<Cloud>, body: &[u8]) -> Response<Payload> {
    let asked: Advance = match serde_json::from_slice(body) {
        Ok(asked) => asked,
        Err(error) => return refuse(400, format!("the body is not {{\"seconds\": N}}: {error}")),
    };
    if !(0.0..=MAX_ADVANCE_SECONDS).contains(&asked.seconds) {
        return refuse(400, format!("seconds must be from 0 to {MAX_ADVANCE_SECONDS}"));
    }
    let (moved, by) = (cloud.clone(), Duration::from_secs_f64(asked.seconds));
    match tokio::task::spawn_blocking(move || moved.advance(by)).await {
        Ok(()) => json_answer(200, &json!({ "now_ms": cloud.now_ms() })),
        Err(_) => refuse(500, "the world failed while it moved"),
    }
}

fn faults(cloud: &Cloud, body: &[u8]) -> Response<Payload> {
    let plan = serde_json::from_slice::<FaultPlan>(body).map_err(|error| error.to_string());
    match plan.and_then(|plan| plan.checked().map_err(|error| error.to_string())) {
        Ok(plan) => {
            let rules = plan.rules.len();
            cloud.faults.replace(plan);
            json_answer(200, &json!({ "rules": rules }))
        }
        Err(error) => refuse(400, error),
    }
}

fn credentials(cloud: &Cloud, body: &[u8]) -> Response<Payload> {
    match serde_json::from_slice(body) {
        Ok(credentials) => {
            cloud.set_credentials(credentials);
            json_answer(200, &json!({}))
        }
        Err(error) => refuse(400, error),
    }
}
