//! Placements, learnt from events.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::health::FeedHealth;
use crate::wire::number::Ms;
use crate::wire::window::{Freshness, Page, Range};

/// The four outcomes there are events for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) enum PlacementType {
    PlacementFulfilled,
    PlacementCancelled,
    PlacementTimedOut,
    PlacementFailed,
}

/// A placement's outcome.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlacementRow {
    pub(crate) key: String,
    pub(crate) placement_id: String,
    #[serde(rename = "type")]
    pub(crate) outcome: PlacementType,
    pub(crate) queue: String,
    pub(crate) region: String,
    pub(crate) start_ms: Option<Ms>,
    pub(crate) end_ms: Option<Ms>,
    pub(crate) duration_ms: Option<Ms>,
    pub(crate) game_session_id: Option<String>,
    pub(crate) fleet_id: Option<String>,
    pub(crate) location: Option<String>,
    pub(crate) players: u32,
}

/// A question about placements.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlacementQuery {
    pub(crate) queue: Option<String>,
    /// Outcomes wanted; empty for all.
    pub(crate) types: Vec<String>,
    pub(crate) text: String,
    pub(crate) range: Range,
    pub(crate) page: Page,
}

/// How the placements of the range ended.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Funnel {
    pub(crate) fulfilled: u32,
    pub(crate) cancelled: u32,
    pub(crate) timed_out: u32,
    pub(crate) failed: u32,
}

/// Placements that took at most `upToMs` and longer than the bar before.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HistogramBar {
    pub(crate) up_to_ms: Ms,
    pub(crate) count: u32,
}

/// A window onto placements, with figures over all of the range.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlacementPage {
    pub(crate) rows: Vec<PlacementRow>,
    pub(crate) total: u32,
    pub(crate) funnel: Funnel,
    pub(crate) p50_ms: Option<Ms>,
    pub(crate) p95_ms: Option<Ms>,
    pub(crate) p99_ms: Option<Ms>,
    pub(crate) histogram: Vec<HistogramBar>,
    pub(crate) feeds: Vec<FeedHealth>,
    pub(crate) freshness: Freshness,
}
