//! How collection goes, and the two events Rust sends to the window.

mod mapping;

use serde::{Deserialize, Serialize};
use specta::Type;
use tauri_specta::Event;

use crate::wire::number::{Ms, Real};

/// State of collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum HealthState {
    Starting,
    Live,
    Behind,
    Throttled,
    CredentialsExpired,
    WrongAccount,
    Unproven,
    Denied,
    Unreachable,
    StoreProblem,
    Stopped,
}

/// How collection goes in one Region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegionHealth {
    pub(crate) region: String,
    pub(crate) state: HealthState,
    pub(crate) behind_ms: Ms,
    /// The busiest operation's share of the published rate, 0..1.
    pub(crate) quota_share: Real,
    pub(crate) busiest_operation: Option<String>,
    pub(crate) throttles: u32,
    pub(crate) message: Option<String>,
    pub(crate) remedy: Option<String>,
    pub(crate) last_success_ms: Option<Ms>,
}

/// What is done with an event queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FeedState {
    Starting,
    /// It is not this connection's: its messages are left alone.
    NotAdopted,
    Receiving,
    /// Nothing is received until it is adopted again.
    Halted,
}

/// Somebody else who receives from an adopted queue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OtherReader {
    /// Deliveries noticed that were not ours.
    pub(crate) deliveries: u32,
    pub(crate) since_ms: Ms,
}

/// How one event queue goes, counted since the program started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FeedHealth {
    pub(crate) region: String,
    pub(crate) queue_url: String,
    pub(crate) state: FeedState,
    pub(crate) received: u32,
    pub(crate) stored: u32,
    pub(crate) duplicates: u32,
    pub(crate) quarantined: u32,
    /// Of these, events that name what this connection does not know.
    pub(crate) unconfirmed: u32,
    /// Messages of others that were left in the queue.
    pub(crate) left: u32,
    /// Messages that stay because there is no room to set them aside.
    pub(crate) no_room: u32,
    /// Messages waiting when the queue was last asked.
    pub(crate) waiting: Option<u32>,
    pub(crate) other_reader: Option<OtherReader>,
    pub(crate) last_message_ms: Option<Ms>,
    pub(crate) message: Option<String>,
}

/// A task that ended and was not meant to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskDown {
    pub(crate) task: String,
    pub(crate) since_ms: Ms,
    pub(crate) why: String,
    /// When it is begun again; null when it was and has not run long enough to be trusted.
    pub(crate) next_try_ms: Option<Ms>,
}

/// How far the first read of history is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Backfill {
    pub(crate) done: u32,
    pub(crate) total: u32,
}

/// How collection goes; sent at most once a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type, Event)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Health {
    pub(crate) state: HealthState,
    pub(crate) behind_ms: Ms,
    pub(crate) quota_share: Real,
    pub(crate) message: Option<String>,
    pub(crate) remedy: Option<String>,
    pub(crate) regions: Vec<RegionHealth>,
    pub(crate) feeds: Vec<FeedHealth>,
    /// What is not running.
    pub(crate) down: Vec<TaskDown>,
    /// What stops nothing and should be known, in sentences.
    pub(crate) cautions: Vec<String>,
    pub(crate) backfill: Option<Backfill>,
    pub(crate) cloudwatch_metrics_today: u32,
    pub(crate) cloudwatch_cost_today_usd: Real,
    pub(crate) cloudwatch_cap_usd: Real,
    pub(crate) revision: Ms,
    pub(crate) now_ms: Ms,
}

/// What a moved revision touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Subject {
    Fleets,
    Capacity,
    GameSessions,
    PlayerSessions,
    Placements,
    Matchmaking,
    Queues,
    Aliases,
    Events,
    Metrics,
    Changes,
    Builds,
    Activity,
    Health,
    Settings,
}

/// What moved: a hint to ask again, under 1 KB, at most four a second. Losing one costs a tick, never correctness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type, Event)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Changed {
    pub(crate) revision: Ms,
    pub(crate) subjects: Vec<Subject>,
}

/// What is on screen now, so that the collector asks for it first.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScreenFocus {
    pub(crate) fleets: Vec<String>,
    pub(crate) game_sessions: Vec<String>,
    pub(crate) metrics: bool,
}
