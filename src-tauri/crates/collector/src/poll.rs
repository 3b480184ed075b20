//! Polls: each reads one kind of data of one resource, writes it and records the poll in the ledger.
//!
//! Owns what all polls of a Region share, and the rule that an interrupted listing is passed on as partial.
//! `schedule` decides which poll runs when.

mod asked;
mod capacity;
mod ended;
mod fleets;
mod game_sessions;
mod limits;
mod listings;
pub(crate) mod metrics;
mod missing;
mod on_demand;
mod player;
mod players;
mod search;
mod trail;

use std::collections::BTreeMap;
use std::sync::Arc;

use liftdeck_gateway::{GatewayError, Priority, Reader as Gateway, Reading};
use liftdeck_model::fleet::ComputeKind;
use liftdeck_model::observation::{Batch, Listing, Observation, Poll, PollKind, PollSubject};
use liftdeck_model::{FleetId, GameSessionId, Location, Region, Timestamp};
use liftdeck_store::{Applied, Reader as Store, StoreError, Writer, Written};
use parking_lot::Mutex;

use crate::cadence::Pace;
use crate::metrics::MetricsPolicy;
use crate::metrics::book::MetricsBook;
use crate::metrics::demand::Demand;
use crate::metrics::price::Meter;
use crate::options::{Clock, CollectorOptions, EndedGameSessions, Focus};
use crate::players::PlayerTurns;
use crate::schedule::Rank;
use crate::trouble::Trouble;

/// What is known about a fleet between polls.
#[derive(Clone, Debug)]
pub(crate) struct KnownFleet {
    pub(crate) kind: ComputeKind,
    /// All its locations; `None` until they have been listed completely.
    pub(crate) locations: Option<Vec<Location>>,
}

/// The polls of one Region. Locks are held for a few instructions and never across an await.
pub(crate) struct Poller {
    pub(crate) region: Region,
    pub(crate) aws: Gateway,
    pub(crate) writer: Writer,
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) ended: EndedGameSessions,
    pub(crate) policy: MetricsPolicy,
    pub(crate) metrics_pace: Pace,
    pub(crate) meter: Arc<Mutex<Meter>>,
    /// Number of Regions that share the meter.
    pub(crate) regions: usize,
    /// Whether it belongs to a collection that runs on, and not to a single pass.
    is_kept_running: bool,
    fleets: Mutex<BTreeMap<FleetId, KnownFleet>>,
    focus: Mutex<Arc<Focus>>,
    players: Mutex<PlayerTurns>,
    metrics: Mutex<MetricsBook>,
    demand: Mutex<Demand>,
    /// When the account's instance limits were last asked for.
    limits_asked: Mutex<Option<Timestamp>>,
    written: Mutex<Written>,
}

/// The result of a poll that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It read everything it asked for.
    Read,
    /// There was nothing to ask for, so this says nothing about AWS.
    Idle,
}

/// What a poll read, before it is written.
#[derive(Debug, Default)]
struct Seen {
    observations: Vec<Observation>,
    failure: Option<GatewayError>,
    /// Nothing was asked for, so there is nothing for the ledger.
    idle: bool,
}

impl Seen {
    fn idle() -> Self {
        Self { idle: true, ..Self::default() }
    }

    fn note(&mut self, failure: Option<GatewayError>) {
        if self.failure.is_none() {
            self.failure = failure;
        }
    }

    /// Adds one answer, or notes its failure.
    fn add<T>(&mut self, answer: Result<T, GatewayError>, observe: impl FnOnce(T) -> Observation) {
        match answer {
            Ok(found) => self.observations.push(observe(found)),
            Err(failure) => self.note(Some(failure)),
        }
    }

    /// Adds a listing as far as it was read.
    fn list<T>(&mut self, reading: Reading<T>, observe: impl FnOnce(Listing<T>) -> Observation) {
        let (listing, failure) = reading.into_listing();
        // A listing that failed before its first item says nothing.
        if listing.complete || !listing.items.is_empty() {
            self.observations.push(observe(listing));
        }
        self.note(failure);
    }
}

impl From<Rank> for Priority {
    fn from(rank: Rank) -> Self {
        match rank {
            Rank::OnScreen => Self::OnScreen,
            Rank::Stale => Self::Stale,
            Rank::Rest => Self::Rest,
        }
    }
}

/// What all pollers of a connection share.
#[derive(Clone)]
pub(crate) struct Tools {
    pub(crate) writer: Writer,
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) meter: Arc<Mutex<Meter>>,
}

impl Poller {
    pub(crate) fn new(aws: Gateway, tools: Tools, options: &CollectorOptions) -> Self {
        Self {
            region: aws.region().clone(),
            aws,
            writer: tools.writer,
            store: tools.store,
            clock: tools.clock,
            ended: options.ended_game_sessions,
            policy: options.metrics.clone(),
            metrics_pace: options.cadence.pace(PollKind::Metrics),
            meter: tools.meter,
            regions: options.regions.len().max(1),
            is_kept_running: false,
            fleets: Mutex::default(),
            focus: Mutex::default(),
            players: Mutex::default(),
            metrics: Mutex::default(),
            demand: Mutex::default(),
            limits_asked: Mutex::default(),
            written: Mutex::default(),
        }
    }

