//! How likely a difference is by chance alone: Fisher's exact test of one value against the rest, and the correction
//! for having looked at many values (Benjamini and Hochberg).

/// A table of two by two: the bad ones and all, with a value and altogether.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) bad_in: u64,
    pub(super) all_in: u64,
    pub(super) bad: u64,
    pub(super) all: u64,
}

/// The probability that as many bad ones or more would have the value if bad ones were spread by chance (Fisher's exact
/// test, one-sided: only more than expected counts).
pub(super) fn fisher(table: Table) -> f64 {
    let Table { bad_in, all_in, bad, all } = table;
    if bad_in > all_in.min(bad) || all_in > all || bad > all {
        return 1.0;
    }
    let most = all_in.min(bad);
    // At or below what is expected there is no surplus to explain; above it, each next term is smaller.
    if u128::from(bad_in) * u128::from(all) <= u128::from(all_in) * u128::from(bad) {
        return 1.0;
    }
    let first = ln_choose(bad, bad_in) + ln_choose(all - bad, all_in - bad_in) - ln_choose(all, all_in);
    let (mut term, mut sum) = (1.0, 1.0);
    for count in bad_in..most {
        let stays = (bad - count) as f64 * (all_in - count) as f64;
        let goes = (count + 1) as f64 * (all - bad + count + 1 - all_in) as f64;
        term *= stays / goes;
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    (first + sum.ln()).exp().min(1.0)
}

fn ln_choose(of: u64, chosen: u64) -> f64 {
    let ln_factorial = |number: u64| libm::lgamma(number as f64 + 1.0);
    ln_factorial(of) - ln_factorial(chosen) - ln_factorial(of - chosen)
}

/// The adjusted probabilities of Benjamini and Hochberg, in the order of the given ones: the share of false finds among
/// all finds with an adjusted probability up to this one.
pub(super) fn adjusted(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    let chance = |index: usize| chances.get(index).copied().unwrap_or(1.0);
    order.sort_by(|a, b| chance(*b).total_cmp(&chance(*a)));
    let (mut adjusted, mut least) = (vec![1.0; chances.len()], 1.0_f64);
    for (from_last, index) in order.iter().enumerate() {
        let rank = chances.len() - from_last;
        least = least.min(chance(*index) * chances.len() as f64 / rank as f64);
        if let Some(of) = adjusted.get_mut(*index) {
            *of = least;
        }
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(bad_in: u64, all_in: u64, bad: u64, all: u64) -> f64 {
        fisher(Table { bad_in, all_in, bad, all })
    }

    #[test]
    fn the_exact_test_gives_the_known_probabilities() {
        // Fisher's tea: all four cups right; and three of four.
        assert!((p(4, 4, 4, 8) - 1.0 / 70.0).abs() < 1e-12);
        assert!((p(3, 4, 4, 8) - 17.0 / 70.0).abs() < 1e-12);
        // 9 of 9 on one map, 3 of 8 on others: C(12, 9) / C(17, 9).
        assert!((p(9, 9, 12, 17) - 220.0 / 24_310.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_not_more_than_expected_is_chance() {
        assert_eq!(p(1, 10, 10, 100), 1.0);
        assert_eq!(p(0, 10, 10, 100), 1.0);
        assert_eq!(p(10, 100, 10, 100), 1.0, "everything has the value");
        assert_eq!(p(5, 3, 5, 10), 1.0, "no table");
    }

    #[test]
    fn large_counts_neither_overflow_nor_take_long() {
        let surely = p(50_000, 60_000, 60_000, 1_000_000);
        assert!((0.0..1e-300).contains(&surely), "{surely}");
        let slightly = p(50_300, 500_000, 100_000, 1_000_000);
        assert!((0.01..0.05).contains(&slightly), "{slightly}");
    }

    #[test]
    fn adjusted_probabilities_grow_with_the_number_of_looks_and_keep_their_order() {
        let found = adjusted(&[0.01, 0.04, 0.03, 0.002]);
        let expected = [0.02, 0.04, 0.04, 0.008];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(adjusted(&[]), Vec::<f64>::new());
        assert_eq!(adjusted(&[1.0]), [1.0]);
    }
}
