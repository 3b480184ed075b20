//! Matchmaking configurations with the statistics of their matches, and FlexMatch events.

use liftdeck_model::matchmaking::MatchmakingEvent;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{Severity, Timestamp};
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::matchmaking::{self as store, MatchmakingEventRequest};
use liftdeck_store::reader::window::Listed;
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::session::pretty;
use crate::matchmaking::{matchmaking_severity, matchmaking_text};

/// A matchmaking configuration, with statistics over the requested range.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MatchmakingConfigurationRow {
    pub name: String,
    pub region: String,
    pub arn: Option<String>,
    pub description: Option<String>,
    pub queue_arns: Vec<String>,
    pub request_timeout_seconds: Option<i32>,
    pub acceptance_required: bool,
    pub acceptance_timeout_seconds: Option<i32>,
    pub rule_set_name: Option<String>,
    /// Indented JSON.
    pub rule_set_body: Option<String>,
    pub backfill_mode: Option<String>,
    pub flex_match_mode: Option<String>,
    pub additional_player_count: Option<i32>,
    pub matches: u64,
    pub failed: u64,
    pub timed_out: u64,
    pub wait_p50_ms: Option<i64>,
    pub wait_p95_ms: Option<i64>,
    /// Share of the players asked that accepted, 0 to 1.
    pub acceptance_rate: Option<f64>,
}

/// The number of tickets in a state.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TicketCount {
    pub state: String,
    pub count: u64,
}

/// All configurations, and the number of tickets in each state.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MatchmakingOverview {
    pub configurations: Vec<MatchmakingConfigurationRow>,
    pub tickets_by_state: Vec<TicketCount>,
    pub freshness: Freshness,
}

/// A FlexMatch event.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MatchmakingEventRow {
    pub key: String,
    pub at: Timestamp,
    #[serde(rename = "type")]
    pub event_type: String,
    pub configuration: String,
    pub region: String,
    pub tickets: Vec<String>,
    pub players: usize,
    pub match_id: Option<String>,
    pub text: String,
    pub severity: Severity,
}

/// All configurations with statistics over a range, and the number of tickets in each state.
///
/// # Errors
/// When the store cannot be read.
pub async fn matchmaking(
    reader: &Reader,
    range: TimeRange,
    now: Timestamp,
) -> Result<MatchmakingOverview, StoreError> {
    let (rows, freshness) = reader.matchmaking_configurations(range, now).await?;
    let (rules, rules_freshness) = reader.rule_sets(now).await?;
    let row = |row: store::MatchmakingConfigurationRow| {
        let configuration = &row.configuration;
        let named = configuration.rule_set_name.as_ref().and_then(|name| {
            rules.iter().find(|rules| rules.region == configuration.region && rules.name == *name)
        });
        let body = named.map(|rules| pretty(rules.body.clone()));
        MatchmakingConfigurationRow::new(row, body)
    };
    let tickets = reader.tickets_by_state(range).await?;
    Ok(MatchmakingOverview {
        configurations: rows.into_iter().map(row).collect(),
        tickets_by_state: tickets.into_iter().map(|(state, count)| TicketCount { state, count }).collect(),
        freshness: freshness.and(rules_freshness),
    })
}

/// One page of FlexMatch events; `feed` is the freshness of the event queues.
///
/// # Errors
/// When the store cannot be read.
pub async fn matchmaking_events(
    reader: &Reader,
    request: &MatchmakingEventRequest,
    feed: Freshness,
) -> Result<Listed<MatchmakingEventRow>, StoreError> {
    let found = reader.matchmaking_events(request).await?;
    Ok(Listed::new(found, feed, MatchmakingEventRow::from))
}

impl MatchmakingConfigurationRow {
    fn new(row: store::MatchmakingConfigurationRow, rules: Option<String>) -> Self {
        let (configuration, figures) = (row.configuration, row.statistics);
        Self {
            name: configuration.name,
            region: configuration.region.into_string(),
            arn: configuration.arn,
            description: configuration.description,
            queue_arns: configuration.queue_arns,
            request_timeout_seconds: configuration.request_timeout_seconds,
            acceptance_required: configuration.acceptance_required,
            acceptance_timeout_seconds: configuration.acceptance_timeout_seconds,
            rule_set_name: configuration.rule_set_name,
            rule_set_body: rules,
            backfill_mode: configuration.backfill_mode,
            flex_match_mode: configuration.flex_match_mode,
            additional_player_count: configuration.additional_player_count,
            matches: figures.matches,
            failed: figures.failed,
            timed_out: figures.timed_out,
            wait_p50_ms: figures.wait_p50_ms,
            wait_p95_ms: figures.wait_p95_ms,
            acceptance_rate: figures.acceptance_rate,
        }
    }
}

impl From<MatchmakingEvent> for MatchmakingEventRow {
    fn from(event: MatchmakingEvent) -> Self {
        let players = event.tickets.iter().map(|ticket| ticket.players.len()).sum::<usize>();
        Self {
            text: matchmaking_text(&event),
            severity: matchmaking_severity(&event.event_type),
            key: event.event_id,
            at: event.event_time,
            event_type: event.event_type,
            configuration: event.configuration,
            region: event.region.into_string(),
            tickets: event.tickets.into_iter().map(|ticket| ticket.ticket_id.into_string()).collect(),
            players,
            match_id: event.match_id,
        }
    }
}
