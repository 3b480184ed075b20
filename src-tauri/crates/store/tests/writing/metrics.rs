//! Metric samples: stored exactly, merged, compacted, and not written again when nothing changed.

use std::collections::BTreeMap;

use liftdeck_model::Timestamp;
use liftdeck_model::metric::{MetricSample, MetricSeries, MetricSource};
use liftdeck_model::observation::Observation;
use liftdeck_model::time::TimeRange;
use liftdeck_store::HEARTBEAT_MS;

use crate::fixture::{DAY_MS, FLEET, NOW, Place, apply, region, utilization};

const ALL: TimeRange = TimeRange { from: Timestamp::from_ms(0), to: Timestamp::from_ms(i64::MAX) };

fn series(name: &str) -> MetricSeries {
    MetricSeries {
        region: region(),
        source: MetricSource::CloudWatch,
        name: name.to_owned(),
        dimensions: vec![("FleetId".to_owned(), FLEET.to_owned())],
        statistic: "Average".to_owned(),
    }
}

fn samples(from: Timestamp, count: i64) -> Vec<MetricSample> {
    (0..count)
        .map(|minute| MetricSample { at: from.plus_ms(minute * 60_000), value: (minute % 97) as f64 * 0.5 })
        .collect()
}

/// Every stored sample as bits, decoded by the reader from chunks and hot rows.
async fn stored(store: &liftdeck_store::Store, series: &MetricSeries) -> BTreeMap<i64, u64> {
    let all = store.reader().metric_samples(series, ALL).await.unwrap();
    all.into_iter().map(|sample| (sample.at.as_ms(), sample.value.to_bits())).collect()
}

fn bits(samples: &[MetricSample]) -> BTreeMap<i64, u64> {
    samples.iter().map(|sample| (sample.at.as_ms(), sample.value.to_bits())).collect()
}

#[tokio::test]
async fn a_backfill_over_several_days_comes_back_bit_for_bit_and_once() {
    let place = Place::new();
    let store = place.open().await;
    let series = series("ActiveInstances");
    let mut given = samples(NOW.plus_ms(-3 * 86_400_000), 3 * 1_440);
    given[7].value = -0.0;
    given[8].value = f64::from_bits(0x7ff8_0000_dead_beef);
    let first = apply(&store, NOW, vec![Observation::MetricSamples(series.clone(), given.clone())]).await;
    assert_eq!(first.written.get("metric_samples"), Some(&4_320));
    assert_eq!(stored(&store, &series).await, bits(&given));
    let again = apply(&store, NOW, vec![Observation::MetricSamples(series.clone(), given.clone())]).await;
    assert!(again.written.is_empty(), "{again:?}");
    let coverage = store.reader().metric_coverage(&series).await.unwrap().unwrap();
    assert_eq!((coverage.from, coverage.to), (given[0].at, given[4_319].at.plus_ms(1)));
    store.close().await;
}

#[tokio::test]
async fn late_and_corrected_samples_reach_their_chunk_and_the_hot_rows_alike() {
    let place = Place::new();
    let store = place.open().await;
    let series = series("ActiveGameSessions");
    let given = samples(NOW.plus_ms(-DAY_MS), 1_000);
    let mut expected = bits(&given);
    apply(&store, NOW, vec![Observation::MetricSamples(series.clone(), given.clone())]).await;
    let fresh = samples(NOW, 5);
    expected.extend(bits(&fresh));
    apply(&store, NOW, vec![Observation::MetricSamples(series.clone(), fresh.clone())]).await;
    let corrected = [given[10].at, fresh[2].at].map(|at| MetricSample { at, value: 1_234.5 });
    expected.extend(bits(&corrected));
    let applied =
        apply(&store, NOW, vec![Observation::MetricSamples(series.clone(), corrected.to_vec())]).await;
    assert_eq!(applied.written.get("metric_samples"), Some(&2));
    assert_eq!(stored(&store, &series).await, expected);
    let again =
        apply(&store, NOW, vec![Observation::MetricSamples(series.clone(), fresh[3..].to_vec())]).await;
    assert!(again.written.is_empty(), "{again:?}");
    store.close().await;
}

