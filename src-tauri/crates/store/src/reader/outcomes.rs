//! How game sessions, placements and tickets ended, counted by minute: what a change of their failure rate is seen by.

use liftdeck_model::time::{MINUTE_MS, TimeRange};
use liftdeck_model::{FleetId, Location, QueueName, Region, Timestamp};
use sqlx::QueryBuilder;
use sqlx::sqlite::SqliteRow;

use super::Reader;
use super::placement::Funnel;
use crate::column::Columns as _;
use crate::error::StoreError;

/// Game sessions of a fleet in one minute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionMinute {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Start of the minute.
    pub at: Timestamp,
    /// How many ended.
    pub ended: u64,
    /// How many of them crashed, or their process was ended as unhealthy.
    pub crashed: u64,
    /// How many of them were not activated in time.
    pub timed_out: u64,
}

/// How game sessions of a fleet ended in one location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocationOutcome {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Location.
    pub location: Location,
    /// How many ended.
    pub ended: u64,
    /// How many of them were not activated in time.
    pub timed_out: u64,
}

/// Placements of a queue that ended in one minute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacementMinute {
    /// Queue.
    pub queue: QueueName,
    /// Its Region.
    pub region: Region,
    /// Start of the minute.
    pub at: Timestamp,
    /// How they ended.
    pub funnel: Funnel,
}

/// Tickets of a matchmaking configuration that ended in one minute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicketMinute {
    /// Matchmaking configuration.
    pub configuration: String,
    /// Its Region.
    pub region: Region,
    /// Start of the minute.
    pub at: Timestamp,
    /// The state they ended in, as the API spells it.
    pub state: String,
    /// How many.
    pub tickets: u64,
}

/// What an event queue should have told, and what it did tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// Game sessions created in the range that were not given their id by GameLift, as CreateGameSession without an
    /// id does: placements give their own.
    pub placed: u64,
    /// When the first of them was created.
    pub first_placed: Option<Timestamp>,
    /// Placement events of the Region sent since the start of the range.
    pub events: u64,
    /// When the Region's last placement event was sent.
    pub last_event: Option<Timestamp>,
}

/// What failed and what succeeded at one moment, or in one minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// The moment, or the start of the minute.
    pub at: Timestamp,
    /// How many failed.
    pub failed: u64,
    /// How many succeeded.
    pub succeeded: u64,
}

/// How tickets of a matchmaking configuration ended: each by itself, or all of a match together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TicketEnds {
    /// Tickets that found no match in time, and those that were matched and placed.
    pub tickets: Vec<Outcomes>,
    /// Matches that failed, as when no game session could be placed, and those that were placed.
    pub matches: Vec<Outcomes>,
}

