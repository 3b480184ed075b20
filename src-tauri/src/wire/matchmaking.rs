//! Matchmaking: configurations, tickets and FlexMatch events.

use liftdeck_insight::{matchmaking_severity, matchmaking_text};
use liftdeck_model::action::MatchPlayer;
use liftdeck_model::matchmaking::{MatchmakingEvent, Ticket, TicketPlayer};
use liftdeck_model::{GameSessionId, Timestamp};
use liftdeck_store::reader::matchmaking as store;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::Severity;
use crate::wire::number::{Ms, Real, count};
use crate::wire::window::{Freshness, Page, Range};

/// A matchmaking configuration, with figures over the range asked for.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchmakingConfigurationRow {
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) arn: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) queue_arns: Vec<String>,
    pub(crate) request_timeout_seconds: Option<u32>,
    pub(crate) acceptance_required: bool,
    pub(crate) acceptance_timeout_seconds: Option<u32>,
    pub(crate) rule_set_name: Option<String>,
    /// JSON, laid out.
    pub(crate) rule_set_body: Option<String>,
    pub(crate) backfill_mode: Option<String>,
    pub(crate) flex_match_mode: Option<String>,
    pub(crate) additional_player_count: Option<u32>,
    pub(crate) matches: u32,
    pub(crate) failed: u32,
    pub(crate) timed_out: u32,
    pub(crate) wait_p50_ms: Option<Ms>,
    pub(crate) wait_p95_ms: Option<Ms>,
    /// Of the players asked, 0 to 1.
    pub(crate) acceptance_rate: Option<Real>,
}

/// Tickets in a state.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TicketCount {
    pub(crate) state: String,
    pub(crate) count: u32,
}

/// All configurations, and how tickets stand.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchmakingOverview {
    pub(crate) configurations: Vec<MatchmakingConfigurationRow>,
    pub(crate) tickets_by_state: Vec<TicketCount>,
    pub(crate) freshness: Freshness,
}

/// A player of a ticket.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TicketPlayerRow {
    pub(crate) player_id: String,
    pub(crate) team: Option<String>,
    pub(crate) accepted: Option<bool>,
}

/// A ticket, from events or just asked of GameLift.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TicketRow {
    pub(crate) ticket_id: String,
    pub(crate) configuration: String,
    pub(crate) region: String,
    pub(crate) state: String,
    pub(crate) started_ms: Option<Ms>,
    pub(crate) updated_ms: Ms,
    pub(crate) wait_ms: Option<Ms>,
    pub(crate) players: Vec<TicketPlayerRow>,
    pub(crate) match_id: Option<String>,
    pub(crate) game_session_id: Option<String>,
    pub(crate) message: Option<String>,
}

/// A question about tickets.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TicketQuery {
    pub(crate) text: String,
    pub(crate) configuration: Option<String>,
    pub(crate) state: Option<String>,
    pub(crate) range: Option<Range>,
    pub(crate) page: Page,
}

/// A window onto tickets, newest first.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TicketPage {
    pub(crate) rows: Vec<TicketRow>,
    pub(crate) total: u32,
    pub(crate) freshness: Freshness,
}

/// A FlexMatch event.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchmakingEventRow {
    pub(crate) key: String,
    pub(crate) at_ms: Ms,
    #[serde(rename = "type")]
    pub(crate) event_type: String,
    pub(crate) configuration: String,
    pub(crate) region: String,
    pub(crate) tickets: Vec<String>,
    pub(crate) players: u32,
    pub(crate) match_id: Option<String>,
    pub(crate) text: String,
    pub(crate) severity: Severity,
}

/// A window onto FlexMatch events, newest first.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchmakingEventPage {
    pub(crate) rows: Vec<MatchmakingEventRow>,
    pub(crate) total: u32,
    pub(crate) freshness: Freshness,
}

/// One ticket with its story.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TicketDetail {
    pub(crate) row: TicketRow,
    /// Whether GameLift was just asked.
    pub(crate) live: bool,
    pub(crate) estimated_wait_seconds: Option<u32>,
    pub(crate) status_reason: Option<String>,
    pub(crate) status_message: Option<String>,
    /// Where the players connect to.
    pub(crate) connection: Option<String>,
    pub(crate) events: Vec<MatchmakingEventRow>,
    pub(crate) can_accept: bool,
    pub(crate) can_stop: bool,
}

