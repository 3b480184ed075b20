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

/// The content security policy of the window without its IPC; no other page may frame this one.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const UNKNOWN: &str = "application/octet-stream";

/// Serves a file of the pages; `/` is the first page.
pub(super) async fn page(uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let Some(file) = unpacked(path) else { return StatusCode::NOT_FOUND.into_response() };
    // The other files have a hash of their content in their names.
    let kept = if path == "index.html" { "no-store" } else { "max-age=31536000, immutable" };
    let headers = [
        (CONTENT_TYPE, content_type(path)),
        (CACHE_CONTROL, kept),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
    ];
    (headers.map(|(name, value)| (name, value.to_owned())), file).into_response()
}

/// Knows the types of files that a build of the pages produces. A library's table of all types takes 150 kB.
fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("woff2") => "font/woff2",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => UNKNOWN,
    }
}

fn unpacked(path: &str) -> Option<Vec<u8>> {
    let mut pages = ZipArchive::new(Cursor::new(PAGES)).ok()?;
    let mut file = Vec::new();
    pages.by_name(path).ok()?.read_to_end(&mut file).ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_every_file_of_the_pages_is_known() {
        let pages = ZipArchive::new(Cursor::new(PAGES)).unwrap();
        let names: Vec<_> = pages.file_names().map(Result::unwrap).collect();
        let unknown: Vec<_> = names.iter().filter(|name| content_type(name) == UNKNOWN).collect();
        assert!(names.len() > 50 && unknown.is_empty(), "{unknown:?}");
    }
}
