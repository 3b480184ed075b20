//! Incidents that begin and end: what each kind does to the world, and how it is put right.

use super::super::deed::{ALICE, BOB, Person};
use super::super::draw::Draw;
use super::super::engine::Transition;
use super::super::load::Surge;
use super::super::records::{IncidentKind, PlayerLatencyPolicy};
use super::super::requests::QueueSettings;
use super::super::trouble::{Case, InstanceLimit};
use super::super::{NEVER_MS, World};
use super::{Directive, MINUTE_MS, SALT};

/// Where the live aliases are pointed by mistake, by region.
const WRONG_FLEETS: [&str; 3] = ["arena-canary-eu", "arena-canary-us", "arena-prod-ap-blue"];

/// The location in which the scenario `lowered-max` lowers the maximum. Its ranked players have no other one.
const REMOTE: &str = "sa-east-1";

/// The location in which the scenario `limit` reaches the account's limit.
const BUSY: &str = "eu-central-1";

/// Time between two waves of a Spot storm.
const WAVE_MS: i64 = 65_000;

/// Name and body of a rule set that is meant to be fairer, and whose latency rule has lost a digit.
const BAD_RULES: (&str, &str) = (
    "arena-5v5-fair",
    r#"{
  "name": "arena-5v5-fair",
  "ruleLanguageVersion": "1.0",
  "playerAttributes": [
    {"name": "skill", "type": "number", "default": 1000},
    {"name": "platform", "type": "string"},
    {"name": "modes", "type": "string_list", "default": ["ranked"]}
  ],
  "teams": [
    {"name": "red", "minPlayers": 5, "maxPlayers": 5},
    {"name": "blue", "minPlayers": 5, "maxPlayers": 5}
  ],
  "rules": [
    {"name": "FairSkill", "type": "distance", "measurements": ["avg(teams[red].players.attributes[skill])"], "referenceValue": "avg(teams[blue].players.attributes[skill])", "maxDistance": 80},
    {"name": "FastConnection", "type": "latency", "maxLatency": 11}
  ],
  "expansions": [
    {"target": "rules[FairSkill].maxDistance", "steps": [{"waitTimeSeconds": 10, "value": 200}, {"waitTimeSeconds": 25, "value": 400}]}
  ]
}"#,
);

/// A planned incident, and how to put it right once it has begun.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    kind: IncidentKind,
    region: usize,
    until_ms: Option<i64>,
    /// Index of its record, once it has begun.
    case: Option<usize>,
    undo: Vec<Undo>,
}

/// A step of putting an incident right.
#[derive(Clone, Debug)]
enum Undo {
    /// The live alias of the region leads to a fleet again: alias, fleet.
    Repoint(usize, usize),
    /// A location has its maximum again: fleet, site, maximum.
    Maximum(usize, usize, u32),
    /// The account's limit is as usual again.
    Limit(InstanceLimit),
    /// A configuration has its rule set again.
    Rules(usize, String),
    /// A location is as fast as usual again: region, location.
    Slow(usize, String),
    /// The server processes of a fleet end their sessions again.
    Leak(usize),
    /// A fleet scales automatically again.
    Scaling(usize),
    /// A queue has its settings again.
    Queue(usize, QueueSettings),
    /// The server processes of a fleet no longer crash.
    Spoil(usize),
}

impl World {
    /// Plans an incident. Without an end, it lasts.
    pub(super) fn plan_incident(
        &mut self,
        from_ms: i64,
        until_ms: Option<i64>,
        kind: IncidentKind,
        region: usize,
    ) {
        let number = self.trouble.plans.len();
        self.trouble.plans.push(Planned { kind, region, until_ms, case: None, undo: Vec::new() });
        self.agenda.note(from_ms, Transition::Directive(Directive::Begin(number)));
        if let Some(until_ms) = until_ms {
            self.agenda.note(until_ms, Transition::Directive(Directive::End(number)));
        }
    }

