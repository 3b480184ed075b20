//! Metric samples, series by series, and the recorded changes of desired instances.

use std::collections::BTreeMap;

use liftdeck_model::Timestamp;
use liftdeck_model::time::DAY_MS;
use serde_json::{Value, json};

use super::sink::{Cell, Sink};
use super::{ExportError, ExportRequest};
use crate::chunk;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;

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
    // The recent samples are keyed by time, so one pass over them serves every series.
    let mut recent: BTreeMap<i64, BTreeMap<i64, f64>> = recent(reader, from, to).await?;
    for row in &series {
        let key: i64 = row.read("series_key")?;
        let region = directory.region(row.read("region_key")?);
        let (source, name, statistic) = (row.text("source")?, row.text("name")?, row.text("statistic")?);
        let pairs: Vec<(String, String)> = row.json("dimensions")?;
        let dimensions: Value =
            pairs.into_iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
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
        let bits: i64 = row.read("value_bits")?;
        by_series
            .entry(row.read("series_key")?)
            .or_default()
            .insert(row.read("sample_at")?, f64::from_bits(bits.cast_unsigned()));
    }
    Ok(by_series)
}
