//! A log on its way over the network: through the proxy this computer names, whole, and in a bounded time.
//!
//! The link is a secret for its 15 minutes: it is neither logged nor kept, and no error shows it.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty};
use hyper::body::Incoming;
use hyper::header::CONTENT_LENGTH;
use hyper::{Request, Response, StatusCode, Uri};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connect, HttpConnector};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioExecutor;
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt as _;

use crate::error::OperationError;

/// AWS saves no log above 200 MB; an archive of one is never larger.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// For the answer to begin.
const ANSWER: Duration = Duration::from_secs(30);
/// Between two pieces of it.
const PIECE: Duration = Duration::from_secs(30);
/// For all of it: the link itself is good for no longer.
const WHOLE: Duration = Duration::from_mins(15);

/// Fetches what `url` leads to into `part`.
pub(super) async fn fetch(url: &str, part: &NamedTempFile) -> Result<(), OperationError> {
    match tokio::time::timeout(WHOLE, fetch_whole(url, part)).await {
        Ok(fetched) => fetched,
        Err(_) => Err(failed(&format!("it took more than {} min. Try again", WHOLE.as_secs() / 60))),
    }
}

async fn fetch_whole(url: &str, part: &NamedTempFile) -> Result<(), OperationError> {
    let answer = ask(url).await?;
    match answer.status() {
        StatusCode::OK => write(answer, part).await,
        StatusCode::NOT_FOUND => Err(failed("AWS no longer has it: logs are kept for 14 days")),
        StatusCode::FORBIDDEN => {
            Err(failed("the link was refused. Check this computer's clock, then try again"))
        }
        other => Err(failed(&format!("the answer was {other}. Try again later"))),
    }
}

async fn ask(url: &str) -> Result<Response<Incoming>, OperationError> {
    let uri: Uri = url.parse().map_err(|_| failed("the link AWS gave is no link"))?;
    let mut direct = HttpConnector::new();
    // The TLS layer around it says which schemes there are.
    direct.enforce_http(false);
    match proxy_of(&uri, &Matcher::from_env()) {
        None => send(uri, direct).await,
        Some(proxy) if proxy.uri().scheme_str() == Some("http") => {
            let mut tunnel = Tunnel::new(proxy.uri().clone(), direct);
            if let Some(auth) = proxy.basic_auth() {
                tunnel = tunnel.with_auth(auth.clone());
            }
            send(uri, tunnel).await
        }
        Some(proxy) => Err(failed(&format!(
            "the proxy in the environment is of the kind {}, and only http:// is known. Correct HTTPS_PROXY",
            proxy.uri().scheme_str().unwrap_or_default()
        ))),
    }
}

/// The proxy for a link, as the environment names it; none for this computer itself, like everything else that is asked.
fn proxy_of(uri: &Uri, matcher: &Matcher) -> Option<Intercept> {
    let loopback = matches!(uri.host(), Some("127.0.0.1" | "localhost" | "[::1]"));
    if loopback { None } else { matcher.intercept(uri) }
}

async fn send<C>(uri: Uri, connector: C) -> Result<Response<Incoming>, OperationError>
where
    hyper_rustls::HttpsConnector<C>: Connect + Clone + Send + Sync + 'static,
{
    let connector = HttpsConnectorBuilder::new()
        .with_native_roots()
        .map_err(|error| failed(&format!("this computer's root certificates cannot be read: {error}")))?
        .https_or_http()
        .enable_http1()
        .wrap_connector(connector);
    let client: Client<_, Empty<Bytes>> = Client::builder(TokioExecutor::new()).build(connector);
    let request = Request::get(uri).body(Empty::new()).map_err(|_| failed("the link AWS gave is no link"))?;
    match tokio::time::timeout(ANSWER, client.request(request)).await {
        Ok(Ok(answer)) => Ok(answer),
        // Errors of the client may show the link: only their kind is told.
        Ok(Err(error)) if error.is_connect() => Err(failed("no connection. Check network and proxy")),
        Ok(Err(_)) => Err(failed("the connection broke. Try again")),
        Err(_) => Err(failed(&format!("no answer in {} s. Try again", ANSWER.as_secs()))),
    }
}

async fn write(answer: Response<Incoming>, part: &NamedTempFile) -> Result<(), OperationError> {
    let announced =
        answer.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let unkept = |error: std::io::Error| super::unkept(part.path(), &error);
    let mut file = tokio::fs::File::from_std(part.reopen().map_err(unkept)?);
    let mut body = answer.into_body();
    let mut bytes = 0_u64;
    loop {
        let piece = tokio::time::timeout(PIECE, body.frame()).await;
        let Some(piece) = piece.map_err(|_| failed("it broke off half-way. Try again"))? else { break };
        let piece = piece.map_err(|_| failed("it broke off half-way. Try again"))?;
        let Ok(data) = piece.into_data() else { continue };
        bytes += data.len() as u64;
        if bytes > MOST_BYTES {
            return Err(failed("it is larger than any log AWS keeps"));
        }
        file.write_all(&data).await.map_err(unkept)?;
    }
    file.flush().await.map_err(unkept)?;
    if announced.is_some_and(|announced| announced != bytes) {
        return Err(failed("it broke off half-way. Try again"));
    }
    Ok(())
}

fn failed(why: &str) -> OperationError {
    OperationError::Refused(format!("The log could not be fetched: {why}."))
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn the_proxy_of_the_environment_is_used_but_for_what_it_excepts_and_this_computer() {
        let matcher =
            Matcher::builder().https("http://user:secret@proxy.example:3128").no("s3.internal").build();
        let of = |uri: &'static str| proxy_of(&Uri::from_static(uri), &matcher);
        let proxy = of("https://logs.s3.eu-west-1.amazonaws.com/x").expect("it goes through the proxy");
        assert_eq!(proxy.uri().host(), Some("proxy.example"));
        assert!(proxy.basic_auth().is_some());
        for direct in
            ["https://s3.internal/x", "https://127.0.0.1:4566/x", "https://localhost/x", "https://[::1]/x"]
        {
            assert!(of(direct).is_none(), "{direct}");
        }
    }

    #[tokio::test]
    async fn a_proxy_is_asked_to_lead_to_the_link_and_is_shown_no_more_than_its_host() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy: Uri = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let asked = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = vec![0; 4_096];
            let length = stream.read(&mut head).await.unwrap();
            stream.write_all(b"HTTP/1.1 403 Forbidden\r\n\r\n").await.unwrap();
            String::from_utf8(head[..length].to_vec()).unwrap()
        });
        let mut direct = HttpConnector::new();
        direct.enforce_http(false);
        let link = Uri::from_static("https://logs.example/gs.zip?X-Amz-Signature=secret");
        let refused = send(link, Tunnel::new(proxy, direct)).await.expect_err("the proxy refuses");
        assert!(refused.to_string().contains("proxy"), "{refused}");
        let asked = asked.await.unwrap();
        assert!(asked.starts_with("CONNECT logs.example:443 HTTP/1.1"), "{asked}");
        assert!(!asked.contains("secret"), "{asked}");
    }

    #[tokio::test]
    async fn an_answer_that_ends_before_its_length_is_not_taken_for_whole() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/gs.zip", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = [0; 4_096];
            let _ = stream.read(&mut head).await.unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf").await.unwrap();
        });
        let part = NamedTempFile::new().unwrap();
        let error = fetch(&url, &part).await.expect_err("ninety-six bytes are missing");
        assert!(error.to_string().contains("half-way"), "{error}");
    }
}
