//! One attempt to deliver a message, and what its end means.

use std::time::Duration;

use liftdeck_gateway::{ErrorKind, Gateway, GatewayError};
use liftdeck_model::channel::{Channel, ChannelKind, Place};
use liftdeck_model::notification::ToldAlert;

use crate::envelope::{Envelope, Origin};
use crate::payload::{alertmanager, pagerduty, slack, sns, webhook};
use crate::post::post;
use crate::secret::{Secret, read};

/// The first pause between attempts; doubled after each.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// The longest pause that is made unasked.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);
/// The longest pause that a receiver may ask for.
const LONGEST_ASKED_FOR: Duration = Duration::from_secs(3_600);

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Accepted.
    Delivered,
    /// Refused: sending the same again would not help.
    Rejected(String),
    /// Not now.
    Later {
        /// Why.
        why: String,
        /// The pause that the receiver asked for.
        wait: Option<Duration>,
        /// Whether the receiver may have taken it although no answer came.
        may_have_arrived: bool,
    },
}

impl Outcome {
    pub(crate) fn rejected(why: impl Into<String>) -> Self {
        Self::Rejected(why.into())
    }

    /// Nothing was sent, but may be later.
    pub(crate) fn later(why: impl Into<String>) -> Self {
        Self::Later { why: why.into(), wait: None, may_have_arrived: false }
    }
}

/// The pause after attempt number `attempt` (from 1). `chance` lies in 0..1 and spreads out senders that failed at the
/// same time.
pub(crate) fn pause(attempt: u32, asked: Option<Duration>, chance: f64) -> Duration {
    let doubled = FIRST_PAUSE
        .saturating_mul(1_u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX))
        .min(LONGEST_PAUSE);
    let spread = doubled.mul_f64(0.5 + 0.5 * chance.clamp(0.0, 1.0));
    asked.map_or(spread, |asked| spread.max(asked.min(LONGEST_ASKED_FOR)))
}

/// Sends a message to a channel, once. `active` are the alerts that an Alertmanager is to know as firing.
pub(crate) async fn attempt(
    gateway: Option<&Gateway>,
    channel: &Channel,
    envelope: Envelope<'_>,
    active: &[ToldAlert],
) -> Outcome {
    let address = match read(&channel.address) {
        Ok(address) => address,
        Err(why) => return Outcome::later(why),
    };
    match channel.kind {
        ChannelKind::Webhook => match signing_key(channel) {
            Ok(key) => post(address.expose(), webhook::request(envelope, key.as_ref())).await,
            Err(why) => Outcome::later(why),
        },
        ChannelKind::Slack => post(address.expose(), slack::request(envelope)).await,
        ChannelKind::PagerDuty => {
            let endpoint = channel.endpoint.as_deref().unwrap_or(pagerduty::ENDPOINT);
            let mut outcome = Outcome::Delivered;
            for request in pagerduty::requests(envelope, &address) {
                match post(endpoint, request).await {
                    Outcome::Delivered => {}
                    // One event that is refused keeps no other from being told.
                    refused @ Outcome::Rejected(_) => outcome = refused,
                    // The events before this one are told again: PagerDuty takes a repeat for one.
                    later @ Outcome::Later { .. } => return later,
                }
            }
            outcome
        }
        ChannelKind::Alertmanager => {
            let address = format!("{}/api/v2/alerts", address.expose().trim_end_matches('/'));
            let Envelope { origin, at, .. } = envelope;
            post(&address, alertmanager::request(origin, envelope.message(), active, at)).await
        }
        ChannelKind::Sns => publish(gateway, address.expose(), envelope).await,
    }
}

/// Tells an Alertmanager again which alerts fire, so that it does not take them for over.
pub(crate) async fn refresh(
    channel: &Channel,
    origin: Origin<'_>,
    active: &[ToldAlert],
    at: liftdeck_model::Timestamp,
) -> Outcome {
    let nothing_new = liftdeck_model::notification::Message { alerts: Vec::new() };
    match read(&channel.address) {
        Ok(address) => {
            let address = format!("{}/api/v2/alerts", address.expose().trim_end_matches('/'));
            post(&address, alertmanager::request(origin, &nothing_new, active, at)).await
        }
        Err(why) => Outcome::later(why),
    }
}

fn signing_key(channel: &Channel) -> Result<Option<Secret>, String> {
    channel.signing_key.as_ref().map(|place: &Place| read(place)).transpose()
}

async fn publish(gateway: Option<&Gateway>, topic: &str, envelope: Envelope<'_>) -> Outcome {
    let Some(gateway) = gateway else { return Outcome::later("AWS has not been reached yet") };
    match gateway.publish(topic, &sns::publication(envelope, topic)).await {
        Ok(()) => Outcome::Delivered,
        Err(error) => of_error(&error),
    }
}

fn of_error(error: &GatewayError) -> Outcome {
    let why = match error.remedy() {
        Some(remedy) => format!("{error}. {remedy}"),
        None => error.to_string(),
    };
    match error.kind {
        ErrorKind::Denied | ErrorKind::NotFound | ErrorKind::Invalid | ErrorKind::Config => {
            Outcome::Rejected(why)
        }
        _ => Outcome::Later { why, wait: None, may_have_arrived: error.may_have_happened() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_ten_minutes_and_a_receiver_may_ask_for_more_within_an_hour() {
        let seconds =
            |attempt, asked: Option<u64>| pause(attempt, asked.map(Duration::from_secs), 1.0).as_secs();
        assert_eq!([1, 2, 3, 20, 200].map(|attempt| seconds(attempt, None)), [5, 10, 20, 600, 600]);
        assert_eq!((seconds(1, Some(60)), seconds(9, Some(1)), seconds(1, Some(86_400))), (60, 600, 3_600));
        assert!(pause(3, None, 0.0) < pause(3, None, 1.0));
    }
}
