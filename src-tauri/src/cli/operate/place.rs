//! Where a command works: a saved connection or a database with its Region, profile and endpoint.
//!
//! Owns the way from options to an open guard: opened for this command, or beside that of the program that has the
//! database open. What counts as production is looked up among the saved connections, so that naming the database instead
//! of the connection loosens nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use liftdeck_gateway::{Gateway, Priority, Reader};
use liftdeck_model::activity::{Activity, ActivitySource, RunId};
use liftdeck_model::{AccountId, Region};
use liftdeck_operations::{Environment, Guard, GuardOptions};
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;
use liftdeck_store::{self as store, Access, Store, StoreOptions};

use super::super::{Caller, Failure};
use super::ids::region_of;
use crate::connections::{Connections, is_region};
use crate::desk::Lent;
use crate::flight::environment;
use crate::reach::Reach;
use crate::settings::SettingsFile;
use crate::wire::connection::ConnectionSummary;
use crate::wire::settings::Settings;
use crate::{clock, wire};

/// Where to work.
#[derive(Debug, Args)]
pub(in crate::cli) struct Where {
    /// A saved connection, by name; this or --db is needed
    #[arg(long, value_name = "NAME", conflicts_with_all = ["db", "profile", "endpoint_url"])]
    pub(in crate::cli) connection: Option<String>,
    /// The database that keeps the record, instead of a saved connection; made when there is none
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) db: Option<PathBuf>,
    /// Home Region of what is named; read from ARNs, and not needed where the connection has one only
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

fn region(text: &str) -> Result<String, String> {
    if is_region(text) { Ok(text.to_owned()) } else { Err("an AWS Region looks like eu-west-1".to_owned()) }
}

fn web_address(text: &str) -> Result<String, String> {
    if text.starts_with("http://") || text.starts_with("https://") {
        Ok(text.to_owned())
    } else {
        Err("an endpoint begins with http:// or https://".to_owned())
    }
}

/// A place that was looked up, not yet opened.
pub(in crate::cli) struct Place {
    name: String,
    environment: Environment,
    profile: Option<String>,
    endpoint_url: Option<String>,
    account: Option<AccountId>,
    /// Regions of the connection, or the one named.
    regions: Vec<String>,
    /// The one named.
    region: Option<String>,
    database: PathBuf,
    budget_share: f64,
    /// What this process has open and lends, when the command was handed over to it.
    lent: Option<Arc<Lent>>,
}

/// An open connection with its guard, read-only until a command unlocks it.
pub(in crate::cli) struct Desk {
    pub(in crate::cli) guard: Guard,
    pub(in crate::cli) reader: store::Reader,
    gateway: Gateway,
    /// Opened for this command alone; otherwise everything is lent.
    store: Option<Store>,
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
            .map_or_else(|_| Settings::default(), |file| file.settings());
        let budget_share = settings.budget_share.get();
        let saved = match Connections::load(home.connections_file()) {
            Ok(connections) => connections.list(),
            // A database that is named needs no file of connections.
            Err(_) if self.connection.is_none() => Vec::new(),
            Err(error) => return Err(wire::error::AppError::from(error).into()),
        };
        let region = self.region.clone();
        match (&self.connection, &self.db) {
            (Some(name), _) => {
                let found = by_name(&saved, name)?;
                let mut regions = found.regions.clone();
                regions.extend(region.clone().filter(|region| !found.regions.contains(region)));
                Ok(Place {
                    environment: environment(found.environment),
                    profile: found.profile.clone(),
                    endpoint_url: found.endpoint_url.clone(),
                    account: found.account.as_deref().map(AccountId::from),
                    database: home.database_file(&found.id).map_err(wire::error::AppError::from)?,
                    name: found.name.clone(),
                    regions,
                    region,
                    budget_share,
                    lent: None,
                })
            }
            (None, Some(db)) => {
                // What is open decides where it leads, whether or not that was named too.
                let (profile, endpoint_url) = match caller.lent() {
                    Some(lent) => (lent.profile.clone(), lent.endpoint_url.clone()),
                    None => (self.profile.clone(), self.endpoint_url.clone()),
                };
                let same = |found: &&ConnectionSummary| {
                    found.profile == profile && found.endpoint_url == endpoint_url
                };
                // The strictest of the connections that lead to the same place.
                let like =
                    saved.iter().filter(same).min_by_key(|found| strictness(environment(found.environment)));
                let stem = db.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
                let guess = || guessed([Some(stem.as_str()), profile.as_deref()]);
                Ok(Place {
                    environment: like.map_or_else(guess, |found| environment(found.environment)),
                    name: like.map_or_else(|| stem.clone(), |found| found.name.clone()),
                    profile: profile.clone(),
                    endpoint_url: endpoint_url.clone(),
                    account: None,
                    regions: region.clone().into_iter().collect(),
                    region,
                    database: caller.path(db),
                    budget_share,
                    lent: None,
                })
            }
            (None, None) => Err(Failure::usage("Name a place: --connection NAME or --db FILE.")),
        }
    }

    /// The place on what is open, if it is what was named; of two marks the stricter one holds.
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
            true => (&place.profile, &place.endpoint_url),
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
        if let Some((name, mark)) = &lent.connection
            && strictness(*mark) <= strictness(place.environment)
        {
            place.name.clone_from(name);
            place.environment = *mark;
        }
        place.lent = Some(lent);
        Ok(place)
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// What a place nobody marked is taken for, by its names, as the window does.
fn guessed(names: [Option<&str>; 2]) -> Environment {
    let holds = |word: &str| names.iter().flatten().any(|name| name.to_ascii_lowercase().contains(word));
    if holds("prod") || holds("live") { Environment::Production } else { Environment::Development }
}