impl Reader {
    /// Compares the game sessions that appeared on `fleets` with the placement events of a Region.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn heard_of(
        &self,
        region: &Region,
        fleets: &[FleetId],
        range: TimeRange,
    ) -> Result<Heard, StoreError> {
        let directory = self.directory().await?;
        let Some(region_key) = directory.region_key(region) else { return Ok(Heard::default()) };
        let mut heard = Heard::default();
        for fleet_key in fleets.iter().filter_map(|fleet| directory.fleet_key(fleet)) {
            let row = sqlx::query(
                "SELECT count(*) AS placed, min(s.created_at) AS first_placed FROM game_session_state s \
                 JOIN game_session g USING (session_key) WHERE s.fleet_key = ? AND s.created_at >= ? \
                 AND s.created_at < ? AND NOT (typeof(g.id) = 'blob' AND length(g.id) = 17)",
            )
            .bind(fleet_key)
            .bind(range.from.as_ms())
            .bind(range.to.as_ms())
            .fetch_one(self.pool())
            .await?;
            heard.placed += row.read::<u64>("placed")?;
            let first: Option<Timestamp> = row.read("first_placed")?;
            heard.first_placed = [heard.first_placed, first].into_iter().flatten().min();
        }
        let row = sqlx::query(
            "SELECT count(*) AS events FROM placement_event WHERE event_at >= ? AND region_key = ?",
        )
        .bind(range.from.as_ms())
        .bind(region_key)
        .fetch_one(self.pool())
        .await?;
        heard.events = row.read("events")?;
        if heard.events == 0 {
            let last: Option<i64> = sqlx::query_scalar(
                "SELECT event_at FROM placement_event WHERE event_at < ? AND region_key = ? \
                 ORDER BY event_at DESC LIMIT 1",
            )
            .bind(range.from.as_ms())
            .bind(region_key)
            .fetch_optional(self.pool())
            .await?;
            heard.last_event = last.map(Timestamp::from_ms);
        }
        Ok(heard)
    }

    /// Game sessions that ended in `range`, by fleet and minute, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn sessions_ended_by_minute(&self, range: TimeRange) -> Result<Vec<SessionMinute>, StoreError> {
        let directory = self.directory().await?;
        let rows = sqlx::query(
            "SELECT fleet_key, ended_at / 60000 AS minute, count(*) AS ended, \
             count(*) FILTER (WHERE ending IN (20, 30)) AS crashed, \
             count(*) FILTER (WHERE ending = 40) AS timed_out FROM game_session_state \
             WHERE ended_at IS NOT NULL AND ended_at >= ? AND ended_at < ? GROUP BY 1, 2 ORDER BY 2",
        )
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(SessionMinute {
                    fleet_id: directory.fleet_id(row.read("fleet_key")?),
                    at: minute(row.read("minute")?),
                    ended: row.read("ended")?,
                    crashed: row.read("crashed")?,
                    timed_out: row.read("timed_out")?,
                })
            })
            .collect()
    }

    /// How game sessions that ended in `range` ended, by fleet and location.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn activations_by_location(
        &self,
        range: TimeRange,
    ) -> Result<Vec<LocationOutcome>, StoreError> {
        let directory = self.directory().await?;
        let rows = sqlx::query(
            "SELECT fleet_key, location_key, count(*) AS ended, count(*) FILTER (WHERE ending = 40) AS timed_out \
             FROM game_session_state WHERE ended_at IS NOT NULL AND ended_at >= ? AND ended_at < ? GROUP BY 1, 2",
        )
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                let fleet_key = row.read("fleet_key")?;
                Ok(LocationOutcome {
                    fleet_id: directory.fleet_id(fleet_key),
                    location: directory.location_or_home(row.read("location_key")?, fleet_key),
                    ended: row.read("ended")?,
                    timed_out: row.read("timed_out")?,
                })
            })
            .collect()
    }

    /// Placements whose event was sent in `range`, by queue and minute, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placements_by_minute(&self, range: TimeRange) -> Result<Vec<PlacementMinute>, StoreError> {
        self.placement_minutes(None, range).await
    }

    /// The same of the queues of one name, whichever their Region.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placements_of_queue_by_minute(
        &self,
        queue: &QueueName,
        range: TimeRange,
    ) -> Result<Vec<PlacementMinute>, StoreError> {
        self.placement_minutes(Some(queue), range).await
    }

    async fn placement_minutes(
        &self,
        queue: Option<&QueueName>,
        range: TimeRange,
    ) -> Result<Vec<PlacementMinute>, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new(
            "SELECT queue, region_key, event_at / 60000 AS minute, event_type, count(*) AS placements \
             FROM placement_event WHERE event_at >= ",
        );
        sql.push_bind(range.from.as_ms()).push(" AND event_at < ").push_bind(range.to.as_ms());
        if let Some(queue) = queue {
            sql.push(" AND queue = ").push_bind(queue.as_str().to_owned());
        }
        sql.push(" GROUP BY 1, 2, 3, 4 ORDER BY 3, 1, 2");
        let rows = sql.build().fetch_all(self.pool()).await?;
        let mut counts: Vec<PlacementMinute> = Vec::new();
        for row in &rows {
            let (queue, at) = (row.read::<QueueName>("queue")?, minute(row.read("minute")?));
            let region = directory.region(row.read("region_key")?);
            let is_same =
                |last: &PlacementMinute| last.queue == queue && last.region == region && last.at == at;
            if !counts.last().is_some_and(is_same) {
                counts.push(PlacementMinute { queue, region, at, funnel: Funnel::default() });
            }
            if let Some(last) = counts.last_mut() {
                last.funnel.add(row.read("event_type")?, row.read("placements")?);
            }
        }
        Ok(counts)
    }

    /// How the placements of a queue ended whose event was sent in `range`, moment by moment, without those cancelled.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placement_ends(
        &self,
        queue: &QueueName,
        region: &Region,
        range: TimeRange,
    ) -> Result<Vec<Outcomes>, StoreError> {
        let Some(region_key) = self.directory().await?.region_key(region) else { return Ok(Vec::new()) };
        let rows = sqlx::query(
            "SELECT event_at, count(*) FILTER (WHERE event_type IN (52, 53)) AS failed, \
             count(*) FILTER (WHERE event_type = 50) AS fulfilled FROM placement_event \
             WHERE queue = ? AND event_at >= ? AND event_at < ? AND region_key = ? GROUP BY 1 ORDER BY 1",
        )
        .bind(queue.as_str())
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .bind(region_key)
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(|row| outcomes(row, "event_at", "failed", "fulfilled")).collect()
    }

    /// When the first placement of a queue failed or timed out in `range` that was requested no earlier than
    /// `requested`; `None` if none did.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn first_failed_requested_since(
        &self,
        queue: &QueueName,
        region: &Region,
        requested: Timestamp,
        range: TimeRange,
    ) -> Result<Option<Timestamp>, StoreError> {
        let Some(region_key) = self.directory().await?.region_key(region) else { return Ok(None) };
        let first = sqlx::query_scalar(
            "SELECT min(event_at) FROM placement_event WHERE queue = ? AND region_key = ? AND event_type IN (52, 53) \
             AND event_at >= ? AND event_at < ? AND coalesce(start_at, event_at) >= ?",
        )
        .bind(queue.as_str())
        .bind(region_key)
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .bind(requested.as_ms())
        .fetch_one(self.pool())
        .await?;
        Ok(Option::<i64>::map(first, Timestamp::from_ms))
    }

    /// What became of the tickets of the configuration that ended in `range`, moment by moment, without those cancelled
    /// on request.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn ticket_ends(
        &self,
        configuration: &str,
        region: &Region,
        range: TimeRange,
    ) -> Result<TicketEnds, StoreError> {
        let Some(region_key) = self.directory().await?.region_key(region) else {
            return Ok(TicketEnds::default());
        };
        let ends = async |statement: &'static str| {
            let rows = sqlx::query(statement)
                .bind(configuration)
                .bind(range.from.as_ms())
                .bind(range.to.as_ms())
                .bind(region_key)
                .fetch_all(self.pool())
                .await?;
            rows.iter()
                .map(|row| outcomes(row, "at", "failed", "succeeded"))
                .collect::<Result<_, StoreError>>()
        };
        let tickets = ends(
            "SELECT updated_at AS at, count(*) FILTER (WHERE state = 'TIMED_OUT') AS failed, \
             count(*) FILTER (WHERE state = 'COMPLETED') AS succeeded FROM ticket \
             WHERE configuration = ? AND updated_at >= ? AND updated_at < ? AND region_key = ? \
             GROUP BY 1 ORDER BY 1",
        );
        let matches = ends(
            "SELECT at, count(*) FILTER (WHERE state = 'FAILED') AS failed, \
             count(*) FILTER (WHERE state = 'COMPLETED') AS succeeded \
             FROM (SELECT min(updated_at) AS at, state FROM ticket WHERE configuration = ? AND updated_at >= ? \
             AND updated_at < ? AND region_key = ? AND state IN ('FAILED', 'COMPLETED') \
             GROUP BY coalesce(match_id, ticket_key), state) GROUP BY 1 ORDER BY 1",
        );
        Ok(TicketEnds { tickets: tickets.await?, matches: matches.await? })
    }

    /// Tickets that ended in `range`, by configuration and minute, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn tickets_by_minute(&self, range: TimeRange) -> Result<Vec<TicketMinute>, StoreError> {
        self.ticket_minutes(None, range).await
    }

    /// The same of one matchmaking configuration.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn tickets_of_configuration_by_minute(
        &self,
        configuration: &str,
        region: &Region,
        range: TimeRange,
    ) -> Result<Vec<TicketMinute>, StoreError> {
        self.ticket_minutes(Some((configuration, region)), range).await
    }

    async fn ticket_minutes(
        &self,
        of: Option<(&str, &Region)>,
        range: TimeRange,
    ) -> Result<Vec<TicketMinute>, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new(
            "SELECT configuration, region_key, updated_at / 60000 AS minute, state, count(*) AS tickets FROM ticket \
             WHERE updated_at >= ",
        );
        sql.push_bind(range.from.as_ms()).push(" AND updated_at < ").push_bind(range.to.as_ms());
        if let Some((configuration, region)) = of {
            let Some(region_key) = directory.region_key(region) else { return Ok(Vec::new()) };
            sql.push(" AND region_key = ").push_bind(region_key);
            sql.push(" AND configuration = ").push_bind(configuration.to_owned());
        }
        sql.push(
            " AND state IN ('COMPLETED', 'CANCELLED', 'TIMED_OUT', 'FAILED') \
             GROUP BY 1, 2, 3, 4 ORDER BY 3, 1, 2",
        );
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter()
            .map(|row| {
                Ok(TicketMinute {
                    configuration: row.read("configuration")?,
                    region: directory.region(row.read("region_key")?),
                    at: minute(row.read("minute")?),
                    state: row.read("state")?,
                    tickets: row.read("tickets")?,
                })
            })
            .collect()
    }
}

const fn minute(number: i64) -> Timestamp {
    Timestamp::from_ms(number.saturating_mul(MINUTE_MS))
}

fn outcomes(row: &SqliteRow, at: &str, failed: &str, succeeded: &str) -> Result<Outcomes, StoreError> {
    Ok(Outcomes { at: row.read(at)?, failed: row.read(failed)?, succeeded: row.read(succeeded)? })
}
