//! The answer to a request for series: columns over equal buckets of time, and their encoding for the window.

use liftdeck_model::Timestamp;

/// Columns over equal buckets of time; NaN is a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesTable {
    /// Start of each bucket, ascending.
    pub times: Vec<Timestamp>,
    /// Width of a bucket in milliseconds.
    pub bucket_ms: i64,
    /// One column for each requested name, each as long as `times`.
    pub columns: Vec<Vec<f64>>,
}

impl SeriesTable {
    /// The newest value of a column that is not a gap.
    pub fn newest(&self, column: usize) -> Option<f64> {
        self.columns.get(column)?.iter().rev().copied().find(|value| !value.is_nan())
    }
}

/// The lowest and highest value of a figure inside each bucket; NaN where it is unknown. The column's own value
/// always lies between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Lowest of each bucket.
    pub low: Vec<f64>,
    /// Highest of each bucket.
    pub high: Vec<f64>,
}

/// Tolerance for rounding: without it, a mean of equal values would not equal them.
const ROUNDING: f64 = 1e-9;

impl Band {
    /// Whether the figure moved inside any bucket. A band that never moves says no more than its column.
    pub fn moves(&self) -> bool {
        let mut pairs = self.low.iter().zip(&self.high);
        pairs.any(|(low, high)| high - low > ROUNDING * high.abs().max(1.0))
    }
}

/// A table with the band of each column.
#[derive(Clone, Debug, PartialEq)]
pub struct BandedTable {
    /// The columns.
    pub table: SeriesTable,
    /// One for each column. `None` where buckets are no wider than the interval at which figures arrive, and for
    /// figures with a single value per bucket: a policy's target, and counts of what happened.
    pub bands: Vec<Option<Band>>,
}

impl BandedTable {
    /// Encodes as little-endian f64s: number of rows, number of columns, for each column 1 if it has a band and 0 if
    /// not, the times in epoch seconds, each column, then the lowest and highest values of each band. Bands that
    /// never move are left out.
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let SeriesTable { times, columns, .. } = &self.table;
        let moving: Vec<Option<&Band>> =
            self.bands.iter().map(|band| band.as_ref().filter(|band| band.moves())).collect();
        let head = [times.len() as f64, columns.len() as f64];
        let flags = moving.iter().map(|band| f64::from(u8::from(band.is_some())));
        let bands = moving.iter().flatten().flat_map(|band| band.low.iter().chain(&band.high));
        let seconds = times.iter().map(|time| time.as_secs_f64());
        let values = head.into_iter().chain(flags).chain(seconds);
        let width = 1 + columns.len() + 2 * moving.iter().flatten().count();
        let mut bytes = Vec::with_capacity((2 + columns.len() + times.len() * width) * 8);
        for value in values.chain(columns.iter().flatten().chain(bands).copied()) {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bands_that_move_cross_the_border() {
        let still = Band { low: vec![1.0, f64::NAN], high: vec![1.0, f64::NAN] };
        let moving = Band { low: vec![3.0, 4.0], high: vec![3.0, 9.0] };
        assert!(moving.moves() && !still.moves());
        let rounded = Band { low: vec![77.7], high: vec![77.7 + 1e-12] };
        assert!(!rounded.moves());
        let times = vec![Timestamp::from_ms(1_000), Timestamp::from_ms(3_000)];
        let columns = vec![vec![1.0, f64::NAN], vec![3.0, 6.0], vec![0.0, 0.0]];
        let table = SeriesTable { times, bucket_ms: 2_000, columns };
        let bytes = BandedTable { table, bands: vec![Some(still), Some(moving), None] }.to_le_bytes();
        let numbers: Vec<f64> =
            bytes.chunks_exact(8).map(|eight| f64::from_le_bytes(eight.try_into().unwrap())).collect();
        assert_eq!(numbers[..8], [2.0, 3.0, 0.0, 1.0, 0.0, 1.0, 3.0, 1.0]);
        assert_eq!(numbers[9..], [3.0, 6.0, 0.0, 0.0, 3.0, 4.0, 3.0, 9.0]);
    }
}
