//! The three envelopes an event can arrive in, and the outer object common to all events.

use liftdeck_model::arn::account_of;
use liftdeck_model::{AccountId, Region, Timestamp};
use serde_json::Value;

use super::Misfit;
use super::field::{self, Object};

/// The outer object of an event, with its detail still unread.
pub(super) struct Event {
    pub(super) detail_type: String,
    pub(super) source: Option<String>,
    pub(super) id: Option<String>,
    pub(super) time: Option<Timestamp>,
    pub(super) region: Option<Region>,
    pub(super) resources: Vec<String>,
    account: Option<AccountId>,
    /// ARN of the SNS topic that delivered it.
    topic: Option<String>,
    detail: Option<Object>,
}

impl Event {
    /// Returns the `detail` object, which says what happened.
    pub(super) fn detail(&self) -> Result<&Object, Misfit> {
        self.detail.as_ref().ok_or_else(|| Misfit::incomplete("`detail` is missing or not an object"))
    }

    /// Refuses an event unless its account, resource ARNs and topic ARN name this account and no other.
    pub(super) fn is_of(&self, account: &AccountId) -> Result<(), Misfit> {
        let of_arns = self.resources.iter().chain(&self.topic).filter_map(|arn| account_of(arn));
        let mut named = self.account.iter().cloned().chain(of_arns).peekable();
        if named.peek().is_none() {
            return Err(Misfit::other_account("the event names no account"));
        }
        match named.find(|named| named != account) {
            Some(other) => Err(Misfit::other_account(format!("the event names the account {other}"))),
            None => Ok(()),
        }
    }

    /// Returns the text after `marker` in the first resource ARN that contains it, and the Region of that ARN.
    pub(super) fn resource(&self, marker: &str) -> Option<(&str, Option<Region>)> {
        self.resources.iter().find_map(|arn| {
            let name = arn.split_once(marker)?.1;
            let region = arn.split(':').nth(3).filter(|part| !part.is_empty()).map(Region::from);
            (!name.is_empty()).then_some((name, region))
        })
    }
}

/// Extracts the event from a body: the body itself (SNS raw delivery, EventBridge), or the `Message` of an SNS
/// notification, which is JSON in a JSON string.
pub(super) fn unwrap(body: &str) -> Result<Event, Misfit> {
    let outer = object(body, "the body")?;
    if outer.contains_key("detail-type") {
        return event(outer, None);
    }
    match (outer.get("Type").and_then(Value::as_str), outer.get("Message").and_then(Value::as_str)) {
        (Some("Notification"), Some(message)) => {
            event(object(message, "the Message of the SNS notification")?, field::text(&outer, "TopicArn"))
        }
        (Some(kind), Some(_)) => Err(Misfit::not_an_event(format!("an SNS message of type `{kind}`"))),
        _ => Err(Misfit::not_an_event("neither a `detail-type` nor an SNS notification")),
    }
}

fn object(text: &str, what: &str) -> Result<Object, Misfit> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Misfit::not_an_event(format!("{what} is JSON but not an object"))),
        Err(error) => Err(Misfit::not_json(format!("{what} is not JSON: {error}"))),
    }
}

fn event(mut outer: Object, topic: Option<String>) -> Result<Event, Misfit> {
    let Some(detail_type) = field::text(&outer, "detail-type") else {
        return Err(Misfit::not_an_event("`detail-type` is not a string"));
    };
    let detail = match outer.remove("detail") {
        Some(Value::Object(detail)) => Some(detail),
        _ => None,
    };
    Ok(Event {
        detail_type,
        source: field::text(&outer, "source"),
        id: field::text(&outer, "id"),
        time: field::moment(&outer, "time"),
        region: field::text(&outer, "region").map(Region::new),
        resources: outer
            .get("resources")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        account: field::text(&outer, "account").map(AccountId::from),
        topic,
        detail,
    })
}
