//! What a program that has a database open lends to commands: its store, its gateway with the one request budget, and a
//! guard beside its own.
//!
//! Owns when that guard is opened: a window has one, a collection opens it for the first command, or at once where it
//! stays: changes without an answer are looked into although no command comes.

use std::path::PathBuf;
use std::sync::Arc;

use liftdeck_gateway::{CallerIdentity, Gateway};
use liftdeck_model::AccountId;
use liftdeck_model::activity::ActivitySource;
use liftdeck_operations::{Guard, GuardOptions, Objection, OperationError};
use liftdeck_store::{Reader, Writer};
use tokio::sync::OnceCell;

use crate::clock::{self, Clock};
use crate::marks::Mark;

/// What is open, and as what.
pub struct Lent {
    /// The database file.
    pub database: PathBuf,
    /// Profile it was opened with.
    pub profile: Option<String>,
    /// Endpoint it was opened with.
    pub endpoint_url: Option<String>,
    /// Account it belongs to.
    pub account: AccountId,
    /// How careful to be with it.
    pub mark: Mark,
    /// What stands against changing anything.
    pub objection: Objection,
    /// The way to AWS, with its one request budget.
    pub gateway: Gateway,
    /// Where records are written.
    pub writer: Writer,
    /// Where they are read.
    pub reader: Reader,
    /// Tells what time it is.
    pub clock: Clock,
    /// The guard everything is one with; one the window closes itself.
    pub guard: OnceCell<Guard>,
    /// Whether the guard is somebody else's to close.
    pub is_guard_lent: bool,
}

impl Lent {
    /// A locked guard of its own for a command.
    ///
    /// # Errors
    /// When what an earlier process left cannot be read or written.
    pub async fn guard(&self, options: GuardOptions) -> Result<Guard, OperationError> {
        let first = self.guard.get_or_try_init(|| Box::pin(self.first_guard())).await?;
        Ok(first.beside(options))
    }

    /// Takes up what an earlier process left without an answer.
    ///
    /// # Errors
    /// When that cannot be read or written.
    pub async fn take_up(&self) -> Result<(), OperationError> {
        self.guard.get_or_try_init(|| Box::pin(self.first_guard())).await.map(drop)
    }

    /// Why a command of this principal is not run: this program acts as somebody else, or AWS does not say as whom.
    pub async fn stranger(&self, caller: &CallerIdentity) -> Option<String> {
        let own = match Box::pin(self.gateway.prove()).await {
            Ok(own) => own,
            Err(error) => {
                return Some(format!(
                    "Nothing was sent: AWS does not say whom the Liftdeck that has {} open acts as. {error}.",
                    self.database.display()
                ));
            }
        };
        if own.is_same_principal(caller) {
            return None;
        }
        Some(format!(
            "Nothing was sent: this command acts as {} of account {}, and the Liftdeck that has {} open acts as {} of account \
             {} ({}). It runs a command only for the same caller. Use its profile, or close it first.",
            caller.arn,
            caller.account,
            self.database.display(),
            own.arn,
            own.account,
            with_profile(self.profile.as_deref())
        ))
    }

    async fn first_guard(&self) -> Result<Guard, OperationError> {
        let options = GuardOptions {
            connection_name: self.mark.name.clone().unwrap_or_else(|| self.database.display().to_string()),
            environment: self.mark.environment,
            objection: Arc::clone(&self.objection),
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
    pub async fn give_up(&self) {
        if let Some(guard) = self.guard.get().filter(|_| !self.is_guard_lent) {
            guard.clone().close().await;
        }
    }
}

/// How a profile is named in a sentence.
#[must_use]
pub fn with_profile(profile: Option<&str>) -> String {
    profile.map_or_else(|| "without a profile".to_owned(), |name| format!("with the profile {name}"))
}
