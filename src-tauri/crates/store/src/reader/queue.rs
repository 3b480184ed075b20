//! Queues with their destinations resolved to fleets and aliases, and aliases with the fleet they point to.

use std::collections::HashMap;

use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::observation::PollKind;
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{AliasId, FleetId, QueueName, Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::Reader;
use super::change::ChangeRow;
use super::directory::Directory;
use super::fleet::present;
use super::freshness::{Basis, Freshness};
use crate::error::StoreError;

/// A queue.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueRow {
    /// The queue.
    pub queue: GameSessionQueue,
    /// Its destinations, in its order.
    pub destinations: Vec<QueueDestination>,
}

/// A destination of a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueueDestination {
    /// ARN as given.
    pub arn: String,
    /// Name of the fleet or alias, or the last part of the ARN.
    pub label: String,
    /// The fleet; for an alias, the fleet it points to.
    pub fleet_id: Option<FleetId>,
    /// The alias, if the destination is one.
    pub alias_id: Option<AliasId>,
}

/// An alias.
#[derive(Clone, Debug, PartialEq)]
pub struct AliasRow {
    /// The alias.
    pub alias: Alias,
    /// Name of the fleet it points to.
    pub fleet_name: Option<String>,
    /// Live game sessions on that fleet.
    pub game_sessions: i64,
    /// Recorded changes, newest first.
    pub history: Vec<ChangeRow>,
}

/// A resource that queues may lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeadTarget {
    /// A fleet, directly or through an alias.
    Fleet(FleetId),
    /// An alias.
    Alias(AliasId),
}

/// A queue that leads to a [`LeadTarget`].
#[derive(Clone, Debug, PartialEq)]
pub struct LeadingQueue {
    /// The queue.
    pub queue: GameSessionQueue,
    /// Whether the target itself is among the destinations.
    pub direct: bool,
    /// Aliases among the destinations that point to the fleet; empty if the target is an alias.
    pub through: Vec<AliasId>,
}

