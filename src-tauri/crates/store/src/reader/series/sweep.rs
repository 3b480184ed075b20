//! The band of a figure: its lowest and highest value inside each bucket, taken whenever a part was sampled. Pure.
//!
//! The highest value of a sum is not the sum of the highest values, so the parts are added at each time first. A part
//! known for some of a bucket counts for all of it with its nearest value, as its mean does in the column. Otherwise
//! a location that was not polled for a while would look as if it had emptied.

use std::collections::BTreeMap;

use liftdeck_model::metric::MetricSample;

use super::bucket::{Buckets, held_ms};
use super::column::{Combine, Way, way_column, ways};
use super::samples::{Kept, Source};
use super::table::Band;
use super::{SeriesName, recipe};

/// The column of a figure with its band.
pub(super) fn metric_band(name: SeriesName, kept: &[Kept], buckets: Buckets) -> (Vec<f64>, Band) {
    let mut column = buckets.gap();
    let mut band = Band { low: buckets.gap(), high: buckets.gap() };
    for way in ways(name, kept) {
        let values = way_column(&way, recipe(name).aggregate, kept, buckets);
        let mut sweep = Sweep::over(&way, kept);
        let rows = column.iter_mut().zip(&mut band.low).zip(&mut band.high).zip(values);
        for ((((known, low), high), value), from) in rows.zip(buckets.starts_ms()) {
            if !known.is_nan() || value.is_nan() {
                continue;
            }
            let (lowest, highest) = sweep.extremes(from, from + buckets.width_ms);
            // If parts are known over different times, the sum of their means may be a value the figure never had.
            (*known, *low, *high) = (value, value.min(lowest), value.max(highest));
        }
    }
    (column, band)
}

/// All parts of a figure, read from bucket to bucket.
struct Sweep<'a> {
    combine: Combine,
    /// The owners, each with the index of its term.
    owners: Vec<(usize, Owner<'a>)>,
    /// The parts of the current bucket; kept to reuse its memory.
    runs: Vec<Run<'a>>,
}

/// The parts that add up to one owner's figure: `first` if any of them has a value, else `otherwise`.
#[derive(Default)]
struct Owner<'a> {
    first: Vec<Part<'a>>,
    otherwise: Vec<Part<'a>>,
}

/// Series of one location, in order of precedence.
type Part<'a> = Vec<Track<'a>>;

/// One series, and the index of its first sample that is not before the current bucket.
struct Track<'a> {
    series: &'a Kept,
    held_ms: i64,
    next: usize,
}

/// A part's value at one time, and its samples in the rest of the bucket.
struct Run<'a> {
    term: usize,
    value: f64,
    rest: &'a [MetricSample],
}

impl<'a> Sweep<'a> {
    fn over(way: &Way, kept: &'a [Kept]) -> Self {
        let mut owners = Vec::new();
        for (term, (metric, only)) in way.terms.iter().enumerate() {
            let of_term =
                kept.iter().filter(|one| one.name == *metric && only.is_none_or(|only| only == one.source));
            let found = if way.combine == Combine::Mean { mean_parts(of_term) } else { sum_parts(of_term) };
            owners.extend(found.into_iter().map(|owner| (term, owner)));
        }
        Self { combine: way.combine, owners, runs: Vec::new() }
    }

    /// The lowest and highest value between two times in epoch milliseconds; NaN where nothing is known.
    fn extremes(&mut self, from: i64, to: i64) -> (f64, f64) {
        self.runs.clear();
        for (term, owner) in &mut self.owners {
            let before = self.runs.len();
            self.runs.extend(owner.first.iter_mut().filter_map(|part| enter(part, *term, from, to)));
            if self.runs.len() == before {
                self.runs.extend(owner.otherwise.iter_mut().filter_map(|part| enter(part, *term, from, to)));
            }
        }
        let (mut low, mut high) = (f64::NAN, f64::NAN);
        let mut take = |value: f64| {
            // `f64::min` and `max` ignore a gap.
            low = low.min(value);
            high = high.max(value);
        };
        if let ([only], Combine::Sum | Combine::Mean) = (self.runs.as_slice(), self.combine) {
            take(only.value);
            only.rest.iter().for_each(|sample| take(sample.value));
            return (low, high);
        }
        loop {
            take(now(self.combine, &self.runs));
            let moments = self.runs.iter().filter_map(|run| run.rest.first()).map(|sample| sample.at);
            let Some(moment) = moments.min() else { break };
            for run in &mut self.runs {
                if let Some((sample, rest)) = run.rest.split_first()
                    && sample.at == moment
                {
                    run.rest = rest;
                    run.value = if sample.value.is_nan() { run.value } else { sample.value };
                }
            }
        }
        (low, high)
    }
}

