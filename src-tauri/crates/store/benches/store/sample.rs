//! The data the bench writes and reads: generated from a seed, shaped like a busy account's month.

use fastrand::Rng;
use liftdeck_model::fleet::{ComputeKind, Fleet, FleetEvent, FleetStatus};
use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionStatus};
use liftdeck_model::metric::{MetricSample, MetricSeries, MetricSource};
use liftdeck_model::observation::{Batch, Listing, Observation};
use liftdeck_model::placement::{PlacementEvent, PlacementEventType};
use liftdeck_model::player_session::{PlayerSession, PlayerSessionStatus};
use liftdeck_model::{FleetId, Region, Timestamp};

/// 2026-03-04T10:00:00Z.
pub(crate) const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);
pub(crate) const DAY_MS: i64 = 86_400_000;
pub(crate) const FLEETS: usize = 40;
/// Sessions per batch: ten pages of an AWS listing.
const SESSIONS_A_BATCH: usize = 1_000;
const LISTINGS_A_BATCH: usize = 250;
const PLAYERS_A_SESSION: usize = 4;
const LOCATIONS: [&str; 4] = ["eu-west-1", "eu-north-1", "us-east-1", "ap-northeast-1"];

pub(crate) fn region() -> Region {
    Region::from("eu-west-1")
}

pub(crate) fn fleet_id(index: usize) -> FleetId {
    FleetId::new(format!("fleet-{:08x}-aaaa-4bbb-8ccc-{:012x}", index * 7_919, index))
}

pub(crate) fn uuid(rng: &mut Rng) -> String {
    let (a, b) = (rng.u64(..), rng.u64(..));
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        a >> 32,
        a & 0xffff,
        b >> 52,
        (b >> 40) & 0xfff,
        b & 0xffff_ffff_ffff
    )
}

/// Sessions with their players, spread over 30 days; every fifth session is live.
pub(crate) struct World {
    pub(crate) sessions: Vec<GameSession>,
    pub(crate) players: Vec<Vec<PlayerSession>>,
}

pub(crate) fn world(count: usize, seed: u64) -> World {
    let mut rng = Rng::with_seed(seed);
    // Players come back: about three sessions each.
    let known: Vec<String> = (0..count * PLAYERS_A_SESSION / 3).map(|_| uuid(&mut rng)).collect();
    let mut sessions = Vec::with_capacity(count);
    let mut players = Vec::with_capacity(count);
    for index in 0..count {
        let session = session(index, count, &known, &mut rng);
        players.push((0..PLAYERS_A_SESSION).map(|_| player_session(&session, &known, &mut rng)).collect());
        sessions.push(session);
    }
    World { sessions, players }
}

fn session(index: usize, count: usize, known: &[String], rng: &mut Rng) -> GameSession {
    let fleet_index = rng.usize(..FLEETS);
    let fleet = fleet_id(fleet_index);
    let location = LOCATIONS[rng.usize(..LOCATIONS.len())];
    let live = index.is_multiple_of(5);
    let created = NOW.plus_ms(-30 * DAY_MS + 30 * DAY_MS * index as i64 / count as i64);
    let ip = [3, rng.u8(..), rng.u8(..), rng.u8(..)];
    let prefix = if location == "eu-west-1" { String::new() } else { format!("{location}/") };
    GameSession {
        game_session_id: format!("arn:aws:gamelift:eu-west-1::gamesession/{fleet}/{prefix}{}", uuid(rng))
            .into(),
        name: Some(format!("match-{index}")),
        fleet_id: fleet,
        location: Some(location.into()),
        status: if live { GameSessionStatus::Active } else { GameSessionStatus::Terminated },
        status_reason: None,
        creation_time: created,
        termination_time: (!live).then(|| created.plus_ms(900_000 + rng.i64(0..1_800_000))),
        current_player_session_count: if live { rng.i32(0..=8) } else { 0 },
        maximum_player_session_count: 8,
        player_session_creation_policy: Some("ACCEPT_ALL".to_owned()),
        creator_id: Some(format!("backend-{}", rng.u8(..12))),
        game_properties: [
            ("mode", ["ranked", "casual", "arena"][rng.usize(..3)]),
            ("map", ["dust", "lake", "yard"][rng.usize(..3)]),
        ]
        .map(|(key, value)| GameProperty { key: key.to_owned(), value: value.to_owned() })
        .to_vec(),
        ip_address: Some(format!("{}.{}.{}.{}", ip[0], ip[1], ip[2], ip[3])),
        dns_name: Some(format!(
            "ec2-{}-{}-{}-{}.{location}.compute.amazonaws.com",
            ip[0], ip[1], ip[2], ip[3]
        )),
        port: Some(rng.i32(4_192..60_000)),
        game_session_data: Some(format!("{{\"season\":\"2026-1\",\"ruleset\":{}}}", rng.u8(..20))),
        matchmaker_data: index.is_multiple_of(2).then(|| matchmaker_data(known, rng)),
        compute_name: Some(format!("i-{:017x}", fleet_index * 64 + rng.usize(..50))),
        player_gateway_status: None,
        protection_policy: None,
    }
}

