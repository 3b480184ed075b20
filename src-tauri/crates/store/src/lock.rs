//! The lock file beside the database: at most one program writes a database at a time.
//!
//! Owns `<database>.lock`. The lock is advisory and held by the open file, so it ends with the process, however that
//! ends. The lock file itself stays behind; its existence does not mean that the database is locked.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::error::StoreError;
use crate::file::beside;

/// Suffix of the lock file's name.
pub(crate) const SUFFIX: &str = ".lock";

/// Held as long as this program may write the database.
#[derive(Debug)]
pub(crate) struct WriterLock {
    file: File,
}

impl WriterLock {
    /// Takes the lock of `database` without waiting.
    pub(crate) fn take(database: &Path) -> Result<Self, StoreError> {
        let path = beside(database, SUFFIX);
        let file = private(OpenOptions::new().create(true).truncate(false).write(true))
            .open(&path)
            .map_err(|source| refused(database, "locked", source))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy { path: database.to_owned() }),
            Err(TryLockError::Error(source)) => Err(refused(database, "locked", source)),
        }
    }
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // Closing alone is not enough: a child process being started holds a copy of the open file for a moment.
        if let Err(error) = self.file.unlock() {
            tracing::info!(%error, "The database's lock ends with the file instead.");
        }
    }
}

/// Creates the database's folder.
pub(crate) fn create_folder(database: &Path) -> Result<(), StoreError> {
    match database.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|source| refused(database, "created", source))
        }
        None => Ok(()),
    }
}

/// Creates the database file, accessible to this user only.
pub(crate) fn create_private(database: &Path) -> Result<(), StoreError> {
    let file = private(OpenOptions::new().create(true).truncate(false).write(true))
        .open(database)
        .map_err(|source| refused(database, "created", source))?;
    // An existing file may have been copied here with wider permissions. If they cannot be narrowed, it is still
    // usable.
    if let Err(error) = narrow(&file) {
        tracing::warn!(%error, path = %database.display(), "The database's file permissions could not be restricted \
            to this user.");
    }
    Ok(())
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(unix)]
fn narrow(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn narrow(_file: &File) -> std::io::Result<()> {
    Ok(())
}

/// The system's error codes for a failing disk, for which Rust has no name: EIO on Unix; ERROR_CRC and
/// ERROR_IO_DEVICE on Windows.
const DISK_FAULTS: &[i32] = if cfg!(unix) { &[5] } else { &[23, 1_117] };

pub(crate) fn refused(path: &Path, doing: &'static str, source: std::io::Error) -> StoreError {
    match source.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnlyDisk { path: Some(path.to_owned()) }
        }
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
            StoreError::DiskFull { path: Some(path.to_owned()) }
        }
        _ if source.raw_os_error().is_some_and(|code| DISK_FAULTS.contains(&code)) => {
            StoreError::DiskFault { path: Some(path.to_owned()), detail: source.to_string() }
        }
        _ => StoreError::Io { path: path.to_owned(), doing, source },
    }
}