    /// Begins a planned incident, unless what it needs does not exist.
    pub(super) fn begin(&mut self, number: usize) {
        let Some(plan) = self.trouble.plans.get(number).cloned() else { return };
        let mut draw = Draw::new(self.seed, SALT + 2, number as u64);
        let mut case = Case::new(plan.kind, plan.region, self.now_ms);
        let Some(undo) = self.start_incident(&plan, &mut case, &mut draw) else { return };
        if let Some(known) = self.trouble.plans.get_mut(number) {
            (known.case, known.undo) = (Some(self.trouble.cases.len()), undo);
        }
        let fleets = case.fleets.clone();
        self.trouble.cases.push(case);
        for fleet in fleets {
            for site in 0..self.fleets[fleet].sites.len() {
                self.look_for_lack(fleet, site);
            }
        }
    }

    /// Does to the world what an incident of this kind does, and fills in its record. Returns how to put it right.
    fn start_incident(&mut self, plan: &Planned, case: &mut Case, draw: &mut Draw) -> Option<Vec<Undo>> {
        let region = plan.region;
        let person = if draw.chance(0.5) { ALICE } else { BOB };
        match plan.kind {
            IncidentKind::LaunchDay => {
                (case.fleets, case.queues) = (self.busy_fleets(region), self.arena_queues(region));
                self.raise_demand(plan, 4.0, |_| true);
                Some(Vec::new())
            }
            IncidentKind::CappedFleet => self.cap_region(plan, case, person),
            IncidentKind::BadBuild => self.release_bad_build(case),
            IncidentKind::SpotStorm => self.start_storm(plan, case),
            IncidentKind::WrongAlias => self.repoint_wrongly(case),
            IncidentKind::LoweredMax => self.lower_maximum(plan, case, person, draw),
            IncidentKind::Limit => self.reach_limit(plan, case, draw),
            IncidentKind::BadRules => self.give_bad_rules(case, person),
            IncidentKind::SlowRegion => Some(self.slow_location(case)),
            IncidentKind::Leak => {
                let fleet = self.main_fleet(region)?;
                self.trouble.leaking.insert(fleet);
                case.fleets = vec![fleet];
                Some(vec![Undo::Leak(fleet)])
            }
            IncidentKind::StoppedScaling => {
                let fleet = self.main_fleet(region)?;
                (case.by, case.fleets) = (Some(person), vec![fleet]);
                case.queues = self.arena_queues(region);
                self.change_scaling(person, fleet, true);
                self.raise_demand(plan, 2.0, |_| true);
                Some(vec![Undo::Scaling(fleet)])
            }
            IncidentKind::LostDestination => self.remove_destination(case, person, draw),
            IncidentKind::TightLatency => self.tighten_latency(case, person, draw),
            // These happen between the world and its clients.
            IncidentKind::FeedBroken | IncidentKind::Throttled => None,
        }
    }

    /// Lets demand rise in the region of an incident, in the places that fit, until the incident ends.
    fn raise_demand(&mut self, plan: &Planned, factor: f64, fits: impl Fn(&str) -> bool) {
        let (from_ms, until_ms) = (self.now_ms, plan.until_ms.unwrap_or(NEVER_MS));
        let surge = Surge { from_ms, full_ms: from_ms + 8 * MINUTE_MS, until_ms, factor };
        self.surge(surge, |region, place| region == plan.region && fits(place));
    }

    fn cap_region(&mut self, plan: &Planned, case: &mut Case, person: Person) -> Option<Vec<Undo>> {
        (case.by, case.fleets) = (Some(person), self.busy_fleets(plan.region));
        case.queues = self.arena_queues(plan.region);
        let mut undo = Vec::new();
        for fleet in case.fleets.clone() {
            for site in 0..self.fleets[fleet].sites.len() {
                let place = &self.fleets[fleet].sites[site];
                let now = place.requested.max(place.minimum);
                undo.push(Undo::Maximum(fleet, site, place.maximum));
                self.change_maximum(person, fleet, site, now, None);
            }
        }
        self.raise_demand(plan, 2.6, |_| true);
        Some(undo)
    }

    fn release_bad_build(&mut self, case: &mut Case) -> Option<Vec<Undo>> {
        let (alias, before) = self.live_alias(case.region)?;
        let (_, _, fleet) = self.launch_repoint()?;
        self.follow_repoint(ALICE, case.region, alias, fleet);
        self.trouble.spoiled.insert(fleet);
        self.concern_alias(case, alias, vec![fleet]);
        case.by = Some(ALICE);
        Some(vec![Undo::Repoint(alias, before), Undo::Spoil(fleet)])
    }

