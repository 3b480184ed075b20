//! The folders for the program's own files: settings and connections in one, databases and logs in another.
//!
//! Owns the paths and the only way to write files there. Deliberately knows nothing about their content.

use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use liftdeck_api::{AppError, ErrorKind};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

/// The two folders of one user.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Home {
    config: PathBuf,
    data: PathBuf,
}

/// Why the folders could not be used.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// Neither the system nor the environment names a folder for a user's files.
    #[error("This system has no folder for settings. Set LIFTDECK_HOME to a folder to use.")]
    Nowhere,
    /// A folder or file cannot be used.
    #[error("{} could not be {doing}: {source}. Give this user permission, or set LIFTDECK_HOME to another folder.", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// `created`, `read`, `written`.
        doing: &'static str,
        /// The system's error.
        source: io::Error,
    },
}

impl Home {
    /// Finds the folders the system names for this user, or those under `LIFTDECK_HOME`.
    pub fn find() -> Result<Self, HomeError> {
        if let Some(root) = std::env::var_os("LIFTDECK_HOME").filter(|root| !root.is_empty()) {
            return Ok(Self::under(Path::new(&root)));
        }
        let config = dirs::config_dir().ok_or(HomeError::Nowhere)?.join("liftdeck");
        let data = dirs::data_local_dir().ok_or(HomeError::Nowhere)?.join("liftdeck");
        Ok(Self { config, data })
    }

    /// Both folders under one root.
    pub fn under(root: &Path) -> Self {
        Self { config: root.join("config"), data: root.join("data") }
    }

    /// Makes the folders absolute, for a process with another current folder; `None` if that is not possible.
    pub fn absolute(&self) -> Option<Self> {
        let absolute = |folder: &Path| std::path::absolute(folder).ok();
        Some(Self { config: absolute(&self.config)?, data: absolute(&self.data)? })
    }

    /// The settings file.
    pub fn settings_file(&self) -> PathBuf {
        self.config.join("settings.json")
    }

    /// The connections file.
    pub fn connections_file(&self) -> PathBuf {
        self.config.join("connections.json")
    }

    /// The place that the door of the window is named after; creates its folder if absent.
    pub fn window_door(&self) -> Result<PathBuf, HomeError> {
        make_private_folder(&self.data)?;
        Ok(self.data.join("window"))
    }

    /// The database of a connection; creates its folder if absent.
    pub fn database_file(&self, connection: &str) -> Result<PathBuf, HomeError> {
        let folder = self.data.join("databases");
        make_private_folder(&folder)?;
        Ok(folder.join(format!("{connection}.sqlite")))
    }

    /// The folder for log files; creates it if absent.
    pub fn log_folder(&self) -> Result<PathBuf, HomeError> {
        let folder = self.data.join("logs");
        make_private_folder(&folder)?;
        Ok(folder)
    }
}

/// Reads a file; `None` if there is none.
pub fn read(path: &Path) -> Result<Option<String>, HomeError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(HomeError::Io { path: path.to_owned(), doing: "read", source }),
    }
}

/// Replaces one of the program's own files; creates its folder if absent.
pub fn replace(path: &Path, contents: &[u8]) -> Result<(), HomeError> {
    if let Some(folder) = path.parent() {
        make_private_folder(folder)?;
    }
    write_whole(path, contents).map_err(|source| HomeError::Io {
        path: path.to_owned(),
        doing: "written",
        source,
    })
}

/// Writes a file as a whole; see [`Whole`].
pub fn write_whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = Whole::begin(path)?;
    file.write_all(contents)?;
    file.take_its_place()
}

/// A file that is written as a whole: to a temporary file beside its path, flushed to disk, then renamed. Only this
/// user can read it. A crash leaves the old file or the new one, never part of either.
#[derive(Debug)]
pub struct Whole<'p> {
    path: &'p Path,
    beside: BufWriter<NamedTempFile>,
}

impl<'p> Whole<'p> {
    /// Creates the temporary file. If this is dropped before [`Self::take_its_place`], nothing is left of it.
    pub fn begin(path: &'p Path) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let beside = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        Ok(Self { path, beside: BufWriter::new(beside) })
    }

    /// Renames the temporary file to its final path.
    pub fn take_its_place(self) -> io::Result<()> {
        let beside = self.beside.into_inner().map_err(IntoInnerError::into_error)?;
        beside.as_file().sync_all()?;
        beside.persist(self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Write for Whole<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.beside.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.beside.flush()
    }
}

fn make_private_folder(folder: &Path) -> Result<(), HomeError> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|source| HomeError::Io {
        path: folder.to_owned(),
        doing: "created",
        source,
    })
}

impl From<HomeError> for AppError {
    fn from(error: HomeError) -> Self {
        Self::new(ErrorKind::Store, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_file_is_nothing_and_a_replaced_one_is_whole() {
        let root = tempfile::tempdir().unwrap();
        let file = Home::under(root.path()).settings_file();
        assert_eq!(read(&file).unwrap(), None);
        replace(&file, b"one, rather long").unwrap();
        replace(&file, b"two").unwrap();
        assert_eq!(read(&file).unwrap().as_deref(), Some("two"));
    }

    #[cfg(unix)]
    #[test]
    fn files_and_folders_are_readable_by_their_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let home = Home::under(root.path());
        replace(&home.connections_file(), b"{}").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&home.connections_file()), 0o600);
        assert_eq!(mode(&home.config), 0o700);
        let database = home.database_file("prod").unwrap();
        assert_eq!(mode(database.parent().unwrap()), 0o700);
    }
}
