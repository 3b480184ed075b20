//! Requests from the window, all of them passed on to the core.
//!
//! Owns what only a window can do: ask where to save a file, or which file to read.

use std::sync::Arc;

use liftdeck_api::{Answer, AppError, Call, Command};
use liftdeck_app::App;
use serde_json::Value;
use tauri::ipc::{Invoke, InvokeBody, InvokeError, InvokeResponseBody};
use tauri::{AppHandle, Manager, Wry};

use super::dialog;

/// Asks for a file to read. Answers with its path, or null if the operator cancels.
const FILE_PICK: &str = "file_pick";

/// Answers a request from the window; returns `false` if it is none of our commands. The capabilities have already
/// decided whether the window may send it.
pub(super) fn answer(invoke: Invoke<Wry>) -> bool {
    let message = invoke.message;
    let name = message.command().to_owned();
    if name != FILE_PICK && Command::named(&name).is_none() {
        return false;
    }
    let arguments = match message.payload() {
        InvokeBody::Json(arguments) => arguments.clone(),
        InvokeBody::Raw(_) => Value::Null,
    };
    let app = message.webview().app_handle().clone();
    invoke.resolver.respond_async(async move {
        let answered = Box::pin(answered(&app, Call { name, arguments })).await;
        answered.map_err(InvokeError::from)
    });
    true
}

async fn answered(app: &AppHandle, call: Call) -> Result<InvokeResponseBody, AppError> {
    if call.name == FILE_PICK {
        let path = dialog::open(app, "zip").await?;
        return Ok(InvokeResponseBody::Json(
            Value::from(path.map(|path| path.display().to_string())).to_string(),
        ));
    }
    Ok(match app.state::<Arc<App>>().ask(call).await? {
        Answer::Json(text) => InvokeResponseBody::Json(text),
        Answer::Bytes(bytes) => InvokeResponseBody::Raw(bytes),
        // The file is made before the operator is asked where to save it: if that fails, there is nothing to save.
        Answer::File { name, contents } => {
            InvokeResponseBody::Json(Value::from(dialog::save(app, name, &contents).await?).to_string())
        }
    })
}
