//! What callers chose about a game session, where its plan does not say it: settings given with its creation or changed
//! later, and the player sessions made by hand.

use std::collections::BTreeMap;

use super::super::records::{GameProperty, PlayerSessionCreationPolicy};

/// The choices of callers about one session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen {
    /// Whether a caller made the session: it then has nothing that the caller did not give.
    pub(crate) made: bool,
    /// The last part of its ARN.
    pub(crate) id: Option<String>,
    /// The request that made it, to recognise its repetition.
    pub(crate) request: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) properties: Option<Vec<GameProperty>>,
    pub(crate) creator: Option<String>,
    pub(crate) data: Option<String>,
    pub(crate) policy: Option<PlayerSessionCreationPolicy>,
    /// Seats made by callers, with their player data.
    pub(crate) seats: BTreeMap<u16, Option<String>>,
}

/// What a caller asks of a new session beyond a place for it.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) chosen: Chosen,
    pub(crate) max_players: u16,
}
