//! Presets of forms.

use crate::app::App;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_store::{Preset, PresetKind};

/// The longest name allowed.
const LONGEST_NAME: usize = 100;

pub(crate) async fn preset_list(app: &App) -> Result<Vec<Preset>, AppError> {
    Ok(app.connection()?.reader.presets(PresetKind::NewSession).await?)
}

pub(crate) async fn preset_save(app: &App, preset: Preset) -> Result<Vec<Preset>, AppError> {
    let name = preset.name.trim().to_owned();
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        let message = format!("A preset needs a name of at most {LONGEST_NAME} characters.");
        return Err(AppError::new(ErrorKind::InvalidInput, message));
    }
    app.connection()?.writer().await?.put_preset(Preset { name, ..preset }).await?;
    preset_list(app).await
}

pub(crate) async fn preset_delete(app: &App, name: String) -> Result<Vec<Preset>, AppError> {
    app.connection()?.writer().await?.delete_preset(PresetKind::NewSession, &name).await?;
    preset_list(app).await
}
