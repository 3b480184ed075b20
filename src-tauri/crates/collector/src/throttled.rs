//! Records the calls that GameLift throttled, by operation: its limits are shared with the game, which is refused as well.

use std::collections::BTreeMap;

use liftdeck_gateway::Usage;
use liftdeck_model::metric::{MetricSample, MetricSeries};
use liftdeck_model::observation::Observation;
use liftdeck_model::{Region, Timestamp};

/// How long calls are counted into one sample.
const PERIOD_MS: i64 = 15_000;

/// Turns counts since the start into samples.
#[derive(Debug, Default)]
pub(crate) struct Throttled {
    last: Option<Timestamp>,
    counted: BTreeMap<&'static str, u64>,
}

impl Throttled {
    /// The samples of the period that has passed: none while it has not, and none of operations that were not
    /// throttled.
    pub(crate) fn passed(&mut self, region: &Region, usage: &Usage, now: Timestamp) -> Vec<Observation> {
        if self.last.is_some_and(|last| (0..PERIOD_MS).contains(&now.since_ms(last))) {
            return Vec::new();
        }
        self.last = Some(now);
        let mut samples = Vec::new();
        for here in usage.operations.iter().filter(|here| here.region == *region && here.is_gamelift) {
            let before = self.counted.insert(here.operation, here.throttles).unwrap_or(0);
            let new = here.throttles.saturating_sub(before);
            if new > 0 {
                let series = MetricSeries::throttled(region.clone(), here.operation);
                let sample = MetricSample { at: now, value: new as f64 };
                samples.push(Observation::MetricSamples(series, vec![sample]));
            }
        }
        samples
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_gateway::OperationUsage;

    use super::*;

    fn usage(throttles: u64) -> Usage {
        let one = |operation, is_gamelift| OperationUsage {
            region: "eu-west-1".into(),
            operation,
            is_gamelift,
            calls: 100,
            retries: 0,
            throttles,
            errors: 0,
            allowed_per_second: None,
            published_per_second: None,
            published_share: 0.0,
        };
        Usage {
            operations: vec![one("DescribeGameSessions", true), one("LookupEvents", false)],
            ..Usage::default()
        }
    }

    #[test]
    fn each_sample_counts_what_gamelift_throttled_since_the_one_before() {
        let region = Region::from("eu-west-1");
        let mut throttled = Throttled::default();
        let mut values = Vec::new();
        for (at, count) in [(0, 0), (15_000, 4), (20_000, 5), (30_000, 7), (45_000, 7)] {
            for seen in throttled.passed(&region, &usage(count), Timestamp::from_ms(at)) {
                let Observation::MetricSamples(series, samples) = seen else { panic!("{seen:?}") };
                assert_eq!(series, MetricSeries::throttled(region.clone(), "DescribeGameSessions"));
                values.extend(samples.iter().map(|sample| (sample.at.as_ms(), sample.value)));
            }
        }
        assert_eq!(values, [(15_000, 4.0), (30_000, 3.0)]);
    }
}
