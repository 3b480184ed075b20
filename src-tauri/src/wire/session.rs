//! Game sessions: the list, one session, and the query language's help.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::Severity;
use crate::wire::number::Ms;
use crate::wire::placement::PlacementRow;
use crate::wire::player::PlayerSessionRow;
use crate::wire::window::{Freshness, Page, Range, Sort};

/// A question about game sessions.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionQuery {
    /// The local query language, e.g. `status:active fleet:eu-prod* players>=8 prop.mode:ranked`.
    pub(crate) text: String,
    pub(crate) fleet_id: Option<String>,
    pub(crate) location: Option<String>,
    pub(crate) range: Option<Range>,
    pub(crate) sort: Option<Sort>,
    pub(crate) page: Page,
}

/// A game session in the list.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionRow {
    pub(crate) game_session_id: String,
    pub(crate) name: Option<String>,
    pub(crate) fleet_id: String,
    pub(crate) fleet_name: String,
    pub(crate) region: String,
    pub(crate) location: String,
    pub(crate) status: String,
    pub(crate) status_reason: Option<String>,
    pub(crate) players: u32,
    pub(crate) max_players: u32,
    pub(crate) created_ms: Ms,
    pub(crate) ended_ms: Option<Ms>,
    pub(crate) ip_address: Option<String>,
    pub(crate) dns_name: Option<String>,
    pub(crate) port: Option<u32>,
    pub(crate) compute_name: Option<String>,
    pub(crate) creator_id: Option<String>,
    pub(crate) creation_policy: Option<String>,
}

/// A window onto game sessions.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionPage {
    pub(crate) rows: Vec<SessionRow>,
    pub(crate) total: u32,
    pub(crate) freshness: Freshness,
}

/// What is wrong with a query, between which characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueryProblem {
    pub(crate) message: String,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Something that could be written at the caret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Completion {
    pub(crate) insert: String,
    pub(crate) label: String,
    pub(crate) detail: Option<String>,
}

/// Whether a query parses, and completions at the caret.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueryCheck {
    pub(crate) problem: Option<QueryProblem>,
    pub(crate) completions: Vec<Completion>,
}

/// What kind of thing happened to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum TimelineKind {
    Status,
    Players,
    Policy,
    Placement,
    Protection,
    Properties,
}

/// One thing that happened to a session.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TimelineEntry {
    pub(crate) at_ms: Ms,
    pub(crate) kind: TimelineKind,
    pub(crate) text: String,
    pub(crate) severity: Severity,
}

/// A key and value the game attached.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Property {
    pub(crate) key: String,
    pub(crate) value: String,
}

/// One game session.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionDetail {
    pub(crate) row: SessionRow,
    pub(crate) arn: String,
    pub(crate) protection: Option<String>,
    pub(crate) properties: Vec<Property>,
    pub(crate) game_session_data: Option<String>,
    /// Pretty-printed JSON when it is JSON.
    pub(crate) matchmaker_data: Option<String>,
    pub(crate) timeline: Vec<TimelineEntry>,
    pub(crate) player_sessions: Vec<PlayerSessionRow>,
    pub(crate) player_freshness: Freshness,
    pub(crate) placement: Option<PlacementRow>,
    /// Steps of (time, players).
    pub(crate) players_over_time: Vec<(Ms, u32)>,
    pub(crate) freshness: Freshness,
}
