//! How a fleet scaled: steps, their causes, and the lane of marks.

use liftdeck_insight as insight;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::{ByUs, Change, ChangeKind, Severity};
use crate::wire::number::{Ms, count};
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
    /// What of ours made it; null when it was not ours.
    pub(crate) by_us: Option<ByUs>,
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

impl From<insight::Cause> for ScalingCause {
    fn from(cause: insight::Cause) -> Self {
        match cause {
            insight::Cause::TargetPolicy => Self::TargetPolicy,
            insight::Cause::RulePolicy => Self::RulePolicy,
            insight::Cause::Manual => Self::Manual,
            insight::Cause::LimitReached => Self::LimitReached,
            insight::Cause::Interruption => Self::Interruption,
            insight::Cause::Unhealthy => Self::Unhealthy,
            insight::Cause::Unknown => Self::Unknown,
        }
    }
}

impl From<insight::ScalingStep> for ScalingStep {
    fn from(step: insight::ScalingStep) -> Self {
        Self {
            key: step.key,
            at_ms: step.at.into(),
            location: step.location.into_string(),
            from_desired: count(step.from_desired),
            to_desired: count(step.to_desired),
            cause: step.cause.into(),
            cause_text: step.cause_text,
            to_active_ms: step.to_active_ms.map(Ms),
            evidence: step.evidence,
            by_us: step.by_us.map(ByUs::from),
        }
    }
}

impl From<insight::Mark> for Mark {
    fn from(mark: insight::Mark) -> Self {
        Self {
            key: mark.key,
            at_ms: mark.at.into(),
            kind: mark.kind.into(),
            severity: mark.severity.into(),
            text: mark.text,
        }
    }
}

impl From<insight::FleetScaling> for FleetScaling {
    fn from(scaling: insight::FleetScaling) -> Self {
        Self {
            steps: scaling.steps.into_iter().map(ScalingStep::from).collect(),
            marks: scaling.marks.into_iter().map(Mark::from).collect(),
            changes: scaling.changes.into_iter().map(Change::from).collect(),
            capped_ranges: scaling.capped_ranges.into_iter().map(Range::from).collect(),
            freshness: scaling.freshness.into(),
        }
    }
}
