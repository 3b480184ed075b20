//! What callers chose for a game session, beyond its plan: settings given at its creation or changed later, and the
//! player sessions that callers created.

use std::collections::BTreeMap;

use super::super::records::{GameProperty, PlayerSessionCreationPolicy};

/// The choices of callers about one session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen {
    /// Whether a caller created the session. It then has nothing that the caller did not give.
    pub(crate) made: bool,
    /// The last part of its ARN.
    pub(crate) id: Option<String>,
    /// The request that created it, to recognise a repetition.
    pub(crate) request: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) properties: Option<Vec<GameProperty>>,
    pub(crate) creator: Option<String>,
    pub(crate) data: Option<String>,
    pub(crate) policy: Option<PlayerSessionCreationPolicy>,
    /// Seats that callers created, with their player data.
    pub(crate) seats: BTreeMap<u16, Option<String>>,
}

/// What a caller wants of a new session, apart from a place for it.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) chosen: Chosen,
    pub(crate) max_players: u16,
}
