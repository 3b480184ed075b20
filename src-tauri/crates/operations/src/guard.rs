//! The guard of one connection: the rooms below it as one.
//!
//! Owns who may call what, and what a person unlocked. Deliberately holds no rule of a change: those are in `preview` and
//! `send`. What is read and followed through it is in the files beside it.

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
        f.debug_struct("Guard").field("options", &self.connection().options).finish_non_exhaustive()
    }
}

impl Guard {
    /// A guard, read-only. What an earlier process left without an answer becomes `unknown` and is looked into; what
    /// was being followed is followed again; runs that were under way are paused.
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

    /// Another guard on the same open connection, read-only until it is unlocked itself: unlocking the one does not
    /// unlock the other. All that is under way is one with this guard's: attempts without an answer, followers, runs,
    /// undos; closing either closes both. Nothing is taken up anew.
    #[must_use]
    pub fn beside(&self, options: GuardOptions) -> Self {
        Self { sender: self.sender.beside(options), previews: Arc::default() }
    }

    /// What the guard was told of its connection.
    pub fn options(&self) -> &GuardOptions {
        &self.connection().options
    }

    /// What of this guard's work in the background is not running.
    pub fn down(&self) -> Vec<Down> {
        self.connection().roll.down()
    }

    /// The mode, and each move of it.
    pub fn mode(&self) -> watch::Receiver<Mode> {
        self.sender.gate.mode()
    }

    /// Unlocks the connection for some minutes, for the one AWS takes us for now: who else would send a change locks it. On
    /// production its name must be typed.
    ///
    /// # Errors
    /// `Invalid` for a time out of range, `Refused` with the objection where there is one, `NotTyped` on production,
    /// `Gateway` when AWS does not say who we are or names another account, `ReadOnly` when somebody locks it meanwhile.
    pub async fn unlock(&self, minutes: u32, typed: Option<&str>) -> Result<Mode, OperationError> {
        if !(LEAST_MINUTES..=MOST_MINUTES).contains(&minutes) {
            let message = format!("From {LEAST_MINUTES} to {MOST_MINUTES} minutes; these are {minutes}.");
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

    /// What has to be typed to unlock: on production the connection's name, in letters of any keyboard.
    pub fn unlock_typed(&self) -> Option<String> {
        let options = &self.connection().options;
        (options.environment == Environment::Production).then(|| phrase(&options.connection_name))
    }

    /// Makes the connection read-only again, at once. What is being sent this moment is still answered and recorded.
    pub fn lock(&self) {
        self.sender.gate.lock();
    }

    /// What AWS would refuse for its form alone, as (item, field). Nothing is asked of anybody.
    pub fn check(&self, actions: &[Action]) -> Vec<(usize, FieldError)> {
        confirm::check(actions)
    }

    /// What it would do. Never sends a change, and works while the connection is read-only.
    ///
    /// # Errors
    /// `Invalid` for a form AWS would refuse, `Unknown` for an undo of nothing, `Refused` for what makes no sense,
    /// `Gateway` when the present cannot be read.
    pub async fn preview(&self, intent: Intent) -> Result<Preview, OperationError> {
        confirm::preview(&self.sender, &self.previews, intent).await
    }

    /// Does what the preview says. A single change returns with the answer of AWS; more become a run in the background.
    /// `Ok` says that it was sent, the activity says what became of it. Once begun it goes on, also when whoever asked
    /// stops waiting.
    ///
    /// # Errors
    /// Nothing was sent: `ReadOnly`, `Expired`, `NotTyped`, `Moved` with the preview of now, `Gateway` when the present
    /// cannot be read, `Store` when nothing can be recorded.
    pub async fn confirm(&self, id: &PreviewId, typed: Option<&str>) -> Result<Receipt, OperationError> {
        let (sender, previews) = (Arc::clone(&self.sender), Arc::clone(&self.previews));
        let (id, typed) = (id.clone(), typed.map(str::to_owned));
        self.carried_on(
            async move { Box::pin(confirm::confirm(&sender, &previews, &id, typed.as_deref())).await },
        )
        .await
    }

    /// Does something to its end, whether or not anybody waits for it.
    async fn carried_on<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, OperationError>> + Send + 'static,
    ) -> Result<T, OperationError> {
        self.connection().spawn(work).await.unwrap_or_else(|_| {
            Err(OperationError::Refused(
                "The program failed half-way. See under Activity what became of it.".to_owned(),
            ))
        })
    }

    /// Locks, lets nothing new begin, and waits for the answers of what was sent.
    pub async fn close(self) {
        self.sender.gate.lock();
        self.connection().close().await;
    }

    fn connection(&self) -> &Connection {
        &self.sender.connection
    }
}
