//! The pool of callers' tickets. Matches are formed from them by the rules of their configuration, filled with
//! simulated players where there are any, answered, and placed.
//!
//! The module above plans the population's own matches as a whole. Both kinds end the same way.

mod backfill;

use std::borrow::Cow;

use super::super::World;
use super::super::draw::Draw;
use super::super::engine::Transition;
use super::super::names::mix;
use super::super::placing::Asked;
use super::super::records::{FlexMatchMode, MatchmakingConfigurationStatus as Status, PlayerLatency};
use super::super::requests::NewPlacement;
use super::super::session::NONE;
use super::rule_set::{Candidate, RuleSet, Side};
use super::{GameMatch, Party, Ticket};

const SALT: u64 = 0x0030_0100;

/// Stands for a session outside GameLift that a backfill is for.
pub(crate) const ELSEWHERE: u32 = NONE - 1;

/// Interval between two checks of a configuration's pool.
const LOOK_MS: i64 = 5_000;

/// Maximum number of callers' tickets that are considered for one match.
const CONSIDERED: usize = 60;

/// Attempts to find a simulated player for one free place in a match.
const TRIES: usize = 12;

/// The data that a caller gave with a ticket.
#[derive(Clone, Debug)]
pub(crate) struct AskedTicket {
    pub(crate) ticket_id: String,
    pub(crate) players: Vec<Candidate>,
    /// The session to fill, or [`NONE`]. `teams` has the team of each player in it.
    pub(crate) backfill: u32,
    pub(crate) teams: Vec<Option<String>>,
    /// Rule evaluations so far: passed and failed.
    pub(crate) counts: Vec<(u32, u32)>,
}

/// Data that only a match of callers' tickets has.
#[derive(Clone, Debug)]
pub(crate) struct AskedMatch {
    /// The session to fill, or [`NONE`].
    backfill: u32,
    /// Whether its answers have been settled.
    settled: bool,
}

impl AskedMatch {
    pub(super) fn is_settled(&self) -> bool {
        self.settled
    }
}

/// A match being formed: its teams, and its tickets with the index of their team.
#[derive(Debug)]
struct Draft {
    sides: Vec<Side>,
    tickets: Vec<(u32, usize)>,
    counts: Vec<(u32, u32)>,
}

impl Draft {
    fn new(set: &RuleSet) -> Draft {
        Draft { sides: set.teams(), tickets: Vec::new(), counts: Vec::new() }
    }

    /// Adds the players to the smallest team that the rules allow. Returns the index of that team.
    fn take(&mut self, set: &RuleSet, players: &[Candidate]) -> Option<usize> {
        let mut order: Vec<usize> = (0..self.sides.len()).collect();
        order.sort_by_key(|place| self.sides.get(*place).map_or(0, |side| side.players.len()));
        for place in order {
            let Some(side) = self.sides.get_mut(place) else { continue };
            let before = side.players.len();
            if before + players.len() > side.most {
                continue;
            }
            side.players.extend(players.iter().cloned().map(|player| set.complete(player)));
            if set.judge(&self.sides, false, &mut self.counts) {
                return Some(place);
            }
            if let Some(side) = self.sides.get_mut(place) {
                side.players.truncate(before);
            }
        }
        None
    }

    fn is_complete(&mut self, set: &RuleSet) -> bool {
        self.sides.iter().all(|side| side.players.len() >= side.least)
            && set.judge(&self.sides, true, &mut self.counts)
    }
}

impl World {
    /// Starts the search of a caller's ticket.
    pub(super) fn asked_ticket_starts(&mut self, number: u32) {
        let Some(ticket) = self.tickets.get_mut(number).filter(|ticket| ticket.status == Status::Queued)
        else {
            return;
        };
        ticket.status = Status::Searching;
        let maker = usize::from(ticket.matchmaker);
        self.tell_searching(&[number]);
        self.agenda.note(self.now_ms + 600, Transition::Pool(maker));
    }

    /// Checks the pool of a configuration now, and again later while tickets wait in it.
    pub(crate) fn pool(&mut self, maker: usize) {
        let now_ms = self.now_ms;
        self.give_up_late_tickets(maker);
        for number in self.waiting(maker, true) {
            self.try_backfill(maker, number);
        }
        while self.try_match(maker) {}
        let waits = !self.waiting(maker, true).is_empty() || !self.waiting(maker, false).is_empty();
        if waits && self.matchmakers[maker].looks_ms <= now_ms {
            self.matchmakers[maker].looks_ms = now_ms + LOOK_MS;
            self.agenda.note(now_ms + LOOK_MS, Transition::Pool(maker));
        }
    }

