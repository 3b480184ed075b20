//! Placements.

use liftdeck_insight::answer::placement::{
    PlacementDetail, PlacementGroups, PlacementPage, placement_groups, placements,
};
use liftdeck_insight::difference::{Differences, placement_differences};
use liftdeck_model::PlacementId;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::placement::{PlacementRequest, PlacementScope, PlacementSplit};

use crate::app::App;
use liftdeck_api::error::AppError;

pub(crate) async fn placement_list(app: &App, query: PlacementRequest) -> Result<PlacementPage, AppError> {
    let open = app.connection()?;
    Ok(placements(&open.reader, &query, open.feed_freshness()).await?)
}

pub(crate) async fn placement_split(
    app: &App,
    scope: PlacementScope,
    split: PlacementSplit,
    range: TimeRange,
) -> Result<PlacementGroups, AppError> {
    let open = app.connection()?;
    Ok(placement_groups(&open.reader, &scope, split, range, open.feed_freshness()).await?)
}

pub(crate) async fn placement_difference(
    app: &App,
    scope: PlacementScope,
    range: TimeRange,
    span: Option<TimeRange>,
) -> Result<Differences, AppError> {
    let open = app.connection()?;
    Ok(placement_differences(&open.reader, &scope, range, span, open.feed_freshness()).await?)
}

pub(crate) async fn placement_get(app: &App, id: PlacementId) -> Result<PlacementDetail, AppError> {
    let (open, now) = (app.connection()?, app.now());
    let story = open.reader.placement(&id, now).await?;
    let unknown = || AppError::not_found("placement", id.as_str());
    let asked = async { Ok::<_, AppError>(Box::pin(open.guard()?.placement_now(&id)).await?) };
    match (story, asked.await) {
        (None, Err(_)) if open.only_looks() => Err(unknown()),
        (None, Err(error)) => Err(error),
        (story, asked) => PlacementDetail::new(story, asked.ok().flatten(), now).ok_or_else(unknown),
    }
}
