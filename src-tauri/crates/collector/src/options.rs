//! The options of a collector: what to read, how often, and how much it may cost. Deliberately holds values only.

use std::sync::Arc;
use std::time::Duration;

use liftdeck_gateway::EventQueue;
use liftdeck_model::{FleetId, GameSessionId, Location, Region, Timestamp};
use liftdeck_store::RetentionPolicy;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::cadence::Cadence;
use crate::metrics::MetricsPolicy;
use crate::schedule::Places;

/// The clock, passed in so that tests control it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Options given to a collector at its start.
#[derive(Clone, Debug)]
pub struct CollectorOptions {
    /// Home Regions to collect.
    pub regions: Vec<Region>,
    /// Queues that deliver events. Messages are received only from adopted ones.
    pub event_queues: Vec<EventQueue>,
    /// How often each kind is polled.
    pub cadence: Cadence,
    /// Limits on the use of CloudWatch.
    pub metrics: MetricsPolicy,
    /// How long the store keeps each kind of record.
    pub retention: RetentionPolicy,
    /// Concurrent polls in a Region.
    pub places: Places,
    /// Whether ended game sessions of the last 30 days are read at first connect.
    pub ended_game_sessions: EndedGameSessions,
    /// How long a received message stays hidden from further receives: longer than a slow commit and a retried
    /// deletion take, at most 12 h (AWS). After a crash, messages under way are delivered again after this time.
    pub feed_visibility: Duration,
    /// Spreads due times; any number will do.
    pub seed: u64,
}

impl Default for CollectorOptions {
    fn default() -> Self {
        Self {
            regions: Vec::new(),
            event_queues: Vec::new(),
            cadence: Cadence::default(),
            metrics: MetricsPolicy::default(),
            retention: RetentionPolicy::default(),
            places: Places::default(),
            ended_game_sessions: EndedGameSessions::default(),
            feed_visibility: Duration::from_secs(60),
            seed: 0,
        }
    }
}

/// How many of the game sessions that ended before collection began are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndedGameSessions {
    /// None.
    Skip,
    /// All that GameLift still has: 30 days.
    #[default]
    All,
    /// At most this many pages of 100 per fleet.
    Pages(u32),
}

/// What is on screen now; polled first and more often.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Focus {
    /// Fleets.
    pub fleets: Vec<FleetId>,
    /// Game sessions.
    pub game_sessions: Vec<GameSessionId>,
    /// Whether CloudWatch charts are shown.
    pub metrics: bool,
    /// Whose metrics are shown one and all, also those that are read only then.
    #[serde(default)]
    pub every_metric: Option<EveryMetric>,
}

/// A fleet, or one of its locations, all of whose metrics are on screen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EveryMetric {
    /// Home Region of the fleet, where CloudWatch has its metrics.
    pub region: Region,
    /// Fleet.
    pub fleet_id: FleetId,
    /// Only this location; the fleet as a whole if `None`.
    pub location: Option<Location>,
    /// The metric groups the fleet belongs to; theirs are read with those of the fleet as a whole.
    pub metric_groups: Vec<String>,
}
