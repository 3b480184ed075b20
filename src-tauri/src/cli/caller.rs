//! The caller of a command: its terminal, its folder, its settings, and what is open for it.
//!
//! Owns the difference between a command of this process and one that was handed over to it: files are the caller's,
//! whatever is open is this process's.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Failure;
use super::terminal::Terminal;
use crate::socket::{HandedCommand, RemoteTerminal};
use liftdeck_app::connections::Connections;
use liftdeck_app::home::Home;
use liftdeck_app::shared::SharedConnection;

/// The process that a command belongs to.
pub(crate) struct Caller {
    /// The terminal that the command uses.
    pub(crate) terminal: Terminal,
    /// The base of relative paths; empty for this process's own folder.
    folder: PathBuf,
    /// Another process's home; `None` for this process's own.
    home: Option<Home>,
    shared: Option<Arc<SharedConnection>>,
}

impl Caller {
    /// Returns this process as the caller. It opens what it needs itself.
    pub(crate) fn own() -> Self {
        Self { terminal: Terminal::own(), folder: PathBuf::new(), home: None, shared: None }
    }

    /// Returns another process as the caller. Its command works with what this process has open.
    pub(crate) fn remote(
        handed: &HandedCommand,
        terminal: RemoteTerminal,
        shared: Arc<SharedConnection>,
    ) -> Self {
        Self {
            terminal: Terminal::Remote(terminal),
            folder: handed.folder.clone(),
            home: Some(handed.home.clone()),
            shared: Some(shared),
        }
    }

    /// Resolves a path that the caller named.
    pub(crate) fn path(&self, named: &Path) -> PathBuf {
        self.folder.join(named)
    }

    /// The caller's settings and connections.
    ///
    /// # Errors
    /// When the system names no folder for them.
    pub(crate) fn home(&self) -> Result<Home, Failure> {
        match &self.home {
            Some(home) => Ok(home.clone()),
            None => Ok(Home::find()?),
        }
    }

    /// The caller's connections, as their file has them now.
    ///
    /// # Errors
    /// As for [`Self::home`].
    pub(crate) fn connections(&self) -> Result<Connections, Failure> {
        Ok(Connections::load(self.home()?.connections_file()))
    }

    /// What this process lends to a command that was handed over to it.
    pub(crate) fn shared(&self) -> Option<Arc<SharedConnection>> {
        self.shared.clone()
    }
}
