//! Changes without an answer: settled afterwards, and never sent again automatically.

use liftdeck_model::action::{CreateGameSession, GameSessionTarget, Protection, Request, ResourceKind};
use liftdeck_model::activity::{Activity, ActivityOutcome, EffectState, Proof};
use liftdeck_operations::{Intent, OperationError};
use liftdeck_simulator::{FaultKind, FaultRule};

use crate::asked;
use crate::bench::{Bench, attempt, eventually};

/// Seconds after which a request that was given up can no longer arrive: five minutes of its signature, five for a
/// clock that is ahead, and the time AWS takes to show it.
pub(crate) const LONG_ENOUGH: i64 = 690;

/// Sends a change while every answer is lost in this way.
pub(crate) async fn unanswered(bench: &Bench, request: &Request, kind: FaultKind) -> Activity {
    bench.fault(request.operation(), kind);
    let activity = bench.attempt(request.clone()).await;
    bench.heal();
    assert_eq!(activity.outcome, ActivityOutcome::Unknown, "{kind:?} {activity:?}");
    assert!(activity.message.as_ref().unwrap().contains("is not known"), "{:?}", activity.message);
    activity
}

/// A request for each operation whose answer can be lost and whose effect AWS shows afterwards. AWS accepts them all.
async fn askable(bench: &Bench) -> Vec<Request> {
    let fleet = bench.fleet("arena-prod-eu").await;
    let sessions = bench.sessions(&fleet).await;
    let id = &fleet.fleet_id;
    let alias = bench.alias("coop-live-eu").await.alias_id;
    let duel = bench.reader().matchmaking_configurations().await.items.remove(0).name;
    let script = bench.reader().scripts().await.items.remove(0).script_id;
    let now = bench.reader().capacity(id, None).await.unwrap().unwrap();
    let other = match fleet.new_game_session_protection_policy.as_ref().unwrap().as_str() {
        "FullProtection" => Protection::NoProtection,
        _ => Protection::FullProtection,
    };
    vec![
        asked::on(id, "token-1"),
        asked::rename(&sessions[0].game_session_id, "renamed"),
        asked::terminate(&sessions[1].game_session_id),
        asked::place("plc-1", "arena-eu"),
        asked::create_alias("by hand", id),
        asked::repoint(&alias, asked::to(id)),
        asked::delete_alias(&alias),
        asked::capacity(id, [None, None, Some(now.maximum + 3)]),
        asked::rule_policy(id, "shrink", 2.0),
        asked::suspend(id),
        asked::protect(id, other),
        asked::queue_timeout("arena-eu", 120),
        asked::new_queue("by-hand", Vec::new(), None),
        asked::ticket(&duel, "t-1", "ada"),
        asked::upload(&script, Some("by hand"), bench.folder.path()),
    ]
}

