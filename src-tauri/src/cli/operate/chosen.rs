//! Where a command works: a saved connection or a database with its Region, profile and endpoint.
//!
//! Owns looking it up from the options. Opens nothing and asks neither AWS nor a person: `connection` does that.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use liftdeck_gateway::ConnectionSpec;
use liftdeck_model::Region;
use liftdeck_model::arn::region_of;
use liftdeck_store::is_same_file;

use super::super::collect::{region, web_address};
use super::super::names::Names;
use super::super::{Caller, Failure};
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_app::clock;
use liftdeck_app::connections::Connections;
use liftdeck_app::marks::Marks;
use liftdeck_app::settings;
use liftdeck_app::settings::SettingsFile;
use liftdeck_app::shared::SharedConnection;

/// Where to work.
#[derive(Debug, Args)]
pub(in crate::cli) struct ConnectionOptions {
    /// A saved connection, by name; this or --db is needed
    #[arg(long, value_name = "NAME", conflicts_with_all = ["db", "profile", "endpoint_url"], add = super::super::complete::connections())]
    pub(in crate::cli) connection: Option<String>,
    /// The database that keeps the record, instead of a saved connection; created if there is none
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) db: Option<PathBuf>,
    /// Home Region of the resource, if neither its ARN, the database nor the connection gives it
    #[arg(long, value_name = "REGION", value_parser = region)]
    pub(in crate::cli) region: Option<String>,
    /// Profile of the shared AWS configuration
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// An endpoint other than AWS's own
    #[arg(long, value_name = "URL", value_parser = web_address)]
    endpoint_url: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// The connection or database that the options name, not yet opened.
pub(in crate::cli) struct ChosenConnection {
    /// How AWS is reached: in the Regions of the connection, or in the one named. Its name is the name shown
    /// unless a mark gives another.
    pub(super) spec: ConnectionSpec,
    /// The id of the saved connection that was named.
    pub(super) connection: Option<String>,
    /// The Region that was named.
    region: Option<Region>,
    pub(super) database: PathBuf,
    pub(super) marks: Marks,
    /// The names in the database, if a command needs them.
    pub(super) names: Names,
    /// What this process has open and lends, when the command was handed over to it.
    pub(super) shared: Option<Arc<SharedConnection>>,
}

impl ConnectionOptions {
    /// Looks up the connection. Opens nothing and asks neither AWS nor a person.
    ///
    /// # Errors
    /// `usage` for a connection that does not exist, or that does not match what is open.
    pub(in crate::cli) fn find(&self, caller: &Caller) -> Result<ChosenConnection, Failure> {
        let chosen = self.found(caller)?;
        match caller.shared() {
            Some(shared) => self.fitting(chosen, shared),
            None => Ok(chosen),
        }
    }

    fn found(&self, caller: &Caller) -> Result<ChosenConnection, Failure> {
        let home = caller.home()?;
        let settings = SettingsFile::load(home.settings_file())
            .map_or_else(|_| settings::default(), |file| file.settings());
        let (budget_share, region) = (settings.budget_share, self.region.as_deref().map(Region::from));
        let marks = Marks::new(home.clone(), clock::wall());
        let (connection, mut spec, database) = match (&self.connection, &self.db) {
            (Some(name), _) => {
                let found = by_name(&caller.connections()?, name)?;
                let (spec, database) = (found.spec(budget_share), home.database_file(&found.id)?);
                (Some(found.id), spec, database)
            }
            (None, Some(db)) => {
                let name = db.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
                // What is open decides the profile and the endpoint, whether or not they were named too.
                let (profile, endpoint_url) = match caller.shared() {
                    Some(shared) => {
                        let open = shared.gateway.spec();
                        (open.profile.clone(), open.endpoint_url.clone())
                    }
                    None => (self.profile.clone(), self.endpoint_url.clone()),
                };
                let spec =
                    ConnectionSpec { name, profile, endpoint_url, budget_share, ..ConnectionSpec::default() };
                (None, spec, caller.path(db))
            }
            (None, None) => {
                return Err(Failure::usage(
                    "Name a connection with --connection NAME or a database with \
                --db FILE.",
                ));
            }
        };
        spec.regions.extend(region.clone().filter(|region| !spec.regions.contains(region)));
        let database = marks.database(&database);
        Ok(ChosenConnection {
            spec,
            connection,
            region,
            database,
            marks,
            names: Names::default(),
            shared: None,
        })
    }

