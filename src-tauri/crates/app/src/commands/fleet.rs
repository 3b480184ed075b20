//! Fleets.

use liftdeck_insight::FleetScaling;
use liftdeck_insight::answer::fleet::{self, FleetDetail, FleetEventRow, FleetList, InstanceList};
use liftdeck_model::FleetId;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::window::{Listed, Page};

use crate::app::App;
use liftdeck_api::error::AppError;

pub(crate) async fn fleet_list(app: &App, range: TimeRange) -> Result<FleetList, AppError> {
    Ok(fleet::fleet_list(&app.connection()?.reader, range, app.now()).await?)
}

pub(crate) async fn fleet_get(app: &App, fleet_id: FleetId) -> Result<FleetDetail, AppError> {
    let detail = fleet::fleet_detail(&app.connection()?.reader, &fleet_id, app.now()).await?;
    detail.ok_or_else(|| AppError::not_found("fleet", fleet_id.as_str()))
}

pub(crate) async fn fleet_instances(app: &App, fleet_id: FleetId) -> Result<InstanceList, AppError> {
    Ok(fleet::instances(&app.connection()?.reader, &fleet_id, app.now()).await?)
}

pub(crate) async fn fleet_events(
    app: &App,
    fleet_id: FleetId,
    range: Option<TimeRange>,
    page: Page,
) -> Result<Listed<FleetEventRow>, AppError> {
    Ok(fleet::fleet_events(&app.connection()?.reader, &fleet_id, range, page, app.now()).await?)
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
