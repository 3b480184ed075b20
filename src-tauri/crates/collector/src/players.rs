//! Chooses which game sessions' players to ask for next. DescribePlayerSessions takes one game session per call and
//! cannot ask for a whole fleet, so the order matters. Pure: sends no requests.

use std::collections::{BTreeMap, HashMap};

use liftdeck_model::GameSessionId;

/// Why a game session's players are wanted, most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Reason {
    /// The game session is on screen.
    OnScreen,
    /// It ended: asked for once more to learn how each player left.
    Ended,
    /// It is new or its player count changed.
    Changed,
    /// Its turn in the slow sweep has come.
    Sweep,
}

/// One place in this many goes to the session that has waited longest, whatever the reason.
const FAIR_SHARE: usize = 8;

/// Game sessions waiting for a request for their players, each listed once.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayerTurns {
    waiting: HashMap<GameSessionId, (Reason, u64)>,
    by_reason: BTreeMap<(Reason, u64), GameSessionId>,
    by_age: BTreeMap<u64, GameSessionId>,
    arrivals: u64,
}

impl PlayerTurns {
    /// Adds a game session to the line. One that is already waiting keeps its age and the more urgent reason.
    pub(crate) fn ask(&mut self, session: GameSessionId, reason: Reason) {
        let (reason, age) = match self.waiting.get(&session) {
            Some((waiting, age)) if *waiting <= reason => (*waiting, *age),
            Some((waiting, age)) => {
                self.by_reason.remove(&(*waiting, *age));
                (reason, *age)
            }
            None => {
                self.arrivals += 1;
                (reason, self.arrivals)
            }
        };
        self.by_reason.insert((reason, age), session.clone());
        self.by_age.insert(age, session.clone());
        self.waiting.insert(session, (reason, age));
    }

    /// Removes up to `limit` game sessions from the line and returns them.
    pub(crate) fn take(&mut self, limit: usize) -> Vec<(GameSessionId, Reason)> {
        let fair = limit / FAIR_SHARE;
        let mut taken = Vec::new();
        while taken.len() < limit {
            let next = if taken.len() + fair < limit {
                self.by_reason.first_key_value().map(|(_, session)| session.clone())
            } else {
                self.by_age.first_key_value().map(|(_, session)| session.clone())
            };
            let Some(session) = next else { break };
            if let Some(reason) = self.remove(&session) {
                taken.push((session, reason));
            }
        }
        taken
    }

    /// How many game sessions are waiting.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    fn remove(&mut self, session: &GameSessionId) -> Option<Reason> {
        let (reason, age) = self.waiting.remove(session)?;
        self.by_reason.remove(&(reason, age));
        self.by_age.remove(&age);
        Some(reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: usize) -> GameSessionId {
        GameSessionId::new(format!("s-{n}"))
    }

    #[test]
    fn the_urgent_go_first_and_in_order_of_arrival() {
        let mut turns = PlayerTurns::default();
        for (n, reason) in [Reason::Sweep, Reason::Changed, Reason::OnScreen, Reason::Changed, Reason::Ended]
            .into_iter()
            .enumerate()
        {
            turns.ask(id(n), reason);
        }
        let order: Vec<_> = turns.take(7).into_iter().map(|(session, _)| session).collect();
        assert_eq!(order, [id(2), id(4), id(1), id(3), id(0)]);
        assert_eq!(turns.len(), 0);
    }

    #[test]
    fn asking_twice_waits_once_with_the_more_urgent_reason() {
        let mut turns = PlayerTurns::default();
        turns.ask(id(1), Reason::Sweep);
        turns.ask(id(1), Reason::Ended);
        turns.ask(id(1), Reason::Changed);
        assert_eq!(turns.take(10), [(id(1), Reason::Ended)]);
        assert!(turns.by_age.is_empty() && turns.by_reason.is_empty());
    }

    #[test]
    fn the_longest_waiting_get_their_share_under_any_load() {
        let mut turns = PlayerTurns::default();
        turns.ask(id(0), Reason::Sweep);
        for n in 1..100 {
            turns.ask(id(n), Reason::Changed);
        }
        assert!(turns.take(16).contains(&(id(0), Reason::Sweep)));
    }
}
