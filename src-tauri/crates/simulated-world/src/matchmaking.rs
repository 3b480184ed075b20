//! FlexMatch: tickets, matches and their placement.
//!
//! Owns the course of the population's matches. `matchmaking::pool` forms matches from callers' tickets by the rules
//! that `matchmaking::rule_set` reads. `matchmaking::answering` handles the answers to both, and
//! `matchmaking::telling` the events about them. `matchmaking::showing` shows tickets and the matchmaker data of
//! sessions.

mod answering;
mod judging;
mod pool;
mod rule_set;
mod showing;
mod telling;

use std::borrow::Cow;
use std::sync::Arc;

pub(super) use self::judging::PLANNED_RULES;
pub(super) use self::pool::{AskedMatch, AskedTicket, ELSEWHERE};
pub(super) use self::rule_set::{Candidate, RuleSet};

use smallvec::SmallVec;

use super::draw::Draw;
use super::engine::Transition;
use super::profile::profile;
use super::records::{GameSessionPlacementState, MatchmakingConfiguration, MatchmakingConfigurationStatus};
use super::sample::Rows;
use super::session::NONE;
use super::{NEVER_MS, World};

const SALT: u64 = 0x0030_0000;

/// Median time from the first ticket of a match to the match, in seconds.
const WAIT_MEDIAN_S: f64 = 11.0;

/// Probability that an arrival also brings a ticket that finds no match.
const LONELY: f64 = 0.10;

/// Probability that not everybody accepts a match.
const REJECTED: f64 = 0.06;

/// A matchmaking configuration and its current state.
#[derive(Clone, Debug)]
pub(crate) struct Matchmaker {
    pub(crate) record: MatchmakingConfiguration,
    pub(crate) region: usize,
    /// When its simulation began. The model of history covers the time before.
    pub(crate) begins_ms: i64,
    /// When it was deleted; never for most.
    pub(crate) gone_ms: i64,
    /// The queue that places its matches; `None` if its callers place them.
    pub(crate) queue: Option<usize>,
    /// When its pool is checked next.
    pub(crate) looks_ms: i64,
    /// Names of its rules.
    pub(crate) rules: Vec<String>,
    /// Tickets that have started and not ended.
    pub(crate) open: u32,
    pub(crate) counters: MatchCounters,
    pub(crate) rows: Rows<MatchSample>,
    /// The streams that model arrivals before the first row.
    pub(crate) streams: Vec<usize>,
}

/// Summary of the durations seen in a minute.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spread {
    pub(crate) count: u32,
    pub(crate) sum_ms: i64,
    pub(crate) min_ms: i64,
    pub(crate) max_ms: i64,
}

impl Spread {
    fn add(&mut self, value_ms: i64) {
        self.min_ms = if self.count == 0 { value_ms } else { self.min_ms.min(value_ms) };
        self.max_ms = self.max_ms.max(value_ms);
        self.count += 1;
        self.sum_ms += value_ms;
    }
}

/// What happened in a matchmaker during a minute.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatchCounters {
    pub(crate) tickets_started: u32,
    pub(crate) players_started: u32,
    pub(crate) tickets_failed: u32,
    pub(crate) tickets_timed_out: u32,
    pub(crate) matches_created: u32,
    pub(crate) matches_accepted: u32,
    pub(crate) matches_rejected: u32,
    pub(crate) matches_placed: u32,
    pub(crate) acceptances_timed_out: u32,
    pub(crate) time_to_match: Spread,
    pub(crate) time_to_success: Spread,
    pub(crate) time_to_cancel: Spread,
    /// Passed and failed evaluations, in the order of [`Matchmaker::rules`].
    pub(crate) rules: Vec<(u32, u32)>,
}

/// A matchmaker in one minute.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatchSample {
    pub(crate) open: u32,
    pub(crate) counters: MatchCounters,
}

/// The players of a ticket. Most tickets have so few that they need no allocation.
pub(crate) type Party = SmallVec<[u32; 5]>;

/// A ticket.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    pub(crate) matchmaker: u16,
    pub(crate) start_ms: i64,
    pub(crate) end_ms: Option<i64>,
    pub(crate) status: MatchmakingConfigurationStatus,
    pub(crate) reason: Option<(&'static str, &'static str)>,
    pub(crate) players: Party,
    /// Team of the players once matched.
    pub(crate) team: Option<Cow<'static, str>>,
    /// The session it led to, or [`NONE`].
    pub(crate) session: u32,
    pub(crate) area: &'static str,
    gives_up_by_hand: bool,
    /// The caller's data; `None` for a ticket of the population.
    pub(crate) asked: Option<Box<AskedTicket>>,
}

