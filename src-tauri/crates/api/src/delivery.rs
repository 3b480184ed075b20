//! Channels with how delivery to them goes, and silences.

use liftdeck_model::Timestamp;
use liftdeck_model::channel::Channel;
use liftdeck_model::notification::Notification;
use liftdeck_model::silence::{Matchers, Silence};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A channel, and how delivery to it goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChannelState {
    pub channel: Channel,
    /// The newest messages, newest first, at most ten.
    pub newest: Vec<Notification>,
    /// How many messages wait to be sent.
    pub waiting: u32,
}

/// How a test of a channel ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChannelTest {
    /// Whether the receiver accepted the message.
    pub is_delivered: bool,
    /// Why not.
    pub detail: Option<String>,
}

/// Silences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SilenceList {
    /// Those that are or will be in force, with those of runs.
    pub open: Vec<Silence>,
    /// Those that are over, newest first, at most 50.
    pub over: Vec<Silence>,
}

/// A silence as a person asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SilenceDraft {
    pub matchers: Matchers,
    /// When it begins; at once if not given.
    pub from: Option<Timestamp>,
    pub until: Timestamp,
    pub reason: String,
}
