//! The task that owns the writing connection and writes groups of batches, one transaction each.
//!
//! Owns the transaction around a group, the revision, the notices and when the ledger is written. The other
//! submodules decide what a batch means.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use liftdeck_model::Timestamp;
use liftdeck_model::observation::{Batch, Observation, Subject};
use sqlx::SqliteConnection;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::checkpoint::Checkpoint;
use crate::damage;
use crate::error::StoreError;
use crate::ledger::{Ledger, Pending};
use crate::lock::WriterLock;
use crate::store::{Notice, Notices};
use crate::text::Packer;
use crate::writer::dispatch::{apply, know};
use crate::writer::memory::Memory;
use crate::writer::metric::HOT_ROWS;
use crate::writer::polls::write_ledger;
use crate::writer::retention::Stage;
use crate::writer::transaction::Transaction;
use crate::writer::write_connection::WriteConnection;
use crate::writer::{
    Applied, Command, ProvenTime, QUEUE, Queued, Record, Retained, RetentionPolicy, UsageRecord, Writer,
};

/// The task behind every [`Writer`].
pub(crate) struct WriterTask {
    connection: WriteConnection,
    ledger: Arc<Ledger>,
    notices: Notices,
    checkpoint: Checkpoint,
    packer: Packer,
    time: Arc<ProvenTime>,
    /// Discarded after a failed transaction, and read again before the next.
    memory: Option<Memory>,
    /// Since when the ledger has been waiting to be written with other rows.
    ledger_since: Option<Instant>,
    database: PathBuf,
    /// What SQLite found damaged. Once this is set, nothing more is written.
    damage: Option<String>,
    _lock: WriterLock,
}

/// How long a ledger line may wait to be written with other rows.
const LEDGER_DELAY: Duration = Duration::from_secs(10);
/// Most batches that share a transaction, and so one sync.
const GROUP: usize = 32;

type Reply = oneshot::Sender<Result<Applied, StoreError>>;

impl WriterTask {
    pub(crate) fn start(
        connection: SqliteConnection,
        memory: Memory,
        path: &Path,
        ledger: Arc<Ledger>,
        time: Arc<ProvenTime>,
        notices: Notices,
        lock: WriterLock,
    ) -> (Writer, tokio::task::JoinHandle<()>) {
        let task = Self {
            connection: WriteConnection::new(connection),
            ledger: Arc::clone(&ledger),
            notices: notices.clone(),
            checkpoint: Checkpoint::new(path),
            packer: Packer::new(),
            time: Arc::clone(&time),
            memory: Some(memory),
            ledger_since: None,
            database: path.to_owned(),
            damage: None,
            _lock: lock,
        };
        let (commands, queue) = mpsc::channel(QUEUE);
        (Writer { commands, time, notices, ledger }, tokio::spawn(task.run(queue)))
    }

    async fn run(mut self, mut queue: mpsc::Receiver<Command>) {
        let mut next = None;
        loop {
            let command = match next.take() {
                Some(command) => command,
                None => match tokio::time::timeout(LEDGER_DELAY, queue.recv()).await {
                    Ok(Some(command)) => command,
                    Ok(None) => break,
                    Err(_) => {
                        self.flush_ledger().await;
                        continue;
                    }
                },
            };
            match command {
                Command::Apply(batch, reply) => {
                    let mut group = vec![(batch, reply)];
                    while group.len() < GROUP {
                        match queue.try_recv() {
                            Ok(Command::Apply(batch, reply)) => group.push((batch, reply)),
                            Ok(other) => {
                                next = Some(other);
                                break;
                            }
                            Err(_) => break,
                        }
                    }
                    self.apply_group(group).await;
                }
                Command::RetainStep(stage, now, policy, reply) => {
                    answer(reply, self.retain_step(stage, now, policy).await)
                }
                Command::Usage(usage, reply) => answer(reply, self.record_usage(usage).await),
                Command::Mark(mark, how, reply) => {
                    answer(reply, self.step(async |transaction| transaction.mark(mark, how).await).await)
                }
                Command::Record(record, reply) => answer(reply, self.record(record).await),
                Command::Stop => break,
            }
            if self.ledger_since.is_some_and(|since| since.elapsed() >= LEDGER_DELAY) {
                self.flush_ledger().await;
            }
        }
        self.flush_ledger().await;
        if let Err(error) = self.connection.close().await {
            tracing::warn!(%error, "The database's writing connection did not close cleanly.");
        }
    }

