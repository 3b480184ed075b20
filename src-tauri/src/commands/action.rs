//! Changes: checked, previewed, confirmed. The guard decides; nothing here reaches AWS past it.

use liftdeck_model::action::Action;
use liftdeck_operations::{OperationError, PreviewId};
use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::operate::{ActionCheck, Confirmed, Intent, Preview};

/// Whether a change has the form AWS asks for; nothing is asked of anybody.
#[tauri::command]
#[specta::specta]
pub(crate) async fn action_check(deck: State<'_, Deck>, action: Action) -> Result<ActionCheck, AppError> {
    let flight = deck.flight()?;
    let connection = &flight.connection;
    let command = action.aws_command(connection.profile.as_deref(), connection.endpoint_url.as_deref());
    Ok(ActionCheck { errors: action.request.check(), command })
}

/// What would happen; sends no change, and works while read-only.
#[tauri::command]
#[specta::specta]
pub(crate) async fn action_preview(deck: State<'_, Deck>, intent: Intent) -> Result<Preview, AppError> {
    let guard = deck.flight()?.guard()?;
    Ok(Box::pin(guard.preview(intent.into())).await?.into())
}

/// Does what a preview says, exactly that or nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn action_confirm(
    deck: State<'_, Deck>,
    preview_id: String,
    typed: Option<String>,
) -> Result<Confirmed, AppError> {
    let guard = deck.flight()?.guard()?;
    match Box::pin(guard.confirm(&PreviewId::new(preview_id), typed.as_deref())).await {
        Ok(receipt) => Ok(Confirmed::Sent { receipt: receipt.into() }),
        Err(OperationError::Moved { what, preview }) => {
            Ok(Confirmed::Moved { what, preview: Box::new((*preview).into()) })
        }
        Err(error) => Err(error.into()),
    }
}
