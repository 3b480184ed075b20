//! The condition of a Region: how its failures affect polling, and which state is shown for them.
//!
//! Pure. Owns the pause after failures that concern every call (no credentials, another account, endpoint
//! unreachable, store not writable). One poll at a time then probes, at growing intervals up to a minute, instead of
//! all polls failing over and over. A failure of one kind of poll affects that kind alone.

use std::collections::BTreeMap;

use liftdeck_gateway::ErrorKind;
use liftdeck_model::observation::PollKind;
use liftdeck_model::{Region, Timestamp};

use crate::health::{HealthState, RegionHealth};
use crate::trouble::{Cause, Trouble};

const FIRST_PAUSE_MS: i64 = 5_000;
const LONGEST_PAUSE_MS: i64 = 60_000;
/// One unanswered call may be that call's own fault. After this many without a success in between, the Region counts
/// as unreachable.
const SILENT_CALLS: u32 = 3;
/// How long a throttled call is shown in the state.
const THROTTLED_FOR_MS: i64 = 60_000;

/// Whether polls may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// As many as there are free places.
    Open,
    /// One at a time, to see whether calls work again.
    Probe,
    /// None before this moment.
    Shut(Timestamp),
}

#[derive(Clone, Debug)]
struct Pause {
    until: Timestamp,
    attempts: u32,
    /// The user asked for a retry while a poll may have been under way. That poll's failure does not count as the
    /// retry's result.
    again: bool,
    trouble: Trouble,
}

impl Pause {
    /// Whether the pause is over. A clock set back must not make it last longer than the longest pause.
    const fn is_over(&self, now: Timestamp) -> bool {
        let left_ms = self.until.since_ms(now);
        left_ms <= 0 || left_ms > LONGEST_PAUSE_MS
    }
}

/// A Region's figures from the gateway's meter.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Load {
    pub(crate) quota_share: f64,
    pub(crate) busiest_operation: Option<String>,
    pub(crate) throttles: u64,
}

/// The condition of one Region.
#[derive(Clone, Debug, Default)]
pub(crate) struct Condition {
    last_success: Option<Timestamp>,
    silent: u32,
    pause: Option<Pause>,
    throttled: Option<(Timestamp, Trouble)>,
    failing: BTreeMap<PollKind, Trouble>,
}

impl Condition {
    /// Whether polls may start at `now`.
    pub(crate) fn gate(&self, now: Timestamp) -> Gate {
        match &self.pause {
            None => Gate::Open,
            Some(pause) if pause.is_over(now) => Gate::Probe,
            Some(pause) => Gate::Shut(pause.until),
        }
    }

    /// Notes that a poll of `kind` read everything it asked for.
    pub(crate) fn succeeded(&mut self, kind: PollKind, now: Timestamp) {
        self.last_success = Some(now);
        self.silent = 0;
        self.pause = None;
        self.failing.remove(&kind);
    }

    /// Notes that a poll of `kind` failed.
    pub(crate) fn failed(&mut self, kind: PollKind, trouble: Trouble, now: Timestamp) {
        match trouble.cause {
            Cause::Store
            | Cause::Aws(
                ErrorKind::Credentials | ErrorKind::Config | ErrorKind::WrongAccount | ErrorKind::Unproven,
            ) => self.hold(trouble, now),
            Cause::Aws(ErrorKind::Unreachable | ErrorKind::TimedOut) => {
                self.silent += 1;
                if self.pause.is_some() || self.silent >= SILENT_CALLS {
                    self.hold(trouble, now);
                }
            }
            Cause::Aws(ErrorKind::Throttled | ErrorKind::BudgetExhausted) => {
                self.throttled = Some((now, trouble));
            }
            // A resource that disappeared between two polls is not a failure of the kind.
            Cause::Aws(ErrorKind::NotFound) => {}
            Cause::Program
            | Cause::Aws(
                ErrorKind::Denied
                | ErrorKind::Invalid
                | ErrorKind::Service
                | ErrorKind::Decode
                | ErrorKind::ReadOnly
                | ErrorKind::WrongCaller,
            ) => {
                self.failing.insert(kind, trouble);
            }
        }
    }

    /// Ends the pause, so that the next poll may start at once.
    pub(crate) fn hurry(&mut self, now: Timestamp) {
        if let Some(pause) = &mut self.pause {
            pause.until = now;
            pause.attempts = 0;
            pause.again = true;
        }
    }

    /// Returns what is shown of the Region.
    pub(crate) fn view(&self, region: &Region, behind_ms: i64, load: Load, now: Timestamp) -> RegionHealth {
        let (state, trouble) = self.state(behind_ms, now);
        RegionHealth {
            region: region.clone(),
            state,
            behind_ms,
            quota_share: load.quota_share,
            busiest_operation: load.busiest_operation,
            throttles: load.throttles,
            message: trouble.map(|trouble| trouble.message.clone()),
            remedy: trouble.and_then(|trouble| trouble.remedy.clone()),
            last_success: self.last_success,
        }
    }

