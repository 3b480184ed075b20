//! One queue, standard or FIFO: messages, their visibility and their receipt handles.
//!
//! Visibility and waiting use real time, because a consumer works and waits in real time. The times on messages and
//! the retention period use virtual time, because that is when the events happened. Both times are passed in.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::time::{Duration, Instant};

use super::body::Body;

/// How long a FIFO queue remembers the deduplication id of a message.
const DEDUPLICATION: Duration = Duration::from_secs(300);

/// A standard queue may deliver a message twice. Here one message in this many is delivered twice: seldom enough that
/// nothing depends on it, often enough that clients encounter it.
const TWICE: u64 = 397;

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
    pub(crate) body: Body,
    /// The sender's attributes.
    pub(crate) attributes: BTreeMap<String, Attribute>,
    /// When it was sent, in virtual time.
    pub(crate) at_ms: i64,
    /// Its group and deduplication id in a FIFO queue.
    pub(crate) order: Option<Order>,
    /// The ARN of the queue that gave the message up, if this is that queue's dead-letter queue.
    pub(crate) source: Option<String>,
}

/// What orders the messages of a FIFO queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    /// Messages of a group are received one after the other.
    pub(crate) group: String,
    /// Equal for duplicates of a message.
    pub(crate) deduplication: String,
}

#[derive(Debug)]
struct Held {
    sent: Sent,
    received: u32,
    first_received_ms: Option<i64>,
    hidden_until: Option<Instant>,
}

/// A message as a consumer received it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Received {
    /// The message.
    pub(crate) sent: Sent,
    /// Which delivery this is.
    pub(crate) receipt: Receipt,
    /// When it was first received, in virtual time.
    pub(crate) first_received_ms: i64,
}

/// One delivery of one message, which a receipt handle identifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Receipt {
    /// The message's place in the queue.
    pub(crate) sequence: u64,
    /// How often the message has been received, including this time.
    pub(crate) count: u32,
}

/// The messages of a queue.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    next: u64,
    messages: BTreeMap<u64, Held>,
    visible: BTreeSet<u64>,
    hidden: BinaryHeap<Reverse<(Instant, u64)>>,
    /// When each deduplication id was last sent, with the message and its sequence.
    recent: BTreeMap<String, (Instant, String, u64)>,
}

impl Queue {
    /// Adds a message, which becomes visible after `delay`.
    pub(crate) fn send(&mut self, sent: Sent, delay: Duration, now: Instant) {
        let sequence = self.next;
        self.next += 1;
        if let Some(order) = &sent.order {
            let entry = (now, sent.id.clone(), sequence);
            self.recent.retain(|_, (at, ..)| now < *at + DEDUPLICATION);
            self.recent.insert(order.deduplication.clone(), entry);
        }
        self.messages
            .insert(sequence, Held { sent, received: 0, first_received_ms: None, hidden_until: None });
        self.hide(sequence, now, delay);
    }

    /// Returns at most `most` visible messages, oldest first, and hides them for `visibility`.
    pub(crate) fn receive(
        &mut self,
        most: usize,
        visibility: Duration,
        now: Instant,
        virtual_ms: i64,
        is_fifo: bool,
    ) -> Vec<Received> {
        let busy = if is_fifo { self.busy_groups() } else { BTreeSet::new() };
        let free = |sequence: &&u64| {
            let group = self
                .messages
                .get(*sequence)
                .and_then(|held| held.sent.order.as_ref())
                .map(|order| &order.group);
            group.is_none_or(|group| !busy.contains(group))
        };
        let chosen: Vec<u64> = self.visible.iter().filter(free).copied().take(most).collect();
        let mut received = Vec::with_capacity(chosen.len());
        for sequence in chosen {
            if let Some(held) = self.messages.get_mut(&sequence) {
                held.received += 1;
                let first_received_ms = *held.first_received_ms.get_or_insert(virtual_ms);
                let receipt = Receipt { sequence, count: held.received };
                received.push(Received { sent: held.sent.clone(), receipt, first_received_ms });
            }
            let twice = !is_fifo
                && sequence % TWICE == TWICE / 2
                && self.messages.get(&sequence).is_some_and(|held| held.received == 1);
            self.hide(sequence, now, if twice { Duration::ZERO } else { visibility });
        }
        received
    }

    /// The groups of a FIFO queue with a message in flight or delayed. Later messages of these groups have to wait.
    fn busy_groups(&self) -> BTreeSet<String> {
        let hidden = self.messages.values().filter(|held| held.hidden_until.is_some());
        hidden.filter_map(|held| held.sent.order.as_ref()).map(|order| order.group.clone()).collect()
    }

