//! How CloudWatch rounds the start of a query.

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 86_400_000;

/// Data up to this age is kept per minute, up to the next age per five minutes, and after that per hour.
const BY_MINUTE_MS: i64 = 15 * DAY_MS;
const BY_FIVE_MINUTES_MS: i64 = 63 * DAY_MS;

/// Rounds a start as CloudWatch does: down to a minute, five minutes or an hour, depending on its age.
pub(super) fn rounded_start(start_ms: i64, now_ms: i64) -> i64 {
    let step_ms = match now_ms - start_ms {
        age_ms if age_ms < BY_MINUTE_MS => MINUTE_MS,
        age_ms if age_ms < BY_FIVE_MINUTES_MS => 5 * MINUTE_MS,
        _ => 60 * MINUTE_MS,
    };
    start_ms - start_ms.rem_euclid(step_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_795_000_000_000;

    #[test]
    fn a_start_is_rounded_down_more_coarsely_with_age() {
        for (days, step_ms) in [(1, MINUTE_MS), (20, 5 * MINUTE_MS), (100, 60 * MINUTE_MS)] {
            let start_ms = NOW_MS - days * DAY_MS;
            let rounded_ms = rounded_start(start_ms, NOW_MS);
            assert_eq!(rounded_ms % step_ms, 0, "{days} days");
            assert!(start_ms - rounded_ms < step_ms);
        }
    }
}
