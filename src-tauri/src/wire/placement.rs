//! Placements, learnt from events.

use liftdeck_model::action::RegionLatency;
use liftdeck_model::placement::{
    PlacedPlayerSession, Placement, PlacementEvent, PlacementEventType, PlacementStatus,
};
use liftdeck_model::{FleetId, GameSessionId, Location, Region, Timestamp};
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

/// Which placements are meant, whenever they ended.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlacementScope {
    pub(crate) queue: Option<String>,
    /// Region of the queue.
    pub(crate) region: Option<String>,
    /// Fleet that took them; `nowhere` for those that were not placed.
    pub(crate) destination: Option<String>,
}

/// What the placements can be split by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum PlacementSplit {
    Queue,
    /// The Region of the queue.
    Region,
    /// The fleet that took them.
    Destination,
}

/// A part of the placements.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlacementGroup {
    /// What a scope names it by.
    pub(crate) key: String,
    pub(crate) label: String,
    pub(crate) funnel: Funnel,
    pub(crate) p50_ms: Option<Ms>,
    pub(crate) p95_ms: Option<Ms>,
    pub(crate) p99_ms: Option<Ms>,
}

/// The placements of a range split, the largest part first.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlacementGroups {
    pub(crate) groups: Vec<PlacementGroup>,
    pub(crate) freshness: Freshness,
}

/// A question about placements.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlacementQuery {
    pub(crate) scope: PlacementScope,
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

/// A player of a placement.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlacementPlayerRow {
    pub(crate) player_id: String,
    pub(crate) player_session_id: Option<String>,
    pub(crate) latencies: Vec<RegionLatency>,
}

/// A moment in the story of a placement.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlacementMoment {
    pub(crate) at_ms: Ms,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) text: String,
}

/// One placement with its story.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlacementDetail {
    pub(crate) placement_id: String,
    pub(crate) status: String,
    pub(crate) queue: String,
    pub(crate) region: String,
    pub(crate) game_session_id: Option<String>,
    pub(crate) game_session_name: Option<String>,
    pub(crate) start_ms: Option<Ms>,
    pub(crate) end_ms: Option<Ms>,
    pub(crate) maximum_player_session_count: Option<u32>,
    pub(crate) ip_address: Option<String>,
    pub(crate) dns_name: Option<String>,
    pub(crate) port: Option<u32>,
    pub(crate) players: Vec<PlacementPlayerRow>,
    pub(crate) events: Vec<PlacementMoment>,
    pub(crate) can_stop: bool,
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

/// A destination that is none.
const NOWHERE: &str = "nowhere";

impl From<PlacementScope> for store::PlacementScope {
    fn from(scope: PlacementScope) -> Self {
        let destination = |key: String| match key.as_str() {
            NOWHERE => store::Destination::Nowhere,
            _ => store::Destination::Fleet(FleetId::new(key)),
        };
        Self {
            queue: scope.queue,
            region: scope.region.map(Region::new),
            destination: scope.destination.map(destination),
        }
    }
}

impl From<PlacementSplit> for store::PlacementSplit {
    fn from(split: PlacementSplit) -> Self {
        match split {
            PlacementSplit::Queue => Self::Queue,
            PlacementSplit::Region => Self::Region,
            PlacementSplit::Destination => Self::Destination,
        }
    }
}

