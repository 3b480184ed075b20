//! Finds the game sessions of a window and their total number: turns filters and sort orders into keys.
//!
//! Queries that need only the narrow state row are counted and windowed inside indexes. Other queries start with the
//! few sessions their lead gives; if it gives many, they are not all counted.

use liftdeck_model::query::{Field, Node, Test};
use sqlx::{QueryBuilder, Sqlite};

use super::filter::{Scope, is_narrow, push_query};
use super::lead::{FEW, Lead};
use super::{SessionColumn, SessionRequest};
use crate::error::StoreError;
use crate::reader::Reader;
use crate::reader::directory::Directory;

/// Number of rows to count, near the top of the list, for a query that needs more than the narrow state row.
const COUNTED_WIDE: i64 = FEW;

/// Keys of a window, and how many rows there are, counted up to a bound.
pub(super) struct Listed {
    pub(super) keys: Vec<i64>,
    pub(super) count: i64,
    pub(super) bound: i64,
}

impl Reader {
    /// The window a request asks for.
    pub(super) async fn listed(
        &self,
        request: &SessionRequest,
        scope: &Scope<'_>,
    ) -> Result<Listed, StoreError> {
        if is_narrow(&request.query) {
            let keys = self.narrow_keys(request, scope).await?;
            let count = self.narrow_count(request, scope).await?;
            return Ok(Listed { keys, count, bound: i64::MAX });
        }
        let (keys, count) = match self.lead(&request.query).await? {
            Lead::Few(term, found) => {
                let scope = Scope { lead: Some(term), probing: true, ..*scope };
                self.wide_keys(request, &scope, Some(&found)).await?
            }
            Lead::Many { surely } if has_index(request.sort) => {
                let keys = self.narrow_keys(request, &Scope { probing: true, ..*scope }).await?;
                (keys, self.many_count(request, scope, surely).await?)
            }
            _ => self.wide_keys(request, scope, None).await?,
        };
        Ok(Listed { keys, count, bound: request.page.counted(COUNTED_WIDE) })
    }

    /// Counts the matches of a query whose leading terms each give many keys.
    async fn many_count(
        &self,
        request: &SessionRequest,
        scope: &Scope<'_>,
        surely: bool,
    ) -> Result<i64, StoreError> {
        let bound = request.page.counted(COUNTED_WIDE);
        let alone = matches!(request.query.root, Some(Node::Term(_)));
        if surely && alone && request.fleet.is_none() && is_unbounded(request) && bound == COUNTED_WIDE {
            return Ok(bound + 1);
        }
        let condition = |sql: &mut QueryBuilder<Sqlite>| {
            sql.push("s.live IN (0, 1)");
            push_request(sql, request, scope);
        };
        self.count_up_to("game_session_state s", bound, condition).await
    }

    async fn narrow_count(&self, request: &SessionRequest, scope: &Scope<'_>) -> Result<i64, StoreError> {
        if request.query.root.is_none() && request.fleet.is_none() && is_unbounded(request) {
            // Without a condition SQLite counts the entries of pages, not rows.
            let count = sqlx::query_scalar("SELECT count(*) FROM game_session_state");
            return Ok(count.fetch_one(self.pool()).await?);
        }
        let mut sql = QueryBuilder::new("SELECT count(*) FROM game_session_state s WHERE ");
        // Naming both values of `live` selects the index of the default order, which has every column a filter needs.
        sql.push(if is_one_index(request) { "1" } else { "s.live IN (0, 1)" });
        push_request(&mut sql, request, scope);
        Ok(sql.build_query_scalar().fetch_one(self.pool()).await?)
    }

    async fn narrow_keys(&self, request: &SessionRequest, scope: &Scope<'_>) -> Result<Vec<i64>, StoreError> {
        if let Some((SessionColumn::Name, descending)) = request.sort {
            let (offset, limit) = request.page.bounds();
            let mut keys = self.named_keys(request, scope, descending).await?;
            let missing = limit - i64::try_from(keys.len()).unwrap_or(limit);
            if missing > 0 {
                keys.extend(self.unnamed_keys(request, scope, offset, missing).await?);
            }
            return Ok(keys);
        }
        let mut sql = QueryBuilder::new("SELECT s.session_key FROM game_session_state s WHERE ");
        // Always true; makes SQLite use the index with the requested order.
        sql.push(match request.sort {
            Some((SessionColumn::Created, _)) => "s.created_at >= 0",
            Some((SessionColumn::Players, _)) => "s.current_player_session_count >= 0",
            _ => "s.live IN (0, 1)",
        });
        push_request(&mut sql, request, scope);
        push_order(&mut sql, request.sort, scope.directory);
        request.page.push(&mut sql);
        Ok(sql.build_query_scalar().fetch_all(self.pool()).await?)
    }

