//! Uploads from a browser: the zip of a script, kept on this computer until the server ends.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{self, State};
use axum::response::{IntoResponse, Response};
use liftdeck_api::{AppError, ErrorKind};
use liftdeck_model::action::MOST_ZIP_BYTES;
use liftdeck_model::visible::file_name;

use super::Served;
use super::answer::error_of;

/// The largest upload, in bytes: more than AWS takes, so that a file that is too large gets the same message as in
/// the window.
const LONGEST: usize = 2 * MOST_ZIP_BYTES as usize;

/// Saves the file and answers with its path on this computer.
pub(super) async fn take(
    State(served): State<Arc<Served>>,
    extract::Path(name): extract::Path<String>,
    body: Body,
) -> Response {
    match kept(served.uploads.path(), &name, body).await {
        Ok(path) => Json(path).into_response(),
        Err(error) => error_of(&error),
    }
}

async fn kept(uploads: &Path, name: &str, body: Body) -> Result<String, AppError> {
    let bytes = to_bytes(body, LONGEST).await.map_err(|_| {
        AppError::new(
            ErrorKind::InvalidInput,
            format!("{name} did not arrive in full, or is larger than {LONGEST} bytes."),
        )
        .remedy(format!("AWS takes at most {MOST_ZIP_BYTES} bytes. Leave out what the script does not need."))
    })?;
    let failed = |error: std::io::Error| {
        AppError::new(ErrorKind::Refused, format!("{name} could not be saved: {error}."))
            .remedy("Free some space on the computer Liftdeck runs on.")
    };
    // Each upload gets its own folder, so that two files of one name stay two files.
    let folder = tempfile::Builder::new().prefix("").tempdir_in(uploads).map_err(failed)?.keep();
    let path = folder.join(file_name(name));
    tokio::fs::write(&path, bytes).await.map_err(failed)?;
    Ok(path.display().to_string())
}