/// Whether AWS shows the result under an id that the attempt chose, so that nobody else can have made it.
const fn bears_an_id_of_ours(request: &Request) -> bool {
    matches!(
        request,
        Request::CreateGameSession(_) | Request::StartGameSessionPlacement(_) | Request::StartMatchmaking(_)
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_carried_out_without_an_answer_is_found_done() {
    let bench = Bench::open().await;
    for request in askable(&bench).await {
        let activity = unanswered(&bench, &request, FaultKind::Truncate).await;
        let sent = bench.calls(request.operation());
        // Settings of a fleet take a while to show (AWS: up to a minute). Game sessions would end meanwhile.
        if request.resource().kind == ResourceKind::Fleet && !matches!(request, Request::CreateGameSession(_))
        {
            bench.pass(90).await;
        }
        let settled = bench.guard.settle(&activity.id).await.unwrap();
        assert_eq!(settled.outcome, ActivityOutcome::Done, "{request:?}: {settled:?}");
        let (proof, says) = if bears_an_id_of_ours(&request) {
            (Proof::Own, "it was carried out")
        } else {
            (Proof::Seen, "whether this change or someone else did that")
        };
        assert_eq!(settled.proof, proof, "{settled:?}");
        assert!(settled.effect.is_some(), "it is followed like any other: {settled:?}");
        assert!(settled.message.as_ref().unwrap().contains(says), "{settled:?}");
        assert_eq!(
            settled.made.is_some(),
            bears_an_id_of_ours(&request) || matches!(request, Request::CreateAlias(_)),
            "{settled:?}"
        );
        assert_eq!(bench.calls(request.operation()), sent, "nothing is sent again: {request:?}");
        assert_eq!(bench.recorded(&activity.id).await.proof, proof, "it is on record");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_leaves_no_trace_stays_unknown_until_it_can_no_longer_arrive() {
    let bench = Bench::open().await;
    for request in askable(&bench).await {
        bench.guard.unlock(60, None).await.unwrap();
        let activity = unanswered(&bench, &request, FaultKind::Reset).await;
        let sent = bench.calls(request.operation());
        for seconds in [0, 80, 550] {
            bench.wait(seconds);
            let early = bench.guard.settle(&activity.id).await.unwrap();
            assert_eq!(early.outcome, ActivityOutcome::Unknown, "it may still arrive: {early:?}");
            assert!(early.message.as_ref().unwrap().starts_with("Not known yet"), "{early:?}");
        }
        bench.wait(60);
        let settled = bench.guard.settle(&activity.id).await.unwrap();
        assert_eq!(settled.outcome, ActivityOutcome::Failed, "{request:?}: {settled:?}");
        assert!(settled.message.as_ref().unwrap().starts_with("It did not arrive"), "{settled:?}");
        assert_eq!(settled.proof, Proof::Seen, "nobody answered: {settled:?}");
        assert_eq!(settled.effect, None, "there is nothing to follow: {settled:?}");
        assert_eq!(bench.calls(request.operation()), sent, "nothing is sent again: {request:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn setting_the_clock_makes_nobody_sure_sooner() {
    let bench = Bench::open().await;
    let activity = unanswered(&bench, &asked::queue_timeout("arena-eu", 120), FaultKind::Reset).await;
    let years = 3 * 365 * 86_400;
    for by in [years, -2 * years, years] {
        bench.set_clock(by);
        let settled = bench.guard.settle(&activity.id).await.unwrap();
        assert_eq!(settled.outcome, ActivityOutcome::Unknown, "{by} s: {settled:?}");
    }
    bench.wait(LONG_ENOUGH);
    let settled = bench.guard.settle(&activity.id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Failed, "{settled:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_arrives_minutes_late_is_found_without_being_asked_and_sent_once() {
    let bench = Bench::open().await;
    let request = asked::queue_timeout("arena-eu", 120);
    let activity = unanswered(&bench, &request, FaultKind::Reset).await;
    bench.wait(400);
    let early = bench.guard.settle(&activity.id).await.unwrap();
    assert_eq!(early.outcome, ActivityOutcome::Unknown, "{early:?}");
    // The delayed request arrives. It cannot be told from a change by somebody else.
    let sent = bench.calls(request.operation());
    crate::bench::attempt(&bench.somebody_else().await, bench.intent(request.clone())).await;
    let found = async || bench.recorded(&activity.id).await.outcome == ActivityOutcome::Done;
    eventually("it is found done", found).await;
    assert_eq!(bench.recorded(&activity.id).await.proof, Proof::Seen);
    assert_eq!(bench.calls(request.operation()), sent + 1, "the late one alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_only_seen_is_not_undone_and_says_since_when_it_is_so() {
    let bench = Bench::open().await;
    let alias = bench.alias("arena-live-eu").await;
    let spot = bench.fleet("arena-spot-eu").await.fleet_id;
    let activity =
        unanswered(&bench, &asked::repoint(&alias.alias_id, asked::to(&spot)), FaultKind::Truncate).await;
    assert!(!activity.undo.is_empty(), "an answered one could be undone");
    let settled = bench.guard.settle(&activity.id).await.unwrap();
    let said = settled.message.as_ref().unwrap();
    assert!(said.contains(spot.as_str()) && said.contains(" since 2026-11-20 19:30:"), "{said}");
    let refused = Box::pin(bench.guard.preview(Intent::Undo(activity.id.clone()))).await;
    assert!(
        matches!(&refused, Err(OperationError::Refused(why)) if why.contains("someone else may have done it")),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_was_used_before_proves_nothing() {
    let bench = Bench::open().await;
    let duel = bench.reader().matchmaking_configurations().await.items.remove(0).name;
    let other = bench.somebody_else().await;
    let requests = [asked::place("plc-used", "arena-eu"), asked::ticket(&duel, "t-used", "ada")];
    for request in &requests {
        let made = crate::bench::attempt(&other, bench.intent(request.clone())).await;
        assert_eq!(made.outcome, ActivityOutcome::Done, "{made:?}");
    }
    bench.pass(360).await;
    for request in &requests {
        let activity = unanswered(&bench, request, FaultKind::Reset).await;
        let settled = bench.guard.settle(&activity.id).await.unwrap();
        assert_eq!(settled.outcome, ActivityOutcome::Unknown, "{settled:?}");
        assert!(settled.message.as_ref().unwrap().contains("was started long before"), "{settled:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_arrives_after_its_alias_moved_is_found_where_the_alias_led_by_then() {
    let bench = Bench::open().await;
    let alias = bench.alias("arena-live-eu").await;
    let spot = bench.fleet("arena-spot-eu").await.fleet_id;
    let through = |token: &str| match asked::on(&spot, token) {
        Request::CreateGameSession(it) => Request::CreateGameSession(CreateGameSession {
            target: GameSessionTarget::Alias(alias.alias_id.clone()),
            ..it
        }),
        other => other,
    };
    let activity = unanswered(&bench, &through("late"), FaultKind::Reset).await;
    bench.done(asked::repoint(&alias.alias_id, asked::to(&spot))).await;
    // AWS: for two minutes an alias may still point to its previous fleet.
    bench.pass(180).await;
    crate::bench::attempt(&bench.somebody_else().await, bench.intent(through("late"))).await;
    let settled = bench.guard.settle(&activity.id).await.unwrap();
    assert_eq!((settled.outcome, settled.proof), (ActivityOutcome::Done, Proof::Own), "{settled:?}");
    assert!(settled.made.as_ref().unwrap().contains(spot.as_str()), "{settled:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn slots_without_an_answer_are_found_by_player_and_time() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let sessions = bench.sessions(&fleet).await;
    let roomy = |session: &&liftdeck_model::game_session::GameSession| {
        session.maximum_player_session_count - session.current_player_session_count >= 2
            && session.player_session_creation_policy.as_deref() == Some("ACCEPT_ALL")
    };
    let session = sessions.iter().find(roomy).expect("a session with room");
    let id = &session.game_session_id;
    let made = unanswered(&bench, &asked::reserve(id, &["ada"]), FaultKind::Truncate).await;
    let settled = bench.guard.settle(&made.id).await.unwrap();
    assert_eq!(
        (settled.outcome, settled.made_player_sessions.len()),
        (ActivityOutcome::Done, 1),
        "{settled:?}"
    );
    let never = unanswered(&bench, &asked::reserve(id, &["bo"]), FaultKind::Reset).await;
    bench.wait(LONG_ENOUGH);
    let settled = bench.guard.settle(&never.id).await.unwrap();
    assert_eq!((settled.outcome, settled.made_player_sessions.len()), (ActivityOutcome::Failed, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_minutes_ahead_hides_nothing_that_was_made() {
    let bench = Bench::open().await;
    bench.wait(240);
    let fleet = bench.fleet("arena-prod-eu").await;
    let request = asked::create_alias("twice", &fleet.fleet_id);
    let first = bench.done(request.clone()).await;
    let second = unanswered(&bench, &request, FaultKind::Truncate).await;
    let settled = bench.guard.settle(&second.id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Done, "{settled:?}");
    assert!(settled.made.is_some() && settled.made != first.made, "{settled:?} {first:?}");
    let third = unanswered(&bench, &request, FaultKind::Reset).await;
    bench.wait(LONG_ENOUGH);
    let settled = bench.guard.settle(&third.id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Failed, "the others made theirs: {settled:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_is_looked_into_without_being_asked() {
    let bench = Bench::open().await;
    let activity = unanswered(&bench, &asked::queue_timeout("arena-eu", 120), FaultKind::Truncate).await;
    let found = async || bench.recorded(&activity.id).await.outcome == ActivityOutcome::Done;
    eventually("it is found done", found).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_else_changed_meanwhile_stays_unknown_with_what_is_there() {
    let bench = Bench::open().await;
    let activity = unanswered(&bench, &asked::queue_timeout("arena-eu", 120), FaultKind::Reset).await;
    let other = bench.somebody_else().await;
    crate::bench::attempt(&other, bench.intent(asked::queue_timeout("arena-eu", 77))).await;
    bench.wait(LONG_ENOUGH);
    let settled = bench.guard.settle(&activity.id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Unknown, "{settled:?}");
    assert!(settled.message.as_ref().unwrap().contains("77 s"), "{settled:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_its_outcome_is_not_looked_into_again() {
    let bench = Bench::open().await;
    let done = bench.done(asked::queue_timeout("arena-eu", 120)).await;
    bench.faults(FaultRule {
        operation: "gamelift:UpdateGameSessionQueue".to_owned(),
        kind: FaultKind::Status,
        status: 400,
        ..FaultRule::default()
    });
    let failed = bench.attempt(asked::queue_timeout("arena-eu", 130)).await;
    bench.heal();
    assert_eq!(failed.outcome, ActivityOutcome::Failed, "{failed:?}");
    // A look would find neither value, because somebody else has changed it since.
    attempt(&bench.somebody_else().await, bench.intent(asked::queue_timeout("arena-eu", 140))).await;
    for known in [done, failed] {
        let settled = bench.guard.settle(&known.id).await.unwrap();
        assert_eq!((settled.outcome, &settled.message), (known.outcome, &known.message));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_found_done_is_followed_to_its_effect() {
    let bench = Bench::open().await;
    let request = asked::queue_timeout("arena-eu", 120);
    let activity = unanswered(&bench, &request, FaultKind::Truncate).await;
    let settled = bench.guard.settle(&activity.id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Done, "{settled:?}");
    assert_eq!(bench.followed(&settled).await.effect.unwrap().state, EffectState::Seen);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_given_up_is_on_record_by_the_time_of_aws() {
    let bench = Bench::dated().await;
    // AWS states whole seconds.
    let before = bench.gateway.aws_now().unwrap().plus_ms(-1_000);
    let activity = unanswered(&bench, &asked::queue_timeout("arena-eu", 120), FaultKind::Reset).await;
    assert!(activity.given_up_aws_at.unwrap() >= before, "{activity:?}");
    let done = bench.done(asked::queue_timeout("arena-eu", 120)).await;
    assert_eq!(done.given_up_aws_at, None, "it was answered");
}
