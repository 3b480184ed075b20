//! FlexMatch: configurations, rule sets, tickets and events. GameLift cannot list tickets: they are learnt from
//! events, and a ticket whose id is known can be described.

use serde::{Deserialize, Serialize};

use crate::action::MatchPlayer;
use crate::id::{GameSessionId, PlayerId, Region, TicketId};
use crate::open_enum;
use crate::placement::PlacedPlayerSession;
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
    /// Seconds players have to accept.
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

/// A matchmaking rule set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchmakingRuleSet {
    /// Name.
    pub name: String,
    /// Region.
    pub region: Region,
    /// ARN.
    pub arn: Option<String>,
    /// The rules, JSON as written, up to 65 535 characters.
    pub body: String,
    /// When it was created.
    pub creation_time: Option<Timestamp>,
}

open_enum! {
    /// Status of a matchmaking ticket.
    TicketStatus {
        Queued = "QUEUED", Searching = "SEARCHING", RequiresAcceptance = "REQUIRES_ACCEPTANCE",
        Placing = "PLACING", Completed = "COMPLETED", Failed = "FAILED", Cancelled = "CANCELLED",
        TimedOut = "TIMED_OUT",
    }
}

impl TicketStatus {
    /// Whether nothing more will happen. A status this program does not know may still change.
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled | Self::TimedOut)
    }
}

/// A ticket as DescribeMatchmaking shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ticket {
    /// Ticket.
    pub ticket_id: TicketId,
    /// Region.
    pub region: Region,
    /// Configuration, by name.
    pub configuration_name: Option<String>,
    /// Status.
    pub status: TicketStatus,
    /// Why it has the status; an open code.
    pub status_reason: Option<String>,
    /// The same in words.
    pub status_message: Option<String>,
    /// When it was received.
    pub start_time: Option<Timestamp>,
    /// When it ended.
    pub end_time: Option<Timestamp>,
    /// FlexMatch's estimate of the seconds until a match.
    pub estimated_wait_seconds: Option<i32>,
    /// Players as requested.
    pub players: Vec<MatchPlayer>,
    /// How to join, once COMPLETED.
    pub connection: Option<TicketConnection>,
}

/// How players of a COMPLETED ticket join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketConnection {
    /// Session; absent with standalone FlexMatch.
    pub game_session_id: Option<GameSessionId>,
    /// Address.
    pub ip_address: Option<String>,
    /// DNS name.
    pub dns_name: Option<String>,
    /// Port.
    pub port: Option<i32>,
    /// Players and their slots.
    pub player_sessions: Vec<PlacedPlayerSession>,
}

/// A player of a ticket inside an event.
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
    /// The envelope's id: the only key there is, because not all FlexMatch events are terminal.
    pub event_id: String,
    /// Type, an open string such as `MatchmakingSucceeded`.
    pub event_type: String,
    /// Configuration, from the event's resource ARN.
    pub configuration: String,
    /// Region.
    pub region: Region,
    /// When the event was sent.
    pub event_time: Timestamp,
    /// Match id.
    pub match_id: Option<String>,
    /// Why it failed, was cancelled or timed out.
    pub reason: Option<String>,
    /// More details of the reason.
    pub message: Option<String>,
    /// Seconds despite its name `estimatedWaitMillis`; absent when NOT_AVAILABLE.
    pub estimated_wait_seconds: Option<i64>,
    /// Session created.
    pub game_session_id: Option<GameSessionId>,
    /// Tickets concerned.
    pub tickets: Vec<EventTicket>,
}
