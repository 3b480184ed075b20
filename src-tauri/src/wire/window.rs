//! Ranges of time, windows onto lists, and how old what they show is.

use liftdeck_model::time::TimeRange;
use liftdeck_store::reader as store;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::number::Ms;

/// From `fromMs` (inclusive) to `toMs` (exclusive).
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Range {
    pub(crate) from_ms: Ms,
    pub(crate) to_ms: Ms,
}

impl Range {
    /// The same range in the model's words, the right way round.
    pub(crate) fn time_range(self) -> TimeRange {
        TimeRange::new(self.from_ms.timestamp(), self.to_ms.timestamp())
    }
}

impl From<TimeRange> for Range {
    fn from(range: TimeRange) -> Self {
        Self { from_ms: range.from.into(), to_ms: range.to.into() }
    }
}

/// When the rows of a view were last confirmed against AWS, and whether that is late. null = never.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Freshness {
    pub(crate) as_of_ms: Option<Ms>,
    pub(crate) stale: bool,
}

/// A window onto a list.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Page {
    pub(crate) offset: u32,
    pub(crate) limit: u32,
}

/// A column to sort by.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sort {
    pub(crate) column: String,
    pub(crate) descending: bool,
}

impl From<Page> for store::window::Page {
    fn from(page: Page) -> Self {
        Self { offset: page.offset, limit: page.limit }
    }
}

impl From<store::freshness::Freshness> for Freshness {
    fn from(freshness: store::freshness::Freshness) -> Self {
        Self { as_of_ms: freshness.as_of.map(Ms::from), stale: freshness.stale }
    }
}
