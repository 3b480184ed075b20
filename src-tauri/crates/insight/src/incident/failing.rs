//! What failed in an incident, and what selects it: in the store, in a list, in a comparison.

use liftdeck_model::custom_rule::{MetricSubject, Watched};
use liftdeck_model::game_session::GameSessionEnding;
use liftdeck_model::observation::PollKind;
use liftdeck_model::query::quoted;
use liftdeck_model::time::{DAY_MS, MINUTE_MS, TimeRange};
use liftdeck_model::{FleetId, QueueName, Region};
use liftdeck_store::reader::cut_off::EndedScope;
use liftdeck_store::reader::freshness::{Basis, Freshness};
use liftdeck_store::reader::matchmaking::TicketScope;
use liftdeck_store::reader::placement::PlacementScope;
use liftdeck_store::reader::reservations::ReservationScope;
use liftdeck_store::reader::unmatched::UnmatchedScope;

use super::sphere::Sphere;
use super::{FailedList, IncidentCompared, IncidentScope};
use crate::alert::Alert;
use crate::verdict::Trouble;

/// The end of a session may be dated this long before the event that tells of its crash.
const EARLY_MS: i64 = 10_000;
/// How far back the bad ones are compared with the rest, at least.
const COMPARED_MS: i64 = 180 * MINUTE_MS;
/// How much time on each side a span is compared with, at most.
const MOST_APART_MS: i64 = DAY_MS;

/// What failed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Failing {
    /// Game sessions that ended so.
    Sessions(Vec<GameSessionEnding>),
    /// Placements of queues.
    Placements(Vec<(Region, QueueName)>),
    /// Tickets of a matchmaking configuration.
    Tickets(Region, String),
    /// Reservations on a fleet.
    Reservations(FleetId),
    /// Placements or tickets of which nothing is known: no event queue listens where they are.
    Unheard,
    /// Nothing that is counted.
    Nothing,
}

