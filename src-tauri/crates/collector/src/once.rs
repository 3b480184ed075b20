//! One complete pass over everything, as run by `collect --once`.
//!
//! Uses the same polls as the running collection, without its schedule. A failure ends only the part it concerns.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use liftdeck_gateway::{ErrorKind, Gateway, GatewayError};
use liftdeck_model::Region;
use liftdeck_model::fleet::Fleet;
use liftdeck_model::observation::{PollKind, PollSubject};
use liftdeck_store::{Reader as Store, Writer};
use parking_lot::Mutex;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::collector::{Collector, hear_aws_date, meter_of};
use crate::options::{Clock, CollectorOptions, EndedGameSessions};
use crate::players::Reason;
use crate::poll::{Poller, Tools};
use crate::receiving::Receiving;
use crate::schedule::Rank;
use crate::summary::{Failure, Summary};
use crate::tasks;
use crate::trouble::{Cause, Trouble};

/// Concurrent polls in a Region; the real limit is the request budget.
const AT_ONCE: usize = 16;
/// Failed rounds of player sessions after which the pass gives up on the rest.
const FAILED_ROUNDS: u32 = 3;

impl Collector {
    /// Reads everything once: fleets with all that belongs to them, live game sessions and all their players,
    /// ended game sessions and CloudWatch as the options say, and the event queues until they are empty.
    ///
    /// Failures of single kinds are in the summary. If `stop` is cancelled, ends early and keeps what was written by
    /// then.
    ///
    /// # Errors
    /// `Config` when the gateway does not know one of the Regions.
    pub async fn once(
        options: CollectorOptions,
        gateway: &Gateway,
        writer: Writer,
        store: Store,
        clock: Clock,
        stop: CancellationToken,
    ) -> Result<Summary, GatewayError> {
        let begun = Instant::now();
        let before = gateway.usage();
        hear_aws_date(gateway, &writer);
        let meter = Arc::new(Mutex::new(meter_of(&options, &store, &clock).await));
        let tools = Tools { writer, store, clock, meter };
        let mut passes = JoinSet::new();
        // The Region of each task, so that a task that panics is in the summary too.
        let mut begun_in = HashMap::new();
        for region in &options.regions {
            let poller = Arc::new(Poller::new(gateway.reader(region)?, tools.clone(), &options));
            let pass = Pass { poller, failures: BTreeMap::new(), hopeless: None };
            let handle = passes.spawn(pass.run(stop.clone()));
            begun_in.insert(handle.id(), region.clone());
        }
        let mut drains = JoinSet::new();
        let mut feeds = Vec::new();
        for queue in &options.event_queues {
            let feed = gateway.event_feed(queue)?;
            let receiving = Receiving::new(feed, queue.clone(), &tools, &options);
            feeds.push(receiving.health());
            let region = queue.region.clone();
            let stop = stop.clone();
            let handle = drains.spawn(async move { receiving.drain(stop).await });
            begun_in.insert(handle.id(), region);
        }
        let mut summary = Summary::default();
        while let Some(pass) = passes.join_next_with_id().await {
            match pass {
                Ok((_, pass)) => {
                    summary.add_rows(&pass.poller.written());
                    summary.failures.extend(pass.failures.into_values());
                }
                Err(error) => summary.failures.extend(panicked(&mut begun_in, PollKind::Fleets, error)),
            }
        }
        while let Some(drain) = drains.join_next_with_id().await {
            match drain {
                Ok((id, (written, trouble))) => {
                    summary.add_rows(&written);
                    let region = begun_in.remove(&id);
                    let failed = region.zip(trouble);
                    let failed =
                        failed.map(|(region, trouble)| failure(region, PollKind::EventFeed, trouble));
                    summary.failures.extend(failed);
                }
                Err(error) => summary.failures.extend(panicked(&mut begun_in, PollKind::EventFeed, error)),
            }
        }
        summary.feeds = feeds.iter().map(|feed| feed.lock().clone()).collect();
        summary.failures.sort_by(|a, b| (&a.region, a.kind).cmp(&(&b.region, b.kind)));
        summary.add_calls(&before, &gateway.usage());
        summary.set_took(begun.elapsed());
        Ok(summary)
    }
}

/// The pass over one Region.
struct Pass {
    poller: Arc<Poller>,
    failures: BTreeMap<PollKind, Failure>,
    /// A failure that would affect every further call too.
    hopeless: Option<Trouble>,
}

impl Pass {
    async fn run(mut self, stop: CancellationToken) -> Self {
        tokio::select! {
            () = stop.cancelled() => {}
            () = self.everything() => {}
        }
        self
    }

