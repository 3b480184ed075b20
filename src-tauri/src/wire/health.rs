//! How collection goes, and the two events Rust sends to the window.

use liftdeck_collector::{Focus, health};
use liftdeck_model::{FleetId, GameSessionId, Timestamp, observation};
use serde::{Deserialize, Serialize};
use specta::Type;
use tauri_specta::Event;

use crate::wire::error::{AppError, ErrorKind};
use crate::wire::number::{Ms, Real, count};
use crate::wire::settings::Settings;

/// State of collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum HealthState {
    Starting,
    Live,
    Behind,
    Throttled,
    CredentialsExpired,
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

/// How one event queue goes, counted since the program started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FeedHealth {
    pub(crate) region: String,
    pub(crate) queue_url: String,
    pub(crate) received: u32,
    pub(crate) stored: u32,
    pub(crate) duplicates: u32,
    pub(crate) quarantined: u32,
    pub(crate) last_message_ms: Option<Ms>,
    pub(crate) message: Option<String>,
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

impl Subject {
    /// Every subject a commit of the store can touch.
    pub(crate) const OF_THE_STORE: [Self; 12] = [
        Self::Fleets,
        Self::Capacity,
        Self::GameSessions,
        Self::PlayerSessions,
        Self::Placements,
        Self::Matchmaking,
        Self::Queues,
        Self::Aliases,
        Self::Events,
        Self::Metrics,
        Self::Changes,
        Self::Builds,
    ];
}

impl From<observation::Subject> for Subject {
    fn from(subject: observation::Subject) -> Self {
        match subject {
            observation::Subject::Fleets => Self::Fleets,
            observation::Subject::Capacity => Self::Capacity,
            observation::Subject::GameSessions => Self::GameSessions,
            observation::Subject::PlayerSessions => Self::PlayerSessions,
            observation::Subject::Placements => Self::Placements,
            observation::Subject::Matchmaking => Self::Matchmaking,
            observation::Subject::Queues => Self::Queues,
            observation::Subject::Aliases => Self::Aliases,
            observation::Subject::Events => Self::Events,
            observation::Subject::Metrics => Self::Metrics,
            observation::Subject::Changes => Self::Changes,
            observation::Subject::Builds => Self::Builds,
        }
    }
}

impl Health {
    /// Nothing has been asked yet.
    pub(crate) fn starting(settings: &Settings, now: Timestamp) -> Self {
        Self {
            state: HealthState::Starting,
            behind_ms: Ms(0),
            quota_share: Real::new(0.0),
            message: None,
            remedy: None,
            regions: Vec::new(),
            feeds: Vec::new(),
            backfill: None,
            cloudwatch_metrics_today: 0,
            cloudwatch_cost_today_usd: Real::new(0.0),
            cloudwatch_cap_usd: settings.cloudwatch_daily_cap_usd,
            revision: Ms(0),
            now_ms: now.into(),
        }
    }

    /// Collection could not start.
    pub(crate) fn in_trouble(trouble: &AppError, settings: &Settings, now: Timestamp) -> Self {
        let state = match trouble.kind {
            ErrorKind::Credentials | ErrorKind::InvalidInput => HealthState::CredentialsExpired,
            ErrorKind::Denied | ErrorKind::Refused => HealthState::Denied,
            ErrorKind::Throttled => HealthState::Throttled,
            ErrorKind::Unreachable | ErrorKind::Service => HealthState::Unreachable,
            ErrorKind::Store | ErrorKind::StoreFull | ErrorKind::StoreReadOnly | ErrorKind::StoreBusy => {
                HealthState::StoreProblem
            }
            ErrorKind::NotFound | ErrorKind::StoreNewer | ErrorKind::Internal => HealthState::Stopped,
        };
        Self {
            state,
            message: Some(trouble.message.to_string()),
            remedy: trouble.remedy.as_deref().map(str::to_owned),
            ..Self::starting(settings, now)
        }
    }

    /// No connection is open.
    pub(crate) fn stopped(settings: &Settings, now: Timestamp) -> Self {
        Self { state: HealthState::Stopped, ..Self::starting(settings, now) }
    }
}

impl From<health::HealthState> for HealthState {
    fn from(state: health::HealthState) -> Self {
        match state {
            health::HealthState::Live => Self::Live,
            health::HealthState::Starting => Self::Starting,
            health::HealthState::Behind => Self::Behind,
            health::HealthState::Throttled => Self::Throttled,
            health::HealthState::Denied => Self::Denied,
            health::HealthState::Unreachable => Self::Unreachable,
            health::HealthState::CredentialsExpired => Self::CredentialsExpired,
            health::HealthState::StoreProblem => Self::StoreProblem,
            health::HealthState::Stopped => Self::Stopped,
        }
    }
}

impl From<&health::RegionHealth> for RegionHealth {
    fn from(health: &health::RegionHealth) -> Self {
        Self {
            region: health.region.to_string(),
            state: health.state.into(),
            behind_ms: Ms(health.behind_ms),
            quota_share: Real::new(health.quota_share),
            busiest_operation: health.busiest_operation.clone(),
            throttles: count(health.throttles),
            message: health.message.clone(),
            remedy: health.remedy.clone(),
            last_success_ms: health.last_success.map(Ms::from),
        }
    }
}

impl From<&health::FeedHealth> for FeedHealth {
    fn from(health: &health::FeedHealth) -> Self {
        Self {
            region: health.region.to_string(),
            queue_url: health.queue_url.clone(),
            received: count(health.received),
            stored: count(health.stored),
            duplicates: count(health.duplicates),
            quarantined: count(health.quarantined),
            last_message_ms: health.last_message.map(Ms::from),
            message: health.message.clone(),
        }
    }
}

impl From<&health::Health> for Health {
    fn from(health: &health::Health) -> Self {
        Self {
            state: health.state.into(),
            behind_ms: Ms(health.behind_ms),
            quota_share: Real::new(health.quota_share),
            message: health.message.clone(),
            remedy: health.remedy.clone(),
            regions: health.regions.iter().map(RegionHealth::from).collect(),
            feeds: health.feeds.iter().map(FeedHealth::from).collect(),
            backfill: health
                .backfill
                .map(|backfill| Backfill { done: count(backfill.done), total: count(backfill.total) }),
            cloudwatch_metrics_today: count(health.cloudwatch_metrics_today),
            cloudwatch_cost_today_usd: Real::new(health.cloudwatch_cost_today_usd),
            cloudwatch_cap_usd: Real::new(health.cloudwatch_cap_usd),
            revision: Ms(i64::try_from(health.revision).unwrap_or(i64::MAX)),
            now_ms: health.now.into(),
        }
    }
}

impl From<ScreenFocus> for Focus {
    fn from(focus: ScreenFocus) -> Self {
        Self {
            fleets: focus.fleets.into_iter().map(FleetId::new).collect(),
            game_sessions: focus.game_sessions.into_iter().map(GameSessionId::new).collect(),
            metrics: focus.metrics,
        }
    }
}
