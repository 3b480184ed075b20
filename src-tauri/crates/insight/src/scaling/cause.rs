//! The likely cause of a scaling step. AWS does not tell one, so this weighs what was seen around it and says what speaks
//! for the verdict. Pure.

use liftdeck_model::Timestamp;
use liftdeck_model::fleet::{PolicyType, ScalingPolicy};
use liftdeck_model::time::in_words;
use liftdeck_store::reader::fleet::{FleetDetail, LocationFigures};
use liftdeck_store::reader::series::PolicyTarget;

use super::step::{AVAILABLE, LocationHistory, MAXIMUM, MINIMUM, Move};
use crate::change::{ByUs, Change, ChangeKind};

/// Why desired instances moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The target-based policy.
    TargetPolicy,
    /// A rule-based policy.
    RulePolicy,
    /// Somebody set the capacity.
    Manual,
    /// It grew to the maximum: more was not allowed.
    LimitReached,
    /// EC2 took Spot instances back.
    Interruption,
    /// Unhealthy instances or processes were replaced.
    Unhealthy,
    /// Nothing seen speaks for any of these.
    Unknown,
}

/// What was seen around a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    maximum: Option<i64>,
    minimum: Option<i64>,
    /// Minimum or maximum moved with the step.
    limits_moved: Option<String>,
    /// Percent of free processes just before.
    available: Option<f64>,
    /// How long available had been on the same side of the target, in milliseconds.
    on_that_side_ms: i64,
    target: Option<f64>,
    /// Names of rule-based policies in force here.
    rules: Vec<String>,
    suspended: bool,
    /// What FLEET_SCALING_EVENT said.
    event: Option<String>,
    interruptions: usize,
    unhealthy: usize,
    /// What of ours set the desired instances.
    pub(super) by_us: Option<ByUs>,
}

/// A verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) cause: Cause,
    pub(super) text: String,
    pub(super) evidence: String,
}

/// How far around a step its causes are looked for: a poll, the minute AWS takes to show a change, and clocks apart.
const NEAR_MS: i64 = 120_000;
/// How far before a step lost instances are looked for: a Spot notice comes two minutes ahead.
const LOST_MS: i64 = 600_000;

impl Surroundings {
    pub(super) fn of(
        moved: &Move,
        here: &LocationFigures,
        history: &LocationHistory,
        targets: &[PolicyTarget],
        changes: &[Change],
        detail: &FleetDetail,
    ) -> Self {
        let near = |at: Timestamp, before_ms: i64| {
            at >= moved.at.plus_ms(-before_ms) && at <= moved.at.plus_ms(NEAR_MS)
        };
        let concerns =
            |change: &&Change| change.location.as_ref().is_none_or(|location| *location == here.location);
        let events = |code: &str| -> usize {
            let told = |change: &&Change| {
                change.kind == ChangeKind::FleetEvent
                    && change.text.contains(code)
                    && near(change.at, LOST_MS)
            };
            changes.iter().filter(told).count()
        };
        let limits_moved = changes
            .iter()
            .filter(concerns)
            .find(|change| change.kind == ChangeKind::Capacity && near(change.at, NEAR_MS));
        let scaled = |change: &&Change| {
            let text = change.text.to_lowercase();
            change.kind == ChangeKind::FleetEvent
                && near(change.at, NEAR_MS)
                && (text.contains("scal") || text.contains("desired") || text.contains("capacity"))
        };
        let target = targets
            .iter()
            .rev()
            .find(|target| target.from.is_none_or(|from| from <= moved.at))
            .and_then(|target| target.target_value);
        let before = moved.at.plus_ms(-1);
        let ours = changes.iter().find(|change| {
            change.kind == ChangeKind::ScalingStep
                && change.location.as_ref() == Some(&here.location)
                && change.after.as_deref() == Some(moved.to.to_string().as_str())
                && near(change.at, NEAR_MS)
                && change.by_us.is_some()
        });
        let rule = |policy: &&ScalingPolicy| {
            policy.policy_type == PolicyType::RuleBased
                && policy.location.as_ref().is_none_or(|location| *location == here.location)
        };
        Self {
            maximum: history.value(MAXIMUM, moved.at).map(|value| value.round() as i64),
            minimum: history.value(MINIMUM, moved.at).map(|value| value.round() as i64),
            limits_moved: limits_moved.map(Change::sentence),
            available: history.value(AVAILABLE, before),
            on_that_side_ms: target.map_or(0, |target| on_one_side_ms(history, moved, target)),
            target,
            rules: detail.policies.iter().filter(rule).map(|policy| policy.name.clone()).collect(),
            suspended: here.attributes.as_ref().is_some_and(|location| location.scaling_suspended),
            event: changes.iter().find(scaled).map(|_| "FLEET_SCALING_EVENT".to_owned()),
            interruptions: events("interrupted") + events("recycled"),
            unhealthy: events("unhealthy") + events("crashed"),
            by_us: ours.and_then(|change| change.by_us.clone()),
        }
    }
}

/// How long before a move the available percent had been where the policy acts: below the target before growth, above
/// it before shrinking.
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