impl MatchmakingConfigurationRow {
    /// A configuration with the rules it goes by, where they are known.
    pub(crate) fn new(row: store::MatchmakingConfigurationRow, rules: Option<String>) -> Self {
        let (configuration, figures) = (row.configuration, row.statistics);
        Self {
            name: configuration.name,
            region: configuration.region.into_string(),
            arn: configuration.arn,
            description: configuration.description,
            queue_arns: configuration.queue_arns,
            request_timeout_seconds: configuration.request_timeout_seconds.map(count),
            acceptance_required: configuration.acceptance_required,
            acceptance_timeout_seconds: configuration.acceptance_timeout_seconds.map(count),
            rule_set_name: configuration.rule_set_name,
            rule_set_body: rules,
            backfill_mode: configuration.backfill_mode,
            flex_match_mode: configuration.flex_match_mode,
            additional_player_count: configuration.additional_player_count.map(count),
            matches: count(figures.matches),
            failed: count(figures.failed),
            timed_out: count(figures.timed_out),
            wait_p50_ms: figures.wait_p50_ms.map(Ms),
            wait_p95_ms: figures.wait_p95_ms.map(Ms),
            acceptance_rate: figures.acceptance_rate.and_then(Real::finite),
        }
    }
}

impl From<TicketPlayer> for TicketPlayerRow {
    fn from(player: TicketPlayer) -> Self {
        Self { player_id: player.player_id.into_string(), team: player.team, accepted: player.accepted }
    }
}

impl TicketRow {
    /// A ticket as events told it.
    pub(crate) fn told(row: store::TicketRow, now: Timestamp) -> Self {
        Self {
            wait_ms: row.wait_ms(now).map(Ms),
            ticket_id: row.ticket_id.into_string(),
            configuration: row.configuration,
            region: row.region.into_string(),
            state: row.state,
            started_ms: row.started_at.map(Ms::from),
            updated_ms: row.updated_at.into(),
            players: row.players.into_iter().map(TicketPlayerRow::from).collect(),
            match_id: row.match_id,
            game_session_id: row.game_session_id.map(GameSessionId::into_string),
            message: row.message,
        }
    }

    /// A ticket as GameLift has it now, with what only events tell.
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
            started_ms: ticket.start_time.map(Ms::from),
            updated_ms: until.into(),
            wait_ms: ticket.start_time.map(|start| Ms(until.since_ms(start).max(0))),
            players: ticket.players.iter().map(player).collect(),
            match_id: told.and_then(|told| told.match_id.clone()),
            game_session_id: session.map(GameSessionId::into_string),
            message: ticket.status_message.clone(),
        }
    }
}

impl TicketDetail {
    /// A ticket from its events, from GameLift, or both; `None` from neither.
    pub(crate) fn new(
        story: Option<store::TicketStory>,
        live: Option<&Ticket>,
        now: Timestamp,
    ) -> Option<Self> {
        let (told, events) = match story {
            Some(story) => (Some(TicketRow::told(story.row, now)), story.events),
            None => (None, Vec::new()),
        };
        let row = match live {
            Some(ticket) => TicketRow::now(ticket, told.as_ref(), now),
            None => told?,
        };
        let connection = live.and_then(|ticket| ticket.connection.as_ref()).and_then(|connection| {
            let host = connection.dns_name.as_ref().or(connection.ip_address.as_ref())?;
            Some(connection.port.map_or_else(|| host.clone(), |port| format!("{host}:{port}")))
        });
        Some(Self {
            live: live.is_some(),
            estimated_wait_seconds: live.and_then(|ticket| ticket.estimated_wait_seconds).map(count),
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

impl From<MatchmakingEvent> for MatchmakingEventRow {
    fn from(event: MatchmakingEvent) -> Self {
        let players = event.tickets.iter().map(|ticket| ticket.players.len()).sum::<usize>();
        Self {
            text: matchmaking_text(&event),
            severity: matchmaking_severity(&event.event_type).into(),
            key: event.event_id,
            at_ms: event.event_time.into(),
            event_type: event.event_type,
            configuration: event.configuration,
            region: event.region.into_string(),
            tickets: event.tickets.into_iter().map(|ticket| ticket.ticket_id.into_string()).collect(),
            players: count(u64::try_from(players).unwrap_or(u64::MAX)),
            match_id: event.match_id,
        }
    }
}
