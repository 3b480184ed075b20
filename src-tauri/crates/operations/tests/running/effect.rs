//! Effects: followed until they are seen, missed or given up, even through a restart.

use std::time::Duration;

use liftdeck_model::action::{
    CreateGameSession, CreatePlayerSessions, GameSessionTarget, NewPlayerSession, Request, SetFleetActions,
    StartGameSessionPlacement, TerminateGameSession, TerminationMode, UpdateFleetCapacity,
};
use liftdeck_model::activity::{Activity, ActivityOutcome, EffectState};
use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_model::{FleetId, GameSessionId, PlacementId, PlayerId, QueueName};

use crate::bench::Bench;

const SECOND: Duration = Duration::from_secs(1);

fn creation(fleet: &FleetId, token: &str) -> Request {
    Request::CreateGameSession(CreateGameSession {
        target: GameSessionTarget::Fleet(fleet.clone()),
        location: None,
        maximum_player_session_count: 4,
        name: Some("a match of ours".to_owned()),
        game_properties: Vec::new(),
        game_session_data: None,
        idempotency_token: token.to_owned(),
        // The fleet limits game sessions per creator.
        creator_id: Some("live-ops".to_owned()),
    })
}

fn effect(activity: &Activity) -> (EffectState, &str) {
    let effect = activity.effect.as_ref().expect("it is followed");
    (effect.state, &effect.text)
}

async fn stored_status(bench: &Bench, id: &GameSessionId) -> GameSessionStatus {
    let found = bench.store.reader().game_session(id, bench.now()).await.unwrap();
    found.expect("the store has it").row.status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_session_is_followed_to_active_its_slots_reserved_and_its_end_seen() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("coop-script-eu").await;
    let made = bench.done(creation(&fleet.fleet_id, "ours-1")).await;
    assert_eq!(made.outcome, ActivityOutcome::Done, "{made:?}");
    assert_eq!(effect(&made).0, EffectState::Awaited);
    let seen = bench.followed(&made, SECOND).await;
    assert_eq!(effect(&seen).0, EffectState::Seen, "{:?}", seen.effect);
    let id = GameSessionId::from(seen.made.as_deref().expect("the session is named"));
    assert_eq!(stored_status(&bench, &id).await, GameSessionStatus::Active, "screens know it too");

    let player = |id: &str| NewPlayerSession { player_id: PlayerId::from(id), player_data: None };
    let players = vec![player("ada"), player("ben")];
    let reserve = CreatePlayerSessions { game_session_id: id.clone(), players };
    let reserved = bench.done(Request::CreatePlayerSessions(reserve)).await;
    let reserved = bench.followed(&reserved, Duration::ZERO).await;
    assert_eq!(effect(&reserved).0, EffectState::Seen, "{:?}", reserved.effect);
    assert_eq!(reserved.made_player_sessions.len(), 2);

    let end = TerminateGameSession {
        game_session_id: id.clone(),
        termination_mode: TerminationMode::ForceTerminate,
    };
    let ended = bench.done(Request::TerminateGameSession(end)).await;
    let ended = bench.followed(&ended, SECOND).await;
    assert_eq!(effect(&ended), (EffectState::Seen, "The game session is TERMINATED (FORCE_TERMINATED)."));
    assert_eq!(stored_status(&bench, &id).await, GameSessionStatus::Terminated);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_placement_is_followed_to_the_session_it_found() {
    let bench = Bench::frozen().await;
    bench.fleets().await;
    let start = StartGameSessionPlacement {
        placement_id: PlacementId::from("ours-2"),
        game_session_queue_name: QueueName::from("arena-eu"),
        maximum_player_session_count: 8,
        game_session_name: None,
        game_properties: Vec::new(),
        game_session_data: None,
        players: Vec::new(),
        priority_override: None,
    };
    let started = bench.done(Request::StartGameSessionPlacement(start)).await;
    let placed = bench.followed(&started, SECOND).await;
    let (state, text) = effect(&placed);
    assert_eq!(state, EffectState::Seen, "{text}");
    assert!(text.contains("gamesession/fleet-") && text.contains("ours-2"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn capacity_is_followed_until_the_instances_are_active_even_through_a_restart() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("coop-script-eu").await.fleet_id;
    let suspend = Request::StopFleetActions(SetFleetActions { fleet_id: fleet.clone(), location: None });
    let suspended = bench.done(suspend).await;
    let suspended = bench.followed(&suspended, SECOND).await;
    assert_eq!(effect(&suspended), (EffectState::Seen, "Scaling is suspended in eu-west-1."));
    let before = bench.gateway.reader(&bench.region).unwrap().capacity(&fleet, None).await.unwrap().unwrap();
    let set = bench
        .done(Request::UpdateFleetCapacity(UpdateFleetCapacity {
            fleet_id: fleet.clone(),
            location: None,
            desired_instances: Some(before.desired + 1),
            min_size: None,
            max_size: Some(before.maximum + 1),
        }))
        .await;
    assert_eq!(set.outcome, ActivityOutcome::Done, "{set:?}");
    let bench = bench.killed_and_restarted().await;
    let seen = bench.followed(&set, Duration::from_secs(20)).await;
    let wanted = format!("eu-west-1 has {} instances active.", before.desired + 1);
    assert_eq!(effect(&seen), (EffectState::Seen, wanted.as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_change_is_not_followed() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("coop-script-eu").await;
    let unlike = bench.done(creation(&fleet.fleet_id, "ours-3")).await;
    assert_eq!(unlike.outcome, ActivityOutcome::Done, "{unlike:?}");
    let Request::CreateGameSession(mut other) = creation(&fleet.fleet_id, "ours-3") else { unreachable!() };
    other.maximum_player_session_count = 7;
    let refused = bench.done(Request::CreateGameSession(other)).await;
    assert_eq!(refused.outcome, ActivityOutcome::Failed, "{refused:?}");
    assert_eq!(refused.effect, None);
    let told = bench.guard.follow(&refused.id).await.unwrap();
    assert_eq!(told.borrow().outcome, ActivityOutcome::Failed, "and whoever follows it is told at once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_graceful_end_that_does_not_conclude_is_missed_and_force_ends_it() {
    // The server code of the canary fleet does not answer OnProcessTerminate.
    let bench = Bench { region: "us-east-1".into(), ..Bench::frozen().await };
    let fleet = bench.fleet("arena-canary-us").await.fleet_id;
    let session = bench.live(&fleet).await.remove(0);
    let end = |mode| bench.termination(&session.game_session_id, mode).request;
    let asked = bench.done(end(TerminationMode::TriggerOnProcessTerminate)).await;
    let stuck = bench.followed(&asked, Duration::from_secs(30)).await;
    let (state, text) = effect(&stuck);
    assert_eq!(state, EffectState::Missed, "{text}");
    assert!(text.contains("still TERMINATING") && text.contains("Terminate it at once"), "{text}");
    let forced = bench.done(end(TerminationMode::ForceTerminate)).await;
    let ended = bench.followed(&forced, SECOND).await;
    assert_eq!(effect(&ended).0, EffectState::Seen, "{:?}", ended.effect);
}