impl PlacementGroup {
    /// A part with its figures.
    pub(crate) fn new(group: store::PlacementGroup, statistics: &store::PlacementStatistics) -> Self {
        let (key, label) = match group {
            store::PlacementGroup::Queue(queue) => (queue.to_string(), queue.into_string()),
            store::PlacementGroup::Region(region) => (region.to_string(), region.into_string()),
            store::PlacementGroup::Destination(store::Destination::Fleet(fleet), name) => {
                (fleet.into_string(), name)
            }
            store::PlacementGroup::Destination(store::Destination::Nowhere, name) => {
                (NOWHERE.to_owned(), name)
            }
        };
        Self {
            key,
            label,
            funnel: statistics.funnel.into(),
            p50_ms: statistics.p50_ms.map(Ms),
            p95_ms: statistics.p95_ms.map(Ms),
            p99_ms: statistics.p99_ms.map(Ms),
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

impl PlacementDetail {
    /// A placement from its events, from GameLift, or both; `None` from neither.
    pub(crate) fn new(
        story: Option<store::PlacementStory>,
        live: Option<Placement>,
        now: Timestamp,
    ) -> Option<Self> {
        let (events, session_name, age) = match story {
            Some(story) => (story.events, story.game_session_name, Some(Freshness::from(story.freshness))),
            None => (Vec::new(), None, None),
        };
        let moments = moments(&events, live.as_ref());
        let detail = match live {
            Some(placement) => Self::now(placement, Freshness { as_of_ms: Some(now.into()), stale: false }),
            None => Self::told(events.last()?, age?),
        };
        Some(Self {
            game_session_name: detail.game_session_name.clone().or(session_name),
            events: moments,
            ..detail
        })
    }

    fn now(placement: Placement, freshness: Freshness) -> Self {
        let mut players: Vec<PlacementPlayerRow> = Vec::new();
        for placed in placement.placed_player_sessions {
            players.push(PlacementPlayerRow {
                player_id: placed.player_id.into_string(),
                player_session_id: Some(placed.player_session_id.into_string()),
                latencies: Vec::new(),
            });
        }
        for measured in placement.player_latencies {
            let latency =
                RegionLatency { region: measured.region, latency_ms: measured.latency_ms.round() as i32 };
            match players.iter_mut().find(|player| player.player_id == measured.player_id.as_str()) {
                Some(player) => player.latencies.push(latency),
                None => players.push(PlacementPlayerRow {
                    player_id: measured.player_id.into_string(),
                    player_session_id: None,
                    latencies: vec![latency],
                }),
            }
        }
        Self {
            placement_id: placement.placement_id.into_string(),
            can_stop: placement.status == PlacementStatus::Pending,
            status: placement.status.to_string(),
            queue: placement.queue.map(|queue| queue.into_string()).unwrap_or_default(),
            region: placement.region.into_string(),
            game_session_id: placement.game_session_id.map(GameSessionId::into_string),
            game_session_name: placement.game_session_name,
            start_ms: placement.start_time.map(Ms::from),
            end_ms: placement.end_time.map(Ms::from),
            maximum_player_session_count: placement.maximum_player_session_count.map(count),
            ip_address: placement.ip_address,
            dns_name: placement.dns_name,
            port: placement.port.map(count),
            players,
            events: Vec::new(),
            freshness,
        }
    }

    fn told(event: &PlacementEvent, freshness: Freshness) -> Self {
        let player = |placed: &PlacedPlayerSession| PlacementPlayerRow {
            player_id: placed.player_id.to_string(),
            player_session_id: Some(placed.player_session_id.to_string()),
            latencies: Vec::new(),
        };
        Self {
            placement_id: event.placement_id.to_string(),
            status: match event.event_type {
                PlacementEventType::Fulfilled => "FULFILLED".to_owned(),
                PlacementEventType::Cancelled => "CANCELLED".to_owned(),
                PlacementEventType::TimedOut => "TIMED_OUT".to_owned(),
                PlacementEventType::Failed => "FAILED".to_owned(),
                PlacementEventType::Other(ref other) => other.clone(),
            },
            queue: event.queue.to_string(),
            region: event.region.to_string(),
            game_session_id: event.game_session_id.clone().map(GameSessionId::into_string),
            game_session_name: None,
            start_ms: event.start_time.map(Ms::from),
            end_ms: event.end_time.or(Some(event.event_time)).map(Ms::from),
            maximum_player_session_count: None,
            ip_address: event.ip_address.clone(),
            dns_name: event.dns_name.clone(),
            port: event.port.map(count),
            players: event.placed_player_sessions.iter().map(player).collect(),
            events: Vec::new(),
            can_stop: false,
            freshness,
        }
    }
}

/// What happened, oldest first: queued, then the outcome.
fn moments(events: &[PlacementEvent], live: Option<&Placement>) -> Vec<PlacementMoment> {
    let queued =
        live.and_then(|live| live.start_time).or_else(|| events.iter().find_map(|event| event.start_time));
    let mut moments: Vec<PlacementMoment> = queued
        .map(|at| PlacementMoment {
            at_ms: at.into(),
            kind: "Queued".to_owned(),
            text: "The placement was queued".to_owned(),
        })
        .into_iter()
        .collect();
    for event in events {
        let place =
            event.game_session_location.as_ref().map(|place| format!(" in {place}")).unwrap_or_default();
        let text = match event.event_type {
            PlacementEventType::Fulfilled => format!("A game session was made{place}"),
            PlacementEventType::Cancelled => "Somebody stopped it".to_owned(),
            PlacementEventType::TimedOut => "The queue's timeout passed without a place".to_owned(),
            _ => "The service could not place it".to_owned(),
        };
        moments.push(PlacementMoment {
            at_ms: event.event_time.into(),
            kind: event.event_type.to_string(),
            text,
        });
    }
    if events.is_empty()
        && let Some((status, Some(at))) = live.map(|live| (&live.status, live.end_time))
    {
        moments.push(PlacementMoment {
            at_ms: at.into(),
            kind: status.to_string(),
            text: format!("It ended as {status}"),
        });
    }
    moments
}
