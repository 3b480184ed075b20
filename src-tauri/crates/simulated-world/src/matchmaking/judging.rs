//! Whether the rule set of a configuration allows the match that the population planned. The plan is made for the rule
//! set of the catalogue, so it is judged only where somebody has chosen another one.

use super::super::World;
use super::super::engine::Transition;
use super::super::profile::profile;
use super::super::records::MatchmakingConfigurationStatus as Status;
use super::rule_set::Side;
use super::{GameMatch, TEAMS};

/// Interval at which a match that the rules do not allow is judged again.
const AGAIN_MS: i64 = 5_000;

/// The rule set for which the population's matches are planned.
pub(crate) const PLANNED_RULES: &str = "arena-5v5";

impl World {
    /// Whether a match of the population can be proposed now. If not, its tickets search on until the rules allow it
    /// or a ticket times out.
    pub(super) fn is_playable(&mut self, number: u32, game_match: &GameMatch) -> bool {
        if self.has_ended_ticket(game_match) {
            self.see_fruitless(game_match);
            self.matches.remove(number);
            self.note_timeouts(game_match);
            return false;
        }
        if self.is_allowed(game_match) {
            return true;
        }
        if game_match.created_ms == self.now_ms {
            self.note_timeouts(game_match);
        }
        self.agenda.note(self.now_ms + AGAIN_MS, Transition::MatchFormed(number));
        false
    }

    fn has_ended_ticket(&self, game_match: &GameMatch) -> bool {
        let mut tickets = game_match.tickets.iter().filter_map(|ticket| self.tickets.get(*ticket));
        tickets.any(|ticket| ticket.end_ms.is_some())
    }

    /// A ticket of a match that the rules did not allow has timed out. Before that nobody could tell it from one that
    /// searches longer than others.
    fn see_fruitless(&mut self, game_match: &GameMatch) {
        let was_judged = game_match.created_ms < self.now_ms;
        let tickets = game_match.tickets.iter().filter_map(|ticket| self.tickets.get(*ticket));
        let timed_out = tickets.filter(|ticket| ticket.status == Status::TimedOut);
        if let Some(end_ms) = timed_out.filter_map(|ticket| ticket.end_ms).min().filter(|_| was_judged) {
            self.see_unmatched(usize::from(game_match.matchmaker), end_ms);
        }
    }

    /// Plans the end of tickets that search for a match. It has no effect on those that have found one by then.
    fn note_timeouts(&mut self, game_match: &GameMatch) {
        let maker = usize::from(game_match.matchmaker);
        let timeout_ms = i64::from(self.matchmakers[maker].record.request_timeout_seconds) * 1_000;
        for number in game_match.tickets.iter().copied() {
            let Some(ticket) = self.tickets.get(number) else { continue };
            let end_ms = self.now_ms.max(ticket.start_ms + timeout_ms);
            self.agenda.note(end_ms, Transition::TicketEnd(number));
        }
    }

    /// Whether the rules allow a match. Counts their evaluations.
    fn is_allowed(&mut self, game_match: &GameMatch) -> bool {
        let maker = usize::from(game_match.matchmaker);
        if self.matchmakers[maker].record.rule_set_name == PLANNED_RULES {
            return true;
        }
        let tickets = game_match.tickets.iter().filter_map(|ticket| self.tickets.get(*ticket));
        let waits = tickets.map(|ticket| (self.now_ms - ticket.start_ms) / 1_000);
        let newest_s = waits.min().unwrap_or_default();
        let Some(set) = self.relaxed_rules(maker, newest_s) else { return true };
        let half = usize::from(profile(self.streams[game_match.stream].profile).max_players) / TEAMS.len();
        let mut sides = set.teams();
        let fits = |side: &Side| side.least <= half && half <= side.most;
        // A rule set for other teams cannot judge the plan.
        if sides.len() != TEAMS.len() || !sides.iter().all(fits) {
            return true;
        }
        let tickets = game_match.tickets.iter().copied();
        let players =
            tickets.flat_map(|number| self.candidates_of(number)).map(|player| set.complete(player));
        for (place, player) in players.enumerate() {
            if let Some(side) = sides.get_mut(usize::from(place >= half)) {
                side.players.push(player);
            }
        }
        let mut counts = Vec::new();
        let allowed = set.judge(&sides, true, &mut counts);
        if !allowed {
            let known = &mut self.matchmakers[maker].counters.rules;
            known.resize(counts.len().max(known.len()), (0, 0));
            for (total, (passed, failed)) in known.iter_mut().zip(&counts) {
                *total = (total.0 + passed, total.1 + failed);
            }
        }
        allowed
    }
}
