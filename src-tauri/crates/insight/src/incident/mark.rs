//! The marks under the lanes: each failure, and each change that concerns the incident.

use liftdeck_model::{Severity, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::failed::Failed;
use super::sphere::Sphere;
use crate::change::{Change, ChangeKind};
use crate::words;

/// Most marks of each sort.
const MOST: usize = 300;

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum MarkKind {
    /// A failure.
    Failure,
    /// An alias, a queue, a limit, a policy or the like was changed.
    Change,
    /// A scaling step.
    Scaling,
    /// A fleet event.
    Event,
}

/// A mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct IncidentMark {
    /// Identifies it; stable when it is read again.
    pub key: String,
    /// When.
    pub at: Timestamp,
    /// What it stands for.
    pub kind: MarkKind,
    /// How much it matters.
    pub severity: Severity,
    /// What it is, as text.
    pub text: String,
    /// Whether it is a likely cause.
    pub is_cause: bool,
}

pub(super) const fn kind_of(change: &Change) -> MarkKind {
    match change.kind {
        ChangeKind::FleetEvent => MarkKind::Event,
        ChangeKind::ScalingStep => MarkKind::Scaling,
        _ => MarkKind::Change,
    }
}

pub(super) fn marks(sphere: &Sphere<'_>, failed: &Failed, changes: &[Change]) -> Vec<IncidentMark> {
    let rows = failed.sessions.rows.iter().enumerate().rev().take(MOST);
    let failures = rows.map(|(index, row)| IncidentMark {
        key: format!("failure {index}"),
        at: row.at,
        kind: MarkKind::Failure,
        severity: Severity::Bad,
        text: words::incident::failure(row, &sphere.name_of(&row.fleet_id), sphere.bad.len() > 1),
        is_cause: false,
    });
    let causes = sphere.cause_keys();
    // The failures themselves are marked already, one by one.
    let shown = changes.iter().filter(|change| !sphere.tells_of_failures(change));
    let changes = shown.take(MOST).map(|change| IncidentMark {
        key: change.key.clone(),
        at: change.at,
        kind: kind_of(change),
        severity: change.severity,
        text: change.sentence(),
        is_cause: causes.contains(&change.key),
    });
    let mut marks: Vec<IncidentMark> = failures.chain(changes).collect();
    for (index, (at, text)) in sphere.undated_causes().into_iter().enumerate() {
        marks.push(IncidentMark {
            key: format!("cause {index}"),
            at,
            kind: MarkKind::Change,
            severity: Severity::Warning,
            text,
            is_cause: true,
        });
    }
    marks.sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.key.cmp(&b.key)));
    marks
}
