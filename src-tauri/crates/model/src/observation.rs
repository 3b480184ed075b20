//! What a poll saw, handed by the collector to the store.
//!
//! Deliberately carries no SQL and no decision: the store works out what changed, and only a listing proven
//! complete may mark anything as gone.

use serde::{Deserialize, Serialize};

use crate::alias::Alias;
use crate::container::FleetDeployment;
use crate::content::{Build, Script};
use crate::feed::QuarantinedMessage;
use crate::fleet::{
    Compute, Fleet, FleetCapacity, FleetEvent, FleetLocation, FleetUtilization, InstanceLimit, IpPermission,
    RuntimeConfiguration, ScalingPolicy,
};
use crate::game_session::GameSession;
use crate::id::{FleetId, GameSessionId, Location, PlacementId, Region};
use crate::matchmaking::{MatchmakingConfiguration, MatchmakingEvent, MatchmakingRuleSet, Ticket};
use crate::metric::{MetricSample, MetricSeries};
use crate::placement::{Placement, PlacementEvent};
use crate::player_session::PlayerSession;
use crate::queue::GameSessionQueue;
use crate::time::Timestamp;
use crate::trail::{TrailLook, TrailMark, TrailRecord};

/// Items of a listing, with whether every page of it was read without a fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing<T> {
    /// What was listed.
    pub items: Vec<T>,
    /// True only if the last page was marked as the last: then what is absent is gone.
    pub complete: bool,
}

impl<T> Listing<T> {
    /// A listing of which every page was read.
    pub const fn complete(items: Vec<T>) -> Self {
        Self { items, complete: true }
    }

    /// An interrupted listing: it adds and changes items, but marks nothing as gone.
    pub const fn partial(items: Vec<T>) -> Self {
        Self { items, complete: false }
    }
}

/// Everything one poll of one Region saw. Committed in one transaction.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Home Region asked.
    pub region: Region,
    /// When the answer was read.
    pub observed_at: Timestamp,
    /// What was seen.
    pub observations: Vec<Observation>,
}

/// One thing seen.
#[derive(Clone, Debug)]
pub enum Observation {
    /// All kinds of fleets of the Region.
    Fleets(Listing<Fleet>),
    /// Locations of a fleet.
    FleetLocations(FleetId, Listing<FleetLocation>),
    /// Instance counts of one location; the store records transitions and a polled sample of each count.
    FleetCapacity(FleetCapacity),
    /// Load of one location, recorded likewise.
    FleetUtilization(FleetUtilization),
    /// The account's instance limits of all instance types in a location. The answer has no pages.
    InstanceLimits(Location, Vec<InstanceLimit>),
    /// Computes of a fleet, all locations.
    Computes(FleetId, Listing<Compute>),
    /// Events of a fleet.
    FleetEvents(FleetId, Vec<FleetEvent>),
    /// Scaling policies of a fleet.
    ScalingPolicies(FleetId, Listing<ScalingPolicy>),
    /// Runtime configuration of a fleet.
    RuntimeConfiguration(FleetId, RuntimeConfiguration),
    /// Inbound permissions of a fleet in a location.
    PortSettings(FleetId, Option<Location>, Vec<IpPermission>),
    /// Deployments of a container fleet.
    FleetDeployments(FleetId, Vec<FleetDeployment>),
    /// Game sessions in any state, a page or more.
    GameSessions(Vec<GameSession>),
    /// A game session GameLift no longer knows (NotFound, or its fleet was deleted): it ended, but its end was not
    /// seen.
    GameSessionGone(GameSessionId),
    /// The live game sessions of a fleet that a complete listing did not contain and that were not looked up yet.
    GameSessionsUnlisted(FleetId, Vec<GameSessionId>),
    /// Player sessions of one game session. A partial listing may be of a game session that was never read: then
    /// somebody asked about one of its players.
    PlayerSessions(GameSessionId, Listing<PlayerSession>),
    /// A placement that GameLift was asked about by its id, and what it answered; `None` if it knows none.
    PlacementAsked(PlacementId, Option<Placement>),
    /// A matchmaking ticket that GameLift was asked about.
    TicketAsked(Ticket),
    /// Queues of the Region.
    Queues(Listing<GameSessionQueue>),
    /// Aliases of the Region.
    Aliases(Listing<Alias>),
    /// Matchmaking configurations of the Region.
    MatchmakingConfigurations(Listing<MatchmakingConfiguration>),
    /// Matchmaking rule sets of the Region.
    MatchmakingRuleSets(Listing<MatchmakingRuleSet>),
    /// Builds of the Region.
    Builds(Listing<Build>),
    /// Scripts of the Region.
    Scripts(Listing<Script>),
    /// Placement outcomes; duplicates are recognised by (placement id, type).
    PlacementEvents(Vec<PlacementEvent>),
    /// FlexMatch events; duplicates are recognised by event id.
    MatchmakingEvents(Vec<MatchmakingEvent>),
    /// Calls that CloudTrail recorded; duplicates are recognised by event id.
    TrailRecords(Vec<TrailRecord>),
    /// A look-up in CloudTrail that was answered.
    TrailLook(TrailLook),
    /// Where the look-ups of a Region stand.
    TrailMark(TrailMark),
    /// Messages put aside; duplicates are recognised by (queue, message id).
    Quarantined(Vec<QuarantinedMessage>),
    /// Samples of a series, ascending in time; a moment already present is overwritten. None say that the series exists.
    MetricSamples(MetricSeries, Vec<MetricSample>),
    /// The result of a poll, for the ledger behind every age on the screen.
    Poll(Poll),
}

