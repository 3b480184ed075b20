//! Backfill: tickets that bring players into a running session.

use super::super::super::World;
use super::super::super::draw::Draw;
use super::super::super::records::{
    GameSessionPlacementState, GameSessionStatus, MatchmakingConfigurationStatus as Status,
};
use super::super::super::session::NONE;
use super::super::GameMatch;
use super::{Draft, ELSEWHERE, SALT, TRIES};

impl World {
    pub(super) fn try_backfill(&mut self, maker: usize, number: u32) {
        let Some(asked) = self.tickets.get(number).and_then(|ticket| ticket.asked.clone()) else { return };
        let waited_s = self.waited_s(number);
        let Some(set) = self.relaxed_rules(maker, waited_s) else { return };
        let Some(mut free) = self.free_slots(asked.backfill, set.most_players(), asked.players.len()) else {
            let reason = ("Cancelled", "The game session of the backfill request is not ACTIVE any more.");
            self.end_ticket(number, Status::Cancelled, Some(reason), NONE);
            self.tell_cancelled(number, reason.1);
            return;
        };
        if free == 0 {
            return;
        }
        let mut draft = Draft::new(&set);
        for (player, team) in asked.players.iter().zip(&asked.teams) {
            let side =
                draft.sides.iter_mut().find(|side| team.as_ref().is_none_or(|team| side.name == *team));
            if let Some(side) = side {
                side.players.push(set.complete(player.clone()));
            }
        }
        let mut come = Vec::new();
        for ticket in self.waiting(maker, false) {
            let players = self.candidates_of(ticket);
            if players.len() > free {
                continue;
            }
            if let Some(place) = draft.take(&set, &players) {
                come.push((ticket, place));
                free -= players.len();
            }
        }
        if come.is_empty() && self.others_come(maker, number) {
            let mut draw = Draw::new(self.seed, SALT + 2, (u64::from(number) << 32) | waited_s as u64);
            let streams = self.matchmakers[maker].streams.clone();
            if let Some(stream) = streams.get(draw.index(streams.len())).copied() {
                let (pool, area) = (self.streams[stream].pool, self.streams[stream].place.name);
                for _ in 0..TRIES {
                    let player = self.population.pick(&mut draw, pool, self.now_ms);
                    if let Some(place) = draft.take(&set, &[self.simulated_candidate(player, area)]) {
                        come.push((self.simulated_ticket(stream, maker, player), place));
                        break;
                    }
                }
            }
        }
        if come.is_empty() {
            self.note_counts(&[number], &draft.counts);
            return;
        }
        draft.tickets.push((number, 0));
        draft.tickets.extend(come);
        self.form(maker, draft, asked.backfill);
    }

    /// Returns the free player slots of a session to fill, or `None` if it accepts no players any more. For a session
    /// outside GameLift, only the players named in the request are known.
    fn free_slots(&self, session: u32, most: usize, named: usize) -> Option<usize> {
        if session == ELSEWHERE {
            return Some(most.saturating_sub(named));
        }
        let session =
            self.session(session).filter(|known| known.status(self.now_ms) == GameSessionStatus::Active)?;
        Some(usize::from(session.max_players).saturating_sub(session.players(self.now_ms) as usize))
    }

    /// Seats the new players of a backfill and completes all its tickets with the session.
    pub(super) fn seat_backfill(&mut self, number: u32, game_match: &GameMatch, session: u32) {
        let backfills = |ticket: &&u32| {
            let asked = self.tickets.get(**ticket).and_then(|ticket| ticket.asked.as_ref());
            asked.is_some_and(|asked| asked.backfill != NONE)
        };
        let new = game_match.tickets.iter().filter(|ticket| !backfills(ticket));
        let players: Vec<u32> = new
            .flat_map(|ticket| self.tickets.get(*ticket))
            .flat_map(|ticket| ticket.players.clone())
            .collect();
        if session == ELSEWHERE {
            self.complete_alone(number, game_match);
            return;
        }
        if self.free_slots(session, 0, 0).is_none_or(|free| free < players.len()) {
            self.match_not_placed(number, GameSessionPlacementState::Failed);
            return;
        }
        self.seat_players(session, players.into_iter().map(|player| (player, None)).collect());
        self.match_placed(number, session);
    }
}
