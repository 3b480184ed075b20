//! The settings file: read leniently, written whole.
//!
//! Keys this version does not know are kept, and a value it cannot read falls back to its default, so that an older
//! and a newer version can share the file. Holds no secret.

use std::path::{Path, PathBuf};

use liftdeck_collector::metrics::MetricsPolicy;
use liftdeck_gateway::ConnectionSpec;
use liftdeck_store::RetentionPolicy;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::home::{self, HomeError};
use crate::wire::error::{AppError, ErrorKind};
use crate::wire::number::Real;
use crate::wire::settings::{Settings, Theme, TimeZoneChoice};

/// The settings, and the file they live in.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    path: PathBuf,
    keys: Map<String, Value>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            time_zone: TimeZoneChoice::Local,
            budget_share: Real::new(ConnectionSpec::DEFAULT_BUDGET_SHARE),
            cloudwatch_daily_cap_usd: Real::new(MetricsPolicy::default().daily_cap_usd),
            session_retention_days: RetentionPolicy::default().session_days,
            metric_retention_days: RetentionPolicy::default().metric_days,
        }
    }
}

impl Settings {
    /// Whether a collector told the one does the same as one told the other.
    pub(crate) fn collects_like(&self, other: &Self) -> bool {
        let told =
            |settings: &Self| Self { theme: Theme::System, time_zone: TimeZoneChoice::Local, ..*settings };
        told(self) == told(other)
    }
}

impl SettingsFile {
    /// Reads the file; an absent or unreadable one gives the defaults, and a damaged one is moved aside first.
    pub(crate) fn load(path: PathBuf) -> Result<Self, HomeError> {
        Ok(Self { keys: read_object(&path)?, path })
    }

    /// The settings in force.
    pub(crate) fn settings(&self) -> Settings {
        let fallback = Settings::default();
        let settings = Settings {
            theme: self.key("theme").unwrap_or(fallback.theme),
            time_zone: self.key("timeZone").unwrap_or(fallback.time_zone),
            budget_share: self.key("budgetShare").unwrap_or(fallback.budget_share),
            cloudwatch_daily_cap_usd: self
                .key("cloudwatchDailyCapUsd")
                .unwrap_or(fallback.cloudwatch_daily_cap_usd),
            session_retention_days: self
                .key("sessionRetentionDays")
                .unwrap_or(fallback.session_retention_days),
            metric_retention_days: self.key("metricRetentionDays").unwrap_or(fallback.metric_retention_days),
        };
        if check(&settings).is_ok() { settings } else { fallback }
    }

    /// Takes new settings and writes the file.
    pub(crate) fn save(&mut self, settings: &Settings) -> Result<(), AppError> {
        check(settings)?;
        let mut keys = self.keys.clone();
        if let Ok(Value::Object(known)) = serde_json::to_value(settings) {
            keys.extend(known);
        }
        write_object(&self.path, &keys)?;
        self.keys = keys;
        Ok(())
    }

    fn key<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_value(self.keys.get(name)?.clone()).ok()
    }
}

/// Reads a JSON object; an absent file is an empty one, and a damaged file is moved aside so that nothing is lost.
fn read_object(path: &Path) -> Result<Map<String, Value>, HomeError> {
    let Some(text) = home::read(path)? else { return Ok(Map::new()) };
    match serde_json::from_str(&text) {
        Ok(keys) => Ok(keys),
        Err(error) => {
            let aside = path.with_extension("unreadable.json");
            tracing::warn!(file = %path.display(), aside = %aside.display(), %error, "A file is not valid JSON; it is moved aside.");
            std::fs::rename(path, &aside).map_err(|source| HomeError::Io {
                path: path.to_owned(),
                doing: "moved aside",
                source,
            })?;
            Ok(Map::new())
        }
    }
}

/// Writes a JSON object, whole.
pub(crate) fn write_object(path: &Path, keys: &Map<String, Value>) -> Result<(), HomeError> {
    home::replace(path, format!("{:#}\n", Value::Object(keys.clone())).as_bytes())
}

fn check(settings: &Settings) -> Result<(), AppError> {
    let refuse = |what: &str| Err(AppError::new(ErrorKind::InvalidInput, what));
    if !(0.01..=1.0).contains(&settings.budget_share.get()) {
        return refuse("The request budget is a share from 1 to 100 percent of AWS's published rates.");
    }
    if !(0.0..=10_000.0).contains(&settings.cloudwatch_daily_cap_usd.get()) {
        return refuse("The daily CloudWatch cap is from 0 to 10 000 US dollars.");
    }
    if !(1..=3_650).contains(&settings.session_retention_days) {
        return refuse("Ended game sessions are kept from 1 to 3 650 days.");
    }
    if !(1..=3_650).contains(&settings.metric_retention_days) {
        return refuse("Metrics are kept from 1 to 3 650 days.");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &tempfile::TempDir, text: &str) -> PathBuf {
        let path = folder.path().join("settings.json");
        std::fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn only_what_the_collector_is_told_makes_it_start_again() {
        let settings = Settings::default();
        assert!(settings.collects_like(&Settings { theme: Theme::Dark, ..settings }));
        assert!(!settings.collects_like(&Settings { session_retention_days: 7, ..settings }));
    }

    #[test]
    fn an_absent_file_gives_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let settings = SettingsFile::load(folder.path().join("none.json")).unwrap().settings();
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn keys_of_a_newer_version_survive_a_save() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, r#"{"theme":"dark","alertSound":{"volume":3}}"#);
        let mut settings = SettingsFile::load(path.clone()).unwrap();
        assert_eq!(settings.settings().theme, Theme::Dark);
        settings.save(&Settings { theme: Theme::Light, ..Settings::default() }).unwrap();
        let kept: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(kept["theme"], "light");
        assert_eq!(kept["alertSound"]["volume"], 3);
    }

    #[test]
    fn a_value_of_a_newer_version_falls_back_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, r#"{"theme":"sepia","sessionRetentionDays":7}"#);
        let settings = SettingsFile::load(path).unwrap().settings();
        assert_eq!((settings.theme, settings.session_retention_days), (Theme::System, 7));
    }

    #[test]
    fn a_damaged_file_is_moved_aside_and_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, "{\"theme\":");
        let mut settings = SettingsFile::load(path).unwrap();
        settings.save(&Settings::default()).unwrap();
        let aside = std::fs::read_to_string(folder.path().join("settings.unreadable.json")).unwrap();
        assert_eq!(aside, "{\"theme\":");
    }

    #[test]
    fn settings_out_of_bounds_are_refused_and_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let mut settings = SettingsFile::load(path.clone()).unwrap();
        let greedy = Settings { budget_share: Real::new(1.5), ..Settings::default() };
        assert_eq!(settings.save(&greedy).unwrap_err().kind, ErrorKind::InvalidInput);
        assert!(!path.exists());
        assert_eq!(settings.settings(), Settings::default());
    }
}
