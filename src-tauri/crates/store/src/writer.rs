//! The one writer: takes what polls saw and makes it durable.
//!
//! Owns the queue and the handle to it. A batch is durable
//! (`synchronous=FULL`) when `apply` returns. Deliberately asks nothing of AWS; what changed is worked out here, in the
//! submodules, against a memory of the live rows, so that an unchanged poll does not touch SQLite.

mod activity;
mod capacity;
mod clock;
mod desk;
mod dispatch;
mod event;
pub(crate) mod feed;
mod game_session;
mod line;
mod mark;
mod matchmaking;
mod memory;
mod metric;
mod names;
pub(crate) mod placement_day;
mod placement_sum;
mod player_session;
mod polls;
mod property;
mod resource;
mod retention;
mod sheets;
mod task;

use std::collections::BTreeMap;
use std::sync::Arc;

use liftdeck_model::activity::{Activity, ActivityId, Effect};
use liftdeck_model::feed::Adoption;
use liftdeck_model::observation::{Batch, Subject};
use liftdeck_model::{Environment, GameSessionId, Timestamp};
use tokio::sync::{mpsc, oneshot};

use crate::error::StoreError;
use crate::store::Notices;

pub(crate) use activity::read_document;
pub use activity::{ActivityEnd, Preset, RunKind, RunRecord, RunState};
pub use clock::AwsTime;
pub(crate) use clock::ProvenTime;
pub use feed::{MOST_ASIDE, MOST_ASIDE_BYTES};
use mark::Marking;
pub(crate) use memory::Memory;
pub use metric::HEARTBEAT_MS;
use retention::Stage;
pub(crate) use retention::kept_proven_time;
pub(crate) use task::WriterTask;

/// Rows written, by kind: the names of the export kinds in snake_case, such as `game_sessions`.
pub type Written = BTreeMap<&'static str, u64>;

/// What a batch did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Revision after the commit; unchanged when nothing was written.
    pub revision: u64,
    /// Rows written, by kind; kinds without any are absent.
    pub written: Written,
    /// What was touched, sorted, each once.
    pub subjects: Vec<Subject>,
    /// Sessions that are new or whose player count moved: their players are worth a poll.
    pub player_counts_changed: Vec<GameSessionId>,
    /// Events and messages that were here already.
    pub duplicates: u64,
    /// Ids of messages there was no room to set aside: they are not kept.
    pub no_room: Vec<String>,
}

/// How long each kind is kept, in days counted back from `now`. AWS's own deletions never shorten this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionPolicy {
    /// Ended game sessions with their players and transitions.
    pub session_days: u32,
    /// Metric samples.
    pub metric_days: u32,
    /// Fleet events, placements, matchmaking, recorded changes, quarantined messages.
    pub event_days: u32,
    /// Attempts that were settled, and runs that ended. Unsettled and open ones stay.
    pub activity_days: u32,
}

impl Default for RetentionPolicy {
    /// Sessions 90 days (AWS: 30), metrics 455 days (as CloudWatch), events a year, our own changes two years.
    fn default() -> Self {
        Self { session_days: 90, metric_days: 455, event_days: 365, activity_days: 730 }
    }
}

/// What retention did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retained {
    /// Rows deleted, by kind.
    pub deleted: Written,
    /// Metric samples moved from single rows into chunks.
    pub compacted: u64,
    /// Transactions it took; each lets waiting batches pass.
    pub steps: u64,
    /// Kinds that could not be cleared, each with the reason. The others were.
    pub failed: Vec<String>,
}

/// CloudWatch metrics requested since the last record, added to the day's count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsageRecord {
    /// When.
    pub at: Timestamp,
    /// How many metrics, as AWS bills them.
    pub metrics_requested: u64,
}

enum Command {
    Apply(Batch, oneshot::Sender<Result<Applied, StoreError>>),
    RetainStep(Stage, Timestamp, RetentionPolicy, oneshot::Sender<Result<(Retained, bool), StoreError>>),
    Usage(UsageRecord, oneshot::Sender<Result<(), StoreError>>),
    Mark(Environment, Marking, oneshot::Sender<Result<(), StoreError>>),
    Record(Record, oneshot::Sender<Result<(), StoreError>>),
    Stop,
}

/// Something of our own to record.
enum Record {
    Begin(Box<Activity>),
    End(ActivityId, Box<ActivityEnd>),
    Effect(ActivityId, Effect),
    Run(Box<RunRecord>),
    Preset(Preset),
    NoPreset { kind: String, name: String },
    Adopt(Box<Adoption>),
    Release { queue_arn: String },
    Halt { queue_arn: String, why: String },
    ClearAside { queue_url: Option<String> },
}

/// Batches waiting at most; beyond it `apply` waits, which slows the asking down.
const QUEUE: usize = 64;

/// A handle to the one writer; cheap to clone.
#[derive(Clone, Debug)]
pub struct Writer {
    commands: mpsc::Sender<Command>,
    time: Arc<ProvenTime>,
    notices: Notices,
}

impl Writer {
    /// Writes what a poll saw, in one transaction with its marks. Durable when it returns.
    ///
    /// # Errors
    /// When it could not be written: then none of the batch was.
    pub async fn apply(&self, batch: Batch) -> Result<Applied, StoreError> {
        self.ask(|reply| Command::Apply(batch, reply)).await
    }

    /// Where to hear AWS's own date. It decides which moment is written beside what is seen while the computer's clock is
    /// wrong, and what retention may call old.
    pub fn listen_to(&self, aws: AwsTime) {
        self.time.listen_to(aws);
    }

