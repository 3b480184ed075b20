//! What becomes of a change after it was sent: looks on AWS until its effect is seen, or until it is known whether it
//! was carried out.
//!
//! `follow` looks for the effect of a change that AWS accepted, `settle` for the outcome of one that was not
//! answered. Deliberately changes nothing on AWS.

pub(crate) mod attempts;
pub(crate) mod ended;
pub(crate) mod follow;
pub(crate) mod joined;
pub(crate) mod settle;
mod turns;

use std::sync::Arc;

use self::attempts::Attempts;
use self::turns::Turns;
use crate::connection::Connection;

/// What `follow` and `settle` need: the connection, and what all guards of it share.
pub(crate) struct Outcomes {
    pub(crate) connection: Arc<Connection>,
    pub(crate) attempts: Arc<Attempts>,
    turns: Arc<Turns>,
}

impl Outcomes {
    pub(crate) fn new(connection: Arc<Connection>) -> Arc<Self> {
        Arc::new(Self { connection, attempts: Arc::default(), turns: Arc::default() })
    }

    /// Returns the same for another guard of the connection. Both share what is under way.
    pub(crate) fn beside(&self, connection: Arc<Connection>) -> Arc<Self> {
        let (attempts, turns) = (Arc::clone(&self.attempts), Arc::clone(&self.turns));
        Arc::new(Self { connection, attempts, turns })
    }
}
