//! What the names and texts of a query mean in this store: read before the statement is put together.
//!
//! Owns the search in long texts. They are packed, so that no SQL condition can look into them: the game sessions whose
//! text matches are found here, among those that the rest of the query leaves.

use std::collections::HashMap;

use futures::TryStreamExt as _;
use liftdeck_model::Timestamp;
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::content::{Build, Script};
use liftdeck_model::fleet::Fleet;
use liftdeck_model::query::{Field, Node, Query, Term, Test, TextTest};
use sqlx::{QueryBuilder, Sqlite};

use super::filter::{Scope, is_narrow_field, push_query};
use super::lead::must_hold;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::directory::Directory;
use crate::text::PackedText;

/// Aliases, builds, scripts and instance types of fleets, by fleet key, and the game sessions whose long texts match.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    pub(super) aliases: Vec<(i64, String)>,
    pub(super) builds: Vec<(i64, String)>,
    pub(super) scripts: Vec<(i64, String)>,
    pub(super) instance_types: Vec<(i64, String)>,
    texts: Vec<Found>,
}

/// The game sessions in which a long text satisfies a test.
#[derive(Debug)]
struct Found {
    column: &'static str,
    test: TextTest,
    /// Their keys, as a JSON array.
    keys: String,
}

/// Where a field that is kept packed stands in `game_session_text`.
const fn packed_column(field: &Field) -> Option<&'static str> {
    match field {
        Field::Data => Some("game_session_data"),
        Field::Matchmaker => Some("matchmaker_data"),
        _ => None,
    }
}

impl Resolved {
    /// The keys of the game sessions whose text in `field` satisfies `test`, as a JSON array.
    pub(super) fn keys(&self, field: &Field, test: &TextTest) -> &str {
        let found =
            self.texts.iter().find(|one| Some(one.column) == packed_column(field) && one.test == *test);
        found.map_or("[]", |one| one.keys.as_str())
    }
}

impl Reader {
    /// Reads what the names and texts of `queries` mean. The statement must look at game sessions as they are now.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn resolved(
        &self,
        directory: &Directory,
        queries: &[&Query],
        now: Timestamp,
    ) -> Result<Resolved, StoreError> {
        if queries.iter().all(|query| query.root.is_none()) {
            return Ok(Resolved::default());
        }
        let mut resolved = self.names_resolved(directory).await?;
        // What is found for one query is not narrowed by another.
        let narrow = if let [only] = queries { narrow_part(only) } else { Query::everything() };
        for (column, test) in packed_terms(queries) {
            let mut sql = QueryBuilder::new("SELECT s.session_key, t.");
            sql.push(column);
            // Naming both values of `live` selects the index that has the columns of a filter.
            sql.push(
                " FROM game_session_state s CROSS JOIN game_session_text t ON t.session_key = s.session_key \
                 WHERE s.live IN (0, 1) AND t.",
            );
            sql.push(column).push(" IS NOT NULL AND ");
            let scope = Scope { directory, resolved: &resolved, now, lead: None, probing: false };
            push_query(&mut sql, &narrow, &scope);
            let keys = self.matching_texts(sql, column, &test).await?;
            resolved.texts.push(Found { column, test, keys });
        }
        Ok(resolved)
    }

    /// The same among some game sessions, whatever they were like at the time: `keys` is a JSON array.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) async fn resolved_among(
        &self,
        directory: &Directory,
        queries: &[&Query],
        keys: &str,
    ) -> Result<Resolved, StoreError> {
        let mut resolved = self.names_resolved(directory).await?;
        for (column, test) in packed_terms(queries) {
            let mut sql = QueryBuilder::new("SELECT t.session_key, t.");
            sql.push(column).push(" FROM json_each(").push_bind(keys.to_owned());
            sql.push(") k CROSS JOIN game_session_text t ON t.session_key = k.value WHERE t.");
            sql.push(column).push(" IS NOT NULL");
            let keys = self.matching_texts(sql, column, &test).await?;
            resolved.texts.push(Found { column, test, keys });
        }
        Ok(resolved)
    }

    /// Reads texts and returns the keys of those that satisfy `test`.
    async fn matching_texts(
        &self,
        mut sql: QueryBuilder<Sqlite>,
        column: &str,
        test: &TextTest,
    ) -> Result<String, StoreError> {
        let mut found: Vec<i64> = Vec::new();
        let mut rows = sql.build().fetch(self.pool());
        while let Some(row) = rows.try_next().await? {
            let key: i64 = row.read("session_key")?;
            let text: PackedText = row.read(column)?;
            if test.matches(&text.unpack(&format_args!("game session {key}"))?) {
                found.push(key);
            }
        }
        Ok(serde_json::to_string(&found).unwrap_or_default())
    }

    async fn names_resolved(&self, directory: &Directory) -> Result<Resolved, StoreError> {
        let mut names = Resolved::default();
        for alias in self.documents::<Alias>("alias", None).await? {
            if let RoutingStrategy::Simple { fleet_id } = &alias.record.routing
                && let Some(key) = directory.fleet_key(fleet_id)
                && alias.gone_at.is_none()
            {
                names.aliases.push((key, alias.record.name));
                names.aliases.push((key, alias.id));
            }
        }
        let by_id = |id: String, name: Option<String>| (id, name);
        let builds: HashMap<String, Option<String>> = self
            .documents::<Build>("build", None)
            .await?
            .into_iter()
            .map(|b| by_id(b.id, b.record.name))
            .collect();
        let scripts: HashMap<String, Option<String>> = self
            .documents::<Script>("script", None)
            .await?
            .into_iter()
            .map(|s| by_id(s.id, s.record.name))
            .collect();
        for fleet in self.documents::<Fleet>("fleet", None).await? {
            let Some(key) = directory.fleet_key(&fleet.record.fleet_id) else { continue };
            if let Some(build) = fleet.record.build_id {
                names.builds.extend(builds.get(build.as_str()).cloned().flatten().map(|name| (key, name)));
                names.builds.push((key, build.into_string()));
            }
            names.instance_types.extend(fleet.record.instance_type.map(|name| (key, name)));
            if let Some(script) = fleet.record.script_id {
                names.scripts.extend(scripts.get(script.as_str()).cloned().flatten().map(|name| (key, name)));
                names.scripts.push((key, script.into_string()));
            }
        }
        Ok(names)
    }
}

/// What queries look for in packed texts, and where.
fn packed_terms(queries: &[&Query]) -> Vec<(&'static str, TextTest)> {
    let packed = |term: &Term| match &term.test {
        Test::Text(test) => Some((packed_column(&term.field)?, test.clone())),
        _ => None,
    };
    queries.iter().flat_map(|query| query.terms()).filter_map(packed).collect()
}

/// The part of a query that every match must satisfy and that needs no text.
fn narrow_part(query: &Query) -> Query {
    let narrow = must_hold(query).into_iter().filter(|term| is_narrow_field(&term.field));
    let terms: Vec<Node> = narrow.map(|term: &Term| Node::Term(term.clone())).collect();
    Query { root: (!terms.is_empty()).then_some(Node::And(terms)) }
}
