//! What is to be told about alerts, to one channel: the message, and how far its delivery has come.
//!
//! Owns the record. Deliberately knows neither how a channel writes a message nor when one is due.

use serde::{Deserialize, Serialize};
use specta::Type;
use strum::{EnumString, IntoStaticStr};

use crate::alert::AlertId;
use crate::id::string_id;
use crate::{FleetId, Region, Severity, Timestamp};

string_id! {
    /// A message to one channel; a UUID. The same at every attempt, so that a receiver can tell a repeat.
    NotificationId,
}

/// What is told about one alert. In the order of weight: a message is named by the first that any of its alerts has.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    Type,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum Telling {
    /// It began to fire.
    Fired,
    /// It is more severe than was told.
    Worse,
    /// It is over.
    Resolved,
    /// It still fires, hours after it was last told.
    Reminder,
    /// A person took note of it.
    Acknowledged,
    /// Nothing new: it is named because it belongs to the same group.
    Unchanged,
    /// A test: nothing is wrong.
    Test,
}

/// One alert in a message, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToldAlert {
    /// Id.
    pub id: AlertId,
    /// What is told about it.
    pub telling: Telling,
    /// Severity.
    pub severity: Severity,
    /// The rule.
    pub rule: String,
    /// What it is about.
    pub subject: String,
    /// Home Region.
    pub region: Option<Region>,
    /// The fleet concerned.
    pub fleet_id: Option<FleetId>,
    /// When the trouble began.
    pub since: Timestamp,
    /// When it began to fire.
    pub fired_at: Option<Timestamp>,
    /// When it was over.
    pub ended_at: Option<Timestamp>,
    /// Who took note of it.
    pub acknowledged_by: Option<String>,
    /// What is wrong.
    pub title: String,
    /// The figures behind it.
    pub detail: String,
    /// The likeliest cause.
    pub cause: Option<String>,
}

impl ToldAlert {
    /// What is told about it, in one or two words.
    pub const fn label(&self) -> &'static str {
        match (self.telling, self.severity) {
            (Telling::Resolved, _) => "Over",
            (Telling::Acknowledged, _) => "Acknowledged",
            (Telling::Reminder, _) => "Still wrong",
            (Telling::Test, _) => "Test",
            (Telling::Worse, _) => "Worse",
            (_, Severity::Bad) => "Bad",
            _ => "Warning",
        }
    }
}

/// What is told at once: alerts of one rule in one Region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// The alerts, those with news first.
    pub alerts: Vec<ToldAlert>,
}

impl Message {
    /// What it mainly tells.
    pub fn telling(&self) -> Telling {
        self.alerts.iter().map(|alert| alert.telling).min().unwrap_or(Telling::Test)
    }

    /// The alerts with news.
    pub fn news(&self) -> impl Iterator<Item = &ToldAlert> {
        self.alerts.iter().filter(|alert| alert.telling != Telling::Unchanged)
    }
}

/// How far a delivery has come.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "snake_case")]
pub enum NotificationState {
    /// To be sent when due.
    Waiting,
    /// Being sent. Durable before the attempt.
    Sending,
    /// The receiver has accepted it.
    Delivered,
    /// It was rejected, or could not be delivered for a day.
    Failed,
    /// A later message tells the same and more.
    Superseded,
}

/// A message to one channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// Id.
    pub id: NotificationId,
    /// Name of the channel.
    pub channel: String,
    /// What belongs together: rule and Region.
    pub topic: String,
    /// How far it has come.
    pub state: NotificationState,
    /// When it was handed over for delivery.
    pub queued_at: Timestamp,
    /// When the next attempt is due.
    pub due_at: Timestamp,
    /// Attempts begun.
    pub attempts: u32,
    /// Whether an attempt ended without an answer: the receiver may have it already.
    pub may_be_repeat: bool,
    /// When it was delivered, failed or superseded.
    pub ended_at: Option<Timestamp>,
    /// Why the last attempt failed.
    pub detail: Option<String>,
    /// The message.
    pub message: Message,
}

/// What was last told about an alert that is not over, on one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldMark {
    /// Name of the channel.
    pub channel: String,
    /// The alert.
    pub alert_id: AlertId,
    /// The highest severity that was told.
    pub severity: Severity,
    /// Whether it was told that a person took note.
    pub acknowledged: bool,
    /// When it was last told.
    pub at: Timestamp,
}
