//! Looks again and again while data is collected, and records what that changes about alerts.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use liftdeck_insight::knowledge::knowledge;
use liftdeck_insight::silences;
use liftdeck_insight::verdict::{InForce, look};
use liftdeck_model::Timestamp;
use liftdeck_model::alert::{AlertId, AlertRecord};
use liftdeck_model::notification::NotificationId;
use liftdeck_model::watch::{Down, Roll};
use liftdeck_store::{AlertChanges, Notice, Queued, Reader, StoreError, Writer};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::course::Courses;
use crate::desk::{Desk, Heard};
use crate::judge::judge;
use crate::own::OwnRules;
use crate::tell::{Scene, is_settled, tell};

/// The current time.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Least time between two looks: several commits in a row are one occasion.
const PAUSE: Duration = Duration::from_secs(2);
/// Longest time without a look: that nothing comes is news, too.
const LONGEST: Duration = Duration::from_secs(5);
/// Looking may take at most this share of the time: one part in it.
const SHARE: u32 = 10;

/// Looks at the store while data is collected, until it is stopped.
pub struct Watch {
    task: JoinHandle<()>,
    roll: Roll,
}

impl Watch {
    /// Begins to look: whenever something was committed, and at least every few seconds. `notices` are the
    /// store's; `desk` is told beside the channels. To be called before anything is collected: what was read from this
    /// moment on counts as fresh.
    pub fn start(
        reader: Reader,
        writer: Writer,
        notices: Receiver<Notice>,
        clock: Clock,
        desk: Option<Arc<Desk>>,
    ) -> Self {
        let roll = Roll::new(Arc::clone(&clock), |pause| Box::pin(tokio::time::sleep(pause)));
        let (kept, started) = (roll.clone(), clock());
        let task = tokio::spawn(async move {
            let begin = || {
                let (reader, writer, clock) = (reader.clone(), writer.clone(), Arc::clone(&clock));
                look_on(reader, writer, notices.resubscribe(), clock, desk.clone(), started)
            };
            kept.keep("The watch for alerts", pending::<()>, begin).await;
        });
        Self { task, roll }
    }

    /// Tells whether it is not running.
    pub fn down(&self) -> Vec<Down> {
        self.roll.down()
    }

    /// Ends it. What a look that is under way has handed to the writer is still written.
    pub async fn stop(self) {
        self.task.abort();
        // The task is expected to end as aborted.
        let _ = self.task.await;
    }
}

/// Ends when the store is closed or cannot be used.
async fn look_on(
    reader: Reader,
    writer: Writer,
    mut notices: Receiver<Notice>,
    clock: Clock,
    desk: Option<Arc<Desk>>,
    started: Timestamp,
) {
    let mut memory = Memory::default();
    loop {
        let began = Instant::now();
        let looked = judge_since(&reader, &writer, desk.as_deref(), &mut memory, started, clock()).await;
        if let Err(error) = looked {
            tracing::warn!(%error, "Alerts could not be judged.");
            return;
        }
        tokio::time::sleep(PAUSE.max(began.elapsed() * SHARE)).await;
        // What was committed during the pause is one occasion; without any, the wait has an end.
        notices = notices.resubscribe();
        if let Ok(Err(RecvError::Closed)) = tokio::time::timeout(LONGEST, notices.recv()).await {
            return;
        }
    }
}

/// What is kept from one look to the next, so that it need not be read again.
#[derive(Default)]
struct Memory {
    own: OwnRules,
    courses: Option<Courses>,
}

/// Looks once at data that was all read just now, and records what that changes about alerts and what is to be told.
///
/// # Errors
/// When the store can be neither read nor written.
pub async fn judge_now(reader: &Reader, writer: &Writer, now: Timestamp) -> Result<(), StoreError> {
    let memory = &mut Memory::default();
    judge_since(reader, writer, None, memory, Timestamp::from_ms(0), now).await
}