/// The two teams of every match of the population.
pub(crate) const TEAMS: [&str; 2] = ["red", "blue"];

/// A match in progress.
#[derive(Clone, Debug)]
pub(crate) struct GameMatch {
    matchmaker: u16,
    pub(crate) created_ms: i64,
    /// Those of the red team first. The order of their players is the order of seats in the session.
    pub(crate) tickets: Arc<[u32]>,
    stream: usize,
    attempt: u8,
    /// Index of the ticket that will not accept.
    spoiler: Option<usize>,
    /// Whether the spoiler rejects the match; otherwise it never answers.
    refuses: bool,
    /// Answers so far: player, and whether they accepted.
    answers: Vec<(u32, bool)>,
    /// Data that only a match of callers' tickets has.
    asked: Option<AskedMatch>,
}

impl Ticket {
    /// Creates a ticket that searches from that time on.
    pub(crate) fn new(matchmaker: usize, start_ms: i64, players: Party, area: &'static str) -> Ticket {
        Ticket {
            matchmaker: matchmaker as u16,
            start_ms,
            end_ms: None,
            status: MatchmakingConfigurationStatus::Searching,
            reason: None,
            players,
            team: None,
            session: NONE,
            area,
            gives_up_by_hand: false,
            asked: None,
        }
    }
}

impl Matchmaker {
    /// Creates a configuration in which nothing has happened yet.
    pub(crate) fn new(record: MatchmakingConfiguration, region: usize, begins_ms: i64) -> Matchmaker {
        Matchmaker {
            record,
            region,
            begins_ms,
            gone_ms: NEVER_MS,
            queue: None,
            looks_ms: 0,
            rules: Vec::new(),
            open: 0,
            counters: MatchCounters::default(),
            rows: Rows::default(),
            streams: Vec::new(),
        }
    }
}

impl GameMatch {
    /// Whether its outcome has been decided.
    fn is_settled(&self) -> bool {
        self.asked.as_ref().is_some_and(AskedMatch::is_settled)
    }

    /// Records the answers of players who have not answered yet.
    fn answer(&mut self, players: &[u32], accepts: bool) {
        for player in players {
            if !self.answers.iter().any(|(known, _)| known == player) {
                self.answers.push((*player, accepts));
            }
        }
    }
}

impl World {
    /// Starts the tickets of a match that a stream brings one after the other, and schedules the match.
    pub(super) fn match_arrives(&mut self, stream: usize, matchmaker: usize) {
        let now_ms = self.now_ms;
        self.counts.matches += 1;
        let number = self.counts.matches;
        let mut draw = Draw::new(self.seed, SALT, number.into());
        let wait_ms = (draw.log_normal(WAIT_MEDIAN_S, 0.6).clamp(2.0, 100.0) * 1_000.0) as i64;
        let mut tickets = Vec::new();
        for team in [0, 1] {
            let mut open = usize::from(profile(self.streams[stream].profile).max_players) / TEAMS.len();
            while open > 0 {
                let size = [1, 1, 1, 2, 2, 3, 5][draw.index(7)].min(open);
                let start_ms = if tickets.is_empty() { now_ms } else { now_ms + draw.span_ms(0, wait_ms) };
                let ticket = self.new_ticket(stream, matchmaker, start_ms, size, &mut draw);
                tickets.push((ticket, team));
                open -= size;
            }
        }
        let spoiled = self.matchmakers[matchmaker].record.acceptance_required && draw.chance(REJECTED);
        let game_match = GameMatch {
            matchmaker: matchmaker as u16,
            created_ms: now_ms + wait_ms + 400,
            tickets: tickets.iter().map(|(ticket, _)| *ticket).collect(),
            stream,
            attempt: 1,
            spoiler: spoiled.then(|| draw.index(tickets.len())),
            refuses: draw.chance(0.5),
            answers: Vec::new(),
            asked: None,
        };
        self.agenda.note(game_match.created_ms, Transition::MatchFormed(number));
        self.matches.insert(number, game_match);
        if draw.chance(LONELY) {
            self.lonely_ticket(stream, matchmaker, &mut draw);
        }
    }

