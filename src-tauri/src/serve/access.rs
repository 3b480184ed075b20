//! Who may ask: a browser that came by the link, and pages of this very server.
//!
//! Owns the key of the link, good for one browser, and the token that browser shows from then on. The token travels in a
//! header, which no page of another origin can set. The names a browser may know this server by are checked too: a page
//! of a stranger's domain that was pointed at this address would be of the same origin.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use tokio::sync::mpsc::UnboundedSender;

use super::Served;

/// 256 bits.
const SECRET_BYTES: usize = 32;

/// The secrets of one server.
pub(crate) struct Keys {
    /// Lets one browser in; another one takes its place then.
    key: Mutex<String>,
    /// Shown by every browser that was let in.
    token: String,
    /// Told the key after the one that was used.
    used: UnboundedSender<String>,
}

#[derive(Deserialize)]
pub(super) struct Shown {
    key: String,
}

#[derive(Serialize)]
struct Entered<'t> {
    token: &'t str,
}

impl Keys {
    /// Fresh secrets, and the first key.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub(crate) fn new(used: UnboundedSender<String>) -> std::io::Result<Self> {
        Ok(Self { key: Mutex::new(secret()?), token: secret()?, used })
    }

    /// The key of the link.
    pub(crate) fn key(&self) -> String {
        self.key.lock().clone()
    }

    /// Gives the token for the key, which is worth nothing from then on.
    fn spend(&self, shown: &str) -> std::io::Result<Option<&str>> {
        let mut key = self.key.lock();
        if !is_equal(&key, shown) {
            return Ok(None);
        }
        *key = secret()?;
        // Nobody who would print the next link: this one still lets its browser in.
        let _ = self.used.send(key.clone());
        Ok(Some(&self.token))
    }
}

fn secret() -> std::io::Result<String> {
    let mut random = [0_u8; SECRET_BYTES];
    getrandom::fill(&mut random).map_err(std::io::Error::other)?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn is_equal(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

/// Lets a browser in that shows the key.
pub(super) async fn enter(State(served): State<Arc<Served>>, Json(shown): Json<Shown>) -> Response {
    match served.keys.spend(&shown.key) {
        Ok(Some(token)) => Json(Entered { token }).into_response(),
        Ok(None) => refused(StatusCode::UNAUTHORIZED, "This link was used or has ended."),
        Err(error) => {
            tracing::warn!(%error, "The system gives no random numbers: no browser is let in.");
            refused(StatusCode::INTERNAL_SERVER_ERROR, "The system gives no random numbers.")
        }
    }
}

/// Lets through only who shows the token.
pub(super) async fn known(State(served): State<Arc<Served>>, request: Request, next: Next) -> Response {
    let shown = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    match shown.and_then(|value| value.strip_prefix("Bearer ")) {
        Some(token) if is_equal(token, &served.keys.token) => next.run(request).await,
        _ => refused(StatusCode::UNAUTHORIZED, "This browser was not let in, or Liftdeck was started again."),
    }
}

/// Lets through only requests by a name that is an address, of pages of this server or of no page at all.
pub(super) async fn same_origin(State(served): State<Arc<Served>>, request: Request, next: Next) -> Response {
    if is_same_origin(request.headers(), served.is_open_to_others) {
        return next.run(request).await;
    }
    refused(
        StatusCode::FORBIDDEN,
        "Liftdeck answers only its own pages, opened by the address that the link names or by localhost.",
    )
}

fn is_same_origin(headers: &HeaderMap, is_open_to_others: bool) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let Some(host) = text(HOST) else { return false };
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host().trim_matches(['[', ']']);
    // A stranger's domain can be made to lead here; an address leads nowhere but to itself.
    let is_named = match name.parse::<IpAddr>() {
        Ok(address) => is_open_to_others || address.is_loopback(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    };
    is_named && text(ORIGIN).is_none_or(|origin| origin == format!("http://{host}"))
}

fn refused(status: StatusCode, why: &'static str) -> Response {
    (status, why).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn a_key_lets_one_browser_in_and_the_next_key_another() {
        let (used, mut next) = tokio::sync::mpsc::unbounded_channel();
        let keys = Keys::new(used).unwrap();
        let first = keys.key();
        assert!(keys.spend("").unwrap().is_none());
        assert!(keys.spend("x").unwrap().is_none());
        let token = keys.spend(&first).unwrap().map(str::to_owned);
        assert_eq!(token.as_deref(), Some(keys.token.as_str()));
        assert!(keys.spend(&first).unwrap().is_none(), "a key is good once");
        let second = next.try_recv().unwrap();
        assert_eq!(second, keys.key());
        assert_ne!(second, first);
        assert!(keys.spend(&second).unwrap().is_some());
    }

    #[test]
    fn a_page_of_another_origin_and_a_name_that_could_be_anybodys_are_refused() {
        for (host, origin, others, expected) in [
            ("127.0.0.1:4310", None, false, true),
            ("localhost:8080", Some("http://localhost:8080"), false, true),
            ("[::1]:4310", Some("http://[::1]:4310"), false, true),
            ("127.0.0.1:4310", Some("http://127.0.0.1:4311"), false, false),
            ("127.0.0.1:4310", Some("https://evil.example"), false, false),
            ("127.0.0.1:4310", Some("null"), false, false),
            ("evil.example:4310", None, false, false),
            ("localhost.evil.example", None, false, false),
            ("10.0.0.7:4310", None, false, false),
            ("10.0.0.7:4310", None, true, true),
            ("evil.example:4310", None, true, false),
            ("", None, true, false),
        ] {
            assert_eq!(is_same_origin(&headers(host, origin), others), expected, "{host} {origin:?}");
        }
        assert!(!is_same_origin(&HeaderMap::new(), true));
    }
}
