//! The calls of the game's own backend, as far as the world remembers them: the placements it started.
//!
//! They are read from the placements, which are kept for 30 days after their end. Placements that a matchmaker or a
//! caller started are not among them. What else a backend calls (tickets, player sessions, its reads) is not told.

use super::World;
use super::deed::{Door, Person, Principal, access_key};
use super::names::Kind;
use super::placing::Placement;
use super::records::GameSessionPlacement;
use super::session::NONE;

/// The game's own backend, on one of its instances.
const BACKEND: Person = Person {
    principal: Principal::AssumedRole { role: "game-backend", path: "/", session: "i-0b8f2c6d1e4a97350" },
    door: Door::Sdk,
};

/// One call of `StartGameSessionPlacement` by the game's own backend.
#[derive(Clone, Copy, Debug)]
pub struct BackendCall<'a> {
    world: &'a World,
    number: u32,
    placement: &'a Placement,
}

impl World {
    /// Who the game's own backend is, and the access key it signs with.
    pub fn backend(&self) -> (Person, String) {
        (BACKEND, access_key(self.seed, BACKEND))
    }

    /// The calls of the game's own backend in a region, newest first.
    pub fn backend_calls<'a>(&'a self, region: &str) -> impl Iterator<Item = BackendCall<'a>> + use<'a> {
        let region = self.region(region).map(|(index, _)| index);
        let numbers = (0..self.placements.len() as u32).rev();
        numbers.filter_map(move |number| self.backend_call_numbered(number, region?))
    }

    /// The call with that id in a region.
    pub fn backend_call(&self, region: &str, id: &str) -> Option<BackendCall<'_>> {
        let (number, _) = self.names.read_uuid(Kind::Call, id)?;
        self.backend_call_numbered(number, self.region(region)?.0)
    }

    fn backend_call_numbered(&self, number: u32, region: usize) -> Option<BackendCall<'_>> {
        let placement = self.placements.get(number as usize)?.as_deref()?;
        let own = placement.asked.is_none() && placement.game_match == NONE;
        let here = self.queues.get(usize::from(placement.queue)).is_some_and(|queue| queue.region == region);
        (own && here).then_some(BackendCall { world: self, number, placement })
    }
}

impl BackendCall<'_> {
    /// An id of the call, a UUID.
    pub fn id(&self) -> String {
        self.world.names.uuid(Kind::Call, self.number, 0)
    }

    /// When it was made, epoch milliseconds.
    pub fn at_ms(&self) -> i64 {
        self.placement.start_ms
    }

    /// The placement it started, as it is now.
    pub fn placement(&self) -> GameSessionPlacement {
        self.world.placement_record(self.number, self.placement)
    }
}
