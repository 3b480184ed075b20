//! Reads a message of the event feed: an SQS body becomes a placement event or a FlexMatch event, or is put aside
//! with a reason.
//!
//! Owns the tolerance the feed needs: field order is free, unknown fields are ignored, optional fields may be absent.
//! Deliberately never fails: a message that cannot be understood is returned whole, to be kept and counted. Knows
//! nothing of SQS calls (see `receiving`).

mod envelope;
mod field;
mod matchmaking;
mod placement;

use envelope::Event;
use liftdeck_model::feed::{FeedEvent, QuarantineReason, QuarantinedMessage};
use liftdeck_model::trail::TrailRecord;
use liftdeck_model::{AccountId, Region, Timestamp};

/// A message as received from SQS.
#[derive(Clone, Copy, Debug)]
pub struct FeedBody<'a> {
    /// SQS message id.
    pub message_id: &'a str,
    /// URL of the queue it came from.
    pub queue_url: &'a str,
    /// Region of that queue; overridden by the event's own Region, if it names one.
    pub region: &'a Region,
    /// The account the queue belongs to. Events of other accounts are foreign.
    pub account: &'a AccountId,
    /// When it was received.
    pub received_at: Timestamp,
    /// The body.
    pub body: &'a str,
}

/// What a message turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// A GameLift event of this account.
    Event(Box<FeedEvent>),
    /// A call of GameLift in this account, as CloudTrail recorded it.
    Call(Box<TrailRecord>),
    /// The whole message, because it was not understood or belongs to someone else.
    Aside(Box<QuarantinedMessage>),
}

/// Why a message cannot be understood.
#[derive(Debug)]
struct Misfit {
    reason: QuarantineReason,
    detail: String,
}

impl Misfit {
    fn not_json(detail: impl Into<String>) -> Self {
        Self { reason: QuarantineReason::NotJson, detail: detail.into() }
    }

    fn not_an_event(detail: impl Into<String>) -> Self {
        Self { reason: QuarantineReason::NotAnEvent, detail: detail.into() }
    }

    fn not_game_lift(detail: impl Into<String>) -> Self {
        Self { reason: QuarantineReason::NotGameLift, detail: detail.into() }
    }

    fn other_account(detail: impl Into<String>) -> Self {
        Self { reason: QuarantineReason::OtherAccount, detail: detail.into() }
    }

    fn unknown(detail: impl Into<String>) -> Self {
        Self { reason: QuarantineReason::UnknownType, detail: detail.into() }
    }

    fn incomplete(detail: impl Into<String>) -> Self {
        Self { reason: QuarantineReason::Incomplete, detail: detail.into() }
    }
}

/// Reads one message. `detail-type` distinguishes placement events from FlexMatch events. The outermost object
/// distinguishes the three delivery routes: SNS notification, SNS raw delivery and EventBridge (AWS: SNS raw message
/// delivery).
pub fn read(message: FeedBody<'_>) -> Reading {
    match understand(message) {
        Ok(reading) => reading,
        Err(misfit) => Reading::Aside(Box::new(QuarantinedMessage {
            message_id: message.message_id.to_owned(),
            queue_url: message.queue_url.to_owned(),
            region: message.region.clone(),
            received_at: message.received_at,
            reason: misfit.reason,
            detail: misfit.detail,
            body: message.body.to_owned(),
            waiting: None,
        })),
    }
}

/// The `detail-type` with which EventBridge delivers what CloudTrail recorded.
const TRAIL: &str = "AWS API Call via CloudTrail";

/// Checks the account of a GameLift event before its content: an event of another account is foreign, whatever it
/// contains.
fn understand(message: FeedBody<'_>) -> Result<Reading, Misfit> {
    let event = envelope::unwrap(message.body)?;
    if event.detail_type == TRAIL && event.source.as_deref() == Some("aws.gamelift") {
        event.is_of(message.account)?;
        return call(&event, message.account).map(|record| Reading::Call(Box::new(record)));
    }
    let read = match event.detail_type.as_str() {
        "GameLift Queue Placement Event" => placement,
        "GameLift Matchmaking Event" => matchmaking,
        other if other.starts_with("GameLift ") => {
            event.is_of(message.account)?;
            return Err(Misfit::unknown(format!("the detail-type `{other}` is not known")));
        }
        other => return Err(Misfit::not_game_lift(format!("an event of the detail-type `{other}`"))),
    };
    event.is_of(message.account)?;
    read(&event, message.region).map(|event| Reading::Event(Box::new(event)))
}

/// The record in the detail, which is the same that CloudTrail's event history has.
fn call(event: &Event, account: &AccountId) -> Result<TrailRecord, Misfit> {
    let raw =
        serde_json::to_string(event.detail()?).map_err(|error| Misfit::incomplete(error.to_string()))?;
    let record = TrailRecord::read(raw).map_err(|misfit| Misfit::incomplete(misfit.to_string()))?;
    match record.call.as_ref().and_then(|call| call.account.as_ref()) {
        Some(other) if other != account => {
            Err(Misfit::other_account(format!("the record belongs to the account {other}")))
        }
        _ => Ok(record),
    }
}

fn placement(event: &Event, home: &Region) -> Result<FeedEvent, Misfit> {
    placement::read(event, home).map(FeedEvent::Placement)
}

fn matchmaking(event: &Event, home: &Region) -> Result<FeedEvent, Misfit> {
    matchmaking::read(event, home).map(FeedEvent::Matchmaking)
}

#[cfg(test)]
mod tests;
