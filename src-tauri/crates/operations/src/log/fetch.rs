//! Downloads a log: through the proxy set on this computer, completely, and in a bounded time.
//!
//! The link is a secret for its 15 minutes: it is neither logged nor stored, and no error shows it.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Error, Response, StatusCode, Url};
use rustls::{ClientConfig, RootCertStore};
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt as _;

use crate::error::OperationError;

/// AWS saves no log above 200 MB; an archive of one is never larger.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// The longest wait for the response to begin, and between two pieces of it.
const SILENCE: Duration = Duration::from_secs(30);
/// The longest time for all of it: the link itself is valid for no longer.
const WHOLE: Duration = Duration::from_mins(15);

/// Downloads the content of `url` into `part`.
pub(super) async fn fetch(url: &str, part: &NamedTempFile) -> Result<(), OperationError> {
    let url = Url::parse(url).map_err(|_| failed("the link from AWS is not valid"))?;
    let client = client(&url)?;
    match tokio::time::timeout(WHOLE, fetch_whole(&client, url, part)).await {
        Ok(fetched) => fetched,
        Err(_) => Err(failed(&format!("it took more than {} min. Try again", WHOLE.as_secs() / 60))),
    }
}

/// Uses the proxy of the environment, but none for this computer itself, as every other request does.
fn client(url: &Url) -> Result<Client, OperationError> {
    let builder =
        Client::builder().tls_backend_preconfigured(tls()?).redirect(Policy::none()).read_timeout(SILENCE);
    let is_here = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
    let builder = if is_here { builder.no_proxy() } else { builder };
    builder.build().map_err(|_| failed("the proxy setting is not valid. Correct HTTPS_PROXY"))
}

/// The same cryptography and trusted roots as for calls to AWS.
fn tls() -> Result<ClientConfig, OperationError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(failed("this computer's root certificates cannot be read"));
    }
    let crypto = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(crypto).with_safe_default_protocol_versions();
    let versions = versions.map_err(|error| failed(&format!("TLS cannot be set up: {error}")))?;
    Ok(versions.with_root_certificates(roots).with_no_client_auth())
}

async fn fetch_whole(client: &Client, url: Url, part: &NamedTempFile) -> Result<(), OperationError> {
    let answer = client.get(url).send().await.map_err(|error| unanswered(&error))?;
    match answer.status() {
        StatusCode::OK => write(answer, part).await,
        StatusCode::NOT_FOUND => Err(failed("AWS no longer has it: logs are kept for 14 days")),
        StatusCode::FORBIDDEN => {
            Err(failed("the link was refused. Check this computer's clock, then try again"))
        }
        other => Err(failed(&format!("the answer was {other}. Try again later"))),
    }
}

/// Tells only the kind of a client error, because the error itself shows the link.
fn unanswered(error: &Error) -> OperationError {
    if error.is_connect() {
        failed("no connection. Check network and proxy")
    } else if error.is_timeout() {
        failed(&format!("no answer in {} s. Try again", SILENCE.as_secs()))
    } else {
        failed("the connection broke. Try again")
    }
}

async fn write(mut answer: Response, part: &NamedTempFile) -> Result<(), OperationError> {
    let unkept = |error: std::io::Error| super::unkept(part.path(), &error);
    let mut file = tokio::fs::File::from_std(part.reopen().map_err(unkept)?);
    let mut bytes = 0_u64;
    // A response that ends before its announced length is an error here too.
    while let Some(piece) = answer.chunk().await.map_err(|_| failed("the download broke off. Try again"))? {
        bytes += piece.len() as u64;
        if bytes > MOST_BYTES {
            return Err(failed("it is larger than any log AWS keeps"));
        }
        file.write_all(&piece).await.map_err(unkept)?;
    }
    file.flush().await.map_err(unkept)
}

fn failed(why: &str) -> OperationError {
    OperationError::Refused(format!("The log could not be fetched: {why}."))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    /// Reads what a client sends first.
    async fn heard(stream: &mut TcpStream) -> String {
        let mut head = vec![0; 4_096];
        let length = stream.read(&mut head).await.unwrap();
        String::from_utf8(head[..length].to_vec()).unwrap()
    }

    /// Fetches these links in a separate process, the only one with this proxy in its environment, and returns what
    /// became of each.
    async fn fetched_with_a_proxy(proxy: String, links: &str) -> String {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args([
            "--exact",
            "--ignored",
            "--nocapture",
            "log::fetch::tests::fetches_links_of_its_environment",
        ]);
        child.env("FETCHED_LINKS", links).env("HTTPS_PROXY", proxy).env("NO_PROXY", "s3.internal");
        child.env_remove("https_proxy").env_remove("no_proxy");
        let output = tokio::task::spawn_blocking(move || child.output()).await.unwrap().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    #[tokio::test]
    #[ignore = "the other half of the tests of a proxy"]
    async fn fetches_links_of_its_environment() {
        for link in std::env::var("FETCHED_LINKS").unwrap_or_default().split_whitespace() {
            let error = fetch(link, &NamedTempFile::new().unwrap()).await.expect_err("nothing is there");
            assert!(!error.to_string().contains("secret"), "{error}");
            println!("{error}");
        }
    }

    #[tokio::test]
    async fn the_proxy_of_the_environment_is_used_but_for_what_it_excepts_and_this_computer() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = format!("http://user:secret@{}", listener.local_addr().unwrap());
        let links = "https://s3.internal:1/x https://127.0.0.1:1/x https://localhost:1/x https://[::1]:1/x \
                     https://logs.s3.eu-west-1.amazonaws.com/gs.zip?X-Amz-Signature=secret";
        let asked = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let asked = heard(&mut stream).await;
            stream.write_all(b"HTTP/1.1 403 Forbidden\r\n\r\n").await.unwrap();
            asked
        });
        let said = fetched_with_a_proxy(proxy, links).await;
        let asked = tokio::time::timeout(SILENCE, asked).await.expect("the proxy was asked").unwrap();
        assert!(asked.starts_with("CONNECT logs.s3.eu-west-1.amazonaws.com:443 HTTP/1.1"), "{asked}");
        assert!(asked.to_lowercase().contains("proxy-authorization: basic"), "{asked}");
        assert!(!asked.contains("Signature"), "{asked}");
        assert_eq!(said.matches("no connection. Check network and proxy").count(), 5, "{said}");
    }

    #[tokio::test]
    async fn an_answer_that_ends_before_its_length_is_not_taken_for_whole() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/gs.zip", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            heard(&mut stream).await;
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf").await.unwrap();
        });
        let part = NamedTempFile::new().unwrap();
        let error = fetch(&url, &part).await.expect_err("ninety-six bytes are missing");
        assert!(error.to_string().contains("broke off"), "{error}");
    }
}
