//! Health while nothing is collected: before the first answer, without a connection, and after a failure.

use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_api::settings::Settings;
use liftdeck_collector::{Health, HealthState};
use liftdeck_model::Timestamp;

/// Health before anything has been polled.
pub(crate) fn starting(settings: &Settings, now: Timestamp) -> Health {
    Health { cloudwatch_cap_usd: settings.cloudwatch_daily_cap_usd, ..Health::starting(now) }
}

/// Health if no connection is open, or if the open one is not collected here.
pub(crate) fn stopped(settings: &Settings, now: Timestamp) -> Health {
    Health { state: HealthState::Stopped, ..starting(settings, now) }
}

/// Health if collection could not start.
pub(crate) fn in_trouble(trouble: &AppError, settings: &Settings, now: Timestamp) -> Health {
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
    Health {
        state,
        message: Some(trouble.message.to_string()),
        remedy: trouble.remedy.as_deref().map(str::to_owned),
        ..starting(settings, now)
    }
}