    /// Keys of named sessions in the order of the index of names. The scan ends as soon as the window is full.
    async fn named_keys(
        &self,
        request: &SessionRequest,
        scope: &Scope<'_>,
        descending: bool,
    ) -> Result<Vec<i64>, StoreError> {
        let mut sql = QueryBuilder::new(
            "SELECT s.session_key FROM game_session n INDEXED BY game_session_by_name CROSS JOIN game_session_state s \
             ON s.session_key = n.session_key WHERE n.name IS NOT NULL AND n.name COLLATE NOCASE >= ''",
        );
        push_request(&mut sql, request, scope);
        sql.push(" ORDER BY n.name COLLATE NOCASE").push(if descending { " DESC" } else { "" });
        request.page.push(&mut sql);
        Ok(sql.build_query_scalar().fetch_all(self.pool()).await?)
    }

    /// Keys of the sessions without a name, newest first. They come after all named ones.
    async fn unnamed_keys(
        &self,
        request: &SessionRequest,
        scope: &Scope<'_>,
        offset: i64,
        limit: i64,
    ) -> Result<Vec<i64>, StoreError> {
        const NAMED: &str =
            "(SELECT n.name IS NOT NULL FROM game_session n WHERE n.session_key = s.session_key)";
        let mut sql =
            QueryBuilder::new("SELECT count(*) FROM game_session_state s WHERE s.live IN (0, 1) AND ");
        sql.push(NAMED);
        push_request(&mut sql, request, scope);
        let named: i64 = sql.build_query_scalar().fetch_one(self.pool()).await?;
        let mut sql = QueryBuilder::new(
            "SELECT s.session_key FROM game_session_state s WHERE s.created_at >= 0 AND NOT ",
        );
        sql.push(NAMED);
        push_request(&mut sql, request, scope);
        sql.push(" ORDER BY s.created_at DESC LIMIT ").push_bind(limit);
        sql.push(" OFFSET ").push_bind((offset - named).max(0));
        Ok(sql.build_query_scalar().fetch_all(self.pool()).await?)
    }

    /// Reads the window and the count in one pass over `among`, or over all sessions. Reading names and texts is the
    /// expensive part, so it is done once.
    async fn wide_keys(
        &self,
        request: &SessionRequest,
        scope: &Scope<'_>,
        among: Option<&[i64]>,
    ) -> Result<(Vec<i64>, i64), StoreError> {
        let mut sql =
            QueryBuilder::new("SELECT json_group_array(session_key) FROM (SELECT s.session_key FROM ");
        match among {
            Some(among) => {
                let list = serde_json::to_string(among).unwrap_or_default();
                sql.push("json_each(").push_bind(list);
                sql.push(") c CROSS JOIN game_session_state s ON s.session_key = c.value ");
            }
            None => {
                sql.push("game_session_state s ");
            }
        }
        if matches!(request.sort, Some((SessionColumn::Name, _))) {
            sql.push("JOIN game_session n ON n.session_key = s.session_key ");
        }
        sql.push(if among.is_some() { "WHERE 1" } else { "WHERE s.live IN (0, 1)" });
        push_request(&mut sql, request, scope);
        push_order(&mut sql, request.sort, scope.directory);
        sql.push(" LIMIT ").push_bind(request.page.counted(COUNTED_WIDE) + 1).push(")");
        let found: String = sql.build_query_scalar().fetch_one(self.pool()).await?;
        let found = keys(&found)?;
        let (offset, limit) = request.page.bounds();
        let part = |count: i64| usize::try_from(count).unwrap_or(usize::MAX);
        let count = i64::try_from(found.len()).unwrap_or(i64::MAX);
        Ok((found.into_iter().skip(part(offset)).take(part(limit)).collect(), count))
    }
}

