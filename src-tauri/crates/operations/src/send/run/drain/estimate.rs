//! How long a fleet takes to become empty: the remaining time of its live game sessions, estimated from how long its
//! ended ones lasted.
//!
//! Owns the arithmetic. Deliberately reads nothing: lengths and ages come in as arguments.

use liftdeck_model::time::in_words;

/// With fewer ended game sessions than this, their lengths say nothing.
const ENOUGH_ENDED: usize = 30;
/// The quantiles that the distribution of lengths passes through.
const QUANTILES: [f64; 12] = [0.05, 0.10, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70, 0.80, 0.90, 0.95, 0.99];

/// The time from now until the last live game session has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remaining {
    /// Median: as likely sooner as later, in milliseconds.
    pub(crate) p50_ms: i64,
    /// 95th percentile: sooner nineteen times in twenty, in milliseconds.
    pub(crate) p95_ms: i64,
    /// Live game sessions already older than all but one in a hundred. The recorded lengths say little about them.
    pub(crate) beyond: u64,
}

/// Why there is no estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoEstimate {
    /// Too few game sessions have ended while somebody looked.
    TooFew(u64),
    /// Most live game sessions are older than nearly all that have ended: they follow another pattern.
    UnlikeThePast(u64),
}

/// Estimates the remaining time of live game sessions of these ages from the lengths of ended ones (ascending), in
/// milliseconds.
///
/// # Errors
/// If what was recorded does not support an estimate.
pub(crate) fn remaining(lengths_ms: &[i64], ages_ms: &[i64]) -> Result<Remaining, NoEstimate> {
    if ages_ms.is_empty() {
        return Ok(Remaining { p50_ms: 0, p95_ms: 0, beyond: 0 });
    }
    if lengths_ms.len() < ENOUGH_ENDED {
        return Err(NoEstimate::TooFew(lengths_ms.len() as u64));
    }
    let long = quantile(lengths_ms, 0.99);
    let beyond = ages_ms.iter().filter(|age| **age as f64 > long).count();
    if beyond * 2 > ages_ms.len() {
        return Err(NoEstimate::UnlikeThePast(beyond as u64));
    }
    let law = Law::of(lengths_ms);
    let ln_alive: Vec<(f64, f64)> =
        ages_ms.iter().map(|age| (*age).max(0) as f64).map(|age| (age, law.ln_survival(age))).collect();
    let p50_ms = law.all_ended(&ln_alive, 0.50);
    let p95_ms = law.all_ended(&ln_alive, 0.95);
    Ok(Remaining { p50_ms, p95_ms, beyond: beyond as u64 })
}

/// The distribution of lengths: the logarithm of the share still running. It falls in straight lines between the
/// known quantiles. After the last one it falls as steeply as from the 90th to the 99th percentile: an exponential
/// tail.
struct Law {
    /// Length in milliseconds, and logarithm of the share that lasts longer. The first knot is length zero and all
    /// sessions.
    knots: Vec<(f64, f64)>,
    /// Slope of the tail per millisecond, above zero.
    tail: f64,
}

/// Returns the length below which this share of `ascending` lies.
fn quantile(ascending: &[i64], share: f64) -> f64 {
    let at = (ascending.len().saturating_sub(1) as f64 * share).round() as usize;
    ascending.get(at).copied().unwrap_or(0).max(0) as f64
}

impl Law {
    fn of(lengths_ms: &[i64]) -> Self {
        let mut knots = vec![(0.0, 0.0)];
        let mut longest = 0.0_f64;
        for share in QUANTILES {
            // Quantiles of few lengths may coincide. Keeping them a millisecond apart makes every line fall.
            longest = quantile(lengths_ms, share).max(longest + 1.0);
            knots.push((longest, (1.0 - share).ln()));
        }
        // From the 90th to the 99th percentile the share falls to a tenth. The slope is bounded, so that a session
        // that outlives 99 % is not expected to end within the second.
        let spread = (longest - quantile(lengths_ms, 0.90)).max(longest / 20.0).max(1.0);
        Self { knots, tail: 10.0_f64.ln() / spread }
    }

    /// Returns the logarithm of the share of game sessions that last longer than `age`.
    fn ln_survival(&self, age: f64) -> f64 {
        for pair in self.knots.windows(2) {
            if let [(from, high), (to, low)] = pair
                && age <= *to
            {
                return high + (low - high) * (age - from) / (to - from);
            }
        }
        let (last, low) = self.knots.last().copied().unwrap_or_default();
        low - self.tail * (age - last)
    }

    /// Returns the chance that all of `alive` (age, logarithm of survival to it) have ended after `wait`.
    fn chance(&self, alive: &[(f64, f64)], wait: f64) -> f64 {
        let ended = |(age, ln_alive): &(f64, f64)| 1.0 - (self.ln_survival(age + wait) - ln_alive).exp();
        alive.iter().map(ended).product()
    }

