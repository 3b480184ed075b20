//! What a trial of a rule on the stored past found.

use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::words;

/// An alert that a rule would have given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CustomSpan {
    /// Name of what it is about; empty for everything at once.
    pub subject: String,
    /// When the value crossed the threshold.
    pub since: Timestamp,
    /// When it would have fired.
    pub from: Timestamp,
    /// When it would have been over; `None` while it goes on.
    pub until: Option<Timestamp>,
    /// What was wrong when it fired, as text.
    pub title: String,
}

/// What a rule would have done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CustomTried {
    /// The time asked for.
    pub range: TimeRange,
    /// The part of it that there was time to look at: it ends with the range.
    pub looked: TimeRange,
    /// Milliseconds between two moments looked at.
    pub step_ms: i64,
    /// How many alerts there would have been.
    pub fired: u32,
    /// Those alerts, the newest first, at most 200.
    pub spans: Vec<CustomSpan>,
    /// The longest of them, in milliseconds; `None` if there is none.
    pub longest_ms: Option<i64>,
    /// How much of the time asked for there is data of, over all that was looked at, 0 to 1.
    pub known_share: f64,
    /// How many things were looked at.
    pub subjects: u32,
    /// How many more there are without any data.
    pub silent: u32,
    /// Whether there was time for everything.
    pub is_whole: bool,
    /// All of this, as text.
    pub text: String,
}

impl CustomTried {
    /// A trial of `range` that found nothing yet.
    pub const fn new(range: TimeRange, looked: TimeRange, step_ms: i64) -> Self {
        Self {
            range,
            looked,
            step_ms,
            fired: 0,
            spans: Vec::new(),
            longest_ms: None,
            known_share: 0.0,
            subjects: 0,
            silent: 0,
            is_whole: true,
            text: String::new(),
        }
    }

    /// Sums up what was found, and keeps at most `most` alerts.
    #[must_use]
    pub fn finished(mut self, most: usize) -> Self {
        self.is_whole &= self.looked.from <= self.range.from;
        self.fired = u32::try_from(self.spans.len()).unwrap_or(u32::MAX);
        let length = |span: &CustomSpan| span.until.unwrap_or(self.range.to).since_ms(span.from);
        self.longest_ms = self.spans.iter().map(length).max();
        self.spans.sort_by_key(|span| std::cmp::Reverse(span.from));
        self.spans.truncate(most);
        self.text = words::custom::tried(&self);
        self
    }
}