    async fn apply_group(&mut self, group: Vec<(Batch, Reply)>) {
        let (batches, mut replies): (Vec<Batch>, Vec<Reply>) = group.into_iter().unzip();
        match self.write(&batches).await {
            Ok(applied) => {
                replies.into_iter().zip(applied).for_each(|(reply, applied)| answer(reply, Ok(applied)))
            }
            Err(error) if batches.len() == 1 => {
                if let Some(reply) = replies.pop() {
                    answer(reply, Err(error));
                }
            }
            Err(error) => {
                tracing::info!(%error, batches = batches.len(), "A group of batches failed; each is tried alone.");
                for (batch, reply) in batches.iter().zip(replies) {
                    let outcome = self.write(std::slice::from_ref(batch)).await;
                    answer(reply, outcome.map(|applied| applied.into_iter().next().unwrap_or_default()));
                }
            }
        }
    }

    /// Writes a group of batches in one transaction.
    async fn write(&mut self, batches: &[Batch]) -> Result<Vec<Applied>, StoreError> {
        let mut memory = self.recall().await?;
        memory.trim();
        let mut transaction =
            Transaction::new(&mut self.connection, &mut memory, &self.ledger, &mut self.packer, &self.time);
        let outcome = write_group(&mut transaction, batches).await;
        let (applied, notice, wrote) = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                transaction.rollback().await;
                return Err(self.noticed(error));
            }
        };
        self.memory = Some(memory);
        if wrote {
            self.ledger_since = None;
            self.checkpoint().await;
        }
        if self.ledger.has_pending() {
            self.ledger_since.get_or_insert_with(Instant::now);
        }
        if let Some(notice) = notice {
            self.notices.tell(notice);
        }
        if self.memory.as_ref().is_some_and(|memory| memory.hot_rows > HOT_ROWS) {
            self.compact().await;
        }
        Ok(applied)
    }

    /// Moves hot rows into chunks until the hot table is empty. A failure costs nothing: the rows are still there.
    async fn compact(&mut self) {
        loop {
            match self.step(async |transaction| transaction.compact_step().await).await {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, "Metric samples could not be compacted; it is tried again later.");
                    return;
                }
            }
        }
    }

    async fn retain_step(
        &mut self,
        stage: Stage,
        now: Timestamp,
        policy: RetentionPolicy,
    ) -> Result<(Retained, bool), StoreError> {
        let time = Arc::clone(&self.time);
        let horizon_ms = time.horizon_ms(now);
        self.step(async |transaction| {
            if stage == Stage::FIRST {
                transaction.keep_proven_time(time.now_ms()).await?;
            }
            transaction.retain_step(stage, horizon_ms, policy).await
        })
        .await
    }

    async fn record_usage(&mut self, usage: UsageRecord) -> Result<(), StoreError> {
        self.step(async |transaction| {
            let connection = transaction.write().await?;
            sqlx::query(
                "INSERT INTO usage (day, metrics_requested) VALUES (?, ?) \
                 ON CONFLICT (day) DO UPDATE SET metrics_requested = metrics_requested + excluded.metrics_requested",
            )
            .bind(usage.at.as_ms().div_euclid(86_400_000))
            .bind(i64::try_from(usage.metrics_requested).unwrap_or(i64::MAX))
            .execute(connection)
            .await?;
            Ok(())
        })
        .await
    }

    /// Writes one record in its own transaction, because the caller waits for it before calling AWS.
    async fn record(&mut self, record: Record) -> Result<(), StoreError> {
        let subjects = vec![record.subject()];
        let revision = self
            .step(async |transaction| {
                match record {
                    Record::Begin(activity) => transaction.begin_activity(*activity).await?,
                    Record::End(id, end) => transaction.end_activity(&id, *end).await?,
                    Record::Effect(id, effect) => transaction.note_effect(&id, effect).await?,
                    Record::Run(run) => transaction.put_run(*run).await?,
                    Record::Preset(preset) => transaction.put_preset(preset).await?,
                    Record::NoPreset { kind, name } => transaction.delete_preset(kind, &name).await?,
                    Record::Adopt(adoption) => transaction.adopt(*adoption).await?,
                    Record::Release { queue_arn } => transaction.release(&queue_arn).await?,
                    Record::Halt { queue_arn, why } => transaction.halt(&queue_arn, &why).await?,
                    Record::ClearAside { queue_url } => transaction.clear_aside(queue_url.as_deref()).await?,
                    Record::Alerts(changes) => transaction.change_alerts(changes).await?,
                    Record::AlertNote(id, step) => transaction.note_alert(&id, step).await?,
                    Record::SpanNote { scope, range, note } => {
                        transaction.note_span(&scope, range, note).await?;
                    }
                    Record::Adjustment(adjustment) => transaction.put_adjustment(&adjustment).await?,
                    Record::NoAdjustment { rule, scope } => {
                        transaction.remove_adjustment(&rule, &scope).await?;
                    }
                    Record::CustomRule { rule, replaces } => {
                        transaction.put_custom_rule(&rule, replaces.as_deref()).await?;
                    }
                    Record::NoCustomRule { name } => transaction.remove_custom_rule(&name).await?,
                    Record::Channel(channel) => transaction.put_channel(&channel).await?,
                    Record::NoChannel { name } => transaction.remove_channel(&name).await?,
                    Record::Silence(silence) => transaction.add_silence(&silence).await?,
                    Record::EndSilence { id, at, by } => transaction.end_silence(&id, at, &by).await?,
                    Record::TestMessage(test) => transaction.queue(Queued::alone(*test)).await?,
                    Record::BeginAttempt(id) => transaction.begin_attempt(&id).await?,
                    Record::EndAttempt(id, end) => transaction.end_attempt(&id, &end).await?,
                    Record::ResumeAttempts => transaction.resume_attempts().await?,
                    Record::HurryNotifications { channel } => {
                        transaction.hurry_notifications(&channel).await?
                    }
                }
                let revision = transaction.memory.revision + 1;
                set_revision(transaction, revision).await?;
                Ok(revision)
            })
            .await?;
        if let Some(memory) = &mut self.memory {
            memory.revision = revision;
        }
        self.notices.tell(Notice { revision, subjects });
        Ok(())
    }

    /// Does other work in a transaction. Raising the revision, if needed, is part of `work`.
    async fn step<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut memory = self.recall().await?;
        let mut transaction =
            Transaction::new(&mut self.connection, &mut memory, &self.ledger, &mut self.packer, &self.time);
        let outcome = match work(&mut transaction).await {
            Ok(done) => transaction.commit().await.map(|()| done),
            Err(error) => Err(error),
        };
        let done = match outcome {
            Ok(done) => done,
            Err(error) => {
                transaction.rollback().await;
                return Err(self.noticed(error));
            }
        };
        self.memory = Some(memory);
        self.checkpoint().await;
        Ok(done)
    }

    async fn recall(&mut self) -> Result<Memory, StoreError> {
        if let Some(detail) = &self.damage {
            return Err(StoreError::Damaged { path: Some(self.database.clone()), detail: detail.clone() });
        }
        if let Some(memory) = self.memory.take() {
            return Ok(memory);
        }
        let loaded = match self.connection.get().await {
            Ok(connection) => Memory::load(connection).await,
            Err(error) => Err(error),
        };
        loaded.map_err(|error| self.noticed(error))
    }

    /// Stops all writing if an error shows that the database is damaged, because each further row could make it
    /// worse.
    fn noticed(&mut self, error: StoreError) -> StoreError {
        let error = error.of(&self.database);
        if let StoreError::Damaged { detail, .. } = &error
            && self.damage.is_none()
        {
            tracing::error!(%error, "Nothing more is written.");
            damage::note(&self.database, detail);
            self.damage = Some(detail.clone());
        }
        error
    }

    async fn flush_ledger(&mut self) {
        self.ledger_since = None;
        if self.damage.is_some() {
            return;
        }
        let outcome = self
            .step(async |transaction| {
                let pending = transaction.ledger.pending();
                write_ledger(transaction, &pending).await?;
                Ok(pending)
            })
            .await;
        match outcome {
            Ok(pending) => self.ledger.written(&pending),
            Err(error) => {
                tracing::warn!(%error, "The poll ledger could not be written; it is tried again later.")
            }
        }
    }

    async fn checkpoint(&mut self) {
        let outcome = match self.connection.get().await {
            Ok(connection) => self.checkpoint.after_commit(connection).await,
            Err(error) => Err(error),
        };
        if let Err(error) = outcome.map_err(|error| self.noticed(error)) {
            tracing::warn!(%error, "The database's log could not be checkpointed; it is tried again with the next commit.");
        }
    }
}

