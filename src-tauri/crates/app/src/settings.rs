//! The settings file: read leniently, written as a whole.
//!
//! Keys that this version does not know are kept, and a value it cannot read falls back to its default, so that an
//! older and a newer version can share the file. Contains no secret.

use std::path::{Path, PathBuf};

use liftdeck_collector::CollectorOptions;
use liftdeck_collector::metrics::MetricsPolicy;
use liftdeck_gateway::{ConnectionSpec, EventQueue};
use liftdeck_model::Region;
use liftdeck_store::RetentionPolicy;
use serde_json::{Map, Value};

use crate::home::{self, HomeError};
use crate::saved;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_api::settings::{Settings, ThemeChoice, TimeZoneChoice};

/// The settings and their file.
#[derive(Debug)]
pub struct SettingsFile {
    path: PathBuf,
    keys: Map<String, Value>,
}

/// The default settings.
#[must_use]
pub fn default() -> Settings {
    Settings {
        theme: ThemeChoice::System,
        time_zone: TimeZoneChoice::Local,
        desktop_notifications: true,
        budget_share: ConnectionSpec::DEFAULT_BUDGET_SHARE,
        cloudwatch_daily_cap_usd: MetricsPolicy::default().daily_cap_usd,
        session_retention_days: RetentionPolicy::default().session_days,
        metric_retention_days: RetentionPolicy::default().metric_days,
    }
}

/// Whether the collector behaves the same under both settings.
pub fn collect_alike(one: &Settings, other: &Settings) -> bool {
    let told = |settings: &Settings| Settings {
        theme: ThemeChoice::System,
        time_zone: TimeZoneChoice::Local,
        desktop_notifications: true,
        ..*settings
    };
    told(one) == told(other)
}

/// The collector's options for these Regions and queues under these settings.
#[must_use]
pub fn collector_options(
    regions: Vec<Region>,
    event_queues: Vec<EventQueue>,
    settings: &Settings,
) -> CollectorOptions {
    let cap_usd = settings.cloudwatch_daily_cap_usd;
    CollectorOptions {
        regions,
        event_queues,
        metrics: MetricsPolicy { enabled: cap_usd > 0.0, daily_cap_usd: cap_usd, ..MetricsPolicy::default() },
        retention: RetentionPolicy {
            session_days: settings.session_retention_days,
            metric_days: settings.metric_retention_days,
            ..RetentionPolicy::default()
        },
        ..CollectorOptions::default()
    }
}

impl SettingsFile {
    /// Reads the file. An absent or damaged file gives the defaults; a damaged one is moved aside first.
    pub fn load(path: PathBuf) -> Result<Self, HomeError> {
        Ok(Self { keys: read_object(&path)?, path })
    }

    /// The settings in force.
    pub fn settings(&self) -> Settings {
        let fallback = default();
        let settings = saved::settings_of(&self.keys, fallback);
        if check(&settings).is_ok() { settings } else { fallback }
    }

    /// Checks new settings and writes the file.
    pub fn save(&mut self, settings: &Settings) -> Result<(), AppError> {
        check(settings)?;
        let mut keys = self.keys.clone();
        saved::put_settings(&mut keys, settings);
        write_object(&self.path, &keys)?;
        self.keys = keys;
        Ok(())
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

/// Writes a JSON object as a whole file.
pub fn write_object(path: &Path, keys: &Map<String, Value>) -> Result<(), HomeError> {
    home::replace(path, format!("{:#}\n", Value::Object(keys.clone())).as_bytes())
}

fn check(settings: &Settings) -> Result<(), AppError> {
    let refuse = |what: &str| Err(AppError::new(ErrorKind::InvalidInput, what));
    if !(0.01..=1.0).contains(&settings.budget_share) {
        return refuse("The request budget must be between 1 and 100 percent of AWS's published rates.");
    }
    if !(0.0..=10_000.0).contains(&settings.cloudwatch_daily_cap_usd) {
        return refuse("The daily CloudWatch cap must be between 0 and 10 000 US dollars.");
    }
    if !(1..=3_650).contains(&settings.session_retention_days) {
        return refuse("Ended game sessions can be kept for 1 to 3 650 days.");
    }
    if !(1..=3_650).contains(&settings.metric_retention_days) {
        return refuse("Metrics can be kept for 1 to 3 650 days.");
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
        let settings = default();
        assert!(collect_alike(&settings, &Settings { theme: ThemeChoice::Dark, ..settings }));
        assert!(collect_alike(&settings, &Settings { desktop_notifications: false, ..settings }));
        assert!(!collect_alike(&settings, &Settings { session_retention_days: 7, ..settings }));
    }

    #[test]
    fn an_absent_file_gives_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let settings = SettingsFile::load(folder.path().join("none.json")).unwrap().settings();
        assert_eq!(settings, default());
    }

    #[test]
    fn keys_of_a_newer_version_survive_a_save() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, r#"{"theme":"dark","alertSound":{"volume":3}}"#);
        let mut settings = SettingsFile::load(path.clone()).unwrap();
        assert_eq!(settings.settings().theme, ThemeChoice::Dark);
        settings.save(&Settings { theme: ThemeChoice::Light, ..default() }).unwrap();
        let kept: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(kept["theme"], "light");
        assert_eq!(kept["alertSound"]["volume"], 3);
    }

    #[test]
    fn a_value_of_a_newer_version_falls_back_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, r#"{"theme":"sepia","sessionRetentionDays":7}"#);
        let settings = SettingsFile::load(path).unwrap().settings();
        assert_eq!((settings.theme, settings.session_retention_days), (ThemeChoice::System, 7));
    }

    #[test]
    fn a_damaged_file_is_moved_aside_and_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, "{\"theme\":");
        let mut settings = SettingsFile::load(path).unwrap();
        settings.save(&default()).unwrap();
        let aside = std::fs::read_to_string(folder.path().join("settings.unreadable.json")).unwrap();
        assert_eq!(aside, "{\"theme\":");
    }

    #[test]
    fn settings_out_of_bounds_are_refused_and_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let mut settings = SettingsFile::load(path.clone()).unwrap();
        let greedy = Settings { budget_share: 1.5, ..default() };
        assert_eq!(settings.save(&greedy).unwrap_err().kind, ErrorKind::InvalidInput);
        assert!(!path.exists());
        assert_eq!(settings.settings(), default());
    }
}
