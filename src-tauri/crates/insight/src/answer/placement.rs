//! Placements, known from events.

use liftdeck_model::action::RegionLatency;
use liftdeck_model::placement::{PlacedPlayerSession, Placement, PlacementEvent, PlacementStatus};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{GameSessionId, PlacementId, PlayerId, PlayerSessionId, Region, Timestamp};
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::placement::{
    self as store, PlacementRequest, PlacementRow, PlacementScope, PlacementSplit, PlacementStatistics,
};
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::words;

/// A group of placements.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacementGroup {
    /// The value that selects this group in a [`PlacementScope`].
    pub key: String,
    /// The Region of a queue: two may have one of the same name.
    pub region: Option<Region>,
    pub label: String,
    pub statistics: PlacementStatistics,
}

/// The placements of a range in groups, the largest first.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacementGroups {
    pub groups: Vec<PlacementGroup>,
    pub freshness: Freshness,
}

/// One page of placements, with statistics over the whole range.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacementPage {
    pub rows: Vec<PlacementRow>,
    pub total: u64,
    /// Whether `total` counts all rows; false if counting stopped and there are more.
    pub total_is_exact: bool,
    pub statistics: PlacementStatistics,
    pub freshness: Freshness,
}

/// A player of a placement.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacementPlayerRow {
    pub player_id: PlayerId,
    pub player_session_id: Option<PlayerSessionId>,
    pub latencies: Vec<RegionLatency>,
}

/// An event in the history of a placement.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacementMoment {
    pub at: Timestamp,
    #[serde(rename = "type")]
    pub kind: String,
    pub text: String,
}

/// One placement with its history.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacementDetail {
    pub placement_id: PlacementId,
    pub status: String,
    pub queue: String,
    pub region: Region,
    pub game_session_id: Option<GameSessionId>,
    pub game_session_name: Option<String>,
    pub start_time: Option<Timestamp>,
    pub end_time: Option<Timestamp>,
    pub maximum_player_session_count: Option<i32>,
    pub ip_address: Option<String>,
    pub dns_name: Option<String>,
    pub port: Option<i32>,
    pub players: Vec<PlacementPlayerRow>,
    pub events: Vec<PlacementMoment>,
    pub can_stop: bool,
    pub freshness: Freshness,
}

/// One page of placements; `feed` is the freshness of the event queues.
///
/// # Errors
/// When the store cannot be read.
pub async fn placements(
    reader: &Reader,
    request: &PlacementRequest,
    feed: Freshness,
) -> Result<PlacementPage, StoreError> {
    let window = reader.placements(request).await?;
    Ok(PlacementPage {
        rows: window.rows,
        total: window.total,
        total_is_exact: window.total_is_exact,
        statistics: reader.placement_statistics(&request.scope, request.range).await?,
        freshness: feed,
    })
}

/// The placements of a range in groups; `feed` is the freshness of the event queues.
///
/// # Errors
/// When the store cannot be read.
pub async fn placement_groups(
    reader: &Reader,
    scope: &PlacementScope,
    split: PlacementSplit,
    range: TimeRange,
    feed: Freshness,
) -> Result<PlacementGroups, StoreError> {
    let found = reader.placement_split(scope, range, split).await?;
    let groups = found.into_iter().map(|(group, statistics)| PlacementGroup::new(group, statistics));
    Ok(PlacementGroups { groups: groups.collect(), freshness: feed })
}

impl PlacementGroup {
    fn new(group: store::PlacementGroup, statistics: PlacementStatistics) -> Self {
        let mut region = None;
        let (key, label) = match group {
            store::PlacementGroup::Queue(of, queue) => {
                region = Some(of);
                (queue.to_string(), queue.into_string())
            }
            store::PlacementGroup::Region(region) => (region.to_string(), region.into_string()),
            store::PlacementGroup::Destination(destination, name) => (destination.into(), name),
        };
        Self { key, region, label, statistics }
    }
}

