//! Changes of a location's desired instances, found in its history of figures, and how long each took to take effect.
//! Deliberately knows nothing of the points of a chart.

use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_model::{FleetId, Location, Timestamp};
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope, SeriesTable};
use liftdeck_store::{Reader, StoreError};

/// A change of desired instances from one number to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) at: Timestamp,
    pub(super) from: i64,
    pub(super) to: i64,
    /// The next move, or the end of the history.
    pub(super) until: Timestamp,
}

/// Figures of one location over time. Each row holds until the next one, the last until `end`.
///
/// The rows lie where a figure changed, not at the points of a chart: what is concluded from them is the same however
/// long the range is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LocationHistory {
    /// Ascending.
    pub(super) times: Vec<Timestamp>,
    /// One value per row, NaN in a gap.
    pub(super) columns: [Vec<f64>; 5],
    pub(super) end: Timestamp,
}

/// Columns of the history.
pub(super) const DESIRED: usize = 0;
pub(super) const ACTIVE: usize = 1;
pub(super) const MAXIMUM: usize = 2;
pub(super) const AVAILABLE: usize = 3;
pub(super) const MINIMUM: usize = 4;

/// Polls are not more frequent, and CloudWatch's figures are for a minute.
const MOMENT_MS: i64 = 10_000;
/// The piece of history that is read at once: a year of moments would not fit into memory.
const PIECE_MS: i64 = 7 * DAY_MS;
/// How far back to look for a figure where there is a gap: two slow polls.
const GAP_MS: i64 = 60_000;

impl LocationHistory {
    pub(super) async fn read(
        reader: &Reader,
        fleet: &FleetId,
        location: &Location,
        range: TimeRange,
    ) -> Result<Self, StoreError> {
        let mut history = Self { times: Vec::new(), columns: Default::default(), end: range.from };
        let range = if range.length_ms() > PIECE_MS { sampled(reader, fleet, range).await? } else { range };
        let mut from = range.from.floor_to_ms(MOMENT_MS);
        while from < range.to {
            let to = from.plus_ms(PIECE_MS).min(range.to);
            let request = SeriesRequest {
                scope: SeriesScope::Fleet { fleet_id: fleet.clone(), location: Some(location.clone()) },
                names: vec![
                    SeriesName::DesiredInstances,
                    SeriesName::ActiveInstances,
                    SeriesName::MaxInstances,
                    SeriesName::PercentAvailableGameSessions,
                    SeriesName::MinInstances,
                ],
                range: TimeRange::new(from, to),
                max_points: 0,
            };
            history.add(&reader.series_every(&request, MOMENT_MS).await?);
            from = to;
        }
        Ok(history)
    }

    /// Adds the rows of a later table in which a figure changed.
    pub(super) fn add(&mut self, table: &SeriesTable) {
        for (row, time) in table.times.iter().enumerate() {
            let value = |column: usize| {
                table.columns.get(column).and_then(|values| values.get(row)).copied().unwrap_or(f64::NAN)
            };
            let same = |(index, column): (usize, &Vec<f64>)| {
                column.last().is_some_and(|last| last.total_cmp(&value(index)).is_eq())
            };
            if !self.columns.iter().enumerate().all(same) {
                self.times.push(*time);
                for (index, column) in self.columns.iter_mut().enumerate() {
                    column.push(value(index));
                }
            }
            self.end = time.plus_ms(table.bucket_ms);
        }
    }

    /// When a row stops to hold.
    fn ends(&self, row: usize) -> Timestamp {
        self.times.get(row + 1).copied().unwrap_or(self.end)
    }

    /// The row in force at `at`; `None` before the first one.
    fn row_at(&self, at: Timestamp) -> Option<usize> {
        self.times.partition_point(|time| *time <= at).checked_sub(1)
    }

    fn cell(&self, column: usize, row: usize) -> Option<f64> {
        self.columns.get(column)?.get(row).copied().filter(|value| !value.is_nan())
    }

    /// The value of a column at `at`. In a gap, the last value of the minute before.
    pub(super) fn value(&self, column: usize, at: Timestamp) -> Option<f64> {
        let last = self.row_at(at)?;
        let near = (0..=last).rev().take_while(|row| self.ends(*row) > at.plus_ms(-GAP_MS));
        near.into_iter().find_map(|row| self.cell(column, row))
    }

    /// Values of a column with their times, from `from` up to `to`, without gaps. The first may have begun earlier and
    /// counts from `from`.
    pub(super) fn values(
        &self,
        column: usize,
        from: Timestamp,
        to: Timestamp,
    ) -> impl DoubleEndedIterator<Item = (Timestamp, f64)> {
        let first = self.row_at(from).unwrap_or(0);
        let last = self.times.partition_point(|time| *time < to).max(first);
        (first..last).filter_map(move |row| {
            let time = self.times.get(row).copied()?.max(from);
            self.cell(column, row).map(|value| (time, value))
        })
    }

    /// Periods in which rows fulfil a condition.
    pub(super) fn periods(&self, wanted: impl Fn(&dyn Fn(usize) -> Option<f64>) -> bool) -> Vec<TimeRange> {
        let mut ranges: Vec<TimeRange> = Vec::new();
        for (row, time) in self.times.iter().enumerate() {
            if !wanted(&|column| self.cell(column, row)) {
                continue;
            }
            let end = self.ends(row);
            match ranges.last_mut().filter(|last| last.to == *time) {
                Some(last) => last.to = end,
                None => ranges.push(TimeRange::new(*time, end)),
            }
        }
        ranges
    }

