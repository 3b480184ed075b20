//! How many server processes crashed in the 15 min before a moment, and how many usually do at that hour.

use std::collections::BTreeMap;

use liftdeck_model::Timestamp;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::HOUR_MS;
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::{Reader, StoreError};

use super::super::kept_since;
use super::{Kpi, KpiKey, RECENT_MS, SPARK, Times};
use crate::usual::Standing;
use crate::usual::past::Memory;
use crate::verdict::CRASHES;

pub(super) async fn crashes(
    reader: &Reader,
    past: &Memory,
    fleets: &[FleetSummary],
    times: &Times,
) -> Result<Kpi, StoreError> {
    let moment = times.moment();
    let crashed: u64 = reader.fleet_event_counts(&CRASHES, times.recent(), RECENT_MS + 1).await?.iter().sum();
    let width_ms = (times.range.length_ms() / i64::from(SPARK)).max(60_000);
    let spark = reader.fleet_event_counts(&CRASHES, times.range, width_ms).await?;
    let read = read_to(reader);
    let unread = |fleet: &&FleetSummary| match times.at {
        Some(at) => {
            at < kept_since(times.now) || read.get(fleet.fleet.fleet_id.as_str()).is_none_or(|to| *to < at)
        }
        // Now it is the age of the figure that tells.
        None => false,
    };
    let unknown = fleets.iter().filter(unread).count();
    let known =
        !reader.polls(PollKind::FleetEvents).is_empty() && (fleets.is_empty() || unknown < fleets.len());
    let value = known.then_some(crashed as f64);
    let learnt =
        past.crashes(reader, moment, times.now).await?.usual_at(moment, RECENT_MS as f64 / HOUR_MS as f64);
    Ok(Kpi {
        key: KpiKey::Crashes,
        value,
        of: None,
        usual: learnt.ok(),
        standing: Standing::of(value, learnt),
        failed_share: None,
        usual_failed_share: None,
        unknown_fleets: u32::try_from(unknown).unwrap_or(u32::MAX),
        spark_low: vec![None; spark.len()],
        spark_high: vec![None; spark.len()],
        spark: spark.into_iter().map(|count| Some(count as f64)).collect(),
        freshness: times.freshness(reader.freshness(Basis::All(PollKind::FleetEvents), times.now)),
    })
}

/// Up to when the events of each fleet were read: all that there were, because each poll reads on where the last one
/// ended.
fn read_to(reader: &Reader) -> BTreeMap<String, Timestamp> {
    let lines = reader.polls(PollKind::FleetEvents).into_iter();
    lines.filter_map(|line| Some((line.subject.resource, line.confirmed_at?))).collect()
}
