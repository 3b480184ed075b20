//! The fault plan: which requests get what damage, and how often. Deterministic: the seed, the rule and the number of
//! the matching request decide.
//!
//! Decides only; the server does the damage.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::identity::glob;

/// The furthest a clock can be off: a day.
const MOST_SKEW_S: i64 = 86_400;

/// What happens to a request a rule strikes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// Nothing but the rule's latency.
    #[default]
    Latency,
    /// A throttling error of the service.
    Throttle,
    /// An error of the rule's status, with the service's error body.
    Status,
    /// The rule's status with an empty body.
    EmptyStatus,
    /// The rule's status with a page of HTML, as a proxy answers.
    Html,
    /// The right answer, cut off half-way; its length is announced whole.
    Truncate,
    /// A 200 whose body is not what its content type says.
    Garble,
    /// The connection is reset before an answer.
    Reset,
    /// No answer at all until the client gives up.
    Stall,
    /// The right answer, with the token that was asked as its next token, so that a listing never ends.
    RepeatToken,
    /// The right answer, with a next token that is refused when it is used.
    WrongToken,
    /// The right answer, with a next token whose page begins with this page's last item.
    RepeatRow,
    /// A receive from a queue whose messages stay visible, so that the next receive gives them again.
    Duplicate,
    /// A service whose clock is the rule's seconds ahead: it refuses what is signed by another clock, and tells its own
    /// time in `Date`.
    ClockSkew,
}

/// One rule of a plan. The first rule that strikes a request decides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FaultRule {
    /// The action, for example `gamelift:Describe*` or `sqs:*`; `*` stands for any text.
    pub operation: String,
    /// The region; `*` stands for any text.
    pub region: String,
    /// What happens.
    pub kind: FaultKind,
    /// Real milliseconds before anything happens.
    pub latency_ms: u64,
    /// The HTTP status of `status`, `empty-status` and `html`.
    pub status: u16,
    /// Seconds the clock of `clock-skew` is ahead; a negative number: behind.
    pub skew_s: i64,
    /// The chance that a matching request is struck, 0 to 1.
    pub probability: f64,
    /// Matching requests that pass before the rule begins.
    pub skip: u64,
    /// How many requests the rule strikes at most; absent: no limit.
    pub count: Option<u64>,
}

impl Default for FaultRule {
    fn default() -> FaultRule {
        FaultRule {
            operation: "*".to_owned(),
            region: "*".to_owned(),
            kind: FaultKind::Latency,
            latency_ms: 0,
            status: 503,
            skew_s: 3_600,
            probability: 1.0,
            skip: 0,
            count: None,
        }
    }
}

/// The rules in force: `[[fault]]` tables in a file, `{"fault": […]}` on the control plane.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultPlan {
    /// The rules, in the order they are tried.
    #[serde(default, rename = "fault")]
    pub rules: Vec<FaultRule>,
}

/// A file of the command line that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("{} could not be read: {source}", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The text is not what it should be.
    #[error("not a valid plan: {0}")]
    Invalid(String),
}

impl FaultPlan {
    /// Reads a plan from TOML text.
    ///
    /// # Errors
    /// When the text is not TOML, names an unknown member, or gives a number outside its range.
    pub fn from_toml(text: &str) -> Result<FaultPlan, PlanError> {
        let plan: FaultPlan = toml::from_str(text).map_err(|error| PlanError::Invalid(error.to_string()))?;
        plan.checked()
    }

    /// The plan, if all its numbers are in range.
    ///
    /// # Errors
    /// When a probability is outside 0 to 1, a status is none of HTTP, or a clock is more than a day off.
    pub fn checked(self) -> Result<FaultPlan, PlanError> {
        for (at, rule) in self.rules.iter().enumerate() {
            if !(0.0..=1.0).contains(&rule.probability) {
                let message = format!("rule {}: probability {} is not in 0 to 1", at + 1, rule.probability);
                return Err(PlanError::Invalid(message));
            }
            if rule.skew_s.abs() > MOST_SKEW_S {
                let message = format!("rule {}: skew_s {} is more than a day", at + 1, rule.skew_s);
                return Err(PlanError::Invalid(message));
            }
            if !(200..=599).contains(&rule.status) {
                let message = format!("rule {}: status {} is not in 200 to 599", at + 1, rule.status);
                return Err(PlanError::Invalid(message));
            }
        }
        Ok(self)
    }
}