    /// Returns callers' tickets that search, oldest first: either the backfill tickets or the others.
    fn waiting(&self, maker: usize, backfills: bool) -> Vec<u32> {
        let searching = |ticket: &Ticket| {
            usize::from(ticket.matchmaker) == maker
                && ticket.status == Status::Searching
                && ticket.asked.as_ref().is_some_and(|asked| (asked.backfill != NONE) == backfills)
        };
        let waiting = self.tickets.iter().filter(|(_, ticket)| searching(ticket));
        waiting.map(|(number, _)| number).take(CONSIDERED).collect()
    }

    fn give_up_late_tickets(&mut self, maker: usize) {
        let timeout_ms = i64::from(self.matchmakers[maker].record.request_timeout_seconds) * 1_000;
        let waiting = [self.waiting(maker, false), self.waiting(maker, true)].concat();
        for number in waiting {
            let late = |ticket: &Ticket| self.now_ms >= ticket.start_ms + timeout_ms;
            if self.tickets.get(number).is_some_and(late) {
                let reason = ("TimedOut", "No match was found before the request timed out.");
                self.end_ticket(number, Status::TimedOut, Some(reason), NONE);
                self.tell_timed_out(number);
            }
        }
    }

    fn waited_s(&self, number: u32) -> i64 {
        self.tickets.get(number).map_or(0, |ticket| (self.now_ms - ticket.start_ms) / 1_000)
    }

    /// Returns the rule set of a configuration, relaxed by its expansions after a wait.
    pub(crate) fn relaxed_rules(&self, maker: usize, waited_s: i64) -> Option<RuleSet> {
        let maker = &self.matchmakers[maker];
        let mut sets = self.regions[maker.region].rule_sets.iter();
        let found = sets.find(|set| set.rule_set_name == maker.record.rule_set_name)?;
        RuleSet::relaxed(&found.rule_set_body, waited_s).ok()
    }

    pub(super) fn candidates_of(&self, number: u32) -> Vec<Candidate> {
        let Some(ticket) = self.tickets.get(number) else { return Vec::new() };
        match &ticket.asked {
            Some(asked) => asked.players.clone(),
            None => {
                ticket.players.iter().map(|player| self.simulated_candidate(*player, ticket.area)).collect()
            }
        }
    }

    fn try_match(&mut self, maker: usize) -> bool {
        let waiting = self.waiting(maker, false);
        let mut waits: Vec<i64> = waiting.iter().map(|number| self.waited_s(*number)).collect();
        waits.dedup();
        for waited_s in waits {
            let Some(set) = self.relaxed_rules(maker, waited_s) else { return false };
            let fits = |number: &u32| set.oldest_waits || self.waited_s(*number) >= waited_s;
            let group: Vec<u32> = waiting.iter().copied().filter(fits).collect();
            for seed in &group {
                let mut draft = self.draft(&set, *seed, &group);
                if draft.is_complete(&set) || self.fill(maker, &set, *seed, &mut draft) {
                    self.form(maker, draft, NONE);
                    return true;
                }
                self.note_counts(&group, &draft.counts);
            }
        }
        false
    }

    fn draft(&self, set: &RuleSet, seed: u32, group: &[u32]) -> Draft {
        let mut draft = Draft::new(set);
        for number in [seed].iter().chain(group.iter().filter(|number| **number != seed)) {
            if let Some(place) = draft.take(set, &self.candidates_of(*number)) {
                draft.tickets.push((*number, place));
            }
        }
        draft
    }

    /// Adds the rule results to tickets that go on searching.
    fn note_counts(&mut self, tickets: &[u32], counts: &[(u32, u32)]) {
        for number in tickets {
            let Some(asked) = self.tickets.get_mut(*number).and_then(|ticket| ticket.asked.as_mut()) else {
                continue;
            };
            add_counts(&mut asked.counts, counts);
        }
    }

