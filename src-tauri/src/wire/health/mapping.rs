//! The collector's health and the store's subjects in the window's words.

use liftdeck_collector::{Focus, health};
use liftdeck_model::watch::Down;
use liftdeck_model::{FleetId, GameSessionId, Timestamp, observation};

use super::{
    Backfill, FeedHealth, FeedState, Health, HealthState, OtherReader, RegionHealth, ScreenFocus, Subject,
    TaskDown,
};
use crate::wire::error::{AppError, ErrorKind};
use crate::wire::number::{Ms, Real, count};
use crate::wire::settings::Settings;

impl Subject {
    /// Every subject a commit of the store can touch.
    pub(crate) const OF_THE_STORE: [Self; 13] = [
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
        Self::Activity,
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
            observation::Subject::Activity => Self::Activity,
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
            down: Vec::new(),
            cautions: Vec::new(),
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
            ErrorKind::WrongAccount => HealthState::WrongAccount,
            ErrorKind::Unproven => HealthState::Unproven,
            ErrorKind::Denied | ErrorKind::Refused | ErrorKind::ReadOnly => HealthState::Denied,
            ErrorKind::Throttled => HealthState::Throttled,
            ErrorKind::Unreachable | ErrorKind::Service => HealthState::Unreachable,
            ErrorKind::Store | ErrorKind::StoreFull | ErrorKind::StoreReadOnly | ErrorKind::StoreBusy => {
                HealthState::StoreProblem
            }
            ErrorKind::NotFound
            | ErrorKind::NotTyped
            | ErrorKind::Expired
            | ErrorKind::StoreNewer
            | ErrorKind::Internal => HealthState::Stopped,
        };
        Self {
            state,
            message: Some(trouble.message.to_string()),
            remedy: trouble.remedy.as_deref().map(str::to_owned),
            ..Self::starting(settings, now)
        }
    }

    /// Notes what else is not running.
    pub(crate) fn add_down(&mut self, down: Vec<Down>) {
        self.down.extend(down.into_iter().map(TaskDown::from));
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
            health::HealthState::WrongAccount => Self::WrongAccount,
            health::HealthState::Unproven => Self::Unproven,
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
            state: match health.state {
                health::FeedState::Starting => FeedState::Starting,
                health::FeedState::NotAdopted => FeedState::NotAdopted,
                health::FeedState::Receiving => FeedState::Receiving,
                health::FeedState::Halted => FeedState::Halted,
            },
            received: count(health.received),
            stored: count(health.stored),
            duplicates: count(health.duplicates),
            quarantined: count(health.quarantined),
            unconfirmed: count(health.unconfirmed),
            left: count(health.left),
            no_room: count(health.no_room),
            waiting: health.waiting.map(count),
            other_reader: health.other_reader.map(|other| OtherReader {
                deliveries: count(other.deliveries),
                since_ms: other.since.into(),
            }),
            last_message_ms: health.last_message.map(Ms::from),
            message: health.message.clone(),
        }
    }
}

impl From<Down> for TaskDown {
    fn from(down: Down) -> Self {
        Self {
            task: down.task,
            since_ms: down.since.into(),
            why: down.why,
            next_try_ms: down.next_try.map(Ms::from),
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
            down: health.down.iter().cloned().map(TaskDown::from).collect(),
            cautions: health.cautions.iter().map(ToString::to_string).collect(),
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
