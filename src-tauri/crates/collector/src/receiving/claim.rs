//! Checks whether a queue may be received from: its adoption is recorded, and it is still the same queue.
//!
//! Owns this check and the wait until its result may change. Deliberately receives nothing.

use std::time::Duration;

use liftdeck_gateway::AdoptedFeed;
use tokio::time::Instant;

use super::Receiving;
use crate::health::FeedState;
use crate::trouble::Trouble;

/// How long a claim holds before SQS is asked again whether the queue is still the one that was adopted.
const CLAIM_HOLDS: Duration = Duration::from_secs(60);
/// How often the store is checked for a new adoption.
const ADOPTION_LOOK: Duration = Duration::from_secs(1);

/// Whether a queue may be received from.
pub(super) enum Claim {
    Ours(Box<AdoptedFeed>),
    NotOurs,
}

impl Receiving {
    /// Checks whether this connection has adopted the queue and whether it is still the same queue.
    pub(super) async fn claim(&mut self) -> Result<Claim, Trouble> {
        if self.arn.is_none() {
            let attributes = self.feed.attributes().await?;
            self.health.lock().waiting = Some(attributes.waiting);
            self.arn = attributes.arn;
        }
        let adoption = match &self.arn {
            Some(arn) => self.store.adoption(arn).await?,
            None => None,
        };
        let Some(adoption) = adoption else {
            self.arn = None;
            self.show(FeedState::NotAdopted, None);
            return Ok(Claim::NotOurs);
        };
        if let Some(why) = adoption.halted {
            self.show(FeedState::Halted, Some(why));
            return Ok(Claim::NotOurs);
        }
        let Some(feed) = self.feed.claim(adoption).await? else {
            // The queue was recreated, or its URL now leads elsewhere.
            self.arn = None;
            self.show(FeedState::NotAdopted, None);
            return Ok(Claim::NotOurs);
        };
        let held = self.left.keys().chain(self.undeleted.keys()).count() as u64;
        self.others.in_flight(feed.attributes().in_flight, held, (self.clock)());
        let mut health = self.health.lock();
        health.waiting = Some(feed.attributes().waiting);
        health.other_reader = self.others.found();
        Ok(Claim::Ours(Box::new(feed)))
    }

    /// Waits until the recorded adoptions change or it is time to check the queue again.
    pub(super) async fn until_adopted(&self) -> Result<(), Trouble> {
        let known = self.store.adoptions().await?;
        let begun = Instant::now();
        while still_holds(begun.elapsed()) {
            if self.store.adoptions().await? != known {
                break;
            }
            tokio::time::sleep(ADOPTION_LOOK).await;
        }
        Ok(())
    }
}

/// Whether a result of this age may still be relied on.
pub(super) fn still_holds(age: Duration) -> bool {
    age < CLAIM_HOLDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_of_a_queue_holds_for_a_minute_and_no_longer() {
        let holds = [0, 59, 60, 61].map(|seconds| still_holds(Duration::from_secs(seconds)));
        assert_eq!(holds, [true, true, false, false]);
    }
}
