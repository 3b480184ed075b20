//! A run under way: its changes are sent a few at a time, and each answer is recorded before the next step is taken.
//!
//! Owns the pace beyond the request budget, and when a run stops by itself: the connection was locked, AWS has
//! throttled for minutes, or ten changes in a row failed alike. Failures of single changes stop nothing.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use liftdeck_model::activity::Activity;
use liftdeck_store::{RunRecord, RunState};
use tokio::sync::watch;
use tokio::time::Instant;

use super::plan::{Plan, State};
use super::progress::{ItemState, Verdict};
use super::record::{is_throttled, is_unsigned, json, standing, surely_not_sent};
use super::slot::Order;
use crate::error::OperationError;
use crate::outcome::ended;
use crate::send::Sender;

/// The most changes without an answer at once, and so the most that are unknown after a crash.
const AT_ONCE: usize = 4;
/// How often the record of a running run is written.
const WRITTEN_EVERY: Duration = Duration::from_millis(500);
/// The first pause after AWS asked to slow down. It doubles with every second such answer in a row.
const SLOWER: Duration = Duration::from_secs(1);
/// The longest such pause.
const SLOWEST: Duration = Duration::from_secs(20);
/// Throttled requests in a row after which a person should know.
const MOST_THROTTLED: u32 = 40;

/// Changes looked at together before they are sent, initially.
const TOGETHER: usize = 40;

/// Why a run came to rest before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// It waits for a person. A sentence says why.
    Paused(String),
    /// A person ended it.
    Stopped,
}

/// A run under way.
pub(crate) struct Runner {
    pub(crate) sender: Arc<Sender>,
    record: RunRecord,
    pub(crate) plan: Plan,
    pub(crate) state: State,
    orders: watch::Receiver<Order>,
    written: Instant,
    throttled: u32,
    not_before: Instant,
    /// Changes looked at together before they are sent.
    pub(super) together: usize,
}

impl Runner {
    pub(super) fn new(
        sender: Arc<Sender>,
        record: RunRecord,
        plan: Plan,
        state: State,
        orders: watch::Receiver<Order>,
    ) -> Self {
        let now = Instant::now();
        Self {
            sender,
            record,
            plan,
            state,
            orders,
            written: now,
            throttled: 0,
            not_before: now,
            together: TOGETHER,
        }
    }

    /// Sends every change that is not begun.
    ///
    /// # Errors
    /// What halted it.
    pub(super) async fn send_all(&mut self) -> Result<(), Halt> {
        let all: Vec<u32> = (0..).take(self.plan.items.len()).collect();
        self.send(&all).await
    }

    /// Records how the run came to rest.
    pub(super) async fn end(mut self, ended: Result<(), Halt>) {
        let to = match ended {
            Ok(()) => {
                self.state.progress.message = self.state.progress.shortfall();
                RunState::Finished
            }
            Err(Halt::Paused(why)) => {
                self.state.progress.message = Some(why);
                RunState::Paused
            }
            Err(Halt::Stopped) => {
                self.state.progress.message = Some(self.state.progress.stopped_by_hand());
                RunState::Stopped
            }
        };
        self.record.state = to;
        if let Err(error) = self.write().await {
            tracing::error!(%error, "The end of a run could not be recorded; it is paused at the next start.");
        }
    }

    /// Whether AWS asked to slow down a moment ago.
    pub(super) fn rests(&self) -> bool {
        Instant::now() < self.not_before
    }

    /// Sends those of `items` that are not begun, and waits for their answers.
    ///
    /// # Errors
    /// What halted it. By then every change that was sent has its answer.
    pub(crate) async fn send(&mut self, items: &[u32]) -> Result<(), Halt> {
        let mut flying = FuturesUnordered::new();
        let mut halt = None;
        loop {
            halt = halt.or_else(|| self.ordered());
            if halt.is_none() && flying.len() < AT_ONCE {
                match self.next_fresh(items).await {
                    Ok(Some(item)) => {
                        let Some(planned) = self.plan.items.get(item as usize) else { break };
                        let planned = planned.planned(&self.record.id, item);
                        self.state.progress.take(item);
                        let sender = Arc::clone(&self.sender);
                        flying.push(async move {
                            let answer = sender.attempt(planned).await;
                            match answer {
                                Ok(activity) => {
                                    (item, Ok(ended::look_into(&sender.connection, activity).await))
                                }
                                error => (item, error),
                            }
                        });
                        continue;
                    }
                    Ok(None) => {}
                    Err(why) => halt = Some(why),
                }
            }
            let none_waits = self.state.progress.waiting_of(items).next().is_none();
            if flying.is_empty() && (halt.is_some() || none_waits) {
                break;
            }
            let rests = self.rests();
            tokio::select! {
                Some((item, answer)) = flying.next() => {
                    let verdict = self.answered(item, answer);
                    halt = halt.or(verdict);
                }
                () = tokio::time::sleep_until(self.not_before), if rests && halt.is_none() => {}
                () = self.rest(WRITTEN_EVERY) => {}
            }
            self.write_now_and_then().await;
        }
        halt.map_or(Ok(()), Err)
    }