    fn lonely_ticket(&mut self, stream: usize, matchmaker: usize, draw: &mut Draw) {
        let start_ms = self.now_ms + draw.span_ms(100, 20_000);
        let ticket = self.new_ticket(stream, matchmaker, start_ms, 1 + draw.index(3), draw);
        let timeout_ms = i64::from(self.matchmakers[matchmaker].record.request_timeout_seconds) * 1_000;
        let by_hand = draw.chance(0.45);
        let end_ms = start_ms + if by_hand { draw.span_ms(8_000, timeout_ms) } else { timeout_ms };
        if let Some(ticket) = self.tickets.get_mut(ticket) {
            ticket.gives_up_by_hand = by_hand;
        }
        self.agenda.note(end_ms, Transition::TicketEnd(ticket));
    }

    fn new_ticket(
        &mut self,
        stream: usize,
        matchmaker: usize,
        start_ms: i64,
        size: usize,
        draw: &mut Draw,
    ) -> u32 {
        let (pool, area) = (self.streams[stream].pool, self.streams[stream].place.name);
        let players = self.party(draw, pool, size, start_ms);
        self.counts.tickets += 1;
        let number = self.counts.tickets;
        self.tickets.insert(number, Ticket::new(matchmaker, start_ms, players, area));
        self.agenda.note(start_ms, Transition::TicketStart(number));
        number
    }

    pub(super) fn ticket_start(&mut self, number: u32) {
        let Some(ticket) = self.tickets.get(number) else { return };
        let matchmaker = &mut self.matchmakers[usize::from(ticket.matchmaker)];
        matchmaker.open += 1;
        matchmaker.counters.tickets_started += 1;
        matchmaker.counters.players_started += ticket.players.len() as u32;
        if ticket.asked.is_some() {
            self.asked_ticket_starts(number);
        } else {
            self.tell_searching(&[number]);
        }
    }

    /// Ends a ticket now. Its players become free, unless they play.
    fn end_ticket(
        &mut self,
        number: u32,
        status: MatchmakingConfigurationStatus,
        reason: Option<(&'static str, &'static str)>,
        session: u32,
    ) {
        let now_ms = self.now_ms;
        let Some(ticket) = self.tickets.get_mut(number) else { return };
        (ticket.end_ms, ticket.status, ticket.reason, ticket.session) =
            (Some(now_ms), status, reason, session);
        let took_ms = now_ms - ticket.start_ms;
        if session == NONE {
            ticket.players.iter().for_each(|player| self.population.occupy(*player, now_ms));
        }
        let matchmaker = &mut self.matchmakers[usize::from(ticket.matchmaker)];
        matchmaker.open = matchmaker.open.saturating_sub(1);
        let counters = &mut matchmaker.counters;
        match status {
            MatchmakingConfigurationStatus::Completed => counters.time_to_success.add(took_ms),
            MatchmakingConfigurationStatus::Cancelled => counters.time_to_cancel.add(took_ms),
            MatchmakingConfigurationStatus::TimedOut => counters.tickets_timed_out += 1,
            MatchmakingConfigurationStatus::Failed => counters.tickets_failed += 1,
            _ => {}
        }
    }

    pub(super) fn ticket_gives_up(&mut self, number: u32) {
        let searching = |ticket: &&Ticket| ticket.status == MatchmakingConfigurationStatus::Searching;
        let Some(ticket) = self.tickets.get(number).filter(searching) else { return };
        if ticket.gives_up_by_hand {
            let reason = ("Cancelled", "Cancelled by request.");
            self.end_ticket(number, MatchmakingConfigurationStatus::Cancelled, Some(reason), NONE);
            self.tell_cancelled(number, "Cancelled by request.");
        } else {
            let reason = ("TimedOut", "No match was found before the request timed out.");
            self.end_ticket(number, MatchmakingConfigurationStatus::TimedOut, Some(reason), NONE);
            self.tell_timed_out(number);
        }
    }

    fn set_status(&mut self, tickets: &[u32], status: MatchmakingConfigurationStatus) {
        for number in tickets {
            if let Some(ticket) = self.tickets.get_mut(*number) {
                ticket.status = status;
            }
        }
    }

