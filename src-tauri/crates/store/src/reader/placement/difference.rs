//! Placements in classes of those that have everything in common that is known of failed and fulfilled ones alike.
//!
//! A placement that failed has no game session: where it would have run and on what is not known. Each placement is
//! therefore given the fleets its queue leads to now, with their locations and what they run; never the one that it was
//! placed on, or every fleet would seem to fail less than it does. Matches and requests made here tell more of some.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use liftdeck_model::action::{Request, StartGameSessionPlacement};
use liftdeck_model::time::{DAY_MS, MINUTE_MS, TimeRange};
use sqlx::{QueryBuilder, Sqlite};

use super::split::Each;
use super::{Funnel, PlacementScope};
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::activity::ActivityRequest;
use crate::reader::classes::{Bad, Class, ClassValue, Having};
use crate::reader::directory::Directory;
use crate::reader::session::difference::Dimension;
use crate::reader::window::Page;

/// How long before its outcome a placement was asked for, at most: AWS gives up after ten minutes.
const ASKED_MS: i64 = 30 * MINUTE_MS;
/// Longest range for which matches are looked through; there are too many of them in longer ones.
const MATCHES_MS: i64 = 3 * DAY_MS;

/// Players of a proposed match, over its tickets.
const PLAYERS: &str = "(SELECT sum(json_array_length(one.value, '$.players')) FROM json_each(e.tickets) one)";

/// The values that a queue gives its placements, by queue and Region.
pub(super) type Leads = HashMap<(String, i64), BTreeSet<ClassValue>>;

