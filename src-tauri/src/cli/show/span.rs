//! A time range on a command line. Its ages move with the clock while a command watches.

use clap::Args;
use liftdeck_model::Timestamp;
use liftdeck_model::time::{Moment, TimeRange};

use crate::cli::{Failure, database};

/// A range of time.
#[derive(Debug, Args)]
pub(crate) struct Span {
    /// From this moment on: RFC 3339, or an age such as 15m, 24h, 7d
    #[arg(long, value_name = "T")]
    since: Option<Moment>,
    /// Up to this moment: RFC 3339, or an age [default: now]
    #[arg(long, value_name = "T")]
    until: Option<Moment>,
}

impl Span {
    /// The range, if either end was named.
    ///
    /// # Errors
    /// When it ends before it begins.
    pub(crate) fn named(&self, now: Timestamp) -> Result<Option<TimeRange>, Failure> {
        if self.since.or(self.until).is_none() {
            return Ok(None);
        }
        // Ten years go further back than anything AWS has kept.
        const EVER_MS: i64 = 10 * 366 * 86_400_000;
        self.or_last(EVER_MS, now).map(Some)
    }

    /// The range. If no beginning is named, it is the last `last_ms` milliseconds before the end.
    ///
    /// # Errors
    /// When it ends before it begins.
    pub(crate) fn or_last(&self, last_ms: i64, now: Timestamp) -> Result<TimeRange, Failure> {
        // What happens at this very moment is part of the range.
        let until = self.until.map_or(now.plus_ms(1), |until| until.at(now));
        let since = self.since.map_or(until.plus_ms(-last_ms), |since| since.at(now));
        database::forwards(Some(since), Some(until))?;
        Ok(TimeRange::new(since, until))
    }
}
