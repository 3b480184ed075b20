//! The ways to fleets: aliases, queues, matchmaking, and the streams of players that use them.

use super::super::World;
use super::super::draw::Draw;
use super::super::geography::place;
use super::super::load::{Stream, Target};
use super::super::matchmaking::{Matchmaker, PLANNED_RULES};
use super::super::names::Kind;
use super::super::placing::Queue;
use super::super::profile::{CASUAL, COOP, RANKED, ROYALE, TEST};
use super::super::records::{
    Alias, BackfillMode, FlexMatchMode, GameProperty, GameSessionQueue, MatchmakingConfiguration,
    MatchmakingRuleSet, PlayerLatencyPolicy, PriorityConfiguration, PriorityType, RoutingStrategy,
};
use super::tags;

const DAY_MS: i64 = 24 * 3_600_000;

/// Demand in a region at its evening peak, per minute.
struct Demand {
    /// Short form of the region for resource names.
    suffix: &'static str,
    casual: f64,
    ranked: f64,
    royale: f64,
    /// Where the arena's players are, and each area's share of them.
    areas: &'static [(&'static str, f64)],
}

const DEMANDS: [Demand; 3] = [
    Demand {
        suffix: "eu",
        casual: 5.6,
        ranked: 3.2,
        royale: 0.5,
        areas: &[("eu-west-1", 0.36), ("eu-central-1", 0.44), ("eu-north-1", 0.20)],
    },
    Demand {
        suffix: "us",
        casual: 3.8,
        ranked: 2.2,
        royale: 0.5,
        areas: &[("us-east-1", 0.48), ("us-west-2", 0.36), ("sa-east-1", 0.16)],
    },
    Demand {
        suffix: "ap",
        casual: 2.0,
        ranked: 1.2,
        royale: 0.0,
        areas: &[("ap-northeast-1", 0.5), ("ap-northeast-2", 0.3), ("ap-southeast-1", 0.2)],
    },
];

pub(super) fn add(world: &mut World) {
    for (region, demand) in DEMANDS.iter().enumerate() {
        add_aliases(world, region, demand);
        add_arena(world, region, demand);
        if demand.royale > 0.0 {
            add_royale(world, region, demand);
        }
    }
    add_direct(world);
}

fn fleet_named(world: &World, name: &str) -> Option<usize> {
    world.fleets.iter().position(|fleet| fleet.name == name)
}

fn add_aliases(world: &mut World, region: usize, demand: &Demand) {
    let suffix = demand.suffix;
    let leads = [
        (format!("arena-live-{suffix}"), format!("arena-prod-{suffix}"), "Where live arena sessions go"),
        (format!("coop-live-{suffix}"), format!("coop-script-{suffix}"), "Where expeditions go"),
        (format!("arena-canary-{suffix}"), format!("arena-canary-{suffix}"), "Invited players only"),
    ];
    for (name, fleet, description) in leads {
        if let Some(fleet) = fleet_named(world, &fleet) {
            add_alias_to(world, region, name, description, fleet);
        }
    }
    if region == 0 {
        let message = "Arena 0.9 is closed. Please update the game.".to_owned();
        let routing = RoutingStrategy::Terminal { message };
        let updated_ms = world.start_ms - 75 * DAY_MS;
        add_alias(world, region, "arena-legacy-eu".to_owned(), "Clients before 1.0", routing, updated_ms);
    }
}

/// Adds an alias that has led to a fleet since shortly after the fleet became ACTIVE.
pub(super) fn add_alias_to(world: &mut World, region: usize, name: String, description: &str, fleet: usize) {
    let routing = RoutingStrategy::Simple { fleet_id: world.fleets[fleet].id.clone() };
    let updated_ms = world.fleets[fleet].active_ms + 4 * 60_000;
    add_alias(world, region, name, description, routing, updated_ms);
}

fn add_alias(
    world: &mut World,
    region: usize,
    name: String,
    description: &str,
    routing_strategy: RoutingStrategy,
    last_updated_time_ms: i64,
) {
    let home = &mut world.regions[region];
    let alias_id =
        format!("alias-{}", world.names.uuid(Kind::Alias, home.aliases.len() as u32, region as u16));
    let alias_arn = format!("arn:aws:gamelift:{}::alias/{alias_id}", home.name);
    home.tags.insert(alias_arn.clone(), tags(&[("team", "live-ops")]));
    home.aliases.push(Alias {
        alias_id,
        name,
        alias_arn,
        description: Some(description.to_owned()),
        routing_strategy,
        creation_time_ms: world.start_ms - 400 * DAY_MS,
        last_updated_time_ms,
    });
}