    fn state(&self, behind_ms: i64, now: Timestamp) -> (HealthState, Option<&Trouble>) {
        if let Some(pause) = &self.pause {
            let state = match pause.trouble.cause {
                Cause::Store => HealthState::StoreProblem,
                Cause::Aws(ErrorKind::Credentials) => HealthState::CredentialsExpired,
                Cause::Aws(ErrorKind::WrongAccount) => HealthState::WrongAccount,
                Cause::Aws(ErrorKind::Unproven) => HealthState::Unproven,
                Cause::Aws(_) | Cause::Program => HealthState::Unreachable,
            };
            return (state, Some(&pause.trouble));
        }
        let failing = self.failing.values().next();
        let nothing_to_go_by = self.failing.contains_key(&PollKind::Fleets);
        if let Some(denied) =
            self.failing.values().find(|trouble| trouble.cause == Cause::Aws(ErrorKind::Denied))
            && (nothing_to_go_by || self.last_success.is_none())
        {
            return (HealthState::Denied, Some(denied));
        }
        match &self.throttled {
            Some((at, trouble)) if (0..THROTTLED_FOR_MS).contains(&now.since_ms(*at)) => {
                return (HealthState::Throttled, Some(trouble));
            }
            _ => {}
        }
        let state = match (self.last_success, behind_ms) {
            (None, 0) => HealthState::Starting,
            (_, 1..) => HealthState::Behind,
            _ => HealthState::Live,
        };
        (state, failing)
    }

