//! The scripts of the scenarios: what each does to demand, capacity and routing, and when.
//!
//! The older scenarios are written out here. The others are incidents of `script::incident`, which begin and end, with
//! the changes by hand in `script::change`. `script::days` plans the incidents of ten days.

mod change;
mod days;
mod incident;

pub(crate) use incident::Planned;

use serde_json::{Value, json};

use super::deed::{ALICE, BOB, PIPELINE, Person, STACK};
use super::draw::Draw;
use super::engine::Transition;
use super::load::{Surge, Target};
use super::records::{IncidentKind, IncidentSign, RoutingStrategy};
use super::trouble::{Case, Effect, On};
use super::{NEVER_MS, World};
use crate::Scenario;

const MINUTE_MS: i64 = super::sample::MINUTE_MS;

/// A scripted change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    /// Someone points an alias of a region to a fleet: region, alias, fleet.
    Repoint(Person, usize, usize, usize),
    /// The pipeline uploads a new version of a script of a region: region, script.
    UpdateScript(usize, usize),
    /// Bob lets no location of a fleet grow beyond its current capacity.
    Cap(usize),
    /// Spot gives notice to a share of a fleet's instances: fleet, wave.
    Storm(usize, u8),
    /// From now on the server processes of a fleet crash.
    Spoil(usize),
    /// A planned incident begins.
    Begin(usize),
    /// An incident that began is put right, or ceases.
    End(usize),
}

/// The fleets to which the live aliases usually lead.
const MAIN_FLEETS: [&str; 3] = ["arena-prod-eu", "arena-prod-us", "arena-prod-ap"];

/// Share of a Spot fleet's instances that one wave interrupts.
const STORM: f64 = 0.45;

/// Times of the waves of a Spot storm, in seconds after the start. The first wave comes before the start, so that its
/// sessions end within two minutes.
const WAVES_S: [i64; 7] = [-45, 10, 65, 150, 270, 420, 600];

const SALT: u64 = 0x0060_0000;

impl World {
    /// Adds the scenario's changes to the agenda and the streams.
    pub(super) fn script(&mut self) {
        let scenario = self.scenario;
        for part in scenario.parts() {
            match part {
                // `Huge` is like a quiet day, only with more of everything.
                Scenario::Quiet | Scenario::Huge | Scenario::Mixture(_) => {}
                Scenario::LaunchDay => self.script_launch_day(),
                Scenario::CappedFleet => self.script_capped_fleet(),
                Scenario::BadBuild => self.script_bad_build(),
                Scenario::SpotStorm => self.script_spot_storm(),
                // These two happen between the world and its clients. Only their truth is here.
                Scenario::FeedBroken => {
                    (0..self.regions.len()).for_each(|region| {
                        self.script_truth(IncidentKind::FeedBroken, IncidentSign::EventsMissing, region);
                    });
                }
                Scenario::Throttled => {
                    self.script_truth(IncidentKind::Throttled, IncidentSign::CallsThrottled, 0);
                }
                Scenario::WrongAlias => self.plan_before(12, IncidentKind::WrongAlias, 0),
                Scenario::LoweredMax => self.plan_before(35, IncidentKind::LoweredMax, 1),
                Scenario::Limit => self.plan_before(35, IncidentKind::Limit, 0),
                Scenario::BadRules => self.plan_before(9, IncidentKind::BadRules, 0),
                Scenario::SlowRegion => self.plan_before(10, IncidentKind::SlowRegion, 1),
                Scenario::Leak => self.plan_before(180, IncidentKind::Leak, 2),
                Scenario::Incidents => self.plan_ten_days(),
            }
        }
    }

    /// Adds the truth about an incident that the world itself does not play, visible from the start.
    fn script_truth(&mut self, kind: IncidentKind, sign: IncidentSign, region: usize) {
        let mut case = Case::new(kind, region, self.start_ms);
        case.effects.insert(Effect(sign, On::Region), self.start_ms);
        self.trouble.cases.push(case);
    }

    /// Plans an incident that begins some minutes before the start and does not end.
    fn plan_before(&mut self, minutes: i64, kind: IncidentKind, region: usize) {
        self.plan_incident(self.start_ms - minutes * MINUTE_MS, None, kind, region);
    }

    /// Schedules a surge of players that has begun at the start and reaches its peak two minutes later.
    fn script_launch_day(&mut self) {
        let start_ms = self.start_ms;
        let (from_ms, full_ms) = (start_ms - 7 * MINUTE_MS, start_ms + 2 * MINUTE_MS);
        self.surge(Surge { from_ms, full_ms, until_ms: NEVER_MS, factor: 5.0 }, |_, _| true);
        for region in 0..self.regions.len() {
            let queues = self.arena_queues(region);
            let fleets = self.busy_fleets(region);
            let case = Case::new(IncidentKind::LaunchDay, region, from_ms);
            self.trouble.cases.push(Case { fleets, queues, ..case });
        }
        if let Some((region, alias, fleet)) = self.launch_repoint() {
            let repoint = Directive::Repoint(STACK, region, alias, fleet);
            self.agenda.note(start_ms - 14 * MINUTE_MS, Transition::Directive(repoint));
        }
        let update = Directive::UpdateScript(0, 0);
        self.agenda.note(start_ms - 25 * MINUTE_MS, Transition::Directive(update));
    }

