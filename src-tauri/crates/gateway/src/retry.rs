//! Decides whether to retry, and after how long. The SDK's own retries are off; this is the only retry layer.
//!
//! Owns pure decisions; randomness comes in as an argument. `call` decides whether a change may be sent again at all.

use std::time::Duration;

use crate::error::ErrorKind;
use crate::fault::Fault;

const TRANSIENT_BASE: Duration = Duration::from_millis(200);
const THROTTLED_BASE: Duration = Duration::from_millis(1_000);
const LONGEST: Duration = Duration::from_secs(8);
/// The longest wait that is honoured when the service asks for one.
const LONGEST_ASKED_FOR: Duration = Duration::from_secs(20);

/// How long to pause after attempt number `attempt` (from 1) of at most `attempts`; `None` gives up. `chance` lies in
/// 0..1 and spreads out clients that failed at the same time.
pub(crate) fn pause(fault: &Fault, attempt: u32, attempts: u32, chance: f64) -> Option<Duration> {
    if attempt >= attempts {
        return None;
    }
    let base = match fault.kind() {
        ErrorKind::Throttled => THROTTLED_BASE,
        ErrorKind::Unreachable | ErrorKind::TimedOut | ErrorKind::Service | ErrorKind::Decode => {
            TRANSIENT_BASE
        }
        // The SDK has already corrected its clock from the refusal. If the next signature is refused too, no retry
        // will help.
        ErrorKind::Credentials if fault.may_be_clock_skew() && attempt == 1 => TRANSIENT_BASE,
        ErrorKind::Credentials
        | ErrorKind::Denied
        | ErrorKind::NotFound
        | ErrorKind::Invalid
        | ErrorKind::BudgetExhausted
        | ErrorKind::ReadOnly
        | ErrorKind::WrongAccount
        | ErrorKind::WrongCaller
        | ErrorKind::Unproven
        | ErrorKind::Config => return None,
    };
    let doubled = base.saturating_mul(1_u32.checked_shl(attempt - 1).unwrap_or(u32::MAX)).min(LONGEST);
    let spread = doubled.mul_f64(0.5 + 0.5 * chance.clamp(0.0, 1.0));
    Some(fault.retry_after.map_or(spread, |asked| spread.max(asked.min(LONGEST_ASKED_FOR))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fault::Cause;

    fn fault(cause: Cause, status: Option<u16>, code: Option<&str>) -> Fault {
        Fault {
            cause,
            before_connection: false,
            status,
            code: code.map(str::to_owned),
            request_id: None,
            retry_after: None,
            message: String::new(),
        }
    }

    #[test]
    fn what_may_pass_is_tried_again_and_what_cannot_is_not() {
        for (cause, status, code, again) in [
            (Cause::Refused, Some(429), None, true),
            (Cause::Refused, Some(400), Some("ThrottlingException"), true),
            (Cause::Refused, Some(500), None, true),
            (Cause::Refused, Some(503), None, true),
            (Cause::Connection, None, None, true),
            (Cause::Silence, None, None, true),
            (Cause::Damaged, Some(200), None, true),
            (Cause::Refused, Some(400), Some("LimitExceededException"), false),
            (Cause::Refused, Some(400), Some("NotReadyException"), false),
            (Cause::Refused, Some(400), Some("ConflictException"), false),
            (Cause::Refused, Some(400), Some("InvalidRequestException"), false),
            (Cause::Refused, Some(400), Some("NotFoundException"), false),
            (Cause::Refused, Some(403), Some("AccessDeniedException"), false),
            (Cause::Refused, Some(403), Some("ExpiredTokenException"), false),
            (Cause::Refused, Some(403), Some("RequestTimeTooSkewed"), true),
            (Cause::Credentials, None, None, false),
            (Cause::Request, None, None, false),
        ] {
            assert_eq!(
                pause(&fault(cause, status, code), 1, 3, 0.5).is_some(),
                again,
                "{cause:?} {status:?} {code:?}"
            );
        }
    }

    #[test]
    fn a_skewed_clock_is_corrected_once_not_for_ever() {
        let skewed = fault(Cause::Refused, Some(403), Some("RequestTimeTooSkewed"));
        assert_eq!(pause(&skewed, 2, 5, 0.5), None);
    }

    #[test]
    fn the_wait_the_service_asks_for_is_kept_within_reason() {
        let mut asked = fault(Cause::Refused, Some(429), None);
        asked.retry_after = Some(Duration::from_secs(5));
        assert_eq!(pause(&asked, 1, 3, 0.0), Some(Duration::from_secs(5)));
        asked.retry_after = Some(Duration::from_secs(3_600));
        assert_eq!(pause(&asked, 1, 3, 0.0), Some(Duration::from_secs(20)));
    }

    proptest! {
        #[test]
        fn pauses_grow_stay_bounded_and_end(attempt in 1_u32..200, attempts in 1_u32..200, chance in 0.0_f64..1.0) {
            let throttled = fault(Cause::Refused, Some(429), None);
            match pause(&throttled, attempt, attempts, chance) {
                None => prop_assert!(attempt >= attempts),
                Some(pause) => {
                    prop_assert!(attempt < attempts);
                    prop_assert!(pause >= THROTTLED_BASE / 2 && pause <= LONGEST);
                }
            }
        }
    }
}
