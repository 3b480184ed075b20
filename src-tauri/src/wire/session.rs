//! Game sessions: the list, one session, and the query language's help.

use liftdeck_insight::{self as insight, players_over_time, session_timeline};
use liftdeck_model::Timestamp;
use liftdeck_model::game_session::GameProperty;
use liftdeck_store::reader::session as store;
use liftdeck_store::reader::window::Window;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::Severity;
use crate::wire::number::{Ms, count};
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
    /// Only what this search of GameLift's found, in its order; nothing else narrows it then.
    pub(crate) search: Option<u32>,
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

/// What can be had of the log of a game session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum SessionLog {
    /// AWS should still have it.
    Available,
    /// It is on this computer.
    Kept,
    /// AWS has forgotten it, 14 days after the end.
    Gone,
    /// The session still runs.
    NotYet,
}

impl SessionLog {
    /// Of a session, and whether its log was kept.
    pub(crate) fn of(row: &store::GameSessionRow, kept: bool, now: Timestamp) -> Self {
        const DAY_MS: i64 = 86_400_000;
        match row.termination_time {
            _ if kept => Self::Kept,
            Some(ended) if now.since_ms(ended) > 14 * DAY_MS => Self::Gone,
            Some(_) => Self::Available,
            None if row.status.is_live() => Self::NotYet,
            None => Self::Available,
        }
    }
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
    pub(crate) placement_id: Option<String>,
    pub(crate) log: SessionLog,
    /// Steps of (time, players).
    pub(crate) players_over_time: Vec<(Ms, u32)>,
    pub(crate) freshness: Freshness,
}

impl From<store::GameSessionRow> for SessionRow {
    fn from(row: store::GameSessionRow) -> Self {
        Self {
            game_session_id: row.game_session_id.into_string(),
            name: row.name,
            fleet_id: row.fleet_id.into_string(),
            fleet_name: row.fleet_name,
            region: row.region.into_string(),
            location: row.location.into_string(),
            status: row.status.to_string(),
            status_reason: row.status_reason.map(|reason| reason.to_string()),
            players: count(row.current_player_session_count),
            max_players: count(row.maximum_player_session_count),
            created_ms: row.creation_time.into(),
            ended_ms: row.termination_time.map(Ms::from),
            ip_address: row.ip_address,
            dns_name: row.dns_name,
            port: row.port.map(count),
            compute_name: row.compute_name,
            creator_id: row.creator_id,
            creation_policy: row.player_session_creation_policy,
        }
    }
}

impl From<insight::TimelineEntry> for TimelineEntry {
    fn from(entry: insight::TimelineEntry) -> Self {
        let kind = match entry.kind {
            insight::TimelineKind::Status => TimelineKind::Status,
            insight::TimelineKind::Players => TimelineKind::Players,
            insight::TimelineKind::Policy => TimelineKind::Policy,
            insight::TimelineKind::Placement => TimelineKind::Placement,
            insight::TimelineKind::Protection => TimelineKind::Protection,
            insight::TimelineKind::Properties => TimelineKind::Properties,
        };
        Self { at_ms: entry.at.into(), kind, text: entry.text, severity: entry.severity.into() }
    }
}

impl SessionPage {
    /// A window and its age.
    pub(crate) fn new(window: Window<store::GameSessionRow>, freshness: Freshness) -> Self {
        Self {
            rows: window.rows.into_iter().map(SessionRow::from).collect(),
            total: count(window.total),
            freshness,
        }
    }
}

impl SessionDetail {
    /// A game session, and what can be had of its log.
    pub(crate) fn new(detail: store::GameSessionDetail, log: SessionLog) -> Self {
        let steps = players_over_time(&detail).into_iter();
        Self {
            timeline: session_timeline(&detail).into_iter().map(TimelineEntry::from).collect(),
            players_over_time: steps.map(|(at, players)| (at.into(), count(players))).collect(),
            arn: detail.row.game_session_id.to_string(),
            protection: detail.row.protection_policy.clone(),
            properties: detail.game_properties.into_iter().map(Property::from).collect(),
            game_session_data: detail.game_session_data,
            matchmaker_data: detail.matchmaker_data.map(pretty),
            player_sessions: detail.player_sessions.into_iter().map(PlayerSessionRow::from).collect(),
            player_freshness: detail.player_freshness.into(),
            placement_id: detail.placement.as_ref().map(|placement| placement.placement_id.to_string()),
            placement: detail.placement.map(PlacementRow::from),
            log,
            freshness: detail.freshness.into(),
            row: detail.row.into(),
        }
    }
}

/// JSON with a line a member; anything else as it is.
pub(crate) fn pretty(text: String) -> String {
    match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(json) => format!("{json:#}"),
        Err(_) => text,
    }
}

impl From<GameProperty> for Property {
    fn from(property: GameProperty) -> Self {
        Self { key: property.key, value: property.value }
    }
}

/// A column of the window's table; `None` for one the store cannot sort by.
pub(crate) fn column(name: &str) -> Option<store::SessionColumn> {
    Some(match name {
        "createdMs" | "created" => store::SessionColumn::Created,
        "endedMs" | "ended" => store::SessionColumn::Ended,
        "players" => store::SessionColumn::Players,
        "maxPlayers" => store::SessionColumn::Maximum,
        "status" => store::SessionColumn::Status,
        "name" => store::SessionColumn::Name,
        "fleetName" | "fleet" => store::SessionColumn::Fleet,
        "location" => store::SessionColumn::Location,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matchmaker_data_is_laid_out_when_it_is_json_and_kept_when_it_is_not() {
        assert_eq!(pretty(r#"{"a":1}"#.to_owned()), "{\n  \"a\": 1\n}");
        assert_eq!(pretty("not json".to_owned()), "not json");
    }
}
