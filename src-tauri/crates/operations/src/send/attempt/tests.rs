//! What is recorded as made, and which bytes go with a request.

use liftdeck_gateway::ReservedPlayerSession;
use liftdeck_model::PlayerSessionId;
use liftdeck_model::action::{
    CreateAlias, CreateGameSession, CreatePlayerSessions, GameSessionTarget, StartGameSessionPlacement,
    StartMatchBackfill, StartMatchmaking, TerminateGameSession, TerminationMode, UpdateScript, ZipFile,
};
use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_model::matchmaking::TicketStatus;
use liftdeck_model::placement::PlacementStatus;

use super::*;
use crate::fixtures::{self, SESSION_ARN};

fn create_session() -> Request {
    Request::CreateGameSession(CreateGameSession {
        target: GameSessionTarget::Fleet("fleet-1".into()),
        location: None,
        maximum_player_session_count: 8,
        name: None,
        game_properties: Vec::new(),
        game_session_data: None,
        idempotency_token: "tok".to_owned(),
        creator_id: None,
    })
}

fn place() -> Request {
    Request::StartGameSessionPlacement(StartGameSessionPlacement {
        placement_id: "plc-1".into(),
        game_session_queue_name: "live".into(),
        maximum_player_session_count: 8,
        game_session_name: None,
        game_properties: Vec::new(),
        game_session_data: None,
        players: Vec::new(),
        priority_override: None,
    })
}

fn end() -> Request {
    Request::TerminateGameSession(TerminateGameSession {
        game_session_id: SESSION_ARN.into(),
        termination_mode: TerminationMode::TriggerOnProcessTerminate,
    })
}

fn upload(zip_file: Option<ZipFile>) -> Request {
    Request::UpdateScript(UpdateScript { script_id: "script-1".into(), name: None, version: None, zip_file })
}

/// The id that is recorded as made.
fn id(answered: &Made, request: &Request) -> Option<String> {
    let (id, slots) = made(answered, request);
    assert_eq!(slots, []);
    id
}

#[test]
fn the_record_names_what_was_made() {
    let session = Made::GameSession(Box::new(fixtures::session(GameSessionStatus::Activating)));
    assert_eq!(id(&session, &create_session()).as_deref(), Some(SESSION_ARN));

    let mut placement = fixtures::placement(PlacementStatus::Pending);
    placement.game_session_id = Some(SESSION_ARN.into());
    assert_eq!(id(&Made::Placement(Box::new(placement.clone())), &place()).as_deref(), Some(SESSION_ARN));
    placement.game_session_id = None;
    assert_eq!(id(&Made::Placement(Box::new(placement)), &place()), None, "it is placed later");

    let alias = fixtures::alias("fleet-1");
    let create = Request::CreateAlias(CreateAlias {
        name: alias.name.clone(),
        description: None,
        routing: alias.routing.clone(),
    });
    assert_eq!(id(&Made::Alias(Box::new(alias)), &create).as_deref(), Some("alias-1"));

    let ticket = Made::Ticket(Box::new(fixtures::ticket(TicketStatus::Queued)));
    let start = Request::StartMatchmaking(StartMatchmaking {
        configuration_name: "duel".to_owned(),
        ticket_id: "t-1".into(),
        players: Vec::new(),
    });
    let backfill = Request::StartMatchBackfill(StartMatchBackfill {
        configuration_name: "duel".to_owned(),
        ticket_id: "t-1".into(),
        game_session_id: SESSION_ARN.into(),
        players: Vec::new(),
    });
    for request in [start, backfill] {
        assert_eq!(id(&ticket, &request).as_deref(), Some("t-1"));
    }
}

#[test]
fn the_record_names_the_slots_that_were_made() {
    let slot = |player: &str, slot: &str| ReservedPlayerSession {
        player_id: player.into(),
        player_session_id: PlayerSessionId::from(slot),
        ip_address: None,
        dns_name: None,
        port: None,
    };
    let request = Request::CreatePlayerSessions(CreatePlayerSessions {
        game_session_id: SESSION_ARN.into(),
        players: Vec::new(),
    });
    let reserved = Made::PlayerSessions(vec![slot("ada", "psess-1"), slot("bob", "psess-2")]);
    let slots = [("ada", "psess-1"), ("bob", "psess-2")];
    let slots = slots.map(|(player, slot)| (player.to_owned(), slot.to_owned()));
    assert_eq!(made(&reserved, &request), (None, slots.to_vec()));
}

#[test]
fn what_an_answer_shows_of_something_that_was_there_before_was_not_made() {
    let session = Made::GameSession(Box::new(fixtures::session(GameSessionStatus::Terminating)));
    assert_eq!(id(&session, &end()), None);
    assert_eq!(id(&Made::Alias(Box::new(fixtures::alias("fleet-1"))), &end()), None);
    assert_eq!(id(&Made::Placement(Box::new(fixtures::placement(PlacementStatus::Pending))), &end()), None);
    assert_eq!(id(&Made::Ticket(Box::new(fixtures::ticket(TicketStatus::Queued))), &end()), None);
    assert_eq!(id(&Made::Nothing, &create_session()), None);
}

#[tokio::test]
async fn only_the_files_that_were_looked_at_go_with_a_request() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"abc").unwrap();
    // The digest is the example of FIPS 180-2.
    let sha256 = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD".to_owned();
    let zip = ZipFile { path: file.path().display().to_string(), size_bytes: 3, sha256 };
    let attached = attachment(&upload(Some(zip.clone()))).await.unwrap();
    assert_eq!(attached.as_deref(), Some(b"abc".as_slice()));
    assert_eq!(attachment(&upload(None)).await.unwrap(), None);
    assert_eq!(attachment(&end()).await.unwrap(), None);

    let other_size = ZipFile { size_bytes: 4, ..zip.clone() };
    let other_bytes = ZipFile { sha256: zip.sha256.replace("BA78", "BA79"), ..zip.clone() };
    for changed in [other_size, other_bytes] {
        let refused = attachment(&upload(Some(changed))).await.unwrap_err().to_string();
        assert!(refused.contains("has changed since it was looked at"), "{refused}");
    }
    drop(file);
    let gone = attachment(&upload(Some(zip))).await.unwrap_err().to_string();
    assert!(gone.contains("could not be read"), "{gone}");
}
