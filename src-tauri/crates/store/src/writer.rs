//! The single writer, which makes poll results durable.
//!
//! Owns the queue and the handle to it. A batch is durable (`synchronous=FULL`) when `apply` returns. Deliberately
//! never calls AWS. The submodules find out what changed by comparing with the live rows kept in memory, so that an
//! unchanged poll does not touch SQLite.

mod activity;
mod alert;
mod alert_rule;
mod asked;
mod capacity;
mod clock;
pub(crate) mod custom_rule;
mod delivery;
mod dispatch;
pub(crate) mod ending;
mod event;
pub(crate) mod feed;
mod game_session;
mod limit;
mod mark;
mod matchmaking;
mod memory;
mod metric;
mod names;
pub(crate) mod placement_day;
pub(crate) mod placement_sum;
mod player_session;
mod polls;
mod property;
mod resource;
mod retention;
mod sheets;
mod span_note;
mod task;
mod trail;
mod transaction;
mod write_connection;

use std::collections::BTreeMap;
use std::sync::Arc;

use liftdeck_model::activity::{Activity, ActivityId, Effect};
use liftdeck_model::alert::{AlertId, AlertStep};
use liftdeck_model::alert_rule::{Adjustment, RuleScope};
use liftdeck_model::channel::Channel;
use liftdeck_model::custom_rule::KeptRule;
use liftdeck_model::feed::Adoption;
use liftdeck_model::notification::{Notification, NotificationId};
use liftdeck_model::observation::{Batch, Subject};
use liftdeck_model::silence::{Silence, SilenceId};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{Environment, GameSessionId, Timestamp};
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::error::StoreError;
use crate::ledger::Ledger;
use crate::reader::span_note::SpanNote;
use crate::store::{Notice, Notices};

pub(crate) use activity::read_document;
pub use activity::{ActivityEnd, Preset, PresetKind, RunKind, RunRecord, RunState};
pub use alert::AlertChanges;
pub use clock::AwsTime;
pub(crate) use clock::ProvenTime;
pub use delivery::{AttemptEnd, Queued};
pub use feed::{MOST_ASIDE, MOST_ASIDE_BYTES};
use mark::Marking;
pub(crate) use memory::Memory;
pub use metric::HEARTBEAT_MS;
use retention::Stage;
pub(crate) use retention::kept_proven_time;
pub(crate) use task::WriterTask;

/// Number of rows written, by kind in snake_case, such as `game_sessions`.
pub type Written = BTreeMap<&'static str, u64>;

/// The result of applying a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Revision after the commit; unchanged when nothing was written.
    pub revision: u64,
    /// Rows written, by kind; kinds without any are absent.
    pub written: Written,
    /// The subjects that were touched, sorted, without duplicates.
    pub subjects: Vec<Subject>,
    /// Sessions that are new, have ended, or whose player count changed: their players should be polled.
    pub player_counts_changed: Vec<GameSessionId>,
    /// Number of events and messages that were stored already.
    pub duplicates: u64,
    /// Ids of the messages that were not kept, because there was no room to set them aside.
    pub no_room: Vec<String>,
}

/// How long each kind is kept, in days counted back from the proven time; see [`Writer::retain`]. AWS's own deletions
/// never shorten this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionPolicy {
    /// Ended game sessions with their players and transitions.
    pub session_days: u32,
    /// Metric samples.
    pub metric_days: u32,
    /// Fleet events, placements, matchmaking, recorded changes, quarantined messages.
    pub event_days: u32,
    /// Settled attempts and ended runs. Unsettled attempts and open runs stay.
    pub activity_days: u32,
}

impl Default for RetentionPolicy {
    /// Sessions 90 days (AWS: 30), metrics 455 days (as CloudWatch), events a year, our own changes two years.
    fn default() -> Self {
        Self { session_days: 90, metric_days: 455, event_days: 365, activity_days: 730 }
    }
}

/// The result of retention.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retained {
    /// Rows deleted, by kind.
    pub deleted: Written,
    /// Metric samples moved from single rows into chunks.
    pub compacted: u64,
    /// Number of transactions it took. Waiting batches are written between them.
    pub steps: u64,
    /// Stages that could not be completed, each with the reason. The others were.
    pub failed: Vec<String>,
}

