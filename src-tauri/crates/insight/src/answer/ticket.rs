//! Matchmaking tickets, taken from events or just fetched from GameLift.

use liftdeck_model::action::MatchPlayer;
use liftdeck_model::game_session;
use liftdeck_model::matchmaking::{Ticket, TicketPlayer};
use liftdeck_model::{GameSessionId, Timestamp};
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::matchmaking::{self as store, TicketRequest};
use liftdeck_store::reader::window::Listed;
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::matchmaking::MatchmakingEventRow;

/// A player of a ticket.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TicketPlayerRow {
    pub player_id: String,
    pub team: Option<String>,
    pub accepted: Option<bool>,
}

/// A ticket, taken from events or just fetched from GameLift.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TicketRow {
    pub ticket_id: String,
    pub configuration: String,
    pub region: String,
    pub state: String,
    pub started_at: Option<Timestamp>,
    pub updated_at: Timestamp,
    pub wait_ms: Option<i64>,
    pub players: Vec<TicketPlayerRow>,
    pub match_id: Option<String>,
    pub game_session_id: Option<String>,
    pub message: Option<String>,
}

/// One ticket with its history.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TicketDetail {
    pub row: TicketRow,
    /// Whether the ticket was just fetched from GameLift.
    pub live: bool,
    pub estimated_wait_seconds: Option<i32>,
    pub status_reason: Option<String>,
    pub status_message: Option<String>,
    /// The address players connect to.
    pub connection: Option<String>,
    pub events: Vec<MatchmakingEventRow>,
    pub can_accept: bool,
    pub can_stop: bool,
}

/// One page of tickets; `feed` is the freshness of the event queues.
///
/// # Errors
/// When the store cannot be read.
pub async fn tickets(
    reader: &Reader,
    request: &TicketRequest,
    feed: Freshness,
    now: Timestamp,
) -> Result<Listed<TicketRow>, StoreError> {
    Ok(Listed::new(reader.tickets(request).await?, feed, |row| TicketRow::told(row, now)))
}

impl From<TicketPlayer> for TicketPlayerRow {
    fn from(player: TicketPlayer) -> Self {
        Self { player_id: player.player_id.into_string(), team: player.team, accepted: player.accepted }
    }
}

impl TicketRow {
    /// Whether it led to no match and nobody cancelled it.
    pub fn is_lost(&self) -> bool {
        matches!(self.state.as_str(), "FAILED" | "TIMED_OUT")
    }

    /// A ticket as known from events.
    pub(super) fn told(row: store::TicketRow, now: Timestamp) -> Self {
        Self {
            wait_ms: row.wait_ms(now),
            ticket_id: row.ticket_id.into_string(),
            configuration: row.configuration,
            region: row.region.into_string(),
            state: row.state,
            started_at: row.started_at,
            updated_at: row.updated_at,
            players: row.players.into_iter().map(TicketPlayerRow::from).collect(),
            match_id: row.match_id,
            game_session_id: row.game_session_id.map(GameSessionId::into_string),
            message: row.message,
        }
    }

    /// A ticket as GameLift reports it now, with details that only events contain.
    fn now(ticket: &Ticket, told: Option<&Self>, now: Timestamp) -> Self {
        let answer = |player: &str| {
            let told = told.into_iter().flat_map(|told| &told.players);
            told.filter(|known| known.player_id == player).find_map(|known| known.accepted)
        };
        let player = |player: &MatchPlayer| TicketPlayerRow {
            player_id: player.player_id.to_string(),
            team: player.team.clone(),
            accepted: answer(player.player_id.as_str()),
        };
        let session = ticket.connection.as_ref().and_then(|connection| connection.game_session_id.clone());
        let until = ticket.end_time.unwrap_or(now);
        Self {
            ticket_id: ticket.ticket_id.to_string(),
            configuration: ticket.configuration_name.clone().unwrap_or_default(),
            region: ticket.region.to_string(),
            state: ticket.status.to_string(),
            started_at: ticket.start_time,
            updated_at: until,
            wait_ms: ticket.start_time.map(|start| until.since_ms(start).max(0)),
            players: ticket.players.iter().map(player).collect(),
            match_id: told.and_then(|told| told.match_id.clone()),
            game_session_id: session.map(GameSessionId::into_string),
            message: ticket.status_message.clone(),
        }
    }
}

impl TicketDetail {
    /// Builds a ticket from its events, from GameLift, or from both; `None` if both are missing.
    pub fn new(story: Option<store::TicketStory>, live: Option<&Ticket>, now: Timestamp) -> Option<Self> {
        let (told, events) = match story {
            Some(story) => (Some(TicketRow::told(story.row, now)), story.events),
            None => (None, Vec::new()),
        };
        let row = match live {
            Some(ticket) => TicketRow::now(ticket, told.as_ref(), now),
            None => told?,
        };
        let connection = live.and_then(|ticket| ticket.connection.as_ref()).and_then(|known| {
            game_session::connection(known.dns_name.as_deref(), known.ip_address.as_deref(), known.port)
        });
        Some(Self {
            live: live.is_some(),
            estimated_wait_seconds: live.and_then(|ticket| ticket.estimated_wait_seconds),
            status_reason: live.and_then(|ticket| ticket.status_reason.clone()),
            status_message: live.and_then(|ticket| ticket.status_message.clone()),
            connection,
            events: events.into_iter().map(MatchmakingEventRow::from).collect(),
            can_accept: row.state == "REQUIRES_ACCEPTANCE",
            // AWS: a ticket in PLACING cannot be cancelled.
            can_stop: matches!(row.state.as_str(), "QUEUED" | "SEARCHING" | "REQUIRES_ACCEPTANCE"),
            row,
        })
    }
}
