//! Series of numbers, as raw bytes.

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_api::series::Columns;
use liftdeck_insight::usual::chart::usual_series;
use liftdeck_store::reader::series::SeriesRequest;

pub(crate) async fn series_read(app: &App, request: SeriesRequest) -> Result<Columns, AppError> {
    let table = app.connection()?.reader.series_with_bands(&request).await?;
    Ok(Columns::from(&table))
}

pub(crate) async fn usual_read(app: &App, request: SeriesRequest) -> Result<Columns, AppError> {
    let open = app.connection()?;
    let usual = usual_series(&open.reader, &open.past, &request, app.now());
    Ok(Columns::from(&Box::pin(usual).await?))
}
