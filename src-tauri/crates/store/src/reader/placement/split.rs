//! Outcomes and times to place of the placements in a scope, as a whole or split by queue, Region or destination.
//!
//! Owns the scope and the split. Whole days come from `placement_day`, the rest from the events.

use std::collections::BTreeMap;

use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_model::{FleetId, QueueName, Region};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Sqlite};

use super::difference::{push_ids, push_of_matches};
use super::sum::{COUNTED_EVENTS, Summed, inside};
use super::{Funnel, PlacementStatistics};
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::change::push_range;
use crate::reader::classes::Having;
use crate::reader::directory::Directory;

/// Selects placements regardless of time; all of them by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacementScope {
    /// Only of this queue.
    pub queue: Option<String>,
    /// Only of queues in this Region.
    pub region: Option<Region>,
    /// Only placements with this destination: the id of a fleet, or `nowhere`.
    #[specta(type = Option<String>)]
    pub destination: Option<Destination>,
    /// Only placements with this value of what placements are compared by, such as `fleet=fleet-1`: as far as known of
    /// failed and fulfilled ones alike, so a fleet is one that the queue leads to now.
    #[specta(type = Option<String>)]
    pub having: Option<Having>,
}

/// Where a placement ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Destination {
    /// Its game session runs on this fleet.
    Fleet(FleetId),
    /// It was cancelled, timed out or failed.
    Nowhere,
}

/// How [`Destination::Nowhere`] is written.
const NOWHERE: &str = "nowhere";

impl From<String> for Destination {
    fn from(text: String) -> Self {
        if text == NOWHERE { Self::Nowhere } else { Self::Fleet(FleetId::new(text)) }
    }
}

impl From<Destination> for String {
    fn from(destination: Destination) -> Self {
        match destination {
            Destination::Fleet(fleet) => fleet.into_string(),
            Destination::Nowhere => NOWHERE.to_owned(),
        }
    }
}

/// What placements can be split by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PlacementSplit {
    /// By queue.
    Queue,
    /// By the Region of the queue.
    Region,
    /// By the fleet that took them.
    Destination,
}

/// A part of the placements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlacementGroup {
    /// Of this queue.
    Queue(Region, QueueName),
    /// Of queues in this Region.
    Region(Region),
    /// Placements with this destination, and the fleet's name, or its id if it has none.
    Destination(Destination, String),
}

/// A scope expressed in table keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys<'s> {
    pub(super) queue: Option<&'s str>,
    region_key: Option<i64>,
    /// 0 stands for [`Destination::Nowhere`].
    fleet_key: Option<i64>,
    each: Option<Each>,
}

/// A further condition on placements.
#[derive(Clone, Debug)]
pub(super) enum Each {
    OfQueue(String),
    OfRegion(i64),
    /// Of one of these queues, each with the key of its Region.
    OfQueues(Vec<(String, i64)>),
    /// Of a match proposed in a range.
    OfMatches {
        range: TimeRange,
        configuration: Option<String>,
        players: Option<i64>,
    },
    /// Of a match with so many players, or with one of these ids.
    OfPlayers {
        range: TimeRange,
        players: i64,
        ids: Vec<String>,
    },
    WithIds(Vec<String>),
}

impl Each {
    /// Whether sums by day tell it, too.
    const fn is_of_queues(&self) -> bool {
        matches!(self, Self::OfQueue(_) | Self::OfRegion(_) | Self::OfQueues(_))
    }

    /// Appends the condition on the columns of `row`, which ends with a dot or is empty.
    fn push(&self, sql: &mut QueryBuilder<Sqlite>, row: &'static str) {
        // A plus stops SQLite from using the index of a column that should not drive the query.
        match self {
            Self::OfQueue(queue) => {
                sql.push(" AND +").push(row).push("queue = ").push_bind(queue.clone());
            }
            Self::OfRegion(region_key) => {
                sql.push(" AND +").push(row).push("region_key = ").push_bind(*region_key);
            }
            Self::OfQueues(queues) => {
                // Of no queue by name: a condition that is plainly false would make SQLite walk the table.
                sql.push(" AND (+").push(row).push("queue = ''");
                for (queue, region_key) in queues {
                    sql.push(" OR (+").push(row).push("queue = ").push_bind(queue.clone());
                    sql.push(" AND +").push(row).push("region_key = ").push_bind(*region_key).push(")");
                }
                sql.push(")");
            }
            Self::OfMatches { range, configuration, players } => {
                sql.push(" AND ");
                push_of_matches(sql, *range, configuration.as_deref(), *players);
            }
            Self::OfPlayers { range, players, ids } => {
                sql.push(" AND (");
                push_of_matches(sql, *range, None, Some(*players));
                sql.push(" OR ");
                push_ids(sql, ids.iter());
                sql.push(")");
            }
            Self::WithIds(ids) => {
                sql.push(" AND ");
                push_ids(sql, ids.iter());
            }
        }
    }
}