    /// Returns after how many milliseconds all have ended with that chance, to the second.
    fn all_ended(&self, alive: &[(f64, f64)], chance: f64) -> i64 {
        let mut late = 1_000.0;
        while self.chance(alive, late) < chance && late < 1e12 {
            late *= 2.0;
        }
        let mut early = 0.0;
        while late - early > 1_000.0 {
            let middle = f64::midpoint(early, late);
            if self.chance(alive, middle) < chance {
                early = middle;
            } else {
                late = middle;
            }
        }
        late as i64
    }
}

/// Puts the estimate into a sentence.
pub(crate) fn in_a_sentence(estimate: &Result<Remaining, NoEstimate>, live: u64) -> String {
    match estimate {
        Ok(_) if live == 0 => "No game session is left.".to_owned(),
        Ok(remaining) => {
            let beyond = match remaining.beyond {
                0 => String::new(),
                1 => " One of them has already run longer than 99 % of those before it.".to_owned(),
                many => format!(" {many} of them have already run longer than 99 % of those before them."),
            };
            format!(
                "Empty in about {}, in {} with 95 % likelihood, if sessions last as long as before.{beyond}",
                in_words(remaining.p50_ms),
                in_words(remaining.p95_ms)
            )
        }
        Err(NoEstimate::TooFew(ended)) => format!(
            "No estimate: {ended} game sessions of this fleet are known to have ended, and it takes {ENOUGH_ENDED}."
        ),
        Err(NoEstimate::UnlikeThePast(beyond)) => {
            format!("No estimate: {beyond} live game sessions have run longer than 99 % of those that ended.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    /// A thousand lengths, exponential with a mean of 20 minutes.
    fn lengths() -> Vec<i64> {
        (0..1_000).map(|n| (-1_200_000.0 * (1.0 - (f64::from(n) + 0.5) / 1_000.0).ln()) as i64).collect()
    }

    #[test]
    fn one_session_of_a_memoryless_fleet_takes_the_median_whatever_its_age() {
        for age in [0, 5 * MINUTE, 40 * MINUTE] {
            let remaining = remaining(&lengths(), &[age]).unwrap();
            let off = (remaining.p50_ms - 831_777).abs();
            assert!(off < 60_000, "age {age}: {remaining:?}");
        }
    }

    #[test]
    fn many_sessions_take_longer_than_one_and_certainty_longer_than_a_guess() {
        let one = remaining(&lengths(), &[0]).unwrap();
        let many = remaining(&lengths(), &[0; 100]).unwrap();
        assert!(many.p50_ms > one.p50_ms && many.p95_ms > many.p50_ms, "{many:?}");
        // The last of 100 memoryless sessions: -20 min * ln(1 - 0.5^(1/100)).
        assert!((many.p50_ms - 99 * MINUTE).abs() < 8 * MINUTE, "{many:?}");
    }

    #[test]
    fn an_older_session_of_regular_length_ends_sooner() {
        let regular: Vec<i64> = (0..500).map(|n| 16 * MINUTE + n * MINUTE / 50).collect();
        let fresh = remaining(&regular, &[0]).unwrap();
        let old = remaining(&regular, &[18 * MINUTE]).unwrap();
        assert!(old.p95_ms < fresh.p95_ms, "{old:?} {fresh:?}");
        assert!(fresh.p95_ms <= 26 * MINUTE && fresh.p50_ms >= 16 * MINUTE, "{fresh:?}");
    }

    #[test]
    fn an_empty_fleet_is_empty_now_even_with_nothing_recorded() {
        assert_eq!(remaining(&[], &[]), Ok(Remaining { p50_ms: 0, p95_ms: 0, beyond: 0 }));
    }

    #[test]
    fn too_few_ended_sessions_support_no_estimate_and_it_says_so() {
        let none = remaining(&lengths()[..29], &[MINUTE]);
        assert_eq!(none, Err(NoEstimate::TooFew(29)));
        assert!(in_a_sentence(&none, 1).contains("29 game sessions"));
        assert_eq!(remaining(&[], &[MINUTE]), Err(NoEstimate::TooFew(0)));
    }

    #[test]
    fn a_fleet_full_of_sessions_that_never_end_supports_no_estimate() {
        let stuck = remaining(&lengths(), &[9_000_000, 9_000_000, MINUTE]);
        assert_eq!(stuck, Err(NoEstimate::UnlikeThePast(2)));
    }

    #[test]
    fn one_session_that_hangs_is_named_and_does_not_spoil_the_estimate() {
        let one = remaining(&lengths(), &[9_000_000, MINUTE, MINUTE]);
        assert_eq!(one.unwrap().beyond, 1);
        assert!(in_a_sentence(&one, 3).contains("One of them"));
    }

    #[test]
    fn quantiles_that_coincide_still_give_a_number() {
        let remaining = remaining(&[60_000; 40], &[0, 30_000, 59_999]).unwrap();
        assert!(remaining.p95_ms > 0 && remaining.p95_ms < 3 * MINUTE, "{remaining:?}");
        assert!(super::remaining(&[0; 40], &[0]).is_ok());
    }
}
