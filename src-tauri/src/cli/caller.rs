//! Who runs a command: at which terminal, in which folder, with which settings, and on what.
//!
//! Owns the difference between a command of this process and one that was handed over to it: files are those of the
//! caller, what is open is this process's.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Failure;
use super::terminal::Terminal;
use crate::socket::{Errand, Far};
use liftdeck_api::error::AppError;
use liftdeck_app::home::Home;
use liftdeck_app::lent::Lent;

/// Whose command it is.
pub(crate) struct Caller {
    /// Where the command speaks.
    pub(crate) terminal: Terminal,
    /// What relative paths are relative to; empty for this process's own folder.
    folder: PathBuf,
    /// Another process's home; `None` for this process's own.
    home: Option<Home>,
    lent: Option<Arc<Lent>>,
}

impl Caller {
    /// This process, which opens for itself what it needs.
    pub(crate) fn own() -> Self {
        Self { terminal: Terminal::own(), folder: PathBuf::new(), home: None, lent: None }
    }

    /// Another process, whose command works with what this one has open.
    pub(crate) fn far(errand: &Errand, terminal: Far, lent: Arc<Lent>) -> Self {
        Self {
            terminal: Terminal::Far(terminal),
            folder: errand.folder.clone(),
            home: Some(errand.home.clone()),
            lent: Some(lent),
        }
    }

    /// A file as the caller names it.
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
            None => Ok(Home::find().map_err(AppError::from)?),
        }
    }

    /// What this process lends to a command that was handed over to it.
    pub(crate) fn lent(&self) -> Option<Arc<Lent>> {
        self.lent.clone()
    }
}
