//! The Overview screen.

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_insight::Overview;
use liftdeck_model::time::TimeRange;

pub(crate) async fn overview_get(app: &App, range: TimeRange) -> Result<Overview, AppError> {
    let open = app.connection()?;
    let overview = liftdeck_insight::overview(&open.reader, &open.past, range, app.now());
    Ok(Box::pin(overview).await?)
}
