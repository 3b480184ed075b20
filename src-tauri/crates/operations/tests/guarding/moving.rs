//! A confirmation is bound to its preview: if the world changed in between, nothing is sent.

use liftdeck_model::action::Request;
use liftdeck_model::activity::ActivityOutcome;
use liftdeck_operations::{Intent, OperationError, Preview, SkipReason, had_ended};
use liftdeck_simulator::{FaultKind, FaultRule};

use crate::asked;
use crate::bench::{Bench, attempt, eventually};

/// Previews a change, lets somebody else make another one, and confirms: nothing is sent, and the new preview can be
/// confirmed.
async fn moves(bench: &Bench, request: Request, between: Request, operation: &str, label: &str) -> Preview {
    let preview = bench.preview(request).await;
    attempt(&bench.somebody_else().await, bench.intent(between)).await;
    bench.pass(120).await;
    let sent = bench.calls(operation);
    let refused = bench.confirm(&preview).await;
    let Err(OperationError::Moved { what, preview: again }) = refused else { panic!("{refused:?}") };
    assert!(what.iter().any(|fact| fact.label == label && fact.before != fact.after), "{what:?}");
    assert_eq!(bench.calls(operation), sent, "nothing was sent");
    assert!(matches!(bench.confirm(&preview).await, Err(OperationError::Expired)), "the old one is void");
    bench.confirm(&again).await.unwrap();
    assert_eq!(bench.calls(operation), sent + 1);
    *again
}

#[tokio::test(flavor = "multi_thread")]
async fn a_routing_that_moved_is_asked_again() {
    let bench = Bench::open().await;
    let alias = bench.alias("arena-live-eu").await.alias_id;
    let spot = bench.fleet("arena-spot-eu").await.fleet_id;
    let terminal = liftdeck_model::alias::RoutingStrategy::Terminal { message: "Back at nine".to_owned() };
    let again = moves(
        &bench,
        asked::repoint(&alias, asked::to(&spot)),
        asked::repoint(&alias, terminal),
        "UpdateAlias",
        "Routing",
    )
    .await;
    assert_eq!(again.items[0].facts[0].before.as_deref(), Some("TERMINAL: Back at nine"));
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_that_moved_are_asked_again_although_only_desired_is_set() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    bench.done(asked::suspend(&fleet)).await;
    bench.pass(120).await;
    let now = bench.reader().capacity(&fleet, None).await.unwrap().unwrap();
    moves(
        &bench,
        asked::capacity(&fleet, [Some(now.desired), None, None]),
        asked::capacity(&fleet, [None, None, Some(now.maximum + 3)]),
        "UpdateFleetCapacity",
        "Maximum instances",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn queue_settings_and_policies_that_moved_are_asked_again() {
    let bench = Bench::open().await;
    moves(
        &bench,
        asked::queue_timeout("arena-eu", 120),
        asked::queue_timeout("arena-eu", 60),
        "UpdateGameSessionQueue",
        "Time-out",
    )
    .await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    moves(
        &bench,
        asked::rule_policy(&fleet, "shrink", 2.0),
        asked::rule_policy(&fleet, "shrink", 4.0),
        "PutScalingPolicy",
        "Policy shrink",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ended_in_between_is_not_ended_twice() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let session = bench.sessions(&fleet).await.remove(0).game_session_id;
    let preview = bench.preview(asked::terminate(&session)).await;
    attempt(&bench.somebody_else().await, bench.intent(asked::terminate(&session))).await;
    bench.pass(60).await;
    let sent = bench.calls("TerminateGameSession");
    let receipt = bench.confirm(&preview).await.unwrap();
    let told = (receipt.skipped()[0].reason, receipt.skipped()[0].resource.as_str());
    assert_eq!(told, (SkipReason::Ended, session.as_str()), "nothing went wrong, and nothing is left to do");
    assert_eq!((receipt.run, receipt.activities.len()), (None, 0));
    assert_eq!(bench.calls("TerminateGameSession"), sent);

    let again = bench.preview(asked::terminate(&session)).await;
    assert_eq!((again.items.len(), again.skipped().len(), again.confirmable), (0, 1, false), "{again:?}");
    let refused = bench.confirm(&again).await;
    assert!(
        matches!(&refused, Err(OperationError::Refused(why)) if why.contains("1 already ended")),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_termination_that_aws_refuses_because_the_session_has_ended_is_no_failure() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let session = bench.sessions(&fleet).await.remove(0).game_session_id;
    let preview = bench.preview(asked::terminate(&session)).await;
    let other = bench.somebody_else().await;
    let others = Box::pin(other.preview(bench.intent(asked::terminate(&session)))).await.unwrap();
    // The change is looked at, then delayed until somebody else was faster.
    bench.faults(FaultRule {
        operation: "gamelift:TerminateGameSession".to_owned(),
        kind: FaultKind::Latency,
        latency_ms: 10_000,
        count: Some(1),
        ..FaultRule::default()
    });
    let confirmed = async { bench.confirm(&preview).await.unwrap().activities.remove(0) };
    let quicker = async {
        eventually("it is on its way", async || bench.calls("TerminateGameSession") > 0).await;
        Box::pin(other.confirm(&others.id, others.must_type.as_deref())).await.unwrap();
        bench.pass(60).await;
    };
    let (activity, ()) = tokio::join!(confirmed, quicker);
    let refusal = activity.aws_code.as_deref();
    assert_eq!(
        (activity.outcome, refusal),
        (ActivityOutcome::Failed, Some("InvalidGameSessionStatusException"))
    );
    assert!(had_ended(&activity), "{activity:?}");
    assert!(had_ended(&bench.recorded(&activity.id).await), "it is on record");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blast_that_grew_is_asked_again() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let mut sessions = bench.sessions(&fleet).await;
    // The emptiest sessions that let players in. Which ones those are depends on the simulated time.
    let free = |session: &liftdeck_model::game_session::GameSession| {
        session.maximum_player_session_count - session.current_player_session_count
    };
    sessions.retain(|session| session.player_session_creation_policy.as_deref() == Some("ACCEPT_ALL"));
    // A session that was empty would be left out instead.
    sessions.retain(|session| session.current_player_session_count > 0);
    sessions.sort_by_key(|session| -free(session));
    let terminations = |most: usize| {
        let one = |session: &liftdeck_model::game_session::GameSession| {
            bench.action(asked::terminate(&session.game_session_id))
        };
        Intent::Actions(sessions.iter().take(most).map(one).collect())
    };
    let preview = Box::pin(bench.guard.preview(terminations(3))).await.unwrap();
    assert_eq!(preview.blast.game_sessions, 3);
    let players = preview.blast.player_sessions;
    // More players join than the preview counted.
    let other = bench.somebody_else().await;
    let mut came = 0;
    for session in sessions.iter().take(3) {
        let names: Vec<String> = (0..free(session)).map(|at| format!("late-{came}-{at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for part in names.chunks(25) {
            let reserved =
                attempt(&other, bench.intent(asked::reserve(&session.game_session_id, part))).await;
            assert_eq!(reserved.outcome, ActivityOutcome::Done, "{reserved:?}");
            came += part.len() as u64;
        }
    }
    assert!(came > 5.max(players / 10), "{came} more beside {players} are too few to ask again for");
    let refused = bench.confirm(&preview).await;
    let Err(OperationError::Moved { what, .. }) = refused else { panic!("{came}: {refused:?}") };
    assert_eq!(what[0].label, "Players hit");
    assert_eq!(bench.calls("TerminateGameSession"), 0);
}
