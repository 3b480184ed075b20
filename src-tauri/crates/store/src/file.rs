//! Tells from a file's first bytes whether it is ours, before anything opens it for writing.
//!
//! SQLite takes locks, creates files beside a database and may roll back a journal before it answers any query, so
//! files that are not ours are recognised without it. Owns the names of the files beside a database. Looking at a
//! file deliberately changes nothing.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::lock;
use crate::schema::APPLICATION_ID;

/// The first bytes of every SQLite database.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Offset of `PRAGMA application_id` in the header: four bytes, big-endian (file format, 1.3.17).
const APPLICATION_ID_AT: usize = 68;
/// Length of the database header.
const HEADER: usize = 100;

/// What was found at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// No file.
    Nothing,
    /// An empty file, as left by a program that was killed right after creating it.
    Empty,
    /// One of our databases.
    Ours,
    /// One of our databases with its first page destroyed, recognised by the lock file beside it.
    Destroyed,
}

/// Tells what is at `path`.
///
/// # Errors
/// If it belongs to another program, is not a regular file, or cannot be read.
pub(crate) fn look(path: &Path) -> Result<Found, StoreError> {
    let refused = |source| lock::refused(path, "opened", source);
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        // A dangling symbolic link must not create a file in a place that nobody named.
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

/// Whether both paths lead to the same file, through any links. The files are not opened: closing a database that
/// this program also has open elsewhere would release SQLite's locks on it.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    resolved(one) == resolved(other) || is_same_inode(one, other)
}

/// Resolves links and relative parts of a path; the file itself need not exist yet.
pub fn resolved(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

#[cfg(unix)]
fn is_same_inode(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |path: &Path| std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()));
    inode(one).is_some_and(|one| Some(one) == inode(other))
}

#[cfg(not(unix))]
fn is_same_inode(_one: &Path, _other: &Path) -> bool {
    false
}

/// Returns the path with `suffix` added to its name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Returns the files in the same folder whose names begin with that of `path` followed by `suffix`, sorted.
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

/// Makes renames in the folder of `path` survive a power cut, as far as the system can.
pub(crate) fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let synced = File::open(folder.unwrap_or_else(|| Path::new("."))).and_then(|folder| folder.sync_all());
    if let Err(error) = synced {
        tracing::info!(%error, "The database's folder could not be synced.");
    }
}

/// Removes a file that is no longer needed, if it exists. A failure does no harm and is logged.
pub(crate) fn remove(path: &Path) {
    match std::fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => {
            tracing::warn!(%error, path = %path.display(), "A file that is no longer needed could not be removed.")
        }
    }
}