/// Weighs what was seen.
pub(super) fn judge(moved: &Move, seen: &Surroundings) -> Judged {
    let grows = moved.to > moved.from;
    let mut evidence: Vec<String> = Vec::new();
    if let (Some(available), true) = (seen.available, seen.on_that_side_ms > 0) {
        evidence.push(format!("available {available:.1} % for {}", in_words(seen.on_that_side_ms)));
    } else if let Some(available) = seen.available {
        evidence.push(format!("available {available:.1} % before"));
    }
    evidence.extend(seen.event.clone());
    let verdict = |cause, text: String, mut evidence: Vec<String>| {
        evidence.truncate(2);
        Judged { cause, text, evidence: evidence.join(" · ") }
    };
    if seen.by_us.is_some() {
        evidence.insert(0, "sent from here".to_owned());
        return verdict(Cause::Manual, "capacity set with Liftdeck".to_owned(), evidence);
    }
    if let Some(limits) = &seen.limits_moved {
        evidence.insert(0, limits.clone());
        return verdict(Cause::Manual, "capacity set by hand".to_owned(), evidence);
    }
    if grows && seen.maximum == Some(moved.to) {
        return verdict(Cause::LimitReached, format!("maximum is {}", moved.to), evidence);
    }
    if seen.interruptions > 0 && seen.target.is_none_or(|_| seen.on_that_side_ms == 0) {
        evidence.insert(0, "Spot interruption events before it".to_owned());
        return verdict(Cause::Interruption, "Spot instances interrupted".to_owned(), evidence);
    }
    if seen.suspended {
        evidence.insert(0, "scaling is suspended here".to_owned());
        return verdict(Cause::Manual, "capacity set by hand".to_owned(), evidence);
    }
    if let Some(target) = seen.target {
        let fits = seen
            .available
            .is_none_or(|available| if grows { available < target } else { available > target });
        if fits {
            return verdict(Cause::TargetPolicy, format!("target policy {target} %"), evidence);
        }
    }
    if let Some(rule) = seen.rules.first() {
        let rules =
            if seen.rules.len() == 1 { format!("rule policy {rule}") } else { "rule policies".to_owned() };
        return verdict(Cause::RulePolicy, rules, evidence);
    }
    if seen.unhealthy > 0 {
        evidence.insert(0, "unhealthy processes before it".to_owned());
        return verdict(Cause::Unhealthy, "unhealthy instances replaced".to_owned(), evidence);
    }
    if !grows && seen.minimum == Some(moved.to) && seen.target.is_some() {
        return verdict(Cause::LimitReached, format!("minimum is {}", moved.to), evidence);
    }
    if seen.target.is_none() {
        evidence.push("no scaling policy in force".to_owned());
        return verdict(Cause::Manual, "capacity set by hand".to_owned(), evidence);
    }
    verdict(Cause::Unknown, "no cause seen".to_owned(), evidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(from: i64, to: i64) -> Move {
        Move { at: Timestamp::from_ms(600_000), from, to, until: Timestamp::from_ms(900_000) }
    }

    fn policy() -> Surroundings {
        Surroundings {
            maximum: Some(40),
            minimum: Some(2),
            available: Some(12.44),
            on_that_side_ms: 300_000,
            target: Some(20.0),
            ..Surroundings::default()
        }
    }

    #[test]
    fn too_little_available_before_growth_speaks_for_the_target_policy() {
        let judged = judge(&moved(10, 12), &policy());
        assert_eq!((judged.cause, judged.text.as_str()), (Cause::TargetPolicy, "target policy 20 %"));
        assert_eq!(judged.evidence, "available 12.4 % for 5 min 00 s");
    }

    #[test]
    fn growth_to_the_maximum_is_the_limit_whoever_asked_for_it() {
        let judged = judge(&moved(38, 40), &policy());
        assert_eq!((judged.cause, judged.text.as_str()), (Cause::LimitReached, "maximum is 40"));
    }

    #[test]
    fn limits_that_moved_with_it_speak_for_a_hand() {
        let seen = Surroundings { limits_moved: Some("maximum 20 → 40".into()), ..policy() };
        assert_eq!(judge(&moved(20, 40), &seen).cause, Cause::Manual);
    }

    #[test]
    fn what_was_sent_from_here_needs_no_guess() {
        let seen = Surroundings { by_us: Some(ByUs::Activity("a-1".into())), ..policy() };
        let judged = judge(&moved(38, 40), &seen);
        assert_eq!((judged.cause, judged.text.as_str()), (Cause::Manual, "capacity set with Liftdeck"));
        assert!(judged.evidence.starts_with("sent from here"), "{}", judged.evidence);
    }

    #[test]
    fn without_any_policy_it_was_a_hand() {
        let seen = Surroundings { target: None, on_that_side_ms: 0, ..policy() };
        assert_eq!(judge(&moved(4, 6), &seen).cause, Cause::Manual);
    }

    #[test]
    fn growth_with_plenty_available_is_not_blamed_on_the_policy() {
        let seen = Surroundings { available: Some(60.0), on_that_side_ms: 0, ..policy() };
        assert_eq!(judge(&moved(4, 6), &seen).cause, Cause::Unknown);
        let interrupted = Surroundings { interruptions: 3, ..seen.clone() };
        assert_eq!(judge(&moved(4, 6), &interrupted).cause, Cause::Interruption);
        let ruled = Surroundings { rules: vec!["grow".into()], ..seen };
        assert_eq!(judge(&moved(4, 6), &ruled).text, "rule policy grow");
    }
}
