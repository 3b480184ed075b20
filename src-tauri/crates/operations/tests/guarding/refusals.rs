//! What only the service can know comes back as a sentence with the code, the request id and advice.

use std::collections::BTreeMap;

use liftdeck_gateway::Patience;
use liftdeck_model::Environment;
use liftdeck_model::Severity;
use liftdeck_model::action::{CreateGameSession, GameSessionTarget, Request};
use liftdeck_model::activity::{Activity, ActivityOutcome};
use liftdeck_operations::OperationError;
use liftdeck_simulator::{Credentials, FaultKind, FaultRule};

use crate::asked;
use crate::bench::{Bench, warns};

/// Makes a change that fails, and checks that the message names this code, the request id and this advice.
async fn refused(bench: &Bench, request: Request, code: &str, advice: &str) -> Activity {
    let activity = bench.attempt(request).await;
    assert_eq!(activity.outcome, ActivityOutcome::Failed, "{activity:?}");
    assert_eq!(activity.aws_code.as_deref(), Some(code), "{activity:?}");
    let message = activity.message.clone().unwrap();
    let request_id = activity.request_id.clone().unwrap();
    assert!(message.contains(code) && message.contains(&request_id) && message.contains(advice), "{message}");
    assert!(activity.caller_arn.is_some(), "who was refused is on record: {activity:?}");
    assert_eq!(bench.recorded(&activity.id).await, activity);
    activity
}

/// Checks that a confirmation does not send what AWS would refuse according to the preview.
async fn not_sent(bench: &Bench, request: Request) {
    let (operation, preview) = (request.operation(), bench.preview(request).await);
    let sent = bench.calls(operation);
    assert_eq!(
        (preview.items.len(), preview.skipped().len(), preview.confirmable),
        (0, 1, false),
        "{preview:?}"
    );
    let refused = bench.confirm(&preview).await;
    assert!(matches!(refused, Err(OperationError::Refused(_))), "{refused:?}");
    assert_eq!(bench.calls(operation), sent);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_alias_a_mismatched_token_and_an_ended_session() {
    let bench = Bench::open().await;
    let legacy = bench.alias("arena-legacy-eu").await.alias_id;
    let through = asked::create(GameSessionTarget::Alias(legacy), "token-1");
    let preview = bench.preview(through.clone()).await;
    assert!(warns(&preview, Severity::Bad, "terminal"), "{:?}", preview.warnings);
    assert!(warns(&preview, Severity::Bad, "Arena 0.9 is closed"), "the alias's own message is kept");
    not_sent(&bench, through).await;

    let fleet = bench.fleet("arena-prod-eu").await;
    let Request::CreateGameSession(first) = asked::on(&fleet.fleet_id, "token-2") else { panic!() };
    bench.done(Request::CreateGameSession(first.clone())).await;
    let other = Request::CreateGameSession(CreateGameSession { maximum_player_session_count: 9, ..first });
    refused(&bench, other, "IdempotentParameterMismatchException", "use a new token").await;

    let session = bench.sessions(&fleet).await.remove(0).game_session_id;
    bench.done(asked::terminate(&session)).await;
    bench.pass(60).await;
    let preview = bench.preview(asked::rename(&session, "too late")).await;
    assert!(warns(&preview, Severity::Bad, "TERMINATED"), "{:?}", preview.warnings);
    not_sent(&bench, asked::rename(&session, "too late")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fleet_without_a_free_process() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-spot-eu").await.fleet_id;
    bench.done(asked::suspend(&fleet)).await;
    bench.pass(120).await;
    bench.done(asked::capacity(&fleet, [Some(0), Some(0), None])).await;
    bench.pass(1_800).await;
    let request = asked::on(&fleet, "token-1");
    let preview = bench.preview(request.clone()).await;
    assert!(warns(&preview, Severity::Bad, "No instance is active"), "{:?}", preview.warnings);
    refused(&bench, request, "FleetCapacityExceededException", "Raise the desired instances").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_identity_that_may_not() {
    let denied = BTreeMap::from([("AKIDTEST".to_owned(), vec!["gamelift:Update*".to_owned()])]);
    let bench = Bench::of(Environment::Demo, Credentials { denied, ..Credentials::default() }).await;
    bench.guard.unlock(5, None).await.unwrap();
    let request = asked::queue_timeout("arena-eu", 120);
    refused(&bench, request, "AccessDeniedException", "`gamelift:UpdateGameSessionQueue`").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_takes_no_more() {
    let bench = Bench::open().await;
    bench.fault("UpdateGameSessionQueue", FaultKind::Throttle);
    let activity = bench.attempt(asked::queue_timeout("arena-eu", 120)).await;
    assert_eq!(activity.outcome, ActivityOutcome::Failed, "{activity:?}");
    assert_eq!(activity.aws_code.as_deref(), Some("ThrottlingException"));
    assert!(activity.message.unwrap().contains("Nothing was changed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_present_that_cannot_be_read_keeps_the_preview_for_later() {
    let bench = Bench::open().await;
    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    bench.fault("DescribeGameSessionQueues", FaultKind::Status);
    bench.confirm(&preview).await.unwrap_err();
    assert_eq!(bench.changes_called(), []);
    bench.heal();
    bench.confirm(&preview).await.unwrap();
    assert_eq!(bench.calls("UpdateGameSessionQueue"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_whose_reads_are_throttled_reads_again() {
    let bench = Bench::open().await;
    // One more than a single read survives, so that the read fails.
    let throttled = u64::from(Patience::default().attempts) + 1;
    bench.faults(FaultRule {
        operation: "gamelift:DescribeGameSessionQueues".to_owned(),
        kind: FaultKind::Throttle,
        count: Some(throttled),
        ..FaultRule::default()
    });
    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    assert!(preview.confirmable, "{preview:?}");
    assert!(bench.calls("DescribeGameSessionQueues") > throttled);
}
