//! The task that owns the writing connection: groups of batches, one transaction each.
//!
//! Owns the transaction around a group, the revision, the notices and when the ledger is written. What a batch means is
//! the other submodules' matter.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use liftdeck_model::Timestamp;
use liftdeck_model::observation::{Batch, Subject};
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
use crate::writer::desk::Desk;
use crate::writer::dispatch::{apply, know};
use crate::writer::line::Line;
use crate::writer::memory::Memory;
use crate::writer::metric::HOT_ROWS;
use crate::writer::polls::write_ledger;
use crate::writer::retention::Stage;
use crate::writer::{
    Applied, Command, ProvenTime, QUEUE, Record, Retained, RetentionPolicy, UsageRecord, Writer,
};

/// The task behind every [`Writer`].
pub(crate) struct WriterTask {
    line: Line,
    ledger: Arc<Ledger>,
    notices: Notices,
    checkpoint: Checkpoint,
    packer: Packer,
    time: Arc<ProvenTime>,
    /// Forgotten after a failed transaction, and read again before the next.
    memory: Option<Memory>,
    /// Since when the ledger has been waiting for rows to travel with.
    ledger_since: Option<Instant>,
    database: PathBuf,
    /// What SQLite found damaged: nothing is written any more.
    damage: Option<String>,
    _lock: WriterLock,
}

