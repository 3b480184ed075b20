//! Settings and the state of the whole program.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::connection::ConnectionSummary;
use crate::wire::error::AppError;
use crate::wire::number::Real;
use crate::wire::operate::Mode;

/// The window's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// The zone times are shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum TimeZoneChoice {
    #[default]
    Local,
    Utc,
}

/// What the operator may set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Settings {
    pub(crate) theme: Theme,
    pub(crate) time_zone: TimeZoneChoice,
    /// Share of the published request rates the program may use, 0.01 to 1.
    pub(crate) budget_share: Real,
    /// Most to spend on CloudWatch metrics in a day, in US dollars; 0 asks for none.
    pub(crate) cloudwatch_daily_cap_usd: Real,
    /// Days to keep ended game sessions.
    pub(crate) session_retention_days: u32,
    /// Days to keep metrics.
    pub(crate) metric_retention_days: u32,
}

/// A scenario of the built-in demo.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DemoScenario {
    pub(crate) name: String,
    /// What an operator should notice.
    pub(crate) description: String,
}

/// All the frame of the window needs to know.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppState {
    pub(crate) version: String,
    pub(crate) settings: Settings,
    pub(crate) connections: Vec<ConnectionSummary>,
    pub(crate) current: Option<ConnectionSummary>,
    pub(crate) demo_scenarios: Vec<DemoScenario>,
    /// Whether the open connection may be changed.
    pub(crate) mode: Mode,
    /// What has to be typed to unlock the open connection, in letters of any keyboard; null when nothing has.
    pub(crate) unlock_typed: Option<String>,
    /// Why the last connection could not be opened, if so.
    pub(crate) open_error: Option<AppError>,
    /// Why the connections file cannot be relied on, if so: until it is put right nothing can be changed.
    pub(crate) connections_error: Option<AppError>,
}