    /// Stops the instance fleets of the first region from growing while demand does.
    fn script_capped_fleet(&mut self) {
        let start_ms = self.start_ms;
        let (from_ms, full_ms) = (start_ms - 40 * MINUTE_MS, start_ms - 15 * MINUTE_MS);
        self.surge(Surge { from_ms, full_ms, until_ms: NEVER_MS, factor: 2.4 }, |region, _| region == 0);
        let (fleets, queues) = (self.busy_fleets(0), self.arena_queues(0));
        let case = Case::new(IncidentKind::CappedFleet, 0, from_ms);
        self.trouble.cases.push(Case { by: Some(BOB), fleets, queues, ..case });
        let elastic = |fleet: &super::Fleet| fleet.region == 0 && !fleet.is_container();
        for (index, _) in self.fleets.iter().enumerate().filter(|(_, fleet)| elastic(fleet)) {
            self.agenda.note(start_ms - 40 * MINUTE_MS, Transition::Directive(Directive::Cap(index)));
        }
    }

    /// Points the live alias to a fleet whose build crashes, some minutes before the start.
    fn script_bad_build(&mut self) {
        let since_ms = self.start_ms - 8 * MINUTE_MS;
        if let Some((region, alias, fleet)) = self.launch_repoint() {
            self.agenda.note(since_ms, Transition::Directive(Directive::Spoil(fleet)));
            let repoint = Directive::Repoint(ALICE, region, alias, fleet);
            self.agenda.note(since_ms, Transition::Directive(repoint));
            let alias_id = self.regions[region].aliases.get(alias).map(|alias| alias.alias_id.clone());
            let (by, fleets, queues) = (Some(ALICE), vec![fleet], self.arena_queues(region));
            let case = Case::new(IncidentKind::BadBuild, region, since_ms);
            self.trouble.cases.push(Case { by, fleets, queues, alias_id, ..case });
        }
    }

    /// Schedules wave after wave of notices for the Spot fleets of the first two regions.
    fn script_spot_storm(&mut self) {
        let start_ms = self.start_ms;
        let spot = |fleet: &super::Fleet| fleet.region < 2 && fleet.is_spot();
        for region in 0..2 {
            let case = Case::new(IncidentKind::SpotStorm, region, start_ms + WAVES_S[0] * 1_000);
            self.trouble.cases.push(Case { fleets: self.spot_fleets(region), ..case });
        }
        for (index, _) in self.fleets.iter().enumerate().filter(|(_, fleet)| spot(fleet)) {
            for (wave, after_s) in (0..).zip(WAVES_S) {
                let storm = Directive::Storm(index, wave);
                self.agenda.note(start_ms + after_s * 1_000, Transition::Directive(storm));
            }
        }
    }

    /// Gives notice to instances of a fleet, each with the same probability.
    fn storm(&mut self, fleet: usize, wave: u8) {
        let now_ms = self.now_ms;
        let mut struck = false;
        let mut draw = Draw::new(self.seed, SALT, ((fleet as u64) << 8) | u64::from(wave));
        for site in 0..self.fleets[fleet].sites.len() {
            let machines = self.fleets[fleet].sites[site].machines.iter_mut();
            let taken = machines
                .filter(|machine| now_ms < machine.leaving_ms.min(machine.draining_ms))
                .filter(|_| draw.chance(STORM));
            let mut noticed = Vec::new();
            for machine in taken {
                machine.draining_ms = now_ms;
                noticed.push(machine.number);
            }
            struck |= !noticed.is_empty();
            for machine in noticed {
                self.interrupt(fleet, site, machine);
            }
        }
        if struck {
            self.see_storm(fleet);
        }
    }

    /// Multiplies the arrivals at queues and matchmakers from the regions and places that fit: by `factor` at the
    /// evening peak, and by more in quieter hours, when there is more room to fill.
    fn surge(&mut self, surge: Surge, fits: impl Fn(usize, &str) -> bool) {
        for stream in &mut self.streams {
            let region = match stream.target {
                Target::Queue(queue) => self.queues[queue].region,
                Target::Matchmaker(matchmaker) => self.matchmakers[matchmaker].region,
                Target::Fleet(..) => continue,
            };
            if fits(region, stream.place.name) {
                let factor = surge.factor / (0.3 + 0.7 * stream.busyness(surge.full_ms).min(1.0));
                stream.surge = Some(Surge { factor, ..surge });
            }
        }
    }

    /// Finds the live alias of the first region, and the newer fleet to which it is repointed.
    fn launch_repoint(&self) -> Option<(usize, usize, usize)> {
        let alias = self.regions.first()?.aliases.iter().position(|alias| alias.name == "arena-live-eu")?;
        let fleet = self.fleets.iter().position(|fleet| fleet.name == "arena-prod-eu-green")?;
        Some((0, alias, fleet))
    }

