//! What an incident covers: its span, its fleets and those they are compared with, the aliases and queues that lead to
//! them, and what counts as failed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use liftdeck_model::alert::{AlertState, AlertStep, AlertStepKind};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::custom_rule::{MetricSubject, Watched};
use liftdeck_model::game_session::GameSessionEnding;
use liftdeck_model::observation::PollKind;
use liftdeck_model::query::quoted;
use liftdeck_model::time::{MINUTE_MS, TimeRange};
use liftdeck_model::{FleetId, QueueName, Region, Timestamp};
use liftdeck_store::reader::cut_off::EndedScope;
use liftdeck_store::reader::freshness::{Basis, Freshness};
use liftdeck_store::reader::placement::PlacementScope;
use liftdeck_store::reader::queue::AliasRow;
use liftdeck_store::reader::reservations::ReservationScope;
use liftdeck_store::reader::unmatched::UnmatchedScope;
use liftdeck_store::{Reader, StoreError};

use super::{FailedList, IncidentCompared, IncidentOf, IncidentScope, Phase};
use crate::alert::{Alert, alert_story};
use crate::change::{Change, ChangeKind, FleetNamed, What, changes};
use crate::offer::Ground;
use crate::verdict::{Facts, LikelyCause, Rule, Trouble};
use crate::words;

/// How far before a trouble the lanes begin, at least and at most.
const LEAD_MS: (i64, i64) = (12 * MINUTE_MS, 180 * MINUTE_MS);
/// How long after the end of a trouble the lanes go on, at least and at most.
const TAIL_MS: (i64, i64) = (2 * MINUTE_MS, 30 * MINUTE_MS);
/// The end of a session may be dated this long before the event that tells of its crash.
const EARLY_MS: i64 = 10_000;
/// How far back the bad ones are compared with the rest, at least.
const COMPARED_MS: i64 = 180 * MINUTE_MS;
/// Most changes looked through.
const CHANGES: u32 = 1_000;

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

/// What an incident covers.
pub(super) struct Sphere<'a> {
    pub(super) ground: Arc<Ground<'a>>,
    pub(super) alert: Option<Alert>,
    pub(super) steps: Vec<AlertStep>,
    pub(super) scope: Option<IncidentScope>,
    /// From its beginning to its end, or to now.
    pub(super) span: TimeRange,
    pub(super) shown: TimeRange,
    pub(super) bad: Vec<FleetId>,
    /// What the bad ones are compared with.
    pub(super) rest: Vec<FleetId>,
    /// Whether the rest is the fleet from which the alias was taken.
    pub(super) is_former: bool,
    pub(super) aliases: BTreeSet<String>,
    pub(super) queues: BTreeSet<(Region, QueueName)>,
    pub(super) failing: Failing,
    /// Since when events tell of all placements or tickets that may fail.
    pub(super) heard_from: Timestamp,
    names: BTreeMap<FleetId, String>,
    pub(super) now: Timestamp,
}

impl<'a> Sphere<'a> {
    pub(super) async fn read(
        reader: &'a Reader,
        of: &IncidentOf,
        now: Timestamp,
    ) -> Result<Option<Self>, StoreError> {
        Self::of(Arc::new(Ground::read(reader, now).await?), of).await
    }

    /// The same where what it depends on has been read.
    pub(super) async fn of(ground: Arc<Ground<'a>>, of: &IncidentOf) -> Result<Option<Self>, StoreError> {
        let (reader, now) = (ground.reader, ground.now);
        let names = reader.names_of_fleets().await?;
        let mut sphere = Self {
            ground,
            alert: None,
            steps: Vec::new(),
            scope: None,
            span: TimeRange::new(now, now),
            shown: TimeRange::new(now, now),
            bad: Vec::new(),
            rest: Vec::new(),
            is_former: false,
            aliases: BTreeSet::new(),
            queues: BTreeSet::new(),
            failing: Failing::Nothing,
            heard_from: Timestamp::from_ms(0),
            names,
            now,
        };
        match of {
            IncidentOf::Alert { id } => {
                let Some(story) = alert_story(reader, id, now).await? else { return Ok(None) };
                sphere.around(story.alert, story.steps).await?;
            }
            IncidentOf::Span { scope, range } => sphere.over(scope, *range).await?,
        }
        sphere.add_ways();
        sphere.listen().await?;
        Ok(Some(sphere))
    }