/// The strictest first.
const fn strictness(environment: Environment) -> u8 {
    match environment {
        Environment::Production => 0,
        Environment::Staging => 1,
        Environment::Development => 2,
        Environment::Demo => 3,
    }
}

fn by_name<'a>(saved: &'a [ConnectionSummary], name: &str) -> Result<&'a ConnectionSummary, Failure> {
    saved.iter().find(|found| found.name == name || found.id == name).ok_or_else(|| {
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
        match self.regions.as_slice() {
            [only] => Ok(Region::from(only.as_str())),
            [] => Err(Failure::usage(format!("Name the home Region of {id} with --region."))),
            several => Err(Failure::usage(format!(
                "Name the home Region of {id} with --region: {} has {}.",
                self.name,
                several.join(", ")
            ))),
        }
    }

    /// Regions a look without an id goes through.
    pub(in crate::cli) fn database(&self) -> &Path {
        &self.database
    }

    /// What is lent, if it reaches these Regions.
    fn borrowed(&self, regions: &[Region]) -> Result<Option<&Arc<Lent>>, Failure> {
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

    async fn gateway(&self, more: &[Region]) -> Result<(Gateway, BTreeSet<Region>), Failure> {
        let mut regions: BTreeSet<Region> =
            self.regions.iter().map(|region| Region::from(region.as_str())).collect();
        regions.extend(more.iter().cloned());
        let reach = Reach {
            name: self.name.clone(),
            profile: self.profile.clone(),
            endpoint_url: self.endpoint_url.clone(),
            regions: regions.iter().map(ToString::to_string).collect(),
            budget_share: self.budget_share,
        };
        Ok((reach.connect().await?, regions))
    }

    /// Reads of one Region, for commands that only look.
    pub(in crate::cli) async fn reader(&self, region: &Region) -> Result<Reader, Failure> {
        let gateway = match self.borrowed(std::slice::from_ref(region))? {
            Some(lent) => lent.gateway.clone(),
            None => self.gateway(std::slice::from_ref(region)).await?.0,
        };
        Ok(gateway.reader(region)?.with_priority(Priority::OnScreen))
    }

    /// Opens database, gateway and guard, or takes what is lent.
    pub(in crate::cli) async fn open(self, regions: Vec<Region>) -> Result<Desk, Failure> {
        if let Some(lent) = self.borrowed(&regions)?.cloned() {
            let (gateway, reader) = (lent.gateway.clone(), lent.reader.clone());
            let guard = lent.guard(self.guard_options(gateway.regions().cloned().collect())).await?;
            return Ok(Desk { guard, reader, gateway, store: None });
        }
        let options = |account| StoreOptions {
            path: self.database.clone(),
            access: Access::ReadWrite,
            account,
            now: clock::now(),
        };
        // A file that cannot be used is told before anybody is asked, and no file is made when nobody answers.
        if self.database.exists() {
            Box::pin(Store::open(options(self.account.clone()))).await?.close().await;
        }
        let (gateway, regions) = self.gateway(&regions).await?;
        let account = match (&self.account, regions.first()) {
            (Some(account), _) => account.clone(),
            (None, Some(first)) => Box::pin(gateway.caller_identity(first)).await?.account,
            (None, None) => return Err(Failure::usage("Name a Region with --region.")),
        };
        let store = Box::pin(Store::open(options(Some(account)))).await?;
        let options = self.guard_options(regions.into_iter().collect());
        let reader = store.reader();
        let guard = Box::pin(Guard::open(gateway.clone(), store.writer()?, reader.clone(), options)).await?;
        Ok(Desk { guard, reader, gateway, store: Some(store) })
    }

    fn guard_options(self, regions: Vec<Region>) -> GuardOptions {
        GuardOptions {
            connection_name: self.name,
            environment: self.environment,
            profile: self.profile,
            endpoint_url: self.endpoint_url,
            source: ActivitySource::CommandLine,
            regions,
            clock: clock::wall(),
            steady: clock::steady(),
            ids: Arc::new(|| uuid::Uuid::new_v4().to_string()),
        }
    }
}

impl Desk {
    /// Reads of one Region, at once.
    pub(super) fn aws(&self, region: &Region) -> Result<Reader, Failure> {
        Ok(self.gateway.reader(region)?.with_priority(Priority::OnScreen))
    }

    /// Every attempt of a run in its order.
    pub(in crate::cli) async fn of_run(&self, id: &RunId) -> Result<Vec<Activity>, Failure> {
        let mut all = Vec::new();
        loop {
            let offset = u32::try_from(all.len()).unwrap_or(u32::MAX);
            let page = Page { offset, limit: Page::MOST };
            let request = ActivityRequest { run: Some(id.clone()), ..ActivityRequest::everything(page) };
            let window = self.reader.activities(&request).await?;
            let last = window.rows.is_empty();
            all.extend(window.rows);
            if last || all.len() as u64 >= window.total {
                break;
            }
        }
        all.sort_by_key(|activity| (activity.item, activity.at));
        Ok(all)
    }

    /// Lets what was sent be answered and recorded, and gives the database up. What is lent only is locked: whoever has it
    /// open goes on following what was sent.
    pub(in crate::cli) async fn close(self) {
        match self.store {
            Some(store) => {
                self.guard.close().await;
                store.close().await;
            }
            None => self.guard.lock(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_nobody_marked_is_production_when_its_name_says_so() {
        assert_eq!(guessed([Some("ops"), Some("acme-PROD")]), Environment::Production);
        assert_eq!(guessed([Some("live-eu"), None]), Environment::Production);
        assert_eq!(guessed([Some("ops"), None]), Environment::Development);
    }
}
