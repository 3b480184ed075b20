//! Counts game sessions by what they have in common: for every value of every dimension, how many there are and how
//! many of them match a second query.
//!
//! Owns the dimensions and the counts. What they mean is judged elsewhere. All dimensions are counted in one
//! read transaction, so that they are of the same sessions; each dimension has its most frequent values, and the rest is summed up.

use std::collections::{BTreeMap, HashMap};

use liftdeck_model::content::{Build, Script};
use liftdeck_model::fleet::Fleet;
use liftdeck_model::query::{Query, quoted};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::{QueryBuilder, Sqlite};

use super::SessionRequest;
use super::filter::{Scope, push_query};
use super::list::push_request;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
#[cfg(doc)]
use crate::reader::classes::Having;
use crate::reader::directory::Directory;
use crate::reader::window::Page;

/// Most values counted of computes, of queues, and of all game properties together.
const VALUES: i64 = 500;

/// Counts game properties by reading the text of each session.
const PAIRS_OF_EACH: &str = "json_extract(e.value, '$[0]') AS name, json_extract(e.value, '$[1]') AS value, \
    count(*) AS sessions, sum(m.bad) AS bad FROM m CROSS JOIN game_session_text t ON t.session_key = m.k \
    CROSS JOIN json_each(t.game_properties) e GROUP BY 2, 3 ORDER BY 4 DESC, 5 DESC LIMIT ";

/// What game sessions, placements or tickets are compared by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Dimension {
    /// Build of the fleet.
    Build,
    /// Realtime script of the fleet.
    Script,
    /// Fleet.
    Fleet,
    /// Where it runs.
    Location,
    /// Instance type of the fleet.
    InstanceType,
    /// A game property, by its key.
    Property(String),
    /// The queue that placed it.
    Queue,
    /// Home Region of the queue.
    Region,
    /// Player slots.
    Size,
    /// Instance or compute.
    Compute,
    /// The matchmaking configuration that asked for it.
    Configuration,
    /// The rule set of that configuration.
    RuleSet,
    /// Players it was asked for.
    Players,
}

/// How many have a value, and how many of those are bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCount {
    /// The value as a query names it: an id, a name or a number.
    pub value: String,
    /// The value as a person knows it.
    pub label: String,
    /// The term that selects it: of the query language for game sessions, a [`Having`] as text for placements and
    /// tickets.
    pub term: Option<String>,
    /// Bad ones with this value.
    pub bad: u64,
    /// All with this value.
    pub all: u64,
}

/// A dimension with its most frequent values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DimensionCount {
    /// The dimension.
    pub dimension: Dimension,
    /// Its values, the most frequent first.
    pub values: Vec<ValueCount>,
}

/// Everything counted, by dimension.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bad ones.
    pub bad: u64,
    /// All, including the bad ones.
    pub all: u64,
    /// The dimensions in which at least one has a value.
    pub dimensions: Vec<DimensionCount>,
}

/// Selects the game sessions to compare.
#[derive(Clone, Debug)]
pub struct Compared {
    /// All of them.
    pub among: Query,
    /// The bad ones among them.
    pub bad: Query,
    /// Only of this fleet.
    pub fleet: Option<FleetId>,
    /// Only in this location.
    pub location: Option<Location>,
    /// Only sessions that ran at some time in this range.
    pub range: Option<TimeRange>,
}

impl Compared {
    const fn queries(&self) -> [&Query; 2] {
        [&self.among, &self.bad]
    }

    fn request(&self) -> SessionRequest {
        SessionRequest {
            query: self.among.clone(),
            fleet: self.fleet.clone(),
            location: self.location.clone(),
            range: self.range,
            sort: None,
            page: Page::first(1),
        }
    }
}

/// What is counted by the settings of a fleet: id and label by fleet key.
#[derive(Default)]
pub(in crate::reader) struct Settings {
    builds: HashMap<i64, (String, String)>,
    scripts: HashMap<i64, (String, String)>,
    instance_types: HashMap<i64, (String, String)>,
}

impl Settings {
    /// The values of a fleet, each as id and label.
    pub(in crate::reader) fn of(
        &self,
        fleet_key: i64,
    ) -> impl Iterator<Item = (Dimension, (String, String))> {
        [
            (Dimension::Build, &self.builds),
            (Dimension::Script, &self.scripts),
            (Dimension::InstanceType, &self.instance_types),
        ]
        .into_iter()
        .filter_map(move |(dimension, of)| Some((dimension, of.get(&fleet_key)?.clone())))
    }
}

/// Counts by value and label, as (bad, all).
type Values = BTreeMap<(String, String), (u64, u64)>;

/// Counts by dimension, while they are added up.
#[derive(Default)]
pub(in crate::reader) struct Tally(BTreeMap<Dimension, Values>);

impl Tally {
    /// Adds to a value, given with its label.
    pub(in crate::reader) fn add(
        &mut self,
        dimension: Dimension,
        value: (String, String),
        bad: u64,
        all: u64,
    ) {
        let sum = self.0.entry(dimension).or_default().entry(value).or_default();
        *sum = (sum.0 + bad, sum.1 + all);
    }

