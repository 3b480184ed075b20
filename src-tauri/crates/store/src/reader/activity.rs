//! What this installation changed: attempts, the runs they belong to, and presets.

use std::collections::HashMap;

use liftdeck_model::action::ResourceKind;
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, RunId};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::change::push_range;
use super::directory::Directory;
use super::window::{Page, Window};
use super::{Reader, count};
use crate::error::StoreError;
use crate::text::PackedText;
use crate::writer::{Preset, RunKind, RunRecord, RunState, outcome_text, read_document, resource_kind_text};

/// Which attempts are wanted. Every condition that is set must hold.
#[derive(Clone, Debug)]
pub struct ActivityRequest {
    /// Found, without regard to case, in operation, resource, name, fleet, request id, caller, message or player ids.
    pub text: String,
    /// Only these outcomes; all when empty.
    pub outcomes: Vec<ActivityOutcome>,
    /// Only these operations, as the API names them; all when empty.
    pub operations: Vec<String>,
    /// Only of this kind of resource.
    pub resource_kind: Option<ResourceKind>,
    /// Only of the resource of this id, ARN or name.
    pub resource: Option<String>,
    /// Only of this fleet.
    pub fleet: Option<FleetId>,
    /// Only of this run.
    pub run: Option<RunId>,
    /// When they were recorded.
    pub range: Option<TimeRange>,
    /// Which part, newest first.
    pub page: Page,
}

impl ActivityRequest {
    /// All of them, newest first.
    pub const fn everything(page: Page) -> Self {
        Self {
            text: String::new(),
            outcomes: Vec::new(),
            operations: Vec::new(),
            resource_kind: None,
            resource: None,
            fleet: None,
            run: None,
            range: None,
            page,
        }
    }
}

/// Attempts of a run by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Recorded, the answer not here yet.
    pub sending: u64,
    /// AWS said yes.
    pub done: u64,
    /// AWS said no.
    pub failed: u64,
    /// Nobody knows yet.
    pub unknown: u64,
}

/// Attempts counted for a window.
const COUNTED: i64 = 100_000;
/// Runs listed at most.
const RUNS: i64 = 200;
/// Attempts that wait for somebody, at most.
const WAITING: i64 = 10_000;

const WHOLE: &str =
    "SELECT d.document FROM activity a JOIN activity_document d ON d.activity_key = a.activity_key WHERE ";

