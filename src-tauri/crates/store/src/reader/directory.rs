//! The small lookup tables of names by integer key, read whole: Regions, locations, words, fleets and aliases.
//!
//! Deliberately not cached: reading a few hundred rows costs less than keeping a copy up to date.

use std::collections::{BTreeMap, HashMap};

use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::{AliasId, FleetId, Location, Region};

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

/// A fleet with its key, Region and name, as lists need them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedFleet {
    pub(crate) key: i64,
    pub(crate) fleet_id: FleetId,
    pub(crate) region_key: i64,
    pub(crate) region: Region,
    /// The fleet's name, or its id while it has none.
    pub(crate) name: String,
    pub(crate) gone: bool,
}

/// Names by key.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    pub(crate) regions: BTreeMap<i64, Region>,
    pub(crate) locations: BTreeMap<i64, Location>,
    pub(crate) words: HashMap<i64, String>,
    pub(crate) fleets: BTreeMap<i64, NamedFleet>,
}

impl Directory {
    pub(crate) fn word(&self, key: Option<i64>) -> Option<String> {
        key.and_then(|key| self.words.get(&key)).cloned()
    }

    /// The key of a word, if the store has it.
    pub(crate) fn word_key(&self, text: &str) -> Option<i64> {
        self.words.iter().find(|(_, word)| *word == text).map(|(key, _)| *key)
    }

    pub(crate) fn region(&self, key: i64) -> Region {
        self.regions.get(&key).cloned().unwrap_or_else(|| Region::new(""))
    }

    pub(crate) fn region_key(&self, region: &Region) -> Option<i64> {
        self.regions.iter().find(|(_, known)| *known == region).map(|(key, _)| *key)
    }

    pub(crate) fn location(&self, key: Option<i64>) -> Option<Location> {
        key.and_then(|key| self.locations.get(&key)).cloned()
    }

    /// The location, or the fleet's home Region when the row names none.
    pub(crate) fn location_or_home(&self, key: Option<i64>, fleet_key: i64) -> Location {
        self.location(key).unwrap_or_else(|| Location::new(self.home(fleet_key).into_string()))
    }

    /// Home Region of a fleet.
    pub(crate) fn home(&self, fleet_key: i64) -> Region {
        self.fleets.get(&fleet_key).map_or_else(|| Region::new(""), |fleet| fleet.region.clone())
    }

    pub(crate) fn fleet_id(&self, key: i64) -> FleetId {
        self.fleets.get(&key).map_or_else(|| FleetId::new(""), |fleet| fleet.fleet_id.clone())
    }

    pub(crate) fn fleet_name(&self, key: i64) -> String {
        self.fleets.get(&key).map_or_else(String::new, |fleet| fleet.name.clone())
    }

    pub(crate) fn fleet_key(&self, id: &FleetId) -> Option<i64> {
        self.fleets.values().find(|fleet| &fleet.fleet_id == id).map(|fleet| fleet.key)
    }

    pub(crate) fn location_key(&self, location: &Location) -> Option<i64> {
        self.locations.iter().find(|(_, known)| *known == location).map(|(key, _)| *key)
    }
}

impl Reader {
    pub(crate) async fn directory(&self) -> Result<Directory, StoreError> {
        let mut directory = Directory::default();
        // One statement, because each costs a hand-over to the connection's thread. Regions come before their fleets.
        let rows = sqlx::query(
            "SELECT 0 AS kind, region_key AS key, name, NULL AS fleet_id, NULL AS region_key, NULL AS gone_at FROM region \
             UNION ALL SELECT 1, location_key, name, NULL, NULL, NULL FROM location \
             UNION ALL SELECT 2, word_key, text, NULL, NULL, NULL FROM word \
             UNION ALL SELECT 3, fleet_key, name, fleet_id, region_key, gone_at FROM fleet",
        )
        .fetch_all(self.pool())
        .await?;
        for row in rows {
            let key: i64 = row.read("key")?;
            match row.read::<i64>("kind")? {
                0 => drop(directory.regions.insert(key, row.read("name")?)),
                1 => drop(directory.locations.insert(key, row.read("name")?)),
                2 => drop(directory.words.insert(key, row.read("name")?)),
                _ => {
                    let fleet_id: FleetId = row.read("fleet_id")?;
                    let region_key: i64 = row.read("region_key")?;
                    let fleet = NamedFleet {
                        key,
                        region_key,
                        region: directory.region(region_key),
                        name: row.read::<Option<_>>("name")?.unwrap_or_else(|| fleet_id.to_string()),
                        gone: row.read::<Option<i64>>("gone_at")?.is_some(),
                        fleet_id,
                    };
                    directory.fleets.insert(key, fleet);
                }
            }
        }
        Ok(directory)
    }

    /// Maps every fleet ever seen to its name, or to its id if it has none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn names_of_fleets(&self) -> Result<BTreeMap<FleetId, String>, StoreError> {
        let fleets = self.directory().await?.fleets.into_values();
        Ok(fleets.map(|fleet| (fleet.fleet_id, fleet.name)).collect())
    }

    /// Names of all aliases the store knows, gone or not.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn names_of_aliases(&self) -> Result<BTreeMap<AliasId, String>, StoreError> {
        let aliases = self.documents::<Alias>("alias", None).await?;
        Ok(aliases.into_iter().map(|alias| (alias.record.alias_id, alias.record.name)).collect())
    }

    /// Names of the aliases that point to each fleet.
    pub(crate) async fn aliases_by_fleet(&self) -> Result<BTreeMap<FleetId, Vec<String>>, StoreError> {
        let mut by_fleet: BTreeMap<FleetId, Vec<String>> = BTreeMap::new();
        for alias in self.documents::<Alias>("alias", None).await? {
            if alias.gone_at.is_some() {
                continue;
            }
            if let RoutingStrategy::Simple { fleet_id } = alias.record.routing {
                by_fleet.entry(fleet_id).or_default().push(alias.record.name);
            }
        }
        Ok(by_fleet)
    }
}
