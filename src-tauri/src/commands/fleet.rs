//! Fleets.

use std::collections::BTreeMap;

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::Reader;
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::series::SeriesName;
use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::fleet::{
    FleetDetail, FleetEventPage, FleetEventRow, FleetList, FleetRow, InstanceList, InstanceRow,
};
use crate::wire::number::count;
use crate::wire::scaling::FleetScaling;
use crate::wire::window::{Page, Range};

/// Points of a spark line.
const SPARK_POINTS: u32 = 60;
/// Length of a spark line: three hours.
const SPARK_MS: i64 = 3 * 3_600_000;

/// All fleets, with their utilisation over the three hours up to the end of the range.
#[tauri::command]
#[specta::specta]
pub(crate) async fn fleet_list(deck: State<'_, Deck>, range: Range) -> Result<FleetList, AppError> {
    let flight = deck.flight()?;
    let now = (deck.clock)();
    let fleets = flight.reader.fleet_summaries(now).await?;
    let mut sparks = utilisation(&flight.reader, range.time_range().to).await?;
    let mut row =
        |summary| FleetRow::new(summary, sparks.remove(&summary.fleet.fleet_id).unwrap_or_default());
    Ok(FleetList {
        rows: fleets.iter().map(&mut row).collect(),
        freshness: flight.reader.freshness(Basis::All(PollKind::Fleets), now).into(),
    })
}

/// One fleet.
#[tauri::command]
#[specta::specta]
pub(crate) async fn fleet_get(deck: State<'_, Deck>, fleet_id: String) -> Result<FleetDetail, AppError> {
    let flight = deck.flight()?;
    let now = (deck.clock)();
    let fleet = FleetId::new(fleet_id);
    let detail = flight.reader.fleet_detail(&fleet, now).await?;
    let detail = detail.ok_or_else(|| AppError::not_found("fleet", fleet.as_str()))?;
    let capped = liftdeck_insight::capped_since(&flight.reader, &detail.summary, now).await?;
    let spark = utilisation(&flight.reader, now).await?.remove(&fleet).unwrap_or_default();
    Ok(FleetDetail::new(detail, spark, capped))
}

/// The computes of a fleet.
#[tauri::command]
#[specta::specta]
pub(crate) async fn fleet_instances(
    deck: State<'_, Deck>,
    fleet_id: String,
) -> Result<InstanceList, AppError> {
    let (rows, freshness) = deck.flight()?.reader.computes(&FleetId::new(fleet_id), (deck.clock)()).await?;
    Ok(InstanceList { rows: rows.into_iter().map(InstanceRow::from).collect(), freshness: freshness.into() })
}

/// The events of a fleet, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn fleet_events(
    deck: State<'_, Deck>,
    fleet_id: String,
    range: Option<Range>,
    page: Page,
) -> Result<FleetEventPage, AppError> {
    let flight = deck.flight()?;
    let fleet = FleetId::new(fleet_id);
    let found = flight.reader.fleet_events(Some(&fleet), range.map(Range::time_range), page.into()).await?;
    let basis = Basis::One(PollKind::FleetEvents, fleet.as_str());
    Ok(FleetEventPage {
        rows: found.rows.into_iter().map(FleetEventRow::from).collect(),
        total: count(found.total),
        freshness: flight.reader.freshness(basis, (deck.clock)()).into(),
    })
}

/// How a fleet scaled.
#[tauri::command]
#[specta::specta]
pub(crate) async fn fleet_scaling(
    deck: State<'_, Deck>,
    fleet_id: String,
    range: Range,
) -> Result<FleetScaling, AppError> {
    let flight = deck.flight()?;
    let fleet = FleetId::new(fleet_id);
    let scaling = liftdeck_insight::fleet_scaling(&flight.reader, &fleet, range.time_range(), (deck.clock)());
    let scaling = Box::pin(scaling).await?;
    scaling.map(FleetScaling::from).ok_or_else(|| AppError::not_found("fleet", fleet.as_str()))
}

/// Share (0 to 1) of server processes that host a game session up to `to`, by fleet; NaN for gaps.
async fn utilisation(reader: &Reader, to: Timestamp) -> Result<BTreeMap<FleetId, Vec<f64>>, AppError> {
    let range = TimeRange::new(to.plus_ms(-SPARK_MS), to);
    let free = reader.series_by_fleet(SeriesName::PercentAvailableGameSessions, range, SPARK_POINTS).await?;
    let used = |free: Vec<f64>| free.into_iter().map(|percent| 1.0 - percent / 100.0).collect();
    Ok(free.into_iter().map(|(fleet, free)| (fleet, used(free))).collect())
}
