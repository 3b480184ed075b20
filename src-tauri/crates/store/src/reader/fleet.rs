//! Fleets as lists and pages show them: attributes, figures per location, and the aliases and queues that use them.
//!
//! Game session and player counts are AWS's own (DescribeFleetUtilization) where that call exists, which is for
//! managed EC2. For container and Anywhere fleets they are counted from the live game sessions.

use std::collections::{BTreeMap, HashMap};

use liftdeck_model::container::FleetDeployment;
use liftdeck_model::content::{Build, Script};
use liftdeck_model::fleet::{
    Fleet, FleetCapacity, FleetLocation, FleetUtilization, IpPermission, RuntimeConfiguration, ScalingPolicy,
};
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_model::{FleetId, Location, Region, Timestamp};

use super::Reader;
use super::directory::Directory;
use super::freshness::{Basis, Freshness};
use super::resource::Document;
use crate::error::StoreError;
use crate::ledger::LedgerLine;

/// Where the counts of a location come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedFrom {
    /// DescribeFleetUtilization: AWS's own count.
    Utilization,
    /// The live game sessions in the store.
    GameSessions,
}

/// A location of a fleet with its newest figures.
#[derive(Clone, Debug, PartialEq)]
pub struct LocationFigures {
    /// Location.
    pub location: Location,
    /// Its attributes, once listed.
    pub attributes: Option<FleetLocation>,
    /// Instance counts; absent for Anywhere fleets.
    pub capacity: Option<FleetCapacity>,
    /// Load; managed EC2 only.
    pub utilization: Option<FleetUtilization>,
    /// Game sessions ACTIVE or ACTIVATING.
    pub game_sessions: i64,
    /// Player sessions ACTIVE or RESERVED.
    pub player_sessions: i64,
    /// Where the two counts come from.
    pub counted_from: CountedFrom,
}

impl LocationFigures {
    /// Running server processes, or active container groups; `None` where AWS reports neither.
    pub fn processes(&self) -> Option<i64> {
        let groups = || self.capacity.as_ref()?.container_groups.map(|groups| i64::from(groups.active));
        self.utilization.as_ref().map(|load| i64::from(load.active_server_process_count)).or_else(groups)
    }

    /// Processes without a game session.
    pub fn free_processes(&self) -> Option<i64> {
        self.processes().map(|processes| (processes - self.game_sessions).max(0))
    }
}

/// A build or a script, as fleets show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A build.
    Build(Build),
    /// A Realtime script.
    Script(Script),
}

/// A fleet with everything a list shows about it.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetSummary {
    /// Attributes.
    pub fleet: Fleet,
    /// What it runs; `None` for container fleets, and until builds and scripts have been listed.
    pub content: Option<Content>,
    /// Locations, the home Region first.
    pub locations: Vec<LocationFigures>,
    /// Names of aliases that point to it.
    pub aliases: Vec<String>,
    /// Names of queues that place game sessions on it, directly or through an alias.
    pub queues: Vec<String>,
    /// When a complete listing first lacked it.
    pub gone_at: Option<Timestamp>,
    /// Age of its attributes and figures.
    pub freshness: Freshness,
}

impl FleetSummary {
    fn sum(&self, count: impl Fn(&FleetCapacity) -> i32) -> i64 {
        self.locations.iter().filter_map(|here| here.capacity.as_ref()).map(|c| i64::from(count(c))).sum()
    }

    /// When it ceased to exist, as far as that is known.
    pub fn ended_at(&self) -> Option<Timestamp> {
        match (self.fleet.termination_time, self.gone_at) {
            (Some(terminated), Some(gone)) => Some(terminated.min(gone)),
            (one, other) => one.or(other),
        }
    }

    /// Desired instances over all locations.
    pub fn desired(&self) -> i64 {
        self.sum(|capacity| capacity.desired)
    }

    /// Active instances over all locations.
    pub fn active(&self) -> i64 {
        self.sum(|capacity| capacity.active)
    }

    /// Upper limits of scaling over all locations.
    pub fn maximum(&self) -> i64 {
        self.sum(|capacity| capacity.maximum)
    }

    /// Game sessions ACTIVE or ACTIVATING over all locations.
    pub fn game_sessions(&self) -> i64 {
        self.locations.iter().map(|here| here.game_sessions).sum()
    }

    /// Player sessions ACTIVE or RESERVED over all locations.
    pub fn player_sessions(&self) -> i64 {
        self.locations.iter().map(|here| here.player_sessions).sum()
    }

    /// Server processes over the locations that report them; `None` when none does.
    pub fn processes(&self) -> Option<i64> {
        sum_of(self.locations.iter().map(LocationFigures::processes))
    }

    /// Processes without a game session.
    pub fn free_processes(&self) -> Option<i64> {
        sum_of(self.locations.iter().map(LocationFigures::free_processes))
    }