    /// Commit notices that a slow listener has missed since the start. It was told that it fell behind, and must assume
    /// that everything changed.
    pub fn dropped_notices(&self) -> u64 {
        self.notices.dropped()
    }

    /// Deletes what is older than the policy, compacts metrics and gives free pages back, in small transactions
    /// between which batches pass. `now` is the computer's clock and not believed alone: ages are counted back from time
    /// that AWS's date or this program's own running has proven, and nothing is deleted before any is.
    ///
    /// # Errors
    /// When the database cannot be written at all; the earlier steps stay done. A row that cannot be understood stops only
    /// its own kind, see [`Retained::failed`].
    pub async fn retain(&self, now: Timestamp, policy: RetentionPolicy) -> Result<Retained, StoreError> {
        let mut total = Retained::default();
        for stage in Stage::ALL {
            loop {
                total.steps += 1;
                let (step, more) =
                    match self.ask(|reply| Command::RetainStep(stage, now, policy, reply)).await {
                        Ok(step) => step,
                        Err(error @ (StoreError::Unreadable { .. } | StoreError::Sql(_))) => {
                            tracing::warn!(%error, ?stage, "Some of what is too old could not be deleted.");
                            total.failed.push(format!("{stage:?}: {error}"));
                            break;
                        }
                        Err(error) => return Err(error),
                    };
                for (kind, rows) in step.deleted {
                    *total.deleted.entry(kind).or_default() += rows;
                }
                total.compacted += step.compacted;
                if !more {
                    break;
                }
            }
        }
        Ok(total)
    }

    /// Adds to the day's count of CloudWatch metrics requested.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn record_usage(&self, usage: UsageRecord) -> Result<(), StoreError> {
        self.ask(|reply| Command::Usage(usage, reply)).await
    }

    /// Notes the mark a connection to this account has. A stricter one that is there already stays. Durable when it
    /// returns.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn raise_mark(&self, mark: Environment) -> Result<(), StoreError> {
        self.ask(|reply| Command::Mark(mark, Marking::Raise, reply)).await
    }

    /// Marks the database as a person decided, be it less strict than before. Durable when it returns.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn set_mark(&self, mark: Environment) -> Result<(), StoreError> {
        self.ask(|reply| Command::Mark(mark, Marking::Set, reply)).await
    }

    /// Records an attempt, as [`ActivityOutcome::Sending`](liftdeck_model::activity::ActivityOutcome). Durable when it
    /// returns: only then may it be sent.
    ///
    /// # Errors
    /// [`StoreError::Recorded`] when an attempt of this id is there already; else when it could not be written.
    pub async fn begin_activity(&self, activity: Activity) -> Result<(), StoreError> {
        self.record(Record::Begin(Box::new(activity))).await
    }

    /// Records what became of an attempt; said again when an unknown outcome is settled. Durable when it returns.
    ///
    /// # Errors
    /// [`StoreError::Unrecorded`] when there is no such attempt; else when it could not be written.
    pub async fn end_activity(&self, id: &ActivityId, end: ActivityEnd) -> Result<(), StoreError> {
        self.record(Record::End(id.clone(), Box::new(end))).await
    }

    /// Records how the effect of an attempt is coming along. Durable when it returns.
    ///
    /// # Errors
    /// [`StoreError::Unrecorded`] when there is no such attempt; else when it could not be written.
    pub async fn note_effect(&self, id: &ActivityId, effect: Effect) -> Result<(), StoreError> {
        self.record(Record::Effect(id.clone(), effect)).await
    }

    /// Makes a run, or replaces what is recorded of it. Durable when it returns.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn put_run(&self, run: RunRecord) -> Result<(), StoreError> {
        self.record(Record::Run(Box::new(run))).await
    }

    /// Keeps a preset, replacing one of the same kind and name.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn put_preset(&self, preset: Preset) -> Result<(), StoreError> {
        self.record(Record::Preset(preset)).await
    }

    /// Forgets a preset; one that is not there is forgotten already.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn delete_preset(&self, kind: &str, name: &str) -> Result<(), StoreError> {
        self.record(Record::NoPreset { kind: kind.to_owned(), name: name.to_owned() }).await
    }

    /// Records that a queue is the connection's own. Durable when it returns: only then may it be received from.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn adopt_queue(&self, adoption: Adoption) -> Result<(), StoreError> {
        self.record(Record::Adopt(Box::new(adoption))).await
    }

    /// Gives a queue up: its messages are left alone from now on. One that was not adopted is given up already.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn release_queue(&self, queue_arn: &str) -> Result<(), StoreError> {
        self.record(Record::Release { queue_arn: queue_arn.to_owned() }).await
    }

    /// Records why nothing may be received from an adopted queue until it is adopted again.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn halt_queue(&self, queue_arn: &str, why: &str) -> Result<(), StoreError> {
        self.record(Record::Halt { queue_arn: queue_arn.to_owned(), why: why.to_owned() }).await
    }

    /// Deletes the messages that were set aside of one queue, or of all.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn clear_aside(&self, queue_url: Option<&str>) -> Result<(), StoreError> {
        self.record(Record::ClearAside { queue_url: queue_url.map(str::to_owned) }).await
    }

    async fn record(&self, record: Record) -> Result<(), StoreError> {
        self.ask(|reply| Command::Record(record, reply)).await
    }

    /// Ends the writer after what is queued.
    pub(crate) async fn stop(&self) {
        // A writer that is gone already has nothing left to write.
        let _ = self.commands.send(Command::Stop).await;
    }

    async fn ask<T>(
        &self,
        command: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Command,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.commands.send(command(reply)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }
}
