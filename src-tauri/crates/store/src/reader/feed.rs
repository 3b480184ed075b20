//! What came in over the event feeds: placements and FlexMatch events stored, messages put aside.

use liftdeck_model::Timestamp;
use liftdeck_model::matchmaking::{EventTicket, MatchmakingEvent};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{GameSessionId, Region};
use sqlx::{QueryBuilder, Row as _};

use super::Reader;
use super::change::push_range;
use super::window::Page;
use crate::code::Code;
use crate::error::StoreError;

/// Messages of one queue that were put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuarantineCount {
    /// Queue they came from.
    pub queue_url: String,
    /// How many.
    pub messages: u64,
    /// When the newest was received.
    pub newest_at: Option<Timestamp>,
    /// What is wrong with the newest.
    pub newest_detail: Option<String>,
}

impl Reader {
    /// Messages put aside, a line a queue.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn quarantine(&self) -> Result<Vec<QuarantineCount>, StoreError> {
        // With a bare column beside max(), SQLite takes it from the row of the maximum.
        let rows = sqlx::query(
            "SELECT queue_url, count(*), max(received_at), detail FROM quarantined_message GROUP BY queue_url",
        )
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(QuarantineCount {
                    queue_url: row.try_get(0)?,
                    messages: u64::try_from(row.try_get::<i64, _>(1)?).unwrap_or(0),
                    newest_at: row.try_get::<Option<i64>, _>(2)?.map(Timestamp::from_ms),
                    newest_detail: row.try_get(3)?,
                })
            })
            .collect()
    }

    /// FlexMatch events sent in `range`, newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn matchmaking_events(
        &self,
        range: Option<TimeRange>,
        page: Page,
    ) -> Result<Vec<MatchmakingEvent>, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new(
            "SELECT e.event_id, e.event_type, e.configuration, e.region_key, e.event_at, e.match_id, e.reason, e.message, \
             e.estimated_wait_seconds, a.prefix, e.session_id, e.tickets FROM matchmaking_event e \
             LEFT JOIN arn_prefix a ON a.prefix_key = e.session_prefix_key WHERE e.event_at >= ",
        );
        push_range(&mut sql, "e.event_at", range);
        let (offset, limit) = page.bounds();
        sql.push(" ORDER BY e.event_at DESC, e.event_key DESC LIMIT ").push_bind(limit);
        sql.push(" OFFSET ").push_bind(offset);
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter()
            .map(|row| {
                let (prefix, short): (Option<&str>, Option<Code>) = (row.try_get(9)?, row.try_get(10)?);
                Ok(MatchmakingEvent {
                    event_id: row.try_get::<Code, _>(0)?.decode(),
                    event_type: row.try_get(1)?,
                    configuration: row.try_get(2)?,
                    region: directory.region(row.try_get(3)?),
                    event_time: Timestamp::from_ms(row.try_get(4)?),
                    match_id: row.try_get(5)?,
                    reason: row.try_get(6)?,
                    message: row.try_get(7)?,
                    estimated_wait_seconds: row.try_get(8)?,
                    game_session_id: prefix
                        .zip(short)
                        .map(|(prefix, short)| GameSessionId::new(format!("{prefix}/{}", short.decode()))),
                    tickets: serde_json::from_str::<Vec<EventTicket>>(row.try_get(11)?)
                        .map_err(|error| StoreError::Unreadable { what: format!("tickets: {error}") })?,
                })
            })
            .collect()
    }

    /// How long matched players waited: for each ticket of a match in `range` the moment and the seconds since its
    /// start, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn matchmaking_waits(&self, range: TimeRange) -> Result<Vec<(Timestamp, f64)>, StoreError> {
        let mut sql = QueryBuilder::new(
            "SELECT e.event_at, e.tickets FROM matchmaking_event e WHERE e.event_type = 'MatchmakingSucceeded' \
             AND e.event_at >= ",
        );
        push_range(&mut sql, "e.event_at", Some(range));
        sql.push(" ORDER BY e.event_at");
        let mut waits = Vec::new();
        for row in sql.build().fetch_all(self.pool()).await? {
            let at = Timestamp::from_ms(row.try_get(0)?);
            let tickets: Vec<EventTicket> = serde_json::from_str(row.try_get(1)?)
                .map_err(|error| StoreError::Unreadable { what: format!("tickets: {error}") })?;
            let starts = tickets.iter().filter_map(|ticket| ticket.start_time);
            waits.extend(starts.map(|start| (at, at.since_ms(start) as f64 / 1_000.0)));
        }
        Ok(waits)
    }

    /// The Regions of this database.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn regions(&self) -> Result<Vec<Region>, StoreError> {
        Ok(self.directory().await?.regions.into_values().collect())
    }
}
