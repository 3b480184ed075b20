//! A figure's column: polled values, else CloudWatch's, added over locations, fleets and queues. Pure.

use std::collections::BTreeMap;

use super::bucket::{Aggregate, Buckets};
use super::samples::{Kept, Source};
use super::{SeriesName, recipe};

/// One way to compute a figure from metrics. Where it yields a gap, the next way is used.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    pub(super) combine: Combine,
    /// The metrics by CloudWatch's names, each with the source it must come from, if any.
    pub(super) terms: Vec<(&'static str, Option<Source>)>,
}

/// How the terms of a figure become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combine {
    /// All of them added.
    Sum,
    /// The mean over fleets, or over locations where there is no series of a whole fleet.
    Mean,
    /// All processes minus those in use.
    Free,
    /// Percent of all processes that are not in use.
    PercentUnused,
    /// Percent of all processes that are free.
    PercentFree,
}

impl Combine {
    /// Combines the values of the terms; NaN where they give no number.
    pub(super) fn of(self, first: f64, second: f64) -> f64 {
        match self {
            Self::Sum if first.is_nan() => second,
            Self::Sum if second.is_nan() => first,
            Self::Sum => first + second,
            Self::Mean => first,
            Self::Free => free(first, second),
            Self::PercentUnused if first > 0.0 => free(first, second) / first * 100.0,
            // Not `f64::min`, which would turn a gap into "all free".
            Self::PercentFree if first > 0.0 && second < first => second / first * 100.0,
            Self::PercentFree if first > 0.0 && !second.is_nan() => 100.0,
            Self::PercentUnused | Self::PercentFree => f64::NAN,
        }
    }
}

/// The ways to compute a figure, in order of precedence.
pub(super) fn ways(name: SeriesName, kept: &[Kept]) -> Vec<Way> {
    let way = |combine, terms: &[(&'static str, Option<Source>)]| Way { combine, terms: terms.to_vec() };
    let (polled, told) = (Some(Source::Polled), Some(Source::CloudWatch));
    let in_use = [("ActiveServerProcesses", polled), ("ActiveGameSessions", polled)];
    match name {
        SeriesName::PercentAvailableGameSessions => {
            let mut ways = vec![way(Combine::PercentUnused, &in_use)];
            // Percentages of several fleets do not add up, but the counts behind them do.
            if kept.iter().any(|one| kept.first().is_some_and(|first| first.fleet_key != one.fleet_key)) {
                let free = [("ActiveServerProcesses", told), ("AvailableGameSessions", told)];
                ways.push(way(Combine::PercentFree, &free));
            }
            ways.push(way(Combine::Mean, &[("PercentAvailableGameSessions", None)]));
            ways
        }
        SeriesName::PercentHealthyServerProcesses => {
            vec![way(Combine::Mean, &[("PercentHealthyServerProcesses", None)])]
        }
        SeriesName::AvailableGameSessions => {
            vec![way(Combine::Free, &in_use), way(Combine::Sum, &[("AvailableGameSessions", None)])]
        }
        _ => {
            let metrics = recipe(name).metrics;
            vec![Way {
                combine: Combine::Sum,
                terms: metrics.iter().map(|(metric, _)| (*metric, None)).collect(),
            }]
        }
    }
}

/// The column of a figure, computed from its metrics.
pub(super) fn metric_column(name: SeriesName, kept: &[Kept], buckets: Buckets) -> Vec<f64> {
    let aggregate = recipe(name).aggregate;
    let columns = ways(name, kept).into_iter().map(|way| way_column(&way, aggregate, kept, buckets));
    columns.reduce(|known, next| or_else(known, &next)).unwrap_or_else(|| buckets.gap())
}

/// The column that one way gives.
pub(super) fn way_column(way: &Way, aggregate: Aggregate, kept: &[Kept], buckets: Buckets) -> Vec<f64> {
    let column = |(metric, only): &(&str, Option<Source>)| match way.combine {
        Combine::Mean => mean_of(metric, kept, buckets),
        _ => total(metric, *only, aggregate, kept, buckets),
    };
    let mut columns = way.terms.iter().map(column);
    let first = columns.next().unwrap_or_else(|| buckets.gap());
    match columns.next() {
        Some(second) => pairwise(&first, &second, |first, second| way.combine.of(first, second)),
        None => first,
    }
}

/// Processes free for a game session. Not `f64::max`, which would turn a gap into "nothing free".
fn free(all: f64, used: f64) -> f64 {
    if all < used { 0.0 } else { all - used }
}

/// The sum of a metric over fleets and locations; for each location the polled values, else CloudWatch's.
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
        // Polled first, because later columns only fill the remaining gaps.
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

/// The mean of a CloudWatch percentage: over the series of whole fleets, else over those of locations.
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

/// Adds the values that are not gaps.
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
