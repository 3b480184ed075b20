//! The message of an EventBridge rule that matches the management events of GameLift.
//!
//! EventBridge has these events only where a trail logs; the simulator's option stands for both, the trail and the
//! rule.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use super::record::{Record, iso};
use super::trail::Trail;
use crate::notification::identifier;
use crate::sqs::{Author, Body, Sent};

/// The largest event that EventBridge matches.
const MOST_BYTES: usize = 256 * 1024;

/// A record on its way, written only when it is read.
#[derive(Debug)]
struct Delivery {
    record: Arc<Record>,
    region: String,
    account: String,
}

impl Author for Delivery {
    fn write(&self) -> String {
        let event = json!({
            "version": "0",
            "id": identifier(&self.record.id, "bridged event"),
            "detail-type": "AWS API Call via CloudTrail",
            "source": "aws.gamelift",
            "account": self.account,
            "time": iso(self.record.call.at_ms),
            "region": self.region,
            "resources": [],
            "detail": self.record.event(&self.region, &self.account),
        });
        event.to_string()
    }
}

impl Trail {
    /// Returns the message that EventBridge delivers at that time, unless the event is too large.
    pub(crate) fn message(&self, at_ms: i64, region: &str, record: Arc<Record>) -> Option<Sent> {
        let id = identifier(&record.id, "bridged message");
        let author = Delivery { record, region: region.to_owned(), account: self.account().to_owned() };
        let body = author.write();
        (body.len() <= MOST_BYTES).then(|| Sent {
            id,
            attributes: BTreeMap::new(),
            at_ms,
            body: Body::Text(body),
            order: None,
            source: None,
        })
    }
}
