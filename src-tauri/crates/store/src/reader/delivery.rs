//! Reads channels, silences, what was told, and the outbox.

use liftdeck_model::alert::AlertId;
use liftdeck_model::channel::Channel;
use liftdeck_model::notification::{Notification, NotificationId, NotificationState, ToldMark};
use liftdeck_model::silence::Silence;
use liftdeck_model::{Severity, Timestamp};
use sqlx::sqlite::SqliteRow;

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;
use crate::text::PackedText;

const NOTIFICATION: &str = "SELECT n.id, c.name, n.topic, n.state, n.queued_at, n.due_at, n.attempts, \
    n.may_be_repeat, n.ended_at, n.detail, n.document FROM notification n JOIN channel c USING (channel_key) WHERE ";

/// Most silences listed that are over.
const PAST_SILENCES: i64 = 50;

impl Reader {
    /// Every channel, by name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn channels(&self) -> Result<Vec<Channel>, StoreError> {
        let rows = sqlx::query("SELECT document FROM channel ORDER BY name").fetch_all(self.pool()).await?;
        rows.iter().map(|row| row.json("document")).collect()
    }

    /// Silences that are not over at a moment, those that end first first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn silences(&self, at: Timestamp) -> Result<Vec<Silence>, StoreError> {
        let rows = sqlx::query("SELECT document FROM silence WHERE ends_at > ? ORDER BY ends_at")
            .bind(at.as_ms())
            .fetch_all(self.pool())
            .await?;
        rows.iter().map(|row| row.json("document")).collect()
    }

    /// The silences that were over last at a moment, the newest first, at most 50.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn past_silences(&self, at: Timestamp) -> Result<Vec<Silence>, StoreError> {
        let rows =
            sqlx::query("SELECT document FROM silence WHERE ends_at <= ? ORDER BY ends_at DESC LIMIT ?")
                .bind(at.as_ms())
                .bind(PAST_SILENCES)
                .fetch_all(self.pool())
                .await?;
        rows.iter().map(|row| row.json("document")).collect()
    }

    /// What was told about every alert of which it was not yet told that it is over.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn told(&self) -> Result<Vec<ToldMark>, StoreError> {
        let rows = sqlx::query(
            "SELECT c.name, a.id, t.severity, t.acknowledged, t.told_at FROM told t \
             JOIN channel c USING (channel_key) JOIN alert a USING (alert_key)",
        )
        .fetch_all(self.pool())
        .await?;
        rows.iter()
            .map(|row| {
                Ok(ToldMark {
                    channel: row.read("name")?,
                    alert_id: AlertId::new(row.read::<String>("id")?),
                    severity: row.word::<Severity>("severity")?,
                    acknowledged: row.read("acknowledged")?,
                    at: row.read("told_at")?,
                })
            })
            .collect()
    }

    /// Messages that wait for an attempt or are being sent, in the order they are due.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn open_notifications(&self) -> Result<Vec<Notification>, StoreError> {
        // With a bound on `due_at`, SQLite searches the index of open ones instead of walking it.
        let statement = sqlx::AssertSqlSafe(format!(
            "{NOTIFICATION} n.state IN ('waiting', 'sending') AND n.due_at >= ? ORDER BY n.due_at, n.notification_key"
        ));
        let rows = sqlx::query(statement).bind(i64::MIN).fetch_all(self.pool()).await?;
        rows.iter().map(notification).collect()
    }

    /// The newest messages to a channel, newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn newest_notifications(
        &self,
        channel: &str,
        most: u32,
    ) -> Result<Vec<Notification>, StoreError> {
        let statement = sqlx::AssertSqlSafe(format!(
            "{NOTIFICATION} n.channel_key = (SELECT channel_key FROM channel WHERE name = ?) \
             ORDER BY n.notification_key DESC LIMIT ?"
        ));
        let rows = sqlx::query(statement).bind(channel).bind(most).fetch_all(self.pool()).await?;
        rows.iter().map(notification).collect()
    }

    /// One message.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn notification(&self, id: &NotificationId) -> Result<Option<Notification>, StoreError> {
        let statement = sqlx::AssertSqlSafe(format!("{NOTIFICATION} n.id = ?"));
        let row = sqlx::query(statement).bind(id.as_str()).fetch_optional(self.pool()).await?;
        row.as_ref().map(notification).transpose()
    }
}

fn notification(row: &SqliteRow) -> Result<Notification, StoreError> {
    let state = row.text("state")?;
    let state: NotificationState = state
        .parse()
        .map_err(|_| StoreError::Unreadable { what: format!("notification.state `{state}`") })?;
    let document = row.read::<PackedText>("document")?.unpack(&"a message")?;
    let message = serde_json::from_str(&document)
        .map_err(|error| StoreError::Unreadable { what: format!("a message: {error}") })?;
    Ok(Notification {
        id: NotificationId::new(row.read::<String>("id")?),
        channel: row.read("name")?,
        topic: row.read("topic")?,
        state,
        queued_at: row.read("queued_at")?,
        due_at: row.read("due_at")?,
        attempts: u32::try_from(row.read::<i64>("attempts")?).unwrap_or(0),
        may_be_repeat: row.read("may_be_repeat")?,
        ended_at: row.read("ended_at")?,
        detail: row.read("detail")?,
        message,
    })
}
