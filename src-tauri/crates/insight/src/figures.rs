//! The figures of fleets and their locations, now or at a moment that is over. What was not read is unknown, never 0.
//!
//! Owns which moment a range is about, so that every screen shows the same figures for it. Deliberately judges nothing
//! but the state a fleet was in.

use std::collections::BTreeMap;

use liftdeck_model::fleet::{ComputeKind, FleetCapacity};
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Timestamp};
use liftdeck_store::reader::fleet::{FleetSummary, LocationFigures};
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::series::{FleetThen, SeriesName, ValuesThen};
use liftdeck_store::{Reader, StoreError};

use crate::state::{FleetState, LITTLE_ROOM_PERCENT};

/// A range that ended longer ago than this is about its end. Shorter, it is a live range whose question was on its way.
const OVER_MS: i64 = 60_000;

/// The moment that the figures of a range are of; `None` for those of now.
pub(crate) fn moment_of(range: TimeRange, now: Timestamp) -> Option<Timestamp> {
    (now.since_ms(range.to) > OVER_MS).then_some(range.to)
}

/// Figures of a location or of a whole fleet. Each is `None` while it is unknown, or if there is no such figure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Figures {
    pub(crate) desired: Option<i64>,
    pub(crate) active: Option<i64>,
    pub(crate) maximum: Option<i64>,
    pub(crate) processes: Option<i64>,
    pub(crate) free_processes: Option<i64>,
    pub(crate) game_sessions: Option<i64>,
    pub(crate) player_sessions: Option<i64>,
    /// Percent (0 to 100) of processes without a game session.
    pub(crate) free_percent: Option<f64>,
}

/// The names whose values make figures of a moment, in the order of [`Figures::then`].
const NAMES: [SeriesName; 8] = [
    SeriesName::DesiredInstances,
    SeriesName::ActiveInstances,
    SeriesName::MaxInstances,
    SeriesName::ActiveServerProcesses,
    SeriesName::AvailableGameSessions,
    SeriesName::ActiveGameSessions,
    SeriesName::CurrentPlayerSessions,
    SeriesName::PercentAvailableGameSessions,
];

impl Figures {
    fn now(here: &LocationFigures, sessions_are_read: bool) -> Self {
        let of = |count: fn(&FleetCapacity) -> i32| here.capacity.as_ref().map(|it| i64::from(count(it)));
        let counted = |count: i64| sessions_are_read.then_some(count);
        Self {
            desired: of(|it| it.desired),
            active: of(|it| it.active),
            maximum: of(|it| it.maximum),
            processes: here.processes(),
            free_processes: here.free_processes(),
            game_sessions: counted(here.game_sessions),
            player_sessions: counted(here.player_sessions),
            free_percent: None,
        }
        .with_percent()
    }

    fn then(values: &ValuesThen) -> Self {
        let value = |index: usize| values.get(index).copied().flatten();
        let count = |index: usize| value(index).map(|value| value.round() as i64);
        let (processes, game_sessions) = (count(3), count(5));
        // As of now: there may briefly be more game sessions than processes.
        let free = processes.zip(game_sessions).map(|(all, used)| (all - used).max(0));
        Self {
            desired: count(0),
            active: count(1),
            maximum: count(2),
            processes,
            free_processes: free.or_else(|| count(4)),
            game_sessions,
            player_sessions: count(6),
            free_percent: None,
        }
        .with_percent()
        .or_percent(value(7))
    }

    fn with_percent(self) -> Self {
        let percent = |(free, all): (i64, i64)| (all > 0).then(|| free as f64 / all as f64 * 100.0);
        Self { free_percent: self.free_processes.zip(self.processes).and_then(percent), ..self }
    }

    fn or_percent(self, told: Option<f64>) -> Self {
        let told = told.filter(|_| self.processes.is_none());
        Self { free_percent: self.free_percent.or(told), ..self }
    }

    /// Share (0 to 1) of server processes hosting a game session.
    pub(crate) fn utilization(&self) -> Option<f64> {
        let (processes, sessions) = (self.processes?, self.game_sessions?);
        (processes > 0).then(|| (sessions as f64 / processes as f64).min(1.0))
    }

    /// Whether no more instances are allowed than are desired, and no process is free.
    fn is_capped(&self) -> bool {
        let at_maximum = self.desired.zip(self.maximum).is_some_and(|(is, most)| most > 0 && is >= most);
        at_maximum && self.processes.is_some_and(|all| all > 0) && self.free_processes == Some(0)
    }

    /// Whether every figure is known that a fleet of the kind has.
    fn is_whole(&self, kind: ComputeKind) -> bool {
        let instances = [self.desired, self.active, self.maximum];
        let has_instances = !kind.has_capacity() || instances.iter().all(Option::is_some);
        has_instances && self.processes.is_some() && self.game_sessions.is_some()
    }

    fn runs_no_process(&self) -> bool {
        self.active.is_some_and(|active| active > 0) && self.processes == Some(0)
    }
}

/// The figures of a fleet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FleetFigures {
    /// Those of each of its locations, the home Region first.
    pub(crate) locations: Vec<(Location, Figures)>,
    /// Those of all of them together; unknown where that of one is.
    pub(crate) all: Figures,
}

