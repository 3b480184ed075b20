//! What a program that has a database open lends to commands: its store, its gateway with the one request budget, and a
//! guard beside its own.
//!
//! Owns when that guard is opened: a window has one, a collection opens it for the first command, or at once where it
//! stays: changes without an answer are looked into although no command comes.

use std::path::PathBuf;
use std::sync::Arc;

use liftdeck_gateway::Gateway;
use liftdeck_model::activity::ActivitySource;
use liftdeck_operations::{Environment, Guard, GuardOptions, OperationError};
use liftdeck_store::{Reader, Writer};
use tokio::sync::OnceCell;

use crate::clock::{self, Clock};

/// What is open, and as what.
pub(crate) struct Lent {
    /// The database file.
    pub(crate) database: PathBuf,
    /// Profile it was opened with.
    pub(crate) profile: Option<String>,
    /// Endpoint it was opened with.
    pub(crate) endpoint_url: Option<String>,
    /// Name and mark of the saved connection, where it is one.
    pub(crate) connection: Option<(String, Environment)>,
    pub(crate) gateway: Gateway,
    pub(crate) writer: Writer,
    pub(crate) reader: Reader,
    pub(crate) clock: Clock,
    /// The guard everything is one with; one the window closes itself.
    pub(crate) guard: OnceCell<Guard>,
    /// Whether the guard is somebody else's to close.
    pub(crate) is_guard_lent: bool,
}

impl Lent {
    /// A locked guard of its own for a command.
    ///
    /// # Errors
    /// When what an earlier process left cannot be read or written.
    pub(crate) async fn guard(&self, options: GuardOptions) -> Result<Guard, OperationError> {
        let first = self.guard.get_or_try_init(|| Box::pin(self.first_guard())).await?;
        Ok(first.beside(options))
    }

    /// Takes up what an earlier process left without an answer.
    ///
    /// # Errors
    /// When that cannot be read or written.
    pub(crate) async fn take_up(&self) -> Result<(), OperationError> {
        self.guard.get_or_try_init(|| Box::pin(self.first_guard())).await.map(drop)
    }

    async fn first_guard(&self) -> Result<Guard, OperationError> {
        let options = GuardOptions {
            connection_name: self.database.display().to_string(),
            environment: Environment::Development,
            profile: self.profile.clone(),
            endpoint_url: self.endpoint_url.clone(),
            source: ActivitySource::CommandLine,
            regions: self.gateway.regions().cloned().collect(),
            clock: Arc::clone(&self.clock),
            steady: clock::steady(),
            ids: Arc::new(|| uuid::Uuid::new_v4().to_string()),
        };
        Guard::open(self.gateway.clone(), self.writer.clone(), self.reader.clone(), options).await
    }

    /// Waits for the answers of what commands sent, where nobody else does.
    pub(super) async fn give_up(&self) {
        if let Some(guard) = self.guard.get().filter(|_| !self.is_guard_lent) {
            guard.clone().close().await;
        }
    }
}