    async fn everything(&mut self) {
        let (mut first, mut later) = (Vec::new(), Vec::new());
        for task in tasks::of_region() {
            match task.kind {
                PollKind::Fleets => first.push(task),
                PollKind::PlayerSessions
                | PollKind::Metrics
                | PollKind::InstanceLimits
                | PollKind::Trail
                | PollKind::FailedPlacements => {}
                _ => later.push(task),
            }
        }
        self.poll_all(first, Rank::Stale).await;
        let fleets = match self.poller.store.fleets(&self.poller.region).await {
            Ok(fleets) => fleets,
            Err(error) => {
                self.note(PollKind::Fleets, error.into());
                Vec::new()
            }
        };
        self.poller.know(&fleets);
        let of_fleets: Vec<PollSubject> = fleets.iter().flat_map(tasks::of_fleet).collect();
        let (mut locations, mut ended) = (Vec::new(), Vec::new());
        for task in of_fleets {
            match task.kind {
                PollKind::FleetLocations => locations.push(task),
                PollKind::EndedGameSessions => ended.push(task),
                _ => later.push(task),
            }
        }
        // Capacity, utilization and computes are read per location.
        self.poll_all(locations, Rank::Stale).await;
        self.poll_all(later, Rank::Stale).await;
        // Where fleets have instances is known by now.
        self.poll_all(vec![tasks::instance_limits()], Rank::Stale).await;
        self.players(&fleets).await;
        if self.poller.policy.enabled {
            self.poll_all(vec![tasks::newest_samples()], Rank::Rest).await;
            self.history().await;
        }
        if self.poller.ended != EndedGameSessions::Skip {
            self.poll_all(ended, Rank::Rest).await;
            self.players_of_failed(&fleets).await;
        }
        // Last, so that it asks about the changes that this pass has seen.
        self.poll_all(vec![tasks::trail()], Rank::Rest).await;
    }

    /// Runs polls concurrently, at most `AT_ONCE` at a time.
    async fn poll_all(&mut self, tasks: Vec<PollSubject>, rank: Rank) {
        let mut waiting: VecDeque<PollSubject> = tasks.into();
        let mut running = JoinSet::new();
        let mut kinds = HashMap::new();
        loop {
            while running.len() < AT_ONCE && self.hopeless.is_none() {
                let Some(task) = waiting.pop_front() else { break };
                let poller = Arc::clone(&self.poller);
                let kind = task.kind;
                let handle = running.spawn(async move { poller.poll(&task, rank).await });
                kinds.insert(handle.id(), kind);
            }
            let (id, trouble) = match running.join_next_with_id().await {
                None => break,
                Some(Ok((id, outcome))) => (id, outcome.err().map(Ok)),
                Some(Err(error)) => (error.id(), Some(Err(error))),
            };
            let Some((kind, trouble)) = kinds.remove(&id).zip(trouble) else { continue };
            let region = &self.poller.region;
            let trouble = trouble.unwrap_or_else(|error| Trouble::of_panic(region, kind, error));
            self.note(kind, trouble);
        }
        // Polls that were never started are reported like those that failed.
        if let Some(trouble) = self.hopeless.clone() {
            for task in waiting {
                self.note(task.kind, trouble.clone());
            }
        }
    }

    /// Reads the players of every live game session.
    async fn players(&mut self, fleets: &[Fleet]) {
        for fleet in fleets {
            match self.poller.store.live_game_sessions(&fleet.fleet_id).await {
                Ok(live) => self.poller.ask_players(live, Reason::Changed),
                Err(error) => self.note(PollKind::PlayerSessions, error.into()),
            }
        }
        self.read_players().await;
    }

    /// Reads the players of the game sessions that failed lately: only the history has told of them.
    async fn players_of_failed(&mut self, fleets: &[Fleet]) {
        for fleet in fleets {
            if let Err(error) = self.poller.ask_failed(&fleet.fleet_id).await {
                self.note(PollKind::PlayerSessions, error.into());
            }
        }
        self.read_players().await;
    }

    /// Reads the players that wait to be read.
    async fn read_players(&mut self) {
        let mut failed_rounds = 0;
        while self.poller.players_waiting() > 0 && failed_rounds < FAILED_ROUNDS && self.hopeless.is_none() {
            if let Err(trouble) = self.poller.poll(&tasks::players(), Rank::Stale).await {
                failed_rounds += 1;
                if failed_rounds == FAILED_ROUNDS || is_hopeless(&trouble) {
                    self.note(PollKind::PlayerSessions, trouble);
                }
            }
        }
    }

    /// Reads the whole metric history, as far as the daily cap allows.
    async fn history(&mut self) {
        let mut done_before = None;
        loop {
            let (done, total) = self.poller.history_progress();
            if done >= total || done_before == Some(done) || self.hopeless.is_some() {
                break;
            }
            done_before = Some(done);
            self.poll_all(vec![tasks::history()], Rank::Rest).await;
        }
    }

    fn note(&mut self, kind: PollKind, trouble: Trouble) {
        // A resource that disappeared between two calls is not a failure of the pass.
        if trouble.is_not_found() {
            return;
        }
        if is_hopeless(&trouble) && self.hopeless.is_none() {
            self.hopeless = Some(trouble.clone());
        }
        let region = self.poller.region.clone();
        self.failures
            .entry(kind)
            .and_modify(|failure| failure.resources += 1)
            .or_insert_with(|| failure(region, kind, trouble));
    }
}

/// The failure of a task that panicked.
fn panicked(begun_in: &mut HashMap<Id, Region>, kind: PollKind, error: JoinError) -> Option<Failure> {
    let region = begun_in.remove(&error.id())?;
    let trouble = Trouble::of_panic(&region, kind, error);
    Some(failure(region, kind, trouble))
}

fn failure(region: Region, kind: PollKind, trouble: Trouble) -> Failure {
    let is_own = !matches!(trouble.cause, Cause::Aws(_));
    Failure { region, kind, resources: 1, message: trouble.message, remedy: trouble.remedy, is_own }
}

/// Whether every further call would fail the same way.
fn is_hopeless(trouble: &Trouble) -> bool {
    trouble.unproven
        || matches!(
            trouble.cause,
            Cause::Store | Cause::Aws(ErrorKind::Credentials | ErrorKind::Config | ErrorKind::Unreachable)
        )
}
