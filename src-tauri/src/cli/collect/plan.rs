//! What to collect, given by a saved connection or by a database file with its options.

use std::path::PathBuf;

use liftdeck_api::settings::Settings;
use liftdeck_app::connections::Connections;
use liftdeck_app::home::Home;
use liftdeck_app::settings::{self, SettingsFile};
use liftdeck_gateway::{ConnectionSpec, EventQueue};
use liftdeck_model::Region;

use super::{Arguments, event_queue};
use crate::cli::{Failure, look};

/// What to collect, from where, into which file.
pub(super) struct Plan {
    pub(super) db: PathBuf,
    pub(super) spec: ConnectionSpec,
    pub(super) queues: Vec<EventQueue>,
    pub(super) settings: Settings,
    /// The id of the saved connection that was named.
    pub(super) named: Option<String>,
}

impl Plan {
    /// Builds the plan from the options.
    ///
    /// # Errors
    /// `usage` for a connection or a queue that cannot be used.
    pub(super) fn of(arguments: &Arguments, home: &Home) -> Result<Self, Failure> {
        let settings = SettingsFile::load(home.settings_file())?.settings();
        let Some(name) = &arguments.connection else { return Self::of_a_file(arguments, &settings) };
        let saved = look::meant(&Connections::load(home.connections_file()), Some(name))?;
        let db = home.database_file(&saved.id)?;
        let spec = saved.spec(settings.budget_share);
        Ok(Self { db, spec, queues: saved.event_queues, settings, named: Some(saved.id) })
    }

    /// Builds the plan for a database file, which may be kept for other reasons than the databases of connections.
    /// The settings still limit what is asked of AWS, but not how long data is kept.
    fn of_a_file(arguments: &Arguments, settings: &Settings) -> Result<Self, Failure> {
        let named =
            || Failure::usage("Name what to collect into: --connection NAME, or --db FILE with --region.");
        let regions = &arguments.regions;
        let queues = arguments.event_queues.iter().map(|text| event_queue(text, regions));
        Ok(Self {
            db: arguments.db.clone().ok_or_else(named)?,
            queues: queues.collect::<Result<_, _>>()?,
            spec: ConnectionSpec {
                name: "collect".to_owned(),
                profile: arguments.profile.clone(),
                endpoint_url: arguments.endpoint_url.clone(),
                regions: regions.iter().map(Region::new).collect(),
                budget_share: settings.budget_share,
                ..ConnectionSpec::default()
            },
            settings: Settings {
                budget_share: settings.budget_share,
                cloudwatch_daily_cap_usd: settings.cloudwatch_daily_cap_usd,
                ..settings::default()
            },
            named: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn a_named_file_keeps_to_what_the_settings_allow_to_ask_and_not_to_what_they_keep() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::under(folder.path());
        let mut file = SettingsFile::load(home.settings_file()).unwrap();
        let wanted = Settings { budget_share: 0.05, session_retention_days: 7, ..settings::default() };
        file.save(&wanted).unwrap();
        let line = ["collect", "--db", "x.sqlite", "--region", "eu-west-1"];
        let plan = Plan::of(&Line::parse_from(line).arguments, &home).unwrap();
        assert_eq!((plan.spec.budget_share, plan.settings.budget_share), (0.05, 0.05));
        assert_eq!(plan.settings.session_retention_days, settings::default().session_retention_days);
    }
}
