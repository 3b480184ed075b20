//! One placement in full, as reported by its events.

use liftdeck_model::observation::PollKind;
use liftdeck_model::placement::{PlacedPlayerSession, PlacementEvent};
use liftdeck_model::{PlacementId, PlayerId, Region, Timestamp};
use sqlx::QueryBuilder;

use super::{COLUMNS, placement};
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::freshness::{Basis, Freshness};

/// One placement.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacementStory {
    /// Its events, oldest first; never empty. AWS sends one event, the outcome.
    pub events: Vec<PlacementEvent>,
    /// Name of the game session created, once it has been listed.
    pub game_session_name: Option<String>,
    /// Who it was to place, with the latencies measured, as GameLift told when it was asked; empty if it was not.
    pub asked_for: Vec<AskedFor>,
    /// Freshness of the event feeds.
    pub freshness: Freshness,
}

/// A player that a placement was to place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedFor {
    /// Player.
    pub player_id: PlayerId,
    /// Region or location, and milliseconds.
    pub latencies: Vec<(String, i64)>,
}

impl Reader {
    /// One placement as reported by its events; `None` if no event was received, as while it is PENDING.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placement(
        &self,
        id: &PlacementId,
        now: Timestamp,
    ) -> Result<Option<PlacementStory>, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new(COLUMNS);
        sql.push("e.placement_id = ")
            .push_bind(id.as_str().to_owned())
            .push(" ORDER BY e.event_at, e.event_key");
        let mut events = Vec::new();
        let mut game_session_name = None;
        for row in sql.build().fetch_all(self.pool()).await? {
            let told = placement(&row, &directory)?;
            let more = sqlx::query(
                "SELECT e.event_id, e.session_region, e.ip_address, e.dns_name, e.port, e.compute_name, e.custom_event_data, \
                 g.name FROM placement_event e LEFT JOIN game_session g ON g.id = e.session_id \
                 AND g.prefix_key = e.session_prefix_key WHERE e.event_key = ?",
            )
            .bind(told.event_key)
            .fetch_one(self.pool())
            .await?;
            game_session_name = more.read::<Option<String>>("name")?.or(game_session_name);
            events.push(PlacementEvent {
                event_id: more.read("event_id")?,
                game_session_region: more.read::<Option<Region>>("session_region")?,
                ip_address: more.read("ip_address")?,
                dns_name: more.read("dns_name")?,
                port: more.read("port")?,
                compute_name: more.read("compute_name")?,
                custom_event_data: more.read("custom_event_data")?,
                placed_player_sessions: self.placed_players(told.event_key).await?,
                placement_id: told.placement_id,
                event_type: told.event_type,
                queue: told.queue,
                region: told.region,
                event_time: told.event_time,
                start_time: told.start_time,
                end_time: Some(told.end_time),
                game_session_id: told.game_session_id,
                game_session_location: told.location,
            });
        }
        let freshness = self.freshness(Basis::All(PollKind::EventFeed), now);
        if events.is_empty() {
            return Ok(None);
        }
        let asked_for = self.asked_for(id).await?;
        Ok(Some(PlacementStory { events, game_session_name, asked_for, freshness }))
    }

    async fn asked_for(&self, id: &PlacementId) -> Result<Vec<AskedFor>, StoreError> {
        let rows = sqlx::query(
            "SELECT y.id, l.latencies FROM player_latency l JOIN player y ON y.player_key = l.player_key \
             WHERE l.asked_id = ? AND l.is_ticket = 0",
        )
        .bind(id.as_str())
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| Ok(AskedFor { player_id: row.read("id")?, latencies: row.json("latencies")? }))
            .collect()
    }

    /// The Region of a placement's queue; `None` if no event of the placement was received.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn region_of_placement(&self, id: &PlacementId) -> Result<Option<Region>, StoreError> {
        let key: Option<i64> = sqlx::query_scalar(
            "SELECT region_key FROM placement_event WHERE placement_id = ? ORDER BY event_at DESC, event_key DESC LIMIT 1",
        )
        .bind(id.as_str())
        .fetch_optional(self.pool())
        .await?;
        let Some(key) = key else { return Ok(None) };
        Ok(Some(self.directory().await?.region(key)))
    }

    async fn placed_players(&self, event_key: i64) -> Result<Vec<PlacedPlayerSession>, StoreError> {
        let rows = sqlx::query(
            "SELECT y.id, p.player_session_id FROM placement_player p JOIN player y ON y.player_key = p.player_key \
             WHERE p.event_key = ?",
        )
        .bind(event_key)
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(PlacedPlayerSession {
                    player_id: row.read("id")?,
                    player_session_id: row.read("player_session_id")?,
                })
            })
            .collect()
    }
}