    /// The main fleet of a region and its Spot fleet.
    fn busy_fleets(&self, region: usize) -> Vec<usize> {
        self.main_fleet(region).into_iter().chain(self.spot_fleets(region)).collect()
    }

    fn spot_fleets(&self, region: usize) -> Vec<usize> {
        let here = |fleet: &super::Fleet| fleet.region == region && fleet.is_spot();
        self.fleets.iter().enumerate().filter(|(_, fleet)| here(fleet)).map(|(index, _)| index).collect()
    }

    fn main_fleet(&self, region: usize) -> Option<usize> {
        let main =
            |fleet: &super::Fleet| fleet.region == region && MAIN_FLEETS.contains(&fleet.name.as_str());
        self.fleets.iter().position(main)
    }

    /// The queues of the arena in a region.
    fn arena_queues(&self, region: usize) -> Vec<usize> {
        let arena = |queue: &super::Queue| queue.region == region && queue.record.name.starts_with("arena-");
        self.queues.iter().enumerate().filter(|(_, queue)| arena(queue)).map(|(index, _)| index).collect()
    }

    pub(super) fn follow(&mut self, directive: Directive) {
        match directive {
            Directive::Repoint(person, region, alias, fleet) => {
                self.follow_repoint(person, region, alias, fleet);
            }
            Directive::UpdateScript(region, script) => self.follow_update(region, script),
            Directive::Storm(fleet, wave) => self.storm(fleet, wave),
            Directive::Spoil(fleet) => {
                self.trouble.spoiled.insert(fleet);
            }
            Directive::Begin(number) => self.begin(number),
            Directive::End(number) => self.end(number),
            Directive::Cap(fleet) => self.follow_cap(fleet),
        }
    }

    fn follow_repoint(&mut self, person: Person, region: usize, alias: usize, fleet: usize) {
        let fleet_id = self.fleets[fleet].id.clone();
        let mut draw = Draw::new(self.seed, SALT + 1, fleet as u64);
        let Some(id) = self.regions[region].aliases.get(alias).map(|alias| alias.alias_id.clone()) else {
            return;
        };
        self.repoint(region, &id, RoutingStrategy::Simple { fleet_id: fleet_id.clone() }, &mut draw);
        let routing = json!({ "type": "SIMPLE", "fleetId": fleet_id });
        let now = &self.regions[region].aliases[alias];
        let mut shown = json!({
            "aliasId": now.alias_id,
            "name": now.name,
            "aliasArn": now.alias_arn,
            "routingStrategy": routing,
            "creationTime": seconds(now.creation_time_ms),
            "lastUpdatedTime": seconds(now.last_updated_time_ms),
        });
        if let Some(description) = &now.description {
            shown["description"] = json!(description);
        }
        let parameters = json!({ "aliasId": id, "routingStrategy": routing });
        self.record_deed(region, person, "UpdateAlias", parameters, json!({ "alias": shown }));
    }

    fn follow_update(&mut self, region: usize, script: usize) {
        let Some(script) = self.regions[region].scripts.get_mut(script) else { return };
        script.version = Some("1.9.0".to_owned());
        script.size_on_disk_bytes += 4_812;
        let parameters = json!({ "scriptId": script.script_id, "version": "1.9.0" });
        let mut shown = json!({
            "scriptId": script.script_id,
            "scriptArn": script.script_arn,
            "version": script.version,
            "sizeOnDisk": script.size_on_disk_bytes,
            "creationTime": seconds(script.creation_time_ms),
            "nodeJsVersion": script.node_js_version,
        });
        if let Some(name) = &script.name {
            shown["name"] = json!(name);
        }
        if let Some(place) = &script.storage_location {
            shown["storageLocation"] = json!({ "bucket": place.bucket, "key": place.key });
        }
        self.record_deed(region, PIPELINE, "UpdateScript", parameters, json!({ "script": shown }));
    }

    fn follow_cap(&mut self, fleet: usize) {
        for site in 0..self.fleets[fleet].sites.len() {
            let place = &self.fleets[fleet].sites[site];
            let (minimum, maximum) = (place.minimum, place.requested.max(place.minimum));
            let location = place.name.clone();
            self.set_limits(fleet, site, minimum, maximum);
            let owner = &self.fleets[fleet];
            let (region, fleet_id) = (owner.region, owner.id.clone());
            let fleet_arn = format!("arn:aws:gamelift:{}::fleet/{fleet_id}", self.regions[region].name);
            let parameters = json!({
                "fleetId": fleet_id, "minSize": minimum, "maxSize": maximum, "location": location,
            });
            let answer = json!({ "fleetId": fleet_id, "fleetArn": fleet_arn, "location": location });
            self.record_deed(region, BOB, "UpdateFleetCapacity", parameters, answer);
        }
    }
}

/// A time as the API writes it: seconds since the epoch.
fn seconds(at_ms: i64) -> Value {
    json!(at_ms as f64 / 1_000.0)
}
