//! The likely cause of a scaling step. AWS does not report one, so this weighs what was seen around the step and
//! gives the evidence for its verdict. Pure.

use liftdeck_model::{FleetEventCode, Location, Timestamp};
use liftdeck_store::reader::past::ScalingPast;
use liftdeck_store::reader::series::PolicyTarget;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::step::{ACTIVE, AVAILABLE, LocationHistory, MAXIMUM, MINIMUM, Move};
use crate::change::{ByUs, Change, ChangeKind, Sent, Value, What, Who};

/// Why the number of desired instances changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Cause {
    /// The target-based policy.
    TargetPolicy {
        /// Its target at the time, as a percentage (0 to 100).
        target_percent: f64,
    },
    /// Rule-based policies.
    RulePolicy {
        /// The policies in force at the time, by name.
        policies: Vec<String>,
    },
    /// Somebody set the capacity.
    Manual,
    /// The step reached a limit and could go no further.
    LimitReached {
        /// Which limit.
        limit: Limit,
        /// The limit, in instances.
        instances: i64,
    },
    /// EC2 reclaimed Spot instances.
    Interruption,
    /// Unhealthy instances or processes were replaced.
    Unhealthy,
    /// There is no evidence for any of these.
    Unknown,
}

impl Cause {
    /// Its name in a table.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::TargetPolicy { .. } => "target_policy",
            Self::RulePolicy { .. } => "rule_policy",
            Self::Manual => "manual",
            Self::LimitReached { .. } => "limit_reached",
            Self::Interruption => "interruption",
            Self::Unhealthy => "unhealthy",
            Self::Unknown => "unknown",
        }
    }
}

/// A limit of scaling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Limit {
    /// The minimum number of instances.
    Minimum,
    /// The maximum number of instances.
    Maximum,
}

/// Evidence for a cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Evidence {
    /// This installation sent it.
    SentFromHere,
    /// CloudTrail recorded the call.
    Recorded,
    /// A limit changed with the step.
    LimitMoved {
        /// Which limit.
        limit: Limit,
        /// Instances before.
        from: i64,
        /// Instances after.
        to: i64,
    },
    /// Server processes that were free just before the step.
    Available {
        /// Their share as a percentage (0 to 100).
        percent: f64,
        /// How long, in milliseconds, that share had been on the side of the target where the policy acts; 0 if it
        /// was not.
        for_ms: i64,
    },
    /// A FLEET_SCALING_EVENT at about that time.
    ScalingEvent,
    /// Instances that were lost before the step.
    InstancesLost {
        /// How many.
        count: i64,
    },
    /// Processes or instances found unhealthy before the step.
    Unhealthy {
        /// How many.
        count: i64,
    },
    /// Automatic scaling was suspended in the location.
    Suspended,
    /// No scaling policy was in force in the location.
    NoPolicy,
    /// A policy was in force, and CloudTrail has no call that set the capacity.
    NoCall {
        /// Whether no such call is to be expected any more.
        is_settled: bool,
    },
}

/// Everything seen around a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    maximum: Option<i64>,
    minimum: Option<i64>,
    limit_moved: Option<LimitMove>,
    /// Percentage of free processes just before.
    available: Option<f64>,
    /// The lowest percentage that polls saw around the step. The policy looks between two polls.
    lowest: Option<f64>,
    /// The percentage of processes that one instance has.
    instance_percent: Option<f64>,
    /// How long the available percentage had been on the same side of the target, in milliseconds.
    on_that_side_ms: i64,
    target: Option<f64>,
    /// Names of the rule-based policies in force in the location at the time.
    rules: Vec<String>,
    suspended: bool,
    /// We set a capacity shortly before, and no poll has seen it as it was sent.
    sent_unseen: bool,
    /// Whether there was a FLEET_SCALING_EVENT.
    announced: bool,
    instances_lost: i64,
    unhealthy: i64,
    /// Who set the desired instances, as CloudTrail recorded it.
    recorded: Option<Who>,
    /// Whether a policy is left, because CloudTrail was asked and has no call that set them; and whether that is final.
    no_call: Option<bool>,
    /// Who moved the limit.
    limit_by: Option<Who>,
    /// The attempt or run of this installation that set the desired instances.
    pub(super) by_us: Option<ByUs>,
}

/// A change of minimum or maximum, seen with the step or shortly before.
#[derive(Clone, Copy, Debug)]
struct LimitMove {
    limit: Limit,
    from: i64,
    to: i64,
    /// Whether it was made without the step: an earlier poll saw it, or it is ours and the step is not.
    alone: bool,
}

impl LimitMove {
    fn evidence(self) -> Evidence {
        Evidence::LimitMoved { limit: self.limit, from: self.from, to: self.to }
    }

    /// Whether whoever moved the limit also made the step: the limit forced it, or both became the same number at
    /// once. Otherwise the limit only made room for it.
    fn made(self, moved: &Move) -> bool {
        let forces = match self.limit {
            Limit::Minimum => moved.to > moved.from,
            Limit::Maximum => moved.to < moved.from,
        };
        moved.to == self.to && (forces || !self.alone)
    }
}

