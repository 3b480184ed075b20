//! Looks again and again while data is collected, and records what that changes about alerts.

use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use liftdeck_insight::verdict::{InForce, look};
use liftdeck_model::Timestamp;
use liftdeck_model::alert::{AlertId, AlertRecord};
use liftdeck_model::watch::{Down, Roll};
use liftdeck_store::{Notice, Reader, StoreError, Writer};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::judge::judge;

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
    /// store's.
    pub fn start(reader: Reader, writer: Writer, notices: Receiver<Notice>, clock: Clock) -> Self {
        let roll = Roll::new(Arc::clone(&clock), |pause| Box::pin(tokio::time::sleep(pause)));
        let kept = roll.clone();
        let task = tokio::spawn(async move {
            let begin = || look_on(reader.clone(), writer.clone(), notices.resubscribe(), Arc::clone(&clock));
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
async fn look_on(reader: Reader, writer: Writer, mut notices: Receiver<Notice>, clock: Clock) {
    loop {
        let began = Instant::now();
        if let Err(error) = judge_now(&reader, &writer, clock()).await {
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

/// Looks once, and records what that changes about alerts.
///
/// # Errors
/// When the store can be neither read nor written.
pub async fn judge_now(reader: &Reader, writer: &Writer, now: Timestamp) -> Result<(), StoreError> {
    let open = reader.open_alerts().await?;
    let look = look(reader, &in_force(&open), now).await?;
    let changes = judge(&open, &look, || AlertId::new(Uuid::new_v4().to_string()));
    if !changes.is_empty() {
        writer.change_alerts(changes).await?;
    }
    writer.note_judged(now);
    Ok(())
}

/// Alerts that fire, or recover and may fire again, hold their rules to a lower threshold. Pending ones keep their
/// beginning as well.
fn in_force(open: &[AlertRecord]) -> InForce {
    let keyed = |alert: &AlertRecord| Some(((alert.rule.parse().ok()?, alert.subject.clone()), alert.since));
    open.iter().filter_map(keyed).collect()
}
