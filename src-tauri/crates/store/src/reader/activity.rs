//! Reads this installation's attempts to change something, the runs they belong to, and presets.

use std::collections::HashMap;

use liftdeck_model::action::ResourceKind;
use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, RunId};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Sqlite};

use super::Reader;
use super::change::push_range;
use super::directory::Directory;
use super::window::{List, Page, Window};
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::text::PackedText;
use crate::writer::{Preset, PresetKind, RunKind, RunRecord, RunState, read_document};

/// Selects attempts. An attempt must meet every condition that is set.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ActivityRequest {
    /// Text to find, ignoring case, in operation, resource, name, fleet, request id, caller, message or player ids.
    pub text: String,
    /// Only these outcomes; all when empty.
    pub outcomes: Vec<ActivityOutcome>,
    /// Only these operations, as the API names them; all when empty.
    pub operations: Vec<String>,
    /// Only of this kind of resource.
    pub resource_kind: Option<ResourceKind>,
    /// Only of the resource with this id, ARN or name.
    pub resource_id: Option<String>,
    /// Only of this fleet.
    pub fleet_id: Option<FleetId>,
    /// Only of this run.
    pub run_id: Option<RunId>,
    /// When they were recorded.
    pub range: Option<TimeRange>,
    /// The page wanted, newest first.
    pub page: Page,
}

impl ActivityRequest {
    /// All attempts, newest first.
    pub const fn everything(page: Page) -> Self {
        Self {
            text: String::new(),
            outcomes: Vec::new(),
            operations: Vec::new(),
            resource_kind: None,
            resource_id: None,
            fleet_id: None,
            run_id: None,
            range: None,
            page,
        }
    }
}

/// Attempts of a run by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Recorded; the answer has not arrived yet.
    pub sending: u64,
    /// AWS accepted them.
    pub done: u64,
    /// AWS refused them.
    pub failed: u64,
    /// Outcome not known yet.
    pub unknown: u64,
}

/// Maximum number of runs listed.
const RUNS: i64 = 200;
/// Maximum number of attempts in the lists of our own changes and of attempts still open.
const WAITING: i64 = 10_000;

const WHOLE: &str =
    "SELECT d.document FROM activity a JOIN activity_document d ON d.activity_key = a.activity_key WHERE ";
const ATTEMPTS: List = List {
    head: WHOLE,
    table: "activity a",
    order: " ORDER BY a.at DESC, a.activity_key DESC",
    counted: 100_000,
};

impl Reader {
    /// The attempts that match, newest first, as a window.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn activities(&self, request: &ActivityRequest) -> Result<Window<Activity>, StoreError> {
        let directory = self.directory().await?;
        let condition = |sql: &mut QueryBuilder<Sqlite>| push_request(sql, request, &directory);
        self.window(&ATTEMPTS, request.page, condition, |row| read_document(&row.read("document")?)).await
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

