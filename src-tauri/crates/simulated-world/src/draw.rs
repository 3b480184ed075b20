//! Random draws: a small generator with the distributions the world needs.
//!
//! Logarithms and exponentials come from `libm`, not from the platform, so that a seed gives the same world on every
//! machine.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

use super::names::mix;

/// A stream of draws.
#[derive(Clone, Debug)]
pub(crate) struct Draw {
    generator: Pcg64Mcg,
}

impl Draw {
    /// Creates the stream for one purpose (`salt`) of one thing (`number`) in a world.
    pub(crate) fn new(seed: u64, salt: u64, number: u64) -> Self {
        Self { generator: Pcg64Mcg::seed_from_u64(mix(mix(seed, salt), number)) }
    }

    /// Returns 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Returns a value from 0 up to, but not including, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns milliseconds from `low` up to, but not including, `high`. Returns `low` if the range is empty.
    pub(crate) fn span_ms(&mut self, low: i64, high: i64) -> i64 {
        low + (self.unit() * (high - low).max(0) as f64) as i64
    }

    /// Returns an index below `count`, or 0 if there is nothing to choose from.
    pub(crate) fn index(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// Returns true with this probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Draws from the exponential distribution with this mean.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.unit())
    }

    /// Draws from the standard normal distribution (Box-Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// Draws from the log-normal distribution with this median and this sigma of the logarithm.
    pub(crate) fn log_normal(&mut self, median: f64, sigma: f64) -> f64 {
        median * libm::exp(sigma * self.normal())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_come_out_as_asked() {
        let mut draw = Draw::new(1, 2, 3);
        let count = 20_000;
        let exponential = (0..count).map(|_| draw.exponential(5.0)).sum::<f64>() / f64::from(count);
        assert!((exponential - 5.0).abs() < 0.15, "{exponential}");
        let mut lengths: Vec<f64> = (0..count).map(|_| draw.log_normal(20.0, 0.35)).collect();
        lengths.sort_by(f64::total_cmp);
        let median = lengths[lengths.len() / 2];
        assert!((median - 20.0).abs() < 0.4, "{median}");
    }

    #[test]
    fn a_stream_is_the_same_on_every_machine() {
        let mut draw = Draw::new(1, 2, 3);
        let bits = [draw.bits(), draw.log_normal(20.0, 0.35).to_bits(), draw.exponential(5.0).to_bits()];
        assert_eq!(bits, [11_276_368_214_047_011_909, 4_627_660_541_621_191_628, 4_589_868_813_702_632_642]);
    }

    #[test]
    fn an_empty_choice_is_index_zero() {
        assert_eq!(Draw::new(1, 1, 1).index(0), 0);
        assert!((0..1000).all(|n| Draw::new(1, 1, n).index(3) < 3));
    }
}
