//! What a collector is told: where to look, how often, how much it may cost. Deliberately holds values only.

use std::sync::Arc;
use std::time::Duration;

use liftdeck_gateway::EventQueue;
use liftdeck_model::{FleetId, GameSessionId, Region, Timestamp};
use liftdeck_store::RetentionPolicy;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::cadence::Cadence;
use crate::metrics::MetricsPolicy;
use crate::schedule::Places;

/// The present, passed in so that tests own it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// What a collector is told at its start.
#[derive(Clone, Debug)]
pub struct CollectorOptions {
    /// Home Regions to collect.
    pub regions: Vec<Region>,
    /// Queues events come through. Only those that were adopted are received from.
    pub event_queues: Vec<EventQueue>,
    /// How often each kind is asked for.
    pub cadence: Cadence,
    /// What may be asked of CloudWatch.
    pub metrics: MetricsPolicy,
    /// How long the store keeps what.
    pub retention: RetentionPolicy,
    /// Polls at once in a Region.
    pub places: Places,
    /// Whether ended game sessions of the last 30 days are read at first connect.
    pub ended_game_sessions: EndedGameSessions,
    /// How long a received message stays hidden from further receives: longer than a slow commit and a retried
    /// deletion take, at most 12 h (AWS). After a crash, messages under way come again so much later.
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

/// How much of the game sessions that ended before we looked is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndedGameSessions {
    /// None.
    Skip,
    /// All that GameLift still has: 30 days.
    #[default]
    All,
    /// At most so many pages of 100 a fleet.
    Pages(u32),
}

/// What is on screen now; asked for first and more often.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Focus {
    /// Fleets.
    pub fleets: Vec<FleetId>,
    /// Game sessions.
    pub game_sessions: Vec<GameSessionId>,
    /// Whether CloudWatch charts are shown.
    pub metrics: bool,
}