impl PlacementScope {
    fn keys(&self, directory: &Directory) -> Keys<'_> {
        let unknown = -1;
        Keys {
            queue: self.queue.as_deref(),
            region_key: self.region.as_ref().map(|region| directory.region_key(region).unwrap_or(unknown)),
            fleet_key: self.destination.as_ref().map(|destination| match destination {
                Destination::Fleet(fleet) => directory.fleet_key(fleet).unwrap_or(unknown),
                Destination::Nowhere => 0,
            }),
            each: None,
        }
    }
}

impl Keys<'_> {
    /// Whether such placements are also summed by the hour: those of all destinations.
    pub(super) fn is_summed(&self) -> bool {
        self.fleet_key.is_none() && self.has_days()
    }

    /// Whether sums by day tell these placements.
    fn has_days(&self) -> bool {
        self.each.as_ref().is_none_or(Each::is_of_queues)
    }

    /// Appends the condition on events `e` in `range`.
    pub(super) fn push_events(&self, sql: &mut QueryBuilder<Sqlite>, range: TimeRange) {
        if let Some(queue) = self.queue {
            sql.push("e.queue = ").push_bind(queue.to_owned()).push(" AND ");
        }
        sql.push("e.event_at >= ");
        push_range(sql, "e.event_at", Some(range));
        if let Some(region_key) = self.region_key {
            sql.push(" AND e.region_key = ").push_bind(region_key);
        }
        match self.fleet_key {
            Some(0) => sql.push(" AND e.fleet_key IS NULL"),
            Some(fleet_key) => sql.push(" AND e.fleet_key = ").push_bind(fleet_key),
            None => sql,
        };
        if let Some(each) = &self.each {
            each.push(sql, "e.");
        }
    }

    /// Appends the table of daily sums to use for `split`, and the condition on its rows.
    fn push_days(&self, sql: &mut QueryBuilder<Sqlite>, days: TimeRange, split: PlacementSplit) {
        if split != PlacementSplit::Destination && self.is_summed() {
            // This table has fewer rows, because it is not split by destination.
            sql.push("placement_sum WHERE span_ms = ").push_bind(DAY_MS).push(" AND start_at >= ");
            push_range(sql, "start_at", Some(days));
        } else {
            sql.push("placement_day WHERE day_at >= ");
            push_range(sql, "day_at", Some(days));
        }
        self.push_queue(sql);
        if let Some(key) = self.fleet_key {
            sql.push(" AND fleet_key = ").push_bind(key);
        }
    }

    /// Appends the condition on the queue and its Region.
    pub(super) fn push_queue(&self, sql: &mut QueryBuilder<Sqlite>) {
        if let Some(queue) = self.queue {
            sql.push(" AND queue = ").push_bind(queue.to_owned());
        }
        if let Some(region_key) = self.region_key {
            sql.push(" AND region_key = ").push_bind(region_key);
        }
        if let Some(each) = &self.each {
            each.push(sql, "");
        }
    }
}

/// The part that a row counts for: a queue by its Region's key and its name, the others by key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Queue(i64, String),
    Key(i64),
}

impl PlacementSplit {
    const fn of_event(self) -> &'static str {
        match self {
            Self::Queue => "e.region_key AS part, e.queue AS name",
            Self::Region => "e.region_key AS part, '' AS name",
            Self::Destination => "coalesce(e.fleet_key, 0) AS part, '' AS name",
        }
    }

    const fn of_day(self) -> &'static str {
        match self {
            Self::Queue => "region_key AS part, queue AS name",
            Self::Region => "region_key AS part, '' AS name",
            Self::Destination => "fleet_key AS part, '' AS name",
        }
    }

    /// Reads the part from a row's columns `part` and `name`.
    fn part(self, row: &SqliteRow) -> Result<Part, StoreError> {
        Ok(match self {
            Self::Queue => Part::Queue(row.read("part")?, row.read("name")?),
            Self::Region | Self::Destination => Part::Key(row.read("part")?),
        })
    }

    fn group(self, part: Part, directory: &Directory) -> PlacementGroup {
        match (self, part) {
            (_, Part::Queue(region_key, queue)) => {
                PlacementGroup::Queue(directory.region(region_key), QueueName::new(queue))
            }
            (Self::Destination, Part::Key(0)) => {
                PlacementGroup::Destination(Destination::Nowhere, "not placed".to_owned())
            }
            (Self::Destination, Part::Key(key)) => PlacementGroup::Destination(
                Destination::Fleet(directory.fleet_id(key)),
                directory.fleet_name(key),
            ),
            (_, Part::Key(key)) => PlacementGroup::Region(directory.region(key)),
        }
    }
}