    /// Removes and returns the visible messages that have been received as often as allowed.
    pub(crate) fn take_spent(&mut self, most: u32) -> Vec<Sent> {
        let spent = |sequence: &&u64| self.messages.get(*sequence).is_some_and(|held| held.received >= most);
        let spent: Vec<u64> = self.visible.iter().filter(spent).copied().collect();
        spent
            .into_iter()
            .filter_map(|sequence| {
                self.visible.remove(&sequence);
                self.messages.remove(&sequence).map(|held| held.sent)
            })
            .collect()
    }

    /// The id and the sequence of a recently sent message with the same deduplication id.
    pub(crate) fn sent_before(&self, deduplication: &str, now: Instant) -> Option<(String, u64)> {
        let (at, id, sequence) = self.recent.get(deduplication)?;
        (now < *at + DEDUPLICATION).then(|| (id.clone(), *sequence))
    }

    /// The sequence the next message will have.
    pub(crate) fn next_sequence(&self) -> u64 {
        self.next
    }

    /// Deletes every message.
    pub(crate) fn clear(&mut self) {
        self.messages.clear();
        self.visible.clear();
        self.hidden.clear();
    }

    /// Deletes the message of a receipt. Only the newest receipt deletes; an older one does nothing, as the service
    /// warns.
    pub(crate) fn delete(&mut self, receipt: Receipt) {
        if self.messages.get(&receipt.sequence).is_some_and(|held| held.received == receipt.count) {
            self.messages.remove(&receipt.sequence);
            self.visible.remove(&receipt.sequence);
        }
    }

    /// Hides a message in flight for `visibility` from now; returns false if it is not in flight.
    pub(crate) fn change_visibility(&mut self, receipt: Receipt, visibility: Duration, now: Instant) -> bool {
        let in_flight = self.messages.get(&receipt.sequence).is_some_and(|held| {
            held.received == receipt.count && held.hidden_until.is_some_and(|until| until > now)
        });
        if in_flight {
            self.hide(receipt.sequence, now, visibility);
        }
        in_flight
    }

    /// How many messages are waiting, in flight, and delayed.
    pub(crate) fn depth(&self) -> (usize, usize, usize) {
        let in_flight =
            self.messages.values().filter(|held| held.hidden_until.is_some() && held.received > 0);
        let (waiting, in_flight) = (self.visible.len(), in_flight.count());
        (waiting, in_flight, self.messages.len() - waiting - in_flight)
    }

    /// When the next hidden message becomes visible.
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

    /// Shows messages that have been hidden long enough and drops messages past their retention period.
    pub(crate) fn settle(&mut self, now: Instant, virtual_ms: i64, retention_ms: i64) {
        while let Some(Reverse((until, sequence))) =
            self.hidden.peek().copied().filter(|Reverse((until, _))| *until <= now)
        {
            self.hidden.pop();
            // A message that was hidden again has a later entry.
            if let Some(held) =
                self.messages.get_mut(&sequence).filter(|held| held.hidden_until == Some(until))
            {
                held.hidden_until = None;
                self.visible.insert(sequence);
            }
        }
        self.forget(virtual_ms, retention_ms);
    }

