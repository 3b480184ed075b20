//! A month of operating and matchmaking around the sessions of `sample`: the attempts, runs and presets of this
//! installation, FlexMatch events and their tickets, queues, aliases, configurations, builds and scripts.

use std::sync::Arc;

use fastrand::Rng;
use liftdeck_model::action::{Action, Request, TerminateGameSession, TerminationMode, UpdateFleetCapacity};
use liftdeck_model::activity::{Activity, ActivityOutcome, FactChange};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::content::{Build, Script};
use liftdeck_model::matchmaking::{EventTicket, MatchmakingConfiguration, MatchmakingEvent, TicketPlayer};
use liftdeck_model::observation::{Batch, Listing, Observation};
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::{ActivityEnd, Preset, PresetKind, RunKind, RunRecord, RunState, Store};

use crate::sample::{DAY_MS, FLEETS, NOW, World, fleet_id, region, uuid};

/// Attempts in 30 days: drains and bulk terminations of hundreds of sessions, and a few changes of capacity a day.
pub(crate) const ATTEMPTS: usize = 4_000;
/// Attempts per run.
pub(crate) const ATTEMPTS_A_RUN: usize = 100;
/// FlexMatch configurations.
pub(crate) const CONFIGURATIONS: usize = 6;
/// Queues.
pub(crate) const QUEUES: usize = 12;
/// Presets of one form.
const PRESETS: usize = 40;
/// Number of attempts recorded concurrently, as several windows and runs would do.
const HANDS: usize = 8;

pub(crate) fn configuration(index: usize) -> String {
    format!("arena-{index}v{index}")
}

pub(crate) fn queue(index: usize) -> String {
    format!("queue-{index}")
}

pub(crate) fn run_id(index: usize) -> String {
    format!("00000000-0000-4000-8000-{index:012x}")
}

pub(crate) fn attempt_id(index: usize) -> String {
    format!("00000000-0000-4000-9000-{index:012x}")
}

pub(crate) fn ticket_id(index: usize) -> String {
    format!("00000000-0000-4000-a000-{index:012x}")
}

/// A time in the last 30 days, as far into them as `index` is into `count`.
fn moment(index: usize, count: usize) -> Timestamp {
    NOW.plus_ms(-30 * DAY_MS + 30 * DAY_MS * index as i64 / count as i64)
}

fn batch(observations: Vec<Observation>) -> Batch {
    Batch { region: region(), observed_at: NOW, observations }
}

/// Standing resources: queues that lead to every fleet through aliases, configurations, builds and scripts.
pub(crate) fn standing() -> Batch {
    let aliases = (0..FLEETS).map(alias).collect();
    let queues = (0..QUEUES).map(standing_queue).collect();
    let configurations = (0..CONFIGURATIONS).map(standing_configuration).collect();
    let builds = (0..60).map(build).collect();
    let scripts = (0..10).map(script).collect();
    batch(vec![
        Observation::Aliases(Listing::complete(aliases)),
        Observation::Queues(Listing::complete(queues)),
        Observation::MatchmakingConfigurations(Listing::complete(configurations)),
        Observation::Builds(Listing::complete(builds)),
        Observation::Scripts(Listing::complete(scripts)),
    ])
}