/// About 1.3 kB, as FlexMatch writes it for eight players.
fn matchmaker_data(known: &[String], rng: &mut Rng) -> String {
    let mut players = |team: &str| {
        let list: Vec<String> = (0..4)
            .map(|_| {
                let player = &known[rng.usize(..known.len())];
                let (skill, latency) = (rng.u32(800..2_400), rng.u32(8..140));
                format!(
                    "{{\"playerId\":\"{player}\",\"attributes\":{{\"skill\":{{\"attributeType\":\"DOUBLE\",\
                     \"valueAttribute\":{skill}.0}}}},\"latency\":{latency}}}"
                )
            })
            .collect();
        format!("{{\"name\":\"{team}\",\"players\":[{}]}}", list.join(","))
    };
    let teams = [players("red"), players("blue")].join(",");
    format!(
        "{{\"matchId\":\"{}\",\"matchmakingConfigurationArn\":\"arn:aws:gamelift:eu-west-1:111122223333:\
         matchmakingconfiguration/arena\",\"teams\":[{teams}]}}",
        uuid(rng)
    )
}

fn player_session(session: &GameSession, known: &[String], rng: &mut Rng) -> PlayerSession {
    let live = session.status.is_live();
    let created = session.creation_time.plus_ms(rng.i64(0..60_000));
    PlayerSession {
        player_session_id: format!("psess-{}", uuid(rng)).into(),
        player_id: known[rng.usize(..known.len())].as_str().into(),
        game_session_id: session.game_session_id.clone(),
        fleet_id: session.fleet_id.clone(),
        creation_time: created,
        termination_time: (!live).then(|| created.plus_ms(rng.i64(60_000..900_000))),
        status: if live { PlayerSessionStatus::Active } else { PlayerSessionStatus::Completed },
        player_data: None,
    }
}

/// Changes one in twenty sessions and player sessions, as between two polls.
pub(crate) fn change(world: &mut World, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    for session in &mut world.sessions {
        if rng.u8(..20) == 0 {
            session.current_player_session_count = (session.current_player_session_count + 1) % 9;
        }
    }
    for player in world.players.iter_mut().flatten() {
        if rng.u8(..20) == 0 {
            let done = player.termination_time.is_some_and(|at| at == NOW);
            player.status = if done { PlayerSessionStatus::TimedOut } else { PlayerSessionStatus::Completed };
            player.termination_time = Some(if done { NOW.plus_ms(1) } else { NOW });
        }
    }
}

pub(crate) fn session_batches(world: &World, at: Timestamp) -> Vec<Batch> {
    let parts = world.sessions.chunks(SESSIONS_A_BATCH);
    parts
        .map(|part| Batch {
            region: region(),
            observed_at: at,
            observations: vec![Observation::GameSessions(part.to_vec())],
        })
        .collect()
}

pub(crate) fn player_batches(world: &World, at: Timestamp) -> Vec<Batch> {
    let pairs: Vec<_> = world.sessions.iter().zip(&world.players).collect();
    pairs
        .chunks(LISTINGS_A_BATCH)
        .map(|part| {
            let observations = part
                .iter()
                .map(|(session, players)| {
                    Observation::PlayerSessions(
                        session.game_session_id.clone(),
                        Listing::complete(players.to_vec()),
                    )
                })
                .collect();
            Batch { region: region(), observed_at: at, observations }
        })
        .collect()
}