    /// Percent (0 to 100) of processes without a game session; `None` while there is no process.
    pub fn free_percent(&self) -> Option<f64> {
        let (free, all) = (self.free_processes()?, self.processes()?);
        (all > 0).then(|| free as f64 / all as f64 * 100.0)
    }
}

fn sum_of(counts: impl Iterator<Item = Option<i64>>) -> Option<i64> {
    counts.flatten().fold(None, |sum, count| Some(sum.unwrap_or(0) + count))
}

/// A fleet with its summary and everything else its page shows.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetDetail {
    /// The summary.
    pub summary: FleetSummary,
    /// Scaling policies, one per location.
    pub policies: Vec<ScalingPolicy>,
    /// Runtime configuration.
    pub runtime_configuration: Option<RuntimeConfiguration>,
    /// Inbound permissions; a location of `None` means the whole fleet.
    pub port_settings: Vec<(Option<Location>, Vec<IpPermission>)>,
    /// Deployments of a container fleet, newest first.
    pub deployments: Vec<FleetDeployment>,
    /// Age of policies and configuration.
    pub configuration_freshness: Freshness,
    /// Game sessions ACTIVE in the store.
    pub active_game_sessions: i64,
    /// Number of existing computes.
    pub computes: i64,
}

impl Reader {
    /// Every existing fleet, and those that disappeared within the day before `now`, by Region and name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn fleet_summaries(&self, now: Timestamp) -> Result<Vec<FleetSummary>, StoreError> {
        let directory = self.directory().await?;
        let mut summaries = self.summaries(&directory, None, now).await?;
        summaries.retain(|row| row.gone_at.is_none_or(|gone_at| now.since_ms(gone_at) < DAY_MS));
        summaries.sort_by(|a, b| order(&a.fleet).cmp(&order(&b.fleet)));
        Ok(summaries)
    }

    /// Every fleet that existed at some time in `range`, as it is now or was last, by Region and name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn fleet_summaries_in(
        &self,
        range: TimeRange,
        now: Timestamp,
    ) -> Result<Vec<FleetSummary>, StoreError> {
        let directory = self.directory().await?;
        let mut summaries = self.summaries(&directory, None, now).await?;
        summaries.retain(|row| {
            row.fleet.creation_time.is_none_or(|created| created < range.to)
                && row.ended_at().is_none_or(|ended| ended > range.from)
        });
        summaries.sort_by(|a, b| order(&a.fleet).cmp(&order(&b.fleet)));
        Ok(summaries)
    }

    /// How a fleet runs its server processes; `None` until that was read, and for fleets without such a setting
    /// (container, Anywhere).
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn runtime_configuration(
        &self,
        id: &FleetId,
    ) -> Result<Option<RuntimeConfiguration>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(id) else { return Ok(None) };
        self.runtime_configuration_of(key).await
    }

    async fn runtime_configuration_of(&self, key: i64) -> Result<Option<RuntimeConfiguration>, StoreError> {
        Ok(present(self.documents("runtime_configuration", Some(key)).await?).next())
    }

    /// One fleet; `None` if it has never been listed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn fleet_detail(
        &self,
        id: &FleetId,
        now: Timestamp,
    ) -> Result<Option<FleetDetail>, StoreError> {
        let directory = self.directory().await?;
        let Some(key) = directory.fleet_key(id) else { return Ok(None) };
        let Some(summary) = self.summaries(&directory, Some(id), now).await?.pop() else { return Ok(None) };
        let mut deployments: Vec<FleetDeployment> =
            present(self.documents("fleet_deployment", Some(key)).await?).collect();
        deployments.sort_by_key(|deployment| std::cmp::Reverse(deployment.creation_time));
        let ports = self.documents::<Vec<IpPermission>>("port_settings", Some(key)).await?;
        let of = |kind| self.freshness(Basis::One(kind, id.as_str()), now);
        Ok(Some(FleetDetail {
            summary,
            policies: present(self.documents("scaling_policy", Some(key)).await?).collect(),
            runtime_configuration: self.runtime_configuration_of(key).await?,
            port_settings: ports
                .into_iter()
                .filter(|ports| ports.gone_at.is_none())
                .map(|ports| ((!ports.id.is_empty()).then(|| Location::new(ports.id)), ports.record))
                .collect(),
            deployments,
            configuration_freshness: of(PollKind::ScalingPolicies).and(of(PollKind::FleetConfiguration)),
            active_game_sessions: self
                .count(
                    "SELECT count(*) FROM game_session_state WHERE fleet_key = ? AND live = 1 \
                     AND status = (SELECT word_key FROM word WHERE text = 'ACTIVE')",
                    key,
                )
                .await?,
            computes: self
                .count(
                    "SELECT count(*) FROM resource WHERE kind = 'compute' AND owner_key = ? AND gone_at IS NULL",
                    key,
                )
                .await?,
        }))
    }

    async fn count(&self, sql: &'static str, key: i64) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(sql).bind(key).fetch_one(self.pool()).await?)
    }

    async fn summaries(
        &self,
        directory: &Directory,
        only: Option<&FleetId>,
        now: Timestamp,
    ) -> Result<Vec<FleetSummary>, StoreError> {
        let key = only.and_then(|id| directory.fleet_key(id));
        let fleets = match only {
            Some(id) => self.document::<Fleet>("fleet", id.as_str()).await?,
            None => self.documents("fleet", None).await?,
        };
        let mut figures = self.figures(directory, &fleets, key).await?;
        let contents = self.contents().await?;
        let aliases = self.aliases_by_fleet().await?;
        let queues = self.queues_by_fleet().await?;
        let ages = self.fleet_ages(now);
        Ok(fleets
            .into_iter()
            .map(|Document { record: fleet, gone_at, .. }| {
                let content = fleet.build_id.as_ref().map(|id| id.as_str().to_owned());
                let content = content.or_else(|| fleet.script_id.as_ref().map(|id| id.as_str().to_owned()));
                let mut locations: Vec<LocationFigures> = directory
                    .fleet_key(&fleet.fleet_id)
                    .and_then(|key| figures.remove(&key))
                    .map(|by_location| by_location.into_values().collect())
                    .unwrap_or_default();
                locations.sort_by_key(|here| here.location.as_str() != fleet.region.as_str());
                FleetSummary {
                    content: content.and_then(|id| contents.get(&id).cloned()),
                    locations,
                    aliases: aliases.get(&fleet.fleet_id).cloned().unwrap_or_default(),
                    queues: queues.get(&fleet.fleet_id).cloned().unwrap_or_default(),
                    gone_at,
                    freshness: ages.of(&fleet, now),
                    fleet,
                }
            })
            .collect())
    }

    /// Builds and scripts by id.
    async fn contents(&self) -> Result<HashMap<String, Content>, StoreError> {
        let builds = self.documents::<Build>("build", None).await?.into_iter();
        let scripts = self.documents::<Script>("script", None).await?.into_iter();
        Ok(builds
            .map(|build| (build.id, Content::Build(build.record)))
            .chain(scripts.map(|script| (script.id, Content::Script(script.record))))
            .collect())
    }

    /// Names of the queues that place game sessions on each fleet.
    async fn queues_by_fleet(&self) -> Result<BTreeMap<FleetId, Vec<String>>, StoreError> {
        let mut by_fleet: BTreeMap<FleetId, Vec<String>> = BTreeMap::new();
        for queue in self.queue_rows().await? {
            for destination in queue.destinations {
                let Some(fleet_id) = destination.fleet_id else { continue };
                let names = by_fleet.entry(fleet_id).or_default();
                if names.last().is_none_or(|last| last != queue.queue.name.as_str()) {
                    names.push(queue.queue.name.as_str().to_owned());
                }
            }
        }
        Ok(by_fleet)
    }

    fn fleet_ages(&self, now: Timestamp) -> FleetAges {
        let lines = |kind| {
            let confirmed = |line: LedgerLine| (line.subject.resource, line.confirmed_at);
            self.polls(kind).into_iter().map(confirmed).collect::<HashMap<_, _>>()
        };
        FleetAges {
            attributes: self.freshness(Basis::All(PollKind::Fleets), now),
            capacity: lines(PollKind::FleetCapacity),
            utilization: lines(PollKind::FleetUtilization),
            game_sessions: lines(PollKind::GameSessions),
        }
    }
}

