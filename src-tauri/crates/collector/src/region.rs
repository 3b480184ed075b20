//! One Region's loop: takes tasks from the schedule, runs them concurrently and reacts to how they end.
//!
//! Owns the schedule and condition of its Region, so that one Region's failures do not affect others. Deliberately
//! knows no operation: `poll` does.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use liftdeck_gateway::{Gateway, Usage};
use liftdeck_model::observation::{PollKind, PollSubject};
use liftdeck_model::time::HOUR_MS;
use liftdeck_model::{FleetId, Timestamp};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use crate::condition::{Condition, Gate, Load};
use crate::fired::Fired;
use crate::health::{Backfill, HealthState, RegionHealth};
use crate::options::{CollectorOptions, EndedGameSessions, Focus};
use crate::players::Reason;
use crate::poll::{Outcome, Poller};
use crate::schedule::{Schedule, Turn};
use crate::tasks;
use crate::throttled::Throttled;
use crate::trouble::Trouble;

/// Orders to a Region's running loop. Only the newest counts, and it is never dropped in favour of an older one.
#[derive(Clone, Debug)]
pub(crate) struct Orders {
    /// What is on screen.
    pub(crate) focus: watch::Receiver<Arc<Focus>>,
    /// Changes when the user wants an immediate retry.
    pub(crate) hurry: watch::Receiver<u64>,
    /// When the last alert of each Region began to fire.
    pub(crate) fired: watch::Receiver<Fired>,
}

/// What a Region's loop publishes about itself.
#[derive(Clone, Debug)]
pub(crate) struct RegionView {
    pub(crate) health: RegionHealth,
    pub(crate) backfill: Backfill,
}

impl RegionView {
    /// The view of a Region before anything was asked.
    pub(crate) fn first(poller: &Poller) -> Self {
        let health = Condition::default().view(&poller.region, 0, Load::default(), poller.now());
        Self { health, backfill: Backfill { done: 0, total: 0 } }
    }
}

/// The loop wakes at least this often, to publish its state.
const LONGEST_SLEEP: Duration = Duration::from_millis(1_000);
/// How long running polls may take to finish when stopping; what they have read by then is written.
const LAST_ORDERS: Duration = Duration::from_secs(2);

/// For how long a fleet is read more often after somebody limited its growth.
const CLOSELY_MS: i64 = HOUR_MS;

pub(crate) struct RegionLoop {
    poller: Arc<Poller>,
    gateway: Gateway,
    schedule: Schedule,
    condition: Condition,
    running: JoinSet<Result<Outcome, Trouble>>,
    subjects: HashMap<Id, PollSubject>,
    view: Arc<Mutex<RegionView>>,
    history_done: u64,
    /// Whether all fleets were listed since the start.
    knows_fleets: bool,
    /// Whether everything was read at least once, as far as it was said.
    is_all_read: bool,
    throttled: Throttled,
    /// The alert for which causes were read last, by when it began to fire.
    causes_for: Option<Timestamp>,
}

impl RegionLoop {
    /// Creates a loop that publishes its state in `view`. A loop that replaces another starts with a new schedule.
    pub(crate) fn new(
        poller: Arc<Poller>,
        gateway: Gateway,
        options: &CollectorOptions,
        view: Arc<Mutex<RegionView>>,
    ) -> Self {
        Self {
            poller,
            gateway,
            schedule: Schedule::new(options.cadence.clone(), options.places, options.seed),
            condition: Condition::default(),
            running: JoinSet::new(),
            subjects: HashMap::new(),
            view,
            history_done: 0,
            knows_fleets: false,
            is_all_read: false,
            throttled: Throttled::default(),
            causes_for: None,
        }
    }

