//! Tests the band of a sum: with hand-made examples, and as properties of any history.

use liftdeck_model::Timestamp;
use proptest::prelude::*;

use super::super::silence::End;
use super::*;

const MINUTE: i64 = 60_000;
/// One bucket of an hour.
const HOUR: Buckets = Buckets { start: Timestamp::from_ms(0), width_ms: 60 * MINUTE, count: 1 };

fn series(name: &str, source: Source, location: Option<i64>, values: &[(i64, f64)]) -> Kept {
    let sample = |(minute, value): &(i64, f64)| MetricSample {
        at: Timestamp::from_ms(minute * MINUTE),
        value: *value,
    };
    Kept {
        name: name.to_owned(),
        source,
        fleet_key: Some(1),
        location_key: location,
        queue: None,
        samples: values.iter().map(sample).collect(),
        ends: Vec::new(),
    }
}

fn polled(name: &str, location: i64, values: &[(i64, f64)]) -> Kept {
    series(name, Source::Polled, Some(location), values)
}

/// Values held through the hour: a heartbeat every five minutes, changes in between.
fn held(changes: &[(i64, f64)]) -> Vec<(i64, f64)> {
    let at =
        |minute: i64| changes.iter().rev().find(|(from, _)| *from <= minute).map_or(0.0, |(_, value)| *value);
    let mut minutes: Vec<i64> = (0..60).step_by(5).chain(changes.iter().map(|(minute, _)| *minute)).collect();
    minutes.sort_unstable();
    minutes.dedup();
    minutes.into_iter().map(|minute| (minute, at(minute))).collect()
}

fn hour(name: SeriesName, kept: &[Kept]) -> (f64, f64, f64) {
    let (column, band) = metric_band(name, kept, HOUR);
    (column[0], band.low[0], band.high[0])
}

#[test]
fn five_minutes_at_the_top_of_an_hour_are_told() {
    let (mean, low, high) = hour(
        SeriesName::ActiveGameSessions,
        &[polled("ActiveGameSessions", 1, &held(&[(0, 40.0), (30, 96.0), (35, 41.0)]))],
    );
    assert!((mean - 45.083).abs() < 0.001, "{mean}");
    assert_eq!((low, high), (40.0, 96.0));
}

#[test]
fn the_band_of_a_sum_is_not_the_sum_of_bands() {
    let name = "ActiveGameSessions";
    let opposite = [
        polled(name, 1, &held(&[(0, 10.0), (20, 30.0), (40, 10.0)])),
        polled(name, 2, &held(&[(0, 30.0), (20, 10.0), (40, 30.0)])),
    ];
    assert_eq!(hour(SeriesName::ActiveGameSessions, &opposite), (40.0, 40.0, 40.0));
}

#[test]
fn the_minute_in_which_nothing_was_free_is_told_although_no_metric_of_it_is_kept() {
    let busy = [
        polled("ActiveServerProcesses", 1, &held(&[(0, 100.0)])),
        polled("ActiveGameSessions", 1, &held(&[(0, 50.0), (12, 100.0), (13, 50.0)])),
    ];
    let (mean, low, high) = hour(SeriesName::PercentAvailableGameSessions, &busy);
    assert!(mean > 49.0 && mean < 50.0, "{mean}");
    assert_eq!((low, high), (0.0, 50.0));
    assert_eq!(hour(SeriesName::AvailableGameSessions, &busy).1, 0.0);
}

#[test]
fn a_location_nobody_asked_for_a_while_does_not_look_emptied() {
    let name = "ActiveGameSessions";
    let late: Vec<(i64, f64)> = (40..60).map(|minute| (minute, 7.0)).collect();
    let parts = [polled(name, 1, &held(&[(0, 20.0)])), polled(name, 2, &late)];
    assert_eq!(hour(SeriesName::ActiveGameSessions, &parts), (27.0, 27.0, 27.0));
}

