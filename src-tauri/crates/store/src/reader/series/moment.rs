//! Figures of fleets at one moment, and the times in which any were polled.
//!
//! A figure at a moment is the newest sample then, as long as it holds: a polled one as in charts, one of CloudWatch at
//! least as long, because CloudWatch is minutes late. Where none holds, the figure is unknown.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use liftdeck_model::time::{HOUR_MS, TimeRange};
use liftdeck_model::{FleetId, Location, Region, Timestamp};

use super::bucket::{HELD_MS, held_ms};
use super::samples::{Kept, Source};
use super::{Metrics, SeriesName, SeriesScope, recipe};
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::directory::Directory;

/// How far back to read: two of CloudWatch's longest periods, which tell how long a period is.
const BACK_MS: i64 = 2 * HOUR_MS;

/// Values in the order of the names that were asked for; `None` where nothing is known of that moment.
pub type ValuesThen = Vec<Option<f64>>;

/// Figures of a fleet at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FleetThen {
    /// Those of each location of which any is known.
    pub locations: BTreeMap<Location, ValuesThen>,
    /// Those of the whole fleet that CloudWatch tells beside its locations; empty if it tells none.
    pub whole: ValuesThen,
    /// Locations that were added to the fleet later.
    pub added_later: BTreeSet<Location>,
}

impl Reader {
    /// The figures of each fleet at `at`, as far as any is known. Each name must be a figure that is one metric.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn fleets_at(
        &self,
        names: &[SeriesName],
        at: Timestamp,
    ) -> Result<BTreeMap<FleetId, FleetThen>, StoreError> {
        let directory = self.directory().await?;
        let wanted: HashMap<&str, usize> = (0..)
            .zip(names)
            .filter_map(|(index, name)| Some((recipe(*name).metrics.first()?.0, index)))
            .collect();
        let metrics = Metrics { any: wanted.keys().copied().collect(), ..Metrics::default() };
        // What was polled just after shows whether polling had ceased, or an unchanged value was only not written anew.
        let around = TimeRange::new(at.plus_ms(-BACK_MS), at.plus_ms(HELD_MS));
        let mut kept = self.kept(&SeriesScope::All, &metrics, around, &directory).await?;
        // Polled first: CloudWatch only fills what they leave open.
        kept.sort_by_key(|series| series.source == Source::CloudWatch);
        let mut fleets: BTreeMap<FleetId, FleetThen> = BTreeMap::new();
        for series in &kept {
            let Some((fleet_key, index)) = series.fleet_key.zip(wanted.get(series.name.as_str())) else {
                continue;
            };
            let Some(value) = value_at(series, at) else { continue };
            let fleet = fleets.entry(directory.fleet_id(fleet_key)).or_default();
            let values = match series.location_key {
                Some(key) => {
                    fleet.locations.entry(directory.location_or_home(Some(key), fleet_key)).or_default()
                }
                None => &mut fleet.whole,
            };
            values.resize(names.len(), None);
            if let Some(slot) = values.get_mut(*index) {
                slot.get_or_insert(value);
            }
        }
        self.mark_added_later(&mut fleets, at, &directory).await?;
        Ok(fleets)
    }

    async fn mark_added_later(
        &self,
        fleets: &mut BTreeMap<FleetId, FleetThen>,
        at: Timestamp,
        directory: &Directory,
    ) -> Result<(), StoreError> {
        let rows = sqlx::query(
            "SELECT fleet_key, resource FROM change WHERE seen_at > ? AND kind = 'fleet_location' \
             AND field = 'added' AND fleet_key IS NOT NULL",
        )
        .bind(at.as_ms())
        .fetch_all(self.pool())
        .await?;
        for row in &rows {
            if let Some(fleet) = fleets.get_mut(&directory.fleet_id(row.read("fleet_key")?)) {
                fleet.added_later.insert(Location::new(row.text("resource")?));
            }
        }
        Ok(())
    }

    /// The parts of `range` in which the capacity of any fleet of a Region was polled, by Region, ascending.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn polled_in(&self, range: TimeRange) -> Result<BTreeMap<Region, Vec<TimeRange>>, StoreError> {
        let directory = self.directory().await?;
        let metrics = Metrics { any: BTreeSet::from(["DesiredInstances"]), ..Metrics::default() };
        let wide = TimeRange::new(range.from, range.to.plus_ms(HELD_MS));
        let kept = self.kept(&SeriesScope::All, &metrics, wide, &directory).await?;
        let mut parts: BTreeMap<Region, Vec<TimeRange>> = BTreeMap::new();
        for series in kept.iter().filter(|series| series.source == Source::Polled) {
            let Some(fleet_key) = series.fleet_key else { continue };
            parts.entry(directory.home(fleet_key)).or_default().extend(held(series, range));
        }
        for parts in parts.values_mut() {
            *parts = united(std::mem::take(parts));
        }
        Ok(parts)
    }
}

