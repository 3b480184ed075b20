//! The fault plan: which requests are hit by which fault, and how often. It is deterministic: the seed, the rule and
//! the number of the matching request decide.
//!
//! Only decides; the server applies the fault.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::identity::glob;

/// The largest clock skew: a day.
const MOST_SKEW_S: i64 = 86_400;

/// What happens to a request that a rule hits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// Only the rule's latency.
    #[default]
    Latency,
    /// A throttling error of the service.
    Throttle,
    /// An error of the rule's status, with the service's error body.
    Status,
    /// The rule's status with an empty body.
    EmptyStatus,
    /// The rule's status with an HTML page, as a proxy would answer.
    Html,
    /// The correct response, cut off half-way; its full length is announced.
    Truncate,
    /// A 200 response whose body does not match its content type.
    Garble,
    /// The connection is reset before a response.
    Reset,
    /// No response at all until the client gives up.
    Stall,
    /// The correct response, but with the requested token as its next token, so that a listing never ends.
    RepeatToken,
    /// The correct response, but with a next token that is refused when it is used.
    WrongToken,
    /// The correct response, but with a next token whose page begins with this page's last item.
    RepeatRow,
    /// A receive from a queue leaves its messages visible, so that the next receive returns them again.
    Duplicate,
    /// The service's clock is ahead by the rule's seconds. It refuses requests signed by another clock and sends its
    /// own time in `Date`.
    ClockSkew,
    /// CloudTrail records the call, but its event arrives only after the rule's `delay_s`.
    TrailDelay,
    /// CloudTrail's event of the call never arrives.
    TrailMissing,
}

impl FaultKind {
    /// Whether it strikes what CloudTrail tells of a call, and not the call.
    fn is_of_trail(self) -> bool {
        matches!(self, FaultKind::TrailDelay | FaultKind::TrailMissing)
    }
}

/// One rule of a plan. The first rule that hits a request decides. The rules about CloudTrail's events are apart: they
/// hold for all events, past ones too, as long as the plan is in force, and know neither `skip` nor `count`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FaultRule {
    /// The action, for example `gamelift:Describe*` or `sqs:*`; `*` stands for any text.
    pub operation: String,
    /// The region; `*` stands for any text.
    pub region: String,
    /// What happens.
    pub kind: FaultKind,
    /// Real milliseconds to wait before anything happens.
    pub latency_ms: u64,
    /// The HTTP status of `status`, `empty-status` and `html`.
    pub status: u16,
    /// Seconds by which the clock of `clock-skew` is ahead; negative if it is behind.
    pub skew_s: i64,
    /// Virtual seconds until the event of `trail-delay` arrives.
    pub delay_s: u32,
    /// The probability that a matching request is hit, 0 to 1.
    pub probability: f64,
    /// Matching requests to let through before the rule begins.
    pub skip: u64,
    /// The most requests the rule hits; no limit if absent.
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
            delay_s: 3_600,
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

/// A fault plan, or a file from the command line, that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("{} could not be read: {source}", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The text is not valid.
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

    /// Returns the plan if all its numbers are in range.
    ///
    /// # Errors
    /// When a probability is outside 0 to 1, a status is outside 200 to 599, or a clock is more than a day off.
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

/// The fault that hits a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The kind of fault.
    pub(crate) kind: FaultKind,
    /// Real milliseconds to wait before it.
    pub(crate) latency_ms: u64,
    /// The status, for the kinds that have one.
    pub(crate) status: u16,
    /// Seconds by which the service's clock is ahead, for the kind that has one.
    pub(crate) skew_s: i64,
}

/// What a plan says about an event of CloudTrail.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct OnTrail {
    /// It never arrives.
    pub(crate) lost: bool,
    /// It arrives after so many seconds.
    pub(crate) delay_s: Option<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    seen: u64,
    struck: u64,
}

/// A plan in force.
#[derive(Debug)]
pub(crate) struct Faults {
    seed: u64,
    state: Mutex<(FaultPlan, Vec<Progress>)>,
}

impl Faults {
    /// Puts a plan into force.
    pub(crate) fn new(seed: u64, plan: FaultPlan) -> Faults {
        let progress = vec![Progress::default(); plan.rules.len()];
        Faults { seed, state: Mutex::new((plan, progress)) }
    }

    /// Replaces the plan and resets all counts.
    pub(crate) fn replace(&self, plan: FaultPlan) {
        let progress = vec![Progress::default(); plan.rules.len()];
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = (plan, progress);
    }

    /// Returns the fault that hits the next request for an action in a region, if any.
    pub(crate) fn strike(&self, region: &str, action: &str) -> Option<Fault> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (plan, progress) = &mut *state;
        for (at, (rule, progress)) in plan.rules.iter().zip(progress).enumerate() {
            if rule.kind.is_of_trail() || !rule.is_about(region, action) {
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

impl Faults {
    /// Returns what happens to CloudTrail's event of an action in a region. `lot` is the event's own number from 0 to 1,
    /// which decides by the rule's probability.
    pub(crate) fn on_trail(&self, region: &str, action: &str, lot: f64) -> OnTrail {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rules = state.0.rules.iter().filter(|rule| rule.kind.is_of_trail());
        let hit = rules.find(|rule| rule.is_about(region, action) && lot < rule.probability);
        match hit.map(|rule| (rule.kind, rule.delay_s)) {
            Some((FaultKind::TrailMissing, _)) => OnTrail { lost: true, delay_s: None },
            Some((_, delay_s)) => OnTrail { lost: false, delay_s: Some(delay_s) },
            None => OnTrail::default(),
        }
    }
}

impl FaultRule {
    fn is_about(&self, region: &str, action: &str) -> bool {
        glob(&self.operation, action) && glob(&self.region, region)
    }
}

/// A number in 0..1 that depends only on its arguments (SplitMix64).
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
    fn rules_about_the_trail_strike_events_and_no_requests() {
        let text = "[[fault]]\noperation = 'gamelift:UpdateAlias'\nkind = 'trail-missing'\nprobability = 0.5\n\
                    [[fault]]\nkind = 'trail-delay'\ndelay_s = 90";
        let faults = Faults::new(1, plan(text));
        assert_eq!(faults.strike("eu-west-1", "gamelift:UpdateAlias"), None);
        let lost = OnTrail { lost: true, delay_s: None };
        let late = OnTrail { lost: false, delay_s: Some(90) };
        assert_eq!(faults.on_trail("eu-west-1", "gamelift:UpdateAlias", 0.49), lost);
        assert_eq!(faults.on_trail("eu-west-1", "gamelift:UpdateAlias", 0.5), late);
        assert_eq!(faults.on_trail("eu-west-1", "gamelift:UpdateScript", 0.0), late);
        assert_eq!(Faults::new(1, FaultPlan::default()).on_trail("r", "a", 0.0), OnTrail::default());
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
