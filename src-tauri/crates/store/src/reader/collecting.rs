//! Queries the collector runs before it asks AWS.
//!
//! Deliberately returns ids and the model's records, never the rows of a screen.

use std::collections::BTreeSet;

use liftdeck_model::fleet::Fleet;
use liftdeck_model::game_session::GameSessionEnding;
use liftdeck_model::metric::{MetricSample, MetricSeries};
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_model::{FleetId, GameSessionId, Region, Timestamp};
use sqlx::QueryBuilder;
use sqlx::sqlite::SqliteRow;

use crate::chunk;
use crate::code::Code;
use crate::column::Columns as _;
use crate::ending;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::past::SUSPENDED;

impl Reader {
    /// Fleets that existed in a Region when it was last listed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn fleets(&self, region: &Region) -> Result<Vec<Fleet>, StoreError> {
        let documents: Vec<String> = sqlx::query_scalar(
            "SELECT document FROM resource WHERE kind = 'fleet' AND owner_key = 0 AND gone_at IS NULL \
             AND region_key = (SELECT region_key FROM region WHERE name = ?) ORDER BY id",
        )
        .bind(region.as_str())
        .fetch_all(self.pool())
        .await?;
        documents
            .iter()
            .map(|text| {
                serde_json::from_str(text).map_err(|error| StoreError::Unreadable {
                    what: format!("resource of kind fleet: {error}"),
                })
            })
            .collect()
    }

    /// The fleets of a Region whose growth somebody was seen to limit since `from`: a maximum was lowered, or automatic
    /// scaling suspended.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn held_down_since(
        &self,
        region: &Region,
        from: Timestamp,
    ) -> Result<BTreeSet<FleetId>, StoreError> {
        let directory = self.directory().await?;
        let Some(region_key) = directory.region_key(region) else { return Ok(BTreeSet::new()) };
        let keys: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
            "SELECT DISTINCT fleet_key FROM change WHERE seen_at >= ? AND region_key = ? AND fleet_key IS NOT NULL \
             AND (kind = 'fleet_capacity' AND field = 'maximum' AND CAST(after AS INTEGER) < CAST(before AS INTEGER) \
             OR {SUSPENDED})",
        )))
        .bind(from.as_ms())
        .bind(region_key)
        .fetch_all(self.pool())
        .await?;
        Ok(keys.into_iter().map(|key| directory.fleet_id(key)).collect())
    }

    /// The game sessions of a fleet that may still change, those first that have been waiting to be looked up.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn live_game_sessions(&self, fleet: &FleetId) -> Result<Vec<GameSessionId>, StoreError> {
        let rows = sqlx::query(
            "SELECT prefix, game_session.id FROM game_session_state JOIN game_session USING (session_key) \
             JOIN arn_prefix USING (prefix_key) LEFT JOIN game_session_unlisted u USING (session_key) \
             WHERE live = 1 AND game_session_state.fleet_key = (SELECT fleet_key FROM fleet WHERE fleet_id = ?) \
             ORDER BY u.session_key IS NULL",
        )
        .bind(fleet.as_str())
        .fetch_all(self.pool())
        .await?;
        rows.iter().map(|row| Ok(session_id(row.text("prefix")?, &row.read("id")?))).collect()
    }

    /// The moment of a fleet's newest event and the ids of its events at that moment; `None` when it has none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn newest_fleet_event(
        &self,
        fleet: &FleetId,
    ) -> Result<Option<(Timestamp, Vec<String>)>, StoreError> {
        let rows = sqlx::query(
            "SELECT event_at, event_id FROM fleet_event WHERE fleet_key = (SELECT fleet_key FROM fleet WHERE fleet_id = ?1) \
             AND event_at = (SELECT max(event_at) FROM fleet_event WHERE fleet_key = \
             (SELECT fleet_key FROM fleet WHERE fleet_id = ?1))",
        )
        .bind(fleet.as_str())
        .fetch_all(self.pool())
        .await?;
        let Some(first) = rows.first() else { return Ok(None) };
        let ids: Result<Vec<String>, StoreError> =
            rows.iter().map(|row| Ok(row.read::<Code>("event_id")?.decode())).collect();
        Ok(Some((first.read("event_at")?, ids?)))
    }

    /// Live sessions of a fleet whose players were never confirmed or not since `older_than`, longest unconfirmed first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn sessions_with_unconfirmed_players(
        &self,
        fleet: &FleetId,
        older_than: Timestamp,
        limit: usize,
    ) -> Result<Vec<GameSessionId>, StoreError> {
        let unwritten = self.ledger.unwritten_players();
        let fetch = i64::try_from(limit.saturating_add(unwritten.len())).unwrap_or(i64::MAX);
        let rows = sqlx::query(
            "SELECT prefix, game_session.id, session_key FROM game_session_state JOIN game_session USING (session_key) \
             JOIN arn_prefix USING (prefix_key) WHERE live = 1 AND game_session_state.fleet_key = \
             (SELECT fleet_key FROM fleet WHERE fleet_id = ?) AND ifnull(players_confirmed_at, 0) < ? \
             ORDER BY players_confirmed_at, session_key LIMIT ?",
        )
        .bind(fleet.as_str())
        .bind(older_than.as_ms())
        .bind(fetch)
        .fetch_all(self.pool())
        .await?;
        let mut sessions = Vec::with_capacity(rows.len().min(limit));
        for row in &rows {
            let key: i64 = row.read("session_key")?;
            if sessions.len() < limit && unwritten.get(&key).is_none_or(|at| *at < older_than) {
                sessions.push(session_id(row.text("prefix")?, &row.read("id")?));
            }
        }
        Ok(sessions)
    }

    /// Sessions of a fleet that ended as nobody wanted, were created since `since`, and whose players were never read,
    /// newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn failed_sessions_without_players(
        &self,
        fleet: &FleetId,
        since: Timestamp,
        limit: usize,
    ) -> Result<Vec<GameSessionId>, StoreError> {
        let unwritten = self.ledger.unwritten_players();
        let mut sql = QueryBuilder::new(
            "SELECT a.prefix, g.id, s.session_key FROM game_session_state s JOIN game_session g USING (session_key) \
             JOIN arn_prefix a USING (prefix_key) WHERE s.fleet_key = (SELECT fleet_key FROM fleet WHERE fleet_id = ",
        );
        sql.push_bind(fleet.as_str()).push(") AND s.created_at >= ").push_bind(since.as_ms());
        sql.push(" AND s.live = 0 AND s.players_confirmed_at IS NULL AND s.ending IN (");
        let mut list = sql.separated(", ");
        for ending in GameSessionEnding::all().filter(|ending| ending.is_abnormal()) {
            list.push_bind(ending::key(ending));
        }
        let fetch = i64::try_from(limit.saturating_add(unwritten.len())).unwrap_or(i64::MAX);
        sql.push(") ORDER BY s.created_at DESC LIMIT ").push_bind(fetch);
        let rows = sql.build().fetch_all(self.pool()).await?;
        let mut sessions = Vec::new();
        for row in &rows {
            if sessions.len() < limit && !unwritten.contains_key(&row.read("session_key")?) {
                sessions.push(session_id(row.text("prefix")?, &row.read("id")?));
            }
        }
        Ok(sessions)
    }

    /// When the player sessions of a game session were last read in full.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn players_confirmed(&self, session: &GameSessionId) -> Result<Option<Timestamp>, StoreError> {
        if let Some(at) = self.ledger.players_confirmed(session) {
            return Ok(Some(at));
        }
        let (prefix, id) = split_arn(session);
        let at: Option<Option<i64>> = sqlx::query_scalar(
            "SELECT players_confirmed_at FROM game_session JOIN game_session_state USING (session_key) \
             WHERE id = ? AND prefix_key = (SELECT prefix_key FROM arn_prefix WHERE prefix = ?)",
        )
        .bind(id)
        .bind(prefix)
        .fetch_optional(self.pool())
        .await?;
        Ok(at.flatten().map(Timestamp::from_ms))
    }

    /// The range from the first sample of a series to just after the last; `None` when it has none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn metric_coverage(&self, series: &MetricSeries) -> Result<Option<TimeRange>, StoreError> {
        let Some(key) = self.series_key(series).await? else { return Ok(None) };
        // The hot table is keyed by time first and kept short by compaction, so searching it is cheap.
        let moments: Vec<Option<i64>> = sqlx::query_scalar(
            "SELECT min(first_at) FROM metric_chunk WHERE series_key = ?1 \
             UNION ALL SELECT max(last_at) FROM metric_chunk WHERE series_key = ?1 \
             UNION ALL SELECT (SELECT sample_at FROM metric_hot WHERE series_key = ?1 ORDER BY sample_at LIMIT 1) \
             UNION ALL SELECT (SELECT sample_at FROM metric_hot WHERE series_key = ?1 ORDER BY sample_at DESC LIMIT 1)",
        )
        .bind(key)
        .fetch_all(self.pool())
        .await?;
        let (first, last) = (moments.iter().flatten().min(), moments.iter().flatten().max());
        Ok(first
            .zip(last)
            .map(|(first, last)| TimeRange::new(Timestamp::from_ms(*first), Timestamp::from_ms(last + 1))))
    }

    /// The samples of a series in a range, exactly as received, ascending in time.
    ///
    /// # Errors
    /// When the database cannot be read, or a chunk is damaged.
    pub async fn metric_samples(
        &self,
        series: &MetricSeries,
        range: TimeRange,
    ) -> Result<Vec<MetricSample>, StoreError> {
        let Some(key) = self.series_key(series).await? else { return Ok(Vec::new()) };
        // One statement, because a compaction between two statements could hide the samples it moves.
        let rows = sqlx::query(
            "SELECT first_at AS at, body, NULL AS value_bits FROM metric_chunk WHERE series_key = ?1 AND day BETWEEN ?2 AND ?3 \
             UNION ALL SELECT sample_at, NULL, value_bits FROM metric_hot WHERE sample_at >= ?4 AND sample_at < ?5 \
             AND series_key = ?1 ORDER BY at",
        )
        .bind(key)
        .bind(range.from.as_ms().div_euclid(DAY_MS))
        .bind(range.to.as_ms().div_euclid(DAY_MS))
        .bind(range.from.as_ms())
        .bind(range.to.as_ms())
        .fetch_all(self.pool())
        .await?;
        let (mut cold, mut hot) = (Vec::new(), Vec::new());
        for row in rows {
            match row.read::<Option<Vec<u8>>>("body")? {
                Some(body) => cold.extend(chunk::decode(&body)?),
                None => {
                    let value = f64::from_bits(row.read::<i64>("value_bits")?.cast_unsigned());
                    hot.push(MetricSample { at: row.read("at")?, value });
                }
            }
        }
        let mut samples = chunk::merge(&cold, &hot);
        samples.retain(|sample| range.contains(sample.at));
        Ok(samples)
    }

    async fn series_key(&self, series: &MetricSeries) -> Result<Option<i64>, StoreError> {
        let key = sqlx::query_scalar(
            "SELECT series_key FROM metric_series WHERE name = ? AND source = ? AND statistic = ? AND dimensions = ? \
             AND region_key = (SELECT region_key FROM region WHERE name = ?)",
        )
        .bind(&series.name)
        .bind(source_text(series.source))
        .bind(&series.statistic)
        .bind(dimensions_text(series)?)
        .bind(series.region.as_str())
        .fetch_optional(self.pool())
        .await?;
        Ok(key)
    }

    /// CloudWatch metrics requested on the UTC day that `moment` falls into.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn usage_of_day(&self, moment: Timestamp) -> Result<u64, StoreError> {
        let requested: Option<i64> = sqlx::query_scalar("SELECT metrics_requested FROM usage WHERE day = ?")
            .bind(moment.as_ms().div_euclid(DAY_MS))
            .fetch_optional(self.pool())
            .await?;
        Ok(u64::try_from(requested.unwrap_or(0)).unwrap_or(0))
    }
}

