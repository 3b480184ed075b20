//! Tickets that ended in classes of those that have everything in common that is known of failed and matched ones alike.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use liftdeck_model::Region;
use liftdeck_model::arn::id_of;
use liftdeck_model::matchmaking::MatchmakingConfiguration;
use liftdeck_model::time::TimeRange;
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::{QueryBuilder, Sqlite};

use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::classes::{Bad, Class, ClassValue, Having};
use crate::reader::directory::Directory;
use crate::reader::session::difference::Dimension;

/// Selects tickets regardless of time; all of them by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TicketScope {
    /// Only of this configuration.
    pub configuration: Option<String>,
    /// Only in this Region.
    pub region: Option<Region>,
}

/// The values that a configuration gives its tickets now, by name and Region.
type Settings = HashMap<(String, i64), BTreeSet<ClassValue>>;

/// A condition on tickets.
pub(super) enum TicketsHaving {
    /// Of one of these configurations, each with the key of its Region; of any Region if that is `None`.
    OfConfigurations(Vec<(String, Option<i64>)>),
    OfRegion(i64),
    WithPlayers(String),
}

impl TicketsHaving {
    pub(super) fn push(&self, sql: &mut QueryBuilder<Sqlite>) {
        // A plus stops SQLite from using the index of a column that should not drive the query.
        match self {
            Self::OfConfigurations(all) => {
                // Of none by name: a condition that is plainly false would make SQLite walk the table.
                sql.push(" AND (+t.configuration = ''");
                for (name, region_key) in all {
                    sql.push(" OR (+t.configuration = ").push_bind(name.clone());
                    if let Some(region_key) = region_key {
                        sql.push(" AND +t.region_key = ").push_bind(*region_key);
                    }
                    sql.push(")");
                }
                sql.push(")");
            }
            Self::OfRegion(region_key) => {
                sql.push(" AND +t.region_key = ").push_bind(*region_key);
            }
            Self::WithPlayers(players) => {
                sql.push(" AND CAST(json_array_length(t.players) AS TEXT) = ").push_bind(players.clone());
            }
        }
    }
}

impl Reader {
    /// The tickets that ended in a range, in classes. Those of one match end together and count as one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn ticket_classes(
        &self,
        scope: &TicketScope,
        range: TimeRange,
        bad: Bad,
    ) -> Result<Vec<Class>, StoreError> {
        let directory = self.directory().await?;
        let settings = self.ticket_settings(&directory).await?;
        let mut sql = QueryBuilder::new(
            "SELECT t.configuration, t.region_key, json_array_length(t.players) AS players, ",
        );
        match bad {
            Bad::Failed => drop(sql.push("t.state IN ('TIMED_OUT', 'FAILED')")),
            Bad::Within(span) => {
                sql.push("t.updated_at >= ").push_bind(span.from.as_ms());
                sql.push(" AND t.updated_at < ").push_bind(span.to.as_ms());
            }
        }
        sql.push(" AS bad, count(DISTINCT coalesce(t.match_id, t.ticket_key)) AS tickets FROM ticket t ");
        sql.push("WHERE t.updated_at >= ").push_bind(range.from.as_ms());
        sql.push(" AND t.updated_at < ").push_bind(range.to.as_ms());
        if let Some(configuration) = &scope.configuration {
            sql.push(" AND t.configuration = ").push_bind(configuration.clone());
        }
        if let Some(region) = &scope.region {
            let key = directory.region_key(region).unwrap_or(-1);
            // By Region alone nearly every ticket would be found.
            let column = if scope.configuration.is_some() { "t.region_key" } else { "+t.region_key" };
            sql.push(" AND ").push(column).push(" = ").push_bind(key);
        }
        sql.push(" AND +t.state IN ('COMPLETED', 'TIMED_OUT', 'FAILED', 'CANCELLED') GROUP BY 1, 2, 3, 4");
        let mut classes: BTreeMap<BTreeSet<ClassValue>, (u64, u64)> = BTreeMap::new();
        for row in sql.build().fetch_all(self.pool()).await? {
            let of: (String, i64) = (row.read("configuration")?, row.read("region_key")?);
            let mut values = settings.get(&of).cloned().unwrap_or_default();
            values.insert(ClassValue::new(Dimension::Region, directory.region(of.1).into_string()));
            values.insert(ClassValue::new(Dimension::Configuration, of.0));
            let players = row.read::<i64>("players")?;
            values.insert(ClassValue::new(Dimension::Players, players.to_string()));
            let all: u64 = row.read("tickets")?;
            let sum = classes.entry(values).or_default();
            *sum = (sum.0 + if row.read("bad")? { all } else { 0 }, sum.1 + all);
        }
        Ok(classes.into_iter().map(|(values, (bad, all))| Class { values, bad, all }).collect())
    }

    /// The condition that selects the tickets with a value.
    pub(super) async fn tickets_having(
        &self,
        having: &Having,
        directory: &Directory,
    ) -> Result<TicketsHaving, StoreError> {
        Ok(match &having.dimension {
            Dimension::Configuration => TicketsHaving::OfConfigurations(vec![(having.value.clone(), None)]),
            Dimension::Region => {
                TicketsHaving::OfRegion(directory.region_key(&having.value.as_str().into()).unwrap_or(-1))
            }
            Dimension::Players => TicketsHaving::WithPlayers(having.value.clone()),
            dimension => {
                let has = |values: &BTreeSet<ClassValue>| {
                    values.iter().any(|one| one.dimension == *dimension && one.value == having.value)
                };
                let settings = self.ticket_settings(directory).await?;
                let own = settings.into_iter().filter(|(_, values)| has(values));
                let mut own: Vec<_> = own.map(|((name, region), _)| (name, Some(region))).collect();
                own.sort();
                TicketsHaving::OfConfigurations(own)
            }
        })
    }

    async fn ticket_settings(&self, directory: &Directory) -> Result<Settings, StoreError> {
        let mut settings = Settings::new();
        for one in self.documents::<MatchmakingConfiguration>("matchmaking_configuration", None).await? {
            let Some(region_key) = directory.region_key(&one.record.region) else { continue };
            let queues =
                one.record.queue_arns.iter().map(|arn| ClassValue::new(Dimension::Queue, id_of(arn)));
            let rule_set = one.record.rule_set_name.as_deref();
            let rule_set = rule_set.map(|name| ClassValue::new(Dimension::RuleSet, name));
            settings.insert((one.record.name.clone(), region_key), queues.chain(rule_set).collect());
        }
        Ok(settings)
    }
}