    /// Whether other players of the population would have come by now. The time differs from ticket to ticket.
    fn others_come(&self, maker: usize, number: u32) -> bool {
        let luck_s = 5 + (mix(self.seed, u64::from(number) ^ SALT) % 12) as i64;
        !self.matchmakers[maker].streams.is_empty() && self.waited_s(number) >= luck_s
    }

    /// Fills the missing places of a match with players of the population, if enough of them satisfy the rules.
    fn fill(&mut self, maker: usize, set: &RuleSet, seed: u32, draft: &mut Draft) -> bool {
        if draft.tickets.is_empty() || !self.others_come(maker, seed) {
            return false;
        }
        let mut draw =
            Draw::new(self.seed, SALT, (u64::from(seed) << 32) | (self.now_ms / 1_000) as u64 & 0xffff_ffff);
        let streams = &self.matchmakers[maker].streams;
        let Some(stream) = streams.get(draw.index(streams.len())).copied() else { return false };
        let mut found: Vec<(u32, usize)> = Vec::new();
        let missing: usize =
            draft.sides.iter().map(|side| side.least.saturating_sub(side.players.len())).sum();
        let (pool, area) = (self.streams[stream].pool, self.streams[stream].place.name);
        for _ in 0..missing * TRIES {
            if draft.sides.iter().all(|side| side.players.len() >= side.least) {
                break;
            }
            let player = self.population.pick(&mut draw, pool, self.now_ms);
            if found.iter().any(|(known, _)| *known == player) {
                continue;
            }
            if let Some(place) = draft.take(set, &[self.simulated_candidate(player, area)]) {
                found.push((player, place));
            }
        }
        if !draft.is_complete(set) {
            return false;
        }
        for (player, place) in found {
            let number = self.simulated_ticket(stream, maker, player);
            draft.tickets.push((number, place));
        }
        true
    }

    /// Creates the ticket of one player of the population, which is matched at once.
    fn simulated_ticket(&mut self, stream: usize, maker: usize, player: u32) -> u32 {
        self.population.occupy(player, self.now_ms + 600_000);
        self.counts.tickets += 1;
        let number = self.counts.tickets;
        let area = self.streams[stream].place.name;
        let ticket = Ticket::new(maker, self.now_ms, Party::from_slice(&[player]), area);
        self.tickets.insert(number, ticket);
        self.ticket_start(number);
        number
    }

    /// Proposes a match.
    fn form(&mut self, maker: usize, draft: Draft, backfill: u32) {
        let now_ms = self.now_ms;
        self.counts.matches += 1;
        let number = self.counts.matches;
        let mut tickets = draft.tickets;
        tickets.sort_by_key(|(_, place)| *place);
        for (ticket, place) in &tickets {
            let team = draft.sides.get(*place).map(|side| Cow::Owned(side.name.clone()));
            let Some(ticket) = self.tickets.get_mut(*ticket) else { continue };
            ticket.team = team;
            let took_ms = now_ms - ticket.start_ms;
            self.matchmakers[maker].counters.time_to_match.add(took_ms);
        }
        let counters = &mut self.matchmakers[maker].counters;
        counters.matches_created += 1;
        add_counts(&mut counters.rules, &draft.counts);
        let game_match = GameMatch {
            matchmaker: maker as u16,
            created_ms: now_ms,
            tickets: tickets.iter().map(|(ticket, _)| *ticket).collect(),
            stream: 0,
            attempt: 1,
            spoiler: None,
            refuses: false,
            answers: Vec::new(),
            asked: Some(AskedMatch { backfill, settled: false }),
        };
        self.tell_potential(number, &game_match, &draft.counts);
        let record = &self.matchmakers[maker].record;
        let (acceptance, timeout_s) = (record.acceptance_required, record.acceptance_timeout_seconds);
        self.set_status(&game_match.tickets, Status::RequiresAcceptance);
        let others: Vec<usize> = game_match
            .tickets
            .iter()
            .enumerate()
            .filter(|(_, ticket)| self.tickets.get(**ticket).is_some_and(|ticket| ticket.asked.is_none()))
            .map(|(place, _)| place)
            .collect();
        self.matches.insert(number, game_match);
        if !acceptance {
            self.place_asked_match(number);
            return;
        }
        let mut draw = Draw::new(self.seed, SALT + 1, number.into());
        for place in others {
            let answer_ms = now_ms + draw.span_ms(900, 9_000);
            self.agenda.note(answer_ms, Transition::MatchAnswer(number, place));
        }
        let timeout_ms = i64::from(timeout_s.unwrap_or(30)) * 1_000;
        self.agenda.note(now_ms + timeout_ms, Transition::MatchAnswered(number));
    }