    /// Every move, oldest first. A gap hides when a move was made, so it is dated by the first sample after the gap.
    pub(super) fn moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::new();
        let mut last: Option<i64> = None;
        for (row, time) in self.times.iter().enumerate() {
            let Some(value) = self.cell(DESIRED, row) else { continue };
            let count = value.round() as i64;
            if let Some(from) = last.filter(|from| *from != count) {
                if let Some(before) = moves.last_mut() {
                    before.until = *time;
                }
                moves.push(Move { at: *time, from, to: count, until: self.end });
            }
            last = Some(count);
        }
        moves
    }
}

/// The part of a range in which the fleet has samples: a long one may hold years of nothing.
async fn sampled(reader: &Reader, fleet: &FleetId, range: TimeRange) -> Result<TimeRange, StoreError> {
    let days = reader.sampled_locations(Some(fleet), range).await?;
    let starts = |day: i64| Timestamp::from_ms(day * DAY_MS);
    let Some((first, last)) = days.keys().min().zip(days.keys().max()) else {
        return Ok(TimeRange::new(range.from, range.from));
    };
    Ok(TimeRange::new(range.from.max(starts(*first)), range.to.min(starts(last + 1))))
}

/// The number of instances that a capacity field had just before a moment, as the figures of that time tell.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn count_before(
    reader: &Reader,
    fleet: &FleetId,
    location: &Location,
    field: &str,
    at: Timestamp,
) -> Result<Option<i64>, StoreError> {
    let column = match field {
        "desired" => DESIRED,
        "minimum" => MINIMUM,
        "maximum" => MAXIMUM,
        _ => return Ok(None),
    };
    // CloudWatch's figure for the minute of the change may already show it.
    let before = at.floor_to_ms(60_000);
    let range = TimeRange::new(before.plus_ms(-10 * 60_000), before);
    let history = LocationHistory::read(reader, fleet, location, range).await?;
    Ok(history.value(column, before.plus_ms(-1)).map(|count| count.round() as i64))
}

/// Milliseconds from a move until the location had that many active instances; `None` if that was not seen before the
/// next move.
pub(super) fn reached_after(moved: &Move, history: &LocationHistory) -> Option<i64> {
    let wanted = moved.to as f64;
    let grows = moved.to > moved.from;
    let reached = |active: f64| if grows { active >= wanted } else { active <= wanted };
    history
        .values(ACTIVE, moved.at, moved.until)
        .find(|(_, active)| reached(*active))
        .map(|(time, _)| time.since_ms(moved.at))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A history with one bucket per minute: desired, active, maximum, available percentage, minimum.
    pub(in crate::scaling) fn history(rows: &[[f64; 5]]) -> LocationHistory {
        let times = (0_i64..).take(rows.len()).map(|minute| Timestamp::from_ms(minute * 60_000)).collect();
        let columns = (0..5).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
        let mut history =
            LocationHistory { times: Vec::new(), columns: Default::default(), end: Timestamp::default() };
        history.add(&SeriesTable { times, bucket_ms: 60_000, columns });
        history
    }

    #[test]
    fn only_changes_are_kept_and_a_value_is_found_across_a_short_gap() {
        let gap = f64::NAN;
        let still = [4.0, 4.0, 9.0, 50.0, 1.0];
        let told = history(&[still, still, [4.0, 4.0, 9.0, gap, 1.0], still, [gap; 5], [gap; 5], still]);
        assert_eq!(told.times.len(), 5);
        let minute = |minute: i64| Timestamp::from_ms(minute * 60_000);
        assert_eq!(told.value(AVAILABLE, minute(1)), Some(50.0));
        assert_eq!(told.value(AVAILABLE, minute(3).plus_ms(-1)), Some(50.0), "a minute's gap");
        assert_eq!(told.value(AVAILABLE, minute(6).plus_ms(-1)), None, "two minutes' gap");
        assert_eq!(told.value(DESIRED, minute(-1)), None);
        let values: Vec<_> = told.values(DESIRED, minute(1), minute(7)).map(|(at, _)| at).collect();
        assert_eq!(values, [minute(1), minute(2), minute(3), minute(6)]);
    }

    #[test]
    fn each_move_is_found_and_dated_by_its_first_look() {
        let gap = f64::NAN;
        let rows: Vec<[f64; 5]> =
            [4.0, 4.0, 6.0, gap, 6.0, gap, 5.0].iter().map(|d| [*d, 4.0, 10.0, 50.0, 1.0]).collect();
        let moves = history(&rows).moves();
        let told: Vec<_> =
            moves.iter().map(|m| (m.at.as_ms() / 60_000, m.from, m.to, m.until.as_ms() / 60_000)).collect();
        assert_eq!(told, [(2, 4, 6, 6), (6, 6, 5, 7)]);
    }

    #[test]
    fn a_move_takes_effect_when_as_many_are_active() {
        let rows = [
            [4.0, 4.0, 9.0, 9.0, 1.0],
            [6.0, 4.0, 9.0, 9.0, 1.0],
            [6.0, 5.0, 9.0, 9.0, 1.0],
            [6.0, 6.0, 9.0, 9.0, 1.0],
        ];
        let history = history(&rows);
        assert_eq!(reached_after(&history.moves()[0], &history), Some(120_000));
    }

    #[test]
    fn a_move_overtaken_by_the_next_never_took_effect() {
        let rows = [[4.0, 4.0, 9.0, 9.0, 1.0], [6.0, 4.0, 9.0, 9.0, 1.0], [4.0, 4.0, 9.0, 9.0, 1.0]];
        let history = history(&rows);
        let moves = history.moves();
        assert_eq!(reached_after(&moves[0], &history), None);
        assert_eq!(reached_after(&moves[1], &history), Some(0));
    }
}