    fn start_storm(&mut self, plan: &Planned, case: &mut Case) -> Option<Vec<Undo>> {
        case.fleets = self.spot_fleets(plan.region);
        let until_ms = plan.until_ms?;
        for fleet in &case.fleets {
            let mut at_ms = self.now_ms;
            for wave in 0.. {
                if at_ms >= until_ms {
                    break;
                }
                let storm = Directive::Storm(*fleet, wave);
                self.agenda.note(at_ms, Transition::Directive(storm));
                at_ms += WAVE_MS;
            }
        }
        Some(Vec::new())
    }

    fn repoint_wrongly(&mut self, case: &mut Case) -> Option<Vec<Undo>> {
        let (alias, before) = self.live_alias(case.region)?;
        let wrong = WRONG_FLEETS.get(case.region)?;
        let fleet = self.fleets.iter().position(|fleet| fleet.name == *wrong)?;
        self.follow_repoint(ALICE, case.region, alias, fleet);
        self.concern_alias(case, alias, vec![fleet, before]);
        case.by = Some(ALICE);
        Some(vec![Undo::Repoint(alias, before)])
    }

    fn concern_alias(&self, case: &mut Case, alias: usize, fleets: Vec<usize>) {
        case.alias_id = self.regions[case.region].aliases.get(alias).map(|alias| alias.alias_id.clone());
        (case.fleets, case.queues) = (fleets, self.arena_queues(case.region));
    }

    fn lower_maximum(
        &mut self,
        plan: &Planned,
        case: &mut Case,
        person: Person,
        draw: &mut Draw,
    ) -> Option<Vec<Undo>> {
        let fleet = self.main_fleet(plan.region)?;
        let site = self.place(plan, fleet, REMOTE, draw);
        let place = &self.fleets[fleet].sites[site];
        let (location, before) = (place.name.clone(), place.maximum);
        let lower = (place.requested / 2).max(place.minimum).max(1);
        self.change_maximum(person, fleet, site, lower, Some(lower));
        self.raise_demand(plan, 3.2, |place| place == location);
        (case.by, case.fleets, case.locations) = (Some(person), vec![fleet], vec![location]);
        case.queues = self.arena_queues(plan.region);
        Some(vec![Undo::Maximum(fleet, site, before)])
    }

    fn reach_limit(&mut self, plan: &Planned, case: &mut Case, draw: &mut Draw) -> Option<Vec<Undo>> {
        let fleet = self.main_fleet(plan.region)?;
        let site = self.place(plan, fleet, BUSY, draw);
        let instance_type = self.fleets[fleet].instance_type.clone();
        let location = self.fleets[fleet].sites[site].name.clone();
        let most = self.instances_of(plan.region, &instance_type, &location);
        let region = self.regions[plan.region].name.clone();
        let limit = InstanceLimit { region, instance_type, location, most };
        (case.fleets, case.locations) = (vec![fleet], vec![limit.location.clone()]);
        case.instance_type = Some(limit.instance_type.clone());
        case.queues = self.arena_queues(plan.region);
        self.trouble.limits.push(limit.clone());
        self.raise_demand(plan, 2.6, |_| true);
        Some(vec![Undo::Limit(limit)])
    }

    /// Chooses a location of a fleet: the named one if the incident does not end, or else any.
    fn place(&self, plan: &Planned, fleet: usize, named: &str, draw: &mut Draw) -> usize {
        let sites = &self.fleets[fleet].sites;
        let any = draw.index(sites.len());
        let named = sites.iter().position(|site| site.name == named);
        named.filter(|_| plan.until_ms.is_none()).unwrap_or(any)
    }

    fn give_bad_rules(&mut self, case: &mut Case, person: Person) -> Option<Vec<Undo>> {
        let maker = self.matchmakers.iter().position(|maker| maker.region == case.region)?;
        let before = self.matchmakers[maker].record.rule_set_name.clone();
        self.make_rules(person, case.region, BAD_RULES.0, BAD_RULES.1);
        self.change_rules(person, maker, BAD_RULES.0);
        (case.by, case.matchmaker, case.rule_set) = (Some(person), Some(maker), Some(BAD_RULES.0.to_owned()));
        Some(vec![Undo::Rules(maker, before)])
    }