    /// All attempts of a run, by change; those at the same change in the order they were made.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn activities_of_run(&self, run: &RunId) -> Result<Vec<Activity>, StoreError> {
        let mut all = Vec::new();
        loop {
            let offset = u32::try_from(all.len()).unwrap_or(u32::MAX);
            let page = Page { offset, limit: Page::MOST };
            let request = ActivityRequest { run_id: Some(run.clone()), ..ActivityRequest::everything(page) };
            let window = self.activities(&request).await?;
            let last = window.rows.is_empty();
            all.extend(window.rows);
            if last || all.len() as u64 >= window.total {
                break;
            }
        }
        // Newest first so far; attempts recorded in the same millisecond keep their order.
        all.reverse();
        all.sort_by_key(|activity| activity.item);
        Ok(all)
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
        sql.push("a.resource_kind = ").push_bind(<&str>::from(kind));
        sql.push(" AND a.resource = ").push_bind(resource.to_owned());
        sql.push(" ORDER BY a.at DESC, a.activity_key DESC LIMIT ").push_bind(i64::from(limit));
        self.activity_rows(sql).await
    }

    /// Attempts that certainly changed a setting in `range`, oldest first, of one fleet when given, at most 10 000.
    /// Used to tell our own recorded changes from others'. Leaves out attempts whose effect was only seen afterwards,
    /// because it may be somebody else's, and those on game sessions, player sessions, placements and tickets.
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

    /// Attempts whose outcome is not settled yet, oldest first, at most 10 000.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn unsettled(&self) -> Result<Vec<Activity>, StoreError> {
        let mut sql = QueryBuilder::new(WHOLE);
        sql.push("a.outcome IN ('sending', 'unknown') AND a.at >= ").push_bind(i64::MIN);
        sql.push(" ORDER BY a.at LIMIT ").push_bind(WAITING);
        self.activity_rows(sql).await
    }

    /// Counts the attempts that are not settled yet.
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

    /// Attempts whose effect is still awaited, oldest first, at most 10 000.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn awaited(&self) -> Result<Vec<Activity>, StoreError> {
        let mut sql = QueryBuilder::new(WHOLE);
        sql.push("a.effect = 'awaited' AND a.at >= ").push_bind(i64::MIN);
        sql.push(" ORDER BY a.at LIMIT ").push_bind(WAITING);
        self.activity_rows(sql).await
    }

    /// The attempt that undid this one: the newest undo that succeeded or may have succeeded.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn undone_by(&self, id: &ActivityId) -> Result<Option<ActivityId>, StoreError> {
        Ok(self.undone_among(std::slice::from_ref(id)).await?.remove(id))
    }

    /// Maps each of these attempts that was undone to the newest undo that succeeded or may have succeeded.
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
                undone.insert(row.read("undo_of")?, row.read("id")?);
            }
        }
        Ok(undone)
    }

    /// Runs, newest first, at most 200. With `open_only`, only those that may still continue.
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

    /// Runs that may still continue, or that changed at a moment or later; newest first, at most 200.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn runs_changed(&self, from: Timestamp) -> Result<Vec<RunRecord>, StoreError> {
        let mut sql = QueryBuilder::new(RUN);
        sql.push("(r.state IN ('running', 'paused') OR r.changed_at >= ").push_bind(from.as_ms());
        sql.push(") AND r.created_at >= ").push_bind(i64::MIN);
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

    /// Counts the attempts of a run by outcome.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn run_counts(&self, id: &RunId) -> Result<RunCounts, StoreError> {
        let mut counts = RunCounts::default();
        let rows = sqlx::query(
            "SELECT outcome, count(*) AS attempts FROM activity WHERE run_id = ? GROUP BY outcome",
        )
        .bind(id.as_str())
        .fetch_all(self.pool())
        .await?;
        for row in rows {
            let count = row.read("attempts")?;
            match row.text("outcome")? {
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
    pub async fn presets(&self, kind: PresetKind) -> Result<Vec<Preset>, StoreError> {
        let presets = sqlx::query_as("SELECT kind, name, body FROM preset WHERE kind = ? ORDER BY name");
        Ok(presets.bind(kind).fetch_all(self.pool()).await?)
    }

    async fn activity_rows(&self, mut sql: QueryBuilder<Sqlite>) -> Result<Vec<Activity>, StoreError> {
        let documents: Vec<PackedText> = sql.build_query_scalar().fetch_all(self.pool()).await?;
        documents.iter().map(read_document).collect()
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

/// Appends the conditions of `request`.
pub(crate) fn push_request(sql: &mut QueryBuilder<Sqlite>, request: &ActivityRequest, directory: &Directory) {
    sql.push("a.at >= ");
    push_range(sql, "a.at", request.range);
    if let Some(run) = &request.run_id {
        sql.push(" AND a.run_id = ").push_bind(run.as_str().to_owned());
    }
    if let Some(fleet) = &request.fleet_id {
        sql.push(" AND a.fleet_key = ").push_bind(directory.fleet_key(fleet).unwrap_or(-1));
    }
    if let Some(kind) = request.resource_kind {
        sql.push(" AND a.resource_kind = ").push_bind(<&str>::from(kind));
    }
    if let Some(resource) = &request.resource_id {
        sql.push(" AND a.resource = ").push_bind(resource.clone());
    }
    push_list(sql, "a.outcome", request.outcomes.iter().map(|outcome| <&str>::from(outcome).to_owned()));
    push_list(sql, "a.operation", request.operations.iter().cloned());
    let text = request.text.trim().to_lowercase();
    if !text.is_empty() {
        sql.push(" AND instr(a.words, ").push_bind(text).push(") > 0");
    }
}

/// Appends `AND column IN (…)` unless the list is empty.
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
        id: row.read("id")?,
        kind: RunKind::from_text(row.text("kind")?)?,
        state: RunState::from_text(row.text("state")?)?,
        title: row.read("title")?,
        region: row.read::<Option<i64>>("region_key")?.map(|key| directory.region(key)),
        fleet_id: row.read::<Option<i64>>("fleet_key")?.map(|key| directory.fleet_id(key)),
        created_at: row.read("created_at")?,
        changed_at: row.read("changed_at")?,
        progress: row.read("progress")?,
        plan: row.read::<PackedText>("plan")?.unpack(&"a run's plan")?,
    })
}
