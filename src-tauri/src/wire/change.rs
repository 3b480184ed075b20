//! What changed: lines of the feed and marks on charts.

use serde::{Deserialize, Serialize};
use specta::Type;

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
    pub(crate) by_us: bool,
    pub(crate) link: Option<String>,
}
