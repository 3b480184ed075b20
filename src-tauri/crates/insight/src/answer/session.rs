//! One game session: its details, and the availability of its log.

use liftdeck_model::Timestamp;
use liftdeck_model::game_session::GameProperty;
use liftdeck_model::time::DAY_MS;
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::placement::PlacementRow;
use liftdeck_store::reader::player::PlayerSessionRow;
use liftdeck_store::reader::session::{GameSessionDetail, GameSessionRow};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::timeline::{TimelineEntry, players_over_time, session_timeline};

/// The availability of a game session's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SessionLog {
    /// AWS should still have it.
    Available,
    /// A copy is on this computer.
    Kept,
    /// AWS has deleted it, 14 days after the end.
    Gone,
    /// The game session is still running.
    NotYet,
}

impl SessionLog {
    /// Determines the availability for a game session; `kept` says whether its log was saved here.
    pub fn of(row: &GameSessionRow, kept: bool, now: Timestamp) -> Self {
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
pub struct SessionDetail {
    pub row: GameSessionRow,
    pub properties: Vec<GameProperty>,
    pub game_session_data: Option<String>,
    /// Indented if it is JSON.
    pub matchmaker_data: Option<String>,
    pub timeline: Vec<TimelineEntry>,
    pub player_sessions: Vec<PlayerSessionRow>,
    pub player_freshness: Freshness,
    pub placement: Option<PlacementRow>,
    pub log: SessionLog,
    /// (time, players) steps.
    pub players_over_time: Vec<(Timestamp, i64)>,
    pub freshness: Freshness,
}

impl SessionDetail {
    /// Combines a game session with the availability of its log.
    pub fn new(detail: GameSessionDetail, log: SessionLog) -> Self {
        Self {
            timeline: session_timeline(&detail),
            players_over_time: players_over_time(&detail),
            properties: detail.game_properties,
            game_session_data: detail.game_session_data,
            matchmaker_data: detail.matchmaker_data.map(pretty),
            player_sessions: detail.player_sessions,
            player_freshness: detail.player_freshness,
            placement: detail.placement,
            log,
            freshness: detail.freshness,
            row: detail.row,
        }
    }
}

/// Indents JSON, one member per line; returns anything else unchanged.
pub fn pretty(text: String) -> String {
    match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(json) => format!("{json:#}"),
        Err(_) => text,
    }
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