    /// Settles a callers' match if its answers decide it: all accepted, one refused, or the time is over.
    pub(super) fn settle_answers(&mut self, number: u32, late: bool) {
        let open = |found: &&GameMatch| found.asked.as_ref().is_some_and(|asked| !asked.settled);
        let Some(game_match) = self.matches.get(number).filter(open).cloned() else { return };
        let refused = game_match.answers.iter().any(|(_, accepted)| !accepted);
        let accepted =
            |player: &u32| game_match.answers.iter().any(|(known, accepted)| known == player && *accepted);
        let willing = |number: &u32| {
            let ticket = self.tickets.get(*number);
            let backfills =
                |ticket: &Ticket| ticket.asked.as_ref().is_some_and(|asked| asked.backfill != NONE);
            ticket.is_some_and(|ticket| backfills(ticket) || ticket.players.iter().all(accepted))
        };
        let (willing, unwilling): (Vec<u32>, Vec<u32>) =
            game_match.tickets.iter().partition(|ticket| willing(ticket));
        if !unwilling.is_empty() && !refused && !late {
            return;
        }
        if let Some(asked) = self.matches.get_mut(number).and_then(|found| found.asked.as_mut()) {
            asked.settled = true;
        }
        let counters = &mut self.matchmakers[usize::from(game_match.matchmaker)].counters;
        if unwilling.is_empty() {
            counters.matches_accepted += 1;
            self.tell_answered(number, &game_match, "Accepted");
            self.place_asked_match(number);
            return;
        }
        if refused {
            counters.matches_rejected += 1;
        } else {
            counters.acceptances_timed_out += 1;
        }
        self.tell_answered(number, &game_match, if refused { "Rejected" } else { "TimedOut" });
        // Once somebody has refused, those who have not answered yet are not to blame.
        let refuses = |ticket: &u32| {
            let players = self.tickets.get(*ticket).map(|ticket| ticket.players.clone()).unwrap_or_default();
            !refused
                || game_match.answers.iter().any(|(player, accepted)| !accepted && players.contains(player))
        };
        let (gone, innocent): (Vec<u32>, Vec<u32>) = unwilling.into_iter().partition(refuses);
        for ticket in gone {
            let reason = ("Rejected", "A player of the ticket did not accept the match.");
            self.end_ticket(ticket, Status::Cancelled, Some(reason), NONE);
            self.tell_cancelled(ticket, reason.1);
        }
        self.search_again(&[willing, innocent].concat());
    }

    /// Returns the tickets of a failed match to the pool. Players of the population soon give up.
    pub(super) fn search_again(&mut self, tickets: &[u32]) {
        for number in tickets {
            let Some(ticket) = self.tickets.get_mut(*number) else { continue };
            (ticket.status, ticket.team) = (Status::Searching, None);
            let maker = usize::from(ticket.matchmaker);
            if ticket.asked.is_some() {
                self.agenda.note(self.now_ms + 600, Transition::Pool(maker));
            } else {
                ticket.gives_up_by_hand = true;
                let after_ms = 4_000 + i64::from(*number % 37) * 1_000;
                self.agenda.note(self.now_ms + after_ms, Transition::TicketEnd(*number));
            }
        }
        self.tell_searching(tickets);
    }

