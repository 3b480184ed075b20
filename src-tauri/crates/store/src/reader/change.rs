//! The feed of recorded changes: settings that differed from one poll to the next, and fleet events.

use std::collections::HashMap;

use liftdeck_model::fleet::FleetEvent;
use liftdeck_model::time::TimeRange;
use liftdeck_model::trail::{Footprint, TrailCall};
use liftdeck_model::{FleetEventCode, FleetId, Location, Region, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, QueryBuilder, Sqlite};

use super::Reader;
use super::directory::Directory;
use super::window::{List, Page, Window};
use crate::code::Code;
use crate::column::Columns as _;
use crate::error::StoreError;

/// One field of one resource that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeRow {
    /// Key within this database, ascending with time of recording.
    pub change_key: i64,
    /// When a poll first saw it.
    pub seen_at: Timestamp,
    /// Home Region.
    pub region: Region,
    /// Kind of resource as the schema names it: `fleet`, `fleet_capacity`, `scaling_policy`, `alias` …
    pub kind: String,
    /// Its id.
    pub resource: String,
    /// Its name.
    pub name: Option<String>,
    /// Fleet concerned.
    pub fleet_id: Option<FleetId>,
    /// That fleet's name.
    pub fleet_name: Option<String>,
    /// Location concerned.
    pub location: Option<Location>,
    /// The record's field, or `added` / `gone`.
    pub field: String,
    /// Value before.
    pub before: Option<String>,
    /// Value after.
    pub after: Option<String>,
    /// When the value before was last confirmed: the change was made after that.
    pub since_at: Option<Timestamp>,
}

/// A call may show this much later in what GameLift answers, and CloudTrail's times are whole seconds.
const SHOWN_LATE_MS: i64 = 120_000;
/// The computer's clock may be behind AWS's by this much.
const CLOCK_MS: i64 = 30_000;
/// How far back to look for a change of which it is not known when it was not there yet.
const UNKNOWN_MS: i64 = 15 * 60_000;
/// A moment that AWS itself recorded may differ from CloudTrail's by this much.
const EXACT_MS: i64 = 5_000;

impl ChangeRow {
    /// The moment AWS itself recorded for this change: an alias says when it was updated.
    pub fn updated_at(&self) -> Option<Timestamp> {
        let is_stamp = self.kind == "alias" && self.field == "last_updated_time";
        self.after.as_ref().filter(|_| is_stamp)?.parse().ok().map(Timestamp::from_ms)
    }

    /// When the call that left this change can have been made.
    pub fn made_in(&self) -> TimeRange {
        if let Some(at) = self.updated_at() {
            return TimeRange::new(at.plus_ms(-EXACT_MS), at.plus_ms(EXACT_MS));
        }
        let since = self.since_at.map_or(self.seen_at.plus_ms(-UNKNOWN_MS), |at| at.plus_ms(-SHOWN_LATE_MS));
        TimeRange::new(since.min(self.seen_at), self.seen_at.plus_ms(CLOCK_MS))
    }

    /// What a call would have left as this change.
    pub fn footprint(&self) -> Footprint<'_> {
        Footprint {
            kind: &self.kind,
            resource: &self.resource,
            fleet_id: self.fleet_id.as_ref().map(FleetId::as_str),
            location: self.location.as_ref().map(Location::as_str),
            home: self.region.as_str(),
            field: &self.field,
            after: self.after.as_deref(),
        }
    }

    /// Whether this call can have made the change: it names what changed and was made in time.
    pub fn is_made_by(&self, call: &TrailCall) -> bool {
        let window = self.made_in();
        (window.from..=window.to).contains(&call.at) && self.footprint().is_left_by(call)
    }
}

/// Selects changes.
#[derive(Clone, Copy, Debug)]
pub enum ChangeScope<'a> {
    /// All of them.
    All,
    /// Changes to one fleet, its locations, policies and configuration, and to aliases pointed at it or away from it.
    Fleet(&'a FleetId),
    /// Of one resource.
    Resource {
        /// Kind as the schema names it.
        kind: &'a str,
        /// Its id.
        resource: &'a str,
    },
}

