//! The pages: the same files that the window shows.

use std::io::{Cursor, Read};

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use zip::ZipArchive;

/// Packed by `build.rs`.
const PAGES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/pages.zip"));

/// The window's policy without the window's own way to ask; no other page may frame this one.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// A file of the pages, the first page for `/`.
pub(super) async fn page(uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let Some(file) = unpacked(path) else { return StatusCode::NOT_FOUND.into_response() };
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    // The other files carry a digest of what is in them in their names.
    let kept = if path == "index.html" { "no-store" } else { "max-age=31536000, immutable" };
    let headers = [
        (CONTENT_TYPE, kind.essence_str()),
        (CACHE_CONTROL, kept),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ];
    (headers.map(|(name, value)| (name, value.to_owned())), file).into_response()
}

fn unpacked(path: &str) -> Option<Vec<u8>> {
    let mut pages = ZipArchive::new(Cursor::new(PAGES)).ok()?;
    let mut file = Vec::new();
    pages.by_name(path).ok()?.read_to_end(&mut file).ok()?;
    Some(file)
}
