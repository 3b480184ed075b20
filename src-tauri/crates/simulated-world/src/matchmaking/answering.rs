//! Answers to proposed matches, and the removal of tickets from a match.

use std::sync::Arc;

use super::super::World;
use super::super::draw::Draw;
use super::super::engine::Transition;
use super::super::records::MatchmakingConfigurationStatus;
use super::super::session::NONE;
use super::{GameMatch, SALT, Ticket};

impl World {
    pub(crate) fn match_answer(&mut self, number: u32, place: usize) {
        let Some(game_match) = self.matches.get_mut(number) else { return };
        let accepts = game_match.spoiler != Some(place);
        let ticket = game_match.tickets.get(place).and_then(|ticket| self.tickets.get(*ticket));
        let waits = |ticket: &&Ticket| ticket.status == MatchmakingConfigurationStatus::RequiresAcceptance;
        let Some(ticket) = ticket.filter(waits) else { return };
        game_match.answer(&ticket.players, accepts);
        self.tell_answer(number);
        self.settle_answers(number, false);
    }

    /// Records the answer that a caller gives for players of a ticket in a proposed match.
    pub(crate) fn answer_match(&mut self, ticket: u32, players: &[u32], accepts: bool) {
        let waits = |game_match: &GameMatch| game_match.tickets.contains(&ticket) && !game_match.is_settled();
        let proposed = self.matches.iter().rev().find(|(_, game_match)| waits(game_match));
        let Some(number) = proposed.map(|(number, _)| number) else { return };
        let Some(game_match) = self.matches.get_mut(number) else { return };
        game_match.answer(players, accepts);
        if game_match.asked.is_none() {
            let place = game_match.tickets.iter().position(|known| *known == ticket);
            game_match.spoiler =
                if accepts { game_match.spoiler.filter(|spoiler| Some(*spoiler) != place) } else { place };
            game_match.refuses |= !accepts;
        }
        self.tell_answer(number);
        self.settle_answers(number, false);
    }

    /// Removes a ticket from its pool and from the match it is in.
    pub(crate) fn cancel_ticket(&mut self, ticket: u32, message: &'static str) {
        let within =
            |game_match: &GameMatch| game_match.tickets.contains(&ticket) && !game_match.is_settled();
        let found =
            self.matches.iter().rev().find(|(_, game_match)| within(game_match)).map(|(number, _)| number);
        let game_match = found.and_then(|number| Some((number, self.matches.remove(number)?)));
        let reason = ("Cancelled", message);
        match game_match {
            Some((number, game_match)) if game_match.asked.is_none() => {
                let place = game_match.tickets.iter().position(|known| *known == ticket).unwrap_or_default();
                self.replace_ticket(number, game_match, place, reason);
            }
            found => {
                self.end_ticket(ticket, MatchmakingConfigurationStatus::Cancelled, Some(reason), NONE);
                self.tell_cancelled(ticket, message);
                if let Some((_, game_match)) = found {
                    let others: Vec<u32> =
                        game_match.tickets.iter().copied().filter(|other| *other != ticket).collect();
                    self.search_again(&others);
                }
            }
        }
    }

    pub(crate) fn match_answered(&mut self, number: u32) {
        let Some(game_match) = self.matches.get(number).cloned() else { return };
        if game_match.asked.is_some() {
            self.settle_answers(number, true);
            return;
        }
        let counters = &mut self.matchmakers[usize::from(game_match.matchmaker)].counters;
        let Some(spoiler) = game_match.spoiler else {
            counters.matches_accepted += 1;
            self.tell_answered(number, &game_match, "Accepted");
            self.place_match(number);
            return;
        };
        let outcome = if game_match.refuses { "Rejected" } else { "TimedOut" };
        if game_match.refuses {
            counters.matches_rejected += 1;
        } else {
            counters.acceptances_timed_out += 1;
        }
        self.tell_answered(number, &game_match, outcome);
        let reason = ("Rejected", "A player of the ticket did not accept the match.");
        self.replace_ticket(number, game_match, spoiler, reason);
    }

    /// Lets the other tickets search on, and replaces the removed one with another party of the same size.
    fn replace_ticket(
        &mut self,
        number: u32,
        mut game_match: GameMatch,
        spoiler: usize,
        reason: (&'static str, &'static str),
    ) {
        let Some(gone) = game_match.tickets.get(spoiler).copied() else { return };
        let size = self.tickets.get(gone).map_or(1, |ticket| ticket.players.len());
        self.end_ticket(gone, MatchmakingConfigurationStatus::Cancelled, Some(reason), NONE);
        self.tell_cancelled(gone, reason.1);
        let others: Vec<u32> = game_match.tickets.iter().copied().filter(|ticket| *ticket != gone).collect();
        for number in &others {
            if let Some(ticket) = self.tickets.get_mut(*number) {
                (ticket.status, ticket.team) = (MatchmakingConfigurationStatus::Searching, None);
            }
        }
        self.tell_searching(&others);
        let mut draw = Draw::new(self.seed, SALT + 2, number.into());
        let start_ms = self.now_ms + draw.span_ms(300, 6_000);
        let matchmaker = usize::from(game_match.matchmaker);
        let substitute = self.new_ticket(game_match.stream, matchmaker, start_ms, size, &mut draw);
        if let Some(place) = Arc::make_mut(&mut game_match.tickets).get_mut(spoiler) {
            *place = substitute;
        }
        // The second attempt is another match with its own id.
        self.counts.matches += 1;
        let again = self.counts.matches;
        game_match.created_ms = start_ms + draw.span_ms(500, 8_000);
        game_match.attempt += 1;
        game_match.spoiler = None;
        game_match.answers.clear();
        self.agenda.note(game_match.created_ms, Transition::MatchFormed(again));
        self.matches.insert(again, game_match);
    }
}
