//! Placements.

use liftdeck_model::PlacementId;
use liftdeck_model::placement::PlacementEventType;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::placement::{PlacementRequest, PlacementSplit};

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_api::placement::{
    PlacementDetail, PlacementGroup, PlacementGroups, PlacementPage, PlacementQuery, PlacementScope,
};

pub(crate) async fn placement_list(app: &App, query: PlacementQuery) -> Result<PlacementPage, AppError> {
    let open = app.connection()?;
    let range = query.range;
    let request = PlacementRequest {
        scope: query.scope.into(),
        event_types: query.types.iter().map(|name| PlacementEventType::from(name.as_str())).collect(),
        text: query.text,
        range,
        page: query.page,
    };
    let window = open.reader.placements(&request).await?;
    let statistics = open.reader.placement_statistics_of(&request.scope, range).await?;
    Ok(PlacementPage {
        rows: window.rows,
        total: window.total,
        total_is_exact: window.total_is_exact,
        statistics,
        freshness: open.feed_freshness(),
    })
}

pub(crate) async fn placement_split(
    app: &App,
    scope: PlacementScope,
    split: PlacementSplit,
    range: TimeRange,
) -> Result<PlacementGroups, AppError> {
    let open = app.connection()?;
    let found = open.reader.placement_split(&scope.into(), range, split).await?;
    let groups =
        found.into_iter().map(|(group, statistics)| PlacementGroup::new(group, statistics)).collect();
    Ok(PlacementGroups { groups, freshness: open.feed_freshness() })
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
