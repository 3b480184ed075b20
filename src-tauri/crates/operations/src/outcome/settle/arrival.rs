//! Until when a request without an answer can still arrive.
//!
//! Owns the length of that wait and the clocks that measure it: the time this process has itself seen pass, and AWS's
//! own time, which outlives the process. Deliberately never uses this computer's wall clock: setting it could shorten
//! the wait.

use std::time::Duration;

use liftdeck_model::activity::Activity;

use crate::outcome::Outcomes;

/// AWS (IAM User Guide, "AWS Signature Version 4 for API requests"): a request must reach AWS within five minutes of the
/// time stamp it is signed with.
const LIFETIME: Duration = Duration::from_mins(5);
/// The clock that signed it may be this far ahead of AWS, and the signature then lives this much longer.
const SKEW: Duration = Duration::from_mins(5);
/// AWS: the effect of a request takes up to a minute to show.
const SHOWS: Duration = Duration::from_secs(90);

/// How long after its last signing a request can no longer arrive, and would be seen if it had.
pub(super) const WAIT: Duration = LIFETIME.saturating_add(SKEW).saturating_add(SHOWS);

/// Whether AWS now shows everything that an attempt will ever have done.
pub(super) fn is_over(outcomes: &Outcomes, activity: &Activity) -> bool {
    let here = (outcomes.connection.options.steady)();
    let seen_here = here.saturating_sub(outcomes.attempts.given_up(&activity.id, here));
    let at_aws = outcomes.connection.gateway.aws_now().zip(activity.given_up_aws_at);
    let seen_at_aws = at_aws.map_or(Duration::ZERO, |(now, then)| {
        Duration::from_millis(u64::try_from(now.since_ms(then)).unwrap_or(0))
    });
    seen_here.max(seen_at_aws) >= WAIT
}
