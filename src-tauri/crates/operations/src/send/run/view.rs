//! A run as people see it, and watching it.
//!
//! Deliberately changes nothing about it.

use std::sync::Arc;
use std::time::Duration;

use liftdeck_model::activity::RunId;
use liftdeck_model::{FleetId, Region, Timestamp};
use liftdeck_store::{Reader, RunKind, RunRecord, RunState};
use serde::{Deserialize, Serialize};
use specta::Type;
use tokio::sync::watch;

use super::drain::step::DrainProgress;
use super::record::{progress_of, read_plan, read_state, record};
use crate::connection::Connection;
use crate::error::OperationError;
use crate::fact::{Skipped, first};

/// How often somebody who watches a run receives an update.
const TOLD_EVERY: Duration = Duration::from_millis(250);

/// A run as people see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Id.
    pub id: RunId,
    /// Bulk change or drain.
    pub kind: RunKind,
    /// Whether it sends, waits for a person, or is over.
    pub state: RunState,
    /// What it does, as a heading.
    pub title: String,
    /// Region, if all of it is in one.
    pub region: Option<Region>,
    /// The fleet concerned, if there is one.
    pub fleet_id: Option<FleetId>,
    /// When it was confirmed.
    pub created_at: Timestamp,
    /// When it last changed.
    pub changed_at: Timestamp,
    /// Changes in all.
    pub total: u32,
    /// Changes that AWS accepted.
    pub done: u32,
    /// Changes that AWS refused.
    pub failed: u32,
    /// Changes whose outcome is not known.
    pub unknown: u32,
    /// Changes whose target had ended by itself, so that nothing was left to do.
    pub ended: u32,
    /// Changes that were not sent, because their target had changed since it was looked at.
    pub skipped: u32,
    /// Changes not begun, or without an answer yet.
    pub left: u32,
    /// What had ended or was left out, and why. A screen receives only the first 200.
    #[serde(serialize_with = "first")]
    #[specta(type = Vec<Skipped>)]
    pub left_out: Vec<Skipped>,
    /// Why it is paused or stopped, or what it waits for, in a sentence.
    pub message: Option<String>,
    /// Steps and countdown of a drain.
    pub drain: Option<DrainProgress>,
}

impl Run {
    /// Reads the runs on record, newest first.
    ///
    /// # Errors
    /// If the records cannot be read.
    pub async fn list(store: &Reader, open_only: bool) -> Result<Vec<Self>, OperationError> {
        let mut seen = Vec::new();
        for record in store.runs(open_only).await? {
            match Self::of(store, &record).await {
                Ok(run) => seen.push(run),
                Err(error) => tracing::warn!(run = %record.id, %error, "A run is left out."),
            }
        }
        Ok(seen)
    }

    /// Reads one run.
    ///
    /// # Errors
    /// `Unknown` if no run has this id.
    pub async fn get(store: &Reader, id: &RunId) -> Result<Self, OperationError> {
        Self::of(store, &record(store, id).await?).await
    }

    /// The Regions of all changes of a run, those not sent yet included; `None` if no run has this id.
    ///
    /// # Errors
    /// `Refused` if the record cannot be understood, `Store` if it cannot be read.
    pub async fn regions(store: &Reader, id: &RunId) -> Result<Option<Vec<Region>>, OperationError> {
        let Some(record) = store.run(id).await? else { return Ok(None) };
        Ok(Some(read_plan(&record)?.regions()))
    }

    /// How far it is, in a sentence.
    pub fn progress_text(&self) -> String {
        let mut text = format!("{}: {} of {} done", self.title, self.done, self.total);
        if self.ended > 0 {
            text.push_str(&format!(", {} already ended", self.ended));
        }
        if self.skipped > 0 {
            text.push_str(&format!(", {} left out", self.skipped));
        }
        text.push_str(&format!(", {} failed, {} unknown, {} left", self.failed, self.unknown, self.left));
        if let Some(drain) = &self.drain {
            let players = drain.player_sessions.map(|players| format!(" with {players} players"));
            let (live, players) = (drain.game_sessions, players.unwrap_or_default());
            text.push_str(&format!("; {live} game sessions{players} left. {}", drain.estimate_text));
        }
        text
    }

    /// Makes a run from its record. For changes that the record calls unknown, it uses what is known by now.
    ///
    /// # Errors
    /// `Refused` if the record cannot be understood, `Store` if the changes cannot be read.
    pub(super) async fn of(store: &Reader, record: &RunRecord) -> Result<Self, OperationError> {
        let mut state = read_state(record)?;
        if state.progress.counts().unknown > 0 {
            let known = progress_of(store, &record.id, &read_plan(record)?, &state.progress).await?;
            state.progress.learn(&known);
            if record.state == RunState::Finished {
                state.progress.message = state.progress.shortfall();
            }
        }
        let counts = state.progress.counts();
        let left_out = state.progress.left_out().cloned().collect();
        Ok(Self {
            id: record.id.clone(),
            kind: record.kind,
            state: record.state,
            title: record.title.clone(),
            region: record.region.clone(),
            fleet_id: record.fleet_id.clone(),
            created_at: record.created_at,
            changed_at: record.changed_at,
            total: counts.total,
            done: counts.done,
            failed: counts.failed,
            unknown: counts.unknown,
            ended: counts.ended,
            skipped: counts.skipped,
            left: counts.left,
            left_out,
            message: state.progress.message,
            drain: state.drain.map(|drain| drain.progress()),
        })
    }
}

/// Watches a run until it is paused, stopped or finished. Then the sender is dropped.
///
/// # Errors
/// `Unknown` if no run has this id.
pub(crate) async fn watched(
    connection: &Arc<Connection>,
    id: &RunId,
) -> Result<watch::Receiver<Run>, OperationError> {
    let (told, receiver) = watch::channel(Run::get(&connection.store, id).await?);
    let (owned, id, told) = (Arc::clone(connection), id.clone(), Arc::new(told));
    connection.carry("The updates on a run".to_owned(), move || {
        let (connection, id, told) = (Arc::clone(&owned), id.clone(), Arc::clone(&told));
        async move { tell(&connection, &id, &told).await }
    });
    Ok(receiver)
}

async fn tell(connection: &Connection, id: &RunId, told: &watch::Sender<Run>) {
    while told.borrow().state == RunState::Running && !told.is_closed() {
        if !connection.pause(TOLD_EVERY).await {
            return;
        }
        if let Ok(run) = Run::get(&connection.store, id).await {
            told.send_if_modified(|known| {
                let moved = *known != run;
                *known = run;
                moved
            });
        }
    }
}

/// Refuses an order because the run is over.
pub(super) fn over(run: &Run) -> OperationError {
    let word = if run.state == RunState::Finished { "finished" } else { "stopped" };
    OperationError::Refused(format!("“{}” is already {word}.", run.title))
}
