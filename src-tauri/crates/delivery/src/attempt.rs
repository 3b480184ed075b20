//! One attempt to deliver a message, and what its end means.

use std::time::Duration;

use liftdeck_gateway::{ErrorKind, Gateway, GatewayError};
use liftdeck_model::channel::{Channel, ChannelKind, Place};
use liftdeck_model::notification::ToldAlert;

use crate::envelope::{Envelope, Origin};
use crate::payload::{alertmanager, pagerduty, slack, sns, webhook};
use crate::post::post;
use crate::secret::{Secret, read};

/// The first and the longest pause between attempts, doubled after each, while a channel takes nothing.
const PAUSES: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(600));
/// Those between attempts at a message that was itself refused: the same again will hardly be taken.
const PAUSES_IF_REFUSED: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(3_600));
/// The longest pause that a receiver may ask for.
const LONGEST_ASKED_FOR: Duration = Duration::from_secs(3_600);

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Accepted.
    Delivered,
    /// This message was refused. The channel may take others meanwhile.
    Refused(String),
    /// The channel takes nothing now: it is not there, is busy, or does not let us in until somebody puts it right.
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
    /// Nothing was taken, but may be later.
    pub(crate) fn later(why: impl Into<String>) -> Self {
        Self::Later { why: why.into(), wait: None, may_have_arrived: false }
    }
}

/// The pause after attempt number `attempt` (from 1) at a channel that takes nothing. `chance` lies in 0..1 and spreads
/// out senders that failed at the same time.
pub(crate) fn pause(attempt: u32, asked: Option<Duration>, chance: f64) -> Duration {
    let grown = grown(PAUSES, attempt, chance);
    asked.map_or(grown, |asked| grown.max(asked.min(LONGEST_ASKED_FOR)))
}

/// The same after an attempt at a message that was itself refused.
pub(crate) fn pause_if_refused(attempt: u32, chance: f64) -> Duration {
    grown(PAUSES_IF_REFUSED, attempt, chance)
}

fn grown((first, longest): (Duration, Duration), attempt: u32, chance: f64) -> Duration {
    let doublings = 1_u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX);
    first.saturating_mul(doublings).min(longest).mul_f64(0.5 + 0.5 * chance.clamp(0.0, 1.0))
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
                    refused @ Outcome::Refused(_) => outcome = refused,
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
        ErrorKind::Invalid => Outcome::Refused(why),
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

    #[test]
    fn a_message_that_was_itself_refused_is_tried_at_most_once_an_hour_in_the_end() {
        let minutes = [1, 2, 6, 7, 200].map(|attempt| pause_if_refused(attempt, 1.0).as_secs() / 60);
        assert_eq!(minutes, [1, 2, 32, 60, 60]);
    }
}