fn add_arena(world: &mut World, region: usize, demand: &Demand) {
    let suffix = demand.suffix;
    let alias = world.regions[region].aliases.first().map(|alias| alias.alias_arn.clone());
    let spot =
        fleet_named(world, &format!("arena-spot-{suffix}")).map(|fleet| world.fleets[fleet].arn.clone());
    let relaxing = vec![
        PlayerLatencyPolicy {
            maximum_individual_player_latency_milliseconds: 75,
            policy_duration_seconds: Some(20),
        },
        PlayerLatencyPolicy {
            maximum_individual_player_latency_milliseconds: 150,
            policy_duration_seconds: None,
        },
    ];
    let casual = add_queue(world, region, format!("arena-{suffix}"), 90, relaxing, {
        alias.clone().into_iter().chain(spot).collect()
    });
    world.queues[casual].record.priority_configuration = Some(PriorityConfiguration {
        priority_order: vec![
            PriorityType::Latency,
            PriorityType::Cost,
            PriorityType::Destination,
            PriorityType::Location,
        ],
        location_order: Vec::new(),
    });
    let strict = vec![PlayerLatencyPolicy {
        maximum_individual_player_latency_milliseconds: 110,
        policy_duration_seconds: None,
    }];
    let ranked =
        add_queue(world, region, format!("arena-ranked-{suffix}"), 60, strict, alias.into_iter().collect());
    let matchmaker = add_matchmaker(world, region, format!("arena-ranked-{suffix}"), ranked);
    for (area, share) in demand.areas {
        add_stream(world, Target::Queue(casual), region, area, CASUAL, demand.casual * share);
        add_stream(world, Target::Matchmaker(matchmaker), region, area, RANKED, demand.ranked * share);
    }
}

fn add_royale(world: &mut World, region: usize, demand: &Demand) {
    let Some(fleet) = fleet_named(world, &format!("royale-containers-{}", demand.suffix)) else { return };
    let arn = world.fleets[fleet].arn.clone();
    let queue = add_queue(world, region, format!("royale-{}", demand.suffix), 120, Vec::new(), vec![arn]);
    let locations: Vec<String> = world.fleets[fleet].sites.iter().map(|site| site.name.clone()).collect();
    world.queues[queue].record.priority_configuration = Some(PriorityConfiguration {
        priority_order: vec![PriorityType::Location, PriorityType::Latency],
        location_order: locations,
    });
    let home = world.fleets[fleet].home.clone();
    add_stream(world, Target::Queue(queue), region, &home, ROYALE, demand.royale);
}

fn add_direct(world: &mut World) {
    let direct = [
        ("coop-script-eu", COOP, 0.30, "eu-west-1"),
        ("coop-script-ap", COOP, 0.20, "ap-northeast-1"),
        ("arena-canary-us", CASUAL, 0.13, "us-east-1"),
        ("qa-lab-anywhere", TEST, 0.10, "ap-northeast-1"),
        ("arena-canary-eu", CASUAL, 0.06, "eu-west-1"),
    ];
    for (name, profile, peak_per_min, area) in direct {
        if let Some(fleet) = fleet_named(world, name) {
            let region = world.fleets[fleet].region;
            add_stream(world, Target::Fleet(fleet, 0), region, area, profile, peak_per_min);
        }
    }
}

pub(super) fn add_stream(
    world: &mut World,
    target: Target,
    pool: usize,
    area: &str,
    profile: u8,
    peak_per_min: f64,
) {
    let Some(place) = place(area) else { return };
    let index = world.streams.len();
    let draw = Draw::new(world.seed, 0x0040_0000, index as u64);
    world.streams.push(Stream {
        target,
        place,
        pool,
        profile,
        peak_per_min,
        surge: None,
        seed: world.seed,
        draw,
    });
    match target {
        Target::Queue(queue) => world.queues[queue].streams.push(index),
        Target::Matchmaker(matchmaker) => {
            world.matchmakers[matchmaker].streams.push(index);
            if let Some(queue) = world.matchmakers[matchmaker].queue {
                world.queues[queue].streams.push(index);
            }
        }
        Target::Fleet(..) => {}
    }
}