/// How long a ledger line may wait for rows to travel with.
const LEDGER_DELAY: Duration = Duration::from_secs(10);
/// Batches that share a transaction at most: one sync for all of them.
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
            line: Line::new(connection),
            ledger,
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
        (Writer { commands, time, notices }, tokio::spawn(task.run(queue)))
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
                    answer(reply, self.step(async |desk| desk.mark(mark, how).await).await)
                }
                Command::Record(record, reply) => answer(reply, self.record(record).await),
                Command::Stop => break,
            }
            if self.ledger_since.is_some_and(|since| since.elapsed() >= LEDGER_DELAY) {
                self.flush_ledger().await;
            }
        }
        self.flush_ledger().await;
        if let Err(error) = self.line.close().await {
            tracing::warn!(%error, "The database's writing connection did not close in order.");
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
        let mut desk = Desk::new(&mut self.line, &mut memory, &self.ledger, &mut self.packer, &self.time);
        let outcome = write_group(&mut desk, batches).await;
        let (applied, notice, wrote) = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                desk.rollback().await;
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

    /// Moves hot rows into chunks until the hot table is short. Its failure costs nothing: the rows are still there.
    async fn compact(&mut self) {
        loop {
            match self.step(async |desk| desk.compact_step().await).await {
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
        self.step(async |desk| {
            if stage == Stage::FIRST {
                desk.keep_proven_time(time.now_ms()).await?;
            }
            desk.retain_step(stage, horizon_ms, policy).await
        })
        .await
    }

    async fn record_usage(&mut self, usage: UsageRecord) -> Result<(), StoreError> {
        self.step(async |desk| {
            let connection = desk.write().await?;
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

    /// Something of our own: alone in its transaction, because who asked waits before asking AWS.
    async fn record(&mut self, record: Record) -> Result<(), StoreError> {
        let revision = self
            .step(async |desk| {
                match record {
                    Record::Begin(activity) => desk.begin_activity(*activity).await?,
                    Record::End(id, end) => desk.end_activity(&id, *end).await?,
                    Record::Effect(id, effect) => desk.note_effect(&id, effect).await?,
                    Record::Run(run) => desk.put_run(*run).await?,
                    Record::Preset(preset) => desk.put_preset(preset).await?,
                    Record::NoPreset { kind, name } => desk.delete_preset(&kind, &name).await?,
                    Record::Adopt(adoption) => desk.adopt(*adoption).await?,
                    Record::Release { queue_arn } => desk.release(&queue_arn).await?,
                    Record::Halt { queue_arn, why } => desk.halt(&queue_arn, &why).await?,
                    Record::ClearAside { queue_url } => desk.clear_aside(queue_url.as_deref()).await?,
                }
                let revision = desk.memory.revision + 1;
                set_revision(desk, revision).await?;
                Ok(revision)
            })
            .await?;
        if let Some(memory) = &mut self.memory {
            memory.revision = revision;
        }
        self.notices.tell(Notice { revision, subjects: vec![Subject::Activity] });
        Ok(())
    }

    /// Work of our own in a transaction that moves no revision.
    async fn step<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut Desk<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut memory = self.recall().await?;
        let mut desk = Desk::new(&mut self.line, &mut memory, &self.ledger, &mut self.packer, &self.time);
        let outcome = match work(&mut desk).await {
            Ok(done) => desk.commit().await.map(|()| done),
            Err(error) => Err(error),
        };
        let done = match outcome {
            Ok(done) => done,
            Err(error) => {
                desk.rollback().await;
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
        let loaded = match self.line.connection().await {
            Ok(connection) => Memory::load(connection).await,
            Err(error) => Err(error),
        };
        loaded.map_err(|error| self.noticed(error))
    }

    /// Ends the writing when an error shows that the database is damaged: each further row could make it worse.
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
            .step(async |desk| {
                let pending = desk.ledger.pending();
                write_ledger(desk, &pending).await?;
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
        let outcome = match self.line.connection().await {
            Ok(connection) => self.checkpoint.after_commit(connection).await,
            Err(error) => Err(error),
        };
        if let Err(error) = outcome.map_err(|error| self.noticed(error)) {
            tracing::warn!(%error, "The database's log could not be checkpointed; it is tried again with the next commit.");
        }
    }
}

/// Applies batches, moves the revision if any wrote rows, and commits.
async fn write_group(
    desk: &mut Desk<'_>,
    batches: &[Batch],
) -> Result<(Vec<Applied>, Option<Notice>, bool), StoreError> {
    know(desk, batches).await?;
    let mut applied = Vec::with_capacity(batches.len());
    for batch in batches {
        // A group of many batches makes a large future; each batch has its own on the heap.
        Box::pin(apply(desk, batch)).await?;
        applied.push(std::mem::take(&mut desk.tally).into_applied());
    }
    desk.send().await?;
    let mut subjects: Vec<Subject> =
        applied.iter().flat_map(|one: &Applied| one.subjects.iter().copied()).collect();
    subjects.sort_unstable();
    subjects.dedup();
    let wrote = desk.begun();
    let mut revision = desk.memory.revision;
    if !subjects.is_empty() {
        revision += 1;
        set_revision(desk, revision).await?;
    }
    let pending = if wrote { desk.ledger.pending() } else { Pending::default() };
    write_ledger(desk, &pending).await?;
    desk.commit().await?;
    desk.memory.revision = revision;
    desk.ledger.written(&pending);
    for (region, poll) in std::mem::take(&mut desk.polls) {
        desk.ledger.record(&region, poll);
    }
    for (session, session_key, at) in std::mem::take(&mut desk.confirmed) {
        desk.ledger.confirm_players(&session, session_key, at);
    }
    for one in &mut applied {
        one.revision = revision;
    }
    let notice = (!subjects.is_empty()).then_some(Notice { revision, subjects });
    Ok((applied, notice, wrote))
}

async fn set_revision(desk: &mut Desk<'_>, revision: u64) -> Result<(), StoreError> {
    let connection = desk.write().await?;
    sqlx::query("UPDATE revision SET value = ? WHERE one = 1")
        .bind(i64::try_from(revision).unwrap_or(i64::MAX))
        .execute(connection)
        .await?;
    Ok(())
}

fn answer<T>(reply: oneshot::Sender<Result<T, StoreError>>, outcome: Result<T, StoreError>) {
    // Who asked may have given up; what was written stays written.
    let _ = reply.send(outcome);
}
