//! Alerts as they are kept: what is wrong with one subject, since when, and how far it has gone.
//!
//! Owns the states and the record. Deliberately does not know what can be wrong: the rule, the subject and the facts
//! are texts here, written and read by whoever judges.

use serde::{Deserialize, Serialize};
use specta::Type;
use strum::{EnumString, IntoStaticStr};

use crate::id::string_id;
use crate::{FleetId, Region, Severity, Timestamp};

string_id! {
    /// An alert of this database; a UUID.
    AlertId,
}

/// How far an alert has gone.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "snake_case")]
pub enum AlertState {
    /// Seen, but not yet for as long as its rule asks.
    Pending,
    /// Wrong now, as far as is known.
    Firing,
    /// No longer seen, but not yet for as long as its rule asks.
    Recovering,
    /// Over.
    Resolved,
}

impl AlertState {
    /// Whether it is not over yet.
    pub const fn is_open(self) -> bool {
        !matches!(self, Self::Resolved)
    }

    /// Whether a person is to be told of it.
    pub const fn is_shown(self) -> bool {
        matches!(self, Self::Firing | Self::Recovering)
    }
}

/// Who has taken note of an alert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Acknowledged {
    /// When.
    pub at: Timestamp,
    /// The name of the computer's user; empty if the system gave none.
    pub by: String,
}

/// An alert. One (rule, subject) has at most one that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlertRecord {
    /// Id.
    pub id: AlertId,
    /// The rule, as its owner spells it.
    pub rule: String,
    /// What it is about: stable for as long as it lasts and after a restart.
    pub subject: String,
    /// Home Region of the subject; `None` for what concerns several.
    pub region: Option<Region>,
    /// The fleet concerned, if there is one.
    pub fleet_id: Option<FleetId>,
    /// How much it matters.
    pub severity: Severity,
    /// State.
    pub state: AlertState,
    /// When the trouble began, by what the store holds. Never later than it once was.
    pub since: Timestamp,
    /// When data last showed it.
    pub seen_at: Timestamp,
    /// When it began to fire; `None` while it has not.
    pub fired_at: Option<Timestamp>,
    /// When data first no longer showed it; `None` while it does.
    pub clear_since: Option<Timestamp>,
    /// Since when there is no data that could tell; `None` while there is.
    pub unknown_since: Option<Timestamp>,
    /// When it was over: the moment data first no longer showed it.
    pub ended_at: Option<Timestamp>,
    /// Who has taken note of it.
    pub acknowledged: Option<Acknowledged>,
    /// The facts when last seen, as JSON in the format of whoever judges.
    pub document: String,
}

/// A moment in the course of an alert.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "snake_case")]
pub enum AlertStepKind {
    /// It was seen for the first time.
    Pending,
    /// It began to fire, or fired again while it recovered.
    Firing,
    /// Data no longer showed it.
    Recovering,
    /// It was over.
    Resolved,
    /// There was no longer any data that could tell.
    Unknown,
    /// There was data again.
    Known,
    /// A person took note of it.
    Acknowledged,
    /// A person wrote something down.
    Note,
}

/// One line of the course of an alert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AlertStep {
    /// When.
    pub at: Timestamp,
    /// What.
    pub kind: AlertStepKind,
    /// Who, for what a person did.
    pub by: Option<String>,
    /// What was written down.
    pub text: Option<String>,
}

impl AlertStep {
    /// A step that no person made.
    pub const fn new(at: Timestamp, kind: AlertStepKind) -> Self {
        Self { at, kind, by: None, text: None }
    }
}
