//! Fleets read from the store, as they are or as they were at the end of a range that is over.

use std::collections::BTreeMap;

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::series::SeriesName;
use liftdeck_store::reader::window::{Listed, Page};
use liftdeck_store::{Reader, StoreError};

use super::{FleetDetail, FleetEventRow, FleetList, FleetRow, InstanceList, InstanceRow};
use crate::scaling::capped_since;
use crate::state::state_of;

/// Points of a sparkline.
const SPARK_POINTS: u32 = 60;
/// Length of the sparkline of a fleet's own page: three hours.
const SPARK_MS: i64 = 3 * 3_600_000;
/// A range that ended longer ago than this shows the fleets as they were at its end. Shorter, it is a live range whose
/// question was on its way.
const OVER_MS: i64 = 60_000;
/// How far before the end of such a range to look for a figure: two heartbeats of a polled series.
const LOOK_BACK_MS: i64 = 10 * 60_000;

/// All fleets, with their utilization over `range`. If the range is over, with the figures of its end.
///
/// # Errors
/// When the store cannot be read.
pub async fn fleet_list(reader: &Reader, range: TimeRange, now: Timestamp) -> Result<FleetList, StoreError> {
    let fleets = reader.fleet_summaries(now).await?;
    let mut sparks = utilization(reader, range).await?;
    let mut row =
        |summary| FleetRow::new(summary, sparks.remove(&summary.fleet.fleet_id).unwrap_or_default());
    let mut rows: Vec<FleetRow> = fleets.iter().map(&mut row).collect();
    let is_over = now.since_ms(range.to) > OVER_MS;
    if is_over {
        figures_at(reader, range.to, &mut rows).await?;
    }
    Ok(FleetList {
        rows,
        figures_at: is_over.then_some(range.to),
        freshness: reader.freshness(Basis::All(PollKind::Fleets), now),
    })
}

/// Replaces the figures of the rows by those of a moment in the past; what was not recorded becomes 0.
async fn figures_at(reader: &Reader, at: Timestamp, rows: &mut [FleetRow]) -> Result<(), StoreError> {
    let range = TimeRange::new(at.plus_ms(-LOOK_BACK_MS), at);
    let read = async |name| {
        let found = reader.series_by_fleet(name, range, SPARK_POINTS).await?;
        let last = |values: Vec<f64>| values.into_iter().rev().find(|value| value.is_finite());
        let found = found.into_iter().filter_map(|(fleet, values)| Some((fleet, last(values)?)));
        Ok::<BTreeMap<FleetId, f64>, StoreError>(found.collect())
    };
    let desired = read(SeriesName::DesiredInstances).await?;
    let active = read(SeriesName::ActiveInstances).await?;
    let max = read(SeriesName::MaxInstances).await?;
    let sessions = read(SeriesName::ActiveGameSessions).await?;
    let players = read(SeriesName::CurrentPlayerSessions).await?;
    let free = read(SeriesName::PercentAvailableGameSessions).await?;
    for row in rows {
        let count =
            |of: &BTreeMap<FleetId, f64>| of.get(&row.fleet_id).map_or(0, |value| value.round() as i64);
        (row.desired, row.active, row.max) = (count(&desired), count(&active), count(&max));
        (row.game_sessions, row.player_sessions) = (count(&sessions), count(&players));
        row.free_percent = free.get(&row.fleet_id).copied();
        row.state = state_of(row.free_percent, row.max > 0 && row.desired >= row.max);
    }
    Ok(())
}

/// One fleet; `None` if it is not in the database.
///
/// # Errors
/// When the store cannot be read.
pub async fn fleet_detail(
    reader: &Reader,
    fleet: &FleetId,
    now: Timestamp,
) -> Result<Option<FleetDetail>, StoreError> {
    let Some(detail) = reader.fleet_detail(fleet, now).await? else { return Ok(None) };
    let capped = capped_since(reader, &detail.summary, now).await?;
    let range = TimeRange::new(now.plus_ms(-SPARK_MS), now);
    let spark = utilization(reader, range).await?.remove(fleet).unwrap_or_default();
    Ok(Some(FleetDetail::new(detail, spark, capped)))
}

/// The computes of a fleet.
///
/// # Errors
/// When the store cannot be read.
pub async fn instances(reader: &Reader, fleet: &FleetId, now: Timestamp) -> Result<InstanceList, StoreError> {
    let (rows, freshness) = reader.computes(fleet, now).await?;
    Ok(InstanceList { rows: rows.into_iter().map(InstanceRow::from).collect(), freshness })
}

/// The events of a fleet, newest first.
///
/// # Errors
/// When the store cannot be read.
pub async fn fleet_events(
    reader: &Reader,
    fleet: &FleetId,
    range: Option<TimeRange>,
    page: Page,
    now: Timestamp,
) -> Result<Listed<FleetEventRow>, StoreError> {
    let found = reader.fleet_events(Some(fleet), range, page).await?;
    let freshness = reader.freshness(Basis::One(PollKind::FleetEvents, fleet.as_str()), now);
    Ok(Listed::new(found, freshness, FleetEventRow::from))
}

/// Share (0 to 1) of server processes that host a game session, by fleet; `None` for gaps.
async fn utilization(
    reader: &Reader,
    range: TimeRange,
) -> Result<BTreeMap<FleetId, Vec<Option<f64>>>, StoreError> {
    let free = reader.series_by_fleet(SeriesName::PercentAvailableGameSessions, range, SPARK_POINTS).await?;
    let used = |free: Vec<f64>| {
        free.into_iter().map(|percent| percent.is_finite().then(|| 1.0 - percent / 100.0)).collect()
    };
    Ok(free.into_iter().map(|(fleet, free)| (fleet, used(free))).collect())
}
