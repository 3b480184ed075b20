//! What is wrong in the world now, and the record of what was: incidents with their first effects, and every change
//! of a desired count with its reason.
//!
//! Owns the record and the questions that other modules ask of it. The scripts decide what goes wrong and when.

mod seeing;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::World;
use super::deed::{Door, Person, Principal};
use super::draw::Draw;
use super::engine::Transition;
use super::fleet::{Content, Hosting};
use super::records::{Incident, IncidentKind, IncidentSign, ScalingReason, ScalingStep};
use super::script::Planned;
use super::session::{Ending, Session};

/// Changes of capacity are recorded from this long before the start on.
const STEPS_BEFORE_MS: i64 = 24 * 3_600_000;

/// Probability that a session on a leaking fleet is never ended.
const LEAKS: f64 = 0.35;

/// Time from the creation to the end of a session that nobody ends: longer than anything is kept.
const LEAKED_MS: i64 = 45 * 24 * 3_600_000;

/// Incidents whose players wait because a fleet is full: that it is at its maximum is a sign on the way there.
const FILLING: [IncidentKind; 2] = [IncidentKind::LaunchDay, IncidentKind::WrongAlias];

/// Current effects of incidents, and the record of incidents and scaling.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trouble {
    /// In the order they were planned.
    pub(crate) cases: Vec<Case>,
    /// Fleets whose server processes crash.
    pub(crate) spoiled: BTreeSet<usize>,
    /// Regions and their locations where everything starts slowly.
    pub(crate) slow: BTreeSet<(usize, String)>,
    /// Fleets whose server processes do not end their sessions.
    pub(crate) leaking: BTreeSet<usize>,
    /// Instance limits that are lower than usual.
    pub(crate) limits: Vec<InstanceLimit>,
    /// Incidents by the number with which the agenda names them.
    pub(crate) plans: Vec<Planned>,
    steps: VecDeque<Step>,
}

/// The limit of the account for a type of instance in a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InstanceLimit {
    pub(crate) region: String,
    pub(crate) instance_type: String,
    pub(crate) location: String,
    pub(crate) most: u32,
}

/// An incident, past, present or planned.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) kind: IncidentKind,
    pub(crate) region: usize,
    pub(crate) began_ms: i64,
    /// Its effects, and when each could be seen first.
    pub(crate) effects: BTreeMap<Effect, i64>,
    /// Since when locations whose scaling it stopped have been short of instances without a pause: fleet, site.
    pub(crate) short_since: BTreeMap<(usize, usize), i64>,
    pub(crate) ended_ms: Option<i64>,
    pub(crate) by: Option<Person>,
    /// The cause comes first.
    pub(crate) fleets: Vec<usize>,
    /// Empty if every location of the fleets is concerned.
    pub(crate) locations: Vec<String>,
    pub(crate) instance_type: Option<String>,
    pub(crate) alias_id: Option<String>,
    pub(crate) queues: Vec<usize>,
    pub(crate) matchmaker: Option<usize>,
    pub(crate) rule_set: Option<String>,
}

/// What shows an incident, and on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Effect(pub(crate) IncidentSign, pub(crate) On);

/// What an incident shows on, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum On {
    Region,
    Fleet(usize),
    Queue(usize),
    Matchmaker(usize),
}

impl Case {
    /// Creates a case that concerns nothing yet.
    pub(crate) fn new(kind: IncidentKind, region: usize, began_ms: i64) -> Case {
        Case {
            kind,
            region,
            began_ms,
            effects: BTreeMap::new(),
            short_since: BTreeMap::new(),
            ended_ms: None,
            by: None,
            fleets: Vec::new(),
            locations: Vec::new(),
            instance_type: None,
            alias_id: None,
            queues: Vec::new(),
            matchmaker: None,
            rule_set: None,
        }
    }

    /// When the first effect could be seen. That a fleet is at its maximum is none where the incident is not about that.
    fn seen_ms(&self) -> Option<i64> {
        let on_the_way =
            |Effect(sign, _): &Effect| *sign == IncidentSign::AtMaximum && FILLING.contains(&self.kind);
        self.effects.iter().filter(|(effect, _)| !on_the_way(effect)).map(|(_, at_ms)| *at_ms).min()
    }

    /// Whether it concerns a location of a fleet.
    fn concerns(&self, fleet: usize, location: &str) -> bool {
        let here = self.locations.is_empty() || self.locations.iter().any(|name| name == location);
        here && self.fleets.contains(&fleet)
    }
}