    fn hold(&mut self, trouble: Trouble, now: Timestamp) {
        let attempts = match &self.pause {
            // Polls that were under way when the pause began fail for the same reason and do not count as attempts.
            Some(pause) if !pause.is_over(now) => return,
            Some(pause) if pause.again => {
                self.pause = Some(Pause { until: now, attempts: 0, again: false, trouble });
                return;
            }
            Some(pause) => pause.attempts.saturating_add(1),
            None => 0,
        };
        let pause_ms = (FIRST_PAUSE_MS << attempts.min(10)).min(LONGEST_PAUSE_MS);
        self.pause = Some(Pause { until: now.plus_ms(pause_ms), attempts, again: false, trouble });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp::from_ms(1_772_619_330_000);

    fn trouble(cause: Cause) -> Trouble {
        Trouble {
            cause,
            message: format!("{cause:?}"),
            remedy: Some("do something".to_owned()),
            unproven: false,
        }
    }

    fn aws(kind: ErrorKind) -> Trouble {
        trouble(Cause::Aws(kind))
    }

    fn state(condition: &Condition, now: Timestamp) -> HealthState {
        condition.view(&Region::from("eu-west-1"), 0, Load::default(), now).state
    }

    #[test]
    fn expired_credentials_pause_everything_ever_longer_up_to_a_minute() {
        let mut condition = Condition::default();
        let mut now = T0;
        let mut pauses = Vec::new();
        for _ in 0..6 {
            condition.failed(PollKind::Fleets, aws(ErrorKind::Credentials), now);
            let Gate::Shut(until) = condition.gate(now) else { panic!("open") };
            pauses.push(until.since_ms(now));
            assert_eq!(state(&condition, now), HealthState::CredentialsExpired);
            now = until;
            assert_eq!(condition.gate(now), Gate::Probe);
        }
        assert_eq!(pauses, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
        condition.succeeded(PollKind::Fleets, now);
        assert_eq!(condition.gate(now), Gate::Open);
        assert_eq!(state(&condition, now), HealthState::Live);
    }

    #[test]
    fn another_account_and_one_not_proven_pause_everything_from_the_first_call() {
        for (kind, shown) in [
            (ErrorKind::WrongAccount, HealthState::WrongAccount),
            (ErrorKind::Unproven, HealthState::Unproven),
        ] {
            let mut condition = Condition::default();
            condition.failed(PollKind::Fleets, aws(kind), T0);
            assert_eq!(state(&condition, T0), shown);
            assert_eq!(condition.gate(T0), Gate::Shut(T0.plus_ms(5_000)));
        }
    }

    #[test]
    fn polls_that_fail_together_are_one_attempt() {
        let mut condition = Condition::default();
        for n in 0..20 {
            condition.failed(PollKind::GameSessions, aws(ErrorKind::Credentials), T0.plus_ms(n));
        }
        assert_eq!(condition.gate(T0.plus_ms(20)), Gate::Shut(T0.plus_ms(5_000)));
    }

    #[test]
    fn a_clock_set_back_does_not_prolong_a_pause() {
        let mut condition = Condition::default();
        condition.failed(PollKind::Fleets, aws(ErrorKind::Credentials), T0);
        assert_eq!(condition.gate(T0.plus_ms(-3_600_000)), Gate::Probe);
    }

    #[test]
    fn trying_again_by_hand_ends_the_pause() {
        let mut condition = Condition::default();
        condition.failed(PollKind::Fleets, aws(ErrorKind::Credentials), T0);
        condition.hurry(T0.plus_ms(1));
        assert_eq!(condition.gate(T0.plus_ms(1)), Gate::Probe);
        condition.failed(PollKind::Fleets, aws(ErrorKind::Credentials), T0.plus_ms(2));
        assert_eq!(condition.gate(T0.plus_ms(2)), Gate::Probe, "that one had begun before it was asked for");
        condition.failed(PollKind::Fleets, aws(ErrorKind::Credentials), T0.plus_ms(3));
        assert!(matches!(condition.gate(T0.plus_ms(3)), Gate::Shut(_)));
    }

    #[test]
    fn one_silent_call_does_not_pause_a_region_but_three_in_a_row_do() {
        let mut condition = Condition::default();
        condition.succeeded(PollKind::Fleets, T0);
        for n in 0..2 {
            condition.failed(PollKind::GameSessions, aws(ErrorKind::TimedOut), T0.plus_ms(n));
        }
        assert_eq!(condition.gate(T0), Gate::Open);
        condition.failed(PollKind::GameSessions, aws(ErrorKind::Unreachable), T0);
        assert!(matches!(condition.gate(T0), Gate::Shut(_)));
        assert_eq!(state(&condition, T0), HealthState::Unreachable);
    }

    #[test]
    fn a_clock_set_back_neither_makes_probes_follow_each_other_at_once_nor_shows_an_old_throttle() {
        let mut condition = Condition::default();
        condition.failed(PollKind::Aliases, aws(ErrorKind::Throttled), T0);
        condition.failed(PollKind::Fleets, aws(ErrorKind::Credentials), T0);
        let back = T0.plus_ms(-3 * 365 * 86_400_000);
        assert_eq!(condition.gate(back), Gate::Probe);
        condition.failed(PollKind::Fleets, aws(ErrorKind::Credentials), back);
        assert!(matches!(condition.gate(back), Gate::Shut(until) if until > back), "it waits again");
        condition.succeeded(PollKind::Fleets, back);
        assert_eq!(state(&condition, back), HealthState::Live);
    }

    #[test]
    fn a_denied_kind_is_named_but_the_rest_stays_live() {
        let mut condition = Condition::default();
        condition.succeeded(PollKind::Fleets, T0);
        condition.failed(PollKind::Scripts, aws(ErrorKind::Denied), T0);
        let view = condition.view(&Region::from("eu-west-1"), 0, Load::default(), T0);
        assert_eq!((view.state, condition.gate(T0)), (HealthState::Live, Gate::Open));
        assert!(view.message.is_some() && view.remedy.is_some());
        condition.succeeded(PollKind::Scripts, T0);
        assert_eq!(condition.view(&Region::from("eu-west-1"), 0, Load::default(), T0).message, None);
    }

    #[test]
    fn without_the_fleets_there_is_nothing_to_go_by() {
        let mut condition = Condition::default();
        condition.succeeded(PollKind::Queues, T0);
        condition.failed(PollKind::Fleets, aws(ErrorKind::Denied), T0);
        assert_eq!(state(&condition, T0), HealthState::Denied);
    }

    #[test]
    fn throttling_shows_for_a_minute_and_pauses_nothing() {
        let mut condition = Condition::default();
        condition.succeeded(PollKind::Fleets, T0);
        condition.failed(PollKind::GameSessions, aws(ErrorKind::Throttled), T0);
        assert_eq!((state(&condition, T0), condition.gate(T0)), (HealthState::Throttled, Gate::Open));
        assert_eq!(state(&condition, T0.plus_ms(60_000)), HealthState::Live);
    }

    #[test]
    fn a_store_that_cannot_be_written_pauses_and_says_so() {
        let mut condition = Condition::default();
        condition.failed(PollKind::Fleets, trouble(Cause::Store), T0);
        assert_eq!(state(&condition, T0), HealthState::StoreProblem);
    }

    #[test]
    fn a_region_is_starting_until_its_first_answer_and_behind_when_late() {
        let mut condition = Condition::default();
        let region = Region::from("eu-west-1");
        assert_eq!(state(&condition, T0), HealthState::Starting);
        condition.succeeded(PollKind::Fleets, T0);
        let late = condition.view(&region, 42, Load::default(), T0);
        assert_eq!((late.state, late.behind_ms), (HealthState::Behind, 42));
        condition.failed(PollKind::FleetEvents, aws(ErrorKind::NotFound), T0);
        assert_eq!(state(&condition, T0), HealthState::Live);
    }
}
