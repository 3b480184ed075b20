//! What an incident covers: its span, its fleets and those they are compared with, and the aliases and queues that lead
//! to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use liftdeck_model::alert::{AlertState, AlertStep, AlertStepKind};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::game_session::GameSessionEnding;
use liftdeck_model::time::{MINUTE_MS, TimeRange};
use liftdeck_model::{FleetId, QueueName, Region, Timestamp};
use liftdeck_store::reader::queue::AliasRow;
use liftdeck_store::reader::span_note::SpanNote;
use liftdeck_store::{Reader, StoreError};

use super::failing::Failing;
use super::{IncidentOf, IncidentScope, Phase};
use crate::alert::{Alert, alert_story};
use crate::change::{Change, ChangeKind, FleetNamed, What, changes};
use crate::offer::Ground;
use crate::verdict::{Facts, LikelyCause, Rule};
use crate::words;

/// How far before a trouble the lanes begin, at least and at most.
const LEAD_MS: (i64, i64) = (12 * MINUTE_MS, 180 * MINUTE_MS);
/// How long after the end of a trouble the lanes go on, at least and at most.
const TAIL_MS: (i64, i64) = (2 * MINUTE_MS, 30 * MINUTE_MS);
/// Most changes looked through.
const CHANGES: u32 = 1_000;

/// What an incident covers.
pub(super) struct Sphere<'a> {
    pub(super) ground: Arc<Ground<'a>>,
    pub(super) alert: Option<Alert>,
    /// The alerts that were open in a span and concern it, oldest first; none for an alert's own incident.
    pub(super) alerts: Vec<Alert>,
    pub(super) steps: Vec<AlertStep>,
    /// Notes about the span.
    pub(super) notes: Vec<SpanNote>,
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
            alerts: Vec::new(),
            steps: Vec::new(),
            notes: Vec::new(),
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
        sphere.alerts = sphere.open_in_span().await?;
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

    pub(super) fn leading_to(&self, id: &FleetId) -> Vec<(Region, QueueName)> {
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
            IncidentScope::Matchmaking { name, region } => {
                self.failing = Failing::Tickets(region.clone(), name.clone());
                Vec::new()
            }
            IncidentScope::Build { id } => self.running(id),
        };
        self.scope = Some(scope.clone());
        self.notes = self.ground.reader.span_notes(&scope.key(), range).await?;
        Ok(())
    }

    /// The fleets that run a build or a script.
    fn running(&self, content: &str) -> Vec<FleetId> {
        let all = self.ground.fleets.iter().map(|it| &it.fleet);
        let own = all.filter(|fleet| {
            fleet.build_id.as_ref().is_some_and(|id| id.as_str() == content)
                || fleet.script_id.as_ref().is_some_and(|id| id.as_str() == content)
        });
        own.map(|fleet| fleet.fleet_id.clone()).collect()
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

    /// The alert, or those that were open in the span.
    pub(super) fn own_alerts(&self) -> impl Iterator<Item = &Alert> {
        self.alert.iter().chain(&self.alerts)
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
            IncidentScope::Matchmaking { name, .. } => format!("matchmaking {name}"),
            IncidentScope::Build { id } => {
                let named =
                    self.bad.iter().find_map(|fleet| crate::offer::content(self.ground.fleet(fleet)?));
                named.unwrap_or_else(|| id.clone())
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
        let of_scope = match &self.scope {
            Some(
                IncidentScope::Region { region }
                | IncidentScope::Queue { region, .. }
                | IncidentScope::Matchmaking { region, .. },
            ) => Some(region.clone()),
            _ => None,
        };
        let all: BTreeSet<Region> = of_fleets.chain(own).chain(of_scope).collect();
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
        let own = match (&self.scope, &self.failing) {
            // Also where no event tells of its tickets.
            (Some(IncidentScope::Matchmaking { name, region }), _) | (_, Failing::Tickets(region, name)) => {
                Some((region, name))
            }
            _ => None,
        };
        let of_matchmaking = change.kind == ChangeKind::MatchmakingConfiguration
            && own == Some((&change.region, &change.resource));
        let of_content = matches!(&self.scope, Some(IncidentScope::Build { id })
            if matches!(change.kind, ChangeKind::Build | ChangeKind::Script) && *id == change.resource);
        change.fleets.iter().any(of_fleets)
            || self.aliases.contains(&change.resource)
            || of_queue
            || of_matchmaking
            || of_content
    }
}