    pub(super) fn match_formed(&mut self, number: u32) {
        let now_ms = self.now_ms;
        let Some(game_match) = self.matches.get(number).cloned() else { return };
        if !self.is_playable(number, &game_match) {
            return;
        }
        let mut seats = 0;
        for ticket in game_match.tickets.iter() {
            let Some(ticket) = self.tickets.get_mut(*ticket) else { continue };
            let half = profile(self.streams[game_match.stream].profile).max_players / TEAMS.len() as u16;
            ticket.team = TEAMS.get(usize::from(seats >= half)).map(|team| Cow::Borrowed(*team));
            seats += ticket.players.len() as u16;
            let took_ms = now_ms - ticket.start_ms;
            self.matchmakers[usize::from(game_match.matchmaker)].counters.time_to_match.add(took_ms);
        }
        let matchmaker = &mut self.matchmakers[usize::from(game_match.matchmaker)];
        matchmaker.counters.matches_created += 1;
        let mut draw = Draw::new(self.seed, SALT + 1, u64::from(number) * 4 + u64::from(game_match.attempt));
        let evaluations: Vec<(u32, u32)> =
            matchmaker.rules.iter().map(|_| (1 + draw.index(6) as u32, draw.index(4) as u32)).collect();
        matchmaker.counters.rules.resize(evaluations.len(), (0, 0));
        for (total, (passed, failed)) in matchmaker.counters.rules.iter_mut().zip(&evaluations) {
            *total = (total.0 + passed, total.1 + failed);
        }
        let acceptance = matchmaker.record.acceptance_required;
        self.tell_potential(number, &game_match, &evaluations);
        if !acceptance {
            self.place_match(number);
            return;
        }
        self.set_status(&game_match.tickets, MatchmakingConfigurationStatus::RequiresAcceptance);
        let mut complete_ms = now_ms;
        for place in 0..game_match.tickets.len() {
            if game_match.spoiler == Some(place) && !game_match.refuses {
                continue;
            }
            let answer_ms = now_ms + draw.span_ms(900, 9_000);
            self.agenda.note(answer_ms, Transition::MatchAnswer(number, place));
            complete_ms = complete_ms.max(answer_ms);
        }
        if game_match.spoiler.is_some() && !game_match.refuses {
            let timeout_s =
                self.matchmakers[usize::from(game_match.matchmaker)].record.acceptance_timeout_seconds;
            complete_ms = now_ms + i64::from(timeout_s.unwrap_or(30)) * 1_000;
        }
        self.agenda.note(complete_ms + 50, Transition::MatchAnswered(number));
    }

    fn place_match(&mut self, number: u32) {
        let Some(game_match) = self.matches.get(number).cloned() else { return };
        self.set_status(&game_match.tickets, MatchmakingConfigurationStatus::Placing);
        let tickets = game_match.tickets.iter().filter_map(|ticket| self.tickets.get(*ticket));
        let players: Vec<u32> = tickets.flat_map(|ticket| ticket.players.iter().copied()).collect();
        let stream = &self.streams[game_match.stream];
        let (kind, pool, area) = (stream.profile, stream.pool, stream.place.name);
        let Some(queue) = self.matchmakers[usize::from(game_match.matchmaker)].queue else { return };
        self.start_placement(queue, kind, pool, area, players, number);
    }

    pub(super) fn match_placed(&mut self, number: u32, session: u32) {
        let Some(game_match) = self.matches.get(number).cloned() else { return };
        self.matchmakers[usize::from(game_match.matchmaker)].counters.matches_placed += 1;
        for ticket in game_match.tickets.iter() {
            self.end_ticket(*ticket, MatchmakingConfigurationStatus::Completed, None, session);
        }
        if game_match.asked.is_some() {
            let data = self.asked_matchmaker_data(number, &game_match);
            if let Some(session) = self.session_mut(session) {
                session.matchmaker_data = std::sync::OnceLock::from(data.into_boxed_str());
            }
        }
        self.tell_succeeded(number, &game_match, session);
    }

    pub(super) fn match_not_placed(&mut self, number: u32, state: GameSessionPlacementState) {
        let Some(game_match) = self.matches.get(number).cloned() else { return };
        let reason = match state {
            GameSessionPlacementState::TimedOut => {
                ("PlacementTimedOut", "The queue found no place for the match in time.")
            }
            GameSessionPlacementState::Cancelled => ("PlacementCancelled", "The placement was cancelled."),
            _ => ("UNEXPECTED_ERROR", "An unexpected error was encountered during match placing."),
        };
        for ticket in game_match.tickets.iter() {
            self.end_ticket(*ticket, MatchmakingConfigurationStatus::Failed, Some(reason), NONE);
        }
        self.tell_failed(number, &game_match, reason);
    }

    /// Closes the row of every matchmaker and opens the next.
    pub(super) fn matchmaker_minute(&mut self) {
        let now_ms = self.now_ms;
        for matchmaker in self.matchmakers.iter_mut().filter(|known| known.begins_ms <= now_ms) {
            let counters = std::mem::take(&mut matchmaker.counters);
            if let Some(row) = matchmaker.rows.last_mut() {
                row.counters = counters;
            }
            let open = matchmaker.open;
            matchmaker.rows.open(now_ms, MatchSample { open, counters: MatchCounters::default() });
        }
    }
}