/// A fleet event with its fleet's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetEventRow {
    /// The event.
    pub event: FleetEvent,
    /// Home Region of the fleet.
    pub region: Region,
    /// Name of the fleet.
    pub fleet_name: String,
}

const CHANGE: &str = "SELECT change_key, seen_at, region_key, kind, resource, name, fleet_key, location_key, field, before, \
    after, since_at FROM change ";

impl Reader {
    /// Changes seen in `range` (at any time if `None`), newest first, at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn changes(
        &self,
        scope: ChangeScope<'_>,
        range: Option<TimeRange>,
        limit: u32,
    ) -> Result<Vec<ChangeRow>, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new(CHANGE);
        sql.push("WHERE ");
        match scope {
            ChangeScope::All => sql.push("seen_at >= "),
            ChangeScope::Fleet(id) => {
                let Some(key) = directory.fleet_key(id) else { return Ok(Vec::new()) };
                sql.push("change_key IN (SELECT change_key FROM change WHERE fleet_key = ").push_bind(key);
                sql.push(" AND seen_at >= ");
                push_range(&mut sql, "seen_at", range);
                // An alias belongs to no fleet, so its changes are found by the fleet id in its routing.
                let named = format!("\"{id}\"");
                sql.push(
                    " UNION ALL SELECT change_key FROM change WHERE kind = 'alias' AND field = 'routing'",
                );
                sql.push(" AND (instr(before, ").push_bind(named.clone()).push(") OR instr(after, ");
                sql.push_bind(named).push("))) AND seen_at >= ")
            }
            ChangeScope::Resource { kind, resource } => {
                sql.push("kind = ").push_bind(kind.to_owned());
                sql.push(" AND resource = ").push_bind(resource.to_owned()).push(" AND seen_at >= ")
            }
        };
        push_range(&mut sql, "seen_at", range);
        sql.push(" ORDER BY seen_at DESC, change_key DESC LIMIT ").push_bind(i64::from(limit));
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter().map(|row| change(row, &directory)).collect()
    }

    /// Changes of each existing resource of a kind by id, newest first, at most `each`; read in one statement.
    pub(super) async fn changes_by_resource(
        &self,
        directory: &Directory,
        kind: &'static str,
        each: u32,
    ) -> Result<HashMap<String, Vec<ChangeRow>>, StoreError> {
        let statement = format!(
            "{CHANGE} WHERE change_key IN (SELECT c.change_key FROM resource r CROSS JOIN change c ON c.change_key IN \
             (SELECT change_key FROM change WHERE kind = ?1 AND resource = r.id ORDER BY seen_at DESC, \
             change_key DESC LIMIT ?2) WHERE r.kind = ?1 AND r.gone_at IS NULL) \
             ORDER BY seen_at DESC, change_key DESC"
        );
        let query = sqlx::query(AssertSqlSafe(statement)).bind(kind).bind(each);
        let mut changes: HashMap<String, Vec<ChangeRow>> = HashMap::new();
        for row in query.fetch_all(self.pool()).await? {
            let row = change(&row, directory)?;
            changes.entry(row.resource.clone()).or_default().push(row);
        }
        Ok(changes)
    }

    /// Events of a fleet, or of all fleets, in `range`, newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn fleet_events(
        &self,
        fleet: Option<&FleetId>,
        range: Option<TimeRange>,
        page: Page,
    ) -> Result<Window<FleetEventRow>, StoreError> {
        const EVENTS: List = List {
            head: "SELECT fleet_key, event_id, event_code, message, event_at, count, has_log FROM fleet_event WHERE ",
            table: "fleet_event",
            order: " ORDER BY event_at DESC, event_key DESC",
            counted: 10_000,
        };
        let directory = self.directory().await?;
        let key = fleet.map(|id| directory.fleet_key(id).unwrap_or(-1));
        let condition = |sql: &mut QueryBuilder<Sqlite>| {
            if let Some(key) = key {
                sql.push("fleet_key = ").push_bind(key).push(" AND ");
            }
            sql.push("event_at >= ");
            push_range(sql, "event_at", range);
        };
        self.window(&EVENTS, page, condition, |row| event(row, &directory)).await
    }

    /// Fleet events of some codes in `range`, of every fleet, oldest first. At most the newest 20 000.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn fleet_events_of(
        &self,
        codes: &[FleetEventCode],
        range: TimeRange,
    ) -> Result<Vec<FleetEventRow>, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new(
            "SELECT fleet_key, event_id, event_code, message, event_at, count, has_log FROM fleet_event WHERE event_at >= ",
        );
        push_range(&mut sql, "event_at", Some(range));
        sql.push(" AND event_code IN (");
        let mut list = sql.separated(", ");
        for code in codes {
            list.push_bind(code.as_str().to_owned());
        }
        sql.push(") ORDER BY event_at DESC, event_key DESC LIMIT 20000");
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter().rev().map(|row| event(row, &directory)).collect()
    }

    /// How many fleet events of some codes there were, in consecutive stretches of `width_ms` that cover `range`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn fleet_event_counts(
        &self,
        codes: &[FleetEventCode],
        range: TimeRange,
        width_ms: i64,
    ) -> Result<Vec<u64>, StoreError> {
        let width_ms = width_ms.max(1);
        let many = usize::try_from((range.length_ms() + width_ms - 1) / width_ms).unwrap_or(0);
        let mut counts = vec![0_u64; many];
        let mut sql = QueryBuilder::new("SELECT (event_at - ");
        sql.push_bind(range.from.as_ms()).push(") / ").push_bind(width_ms);
        sql.push(" AS stretch, sum(max(count, 1)) AS events FROM fleet_event WHERE event_at >= ");
        push_range(&mut sql, "event_at", Some(range));
        sql.push(" AND event_code IN (");
        let mut list = sql.separated(", ");
        for code in codes {
            list.push_bind(code.as_str().to_owned());
        }
        sql.push(") GROUP BY 1");
        for row in sql.build().fetch_all(self.pool()).await? {
            let stretch: i64 = row.read("stretch")?;
            if let Some(count) = usize::try_from(stretch).ok().and_then(|stretch| counts.get_mut(stretch)) {
                *count = row.read("events")?;
            }
        }
        Ok(counts)
    }
}

