//! A figure's column: what was polled, else what CloudWatch says, added over locations, fleets and queues. Pure.

use std::collections::BTreeMap;

use super::bucket::{Aggregate, Buckets};
use super::samples::{Kept, Source};
use super::{SeriesName, recipe};

/// The column of a figure, made of the metrics kept for it.
pub(super) fn metric_column(name: SeriesName, kept: &[Kept], buckets: Buckets) -> Vec<f64> {
    let recipe = recipe(name);
    let column =
        |metric: &str, source: Option<Source>| total(metric, source, recipe.aggregate, kept, buckets);
    match name {
        SeriesName::PercentAvailableGameSessions => {
            let processes = column("ActiveServerProcesses", Some(Source::Polled));
            let sessions = column("ActiveGameSessions", Some(Source::Polled));
            let percent =
                |all: f64, used: f64| if all > 0.0 { free(all, used) / all * 100.0 } else { f64::NAN };
            let polled = pairwise(&processes, &sessions, percent);
            let mut known = polled;
            if kept.iter().any(|one| kept.first().is_some_and(|first| first.fleet_key != one.fleet_key)) {
                let processes = column("ActiveServerProcesses", Some(Source::CloudWatch));
                let free = column("AvailableGameSessions", Some(Source::CloudWatch));
                let percent =
                    |all: f64, free: f64| if all > 0.0 { (free / all * 100.0).min(100.0) } else { f64::NAN };
                known = or_else(known, &pairwise(&processes, &free, percent));
            }
            or_else(known, &mean_of("PercentAvailableGameSessions", kept, buckets))
        }
        SeriesName::AvailableGameSessions => {
            let processes = column("ActiveServerProcesses", Some(Source::Polled));
            let sessions = column("ActiveGameSessions", Some(Source::Polled));
            let polled = pairwise(&processes, &sessions, free);
            or_else(polled, &column("AvailableGameSessions", None))
        }
        SeriesName::PlacementsFailed => {
            let failed = column("PlacementsFailed", None);
            let timed_out = column("PlacementsTimedOut", None);
            let mut sum = buckets.gap();
            add(&mut sum, &failed);
            add(&mut sum, &timed_out);
            sum
        }
        _ => {
            let metric = recipe.metrics.first().map_or("", |(metric, _)| *metric);
            column(metric, None)
        }
    }
}

/// Processes free for a game session. Not `f64::max`, which would turn a gap into "nothing free".
fn free(all: f64, used: f64) -> f64 {
    if all < used { 0.0 } else { all - used }
}

/// The sum of a metric over fleets and locations; of each location what was polled, else what CloudWatch says.
fn total(
    metric: &str,
    only: Option<Source>,
    aggregate: Aggregate,
    kept: &[Kept],
    buckets: Buckets,
) -> Vec<f64> {
    let mut owners: BTreeMap<(Option<i64>, Option<&str>), Vec<&Kept>> = BTreeMap::new();
    for series in kept {
        if series.name == metric && only.is_none_or(|only| only == series.source) {
            owners.entry((series.fleet_key, series.queue.as_deref())).or_default().push(series);
        }
    }
    let mut sum = buckets.gap();
    for series in owners.values() {
        let mut by_location: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
        let mut whole = buckets.gap();
        // Polled first: what comes later only fills what is still a gap.
        for source in [Source::Polled, Source::CloudWatch] {
            for one in series.iter().filter(|one| one.source == source) {
                let column = buckets.fill(one, aggregate);
                match one.location_key {
                    Some(key) => {
                        let known = by_location.remove(&key).unwrap_or_else(|| buckets.gap());
                        by_location.insert(key, or_else(known, &column));
                    }
                    None => whole = or_else(whole, &column),
                }
            }
        }
        let mut owner = buckets.gap();
        by_location.values().for_each(|column| add(&mut owner, column));
        add(&mut sum, &or_else(owner, &whole));
    }
    sum
}

/// The mean of a CloudWatch percentage: of the fleet's own series, else over its locations.
fn mean_of(metric: &str, kept: &[Kept], buckets: Buckets) -> Vec<f64> {
    let columns = |whole: bool| -> Vec<Vec<f64>> {
        kept.iter()
            .filter(|one| one.name == metric && one.location_key.is_none() == whole)
            .map(|one| buckets.fill(one, Aggregate::Mean))
            .collect()
    };
    let mean = |columns: Vec<Vec<f64>>| -> Vec<f64> {
        let mut sum = buckets.gap();
        let mut count = vec![0.0; sum.len()];
        for column in &columns {
            add(&mut sum, column);
            count
                .iter_mut()
                .zip(column)
                .for_each(|(count, value)| *count += f64::from(u8::from(!value.is_nan())));
        }
        pairwise(&sum, &count, |sum, count| sum / count)
    };
    or_else(mean(columns(true)), &mean(columns(false)))
}

/// Adds what is not a gap.
fn add(sum: &mut [f64], column: &[f64]) {
    for (sum, value) in sum.iter_mut().zip(column) {
        if !value.is_nan() {
            *sum = if sum.is_nan() { *value } else { *sum + value };
        }
    }
}

/// Fills gaps from another column.
pub(super) fn or_else(mut column: Vec<f64>, other: &[f64]) -> Vec<f64> {
    for (value, other) in column.iter_mut().zip(other) {
        if value.is_nan() {
            *value = *other;
        }
    }
    column
}

fn pairwise(one: &[f64], two: &[f64], combine: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    one.iter().zip(two).map(|(one, two)| combine(*one, *two)).collect()
}
