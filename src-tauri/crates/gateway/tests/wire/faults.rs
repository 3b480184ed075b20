//! Every fault a server can answer with, and how the gateway handles it.

use std::time::Duration;

use liftdeck_gateway::{ConnectionSpec, ErrorKind, Gateway, GatewayError, Patience};

use crate::answers::aliases;
use crate::server::{Answer, Server, impatient, patient, region};

/// Only a few of a hundred attempts: the time for the call has run out by then, however fast the machine is.
const FEW: usize = 10;

/// Reads the aliases from a server that always answers with the same fault. Returns the error and the number of
/// attempts.
async fn fail_with(answer: Answer) -> (GatewayError, usize) {
    let (endless, patience) = if answer.is_endless() { (true, impatient()) } else { (false, patient()) };
    let server = Server::start(move |_, _| answer.clone()).await;
    let gateway = server.gateway(patience).await;
    let reading = gateway.reader(&region()).unwrap().aliases().await;
    assert!(reading.items.is_empty() && !reading.complete);
    let attempts = Server::attempts(&gateway);
    assert!(endless || server.requests().len() == attempts, "{:?}", server.requests());
    (reading.failure.expect("a fault is never silent"), attempts)
}

#[tokio::test]
async fn an_html_page_with_503_is_tried_again_and_named_by_its_status() {
    let (error, attempts) =
        fail_with(Answer::status(503, b"<html>Service Unavailable</html>".to_vec())).await;
    assert_eq!((error.kind, attempts), (ErrorKind::Service, 3));
    assert!(error.to_string().contains("HTTP status 503"), "{error}");
    assert_eq!(error.request_id.as_deref(), Some("req-1"));
}

#[tokio::test]
async fn a_429_without_a_body_is_a_throttle() {
    let server = Server::start(|_, number| match number {
        0 => Answer::status(429, Vec::new()),
        _ => Answer::cbor(aliases(&["alias-1"], None)),
    })
    .await;
    let gateway = server.gateway(patient()).await;
    let reading = gateway.reader(&region()).unwrap().aliases().await;
    assert!(reading.complete, "{:?}", reading.failure);
    let usage = gateway.usage();
    let aliases = usage.operations.iter().find(|usage| usage.operation == "ListAliases").unwrap();
    assert_eq!((aliases.calls, aliases.retries, aliases.throttles, aliases.errors), (2, 1, 1, 0));
    assert!(aliases.allowed_per_second.unwrap() < 16.0, "30 a second were halved");
}

#[tokio::test]
async fn every_attempt_but_the_first_is_counted_as_a_retry() {
    let server = Server::start(|_, number| match number {
        0 | 1 => Answer::status(503, Vec::new()),
        _ => Answer::cbor(aliases(&["alias-1"], None)),
    })
    .await;
    let gateway = server.gateway(patient()).await;
    assert!(gateway.reader(&region()).unwrap().aliases().await.complete);
    let usage = gateway.usage();
    let aliases = usage.operations.iter().find(|usage| usage.operation == "ListAliases").unwrap();
    assert_eq!((aliases.calls, aliases.retries, aliases.throttles, aliases.errors), (3, 2, 0, 0));
}

#[tokio::test]
async fn a_throttling_code_is_a_throttle_whatever_its_status() {
    let (error, attempts) = fail_with(Answer::error(400, "ThrottlingException", "Rate exceeded")).await;
    assert_eq!((error.kind, attempts), (ErrorKind::Throttled, 3));
    assert_eq!(error.code.as_deref(), Some("ThrottlingException"));
}