pub(super) fn add_queue(
    world: &mut World,
    region: usize,
    name: String,
    timeout_in_seconds: u32,
    player_latency_policies: Vec<PlayerLatencyPolicy>,
    destinations: Vec<String>,
) -> usize {
    let home = world.regions[region].name.clone();
    let account = &world.account;
    let arn = format!("arn:aws:gamelift:{home}:{account}:gamesessionqueue/{name}");
    let named: Vec<_> = destinations.iter().map(|arn| world.destination(region, arn)).collect();
    let fleets: Vec<_> = named.iter().filter_map(|named| world.fleet_to_be(named)).collect();
    let mut locations: Vec<String> = Vec::new();
    for site in fleets.iter().flat_map(|fleet| &world.fleets[*fleet].sites) {
        if !locations.contains(&site.name) {
            locations.push(site.name.clone());
        }
    }
    // The ranked queues publish to a topic with raw message delivery, the others do not.
    let topic = if name.contains("ranked") { "gamelift-placements-raw" } else { "gamelift-placements" };
    let begins_ms = fleets.iter().map(|fleet| world.fleets[*fleet].active_ms).max().unwrap_or(world.now_ms);
    let record = GameSessionQueue {
        custom_event_data: Some(name.clone()),
        name,
        game_session_queue_arn: arn.clone(),
        timeout_in_seconds,
        player_latency_policies,
        destinations,
        allowed_locations: Vec::new(),
        priority_configuration: None,
        notification_target: Some(format!("arn:aws:sns:{home}:{account}:{topic}")),
        log_destinations: Vec::new(),
    };
    world.regions[region].tags.insert(arn, tags(&[("team", "live-ops")]));
    let queue = Queue::new(record, region, begins_ms.max(world.now_ms));
    world.queues.push(Queue { destinations: named, locations, ..queue });
    world.queues.len() - 1
}

/// Two teams of five with similar skill, all close enough to one location.
const RULE_SET: &str = r#"{
  "name": "arena-5v5",
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
    {"name": "EvenTeams", "type": "comparison", "operation": "=", "measurements": ["count(teams[red].players)"], "referenceValue": "count(teams[blue].players)"},
    {"name": "FairSkill", "type": "distance", "measurements": ["avg(teams[red].players.attributes[skill])"], "referenceValue": "avg(teams[blue].players.attributes[skill])", "maxDistance": 120},
    {"name": "FastConnection", "type": "latency", "maxLatency": 110}
  ],
  "expansions": [
    {"target": "rules[FairSkill].maxDistance", "steps": [{"waitTimeSeconds": 10, "value": 200}, {"waitTimeSeconds": 25, "value": 400}]}
  ]
}"#;

pub(super) fn add_matchmaker(world: &mut World, region: usize, name: String, queue: usize) -> usize {
    let (home, account) = (world.regions[region].name.clone(), world.account.clone());
    let rule_set_name = PLANNED_RULES.to_owned();
    let rule_set_arn = format!("arn:aws:gamelift:{home}:{account}:matchmakingruleset/{rule_set_name}");
    world.regions[region].rule_sets.push(MatchmakingRuleSet {
        rule_set_name: rule_set_name.clone(),
        rule_set_arn: rule_set_arn.clone(),
        rule_set_body: RULE_SET.to_owned(),
        creation_time_ms: world.start_ms - 160 * DAY_MS,
    });
    let arn = format!("arn:aws:gamelift:{home}:{account}:matchmakingconfiguration/{name}");
    world.regions[region].tags.insert(arn.clone(), tags(&[("game", "arena")]));
    world.regions[region].tags.insert(rule_set_arn.clone(), tags(&[("game", "arena")]));
    let property = |key: &str, value: &str| GameProperty { key: key.to_owned(), value: value.to_owned() };
    let record = MatchmakingConfiguration {
        custom_event_data: Some(name.clone()),
        name,
        configuration_arn: arn,
        description: Some("Ranked five against five".to_owned()),
        game_session_queue_arns: vec![world.queues[queue].record.game_session_queue_arn.clone()],
        request_timeout_seconds: 120,
        acceptance_timeout_seconds: Some(25),
        acceptance_required: region != 2,
        rule_set_name,
        rule_set_arn,
        notification_target: Some(format!("arn:aws:sns:{home}:{account}:gamelift-matchmaking")),
        additional_player_count: Some(0),
        creation_time_ms: world.start_ms - 159 * DAY_MS,
        game_properties: vec![property("mode", "ranked"), property("ranked", "true")],
        game_session_data: None,
        backfill_mode: BackfillMode::Manual,
        flex_match_mode: FlexMatchMode::WithQueue,
    };
    let begins_ms = world.queues[queue].begins_ms;
    let rules = ["EvenTeams", "FairSkill", "FastConnection"].map(str::to_owned).to_vec();
    world.matchmakers.push(Matchmaker {
        queue: Some(queue),
        rules,
        ..Matchmaker::new(record, region, begins_ms)
    });
    world.matchmakers.len() - 1
}

impl World {
    /// Returns the time from which a stream's players can be served.
    pub(super) fn stream_begins_ms(&self, stream: usize) -> i64 {
        match self.streams[stream].target {
            Target::Queue(queue) => self.queues[queue].begins_ms,
            Target::Matchmaker(matchmaker) => self.matchmakers[matchmaker].begins_ms,
            Target::Fleet(fleet, _) => self.fleets[fleet].active_ms,
        }
    }
}
