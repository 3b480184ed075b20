//! The event feed: receives from an adopted queue, stores, and only then deletes.
//!
//! Owns the order that loses nothing: a message is deleted only after the commit that made it durable. After a crash
//! in between it is delivered again, and the store recognises it. Also owns what is left alone: nothing is received
//! from a queue that is not adopted, and foreign messages go back into the queue. Deliberately does not read bodies:
//! `feed` does.

mod claim;
mod deletion;
mod drain;
mod sorting;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use liftdeck_gateway::{AdoptedFeed, EventFeed, EventQueue, FeedMessage, GatewayError};
use liftdeck_model::observation::{Batch, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::{Region, Timestamp};
use liftdeck_store::{Applied, Reader as Store, StoreError, Writer, Written};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::claim::{Claim, still_holds};
use self::deletion::{DELETIONS_KEPT, bound};
use self::sorting::{Sorted, sort};
use crate::health::{FeedHealth, FeedState};
use crate::options::{Clock, CollectorOptions};
use crate::others::Others;
use crate::poll::Tools;
use crate::trouble::Trouble;

const MESSAGES_A_RECEIVE: u32 = 10;
/// The longest poll SQS allows.
const WAIT: Duration = Duration::from_secs(20);
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How long a foreign message stays hidden when it is given back, at first and at most; each delivery to us doubles
/// it. Without a pause the same messages would come again and again, and a longer one would keep them from their
/// readers.
const LEFT_FIRST: Duration = Duration::from_secs(60);
const LEFT_LONGEST: Duration = Duration::from_secs(15 * 60);
/// Maximum number of messages left alone that are made visible at once when receiving ends.
const LEFT_KEPT: usize = 1_000;

/// The messages of one receive.
struct Received {
    messages: Vec<FeedMessage>,
    /// How often each message was delivered to another reader, as far as that is known.
    elsewhere: Vec<u64>,
}

/// One queue being received from.
pub(crate) struct Receiving {
    feed: EventFeed,
    queue: EventQueue,
    /// Regions of the connection.
    regions: BTreeSet<Region>,
    store: Store,
    writer: Writer,
    clock: Clock,
    visibility: Duration,
    health: Arc<Mutex<FeedHealth>>,
    written: Written,
    /// ARN last reported by SQS.
    arn: Option<String>,
    /// Messages received while nothing could be written. No more are received until these are stored, because each
    /// delivery counts towards a dead-letter rule.
    unstored: Option<Received>,
    /// Messages stored but not deleted: newest receipt handle by message id.
    undeleted: BTreeMap<String, String>,
    /// Messages given back and still hidden: newest receipt handle by message id.
    left: BTreeMap<String, String>,
    others: Others,
    pause: Duration,
}

impl Receiving {
    pub(crate) fn new(feed: EventFeed, queue: EventQueue, tools: &Tools, options: &CollectorOptions) -> Self {
        let health = FeedHealth::starting(queue.region.clone(), queue.url.clone());
        Self {
            feed,
            queue,
            regions: options.regions.iter().cloned().collect(),
            store: tools.store.clone(),
            writer: tools.writer.clone(),
            clock: tools.clock.clone(),
            visibility: options.feed_visibility,
            health: Arc::new(Mutex::new(health)),
            written: Written::new(),
            arn: None,
            unstored: None,
            undeleted: BTreeMap::new(),
            left: BTreeMap::new(),
            others: Others::new(),
            pause: FIRST_PAUSE,
        }
    }

    /// The health of the feed, always current.
    pub(crate) fn health(&self) -> Arc<Mutex<FeedHealth>> {
        Arc::clone(&self.health)
    }

    /// Receives until stopped. Errors pause only this queue, for longer each time up to a minute; `hurry` ends a
    /// pause.
    pub(crate) async fn run(&mut self, stop: CancellationToken, mut hurry: watch::Receiver<u64>) {
        loop {
            let claimed = tokio::select! {
                () = stop.cancelled() => return,
                claimed = self.claim() => claimed,
            };
            let outcome = match claimed {
                Ok(Claim::Ours(feed)) => self.receive_under(&feed, &stop).await,
                Ok(Claim::NotOurs) => {
                    self.pause = FIRST_PAUSE;
                    tokio::select! {
                        () = stop.cancelled() => return,
                        _ = hurry.changed() => Ok(()),
                        outcome = self.until_adopted() => outcome,
                    }
                }
                Err(trouble) => Err(trouble),
            };
            if let Err(trouble) = outcome {
                tracing::warn!(queue = %self.queue.url, error = %trouble, "The event feed pauses.");
                self.fail(&trouble).await;
                tokio::select! {
                    () = stop.cancelled() => return,
                    _ = hurry.changed() => self.pause = FIRST_PAUSE,
                    () = tokio::time::sleep(self.pause) => self.pause = (self.pause * 2).min(LONGEST_PAUSE),
                }
            }
        }
    }

    fn show(&self, state: FeedState, message: Option<String>) {
        let mut health = self.health.lock();
        (health.state, health.message) = (state, message);
    }

    /// Receives as long as the claim holds.
    async fn receive_under(&mut self, feed: &AdoptedFeed, stop: &CancellationToken) -> Result<(), Trouble> {
        let claimed = Instant::now();
        while still_holds(claimed.elapsed()) {
            if self.store.adoption(&feed.adoption().queue_arn).await?.as_ref() != Some(feed.adoption()) {
                self.show_left(feed).await;
                return Ok(());
            }
            let begun = (self.clock)();
            // A stop interrupts only the waiting; messages already received are stored and deleted first.
            let received = tokio::select! {
                () = stop.cancelled() => {
                    self.show_left(feed).await;
                    return Ok(());
                }
                received = self.receive(feed, WAIT) => received,
            };
            if self.take(feed, received?, begun).await? == FeedState::Halted {
                return Ok(());
            }
            self.pause = FIRST_PAUSE;
            self.show(FeedState::Receiving, None);
        }
        Ok(())
    }

    /// Receives messages, or returns those received earlier that could not be stored yet.
    async fn receive(&mut self, feed: &AdoptedFeed, wait: Duration) -> Result<Received, GatewayError> {
        if let Some(unstored) = self.unstored.take() {
            return Ok(unstored);
        }
        let received = feed.receive(MESSAGES_A_RECEIVE, wait, self.visibility).await;
        if received.as_ref().is_err_and(GatewayError::may_have_happened) {
            self.others.lost_answer();
        }
        let messages = received?;
        let adopted_at = feed.adoption().adopted_at;
        let elsewhere = messages.iter().map(|message| self.others.delivered(message, adopted_at)).collect();
        Ok(Received { messages, elsewhere })
    }

    /// Stores messages, then deletes them; those that stay in the queue are given back. Returns the resulting state
    /// of the feed.
    async fn take(
        &mut self,
        feed: &AdoptedFeed,
        received: Received,
        begun: Timestamp,
    ) -> Result<FeedState, Trouble> {
        let left = match self.keep(feed, &received, begun).await {
            Ok(left) => left,
            Err(error) => return Err(self.held(received, error)),
        };
        for message in &received.messages {
            let kept = if left.contains(&message.message_id) { &mut self.left } else { &mut self.undeleted };
            kept.insert(message.message_id.clone(), message.receipt_handle.clone());
        }
        self.delete(feed).await?;
        if left.is_empty() {
            return Ok(FeedState::Receiving);
        }
        if feed.attributes().redrive.is_some() {
            let halted = self.halt(feed).await;
            return halted.map_err(|error| self.held(received, error));
        }
        let back: Vec<(String, Duration)> = received
            .messages
            .iter()
            .filter(|message| left.contains(&message.message_id))
            .map(|message| (message.receipt_handle.clone(), hidden_for(message.receive_count)))
            .collect();
        feed.give_back(&back).await?;
        bound(&mut self.left, LEFT_KEPT);
        Ok(FeedState::Receiving)
    }

    /// Holds received messages in memory if nothing can be written at the moment.
    fn held(&mut self, received: Received, error: StoreError) -> Trouble {
        self.unstored = Some(received).filter(|_| error.nothing_can_be_written());
        error.into()
    }

    /// Stores the messages to be kept; they are durable when it returns. Returns the ids of those that stay in the
    /// queue.
    async fn keep(
        &mut self,
        feed: &AdoptedFeed,
        received: &Received,
        begun: Timestamp,
    ) -> Result<BTreeSet<String>, StoreError> {
        let Received { messages, elsewhere } = received;
        let now = (self.clock)();
        let sorted = sort(messages, feed.adoption(), &self.queue, &self.regions, &self.store, now).await?;
        let Sorted { placements, matchmaking, calls, aside, foreign, mut left } = sorted;
        let unaccounted: u64 = messages
            .iter()
            .zip(elsewhere)
            .filter(|(message, _)| !foreign.contains(&message.message_id))
            .map(|(_, deliveries)| deliveries)
            .sum();
        let events = (placements.len() + matchmaking.len()) as u64;
        let unconfirmed = aside.iter().filter(|message| message.waiting.is_some()).count() as u64;
        let mut quarantined = aside.len() as u64;
        let mut no_room = Vec::new();
        if !aside.is_empty() {
            // Applied separately, so that its duplicates are not counted as duplicate events.
            no_room = self.apply(vec![Observation::Quarantined(aside)]).await?.no_room;
            quarantined = quarantined.saturating_sub(no_room.len() as u64);
        }
        let mut observations = vec![self.ledger_line(begun, now, None)];
        if !placements.is_empty() {
            observations.push(Observation::PlacementEvents(placements));
        }
        if !matchmaking.is_empty() {
            observations.push(Observation::MatchmakingEvents(matchmaking));
        }
        if !calls.is_empty() {
            // CloudTrail's event history has them too, so a repeated one is no duplicate of the feed.
            self.apply(vec![Observation::TrailRecords(calls)]).await?;
        }
        let duplicates = self.apply(observations).await?.duplicates;
        if duplicates == 0 {
            // Duplicates are not attributed to another reader: they were delivered to an earlier run of this program.
            self.others.unaccounted(unaccounted, now);
        }
        let mut health = self.health.lock();
        health.received += messages.len() as u64;
        health.stored += events.saturating_sub(duplicates);
        health.duplicates += duplicates;
        health.quarantined += quarantined;
        health.unconfirmed += unconfirmed;
        health.left += (left.len() + no_room.len()) as u64;
        health.no_room += no_room.len() as u64;
        health.other_reader = self.others.found();
        health.state = FeedState::Receiving;
        if messages.len() > foreign.len() {
            health.last_message = Some(now);
        }
        left.extend(no_room);
        Ok(left)
    }

    /// Stops receiving from the queue: receiving messages that must stay would sooner or later move them to the
    /// dead-letter queue.
    async fn halt(&mut self, feed: &AdoptedFeed) -> Result<FeedState, StoreError> {
        self.show_left(feed).await;
        let target = feed.attributes().redrive.as_ref().map(|redrive| redrive.dead_letter_arn.as_str());
        let why = format!(
            "it holds messages that are not to be deleted, and receiving them again would move them to the dead-letter \
             queue {}",
            target.unwrap_or_default()
        );
        self.writer.halt_queue(&feed.adoption().queue_arn, &why).await?;
        tracing::warn!(queue = %self.queue.url, "Nothing more is received from the event queue: {why}.");
        self.show(FeedState::Halted, Some(why));
        Ok(FeedState::Halted)
    }

    /// Makes messages that were left alone or not stored visible to other readers at once. Those for which this fails
    /// become visible when their timeout ends.
    async fn show_left(&mut self, feed: &AdoptedFeed) {
        let unstored = self.unstored.take().map(|received| received.messages).unwrap_or_default();
        let handles: Vec<(String, Duration)> = std::mem::take(&mut self.left)
            .into_values()
            .chain(unstored.into_iter().map(|message| message.receipt_handle))
            .map(|handle| (handle, Duration::ZERO))
            .collect();
        if let Err(error) = feed.give_back(&handles).await {
            tracing::info!(queue = %self.queue.url, %error, "Messages left alone stay hidden for a while.");
        }
    }

    async fn fail(&mut self, trouble: &Trouble) {
        self.health.lock().message = Some(trouble.message.clone());
        bound(&mut self.undeleted, DELETIONS_KEPT);
        if trouble.unproven {
            return;
        }
        let now = (self.clock)();
        let line = self.ledger_line(now, now, Some(trouble.message.clone()));
        if let Err(error) = self.apply(vec![line]).await {
            tracing::warn!(%error, "The state of the event feed could not be recorded.");
        }
    }

    fn ledger_line(&self, begun: Timestamp, at: Timestamp, failure: Option<String>) -> Observation {
        let subject = PollSubject { kind: PollKind::EventFeed, resource: self.queue.url.clone() };
        Observation::Poll(Poll { subject, at, took_ms: at.since_ms(begun).max(0), failure })
    }

    /// Writes observations. Events are durable when it returns; a ledger line on its own may not be.
    async fn apply(&mut self, observations: Vec<Observation>) -> Result<Applied, StoreError> {
        let region = self.queue.region.clone();
        let batch = Batch { region, observed_at: (self.clock)(), observations };
        let applied = self.writer.apply(batch).await?;
        for (kind, rows) in &applied.written {
            *self.written.entry(kind).or_default() += rows;
        }
        Ok(applied)
    }
}

/// How long a message that is left alone stays hidden, by the number of its deliveries so far.
fn hidden_for(receive_count: u32) -> Duration {
    let doubled = 1_u32.checked_shl(receive_count.saturating_sub(1)).unwrap_or(u32::MAX);
    LEFT_FIRST.saturating_mul(doubled).min(LEFT_LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_alone_comes_round_ever_more_seldom_and_never_stays_away() {
        let seconds: Vec<u64> = [0, 1, 2, 3, 5, 40].map(hidden_for).iter().map(Duration::as_secs).collect();
        assert_eq!(seconds, [60, 60, 120, 240, 900, 900]);
    }
}
