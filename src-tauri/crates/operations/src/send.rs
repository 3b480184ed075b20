//! Confirming, recording and sending: a single change at once, many as a run.
//!
//! `confirm` holds previews until they are confirmed, `attempt` sends a single change, and `run` sends many, as the
//! drain of a fleet does; `conclusion` says what came of it. This is the only module that calls `Gateway::operator`.

pub(crate) mod attempt;
pub(crate) mod conclusion;
pub(crate) mod confirm;
pub(crate) mod run;

use std::sync::Arc;

use self::run::slot::Runs;
use crate::connection::Connection;
use crate::mode::Gate;
use crate::options::GuardOptions;
use crate::outcome::Outcomes;

/// What confirming and sending need.
pub(crate) struct Sender {
    pub(crate) connection: Arc<Connection>,
    pub(crate) outcomes: Arc<Outcomes>,
    pub(crate) gate: Arc<Gate>,
    /// This field and those after it are shared by all guards of the connection.
    runs: Arc<Runs>,
    /// Held while an undo is checked and sent.
    undos: Arc<tokio::sync::Mutex<()>>,
    /// Held while a drain, or the rest of a run, is checked and begun, so that a fleet has one drain at a time.
    drains: Arc<tokio::sync::Mutex<()>>,
}

impl Sender {
    /// Creates a locked sender.
    pub(crate) fn new(connection: Arc<Connection>) -> Arc<Self> {
        Arc::new(Self {
            outcomes: Outcomes::new(Arc::clone(&connection)),
            gate: gate(&connection),
            connection,
            runs: Arc::default(),
            undos: Arc::default(),
            drains: Arc::default(),
        })
    }

    /// Returns another sender on the same connection. It is locked, and both share everything under way.
    pub(crate) fn beside(&self, options: GuardOptions) -> Arc<Self> {
        let connection = self.connection.beside(options);
        Arc::new(Self {
            outcomes: self.outcomes.beside(Arc::clone(&connection)),
            gate: gate(&connection),
            connection,
            runs: Arc::clone(&self.runs),
            undos: Arc::clone(&self.undos),
            drains: Arc::clone(&self.drains),
        })
    }
}

fn gate(connection: &Connection) -> Arc<Gate> {
    let clock = Arc::clone(&connection.options.clock);
    let runtime = tokio::runtime::Handle::current();
    Gate::new(clock, runtime, connection.closing.clone(), connection.roll.clone())
}
