//! How a fleet scaled: steps, their causes, and the lane of marks.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::{Change, ChangeKind, Severity};
use crate::wire::number::Ms;
use crate::wire::window::{Freshness, Range};

/// What most likely caused a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ScalingCause {
    TargetPolicy,
    RulePolicy,
    Manual,
    LimitReached,
    Interruption,
    Unhealthy,
    Unknown,
}

/// One change of the desired number of instances.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScalingStep {
    pub(crate) key: String,
    pub(crate) at_ms: Ms,
    pub(crate) location: String,
    pub(crate) from_desired: u32,
    pub(crate) to_desired: u32,
    pub(crate) cause: ScalingCause,
    pub(crate) cause_text: String,
    /// Milliseconds from desired to active; null = not (yet) reached.
    pub(crate) to_active_ms: Option<Ms>,
    pub(crate) evidence: String,
}

/// A mark under the charts.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Mark {
    pub(crate) key: String,
    pub(crate) at_ms: Ms,
    pub(crate) kind: ChangeKind,
    pub(crate) severity: Severity,
    pub(crate) text: String,
}

/// The Scaling tab beside its series.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetScaling {
    pub(crate) steps: Vec<ScalingStep>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) changes: Vec<Change>,
    /// When desired sat at the maximum.
    pub(crate) capped_ranges: Vec<Range>,
    pub(crate) freshness: Freshness,
}
