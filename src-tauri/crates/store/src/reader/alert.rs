//! Alerts as they were recorded, and the course of each.

use std::collections::BTreeMap;

use liftdeck_model::alert::{Acknowledged, AlertId, AlertRecord, AlertState, AlertStep, AlertStepKind};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{Region, Severity, Timestamp};
use sqlx::QueryBuilder;
use sqlx::sqlite::SqliteRow;

use super::Reader;
use super::directory::Directory;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::text::PackedText;

const WHOLE: &str = "SELECT id, rule, subject, region_key, fleet_key, severity, state, since, seen_at, fired_at, \
    clear_since, unknown_since, ended_at, acknowledged_at, acknowledged_by, document FROM alert WHERE ";

impl Reader {
    /// Every alert that is not over, in the order they began.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn open_alerts(&self) -> Result<Vec<AlertRecord>, StoreError> {
        let mut sql = QueryBuilder::new(WHOLE);
        // With a bound on `since`, SQLite searches the index of open ones instead of walking it.
        sql.push("state <> 'resolved' AND since >= ").push_bind(i64::MIN).push(" ORDER BY since, alert_key");
        self.alert_rows(sql).await
    }

    /// Every alert that was over at a moment or later.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn ended_alerts(&self, from: Timestamp) -> Result<Vec<AlertRecord>, StoreError> {
        let mut sql = QueryBuilder::new(WHOLE);
        sql.push("ended_at >= ").push_bind(from.as_ms()).push(" ORDER BY ended_at, alert_key");
        self.alert_rows(sql).await
    }

    /// When the last of the alerts that are not over began to fire, by Region.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn last_fired(&self) -> Result<BTreeMap<Region, Timestamp>, StoreError> {
        let rows = sqlx::query(
            "SELECT region_key, max(fired_at) AS fired_at FROM alert WHERE state <> 'resolved' AND since >= ? \
             AND region_key IS NOT NULL AND fired_at IS NOT NULL GROUP BY region_key",
        )
        .bind(i64::MIN)
        .fetch_all(self.pool())
        .await?;
        let directory = self.directory().await?;
        rows.iter()
            .map(|row| Ok((directory.region(row.read("region_key")?), row.read("fired_at")?)))
            .collect()
    }

    /// Alerts that fired at some time in `range`, newest first, at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn alerts(&self, range: TimeRange, limit: u32) -> Result<Vec<AlertRecord>, StoreError> {
        let mut sql = QueryBuilder::new(WHOLE);
        sql.push("since < ").push_bind(range.to.as_ms());
        sql.push(" AND (ended_at IS NULL OR ended_at >= ").push_bind(range.from.as_ms());
        sql.push(") AND fired_at IS NOT NULL ORDER BY since DESC, alert_key DESC LIMIT ").push_bind(limit);
        self.alert_rows(sql).await
    }

    /// One alert.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn alert(&self, id: &AlertId) -> Result<Option<AlertRecord>, StoreError> {
        let mut sql = QueryBuilder::new(WHOLE);
        sql.push("id = ").push_bind(id.as_str().to_owned());
        Ok(self.alert_rows(sql).await?.pop())
    }

    /// The course of an alert, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn alert_steps(&self, id: &AlertId) -> Result<Vec<AlertStep>, StoreError> {
        let rows = sqlx::query(
            "SELECT at, step, by, text FROM alert_step WHERE alert_key = \
             (SELECT alert_key FROM alert WHERE id = ?) ORDER BY at, step_key",
        )
        .bind(id.as_str())
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(AlertStep {
                    at: row.read("at")?,
                    kind: spelt::<AlertStepKind>(row, "step")?,
                    by: row.read("by")?,
                    text: row.read("text")?,
                })
            })
            .collect()
    }

    async fn alert_rows(&self, mut sql: QueryBuilder<sqlx::Sqlite>) -> Result<Vec<AlertRecord>, StoreError> {
        let rows = sql.build().fetch_all(self.pool()).await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let directory = self.directory().await?;
        rows.iter().map(|row| alert(row, &directory)).collect()
    }
}

fn alert(row: &SqliteRow, directory: &Directory) -> Result<AlertRecord, StoreError> {
    let acknowledged = row.read::<Option<Timestamp>>("acknowledged_at")?.map(|at| {
        let by = row.read::<Option<String>>("acknowledged_by")?.unwrap_or_default();
        Ok::<_, StoreError>(Acknowledged { at, by })
    });
    Ok(AlertRecord {
        id: AlertId::new(row.read::<String>("id")?),
        rule: row.read("rule")?,
        subject: row.read("subject")?,
        region: row.read::<Option<i64>>("region_key")?.map(|key| directory.region(key)),
        fleet_id: row.read::<Option<i64>>("fleet_key")?.map(|key| directory.fleet_id(key)),
        severity: row.word::<Severity>("severity")?,
        state: spelt::<AlertState>(row, "state")?,
        since: row.read("since")?,
        seen_at: row.read("seen_at")?,
        fired_at: row.read("fired_at")?,
        clear_since: row.read("clear_since")?,
        unknown_since: row.read("unknown_since")?,
        ended_at: row.read("ended_at")?,
        acknowledged: acknowledged.transpose()?,
        document: row.read::<PackedText>("document")?.unpack(&"an alert")?,
    })
}

fn spelt<T: std::str::FromStr>(row: &SqliteRow, column: &str) -> Result<T, StoreError> {
    let text = row.text(column)?;
    text.parse().map_err(|_| StoreError::Unreadable { what: format!("alert.{column} `{text}`") })
}