/// What a ledger line is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PollSubject {
    /// Kind.
    pub kind: PollKind,
    /// The fleet, game session, queue URL or series concerned; empty for a whole Region.
    pub resource: String,
}

/// What can be polled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum PollKind {
    /// Fleet attributes of the Region.
    Fleets,
    /// Locations of a fleet.
    FleetLocations,
    /// Capacity of a fleet, all locations.
    FleetCapacity,
    /// Utilization of a fleet, all locations.
    FleetUtilization,
    /// The account's instance limits, all locations of the Region's fleets.
    InstanceLimits,
    /// Computes of a fleet.
    Computes,
    /// Events of a fleet.
    FleetEvents,
    /// Policies of a fleet.
    ScalingPolicies,
    /// Runtime configuration and ports of a fleet.
    FleetConfiguration,
    /// Live game sessions of a fleet.
    GameSessions,
    /// Ended game sessions of a fleet.
    EndedGameSessions,
    /// Player sessions of a game session.
    PlayerSessions,
    /// Queues.
    Queues,
    /// Aliases.
    Aliases,
    /// Matchmaking configurations.
    MatchmakingConfigurations,
    /// Matchmaking rule sets.
    MatchmakingRuleSets,
    /// Builds.
    Builds,
    /// Scripts.
    Scripts,
    /// Event feed of an SQS queue.
    EventFeed,
    /// CloudWatch metrics.
    Metrics,
    /// CloudTrail's event history, for who made the changes that were seen.
    Trail,
    /// Placements that failed: who was to be placed, which no event tells.
    FailedPlacements,
}

/// A line of the poll ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poll {
    /// What was asked.
    pub subject: PollSubject,
    /// When the poll ended.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
    /// What went wrong, in words with code and request id; `None` when all of it was read.
    pub failure: Option<String>,
}

/// What a new revision touched; sent to the window as a hint to read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Subject {
    /// Fleets, their locations, configuration and computes.
    Fleets,
    /// Capacity and utilization.
    Capacity,
    /// Game sessions.
    GameSessions,
    /// Player sessions.
    PlayerSessions,
    /// Placements.
    Placements,
    /// Matchmaking.
    Matchmaking,
    /// Queues.
    Queues,
    /// Aliases.
    Aliases,
    /// Fleet events.
    Events,
    /// Metric samples.
    Metrics,
    /// Recorded changes of settings.
    Changes,
    /// Builds and scripts.
    Builds,
    /// Changes made by this installation: attempts, runs and presets.
    Activity,
    /// Alerts.
    Alerts,
    /// Health of the collection; not reported by commits of the store.
    Health,
    /// Settings and connections; not reported by commits of the store.
    Settings,
}

impl Subject {
    /// Every subject a commit of the store can touch.
    pub const OF_THE_STORE: [Self; 14] = [
        Self::Fleets,
        Self::Capacity,
        Self::GameSessions,
        Self::PlayerSessions,
        Self::Placements,
        Self::Matchmaking,
        Self::Queues,
        Self::Aliases,
        Self::Events,
        Self::Metrics,
        Self::Changes,
        Self::Builds,
        Self::Activity,
        Self::Alerts,
    ];
}