/// `matches` matches of two tickets, with four events each.
pub(crate) fn matchmaking(world: &World, matches: usize) -> Vec<Batch> {
    let mut rng = Rng::with_seed(11);
    let mut events = Vec::with_capacity(matches * 4);
    for index in 0..matches {
        let tickets: Vec<EventTicket> = (0..2)
            .map(|half| EventTicket {
                ticket_id: ticket_id(index * 2 + half).into(),
                start_time: Some(moment(index, matches).plus_ms(-rng.i64(2_000..90_000))),
                players: world.players[rng.usize(..world.players.len())]
                    .iter()
                    .map(|slot| TicketPlayer {
                        player_id: slot.player_id.clone(),
                        team: Some(["red", "blue"][half].to_owned()),
                        accepted: Some(true),
                    })
                    .collect(),
            })
            .collect();
        let failed = rng.u8(..20) == 0;
        let end = if failed { "MatchmakingTimedOut" } else { "MatchmakingSucceeded" };
        let session = &world.sessions[rng.usize(..world.sessions.len())].game_session_id;
        for (step, event_type) in
            ["MatchmakingSearching", "PotentialMatchCreated", "AcceptMatchCompleted", end]
                .into_iter()
                .enumerate()
        {
            events.push(MatchmakingEvent {
                event_id: uuid(&mut rng),
                event_type: event_type.to_owned(),
                configuration: configuration(index % CONFIGURATIONS),
                region: region(),
                event_time: moment(index, matches).plus_ms(step as i64),
                match_id: (step > 0).then(|| format!("match-{index}")),
                reason: None,
                message: None,
                estimated_wait_seconds: None,
                game_session_id: (step == 3 && !failed).then(|| session.clone()),
                tickets: tickets.clone(),
            });
        }
    }
    events.chunks(500).map(|part| batch(vec![Observation::MatchmakingEvents(part.to_vec())])).collect()
}

/// Records the attempts with their answers, the runs they belong to and the presets, as the guard does.
pub(crate) async fn record(store: &Store, world: &World) {
    let writer = store.writer().unwrap();
    for index in 0..ATTEMPTS / ATTEMPTS_A_RUN {
        writer.put_run(run(index)).await.unwrap();
    }
    for index in 0..PRESETS {
        let body = "{\"players\":8,\"name\":\"scrim\"}".to_owned();
        let preset = Preset { name: format!("scrim-{index}"), kind: PresetKind::NewSession, body };
        writer.put_preset(preset).await.unwrap();
    }
    let sessions = world.sessions.iter().step_by((world.sessions.len() / ATTEMPTS).max(1));
    let attempts: Vec<Activity> = sessions
        .enumerate()
        .map(|(index, session)| {
            let fleet = session.fleet_id.clone();
            let request = if index.is_multiple_of(20) {
                Request::UpdateFleetCapacity(UpdateFleetCapacity {
                    fleet_id: fleet.clone(),
                    location: None,
                    desired_instances: Some(8),
                    min_size: None,
                    max_size: None,
                })
            } else {
                Request::TerminateGameSession(TerminateGameSession {
                    game_session_id: session.game_session_id.clone(),
                    termination_mode: TerminationMode::TriggerOnProcessTerminate,
                })
            };
            attempt(index, fleet, request)
        })
        .take(ATTEMPTS)
        .collect();
    let attempts = Arc::new(std::sync::Mutex::new(attempts.into_iter()));
    let mut hands = tokio::task::JoinSet::new();
    for _ in 0..HANDS {
        let (writer, attempts) = (store.writer().unwrap(), Arc::clone(&attempts));
        hands.spawn(async move {
            loop {
                let Some(attempt) = attempts.lock().unwrap().next() else { return };
                let (id, end) = (attempt.id.clone(), answer(&attempt));
                writer.begin_activity(attempt).await.unwrap();
                writer.end_activity(&id, end).await.unwrap();
            }
        });
    }
    hands.join_all().await;
}

fn attempt(index: usize, fleet_id: FleetId, request: Request) -> Activity {
    let fact = |label: &str| FactChange {
        label: label.to_owned(),
        before: Some("ACTIVE".to_owned()),
        after: Some("TERMINATED".to_owned()),
    };
    Activity {
        run: Some(run_id(index / ATTEMPTS_A_RUN).into()),
        item: Some((index % ATTEMPTS_A_RUN) as u32),
        fleet_id: Some(fleet_id),
        name: Some(format!("match-{index}")),
        facts: vec![fact("Status"), fact("Players")],
        caller_arn: Some("arn:aws:iam::111122223333:user/ada".to_owned()),
        ..Activity::sending(
            attempt_id(index).into(),
            moment(index, ATTEMPTS),
            Action { region: region(), request },
        )
    }
}

