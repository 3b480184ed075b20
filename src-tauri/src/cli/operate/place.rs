//! Where a command works: a saved connection or a database with its Region, profile and endpoint.
//!
//! Owns looking it up from options. Opens nothing and asks nobody: that is `desk`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use liftdeck_model::Region;

use super::super::collect::{region, web_address};
use super::super::names::Names;
use super::super::{Caller, Failure};
use super::ids::region_of;
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::error::AppError;
use liftdeck_app::clock;
use liftdeck_app::connections::{Connections, Doubt};
use liftdeck_app::lent::Lent;
use liftdeck_app::marks::{Marks, is_same_file};
use liftdeck_app::reach::Reach;
use liftdeck_app::settings;
use liftdeck_app::settings::SettingsFile;

/// Where to work.
#[derive(Debug, Args)]
pub(in crate::cli) struct Where {
    /// A saved connection, by name; this or --db is needed
    #[arg(long, value_name = "NAME", conflicts_with_all = ["db", "profile", "endpoint_url"], add = super::super::complete::connections())]
    pub(in crate::cli) connection: Option<String>,
    /// The database that keeps the record, instead of a saved connection; made when there is none
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) db: Option<PathBuf>,
    /// Home Region of what is named, where neither its ARN, the database nor the connection tells it
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

/// A place that was looked up, not yet opened.
pub(in crate::cli) struct Place {
    /// How AWS is reached: in the Regions of the connection, or in the one named. Its name is what the place is called
    /// where no mark says how.
    pub(super) reach: Reach,
    /// The saved connection that was named, by id.
    pub(super) connection: Option<String>,
    /// The Region that was named.
    region: Option<String>,
    pub(super) database: PathBuf,
    pub(super) marks: Marks,
    /// What the database calls things, where a command needs it.
    pub(super) names: Names,
    /// What this process has open and lends, when the command was handed over to it.
    pub(super) lent: Option<Arc<Lent>>,
}

impl Where {
    /// Looks the place up. Nothing is opened and nobody is asked.
    ///
    /// # Errors
    /// `usage` for a place that does not exist, or that does not fit what is open.
    pub(in crate::cli) fn find(&self, caller: &Caller) -> Result<Place, Failure> {
        let place = self.found(caller)?;
        match caller.lent() {
            Some(lent) => self.fitting(place, lent),
            None => Ok(place),
        }
    }

    fn found(&self, caller: &Caller) -> Result<Place, Failure> {
        let home = caller.home()?;
        let settings = SettingsFile::load(home.settings_file())
            .map_or_else(|_| settings::default(), |file| file.settings());
        let (budget_share, region) = (settings.budget_share, self.region.clone());
        let marks = Marks::new(home.clone(), clock::wall());
        let (connection, reach, database) = match (&self.connection, &self.db) {
            (Some(name), _) => {
                let connections = Connections::load(home.connections_file());
                let saved = connections.list();
                let found = by_name(&saved, name, connections.doubt())?;
                let mut reach = Reach::of(found, budget_share);
                reach.regions.extend(region.clone().filter(|region| !found.regions.contains(region)));
                (Some(found.id.clone()), reach, home.database_file(&found.id).map_err(AppError::from)?)
            }
            (None, Some(db)) => {
                let name = db.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
                // What is open decides where it leads, whether or not that was named too.
                let (profile, endpoint_url) = match caller.lent() {
                    Some(lent) => (lent.profile.clone(), lent.endpoint_url.clone()),
                    None => (self.profile.clone(), self.endpoint_url.clone()),
                };
                let regions = region.clone().into_iter().collect();
                let reach = Reach { name, account: None, profile, endpoint_url, regions, budget_share };
                (None, reach, caller.path(db))
            }
            (None, None) => return Err(Failure::usage("Name a place: --connection NAME or --db FILE.")),
        };
        let database = marks.database(&database);
        Ok(Place { reach, connection, region, database, marks, names: Names::default(), lent: None })
    }

    /// The place on what is open, if it is what was named.
    fn fitting(&self, mut place: Place, lent: Arc<Lent>) -> Result<Place, Failure> {
        if !is_same_file(&place.database, &lent.database) {
            return Err(Failure::new(format!(
                "Nothing was sent: the program that answers has {} open, not {}.",
                lent.database.display(),
                place.database.display()
            )));
        }
        // A connection says all of it, a database only what was named with it.
        let all = self.connection.is_some();
        let (profile, endpoint_url) = match all {
            true => (&place.reach.profile, &place.reach.endpoint_url),
            false => (&self.profile, &self.endpoint_url),
        };
        for (option, named, open) in
            [("profile", profile, &lent.profile), ("endpoint", endpoint_url, &lent.endpoint_url)]
        {
            if (all || named.is_some()) && named != open {
                let open = open
                    .as_ref()
                    .map_or_else(|| "AWS's own".to_owned(), |open| format!("the {option} {open}"));
                return Err(Failure::usage(format!(
                    "Nothing was sent: {} is open elsewhere with another {option}: {open}.",
                    place.database.display()
                )));
            }
        }
        place.lent = Some(lent);
        Ok(place)
    }
}

/// The connection of this name or id.
///
/// # Errors
/// `usage`, with the names there are, when there is none.
pub(in crate::cli) fn by_name<'a>(
    saved: &'a [ConnectionSummary],
    name: &str,
    doubt: Option<&Doubt>,
) -> Result<&'a ConnectionSummary, Failure> {
    saved.iter().find(|found| found.name == name || found.id == name).ok_or_else(|| {
        if let Some(doubt) = doubt {
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

impl Place {
    /// The Region of what is named: its ARN's, the one of --region, or the only one there is.
    pub(in crate::cli) fn region_for(&self, id: &str) -> Result<Region, Failure> {
        if let Some(region) = region_of(id).or_else(|| self.region.as_deref().map(Region::from)) {
            return Ok(region);
        }
        match self.reach.regions.as_slice() {
            [only] => Ok(Region::from(only.as_str())),
            [] => Err(Failure::usage(format!("Name the home Region of {id} with --region."))),
            several => Err(Failure::usage(format!(
                "Name the home Region of {id} with --region: {} has {}.",
                self.reach.name,
                several.join(", ")
            ))),
        }
    }

    /// The Region of --region.
    pub(super) fn region_named(&self) -> Option<Region> {
        self.region.as_deref().map(Region::from)
    }

    /// Regions of the connection, or the one named.
    pub(in crate::cli) fn regions(&self) -> Vec<Region> {
        self.reach.regions.iter().map(|region| Region::from(region.as_str())).collect()
    }

    /// The file of the record.
    pub(in crate::cli) fn database(&self) -> &Path {
        &self.database
    }

    /// What is lent, if it reaches these Regions.
    pub(super) fn borrowed(&self, regions: &[Region]) -> Result<Option<&Arc<Lent>>, Failure> {
        let Some(lent) = &self.lent else { return Ok(None) };
        match regions.iter().find(|region| !lent.gateway.regions().any(|known| known == *region)) {
            None => Ok(Some(lent)),
            Some(other) => Err(Failure::refused(format!(
                "Nothing was sent: {} is open elsewhere without the Region {other}. Add it there, or close that program \
                 first.",
                self.database.display()
            ))),
        }
    }

    /// How this command reaches AWS by itself, in these Regions too.
    pub(super) fn reach(&self, more: &[Region]) -> Reach {
        let mut regions: BTreeSet<String> = self.reach.regions.iter().cloned().collect();
        regions.extend(more.iter().map(ToString::to_string));
        Reach { regions: regions.into_iter().collect(), ..self.reach.clone() }
    }
}