#[tokio::test]
async fn compaction_changes_nothing_that_is_read() {
    let place = Place::new();
    let store = place.open().await;
    let names: Vec<String> = (0..600).map(|number| format!("Metric{number}")).collect();
    for minute in 0..100 {
        let at = NOW.plus_ms(minute * 60_000);
        let observations = names
            .iter()
            .map(|name| {
                Observation::MetricSamples(series(name), vec![MetricSample { at, value: minute as f64 }])
            })
            .collect();
        apply(&store, at, observations).await;
    }
    assert_eq!(place.number("SELECT count(*) FROM metric_hot").await, 60_000);
    let before = stored(&store, &series("Metric7")).await;
    let retained = crate::fixture::retain(&store).await;
    // Series are compacted whole, 256 per step, and a small remainder may stay.
    assert_eq!(retained.compacted, 51_200);
    assert!(retained.steps > 1);
    assert_eq!(place.number("SELECT count(*) FROM metric_hot").await, 8_800);
    assert_eq!((before.len(), stored(&store, &series("Metric7")).await), (100, before));
    store.close().await;
    let store = place.open().await;
    let again =
        vec![Observation::MetricSamples(series("Metric7"), vec![MetricSample { at: NOW, value: 0.0 }])];
    assert!(apply(&store, NOW, again).await.written.is_empty());
    store.close().await;
}

#[tokio::test]
async fn chunks_of_days_that_are_too_old_go_and_younger_ones_stay() {
    let place = Place::new();
    let store = place.open().await;
    let series = series("ActiveGameSessions");
    // Whole days, counted back from today.
    let today = NOW.floor_to_ms(DAY_MS);
    for days in [500, 456, 455, 1] {
        let given = samples(today.plus_ms(-days * DAY_MS), 200);
        apply(&store, NOW, vec![Observation::MetricSamples(series.clone(), given)]).await;
    }
    let retained = crate::fixture::retain(&store).await;
    assert_eq!(retained.deleted, [("metric_chunks", 2)].into());
    let kept = stored(&store, &series).await;
    assert_eq!(kept.keys().next(), Some(&today.plus_ms(-455 * DAY_MS).as_ms()));
    assert_eq!(kept.len(), 400);
    store.close().await;
}

#[tokio::test]
async fn a_polled_value_is_written_when_it_changes_and_once_a_heartbeat() {
    let place = Place::new();
    let store = place.open().await;
    let mut at = NOW;
    let mut written = Vec::new();
    for sessions in [5, 5, 5, 6, 6] {
        let applied = apply(&store, at, vec![Observation::FleetUtilization(utilization(sessions))]).await;
        written.push(applied.written.get("metric_samples").copied().unwrap_or(0));
        at = at.plus_ms(30_000);
    }
    assert_eq!(written, [4, 0, 0, 3, 0]);
    let beat =
        apply(&store, at.plus_ms(HEARTBEAT_MS), vec![Observation::FleetUtilization(utilization(6))]).await;
    assert_eq!(beat.written.get("metric_samples"), Some(&4));
    store.close().await;
}

#[tokio::test]
async fn requested_metrics_of_a_day_add_up_over_a_restart() {
    let place = Place::new();
    for _ in 0..2 {
        let store = place.open().await;
        let usage = liftdeck_store::UsageRecord { at: NOW, metrics_requested: 500 };
        store.writer().unwrap().record_usage(usage).await.unwrap();
        store.close().await;
    }
    let store = place.open().await;
    assert_eq!(store.reader().usage_of_day(NOW).await.unwrap(), 1_000);
    assert_eq!(store.reader().usage_of_day(NOW.plus_ms(86_400_000)).await.unwrap(), 0);
    assert_eq!(store.revision().await, 0);
    store.close().await;
}