fn answer(attempt: &Activity) -> ActivityEnd {
    let failed = attempt.item.is_some_and(|item| item % 25 == 0);
    let outcome = if failed { ActivityOutcome::Failed } else { ActivityOutcome::Done };
    ActivityEnd {
        request_id: Some(attempt.id.as_str().to_owned()),
        aws_code: failed.then(|| "NotFoundException".to_owned()),
        ..ActivityEnd::new(outcome, attempt.at.plus_ms(200))
    }
}

fn run(index: usize) -> RunRecord {
    let begun = moment(index * ATTEMPTS_A_RUN, ATTEMPTS);
    RunRecord {
        id: run_id(index).into(),
        kind: if index.is_multiple_of(4) { RunKind::Drain } else { RunKind::Bulk },
        state: if index.is_multiple_of(10) { RunState::Paused } else { RunState::Finished },
        title: format!("End {ATTEMPTS_A_RUN} game sessions"),
        region: Some(region()),
        fleet_id: Some(fleet_id(index % FLEETS)),
        created_at: begun,
        changed_at: begun.plus_ms(600_000),
        plan: format!("{{\"items\":[{}]}}", vec!["\"a game session\""; ATTEMPTS_A_RUN].join(",")),
        progress: format!("{{\"next\":{ATTEMPTS_A_RUN}}}"),
    }
}

fn alias(index: usize) -> Alias {
    Alias {
        alias_id: format!("alias-{index}").into(),
        alias_arn: Some(format!("arn:aws:gamelift:eu-west-1::alias/alias-{index}")),
        region: region(),
        name: format!("eu-live-{index}"),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: fleet_id(index) },
        creation_time: None,
        last_updated_time: None,
    }
}

fn standing_queue(index: usize) -> GameSessionQueue {
    let aliases = (0..FLEETS).filter(|alias| alias % QUEUES == index);
    GameSessionQueue {
        name: queue(index).into(),
        region: region(),
        arn: None,
        timeout_seconds: Some(60),
        destinations: aliases
            .map(|alias| format!("arn:aws:gamelift:eu-west-1::alias/alias-{alias}"))
            .collect(),
        player_latency_policies: Vec::new(),
        allowed_locations: Vec::new(),
        priority_order: Vec::new(),
        location_order: Vec::new(),
        custom_event_data: None,
        notification_target: None,
    }
}

fn standing_configuration(index: usize) -> MatchmakingConfiguration {
    MatchmakingConfiguration {
        name: configuration(index),
        region: region(),
        arn: None,
        description: None,
        queue_arns: Vec::new(),
        request_timeout_seconds: Some(120),
        acceptance_timeout_seconds: Some(30),
        acceptance_required: true,
        rule_set_name: Some("duel".to_owned()),
        notification_target: None,
        additional_player_count: None,
        backfill_mode: None,
        flex_match_mode: None,
        creation_time: None,
    }
}

fn build(index: usize) -> Build {
    Build {
        build_id: format!("build-{index}").into(),
        region: region(),
        arn: None,
        name: Some("arena".to_owned()),
        version: Some(format!("1.{index}.0")),
        status: "READY".to_owned(),
        size_on_disk_bytes: Some(1 << 30),
        operating_system: None,
        server_sdk_version: None,
        creation_time: Some(moment(index, 60)),
    }
}

fn script(index: usize) -> Script {
    Script {
        script_id: format!("script-{index}").into(),
        region: region(),
        arn: None,
        name: Some("rules".to_owned()),
        version: Some(format!("{index}")),
        size_on_disk_bytes: Some(1 << 20),
        node_js_version: None,
        creation_time: Some(moment(index, 10)),
    }
}
