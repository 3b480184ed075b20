//! How many server processes crashed lately, and how many usually do at this hour.

use liftdeck_model::Timestamp;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::{HOUR_MS, TimeRange};
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::{Reader, StoreError};

use super::{Kpi, KpiKey, RECENT_MS, SPARK};
use crate::usual::Standing;
use crate::usual::past::Memory;
use crate::verdict::CRASHES;

pub(super) async fn crashes(
    reader: &Reader,
    past: &Memory,
    range: TimeRange,
    now: Timestamp,
) -> Result<Kpi, StoreError> {
    let recent = TimeRange::new(now.plus_ms(-RECENT_MS), now.plus_ms(1));
    let crashed: u64 = reader.fleet_event_counts(&CRASHES, recent, RECENT_MS + 1).await?.iter().sum();
    let width_ms = (range.length_ms() / i64::from(SPARK)).max(60_000);
    let spark = reader.fleet_event_counts(&CRASHES, range, width_ms).await?;
    let known = !reader.polls(PollKind::FleetEvents).is_empty();
    let value = known.then_some(crashed as f64);
    let learnt = past.crashes(reader, now).await?.usual_at(now, RECENT_MS as f64 / HOUR_MS as f64);
    Ok(Kpi {
        key: KpiKey::Crashes,
        value,
        of: None,
        usual: learnt.ok(),
        standing: Standing::of(value, learnt),
        failed_share: None,
        usual_failed_share: None,
        spark_low: vec![None; spark.len()],
        spark_high: vec![None; spark.len()],
        spark: spark.into_iter().map(|count| Some(count as f64)).collect(),
        freshness: reader.freshness(Basis::All(PollKind::FleetEvents), now),
    })
}