    /// The dimensions with their values, the most frequent first. `term` gives the term that selects a value.
    pub(in crate::reader) fn dimensions(
        self,
        term: fn(&Dimension, &str) -> Option<String>,
    ) -> Vec<DimensionCount> {
        let counted = |(dimension, values): (Dimension, Values)| {
            let value = |((value, label), (bad, all)): ((String, String), (u64, u64))| ValueCount {
                term: term(&dimension, &value),
                value,
                label,
                bad,
                all,
            };
            let mut values: Vec<ValueCount> = values.into_iter().map(value).collect();
            values.sort_by_key(|one| std::cmp::Reverse((one.all, one.bad)));
            DimensionCount { dimension, values }
        };
        self.0.into_iter().map(counted).collect()
    }
}

impl Reader {
    /// Counts the game sessions of a comparison by every dimension.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn session_counts(&self, compared: &Compared, now: Timestamp) -> Result<Counts, StoreError> {
        let directory = self.directory().await?;
        let resolved = self.resolved(&directory, &compared.queries(), now).await?;
        let settings = self.fleet_settings(&directory).await?;
        let scope = Scope { directory: &directory, resolved: &resolved, now, lead: None, probing: false };
        let (mut counts, mut tally) = (Counts::default(), Tally::default());
        let same = |text: String| (text.clone(), text);
        // Both statements must see the same sessions.
        let mut reading = self.pool().begin().await?;
        let mut sql = QueryBuilder::new("");
        push_compared(&mut sql, compared, &scope);
        sql.push(" SELECT f, l, x, count(*) AS sessions, sum(bad) AS bad FROM m GROUP BY f, l, x");
        for row in sql.build().fetch_all(&mut *reading).await? {
            let (bad, all): (u64, u64) = (row.read("bad")?, row.read("sessions")?);
            let (fleet, location): (i64, i64) = (row.read("f")?, row.read("l")?);
            counts.bad += bad;
            counts.all += all;
            let id = directory.fleet_id(fleet).into_string();
            tally.add(Dimension::Fleet, (id, directory.fleet_name(fleet)), bad, all);
            let place = directory.location_or_home(Some(location), fleet).into_string();
            tally.add(Dimension::Location, same(place), bad, all);
            tally.add(Dimension::Size, same(row.read::<i64>("x")?.to_string()), bad, all);
            for (dimension, value) in settings.of(fleet) {
                tally.add(dimension, value, bad, all);
            }
        }
        let stored: i64 =
            sqlx::query_scalar("SELECT count(*) FROM game_session_state").fetch_one(&mut *reading).await?;
        let mut sql = QueryBuilder::new("");
        push_compared(&mut sql, compared, &scope);
        sql.push(" SELECT * FROM (SELECT 1 AS part, ");
        // The properties of a session are found from its text; those of most sessions sooner from the table of pairs.
        if counts.all * 3 > stored.unsigned_abs() {
            push_every_pair(&mut sql, compared, &scope);
        } else {
            sql.push(PAIRS_OF_EACH).push_bind(VALUES);
        }
        sql.push(
            ") UNION ALL SELECT * FROM (SELECT 2, NULL, g.compute_name AS value, count(*) AS sessions, \
             sum(bad) AS bad FROM m CROSS JOIN game_session g ON g.session_key = m.k \
             WHERE g.compute_name IS NOT NULL GROUP BY 3 ORDER BY 4 DESC, 5 DESC LIMIT ",
        );
        sql.push_bind(VALUES);
        sql.push(
            ") UNION ALL SELECT * FROM (SELECT 3, NULL, p.queue AS value, count(*) AS sessions, sum(bad) AS bad \
             FROM m CROSS JOIN game_session g ON g.session_key = m.k \
             CROSS JOIN placement_event p ON p.session_id = g.id AND p.session_prefix_key = g.prefix_key \
             GROUP BY 3 ORDER BY 4 DESC, 5 DESC LIMIT ",
        );
        sql.push_bind(VALUES).push(")");
        for row in sql.build().fetch_all(&mut *reading).await? {
            let (bad, all): (u64, u64) = (row.read("bad")?, row.read("sessions")?);
            let dimension = match row.read::<i64>("part")? {
                1 => Dimension::Property(row.read("name")?),
                2 => Dimension::Compute,
                _ => Dimension::Queue,
            };
            tally.add(dimension, same(row.read("value")?), bad, all);
        }
        reading.rollback().await?;
        counts.dimensions = tally.dimensions(term);
        Ok(counts)
    }

    /// How many of the game sessions of a comparison match which of `queries`: for each set that occurs, a bit for each
    /// query, and how many there are. At most 32 queries are looked at.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn session_overlaps(
        &self,
        compared: &Compared,
        queries: &[Query],
        now: Timestamp,
    ) -> Result<Vec<(u32, u64)>, StoreError> {
        let directory = self.directory().await?;
        let all: Vec<&Query> = compared.queries().into_iter().chain(queries).collect();
        let resolved = self.resolved(&directory, &all, now).await?;
        let scope = Scope { directory: &directory, resolved: &resolved, now, lead: None, probing: false };
        let mut sql = QueryBuilder::new("");
        push_compared(&mut sql, compared, &scope);
        sql.push(" SELECT 0");
        for (index, query) in queries.iter().take(32).enumerate() {
            sql.push(" + coalesce(");
            push_query(&mut sql, query, &scope);
            sql.push(", 0) * ").push_bind(1_i64 << index);
        }
        sql.push(
            " AS bits, count(*) AS sessions FROM m CROSS JOIN game_session_state s ON s.session_key = m.k GROUP BY 1",
        );
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter()
            .map(|row| {
                let bits = u32::try_from(row.read::<i64>("bits")?).unwrap_or(0);
                Ok((bits, row.read("sessions")?))
            })
            .collect()
    }

    pub(in crate::reader) async fn fleet_settings(
        &self,
        directory: &Directory,
    ) -> Result<Settings, StoreError> {
        let labels = |name: Option<String>, version: Option<String>, id: &str| match (name, version) {
            (Some(name), Some(version)) if !name.contains(&version) => format!("{name} {version}"),
            (Some(name), _) => name,
            (None, Some(version)) => version,
            (None, None) => id.to_owned(),
        };
        let mut builds = HashMap::new();
        for build in self.documents::<Build>("build", None).await? {
            let label = labels(build.record.name, build.record.version, &build.id);
            builds.insert(build.id, label);
        }
        let mut scripts = HashMap::new();
        for script in self.documents::<Script>("script", None).await? {
            let label = labels(script.record.name, script.record.version, &script.id);
            scripts.insert(script.id, label);
        }
        let mut settings = Settings::default();
        let labelled = |labels: &HashMap<String, String>, id: String| {
            let label = labels.get(&id).unwrap_or(&id).clone();
            (id, label)
        };
        for fleet in self.documents::<Fleet>("fleet", None).await? {
            let Some(key) = directory.fleet_key(&fleet.record.fleet_id) else { continue };
            if let Some(build) = fleet.record.build_id {
                settings.builds.insert(key, labelled(&builds, build.into_string()));
            }
            if let Some(script) = fleet.record.script_id {
                settings.scripts.insert(key, labelled(&scripts, script.into_string()));
            }
            if let Some(kind) = fleet.record.instance_type {
                settings.instance_types.insert(key, (kind.clone(), kind));
            }
        }
        Ok(settings)
    }
}

