//! What was asked of CloudTrail, and where the look-ups of a Region stand.

use crate::id::Region;
use crate::time::{TimeRange, Timestamp};

/// After how many milliseconds from the moment a change was seen CloudTrail is asked: at once, then after 5, 15, 60
/// and 150 minutes. CloudTrail delivers after about five minutes on average, and was seen to take over an hour.
pub const LOOKS_AFTER_MS: [i64; 5] = [0, 5 * 60_000, 15 * 60_000, 60 * 60_000, 150 * 60_000];

/// A look-up that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailLook {
    /// Region asked.
    pub region: Region,
    /// Name of the call.
    pub event_name: String,
    /// When.
    pub asked_at: Timestamp,
    /// The window.
    pub range: TimeRange,
    /// Whether the answer was that this program may not ask.
    pub is_denied: bool,
}

/// Where the look-ups of a Region stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailMark {
    /// Region.
    pub region: Region,
    /// When the Region was first looked at; what was there then may have changed just before.
    pub begun_at: Timestamp,
    /// Changes seen before this moment need no look-up any more.
    pub settled_at: Timestamp,
}

impl TrailLook {
    /// Whether it was asked for this window, at `from` or later. What lay in the future when it was asked may be
    /// missing.
    pub fn covers(&self, event_name: &str, range: TimeRange, from: Timestamp) -> bool {
        !self.is_denied
            && self.event_name == event_name
            && self.asked_at >= from
            && self.range.from <= range.from
            && self.range.to >= range.to.min(self.asked_at)
    }
}
