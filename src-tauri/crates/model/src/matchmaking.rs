//! FlexMatch: configurations and events. GameLift lists no tickets; they are learnt from events.

use serde::{Deserialize, Serialize};

use crate::id::{GameSessionId, PlayerId, Region, TicketId};
use crate::time::Timestamp;

/// A matchmaking configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchmakingConfiguration {
    /// Name.
    pub name: String,
    /// Region.
    pub region: Region,
    /// ARN.
    pub arn: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Queues it places into.
    pub queue_arns: Vec<String>,
    /// A ticket not matched in this time is TIMED_OUT.
    pub request_timeout_seconds: Option<i32>,
    /// Time to accept.
    pub acceptance_timeout_seconds: Option<i32>,
    /// Whether players must accept.
    pub acceptance_required: bool,
    /// Rule set.
    pub rule_set_name: Option<String>,
    /// SNS topic of its events.
    pub notification_target: Option<String>,
    /// Slots kept free.
    pub additional_player_count: Option<i32>,
    /// `AUTOMATIC` or `MANUAL`.
    pub backfill_mode: Option<String>,
    /// `STANDALONE` or `WITH_QUEUE`.
    pub flex_match_mode: Option<String>,
    /// When it was created.
    pub creation_time: Option<Timestamp>,
}

/// A player of a ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketPlayer {
    /// Player.
    pub player_id: PlayerId,
    /// Team, once matched.
    pub team: Option<String>,
    /// The player's answer, once given.
    pub accepted: Option<bool>,
}

/// A ticket inside an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventTicket {
    /// Ticket.
    pub ticket_id: TicketId,
    /// When it was started.
    pub start_time: Option<Timestamp>,
    /// Players.
    pub players: Vec<TicketPlayer>,
}

/// A FlexMatch event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchmakingEvent {
    /// Envelope's id: the only key there is, FlexMatch events are not all terminal.
    pub event_id: String,
    /// Type, an open string such as `MatchmakingSucceeded`.
    pub event_type: String,
    /// Configuration, from the event's resource ARN.
    pub configuration: String,
    /// Region.
    pub region: Region,
    /// When the event was sent.
    pub event_time: Timestamp,
    /// Match.
    pub match_id: Option<String>,
    /// Why it failed, was cancelled or timed out.
    pub reason: Option<String>,
    /// More of the same.
    pub message: Option<String>,
    /// Seconds despite its name `estimatedWaitMillis`; absent when NOT_AVAILABLE.
    pub estimated_wait_seconds: Option<i64>,
    /// Session made.
    pub game_session_id: Option<GameSessionId>,
    /// Tickets concerned.
    pub tickets: Vec<EventTicket>,
}
