//! The identity check: it comes before anything else, and without the right answer nothing is sent.

#![allow(clippy::disallowed_methods, reason = "changes are among what must not be sent")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use liftdeck_gateway::{ConnectionSpec, ErrorKind, EventQueue, Gateway, GatewayError, Grant, Patience};
use liftdeck_model::Region;
use liftdeck_model::action::{DeleteAlias, Request as Change};
use tokio::task::JoinSet;

use crate::answers::aliases;
use crate::server::{ACCOUNT, Answer, Request, Server, caller, patient, region};

const ANOTHER: &str = "999988887777";
const HOUR: Duration = Duration::from_secs(3_600);

/// Answers the identity check with `ops`, and everything else with an empty list.
fn as_ops(request: &Request, _: usize) -> Answer {
    if request.is_question() { Answer::caller(&caller("ops")) } else { Answer::cbor(aliases(&[], None)) }
}

async fn connect(server: &Server, account: &str) -> Gateway {
    let spec = ConnectionSpec { account: Some(account.into()), ..server.spec(patient()) };
    Gateway::connect(spec).await.unwrap()
}

async fn read(gateway: &Gateway) -> Option<GatewayError> {
    gateway.reader(&region()).unwrap().aliases().await.failure
}

fn questions(server: &Server) -> usize {
    server.requests().iter().filter(|request| request.is_question()).count()
}

fn rename() -> Change {
    Change::DeleteAlias(DeleteAlias { alias_id: "alias-1".into() })
}

#[tokio::test]
async fn the_first_request_asks_whose_account_it_is_once_for_all_who_wait() {
    let server = Server::start_asked(as_ops).await;
    let gateway = connect(&server, ACCOUNT).await;
    let mut readers = JoinSet::new();
    for _ in 0..8 {
        let gateway = gateway.clone();
        readers.spawn(async move { read(&gateway).await });
    }
    assert!(readers.join_all().await.iter().all(Option::is_none));
    assert!(server.requests()[0].is_question());
    assert_eq!((questions(&server), server.requests().len()), (1, 9));
}

#[tokio::test]
async fn another_account_gets_nothing_but_the_question() {
    let server = Server::start_asked(as_ops).await;
    let gateway = connect(&server, ANOTHER).await;
    let queue = EventQueue { region: region(), url: format!("{}/1/q", server.endpoint) };
    let feed = gateway.event_feed(&queue).unwrap();
    let grant = Grant::issue(HOUR, caller("ops"));
    for error in [
        read(&gateway).await.unwrap(),
        feed.glance(10).await.unwrap_err(),
        feed.attributes().await.unwrap_err(),
        gateway.reader(&region()).unwrap().list_metrics(false).await.failure.unwrap(),
        gateway.prove().await.unwrap_err(),
        gateway.operator(&region(), &grant).await.unwrap_err(),
    ] {
        assert_eq!(error.kind, ErrorKind::WrongAccount, "{error}");
        for account in [ACCOUNT, ANOTHER] {
            assert!(error.to_string().contains(account), "{error}");
        }
        assert!(!error.may_have_happened() && error.remedy().is_some(), "{error}");
    }
    assert!(!grant.is_valid(), "what was unlocked is locked");
    assert!(server.requests().iter().all(Request::is_question), "{:?}", server.requests());
    assert_eq!(questions(&server), 2, "once for whoever reads, and again where somebody asks");
}

#[tokio::test]
async fn the_first_answer_names_the_account_of_a_connection_that_had_none() {
    let moved = Arc::new(AtomicBool::new(false));
    let elsewhere = Arc::clone(&moved);
    let server = Server::start_asked(move |request, number| match elsewhere.load(Ordering::SeqCst) {
        true if request.is_question() => {
            let account = ANOTHER.into();
            Answer::caller(&liftdeck_gateway::CallerIdentity { account, ..caller("ops") })
        }
        _ => as_ops(request, number),
    })
    .await;
    let gateway = server.gateway(patient()).await;
    assert_eq!(gateway.prove().await.unwrap(), caller("ops"));
    moved.store(true, Ordering::SeqCst);
    assert_eq!(gateway.prove().await.unwrap_err().kind, ErrorKind::WrongAccount);
    assert_eq!(read(&gateway).await.unwrap().kind, ErrorKind::WrongAccount);
}

