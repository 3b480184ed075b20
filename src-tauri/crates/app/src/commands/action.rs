//! Changes: checking, previewing and confirming them. The guard decides; nothing here reaches AWS without it.

use liftdeck_model::action::{Action, Request};
use liftdeck_operations::{Intent, OperationError, Preview, PreviewId};

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_api::operate::{ActionCheck, Confirmed};

pub(crate) async fn action_check(app: &App, action: Action) -> Result<ActionCheck, AppError> {
    let open = app.connection()?;
    let connection = &open.connection;
    let command = action.aws_command(connection.profile.as_deref(), connection.endpoint_url.as_deref());
    Ok(ActionCheck { errors: action.request.check(), command })
}

pub(crate) async fn action_preview(app: &App, intent: Intent) -> Result<Preview, AppError> {
    for path in files_of(&intent) {
        app.permit_file(path.as_ref())?;
    }
    let guard = app.connection()?.guard()?;
    Ok(Box::pin(guard.preview(intent)).await?)
}

/// The files whose content the changes would upload.
fn files_of(intent: &Intent) -> impl Iterator<Item = &str> {
    let actions = match intent {
        Intent::Actions(actions) => actions.as_slice(),
        Intent::Drain(plan) => plan.routes.as_slice(),
        Intent::Undo(_) | Intent::Resume(_) => &[],
    };
    actions.iter().filter_map(|action| match &action.request {
        Request::UpdateScript(update) => update.zip_file.as_ref().map(|zip| zip.path.as_str()),
        _ => None,
    })
}

pub(crate) async fn action_confirm(
    app: &App,
    id: PreviewId,
    typed: Option<String>,
) -> Result<Confirmed, AppError> {
    let guard = app.connection()?.guard()?;
    match Box::pin(guard.confirm(&id, typed.as_deref())).await {
        Ok(receipt) => Ok(Confirmed::Sent { receipt: receipt.into() }),
        Err(OperationError::Moved { what, preview }) => Ok(Confirmed::Moved { what, preview }),
        Err(error) => Err(error.into()),
    }
}