/// The value of a series that holds at `at`.
fn value_at(series: &Kept, at: Timestamp) -> Option<f64> {
    let before = series.samples.partition_point(|sample| sample.at <= at);
    let last = series.samples.get(before.checked_sub(1)?)?;
    (at < until(series, last.at) && !last.value.is_nan()).then_some(last.value)
}

/// Until when the value of a sample holds if no other follows.
fn until(series: &Kept, at: Timestamp) -> Timestamp {
    let own = series.ends.binary_search_by_key(&at.as_ms(), |end| end.at).ok();
    match own.and_then(|index| series.ends.get(index)) {
        Some(end) => Timestamp::from_ms(end.until),
        None => at.plus_ms(held_ms(series).max(HELD_MS)),
    }
}

/// The parts of `range` in which a value of the series holds.
fn held(series: &Kept, range: TimeRange) -> Vec<TimeRange> {
    let parts = series.samples.iter().filter_map(|sample| {
        let (from, to) = (sample.at.max(range.from), until(series, sample.at).min(range.to));
        (from < to).then_some(TimeRange { from, to })
    });
    united(parts.collect())
}

/// Joins parts that touch, in order of time.
fn united(mut parts: Vec<TimeRange>) -> Vec<TimeRange> {
    parts.sort_by_key(|part| part.from);
    let mut joined: Vec<TimeRange> = Vec::new();
    for part in parts {
        match joined.last_mut().filter(|last| part.from <= last.to) {
            Some(last) => last.to = last.to.max(part.to),
            None => joined.push(part),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use liftdeck_model::metric::MetricSample;

    use super::super::silence::End;
    use super::*;

    const MINUTE: i64 = 60_000;

    fn series(source: Source, minutes: &[i64], ends: Vec<End>) -> Kept {
        let sample =
            |minute: &i64| MetricSample { at: Timestamp::from_ms(minute * MINUTE), value: *minute as f64 };
        Kept {
            name: "DesiredInstances".to_owned(),
            source,
            fleet_key: Some(1),
            location_key: Some(1),
            queue: None,
            samples: minutes.iter().map(sample).collect(),
            ends,
        }
    }

    #[test]
    fn a_figure_at_a_moment_is_the_newest_then_until_it_no_longer_holds() {
        let polled = series(Source::Polled, &[10, 12, 40], Vec::new());
        let at = |ms: i64| value_at(&polled, Timestamp::from_ms(ms));
        assert_eq!(at(9 * MINUTE), None, "nothing was read before");
        assert_eq!([at(10 * MINUTE), at(12 * MINUTE - 1), at(12 * MINUTE)], [10.0, 10.0, 12.0].map(Some));
        assert_eq!((at(12 * MINUTE + HELD_MS - 1), at(12 * MINUTE + HELD_MS)), (Some(12.0), None));
        let end = End { at: 12 * MINUTE, until: 13 * MINUTE };
        let ceased = series(Source::Polled, &[10, 12], vec![end]);
        assert_eq!(value_at(&ceased, Timestamp::from_ms(13 * MINUTE)), None, "polling ceased for all");
    }

    #[test]
    fn a_value_of_cloudwatch_holds_for_its_period_and_while_it_is_late() {
        let at = |series: &Kept, minute: i64| value_at(series, Timestamp::from_ms(minute * MINUTE));
        let hourly = series(Source::CloudWatch, &[0, 60], Vec::new());
        assert_eq!((at(&hourly, 110), at(&hourly, 120)), (Some(60.0), None));
        let each_minute = series(Source::CloudWatch, &[0, 1], Vec::new());
        assert_eq!((at(&each_minute, 6), at(&each_minute, 8)), (Some(1.0), None));
    }

    #[test]
    fn the_times_in_which_values_hold_are_joined_and_stay_within_the_range() {
        let minutes = |from: i64, to: i64| {
            TimeRange::new(Timestamp::from_ms(from * MINUTE), Timestamp::from_ms(to * MINUTE))
        };
        let polled = series(Source::Polled, &[0, 5, 30], Vec::new());
        let parts = held(&polled, minutes(2, 34));
        let ends = Timestamp::from_ms(5 * MINUTE + HELD_MS);
        assert_eq!(parts, [TimeRange { to: ends, ..minutes(2, 34) }, minutes(30, 34)]);
    }
}