    /// Waits this long, or until an order comes or the guard closes.
    pub(crate) async fn rest(&self, length: Duration) {
        tokio::select! {
            () = tokio::time::sleep(length) => {}
            () = self.interrupted() => {}
        }
    }

    /// Waits until an order comes or the guard closes.
    pub(crate) async fn interrupted(&self) {
        let mut orders = self.orders.clone();
        tokio::select! {
            () = self.sender.connection.closing.cancelled() => {}
            Ok(_) = orders.wait_for(|order| *order != Order::Go) => {}
        }
    }

    /// Returns the halt that a person has ordered, or that the end of the program requires.
    pub(crate) fn ordered(&self) -> Option<Halt> {
        if self.sender.connection.closing.is_cancelled() {
            return Some(Halt::Paused(
                "The program was closed. Unlock the connection and resume it.".to_owned(),
            ));
        }
        match *self.orders.borrow() {
            Order::Go => None,
            Order::Pause => Some(Halt::Paused("Paused by hand.".to_owned())),
            Order::Stop => Some(Halt::Stopped),
        }
    }

    fn answered(&mut self, item: u32, answer: Result<Activity, OperationError>) -> Option<Halt> {
        let activity = match answer {
            Ok(activity) => activity,
            Err(OperationError::ReadOnly) => {
                self.state.progress.put_back(item);
                return Some(locked());
            }
            Err(error) => {
                self.state.progress.put_back(item);
                return Some(Halt::Paused(format!("Nothing more is sent: {error}")));
            }
        };
        if is_throttled(&activity) {
            self.state.progress.put_back(item);
            return self.slow_down(activity.message.as_deref().unwrap_or_default());
        }
        if is_unsigned(&activity) {
            self.state.progress.put_back(item);
            let said = activity.message.as_deref().unwrap_or_default();
            return Some(Halt::Paused(format!(
                "AWS no longer accepts the credentials. {said} Then resume the run."
            )));
        }
        if surely_not_sent(&activity) && self.sender.gate.grant().is_err() {
            self.state.progress.put_back(item);
            return Some(locked());
        }
        let state = standing(&self.plan, &activity);
        if state == ItemState::Done {
            self.throttled = 0;
            self.state.progress.message = None;
        }
        let sentence = activity.message.as_deref().unwrap_or("AWS gave no reason.");
        let kind = activity.aws_code.as_deref().unwrap_or(match state {
            ItemState::Unknown => "no answer",
            _ => "not sent",
        });
        match self.state.progress.answered(item, state, Some((kind, sentence))) {
            Verdict::GoOn => None,
            Verdict::Pause(why) => Some(Halt::Paused(why)),
        }
    }

    /// Notes that AWS asked to slow down: the change is made again later.
    pub(super) fn slow_down(&mut self, said: &str) -> Option<Halt> {
        self.throttled += 1;
        if self.throttled >= MOST_THROTTLED {
            return Some(Halt::Paused(format!(
                "AWS has throttled {MOST_THROTTLED} requests in a row. {said}"
            )));
        }
        let doubled = SLOWER.saturating_mul(1 << (self.throttled / 2).min(5)).min(SLOWEST);
        self.not_before = self.not_before.max(Instant::now() + doubled);
        self.state.progress.message = Some("AWS asks to slow down; the run goes on more slowly.".to_owned());
        None
    }

    async fn write_now_and_then(&mut self) {
        if self.written.elapsed() >= WRITTEN_EVERY
            && let Err(error) = self.write().await
        {
            // Each change is recorded on its own. Only the displayed state of the run is late.
            tracing::error!(%error, "How far a run is could not be recorded.");
        }
    }

    /// Records the current state of the run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) async fn write(&mut self) -> Result<(), OperationError> {
        self.written = Instant::now();
        self.record.changed_at = self.sender.connection.now();
        self.record.progress = json(&self.state)?;
        self.sender.connection.writer.put_run(self.record.clone()).await?;
        Ok(())
    }

    /// Records the plan too, after it has grown.
    ///
    /// # Errors
    /// If it cannot be written. Then nothing of it may be sent.
    pub(crate) async fn write_plan(&mut self) -> Result<(), OperationError> {
        self.record.plan = json(&self.plan)?;
        self.write().await
    }
}

/// The halt because the connection is read-only again.
pub(crate) fn locked() -> Halt {
    Halt::Paused("The connection is read-only again. Unlock it and resume.".to_owned())
}
