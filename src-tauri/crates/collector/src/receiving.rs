//! The event feed: receives from a queue, stores, and only then deletes.
//!
//! Owns the order that loses nothing: a message is deleted after the commit that made it durable, so a crash in
//! between brings it again and the store recognises it. Deliberately does not read bodies: `feed` does.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use liftdeck_gateway::{EventFeed, EventQueue, FeedMessage};
use liftdeck_model::Timestamp;
use liftdeck_model::observation::{Batch, Observation, Poll, PollKind, PollSubject};
use liftdeck_store::{Writer, Written};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::feed::{self, FeedBody, Reading};
use crate::health::FeedHealth;
use crate::options::Clock;
use crate::poll::{Tools, lock};
use crate::trouble::Trouble;

const MESSAGES_A_RECEIVE: u32 = 10;
/// The longest poll SQS allows.
const WAIT: Duration = Duration::from_secs(20);
/// Wait of one receive while draining: long polling asks every server of the queue, short polling does not.
const DRAIN_WAIT: Duration = Duration::from_secs(1);
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Deletions given up for this delivery: the message comes again with a newer handle.
const DELETIONS_KEPT: usize = 100;

/// One queue being received.
pub(crate) struct Receiving {
    feed: EventFeed,
    queue: EventQueue,
    writer: Writer,
    clock: Clock,
    visibility: Duration,
    health: Arc<Mutex<FeedHealth>>,
    written: Written,
    undeleted: Vec<String>,
}

impl Receiving {
    pub(crate) fn new(feed: EventFeed, queue: EventQueue, tools: &Tools, visibility: Duration) -> Self {
        let health = FeedHealth {
            region: queue.region.clone(),
            queue_url: queue.url.clone(),
            received: 0,
            stored: 0,
            duplicates: 0,
            quarantined: 0,
            last_message: None,
            message: None,
        };
        Self {
            feed,
            queue,
            writer: tools.writer.clone(),
            clock: tools.clock.clone(),
            visibility,
            health: Arc::new(Mutex::new(health)),
            written: Written::new(),
            undeleted: Vec::new(),
        }
    }

    /// Its queue, in a word for people.
    pub(crate) fn name(&self) -> &str {
        self.queue.url.rsplit('/').next().unwrap_or(&self.queue.url)
    }

    /// How the feed is doing, always current.
    pub(crate) fn health(&self) -> Arc<Mutex<FeedHealth>> {
        Arc::clone(&self.health)
    }

    /// Receives until stopped. Errors pause this queue alone, ever longer up to a minute; `hurry` ends a pause.
    pub(crate) async fn run(&mut self, stop: CancellationToken, mut hurry: watch::Receiver<u64>) {
        let mut pause = FIRST_PAUSE;
        loop {
            // Only the waiting is given up when stopped; what was received is stored and deleted first.
            let received = tokio::select! {
                () = stop.cancelled() => return,
                received = self.receive(WAIT) => received,
            };
            let outcome = match received {
                Ok((messages, begun)) => self.take(messages, begun).await.map(|_| ()),
                Err(trouble) => Err(trouble),
            };
            match outcome {
                Ok(()) => {
                    pause = FIRST_PAUSE;
                    lock(&self.health).message = None;
                }
                Err(trouble) => {
                    tracing::warn!(queue = %self.queue.url, error = %trouble, "The event feed pauses.");
                    self.fail(&trouble).await;
                    tokio::select! {
                        () = stop.cancelled() => return,
                        _ = hurry.changed() => pause = FIRST_PAUSE,
                        () = tokio::time::sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
                    }
                }
            }
        }
    }