impl Reader {
    /// The placements of a range in classes. Those with a matchmaking configuration and a number of players are the
    /// ones of matches, taking a placement's id for that of its match, and only in a range of at most three days; the
    /// ones asked for here have their game properties, slots and players as well.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placement_classes(
        &self,
        scope: &PlacementScope,
        range: TimeRange,
        bad: Bad,
    ) -> Result<Vec<Class>, StoreError> {
        let directory = self.directory().await?;
        let leads = self.leads(&directory).await?;
        let asked = self.asked_here(range).await?;
        let keys = self.placement_keys(scope, range, &directory).await?;
        let mut sql = QueryBuilder::new("WITH made AS MATERIALIZED (SELECT e.match_id, ");
        sql.push("max(e.configuration) AS configuration, max(").push(PLAYERS);
        sql.push(") AS players FROM matchmaking_event e WHERE ");
        push_made(&mut sql, range);
        // Of a longer range no match is looked up at all: those of its last days alone would compare days.
        sql.push(if range.length_ms() > MATCHES_MS { " AND e.match_id = ''" } else { "" });
        sql.push(
            " GROUP BY 1) SELECT e.queue, e.region_key, e.event_type, made.configuration, made.players, ",
        );
        push_asked(&mut sql, &asked);
        sql.push(" AS asked, ");
        match bad {
            Bad::Failed => drop(sql.push("0")),
            Bad::Within(span) => {
                sql.push("e.event_at >= ").push_bind(span.from.as_ms());
                sql.push(" AND e.event_at < ").push_bind(span.to.as_ms());
            }
        }
        sql.push(" AS inside, count(*) AS placements FROM placement_event e ");
        sql.push("LEFT JOIN made ON made.match_id = e.placement_id WHERE ");
        keys.push_events(&mut sql, range);
        sql.push(" GROUP BY 1, 2, 3, 4, 5, 6, 7");
        let mut classes: BTreeMap<BTreeSet<ClassValue>, (u64, u64)> = BTreeMap::new();
        for row in sql.build().fetch_all(self.pool()).await? {
            let queue: (String, i64) = (row.read("queue")?, row.read("region_key")?);
            let mut values = leads.get(&queue).cloned().unwrap_or_default();
            values.insert(ClassValue::new(Dimension::Region, directory.region(queue.1).into_string()));
            values.insert(ClassValue::new(Dimension::Queue, queue.0));
            if let Some(configuration) = row.read::<Option<String>>("configuration")? {
                values.insert(ClassValue::new(Dimension::Configuration, configuration));
            }
            if let Some(players) = row.read::<Option<i64>>("players")? {
                values.insert(ClassValue::new(Dimension::Players, players.to_string()));
            }
            if let Some(id) = row.read::<Option<String>>("asked")? {
                values.extend(asked.get(&id).into_iter().flat_map(asked_for));
            }
            let mut funnel = Funnel::default();
            funnel.add(row.read("event_type")?, row.read("placements")?);
            let all = funnel.total();
            let bad = match bad {
                Bad::Failed => funnel.timed_out + funnel.failed,
                Bad::Within(_) => {
                    if row.read("inside")? {
                        all
                    } else {
                        0
                    }
                }
            };
            let sum = classes.entry(values).or_default();
            *sum = (sum.0 + bad, sum.1 + all);
        }
        Ok(classes.into_iter().map(|(values, (bad, all))| Class { values, bad, all }).collect())
    }

    /// The condition that selects the placements with a value, over those of `range`.
    pub(super) async fn placements_having(
        &self,
        having: &Having,
        range: TimeRange,
        directory: &Directory,
    ) -> Result<Each, StoreError> {
        Ok(match &having.dimension {
            Dimension::Queue => Each::OfQueue(having.value.clone()),
            Dimension::Region => {
                Each::OfRegion(directory.region_key(&having.value.as_str().into()).unwrap_or(-1))
            }
            Dimension::Fleet
            | Dimension::Build
            | Dimension::Script
            | Dimension::InstanceType
            | Dimension::Location => {
                let mut queues: Vec<(String, i64)> = self
                    .leads(directory)
                    .await?
                    .into_iter()
                    .filter(|(_, values)| {
                        values.iter().any(|it| it.dimension == having.dimension && it.value == having.value)
                    })
                    .map(|(queue, _)| queue)
                    .collect();
                queues.sort();
                Each::OfQueues(queues)
            }
            Dimension::Configuration => {
                Each::OfMatches { range, configuration: Some(having.value.clone()), players: None }
            }
            dimension => {
                let wanted = |asked: &StartGameSessionPlacement| {
                    asked_for(asked).any(|it| it.dimension == *dimension && it.value == having.value)
                };
                let ids = self.asked_here(range).await?.into_iter().filter(|(_, asked)| wanted(asked));
                let mut ids: Vec<String> = ids.map(|(id, _)| id).collect();
                ids.sort();
                match (dimension, having.value.parse()) {
                    (Dimension::Players, Ok(players)) => Each::OfPlayers { range, players, ids },
                    _ => Each::WithIds(ids),
                }
            }
        })
    }

    /// What a queue leads to now: fleets, their locations, and what they run on.
    async fn leads(&self, directory: &Directory) -> Result<Leads, StoreError> {
        let settings = self.fleet_settings(directory).await?;
        let mut locations: HashMap<i64, Vec<String>> = HashMap::new();
        for row in
            sqlx::query("SELECT fleet_key, location_key FROM fleet_capacity").fetch_all(self.pool()).await?
        {
            let fleet: i64 = row.read("fleet_key")?;
            let place = directory.location_or_home(row.read("location_key")?, fleet).into_string();
            locations.entry(fleet).or_default().push(place);
        }
        let mut leads = Leads::new();
        for row in self.queue_rows().await? {
            let mut values = BTreeSet::new();
            let allowed = &row.queue.allowed_locations;
            for id in row.destinations.into_iter().filter_map(|destination| destination.fleet_id) {
                let Some(key) = directory.fleet_key(&id) else {
                    values.insert(ClassValue::new(Dimension::Fleet, id.into_string()));
                    continue;
                };
                let (value, label) = (id.into_string(), directory.fleet_name(key));
                values.insert(ClassValue { dimension: Dimension::Fleet, value, label });
                let of_fleet = settings.of(key);
                values.extend(of_fleet.map(|(dimension, (value, label))| ClassValue {
                    dimension,
                    value,
                    label,
                }));
                let places = locations.get(&key).into_iter().flatten();
                let places = places.filter(|place| allowed.is_empty() || allowed.contains(place));
                values.extend(places.map(|place| ClassValue::new(Dimension::Location, place.clone())));
            }
            let Some(region_key) = directory.region_key(&row.queue.region) else { continue };
            leads.insert((row.queue.name.into_string(), region_key), values);
        }
        Ok(leads)
    }

    /// The newest 1 000 placements that were asked for with this installation and may have ended in a range, by id.
    async fn asked_here(
        &self,
        range: TimeRange,
    ) -> Result<BTreeMap<String, StartGameSessionPlacement>, StoreError> {
        let request = ActivityRequest {
            operations: vec!["StartGameSessionPlacement".to_owned()],
            range: Some(TimeRange::new(range.from.plus_ms(-ASKED_MS), range.to)),
            ..ActivityRequest::everything(Page::first(Page::MOST))
        };
        let asked = self.activities(&request).await?.rows.into_iter().filter_map(|row| {
            let Request::StartGameSessionPlacement(asked) = row.action.request else { return None };
            Some((asked.placement_id.to_string(), asked))
        });
        Ok(asked.collect())
    }
}

