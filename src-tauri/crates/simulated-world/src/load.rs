//! Demand: when players want to play, over the day, the week and in a scripted surge.
//!
//! Owns the curve and the arrivals drawn from it. The engine decides what an arrival leads to.

use super::draw::Draw;
use super::geography::Place;
use super::names::mix;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Share of the evening peak by local hour.
const DAY_CURVE: [f64; 24] = [
    0.55, 0.40, 0.28, 0.21, 0.18, 0.17, 0.19, 0.24, 0.30, 0.35, 0.40, 0.45, 0.52, 0.55, 0.56, 0.60, 0.67,
    0.76, 0.86, 0.95, 1.00, 0.98, 0.88, 0.72,
];

/// A source of arrivals.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    pub(crate) target: Target,
    /// Where the players are.
    pub(crate) place: &'static Place,
    /// Pool of players they come from.
    pub(crate) pool: usize,
    /// Index of the kind of game.
    pub(crate) profile: u8,
    /// Arrivals a minute at a usual evening peak.
    pub(crate) peak_per_min: f64,
    pub(crate) surge: Option<Surge>,
    pub(crate) seed: u64,
    pub(crate) draw: Draw,
}

/// What arrivals ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A placement in a queue.
    Queue(usize),
    /// A match.
    Matchmaker(usize),
    /// A session in a fleet's location.
    Fleet(usize, usize),
}

/// A scripted rise in demand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surge {
    /// When it begins.
    pub(crate) from_ms: i64,
    /// When it reaches its peak.
    pub(crate) full_ms: i64,
    /// When it is over.
    pub(crate) until_ms: i64,
    /// Its peak as a multiple of the usual demand.
    pub(crate) factor: f64,
}

impl Stream {
    /// Expected arrivals a minute at that time.
    pub(crate) fn rate_per_min(&self, at_ms: i64) -> f64 {
        self.usual_per_min(at_ms) * self.surge.map_or(1.0, |surge| surge.factor_at(at_ms))
    }

    /// Usual demand at that time as a share of the evening peak.
    pub(crate) fn busyness(&self, at_ms: i64) -> f64 {
        self.usual_per_min(at_ms) / self.peak_per_min
    }

    fn usual_per_min(&self, at_ms: i64) -> f64 {
        let local_ms = at_ms + self.place.utc_offset_h * HOUR_MS;
        let of_day_ms = local_ms.rem_euclid(DAY_MS);
        let hour = (of_day_ms / HOUR_MS) as usize;
        let within = (of_day_ms % HOUR_MS) as f64 / HOUR_MS as f64;
        let shape = DAY_CURVE[hour] * (1.0 - within) + DAY_CURVE[(hour + 1) % 24] * within;
        let day = local_ms.div_euclid(DAY_MS);
        // 1970-01-01 was a Thursday.
        let weekend = if matches!((day + 4).rem_euclid(7), 0 | 6) { 1.12 } else { 1.0 };
        self.peak_per_min * shape * weekend * self.mood(day)
    }

    /// Varies the demand a little from day to day.
    fn mood(&self, day: i64) -> f64 {
        0.94 + 0.12 * (mix(self.seed, day as u64) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns the next arrival after that time (a Poisson process with a varying rate, by thinning).
    pub(crate) fn next_ms(&mut self, after_ms: i64) -> i64 {
        const USUAL_CEILING: f64 = 1.25;
        let mut at_ms = after_ms;
        loop {
            let factor = self.surge.map_or(1.0, |surge| surge.ceiling_from(at_ms));
            let ceiling = self.peak_per_min * USUAL_CEILING * factor;
            let step_ms = self.draw.exponential(60_000.0 / ceiling);
            // A surge may begin within a long step: stop there and continue with its ceiling.
            let begins_ms = self.surge.map(|surge| surge.from_ms).filter(|from_ms| *from_ms > at_ms);
            let next_ms = at_ms + (step_ms as i64).max(1);
            if let Some(begins_ms) = begins_ms.filter(|begins_ms| next_ms > *begins_ms) {
                at_ms = begins_ms;
                continue;
            }
            at_ms = next_ms;
            if self.draw.unit() * ceiling < self.rate_per_min(at_ms) {
                return at_ms;
            }
        }
    }
}

impl Surge {
    fn factor_at(&self, at_ms: i64) -> f64 {
        if at_ms <= self.from_ms || at_ms >= self.until_ms {
            1.0
        } else if at_ms >= self.full_ms {
            self.factor
        } else {
            let share = (at_ms - self.from_ms) as f64 / (self.full_ms - self.from_ms) as f64;
            1.0 + (self.factor - 1.0) * share
        }
    }

    fn ceiling_from(&self, at_ms: i64) -> f64 {
        if at_ms < self.from_ms || at_ms >= self.until_ms { 1.0 } else { self.factor.max(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geography::place;

    fn stream(surge: Option<Surge>) -> Stream {
        Stream {
            target: Target::Queue(0),
            place: place("eu-west-1").unwrap(),
            pool: 0,
            profile: 0,
            peak_per_min: 4.0,
            surge,
            seed: 5,
            draw: Draw::new(5, 1, 1),
        }
    }

    fn arrivals(stream: &mut Stream, from_ms: i64, to_ms: i64) -> usize {
        let (mut at_ms, mut count) = (from_ms, 0);
        loop {
            at_ms = stream.next_ms(at_ms);
            if at_ms >= to_ms {
                return count;
            }
            count += 1;
        }
    }

    #[test]
    fn evenings_are_busier_than_nights_and_arrivals_follow_the_rate() {
        let mut quiet = stream(None);
        let day = 20_000 * DAY_MS;
        assert!(quiet.rate_per_min(day + 20 * HOUR_MS) > 4.0 * quiet.rate_per_min(day + 5 * HOUR_MS));
        let expected: f64 = (0..1440).map(|minute| quiet.rate_per_min(day + minute * 60_000)).sum();
        let seen = arrivals(&mut quiet, day, day + DAY_MS) as f64;
        assert!((seen / expected - 1.0).abs() < 0.06, "{seen} of {expected}");
    }

    #[test]
    fn a_surge_multiplies_arrivals_once_it_is_full() {
        let noon = 20_000 * DAY_MS + 12 * HOUR_MS;
        let surge = Surge { from_ms: noon, full_ms: noon + 60_000, until_ms: i64::MAX, factor: 5.0 };
        let before = arrivals(&mut stream(Some(surge)), noon - HOUR_MS, noon);
        let after = arrivals(&mut stream(Some(surge)), noon + 60_000, noon + 60_000 + HOUR_MS);
        assert!(after as f64 > 4.0 * before as f64, "{before} then {after}");
    }
}