/// Fleets, their events and placements over 30 days, for the queries.
pub(crate) fn surroundings(world: &World, placements: usize, seed: u64) -> Vec<Batch> {
    let mut rng = Rng::with_seed(seed);
    let batch = |observations| Batch { region: region(), observed_at: NOW, observations };
    let fleets = (0..FLEETS).map(fleet).collect();
    let mut batches = vec![batch(vec![Observation::Fleets(Listing::complete(fleets))])];
    for index in 0..FLEETS {
        let events = (0..250)
            .map(|_| FleetEvent {
                event_id: uuid(&mut rng),
                fleet_id: fleet_id(index),
                event_code: "FLEET_SCALING_EVENT".into(),
                message: Some("Fleet scaled from 12 to 14 instances in location eu-west-1".to_owned()),
                event_time: NOW.plus_ms(-rng.i64(0..30 * DAY_MS)),
                count: 1,
                has_log: false,
            })
            .collect();
        batches.push(batch(vec![Observation::FleetEvents(fleet_id(index), events)]));
    }
    let sessions = &world.sessions;
    let mut events = Vec::with_capacity(placements);
    for index in 0..placements {
        let event_time = NOW.plus_ms(-30 * DAY_MS + 30 * DAY_MS * index as i64 / placements as i64);
        let failed = rng.u8(..25) == 0;
        events.push(PlacementEvent {
            placement_id: uuid(&mut rng).into(),
            event_type: if failed { PlacementEventType::TimedOut } else { PlacementEventType::Fulfilled },
            event_id: Some(uuid(&mut rng)),
            queue: ["arena", "coop", "event"][rng.usize(..3)].into(),
            region: region(),
            event_time,
            start_time: Some(event_time.plus_ms(-rng.i64(200..30_000))),
            end_time: Some(event_time),
            game_session_id: (!failed).then(|| sessions[rng.usize(..sessions.len())].game_session_id.clone()),
            game_session_location: None,
            game_session_region: None,
            ip_address: None,
            dns_name: None,
            port: None,
            compute_name: None,
            custom_event_data: None,
            placed_player_sessions: Vec::new(),
        });
    }
    batches.extend(events.chunks(500).map(|part| batch(vec![Observation::PlacementEvents(part.to_vec())])));
    batches
}

fn fleet(index: usize) -> Fleet {
    Fleet {
        fleet_id: fleet_id(index),
        fleet_arn: None,
        region: region(),
        kind: ComputeKind::Ec2OnDemand,
        name: Some(format!("eu-prod-{index}")),
        description: None,
        status: FleetStatus::Active,
        instance_type: Some("c6i.large".to_owned()),
        creation_time: Some(NOW.plus_ms(-60 * DAY_MS)),
        termination_time: None,
        build_id: Some("build-1".into()),
        script_id: None,
        operating_system: None,
        new_game_session_protection_policy: None,
        creator_limit: None,
        metric_groups: Vec::new(),
        stopped_actions: Vec::new(),
        instance_role_arn: None,
        certificate_type: None,
        anywhere_cost: None,
        player_gateway_mode: None,
        container: None,
    }
}

/// Seven integer gauges, one constant, four floats (two with clean ratios, two with noise): the set for which the
/// goal of bytes per sample was chosen.
pub(crate) const KINDS: [&str; 12] = [
    "ActiveInstances",
    "DesiredInstances",
    "IdleInstances",
    "ActiveGameSessions",
    "CurrentPlayerSessions",
    "ActiveServerProcesses",
    "AvailableGameSessions",
    "MaxInstances",
    "PercentAvailableGameSessions",
    "PercentIdleInstances",
    "CPUUtilization",
    "NetworkIn",
];

pub(crate) fn series(fleet: usize, kind: usize) -> MetricSeries {
    MetricSeries {
        region: region(),
        source: MetricSource::CloudWatch,
        name: KINDS[kind].to_owned(),
        dimensions: vec![("FleetId".to_owned(), fleet_id(fleet).into_string())],
        statistic: "Average".to_owned(),
    }
}

/// A series with one sample per minute, ending at [`NOW`].
pub(crate) fn samples(kind: usize, days: i64, seed: u64) -> Vec<MetricSample> {
    let mut rng = Rng::with_seed(seed);
    let mut level = 40.0 + rng.f64() * 20.0;
    (0..days * 1_440)
        .map(|minute| {
            let wave = (minute as f64 / 1_440.0 * std::f64::consts::TAU).sin();
            level = (level + rng.f64() * 2.0 - 1.0).clamp(5.0, 200.0);
            let load = (level + 25.0 * wave).max(1.0);
            let value = match kind {
                0..=2 => (load / 8.0).round(),
                3 | 5 | 6 => load.round(),
                4 => (load * 6.0).round(),
                7 => 60.0,
                8 => (load.round() / (load.round() + 16.0)) * 100.0,
                9 => (load.round() / 256.0) * 100.0,
                10 => load * 0.7 + rng.f64(),
                _ => load * 150_000.0 + rng.f64() * 10_000.0,
            };
            MetricSample { at: NOW.plus_ms(-days * DAY_MS + minute * 60_000), value }
        })
        .collect()
}