    /// The same, for a collection that runs on.
    #[must_use]
    pub(crate) fn kept_running(self) -> Self {
        Self { is_kept_running: true, ..self }
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// Runs one poll. What was read is written even if not everything could be read.
    ///
    /// # Errors
    /// The failure that broke off the poll, after what it had read was written.
    pub(crate) async fn poll(&self, subject: &PollSubject, rank: Rank) -> Result<Outcome, Trouble> {
        let aws = self.aws.with_priority(rank.into());
        let fleet = FleetId::from(subject.resource.as_str());
        let begun = self.now();
        let seen = match subject.kind {
            PollKind::GameSessions => return Box::pin(self.game_sessions(&aws, &fleet)).await,
            PollKind::EndedGameSessions => return Box::pin(self.ended_game_sessions(&aws, &fleet)).await,
            PollKind::PlayerSessions => return Box::pin(self.player_sessions()).await,
            PollKind::Metrics => return Box::pin(self.metrics(&subject.resource, &aws)).await,
            // Feeds have tasks of their own: they wait on the queue instead of being scheduled.
            PollKind::EventFeed => return Ok(Outcome::Idle),
            PollKind::Fleets => self.list_fleets(&aws).await,
            PollKind::FleetLocations => self.fleet_locations(&aws, &fleet).await,
            PollKind::FleetCapacity => self.capacity(&aws, &fleet).await,
            PollKind::FleetUtilization => self.utilization(&aws, &fleet).await,
            PollKind::InstanceLimits => self.instance_limits(&aws).await?,
            PollKind::Computes => self.computes(&aws, &fleet).await,
            PollKind::FleetEvents => self.fleet_events(&aws, &fleet).await?,
            PollKind::ScalingPolicies => self.scaling_policies(&aws, &fleet).await,
            PollKind::FleetConfiguration => self.fleet_configuration(&aws, &fleet).await,
            PollKind::Queues => self.queues(&aws).await,
            PollKind::Aliases => self.aliases(&aws).await,
            PollKind::MatchmakingConfigurations => self.matchmaking_configurations(&aws).await,
            PollKind::MatchmakingRuleSets => self.matchmaking_rule_sets(&aws).await,
            PollKind::Builds => self.builds(&aws).await,
            PollKind::Scripts => self.scripts(&aws).await,
            PollKind::Trail => Box::pin(self.trail(&aws)).await?,
            PollKind::FailedPlacements => Box::pin(self.failed_placements(&aws)).await?,
        };
        self.record(subject, begun, seen).await
    }

    /// Writes what a poll saw, together with its ledger line.
    async fn record(
        &self,
        subject: &PollSubject,
        begun: Timestamp,
        mut seen: Seen,
    ) -> Result<Outcome, Trouble> {
        if seen.idle {
            return Ok(Outcome::Idle);
        }
        let failure = seen.failure.take();
        if let Some(failure) = failure.as_ref().filter(|failure| failure.is_unproven()) {
            // Not even the failure is recorded: it would be a finding about an account that is not proven to be ours.
            return Err(failure.clone().into());
        }
        seen.observations.push(self.ledger_line(subject, begun, failure.as_ref()));
        self.apply(seen.observations).await?;
        failure.map_or(Ok(Outcome::Read), |failure| Err(failure.into()))
    }

    fn ledger_line(
        &self,
        subject: &PollSubject,
        begun: Timestamp,
        failure: Option<&GatewayError>,
    ) -> Observation {
        let at = self.now();
        Observation::Poll(Poll {
            subject: subject.clone(),
            at,
            took_ms: at.since_ms(begun).max(0),
            failure: failure.map(ToString::to_string),
        })
    }

    /// Writes observations made at this moment; they are durable when it returns.
    pub(crate) async fn apply(&self, observations: Vec<Observation>) -> Result<Applied, Trouble> {
        Ok(self.write(observations).await?)
    }

    async fn write(&self, observations: Vec<Observation>) -> Result<Applied, StoreError> {
        let batch = Batch { region: self.region.clone(), observed_at: self.now(), observations };
        let applied = self.writer.apply(batch).await?;
        let mut written = self.written.lock();
        for (kind, rows) in &applied.written {
            *written.entry(kind).or_default() += rows;
        }
        Ok(applied)
    }

    /// What is on screen.
    pub(crate) fn focus(&self) -> Arc<Focus> {
        Arc::clone(&self.focus.lock())
    }

    /// Sets what is on screen and returns the Region's game sessions that were not on screen before.
    pub(crate) fn set_focus(&self, focus: &Arc<Focus>) -> Vec<GameSessionId> {
        let before = std::mem::replace(&mut *self.focus.lock(), Arc::clone(focus));
        focus
            .game_sessions
            .iter()
            .filter(|session| self.is_home_of(session) && !before.game_sessions.contains(session))
            .cloned()
            .collect()
    }

    /// Whether a game session belongs to a fleet of this Region, by its ARN.
    fn is_home_of(&self, session: &GameSessionId) -> bool {
        session.as_str().split(':').nth(3) == Some(self.region.as_str())
    }

    /// How many game sessions are waiting for a request for their players.
    pub(crate) fn players_waiting(&self) -> usize {
        self.players.lock().len()
    }

    /// Progress of the initial read of metric history: windows done and their total number.
    pub(crate) fn history_progress(&self) -> (u64, u64) {
        self.metrics.lock().progress()
    }

    /// Rows written since the start, by kind.
    pub(crate) fn written(&self) -> Written {
        self.written.lock().clone()
    }

    fn known(&self, fleet: &FleetId) -> Option<KnownFleet> {
        self.fleets.lock().get(fleet).cloned()
    }
}
