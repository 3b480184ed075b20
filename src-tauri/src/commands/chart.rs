//! Charts saved as files.

use liftdeck_charts::{Format, Subject, Theme, csv, draw};
use liftdeck_model::FleetId;
use tauri::{AppHandle, State};
use tokio::sync::oneshot;

use crate::home;
use crate::state::Deck;
use crate::wire::error::{AppError, ErrorKind};
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
    let Some(file) = asked(&app, format!("scaling-{fleet}.{extension}"), extension).await? else {
        return Ok(None);
    };
    let path = file.path().display().to_string();
    home::write_whole(file.path(), &bytes).map_err(|error| {
        AppError::new(ErrorKind::Refused, format!("{path} could not be written: {error}."))
            .remedy("Choose a folder you may write to.")
    })?;
    Ok(Some(path))
}

/// Asks where to save, in the system's own dialog; `None` when the operator thinks better of it.
async fn asked(
    app: &AppHandle,
    name: String,
    extension: &'static str,
) -> Result<Option<rfd::FileHandle>, AppError> {
    let (answer, answered) = oneshot::channel();
    let failed =
        |error: &str| AppError::new(ErrorKind::Internal, format!("The save dialog does not open: {error}."));
    // macOS opens dialogs on the main thread only; waiting there would freeze the window.
    app.run_on_main_thread(move || {
        let dialog = rfd::AsyncFileDialog::new().set_file_name(name).add_filter(extension, &[extension]);
        let chosen = dialog.save_file();
        tauri::async_runtime::spawn(async move {
            // Nobody waits any more when the window was closed meanwhile.
            let _ = answer.send(chosen.await);
        });
    })
    .map_err(|error| failed(&error.to_string()))?;
    answered.await.map_err(|error| failed(&error.to_string()))
}
