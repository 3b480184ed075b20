//! The content of the world in the ordinary scenarios: regions, fleets, builds, routing and demand. `huge` has its
//! own.
//!
//! Owns these resources and their initial state. The busy fleets are a few days old, as in a game that ships often,
//! so that their ended sessions stay few enough to list in one go. The small fleets are months old and fill the whole
//! retention period.

mod content;
mod fleets;
mod huge;
mod plans;
mod routing;

use std::collections::{BTreeMap, VecDeque};

use super::engine::{Agenda, RETENTION_MS, Transition};
use super::geography::{aws_locations, place};
use super::names::Names;
use super::numbered::Numbered;
use super::population::Population;
use super::records::{Ec2InstanceLimit, LocationModel, UdpEndpoint};
use super::requests::Ledger;
use super::trouble::Trouble;
use super::{NumberSource, Region, World, WorldOptions};
use crate::Scenario;

pub(super) use content::{FAULTY_DEFINITION, definition_arn};

/// Home regions, by region index.
const REGIONS: [&str; 3] = ["eu-west-1", "us-east-1", "ap-northeast-1"];

/// Players in each region's pool.
const POOL_SIZE: usize = 30_000;

/// Time before the retention period in which the period's oldest sessions begin.
const WARM_UP_MS: i64 = 4 * 3_600_000;

/// Factor by which the instance limits of a huge account exceed the usual ones.
const HUGE_LIMITS: u32 = 50;

/// The custom location of the lab.
pub(super) const LAB: &str = "custom-lab-tokyo";

/// Builds the world at the beginning of its simulated past, with the first transitions in the agenda.
pub(super) fn build(options: &WorldOptions) -> World {
    let is_huge = options.scenario == Scenario::Huge;
    let (names_of_regions, pool_size, past_ms) = if is_huge {
        (&huge::REGIONS[..], huge::POOL_SIZE, huge::PAST_MS)
    } else {
        (&REGIONS[..], POOL_SIZE, RETENTION_MS + WARM_UP_MS)
    };
    let from_ms = options.start_ms - past_ms;
    let names = Names::new(options.seed);
    let mut world = World {
        account: options.account.clone(),
        scenario: options.scenario,
        seed: options.seed,
        names,
        start_ms: options.start_ms,
        now_ms: from_ms,
        regions: names_of_regions.iter().map(|name| region(name, &options.account)).collect(),
        fleets: Vec::new(),
        queues: Vec::new(),
        matchmakers: Vec::new(),
        streams: Vec::new(),
        population: Population::new(names_of_regions.len(), pool_size),
        sessions: Vec::new(),
        ended: VecDeque::new(),
        placements: Vec::new(),
        placed_matches: BTreeMap::new(),
        settled: VecDeque::new(),
        matches: Numbered::default(),
        tickets: Numbered::default(),
        counts: NumberSource::default(),
        ledger: Ledger::default(),
        agenda: Agenda::new(from_ms),
        trouble: Trouble::default(),
    };
    content::add(&mut world);
    if is_huge {
        huge::add(&mut world);
    } else {
        fleets::add(&mut world);
        routing::add(&mut world);
    }
    for fleet in 0..world.fleets.len() {
        let at_ms = world.fleets[fleet].active_ms.max(from_ms);
        world.agenda.note(at_ms, Transition::FleetActive(fleet));
    }
    world.script();
    for stream in 0..world.streams.len() {
        let begins_ms = world.stream_begins_ms(stream).max(from_ms);
        let first_ms = world.streams[stream].next_ms(begins_ms);
        world.agenda.note(first_ms, Transition::Arrival(stream));
    }
    world
}

fn region(name: &str, account: &str) -> Region {
    let mut locations: Vec<LocationModel> = aws_locations()
        .map(|location| LocationModel {
            location_name: location.to_owned(),
            location_arn: None,
            ping_beacon: Some(UdpEndpoint {
                domain: format!("gamelift-ping.{location}.api.aws"),
                port: 7770,
            }),
        })
        .collect();
    if place(LAB).is_some() && name == "ap-northeast-1" {
        locations.push(LocationModel {
            location_name: LAB.to_owned(),
            location_arn: Some(format!("arn:aws:gamelift:{name}:{account}:location/{LAB}")),
            ping_beacon: None,
        });
    }
    let located = locations.iter().filter_map(|location| location.location_arn.clone());
    let tags = located.map(|arn| (arn, tags(&[("team", "test-lab")]))).collect();
    Region {
        name: name.to_owned(),
        aliases: Vec::new(),
        builds: Vec::new(),
        scripts: Vec::new(),
        rule_sets: Vec::new(),
        definitions: Vec::new(),
        deployments: Vec::new(),
        locations,
        tags,
        outbox: VecDeque::new(),
        deeds: VecDeque::new(),
    }
}

/// Returns the instance limits by type for a region's fleets in one location, with the current use there.
pub(super) fn instance_limits(world: &World, region: &str, location: &str) -> Vec<Ec2InstanceLimit> {
    const LIMITS: [(&str, u32); 6] = [
        ("c5.large", 40),
        ("c5.xlarge", 40),
        ("c5.2xlarge", 20),
        ("c6g.xlarge", 20),
        ("c6i.xlarge", 60),
        ("m5.large", 20),
    ];
    if !aws_locations().any(|known| known == location) {
        return Vec::new();
    }
    let used = |instance_type: &str| {
        let fleets = world.fleets(region).filter(|view| view.fleet.instance_type == instance_type);
        let sites = fleets.filter_map(|view| view.fleet.site(location));
        sites.map(|(_, site)| site.count(world.now_ms)).map(|count| count.pending + count.active).sum()
    };
    LIMITS
        .iter()
        .map(|(instance_type, limit)| Ec2InstanceLimit {
            ec2_instance_type: (*instance_type).to_owned(),
            current_instances: used(instance_type),
            instance_limit: world
                .trouble
                .limit(region, instance_type, location)
                .unwrap_or(limit * if world.scenario == Scenario::Huge { HUGE_LIMITS } else { 1 }),
            location: location.to_owned(),
        })
        .collect()
}

/// Builds tags from pairs.
fn tags(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}
