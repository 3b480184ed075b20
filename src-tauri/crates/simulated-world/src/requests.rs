//! Callers' requests to the world: changes by hand to sessions, seats, placements, queues and aliases, one file per
//! subject, and the data that must be remembered from them.
//!
//! Knows the service's rules about state. The wire layer owns the form of requests and the error codes.

mod alias;
mod matchmaker;
mod matchmaking;
mod placement;
mod queue;
mod seat;
mod session;

use std::collections::BTreeMap;

pub use matchmaker::ConfigurationSettings;
pub use matchmaking::{NewPlayer, TicketPurpose};
pub use placement::NewPlacement;
pub use queue::QueueSettings;
pub use session::{NewGameSession, SessionSettings, TerminationMode};

pub(crate) use alias::Turn;

use super::World;
use super::draw::Draw;

const SALT: u64 = 0x0050_0000;

/// Data remembered from requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    /// Sessions by fleet and the id that their caller chose.
    pub(crate) sessions: BTreeMap<(usize, String), u32>,
    /// Placements by the id that their caller chose. An id stays taken for ever.
    pub(crate) placements: BTreeMap<String, u32>,
    /// Tickets by region and the id that their caller chose or was given.
    pub(crate) tickets: BTreeMap<(usize, String), u32>,
    /// When a creator last requested a session, by region.
    creators: BTreeMap<(usize, String), i64>,
    /// Aliases whose new target is not in effect everywhere yet, by id.
    pub(crate) turns: BTreeMap<String, Turn>,
    /// Number of aliases that callers created.
    aliases: u32,
    /// Number of requests that needed a draw.
    changes: u64,
}

impl World {
    /// Returns the draws for one request.
    fn request_draw(&mut self) -> Draw {
        self.ledger.changes += 1;
        Draw::new(self.seed, SALT, self.ledger.changes)
    }

    /// Returns the index of the region for which a request is signed.
    fn region_index(&self, region: &str) -> Option<usize> {
        self.region(region).map(|(index, _)| index)
    }
}
