//! One row per virtual minute of everything that is measured: the gauges when the minute began, and the counts during
//! it.
//!
//! Owns the rows. The engine decides when they are taken, and `metrics` decides which metric they serve.

use std::collections::VecDeque;

/// A minute in milliseconds.
pub(crate) const MINUTE_MS: i64 = 60_000;

/// A fleet location in one minute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) desired: u16,
    pub(crate) minimum: u16,
    pub(crate) maximum: u16,
    pub(crate) pending: u16,
    pub(crate) active: u16,
    pub(crate) idle: u16,
    pub(crate) terminating: u16,
    pub(crate) processes: u16,
    pub(crate) starting: u16,
    pub(crate) available: u16,
    pub(crate) activating_sessions: u16,
    pub(crate) active_sessions: u16,
    pub(crate) players: u16,
    pub(crate) counters: Counters,
}

/// What happened in a fleet location during a minute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    pub(crate) joins: u16,
    pub(crate) process_starts: u16,
    pub(crate) process_ends: u16,
    pub(crate) abnormal_ends: u16,
    pub(crate) session_interruptions: u16,
    pub(crate) spot_interruptions: u16,
    pub(crate) recycled: u16,
}

/// Rows for consecutive minutes. The last one is still open: its counters are not final.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    first_ms: i64,
    rows: VecDeque<T>,
}

/// The rows of a fleet location.
pub(crate) type SampleColumns = Rows<Sample>;

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { first_ms: 0, rows: VecDeque::new() }
    }
}

impl<T> Rows<T> {
    /// Opens the row of the minute that begins now. Minutes must follow each other.
    pub(crate) fn open(&mut self, minute_ms: i64, row: T) {
        if self.rows.is_empty() {
            self.first_ms = minute_ms;
        }
        self.rows.push_back(row);
    }

    /// The open row.
    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        self.rows.back_mut()
    }

    /// When the first row begins; absent if there is none.
    pub(crate) fn first_ms(&self) -> Option<i64> {
        (!self.rows.is_empty()).then_some(self.first_ms)
    }

    /// When the last closed row begins; absent if there is none.
    pub(crate) fn last_closed_ms(&self) -> Option<i64> {
        let before = self.rows.len().checked_sub(2)?;
        Some(self.first_ms + before as i64 * MINUTE_MS)
    }

    /// The closed row of that minute.
    pub(crate) fn closed(&self, minute_ms: i64) -> Option<&T> {
        let index = usize::try_from((minute_ms - self.first_ms).div_euclid(MINUTE_MS)).ok()?;
        if index + 1 < self.rows.len() { self.rows.get(index) } else { None }
    }

    /// Forgets rows of minutes before that time.
    pub(crate) fn forget_before(&mut self, minute_ms: i64) {
        let count = (minute_ms - self.first_ms).div_euclid(MINUTE_MS).clamp(0, self.rows.len() as i64);
        self.rows.drain(..count as usize);
        self.first_ms += count * MINUTE_MS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_open_minute_is_not_shown_and_old_ones_are_forgotten() {
        let mut rows = Rows::default();
        for minute in 0..5 {
            rows.open(600_000 + minute * MINUTE_MS, minute);
        }
        assert_eq!(rows.closed(600_000 + 3 * MINUTE_MS), Some(&3));
        assert_eq!(rows.closed(600_000 + 4 * MINUTE_MS), None);
        rows.forget_before(600_000 + 2 * MINUTE_MS);
        assert_eq!(rows.first_ms(), Some(600_000 + 2 * MINUTE_MS));
        assert_eq!(rows.closed(600_000 + MINUTE_MS), None);
        assert_eq!(rows.closed(600_000 + 2 * MINUTE_MS), Some(&2));
    }
}
