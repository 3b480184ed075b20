//! Game sessions as lists show them: a window of those that match a query.

mod among;
mod detail;
pub mod difference;
mod filter;
mod lead;
mod list;
pub mod past;
mod resolved;
mod text;

use std::collections::HashMap;

use liftdeck_model::game_session::{GameSessionEnding, GameSessionStatus, GameSessionStatusReason};
use liftdeck_model::observation::PollKind;
use liftdeck_model::query::Query;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, GameSessionId, Location, Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::QueryBuilder;
use sqlx::sqlite::SqliteRow;

pub use self::detail::{GameSessionDetail, SessionChange};
pub(crate) use self::filter::{Scope, push_query};
pub(crate) use self::resolved::Resolved;
pub(super) use self::text::push_prefix;
use super::directory::Directory;
use super::freshness::{Basis, Freshness};
use super::window::{Page, Window};
use super::{Reader, session_id};
use crate::column::Columns as _;
use crate::ending;
use crate::error::StoreError;

/// A game session as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GameSessionRow {
    /// Full ARN.
    pub game_session_id: GameSessionId,
    /// Name.
    pub name: Option<String>,
    /// Fleet.
    pub fleet_id: FleetId,
    /// The fleet's name, or its id.
    pub fleet_name: String,
    /// Home Region of the fleet.
    pub region: Region,
    /// Where it runs.
    pub location: Location,
    /// Status. Also TERMINATED if GameLift no longer knew the session and its end was not seen.
    pub status: GameSessionStatus,
    /// AWS's reason for its status.
    pub status_reason: Option<GameSessionStatusReason>,
    /// How it ended, told from its status, its reason and the fleet's events; absent while it is live.
    pub ending: Option<GameSessionEnding>,
    /// Players ACTIVE or RESERVED when last seen.
    pub current_player_session_count: i32,
    /// Player slots.
    pub maximum_player_session_count: i32,
    /// When it was created.
    pub creation_time: Timestamp,
    /// When it ended; if its end was not seen, when GameLift was first found not to know it.
    pub termination_time: Option<Timestamp>,
    /// True when `termination_time` is only a bound, because the end was not seen.
    pub end_unseen: bool,
    /// Address.
    pub ip_address: Option<String>,
    /// DNS name.
    pub dns_name: Option<String>,
    /// Port.
    pub port: Option<i32>,
    /// Compute it runs on.
    pub compute_name: Option<String>,
    /// Who created it.
    pub creator_id: Option<String>,
    /// `ACCEPT_ALL` or `DENY_ALL`.
    pub player_session_creation_policy: Option<String>,
    /// Protection in force, once it has been read.
    pub protection_policy: Option<String>,
}

/// A column lists can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SessionColumn {
    /// When it was created.
    Created,
    /// When it ended; sessions still running come last.
    Ended,
    /// Players.
    Players,
    /// Player slots.
    Maximum,
    /// Status.
    Status,
    /// Name.
    Name,
    /// Fleet's name.
    Fleet,
    /// Location.
    Location,
}

/// Selects game sessions.
#[derive(Clone, Debug)]
pub struct SessionRequest {
    /// What they must match.
    pub query: Query,
    /// Only of this fleet.
    pub fleet: Option<FleetId>,
    /// Only in this location.
    pub location: Option<Location>,
    /// Only sessions that ran at some time in this range.
    pub range: Option<TimeRange>,
    /// Sort column, and whether to sort descending. `None`: live sessions first, newest first.
    pub sort: Option<(SessionColumn, bool)>,
    /// The page wanted.
    pub page: Page,
}

impl Reader {
    /// The game sessions that match, as a window.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn game_sessions(
        &self,
        request: &SessionRequest,
        now: Timestamp,
    ) -> Result<(Window<GameSessionRow>, Freshness), StoreError> {
        let directory = self.directory().await?;
        let freshness = self.freshness(
            request.fleet.as_ref().map_or(Basis::All(PollKind::GameSessions), |fleet| {
                Basis::One(PollKind::GameSessions, fleet.as_str())
            }),
            now,
        );
        let resolved = self.resolved(&directory, &[&request.query], now).await?;
        let scope = Scope { directory: &directory, resolved: &resolved, now, lead: None, probing: false };
        let listed = self.listed(request, &scope).await?;
        let rows = self.session_rows(&listed.keys, &directory).await?;
        Ok((Window::counted(rows, listed.count, listed.bound), freshness))
    }

    /// The rows of `keys`, in their order.
    pub(crate) async fn session_rows(
        &self,
        keys: &[i64],
        directory: &Directory,
    ) -> Result<Vec<GameSessionRow>, StoreError> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = QueryBuilder::new(
            "SELECT s.session_key, a.prefix, g.id, g.name, s.fleet_key, s.location_key, s.status, s.status_reason, \
             s.current_player_session_count, s.maximum_player_session_count, s.created_at, s.ended_at, s.gone_at, \
             g.ip_address, g.dns_name, g.port, g.compute_name, g.creator_id, s.player_session_creation_policy, \
             s.protection_policy, s.ending \
             FROM game_session_state s JOIN game_session g ON g.session_key = s.session_key \
             JOIN arn_prefix a ON a.prefix_key = g.prefix_key WHERE s.session_key IN (",
        );
        let mut list = sql.separated(", ");
        for key in keys {
            list.push_bind(*key);
        }
        sql.push(")");
        let rows = sql.build().fetch_all(self.pool()).await?;
        let mut by_key: HashMap<i64, GameSessionRow> = HashMap::with_capacity(rows.len());
        for row in &rows {
            by_key.insert(row.read("session_key")?, session_row(row, directory)?);
        }
        Ok(keys.iter().filter_map(|key| by_key.remove(key)).collect())
    }
}

fn session_row(row: &SqliteRow, directory: &Directory) -> Result<GameSessionRow, StoreError> {
    let fleet_key: i64 = row.read("fleet_key")?;
    let ended_at: Option<Timestamp> = row.read("ended_at")?;
    let gone_at: Option<Timestamp> = row.read("gone_at")?;
    let stored = directory.word(row.read("status")?).unwrap_or_default();
    let status = if gone_at.is_some() {
        GameSessionStatus::Terminated
    } else {
        GameSessionStatus::from(stored.as_str())
    };
    Ok(GameSessionRow {
        game_session_id: session_id(row.text("prefix")?, &row.read("id")?),
        name: row.read("name")?,
        fleet_id: directory.fleet_id(fleet_key),
        fleet_name: directory.fleet_name(fleet_key),
        region: directory.home(fleet_key),
        location: directory.location_or_home(row.read("location_key")?, fleet_key),
        status,
        status_reason: directory
            .word(row.read("status_reason")?)
            .map(|word| GameSessionStatusReason::from(word.as_str())),
        ending: ending::of_key(row.read("ending")?),
        current_player_session_count: row.read("current_player_session_count")?,
        maximum_player_session_count: row.read("maximum_player_session_count")?,
        creation_time: row.read("created_at")?,
        termination_time: ended_at.or(gone_at),
        end_unseen: gone_at.is_some() && ended_at.is_none(),
        ip_address: row.read("ip_address")?,
        dns_name: row.read("dns_name")?,
        port: row.read("port")?,
        compute_name: row.read("compute_name")?,
        creator_id: row.read("creator_id")?,
        player_session_creation_policy: directory.word(row.read("player_session_creation_policy")?),
        protection_policy: directory.word(row.read("protection_policy")?),
    })
}
