//! Logs of ended game sessions: fetched once, then kept past the 14 days AWS keeps them.
//!
//! Owns the download and the file. A file is whole or not there. The link is a secret for its 15 minutes: it is neither
//! logged nor kept.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty};
use hyper::body::Incoming;
use hyper::{Request, Response, StatusCode, Uri};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use liftdeck_gateway::ErrorKind;
use liftdeck_model::{GameSessionId, Region};
use tokio::fs;
use tokio::io::AsyncWriteExt as _;

use crate::core::Core;
use crate::error::OperationError;
use crate::guard::Guard;

/// AWS saves no log above 200 MB; an archive of one is never larger.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// For the answer to begin.
const ANSWER: Duration = Duration::from_secs(30);
/// Between two pieces of it.
const PIECE: Duration = Duration::from_secs(30);

/// A log on this computer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptLog {
    /// The archive.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// Whether it was fetched just now, instead of being here already.
    pub fetched: bool,
}

impl Guard {
    /// The log of an ended game session, as a zip below `folder`: what is there already is not fetched again.
    ///
    /// # Errors
    /// `Refused` with the reason when there is no log to be had or it cannot be kept, `Gateway` when AWS cannot be asked.
    pub async fn download_log(
        &self,
        session: &GameSessionId,
        folder: &Path,
    ) -> Result<KeptLog, OperationError> {
        let path = place(folder, session)?;
        if let Ok(known) = fs::metadata(&path).await {
            return Ok(KeptLog { path, bytes: known.len(), fetched: false });
        }
        let url = Box::pin(link(&self.core, session)).await?;
        let bytes = Box::pin(fetch(&url, &path)).await?;
        Ok(KeptLog { path, bytes, fetched: true })
    }
}

/// Where the log of a session is kept below `folder`, whether it is there or not.
///
/// # Errors
/// `Refused` for what is no ARN of a game session.
pub fn place(folder: &Path, session: &GameSessionId) -> Result<PathBuf, OperationError> {
    let not_one = || {
        OperationError::Refused(format!(
            "{session} is no game session. A game session is named by its full ARN."
        ))
    };
    let region = session.as_str().split(':').nth(3).ok_or_else(not_one)?;
    let (_, rest) = session.as_str().split_once("gamesession/").ok_or_else(not_one)?;
    let mut path = folder.to_path_buf();
    for part in std::iter::once(region).chain(rest.split('/')) {
        // What AWS allows in ids is safe in a file name; anything else would lead out of the folder.
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if part.is_empty() || !part.chars().all(plain) {
            return Err(not_one());
        }
        path.push(part);
    }
    path.set_extension("zip");
    Ok(path)
}

/// Asks AWS for the link.
async fn link(core: &Core, session: &GameSessionId) -> Result<String, OperationError> {
    let region = session.as_str().split(':').nth(3).map(Region::from);
    let aws = core.reader(&region.unwrap_or_else(|| Region::from("")))?;
    let refuse = |text: &str| Err(OperationError::Refused(text.to_owned()));
    match aws.game_session_log_url(session).await {
        Ok(Some(url)) => Ok(url),
        Ok(None) => refuse(
            "AWS has no log of this game session. It keeps one from the end of the session on for 14 days, and none \
             above 200 MB; a session that still runs has none yet.",
        ),
        Err(error) if error.kind == ErrorKind::Invalid => Err(OperationError::Refused(format!(
            "AWS keeps logs only of ended game sessions on managed EC2 fleets. {error}."
        ))),
        Err(error) => Err(error.into()),
    }
}

/// Fetches into a file beside `path`, which takes its name only when it is whole.
async fn fetch(url: &str, path: &Path) -> Result<u64, OperationError> {
    let answer = ask(url).await?;
    match answer.status() {
        StatusCode::OK => {}
        StatusCode::NOT_FOUND => return Err(failed("AWS no longer has it: logs are kept for 14 days")),
        StatusCode::FORBIDDEN => {
            return Err(failed("the link was refused. Check this computer's clock, then try again"));
        }
        other => return Err(failed(&format!("the answer was {other}. Try again later"))),
    }
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder).await.map_err(|error| unkept(path, &error))?;
    let part = path.with_extension("part");
    let fetched = write(answer, &part).await;
    if fetched.is_err() {
        // What is left of it is of no use; should it stay, the next try overwrites it.
        let _ = fs::remove_file(&part).await;
    }
    let bytes = fetched?;
    fs::rename(&part, path).await.map_err(|error| unkept(path, &error))?;
    Ok(bytes)
}

async fn ask(url: &str) -> Result<Response<Incoming>, OperationError> {
    let uri: Uri = url.parse().map_err(|_| failed("the link AWS gave is no link"))?;
    let connector = HttpsConnectorBuilder::new()
        .with_native_roots()
        .map_err(|error| failed(&format!("this computer's root certificates cannot be read: {error}")))?
        .https_or_http()
        .enable_http1()
        .build();
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

async fn write(answer: Response<Incoming>, part: &Path) -> Result<u64, OperationError> {
    let mut body = answer.into_body();
    let mut file = fs::File::create(part).await.map_err(|error| unkept(part, &error))?;
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
        file.write_all(&data).await.map_err(|error| unkept(part, &error))?;
    }
    file.sync_all().await.map_err(|error| unkept(part, &error))?;
    Ok(bytes)
}

fn failed(why: &str) -> OperationError {
    OperationError::Refused(format!("The log could not be fetched: {why}."))
}

fn unkept(path: &Path, error: &std::io::Error) -> OperationError {
    OperationError::Refused(format!("The log could not be kept as {}: {error}.", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_kept_under_its_region_fleet_location_and_id() {
        let arn = "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/eu-north-1/gs-7";
        let path = place(Path::new("logs"), &GameSessionId::from(arn)).unwrap();
        assert_eq!(path, Path::new("logs/eu-west-1/fleet-1/eu-north-1/gs-7.zip"));
    }

    #[test]
    fn an_id_never_leads_out_of_the_folder() {
        for arn in [
            "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/../../gs",
            "arn:aws:gamelift:../..::gamesession/fleet-1/gs",
            "arn:aws:gamelift:eu-west-1::gamesession/",
            "arn:aws:gamelift:eu-west-1::gamesession/fleet-1//etc",
            "gs-7",
        ] {
            assert!(place(Path::new("logs"), &GameSessionId::from(arn)).is_err(), "{arn}");
        }
    }
}