/// Appends the bounds of `range` after `column >= `; without a range everything matches.
pub(super) fn push_range(sql: &mut QueryBuilder<Sqlite>, column: &str, range: Option<TimeRange>) {
    match range {
        Some(range) => {
            sql.push_bind(range.from.as_ms())
                .push(" AND ")
                .push(column)
                .push(" < ")
                .push_bind(range.to.as_ms());
        }
        None => {
            sql.push_bind(i64::MIN);
        }
    }
}

fn change(row: &SqliteRow, directory: &Directory) -> Result<ChangeRow, StoreError> {
    let fleet_key: Option<i64> = row.read("fleet_key")?;
    Ok(ChangeRow {
        change_key: row.read("change_key")?,
        seen_at: row.read("seen_at")?,
        region: directory.region(row.read("region_key")?),
        kind: row.read("kind")?,
        resource: row.read("resource")?,
        name: row.read("name")?,
        fleet_id: fleet_key.map(|key| directory.fleet_id(key)),
        fleet_name: fleet_key.map(|key| directory.fleet_name(key)),
        location: directory.location(row.read("location_key")?),
        field: row.read("field")?,
        before: row.read("before")?,
        after: row.read("after")?,
        since_at: row.read("since_at")?,
    })
}

fn event(row: &SqliteRow, directory: &Directory) -> Result<FleetEventRow, StoreError> {
    let key: i64 = row.read("fleet_key")?;
    Ok(FleetEventRow {
        event: FleetEvent {
            event_id: row.read::<Code>("event_id")?.decode(),
            fleet_id: directory.fleet_id(key),
            event_code: row.text("event_code")?.into(),
            message: row.read("message")?,
            event_time: row.read("event_at")?,
            count: row.read("count")?,
            has_log: row.read("has_log")?,
        },
        region: directory.home(key),
        fleet_name: directory.fleet_name(key),
    })
}
