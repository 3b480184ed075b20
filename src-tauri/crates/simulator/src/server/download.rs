//! Downloads that responses link to: game session logs. Like S3's presigned URLs, they need no signature of their
//! own.

use std::sync::PoisonError;

use hyper::Response;

use super::answer::{Payload, plain};
use crate::cloud::Cloud;
use crate::gamelift::{self, LogRefusal};

/// Answers a request for a log, given the path and query of its link.
pub(super) fn answer(cloud: &Cloud, path: &str, query: &str) -> Response<Payload> {
    let now_ms = cloud.now_ms();
    let world = cloud.world.read().unwrap_or_else(PoisonError::into_inner);
    match gamelift::read_log(&world, &cloud.tokens, path, query, now_ms) {
        Ok(zip) => plain(200, "application/zip", zip),
        Err(LogRefusal::Expired) => refuse(403, "AccessDenied", "Request has expired"),
        Err(LogRefusal::Forged) => {
            let message = "The request signature we calculated does not match the signature you provided.";
            refuse(403, "SignatureDoesNotMatch", message)
        }
        Err(LogRefusal::Gone) => refuse(404, "NoSuchKey", "The specified key does not exist."),
    }
}

fn refuse(status: u16, code: &str, message: &str) -> Response<Payload> {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    );
    plain(status, "application/xml", text)
}