impl Reader {
    /// The attempts that match, newest first, as a window.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn activities(&self, request: &ActivityRequest) -> Result<Window<Activity>, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new("SELECT count(*) FROM (SELECT 1 FROM activity a WHERE ");
        if !push_request(&mut sql, request, &directory) {
            return Ok(Window::counted(Vec::new(), 0, COUNTED));
        }
        sql.push(" LIMIT ").push_bind(COUNTED + 1).push(")");
        let count: i64 = sql.build().fetch_one(self.pool()).await?.try_get(0)?;
        let mut sql = QueryBuilder::new(WHOLE);
        push_request(&mut sql, request, &directory);
        let (offset, limit) = request.page.bounds();
        sql.push(" ORDER BY a.at DESC, a.activity_key DESC LIMIT ").push_bind(limit);
        sql.push(" OFFSET ").push_bind(offset);
        Ok(Window::counted(self.activity_rows(sql).await?, count, COUNTED))
    }

    /// One attempt; `None` when it is not in this database.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn activity(&self, id: &ActivityId) -> Result<Option<Activity>, StoreError> {
        let mut sql = QueryBuilder::new(WHOLE);
        sql.push("a.id = ").push_bind(id.as_str().to_owned());
        Ok(self.activity_rows(sql).await?.pop())
    }

    /// Attempts on one resource, newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn activities_of(
        &self,
        kind: ResourceKind,
        resource: &str,
        limit: u32,
    ) -> Result<Vec<Activity>, StoreError> {
        let mut sql = QueryBuilder::new(WHOLE);
        sql.push("a.resource_kind = ").push_bind(resource_kind_text(kind));
        sql.push(" AND a.resource = ").push_bind(resource.to_owned());
        sql.push(" ORDER BY a.at DESC, a.activity_key DESC LIMIT ").push_bind(i64::from(limit));
        self.activity_rows(sql).await
    }

    /// Attempts that surely changed something in `range`, oldest first, of one fleet when given, at most 10 000: what
    /// recorded changes are told apart by. What was only seen afterwards may be somebody else's. Those of game sessions,
    /// player sessions, placements and tickets are left out.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn settings_changed_by_us(
        &self,
        fleet: Option<&FleetId>,
        range: TimeRange,
    ) -> Result<Vec<Activity>, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new(WHOLE);
        if let Some(fleet) = fleet {
            let Some(key) = directory.fleet_key(fleet) else { return Ok(Vec::new()) };
            sql.push("a.fleet_key = ").push_bind(key).push(" AND ");
        }
        sql.push("a.at >= ");
        push_range(&mut sql, "a.at", Some(range));
        sql.push(" AND a.outcome = 'done' AND a.resource_kind IN ('alias', 'fleet', 'queue', 'script')");
        sql.push(" AND a.operation <> 'CreateGameSession' ORDER BY a.at, a.activity_key LIMIT ")
            .push_bind(WAITING);
        let mut done = self.activity_rows(sql).await?;
        done.retain(Activity::is_surely_ours);
        Ok(done)
    }

    /// Attempts whose outcome is not settled, oldest first, at most 10 000.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn unsettled(&self) -> Result<Vec<Activity>, StoreError> {
        let mut sql = QueryBuilder::new(WHOLE);
        sql.push("a.outcome IN ('sending', 'unknown') AND a.at >= ").push_bind(i64::MIN);
        sql.push(" ORDER BY a.at LIMIT ").push_bind(WAITING);
        self.activity_rows(sql).await
    }

    /// How many attempts are not settled.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn unsettled_count(&self) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM activity WHERE outcome IN ('sending', 'unknown') AND at >= ?",
        )
        .bind(i64::MIN)
        .fetch_one(self.pool())
        .await?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// Attempts whose effect is being looked for, oldest first, at most 10 000.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn awaited(&self) -> Result<Vec<Activity>, StoreError> {
        let mut sql = QueryBuilder::new(WHOLE);
        sql.push("a.effect = 'awaited' AND a.at >= ").push_bind(i64::MIN);
        sql.push(" ORDER BY a.at LIMIT ").push_bind(WAITING);
        self.activity_rows(sql).await
    }

    /// The attempt that undid this one: the newest that was done, or may have been.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn undone_by(&self, id: &ActivityId) -> Result<Option<ActivityId>, StoreError> {
        Ok(self.undone_among(std::slice::from_ref(id)).await?.remove(id))
    }

    /// Which of these attempts were undone, and by which: the newest that was done, or may have been.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn undone_among(
        &self,
        ids: &[ActivityId],
    ) -> Result<HashMap<ActivityId, ActivityId>, StoreError> {
        let mut undone = HashMap::new();
        for part in ids.chunks(500) {
            let mut sql = QueryBuilder::new("SELECT undo_of, id FROM activity WHERE undo_of IN (");
            let mut list = sql.separated(", ");
            for id in part {
                list.push_bind(id.as_str().to_owned());
            }
            sql.push(") AND outcome <> 'failed' ORDER BY at, activity_key");
            for row in sql.build().fetch_all(self.pool()).await? {
                let pair = (row.try_get::<String, _>(0)?, row.try_get::<String, _>(1)?);
                undone.insert(ActivityId::new(pair.0), ActivityId::new(pair.1));
            }
        }
        Ok(undone)
    }

    /// Runs, newest first, at most 200; only those that may still go on when `open_only`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn runs(&self, open_only: bool) -> Result<Vec<RunRecord>, StoreError> {
        let mut sql = QueryBuilder::new(RUN);
        sql.push(if open_only { "r.state IN ('running', 'paused') AND " } else { "" });
        sql.push("r.created_at >= ").push_bind(i64::MIN);
        sql.push(" ORDER BY r.created_at DESC, r.run_key DESC LIMIT ").push_bind(RUNS);
        self.run_rows(sql).await
    }

    /// Runs begun in `range`, oldest first, of one fleet when given, at most 200.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn runs_begun(
        &self,
        fleet: Option<&FleetId>,
        range: TimeRange,
    ) -> Result<Vec<RunRecord>, StoreError> {
        let directory = self.directory().await?;
        let mut sql = QueryBuilder::new(RUN);
        sql.push("r.created_at >= ");
        push_range(&mut sql, "r.created_at", Some(range));
        if let Some(fleet) = fleet {
            let Some(key) = directory.fleet_key(fleet) else { return Ok(Vec::new()) };
            sql.push(" AND r.fleet_key = ").push_bind(key);
        }
        sql.push(" ORDER BY r.created_at, r.run_key LIMIT ").push_bind(RUNS);
        self.run_rows(sql).await
    }

    /// One run; `None` when it is not in this database.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn run(&self, id: &RunId) -> Result<Option<RunRecord>, StoreError> {
        let mut sql = QueryBuilder::new(RUN);
        sql.push("r.id = ").push_bind(id.as_str().to_owned());
        Ok(self.run_rows(sql).await?.pop())
    }

    /// The attempts of a run by outcome.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn run_counts(&self, id: &RunId) -> Result<RunCounts, StoreError> {
        let mut counts = RunCounts::default();
        let rows = sqlx::query("SELECT outcome, count(*) FROM activity WHERE run_id = ? GROUP BY outcome")
            .bind(id.as_str())
            .fetch_all(self.pool())
            .await?;
        for row in rows {
            let count = count(&row, 1)?;
            match row.try_get::<&str, _>(0)? {
                "sending" => counts.sending = count,
                "done" => counts.done = count,
                "failed" => counts.failed = count,
                _ => counts.unknown = count,
            }
        }
        Ok(counts)
    }

    /// Presets of a form, by name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn presets(&self, kind: &str) -> Result<Vec<Preset>, StoreError> {
        let rows = sqlx::query("SELECT kind, name, body FROM preset WHERE kind = ? ORDER BY name")
            .bind(kind)
            .fetch_all(self.pool())
            .await?;
        rows.iter()
            .map(|row| Ok(Preset { kind: row.try_get(0)?, name: row.try_get(1)?, body: row.try_get(2)? }))
            .collect()
    }

    async fn activity_rows(&self, mut sql: QueryBuilder<Sqlite>) -> Result<Vec<Activity>, StoreError> {
        let rows = sql.build().fetch_all(self.pool()).await?;
        rows.iter().map(|row| read_document(&row.try_get::<PackedText, _>(0)?)).collect()
    }

    async fn run_rows(&self, mut sql: QueryBuilder<Sqlite>) -> Result<Vec<RunRecord>, StoreError> {
        let rows = sql.build().fetch_all(self.pool()).await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let directory = self.directory().await?;
        rows.iter().map(|row| run(row, &directory)).collect()
    }
}

