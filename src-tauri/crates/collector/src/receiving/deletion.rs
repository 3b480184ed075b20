//! Deletion of stored messages: the last step of a receive, and the only one that cannot be undone.
//!
//! Owns which handles are tried again. Deliberately does not decide what may be deleted: only stored messages get
//! here.

use std::collections::BTreeMap;

use liftdeck_gateway::{AdoptedFeed, ErrorKind, HandleFailure};

use super::Receiving;
use crate::trouble::Trouble;

/// Maximum number of deletions kept for a retry. Others are given up: the message is delivered again with a newer
/// handle.
pub(super) const DELETIONS_KEPT: usize = 100;

impl Receiving {
    /// Deletes stored messages, including those whose deletion failed before. A handle that AWS will never accept is
    /// dropped: its message is delivered again with another.
    pub(super) async fn delete(&mut self, feed: &AdoptedFeed) -> Result<(), Trouble> {
        if self.undeleted.is_empty() {
            return Ok(());
        }
        let handles: Vec<String> = self.undeleted.values().cloned().collect();
        let outcome = feed.delete_batch(&handles).await;
        let told = outcome.as_ref().map(Vec::as_slice).map_err(|error| error.kind);
        for message_id in settle(&mut self.undeleted, told) {
            self.others.gone(&message_id);
        }
        let failures = outcome?;
        if let Some(first) = failures.first() {
            tracing::warn!(
                queue = %self.queue.url, count = failures.len(), code = %first.code,
                "Some messages were not deleted; they are deleted when they come again."
            );
        }
        Ok(())
    }
}

/// Drops handles until at most `most` are left.
pub(super) fn bound(handles: &mut BTreeMap<String, String>, most: usize) {
    while handles.len() > most {
        handles.pop_first();
    }
}

/// Keeps the handles that are worth a retry and returns the ids of the deleted messages.
fn settle(
    undeleted: &mut BTreeMap<String, String>,
    outcome: Result<&[HandleFailure], ErrorKind>,
) -> Vec<String> {
    let failures = match outcome {
        Ok(failures) => failures,
        Err(ErrorKind::Invalid) => {
            undeleted.clear();
            return Vec::new();
        }
        Err(_) => return Vec::new(),
    };
    let mut deleted = Vec::new();
    undeleted.retain(|message_id, handle| {
        match failures.iter().find(|failure| failure.receipt_handle == *handle) {
            Some(failure) => !failure.is_final,
            None => {
                deleted.push(message_id.clone());
                false
            }
        }
    });
    deleted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_refused_for_good_is_dropped_and_another_is_tried_again() {
        let failure = |handle: &str, is_final| HandleFailure {
            receipt_handle: handle.to_owned(),
            code: "code".to_owned(),
            message: String::new(),
            is_final,
        };
        let mut undeleted: BTreeMap<String, String> = [("a", "rh-a"), ("b", "rh-b"), ("c", "rh-c")]
            .map(|(message_id, handle)| (message_id.to_owned(), handle.to_owned()))
            .into();
        let deleted = settle(&mut undeleted, Ok(&[failure("rh-a", true), failure("rh-b", false)]));
        assert_eq!(deleted, ["c"]);
        assert_eq!(undeleted.keys().collect::<Vec<_>>(), ["b"]);
        // The message is delivered again with a newer handle, which is used from then on.
        undeleted.insert("b".to_owned(), "rh-newer".to_owned());
        assert_eq!(settle(&mut undeleted, Ok(&[failure("rh-b", true)])), ["b"]);
    }
    #[test]
    fn an_answer_that_failed_deletes_nothing_and_only_a_request_never_taken_ends_the_tries() {
        let mut undeleted: BTreeMap<String, String> = [("a".to_owned(), "rh-a".to_owned())].into();
        assert_eq!(settle(&mut undeleted, Err(ErrorKind::Unreachable)), Vec::<String>::new());
        assert_eq!(undeleted.len(), 1);
        assert_eq!(settle(&mut undeleted, Err(ErrorKind::Invalid)), Vec::<String>::new());
        assert!(undeleted.is_empty());
    }

    #[test]
    fn no_more_handles_are_kept_than_there_is_room_for() {
        let mut handles: BTreeMap<String, String> =
            ["a", "b", "c"].map(|message_id| (message_id.to_owned(), String::new())).into();
        bound(&mut handles, 2);
        assert_eq!(handles.keys().collect::<Vec<_>>(), ["b", "c"]);
        bound(&mut handles, 2);
        assert_eq!(handles.len(), 2);
    }
}