/// CloudWatch metrics requested since the last record, added to the day's count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsageRecord {
    /// When.
    pub at: Timestamp,
    /// Number of metrics, as AWS bills them.
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

/// A record of what this installation itself does or keeps.
enum Record {
    Begin(Box<Activity>),
    End(ActivityId, Box<ActivityEnd>),
    Effect(ActivityId, Effect),
    Run(Box<RunRecord>),
    Preset(Preset),
    NoPreset { kind: PresetKind, name: String },
    Adopt(Box<Adoption>),
    Release { queue_arn: String },
    Halt { queue_arn: String, why: String },
    ClearAside { queue_url: Option<String> },
    Alerts(AlertChanges),
    AlertNote(AlertId, AlertStep),
    SpanNote { scope: String, range: TimeRange, note: SpanNote },
    Adjustment(Box<Adjustment>),
    NoAdjustment { rule: String, scope: RuleScope },
    CustomRule { rule: Box<KeptRule>, replaces: Option<String> },
    NoCustomRule { name: String },
    Channel(Box<Channel>),
    NoChannel { name: String },
    Silence(Box<Silence>),
    EndSilence { id: SilenceId, at: Timestamp, by: String },
    TestMessage(Box<Notification>),
    BeginAttempt(NotificationId),
    EndAttempt(NotificationId, AttemptEnd),
    ResumeAttempts,
    HurryNotifications { channel: String },
}

impl Record {
    /// The subject that a screen asks again about.
    const fn subject(&self) -> Subject {
        match self {
            Self::Alerts(_)
            | Self::AlertNote(..)
            | Self::SpanNote { .. }
            | Self::Adjustment(_)
            | Self::NoAdjustment { .. }
            | Self::CustomRule { .. }
            | Self::NoCustomRule { .. }
            | Self::Channel(_)
            | Self::NoChannel { .. }
            | Self::Silence(_)
            | Self::EndSilence { .. }
            | Self::TestMessage(_)
            | Self::BeginAttempt(_)
            | Self::EndAttempt(..)
            | Self::ResumeAttempts
            | Self::HurryNotifications { .. } => Subject::Alerts,
            _ => Subject::Activity,
        }
    }
}

/// Most commands waiting in the queue. When it is full, `apply` waits, which slows polling down.
const QUEUE: usize = 64;

/// A handle to the single writer; cheap to clone.
#[derive(Clone, Debug)]
pub struct Writer {
    commands: mpsc::Sender<Command>,
    time: Arc<ProvenTime>,
    notices: Notices,
    ledger: Arc<Ledger>,
}

impl Writer {
    /// Writes the results of a poll in one transaction. Durable when it returns.
    ///
    /// # Errors
    /// When it could not be written; then nothing of the batch was written.
    pub async fn apply(&self, batch: Batch) -> Result<Applied, StoreError> {
        self.ask(|reply| Command::Apply(batch, reply)).await
    }

    /// Sets the source of AWS's own time. It decides which timestamp is recorded with what was seen while the
    /// computer's clock is wrong, and what retention may treat as old.
    pub fn listen_to(&self, aws: AwsTime) {
        self.time.listen_to(aws);
    }

