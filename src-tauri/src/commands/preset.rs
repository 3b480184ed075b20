//! Presets of forms.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::{AppError, ErrorKind};
use crate::wire::preset::{Preset, PresetKind};

/// Names longer than this are no names.
const LONGEST_NAME: usize = 100;

/// All presets of new sessions, by name.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preset_list(deck: State<'_, Deck>) -> Result<Vec<Preset>, AppError> {
    all(&deck).await
}

/// Keeps a preset; one of the same name is replaced.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preset_save(deck: State<'_, Deck>, preset: Preset) -> Result<Vec<Preset>, AppError> {
    let name = preset.name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        let message = format!("A preset has a name of at most {LONGEST_NAME} characters.");
        return Err(AppError::new(ErrorKind::InvalidInput, message));
    }
    let kept = liftdeck_store::Preset {
        name: name.to_owned(),
        kind: PresetKind::NewSession.name().to_owned(),
        body: preset.body,
    };
    deck.flight()?.writer().await?.put_preset(kept).await?;
    all(&deck).await
}

/// Forgets a preset.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preset_delete(deck: State<'_, Deck>, name: String) -> Result<Vec<Preset>, AppError> {
    let writer = deck.flight()?.writer().await?;
    writer.delete_preset(PresetKind::NewSession.name(), &name).await?;
    all(&deck).await
}

async fn all(deck: &Deck) -> Result<Vec<Preset>, AppError> {
    let kept = deck.flight()?.reader.presets(PresetKind::NewSession.name()).await?;
    let preset = |preset: liftdeck_store::Preset| Preset {
        name: preset.name,
        kind: PresetKind::NewSession,
        body: preset.body,
    };
    Ok(kept.into_iter().map(preset).collect())
}
