//! The identity and the permission check.

use liftdeck_gateway::{ErrorKind, PermissionOutcome};

use crate::answers::Body;
use crate::server::{Answer, Server, impatient, patient};

#[tokio::test]
async fn the_caller_is_told_by_account_and_arn() {
    let server = Server::start(|_, _| Answer::Silence).await;
    let identity = server.gateway(patient()).await.prove().await.unwrap();
    assert_eq!(identity.account.as_str(), "111122223333");
    assert_eq!(identity.arn, "arn:aws:iam::111122223333:user/ops");
}

#[tokio::test]
async fn an_expired_login_is_a_state_with_a_remedy() {
    let server = Server::start_asked(|_, _| Answer::Whole {
        status: 403,
        headers: vec![("content-type", "text/xml".to_owned())],
        body:
            br"<ErrorResponse><Error><Type>Sender</Type><Code>ExpiredToken</Code><Message>The security token
            included in the request is expired</Message></Error><RequestId>r-9</RequestId></ErrorResponse>"
                .to_vec(),
    })
    .await;
    let error = server.gateway(patient()).await.prove().await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Credentials);
    assert!(error.remedy().unwrap().contains("aws sso login"));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn the_check_tries_every_read_once_and_names_what_is_denied() {
    let server = Server::start(|request, _| match request.operation.as_str() {
        "DescribePlayerSessions" => Answer::error(403, "AccessDeniedException", "User is not authorized"),
        "DescribeInstances" => Answer::error(400, "NotFoundException", "no such fleet"),
        "LookupEvents" => Answer::status(200, br#"{"Events":[]}"#.to_vec()),
        _ => Answer::cbor(Body::new().bytes()),
    })
    .await;
    let checks = server.gateway(patient()).await.check().await;
    let denied: Vec<_> = checks.iter().filter(|check| check.outcome != PermissionOutcome::Allowed).collect();
    assert_eq!(denied.len(), 1);
    assert_eq!(denied[0].action, "gamelift:DescribePlayerSessions");
    assert_eq!(denied[0].request_id.as_deref(), Some("req-1"));
    assert_eq!(server.requests().len(), checks.len());
    let mut actions: Vec<_> = checks.iter().map(|check| check.action.as_str()).collect();
    actions.sort_unstable();
    actions.dedup();
    assert_eq!(actions.len(), checks.len());
    assert!(server.requests().iter().all(|request| {
        !request.operation.starts_with("Update") && !request.operation.starts_with("Create")
    }));
}

#[tokio::test]
async fn a_region_nobody_answers_in_is_tried_once_not_once_an_action() {
    let server = Server::start(|_, _| Answer::Silence).await;
    let gateway = server.gateway(impatient()).await;
    let checks = gateway.check().await;
    assert!(checks.iter().all(|check| check.outcome == PermissionOutcome::Failed && check.detail.is_some()));
    assert_eq!(Server::attempts(&gateway), 3, "the attempts of one call");
}