/// Whether everything was read since `started`, or enough time has passed to stop waiting for that. Before, what an
/// earlier run left as firing may be long over.
pub fn is_settled_since(reader: &Reader, started: Timestamp, now: Timestamp) -> bool {
    is_settled(&knowledge(reader, now), started, now)
}

async fn judge_since(
    reader: &Reader,
    writer: &Writer,
    desk: Option<&Desk>,
    memory: &mut Memory,
    started: Timestamp,
    now: Timestamp,
) -> Result<(), StoreError> {
    let open = reader.open_alerts().await?;
    let courses = match &mut memory.courses {
        Some(courses) => courses,
        none => none.insert(Courses::read(reader, &open, now).await?),
    };
    let look = look(reader, &in_force(&open), now).await?;
    let adjustments = reader.adjustments().await?;
    let own = memory.own.look(reader, &open, now).await?;
    let new_id = || AlertId::new(Uuid::new_v4().to_string());
    let mut changes = judge(&open, courses, &look, own, &adjustments, new_id);
    courses.follow(&changes, now);
    let is_settled = is_settled(&look.knowledge, started, now);
    let (tell, heard) = told(reader, open, &changes, desk, is_settled, (started, now)).await?;
    changes.tell = tell;
    if !changes.is_empty() {
        writer.change_alerts(changes).await?;
    }
    writer.note_judged(now, look.is_whole());
    if let (Some(desk), Some(heard)) = (desk, heard) {
        desk.tell(heard);
    }
    Ok(())
}

/// What is to be told once these changes are made, on the channels and at the desk.
async fn told(
    reader: &Reader,
    open: Vec<AlertRecord>,
    changes: &AlertChanges,
    desk: Option<&Desk>,
    is_settled: bool,
    (started, at): (Timestamp, Timestamp),
) -> Result<(Vec<Queued>, Option<Heard>), StoreError> {
    let channels = reader.channels().await?;
    if channels.is_empty() && desk.is_none() {
        return Ok((Vec::new(), None));
    }
    let told = reader.told().await?;
    let mut alerts: HashMap<AlertId, AlertRecord> =
        open.into_iter().map(|alert| (alert.id.clone(), alert)).collect();
    for (alert, _) in &changes.put {
        // Who took note of it is not the judge's to say.
        let before = alerts.get(&alert.id).unwrap_or(alert);
        let acknowledged = before.acknowledged.clone();
        alerts.insert(alert.id.clone(), AlertRecord { acknowledged, ..alert.clone() });
    }
    for id in &changes.forget {
        alerts.remove(id);
    }
    // What ended while its channel was off or nobody looked is still to be told.
    let awaited = told.iter().map(|mark| mark.alert_id.clone());
    for id in awaited.chain(desk.map(Desk::awaited).unwrap_or_default()) {
        if !alerts.contains_key(&id)
            && let Some(alert) = reader.alert(&id).await?
        {
            alerts.insert(alert.id.clone(), alert);
        }
    }
    let alerts: Vec<AlertRecord> = alerts.into_values().collect();
    let (silences, waiting) = (silences(reader, at).await?, reader.open_notifications().await?);
    let scene = Scene {
        alerts: &alerts,
        channels: &channels,
        silences: &silences,
        told: &told,
        waiting: &waiting,
        is_settled,
        at,
    };
    let queued = tell(scene, || NotificationId::new(Uuid::new_v4().to_string()));
    Ok((queued, desk.map(|desk| desk.hear(scene, started))))
}

/// Alerts that fire, or recover and may fire again, hold their rules to a lower threshold. Pending ones keep their
/// beginning as well.
fn in_force(open: &[AlertRecord]) -> InForce {
    let keyed = |alert: &AlertRecord| Some(((alert.rule.parse().ok()?, alert.subject.clone()), alert.since));
    open.iter().filter_map(keyed).collect()
}