/// What a request tells of its placement.
fn asked_for(asked: &StartGameSessionPlacement) -> impl Iterator<Item = ClassValue> {
    let slots = ClassValue::new(Dimension::Size, asked.maximum_player_session_count.to_string());
    let players = (!asked.players.is_empty())
        .then(|| ClassValue::new(Dimension::Players, asked.players.len().to_string()));
    let property = |one: &liftdeck_model::game_session::GameProperty| {
        ClassValue::new(Dimension::Property(one.key.clone()), one.value.clone())
    };
    asked.game_properties.iter().map(property).chain([slots]).chain(players)
}

/// Appends the id of a placement that was asked for here, else NULL.
fn push_asked(sql: &mut QueryBuilder<Sqlite>, asked: &BTreeMap<String, StartGameSessionPlacement>) {
    if asked.is_empty() {
        sql.push("NULL");
        return;
    }
    sql.push("CASE WHEN ");
    push_ids(sql, asked.keys());
    sql.push(" THEN e.placement_id END");
}

/// Appends the condition that a placement `e` has one of these ids.
pub(super) fn push_ids<'i>(sql: &mut QueryBuilder<Sqlite>, ids: impl Iterator<Item = &'i String>) {
    // The plus stops SQLite from looking up each id instead of reading the range. Nothing has the empty id: without any, a
    // condition that is plainly false would make SQLite walk the table.
    sql.push("+e.placement_id IN (''");
    for id in ids {
        sql.push(", ").push_bind(id.clone());
    }
    sql.push(")");
}

/// Appends the condition on the matches `e` proposed in a range: each has all its players then.
fn push_made(sql: &mut QueryBuilder<Sqlite>, range: TimeRange) {
    sql.push("e.event_at >= ").push_bind(range.from.as_ms().saturating_sub(ASKED_MS));
    sql.push(" AND e.event_at < ").push_bind(range.to.as_ms());
    sql.push(" AND e.event_type = 'PotentialMatchCreated' AND e.match_id IS NOT NULL");
}

/// Appends the condition that a placement `e` is one of a match proposed in `range`, as far as is asked.
pub(super) fn push_of_matches(
    sql: &mut QueryBuilder<Sqlite>,
    range: TimeRange,
    configuration: Option<&str>,
    players: Option<i64>,
) {
    sql.push("+e.placement_id IN (SELECT e.match_id FROM matchmaking_event e WHERE ");
    push_made(sql, range);
    if let Some(configuration) = configuration {
        sql.push(" AND e.configuration = ").push_bind(configuration.to_owned());
    }
    if let Some(players) = players {
        sql.push(" AND ").push(PLAYERS).push(" = ").push_bind(players);
    }
    sql.push(")");
}
