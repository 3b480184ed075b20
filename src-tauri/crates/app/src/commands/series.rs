//! Series of numbers, as raw bytes.

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_api::series::Columns;
use liftdeck_store::reader::series::SeriesRequest;

pub(crate) async fn series_read(app: &App, request: SeriesRequest) -> Result<Columns, AppError> {
    let table = app.connection()?.reader.series_with_bands(&request).await?;
    Ok(Columns::from(&table))
}
