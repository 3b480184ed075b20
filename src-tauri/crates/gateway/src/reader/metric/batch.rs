//! Groups metric requests into calls, and computes what a call costs.

use std::collections::BTreeMap;

use super::MetricRequest;

/// Maximum number of queries per call (AWS).
const QUERIES: usize = 500;
/// Maximum number of samples per page (AWS); a call within it needs no second page.
const SAMPLES: i64 = 100_800;
/// Statistics of one metric that one call returns for the price of one (AWS).
const STATISTICS: u64 = 5;

/// Groups requests, by index, into calls. A call has one window, at most 500 queries and at most one page of
/// samples, unless a single request has more; the statistics of a metric stay together where they fit.
pub(super) fn batches(requests: &[MetricRequest]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..requests.len()).collect();
    let key = |index: &usize| {
        requests.get(*index).map(|request| {
            let series = &request.series;
            (request.range.from, request.range.to, &series.name, &series.dimensions, request.period_seconds)
        })
    };
    order.sort_by(|a, b| key(a).cmp(&key(b)));
    let mut calls: Vec<Vec<usize>> = Vec::new();
    let (mut queries, mut samples, mut range) = (0, 0, None);
    for metric in order.chunk_by(|a, b| key(a) == key(b)) {
        let cost = |index: &usize| requests.get(*index).map_or(0, samples_of);
        let total: i64 = metric.iter().map(cost).sum();
        let window = metric.first().and_then(|index| requests.get(*index)).map(|request| request.range);
        let together = metric.len() <= QUERIES && total <= SAMPLES;
        for part in if together { vec![metric] } else { metric.chunks(1).collect() } {
            let more: i64 = part.iter().map(cost).sum();
            let fits = range == window && queries + part.len() <= QUERIES && samples + more <= SAMPLES;
            if !fits || calls.is_empty() {
                calls.push(Vec::new());
                (queries, samples, range) = (0, 0, window);
            }
            if let Some(call) = calls.last_mut() {
                call.extend_from_slice(part);
            }
            queries += part.len();
            samples += more;
        }
    }
    calls
}

/// Maximum number of samples for a request: one per period, and one more for a window that does not begin on a
/// period.
pub(super) fn samples_of(request: &MetricRequest) -> i64 {
    let period_ms = i64::from(request.period_seconds.max(1)) * 1_000;
    request.range.length_ms().max(0) / period_ms + 1
}

/// Metrics CloudWatch bills for these requests sent in one call: up to five statistics of a metric count once.
pub fn metrics_billed<'a>(requests: impl IntoIterator<Item = &'a MetricRequest>) -> u64 {
    let mut statistics: BTreeMap<_, u64> = BTreeMap::new();
    for request in requests {
        *statistics.entry((&request.series.name, &request.series.dimensions)).or_default() += 1;
    }
    statistics.values().map(|count| count.div_ceil(STATISTICS)).sum()
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Timestamp;
    use liftdeck_model::metric::{MetricSeries, MetricSource};
    use liftdeck_model::time::TimeRange;
    use proptest::prelude::*;

    use super::*;

    fn request(fleet: u32, statistic: &str, minutes: i64) -> MetricRequest {
        MetricRequest {
            series: MetricSeries {
                region: "eu-west-1".into(),
                source: MetricSource::CloudWatch,
                name: "ActiveInstances".to_owned(),
                dimensions: vec![("FleetId".to_owned(), format!("fleet-{fleet}"))],
                statistic: statistic.to_owned(),
            },
            period_seconds: 60,
            range: TimeRange::new(Timestamp::from_ms(0), Timestamp::from_ms(minutes * 60_000)),
        }
    }

    #[test]
    fn four_thousand_metrics_of_one_window_are_eight_calls() {
        let requests: Vec<_> = (0..4_000).map(|fleet| request(fleet, "Average", 5)).collect();
        let calls = batches(&requests);
        assert_eq!(calls.len(), 8);
        assert!(calls.iter().all(|call| call.len() == 500));
    }

    #[test]
    fn five_statistics_of_a_metric_are_billed_once_and_six_twice() {
        let statistics = ["Average", "Sum", "Minimum", "Maximum", "SampleCount", "p99"];
        let requests: Vec<_> = statistics.iter().map(|statistic| request(1, statistic, 5)).collect();
        assert_eq!(metrics_billed(&requests[..5]), 1);
        assert_eq!(metrics_billed(&requests), 2);
        assert_eq!(metrics_billed(&[]), 0);
    }

    #[test]
    fn a_long_window_is_read_in_calls_of_one_page() {
        let fifteen_days = 15 * 24 * 60;
        let requests: Vec<_> = (0..10).map(|fleet| request(fleet, "Average", fifteen_days)).collect();
        let sizes: Vec<_> = batches(&requests).iter().map(Vec::len).collect();
        assert_eq!(sizes, [4, 4, 2]);
    }

    proptest! {
        #[test]
        fn every_request_travels_once_with_its_own_window(
            wishes in proptest::collection::vec((0_u32..40, 0_usize..5, 1_i64..40_000), 0..300),
        ) {
            let statistics = ["Average", "Sum", "Minimum", "Maximum", "SampleCount"];
            let requests: Vec<_> =
                wishes.iter().map(|(fleet, statistic, minutes)| request(*fleet, statistics[*statistic], *minutes)).collect();
            let calls = batches(&requests);
            let mut seen: Vec<usize> = calls.concat();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..requests.len()).collect::<Vec<_>>());
            for call in &calls {
                prop_assert!(!call.is_empty() && call.len() <= QUERIES);
                prop_assert!(call.iter().all(|index| requests[*index].range == requests[call[0]].range));
                let samples: i64 = call.iter().map(|index| samples_of(&requests[*index])).sum();
                prop_assert!(samples <= SAMPLES || call.len() == 1);
            }
        }
    }
}