/// Why a desired count changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The policy with this index decided it.
    Policy(usize),
    /// Somebody set it.
    Person,
    /// The limits of the location no longer allowed the count before.
    Limits,
    /// A session was requested in a location at zero.
    SessionRequest,
    /// A location that scales to zero was not used.
    Inactivity,
}

/// A change of a desired count.
#[derive(Clone, Debug)]
struct Step {
    at_ms: i64,
    fleet: usize,
    site: usize,
    from: u32,
    to: u32,
    wanted: u32,
    reason: Reason,
    policy: Option<String>,
}

impl Trouble {
    /// Whether the server processes of a fleet crash.
    pub(crate) fn spoils(&self, fleet: usize) -> bool {
        self.spoiled.contains(&fleet)
    }

    /// Returns the limit of the account, where it is lower than usual.
    pub(crate) fn limit(&self, region: &str, instance_type: &str, location: &str) -> Option<u32> {
        let here = |limit: &&InstanceLimit| {
            limit.region == region && limit.instance_type == instance_type && limit.location == location
        };
        self.limits.iter().find(here).map(|limit| limit.most)
    }
}

impl World {
    /// Incidents of a region that have begun, in the order they began. The truth, for judging what others find out.
    pub fn incidents(&self, region: &str) -> Vec<Incident> {
        let Some((home, _)) = self.region(region) else { return Vec::new() };
        let cases = self.trouble.cases.iter().enumerate();
        let begun = cases.filter(|(_, case)| case.region == home && case.began_ms <= self.now_ms);
        let mut all: Vec<Incident> = begun.map(|(number, case)| self.incident(number, case)).collect();
        all.sort_by_key(|incident| incident.began_ms);
        all
    }

    fn incident(&self, number: usize, case: &Case) -> Incident {
        let by_now = |at_ms: &i64| *at_ms <= self.now_ms;
        let queue_name = |queue: &usize| self.queues.get(*queue).map(|queue| queue.record.name.clone());
        let (mut signs, mut signs_on) = (BTreeMap::new(), BTreeMap::<_, BTreeMap<_, _>>::new());
        for (Effect(sign, on), at_ms) in case.effects.iter().filter(|(_, at_ms)| by_now(at_ms)) {
            let first_ms = signs.entry(*sign).or_insert(*at_ms);
            *first_ms = (*at_ms).min(*first_ms);
            if let Some(name) = self.name_on(*on) {
                signs_on.entry(name).or_default().insert(*sign, *at_ms);
            }
        }
        let build = case.fleets.first().filter(|_| case.kind == IncidentKind::BadBuild);
        Incident {
            id: format!("incident-{}", number + 1),
            kind: case.kind,
            region: self.regions[case.region].name.clone(),
            began_ms: case.began_ms,
            seen_ms: case.seen_ms().filter(by_now),
            signs,
            signs_on,
            ended_ms: case.ended_ms.filter(by_now),
            by: case.by.map(|person| name_of(person).to_owned()),
            door: case.by.map(|person| door_of(person).to_owned()),
            fleet_ids: case.fleets.iter().map(|fleet| self.fleets[*fleet].id.clone()).collect(),
            locations: case.locations.clone(),
            instance_type: case.instance_type.clone(),
            alias_id: case.alias_id.clone(),
            queues: case.queues.iter().filter_map(queue_name).collect(),
            configuration: case.matchmaker.map(|maker| self.matchmakers[maker].record.name.clone()),
            rule_set: case.rule_set.clone(),
            build_id: build.and_then(|fleet| build_of(&self.fleets[*fleet])),
        }
    }

    /// The id of a fleet, or the name of what has one.
    fn name_on(&self, on: On) -> Option<String> {
        match on {
            On::Region => None,
            On::Fleet(fleet) => Some(self.fleets[fleet].id.clone()),
            On::Queue(queue) => self.queues.get(queue).map(|queue| queue.record.name.clone()),
            On::Matchmaker(maker) => Some(self.matchmakers[maker].record.name.clone()),
        }
    }

    /// Changes of the desired counts of a region's locations since a day before the start, oldest first, for 30 days.
    pub fn scaling_steps(&self, region: &str) -> Vec<ScalingStep> {
        let Some((home, _)) = self.region(region) else { return Vec::new() };
        let here = self.trouble.steps.iter().filter(|step| self.fleets[step.fleet].region == home);
        here.map(|step| ScalingStep {
            time_ms: step.at_ms,
            fleet_id: self.fleets[step.fleet].id.clone(),
            location: self.fleets[step.fleet].sites[step.site].name.clone(),
            from: step.from,
            to: step.to,
            wanted: step.wanted,
            reason: match step.reason {
                Reason::Policy(_) => ScalingReason::Policy,
                Reason::Person => ScalingReason::Person,
                Reason::Limits => ScalingReason::Limits,
                Reason::SessionRequest => ScalingReason::SessionRequest,
                Reason::Inactivity => ScalingReason::Inactivity,
            },
            policy: step.policy.clone(),
        })
        .collect()
    }