/// Parses keys from a JSON array.
pub(super) fn keys(text: &str) -> Result<Vec<i64>, StoreError> {
    serde_json::from_str(text)
        .map_err(|error| StoreError::Unreadable { what: format!("a list of keys: {error}") })
}

/// Whether a request limits neither location nor time.
fn is_unbounded(request: &SessionRequest) -> bool {
    request.location.is_none() && request.range.is_none()
}

/// Whether a request has a single condition, on the first column of an index.
fn is_one_index(request: &SessionRequest) -> bool {
    let of_query = match &request.query.root {
        None => request.fleet.is_some(),
        Some(Node::Term(term)) => {
            let indexed = matches!(term.field, Field::Players | Field::Created | Field::Fleet);
            request.fleet.is_none() && indexed && term.test != Test::Absent
        }
        Some(_) => false,
    };
    of_query && is_unbounded(request)
}

/// Whether an index has the requested order.
fn has_index(sort: Option<(SessionColumn, bool)>) -> bool {
    use SessionColumn::{Created, Name, Players};
    sort.is_none_or(|(column, _)| matches!(column, Created | Name | Players))
}

/// Appends the conditions of a request, each after an AND.
pub(super) fn push_request(sql: &mut QueryBuilder<Sqlite>, request: &SessionRequest, scope: &Scope<'_>) {
    if let Some(fleet) = &request.fleet {
        sql.push(" AND s.fleet_key = ").push_bind(scope.directory.fleet_key(fleet).unwrap_or(-1));
    }
    if let Some(location) = &request.location {
        let home = scope.directory.fleets.values().any(|f| f.region.as_str() == location.as_str());
        let key = scope.directory.location_key(location).unwrap_or(-1);
        if home {
            sql.push(" AND (s.location_key = ").push_bind(key).push(" OR s.location_key IS NULL)");
        } else {
            sql.push(" AND s.location_key = ").push_bind(key);
        }
    }
    if let Some(range) = request.range {
        let from = range.from.as_ms();
        sql.push(" AND s.created_at < ").push_bind(range.to.as_ms());
        sql.push(" AND (s.live = 1 OR s.ended_at >= ").push_bind(from);
        sql.push(" OR s.gone_at >= ").push_bind(from).push(")");
    }
    if request.query.root.is_some() {
        sql.push(" AND ");
        push_query(sql, &request.query, scope);
    }
}

pub(super) fn push_order(
    sql: &mut QueryBuilder<Sqlite>,
    sort: Option<(SessionColumn, bool)>,
    directory: &Directory,
) {
    let Some((column, descending)) = sort else {
        sql.push(" ORDER BY s.live DESC, s.created_at DESC");
        return;
    };
    sql.push(" ORDER BY ");
    match column {
        SessionColumn::Created => sql.push("s.created_at"),
        SessionColumn::Ended => sql.push("s.live, coalesce(s.ended_at, s.gone_at)"),
        SessionColumn::Players => sql.push("s.current_player_session_count"),
        SessionColumn::Maximum => sql.push("s.maximum_player_session_count"),
        SessionColumn::Status => sql.push("s.live DESC, s.status"),
        SessionColumn::Name => sql.push("n.name IS NULL, n.name COLLATE NOCASE"),
        SessionColumn::Fleet => {
            let names = directory.fleets.values().map(|fleet| (fleet.name.as_str(), fleet.key));
            push_rank(sql, "s.fleet_key", names.collect())
        }
        SessionColumn::Location => {
            let names = directory.locations.iter().map(|(key, name)| (name.as_str(), *key));
            push_rank(sql, "s.location_key", names.collect())
        }
    };
    sql.push(if descending { " DESC" } else { " ASC" });
    if column != SessionColumn::Created {
        sql.push(", s.created_at DESC");
    }
}

/// Orders keys by the rank of their names, so that the statement does not need the table of names.
fn push_rank<'s>(
    sql: &'s mut QueryBuilder<Sqlite>,
    column: &str,
    mut names: Vec<(&str, i64)>,
) -> &'s mut QueryBuilder<Sqlite> {
    if names.is_empty() {
        return sql.push(column);
    }
    names.sort_unstable();
    sql.push("CASE ").push(column);
    for (rank, (_, key)) in (0_i64..).zip(names) {
        sql.push(" WHEN ").push_bind(key).push(" THEN ").push_bind(rank);
    }
    sql.push(" END")
}
