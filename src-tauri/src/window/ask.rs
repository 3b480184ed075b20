//! Requests from the window, all of them passed on to the core.
//!
//! Owns what only a window can do: ask where to save a file or which file to read, show notifications, be sent to a
//! page from outside.

use std::sync::Arc;

use liftdeck_api::{Answer, AppError, Call, Command};
use liftdeck_app::App;
use serde_json::{Value, json};
use tauri::ipc::{Invoke, InvokeBody, InvokeError, InvokeResponseBody};
use tauri::{AppHandle, Manager, Wry};

use super::dialog;
use super::notify::Notifications;
use super::place::Waiting;

/// Asks for a file to read. Answers with its path, or null if the operator cancels.
const FILE_PICK: &str = "file_pick";
/// Takes the page that a notification, the tray or a link leads to. Answers null if none waits.
const PLACE_TAKE: &str = "place_take";
/// Shows a notification that says that nothing is wrong.
const NOTIFICATION_TEST: &str = "notification_test";
/// Why the last notification could not be shown. Answers null if it was.
const NOTIFICATION_TROUBLE: &str = "notification_trouble";
/// Everything that only a window does.
const OWN: [&str; 4] = [FILE_PICK, PLACE_TAKE, NOTIFICATION_TEST, NOTIFICATION_TROUBLE];

/// Answers a request from the window; returns `false` if it is none of our commands. The capabilities have already
/// decided whether the window may send it.
pub(super) fn answer(invoke: Invoke<Wry>) -> bool {
    let message = invoke.message;
    let name = message.command().to_owned();
    if !OWN.contains(&name.as_str()) && Command::named(&name).is_none() {
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
    let json = |value: Value| Ok(InvokeResponseBody::Json(value.to_string()));
    match call.name.as_str() {
        FILE_PICK => {
            let path = dialog::open(app, "zip").await?;
            return json(path.map(|path| path.display().to_string()).into());
        }
        PLACE_TAKE => return json(json!(app.state::<Waiting>().take())),
        NOTIFICATION_TEST => {
            app.state::<Notifications>().test().await?;
            return json(Value::Null);
        }
        NOTIFICATION_TROUBLE => return json(app.state::<Notifications>().trouble().into()),
        _ => {}
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
