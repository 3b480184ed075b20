//! Everything known about one player.
//!
//! Owns what a player's page contains.

use liftdeck_model::game_session::GameSessionEnding;
use liftdeck_model::placement::PlacementEventType;
use liftdeck_model::{PlayerId, Timestamp};
use liftdeck_store::reader::cut_off::is_cut_off;
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::placement::PlacementRow;
use liftdeck_store::reader::player::PlayerSessionRow;
use liftdeck_store::reader::player_record::{Companion, PlayedSession, PlayerLatencies, PlayerRecord};
use liftdeck_store::reader::session::GameSessionRow;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::ticket::TicketRow;
use crate::words;

/// A player session, its game session and what became of the player there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DossierSession {
    pub player_session: PlayerSessionRow,
    /// Absent if the game session was not read.
    pub game_session: Option<GameSessionRow>,
    /// How the game session ended under the player, if nobody wanted it to.
    pub cut_off: Option<GameSessionEnding>,
}

/// A placement of the player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DossierPlacement {
    pub row: PlacementRow,
    /// Why it led to no game session.
    pub why: Option<String>,
}

/// Everything known about one player, newest first.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerDossier {
    pub player_id: PlayerId,
    /// At most 200.
    pub sessions: Vec<DossierSession>,
    /// Number of player sessions.
    pub total: u64,
    pub placements: Vec<DossierPlacement>,
    pub tickets: Vec<TicketRow>,
    pub latencies: Vec<PlayerLatencies>,
    pub companions: Vec<Companion>,
    pub freshness: Freshness,
}

impl PlayerDossier {
    /// Puts a player's record together.
    pub fn new(player_id: PlayerId, record: PlayerRecord, now: Timestamp) -> Self {
        let placement = |row: PlacementRow| DossierPlacement {
            why: (row.event_type != PlacementEventType::Fulfilled)
                .then(|| words::placement_failed(&row.event_type).to_owned()),
            row,
        };
        Self {
            player_id,
            sessions: record.sessions.into_iter().map(DossierSession::new).collect(),
            total: record.total,
            placements: record.placements.into_iter().map(placement).collect(),
            tickets: record.tickets.into_iter().map(|row| TicketRow::told(row, now)).collect(),
            latencies: record.latencies,
            companions: record.companions,
            freshness: record.freshness,
        }
    }
}

impl PlayerDossier {
    /// Whether nothing was ever recorded of the player.
    pub const fn is_empty(&self) -> bool {
        self.sessions.is_empty() && self.placements.is_empty() && self.tickets.is_empty()
    }
}

impl DossierSession {
    fn new(played: PlayedSession) -> Self {
        let PlayedSession { player_session, game_session } = played;
        let cut_off = game_session
            .as_ref()
            .filter(|session| is_cut_off(&player_session, session))
            .and_then(|session| session.ending.filter(|ending| ending.is_abnormal()));
        Self { player_session, game_session, cut_off }
    }
}