    /// Subscribes to the notices of commits from now on, as [`Store::notices`](crate::Store::notices) does.
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.notices.subscribe()
    }

    /// Number of commit notices that slow listeners have missed since the start. Such a listener learned that it fell
    /// behind, and must assume that everything changed.
    pub fn dropped_notices(&self) -> u64 {
        self.notices.dropped()
    }

    /// Deletes what is older than the policy, compacts metrics and gives free pages back, in small transactions
    /// between which batches can be written. `now` is the computer's clock and is not trusted alone: ages are counted
    /// back from the time proven by AWS's date and by how long this program has run since. Nothing is deleted before
    /// any time is proven.
    ///
    /// # Errors
    /// When the database cannot be written at all; the earlier steps stay done. A row that cannot be understood stops
    /// only its own stage, see [`Retained::failed`].
    pub async fn retain(&self, now: Timestamp, policy: RetentionPolicy) -> Result<Retained, StoreError> {
        let mut total = Retained::default();
        for stage in Stage::ALL {
            loop {
                total.steps += 1;
                let (step, more) =
                    match self.ask(|reply| Command::RetainStep(stage, now, policy, reply)).await {
                        Ok(step) => step,
                        Err(error @ (StoreError::Unreadable { .. } | StoreError::Sql(_))) => {
                            tracing::warn!(%error, ?stage, "Some old records could not be deleted.");
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

    /// Records the mark of a connection to this account. A stricter mark that is already there stays. Durable when it
    /// returns.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn raise_mark(&self, mark: Environment) -> Result<(), StoreError> {
        self.ask(|reply| Command::Mark(mark, Marking::Raise, reply)).await
    }

    /// Sets the mark that a person chose, even if it is less strict than before. Durable when it returns.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn set_mark(&self, mark: Environment) -> Result<(), StoreError> {
        self.ask(|reply| Command::Mark(mark, Marking::Set, reply)).await
    }

    /// Records an attempt as [`ActivityOutcome::Sending`](liftdeck_model::activity::ActivityOutcome). Durable when it
    /// returns: only then may it be sent.
    ///
    /// # Errors
    /// [`StoreError::Recorded`] when an attempt with this id is already recorded; otherwise when it could not be
    /// written.
    pub async fn begin_activity(&self, activity: Activity) -> Result<(), StoreError> {
        self.record(Record::Begin(Box::new(activity))).await
    }

    /// Records the outcome of an attempt. Called again when an unknown outcome is settled. Durable when it returns.
    ///
    /// # Errors
    /// [`StoreError::Unrecorded`] when there is no such attempt; otherwise when it could not be written.
    pub async fn end_activity(&self, id: &ActivityId, end: ActivityEnd) -> Result<(), StoreError> {
        self.record(Record::End(id.clone(), Box::new(end))).await
    }

    /// Records the state of an attempt's effect. Durable when it returns.
    ///
    /// # Errors
    /// [`StoreError::Unrecorded`] when there is no such attempt; otherwise when it could not be written.
    pub async fn note_effect(&self, id: &ActivityId, effect: Effect) -> Result<(), StoreError> {
        self.record(Record::Effect(id.clone(), effect)).await
    }

    /// Records a run, or replaces what is recorded about it. Durable when it returns.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn put_run(&self, run: RunRecord) -> Result<(), StoreError> {
        self.record(Record::Run(Box::new(run))).await
    }

    /// Stores a preset, replacing one with the same kind and name.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn put_preset(&self, preset: Preset) -> Result<(), StoreError> {
        self.record(Record::Preset(preset)).await
    }

    /// Deletes a preset; it is not an error if there is none.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn delete_preset(&self, kind: PresetKind, name: &str) -> Result<(), StoreError> {
        self.record(Record::NoPreset { kind, name: name.to_owned() }).await
    }

    /// Records that a queue was adopted for this connection. Durable when it returns: only then may messages be
    /// received from it.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn adopt_queue(&self, adoption: Adoption) -> Result<(), StoreError> {
        self.record(Record::Adopt(Box::new(adoption))).await
    }

    /// Gives up an adopted queue: its messages are left alone from now on. It is not an error if it was not adopted.
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

    /// Deletes the messages set aside from one queue, or from all queues.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn clear_aside(&self, queue_url: Option<&str>) -> Result<(), StoreError> {
        self.record(Record::ClearAside { queue_url: queue_url.map(str::to_owned) }).await
    }

    /// Records what a look at the state of things changed about alerts, in one transaction. Durable when it returns.
    ///
    /// # Errors
    /// When it could not be written; then nothing of it was written.
    pub async fn change_alerts(&self, changes: AlertChanges) -> Result<(), StoreError> {
        self.record(Record::Alerts(changes)).await
    }

    /// Adds what a person did to an alert: an acknowledgement or a note. Durable when it returns.
    ///
    /// # Errors
    /// [`StoreError::Unrecorded`] when there is no such alert; otherwise when it could not be written.
    pub async fn note_alert(&self, id: &AlertId, step: AlertStep) -> Result<(), StoreError> {
        self.record(Record::AlertNote(id.clone(), step)).await
    }

    /// Adds a note to a span of time. Durable when it returns.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn note_span(&self, scope: String, range: TimeRange, note: SpanNote) -> Result<(), StoreError> {
        self.record(Record::SpanNote { scope, range, note }).await
    }

    /// Records what is set about a rule, replacing what was set for the same.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn put_adjustment(&self, adjustment: Adjustment) -> Result<(), StoreError> {
        self.record(Record::Adjustment(Box::new(adjustment))).await
    }

    /// Forgets what is set about a rule; it is not an error if nothing is.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn remove_adjustment(&self, rule: &str, scope: RuleScope) -> Result<(), StoreError> {
        self.record(Record::NoAdjustment { rule: rule.to_owned(), scope }).await
    }

    /// Records a rule of one's own, in the place of the one named `replaces` and of any of the same name.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn put_custom_rule(&self, rule: KeptRule, replaces: Option<String>) -> Result<(), StoreError> {
        self.record(Record::CustomRule { rule: Box::new(rule), replaces }).await
    }

    /// Deletes a rule of one's own; it is not an error if there is none.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn remove_custom_rule(&self, name: &str) -> Result<(), StoreError> {
        self.record(Record::NoCustomRule { name: name.to_owned() }).await
    }

    /// Records a channel, replacing one of the same name.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn put_channel(&self, channel: Channel) -> Result<(), StoreError> {
        self.record(Record::Channel(Box::new(channel))).await
    }

    /// Deletes a channel with everything that waits for it; it is not an error if there is none.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn remove_channel(&self, name: &str) -> Result<(), StoreError> {
        self.record(Record::NoChannel { name: name.to_owned() }).await
    }

    /// Records a silence.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn add_silence(&self, silence: Silence) -> Result<(), StoreError> {
        self.record(Record::Silence(Box::new(silence))).await
    }

    /// Ends a silence early. One that is over stays as it is.
    ///
    /// # Errors
    /// [`StoreError::Unrecorded`] when there is no such silence; otherwise when it could not be written.
    pub async fn end_silence(&self, id: &SilenceId, at: Timestamp, by: &str) -> Result<(), StoreError> {
        self.record(Record::EndSilence { id: id.clone(), at, by: by.to_owned() }).await
    }

    /// Records a message that is about no alert, such as a test. Durable when it returns.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn queue_test(&self, notification: Notification) -> Result<(), StoreError> {
        self.record(Record::TestMessage(Box::new(notification))).await
    }

    /// Records that an attempt to deliver begins. Durable when it returns: only then may it be sent.
    ///
    /// # Errors
    /// [`StoreError::Unrecorded`] when it is no longer waiting; otherwise when it could not be written.
    pub async fn begin_attempt(&self, id: &NotificationId) -> Result<(), StoreError> {
        self.record(Record::BeginAttempt(id.clone())).await
    }

    /// Records how an attempt to deliver ended. Durable when it returns.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn end_attempt(&self, id: &NotificationId, end: AttemptEnd) -> Result<(), StoreError> {
        self.record(Record::EndAttempt(id.clone(), end)).await
    }

    /// Makes what an earlier process was sending when it ended due again, as what may have arrived, and what waits for
    /// another attempt as well.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn resume_attempts(&self) -> Result<(), StoreError> {
        self.record(Record::ResumeAttempts).await
    }

    /// Makes what waits for another attempt at a channel due at once.
    ///
    /// # Errors
    /// When it could not be written.
    pub async fn hurry_notifications(&self, channel: &str) -> Result<(), StoreError> {
        self.record(Record::HurryNotifications { channel: channel.to_owned() }).await
    }

    async fn record(&self, record: Record) -> Result<(), StoreError> {
        self.ask(|reply| Command::Record(record, reply)).await
    }

    /// Stops the writer after everything already queued.
    pub(crate) async fn stop(&self) {
        // A writer that has stopped already has nothing left to write.
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