/// Appends the sessions of a comparison as the common table `m`.
fn push_compared(sql: &mut QueryBuilder<Sqlite>, compared: &Compared, scope: &Scope<'_>) {
    sql.push(
        "WITH m AS MATERIALIZED (SELECT s.session_key AS k, s.fleet_key AS f, coalesce(s.location_key, 0) AS l, \
         s.maximum_player_session_count AS x, coalesce(",
    );
    push_query(sql, &compared.bad, scope);
    // Naming both values of `live` selects the index that has every column a filter needs.
    sql.push(", 0) AS bad FROM game_session_state s WHERE s.live IN (0, 1)");
    push_request(sql, &compared.request(), scope);
    sql.push(")");
}

/// Appends the count of game properties that walks the whole table of pairs, which is in their order.
fn push_every_pair(sql: &mut QueryBuilder<Sqlite>, compared: &Compared, scope: &Scope<'_>) {
    sql.push(
        "r.name AS name, r.value AS value, most.sessions AS sessions, most.bad AS bad FROM \
         (SELECT every.pair_key, count(*) AS sessions, sum(coalesce(",
    );
    push_query(sql, &compared.bad, scope);
    sql.push(
        ", 0)) AS bad FROM game_session_property every \
         CROSS JOIN game_session_state s ON s.session_key = every.session_key WHERE 1",
    );
    push_request(sql, &compared.request(), scope);
    sql.push(" GROUP BY every.pair_key ORDER BY 2 DESC, 3 DESC LIMIT ").push_bind(VALUES);
    sql.push(") most CROSS JOIN property_pair r ON r.pair_key = most.pair_key");
}

/// The term of the query language that selects the sessions with a value.
fn term(dimension: &Dimension, value: &str) -> Option<String> {
    let field = match dimension {
        Dimension::Build => "build".to_owned(),
        Dimension::Script => "script".to_owned(),
        Dimension::Fleet => "fleet".to_owned(),
        Dimension::Location => "location".to_owned(),
        Dimension::InstanceType => "instance_type".to_owned(),
        Dimension::Property(key) if is_plain(key) => format!("prop.{key}"),
        Dimension::Property(key) => format!("prop.{}", quoted(key)),
        Dimension::Queue => "queue".to_owned(),
        Dimension::Compute => "compute".to_owned(),
        Dimension::Size => return Some(format!("max={value}")),
        // No game session is selected by these.
        Dimension::Region | Dimension::Configuration | Dimension::RuleSet | Dimension::Players => {
            return None;
        }
    };
    // Quotes keep a star or a blank as it is.
    Some(if is_plain(value) { format!("{field}={value}") } else { format!("{field}={}", quoted(value)) })
}

fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-'))
}
