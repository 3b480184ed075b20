//! Settings and the state of the whole program.

use liftdeck_operations::Mode;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::connection::ConnectionSummary;
use crate::error::AppError;

/// The window's colour scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ThemeChoice {
    #[default]
    System,
    Light,
    Dark,
}

/// The time zone for displayed times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TimeZoneChoice {
    #[default]
    Local,
    Utc,
}

/// The settings an operator can change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    pub theme: ThemeChoice,
    pub time_zone: TimeZoneChoice,
    /// Whether the window shows notifications of this computer's system while it is out of sight.
    pub desktop_notifications: bool,
    /// Share of the published request rates the program may use, 0.01 to 1.
    pub budget_share: f64,
    /// Maximum to spend on CloudWatch metrics in a day, in US dollars; 0 turns them off.
    pub cloudwatch_daily_cap_usd: f64,
    /// Days to keep ended game sessions.
    pub session_retention_days: u32,
    /// Days to keep metrics.
    pub metric_retention_days: u32,
}

/// A scenario of the built-in demo.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DemoScenario {
    pub name: String,
    /// What an operator should notice in it.
    pub description: String,
}

/// Everything the frame of the window needs.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AppState {
    pub version: String,
    pub settings: Settings,
    pub connections: Vec<ConnectionSummary>,
    pub current: Option<ConnectionSummary>,
    pub demo_scenarios: Vec<DemoScenario>,
    /// Whether this program may change anything at all; false if it was started read-only.
    pub may_operate: bool,
    /// Whether the open connection may be changed.
    pub mode: Mode,
    /// The text that must be typed to unlock the open connection, in characters found on any keyboard; null if none
    /// is required.
    pub unlock_typed: Option<String>,
    /// Why the last connection could not be opened, if it failed.
    pub open_error: Option<AppError>,
    /// Why the connections file cannot be relied on, if so. Nothing can be changed until that is fixed.
    pub connections_error: Option<AppError>,
}