    async fn around(&mut self, alert: Alert, steps: Vec<AlertStep>) -> Result<(), StoreError> {
        let end = alert.ended_at.unwrap_or_else(|| self.now.plus_ms(1));
        self.span = TimeRange::new(alert.since, end.max(alert.since.plus_ms(1)));
        let length = self.span.length_ms();
        let causes = alert.facts.iter().flat_map(|facts| &facts.causes);
        let first_cause = causes.filter_map(|likely| likely.at).min().map(|at| at.plus_ms(-MINUTE_MS));
        let from = alert.since.plus_ms(-(length * 3 / 2).clamp(LEAD_MS.0, LEAD_MS.1));
        let to = match alert.ended_at {
            Some(ended) => self.now.min(ended.plus_ms((length / 4).clamp(TAIL_MS.0, TAIL_MS.1))),
            None => self.now,
        };
        self.shown = TimeRange::new(from.min(first_cause.unwrap_or(from)), to);
        self.bad = alert.fleet_id.iter().cloned().collect();
        self.failing = self.failing_of(&alert);
        if let Some(facts) = &alert.facts {
            for likely in &facts.causes {
                if let LikelyCause::Changed { change } = &likely.cause {
                    match change.kind {
                        ChangeKind::Alias => drop(self.aliases.insert(change.resource.clone())),
                        ChangeKind::Queue => {
                            let queue = QueueName::new(change.resource.clone());
                            self.queues.insert((change.region.clone(), queue));
                        }
                        _ => {}
                    }
                }
                if let LikelyCause::AliasUpdated { alias, .. } | LikelyCause::DestinationTerminal { alias } =
                    &likely.cause
                {
                    let named = self.ground.aliases.iter().filter(|row| row.alias.name == *alias);
                    self.aliases.extend(named.map(|row| row.alias.alias_id.to_string()));
                }
            }
        }
        if let Failing::Placements(queues) = &self.failing
            && self.bad.is_empty()
        {
            self.bad = self.destinations(queues);
        }
        self.find_rest(&alert).await?;
        self.steps = steps;
        self.alert = Some(alert);
        Ok(())
    }

