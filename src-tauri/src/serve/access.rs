//! Access control: a browser must have come by the link, and requests must come from pages of this server.
//!
//! Owns the link's key, which lets in one browser, and the token that the browser sends from then on. The token
//! travels in a header, which no page of another origin can set. The host name of each request is checked too: a page
//! of a foreign domain that resolves to this address would have the same origin.

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
    /// Lets in one browser; then a new key replaces it.
    key: Mutex<String>,
    /// Sent by every browser that was let in.
    token: String,
    /// Receives the new key each time one is used.
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
    /// Generates the token and the first key.
    ///
    /// # Errors
    /// When the system provides no random numbers.
    pub(crate) fn new(used: UnboundedSender<String>) -> std::io::Result<Self> {
        Ok(Self { key: Mutex::new(secret()?), token: secret()?, used })
    }

    /// The key of the current link.
    pub(crate) fn key(&self) -> String {
        self.key.lock().clone()
    }

    /// Exchanges the key for the token, and replaces the key. `None` if the key is wrong.
    fn spend(&self, shown: &str) -> std::io::Result<Option<&str>> {
        let mut key = self.key.lock();
        if !is_equal(&key, shown) {
            return Ok(None);
        }
        *key = secret()?;
        // If nobody is left to print the next link, this one still lets its browser in.
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

/// Lets in a browser that sends the key.
pub(super) async fn enter(State(served): State<Arc<Served>>, Json(shown): Json<Shown>) -> Response {
    match served.keys.spend(&shown.key) {
        Ok(Some(token)) => Json(Entered { token }).into_response(),
        Ok(None) => refused(StatusCode::UNAUTHORIZED, "This link has been used or has expired."),
        Err(error) => {
            tracing::warn!(%error, "The operating system provides no random numbers, so no browser is let in.");
            refused(StatusCode::INTERNAL_SERVER_ERROR, "The operating system provides no random numbers.")
        }
    }
}

/// Lets through only requests with the token.
pub(super) async fn known(State(served): State<Arc<Served>>, request: Request, next: Next) -> Response {
    let shown = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    match shown.and_then(|value| value.strip_prefix("Bearer ")) {
        Some(token) if is_equal(token, &served.keys.token) => next.run(request).await,
        _ => {
            refused(StatusCode::UNAUTHORIZED, "This browser was not let in, or Liftdeck has restarted since.")
        }
    }
}

/// Lets through only requests whose host is localhost or an allowed IP address, and whose origin is this server or
/// absent.
pub(super) async fn same_origin(State(served): State<Arc<Served>>, request: Request, next: Next) -> Response {
    if is_same_origin(request.headers(), served.is_open_to_others) {
        return next.run(request).await;
    }
    refused(
        StatusCode::FORBIDDEN,
        "Liftdeck answers only its own pages, opened at the link's address or at localhost.",
    )
}

fn is_same_origin(headers: &HeaderMap, is_open_to_others: bool) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let Some(host) = text(HOST) else { return false };
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host().trim_matches(['[', ']']);
    // A foreign domain can be made to resolve to this computer; an IP address cannot.
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
