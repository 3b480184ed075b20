//! Fleets.

use std::collections::BTreeMap;

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::Reader;
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::series::SeriesName;

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_api::fleet::{FleetDetail, FleetEventRow, FleetList, FleetRow, InstanceList, InstanceRow};
use liftdeck_api::page::{Listed, Page};
use liftdeck_insight::FleetScaling;

/// Points of a sparkline.
const SPARK_POINTS: u32 = 60;
/// Length of a sparkline: three hours.
const SPARK_MS: i64 = 3 * 3_600_000;

pub(crate) async fn fleet_list(app: &App, range: TimeRange) -> Result<FleetList, AppError> {
    let open = app.connection()?;
    let now = app.now();
    let fleets = open.reader.fleet_summaries(now).await?;
    let mut sparks = utilization(&open.reader, range.to).await?;
    let mut row =
        |summary| FleetRow::new(summary, sparks.remove(&summary.fleet.fleet_id).unwrap_or_default());
    Ok(FleetList {
        rows: fleets.iter().map(&mut row).collect(),
        freshness: open.reader.freshness(Basis::All(PollKind::Fleets), now),
    })
}

pub(crate) async fn fleet_get(app: &App, fleet_id: FleetId) -> Result<FleetDetail, AppError> {
    let open = app.connection()?;
    let now = app.now();
    let detail = open.reader.fleet_detail(&fleet_id, now).await?;
    let detail = detail.ok_or_else(|| AppError::not_found("fleet", fleet_id.as_str()))?;
    let capped = liftdeck_insight::capped_since(&open.reader, &detail.summary, now).await?;
    let spark = utilization(&open.reader, now).await?.remove(&fleet_id).unwrap_or_default();
    Ok(FleetDetail::new(detail, spark, capped))
}

pub(crate) async fn fleet_instances(app: &App, fleet_id: FleetId) -> Result<InstanceList, AppError> {
    let (rows, freshness) = app.connection()?.reader.computes(&fleet_id, app.now()).await?;
    Ok(InstanceList { rows: rows.into_iter().map(InstanceRow::from).collect(), freshness })
}

pub(crate) async fn fleet_events(
    app: &App,
    fleet_id: FleetId,
    range: Option<TimeRange>,
    page: Page,
) -> Result<Listed<FleetEventRow>, AppError> {
    let open = app.connection()?;
    let found = open.reader.fleet_events(Some(&fleet_id), range, page).await?;
    let basis = Basis::One(PollKind::FleetEvents, fleet_id.as_str());
    Ok(Listed::new(found, open.reader.freshness(basis, app.now())))
}

pub(crate) async fn fleet_scaling(
    app: &App,
    fleet_id: FleetId,
    range: TimeRange,
) -> Result<FleetScaling, AppError> {
    let open = app.connection()?;
    let scaling = liftdeck_insight::fleet_scaling(&open.reader, &fleet_id, range, app.now());
    let scaling = Box::pin(scaling).await?;
    scaling.ok_or_else(|| AppError::not_found("fleet", fleet_id.as_str()))
}

/// Share (0 to 1) of server processes that host a game session, up to `to`, by fleet; `None` for gaps.
async fn utilization(
    reader: &Reader,
    to: Timestamp,
) -> Result<BTreeMap<FleetId, Vec<Option<f64>>>, AppError> {
    let range = TimeRange::new(to.plus_ms(-SPARK_MS), to);
    let free = reader.series_by_fleet(SeriesName::PercentAvailableGameSessions, range, SPARK_POINTS).await?;
    let used = |free: Vec<f64>| {
        free.into_iter().map(|percent| percent.is_finite().then(|| 1.0 - percent / 100.0)).collect()
    };
    Ok(free.into_iter().map(|(fleet, free)| (fleet, used(free))).collect())
}
