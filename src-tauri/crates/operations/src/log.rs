//! Logs of ended game sessions: fetched once, then kept beyond the 14 days that AWS keeps them.
//!
//! Owns the file: accessible to this user only, complete or absent, and checked before it counts as kept. The
//! download itself is in `fetch`.

mod fetch;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use liftdeck_gateway::ErrorKind;
use liftdeck_model::{GameSessionId, Region};
use tempfile::NamedTempFile;
use zip::ZipArchive;

use crate::connection::Connection;
use crate::error::OperationError;

/// AWS saves no log above 200 MB. Text compresses a hundredfold at most, so what unpacks to more is not a log.
const MOST_UNPACKED: u64 = 20 * 1024 * 1024 * 1024;

/// A log on this computer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptLog {
    /// The archive.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// Whether it was fetched just now, rather than being there already.
    pub fetched: bool,
}

/// Downloads the log of an ended game session as a zip below `folder`. An intact copy is not fetched again.
///
/// # Errors
/// `Refused` with the reason if there is no log or it cannot be saved, `Gateway` if AWS cannot be asked.
pub(crate) async fn download(
    connection: &Connection,
    session: &GameSessionId,
    folder: &Path,
) -> Result<KeptLog, OperationError> {
    let path = path_of(folder, session)?;
    match inspect(&path).await {
        Ok(bytes) => return Ok(KeptLog { path, bytes, fetched: false }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => {
            tracing::warn!(%error, path = %path.display(), "A log kept earlier is damaged and is fetched again.")
        }
    }
    let url = Box::pin(link(connection, session)).await?;
    let within = make_private(folder, &path)?;
    let part = tempfile::Builder::new().prefix(".log-").suffix(".part").tempfile_in(&within);
    // A temporary file that is private from the start, and that is deleted if anything fails.
    let part = part.map_err(|error| unkept(&path, &error))?;
    Box::pin(fetch::fetch(&url, &part)).await?;
    keep(part, &path).await.map(|bytes| KeptLog { path, bytes, fetched: true })
}

/// Returns where the log of a session is kept below `folder`, whether or not it is there.
///
/// # Errors
/// `Refused` if `session` is not the ARN of a game session.
pub fn path_of(folder: &Path, session: &GameSessionId) -> Result<PathBuf, OperationError> {
    let not_one =
        || OperationError::Refused(format!("{session} is not a game session. Name it by its full ARN."));
    let region = session.as_str().split(':').nth(3).ok_or_else(not_one)?;
    let (_, rest) = session.as_str().split_once("gamesession/").ok_or_else(not_one)?;
    let mut path = folder.to_path_buf();
    for part in std::iter::once(region).chain(rest.split('/')) {
        // The characters that AWS allows in ids are safe in a file name. Others could lead out of the folder.
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if part.is_empty() || !part.chars().all(plain) {
            return Err(not_one());
        }
        path.push(part);
    }
    path.set_extension("zip");
    Ok(path)
}

/// Asks AWS for the download link.
async fn link(connection: &Connection, session: &GameSessionId) -> Result<String, OperationError> {
    let region = session.as_str().split(':').nth(3).map(Region::from);
    let aws = connection.reader(&region.unwrap_or_else(|| Region::from("")))?;
    let refuse = |text: &str| Err(OperationError::Refused(text.to_owned()));
    match aws.game_session_log_url(session).await {
        Ok(Some(url)) => Ok(url),
        Ok(None) => refuse(
            "AWS has no log of this game session. It keeps a log for 14 days after the session ends, and none above \
             200 MB; a session that is still running has none yet.",
        ),
        Err(error) if error.kind == ErrorKind::Invalid => Err(OperationError::Refused(format!(
            "AWS keeps logs only of ended game sessions on managed EC2 fleets. {error}."
        ))),
        Err(error) => Err(error.into()),
    }
}

/// Gives the download its final name once it is known to be complete.
async fn keep(part: NamedTempFile, path: &Path) -> Result<u64, OperationError> {
    let bytes = inspect(part.path()).await.map_err(|error| {
        OperationError::Refused(format!("The log arrived damaged ({error}) and was not saved. Try again."))
    })?;
    part.as_file().sync_all().map_err(|error| unkept(path, &error))?;
    // If another download of the same log was faster, this one replaces it: both are complete.
    part.persist(path).map_err(|error| unkept(path, &error.error))?;
    Ok(bytes)
}

/// Reads a whole archive, with every entry and its checksum. Returns the archive's size in bytes.
async fn inspect(path: &Path) -> io::Result<u64> {
    let path = path.to_owned();
    tokio::task::spawn_blocking(move || {
        let file = std::fs::File::open(&path)?;
        let bytes = file.metadata()?.len();
        let mut archive = ZipArchive::new(io::BufReader::new(file)).map_err(io::Error::other)?;
        let mut left = MOST_UNPACKED;
        for index in 0..archive.len() {
            let entry = archive.by_index(index).map_err(io::Error::other)?;
            let read = io::copy(&mut entry.take(left.saturating_add(1)), &mut io::sink())?;
            left = left
                .checked_sub(read)
                .ok_or_else(|| io::Error::other("it unpacks to more than any log AWS keeps"))?;
        }
        Ok(bytes)
    })
    .await
    .map_err(io::Error::other)?
}

/// Creates the folder of a log below `folder`, accessible to this user only.
fn make_private(folder: &Path, path: &Path) -> Result<PathBuf, OperationError> {
    let within = path.parent().unwrap_or(folder).to_path_buf();
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&within).map_err(|error| unkept(path, &error))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Narrows a folder that was created with wider permissions: it holds player data.
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
            .map_err(|error| unkept(path, &error))?;
    }
    Ok(within)
}

