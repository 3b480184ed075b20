//! Changes: when they are retried, when they may have happened, and that nothing is sent without a grant.

#![allow(clippy::disallowed_methods, reason = "the subject of these tests")]

use std::time::Duration;

use liftdeck_gateway::{ErrorKind, Gateway, GatewayError, Grant, Made, Operator, Patience, Sent};
use liftdeck_model::Timestamp;
use liftdeck_model::action::{
    CreateAlias, CreateGameSession, DeleteAlias, GameSessionTarget, Request, SetFleetActions,
    TerminateGameSession, TerminationMode, UpdateAlias,
};
use liftdeck_model::alias::RoutingStrategy;

use crate::answers::{Body, alias, game_session};
use crate::server::{Answer, Server, caller, impatient, patient, region};

const HOUR: Duration = Duration::from_secs(3_600);

/// A change that ends something.
fn terminate() -> Request {
    Request::TerminateGameSession(TerminateGameSession {
        game_session_id: "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/s-1".into(),
        termination_mode: TerminationMode::ForceTerminate,
    })
}

/// A change that creates something.
fn create() -> Request {
    Request::CreateAlias(CreateAlias {
        name: "live".to_owned(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: "fleet-1".into() },
    })
}

/// A change that sets a value: retried late, it would undo what somebody else has set since.
fn repoint() -> Request {
    Request::UpdateAlias(UpdateAlias {
        alias_id: "alias-1".into(),
        name: None,
        description: None,
        routing: Some(RoutingStrategy::Simple { fleet_id: "fleet-2".into() }),
    })
}

/// A change with an idempotency token, which is useless if the alias is repointed in between.
fn create_session() -> Request {
    Request::CreateGameSession(CreateGameSession {
        target: GameSessionTarget::Alias("alias-1".into()),
        location: None,
        maximum_player_session_count: 4,
        name: None,
        game_properties: Vec::new(),
        game_session_data: None,
        idempotency_token: "token-1".to_owned(),
        creator_id: None,
    })
}

fn ended() -> Answer {
    Answer::cbor(Body::new().with("GameSession", game_session("s-1")).bytes())
}

fn created() -> Answer {
    Answer::cbor(Body::new().with("Alias", alias("alias-1")).bytes())
}

/// A grant for the caller that the server names.
fn grant() -> Grant {
    Grant::issue(HOUR, caller("ops"))
}

async fn operator(server: &Server) -> Operator {
    server.operator(patient(), &grant()).await.1
}

/// Sends a change to a server that always gives this answer. Returns the result and how often it was sent.
async fn always(answer: Answer, request: &Request) -> (Result<Sent, GatewayError>, usize) {
    let (endless, patience) = if answer.is_endless() { (true, impatient()) } else { (false, patient()) };
    let server = Server::start(move |_, _| answer.clone()).await;
    let (gateway, operator) = server.operator(patience, &grant()).await;
    let sent = operator.send(request, None).await;
    let attempts = Server::attempts(&gateway);
    assert!(endless || server.requests().len() == attempts, "{:?}", server.requests());
    (sent, attempts)
}

#[tokio::test]
async fn a_change_without_an_answer_is_never_sent_again() {
    for answer in [
        Answer::Silence,
        Answer::Reset,
        Answer::Cut { body: vec![0xa0; 64], sent: 10 },
        Answer::cbor(vec![0xa1]),
        Answer::error(500, "InternalServiceException", "no"),
        Answer::status(503, Vec::new()),
    ] {
        for request in [create(), terminate(), repoint(), create_session()] {
            let (sent, times) = always(answer.clone(), &request).await;
            let error = sent.unwrap_err();
            assert_eq!(times, 1, "{answer:?}: {error}");
            assert!(error.may_have_happened(), "{answer:?}: {error}");
        }
    }
}

#[tokio::test]
async fn a_refusal_is_a_no_and_nothing_else() {
    for (status, code) in [
        (400, "InvalidRequestException"),
        (400, "InvalidGameSessionStatusException"),
        (400, "LimitExceededException"),
        (400, "NotFoundException"),
        (403, "AccessDeniedException"),
        (403, "ExpiredTokenException"),
    ] {
        for request in [create(), terminate()] {
            let (sent, times) = always(Answer::error(status, code, "No."), &request).await;
            let error = sent.unwrap_err();
            assert_eq!((times, error.may_have_happened()), (1, false), "{code}");
            assert_eq!(error.code.as_deref(), Some(code));
            assert_eq!(error.request_id.as_deref(), Some("req-1"));
        }
    }
}

#[tokio::test]
async fn nobody_listening_is_surely_not_done() {
    let server = Server::start(|_, _| Answer::Silence).await;
    let spec = server.spec(patient());
    drop(server);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let gateway = Gateway::connect(spec).await.unwrap();
    let error = gateway.operator(&region(), &grant()).await.unwrap_err();
    assert_eq!((error.kind, error.may_have_happened()), (ErrorKind::Unproven, false), "{error}");
}

#[tokio::test]
async fn a_throttled_change_is_tried_until_it_gets_through() {
    let server = Server::start(|_, number| match number {
        0..4 => Answer::error(400, "ThrottlingException", "Rate exceeded"),
        _ => created(),
    })
    .await;
    let sent = operator(&server).await.send(&create(), None).await.unwrap();
    assert_eq!(server.requests().len(), 5, "more often than a read would be");
    assert_eq!(sent.request_id, "req-1");
    let Made::Alias(made) = sent.made else { panic!("{:?}", sent.made) };
    assert_eq!(made.alias_id.as_str(), "alias-1");
}

