//! The content of the scenario `huge`: ten regions with twenty fleets each, and demand for 50,000 concurrent
//! sessions.
//!
//! Owns the plans, the routing and the arrival rates of that world. Its past is short: sessions are simulated from
//! [`PAST_MS`] before the start, about as long as almost every session lasts. There are none that ended earlier.

use super::super::World;
use super::super::draw::Draw;
use super::super::geography::place;
use super::super::load::{Stream, Target};
use super::super::profile::{CASUAL, COOP, RANKED, ROYALE, profile};
use super::super::records::{ContainerFleetBillingType, FleetType, ProtectionPolicy};
use super::content::{CURRENT_BUILD, PREVIOUS_BUILD};
use super::fleets::add_fleet;
use super::plans::{On, Plan, Scales};
use super::routing::{add_alias_to, add_matchmaker, add_queue, add_stream};

/// Home regions.
pub(super) const REGIONS: [&str; 10] = [
    "eu-west-1",
    "us-east-1",
    "ap-northeast-1",
    "eu-central-1",
    "us-west-2",
    "ap-southeast-1",
    "eu-north-1",
    "sa-east-1",
    "ap-northeast-2",
    "ap-southeast-2",
];

/// Players in each region's pool.
pub(super) const POOL_SIZE: usize = 130_000;

/// Length of the simulated past.
pub(super) const PAST_MS: i64 = 50 * 60_000;

/// ACTIVE sessions at the start, in all regions together.
const SESSIONS: f64 = 50_400.0;

const FLEETS_A_REGION: usize = 20;

/// Sessions per instance.
const SLOTS: usize = 12;

/// Share of the server processes that host a session at the start.
const FULL: f64 = 0.76;

/// Shares of a region's demand: to each fleet directly, through the queue, and through the matchmaker.
const DIRECT: f64 = 0.045;
const QUEUED: f64 = 0.08;
const RANKED_SHARE: f64 = 0.04;

/// Returns the hosting of a fleet by its position in the region.
fn runs(home: &str, place: usize) -> On {
    match place {
        3 | 13 if home != "ap-northeast-1" => On::Container(ContainerFleetBillingType::OnDemand),
        4 | 9 | 14 | 19 => On::Build(FleetType::Spot, CURRENT_BUILD),
        7 | 17 => On::Build(FleetType::OnDemand, PREVIOUS_BUILD),
        _ => On::Build(FleetType::OnDemand, CURRENT_BUILD),
    }
}

/// Returns the kind and the name of the game played on a fleet, by its position in the region.
fn plays(place: usize) -> (u8, &'static str) {
    match place {
        5 | 15 => (COOP, "coop"),
        6 | 10 | 16 => (ROYALE, "royale"),
        _ => (CASUAL, "arena"),
    }
}

pub(super) fn add(world: &mut World) {
    let rate = |world: &World, region: usize| busyness(world, region);
    let total: f64 = (0..REGIONS.len()).map(|region| rate(world, region)).sum();
    for region in 0..REGIONS.len() {
        // Scale the evening peak so that the start has the promised number of sessions at any hour.
        let peak = SESSIONS / total;
        add_region(world, region, peak, peak * rate(world, region));
    }
}

/// Returns the demand of a region's players at the start as a share of their evening peak.
fn busyness(world: &World, region: usize) -> f64 {
    let Some(place) = REGIONS.get(region).and_then(|name| place(name)) else { return 1.0 };
    let stream = Stream {
        target: Target::Queue(0),
        place,
        pool: region,
        profile: CASUAL,
        peak_per_min: 1.0,
        surge: None,
        seed: world.seed,
        draw: Draw::new(world.seed, 0, 0),
    };
    stream.busyness(world.start_ms)
}

/// Adds a region with `peak` sessions at the evening peak and `now` at the start.
fn add_region(world: &mut World, region: usize, peak: f64, now: f64) {
    let home = REGIONS[region];
    let first = world.fleets.len();
    for place in 0..FLEETS_A_REGION {
        // Sessions from the queues land on the first fleets of a region.
        let share = if place < 4 { DIRECT + (QUEUED + RANKED_SHARE) / 4.0 } else { DIRECT };
        let wanted = |sessions: f64| (sessions * share / (SLOTS as f64 * FULL)).ceil().max(1.0) as u32;
        let (_, game) = plays(place);
        let name = format!("{game}-{:02}-{home}", place + 1);
        let sites = [(home, 1, (wanted(peak) * 2).max(8), wanted(now))];
        let plan = Plan {
            name: &name,
            region,
            on: runs(home, place),
            instance_type: "c6i.xlarge",
            slots: SLOTS,
            age_h: 24 * (9 + 3 * place as i64),
            scales: Scales::Target(18.0),
            group: Some(game),
            protection: ProtectionPolicy::FullProtection,
            sites: &sites,
            description: "One of two hundred",
        };
        add_fleet(world, &plan);
    }
    route(world, region, first, peak);
}

/// Converts a number of concurrent sessions to arrivals a minute.
fn per_min(sessions: f64, kind: u8) -> f64 {
    sessions * 60_000.0 / profile(kind).mean_ms()
}

fn route(world: &mut World, region: usize, first: usize, peak: f64) {
    let home = REGIONS[region];
    for place in 0..FLEETS_A_REGION {
        let fleet = first + place;
        let (kind, _) = plays(place);
        add_stream(world, Target::Fleet(fleet, 0), region, home, kind, per_min(peak * DIRECT, kind));
        if place < 6 {
            add_alias_to(
                world,
                region,
                format!("live-{:02}-{home}", place + 1),
                "Where live sessions go",
                fleet,
            );
        }
    }
    let destinations: Vec<String> =
        world.fleets[first..first + 4].iter().map(|fleet| fleet.arn.clone()).collect();
    let casual = add_queue(world, region, format!("arena-{home}"), 90, Vec::new(), destinations.clone());
    add_stream(world, Target::Queue(casual), region, home, CASUAL, per_min(peak * QUEUED, CASUAL));
    let ranked = add_queue(world, region, format!("arena-ranked-{home}"), 60, Vec::new(), destinations);
    let matchmaker = add_matchmaker(world, region, format!("arena-ranked-{home}"), ranked);
    let target = Target::Matchmaker(matchmaker);
    add_stream(world, target, region, home, RANKED, per_min(peak * RANKED_SHARE, RANKED));
}
