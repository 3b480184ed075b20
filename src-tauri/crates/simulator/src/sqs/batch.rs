//! Batches: the rules for their entries, and the result of each.

use std::collections::BTreeSet;

use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place, structure};

/// A batch entry that failed.
struct Failure {
    id: String,
    error: ServiceError,
}

structure!(Failure, failure, {
    "Id" => failure.id,
    "SenderFault" => true,
    "Code" => failure.error.code.as_ref(),
    "Message" => failure.error.message,
});

/// A batch entry that succeeded.
struct Success(String);

structure!(Success, success, { "Id" => success.0 });

/// Checks the rules of every batch: 1 to 10 entries with well-formed and distinct ids.
pub(super) fn check<'a>(ids: impl Iterator<Item = &'a str>) -> Result<(), ServiceError> {
    let ids: Vec<&str> = ids.collect();
    let refuse =
        |code, query_code, message: String| Err(ServiceError::new(code, message).with_query_code(query_code));
    if ids.is_empty() {
        return refuse(
            "EmptyBatchRequest",
            "AWS.SimpleQueueService.EmptyBatchRequest",
            "There should be at least one entry in the request.".to_owned(),
        );
    }
    if ids.len() > 10 {
        let message = format!("Maximum number of entries per request are 10. You have sent {}.", ids.len());
        return refuse(
            "TooManyEntriesInBatchRequest",
            "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
            message,
        );
    }
    let well_formed = |id: &str| {
        (1..=80).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    if let Some(id) = ids.iter().find(|id| !well_formed(id)) {
        let message = format!(
            "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long: {id}"
        );
        return refuse("InvalidBatchEntryId", "AWS.SimpleQueueService.InvalidBatchEntryId", message);
    }
    let mut seen = BTreeSet::new();
    if let Some(id) = ids.iter().find(|id| !seen.insert(**id)) {
        let message = format!("Id {id} repeated.");
        return refuse(
            "BatchEntryIdsNotDistinct",
            "AWS.SimpleQueueService.BatchEntryIdsNotDistinct",
            message,
        );
    }
    Ok(())
}

/// Writes the result of each entry.
pub(super) fn write(done: impl Iterator<Item = (String, Result<(), ServiceError>)>, writer: &mut Writer) {
    let (mut successful, mut failed) = (Vec::new(), Vec::new());
    for (id, result) in done {
        match result {
            Ok(()) => successful.push(Success(id)),
            Err(error) => failed.push(Failure { id, error }),
        }
    }
    in_place!({ "Successful" => successful, "Failed" => failed }).write(writer);
}
