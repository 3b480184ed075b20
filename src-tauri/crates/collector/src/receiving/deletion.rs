//! Deletion of what is kept: the last step of a receive, and the only one that cannot be taken back.
//!
//! Owns which handles are tried again. Deliberately decides nothing about what may be deleted: only what was stored comes
//! here.

use std::collections::BTreeMap;

use liftdeck_gateway::{AdoptedFeed, ErrorKind, HandleFailure};

use super::Receiving;
use crate::trouble::Trouble;

/// Deletions kept for another try. Others are given up for this delivery: the message comes again with a newer handle.
const DELETIONS_KEPT: usize = 100;

impl Receiving {
    /// Deletes what is durable, and what could not be deleted before. A handle AWS will never take is dropped: its message
    /// comes again with another.
    pub(super) async fn delete(&mut self, feed: &AdoptedFeed) -> Result<(), Trouble> {
        if self.undeleted.is_empty() {
            return Ok(());
        }
        let handles: Vec<String> = self.undeleted.values().cloned().collect();
        let failures = match feed.delete_batch(&handles).await {
            Ok(failures) => failures,
            Err(error) => {
                if error.kind == ErrorKind::Invalid {
                    self.undeleted.clear();
                }
                return Err(error.into());
            }
        };
        if let Some(first) = failures.first() {
            tracing::warn!(
                queue = %self.queue.url, count = failures.len(), code = %first.code,
                "Some messages were not deleted; they are deleted when they come again."
            );
        }
        for message_id in settle(&mut self.undeleted, &failures) {
            self.others.gone(&message_id);
        }
        Ok(())
    }

    /// Forgets the deletions that are too many to be tried again.
    pub(super) fn forget_deletions(&mut self) {
        while self.undeleted.len() > DELETIONS_KEPT {
            self.undeleted.pop_first();
        }
    }
}

/// Keeps the handles that are worth another try; answers with the messages that are deleted.
fn settle(undeleted: &mut BTreeMap<String, String>, failures: &[HandleFailure]) -> Vec<String> {
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
        let deleted = settle(&mut undeleted, &[failure("rh-a", true), failure("rh-b", false)]);
        assert_eq!(deleted, ["c"]);
        assert_eq!(undeleted.keys().collect::<Vec<_>>(), ["b"]);
        // The message comes again, with a newer handle: that one is used from then on.
        undeleted.insert("b".to_owned(), "rh-newer".to_owned());
        assert_eq!(settle(&mut undeleted, &[failure("rh-b", true)]), ["b"]);
    }
}