fn unkept(path: &Path, error: &io::Error) -> OperationError {
    OperationError::Refused(format!("The log could not be saved as {}: {error}.", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_kept_under_its_region_fleet_location_and_id() {
        let arn = "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/eu-north-1/gs-7";
        let path = path_of(Path::new("logs"), &GameSessionId::from(arn)).unwrap();
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
            assert!(path_of(Path::new("logs"), &GameSessionId::from(arn)).is_err(), "{arn}");
        }
    }

    fn zipped(text: &str) -> Vec<u8> {
        use std::io::Write as _;
        let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        zip.start_file("log.txt", zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
        zip.finish().unwrap().into_inner()
    }

    #[tokio::test]
    async fn an_archive_with_one_bit_turned_or_its_end_cut_off_is_not_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gs.zip");
        let whole = zipped(&"a line of a log\n".repeat(400));
        std::fs::write(&path, &whole).unwrap();
        assert_eq!(inspect(&path).await.unwrap(), whole.len() as u64);
        let mut turned = whole.clone();
        turned[60] ^= 1;
        for damaged in
            [turned.as_slice(), &whole[..whole.len() - 1], &whole[..whole.len() / 2], b"<html>busy</html>"]
        {
            std::fs::write(&path, damaged).unwrap();
            inspect(&path).await.expect_err("it is damaged");
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn what_is_kept_is_open_to_this_user_alone_and_a_damaged_one_leaves_nothing() {
        use std::os::unix::fs::PermissionsExt as _;
        let root = tempfile::tempdir().unwrap();
        let (folder, path) = (root.path().join("logs"), root.path().join("logs/eu-west-1/gs.zip"));
        let within = make_private(&folder, &path).unwrap();
        let part = |content: &[u8]| {
            let part = NamedTempFile::new_in(&within).unwrap();
            std::fs::write(part.path(), content).unwrap();
            part
        };
        let refused = keep(part(b"half of it"), &path).await.expect_err("it is no zip");
        assert!(refused.to_string().contains("damaged"), "{refused}");
        assert_eq!(std::fs::read_dir(&within).unwrap().count(), 0);
        keep(part(&zipped("log")), &path).await.unwrap();
        for (of, rights) in [(&folder, 0o700), (&within, 0o700), (&path, 0o600)] {
            assert_eq!(
                std::fs::metadata(of).unwrap().permissions().mode() & 0o777,
                rights,
                "{}",
                of.display()
            );
        }
    }
}
