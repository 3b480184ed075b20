//! The event of EventBridge that brings a management event of GameLift.
//!
//! EventBridge has these events only where a trail logs.

use std::sync::Arc;

use serde_json::{Value, json};

use super::record::{Record, iso};
use super::trail::Trail;
use crate::event_bridge::Event;
use crate::notification::identifier;
use crate::sqs::Body;

/// The largest event that EventBridge matches.
const MOST_BYTES: usize = 256 * 1024;

/// A record that arrives in EventBridge.
#[derive(Debug)]
pub(crate) struct Bridged {
    id: String,
    at_ms: i64,
    event: Value,
    text: String,
}

impl Event for Bridged {
    fn id(&self) -> &str {
        &self.id
    }

    fn at_ms(&self) -> i64 {
        self.at_ms
    }

    fn member(&self, name: &str) -> Option<Value> {
        self.event.get(name).cloned()
    }

    fn body(&self) -> Body {
        self.text.as_str().into()
    }
}

impl Trail {
    /// Returns the event that EventBridge has at that time, unless it is too large.
    pub(crate) fn event(&self, at_ms: i64, region: &str, record: &Arc<Record>) -> Option<Bridged> {
        let id = identifier(&record.id, "bridged event");
        let event = json!({
            "version": "0",
            "id": id,
            "detail-type": "AWS API Call via CloudTrail",
            "source": "aws.gamelift",
            "account": self.account(),
            "time": iso(record.call.at_ms),
            "region": region,
            "resources": [],
            "detail": record.event(region, self.account()),
        });
        let text = event.to_string();
        (text.len() <= MOST_BYTES).then_some(Bridged { id, at_ms, event, text })
    }
}
