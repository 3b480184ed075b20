//! The pages: the same files that the window shows.

use std::borrow::Cow;

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../ui/dist"]
struct Pages;

/// The window's policy without the window's own way to ask; no other page may frame this one.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// A file of the pages, the first page for `/`.
pub(super) async fn page(uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let Some(file) = Pages::get(path) else { return StatusCode::NOT_FOUND.into_response() };
    // The other files carry a digest of what is in them in their names.
    let kept = if path == "index.html" { "no-store" } else { "max-age=31536000, immutable" };
    let headers = [
        (CONTENT_TYPE, file.metadata.mimetype()),
        (CACHE_CONTROL, kept),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ];
    let body = match file.data {
        Cow::Borrowed(bytes) => bytes.into(),
        Cow::Owned(bytes) => axum::body::Bytes::from(bytes),
    };
    (headers.map(|(name, value)| (name, value.to_owned())), body).into_response()
}
