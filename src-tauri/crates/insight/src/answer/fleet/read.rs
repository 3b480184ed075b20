//! Fleets read from the store, as they are or as they were at the end of a range that is over.

use std::collections::BTreeMap;

use liftdeck_model::certificate::certificate_term;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::series::SeriesName;
use liftdeck_store::reader::window::{Listed, Page};
use liftdeck_store::{Reader, StoreError};

use super::{FleetDetail, FleetEventRow, FleetList, FleetRow};
use crate::figures::{FleetFigures, figures_of, moment_of};
use crate::scaling::capped_since;
use crate::words;

/// Points of a sparkline.
const SPARK_POINTS: u32 = 60;
/// Length of the sparkline of a fleet's own page: three hours.
const SPARK_MS: i64 = 3 * 3_600_000;

/// All fleets, with their utilization over `range`. If the range is over, those that existed in it, with the figures of
/// its end.
///
/// # Errors
/// When the store cannot be read.
pub async fn fleet_list(reader: &Reader, range: TimeRange, now: Timestamp) -> Result<FleetList, StoreError> {
    let at = moment_of(range, now);
    let fleets = match at {
        Some(_) => reader.fleet_summaries_in(range, now).await?,
        None => reader.fleet_summaries(now).await?,
    };
    let figures = figures_of(reader, &fleets, at, now).await?;
    let mut sparks = utilization(reader, range).await?;
    let row = |(summary, figures): (&FleetSummary, &FleetFigures)| {
        let spark = sparks.remove(&summary.fleet.fleet_id).unwrap_or_default();
        let row = FleetRow::new(summary, &figures.all, spark);
        match at {
            Some(at) => FleetRow { state: figures.state_at(summary, at), ..row },
            None => row,
        }
    };
    Ok(FleetList {
        rows: fleets.iter().zip(&figures).map(row).collect(),
        figures_at: at,
        freshness: reader.freshness(Basis::All(PollKind::Fleets), now),
    })
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
    let figures = FleetFigures::now(reader, &detail.summary, now);
    let term = certificate_term(&detail.summary.fleet, now).filter(|_| detail.summary.gone_at.is_none());
    let detail = FleetDetail::new(detail, &figures, spark, capped);
    let certificate_note = term.as_ref().and_then(|term| words::certificate(term, now));
    Ok(Some(FleetDetail { certificate_term: term, certificate_note, ..detail }))
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
