//! CloudTrail's event history: who called the API.
//!
//! Asked by the name of a call and always with a start and an end: without them a busy account's history would take
//! hours of the whole rate. A record whose text cannot be understood is returned as it came.

use std::collections::HashSet;

use aws_sdk_cloudtrail::primitives::DateTime;
use aws_sdk_cloudtrail::types::{Event, LookupAttribute, LookupAttributeKey};
use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use liftdeck_model::trail::TrailRecord;

use super::Reader;
use crate::error::{ErrorKind, GatewayError};
use crate::mapping::{Lacks, need};
use crate::page::{self, Reading};

const OPERATION: &str = "LookupEvents";

/// The most events of a page (AWS: LookupEvents, MaxResults), which is also the default.
const PAGE: i32 = 50;

/// The most pages of one look-up: a thousand calls of one name in a window are no work of people.
const MOST_PAGES: usize = 20;

impl Reader {
    /// Calls of this name in `range`, newest first; CloudTrail compares whole seconds, and both ends belong to it.
    ///
    /// The reading is complete when the history was read to the start of `range`. That says nothing about calls that
    /// CloudTrail has not been told of yet: they arrive minutes, sometimes hours later.
    pub async fn trail(&self, event_name: &str, range: TimeRange) -> Reading<TrailRecord> {
        let by_name = LookupAttribute::builder()
            .attribute_key(LookupAttributeKey::EventName)
            .attribute_value(event_name)
            .build();
        let by_name = match by_name {
            Ok(by_name) => by_name,
            Err(error) => {
                let why = error.to_string();
                let error = self.site.proven.error(ErrorKind::Config, OPERATION, Some(event_name), why);
                return Reading::failed(error);
            }
        };
        let request = self
            .site
            .clients
            .cloudtrail
            .lookup_events()
            .lookup_attributes(by_name)
            .start_time(DateTime::from_secs(range.from.as_ms().div_euclid(1_000)))
            .end_time(DateTime::from_secs(range.to.as_ms().div_euclid(1_000)))
            .max_results(PAGE);
        let mut pages = 0;
        let mut reading = page::read_all(|from| {
            pages += 1;
            let is_too_many = pages > MOST_PAGES;
            let request = request.clone();
            async move {
                if is_too_many {
                    return Err(self.endless(event_name));
                }
                let send = |token| request.clone().set_next_token(token).send();
                let split = |answer: aws_sdk_cloudtrail::operation::lookup_events::LookupEventsOutput| {
                    (answer.events, answer.next_token)
                };
                self.page(OPERATION, Some(event_name), from, &send, &split, &record).await
            }
        })
        .await;
        // The history grows at its beginning while it is read, so a page may repeat what an earlier one had.
        let mut seen = HashSet::new();
        reading.items.retain(|record| seen.insert(record.event_id.clone()));
        reading
    }

    fn endless(&self, event_name: &str) -> GatewayError {
        let message = format!("there are more than {} calls of this name", MOST_PAGES * PAGE as usize);
        self.site.proven.error(ErrorKind::Invalid, OPERATION, Some(event_name), message)
    }
}

fn record(event: Event) -> Result<TrailRecord, Lacks> {
    const RECORD: &str = "an event";
    let at = need(event.event_time, RECORD, "EventTime")?;
    let raw = need(event.cloud_trail_event, RECORD, "CloudTrailEvent")?;
    let id = need(event.event_id, RECORD, "EventId")?;
    let name = need(event.event_name, RECORD, "EventName")?;
    let at = Timestamp::from_ms(at.secs().saturating_mul(1_000));
    Ok(TrailRecord::listed(id, name, at, raw))
}