    /// Returns the connection with what is shared, if that is what was named.
    fn fitting(
        &self,
        mut chosen: ChosenConnection,
        shared: Arc<SharedConnection>,
    ) -> Result<ChosenConnection, Failure> {
        if !is_same_file(&chosen.database, &shared.database) {
            return Err(Failure::new(format!(
                "Nothing was sent: the program that answers has {} open, not {}.",
                shared.database.display(),
                chosen.database.display()
            )));
        }
        // A connection determines both; beside a database, only what was named counts.
        let all = self.connection.is_some();
        let (profile, endpoint_url) = match all {
            true => (&chosen.spec.profile, &chosen.spec.endpoint_url),
            false => (&self.profile, &self.endpoint_url),
        };
        let open = shared.gateway.spec();
        for (option, named, open) in
            [("profile", profile, &open.profile), ("endpoint", endpoint_url, &open.endpoint_url)]
        {
            if (all || named.is_some()) && named != open {
                let open = open
                    .as_ref()
                    .map_or_else(|| "AWS's own".to_owned(), |open| format!("the {option} {open}"));
                return Err(Failure::usage(format!(
                    "Nothing was sent: {} is open elsewhere with another {option}: {open}.",
                    chosen.database.display()
                )));
            }
        }
        chosen.shared = Some(shared);
        Ok(chosen)
    }
}

/// Finds the connection with this name or id.
///
/// # Errors
/// `usage`, with the names of those there are, when there is none.
pub(in crate::cli) fn by_name(connections: &Connections, name: &str) -> Result<ConnectionSummary, Failure> {
    let saved = connections.list();
    saved.iter().find(|found| found.name == name || found.id == name).cloned().ok_or_else(|| {
        if let Some(doubt) = connections.doubt() {
            return doubt.error().into();
        }
        let known: Vec<&str> = saved.iter().map(|found| found.name.as_str()).collect();
        let there = match known.as_slice() {
            [] => "None is saved; name a database with --db instead.".to_owned(),
            known => format!("There are {}.", known.join(", ")),
        };
        Failure::usage(format!("There is no connection {name}. {there}"))
    })
}

impl ChosenConnection {
    /// The Region of a resource: its ARN's, the one given with `--region`, or the only one there is.
    pub(in crate::cli) fn region_for(&self, id: &str) -> Result<Region, Failure> {
        if let Some(region) = region_of(id).or_else(|| self.region.clone()) {
            return Ok(region);
        }
        match self.spec.regions.as_slice() {
            [only] => Ok(only.clone()),
            [] => Err(Failure::usage(format!("Name the home Region of {id} with --region."))),
            several => Err(Failure::usage(format!(
                "Name the home Region of {id} with --region: {} has {}.",
                self.spec.name,
                several.iter().map(Region::as_str).collect::<Vec<_>>().join(", ")
            ))),
        }
    }

    /// The Region given with `--region`.
    pub(super) fn region_named(&self) -> Option<Region> {
        self.region.clone()
    }

    /// Regions of the connection, or the one named.
    pub(in crate::cli) fn regions(&self) -> Vec<Region> {
        self.spec.regions.clone()
    }

    /// The database file.
    pub(in crate::cli) fn database(&self) -> &Path {
        &self.database
    }

    /// Returns what is shared, if anything. Refuses Regions that it does not reach.
    pub(super) fn borrowed(&self, regions: &[Region]) -> Result<Option<&Arc<SharedConnection>>, Failure> {
        let Some(shared) = &self.shared else { return Ok(None) };
        match regions.iter().find(|region| !shared.gateway.regions().any(|known| known == *region)) {
            None => Ok(Some(shared)),
            Some(other) => Err(Failure::refused(format!(
                "Nothing was sent: {} is open elsewhere without the Region {other}. Add it there, or close that program \
                 first.",
                self.database.display()
            ))),
        }
    }

    /// How this command reaches AWS on its own, including these Regions.
    pub(super) fn spec(&self, more: &[Region]) -> ConnectionSpec {
        let regions: BTreeSet<Region> = self.spec.regions.iter().chain(more).cloned().collect();
        ConnectionSpec { regions: regions.into_iter().collect(), ..self.spec.clone() }
    }
}
