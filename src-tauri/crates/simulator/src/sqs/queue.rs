//! One standard queue: messages, their visibility and their receipt handles.
//!
//! Visibility and waiting run on real time, because a consumer works and waits in real time; the times written on
//! messages and the retention period run on virtual time, because that is when the events happened. Both are passed in.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::time::{Duration, Instant};

/// How long a message is kept: the service's default of four days, in milliseconds of virtual time.
pub(crate) const RETENTION_MS: i64 = 4 * 24 * 3_600_000;

/// How long a received message stays hidden unless the consumer says otherwise.
pub(crate) const VISIBILITY_SECONDS: u64 = 30;

/// An attribute a sender put on a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attribute {
    /// `String`, `Number` or `Binary`, with an optional label.
    pub(crate) data_type: String,
    /// The value of a text or number attribute.
    pub(crate) text: Option<String>,
    /// The value of a binary attribute.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// A message as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sent {
    /// The id of the message.
    pub(crate) id: String,
    /// The body.
    pub(crate) body: String,
    /// The sender's attributes.
    pub(crate) attributes: BTreeMap<String, Attribute>,
    /// When it was sent, in virtual time.
    pub(crate) at_ms: i64,
}

#[derive(Debug)]
struct Held {
    sent: Sent,
    received: u32,
    first_received_ms: Option<i64>,
    hidden_until: Option<Instant>,
}

/// A message in a consumer's hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Received {
    /// The message.
    pub(crate) sent: Sent,
    /// Which delivery this is.
    pub(crate) receipt: Receipt,
    /// When it was first received, in virtual time.
    pub(crate) first_received_ms: i64,
}

/// One delivery of one message: what a receipt handle stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Receipt {
    /// The message's place in the queue.
    pub(crate) sequence: u64,
    /// How often it had been received, this time included.
    pub(crate) count: u32,
}

/// The messages of a queue.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    next: u64,
    messages: BTreeMap<u64, Held>,
    visible: BTreeSet<u64>,
    hidden: BinaryHeap<Reverse<(Instant, u64)>>,
}

impl Queue {
    /// Takes a message in; it shows itself after `delay`.
    pub(crate) fn send(&mut self, sent: Sent, delay: Duration, now: Instant) {
        let sequence = self.next;
        self.next += 1;
        self.messages
            .insert(sequence, Held { sent, received: 0, first_received_ms: None, hidden_until: None });
        self.hide(sequence, now, delay);
    }

    /// Hands out at most `most` visible messages, oldest first, and hides them for `visibility`.
    pub(crate) fn receive(
        &mut self,
        most: usize,
        visibility: Duration,
        now: Instant,
        virtual_ms: i64,
    ) -> Vec<Received> {
        self.settle(now, virtual_ms);
        let chosen: Vec<u64> = self.visible.iter().copied().take(most).collect();
        let mut received = Vec::with_capacity(chosen.len());
        for sequence in chosen {
            if let Some(held) = self.messages.get_mut(&sequence) {
                held.received += 1;
                let first_received_ms = *held.first_received_ms.get_or_insert(virtual_ms);
                let receipt = Receipt { sequence, count: held.received };
                received.push(Received { sent: held.sent.clone(), receipt, first_received_ms });
            }
            self.hide(sequence, now, visibility);
        }
        received
    }

    /// Deletes the message of a receipt. An older receipt than the newest deletes nothing, as the service warns.
    pub(crate) fn delete(&mut self, receipt: Receipt) {
        if self.messages.get(&receipt.sequence).is_some_and(|held| held.received == receipt.count) {
            self.messages.remove(&receipt.sequence);
            self.visible.remove(&receipt.sequence);
        }
    }

    /// Hides a message that is in flight for `visibility` from now; false if it is not in flight.
    pub(crate) fn change_visibility(&mut self, receipt: Receipt, visibility: Duration, now: Instant) -> bool {
        let in_flight = self.messages.get(&receipt.sequence).is_some_and(|held| {
            held.received == receipt.count && held.hidden_until.is_some_and(|until| until > now)
        });
        if in_flight {
            self.hide(receipt.sequence, now, visibility);
        }
        in_flight
    }

    /// How many messages wait, are in flight, and are delayed.
    pub(crate) fn depth(&mut self, now: Instant, virtual_ms: i64) -> (usize, usize, usize) {
        self.settle(now, virtual_ms);
        let in_flight =
            self.messages.values().filter(|held| held.hidden_until.is_some() && held.received > 0);
        let (waiting, in_flight) = (self.visible.len(), in_flight.count());
        (waiting, in_flight, self.messages.len() - waiting - in_flight)
    }

