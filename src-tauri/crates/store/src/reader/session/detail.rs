//! One game session in full: its long texts, its changes, its player sessions and the placement that created it.

use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::game_session::{GameProperty, GameSessionEnding, session_in};
use liftdeck_model::observation::PollKind;
use liftdeck_model::{GameSessionId, Timestamp};

use super::GameSessionRow;
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::freshness::{Basis, Freshness};
use crate::reader::placement::PlacementRow;
use crate::reader::player::PlayerSessionRow;
use crate::text::PackedText;

/// A game session with everything its page shows.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSessionDetail {
    /// The session as lists show it.
    pub row: GameSessionRow,
    /// Game properties, in the service's order.
    pub game_properties: Vec<GameProperty>,
    /// Data given at creation.
    pub game_session_data: Option<String>,
    /// FlexMatch's JSON as sent.
    pub matchmaker_data: Option<String>,
    /// When a poll first saw the session.
    pub first_seen_at: Timestamp,
    /// Changes to it, oldest first.
    pub changes: Vec<SessionChange>,
    /// Player sessions ever seen in it, oldest first.
    pub player_sessions: Vec<PlayerSessionRow>,
    /// Freshness of the player sessions.
    pub player_freshness: Freshness,
    /// The fleet events that are about it: those that name it, and those that tell how sessions on its compute ended
    /// when it did. Oldest first.
    pub events: Vec<FleetEvent>,
    /// The placement that created it, if its event was received.
    pub placement: Option<PlacementRow>,
    /// Freshness of the session.
    pub freshness: Freshness,
}

/// A change of a game session between two polls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionChange {
    /// When a poll first saw it.
    pub seen_at: Timestamp,
    /// `status`, `players`, `maximum_players`, `policy`, `protection`, `name`, `properties` or `gone`.
    pub field: String,
    /// Value before, numbers as text.
    pub before: Option<String>,
    /// Value after, numbers as text.
    pub after: Option<String>,
}

impl Reader {
    /// One game session by its full ARN; `None` if it has never been seen.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn game_session(
        &self,
        id: &GameSessionId,
        now: Timestamp,
    ) -> Result<Option<GameSessionDetail>, StoreError> {
        let Some(key) = self.session_key(id).await? else { return Ok(None) };
        let directory = self.directory().await?;
        let Some(row) = self.session_rows(&[key], &directory).await?.pop() else { return Ok(None) };
        let first_seen_at: i64 =
            sqlx::query_scalar("SELECT first_seen_at FROM game_session WHERE session_key = ?")
                .bind(key)
                .fetch_one(self.pool())
                .await?;
        let long = sqlx::query(
            "SELECT game_properties, game_session_data, matchmaker_data FROM game_session_text WHERE session_key = ?",
        )
        .bind(key)
        .fetch_optional(self.pool())
        .await?;
        let (mut game_properties, mut game_session_data, mut matchmaker_data) = (Vec::new(), None, None);
        if let Some(long) = long {
            let pairs: Option<Vec<(String, String)>> = long.json_or_none("game_properties")?;
            let property = |(key, value)| GameProperty { key, value };
            game_properties = pairs.unwrap_or_default().into_iter().map(property).collect();
            let unpacked = |packed: Option<PackedText>| packed.map(|text| text.unpack(id)).transpose();
            game_session_data = unpacked(long.read("game_session_data")?)?;
            matchmaker_data = unpacked(long.read("matchmaker_data")?)?;
        }
        let player_sessions = self.player_sessions_of(key, &directory).await?;
        let confirmed = self.players_confirmed(id).await?;
        let live = row.status.is_live();
        let fleet_age = self.freshness(Basis::One(PollKind::GameSessions, row.fleet_id.as_str()), now);
        // An ended session no longer changes, so its last confirmation never becomes stale.
        let ended = |as_of: Option<Timestamp>| Freshness { as_of, stale: as_of.is_none() };
        let player_freshness =
            if live { Freshness::of(PollKind::PlayerSessions, confirmed, now) } else { ended(confirmed) };
        Ok(Some(GameSessionDetail {
            game_properties,
            game_session_data,
            matchmaker_data,
            first_seen_at: Timestamp::from_ms(first_seen_at),
            changes: self.session_changes(key).await?,
            player_sessions,
            player_freshness,
            events: self.events_of_session(&row).await?,
            placement: self.placement_of_session(id, &directory).await?,
            freshness: if live { fleet_age } else { ended(fleet_age.as_of) },
            row,
        }))
    }

    pub(in crate::reader) async fn session_key(&self, id: &GameSessionId) -> Result<Option<i64>, StoreError> {
        let Some((prefix, short)) = id.as_str().rsplit_once('/') else { return Ok(None) };
        Ok(sqlx::query_scalar(
            "SELECT session_key FROM game_session WHERE id = ? \
             AND prefix_key = (SELECT prefix_key FROM arn_prefix WHERE prefix = ?)",
        )
        .bind(Code::encode(short))
        .bind(prefix)
        .fetch_optional(self.pool())
        .await?)
    }

    async fn events_of_session(&self, row: &GameSessionRow) -> Result<Vec<FleetEvent>, StoreError> {
        /// An event may be dated some time after the end it tells.
        const AFTER_MS: i64 = 5 * 60_000;
        /// Only the events of the compute at the very end are about this session.
        const AT_ONCE_MS: i64 = 60_000;
        let end = row.termination_time;
        let until = end.map_or(i64::MAX, |at| at.plus_ms(AFTER_MS).as_ms());
        let statement = sqlx::query(
            "SELECT event_id, event_code, message, event_at, count, has_log FROM fleet_event \
             WHERE fleet_key = (SELECT fleet_key FROM fleet WHERE fleet_id = ?1) AND event_at BETWEEN ?2 AND ?3 \
             AND (instr(message, ?4) OR instr(message, ?5)) ORDER BY event_at, event_key",
        )
        .bind(row.fleet_id.as_str())
        .bind(row.creation_time.as_ms())
        .bind(until)
        .bind(row.game_session_id.as_str())
        .bind(row.compute_name.as_deref());
        let mut events = Vec::new();
        for found in statement.fetch_all(self.pool()).await? {
            let event = FleetEvent {
                event_id: found.read::<Code>("event_id")?.decode(),
                fleet_id: row.fleet_id.clone(),
                event_code: found.text("event_code")?.into(),
                message: found.read("message")?,
                event_time: found.read("event_at")?,
                count: found.read("count")?,
                has_log: found.read("has_log")?,
            };
            let named = event.message.as_deref().and_then(session_in);
            let tells = row.ending.is_some() && GameSessionEnding::of_event(&event.event_code) == row.ending;
            let at_once = end.is_some_and(|at| at.since_ms(event.event_time).abs() <= AT_ONCE_MS);
            if named.as_ref() == Some(&row.game_session_id) || named.is_none() && tells && at_once {
                events.push(event);
            }
        }
        Ok(events)
    }

    async fn session_changes(&self, key: i64) -> Result<Vec<SessionChange>, StoreError> {
        let rows = sqlx::query(
            "SELECT seen_at, field, CAST(before AS TEXT) AS before, CAST(after AS TEXT) AS after FROM game_session_change \
             WHERE session_key = ? ORDER BY seen_at, field",
        )
        .bind(key)
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(SessionChange {
                    seen_at: row.read("seen_at")?,
                    field: row.read("field")?,
                    before: row.read("before")?,
                    after: row.read("after")?,
                })
            })
            .collect()
    }
}