    fn failing_of(&self, alert: &Alert) -> Failing {
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
            Trouble::PlacementsFail { queue, .. } | Trouble::NoDestination { queue, .. } => of_queue(queue),
            Trouble::TicketsFail { configuration, .. } => match &alert.region {
                Some(region) => Failing::Tickets(region.clone(), configuration.clone()),
                None => Failing::Nothing,
            },
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
            Trouble::Capped { .. }
            | Trouble::LittleRoom { .. }
            | Trouble::InstanceLimit { .. }
            | Trouble::ScalingSuspended { .. } => {
                let leading: Vec<_> = alert.fleet_id.iter().flat_map(|id| self.leading_to(id)).collect();
                if leading.is_empty() { Failing::Nothing } else { Failing::Placements(leading) }
            }
            _ => Failing::Nothing,
        }
    }

    fn leading_to(&self, id: &FleetId) -> Vec<(Region, QueueName)> {
        let leads = self
            .ground
            .queues
            .iter()
            .filter(|row| row.destinations.iter().any(|to| to.fleet_id.as_ref() == Some(id)));
        leads.map(|row| (row.queue.region.clone(), row.queue.name.clone())).collect()
    }

    fn destinations(&self, queues: &[(Region, QueueName)]) -> Vec<FleetId> {
        let named = |(region, name): &(Region, QueueName)| {
            let row =
                self.ground.queues.iter().find(|row| row.queue.region == *region && row.queue.name == *name);
            row.into_iter().flat_map(|row| &row.destinations).filter_map(|to| to.fleet_id.clone())
        };
        let mut seen = BTreeSet::new();
        queues.iter().flat_map(named).filter(|id| seen.insert(id.clone())).collect()
    }

    async fn find_rest(&mut self, alert: &Alert) -> Result<(), StoreError> {
        let mut former = None;
        for likely in alert.facts.iter().flat_map(|facts| &facts.causes) {
            former = match &likely.cause {
                LikelyCause::Changed { change } => match &change.what {
                    What::Set { before: Some(before), .. } => before.fleet().cloned(),
                    // That an alias was changed may be known without where it led before.
                    _ if change.kind == ChangeKind::Alias => {
                        let is_it = |row: &AliasRow| row.alias.alias_id.as_str() == change.resource;
                        self.led_before(is_it, change.at).await?
                    }
                    _ => None,
                },
                LikelyCause::AliasUpdated { alias, .. } => {
                    let is_it = |row: &AliasRow| {
                        row.alias.name == *alias && Some(&row.alias.region) == alert.region.as_ref()
                    };
                    self.led_before(is_it, likely.at.unwrap_or(alert.since)).await?
                }
                _ => None,
            };
            if former.is_some() {
                break;
            }
        }
        self.is_former = former.as_ref().is_some_and(|id| !self.bad.contains(id));
        self.rest = match former.filter(|id| !self.bad.contains(id)) {
            Some(former) => vec![former],
            None => {
                let others = self.ground.fleets.iter().filter(|fleet| {
                    Some(&fleet.fleet.region) == alert.region.as_ref()
                        && !self.bad.contains(&fleet.fleet.fleet_id)
                });
                others.map(|fleet| fleet.fleet.fleet_id.clone()).collect()
            }
        };
        Ok(())
    }

    /// Where an alias led before it was changed at `at`; if it leads elsewhere again, that is taken for the same.
    async fn led_before(
        &self,
        is_it: impl Fn(&AliasRow) -> bool,
        at: Timestamp,
    ) -> Result<Option<FleetId>, StoreError> {
        let Some(row) = self.ground.aliases.iter().find(|row| is_it(row)) else { return Ok(None) };
        if let RoutingStrategy::Simple { fleet_id } = &row.alias.routing
            && !self.bad.contains(fleet_id)
        {
            return Ok(Some(fleet_id.clone()));
        }
        let former = crate::offer::former_of(&self.ground, row, at).await?;
        Ok(former.map(|former| former.fleet_id))
    }

    async fn over(&mut self, scope: &IncidentScope, range: TimeRange) -> Result<(), StoreError> {
        let to = range.to.min(self.now.plus_ms(1)).max(range.from.plus_ms(1));
        self.span = TimeRange::new(range.from, to);
        self.shown = self.span;
        let abnormal = GameSessionEnding::all().filter(|ending| ending.is_abnormal()).collect();
        self.failing = Failing::Sessions(abnormal);
        let all = |keeps: &dyn Fn(&FleetId, &Region) -> bool| -> Vec<FleetId> {
            let kept = self.ground.fleets.iter().filter(|it| keeps(&it.fleet.fleet_id, &it.fleet.region));
            kept.map(|it| it.fleet.fleet_id.clone()).collect()
        };
        self.bad = match scope {
            IncidentScope::All => all(&|_, _| true),
            IncidentScope::Region { region } => all(&|_, here| here == region),
            IncidentScope::Fleet { fleet_id } => vec![fleet_id.clone()],
            IncidentScope::Queue { name, region } => {
                let queue = (region.clone(), name.clone());
                self.failing = Failing::Placements(vec![queue.clone()]);
                let fleets = self.destinations(std::slice::from_ref(&queue));
                self.queues.insert(queue);
                fleets
            }
            IncidentScope::Alias { alias_id } => {
                self.aliases.insert(alias_id.to_string());
                let row = self.ground.aliases.iter().find(|row| row.alias.alias_id == *alias_id);
                let mut fleets: Vec<FleetId> = row
                    .and_then(|row| match &row.alias.routing {
                        RoutingStrategy::Simple { fleet_id } => Some(fleet_id.clone()),
                        RoutingStrategy::Terminal { .. } => None,
                    })
                    .into_iter()
                    .collect();
                let seen = changes(self.ground.reader, None, self.span, CHANGES).await?;
                let own = seen.iter().filter(|change| change.resource == alias_id.as_str());
                for id in own.flat_map(|change| &change.fleets) {
                    if !fleets.contains(id) {
                        fleets.push(id.clone());
                    }
                }
                fleets
            }
        };
        self.scope = Some(scope.clone());
        Ok(())
    }

    /// Adds the aliases and queues that lead to the fleets in trouble.
    fn add_ways(&mut self) {
        if matches!(self.scope, Some(IncidentScope::All)) {
            return;
        }
        for row in &self.ground.aliases {
            if let RoutingStrategy::Simple { fleet_id } = &row.alias.routing
                && self.bad.contains(fleet_id)
            {
                self.aliases.insert(row.alias.alias_id.to_string());
            }
        }
        let leading: Vec<_> = self.bad.iter().flat_map(|id| self.leading_to(id)).collect();
        self.queues.extend(leading);
        if let Failing::Placements(queues) = &self.failing {
            self.queues.extend(queues.iter().cloned());
        }
    }

    pub(super) fn rule(&self) -> Option<Rule> {
        self.alert.as_ref()?.rule.parse().ok()
    }

    pub(super) fn name_of(&self, id: &FleetId) -> String {
        self.names.get(id).cloned().unwrap_or_else(|| id.to_string())
    }

    /// What the alert rests on.
    pub(super) fn facts(&self) -> Option<&Facts> {
        self.alert.as_ref()?.facts.as_ref()
    }

    pub(super) fn title(&self) -> String {
        match (&self.alert, &self.scope) {
            (Some(alert), _) => alert.title.clone(),
            (None, Some(scope)) => words::incident::span(&self.scope_name(scope)),
            (None, None) => String::new(),
        }
    }

    fn scope_name(&self, scope: &IncidentScope) -> String {
        match scope {
            IncidentScope::All => "all fleets".to_owned(),
            IncidentScope::Region { region } => region.to_string(),
            IncidentScope::Fleet { fleet_id } => self.name_of(fleet_id),
            IncidentScope::Queue { name, .. } => format!("queue {name}"),
            IncidentScope::Alias { alias_id } => {
                let row = self.ground.aliases.iter().find(|row| row.alias.alias_id == *alias_id);
                format!("alias {}", row.map_or(alias_id.as_str(), |row| row.alias.name.as_str()))
            }
        }
    }

    pub(super) fn since(&self) -> Timestamp {
        self.span.from
    }

    pub(super) fn until(&self) -> Option<Timestamp> {
        match &self.alert {
            Some(alert) => alert.ended_at,
            None => Some(self.span.to),
        }
    }

    /// The last moment told of: the end, or now.
    pub(super) fn last(&self) -> Timestamp {
        self.until().unwrap_or(self.now)
    }

    pub(super) fn named_fleets(&self) -> Vec<FleetNamed> {
        let named = |id: &FleetId| FleetNamed { fleet_id: id.clone(), name: self.name_of(id) };
        let former = self.rest.iter().filter(|_| self.is_former);
        self.bad.iter().chain(former).map(named).collect()
    }

    pub(super) fn regions(&self) -> Vec<Region> {
        let of_fleets = self
            .ground
            .fleets
            .iter()
            .filter(|fleet| self.bad.contains(&fleet.fleet.fleet_id))
            .map(|fleet| fleet.fleet.region.clone());
        let own = self.alert.iter().filter_map(|alert| alert.region.clone());
        let all: BTreeSet<Region> = of_fleets.chain(own).collect();
        all.into_iter().collect()
    }

    /// The states of the alert, one after the other.
    pub(super) fn course(&self) -> Vec<Phase> {
        let mut course: Vec<Phase> = Vec::new();
        let mut state = None;
        for step in &self.steps {
            let next = match step.kind {
                AlertStepKind::Pending => Some(AlertState::Pending),
                AlertStepKind::Firing => Some(AlertState::Firing),
                AlertStepKind::Recovering => Some(AlertState::Recovering),
                AlertStepKind::Resolved => Some(AlertState::Resolved),
                AlertStepKind::Unknown => None,
                AlertStepKind::Known => state,
                AlertStepKind::Acknowledged | AlertStepKind::Note => continue,
            };
            state = next.or(state);
            if let Some(last) = course.last_mut() {
                last.to = Some(step.at.max(last.from));
            }
            course.push(Phase { state: next, from: step.at, to: None });
        }
        course
    }

    /// The sessions that failed, as the store selects them; `None` if it is not game sessions that failed.
    pub(super) fn ended_scope(&self) -> Option<EndedScope> {
        let Failing::Sessions(endings) = &self.failing else { return None };
        let early = if self.alert.is_some() { EARLY_MS } else { 0 };
        let range = TimeRange::new(self.span.from.plus_ms(-early), self.span.to);
        let fleets = (!matches!(self.scope, Some(IncidentScope::All))).then(|| self.bad.clone());
        Some(EndedScope { fleets, endings: endings.clone(), range })
    }

    /// The tickets that failed, if those are what fails.
    pub(super) fn unmatched_scope(&self) -> Option<UnmatchedScope> {
        let Failing::Tickets(region, configuration) = &self.failing else { return None };
        let (region, configuration) = (region.clone(), configuration.clone());
        Some(UnmatchedScope { region, configuration, range: self.span })
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
                Some(IncidentCompared::Placements { scope: placements(queues), range })
            }
            _ => None,
        }
    }

    /// Changes in the range shown that concern it, newest first.
    pub(super) async fn changes(&self) -> Result<Vec<Change>, StoreError> {
        // What was seen just now belongs to it.
        let shown = TimeRange::new(self.shown.from, self.shown.to.plus_ms(1));
        let mut all = changes(self.ground.reader, None, shown, CHANGES).await?;
        all.retain(|change| self.concerns(change));
        Ok(all)
    }

    fn concerns(&self, change: &Change) -> bool {
        if matches!(self.scope, Some(IncidentScope::All)) {
            return true;
        }
        if let Some(IncidentScope::Region { region }) = &self.scope {
            return change.region == *region;
        }
        let of_fleets = |id: &FleetId| self.bad.contains(id) || (self.is_former && self.rest.contains(id));
        let of_queue = change.kind == ChangeKind::Queue
            && self
                .queues
                .iter()
                .any(|(region, name)| *region == change.region && name.as_str() == change.resource);
        change.fleets.iter().any(of_fleets) || self.aliases.contains(&change.resource) || of_queue
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
            PlacementScope { queue: Some(name.to_string()), region: Some(region.clone()), destination: None }
        }
        _ => PlacementScope::default(),
    }
}
