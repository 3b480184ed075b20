//! Series of numbers, as raw bytes.

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_api::series::Columns;
use liftdeck_insight::answer::metric::{MetricList, metric_list as list};
use liftdeck_insight::usual::chart::usual_series;
use liftdeck_store::reader::series::{MetricsOf, MetricsRequest, SeriesRequest};

pub(crate) async fn series_read(app: &App, request: SeriesRequest) -> Result<Columns, AppError> {
    let table = app.connection()?.reader.series_with_bands(&request).await?;
    Ok(Columns::from(&table))
}

pub(crate) async fn usual_read(app: &App, request: SeriesRequest) -> Result<Columns, AppError> {
    let open = app.connection()?;
    let usual = usual_series(&open.reader, &open.past, &request, app.now());
    Ok(Columns::from(&Box::pin(usual).await?))
}

pub(crate) async fn metric_list(app: &App, of: MetricsOf) -> Result<MetricList, AppError> {
    Ok(list(&app.connection()?.reader, &of, app.now()).await?)
}

pub(crate) async fn metric_read(app: &App, request: MetricsRequest) -> Result<Columns, AppError> {
    let table = app.connection()?.reader.listed_values(&request).await?;
    Ok(Columns::from(&table))
}
