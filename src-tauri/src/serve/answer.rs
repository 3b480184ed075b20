//! Passes a request of the pages to the core, and returns the answer.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use liftdeck_api::{Answer, AppError, Call, ErrorKind};
use liftdeck_model::visible::file_name;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::Served;

/// Answers with JSON, bytes, or a file for the browser to save. An error is an `AppError` with status 422.
pub(super) async fn ask(
    State(served): State<Arc<Served>>,
    Path(name): Path<String>,
    body: Bytes,
) -> Response {
    match answered(&served, name, &body).await {
        Ok(answer) => answer,
        Err(error) => error_of(&error),
    }
}

async fn answered(served: &Served, name: String, body: &[u8]) -> Result<Response, AppError> {
    let arguments = if body.is_empty() {
        Value::Null
    } else {
        serde_json::from_slice(body).map_err(|error| {
            AppError::new(ErrorKind::InvalidInput, format!("The question is not JSON: {error}."))
        })?
    };
    Ok(match Box::pin(served.app.ask(Call { name, arguments })).await? {
        Answer::Json(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Answer::Bytes(bytes) => ([(CONTENT_TYPE, "application/octet-stream")], bytes).into_response(),
        Answer::File { name, contents } => {
            let name = file_name(&name);
            let name = utf8_percent_encode(&name, NON_ALPHANUMERIC);
            let headers = [
                (CONTENT_TYPE, "application/octet-stream".to_owned()),
                (CONTENT_DISPOSITION, format!("attachment; filename*=UTF-8''{name}")),
            ];
            (headers, contents).into_response()
        }
    })
}

/// Formats an error as the pages expect it.
pub(super) fn error_of(error: &AppError) -> Response {
    match serde_json::to_string(error) {
        Ok(text) => {
            (StatusCode::UNPROCESSABLE_ENTITY, [(CONTENT_TYPE, "application/json")], text).into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
