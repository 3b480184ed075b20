//! The players: which exist, which are free, and where each was last seen. Players return. Players whom only a caller
//! knows, under its own ids, are visitors: they are remembered, but not simulated.

use std::collections::BTreeMap;

use super::World;
use super::draw::Draw;
use super::session::NONE;

/// Number of the first visitor. The players of the pools have lower numbers.
const VISITORS: u32 = 1 << 31;

/// All players, in one pool per region.
#[derive(Clone, Debug)]
pub(crate) struct Population {
    /// When each player of the pools is free. Separate from the seats, because the search for a free player reads
    /// little else.
    free_ms: Vec<i64>,
    /// The last seat of each player of the pools.
    seats: Vec<(u32, u16)>,
    pool_size: usize,
    visitors: Vec<Visitor>,
    by_name: BTreeMap<String, u32>,
}

/// A player whom only a caller knows.
#[derive(Clone, Debug)]
struct Visitor {
    name: String,
    last: (u32, u16),
}

impl Population {
    pub(crate) fn new(pools: usize, pool_size: usize) -> Self {
        let count = pools * pool_size;
        Self {
            free_ms: vec![i64::MIN; count],
            seats: vec![(NONE, 0); count],
            pool_size,
            visitors: Vec::new(),
            by_name: BTreeMap::new(),
        }
    }

    /// Whether the player belongs to a pool, and so comes and plays when given a seat.
    pub(crate) fn plays(&self, player: u32) -> bool {
        (player as usize) < self.free_ms.len()
    }

    fn visitor(&self, player: u32) -> Option<&Visitor> {
        self.visitors.get(player.checked_sub(VISITORS)? as usize)
    }

    fn enter(&mut self, name: &str) -> u32 {
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        let number = VISITORS + self.visitors.len() as u32;
        self.visitors.push(Visitor { name: name.to_owned(), last: (NONE, 0) });
        self.by_name.insert(name.to_owned(), number);
        number
    }

    /// Picks a player of a pool who is free at that time. The first of a pool play much more than the last. If many
    /// picks in a row are busy, takes the next free player, or a busy one if nobody is free.
    pub(crate) fn pick(&self, draw: &mut Draw, pool: usize, at_ms: i64) -> u32 {
        const TRIES: usize = 16;
        let base = pool * self.pool_size;
        let mut index = 0;
        for _ in 0..TRIES {
            let skewed = draw.unit();
            index = (skewed * skewed * self.pool_size as f64) as usize;
            if self.is_free(base + index, at_ms) {
                return (base + index) as u32;
            }
        }
        let free = (0..self.pool_size).map(|step| (index + step) % self.pool_size);
        let chosen = free.clone().find(|i| self.is_free(base + i, at_ms)).unwrap_or(index);
        (base + chosen) as u32
    }

    fn is_free(&self, index: usize, at_ms: i64) -> bool {
        self.free_ms.get(index).is_some_and(|free_ms| *free_ms <= at_ms)
    }

    /// Keeps a player busy until that time.
    pub(crate) fn occupy(&mut self, player: u32, until_ms: i64) {
        if let Some(free_ms) = self.free_ms.get_mut(player as usize) {
            *free_ms = until_ms;
        }
    }

    /// Gives a player a seat and returns the player's previous seat.
    pub(crate) fn seat(&mut self, player: u32, session: u32, seat: u16, until_ms: i64) -> (u32, u16) {
        self.occupy(player, until_ms);
        if let Some(last) = self.seats.get_mut(player as usize) {
            return std::mem::replace(last, (session, seat));
        }
        let visitor = player.checked_sub(VISITORS).and_then(|at| self.visitors.get_mut(at as usize));
        visitor.map_or((NONE, 0), |visitor| std::mem::replace(&mut visitor.last, (session, seat)))
    }

    /// Returns the last seat of a player; its session is [`NONE`] for one who never played.
    pub(crate) fn last_seat(&self, player: u32) -> (u32, u16) {
        match self.seats.get(player as usize) {
            Some(last) => *last,
            None => self.visitor(player).map_or((NONE, 0), |visitor| visitor.last),
        }
    }
}

impl World {
    /// Returns the id of a player: the game's own or a caller's.
    pub(super) fn player_id(&self, player: u32) -> String {
        let mut id = String::with_capacity(16);
        self.push_player_id(&mut id, player);
        id
    }

    pub(super) fn push_player_id(&self, text: &mut String, player: u32) {
        match self.population.visitor(player) {
            Some(visitor) => text.push_str(&visitor.name),
            None => self.names.push_player(text, player),
        }
    }

    /// Returns the player with that id, from the pools or the visitors.
    pub(super) fn read_player(&self, player_id: &str) -> Option<u32> {
        let own = self.names.read_player(player_id).filter(|player| self.population.plays(*player));
        own.or_else(|| self.population.by_name.get(player_id).copied())
    }

    /// Returns the player with that id. With an unknown id, the player becomes a visitor.
    pub(super) fn meet_player(&mut self, player_id: &str) -> u32 {
        self.read_player(player_id).unwrap_or_else(|| self.population.enter(player_id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_player_is_not_picked_while_others_are_free() {
        let mut population = Population::new(2, 50);
        let mut draw = Draw::new(1, 1, 1);
        for _ in 0..50 {
            let player = population.pick(&mut draw, 1, 10);
            assert!((50..100).contains(&player));
            assert!(population.is_free(player as usize, 10));
            population.occupy(player, 100);
        }
        assert!((50..100).all(|player| !population.is_free(player, 10)));
        assert!(population.is_free(50, 100));
    }

    #[test]
    fn seats_of_a_player_form_a_chain() {
        let mut population = Population::new(1, 10);
        assert_eq!(population.seat(3, 7, 2, 50), (NONE, 0));
        assert_eq!(population.seat(3, 9, 0, 90), (7, 2));
        assert_eq!(population.last_seat(3), (9, 0));
    }

    #[test]
    fn a_visitor_keeps_its_number_and_its_chain_of_seats() {
        let mut population = Population::new(1, 10);
        let visitor = population.enter("anna");
        assert_eq!(population.enter("anna"), visitor);
        assert_ne!(population.enter("bert"), visitor);
        assert!(!population.plays(visitor) && population.plays(9));
        assert_eq!(population.seat(visitor, 4, 1, 0), (NONE, 0));
        assert_eq!(population.seat(visitor, 6, 0, 0), (4, 1));
        assert_eq!(population.last_seat(visitor), (6, 0));
    }
}
