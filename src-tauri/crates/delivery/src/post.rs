//! One POST of JSON: through the proxy set on this computer, to the address itself and nowhere else, in bounded time.
//!
//! Owns what an answer means for an attempt. The address is a secret: no message shows it.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER, USER_AGENT};
use reqwest::redirect::Policy;
use reqwest::{Client, Error, Response, StatusCode, Url};
use rustls::{ClientConfig, RootCertStore};

use crate::attempt::Outcome;

/// The longest time for a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// The longest time for all of it.
const WHOLE: Duration = Duration::from_secs(20);
/// Most characters of an answer that are repeated to people.
const SHOWN: usize = 200;
/// Most bytes of an answer that are read.
const MOST_BYTES: usize = 16 * 1024;

/// A request, ready to be sent.
pub(crate) struct Request {
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

/// Sends a request and says what the answer means.
pub(crate) async fn post(address: &str, request: Request) -> Outcome {
    let Ok(url) = Url::parse(address) else { return Outcome::later("the address is no URL") };
    if !matches!(url.scheme(), "http" | "https") {
        return Outcome::later("the address does not begin with http:// or https://");
    }
    let client = match client(&url) {
        Ok(client) => client,
        Err(why) => return Outcome::later(why),
    };
    let mut sent = client.post(url).header(CONTENT_TYPE, "application/json").body(request.body);
    sent = sent.header(USER_AGENT, concat!("Liftdeck/", env!("CARGO_PKG_VERSION")));
    for (name, value) in request.headers {
        sent = sent.header(name, value);
    }
    match sent.send().await {
        Ok(answer) => of_answer(answer).await,
        Err(error) => unanswered(&error),
    }
}

/// Uses the proxy of the environment, but none for this computer itself, as every other request does.
fn client(url: &Url) -> Result<Client, String> {
    let builder = Client::builder()
        .tls_backend_preconfigured(tls()?)
        .redirect(Policy::none())
        .connect_timeout(CONNECT)
        .timeout(WHOLE);
    let is_here = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
    let builder = if is_here { builder.no_proxy() } else { builder };
    builder.build().map_err(|_| "the proxy setting is not valid. Correct HTTPS_PROXY".to_owned())
}

/// The same cryptography and trusted roots as for calls to AWS.
fn tls() -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err("this computer's root certificates cannot be read".to_owned());
    }
    let crypto = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(crypto).with_safe_default_protocol_versions();
    let versions = versions.map_err(|error| format!("TLS cannot be set up: {error}"))?;
    Ok(versions.with_root_certificates(roots).with_no_client_auth())
}

/// Tells only the kind of a client error, because the error itself shows the address.
fn unanswered(error: &Error) -> Outcome {
    if error.is_connect() {
        Outcome::later("no connection")
    } else {
        let why = if error.is_timeout() { "no answer in time" } else { "the connection broke" };
        Outcome::Later { why: why.to_owned(), wait: None, may_have_arrived: true }
    }
}

async fn of_answer(answer: Response) -> Outcome {
    let status = answer.status();
    if status.is_success() {
        return Outcome::Delivered;
    }
    let wait = retry_after(answer.headers());
    let said = said(answer).await;
    let why = format!("the answer was {status}{said}");
    if is_about_the_message(status) {
        Outcome::Refused(why)
    } else {
        Outcome::Later { why, wait, may_have_arrived: status == StatusCode::GATEWAY_TIMEOUT }
    }
}

/// Whether an answer finds fault with what was sent. Every other refusal, such as of a hook that was removed, of an
/// address that moved or of a key that is not known, is over once somebody puts the channel right.
fn is_about_the_message(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_REQUEST
            | StatusCode::NOT_ACCEPTABLE
            | StatusCode::CONFLICT
            | StatusCode::LENGTH_REQUIRED
            | StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::UNSUPPORTED_MEDIA_TYPE
            | StatusCode::UNPROCESSABLE_ENTITY
            | StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE
    )
}

/// The pause that was asked for, in seconds. A date is not understood: it would need a clock that is right.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}

/// The beginning of what a receiver said, in quotation marks.
async fn said(mut answer: Response) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < MOST_BYTES
        && let Ok(Some(piece)) = answer.chunk().await
    {
        bytes.extend_from_slice(&piece);
    }
    let text = String::from_utf8_lossy(&bytes);
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() { String::new() } else { format!(": \"{}\"", crate::envelope::cut(&line, SHOWN)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_finds_fault_with_the_message_lets_others_go_first() {
        let about = |code| is_about_the_message(StatusCode::from_u16(code).unwrap());
        assert_eq!([400, 413, 422].map(about), [true; 3]);
        let of_the_channel = [301, 307, 401, 403, 404, 405, 408, 410, 425, 429, 500, 503, 504];
        assert!(of_the_channel.iter().all(|code| !about(*code)), "{of_the_channel:?}");
    }
}