const RUN: &str = "SELECT r.id, r.kind, r.state, r.title, r.region_key, r.fleet_key, r.created_at, r.changed_at, r.progress, p.plan \
     FROM run r JOIN run_plan p ON p.run_key = r.run_key WHERE ";

/// Adds the conditions; false when nothing can match.
pub(crate) fn push_request(
    sql: &mut QueryBuilder<Sqlite>,
    request: &ActivityRequest,
    directory: &Directory,
) -> bool {
    sql.push("a.at >= ");
    push_range(sql, "a.at", request.range);
    if let Some(run) = &request.run {
        sql.push(" AND a.run_id = ").push_bind(run.as_str().to_owned());
    }
    if let Some(fleet) = &request.fleet {
        let Some(key) = directory.fleet_key(fleet) else { return false };
        sql.push(" AND a.fleet_key = ").push_bind(key);
    }
    if let Some(kind) = request.resource_kind {
        sql.push(" AND a.resource_kind = ").push_bind(resource_kind_text(kind));
    }
    if let Some(resource) = &request.resource {
        sql.push(" AND a.resource = ").push_bind(resource.clone());
    }
    push_list(sql, "a.outcome", request.outcomes.iter().map(|outcome| outcome_text(*outcome).to_owned()));
    push_list(sql, "a.operation", request.operations.iter().cloned());
    let text = request.text.trim().to_lowercase();
    if !text.is_empty() {
        sql.push(" AND instr(a.words, ").push_bind(text).push(") > 0");
    }
    true
}

/// Adds `AND column IN (…)` unless the list is empty.
fn push_list(
    sql: &mut QueryBuilder<Sqlite>,
    column: &'static str,
    values: impl ExactSizeIterator<Item = String>,
) {
    if values.len() == 0 {
        return;
    }
    sql.push(" AND ").push(column).push(" IN (");
    let mut list = sql.separated(", ");
    for value in values {
        list.push_bind(value);
    }
    sql.push(")");
}

fn run(row: &SqliteRow, directory: &Directory) -> Result<RunRecord, StoreError> {
    Ok(RunRecord {
        id: RunId::new(row.try_get::<String, _>(0)?),
        kind: RunKind::from_text(row.try_get(1)?)?,
        state: RunState::from_text(row.try_get(2)?)?,
        title: row.try_get(3)?,
        region: row.try_get::<Option<i64>, _>(4)?.map(|key| directory.region(key)),
        fleet_id: row.try_get::<Option<i64>, _>(5)?.map(|key| directory.fleet_id(key)),
        created_at: Timestamp::from_ms(row.try_get(6)?),
        changed_at: Timestamp::from_ms(row.try_get(7)?),
        progress: row.try_get(8)?,
        plan: row.try_get::<PackedText, _>(9)?.unpack(&"a run's plan")?,
    })
}
