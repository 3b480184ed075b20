//! Why a fleet has its size: its scaling steps with their likely causes, the marks beside them, and the times when it
//! was at its limit with nothing free.

mod capped;
mod cause;
mod export;
mod lacking;
mod room;
mod step;
mod suspended;

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Severity, Timestamp};
use liftdeck_store::reader::freshness::{Basis, Freshness};
use liftdeck_store::reader::series::PolicyTarget;
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

pub use self::capped::capped_since;
pub(crate) use self::capped::{Capped, KeptFree, LOOK_BACK_MS, capped};
use self::capped::{capped_ranges, united};
pub use self::cause::{Cause, Evidence, Limit};
use self::cause::{Surroundings, judge};
pub use self::export::export_scaling_steps;
pub(crate) use self::lacking::lacking_since;
pub(crate) use self::room::little_room_since;
pub(crate) use self::step::count_before;
use self::step::{LocationHistory, reached_after};
pub(crate) use self::suspended::asking_since;
use crate::change::{ByUs, Change, ChangeKind, Step, Who, changes, repeats_a_step};
use crate::words;

/// One change of a location's desired instances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScalingStep {
    /// Identifies the step; stable when it is read again.
    pub key: String,
    /// When it was first seen.
    pub at: Timestamp,
    /// Where.
    pub location: Location,
    /// Desired instances before.
    pub from_desired: i64,
    /// Desired instances after.
    pub to_desired: i64,
    /// Likely cause.
    pub cause: Cause,
    /// The cause as text: `target policy 20 %`, `maximum is 40`.
    pub cause_text: String,
    /// Milliseconds until that many instances were active; `None` if that was not seen (yet).
    pub to_active_ms: Option<i64>,
    /// The evidence for the cause, strongest first.
    pub evidence: Vec<Evidence>,
    /// The same as text.
    pub evidence_text: String,
    /// The attempt or run of this installation that made it; `None` if it was not ours.
    pub by_us: Option<ByUs>,
    /// Who made it, if CloudTrail recorded the call.
    pub who: Option<Who>,
}

/// A mark below the charts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    /// Identifies the mark.
    pub key: String,
    /// When.
    pub at: Timestamp,
    /// Kind.
    pub kind: ChangeKind,
    /// How much it matters.
    pub severity: Severity,
    /// What happened.
    pub text: String,
    /// The attempt or run of this installation that did it; `None` if it was not ours.
    pub by_us: Option<ByUs>,
}

/// A fleet's scaling over a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FleetScaling {
    /// Steps, newest first.
    pub steps: Vec<ScalingStep>,
    /// Marks, oldest first.
    pub marks: Vec<Mark>,
    /// Changes of the fleet's settings and its events, newest first.
    pub changes: Vec<Change>,
    /// Targets of the fleet's target-based policy, oldest first; the last one is in force now.
    #[serde(skip)]
    pub policy_targets: Vec<PolicyTarget>,
    /// When a location was at its limit with no free process.
    pub capped_ranges: Vec<TimeRange>,
    /// Freshness of the figures.
    pub freshness: Freshness,
}

/// How far before the range figures are read: a policy may have waited that long before the first step.
const BEFORE_MS: i64 = 3_600_000;
/// How far after the range: the instances of its last step may become active only then.
const AFTER_MS: i64 = 3_600_000;
/// Maximum number of changes and events read.
const MOST_CHANGES: u32 = 500;

/// Reads a fleet's scaling over `range`; `None` if the store has never listed the fleet.
///
/// # Errors
/// When the store cannot be read.
pub async fn fleet_scaling(
    reader: &Reader,
    fleet: &FleetId,
    range: TimeRange,
    now: Timestamp,
) -> Result<Option<FleetScaling>, StoreError> {
    let Some(detail) = reader.fleet_detail(fleet, now).await? else { return Ok(None) };
    // What lies just outside the range may explain a step inside it.
    let wide =
        TimeRange::new(range.from.plus_ms(-BEFORE_MS), range.to.plus_ms(AFTER_MS).min(now).max(range.to));
    let mut changes = changes(reader, Some(fleet), wide, MOST_CHANGES).await?;
    let past = reader.scaling_past(fleet).await?;
    let mut steps = Vec::new();
    let mut capped = Vec::new();
    for here in &detail.summary.locations {
        let history = LocationHistory::read(reader, fleet, &here.location, wide).await?;
        capped.extend(capped_ranges(&history).into_iter().filter_map(|period| inside(period, range)));
        let targets = reader.policy_targets(fleet, Some(&here.location)).await?;
        for moved in history.moves().into_iter().filter(|moved| range.contains(moved.at)) {
            let seen = Surroundings::of(&moved, &here.location, &history, &targets, &changes, &past);
            let (cause, evidence) = judge(&moved, &seen);
            steps.push(ScalingStep {
                key: format!("{} {}", here.location, moved.at.as_ms()),
                at: moved.at,
                location: here.location.clone(),
                from_desired: moved.from,
                to_desired: moved.to,
                cause_text: match seen.who(&moved).and_then(words::who) {
                    Some(by) => format!("{}, by {by}", words::cause(&cause, seen.by_us.is_some())),
                    None => words::cause(&cause, seen.by_us.is_some()),
                },
                who: seen.who(&moved).cloned(),
                cause,
                to_active_ms: reached_after(&moved, &history),
                evidence_text: words::evidence(&evidence),
                evidence,
                by_us: seen.by_us,
            });
        }
    }
    steps.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.location.cmp(&b.location)));
    let told: Vec<Step> = steps
        .iter()
        .map(|step| Step {
            fleet_id: fleet.clone(),
            location: step.location.clone(),
            at: step.at,
            to: step.to_desired,
        })
        .collect();
    changes.retain(|change| range.contains(change.at) && !repeats_a_step(change, &told));
    let one = |kind| reader.freshness(Basis::One(kind, fleet.as_str()), now);
    Ok(Some(FleetScaling {
        marks: marks(&steps, &changes),
        steps,
        changes,
        policy_targets: reader.policy_targets(fleet, None).await?,
        capped_ranges: united(capped),
        freshness: one(PollKind::FleetCapacity).and(one(PollKind::FleetEvents)),
    }))
}

/// The part of a period that lies in the range.
fn inside(period: TimeRange, range: TimeRange) -> Option<TimeRange> {
    let part = TimeRange::new(period.from.max(range.from), period.to.min(range.to));
    (part.from < part.to).then_some(part)
}

fn marks(steps: &[ScalingStep], changes: &[Change]) -> Vec<Mark> {
    let of_steps = steps.iter().map(|step| Mark {
        key: step.key.clone(),
        at: step.at,
        kind: ChangeKind::ScalingStep,
        severity: match step.cause {
            Cause::LimitReached { .. } => Severity::Bad,
            _ => Severity::Info,
        },
        text: format!("{} {} → {}: {}", step.location, step.from_desired, step.to_desired, step.cause_text),
        by_us: step.by_us.clone(),
    });
    let of_changes =
        changes.iter().filter(|change| change.kind != ChangeKind::ScalingStep).map(|change| Mark {
            key: change.key.clone(),
            at: change.at,
            kind: change.kind,
            severity: change.severity,
            text: change.sentence(),
            by_us: change.by_us.clone(),
        });
    let mut marks: Vec<Mark> = of_steps.chain(of_changes).collect();
    marks.sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.key.cmp(&b.key)));
    marks
}
