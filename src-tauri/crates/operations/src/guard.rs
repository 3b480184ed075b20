//! The guard of one connection.
//!
//! Owns who may call what. Deliberately holds no rule of a single resource: those are in `preview`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use liftdeck_gateway::Gateway;
use liftdeck_model::action::{Action, FieldError};
use liftdeck_model::activity::{Activity, ActivityId, ActivitySource, RunId};
use liftdeck_model::visible::phrase;
use liftdeck_model::watch::Down;
use liftdeck_model::{Environment, Region, Timestamp};
use liftdeck_store::Writer;
use tokio::sync::watch;

use crate::core::Core;
use crate::error::OperationError;
use crate::intent::Intent;
use crate::mode::{LEAST_MINUTES, MOST_MINUTES, Mode};
use crate::preview::{Preview, PreviewId, Skipped};
use crate::{confirm, follow, run, settle};

/// Tells the present.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Tells the time since some moment of this process. It only grows, and nobody can set it.
pub type Steady = Arc<dyn Fn() -> Duration + Send + Sync>;

/// Says why nothing may be changed for now, whoever unlocks; `None` when nothing stands against it.
pub type Objection = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// What a guard needs to know of its connection.
#[derive(Clone)]
pub struct GuardOptions {
    /// The connection's name; what must be typed on production.
    pub connection_name: String,
    /// What the connection is.
    pub environment: Environment,
    /// Asked at each unlock.
    pub objection: Objection,
    /// Profile, for the equivalent commands.
    pub profile: Option<String>,
    /// Endpoint, for the equivalent commands.
    pub endpoint_url: Option<String>,
    /// Whence changes come.
    pub source: ActivitySource,
    /// Regions of the connection.
    pub regions: Vec<Region>,
    /// The present.
    pub clock: Clock,
    /// The time that passes.
    pub steady: Steady,
    /// A fresh UUID at each call.
    pub ids: Arc<dyn Fn() -> String + Send + Sync>,
}

impl fmt::Debug for GuardOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardOptions")
            .field("connection_name", &self.connection_name)
            .field("environment", &self.environment)
            .field("regions", &self.regions)
            .finish_non_exhaustive()
    }
}

/// What a confirmation came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// The run that goes on in the background, when it was more than one change.
    pub run: Option<RunId>,
    /// The one attempt with its outcome, when it was one change; the attempts made so far of a run.
    pub activities: Vec<Activity>,
    /// The one change, when it was not sent because what it was about had ended by itself since the preview.
    pub skipped: Vec<Skipped>,
}

/// The guard of a connection. Clones share everything.
#[derive(Clone)]
pub struct Guard {
    pub(crate) core: Arc<Core>,
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("options", &self.core.options).finish_non_exhaustive()
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
        let core = Core::new(gateway, writer, reader, options);
        settle::open(&core).await?;
        run::reopen(&core).await?;
        follow::reopen(&core).await?;
        Ok(Self { core })
    }

    /// Another guard on the same open connection, read-only until it is unlocked itself: unlocking the one does not
    /// unlock the other. All that is under way is one with this guard's: attempts without an answer, followers, runs,
    /// undos; closing either closes both. Nothing is taken up anew.
    #[must_use]
    pub fn beside(&self, options: GuardOptions) -> Self {
        Self { core: self.core.beside(options) }
    }

    /// What the guard was told of its connection.
    pub fn options(&self) -> &GuardOptions {
        &self.core.options
    }

    /// What of this guard's work in the background is not running.
    pub fn down(&self) -> Vec<Down> {
        self.core.roll.down()
    }

    /// The mode, and each move of it.
    pub fn mode(&self) -> watch::Receiver<Mode> {
        self.core.gate.mode()
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
                FieldError { field: "minutes".to_owned(), message },
            )]));
        }
        if let Some(objection) = (self.core.options.objection)() {
            return Err(OperationError::Refused(objection));
        }
        confirm::typed(self.unlock_typed().as_deref(), typed)?;
        let turn = self.core.gate.turn();
        let caller = self.core.gateway.prove().await?;
        self.core.gate.unlock(turn, minutes, caller)
    }

    /// What has to be typed to unlock: on production the connection's name, in letters of any keyboard.
    pub fn unlock_typed(&self) -> Option<String> {
        let options = &self.core.options;
        (options.environment == Environment::Production).then(|| phrase(&options.connection_name))
    }

    /// Makes the connection read-only again, at once. What is being sent this moment is still answered and recorded.
    pub fn lock(&self) {
        self.core.gate.lock();
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
        confirm::preview(&self.core, intent).await
    }

    /// Does what the preview says. A single change returns with the answer of AWS; more become a run in the background.
    /// `Ok` says that it was sent, the activity says what became of it. Once begun it goes on, also when whoever asked
    /// stops waiting.
    ///
    /// # Errors
    /// Nothing was sent: `ReadOnly`, `Expired`, `NotTyped`, `Moved` with the preview of now, `Gateway` when the present
    /// cannot be read, `Store` when nothing can be recorded.
    pub async fn confirm(&self, id: &PreviewId, typed: Option<&str>) -> Result<Receipt, OperationError> {
        let (core, id, typed) = (Arc::clone(&self.core), id.clone(), typed.map(str::to_owned));
        self.carried_on(async move { Box::pin(confirm::confirm(&core, &id, typed.as_deref())).await }).await
    }

    /// Asks AWS what became of an attempt without an answer. The outcome stays unknown where AWS cannot tell.
    ///
    /// # Errors
    /// `Unknown` for no such attempt, `Gateway` when AWS cannot be asked.
    pub async fn settle(&self, id: &ActivityId) -> Result<Activity, OperationError> {
        let (core, id) = (Arc::clone(&self.core), id.clone());
        self.carried_on(async move { settle::settle(&core, &id).await }).await
    }

    /// Does something to its end, whether or not anybody waits for it.
    pub(crate) async fn carried_on<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, OperationError>> + Send + 'static,
    ) -> Result<T, OperationError> {
        self.core.spawn(work).await.unwrap_or_else(|_| {
            Err(OperationError::Refused(
                "The program failed half-way. Look at Activity for what became of it.".to_owned(),
            ))
        })
    }

    /// Locks, lets nothing new begin, and waits for the answers of what was sent.
    pub async fn close(self) {
        self.core.close().await;
    }
}