impl Sphere<'_> {
    /// What fails while an alert is in force.
    pub(super) fn failing_of(&self, alert: &Alert) -> Failing {
        use GameSessionEnding as Ending;
        let Some(facts) = &alert.facts else { return Failing::Nothing };
        let of_queue = |name: &QueueName| {
            let here = alert.region.iter().map(|region| (region.clone(), name.clone()));
            Failing::Placements(here.collect())
        };
        match &facts.trouble {
            Trouble::SessionsCrash { .. } => {
                Failing::Sessions(vec![Ending::Crashed, Ending::TerminatedUnhealthy])
            }
            // Of those that start slowly, some never do.
            Trouble::ActivationsTimeOut { .. } | Trouble::SessionsStartSlowly { .. } => {
                Failing::Sessions(vec![Ending::ActivationTimedOut])
            }
            Trouble::Interrupted { .. } => Failing::Sessions(vec![Ending::Interrupted]),
            Trouble::PlacementsFail { queue, .. }
            | Trouble::PlacementsWait { queue, .. }
            | Trouble::NoDestination { queue, .. } => of_queue(queue),
            Trouble::TicketsFail { configuration, .. } | Trouble::TicketsWait { configuration, .. } => {
                match &alert.region {
                    Some(region) => Failing::Tickets(region.clone(), configuration.clone()),
                    None => Failing::Nothing,
                }
            }
            Trouble::ReservationsUnused { .. } => {
                alert.fleet_id.clone().map_or(Failing::Nothing, Failing::Reservations)
            }
            Trouble::Custom { rule, .. } => match &rule.watched {
                Watched::Metric { of: MetricSubject::Queue { name, .. }, .. } => of_queue(name),
                Watched::Metric { of: MetricSubject::Configuration { name, region }, .. } => {
                    Failing::Tickets(region.clone(), name.clone())
                }
                Watched::Metric { .. } | Watched::Query { .. } => Failing::Nothing,
            },
            // Who finds no room is told by the queues that lead there.
            Trouble::NoProcess { .. }
            | Trouble::Capped { .. }
            | Trouble::LittleRoom { .. }
            | Trouble::InstanceLimit { .. }
            | Trouble::ScalingSuspended { .. } => {
                let leading: Vec<_> = alert.fleet_id.iter().flat_map(|id| self.leading_to(id)).collect();
                if leading.is_empty() { Failing::Nothing } else { Failing::Placements(leading) }
            }
            _ => Failing::Nothing,
        }
    }

    /// The sessions that failed, as the store selects them; `None` if it is not game sessions that failed.
    pub(super) fn ended_scope(&self) -> Option<EndedScope> {
        let Failing::Sessions(endings) = &self.failing else { return None };
        let early = if self.alert.is_some() { EARLY_MS } else { 0 };
        let range = TimeRange::new(self.span.from.plus_ms(-early), self.span.to);
        let fleets = (!matches!(self.scope, Some(IncidentScope::All))).then(|| self.bad.clone());
        Some(EndedScope { fleets, endings: endings.clone(), range })
    }

    /// The tickets that failed, or whose placement did, if those are what fails.
    pub(super) fn unmatched_scope(&self) -> Option<UnmatchedScope> {
        match &self.failing {
            Failing::Tickets(region, configuration) => Some(UnmatchedScope::Tickets {
                region: region.clone(),
                configuration: configuration.clone(),
                range: self.span,
            }),
            Failing::Placements(queues) if !queues.is_empty() => {
                Some(UnmatchedScope::Placements { queues: queues.clone(), range: self.span })
            }
            _ => None,
        }
    }

    /// The reservations made in a range, if those are what fails.
    pub(super) fn reservation_scope(&self, range: TimeRange) -> Option<ReservationScope> {
        /// So many game sessions are read; more than a fleet creates in most incidents.
        const GAME_SESSIONS: u32 = 5_000;
        let Failing::Reservations(fleet_id) = &self.failing else { return None };
        Some(ReservationScope { fleet_id: fleet_id.clone(), range, game_sessions: GAME_SESSIONS })
    }

    /// The query that selects what failed among game sessions.
    fn query(&self) -> Option<String> {
        let Failing::Sessions(endings) = &self.failing else { return None };
        let ended = match endings.as_slice() {
            [one] => format!("ended:{}", one.as_str()),
            several if several.iter().all(|one| one.is_abnormal()) && several.len() > 2 => {
                "ended:abnormal".to_owned()
            }
            several => {
                let each: Vec<_> = several.iter().map(|one| format!("ended:{}", one.as_str())).collect();
                format!("({})", each.join(" or "))
            }
        };
        Some(ended)
    }

    pub(super) fn list(&self) -> FailedList {
        match (&self.failing, self.query()) {
            (Failing::Sessions(_), Some(ended)) => {
                let (fleet_id, within) = match (self.bad.as_slice(), &self.scope) {
                    ([only], _) => (Some(only.clone()), String::new()),
                    (_, Some(IncidentScope::Region { region })) => {
                        (None, format!("region:{} ", quoted(region.as_str())))
                    }
                    (_, Some(IncidentScope::Build { id })) => (None, format!("{} ", self.runs(id))),
                    _ => (None, String::new()),
                };
                // A list selects by when sessions ran; those that ended before it began did not fail in it.
                let range = self.ended_scope().map_or(self.span, |scope| scope.range);
                let from = range.from.to_rfc3339();
                FailedList::Sessions { text: format!("{within}{ended} ended:>={from}"), fleet_id, range }
            }
            (Failing::Placements(queues), _) if !queues.is_empty() => {
                FailedList::Placements { scope: placements(queues), range: self.span }
            }
            (Failing::Tickets(_, configuration), _) => {
                FailedList::Tickets { configuration: configuration.clone(), range: self.span }
            }
            _ => FailedList::Nothing,
        }
    }

    pub(super) fn compared(&self) -> Option<IncidentCompared> {
        let from = self.shown.from.min(self.span.to.plus_ms(-COMPARED_MS));
        let range = TimeRange::new(from, self.span.to);
        match (&self.failing, self.query()) {
            (Failing::Sessions(_), Some(ended)) => {
                let region = match self.regions().as_slice() {
                    [only] => format!("region:{} ", quoted(only.as_str())),
                    _ => String::new(),
                };
                Some(IncidentCompared::Sessions { text: format!("{region}{ended}"), range })
            }
            (Failing::Placements(queues), _) if !queues.is_empty() => {
                let scope = PlacementScope { queue: None, region: self.only_region(), ..placements(queues) };
                Some(IncidentCompared::Placements { scope, range, span: None })
            }
            (Failing::Tickets(region, _), _) => {
                let scope = TicketScope { configuration: None, region: Some(region.clone()) };
                Some(IncidentCompared::Tickets { scope, range, span: None })
            }
            _ => None,
        }
    }

    /// Everything of a span against the rest of the time around it.
    pub(super) fn apart(&self) -> Option<IncidentCompared> {
        let scope = self.scope.as_ref()?;
        let around = (self.span.length_ms() * 3).clamp(COMPARED_MS, MOST_APART_MS);
        let to = self.span.to.plus_ms(around).min(self.now.plus_ms(1)).max(self.span.to);
        let range = TimeRange::new(self.span.from.plus_ms(-around), to);
        let span = Some(self.span);
        match (&self.failing, scope) {
            (Failing::Placements(queues), _) if !queues.is_empty() => {
                Some(IncidentCompared::Placements { scope: placements(queues), range, span })
            }
            (Failing::Tickets(region, configuration), _) => {
                let (configuration, region) = (Some(configuration.clone()), Some(region.clone()));
                Some(IncidentCompared::Tickets { scope: TicketScope { configuration, region }, range, span })
            }
            (Failing::Sessions(_), scope) => {
                let within = match scope {
                    IncidentScope::All => String::new(),
                    IncidentScope::Region { region } => format!("region:{} ", quoted(region.as_str())),
                    IncidentScope::Build { id } => format!("{} ", self.runs(id)),
                    _ => {
                        let each = self.bad.iter().map(|id| format!("fleet={}", quoted(id.as_str())));
                        match each.collect::<Vec<_>>().as_slice() {
                            [] => return None,
                            [one] => format!("{one} "),
                            several => format!("({}) ", several.join(" or ")),
                        }
                    }
                };
                let (from, to) = (self.span.from.to_rfc3339(), self.span.to.to_rfc3339());
                let text = format!("{within}created:>={from} created:<{to}");
                Some(IncidentCompared::Sessions { text, range })
            }
            _ => None,
        }
    }

    fn only_region(&self) -> Option<Region> {
        let mut regions = self.regions();
        if regions.len() == 1 { regions.pop() } else { None }
    }

    /// The term that selects the game sessions of a build or a script.
    fn runs(&self, id: &str) -> String {
        let is_script = self
            .ground
            .fleets
            .iter()
            .any(|it| it.fleet.script_id.as_ref().is_some_and(|script| script.as_str() == id));
        format!("{}={}", if is_script { "script" } else { "build" }, quoted(id))
    }

    pub(super) fn freshness(&self) -> Freshness {
        let reader = self.ground.reader;
        let of = |kind| match self.bad.as_slice() {
            [only] => reader.freshness(Basis::One(kind, only.as_str()), self.now),
            _ => reader.freshness(Basis::All(kind), self.now),
        };
        match &self.failing {
            Failing::Sessions(_) => of(PollKind::GameSessions).and(of(PollKind::FleetEvents)),
            Failing::Placements(_) | Failing::Tickets(..) => {
                reader.freshness(Basis::All(PollKind::EventFeed), self.now)
            }
            Failing::Reservations(_) => of(PollKind::GameSessions),
            Failing::Unheard | Failing::Nothing => of(PollKind::FleetCapacity),
        }
    }
}

/// A scope of placements: of the only queue, else of all.
fn placements(queues: &[(Region, QueueName)]) -> PlacementScope {
    match queues {
        [(region, name)] => {
            let (queue, region) = (Some(name.to_string()), Some(region.clone()));
            PlacementScope { queue, region, ..PlacementScope::default() }
        }
        _ => PlacementScope::default(),
    }
}