    /// Receives until the queue is empty or `stop`; answers with the rows written by kind.
    ///
    /// # Errors
    /// What broke it off; what was stored before stays stored.
    pub(crate) async fn drain(mut self, stop: CancellationToken) -> (Written, Option<Trouble>) {
        loop {
            let received = tokio::select! {
                () = stop.cancelled() => return (self.written, None),
                received = self.receive(DRAIN_WAIT) => received,
            };
            let outcome = match received {
                Ok((messages, begun)) => self.take(messages, begun).await,
                Err(trouble) => Err(trouble),
            };
            match outcome {
                Ok(0) => return (self.written, None),
                Ok(_) => {}
                Err(trouble) => {
                    self.fail(&trouble).await;
                    return (self.written, Some(trouble));
                }
            }
        }
    }

    async fn receive(&self, wait: Duration) -> Result<(Vec<FeedMessage>, Timestamp), Trouble> {
        let begun = (self.clock)();
        Ok((self.feed.receive(MESSAGES_A_RECEIVE, wait, self.visibility).await?, begun))
    }

    /// Stores messages, then deletes them. Answers with how many there were.
    async fn take(&mut self, messages: Vec<FeedMessage>, begun: Timestamp) -> Result<usize, Trouble> {
        let now = (self.clock)();
        let (mut placements, mut matchmaking, mut aside) = (Vec::new(), Vec::new(), Vec::new());
        for message in &messages {
            match feed::read(FeedBody {
                message_id: &message.message_id,
                queue_url: &self.queue.url,
                region: &self.queue.region,
                received_at: now,
                body: &message.body,
            }) {
                Reading::Placement(event) => placements.push(*event),
                Reading::Matchmaking(event) => matchmaking.push(*event),
                Reading::Aside(message) => aside.push(*message),
            }
        }
        let events = (placements.len() + matchmaking.len()) as u64;
        let quarantined = aside.len() as u64;
        if quarantined > 0 {
            // On its own, so that its duplicates are not counted as the events'.
            self.apply(vec![Observation::Quarantined(aside)]).await?;
        }
        let mut observations = vec![self.ledger_line(begun, now, None)];
        if !placements.is_empty() {
            observations.push(Observation::PlacementEvents(placements));
        }
        if !matchmaking.is_empty() {
            observations.push(Observation::MatchmakingEvents(matchmaking));
        }
        let duplicates = self.apply(observations).await?;
        {
            let mut health = lock(&self.health);
            health.received += messages.len() as u64;
            health.stored += events.saturating_sub(duplicates);
            health.duplicates += duplicates;
            health.quarantined += quarantined;
            if !messages.is_empty() {
                health.last_message = Some(now);
            }
        }
        let count = messages.len();
        self.undeleted.extend(messages.into_iter().map(|message| message.receipt_handle));
        self.delete().await?;
        Ok(count)
    }

    /// Deletes what is durable, and what could not be deleted before.
    async fn delete(&mut self) -> Result<(), Trouble> {
        if self.undeleted.is_empty() {
            return Ok(());
        }
        let failures = self.feed.delete_batch(&self.undeleted).await?;
        if let Some(first) = failures.first() {
            tracing::warn!(
                queue = %self.queue.url, count = failures.len(), code = %first.code,
                "Some messages were not deleted and are tried again."
            );
        }
        self.undeleted = failures.into_iter().map(|failure| failure.receipt_handle).collect();
        self.undeleted.truncate(DELETIONS_KEPT);
        Ok(())
    }

    async fn fail(&mut self, trouble: &Trouble) {
        lock(&self.health).message = Some(trouble.message.clone());
        self.undeleted.truncate(DELETIONS_KEPT);
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

    /// Writes, durable when it returns; answers with the duplicates among it.
    async fn apply(&mut self, observations: Vec<Observation>) -> Result<u64, Trouble> {
        let region = self.queue.region.clone();
        let batch = Batch { region, observed_at: (self.clock)(), observations };
        let applied = self.writer.apply(batch).await?;
        for (kind, rows) in applied.written {
            *self.written.entry(kind).or_default() += rows;
        }
        Ok(applied.duplicates)
    }
}