/// What a struck request suffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The damage.
    pub(crate) kind: FaultKind,
    /// Real milliseconds before it.
    pub(crate) latency_ms: u64,
    /// The status, for the kinds that have one.
    pub(crate) status: u16,
    /// Seconds the service's clock is ahead, for the kind that has one.
    pub(crate) skew_s: i64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    seen: u64,
    struck: u64,
}

/// A plan at work.
#[derive(Debug)]
pub(crate) struct Faults {
    seed: u64,
    state: Mutex<(FaultPlan, Vec<Progress>)>,
}

impl Faults {
    /// Starts a plan.
    pub(crate) fn new(seed: u64, plan: FaultPlan) -> Faults {
        let progress = vec![Progress::default(); plan.rules.len()];
        Faults { seed, state: Mutex::new((plan, progress)) }
    }

    /// Replaces the plan; all counts begin anew.
    pub(crate) fn replace(&self, plan: FaultPlan) {
        let progress = vec![Progress::default(); plan.rules.len()];
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = (plan, progress);
    }

    /// The fault that strikes the next request of an action in a region, if any.
    pub(crate) fn strike(&self, region: &str, action: &str) -> Option<Fault> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (plan, progress) = &mut *state;
        for (at, (rule, progress)) in plan.rules.iter().zip(progress).enumerate() {
            if !glob(&rule.operation, action) || !glob(&rule.region, region) {
                continue;
            }
            progress.seen += 1;
            let due = progress.seen > rule.skip && rule.count.is_none_or(|count| progress.struck < count);
            if due && chance(self.seed, at as u64, progress.seen) < rule.probability {
                progress.struck += 1;
                let FaultRule { kind, latency_ms, status, skew_s, .. } = *rule;
                return Some(Fault { kind, latency_ms, status, skew_s });
            }
        }
        None
    }
}

/// A number in 0..1 that depends on its arguments only (SplitMix64).
fn chance(seed: u64, rule: u64, request: u64) -> f64 {
    let mut bits =
        seed ^ rule.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ request.wrapping_mul(0xd1b5_4a32_d192_ed03);
    for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
        bits = (bits ^ (bits >> shift)).wrapping_mul(factor);
    }
    bits ^= bits >> 31;
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> FaultPlan {
        FaultPlan::from_toml(text).unwrap()
    }

    #[test]
    fn a_rule_strikes_only_its_operations_and_region_and_only_so_often() {
        let text = "[[fault]]\noperation = 'gamelift:Describe*'\nregion = 'eu-west-1'\nkind = 'throttle'\nskip = 1\ncount = 2";
        let faults = Faults::new(1, plan(text));
        let struck = |action, region| faults.strike(region, action).is_some();
        assert!(!struck("gamelift:ListFleets", "eu-west-1"));
        assert!(!struck("gamelift:DescribeAlias", "us-east-1"));
        let row: Vec<bool> = (0..4).map(|_| struck("gamelift:DescribeAlias", "eu-west-1")).collect();
        assert_eq!(row, [false, true, true, false]);
    }

    #[test]
    fn the_same_seed_strikes_the_same_requests() {
        let text = "[[fault]]\nkind = 'reset'\nprobability = 0.3";
        let run = |seed| {
            let faults = Faults::new(seed, plan(text));
            (0..200).map(|_| faults.strike("r", "gamelift:ListFleets").is_some()).collect::<Vec<_>>()
        };
        assert_eq!(run(5), run(5));
        assert_ne!(run(5), run(6));
        let share = run(5).iter().filter(|struck| **struck).count();
        assert!((40..80).contains(&share), "{share}");
    }

    #[test]
    fn a_plan_with_a_mistake_is_refused() {
        assert!(FaultPlan::from_toml("[[fault]]\nkind = 'explode'").is_err());
        assert!(FaultPlan::from_toml("[[fault]]\nprobability = 2.0").is_err());
        assert!(FaultPlan::from_toml("[[fault]]\nstatus = 99").is_err());
        assert!(FaultPlan::from_toml("[[fault]]\nskew_s = 100000").is_err());
        assert!(FaultPlan::from_toml("[[faults]]\n").is_err());
    }
}