    /// Runs until stopped.
    pub(crate) async fn run(mut self, stop: CancellationToken, mut orders: Orders) {
        let now = self.poller.now();
        for task in tasks::of_region() {
            self.schedule.add(task, None, now);
        }
        // Fleets known from an earlier run are polled at once instead of after the first listing.
        if let Err(trouble) = self.sync_fleets(false).await {
            self.condition.failed(PollKind::Fleets, trouble, now);
        }
        loop {
            let now = self.poller.now();
            self.start_due(now);
            let usage = self.gateway.usage();
            self.show(&usage, now);
            self.record_throttled(&usage, now).await;
            let wait = self.sleep_for(now);
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Ok(()) = orders.focus.changed() => {
                    let focus = Arc::clone(&orders.focus.borrow_and_update());
                    self.turn_to(&focus);
                }
                Ok(()) = orders.hurry.changed() => self.hurry(),
                Ok(()) = orders.fired.changed() => {
                    let last = orders.fired.borrow_and_update().get(&self.poller.region).copied();
                    self.look_for_causes(last);
                }
                Some(ended) = self.running.join_next_with_id() => self.ended(ended).await,
                () = tokio::time::sleep(wait) => {}
            }
        }
        self.finish().await;
    }

    fn start_due(&mut self, now: Timestamp) {
        loop {
            match self.condition.gate(now) {
                Gate::Shut(_) => return,
                Gate::Probe if !self.running.is_empty() => return,
                Gate::Probe => self.schedule.hurry(false, now),
                Gate::Open => {}
            }
            let Some(Turn { subject, rank }) = self.schedule.next(now) else { return };
            let poller = Arc::clone(&self.poller);
            let task = subject.clone();
            let handle = self.running.spawn(async move { poller.poll(&task, rank).await });
            self.subjects.insert(handle.id(), subject);
        }
    }

    async fn ended(&mut self, ended: Result<(Id, Result<Outcome, Trouble>), JoinError>) {
        let now = self.poller.now();
        let (id, outcome) = match ended {
            Ok(ended) => ended,
            Err(error) => {
                let id = error.id();
                if let Some(subject) = self.subjects.remove(&id) {
                    self.schedule.finished(&subject, false, now);
                    let trouble = Trouble::of_panic(&self.poller.region, subject.kind, error);
                    tracing::error!(error = %trouble, "A poll failed in the program itself.");
                    self.condition.failed(subject.kind, trouble, now);
                }
                return;
            }
        };
        let Some(subject) = self.subjects.remove(&id) else { return };
        let outcome = match (subject.kind, outcome) {
            (PollKind::Fleets, Ok(outcome)) => self.sync_fleets(true).await.map(|()| outcome),
            (_, outcome) => outcome,
        };
        self.schedule.finished(&subject, outcome.is_ok(), now);
        self.note_unread();
        match outcome {
            Ok(outcome) => {
                if outcome == Outcome::Read {
                    self.condition.succeeded(subject.kind, now);
                }
                self.go_on(&subject, now);
            }
            Err(trouble) => {
                tracing::warn!(
                    region = %self.poller.region, kind = ?subject.kind, resource = subject.resource,
                    error = %trouble, "A poll failed."
                );
                self.condition.failed(subject.kind, trouble, now);
            }
        }
    }

    /// Says what is still to be read for the first time.
    fn note_unread(&mut self) {
        // Until its fleets are known, so is nothing that follows from them.
        if !self.knows_fleets {
            return;
        }
        let unread = tasks::NEEDED.map(|kind| (kind, self.schedule.unread(kind)));
        let is_all_read = unread.iter().all(|(_, resources)| resources.is_empty());
        if is_all_read && self.is_all_read {
            return;
        }
        self.is_all_read = is_all_read;
        for (kind, resources) in unread {
            self.poller.writer.note_unread_of(&self.poller.region, kind, resources);
        }
    }

    /// Makes tasks that have more to do due at once.
    fn go_on(&mut self, subject: &PollSubject, now: Timestamp) {
        if self.poller.players_waiting() > 0 {
            self.schedule.hasten(&tasks::players(), now);
        }
        let (done, total) = self.poller.history_progress();
        // Only after progress: at the daily cap there is none, and asking again at once would be a busy loop.
        if done < total && (done > self.history_done || *subject == tasks::newest_samples()) {
            self.schedule.hasten(&tasks::history(), now);
        }
        self.history_done = done;
    }

    /// Aligns the tasks with the fleets in the store. With `complete`, tasks of other fleets are removed.
    async fn sync_fleets(&mut self, complete: bool) -> Result<(), Trouble> {
        let fleets = self.poller.store.fleets(&self.poller.region).await?;
        self.poller.know(&fleets);
        let now = self.poller.now();
        if complete {
            // Players may soon find no room there. Longer ago it was meant to be.
            let lately = now.plus_ms(-CLOSELY_MS);
            let held_down = self.poller.store.held_down_since(&self.poller.region, lately).await?;
            self.schedule.watch_closely(held_down.iter().map(FleetId::to_string).collect());
        }
        for fleet in &fleets {
            for task in tasks::of_fleet(fleet) {
                if task.kind == PollKind::EndedGameSessions && self.poller.ended == EndedGameSessions::Skip {
                    continue;
                }
                if !self.schedule.contains(&task) {
                    let line = self.poller.store.poll(&self.poller.region, &task);
                    self.schedule.add(task, line.and_then(|line| line.confirmed_at), now);
                }
            }
        }
        if complete {
            let present: BTreeSet<&str> = fleets.iter().map(|fleet| fleet.fleet_id.as_str()).collect();
            for gone in self.schedule.resources(PollKind::GameSessions) {
                if !present.contains(gone.as_str()) {
                    self.poller.fleet_gone(&gone.as_str().into()).await?;
                }
            }
            let region_wide: BTreeSet<String> =
                tasks::of_region().into_iter().map(|task| task.resource).collect();
            self.schedule.retain(|_, resource| region_wide.contains(resource) || present.contains(resource));
            self.knows_fleets = true;
        }
        Ok(())
    }

    /// Reacts to a change of what is on screen.
    fn turn_to(&mut self, focus: &Arc<Focus>) {
        let now = self.poller.now();
        let fleets = focus.fleets.iter().map(|fleet| fleet.as_str().to_owned()).collect();
        self.schedule.focus(fleets, focus.metrics, now);
        // What the user has just opened is polled at once, however fresh it is.
        let shown = self.poller.set_focus(focus);
        self.poller.ask_players(shown, Reason::OnScreen);
        self.schedule.hasten(&tasks::players(), now);
        self.schedule.hasten(&tasks::newest_samples(), now);
    }

    /// Retries at once, at the user's request.
    fn hurry(&mut self) {
        let now = self.poller.now();
        self.condition.hurry(now);
        self.schedule.hurry(false, now);
    }

    /// Reads at once what may be the cause of the alert that `last` began to fire. Several within seconds have one.
    fn look_for_causes(&mut self, last: Option<Timestamp>) {
        /// What follows within this time was covered.
        const TOGETHER_MS: i64 = 20_000;
        let is_news =
            |last: &Timestamp| self.causes_for.is_none_or(|before| last.since_ms(before) > TOGETHER_MS);
        let Some(last) = last.filter(is_news) else { return };
        self.causes_for = Some(last);
        let now = self.poller.now();
        for task in tasks::of_causes() {
            self.schedule.hasten(&task, now);
        }
    }

    fn sleep_for(&self, now: Timestamp) -> Duration {
        let due = match self.condition.gate(now) {
            Gate::Shut(until) => Some(until),
            Gate::Open | Gate::Probe => self.schedule.next_due(),
        };
        let wait_ms = due.map_or(i64::MAX, |due| due.since_ms(now));
        // Not zero either: a task that is due but has no place waits for another one to end.
        Duration::from_millis(wait_ms.max(20).unsigned_abs()).min(LONGEST_SLEEP)
    }

    async fn record_throttled(&mut self, usage: &Usage, now: Timestamp) {
        let samples = self.throttled.passed(&self.poller.region, usage, now);
        if !samples.is_empty()
            && let Err(trouble) = self.poller.apply(samples).await
        {
            tracing::warn!(
                region = %self.poller.region, error = %trouble, "Throttled calls could not be recorded."
            );
        }
    }

    fn show(&self, usage: &Usage, now: Timestamp) {
        let region = &self.poller.region;
        let busiest = usage.busiest(region);
        let load = Load {
            quota_share: busiest.map_or(0.0, |usage| usage.published_share),
            busiest_operation: busiest.map(|usage| usage.operation.to_owned()),
            throttles: usage
                .operations
                .iter()
                .filter(|usage| usage.region == *region)
                .map(|usage| usage.throttles)
                .sum(),
        };
        let health = self.condition.view(region, self.schedule.behind_ms(now), load, now);
        let (done, total) = self.poller.history_progress();
        let (ended, ended_total) = self.schedule.first_reads(PollKind::EndedGameSessions);
        let backfill = Backfill { done: done + ended, total: total + ended_total };
        *self.view.lock() = RegionView { health, backfill };
    }

    /// Gives running polls a moment to finish, then aborts them. A batch handed to the writer is written either way.
    async fn finish(mut self) {
        let drained =
            tokio::time::timeout(LAST_ORDERS, async { while self.running.join_next().await.is_some() {} });
        if drained.await.is_err() {
            self.running.shutdown().await;
        }
        self.view.lock().health.state = HealthState::Stopped;
    }
}
