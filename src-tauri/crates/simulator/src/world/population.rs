//! The players: who there are, who is free, and where each was seen last. Players return.

use super::draw::Draw;
use super::session::NONE;

/// Everybody who plays, in one pool a region.
#[derive(Debug)]
pub(crate) struct Population {
    players: Vec<Person>,
    pool_size: usize,
}

#[derive(Clone, Copy, Debug)]
struct Person {
    free_ms: i64,
    last: (u32, u16),
}

impl Population {
    pub(crate) fn new(pools: usize, pool_size: usize) -> Self {
        let nobody = Person { free_ms: i64::MIN, last: (NONE, 0) };
        Self { players: vec![nobody; pools * pool_size], pool_size }
    }

    /// A player of a pool who is free at that time. The first of a pool play much more than the last; if many in
    /// a row are busy, the next free one is taken, or a busy one when nobody is.
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
        self.players.get(index).is_some_and(|person| person.free_ms <= at_ms)
    }

    /// Keeps a player busy until that time.
    pub(crate) fn occupy(&mut self, player: u32, until_ms: i64) {
        if let Some(person) = self.players.get_mut(player as usize) {
            person.free_ms = until_ms;
        }
    }

    /// Gives a player a seat and returns the seat before it.
    pub(crate) fn seat(&mut self, player: u32, session: u32, seat: u16, until_ms: i64) -> (u32, u16) {
        match self.players.get_mut(player as usize) {
            Some(person) => {
                person.free_ms = until_ms;
                std::mem::replace(&mut person.last, (session, seat))
            }
            None => (NONE, 0),
        }
    }

    /// The seat a player was given last; its session is [`NONE`] for one who never played.
    pub(crate) fn last_seat(&self, player: u32) -> (u32, u16) {
        self.players.get(player as usize).map_or((NONE, 0), |person| person.last)
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
}
