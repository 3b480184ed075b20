//! Placements, learnt from events.

use liftdeck_model::placement::PlacementEventType;
use liftdeck_model::{FleetId, GameSessionId, Location};
use liftdeck_store::reader::placement as store;
use liftdeck_store::reader::window::Window;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::health::FeedHealth;
use crate::wire::number::{Ms, count};
use crate::wire::window::{Freshness, Page, Range};

/// The four outcomes there are events for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) enum PlacementType {
    #[serde(rename = "PlacementFulfilled")]
    Fulfilled,
    #[serde(rename = "PlacementCancelled")]
    Cancelled,
    #[serde(rename = "PlacementTimedOut")]
    TimedOut,
    #[serde(rename = "PlacementFailed")]
    Failed,
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

impl PlacementType {
    /// The outcome of a stored event; the feed puts events of any other type aside.
    fn of(event_type: &PlacementEventType) -> Self {
        match event_type {
            PlacementEventType::Fulfilled => Self::Fulfilled,
            PlacementEventType::Cancelled => Self::Cancelled,
            PlacementEventType::TimedOut => Self::TimedOut,
            PlacementEventType::Failed | PlacementEventType::Other(_) => Self::Failed,
        }
    }
}

impl From<store::PlacementRow> for PlacementRow {
    fn from(row: store::PlacementRow) -> Self {
        Self {
            key: row.event_key.to_string(),
            outcome: PlacementType::of(&row.event_type),
            duration_ms: row.duration_ms().map(Ms),
            placement_id: row.placement_id.into_string(),
            queue: row.queue.into_string(),
            region: row.region.into_string(),
            start_ms: row.start_time.map(Ms::from),
            end_ms: row.end_time.or(Some(row.event_time)).map(Ms::from),
            game_session_id: row.game_session_id.map(GameSessionId::into_string),
            fleet_id: row.fleet_id.map(FleetId::into_string),
            location: row.location.map(Location::into_string),
            players: count(row.players),
        }
    }
}

impl From<store::Funnel> for Funnel {
    fn from(funnel: store::Funnel) -> Self {
        Self {
            fulfilled: count(funnel.fulfilled),
            cancelled: count(funnel.cancelled),
            timed_out: count(funnel.timed_out),
            failed: count(funnel.failed),
        }
    }
}

impl PlacementPage {
    /// A window with the figures over all of the range.
    pub(crate) fn new(
        window: Window<store::PlacementRow>,
        statistics: store::PlacementStatistics,
        feeds: Vec<FeedHealth>,
        freshness: Freshness,
    ) -> Self {
        let bar = |(up_to_ms, placements): (i64, u64)| {
            // The last bar is open; JavaScript has no number for that.
            HistogramBar { up_to_ms: Ms(up_to_ms.min(LONGEST_MS)), count: count(placements) }
        };
        Self {
            rows: window.rows.into_iter().map(PlacementRow::from).collect(),
            total: count(window.total),
            funnel: statistics.funnel.into(),
            p50_ms: statistics.p50_ms.map(Ms),
            p95_ms: statistics.p95_ms.map(Ms),
            p99_ms: statistics.p99_ms.map(Ms),
            histogram: statistics.histogram.into_iter().map(bar).collect(),
            feeds,
            freshness,
        }
    }
}

/// A day: no placement lives longer (AWS: a queue's timeout is at most 600 s).
const LONGEST_MS: i64 = 86_400_000;