    fn slow_location(&mut self, case: &mut Case) -> Vec<Undo> {
        let location = self.regions[case.region].name.clone();
        let here = |fleet: &super::super::Fleet| {
            fleet.region == case.region && !fleet.is_anywhere() && fleet.site(&location).is_some()
        };
        let fleets = self.fleets.iter().enumerate().filter(|(_, fleet)| here(fleet));
        case.fleets = fleets.map(|(index, _)| index).collect();
        case.locations = vec![location.clone()];
        self.trouble.slow.insert((case.region, location.clone()));
        vec![Undo::Slow(case.region, location)]
    }

    fn remove_destination(&mut self, case: &mut Case, person: Person, draw: &mut Draw) -> Option<Vec<Undo>> {
        // A queue with other destinations would hardly suffer.
        let only = |queue: &usize| self.queues[*queue].record.destinations.len() == 1;
        let queues: Vec<usize> = self.arena_queues(case.region).into_iter().filter(only).collect();
        let queue = queues.get(draw.index(queues.len())).copied()?;
        let before = self.queues[queue].record.destinations.clone();
        case.fleets = self.queues[queue]
            .destinations
            .first()
            .and_then(|lost| self.fleet_behind(lost))
            .into_iter()
            .collect();
        (case.by, case.queues) = (Some(person), vec![queue]);
        let to =
            |destinations| QueueSettings { destinations: Some(destinations), ..QueueSettings::default() };
        self.change_queue(person, queue, to(Vec::new()));
        Some(vec![Undo::Queue(queue, to(before))])
    }

    fn tighten_latency(&mut self, case: &mut Case, person: Person, draw: &mut Draw) -> Option<Vec<Undo>> {
        let queue = self.any_queue(case.region, draw)?;
        let before = self.queues[queue].record.player_latency_policies.clone();
        (case.by, case.queues) = (Some(person), vec![queue]);
        let to =
            |policies| QueueSettings { player_latency_policies: Some(policies), ..QueueSettings::default() };
        // Below the latency of the players' own connections.
        let tight = PlayerLatencyPolicy {
            maximum_individual_player_latency_milliseconds: 11,
            policy_duration_seconds: None,
        };
        self.change_queue(person, queue, to(vec![tight]));
        Some(vec![Undo::Queue(queue, to(before))])
    }

    fn any_queue(&self, region: usize, draw: &mut Draw) -> Option<usize> {
        let queues = self.arena_queues(region);
        queues.get(draw.index(queues.len())).copied()
    }

    /// Ends an incident that has begun: what was changed is changed back.
    pub(super) fn end(&mut self, number: usize) {
        let Some(plan) = self.trouble.plans.get_mut(number) else { return };
        let (undo, case) = (std::mem::take(&mut plan.undo), plan.case);
        let Some(case) = case.and_then(|case| self.trouble.cases.get_mut(case)) else { return };
        case.ended_ms = Some(self.now_ms);
        // What would have been seen only later will not be seen any more.
        case.effects.retain(|_, at_ms| *at_ms <= self.now_ms);
        // Who made the mistake is not always the one who finds it.
        let (region, person) = (case.region, if case.by == Some(BOB) { ALICE } else { BOB });
        for step in undo {
            self.put_right(region, person, step);
        }
    }

    fn put_right(&mut self, region: usize, person: Person, step: Undo) {
        match step {
            Undo::Repoint(alias, fleet) => self.follow_repoint(person, region, alias, fleet),
            Undo::Maximum(fleet, site, maximum) => self.change_maximum(person, fleet, site, maximum, None),
            Undo::Limit(limit) => self.trouble.limits.retain(|known| *known != limit),
            Undo::Rules(maker, rule_set) => self.change_rules(person, maker, &rule_set),
            Undo::Slow(region, location) => {
                self.trouble.slow.remove(&(region, location));
            }
            Undo::Leak(fleet) => {
                self.trouble.leaking.remove(&fleet);
                self.end_leaked(fleet);
            }
            Undo::Scaling(fleet) => self.change_scaling(person, fleet, false),
            Undo::Queue(queue, settings) => self.change_queue(person, queue, settings),
            Undo::Spoil(fleet) => {
                self.trouble.spoiled.remove(&fleet);
            }
        }
    }
}