#[tokio::test]
async fn a_truncated_body_is_tried_again() {
    let whole = aliases(&["alias-1"], None);
    let server = Server::start(move |_, number| match number {
        0 => Answer::cbor(whole[..whole.len() / 2].to_vec()),
        1 => Answer::Cut { body: whole.clone(), sent: whole.len() - 1 },
        _ => Answer::cbor(whole.clone()),
    })
    .await;
    let reading = server.reader().await.aliases().await;
    assert_eq!(reading.items.len(), 1);
    assert!(reading.complete);
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn damage_that_stays_is_reported_as_damage() {
    let mut deep = vec![0x81; 200_000];
    deep.push(0);
    let empty: Vec<u8> = Vec::new();
    for body in [
        empty,
        b"{\"Aliases\":[]}".to_vec(),
        b"<html></html>".to_vec(),
        vec![0xa1],
        b"\xa1\x67Aliases\x9a\xff\xff\xff\xff".to_vec(),
        deep,
    ] {
        let (error, attempts) = fail_with(Answer::cbor(body.clone())).await;
        assert_eq!((error.kind, attempts), (ErrorKind::Decode, 3), "{:?}", &body[..body.len().min(16)]);
        assert_eq!(error.request_id.as_deref(), Some("req-1"));
    }
}

#[tokio::test]
async fn a_silent_server_is_given_up() {
    let (error, attempts) = fail_with(Answer::Silence).await;
    assert_eq!((error.kind, attempts), (ErrorKind::TimedOut, 3));
}

#[tokio::test]
async fn a_dripping_server_is_given_up() {
    let (error, attempts) = fail_with(Answer::Drip).await;
    assert_eq!((error.kind, attempts), (ErrorKind::TimedOut, 3));
}

#[tokio::test]
async fn the_patience_for_a_call_bounds_all_its_attempts_together() {
    let server = Server::start(|_, _| Answer::Silence).await;
    let patience = Patience { call: Duration::from_secs(6), attempts: 100, ..impatient() };
    let gateway = server.gateway(patience).await;
    let reading = gateway.reader(&region()).unwrap().aliases().await;
    assert_eq!(reading.failure.unwrap().kind, ErrorKind::TimedOut);
    assert!(Server::attempts(&gateway) < FEW, "{}", Server::attempts(&gateway));
}

#[tokio::test]
async fn a_reset_connection_is_tried_again() {
    let server = Server::start(|_, number| match number {
        0 | 1 => Answer::Reset,
        _ => Answer::cbor(aliases(&["alias-1"], None)),
    })
    .await;
    assert!(server.reader().await.aliases().await.complete);
    let (error, attempts) = fail_with(Answer::Reset).await;
    assert_eq!((error.kind, attempts), (ErrorKind::Unreachable, 3));
}

#[tokio::test]
async fn nobody_listening_names_the_endpoint() {
    let server = Server::start(|_, _| Answer::Silence).await;
    let spec = server.spec(patient());
    let endpoint = server.endpoint.clone();
    drop(server);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let reader = Gateway::connect(spec).await.unwrap().reader(&region()).unwrap();
    let error = reader.aliases().await.failure.unwrap();
    assert_eq!(error.kind, ErrorKind::Unproven, "the first question is whose account it is");
    assert!(error.to_string().contains(&format!("could not reach {endpoint}")), "{error}");
    assert!(error.remedy().unwrap().contains(&endpoint));
}

#[tokio::test]
async fn refusals_are_not_repeated() {
    for (status, code, kind) in [
        (400, "InvalidRequestException", ErrorKind::Invalid),
        (400, "LimitExceededException", ErrorKind::Invalid),
        (400, "NotReadyException", ErrorKind::Invalid),
        (400, "com.amazonaws.gamelift#NotFoundException", ErrorKind::NotFound),
        (400, "UnsupportedRegionException", ErrorKind::Config),
        (403, "AccessDeniedException", ErrorKind::Denied),
        (403, "ExpiredTokenException", ErrorKind::Credentials),
        (403, "UnrecognizedClientException", ErrorKind::Credentials),
    ] {
        let (error, attempts) = fail_with(Answer::error(status, code, "no")).await;
        assert_eq!((error.kind, attempts), (kind, 1), "{code}");
        assert_eq!(error.code.as_deref(), Some(code.rsplit('#').next().unwrap()));
        assert_eq!(error.region(), Some(&region()));
    }
}

#[tokio::test]
async fn a_clock_that_is_hours_off_is_corrected_from_the_refusal() {
    let server = Server::start(|_, number| match number {
        0 => {
            let Answer::Whole { status, mut headers, body } =
                Answer::error(403, "RequestTimeTooSkewed", "the time is off")
            else {
                unreachable!()
            };
            headers.push(("date", "Wed, 01 Jan 2031 00:00:00 GMT".to_owned()));
            Answer::Whole { status, headers, body }
        }
        _ => Answer::cbor(aliases(&["alias-1"], None)),
    })
    .await;
    let reader = server.reader().await;
    assert!(reader.aliases().await.complete);
    assert!(reader.aliases().await.complete);
    let requests = server.requests();
    assert_eq!(requests.len(), 3, "the second call begins with the corrected clock");
    assert!(requests[1].head.contains("x-amz-date: 20310101T"), "{}", requests[1].head);
    assert!(requests[2].head.contains("x-amz-date: 20310101T"), "{}", requests[2].head);
}

#[tokio::test]
async fn a_profile_that_does_not_exist_is_refused_by_name() {
    let server = Server::start(|_, _| Answer::cbor(aliases(&[], None))).await;
    let missing =
        ConnectionSpec { profile: Some("no-such-profile-anywhere".to_owned()), ..server.spec(patient()) };
    let error = Gateway::connect(missing).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Config);
    assert!(error.to_string().contains("no-such-profile-anywhere"), "{error}");
}

#[tokio::test]
async fn a_connection_without_regions_or_with_a_wrong_endpoint_is_refused_at_once() {
    let server = Server::start(|_, _| Answer::Silence).await;
    for spec in [
        ConnectionSpec { regions: Vec::new(), ..server.spec(patient()) },
        ConnectionSpec { endpoint_url: Some("localhost:80".to_owned()), ..server.spec(patient()) },
    ] {
        assert_eq!(Gateway::connect(spec).await.unwrap_err().kind, ErrorKind::Config);
    }
    let gateway = server.gateway(patient()).await;
    assert_eq!(gateway.reader(&"us-east-1".into()).unwrap_err().kind, ErrorKind::Config);
    assert!(server.requests().is_empty());
}
