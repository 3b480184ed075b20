//! One pass over a queue, until there is nothing left to receive.
//!
//! Owns when such a pass ends. Storing and deleting work as in continuous receiving.

use std::time::Duration;

use liftdeck_gateway::AdoptedFeed;
use liftdeck_store::Written;
use tokio_util::sync::CancellationToken;

use super::Receiving;
use super::claim::Claim;
use crate::health::FeedState;
use crate::trouble::Trouble;

/// Wait of one receive while draining. Not zero, because long polling asks every server of the queue and short
/// polling does not.
const DRAIN_WAIT: Duration = Duration::from_secs(1);
/// Failed receives in a row after which a drain is given up.
const DRAIN_FAILURES: u32 = 3;

impl Receiving {
    /// Receives until the queue is empty or `stop` is cancelled. Returns the rows written by kind, and the failure
    /// that broke it off, if any. What was stored before stays stored.
    pub(crate) async fn drain(mut self, stop: CancellationToken) -> (Written, Option<Trouble>) {
        let outcome = tokio::select! {
            () = stop.cancelled() => Ok(None),
            claimed = self.claim() => claimed.map(|claim| match claim {
                Claim::Ours(feed) => Some(feed),
                Claim::NotOurs => None,
            }),
        };
        let trouble = match outcome {
            Ok(None) => None,
            Ok(Some(feed)) => {
                let outcome = self.empty(&feed, &stop).await;
                self.show_left(&feed).await;
                outcome.err()
            }
            Err(trouble) => Some(trouble),
        };
        if let Some(trouble) = &trouble {
            self.fail(trouble).await;
        }
        (self.written, trouble)
    }

    async fn empty(&mut self, feed: &AdoptedFeed, stop: &CancellationToken) -> Result<(), Trouble> {
        let mut failures = 0;
        loop {
            let begun = (self.clock)();
            let received = tokio::select! {
                () = stop.cancelled() => return Ok(()),
                received = self.receive(feed, DRAIN_WAIT) => received,
            };
            let received = match received {
                Ok(received) => received,
                Err(error) if error.retryable() && failures < DRAIN_FAILURES => {
                    failures += 1;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            failures = 0;
            // When only messages left alone are delivered again, there is nothing left to receive.
            let is_end = received.messages.iter().all(|message| self.left.contains_key(&message.message_id));
            if self.take(feed, received, begun).await? == FeedState::Halted || is_end {
                return Ok(());
            }
        }
    }
}
