//! Detects another reader of an adopted queue.
//!
//! Owns the judgement, which rests on two facts from SQS: how often each message was delivered, and how many messages
//! are in flight. Deliveries that may have been our own are never attributed to another reader: those of a lost
//! response, of an earlier run of this program, or of the looks before the adoption. Deliberately sends no requests.

use std::collections::HashMap;

use liftdeck_gateway::FeedMessage;
use liftdeck_model::Timestamp;

use crate::adoption::LOOKED_AT;
use crate::health::OtherReader;

/// Messages of one receive, and so the most that one lost response may have delivered to us.
const OF_ONE_RECEIVE: u64 = 10;
/// Receives of an earlier run that may have ended before their messages were stored.
const EARLIER_RECEIVES: u64 = 3;
/// Deliveries to others needed before another reader is reported, because counts are approximate.
const TELLING: u64 = 3;
/// Consecutive claims without a message after which the messages in flight are not those we just deleted; SQS's
/// counts lag.
const IDLE_CLAIMS: u32 = 2;
/// Maximum number of messages remembered; beyond it, all are forgotten.
const REMEMBERED: usize = 20_000;

/// What is known about other readers of one queue.
#[derive(Debug)]
pub(crate) struct Others {
    /// Deliveries accounted for, by message id.
    accounted: HashMap<String, u32>,
    /// Deliveries that may have been ours without our knowing: those of an earlier run, and those of a look if the
    /// clocks of this computer and of SQS differ.
    excused: u64,
    found: u64,
    since: Option<Timestamp>,
    idle_claims: u32,
}

impl Others {
    pub(crate) fn new() -> Self {
        Self {
            accounted: HashMap::new(),
            excused: EARLIER_RECEIVES * OF_ONE_RECEIVE + LOOKED_AT as u64,
            found: 0,
            since: None,
            idle_claims: 0,
        }
    }

    /// Counts a delivery to us and returns how many deliveries of that message are unaccounted for. Earlier
    /// deliveries of a message sent before the adoption do not count, because the queue was not ours then.
    pub(crate) fn delivered(&mut self, message: &FeedMessage, adopted_at: Timestamp) -> u64 {
        self.idle_claims = 0;
        if self.accounted.len() >= REMEMBERED && !self.accounted.contains_key(&message.message_id) {
            self.accounted.clear();
        }
        let accounted = self.accounted.entry(message.message_id.clone()).or_insert_with(|| {
            let was_waiting = message.sent_at.is_some_and(|sent_at| sent_at < adopted_at);
            if was_waiting { message.receive_count.saturating_sub(1) } else { 0 }
        });
        *accounted += 1;
        let more = message.receive_count.saturating_sub(*accounted);
        *accounted += more;
        u64::from(more)
    }

    /// Attributes unaccounted deliveries to another reader, except for those that may have been ours.
    pub(crate) fn unaccounted(&mut self, deliveries: u64, now: Timestamp) {
        let excused = deliveries.min(self.excused);
        self.excused -= excused;
        let others = deliveries - excused;
        if others > 0 {
            self.found += others;
            self.since.get_or_insert(now);
        }
    }

    /// Notes that a lost response may have delivered messages we never saw.
    pub(crate) fn lost_answer(&mut self) {
        self.idle_claims = 0;
        self.excused += OF_ONE_RECEIVE;
    }

    /// Forgets a deleted message, which will not be delivered again.
    pub(crate) fn gone(&mut self, message_id: &str) {
        self.accounted.remove(message_id);
    }

    /// Compares how many messages are in flight with the at most `held` that we hold. An excess means something only
    /// once we have received nothing for a while.
    pub(crate) fn in_flight(&mut self, in_flight: u64, held: u64, now: Timestamp) {
        self.idle_claims += 1;
        if self.idle_claims > IDLE_CLAIMS && in_flight > held {
            self.found = self.found.max(TELLING) + in_flight - held;
            self.since.get_or_insert(now);
        }
    }

