//! Changes of a location's desired instances, found in its history of figures, and how long each took to take effect.

use liftdeck_model::time::TimeRange;
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

/// Figures of one location over a range, in buckets.
#[derive(Clone, Debug)]
pub(super) struct LocationHistory {
    pub(super) table: SeriesTable,
}

/// Columns of the history.
pub(super) const DESIRED: usize = 0;
pub(super) const ACTIVE: usize = 1;
pub(super) const MAXIMUM: usize = 2;
pub(super) const AVAILABLE: usize = 3;
pub(super) const MINIMUM: usize = 4;

/// Number of buckets in a range: 10 s each over three hours.
const BUCKETS: u32 = 2_000;

impl LocationHistory {
    pub(super) async fn read(
        reader: &Reader,
        fleet: &FleetId,
        location: &Location,
        range: TimeRange,
    ) -> Result<Self, StoreError> {
        let request = SeriesRequest {
            scope: SeriesScope::Fleet { fleet_id: fleet.clone(), location: Some(location.clone()) },
            names: vec![
                SeriesName::DesiredInstances,
                SeriesName::ActiveInstances,
                SeriesName::MaxInstances,
                SeriesName::PercentAvailableGameSessions,
                SeriesName::MinInstances,
            ],
            range,
            max_points: BUCKETS,
        };
        Ok(Self { table: reader.series(&request).await? })
    }

    /// The value of a column in the bucket of `at`. If that is a gap, one of the two buckets before it.
    pub(super) fn value(&self, column: usize, at: Timestamp) -> Option<f64> {
        let index = self.table.times.partition_point(|time| *time <= at);
        let values = self.table.columns.get(column)?.get(..index)?;
        values.iter().rev().take(3).copied().find(|value| !value.is_nan())
    }

    /// Values of a column with their times, from `from` up to `to`, without gaps.
    pub(super) fn values(
        &self,
        column: usize,
        from: Timestamp,
        to: Timestamp,
    ) -> impl DoubleEndedIterator<Item = (Timestamp, f64)> {
        let values = self.table.columns.get(column).map_or(&[][..], Vec::as_slice);
        let pairs = self.table.times.iter().copied().zip(values.iter().copied());
        pairs
            .collect::<Vec<_>>()
            .into_iter()
            .filter(move |(time, value)| *time >= from && *time < to && !value.is_nan())
    }

    /// Every move, oldest first. A gap hides when a move was made, so it is dated by the first sample after the gap.
    pub(super) fn moves(&self) -> Vec<Move> {
        let values = self.table.columns.get(DESIRED).map_or(&[][..], Vec::as_slice);
        let mut moves: Vec<Move> = Vec::new();
        let mut last: Option<i64> = None;
        let end =
            self.table.times.last().map_or(Timestamp::from_ms(0), |time| time.plus_ms(self.table.bucket_ms));
        for (time, value) in self.table.times.iter().zip(values) {
            if value.is_nan() {
                continue;
            }
            let count = value.round() as i64;
            if let Some(from) = last.filter(|from| *from != count) {
                if let Some(before) = moves.last_mut() {
                    before.until = *time;
                }
                moves.push(Move { at: *time, from, to: count, until: end });
            }
            last = Some(count);
        }
        moves
    }
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
        LocationHistory { table: SeriesTable { times, bucket_ms: 60_000, columns } }
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