/// How far around a step to look for causes: one poll, the minute AWS takes to show a change, and clock differences.
const NEAR_MS: i64 = 120_000;
/// Figures are polled every minute, and a minute passes until a step shows.
const POLL_MS: i64 = 60_000;
/// Most percentage points that the share of free processes is taken to have changed by between two polls.
const MOST_BETWEEN_POLLS: f64 = 8.0;
/// How far before a step to look for lost instances: a Spot notice comes two minutes ahead.
const LOST_MS: i64 = 600_000;

impl Surroundings {
    pub(super) fn of(
        moved: &Move,
        here: &Location,
        history: &LocationHistory,
        targets: &[PolicyTarget],
        changes: &[Change],
        past: &ScalingPast,
    ) -> Self {
        let near = |at: Timestamp, before_ms: i64| {
            at >= moved.at.plus_ms(-before_ms) && at <= moved.at.plus_ms(NEAR_MS)
        };
        // A move is dated by the poll that saw it, so its changes are too, even if the time of the call is known.
        let around = |before_ms: i64| changes.iter().filter(move |change| near(change.seen_at, before_ms));
        let events = |wanted: fn(&FleetEventCode) -> bool| -> i64 {
            let counted = |change: &Change| match &change.what {
                What::Events { code, count, .. } if wanted(code) => *count,
                _ => 0,
            };
            around(LOST_MS).map(counted).sum()
        };
        let is_announced =
            |change: &Change| matches!(&change.what, What::Events { code: FleetEventCode::FleetScaling, .. });
        let concerns = |change: &&Change| change.location.as_ref().is_none_or(|location| location == here);
        let target = targets
            .iter()
            .rev()
            .find(|target| target.from.is_none_or(|from| from <= moved.at))
            .and_then(|target| target.target_value);
        let looks = || {
            around(NEAR_MS).filter(|change| {
                change.kind == ChangeKind::ScalingStep
                    && change.location.as_ref() == Some(here)
                    && matches!(change.what, What::Set { after: Some(Value::Count(to)), .. } if to == moved.to)
            })
        };
        // What was sent after a poll saw the step cannot have caused it.
        let seen_at = looks().map(|look| look.seen_at).min_by_key(|at| at.since_ms(moved.at).abs());
        let precedes = |change: &Change| seen_at.is_none_or(|seen_at| change.seen_at <= seen_at);
        let by_us = looks().find_map(|look| look.by_us.clone());
        let limit_moved = |change: &Change| {
            let (limit, from, to) = limit_moved(change)?;
            let is_earlier = seen_at.is_some_and(|seen_at| change.seen_at < seen_at);
            let is_only_ours = change.by_us.is_some() && by_us.is_none();
            Some(LimitMove { limit, from, to, alone: is_earlier || is_only_ours })
        };
        let is_named = |who: &Who| matches!(who, Who::Named { .. });
        let recorded = looks().find_map(|look| look.who.clone()).filter(is_named);
        let no_call = looks().find_map(|look| match look.who {
            Some(Who::Policy { is_settled }) => Some(is_settled),
            _ => None,
        });
        let limit_by = around(NEAR_MS)
            .filter(concerns)
            .filter(|change| precedes(change) && limit_moved(change).is_some())
            .find_map(|change| change.who.clone())
            .filter(is_named);
        Self {
            maximum: history.value(MAXIMUM, moved.at).map(|value| value.round() as i64),
            minimum: history.value(MINIMUM, moved.at).map(|value| value.round() as i64),
            limit_moved: around(NEAR_MS)
                .filter(concerns)
                .filter(|change| precedes(change))
                .find_map(limit_moved),
            available: history.value(AVAILABLE, moved.at.plus_ms(-1)),
            lowest: history
                .values(AVAILABLE, moved.at.plus_ms(-POLL_MS), moved.at.plus_ms(POLL_MS))
                .map(|(_, percent)| percent)
                .min_by(f64::total_cmp),
            instance_percent: history
                .value(ACTIVE, moved.at)
                .filter(|active| *active >= 1.0)
                .map(|active| 100.0 / active),
            on_that_side_ms: target.map_or(0, |target| on_one_side_ms(history, moved, target)),
            target,
            rules: past.rules_at(here, moved.at),
            suspended: past.is_suspended_at(here, moved.at),
            sent_unseen: around(NEAR_MS)
                .filter(concerns)
                .any(|change| is_sent_capacity(change) && precedes(change)),
            announced: around(NEAR_MS).any(is_announced),
            instances_lost: events(FleetEventCode::is_instance_lost),
            unhealthy: events(FleetEventCode::is_unhealthy),
            recorded,
            no_call,
            limit_by,
            by_us,
        }
    }
}