    /// Sends a match to its queue or to the session it fills, or completes it for callers who place it themselves.
    fn place_asked_match(&mut self, number: u32) {
        let Some(game_match) = self.matches.get_mut(number) else { return };
        let backfill = game_match.asked.as_mut().map_or(NONE, |asked| {
            asked.settled = true;
            asked.backfill
        });
        let game_match = game_match.clone();
        let maker = usize::from(game_match.matchmaker);
        if backfill != NONE {
            self.seat_backfill(number, &game_match, backfill);
            return;
        }
        if self.matchmakers[maker].record.flex_match_mode == FlexMatchMode::Standalone {
            self.complete_alone(number, &game_match);
            return;
        }
        self.set_status(&game_match.tickets, Status::Placing);
        let record = &self.matchmakers[maker].record;
        let (queue, region) = (self.matchmakers[maker].queue, self.matchmakers[maker].region);
        let players: Vec<Candidate> =
            game_match.tickets.iter().flat_map(|ticket| self.candidates_of(*ticket)).collect();
        let slots = self.relaxed_rules(maker, 0).map_or(players.len(), |set| set.most_players());
        let more = record.additional_player_count.unwrap_or(0) as usize;
        let latencies = players.iter().flat_map(|player| {
            let player_id = self.player_id(player.player);
            player.latencies.iter().map(move |(location, ms)| PlayerLatency {
                player_id: player_id.clone(),
                region_identifier: location.clone(),
                latency_in_milliseconds: f32::from(u16::try_from(*ms).unwrap_or(u16::MAX)),
            })
        });
        let new = NewPlacement {
            placement_id: self.match_id(number),
            maximum_player_session_count: u16::try_from(slots + more).unwrap_or(u16::MAX),
            game_session_name: None,
            game_properties: record.game_properties.clone(),
            game_session_data: record.game_session_data.clone(),
            player_latencies: latencies.collect(),
            desired_player_sessions: players
                .iter()
                .map(|player| (self.player_id(player.player), None))
                .collect(),
            priority_configuration_override: None,
        };
        let party: Vec<u32> = players.iter().map(|player| player.player).collect();
        let queue = queue.filter(|queue| self.queues[*queue].gone_ms > self.now_ms);
        let Some(queue) = queue else {
            self.match_not_placed(number, super::GameSessionPlacementState::Failed);
            return;
        };
        let first = self.queues[queue].destinations.iter().find_map(|named| self.fleet_behind(named));
        let profile = first.map_or(super::super::profile::CASUAL, |fleet| self.profile_of(fleet));
        self.start_asked_placement(queue, profile, region, party, Asked(new), number);
    }

    /// Ends a match that its callers place themselves.
    fn complete_alone(&mut self, number: u32, game_match: &GameMatch) {
        for ticket in game_match.tickets.iter() {
            self.end_ticket(*ticket, Status::Completed, None, NONE);
        }
        self.tell_succeeded_alone(number, game_match);
    }

    /// Returns the matchmaker data that FlexMatch stores in the session of a callers' match: the match, its teams and
    /// their players' attributes.
    pub(super) fn asked_matchmaker_data(&self, number: u32, game_match: &GameMatch) -> String {
        let mut teams: Vec<(String, Vec<serde_json::Value>)> = Vec::new();
        for ticket in game_match
            .tickets
            .iter()
            .filter_map(|ticket| self.tickets.get(*ticket).map(|found| (ticket, found)))
        {
            let (ticket_number, ticket) = ticket;
            let asked_teams = ticket.asked.as_ref().map(|asked| asked.teams.clone()).unwrap_or_default();
            for (place, player) in self.candidates_of(*ticket_number).iter().enumerate() {
                let own = asked_teams.get(place).cloned().flatten();
                let team = own.or_else(|| ticket.team.as_deref().map(str::to_owned)).unwrap_or_default();
                let attributes: serde_json::Map<_, _> = player
                    .attributes
                    .iter()
                    .map(|(name, value)| (name.clone(), value.matchmaker_json()))
                    .collect();
                let shown = serde_json::json!({ "attributes": attributes, "playerId": self.player_id(player.player) });
                match teams.iter_mut().find(|(name, _)| *name == team) {
                    Some((_, players)) => players.push(shown),
                    None => teams.push((team, vec![shown])),
                }
            }
        }
        let teams: Vec<_> = teams
            .into_iter()
            .map(|(name, players)| serde_json::json!({ "name": name, "players": players }))
            .collect();
        let arn = &self.matchmakers[usize::from(game_match.matchmaker)].record.configuration_arn;
        serde_json::json!({ "matchId": self.match_id(number), "matchmakingConfigurationArn": arn, "teams": teams })
            .to_string()
    }
}

fn add_counts(total: &mut Vec<(u32, u32)>, counts: &[(u32, u32)]) {
    total.resize(total.len().max(counts.len()), (0, 0));
    for (total, (passed, failed)) in total.iter_mut().zip(counts) {
        *total = (total.0 + passed, total.1 + failed);
    }
}
