//! What a program with an open database lends to commands from other processes: its store, its gateway with the one
//! request budget, and a guard beside its own.
//!
//! Decides when that guard is opened. A window already has one. A collector opens it for the first command, or at
//! once if it keeps running, so that unanswered changes are followed up even if no command comes.

use std::path::PathBuf;
use std::sync::Arc;

use liftdeck_gateway::{CallerIdentity, Gateway};
use liftdeck_model::activity::ActivitySource;
use liftdeck_model::{AccountId, Environment};
use liftdeck_operations::marks::Mark;
use liftdeck_operations::{Guard, GuardOptions, Objection, OperationError};
use liftdeck_store::{Reader, Writer};
use tokio::sync::OnceCell;

use crate::clock::{self, Clock};

/// The open database and its resources.
pub struct SharedConnection {
    /// The database file.
    pub database: PathBuf,
    /// Account that it belongs to.
    pub account: AccountId,
    /// How careful to be with it.
    pub mark: Mark,
    /// The reason why nothing may be changed, if any.
    pub objection: Objection,
    /// Access to AWS, with its one request budget.
    pub gateway: Gateway,
    /// Writes records.
    pub writer: Writer,
    /// Reads records.
    pub reader: Reader,
    /// The clock.
    pub clock: Clock,
    /// The first guard, which the guards of commands are opened beside. A window's own is closed by the window.
    pub guard: OnceCell<Guard>,
    /// Whether another owner closes the guard.
    pub is_guard_shared: bool,
}

impl SharedConnection {
    /// Returns a locked guard for one command.
    ///
    /// # Errors
    /// If the work that an earlier process left cannot be read or written.
    pub async fn guard(&self, options: GuardOptions) -> Result<Guard, OperationError> {
        Ok(self.take_up().await?.beside(options))
    }

    /// Opens the first guard unless it is open, which takes up changes that an earlier process left without an answer.
    ///
    /// # Errors
    /// If those cannot be read or written.
    pub async fn take_up(&self) -> Result<&Guard, OperationError> {
        self.guard.get_or_try_init(|| Box::pin(self.first_guard())).await
    }

    /// Why commands of this principal are refused: this program acts as another one, or AWS cannot say which.
    pub async fn stranger(&self, caller: &CallerIdentity) -> Option<String> {
        let own = match Box::pin(self.gateway.prove()).await {
            Ok(own) => own,
            Err(error) => {
                return Some(format!(
                    "Nothing was sent: AWS did not confirm which identity the Liftdeck that has {} open uses. {error}.",
                    self.database.display()
                ));
            }
        };
        if own.is_same_principal(caller) {
            return None;
        }
        Some(format!(
            "Nothing was sent: this command acts as {} of account {}, and the Liftdeck that has {} open acts as {} of account \
             {} ({}). It runs commands only for the same identity. Use its profile, or close it first.",
            caller.arn,
            caller.account,
            self.database.display(),
            own.arn,
            own.account,
            with_profile(self.gateway.spec().profile.as_deref())
        ))
    }

    async fn first_guard(&self) -> Result<Guard, OperationError> {
        let name = self.mark.name.clone().unwrap_or_else(|| self.database.display().to_string());
        let (objection, clock) = (Arc::clone(&self.objection), Arc::clone(&self.clock));
        let source = ActivitySource::CommandLine;
        let options = guard_options(name, self.mark.environment, objection, source, clock);
        Guard::open(self.gateway.clone(), self.writer.clone(), self.reader.clone(), options).await
    }

    /// Waits for the answers to what commands sent, unless another owner does.
    pub async fn give_up(&self) {
        if let Some(guard) = self.guard.get().filter(|_| !self.is_guard_shared) {
            guard.clone().close().await;
        }
    }
}

/// The options of a guard of this process.
#[must_use]
pub fn guard_options(
    connection_name: String,
    environment: Environment,
    objection: Objection,
    source: ActivitySource,
    clock: Clock,
) -> GuardOptions {
    let ids = Arc::new(|| uuid::Uuid::new_v4().to_string());
    GuardOptions { connection_name, environment, objection, source, clock, steady: clock::steady(), ids }
}

/// Describes a profile within a sentence.
#[must_use]
pub fn with_profile(profile: Option<&str>) -> String {
    profile.map_or_else(|| "without a profile".to_owned(), |name| format!("with the profile {name}"))
}