impl Surroundings {
    /// Who made the step, as far as CloudTrail recorded it: whoever set the desired instances, or moved the limit that
    /// forced the step.
    pub(super) fn who(&self, moved: &Move) -> Option<&Who> {
        let forced = self.limit_moved.is_some_and(|limit| limit.made(moved));
        self.recorded.as_ref().or(self.limit_by.as_ref().filter(|_| forced))
    }
}

fn is_sent_capacity(change: &Change) -> bool {
    matches!(&change.what, What::Sent { sent: Sent::Capacity, .. })
}

fn limit_moved(change: &Change) -> Option<(Limit, i64, i64)> {
    let What::Set { field, before: Some(Value::Count(from)), after: Some(Value::Count(to)), .. } =
        &change.what
    else {
        return None;
    };
    let limit = match (change.kind, field.as_str()) {
        (ChangeKind::Capacity, "minimum") => Limit::Minimum,
        (ChangeKind::Capacity, "maximum") => Limit::Maximum,
        _ => return None,
    };
    Some((limit, *from, *to))
}

/// How long before a move the available percentage had been where the policy acts: below the target before growth,
/// above it before shrinking.
fn on_one_side_ms(history: &LocationHistory, moved: &Move, target: f64) -> i64 {
    let grows = moved.to > moved.from;
    let from = moved.at.plus_ms(-3_600_000);
    let mut since = moved.at;
    for (time, value) in history.values(AVAILABLE, from, moved.at).rev() {
        if (grows && value >= target) || (!grows && value <= target) {
            break;
        }
        since = time;
    }
    moved.at.since_ms(since)
}

/// Weighs what was seen: returns the likely cause, and the two strongest pieces of evidence for it.
pub(super) fn judge(moved: &Move, seen: &Surroundings) -> (Cause, Vec<Evidence>) {
    let grows = moved.to > moved.from;
    let percent = seen.available;
    let available = percent.map(|percent| Evidence::Available { percent, for_ms: seen.on_that_side_ms });
    let announced = seen.announced.then_some(Evidence::ScalingEvent);
    let room = seen.limit_moved.map(LimitMove::evidence);
    let beside = || available.iter().chain(&room).chain(&announced).cloned();
    let verdict =
        |cause, first: Option<Evidence>| (cause, first.into_iter().chain(beside()).take(2).collect());
    let by_limit = |limit: LimitMove| {
        (Cause::Manual, [limit.evidence()].into_iter().chain(available.clone()).take(2).collect())
    };
    if seen.by_us.is_some() {
        return verdict(Cause::Manual, Some(Evidence::SentFromHere));
    }
    if seen.recorded.is_some() {
        return verdict(Cause::Manual, Some(Evidence::Recorded));
    }
    if let Some(limit) = seen.limit_moved.filter(|limit| limit.made(moved)) {
        return by_limit(limit);
    }
    if seen.sent_unseen {
        return verdict(Cause::Manual, Some(Evidence::SentFromHere));
    }
    let reached = |limit| Cause::LimitReached { limit, instances: moved.to };
    if grows && seen.maximum == Some(moved.to) {
        return verdict(reached(Limit::Maximum), None);
    }
    if seen.instances_lost > 0 && seen.target.is_none_or(|_| seen.on_that_side_ms == 0) {
        let count = seen.instances_lost;
        return verdict(Cause::Interruption, Some(Evidence::InstancesLost { count }));
    }
    if seen.suspended {
        return verdict(Cause::Manual, Some(Evidence::Suspended));
    }
    if let Some(target_percent) = seen.target {
        let fits = if grows {
            // Nobody has been seen to ask for it, and the share came so near the target that the policy may have.
            let between = seen.instance_percent.unwrap_or(0.0).min(MOST_BETWEEN_POLLS);
            seen.lowest.or(seen.available).is_none_or(|percent| percent < target_percent + between)
        } else {
            seen.available.is_none_or(|available| available > target_percent)
        };
        if fits {
            return verdict(Cause::TargetPolicy { target_percent }, None);
        }
    }
    if !seen.rules.is_empty() {
        return verdict(Cause::RulePolicy { policies: seen.rules.clone() }, None);
    }
    if seen.unhealthy > 0 {
        return verdict(Cause::Unhealthy, Some(Evidence::Unhealthy { count: seen.unhealthy }));
    }
    if !grows && seen.minimum == Some(moved.to) && seen.target.is_some() {
        return verdict(reached(Limit::Minimum), None);
    }
    if let Some(limit) = seen.limit_moved {
        return by_limit(limit);
    }
    if let (Some(target_percent), Some(is_settled)) = (seen.target, seen.no_call) {
        return verdict(Cause::TargetPolicy { target_percent }, Some(Evidence::NoCall { is_settled }));
    }
    if seen.target.is_none() {
        return (Cause::Manual, beside().chain([Evidence::NoPolicy]).take(2).collect());
    }
    verdict(Cause::Unknown, None)
}

#[cfg(test)]
mod tests;