#[tokio::test]
async fn a_success_without_its_record_may_have_happened() {
    let (sent, times) = always(Answer::cbor(Body::new().bytes()), &create()).await;
    let error = sent.unwrap_err();
    assert_eq!((error.kind, times, error.may_have_happened()), (ErrorKind::Decode, 1, true));
    assert_eq!(error.request_id.as_deref(), Some("req-1"));
}

#[tokio::test]
async fn a_success_that_bears_no_request_id_is_not_taken_for_the_word_of_aws() {
    let delete = Request::DeleteAlias(DeleteAlias { alias_id: "alias-1".into() });
    let portal = || Answer::Whole {
        status: 200,
        headers: vec![("smithy-protocol", "rpc-v2-cbor".to_owned())],
        body: b"<html>Welcome to our Wi-Fi</html>".to_vec(),
    };
    let (sent, times) = always(portal(), &delete).await;
    let error = sent.unwrap_err();
    assert_eq!((error.kind, times, error.may_have_happened()), (ErrorKind::Decode, 1, true), "{error}");
}

#[tokio::test]
async fn an_answer_without_a_record_is_all_some_changes_have() {
    let actions = SetFleetActions { fleet_id: "fleet-1".into(), location: Some("eu-north-1".into()) };
    let server = Server::start(|_, _| Answer::cbor(Body::new().text("FleetId", "fleet-1").bytes())).await;
    let sent = operator(&server).await.send(&Request::StopFleetActions(actions), None).await;
    assert_eq!(sent.unwrap().made, Made::Nothing);
    let request = server.requests().remove(0);
    assert_eq!(request.operation, "StopFleetActions");
    for member in ["AUTO_SCALING", "eu-north-1", "fleet-1"] {
        assert!(request.mentions(member), "{member}");
    }
}

#[tokio::test]
async fn nothing_is_sent_once_the_grant_has_ended() {
    let server = Server::start(|_, _| ended()).await;
    let grant = grant();
    let (gateway, operator) = server.operator(patient(), &grant).await;
    operator.send(&terminate(), None).await.unwrap();
    grant.revoke();
    let error = operator.send(&terminate(), None).await.unwrap_err();
    assert_eq!((error.kind, error.may_have_happened()), (ErrorKind::ReadOnly, false));
    assert!(error.remedy().unwrap().contains("Unlock") && error.resource.is_some(), "{error}");
    assert_eq!(gateway.operator(&region(), &grant).await.unwrap_err().kind, ErrorKind::ReadOnly);
    let over = Grant::issue(Duration::ZERO, caller("ops"));
    assert_eq!(gateway.operator(&region(), &over).await.unwrap_err().kind, ErrorKind::ReadOnly);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_grant_revoked_between_attempts_ends_them() {
    let grant = grant();
    let of_server = grant.clone();
    let server = Server::start(move |_, _| {
        of_server.revoke();
        Answer::error(400, "ThrottlingException", "Rate exceeded")
    })
    .await;
    let (_, operator) = server.operator(patient(), &grant).await;
    let error = operator.send(&create(), None).await.unwrap_err();
    assert_eq!((error.kind, server.requests().len()), (ErrorKind::ReadOnly, 1));
    assert!(!error.may_have_happened());
}

#[tokio::test]
async fn a_last_attempt_is_not_sent_with_no_time_left_to_hear_its_answer() {
    // Only enough time for one attempt: after a pause, less is left than an attempt of a change takes.
    let patience = Patience { call: patient().attempt, ..patient() };
    let throttled = |_: &_, _| Answer::error(400, "ThrottlingException", "Rate exceeded");
    let server = Server::start(throttled).await;
    let (_, operator) = server.operator(patience, &grant()).await;
    let error = operator.send(&create(), None).await.unwrap_err();
    assert_eq!((error.kind, error.may_have_happened()), (ErrorKind::Throttled, false), "{error}");
    assert_eq!(server.requests().len(), 1);
    // The outcome of a read does not have to be known, so it is retried while most responses would still arrive in
    // time.
    let server = Server::start(throttled).await;
    let reader = server.gateway(patience).await.reader(&region()).unwrap();
    assert_eq!(reader.aliases().await.failure.unwrap().kind, ErrorKind::Throttled);
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn a_connection_changes_only_its_own_regions() {
    let server = Server::start(|_, _| ended()).await;
    let gateway = server.gateway(patient()).await;
    let error = gateway.operator(&"us-east-1".into(), &grant()).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Config);
}

#[tokio::test]
async fn an_answer_tells_what_time_it_is_at_aws() {
    let server = Server::start(|_, number| {
        let Answer::Whole { status, mut headers, body } = ended() else { panic!("it is whole") };
        if number == 1 {
            headers.push(("date", "Sun, 22 Nov 2026 12:00:00 GMT".to_owned()));
        }
        Answer::Whole { status, headers, body }
    })
    .await;
    let (gateway, operator) = server.operator(patient(), &grant()).await;
    operator.send(&terminate(), None).await.unwrap();
    assert_eq!(gateway.aws_now(), None, "nobody has told it yet");
    operator.send(&terminate(), None).await.unwrap();
    assert!(gateway.aws_now() >= Some(Timestamp::from_ms(1_795_348_800_000)), "{:?}", gateway.aws_now());
}