    /// When the next hidden message shows itself.
    pub(crate) fn next_visible(&self) -> Option<Instant> {
        self.hidden.peek().map(|Reverse((until, _))| *until)
    }

    fn hide(&mut self, sequence: u64, now: Instant, time: Duration) {
        let Some(held) = self.messages.get_mut(&sequence) else { return };
        if time.is_zero() {
            held.hidden_until = None;
            self.visible.insert(sequence);
        } else {
            held.hidden_until = Some(now + time);
            self.visible.remove(&sequence);
            self.hidden.push(Reverse((now + time, sequence)));
        }
    }

    /// Shows what has been hidden long enough and drops what has been kept long enough.
    fn settle(&mut self, now: Instant, virtual_ms: i64) {
        while let Some(Reverse((until, sequence))) =
            self.hidden.peek().copied().filter(|Reverse((until, _))| *until <= now)
        {
            self.hidden.pop();
            // A message hidden anew has a later entry of its own.
            if let Some(held) =
                self.messages.get_mut(&sequence).filter(|held| held.hidden_until == Some(until))
            {
                held.hidden_until = None;
                self.visible.insert(sequence);
            }
        }
        while let Some((&sequence, _)) =
            self.messages.first_key_value().filter(|(_, held)| held.sent.at_ms + RETENTION_MS <= virtual_ms)
        {
            self.messages.remove(&sequence);
            self.visible.remove(&sequence);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VISIBILITY: Duration = Duration::from_secs(30);

    fn sent(body: &str) -> Sent {
        Sent { id: body.to_owned(), body: body.to_owned(), attributes: BTreeMap::new(), at_ms: 1000 }
    }

    fn queue(bodies: &[&str], now: Instant) -> Queue {
        let mut queue = Queue::default();
        for body in bodies {
            queue.send(sent(body), Duration::ZERO, now);
        }
        queue
    }

    #[test]
    fn a_received_message_is_hidden_until_its_visibility_ends() {
        let now = Instant::now();
        let mut queue = queue(&["a"], now);
        let first = queue.receive(10, VISIBILITY, now, 2000);
        assert_eq!(first[0].receipt, Receipt { sequence: 0, count: 1 });
        assert!(queue.receive(10, VISIBILITY, now + VISIBILITY / 2, 2000).is_empty());
        let again = queue.receive(10, VISIBILITY, now + VISIBILITY, 3000);
        assert_eq!((again[0].receipt.count, again[0].first_received_ms), (2, 2000));
    }

    #[test]
    fn only_the_newest_receipt_deletes() {
        let now = Instant::now();
        let mut queue = queue(&["a"], now);
        let old = queue.receive(1, VISIBILITY, now, 0)[0].receipt;
        let later = now + VISIBILITY;
        let new = queue.receive(1, VISIBILITY, later, 0)[0].receipt;
        queue.delete(old);
        assert_eq!(queue.depth(later, 0), (0, 1, 0));
        queue.delete(new);
        assert_eq!(queue.depth(later, 0), (0, 0, 0));
        queue.delete(new);
    }

    #[test]
    fn a_changed_visibility_replaces_the_one_before() {
        let now = Instant::now();
        let mut queue = queue(&["a"], now);
        let receipt = queue.receive(1, VISIBILITY, now, 0)[0].receipt;
        assert!(queue.change_visibility(receipt, VISIBILITY * 10, now));
        assert!(queue.receive(1, VISIBILITY, now + VISIBILITY * 2, 0).is_empty());
        assert!(queue.change_visibility(receipt, Duration::ZERO, now + VISIBILITY * 2));
        assert!(!queue.change_visibility(receipt, VISIBILITY, now + VISIBILITY * 2), "no longer in flight");
        assert_eq!(queue.receive(1, VISIBILITY, now + VISIBILITY * 2, 0).len(), 1);
    }

    #[test]
    fn messages_leave_when_they_have_been_kept_long_enough() {
        let now = Instant::now();
        let mut queue = queue(&["a"], now);
        assert_eq!(queue.depth(now, 999 + RETENTION_MS), (1, 0, 0));
        assert_eq!(queue.depth(now, 1000 + RETENTION_MS), (0, 0, 0));
    }

    #[test]
    fn a_delayed_message_shows_itself_later() {
        let now = Instant::now();
        let mut queue = Queue::default();
        queue.send(sent("a"), Duration::from_secs(5), now);
        assert_eq!(queue.depth(now, 0), (0, 0, 1));
        assert_eq!(queue.next_visible(), Some(now + Duration::from_secs(5)));
        assert_eq!(queue.receive(1, VISIBILITY, now + Duration::from_secs(5), 0).len(), 1);
    }
}