impl Reader {
    /// The keys of a scope, over the placements of `range`.
    pub(super) async fn placement_keys<'s>(
        &self,
        scope: &'s PlacementScope,
        range: TimeRange,
        directory: &Directory,
    ) -> Result<Keys<'s>, StoreError> {
        let each = match &scope.having {
            Some(having) => Some(self.placements_having(having, range, directory).await?),
            None => None,
        };
        Ok(Keys { each, ..scope.keys(directory) })
    }

    /// Outcomes and times to place of the placements in `scope` and `range`, split into parts. The largest part comes
    /// first, and empty parts are left out. Times are exact if the range holds no whole day (UTC), and otherwise at
    /// most 5 % off.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placement_split(
        &self,
        scope: &PlacementScope,
        range: TimeRange,
        split: PlacementSplit,
    ) -> Result<Vec<(PlacementGroup, PlacementStatistics)>, StoreError> {
        let directory = self.directory().await?;
        let keys = self.placement_keys(scope, range, &directory).await?;
        let parts = self.placement_parts(&keys, range, split).await?;
        let mut groups: Vec<_> = parts
            .into_iter()
            .filter(|(_, summed)| summed.funnel.total() > 0)
            .map(|(part, summed)| (split.group(part, &directory), summed.statistics()))
            .collect();
        groups.sort_by_key(|(_, statistics)| std::cmp::Reverse(statistics.funnel.total()));
        Ok(groups)
    }

    /// Outcomes and times to place in `scope` and `range`. Times are exact over less than three hours. Over longer ranges
    /// they come from sums by hour and day, and percentiles are at most 5 % off.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placement_statistics(
        &self,
        scope: &PlacementScope,
        range: TimeRange,
    ) -> Result<PlacementStatistics, StoreError> {
        let directory = self.directory().await?;
        let keys = self.placement_keys(scope, range, &directory).await?;
        Ok(self.placements_summed(&keys, range).await?.statistics())
    }

    /// Sums of all placements in `keys` and `range`.
    pub(super) async fn placements_summed(
        &self,
        keys: &Keys<'_>,
        range: TimeRange,
    ) -> Result<Summed, StoreError> {
        if keys.is_summed() {
            return self.placement_sums(keys, range).await;
        }
        let mut all = Summed::default();
        for (_, part) in self.placement_parts(keys, range, PlacementSplit::Region).await? {
            all.add_all(part);
        }
        Ok(all)
    }

    async fn placement_parts(
        &self,
        keys: &Keys<'_>,
        range: TimeRange,
        split: PlacementSplit,
    ) -> Result<BTreeMap<Part, Summed>, StoreError> {
        let days =
            if keys.has_days() { inside(range, DAY_MS) } else { TimeRange::new(range.from, range.from) };
        let mut parts: BTreeMap<Part, Summed> = BTreeMap::new();
        let around = if days.length_ms() > 0 {
            vec![TimeRange::new(range.from, days.from), TimeRange::new(days.to, range.to)]
        } else {
            vec![range]
        };
        for around in around.into_iter().filter(|part| part.length_ms() > 0) {
            let mut sql = QueryBuilder::new("SELECT ");
            sql.push(split.of_event()).push(", ").push(COUNTED_EVENTS);
            keys.push_events(&mut sql, around);
            sql.push(" GROUP BY 1, 2");
            for row in sql.build().fetch_all(self.pool()).await? {
                parts.entry(split.part(&row)?).or_default().add_event_row(&row)?;
            }
        }
        if days.length_ms() > 0 {
            let mut sql = QueryBuilder::new("SELECT ");
            sql.push(split.of_day());
            // One row per part, because fetching thousands of rows would cost more than the data in them.
            sql.push(
                ", sum(fulfilled) AS fulfilled, sum(cancelled) AS cancelled, sum(timed_out) AS timed_out, \
                 sum(failed) AS failed, json_group_array(hex(times)) AS times FROM ",
            );
            keys.push_days(&mut sql, days, split);
            sql.push(" GROUP BY 1, 2");
            for row in sql.build().fetch_all(self.pool()).await? {
                let summed = parts.entry(split.part(&row)?).or_default();
                summed.add_sums(Funnel::of_row(&row)?, row.text("times")?)?;
            }
        }
        Ok(parts)
    }
}

impl Funnel {
    /// Reads the columns of the same names. A sum over no rows is NULL.
    pub(crate) fn of_row(row: &SqliteRow) -> Result<Self, StoreError> {
        let count = |name| Ok::<u64, StoreError>(row.read::<Option<u64>>(name)?.unwrap_or(0));
        let (fulfilled, cancelled) = (count("fulfilled")?, count("cancelled")?);
        Ok(Self { fulfilled, cancelled, timed_out: count("timed_out")?, failed: count("failed")? })
    }
}