/// Joins the two parts of an ARN.
pub(crate) fn session_id(prefix: &str, id: &Code) -> GameSessionId {
    if prefix.is_empty() {
        GameSessionId::new(id.decode())
    } else {
        GameSessionId::new(format!("{prefix}/{}", id.decode()))
    }
}

/// The game session that a row names in its columns `prefix` and `session_id`.
pub(crate) fn session_of(row: &SqliteRow) -> Result<Option<GameSessionId>, StoreError> {
    let parts = row.read::<Option<String>>("prefix")?.zip(row.read::<Option<Code>>("session_id")?);
    Ok(parts.map(|(prefix, id)| session_id(&prefix, &id)))
}

/// Splits an ARN into its prefix and its packed last part. Without a prefix, all of it is the last part.
pub(crate) fn split_arn(session: &GameSessionId) -> (&str, Code) {
    match session.as_str().rsplit_once('/') {
        Some((prefix, id)) if !prefix.is_empty() => (prefix, Code::encode(id)),
        _ => ("", Code::encode(session.as_str())),
    }
}

/// The source as the schema spells it.
pub(crate) const fn source_text(source: liftdeck_model::metric::MetricSource) -> &'static str {
    match source {
        liftdeck_model::metric::MetricSource::CloudWatch => "cloud_watch",
        liftdeck_model::metric::MetricSource::Polled => "polled",
    }
}

/// The dimensions as the schema spells them.
pub(crate) fn dimensions_text(series: &MetricSeries) -> Result<String, StoreError> {
    serde_json::to_string(&series.dimensions)
        .map_err(|error| StoreError::Unreadable { what: format!("dimensions of {}: {error}", series.name) })
}