    /// Records a change of a desired count.
    pub(super) fn note_scaling(
        &mut self,
        fleet: usize,
        site: usize,
        from: u32,
        to: u32,
        wanted: u32,
        reason: Reason,
    ) {
        let at_ms = self.now_ms;
        if at_ms < self.start_ms - STEPS_BEFORE_MS {
            return;
        }
        let policy = match reason {
            Reason::Policy(place) => self.fleets[fleet].policies.get(place).map(|policy| policy.name.clone()),
            _ => None,
        };
        self.trouble.steps.push_back(Step { at_ms, fleet, site, from, to, wanted, reason, policy });
    }

    /// Forgets changes of desired counts before that time.
    pub(super) fn forget_scaling(&mut self, before_ms: i64) {
        while self.trouble.steps.pop_front_if(|step| step.at_ms < before_ms).is_some() {}
    }

    /// Whether instances and sessions start slowly in a location of a fleet.
    pub(super) fn is_slow(&self, fleet: usize, site: usize) -> bool {
        let owner = &self.fleets[fleet];
        let here = |(region, location): &(usize, String)| {
            *region == owner.region && *location == owner.sites[site].name
        };
        self.trouble.slow.iter().any(here)
    }

    /// Whether the account may have no more instances of a fleet's type in a location.
    pub(super) fn is_at_instance_limit(&mut self, fleet: usize, site: usize) -> bool {
        if self.trouble.limits.is_empty() {
            return false;
        }
        let owner = &self.fleets[fleet];
        let (home, instance_type) = (owner.home.clone(), owner.instance_type.clone());
        let location = owner.sites[site].name.clone();
        let Some(most) = self.trouble.limit(&home, &instance_type, &location) else { return false };
        let reached = self.instances_of(owner.region, &instance_type, &location) >= most;
        if reached {
            self.see_instance_limit(fleet, &location);
        }
        reached
    }

    /// Returns how many instances of a type the fleets of a region have in a location, PENDING or ACTIVE.
    pub(super) fn instances_of(&self, region: usize, instance_type: &str, location: &str) -> u32 {
        let alike = |fleet: &&super::Fleet| fleet.region == region && fleet.instance_type == instance_type;
        let sites = self.fleets.iter().filter(alike).filter_map(|fleet| fleet.site(location));
        sites.map(|(_, site)| site.count(self.now_ms)).map(|count| count.pending + count.active).sum()
    }

    /// Lets a session of a leaking fleet stay when its game is over.
    pub(super) fn leak_session(&mut self, session: &mut Session, draw: &mut Draw) {
        let fleet = usize::from(session.fleet);
        let leaks = self.trouble.leaking.contains(&fleet) && session.ending == Ending::GameOver;
        if leaks && draw.chance(LEAKS) {
            self.see_leak(fleet, session.end_ms);
            session.end_ms = session.created_ms + LEAKED_MS;
        }
    }

    /// Ends the sessions of a fleet that nobody would end, each with its game.
    pub(super) fn end_leaked(&mut self, fleet: usize) {
        let now_ms = self.now_ms;
        let live: Vec<u32> = self.fleets[fleet].live.iter().copied().collect();
        for number in live {
            let Some(session) = self.session_mut(number) else { continue };
            if session.end_ms != session.created_ms + LEAKED_MS {
                continue;
            }
            let last = session.seats.iter().map(|seat| session.left_ms(seat)).max();
            let over_ms = last.unwrap_or(now_ms);
            if over_ms > now_ms {
                session.end_ms = over_ms;
                self.agenda.note(over_ms, Transition::SessionEnd(number));
            } else {
                self.end_early(number, Ending::GameOver);
            }
        }
    }
}

fn build_of(fleet: &super::Fleet) -> Option<String> {
    match &fleet.hosting {
        Hosting::Ec2 { content: Content::Build(id, _), .. } => Some(id.clone()),
        _ => None,
    }
}

fn name_of(person: Person) -> &'static str {
    match person.principal {
        Principal::IamUser { name } => name,
        Principal::AssumedRole { session, .. } => session,
        Principal::IdentityCenterUser { user_id } => user_id,
    }
}

fn door_of(person: Person) -> &'static str {
    match person.door {
        Door::Console => "console",
        Door::CommandLine => "cli",
        Door::Sdk => "sdk",
        Door::Service(service) => service,
    }
}