    /// Returns the other reader, once there is no doubt about it.
    pub(crate) fn found(&self) -> Option<OtherReader> {
        let since = self.since.filter(|_| self.found >= TELLING)?;
        Some(OtherReader { deliveries: self.found, since })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_772_619_330_000);
    const ADOPTED: Timestamp = Timestamp::from_ms(1_772_619_300_000);

    fn message(number: u32, receive_count: u32) -> FeedMessage {
        FeedMessage {
            message_id: format!("m-{number}"),
            receipt_handle: String::new(),
            body: String::new(),
            receive_count,
            sent_at: None,
        }
    }

    /// Without the allowance for an earlier run.
    fn fresh() -> Others {
        Others { excused: 0, ..Others::new() }
    }

    #[test]
    fn deliveries_to_us_alone_are_nobody_elses() {
        let mut others = fresh();
        for count in 1..=5 {
            assert_eq!(others.delivered(&message(1, count), ADOPTED), 0);
        }
        assert_eq!(others.delivered(&message(2, 0), ADOPTED), 0, "SQS did not say");
        assert_eq!(others.found(), None);
    }

    #[test]
    fn deliveries_of_what_waited_at_the_adoption_are_those_of_the_looks_before_it() {
        let mut others = fresh();
        let sent = |number, receive_count, sent_at| FeedMessage {
            sent_at: Some(sent_at),
            ..message(number, receive_count)
        };
        let before = ADOPTED.plus_ms(-1);
        for number in 0..50 {
            assert_eq!(others.delivered(&sent(number, 4, before), ADOPTED), 0);
        }
        assert_eq!(others.delivered(&sent(1, 7, before), ADOPTED), 2, "what comes after it counts");
        let after = others.delivered(&sent(60, 3, ADOPTED), ADOPTED);
        assert_eq!(after, 2, "nobody looked at what was sent later");
    }

    #[test]
    fn a_count_that_grows_between_two_of_our_deliveries_is_somebody_elses_and_told_once_it_is_beyond_doubt() {
        let mut others = fresh();
        assert_eq!(others.delivered(&message(1, 1), ADOPTED), 0);
        let more = others.delivered(&message(1, 4), ADOPTED);
        assert_eq!(more, 2);
        others.unaccounted(more, NOW);
        assert_eq!(others.found(), None, "two may be chance");
        let more = others.delivered(&message(1, 6), ADOPTED);
        others.unaccounted(more, NOW.plus_ms(1_000));
        assert_eq!(others.found(), Some(OtherReader { deliveries: 3, since: NOW }));
    }

    #[test]
    fn what_may_have_been_an_earlier_run_or_a_lost_answer_is_not_held_against_anybody() {
        let mut others = Others::new();
        for number in 0..80 {
            let more = others.delivered(&message(number, 2), ADOPTED);
            others.unaccounted(more, NOW);
        }
        assert_eq!(others.found(), None);
        others.lost_answer();
        for number in 80..90 {
            let more = others.delivered(&message(number, 2), ADOPTED);
            others.unaccounted(more, NOW);
        }
        assert_eq!(others.found(), None);
        for number in 90..93 {
            let more = others.delivered(&message(number, 2), ADOPTED);
            others.unaccounted(more, NOW);
        }
        assert_eq!(others.found().map(|other| other.deliveries), Some(3));
    }

    #[test]
    fn messages_in_flight_tell_of_another_reader_only_when_nothing_came_to_us_for_a_while() {
        let mut others = fresh();
        others.in_flight(7, 0, NOW);
        others.in_flight(7, 0, NOW);
        assert_eq!(others.found(), None, "they may be those we just deleted");
        others.in_flight(2, 2, NOW);
        assert_eq!(others.found(), None, "they are those we leave alone");
        others.in_flight(3, 2, NOW);
        assert!(others.found().is_some());
        let mut busy = fresh();
        for _ in 0..9 {
            busy.delivered(&message(1, 1), ADOPTED);
            busy.gone("m-1");
            busy.in_flight(7, 0, NOW);
        }
        assert_eq!(busy.found(), None);
    }
}
