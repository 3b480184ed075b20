//! The simulated world behind the service: fleets, sessions, players, placements, matches and their metrics.
//! Deterministic from seed, scenario and virtual start time; only [`World::advance_to`] advances its time.
//!
//! Owns the state and its rules. Deliberately knows nothing of requests, pages, protocols, envelopes or real time,
//! and shares no type with the program that reads it.

mod backend;
mod capacity;
mod catalogue;
mod deed;
mod draw;
mod engine;
mod fleet;
mod fleet_view;
mod geography;
mod load;
mod matchmaking;
mod metrics;
mod names;
mod numbered;
mod placing;
mod play;
mod population;
mod profile;
mod reading;
pub mod records;
mod refusal;
mod requests;
mod sample;
mod scaling;
mod scenario;
mod script;
mod session;
mod session_view;
pub mod steering;
mod tagging;
#[cfg(test)]
mod tests;
mod text;
mod trouble;

pub use backend::BackendCall;
pub use deed::{Deed, Door, Person, Principal};
pub use fleet_view::FleetRef;
pub use metrics::{MetricIdentity, MetricPoint, Metrics};
pub use reading::SessionFilter;
pub use refusal::{Refusal, RefusalKind};
pub use requests::{
    ConfigurationSettings, NewGameSession, NewPlacement, NewPlayer, QueueSettings, SessionSettings,
    TerminationMode, TicketPurpose,
};
pub use scenario::{Mixture, Scenario, UnknownScenario};
pub use session_view::{Properties, SessionKey, SessionRef};

use std::collections::{BTreeMap, VecDeque};

use self::engine::Agenda;
use self::fleet::Fleet;
use self::load::Stream;
use self::matchmaking::{GameMatch, Matchmaker, Ticket};
use self::names::Names;
use self::numbered::Numbered;
use self::placing::{Placement, Queue};
use self::population::Population;
use self::records::{
    Alias, Build, ContainerGroupDefinition, FleetDeployment, LocationModel, MatchmakingRuleSet, Notice,
    Script,
};
use self::requests::Ledger;
use self::session::Session;
use self::trouble::Trouble;

/// A time that never comes.
pub(crate) const NEVER_MS: i64 = i64::MAX;

/// Options for a new world.
#[derive(Clone, Debug)]
pub struct WorldOptions {
    /// The same seed gives the same world.
    pub seed: u64,
    /// The scenario it plays.
    pub scenario: Scenario,
    /// Virtual time at the start, epoch milliseconds. The past is simulated up to it.
    pub start_ms: i64,
    /// Twelve-digit id of the account that owns everything.
    pub account: String,
}

impl Default for WorldOptions {
    fn default() -> Self {
        Self { seed: 1, scenario: Scenario::Quiet, start_ms: 0, account: "111122223333".to_owned() }
    }
}

/// The world. See the module's description.
#[derive(Clone, Debug)]
pub struct World {
    account: String,
    scenario: Scenario,
    seed: u64,
    names: Names,
    start_ms: i64,
    now_ms: i64,
    regions: Vec<Region>,
    fleets: Vec<Fleet>,
    queues: Vec<Queue>,
    matchmakers: Vec<Matchmaker>,
    streams: Vec<Stream>,
    population: Population,
    /// By number; forgotten sessions leave a hole.
    sessions: Vec<Option<Box<Session>>>,
    /// Ended sessions in the order they ended: end and number.
    ended: VecDeque<(i64, u32)>,
    placements: Vec<Option<Box<Placement>>>,
    /// The placement of each match that a queue was asked to place.
    placed_matches: BTreeMap<u32, u32>,
    /// Placements in the order they were settled: end and number.
    settled: VecDeque<(i64, u32)>,
    matches: Numbered<GameMatch>,
    tickets: Numbered<Ticket>,
    counts: NumberSource,
    ledger: Ledger,
    agenda: Agenda,
    trouble: Trouble,
}

/// Counters from which numbers are assigned.
#[derive(Clone, Debug, Default)]
struct NumberSource {
    instances: u32,
    events: u32,
    notices: u32,
    matches: u32,
    tickets: u32,
    deeds: u64,
}

/// The resources of one region, which change only by hand.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) name: String,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) builds: Vec<Build>,
    pub(crate) scripts: Vec<Script>,
    pub(crate) rule_sets: Vec<MatchmakingRuleSet>,
    pub(crate) definitions: Vec<ContainerGroupDefinition>,
    pub(crate) deployments: Vec<FleetDeployment>,
    pub(crate) locations: Vec<LocationModel>,
    /// Tags by ARN.
    pub(crate) tags: BTreeMap<String, BTreeMap<String, String>>,
    pub(crate) outbox: VecDeque<Notice>,
    /// Oldest first.
    pub(crate) deeds: VecDeque<Deed>,
}

impl World {
    /// Creates a world whose past is simulated up to `options.start_ms`.
    pub fn new(options: &WorldOptions) -> Self {
        let mut world = catalogue::build(options);
        world.advance_to(options.start_ms);
        world
    }
}
