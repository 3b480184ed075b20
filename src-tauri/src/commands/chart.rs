//! Charts saved as files.

use liftdeck_charts::{Format, Subject, Theme, csv, draw};
use liftdeck_model::FleetId;
use tauri::{AppHandle, State};

use crate::dialog;
use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::series::{ChartFormat, ChartSave, ChartTheme};

/// Writes the chart where the operator says; resolves with the path, null when cancelled.
#[tauri::command]
#[specta::specta]
pub(crate) async fn chart_save(
    app: AppHandle,
    deck: State<'_, Deck>,
    request: ChartSave,
) -> Result<Option<String>, AppError> {
    let flight = deck.flight()?;
    let now = (deck.clock)();
    let fleet = FleetId::new(request.fleet_id);
    let (subject, range) = (Subject::Scaling(&fleet), request.range.time_range());
    let theme = match request.theme {
        ChartTheme::Light => Theme::Light,
        ChartTheme::Dark => Theme::Dark,
    };
    // Drawn before anybody is asked where to put it: a chart that cannot be drawn needs no place.
    let (bytes, extension) = match request.format {
        ChartFormat::Png => (draw(&flight.reader, subject, range, now, Format::Png, theme).await?, "png"),
        ChartFormat::Svg => (draw(&flight.reader, subject, range, now, Format::Svg, theme).await?, "svg"),
        ChartFormat::Csv => (csv(&flight.reader, subject, range, now).await?, "csv"),
    };
    dialog::save(&app, format!("scaling-{fleet}.{extension}"), extension, &bytes).await
}
