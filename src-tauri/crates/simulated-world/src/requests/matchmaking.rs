//! Matchmaking that callers start, answer, stop and backfill.

use std::collections::BTreeMap;

use super::super::World;
use super::super::engine::Transition;
use super::super::matchmaking::{AskedTicket, Candidate, ELSEWHERE, Ticket};
use super::super::names::Kind;
use super::super::records::{
    AttributeValue, FlexMatchMode, GameSessionStatus, MatchmakingConfigurationStatus as Status,
};
use super::super::refusal::Refusal;
use super::super::session::NONE;

/// Maximum number of players and of attributes in a request (A14 StartMatchmaking).
const MOST_PLAYERS: usize = 10;
const MOST_ATTRIBUTES: usize = 10;

/// How long a new ticket is QUEUED.
const QUEUED_MS: i64 = 400;

/// A player to match.
#[derive(Clone, Debug, Default)]
pub struct NewPlayer {
    /// The player.
    pub player_id: String,
    /// By name.
    pub attributes: BTreeMap<String, AttributeValue>,
    /// Latency in milliseconds, by location.
    pub latencies: BTreeMap<String, u32>,
    /// The team the player is in, for a backfill.
    pub team: Option<String>,
}

/// The purpose of a ticket.
#[derive(Clone, Copy, Debug)]
pub enum TicketPurpose<'a> {
    /// A new match.
    Match,
    /// A session with free slots, by ARN.
    Backfill(Option<&'a str>),
}

impl World {
    /// Puts a ticket into the pool of a configuration and returns the ticket's id.
    ///
    /// # Errors
    /// When the configuration or the session is unknown, or the players or the id are not acceptable.
    pub fn start_matchmaking(
        &mut self,
        region: &str,
        configuration: &str,
        ticket_id: Option<String>,
        players: Vec<NewPlayer>,
        purpose: TicketPurpose<'_>,
    ) -> Result<String, Refusal> {
        let unknown = || Refusal::not_found("Matchmaking configuration", configuration);
        let here = self.region_index(region).ok_or_else(unknown)?;
        let maker = self.matchmaker_named(here, configuration).ok_or_else(unknown)?;
        let is_backfill = matches!(purpose, TicketPurpose::Backfill(_));
        check_players(&players, if is_backfill { usize::MAX } else { MOST_PLAYERS })?;
        let rules = self
            .relaxed_rules(maker, 0)
            .ok_or_else(|| Refusal::invalid("The configuration has no rule set."))?;
        for player in &players {
            if let Some((name, kind)) = rules.misfit(&player.attributes) {
                let message = format!("Attribute {name} of player {} is not a {kind}.", player.player_id);
                return Err(Refusal::invalid(message));
            }
        }
        let backfill = match purpose {
            TicketPurpose::Match => NONE,
            TicketPurpose::Backfill(arn) => self.backfill_session(region, maker, arn)?,
        };
        let number = self.counts.tickets + 1;
        let ticket_id = match ticket_id.filter(|id| !id.is_empty()) {
            Some(id) if self.ticket_number(region, &id).is_some() => {
                return Err(Refusal::invalid(format!("Matchmaking ticket {id} already exists.")));
            }
            Some(id) => id,
            None => self.names.uuid(Kind::Ticket, number, 0),
        };
        self.counts.tickets = number;
        if backfill != NONE && backfill != ELSEWHERE {
            self.replace_backfill(backfill);
        }
        let teams = players.iter().map(|player| player.team.clone()).collect();
        let players: Vec<Candidate> = players
            .into_iter()
            .map(|player| Candidate {
                player: self.meet_player(&player.player_id),
                attributes: player.attributes,
                latencies: player.latencies,
            })
            .collect();
        let numbers = players.iter().map(|player| player.player).collect();
        let mut ticket = Ticket::new(maker, self.now_ms, numbers, "");
        ticket.status = Status::Queued;
        self.ledger.tickets.insert((here, ticket_id.clone()), number);
        let asked =
            AskedTicket { ticket_id: ticket_id.clone(), players, backfill, teams, counts: Vec::new() };
        ticket.asked = Some(Box::new(asked));
        let timeout_s = self.matchmakers[maker].record.request_timeout_seconds;
        self.tickets.insert(number, ticket);
        self.agenda.note(self.now_ms + QUEUED_MS, Transition::TicketStart(number));
        self.agenda.note(self.now_ms + i64::from(timeout_s) * 1_000, Transition::Pool(maker));
        Ok(ticket_id)
    }

    /// Cancels the open backfill request of a session, because a new one replaces it (A14 StartMatchBackfill).
    fn replace_backfill(&mut self, session: u32) {
        let open = |ticket: &Ticket| {
            ticket.end_ms.is_none() && ticket.asked.as_ref().is_some_and(|asked| asked.backfill == session)
        };
        let before: Vec<u32> =
            self.tickets.iter().filter(|(_, ticket)| open(ticket)).map(|(number, _)| number).collect();
        for number in before {
            self.cancel_ticket(number, "Replaced by a new backfill request.");
        }
    }