    /// Drops messages past their retention period.
    pub(crate) fn forget(&mut self, virtual_ms: i64, retention_ms: i64) {
        while let Some((&sequence, _)) = self
            .messages
            .first_key_value()
            .filter(|(_, held)| held.sent.at_ms.saturating_add(retention_ms) <= virtual_ms)
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
    const RETENTION_MS: i64 = 345_600_000;

    fn receive(queue: &mut Queue, most: usize, now: Instant, virtual_ms: i64) -> Vec<Received> {
        queue.settle(now, virtual_ms, RETENTION_MS);
        queue.receive(most, VISIBILITY, now, virtual_ms, false)
    }

    fn depth(queue: &mut Queue, now: Instant, virtual_ms: i64) -> (usize, usize, usize) {
        queue.settle(now, virtual_ms, RETENTION_MS);
        queue.depth()
    }

    fn sent(body: &str) -> Sent {
        Sent {
            id: body.to_owned(),
            body: body.into(),
            attributes: BTreeMap::new(),
            at_ms: 1000,
            order: None,
            source: None,
        }
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
        let first = receive(&mut queue, 10, now, 2000);
        assert_eq!(first[0].receipt, Receipt { sequence: 0, count: 1 });
        assert!(receive(&mut queue, 10, now + VISIBILITY / 2, 2000).is_empty());
        let again = receive(&mut queue, 10, now + VISIBILITY, 3000);
        assert_eq!((again[0].receipt.count, again[0].first_received_ms), (2, 2000));
    }

    #[test]
    fn only_the_newest_receipt_deletes() {
        let now = Instant::now();
        let mut queue = queue(&["a"], now);
        let old = receive(&mut queue, 1, now, 0)[0].receipt;
        let later = now + VISIBILITY;
        let new = receive(&mut queue, 1, later, 0)[0].receipt;
        queue.delete(old);
        assert_eq!(depth(&mut queue, later, 0), (0, 1, 0));
        queue.delete(new);
        assert_eq!(depth(&mut queue, later, 0), (0, 0, 0));
        queue.delete(new);
    }

    #[test]
    fn a_changed_visibility_replaces_the_one_before() {
        let now = Instant::now();
        let mut queue = queue(&["a"], now);
        let receipt = receive(&mut queue, 1, now, 0)[0].receipt;
        assert!(queue.change_visibility(receipt, VISIBILITY * 10, now));
        assert!(receive(&mut queue, 1, now + VISIBILITY * 2, 0).is_empty());
        assert!(queue.change_visibility(receipt, Duration::ZERO, now + VISIBILITY * 2));
        assert!(!queue.change_visibility(receipt, VISIBILITY, now + VISIBILITY * 2), "no longer in flight");
        assert_eq!(receive(&mut queue, 1, now + VISIBILITY * 2, 0).len(), 1);
    }

    #[test]
    fn messages_leave_when_they_have_been_kept_long_enough() {
        let now = Instant::now();
        let mut queue = queue(&["a"], now);
        assert_eq!(depth(&mut queue, now, 999 + RETENTION_MS), (1, 0, 0));
        assert_eq!(depth(&mut queue, now, 1000 + RETENTION_MS), (0, 0, 0));
    }

    #[test]
    fn a_delayed_message_shows_itself_later() {
        let now = Instant::now();
        let mut queue = Queue::default();
        queue.send(sent("a"), Duration::from_secs(5), now);
        assert_eq!(depth(&mut queue, now, 0), (0, 0, 1));
        assert_eq!(queue.next_visible(), Some(now + Duration::from_secs(5)));
        assert_eq!(receive(&mut queue, 1, now + Duration::from_secs(5), 0).len(), 1);
    }

    fn ordered(body: &str, group: &str, deduplication: &str) -> Sent {
        let order = Order { group: group.to_owned(), deduplication: deduplication.to_owned() };
        Sent { order: Some(order), ..sent(body) }
    }

    #[test]
    fn a_group_of_a_fifo_queue_waits_for_its_message_in_flight() {
        let now = Instant::now();
        let mut queue = Queue::default();
        for message in [ordered("a1", "a", "1"), ordered("a2", "a", "2"), ordered("b1", "b", "3")] {
            queue.send(message, Duration::ZERO, now);
        }
        let bodies = |received: Vec<Received>| -> Vec<String> {
            received.into_iter().map(|one| one.sent.body.text().into_owned()).collect()
        };
        let first = queue.receive(1, VISIBILITY, now, 0, true);
        let receipt = first[0].receipt;
        assert_eq!(bodies(first), ["a1"]);
        assert_eq!(bodies(queue.receive(10, VISIBILITY, now, 0, true)), ["b1"]);
        queue.delete(receipt);
        assert_eq!(bodies(queue.receive(10, VISIBILITY, now, 0, true)), ["a2"]);
    }

    #[test]
    fn a_deduplication_id_is_remembered_for_five_minutes() {
        let now = Instant::now();
        let mut queue = Queue::default();
        queue.send(ordered("a", "a", "same"), Duration::ZERO, now);
        assert_eq!(queue.sent_before("same", now + DEDUPLICATION / 2), Some(("a".to_owned(), 0)));
        assert_eq!(queue.sent_before("same", now + DEDUPLICATION), None);
        assert_eq!(queue.sent_before("other", now), None);
    }

    #[test]
    fn a_message_received_as_often_as_allowed_is_taken_out() {
        let now = Instant::now();
        let mut queue = queue(&["a", "b"], now);
        receive(&mut queue, 1, now, 0);
        let later = now + VISIBILITY;
        queue.settle(later, 0, RETENTION_MS);
        assert_eq!(queue.take_spent(2), []);
        assert_eq!(queue.take_spent(1).into_iter().map(|sent| sent.id).collect::<Vec<_>>(), ["a"]);
        assert_eq!(receive(&mut queue, 10, later, 0).len(), 1);
    }

    #[test]
    fn a_standard_queue_delivers_a_message_twice_now_and_then() {
        let now = Instant::now();
        let bodies: Vec<String> = (0..TWICE).map(|number| number.to_string()).collect();
        let mut queue = queue(&bodies.iter().map(String::as_str).collect::<Vec<_>>(), now);
        let first = receive(&mut queue, bodies.len(), now, 0);
        assert_eq!(first.len(), bodies.len());
        let again = receive(&mut queue, 10, now, 0);
        assert_eq!(again.len(), 1, "one of them");
        assert!(receive(&mut queue, 10, now, 0).is_empty());
    }
}
