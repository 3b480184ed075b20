//! Messages that are not events, as they arrive in a queue that others also write to.
//!
//! Owns their content and their frequency; both depend on virtual time alone.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::notification::identifier;
use crate::sqs::Sent;

/// The interval between messages, in milliseconds of virtual time.
const EVERY_MS: i64 = 9_000;

/// The message bodies, in turn.
const BODIES: [&str; 6] = [
    "deploy finished",
    r#"{"version":"0","id":"5d9a2c40","detail-type":"GameLift Queue Placement Event","source":"aws.gam"#,
    r#"{"Service":"Amazon S3","Event":"s3:TestEvent","Bucket":"game-content"}"#,
    r#"{"Type":"Notification","TopicArn":"arn:aws:sns:us-east-1:111122223333:other","Message":"not an event"}"#,
    r#"{"detail-type":"GameLift Queue Placement Event","source":"aws.gamelift","detail":{"type":"PlacementRejoiced"}}"#,
    "[]",
];

/// How many messages have been sent so far.
#[derive(Debug)]
pub(crate) struct Litter {
    start_ms: i64,
    sent: Mutex<i64>,
}

impl Litter {
    /// Starts with nothing sent; the first message is due at the start.
    pub(crate) fn new(start_ms: i64) -> Litter {
        Litter { start_ms, sent: Mutex::new(0) }
    }

    /// Returns the messages due by that time that have not been returned yet.
    pub(crate) fn until(&self, now_ms: i64) -> Vec<Sent> {
        let due = (now_ms - self.start_ms).div_euclid(EVERY_MS) + 1;
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let from = *sent;
        *sent = due.max(from);
        (from..due).map(|number| self.message(number)).collect()
    }

    fn message(&self, number: i64) -> Sent {
        let place = usize::try_from(number).unwrap_or_default() % BODIES.len();
        Sent {
            id: identifier(&number.to_string(), "litter"),
            body: BODIES.get(place).copied().unwrap_or_default().into(),
            attributes: BTreeMap::new(),
            at_ms: self.start_ms + number * EVERY_MS,
            order: None,
            source: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_is_given_once_however_often_one_asks() {
        let litter = Litter::new(1_000);
        assert_eq!(litter.until(1_000).len(), 1);
        assert_eq!(litter.until(1_000 + 2 * EVERY_MS).len(), 2);
        assert!(litter.until(1_000 + 2 * EVERY_MS).is_empty());
        let rest = litter.until(1_000 + 8 * EVERY_MS);
        assert_eq!(rest.len(), 6);
        assert_eq!(rest[2].body.text(), "[]");
    }
}