    fn backfill_session(&self, region: &str, maker: usize, arn: Option<&str>) -> Result<u32, Refusal> {
        if self.matchmakers[maker].record.flex_match_mode == FlexMatchMode::Standalone {
            return Ok(ELSEWHERE);
        }
        let arn = arn.ok_or_else(|| {
            Refusal::invalid("GameSessionArn is required for a configuration with a queue.")
        })?;
        let number = self.session_number(region, arn)?;
        let session = self.session(number).ok_or_else(|| Refusal::not_found("Game session", arn))?;
        if session.game_match == NONE {
            return Err(Refusal::invalid(format!("Game session {arn} was not made by FlexMatch.")));
        }
        if session.status(self.now_ms) != GameSessionStatus::Active {
            return Err(Refusal::invalid(format!("Game session {arn} is not ACTIVE.")));
        }
        Ok(number)
    }

    /// Removes a ticket from the pool.
    ///
    /// # Errors
    /// When there is no such ticket, or it is being placed or has ended.
    pub fn stop_matchmaking(&mut self, region: &str, ticket_id: &str) -> Result<(), Refusal> {
        let unknown = || Refusal::not_found("Matchmaking ticket", ticket_id);
        let number = self.ticket_number(region, ticket_id).ok_or_else(unknown)?;
        let status = self.tickets.get(number).ok_or_else(unknown)?.status;
        if !matches!(status, Status::Queued | Status::Searching | Status::RequiresAcceptance) {
            let message = format!("Matchmaking ticket {ticket_id} is {status} and cannot be cancelled.");
            return Err(Refusal::invalid(message));
        }
        self.cancel_ticket(number, "Cancelled by request.");
        Ok(())
    }

    /// Answers a proposed match for players of a ticket.
    ///
    /// # Errors
    /// When there is no such ticket, it waits for no answer, or the players are not its own.
    pub fn accept_match(
        &mut self,
        region: &str,
        ticket_id: &str,
        player_ids: &[String],
        accepts: bool,
    ) -> Result<(), Refusal> {
        let unknown = || Refusal::not_found("Matchmaking ticket", ticket_id);
        let number = self.ticket_number(region, ticket_id).ok_or_else(unknown)?;
        let ticket = self.tickets.get(number).ok_or_else(unknown)?;
        if ticket.status != Status::RequiresAcceptance {
            let message =
                format!("Matchmaking ticket {ticket_id} is {} and waits for no answer.", ticket.status);
            return Err(Refusal::invalid(message));
        }
        let mut players = Vec::with_capacity(player_ids.len());
        for player_id in player_ids {
            let player = self.read_player(player_id).filter(|player| ticket.players.contains(player));
            let stranger = || Refusal::invalid(format!("Player {player_id} is not in ticket {ticket_id}."));
            players.push(player.ok_or_else(stranger)?);
        }
        if players.is_empty() {
            return Err(Refusal::invalid("PlayerIds names no player."));
        }
        self.answer_match(number, &players, accepts);
        Ok(())
    }

    /// Returns the number of the ticket with that id, if the ticket has not been forgotten.
    pub(crate) fn ticket_number(&self, region: &str, ticket_id: &str) -> Option<u32> {
        let here = self.region_index(region)?;
        let asked = self.ledger.tickets.get(&(here, ticket_id.to_owned())).copied();
        let number = asked.or_else(|| Some(self.names.read_uuid(Kind::Ticket, ticket_id)?.0))?;
        let ticket = self.tickets.get(number).filter(|ticket| ticket.start_ms <= self.now_ms)?;
        let owner = self.matchmakers.get(usize::from(ticket.matchmaker))?;
        (owner.region == here && self.ticket_id(number) == ticket_id).then_some(number)
    }
}

fn check_players(players: &[NewPlayer], most: usize) -> Result<(), Refusal> {
    if players.is_empty() || players.len() > most {
        return Err(Refusal::invalid(format!("A request must name 1 to {MOST_PLAYERS} players.")));
    }
    for (place, player) in players.iter().enumerate() {
        if player.player_id.is_empty() {
            return Err(Refusal::invalid("Every player needs a PlayerId."));
        }
        if players[..place].iter().any(|other| other.player_id == player.player_id) {
            return Err(Refusal::invalid(format!("Player {} is named twice.", player.player_id)));
        }
        if player.attributes.len() > MOST_ATTRIBUTES {
            let message = format!("A player can have at most {MOST_ATTRIBUTES} attributes.");
            return Err(Refusal::invalid(message));
        }
    }
    Ok(())
}
