//! The guard of one connection: combines the modules below it.
//!
//! Owns who may call what, and what a person unlocked. Deliberately holds no rule about changes: those are in
//! `preview` and `send`. Reading and following through the guard is in the files beside it.

mod outcome;
mod read;
mod run;

use std::fmt;
use std::sync::Arc;

use liftdeck_gateway::Gateway;
use liftdeck_model::Environment;
use liftdeck_model::action::{Action, FieldError};
use liftdeck_model::visible::phrase;
use liftdeck_model::watch::Down;
use liftdeck_store::Writer;
use tokio::sync::watch;

use crate::connection::Connection;
use crate::error::OperationError;
use crate::fact::{Preview, PreviewId};
use crate::intent::Intent;
use crate::mode::{LEAST_MINUTES, MOST_MINUTES, Mode};
use crate::options::GuardOptions;
use crate::outcome::{follow, settle};
use crate::send::confirm::{self, Previews, Receipt};
use crate::send::{Sender, run as runs};

/// The guard of a connection. Clones share everything.
#[derive(Clone)]
pub struct Guard {
    sender: Arc<Sender>,
    previews: Arc<Previews>,
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("options", &self.connection().options)
            .field("regions", &self.connection().gateway.spec().regions)
            .finish_non_exhaustive()
    }
}

impl Guard {
    /// Opens a guard, which is read-only. Attempts that an earlier process left without an answer become `unknown`
    /// and are looked into. Effects that were being followed are followed again, and runs that were under way are
    /// paused.
    ///
    /// # Errors
    /// When the records cannot be read or written.
    pub async fn open(
        gateway: Gateway,
        writer: Writer,
        reader: liftdeck_store::Reader,
        options: GuardOptions,
    ) -> Result<Self, OperationError> {
        let sender = Sender::new(Connection::new(gateway, writer, reader, options));
        settle::watch::open(&sender.outcomes).await?;
        runs::reopen(&sender).await?;
        follow::reopen(&sender.outcomes).await?;
        Ok(Self { sender, previews: Arc::default() })
    }

    /// Returns another guard on the same open connection. It is read-only until it is unlocked itself: unlocking one
    /// guard does not unlock the other. Both share everything under way: attempts without an answer, followers, runs
    /// and undos. Closing either closes both. Unlike `open`, this takes up no earlier work.
    #[must_use]
    pub fn beside(&self, options: GuardOptions) -> Self {
        Self { sender: self.sender.beside(options), previews: Arc::default() }
    }

    /// Returns the options the guard was opened with.
    pub fn options(&self) -> &GuardOptions {
        &self.connection().options
    }

    /// Lists the background work of this guard that is not running.
    pub fn down(&self) -> Vec<Down> {
        self.connection().roll.down()
    }

    /// Returns a receiver of the mode and of each change of it.
    pub fn mode(&self) -> watch::Receiver<Mode> {
        self.sender.gate.mode()
    }

    /// Unlocks the connection for some minutes, for the identity that AWS sees now. If another identity is about to
    /// send a change, that locks it again. On production the connection's name must be typed.
    ///
    /// # Errors
    /// `Invalid` for a time out of range, `Refused` with the objection if there is one, `NotTyped` on production,
    /// `Gateway` if AWS does not state the caller or names another account, `ReadOnly` if somebody locks it
    /// meanwhile.
    pub async fn unlock(&self, minutes: u32, typed: Option<&str>) -> Result<Mode, OperationError> {
        if !(LEAST_MINUTES..=MOST_MINUTES).contains(&minutes) {
            let message =
                format!("Choose between {LEAST_MINUTES} and {MOST_MINUTES} minutes, not {minutes}.");
            return Err(OperationError::Invalid(vec![(
                0,
                FieldError { field: "minutes".to_owned(), message, is_missing: false },
            )]));
        }
        if let Some(objection) = (self.connection().options.objection)() {
            return Err(OperationError::Refused(objection));
        }
        confirm::typed(self.unlock_typed().as_deref(), typed)?;
        let turn = self.sender.gate.turn();
        let caller = self.connection().gateway.prove().await?;
        self.sender.gate.unlock(turn, minutes, caller)
    }

    /// Unlocks the connection as `unlock` does, for as long as carrying out a preview may take.
    ///
    /// # Errors
    /// As `unlock`, and `Expired` if the preview cannot be confirmed any more.
    pub async fn unlock_for(&self, id: &PreviewId, typed: Option<&str>) -> Result<Mode, OperationError> {
        let minutes = self.previews.minutes(id, self.connection().now()).ok_or(OperationError::Expired)?;
        self.unlock(minutes, typed).await
    }

    /// Returns the text to type to unlock: on production the connection's name, in letters of any keyboard.
    pub fn unlock_typed(&self) -> Option<String> {
        let options = &self.connection().options;
        (options.environment == Environment::Production).then(|| phrase(&options.connection_name))
    }

    /// Makes the connection read-only again at once. A change being sent at this moment is still answered and
    /// recorded.
    pub fn lock(&self) {
        self.sender.gate.lock();
    }

    /// Lists the fields whose form AWS would refuse, as (item, field). Sends no request.
    pub fn check(&self, actions: &[Action]) -> Vec<(usize, FieldError)> {
        confirm::check(actions)
    }

    /// Works out what an intent would do. Never sends a change, and works while the connection is read-only.
    ///
    /// # Errors
    /// `Invalid` for a form AWS would refuse, `Unknown` for an undo of an unknown attempt, `Refused` for an intent
    /// that makes no sense, `Gateway` if the current state cannot be read.
    pub async fn preview(&self, intent: Intent) -> Result<Preview, OperationError> {
        confirm::preview(&self.sender, &self.previews, intent).await
    }

    /// Carries out a preview. A single change returns with AWS's answer; several become a run in the background. `Ok`
    /// means that it was sent; the activity holds the outcome. Once begun it goes on, even if the caller stops
    /// waiting.
    ///
    /// # Errors
    /// Nothing was sent: `ReadOnly`, `Expired`, `NotTyped`, `Moved` with the new preview, `Gateway` if the current
    /// state cannot be read, `Store` if nothing can be recorded.
    pub async fn confirm(&self, id: &PreviewId, typed: Option<&str>) -> Result<Receipt, OperationError> {
        let (sender, previews) = (Arc::clone(&self.sender), Arc::clone(&self.previews));
        let (id, typed) = (id.clone(), typed.map(str::to_owned));
        self.carried_on(
            async move { Box::pin(confirm::confirm(&sender, &previews, &id, typed.as_deref())).await },
        )
        .await
    }

    /// Runs work to its end, whether or not anybody waits for it.
    async fn carried_on<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, OperationError>> + Send + 'static,
    ) -> Result<T, OperationError> {
        self.connection().spawn(work).await.unwrap_or_else(|_| {
            Err(OperationError::Refused(
                "Liftdeck failed halfway. Activity shows what became of it.".to_owned(),
            ))
        })
    }

    /// Locks, starts nothing new, and waits for the answers to what was sent.
    pub async fn close(self) {
        self.sender.gate.lock();
        self.connection().close().await;
    }

    fn connection(&self) -> &Connection {
        &self.sender.connection
    }
}
