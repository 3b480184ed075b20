//! The formats of Liftdeck's own files: settings, connections, and a connection for a colleague.
//!
//! Owns the formats, so that a screen may rename what it shows without breaking a file. Key names are never changed;
//! a missing key gets a default, and the version is raised when an older Liftdeck would misread the file.

use liftdeck_api::connection::{ConnectionDraft, ConnectionSummary};
use liftdeck_api::settings::{Settings, ThemeChoice, TimeZoneChoice};
use liftdeck_gateway::EventQueue;
use liftdeck_model::{AccountId, Environment, Region, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of all three formats.
pub(crate) const VERSION: u64 = 1;

/// A saved connection: one record of the connections file. Contains no secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedConnection {
    pub(crate) id: String,
    #[serde(flatten)]
    pub(crate) described: Described,
    /// Learnt from AWS when the connection was opened.
    pub(crate) account: Option<AccountId>,
    pub(crate) last_opened_ms: Option<i64>,
    /// Keys that this version does not know.
    #[serde(flatten)]
    pub(crate) unknown: Map<String, Value>,
}

/// A connection as the operator described it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Described {
    pub(crate) name: String,
    pub(crate) environment: Environment,
    pub(crate) profile: Option<String>,
    pub(crate) endpoint_url: Option<String>,
    pub(crate) regions: Vec<Region>,
    pub(crate) event_queues: Vec<SavedQueue>,
}

/// An event queue of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedQueue {
    region: Region,
    url: String,
}

/// A connection as a file for a colleague.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HandedConnection {
    /// The version of the format.
    pub(crate) liftdeck_connection: u64,
    #[serde(flatten)]
    pub(crate) described: Described,
}

impl SavedConnection {
    /// The connection as hosts see it.
    pub(crate) fn summary(&self) -> ConnectionSummary {
        let Described { name, environment, profile, endpoint_url, regions, event_queues } =
            self.described.clone();
        ConnectionSummary {
            id: self.id.clone(),
            name,
            environment,
            profile,
            endpoint_url,
            account: self.account.clone(),
            regions,
            event_queues: event_queues.into_iter().map(EventQueue::from).collect(),
            last_opened: self.last_opened_ms.map(Timestamp::from_ms),
        }
    }
}

impl From<ConnectionDraft> for Described {
    fn from(draft: ConnectionDraft) -> Self {
        let ConnectionDraft { name, environment, profile, endpoint_url, regions, event_queues } = draft;
        let queue = |EventQueue { region, url }| SavedQueue { region, url };
        let event_queues = event_queues.into_iter().map(queue).collect();
        Self { name, environment, profile, endpoint_url, regions, event_queues }
    }
}

impl From<Described> for ConnectionDraft {
    fn from(described: Described) -> Self {
        let Described { name, environment, profile, endpoint_url, regions, event_queues } = described;
        let event_queues = event_queues.into_iter().map(EventQueue::from).collect();
        Self { name, environment, profile, endpoint_url, regions, event_queues }
    }
}

impl From<SavedQueue> for EventQueue {
    fn from(SavedQueue { region, url }: SavedQueue) -> Self {
        Self { region, url }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum SavedTheme {
    System,
    Light,
    Dark,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum SavedTimeZone {
    Local,
    Utc,
}

/// Writes settings into the keys of the settings file.
pub(crate) fn put_settings(keys: &mut Map<String, Value>, settings: &Settings) {
    let Settings {
        theme,
        time_zone,
        desktop_notifications,
        budget_share,
        cloudwatch_daily_cap_usd,
        session_retention_days,
        metric_retention_days,
    } = *settings;
    let theme = match theme {
        ThemeChoice::System => SavedTheme::System,
        ThemeChoice::Light => SavedTheme::Light,
        ThemeChoice::Dark => SavedTheme::Dark,
    };
    let time_zone = match time_zone {
        TimeZoneChoice::Local => SavedTimeZone::Local,
        TimeZoneChoice::Utc => SavedTimeZone::Utc,
    };
    let saved = serde_json::json!({
        "version": VERSION,
        "theme": theme,
        "timeZone": time_zone,
        "desktopNotifications": desktop_notifications,
        "budgetShare": budget_share,
        "cloudwatchDailyCapUsd": cloudwatch_daily_cap_usd,
        "sessionRetentionDays": session_retention_days,
        "metricRetentionDays": metric_retention_days,
    });
    if let Value::Object(saved) = saved {
        keys.extend(saved);
    }
}

/// Reads settings from the keys of the settings file; any that is absent or unreadable is taken from `otherwise`.
pub(crate) fn settings_of(keys: &Map<String, Value>, otherwise: Settings) -> Settings {
    let theme = |saved| match saved {
        SavedTheme::System => ThemeChoice::System,
        SavedTheme::Light => ThemeChoice::Light,
        SavedTheme::Dark => ThemeChoice::Dark,
    };
    let time_zone = |saved| match saved {
        SavedTimeZone::Local => TimeZoneChoice::Local,
        SavedTimeZone::Utc => TimeZoneChoice::Utc,
    };
    Settings {
        theme: key(keys, "theme").map_or(otherwise.theme, theme),
        time_zone: key(keys, "timeZone").map_or(otherwise.time_zone, time_zone),
        desktop_notifications: key(keys, "desktopNotifications").unwrap_or(otherwise.desktop_notifications),
        budget_share: key(keys, "budgetShare").unwrap_or(otherwise.budget_share),
        cloudwatch_daily_cap_usd: key(keys, "cloudwatchDailyCapUsd")
            .unwrap_or(otherwise.cloudwatch_daily_cap_usd),
        session_retention_days: key(keys, "sessionRetentionDays").unwrap_or(otherwise.session_retention_days),
        metric_retention_days: key(keys, "metricRetentionDays").unwrap_or(otherwise.metric_retention_days),
    }
}

fn key<T: DeserializeOwned>(keys: &Map<String, Value>, name: &str) -> Option<T> {
    serde_json::from_value(keys.get(name)?.clone()).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Files already on people's disks: what this code reads and writes may grow, but must never change.
    #[test]
    fn the_forms_of_version_one_are_read_and_written_as_ever() {
        let record = json!({
            "id": "eu-prod", "name": "EU prod", "environment": "production", "profile": "prod", "endpointUrl": null,
            "regions": ["eu-west-1"], "eventQueues": [{"region": "eu-west-1", "url": "https://sqs/q"}],
            "account": "111122223333", "lastOpenedMs": 20, "note": "of a newer version",
        });
        let saved: SavedConnection = serde_json::from_value(record.clone()).unwrap();
        assert_eq!(serde_json::to_value(&saved).unwrap(), record);
        assert_eq!(saved.summary().last_opened, Some(Timestamp::from_ms(20)));
        assert_eq!(Described::from(ConnectionDraft::from(saved.described.clone())), saved.described);

        let handed = json!({
            "liftdeckConnection": 1, "name": "EU prod", "environment": "staging", "profile": null,
            "endpointUrl": "http://127.0.0.1:1", "regions": ["eu-west-1"], "eventQueues": [],
        });
        let read: HandedConnection = serde_json::from_value(handed.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), handed);

        let file = json!({
            "version": 1, "theme": "dark", "timeZone": "utc", "desktopNotifications": false, "budgetShare": 0.1,
            "cloudwatchDailyCapUsd": 2.5, "sessionRetentionDays": 7, "metricRetentionDays": 8,
        });
        let mut keys = Map::new();
        put_settings(&mut keys, &settings_of(file.as_object().unwrap(), crate::settings::default()));
        assert_eq!(Value::Object(keys), file);
    }
}
