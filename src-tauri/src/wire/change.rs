//! What changed: lines of the feed and marks on charts.

use liftdeck_insight as insight;
use liftdeck_model::{FleetId, Location};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::goto::encoded;
use crate::wire::number::Ms;

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Severity {
    Info,
    Warning,
    Bad,
}

/// What kind of thing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ChangeKind {
    FleetEvent,
    ScalingStep,
    Capacity,
    ScalingPolicy,
    Alias,
    Queue,
    RuntimeConfiguration,
    Script,
    Build,
    Fleet,
    Deployment,
}

/// What of ours made a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub(crate) enum ByUs {
    /// One attempt.
    Activity { id: String },
    /// A run of several.
    Run { id: String },
}

/// One line of "What changed": subject in bold, text after it; before → after when a setting changed.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Change {
    pub(crate) key: String,
    pub(crate) at_ms: Ms,
    pub(crate) kind: ChangeKind,
    pub(crate) severity: Severity,
    pub(crate) region: String,
    pub(crate) fleet_id: Option<String>,
    pub(crate) location: Option<String>,
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    /// What of ours did it; null when somebody or something else did, or nobody knows.
    pub(crate) by_us: Option<ByUs>,
    pub(crate) link: Option<String>,
}

impl From<insight::Severity> for Severity {
    fn from(severity: insight::Severity) -> Self {
        match severity {
            insight::Severity::Info => Self::Info,
            insight::Severity::Warning => Self::Warning,
            insight::Severity::Bad => Self::Bad,
        }
    }
}

impl From<insight::ChangeKind> for ChangeKind {
    fn from(kind: insight::ChangeKind) -> Self {
        match kind {
            insight::ChangeKind::FleetEvent => Self::FleetEvent,
            insight::ChangeKind::ScalingStep => Self::ScalingStep,
            insight::ChangeKind::Capacity => Self::Capacity,
            insight::ChangeKind::ScalingPolicy => Self::ScalingPolicy,
            insight::ChangeKind::Alias => Self::Alias,
            insight::ChangeKind::Queue => Self::Queue,
            insight::ChangeKind::RuntimeConfiguration => Self::RuntimeConfiguration,
            insight::ChangeKind::Script => Self::Script,
            insight::ChangeKind::Build => Self::Build,
            insight::ChangeKind::Fleet => Self::Fleet,
            insight::ChangeKind::Deployment => Self::Deployment,
        }
    }
}

impl From<insight::ByUs> for ByUs {
    fn from(maker: insight::ByUs) -> Self {
        match maker {
            insight::ByUs::Activity(id) => Self::Activity { id: id.into_string() },
            insight::ByUs::Run(id) => Self::Run { id: id.into_string() },
        }
    }
}

impl From<insight::Change> for Change {
    fn from(change: insight::Change) -> Self {
        let link = match (&change.fleet_id, change.kind) {
            (Some(fleet), insight::ChangeKind::FleetEvent) => Some(fleet_link(fleet, "events")),
            (Some(fleet), _) => Some(fleet_link(fleet, "scaling")),
            (None, insight::ChangeKind::Alias) => Some("#/aliases".to_owned()),
            (None, insight::ChangeKind::Queue) => Some("#/placements".to_owned()),
            (None, _) => None,
        };
        Self {
            key: change.key,
            at_ms: change.at.into(),
            kind: change.kind.into(),
            severity: change.severity.into(),
            region: change.region.into_string(),
            fleet_id: change.fleet_id.map(FleetId::into_string),
            location: change.location.map(Location::into_string),
            subject: change.subject,
            text: change.text,
            before: change.before,
            after: change.after,
            by_us: change.by_us.map(ByUs::from),
            link,
        }
    }
}

/// The address of a fleet's tab.
pub(crate) fn fleet_link(fleet: &FleetId, tab: &str) -> String {
    format!("#/fleets/{}/{tab}", encoded(fleet.as_str()))
}