impl PlacementDetail {
    /// Builds a placement from its events, from GameLift, or from both; `None` if both are missing.
    pub fn new(
        story: Option<store::PlacementStory>,
        live: Option<Placement>,
        now: Timestamp,
    ) -> Option<Self> {
        let (events, session_name, asked_for, age) = match story {
            Some(story) => (story.events, story.game_session_name, story.asked_for, Some(story.freshness)),
            None => (Vec::new(), None, Vec::new(), None),
        };
        let moments = moments(&events, live.as_ref());
        let detail = match live {
            Some(placement) => Self::now(placement, Freshness { as_of: Some(now), stale: false }),
            None => Self::told(events.last()?, &asked_for, age?),
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
                player_id: placed.player_id,
                player_session_id: Some(placed.player_session_id),
                latencies: Vec::new(),
            });
        }
        for measured in placement.player_latencies {
            let latency =
                RegionLatency { region: measured.region, latency_ms: measured.latency_ms.round() as i32 };
            match players.iter_mut().find(|player| player.player_id == measured.player_id) {
                Some(player) => player.latencies.push(latency),
                None => players.push(PlacementPlayerRow {
                    player_id: measured.player_id,
                    player_session_id: None,
                    latencies: vec![latency],
                }),
            }
        }
        Self {
            placement_id: placement.placement_id,
            can_stop: placement.status == PlacementStatus::Pending,
            status: placement.status.to_string(),
            queue: placement.queue.map(|queue| queue.into_string()).unwrap_or_default(),
            region: placement.region,
            game_session_id: placement.game_session_id,
            game_session_name: placement.game_session_name,
            start_time: placement.start_time,
            end_time: placement.end_time,
            maximum_player_session_count: placement.maximum_player_session_count,
            ip_address: placement.ip_address,
            dns_name: placement.dns_name,
            port: placement.port,
            players,
            events: Vec::new(),
            freshness,
        }
    }

    fn told(event: &PlacementEvent, asked_for: &[store::AskedFor], freshness: Freshness) -> Self {
        let latencies = |player: &PlayerId| {
            let asked = asked_for.iter().filter(|asked| asked.player_id == *player);
            let latency = |(region, ms): &(String, i64)| RegionLatency {
                region: region.clone(),
                latency_ms: i32::try_from(*ms).unwrap_or(i32::MAX),
            };
            asked.flat_map(|asked| asked.latencies.iter().map(latency)).collect()
        };
        let placed = |placed: &PlacedPlayerSession| PlacementPlayerRow {
            player_id: placed.player_id.clone(),
            player_session_id: Some(placed.player_session_id.clone()),
            latencies: latencies(&placed.player_id),
        };
        let mut players: Vec<PlacementPlayerRow> = event.placed_player_sessions.iter().map(placed).collect();
        for asked in asked_for {
            if !players.iter().any(|player| player.player_id == asked.player_id) {
                players.push(PlacementPlayerRow {
                    player_id: asked.player_id.clone(),
                    player_session_id: None,
                    latencies: latencies(&asked.player_id),
                });
            }
        }
        Self {
            placement_id: event.placement_id.clone(),
            status: event.event_type.status().to_owned(),
            queue: event.queue.to_string(),
            region: event.region.clone(),
            game_session_id: event.game_session_id.clone(),
            game_session_name: None,
            start_time: event.start_time,
            end_time: event.end_time.or(Some(event.event_time)),
            maximum_player_session_count: None,
            ip_address: event.ip_address.clone(),
            dns_name: event.dns_name.clone(),
            port: event.port,
            players,
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
        .map(|at| PlacementMoment { at, kind: "Queued".to_owned(), text: words::PLACEMENT_QUEUED.to_owned() })
        .into_iter()
        .collect();
    for event in events {
        let text = words::placement_event(event);
        moments.push(PlacementMoment { at: event.event_time, kind: event.event_type.to_string(), text });
    }
    if events.is_empty()
        && let Some((status, Some(at))) = live.map(|live| (&live.status, live.end_time))
    {
        moments.push(PlacementMoment { at, kind: status.to_string(), text: words::placement_ended(status) });
    }
    moments
}
