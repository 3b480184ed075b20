//! The system's own file dialogs, for saving and opening.
//!
//! Owns asking and writing, and ensures that a proposed name leads to no other folder and hides no characters.
//! Deliberately knows nothing about the content of the files.

use std::path::{Path, PathBuf};

use liftdeck_model::visible::file_name;
use tauri::AppHandle;
use tokio::sync::oneshot;

use liftdeck_api::{AppError, ErrorKind};
use liftdeck_app::home;

/// Asks where to save the file and writes it there. Returns its path, or `None` if the operator cancels.
pub(super) async fn save(app: &AppHandle, name: String, contents: &[u8]) -> Result<Option<String>, AppError> {
    let asked = asked(app, move || {
        let name = file_name(&name);
        let extension =
            Path::new(&name).extension().map(|extension| extension.to_string_lossy().into_owned());
        let mut dialog = rfd::AsyncFileDialog::new().set_file_name(&name);
        if let Some(extension) = extension {
            dialog = dialog.add_filter(extension.clone(), &[extension]);
        }
        dialog.save_file()
    });
    let Some(file) = asked.await? else { return Ok(None) };
    let path = file.path().display().to_string();
    home::write_whole(file.path(), contents).map_err(|error| {
        AppError::new(ErrorKind::Refused, format!("{path} could not be written: {error}."))
            .remedy("Choose a folder you may write to.")
    })?;
    Ok(Some(path))
}

/// Asks for a file to read. Returns `None` if the operator cancels.
pub(super) async fn open(app: &AppHandle, extension: &'static str) -> Result<Option<PathBuf>, AppError> {
    let asked =
        asked(app, move || rfd::AsyncFileDialog::new().add_filter(extension, &[extension]).pick_file());
    Ok(asked.await?.map(|file| file.path().to_owned()))
}

async fn asked<F>(
    app: &AppHandle,
    dialog: impl FnOnce() -> F + Send + 'static,
) -> Result<Option<rfd::FileHandle>, AppError>
where
    F: Future<Output = Option<rfd::FileHandle>> + Send + 'static,
{
    let (answer, answered) = oneshot::channel();
    let failed = |error: &str| {
        AppError::new(ErrorKind::Internal, format!("The file dialog could not be opened: {error}."))
    };
    // macOS opens dialogs on the main thread only; waiting there would freeze the window.
    app.run_on_main_thread(move || {
        let chosen = dialog();
        tauri::async_runtime::spawn(async move {
            // Nobody waits for the answer if the window was closed in the meantime.
            let _ = answer.send(chosen.await);
        });
    })
    .map_err(|error| failed(&error.to_string()))?;
    answered.await.map_err(|error| failed(&error.to_string()))
}
