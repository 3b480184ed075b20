//! Changes to game sessions and their player sessions.

use liftdeck_gateway::ErrorKind;
use liftdeck_model::GameSessionId;
use liftdeck_model::fleet::ProtectionPolicy;
use liftdeck_model::game_session::GameSessionStatus;

use super::*;

fn terminate(id: &GameSessionId, termination_mode: TerminationMode) -> Request {
    Request::TerminateGameSession(TerminateGameSession { game_session_id: id.clone(), termination_mode })
}

fn reserve(id: &GameSessionId, players: &[&str]) -> Request {
    let players = players
        .iter()
        .map(|id| NewPlayerSession { player_id: (*id).into(), player_data: Some("level=3".to_owned()) });
    Request::CreatePlayerSessions(CreatePlayerSessions {
        game_session_id: id.clone(),
        players: players.collect(),
    })
}

#[tokio::test]
async fn a_session_is_made_once_joined_changed_and_ended() {
    let bench = Bench::open().await;
    let fleet = bench.fleet().await.fleet_id;
    let request = create(GameSessionTarget::Fleet(fleet.clone()), "token-1");
    let first = session(bench.made(request.clone()).await);
    assert_eq!((first.game_session_id.short(), first.fleet_id.clone()), ("token-1", fleet));
    let again = session(bench.made(request).await);
    assert_eq!(again.game_session_id, first.game_session_id, "the token makes it once");
    let id = first.game_session_id;
    bench.pass(60).await;

    let update = Request::UpdateGameSession(UpdateGameSession {
        game_session_id: id.clone(),
        name: Some("renamed".to_owned()),
        maximum_player_session_count: Some(2),
        player_session_creation_policy: Some(PlayerSessionCreationPolicy::AcceptAll),
        protection_policy: Some(Protection::FullProtection),
        game_properties: vec![GameProperty { key: "round".to_owned(), value: "2".to_owned() }],
    });
    let updated = session(bench.made(update).await);
    assert_eq!((updated.name.as_deref(), updated.maximum_player_session_count), (Some("renamed"), 2));
    assert_eq!(updated.game_properties.len(), 2, "properties are added");
    let seen = bench.reader.game_session(&id).await.unwrap().unwrap();
    assert_eq!(seen.protection_policy, Some(ProtectionPolicy::FullProtection));
    assert_eq!(seen.status, GameSessionStatus::Active);

    let Made::PlayerSessions(slots) = bench.made(reserve(&id, &["ada", "bo"])).await else {
        panic!("player sessions")
    };
    assert_eq!(slots.len(), 2);
    assert!(slots.iter().all(|slot| slot.player_session_id.as_str().starts_with("psess-")));
    assert!(slots.iter().all(|slot| slot.ip_address.is_some() && slot.port.is_some()));
    let full = bench.refused(reserve(&id, &["cy"]), "GameSessionFullException").await;
    assert_eq!(full.kind, ErrorKind::Invalid);

    let ending = session(bench.made(terminate(&id, TerminationMode::ForceTerminate)).await);
    assert_eq!(ending.status, GameSessionStatus::Terminating);
    bench.pass(60).await;
    let gone = bench.reader.game_session(&id).await.unwrap().unwrap();
    assert_eq!(gone.status, GameSessionStatus::Terminated);
    assert!(bench.reader.game_session_log_url(&id).await.unwrap().is_some());
    let never = GameSessionId::from(id.as_str().replace("token-1", "never-was"));
    let error = bench
        .refused(terminate(&never, TerminationMode::TriggerOnProcessTerminate), "NotFoundException")
        .await;
    assert!(error.to_string().contains(never.as_str()), "{error}");
}