/// The figure that the parts' current values give.
fn now(combine: Combine, runs: &[Run<'_>]) -> f64 {
    let mut terms = [(f64::NAN, 0.0); 2];
    for run in runs {
        if let Some((sum, count)) = terms.get_mut(run.term) {
            *sum = if sum.is_nan() { run.value } else { *sum + run.value };
            *count += 1.0;
        }
    }
    let [(first, count), (second, _)] = terms;
    combine.of(if combine == Combine::Mean { first / count } else { first }, second)
}

/// Enters the first series of a part that has a value between two times.
fn enter<'a>(part: &mut Part<'a>, term: usize, from: i64, to: i64) -> Option<Run<'a>> {
    part.iter_mut().find_map(|track| track.enter(from, to)).map(|(value, rest)| Run { term, value, rest })
}

impl<'a> Track<'a> {
    fn of(series: &'a Kept) -> Self {
        Self { series, held_ms: held_ms(series), next: 0 }
    }

    fn enter(&mut self, from: i64, to: i64) -> Option<(f64, &'a [MetricSample])> {
        let samples = &self.series.samples;
        let passed = samples.get(self.next..)?.iter().take_while(|sample| sample.at.as_ms() < from).count();
        self.next += passed;
        let ahead = samples.get(self.next..)?;
        let inside = ahead.get(..ahead.iter().take_while(|sample| sample.at.as_ms() < to).count())?;
        let before = self.next.checked_sub(1).and_then(|index| samples.get(index));
        let is_replaced = inside.first().is_some_and(|sample| sample.at.as_ms() == from);
        if let Some(held) = before.filter(|sample| !is_replaced && self.holds_until(sample) > from)
            && !held.value.is_nan()
        {
            return Some((held.value, inside));
        }
        let first = inside.iter().position(|sample| !sample.value.is_nan())?;
        let (sample, rest) = inside.get(first..)?.split_first()?;
        Some((sample.value, rest))
    }

    fn holds_until(&self, sample: &MetricSample) -> i64 {
        let at = sample.at.as_ms();
        let ends = &self.series.ends;
        let own = ends.binary_search_by_key(&at, |end| end.at).ok().and_then(|index| ends.get(index));
        own.map_or(at.saturating_add(self.held_ms), |end| end.until)
    }
}

/// The owners of a sum. Fleets and queues are added: each is the sum of its locations, else its own series.
fn sum_parts<'a>(series: impl Iterator<Item = &'a Kept>) -> Vec<Owner<'a>> {
    type Places<'a> = BTreeMap<Option<i64>, Part<'a>>;
    let mut owners: BTreeMap<(Option<i64>, Option<&str>), Places<'a>> = BTreeMap::new();
    for one in series {
        let places = owners.entry((one.fleet_key, one.queue.as_deref())).or_default();
        places.entry(one.location_key).or_default().push(Track::of(one));
    }
    let owner = |mut places: Places<'a>| {
        for part in places.values_mut() {
            part.sort_by_key(|track| track.series.source != Source::Polled);
        }
        let otherwise = places.remove(&None).into_iter().collect();
        Owner { first: places.into_values().collect(), otherwise }
    };
    owners.into_values().map(owner).collect()
}

/// The owner of a mean. Its parts are the series of whole fleets, or else those of locations.
fn mean_parts<'a>(series: impl Iterator<Item = &'a Kept>) -> Vec<Owner<'a>> {
    let mut owner = Owner::default();
    for one in series {
        let parts = if one.location_key.is_none() { &mut owner.first } else { &mut owner.otherwise };
        parts.push(vec![Track::of(one)]);
    }
    vec![owner]
}

#[cfg(test)]
mod tests;
