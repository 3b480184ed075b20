//! Writes alerts and the course of each. Deliberately decides nothing: whoever judges says what state an alert is in.

use liftdeck_model::alert::{AlertId, AlertRecord, AlertStep, AlertStepKind};

use crate::error::StoreError;
use crate::writer::delivery::Queued;
use crate::writer::transaction::Transaction;

/// What a look at the state of things changed about alerts; written in one transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlertChanges {
    /// New alerts and alerts that changed, each with what is new in its course. Who has acknowledged one is not
    /// changed by this.
    pub put: Vec<(AlertRecord, Vec<AlertStep>)>,
    /// Alerts that were pending and never fired: they are deleted.
    pub forget: Vec<AlertId>,
    /// What is to be told about it.
    pub tell: Vec<Queued>,
}

impl AlertChanges {
    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.put.is_empty() && self.forget.is_empty() && self.tell.is_empty()
    }
}

impl Transaction<'_> {
    pub(super) async fn change_alerts(&mut self, changes: AlertChanges) -> Result<(), StoreError> {
        // First, because a new alert may take the place of one that is forgotten.
        for id in changes.forget {
            let connection = self.write().await?;
            for statement in [
                "DELETE FROM alert_step WHERE alert_key = (SELECT alert_key FROM alert WHERE id = ?)",
                "DELETE FROM alert WHERE id = ?",
            ] {
                sqlx::query(statement).bind(id.as_str()).execute(&mut *connection).await?;
            }
        }
        for (alert, steps) in changes.put {
            let key = self.put_alert(&alert).await?;
            for step in steps {
                self.add_step(key, &step).await?;
            }
        }
        for queued in changes.tell {
            self.queue(queued).await?;
        }
        Ok(())
    }

    /// Adds what a person did to an alert.
    pub(super) async fn note_alert(&mut self, id: &AlertId, step: AlertStep) -> Result<(), StoreError> {
        let connection = self.write().await?;
        let key: Option<i64> = sqlx::query_scalar("SELECT alert_key FROM alert WHERE id = ?")
            .bind(id.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        let Some(key) = key else { return Err(StoreError::Unrecorded { id: id.as_str().to_owned() }) };
        if step.kind == AlertStepKind::Acknowledged {
            sqlx::query("UPDATE alert SET acknowledged_at = ?, acknowledged_by = ? WHERE alert_key = ?")
                .bind(step.at.as_ms())
                .bind(step.by.as_deref().unwrap_or_default())
                .bind(key)
                .execute(connection)
                .await?;
        }
        self.add_step(key, &step).await
    }

    async fn put_alert(&mut self, alert: &AlertRecord) -> Result<i64, StoreError> {
        let region_key = match &alert.region {
            Some(region) => Some(self.region_key(region.as_str()).await?),
            None => None,
        };
        let fleet_key = match (&alert.fleet_id, region_key) {
            (Some(fleet), Some(region_key)) => {
                self.region_key = region_key;
                Some(self.fleet_key(fleet).await?)
            }
            _ => None,
        };
        let document = self.packer.pack(&alert.document);
        let connection = self.write().await?;
        let key = sqlx::query_scalar(
            "INSERT INTO alert (id, rule, subject, region_key, fleet_key, severity, state, since, seen_at, fired_at, \
             clear_since, unknown_since, ended_at, document) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
             ON CONFLICT (id) DO UPDATE SET severity = excluded.severity, state = excluded.state, since = excluded.since, \
             seen_at = excluded.seen_at, fired_at = excluded.fired_at, clear_since = excluded.clear_since, \
             unknown_since = excluded.unknown_since, ended_at = excluded.ended_at, document = excluded.document \
             RETURNING alert_key",
        )
        .bind(alert.id.as_str())
        .bind(&alert.rule)
        .bind(&alert.subject)
        .bind(region_key)
        .bind(fleet_key)
        .bind(<&str>::from(alert.severity))
        .bind(<&str>::from(alert.state))
        .bind(alert.since.as_ms())
        .bind(alert.seen_at.as_ms())
        .bind(alert.fired_at.map(|at| at.as_ms()))
        .bind(alert.clear_since.map(|at| at.as_ms()))
        .bind(alert.unknown_since.map(|at| at.as_ms()))
        .bind(alert.ended_at.map(|at| at.as_ms()))
        .bind(document)
        .fetch_one(connection)
        .await?;
        Ok(key)
    }

    async fn add_step(&mut self, key: i64, step: &AlertStep) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO alert_step (alert_key, at, step, by, text) VALUES (?, ?, ?, ?, ?)")
            .bind(key)
            .bind(step.at.as_ms())
            .bind(<&str>::from(step.kind))
            .bind(step.by.as_deref())
            .bind(step.text.as_deref())
            .execute(self.write().await?)
            .await?;
        Ok(())
    }
}
