//! Presets of forms.

use crate::app::App;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_api::preset::{Preset, PresetKind};

/// The longest name allowed.
const LONGEST_NAME: usize = 100;

pub(crate) async fn preset_list(app: &App) -> Result<Vec<Preset>, AppError> {
    all(app).await
}

pub(crate) async fn preset_save(app: &App, preset: Preset) -> Result<Vec<Preset>, AppError> {
    let name = preset.name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        let message = format!("A preset needs a name of at most {LONGEST_NAME} characters.");
        return Err(AppError::new(ErrorKind::InvalidInput, message));
    }
    let kept = liftdeck_store::Preset {
        name: name.to_owned(),
        kind: PresetKind::NewSession.name().to_owned(),
        body: preset.body,
    };
    app.connection()?.writer().await?.put_preset(kept).await?;
    all(app).await
}

pub(crate) async fn preset_delete(app: &App, name: String) -> Result<Vec<Preset>, AppError> {
    let writer = app.connection()?.writer().await?;
    writer.delete_preset(PresetKind::NewSession.name(), &name).await?;
    all(app).await
}

async fn all(app: &App) -> Result<Vec<Preset>, AppError> {
    let kept = app.connection()?.reader.presets(PresetKind::NewSession.name()).await?;
    let preset = |preset: liftdeck_store::Preset| Preset {
        name: preset.name,
        kind: PresetKind::NewSession,
        body: preset.body,
    };
    Ok(kept.into_iter().map(preset).collect())
}
