//! What callers ask of the world: changes made by hand to sessions, seats, placements, queues and aliases, one file a
//! subject, and what has to be remembered of the asking.
//!
//! Knows the service's rules about state. The form of requests, and the wording of errors as codes, are the wire's.

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

/// What is remembered of requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    /// Sessions by fleet and the id their caller chose.
    pub(crate) sessions: BTreeMap<(usize, String), u32>,
    /// Placements by the id their caller chose. An id stays taken for ever.
    pub(crate) placements: BTreeMap<String, u32>,
    /// Tickets by region and the id their caller chose or was given.
    pub(crate) tickets: BTreeMap<(usize, String), u32>,
    /// When a creator last asked for a session, by region.
    creators: BTreeMap<(usize, String), i64>,
    /// Aliases whose new target is not followed everywhere yet, by id.
    pub(crate) turns: BTreeMap<String, Turn>,
    /// Aliases made by callers.
    aliases: u32,
    /// Requests that needed a draw.
    changes: u64,
}

impl World {
    /// The draws of one request.
    fn request_draw(&mut self) -> Draw {
        self.ledger.changes += 1;
        Draw::new(self.seed, SALT, self.ledger.changes)
    }

    /// The index of a region that a request is signed for.
    fn region_index(&self, region: &str) -> Option<usize> {
        self.region(region).map(|(index, _)| index)
    }
}