impl FleetFigures {
    /// The newest figures of a fleet.
    pub(crate) fn now(reader: &Reader, fleet: &FleetSummary, now: Timestamp) -> Self {
        let kind = fleet.fleet.kind;
        let listed = || {
            let basis = Basis::One(PollKind::GameSessions, fleet.fleet.fleet_id.as_str());
            reader.freshness(basis, now).as_of.is_some()
        };
        // One answer for all locations where game sessions are counted from their list.
        let are_listed = !kind.has_utilization() && listed();
        let of = |here: &LocationFigures| {
            let are_read = if kind.has_utilization() { here.utilization.is_some() } else { are_listed };
            (here.location.clone(), Figures::now(here, are_read))
        };
        // A fleet of one's own may have no location that was told of, and no game session.
        let none = are_listed.then_some(0);
        let whole = Figures { game_sessions: none, player_sessions: none, ..Figures::default() };
        let mut figures = Self::of(fleet.locations.iter().map(of).collect(), whole);
        // By the locations that are known, as rules judge it.
        figures.all.free_percent = fleet.free_percent();
        figures
    }

    /// The figures of a fleet at a moment, by what is known of it then.
    pub(crate) fn then(fleet: &FleetSummary, known: Option<&FleetThen>) -> Self {
        let Some(known) = known else {
            let unknown = |here: &LocationFigures| (here.location.clone(), Figures::default());
            return Self::of(fleet.locations.iter().map(unknown).collect(), Figures::default());
        };
        let mut by_location: BTreeMap<&Location, Figures> =
            known.locations.iter().map(|(location, values)| (location, Figures::then(values))).collect();
        for here in fleet.locations.iter().filter(|here| !known.added_later.contains(&here.location)) {
            by_location.entry(&here.location).or_default();
        }
        let mut locations: Vec<(Location, Figures)> =
            by_location.into_iter().map(|(location, figures)| (location.clone(), figures)).collect();
        locations.sort_by_key(|(location, _)| location.as_str() != fleet.fleet.region.as_str());
        Self::of(locations, Figures::then(&known.whole))
    }

    /// Sums up locations; `whole` is what is known beside them.
    fn of(locations: Vec<(Location, Figures)>, whole: Figures) -> Self {
        let sum = |pick: fn(&Figures) -> Option<i64>| {
            let known: Option<Vec<i64>> = locations.iter().map(|(_, figures)| pick(figures)).collect();
            known.filter(|_| !locations.is_empty()).map(|all| all.iter().sum()).or_else(|| pick(&whole))
        };
        let all = Figures {
            desired: sum(|it| it.desired),
            active: sum(|it| it.active),
            maximum: sum(|it| it.maximum),
            processes: sum(|it| it.processes),
            free_processes: sum(|it| it.free_processes),
            game_sessions: sum(|it| it.game_sessions),
            player_sessions: sum(|it| it.player_sessions),
            free_percent: None,
        }
        .with_percent()
        .or_percent(whole.free_percent);
        Self { locations, all }
    }

    /// The state of the fleet at a moment, by what was recorded of it.
    pub(crate) fn state_at(&self, fleet: &FleetSummary, at: Timestamp) -> FleetState {
        if fleet.ended_at().is_some_and(|ended| ended <= at) {
            return FleetState::Off;
        }
        let figures = || self.locations.iter().map(|(_, figures)| figures);
        let runs_none = self.all.processes == Some(0) && figures().any(Figures::runs_no_process);
        if runs_none || figures().any(Figures::is_capped) || self.all.is_capped() {
            return FleetState::Bad;
        }
        match self.all.free_percent {
            Some(percent) if percent < LITTLE_ROOM_PERCENT => FleetState::Warning,
            _ if self.all.is_whole(fleet.fleet.kind) => FleetState::Good,
            _ => FleetState::Unknown,
        }
    }
}

/// The figures of each fleet, in their order: of `at`, or of now without one.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn figures_of(
    reader: &Reader,
    fleets: &[FleetSummary],
    at: Option<Timestamp>,
    now: Timestamp,
) -> Result<Vec<FleetFigures>, StoreError> {
    let Some(at) = at else {
        return Ok(fleets.iter().map(|fleet| FleetFigures::now(reader, fleet, now)).collect());
    };
    let known = reader.fleets_at(&NAMES, at).await?;
    let of = |fleet: &FleetSummary| FleetFigures::then(fleet, known_of(&known, fleet, at));
    Ok(fleets.iter().map(of).collect())
}

/// What is known of a fleet at `at`: nothing once it had ended.
fn known_of<'a>(
    known: &'a BTreeMap<FleetId, FleetThen>,
    fleet: &FleetSummary,
    at: Timestamp,
) -> Option<&'a FleetThen> {
    known.get(&fleet.fleet.fleet_id).filter(|_| fleet.ended_at().is_none_or(|ended| ended > at))
}

/// The sum of one figure over fleets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// Over those of which it is known; `None` if it is known of none.
    pub(crate) known: Option<i64>,
    /// Of how many it is not known.
    pub(crate) unknown: u32,
}

impl Sum {
    /// Adds up a figure of the fleets that have it.
    pub(crate) fn over<'a>(
        fleets: impl Iterator<Item = (ComputeKind, &'a Figures)>,
        has_it: fn(ComputeKind) -> bool,
        pick: fn(&Figures) -> Option<i64>,
    ) -> Self {
        let mut sum = Self::default();
        for (_, figures) in fleets.filter(|(kind, _)| has_it(*kind)) {
            match pick(figures) {
                Some(count) => sum.known = Some(sum.known.unwrap_or(0) + count),
                None => sum.unknown += 1,
            }
        }
        sum
    }
}