#[test]
fn what_was_polled_and_what_cloudwatch_says_are_never_mixed_in_a_bucket() {
    let name = "ActiveInstances";
    let minutes = |value: f64| (0..60).map(|minute| (minute, value)).collect::<Vec<_>>();
    let kept = [
        series(name, Source::CloudWatch, None, &minutes(900.0)),
        series(name, Source::CloudWatch, Some(1), &minutes(500.0)),
        polled(name, 1, &held(&[(0, 4.0), (10, 6.0)])),
        series(name, Source::CloudWatch, Some(2), &minutes(3.0)),
    ];
    let (_, low, high) = hour(SeriesName::ActiveInstances, &kept);
    assert_eq!((low, high), (7.0, 9.0), "polled of the first, CloudWatch's of the second");
}

#[test]
fn a_percentage_told_of_several_fleets_is_their_mean_at_each_moment() {
    let name = "PercentAvailableGameSessions";
    let kept = [
        series(name, Source::CloudWatch, Some(1), &[(0, 10.0), (1, 30.0)]),
        series(name, Source::CloudWatch, Some(2), &[(0, 50.0), (1, 10.0)]),
    ];
    let (_, low, high) = hour(SeriesName::PercentAvailableGameSessions, &kept);
    assert_eq!((low, high), (20.0, 30.0));
}

#[test]
fn a_value_held_from_before_counts_until_it_ends() {
    let two = Buckets { start: Timestamp::from_ms(5 * MINUTE), width_ms: 5 * MINUTE, count: 2 };
    let mut one = polled("IdleInstances", 1, &[(4, 9.0), (8, 2.0), (12, 5.0)]);
    let lows_and_highs = |one: &Kept| {
        let (_, band) = metric_band(SeriesName::IdleInstances, std::slice::from_ref(one), two);
        [(band.low[0], band.high[0]), (band.low[1], band.high[1])]
    };
    assert_eq!(lows_and_highs(&one), [(2.0, 9.0), (2.0, 5.0)]);
    one.ends = vec![End { at: 8 * MINUTE, until: 9 * MINUTE }];
    assert_eq!(lows_and_highs(&one), [(2.0, 9.0), (5.0, 5.0)], "it ended before the second bucket");
    one.samples.truncate(2);
    let (column, band) = metric_band(SeriesName::IdleInstances, &[one], two);
    assert!(column[1].is_nan() && band.low[1].is_nan() && band.high[1].is_nan(), "a gap is a gap");
}

proptest! {
    #[test]
    fn the_band_holds_the_column_and_is_what_finer_buckets_show(
        here in prop::collection::btree_map(0_i64..600, 0_u16..50, 1..60),
        there in prop::collection::btree_map(0_i64..600, 0_u16..50, 0..60),
    ) {
        // Values at multiples of ten seconds within 100 minutes.
        let of = |location: i64, values: &std::collections::BTreeMap<i64, u16>| {
            let mut one = polled("CurrentPlayerSessions", location, &[]);
            one.samples = values
                .iter()
                .map(|(at, value)| MetricSample { at: Timestamp::from_ms(at * 10_000), value: f64::from(*value) })
                .collect();
            one
        };
        let kept = [of(1, &here), of(2, &there)];
        let wide = Buckets { start: Timestamp::from_ms(0), width_ms: 20 * MINUTE, count: 6 };
        let (column, band) = metric_band(SeriesName::CurrentPlayerSessions, &kept, wide);
        for ((value, low), high) in column.iter().zip(&band.low).zip(&band.high) {
            prop_assert_eq!(value.is_nan(), low.is_nan() && high.is_nan());
            prop_assert!(value.is_nan() || (low <= value && value <= high));
        }
        // Where both are known throughout, buckets of ten seconds show the same.
        let fine = Buckets { start: Timestamp::from_ms(0), width_ms: 10_000, count: 720 };
        let each: Vec<Vec<f64>> =
            kept.iter().map(|one| metric_band(SeriesName::CurrentPlayerSessions, std::slice::from_ref(one), fine).0).collect();
        for index in 0..6 {
            let sums: Vec<f64> = (index * 120..(index + 1) * 120).map(|at| each[0][at] + each[1][at]).collect();
            if sums.iter().all(|sum| !sum.is_nan()) {
                let least = sums.iter().copied().fold(f64::MAX, f64::min);
                let most = sums.iter().copied().fold(f64::MIN, f64::max);
                prop_assert_eq!((band.low[index], band.high[index]), (least, most));
            }
        }
    }
}
