//! Metric samples, series by series, and the recorded changes of desired instances.

use std::collections::BTreeMap;

use liftdeck_model::Timestamp;
use serde_json::{Value, json};
use sqlx::Row as _;

use super::sink::{Cell, Sink};
use super::{ExportError, ExportRequest};
use crate::chunk;
use crate::error::StoreError;
use crate::reader::Reader;

const DAY_MS: i64 = 86_400_000;

pub(super) async fn metrics(
    reader: &Reader,
    request: &ExportRequest,
    sink: &mut Sink<'_>,
) -> Result<(), ExportError> {
    sink.begin(&["region", "source", "metric_name", "dimensions", "statistic", "timestamp", "value"])?;
    let series = sqlx::query(
        "SELECT series_key, region_key, source, name, dimensions, statistic FROM metric_series \
         ORDER BY name, source, statistic, region_key, dimensions",
    )
    .fetch_all(reader.pool())
    .await
    .map_err(StoreError::from)?;
    let directory = reader.directory().await?;
    let range = request.range();
    let (from, to) = (range.from.as_ms(), range.to.as_ms());
    // The recent tail is keyed by time, so one pass over it serves every series.
    let mut recent: BTreeMap<i64, BTreeMap<i64, f64>> = recent(reader, from, to).await?;
    for row in &series {
        let labels = || -> Result<_, sqlx::Error> {
            let pairs: Vec<(String, String)> =
                serde_json::from_str(row.try_get(4)?).map_err(|error| sqlx::Error::Decode(error.into()))?;
            let dimensions: Value =
                pairs.into_iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
            let region = directory.region(row.try_get(1)?).into_string();
            Ok((
                row.try_get::<i64, _>(0)?,
                region,
                row.try_get::<String, _>(2)?,
                row.try_get::<String, _>(3)?,
                dimensions,
                row.try_get::<String, _>(5)?,
            ))
        };
        let (key, region, source, name, dimensions, statistic) = labels().map_err(StoreError::from)?;
        let days: Vec<i64> = sqlx::query_scalar(
            "SELECT day FROM metric_chunk WHERE series_key = ? AND day >= ? AND day <= ? ORDER BY day",
        )
        .bind(key)
        .bind(from.div_euclid(DAY_MS))
        .bind(to.div_euclid(DAY_MS))
        .fetch_all(reader.pool())
        .await
        .map_err(StoreError::from)?;
        let mut tail = recent.remove(&key).unwrap_or_default();
        let write = |at: i64, value: f64, sink: &mut Sink<'_>| {
            sink.row(vec![
                json!(region),
                json!(source),
                json!(name),
                dimensions.clone(),
                json!(statistic),
                Cell::time(Some(Timestamp::from_ms(at))),
                json!(value),
            ])
        };
        for day in days {
            let body: Option<Vec<u8>> =
                sqlx::query_scalar("SELECT body FROM metric_chunk WHERE series_key = ? AND day = ?")
                    .bind(key)
                    .bind(day)
                    .fetch_optional(reader.pool())
                    .await
                    .map_err(StoreError::from)?;
            let Some(body) = body else { continue };
            let rest = tail.split_off(&((day + 1) * DAY_MS));
            let mut samples: BTreeMap<i64, f64> = chunk::decode(&body)?
                .into_iter()
                .map(|sample| (sample.at.as_ms(), sample.value))
                .filter(|(at, _)| (from..to).contains(at))
                .collect();
            samples.append(&mut tail);
            tail = rest;
            for (at, value) in samples {
                write(at, value, sink)?;
            }
        }
        for (at, value) in tail {
            write(at, value, sink)?;
        }
    }
    Ok(())
}

async fn recent(
    reader: &Reader,
    from: i64,
    to: i64,
) -> Result<BTreeMap<i64, BTreeMap<i64, f64>>, StoreError> {
    let mut by_series: BTreeMap<i64, BTreeMap<i64, f64>> = BTreeMap::new();
    let rows = sqlx::query(
        "SELECT series_key, sample_at, value_bits FROM metric_hot WHERE sample_at >= ? AND sample_at < ?",
    )
    .bind(from)
    .bind(to)
    .fetch_all(reader.pool())
    .await?;
    for row in rows {
        let bits: i64 = row.try_get(2)?;
        by_series
            .entry(row.try_get(0)?)
            .or_default()
            .insert(row.try_get(1)?, f64::from_bits(bits.cast_unsigned()));
    }
    Ok(by_series)
}

pub(super) async fn scaling_steps(
    reader: &Reader,
    request: &ExportRequest,
    sink: &mut Sink<'_>,
) -> Result<(), ExportError> {
    sink.begin(&["fleet_id", "location", "time", "from_desired", "to_desired"])?;
    let directory = reader.directory().await?;
    let range = request.range();
    let rows = sqlx::query(
        "SELECT fleet_key, location_key, seen_at, before, after FROM change \
         WHERE seen_at >= ? AND seen_at < ? AND kind = 'fleet_capacity' AND field = 'desired' ORDER BY seen_at, change_key",
    )
    .bind(range.from.as_ms())
    .bind(range.to.as_ms())
    .fetch_all(reader.pool())
    .await
    .map_err(StoreError::from)?;
    for row in &rows {
        let values = || -> Result<Vec<Value>, sqlx::Error> {
            let count = |index: usize| -> Result<Value, sqlx::Error> {
                Ok(json!(row.try_get::<Option<&str>, _>(index)?.and_then(|count| count.parse::<i64>().ok())))
            };
            let fleet = row.try_get::<Option<i64>, _>(0)?.map(|key| directory.fleet_id(key));
            Ok(vec![
                Cell::text(fleet),
                Cell::text(directory.location(row.try_get(1)?)),
                Cell::time(Some(Timestamp::from_ms(row.try_get(2)?))),
                count(3)?,
                count(4)?,
            ])
        };
        sink.row(values().map_err(StoreError::from)?)?;
    }
    Ok(())
}