/// Applies batches, raises the revision if any wrote rows, and commits.
async fn write_group(
    transaction: &mut Transaction<'_>,
    batches: &[Batch],
) -> Result<(Vec<Applied>, Option<Notice>, bool), StoreError> {
    know(transaction, batches).await?;
    let mut applied = Vec::with_capacity(batches.len());
    for batch in batches {
        // A group of many batches would make a large future, so each batch has its own on the heap.
        Box::pin(apply(transaction, batch)).await?;
        applied.push(std::mem::take(&mut transaction.tally).into_applied());
    }
    transaction.send().await?;
    let mut subjects: Vec<Subject> =
        applied.iter().flat_map(|one: &Applied| one.subjects.iter().copied()).collect();
    subjects.sort_unstable();
    subjects.dedup();
    let wrote = transaction.begun();
    let mut revision = transaction.memory.revision;
    if !subjects.is_empty() {
        revision += 1;
        set_revision(transaction, revision).await?;
    }
    let pending = if wrote { transaction.ledger.pending() } else { Pending::default() };
    write_ledger(transaction, &pending).await?;
    transaction.commit().await?;
    transaction.memory.revision = revision;
    transaction.ledger.written(&pending);
    for (region, poll) in std::mem::take(&mut transaction.polls) {
        transaction.ledger.record(&region, poll);
    }
    for batch in batches.iter().filter(|batch| brings_placement_events(batch)) {
        transaction.ledger.heard(&batch.region, batch.observed_at);
    }
    for (session, session_key, at) in std::mem::take(&mut transaction.confirmed) {
        transaction.ledger.confirm_players(&session, session_key, at);
    }
    for one in &mut applied {
        one.revision = revision;
    }
    let notice = (!subjects.is_empty()).then_some(Notice { revision, subjects });
    Ok((applied, notice, wrote))
}

fn brings_placement_events(batch: &Batch) -> bool {
    let brings =
        |seen: &Observation| matches!(seen, Observation::PlacementEvents(events) if !events.is_empty());
    batch.observations.iter().any(brings)
}

async fn set_revision(transaction: &mut Transaction<'_>, revision: u64) -> Result<(), StoreError> {
    let connection = transaction.write().await?;
    sqlx::query("UPDATE revision SET value = ? WHERE one = 1")
        .bind(i64::try_from(revision).unwrap_or(i64::MAX))
        .execute(connection)
        .await?;
    Ok(())
}

fn answer<T>(reply: oneshot::Sender<Result<T, StoreError>>, outcome: Result<T, StoreError>) {
    // The caller may have given up; what was written stays written.
    let _ = reply.send(outcome);
}