#[tokio::test]
async fn while_aws_does_not_say_nothing_is_sent_and_it_goes_on_once_it_does() {
    for trouble in [
        Answer::status(503, Vec::new()),
        Answer::Reset,
        Answer::Silence,
        Answer::Drip,
        Answer::cbor(Vec::new()),
        Answer::error(400, "Throttling", "Rate exceeded"),
    ] {
        let (trouble, healed) = (trouble.clone(), Arc::new(AtomicBool::new(false)));
        let (answer, is_healed) = (trouble.clone(), Arc::clone(&healed));
        let server = Server::start_asked(move |request, number| match is_healed.load(Ordering::SeqCst) {
            false if request.is_question() => answer.clone(),
            _ => as_ops(request, number),
        })
        .await;
        let patience = if trouble.is_endless() { Duration::from_millis(600) } else { patient().proof };
        let spec = server.spec(Patience { proof: patience, ..patient() });
        let gateway = Gateway::connect(spec).await.unwrap();
        let grant = Grant::issue(HOUR, caller("ops"));
        for error in [read(&gateway).await.unwrap(), gateway.operator(&region(), &grant).await.unwrap_err()] {
            assert_eq!(error.kind, ErrorKind::Unproven, "{trouble:?}: {error}");
            assert!(error.is_unproven() && error.retryable() && !error.may_have_happened(), "{error}");
            assert!(error.to_string().contains("GetCallerIdentity"), "{error}");
        }
        assert!(grant.is_valid(), "silence is nobody else");
        assert!(server.requests().iter().all(Request::is_question), "{:?}", server.requests());
        healed.store(true, Ordering::SeqCst);
        // A faulty response may still be in progress, so a new gateway is tried first.
        let patient = Gateway::connect(server.spec(patient())).await.unwrap();
        assert_eq!(read(&patient).await, None, "{trouble:?}");
        if !trouble.is_endless() {
            assert_eq!(read(&gateway).await, None, "{trouble:?}");
        }
    }
}

#[tokio::test]
async fn a_login_that_has_expired_asks_for_a_login_and_sends_nothing() {
    let server = Server::start_asked(|_, _| Answer::Whole {
        status: 403,
        headers: vec![("content-type", "text/xml".to_owned()), ("x-amzn-requestid", "r-9".to_owned())],
        body: b"<ErrorResponse><Error><Type>Sender</Type><Code>ExpiredToken</Code><Message>expired</Message></Error>\
            <RequestId>r-9</RequestId></ErrorResponse>"
            .to_vec(),
    })
    .await;
    let error = read(&server.gateway(patient()).await).await.unwrap();
    assert_eq!((error.kind, error.is_unproven()), (ErrorKind::Credentials, true), "{error}");
    assert_eq!((error.code.as_deref(), error.request_id.as_deref()), (Some("ExpiredToken"), Some("r-9")));
    assert!(error.remedy().unwrap().contains("aws sso login"));
    assert!(server.requests().iter().all(Request::is_question));
}

#[tokio::test]
async fn who_is_not_the_one_that_unlocked_it_sends_nothing_and_locks_it() {
    let server = Server::start_asked(as_ops).await;
    let gateway = connect(&server, ACCOUNT).await;
    let grant = Grant::issue(HOUR, caller("alice"));
    let error = gateway.operator(&region(), &grant).await.unwrap_err();
    assert_eq!((error.kind, error.may_have_happened()), (ErrorKind::WrongCaller, false), "{error}");
    for user in ["user/alice", "user/ops"] {
        assert!(error.to_string().contains(user), "{error}");
    }
    assert!(!grant.is_valid());
    assert!(server.requests().iter().all(Request::is_question));
    assert_eq!(read(&gateway).await, None, "who it is matters to changes alone");
}

#[tokio::test]
async fn many_changes_ask_once() {
    let server = Server::start_asked(as_ops).await;
    let grant = Grant::issue(HOUR, caller("ops"));
    let (_, operator) = server.operator(patient(), &grant).await;
    for _ in 0..20 {
        operator.send(&rename(), None).await.unwrap();
    }
    // On a slow machine, twenty changes may take longer than one answer stays fresh.
    assert!(questions(&server) < 5, "{}", questions(&server));
}

#[tokio::test]
async fn a_region_that_does_not_say_leaves_the_question_to_another() {
    let away = Region::from("us-east-1");
    let server = Server::start_asked(|request, number| {
        let is_away = request.head.contains("/us-east-1/sts/");
        if is_away { Answer::Reset } else { as_ops(request, number) }
    })
    .await;
    let spec = ConnectionSpec { regions: vec![away.clone(), region()], ..server.spec(patient()) };
    let gateway = Gateway::connect(spec).await.unwrap();
    assert_eq!(gateway.reader(&away).unwrap().aliases().await.failure, None);
    assert!(server.requests()[0].head.contains("/us-east-1/sts/"), "the Region that is read is asked first");
    assert_eq!(gateway.prove().await.unwrap(), caller("ops"));
}
