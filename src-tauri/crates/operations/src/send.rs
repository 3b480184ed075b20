//! What is confirmed, recorded and sent: one change at once, many as a run.
//!
//! `confirm` holds previews until they are confirmed, `attempt` sends a single change, `run` sends many of them one after
//! another, as the drain of a fleet does. The only room that calls `Gateway::operator`.

pub(crate) mod attempt;
pub(crate) mod confirm;
pub(crate) mod run;

use std::sync::Arc;

use self::run::berth::Runs;
use crate::connection::Connection;
use crate::mode::Gate;
use crate::options::GuardOptions;
use crate::outcome::Outcomes;

/// What confirms and sends needs.
pub(crate) struct Sender {
    pub(crate) connection: Arc<Connection>,
    pub(crate) outcomes: Arc<Outcomes>,
    pub(crate) gate: Arc<Gate>,
    /// This and what follows is shared with every guard of the connection.
    runs: Arc<Runs>,
    /// Held while an undo is looked at and sent.
    undos: Arc<tokio::sync::Mutex<()>>,
    /// Held while a drain, or the rest of a run, is looked at and begun: one drain a fleet.
    drains: Arc<tokio::sync::Mutex<()>>,
}

impl Sender {
    /// One that is locked.
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

    /// Another one on the same connection: locked, and one with this one in all that is under way.
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
