//! Charts saved as files.

use liftdeck_charts::{Format, Subject, csv, draw};

use crate::app::App;
use liftdeck_api::File;
use liftdeck_api::error::AppError;
use liftdeck_api::series::{ChartFormat, ChartSave};

pub(crate) async fn chart_save(app: &App, request: ChartSave) -> Result<File, AppError> {
    let open = app.connection()?;
    let now = app.now();
    let ChartSave { fleet_id: fleet, range, theme, .. } = request;
    let subject = Subject::Scaling(&fleet);
    let (contents, extension) = match request.format {
        ChartFormat::Png => (draw(&open.reader, subject, range, now, Format::Png, theme).await?, "png"),
        ChartFormat::Svg => (draw(&open.reader, subject, range, now, Format::Svg, theme).await?, "svg"),
        ChartFormat::Csv => (csv(&open.reader, subject, range, now).await?, "csv"),
    };
    Ok(File { name: format!("scaling-{fleet}.{extension}"), contents })
}
