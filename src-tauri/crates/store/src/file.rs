//! Whose a file is, told from its first bytes before anything opens it for writing.
//!
//! SQLite takes locks, makes files beside a database and may roll back a journal before it can be asked anything, so what is
//! not ours is recognised without it. Owns the names of the files beside a database. Deliberately changes nothing.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::lock;
use crate::schema::APPLICATION_ID;

/// What every SQLite database begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Where SQLite keeps `PRAGMA application_id`, four bytes, big-endian (file format, 1.3.17).
const APPLICATION_ID_AT: usize = 68;
/// Length of the database header.
const HEADER: usize = 100;

/// What lies at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// No file.
    Nothing,
    /// A file without a byte in it, as a program that was killed in its first moment leaves.
    Empty,
    /// One of our databases.
    Ours,
    /// One of our databases whose first page is destroyed: what we keep beside one is still there.
    Destroyed,
}

/// Tells what lies at `path`.
///
/// # Errors
/// For what is somebody else's, is no file at all, or cannot be read.
pub(crate) fn look(path: &Path) -> Result<Found, StoreError> {
    let refused = |source| lock::refused(path, "opened", source);
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        // A link that leads nowhere must not become a file in a place nobody named.
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => return Ok(Found::Nothing),
        Err(error) => return Err(refused(error)),
    };
    if !metadata.is_file() {
        return Err(StoreError::NoDatabase { path: path.to_owned() });
    }
    if metadata.len() == 0 {
        return Ok(Found::Empty);
    }
    let mut header = Vec::with_capacity(HEADER);
    let file = File::open(path).map_err(refused)?;
    file.take(HEADER as u64).read_to_end(&mut header).map_err(refused)?;
    if header.get(..MAGIC.len()) != Some(MAGIC.as_slice()) {
        let ours = beside(path, lock::SUFFIX).exists();
        return if ours {
            Ok(Found::Destroyed)
        } else {
            Err(StoreError::NoDatabase { path: path.to_owned() })
        };
    }
    let found = header
        .get(APPLICATION_ID_AT..APPLICATION_ID_AT + 4)
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(0, |bytes| i64::from(i32::from_be_bytes(bytes)));
    if found == APPLICATION_ID {
        Ok(Found::Ours)
    } else {
        Err(StoreError::Foreign { path: path.to_owned(), application_id: found })
    }
}

/// The path with something added to its name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Files in the same folder whose name is that of `path` followed by `suffix` and anything.
pub(crate) fn siblings(path: &Path, suffix: &str) -> Vec<PathBuf> {
    let start = beside(path, suffix);
    let (Some(folder), Some(start)) = (path.parent(), start.file_name()) else { return Vec::new() };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let start = start.to_string_lossy();
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&*start)))
        .collect();
    found.sort();
    found
}

/// Makes what was renamed in the folder of `path` survive a power cut, as far as the system can.
pub(crate) fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let synced = File::open(folder.unwrap_or_else(|| Path::new("."))).and_then(|folder| folder.sync_all());
    if let Err(error) = synced {
        tracing::info!(%error, "The database's folder could not be synced.");
    }
}

/// Removes a file that is no longer needed, if it is there. One that stays does no harm and is logged.
pub(crate) fn remove(path: &Path) {
    match std::fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => {
            tracing::warn!(%error, path = %path.display(), "A file that is no longer needed stays.")
        }
    }
}
