//! Writes channels, silences, and the outbox of what is to be told. Deliberately decides nothing: whoever tells says
//! what, to whom and when.

use liftdeck_model::Timestamp;
use liftdeck_model::alert::AlertId;
use liftdeck_model::channel::Channel;
use liftdeck_model::notification::{Notification, NotificationId, NotificationState, ToldMark};
use liftdeck_model::silence::{Silence, SilenceId};

use crate::column::Columns as _;
use crate::error::StoreError;
use crate::writer::transaction::Transaction;

/// The end of a silence that lasts until it is ended.
const NEVER: i64 = i64::MAX;

/// A message handed over for delivery, with what it changes about what was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queued {
    /// The message.
    pub notification: Notification,
    /// Messages to the same channel that are still waiting: this one tells the same and more. When an attempt at one
    /// has begun since that was read, nothing of this is written: what it takes in may just be told.
    pub supersedes: Vec<NotificationId>,
    /// What is now told.
    pub told: Vec<ToldMark>,
    /// Alerts of which nothing more is to be told there: they are over.
    pub closed: Vec<AlertId>,
}

impl Queued {
    /// A message that changes nothing about what was told.
    pub(super) const fn alone(notification: Notification) -> Self {
        Self { notification, supersedes: Vec::new(), told: Vec::new(), closed: Vec::new() }
    }
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptEnd {
    /// When.
    pub at: Timestamp,
    /// [`NotificationState::Delivered`], [`NotificationState::Failed`], or [`NotificationState::Waiting`] for another
    /// attempt.
    pub state: NotificationState,
    /// When another attempt is due.
    pub due_at: Timestamp,
    /// Whether the receiver may have taken it although no answer came.
    pub may_be_repeat: bool,
    /// Why it failed.
    pub detail: Option<String>,
    /// Alerts that nobody was told of although they count as told: that ends with this.
    pub untold: Vec<AlertId>,
}

impl Transaction<'_> {
    /// Records a channel. What waits for it is due at once: it may have been put right.
    pub(super) async fn put_channel(&mut self, channel: &Channel) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO channel (name, document) VALUES (?, ?) \
             ON CONFLICT (name) DO UPDATE SET document = excluded.document",
        )
        .bind(&channel.name)
        .bind(json(channel))
        .execute(self.write().await?)
        .await?;
        self.hurry_notifications(&channel.name).await
    }

    /// Makes what waits for another attempt at a channel due at once.
    pub(super) async fn hurry_notifications(&mut self, channel: &str) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE notification SET due_at = queued_at WHERE state = 'waiting' AND due_at >= ? AND attempts > 0 \
             AND channel_key = (SELECT channel_key FROM channel WHERE name = ?)",
        )
        .bind(i64::MIN)
        .bind(channel)
        .execute(self.write().await?)
        .await?;
        Ok(())
    }

    /// Deletes a channel with everything that waits for it; it is not an error if there is none.
    pub(super) async fn remove_channel(&mut self, name: &str) -> Result<(), StoreError> {
        let connection = self.write().await?;
        for statement in [
            "DELETE FROM told WHERE channel_key = (SELECT channel_key FROM channel WHERE name = ?)",
            "DELETE FROM notification WHERE channel_key = (SELECT channel_key FROM channel WHERE name = ?)",
            "DELETE FROM channel WHERE name = ?",
        ] {
            sqlx::query(statement).bind(name).execute(&mut *connection).await?;
        }
        Ok(())
    }

    pub(super) async fn add_silence(&mut self, silence: &Silence) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO silence (id, ends_at, document) VALUES (?, ?, ?)")
            .bind(silence.id.as_str())
            .bind(silence.until.map_or(NEVER, |until| until.as_ms()))
            .bind(json(silence))
            .execute(self.write().await?)
            .await?;
        Ok(())
    }

    /// Ends a silence early. One that is over stays as it is.
    pub(super) async fn end_silence(
        &mut self,
        id: &SilenceId,
        at: Timestamp,
        by: &str,
    ) -> Result<(), StoreError> {
        let connection = self.write().await?;
        let row = sqlx::query("SELECT document FROM silence WHERE id = ?")
            .bind(id.as_str())
            .fetch_optional(&mut *connection)
            .await?
            .ok_or_else(|| StoreError::Unrecorded { id: id.as_str().to_owned() })?;
        let silence: Silence = row.json("document")?;
        if silence.until.is_some_and(|until| until <= at) || silence.ended_at.is_some() {
            return Ok(());
        }
        let silence = Silence { ended_at: Some(at), ended_by: Some(by.to_owned()), ..silence };
        sqlx::query("UPDATE silence SET ends_at = ?, document = ? WHERE id = ?")
            .bind(at.as_ms())
            .bind(json(&silence))
            .bind(id.as_str())
            .execute(connection)
            .await?;
        Ok(())
    }

    /// Hands a message over. A channel that was removed meanwhile gets nothing; nor does one where an attempt at what
    /// this supersedes has begun, because the next look then says what is left to tell.
    pub(super) async fn queue(&mut self, queued: Queued) -> Result<(), StoreError> {
        let Queued { notification, supersedes, told, closed } = queued;
        let document = self.packer.pack(&json(&notification.message));
        let connection = self.write().await?;
        let key: Option<i64> = sqlx::query_scalar("SELECT channel_key FROM channel WHERE name = ?")
            .bind(&notification.channel)
            .fetch_optional(&mut *connection)
            .await?;
        let Some(key) = key else { return Ok(()) };
        for id in &supersedes {
            let is_unheard: Option<bool> = sqlx::query_scalar(
                "SELECT state = 'waiting' AND may_be_repeat = 0 FROM notification WHERE id = ?",
            )
            .bind(id.as_str())
            .fetch_optional(&mut *connection)
            .await?;
            if is_unheard != Some(true) {
                return Ok(());
            }
        }
        for id in supersedes {
            sqlx::query("UPDATE notification SET state = 'superseded', ended_at = ? WHERE id = ?")
                .bind(notification.queued_at.as_ms())
                .bind(id.as_str())
                .execute(&mut *connection)
                .await?;
        }
        sqlx::query(
            "INSERT INTO notification (id, channel_key, topic, state, queued_at, due_at, attempts, may_be_repeat, \
             document) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(notification.id.as_str())
        .bind(key)
        .bind(&notification.topic)
        .bind(<&str>::from(notification.state))
        .bind(notification.queued_at.as_ms())
        .bind(notification.due_at.as_ms())
        .bind(i64::from(notification.attempts))
        .bind(notification.may_be_repeat)
        .bind(document)
        .execute(&mut *connection)
        .await?;
        for mark in told {
            sqlx::query(
                "INSERT INTO told (channel_key, alert_key, severity, acknowledged, told_at) \
                 SELECT ?, alert_key, ?, ?, ? FROM alert WHERE id = ? \
                 ON CONFLICT (channel_key, alert_key) DO UPDATE SET severity = excluded.severity, \
                 acknowledged = excluded.acknowledged, told_at = excluded.told_at",
            )
            .bind(key)
            .bind(<&str>::from(mark.severity))
            .bind(mark.acknowledged)
            .bind(mark.at.as_ms())
            .bind(mark.alert_id.as_str())
            .execute(&mut *connection)
            .await?;
        }
        for alert in closed {
            sqlx::query(
                "DELETE FROM told WHERE channel_key = ? AND alert_key = (SELECT alert_key FROM alert WHERE id = ?)",
            )
            .bind(key)
            .bind(alert.as_str())
            .execute(&mut *connection)
            .await?;
        }
        Ok(())
    }

    /// Records that an attempt begins.
    pub(super) async fn begin_attempt(&mut self, id: &NotificationId) -> Result<(), StoreError> {
        let begun = sqlx::query(
            "UPDATE notification SET state = 'sending', attempts = attempts + 1 \
             WHERE id = ? AND state = 'waiting'",
        )
        .bind(id.as_str())
        .execute(self.write().await?)
        .await?;
        // It was superseded, or its channel removed, since it was read.
        if begun.rows_affected() == 0 {
            return Err(StoreError::Unrecorded { id: id.as_str().to_owned() });
        }
        Ok(())
    }

    pub(super) async fn end_attempt(
        &mut self,
        id: &NotificationId,
        end: &AttemptEnd,
    ) -> Result<(), StoreError> {
        let ended_at = (end.state != NotificationState::Waiting).then_some(end.at.as_ms());
        sqlx::query(
            "UPDATE notification SET state = ?, due_at = ?, ended_at = ?, detail = ?, \
             may_be_repeat = max(may_be_repeat, ?) WHERE id = ?",
        )
        .bind(<&str>::from(end.state))
        .bind(end.due_at.as_ms())
        .bind(ended_at)
        .bind(end.detail.as_deref())
        .bind(end.may_be_repeat)
        .bind(id.as_str())
        .execute(self.write().await?)
        .await?;
        for alert in &end.untold {
            sqlx::query(
                "DELETE FROM told WHERE channel_key = (SELECT channel_key FROM notification WHERE id = ?) \
                 AND alert_key = (SELECT alert_key FROM alert WHERE id = ?)",
            )
            .bind(id.as_str())
            .bind(alert.as_str())
            .execute(self.write().await?)
            .await?;
        }
        Ok(())
    }

    /// Makes what an earlier process was sending when it ended due again: nobody knows whether it arrived. What waits for
    /// another attempt is due at once: whoever starts anew may have put its channel right.
    pub(super) async fn resume_attempts(&mut self) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE notification SET due_at = queued_at WHERE state = 'waiting' AND due_at >= ? AND attempts > 0",
        )
        .bind(i64::MIN)
        .execute(self.write().await?)
        .await?;
        sqlx::query(
            "UPDATE notification SET state = 'waiting', may_be_repeat = 1 \
             WHERE state = 'sending' AND due_at >= ?",
        )
        .bind(i64::MIN)
        .execute(self.write().await?)
        .await?;
        Ok(())
    }
}

fn json(value: &impl serde::Serialize) -> String {
    // Plain values: writing them cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}