fn order(fleet: &Fleet) -> (&Region, &str, &FleetId) {
    (&fleet.region, fleet.display_name(), &fleet.fleet_id)
}

/// The records that are not gone.
pub(super) fn present<T>(documents: Vec<Document<T>>) -> impl Iterator<Item = T> {
    documents.into_iter().filter(|document| document.gone_at.is_none()).map(|document| document.record)
}

/// Freshness of the attributes, and confirmation times of the figures by fleet id.
struct FleetAges {
    attributes: Freshness,
    capacity: HashMap<String, Option<Timestamp>>,
    utilization: HashMap<String, Option<Timestamp>>,
    game_sessions: HashMap<String, Option<Timestamp>>,
}

impl FleetAges {
    /// Freshness of what a list shows of a fleet: its attributes, capacity and counts.
    fn of(&self, fleet: &Fleet, now: Timestamp) -> Freshness {
        let line = |lines: &HashMap<String, Option<Timestamp>>, kind| {
            Freshness::of(kind, lines.get(fleet.fleet_id.as_str()).copied().flatten(), now)
        };
        let mut freshness = self.attributes;
        if fleet.kind.has_capacity() {
            freshness = freshness.and(line(&self.capacity, PollKind::FleetCapacity));
        }
        if fleet.kind.has_utilization() {
            freshness.and(line(&self.utilization, PollKind::FleetUtilization))
        } else {
            freshness.and(line(&self.game_sessions, PollKind::GameSessions))
        }
    }
}