impl Reader {
    /// Existing queues by Region and name, with their freshness.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn queues(&self, now: Timestamp) -> Result<(Vec<QueueRow>, Freshness), StoreError> {
        Ok((self.queue_rows().await?, self.freshness(Basis::All(PollKind::Queues), now)))
    }

    /// One queue with its freshness; `None` if it does not exist.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn queue(
        &self,
        region: &Region,
        name: &QueueName,
        now: Timestamp,
    ) -> Result<Option<(QueueRow, Freshness)>, StoreError> {
        let rows = self.queue_rows().await?;
        let wanted = |row: &QueueRow| row.queue.name == *name && row.queue.region == *region;
        let freshness = self.freshness(Basis::All(PollKind::Queues), now);
        Ok(rows.into_iter().find(wanted).map(|row| (row, freshness)))
    }

    /// Queues that lead to the target; to a fleet directly or through an alias.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn queues_leading_to(&self, target: &LeadTarget) -> Result<Vec<LeadingQueue>, StoreError> {
        let mut leading = Vec::new();
        for row in self.queue_rows().await? {
            let (mut direct, mut through) = (false, Vec::new());
            for to in row.destinations {
                match (target, to.alias_id) {
                    (LeadTarget::Fleet(fleet), alias) if to.fleet_id.as_ref() == Some(fleet) => match alias {
                        Some(alias) => through.push(alias),
                        None => direct = true,
                    },
                    (LeadTarget::Alias(wanted), Some(alias)) if alias == *wanted => direct = true,
                    _ => {}
                }
            }
            if direct || !through.is_empty() {
                leading.push(LeadingQueue { queue: row.queue, direct, through });
            }
        }
        Ok(leading)
    }

    /// Aliases that point to a fleet, by Region and id.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn aliases_leading_to(&self, fleet: &FleetId) -> Result<Vec<Alias>, StoreError> {
        let leads = |alias: &Alias| matches!(&alias.routing, RoutingStrategy::Simple { fleet_id } if fleet_id == fleet);
        Ok(present(self.documents::<Alias>("alias", None).await?).filter(leads).collect())
    }

    /// Existing aliases that lead to no fleet.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn terminal_aliases(&self) -> Result<Vec<Alias>, StoreError> {
        let leads_nowhere = |alias: &Alias| matches!(alias.routing, RoutingStrategy::Terminal { .. });
        Ok(present(self.documents::<Alias>("alias", None).await?).filter(leads_nowhere).collect())
    }

    pub(super) async fn queue_rows(&self) -> Result<Vec<QueueRow>, StoreError> {
        let queues = self.documents::<GameSessionQueue>("queue", None).await?;
        if queues.is_empty() {
            return Ok(Vec::new());
        }
        let directory = self.directory().await?;
        let aliases: HashMap<String, Alias> = self
            .documents::<Alias>("alias", None)
            .await?
            .into_iter()
            .map(|alias| (alias.id, alias.record))
            .collect();
        let mut rows: Vec<QueueRow> = queues
            .into_iter()
            .filter(|queue| queue.gone_at.is_none())
            .map(|queue| {
                let destinations = queue
                    .record
                    .destinations
                    .iter()
                    .map(|arn| destination(arn, &directory, &aliases))
                    .collect();
                QueueRow { destinations, queue: queue.record }
            })
            .collect();
        rows.sort_by(|a, b| (&a.queue.region, &a.queue.name).cmp(&(&b.queue.region, &b.queue.name)));
        Ok(rows)
    }

    /// Existing aliases by Region and name, with their freshness. Each carries its newest 20 changes.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn aliases(&self, now: Timestamp) -> Result<(Vec<AliasRow>, Freshness), StoreError> {
        const HISTORY: u32 = 20;
        let directory = self.directory().await?;
        let aliases: Vec<Alias> = present(self.documents::<Alias>("alias", None).await?).collect();
        let targets: Vec<Option<i64>> = aliases
            .iter()
            .map(|alias| match &alias.routing {
                RoutingStrategy::Simple { fleet_id } => directory.fleet_key(fleet_id),
                RoutingStrategy::Terminal { .. } => None,
            })
            .collect();
        let fleet_keys: Vec<i64> = targets.iter().flatten().copied().collect();
        let live = self.live_by_fleet(&fleet_keys).await?;
        let mut histories = self.changes_by_resource(&directory, "alias", HISTORY).await?;
        let mut rows: Vec<AliasRow> = aliases
            .into_iter()
            .zip(targets)
            .map(|(alias, fleet_key)| AliasRow {
                fleet_name: fleet_key.map(|key| directory.fleet_name(key)),
                game_sessions: fleet_key
                    .and_then(|key| live.get(&key))
                    .map_or(0, |live| live.game_sessions.cast_signed()),
                history: histories.remove(alias.alias_id.as_str()).unwrap_or_default(),
                alias,
            })
            .collect();
        rows.sort_by(|a, b| (&a.alias.region, &a.alias.name).cmp(&(&b.alias.region, &b.alias.name)));
        Ok((rows, self.freshness(Basis::All(PollKind::Aliases), now)))
    }
}

fn destination(arn: &str, directory: &Directory, aliases: &HashMap<String, Alias>) -> QueueDestination {
    let id = arn.rsplit('/').next().unwrap_or(arn).to_owned();
    if let Some(alias) = aliases.get(&id) {
        let fleet_id = match &alias.routing {
            RoutingStrategy::Simple { fleet_id } => Some(fleet_id.clone()),
            RoutingStrategy::Terminal { .. } => None,
        };
        let (label, alias_id) = (alias.name.clone(), Some(alias.alias_id.clone()));
        return QueueDestination { arn: arn.to_owned(), label, fleet_id, alias_id };
    }
    let fleet_id = FleetId::new(id.clone());
    let known = directory.fleet_key(&fleet_id);
    let is_alias = id.starts_with("alias-");
    QueueDestination {
        arn: arn.to_owned(),
        label: known.map_or(id.clone(), |key| directory.fleet_name(key)),
        fleet_id: (!is_alias).then_some(fleet_id),
        alias_id: is_alias.then(|| AliasId::new(id)),
    }
}
