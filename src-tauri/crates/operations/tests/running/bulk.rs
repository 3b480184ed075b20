//! Bulk changes: paced, recorded item by item, paused and resumed.

use std::collections::BTreeSet;
use std::time::Duration;

use liftdeck_gateway::{Priority, RateTable};
use liftdeck_model::GameSessionId;
use liftdeck_model::action::{Action, Request, TerminationMode, UpdateGameSession};
use liftdeck_model::activity::{Activity, ActivityOutcome, RunId};
use liftdeck_model::game_session::GameSession;
use liftdeck_operations::{Intent, OperationError, Run};
use liftdeck_simulator::{Credentials, FaultKind, FaultRule, Scenario, SimulatorOptions};
use liftdeck_store::RunState;
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;

use crate::bench::{Bench, fast};

fn rule(operation: &str, kind: FaultKind) -> FaultRule {
    FaultRule { operation: format!("gamelift:{operation}"), kind, ..FaultRule::default() }
}

/// Answers the first few at once, and the others so slowly that a run is certainly still under way when it is
/// stopped.
fn slow_after_a_few(operation: &str) -> FaultRule {
    FaultRule { skip: 6, latency_ms: 2_000, ..rule(operation, FaultKind::Latency) }
}

/// A frozen world with many players.
async fn crowded() -> Bench {
    let scenario = Scenario::LaunchDay;
    let options = SimulatorOptions { speed: 0.0, throttle: false, scenario, ..SimulatorOptions::default() };
    let bench = Bench::over(options, 1.0, fast()).await;
    bench.advance(Duration::from_secs(1_800)).await;
    bench
}

async fn terminations(bench: &Bench, most: usize) -> Vec<Action> {
    terminations_of(bench, &bench.active().await, most)
}

fn terminations_of(bench: &Bench, sessions: &[GameSession], most: usize) -> Vec<Action> {
    assert!(sessions.len() >= most, "the world has {} sessions", sessions.len());
    sessions
        .iter()
        .take(most)
        .map(|session| bench.termination(&session.game_session_id, TerminationMode::ForceTerminate))
        .collect()
}

async fn rows(bench: &Bench, run: &RunId) -> Vec<Activity> {
    let page = Page { offset: 0, limit: 1_000 };
    let request = ActivityRequest { run_id: Some(run.clone()), ..ActivityRequest::everything(page) };
    bench.store.reader().activities(&request).await.unwrap().rows
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_terminations_with_failures_among_them_all_get_a_result() {
    let bench = crowded().await;
    let actions = terminations(&bench, 500).await;
    bench.faults(&[FaultRule {
        status: 400,
        probability: 0.03,
        ..rule("TerminateGameSession", FaultKind::Status)
    }]);
    let receipt = bench.confirmed(Intent::Actions(actions)).await.unwrap();
    let id = receipt.run.expect("more than one change is a run");
    let run = bench.at_rest(&id).await;
    assert_eq!((run.state, run.total, run.left, run.unknown), (RunState::Finished, 500, 0, 0), "{run:?}");
    assert!((5..=30).contains(&run.failed), "3 % of 500: {}", run.failed);
    assert_eq!(run.done + run.failed, 500);
    assert_eq!(run.message, Some(format!("{} of 500 failed.", run.failed)));
    let rows = rows(&bench, &id).await;
    let items: BTreeSet<u32> = rows.iter().filter_map(|row| row.item).collect();
    assert_eq!((rows.len(), items.len()), (500, 500), "one attempt an item");
    let failed: Vec<&Activity> = rows.iter().filter(|row| row.outcome == ActivityOutcome::Failed).collect();
    assert_eq!(failed.len(), run.failed as usize);
    assert!(failed.iter().all(|row| row.request_id.is_some() && row.message.is_some()));
    assert_eq!(bench.calls("TerminateGameSession"), 500, "nothing was sent twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_refusals_alike_in_a_row_pause_a_run_with_the_reason() {
    let bench = Bench::frozen().await;
    let actions = terminations(&bench, 40).await;
    bench.faults(&[FaultRule { status: 403, ..rule("TerminateGameSession", FaultKind::Status) }]);
    let id = bench.confirmed(Intent::Actions(actions)).await.unwrap().run.unwrap();
    let run = bench.at_rest(&id).await;
    assert_eq!(run.state, RunState::Paused);
    assert!((10..=14).contains(&run.failed), "{run:?}");
    assert!(run.message.as_ref().unwrap().starts_with("10 changes in a row failed"), "{run:?}");
    bench.faults(&[]);
    bench.resumed(&id).await.unwrap();
    let ended = bench.at_rest(&id).await;
    assert_eq!((ended.state, ended.failed, ended.done), (RunState::Finished, run.failed, 40 - run.failed));
}

#[tokio::test(flavor = "multi_thread")]
async fn locking_pauses_a_run_and_resuming_takes_an_unlock() {
    let bench = Bench::frozen().await;
    let actions = terminations(&bench, 40).await;
    bench.faults(&[slow_after_a_few("TerminateGameSession")]);
    let id = bench.confirmed(Intent::Actions(actions)).await.unwrap().run.unwrap();
    bench.run_until(&id, |run| run.done > 3).await;
    bench.guard.lock();
    let paused = bench.at_rest(&id).await;
    bench.faults(&[]);
    assert_eq!(paused.state, RunState::Paused);
    assert!(paused.message.as_ref().unwrap().contains("read-only"), "{paused:?}");
    assert!(paused.left > 0 && paused.failed == 0, "{paused:?}");
    // It returns once the sender is gone. After that, only a resume could send the rest.
    bench.guard.run_pause(&id).await.unwrap();
    let sent = bench.calls("TerminateGameSession");
    assert_eq!(u64::from(paused.done), sent, "what was under way has its answer");
    assert!(matches!(bench.resumed(&id).await, Err(OperationError::ReadOnly)));
    assert_eq!(Run::get(&bench.store.reader(), &id).await.unwrap(), paused);
    assert_eq!(bench.calls("TerminateGameSession"), sent, "nothing is sent without leave");
    bench.guard.unlock(5, None).await.unwrap();
    bench.resumed(&id).await.unwrap();
    let ended = bench.at_rest(&id).await;
    assert_eq!((ended.state, ended.done, ended.failed), (RunState::Finished, 40, 0));
    assert_eq!(bench.calls("TerminateGameSession"), 40, "nothing was sent twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_paused_resumed_and_stopped_by_hand() {
    let bench = Bench::frozen().await;
    let actions = terminations(&bench, 60).await;
    bench.faults(&[slow_after_a_few("TerminateGameSession")]);
    let id = bench.confirmed(Intent::Actions(actions)).await.unwrap().run.unwrap();
    bench.run_until(&id, |run| run.done > 0).await;
    let paused = bench.guard.run_pause(&id).await.unwrap();
    assert_eq!((paused.state, paused.message.as_deref()), (RunState::Paused, Some("Paused by hand.")));
    let sent = bench.calls("TerminateGameSession");
    assert_eq!(u64::from(paused.done), sent, "what was under way has its answer");
    // What is left is looked at again, each game session with a request. Only the confirmation sends any of it.
    let rest = bench.guard.preview(Intent::Resume(id.clone())).await.unwrap();
    assert_eq!(rest.items.len(), paused.left as usize);
    assert_eq!(bench.calls("TerminateGameSession"), sent, "nothing is sent while it is paused");
    bench.guard.confirm(&rest.id, rest.must_type.as_deref()).await.unwrap();
    bench.run_until(&id, |run| run.done > paused.done).await;
    let stopped = bench.guard.run_stop(&id).await.unwrap();
    assert_eq!(stopped.state, RunState::Stopped);
    assert!(stopped.left > 0, "{stopped:?}");
    assert!(matches!(bench.resumed(&id).await, Err(OperationError::Refused(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_restart_a_run_is_paused_with_the_truth_and_sends_nothing_twice() {
    let bench = Bench::frozen().await;
    let actions = terminations(&bench, 40).await;
    // Some are answered, then AWS falls silent. The later ones stay without an answer.
    bench.faults(&[FaultRule { skip: 12, ..rule("TerminateGameSession", FaultKind::Stall) }]);
    let id = bench.confirmed(Intent::Actions(actions)).await.unwrap().run.unwrap();
    bench.run_until(&id, |run| run.done == 12).await;
    let bench = bench.killed_and_restarted().await;
    bench.faults(&[]);
    let paused = Run::get(&bench.store.reader(), &id).await.unwrap();
    assert_eq!(paused.state, RunState::Paused);
    assert!(paused.message.as_ref().unwrap().contains("12 of 40 done"), "{paused:?}");
    assert_eq!((paused.done, paused.left + paused.unknown), (12, 28), "{paused:?}");
    bench.guard.unlock(5, None).await.unwrap();
    let before = bench.calls("TerminateGameSession");
    bench.resumed(&id).await.unwrap();
    let ended = bench.at_rest(&id).await;
    assert_eq!((ended.state, ended.left), (RunState::Finished, 0), "{ended:?}");
    let answered: BTreeSet<String> = rows(&bench, &id)
        .await
        .iter()
        .filter(|row| row.outcome == ActivityOutcome::Done)
        .map(|row| row.action.request.resource().id)
        .collect();
    assert_eq!(answered.len(), ended.done as usize, "no session was asked to end twice");
    assert_eq!(bench.calls("TerminateGameSession") - before, u64::from(40 - 12 - paused.unknown));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_a_run_that_arrives_late_is_counted_done_by_itself_and_sent_once() {
    let bench = Bench::frozen().await;
    let actions = terminations(&bench, 3).await;
    bench.faults(&[FaultRule { count: Some(1), ..rule("TerminateGameSession", FaultKind::Reset) }]);
    let id = bench.confirmed(Intent::Actions(actions)).await.unwrap().run.unwrap();
    let ended = bench.at_rest(&id).await;
    assert_eq!((ended.state, ended.done, ended.unknown), (RunState::Finished, 2, 1), "{ended:?}");
    assert_eq!(ended.message.as_deref(), Some("0 of 3 failed; the outcome of 1 is unknown."));
    let held =
        rows(&bench, &id).await.into_iter().find(|row| row.outcome == ActivityOutcome::Unknown).unwrap();
    // The delayed change arrives, made by somebody else: AWS cannot tell the difference.
    bench.done(held.action.request.clone()).await;
    let run = bench.run_until(&id, |run| run.unknown == 0).await;
    assert_eq!((run.state, run.done, run.message), (RunState::Finished, 3, None));
    assert_eq!(bench.calls("TerminateGameSession"), 4, "three of the run and the late one");
}

#[tokio::test(flavor = "multi_thread")]
async fn under_throttling_a_run_completes_inside_its_share_while_reads_go_on() {
    // Rates use real time even in a frozen world. In a moving one, what was previewed might end meanwhile.
    let options = SimulatorOptions {
        speed: 0.0,
        throttle: true,
        scenario: Scenario::Throttled,
        ..SimulatorOptions::default()
    };
    let bench = Bench::over(options, 0.2, RateTable::published()).await;
    // From a single fleet: at this share, listing all of them would take most of the test.
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let actions = terminations_of(&bench, &bench.live(&fleet).await, 10);
    bench.faults(&[FaultRule { probability: 0.4, ..rule("TerminateGameSession", FaultKind::Throttle) }]);
    let begun = tokio::time::Instant::now();
    let id = bench.confirmed(Intent::Actions(actions)).await.unwrap().run.unwrap();
    let mut reads = 0_u32;
    let run = loop {
        let run = Run::get(&bench.store.reader(), &id).await.unwrap();
        if run.state != RunState::Running {
            break run;
        }
        assert!(begun.elapsed() < Duration::from_mins(10), "{run:?}");
        let reader = bench.gateway.reader(&bench.region).unwrap().with_priority(Priority::Rest);
        // Each read waits for room in its own share.
        reads += u32::from(reader.fleet_locations(&fleet).await.complete);
    };
    assert_eq!((run.state, run.left), (RunState::Finished, 0), "{run:?}");
    let rows = rows(&bench, &id).await;
    let throttled = |row: &&Activity| row.aws_code.as_deref() == Some("ThrottlingException");
    let others = rows.iter().filter(|row| !throttled(row) && row.outcome != ActivityOutcome::Done);
    assert_eq!(others.count(), run.failed as usize);
    assert!(reads > 3, "reads went on: {reads}");
    let seconds = begun.elapsed().as_secs_f64() + 1.0;
    let sent = bench.calls("TerminateGameSession") as f64;
    assert!(sent <= 20.0 * 0.2 * seconds, "{sent} calls in {seconds} s");
}

fn renamed(id: &GameSessionId, name: &str) -> Request {
    Request::UpdateGameSession(UpdateGameSession {
        game_session_id: id.clone(),
        name: Some(name.to_owned()),
        maximum_player_session_count: None,
        player_session_creation_policy: None,
        protection_policy: None,
        game_properties: Vec::new(),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resumed_run_asks_again_when_what_is_left_of_it_has_changed() {
    let bench = Bench::frozen().await;
    let sessions = bench.active().await;
    let actions: Vec<Action> = sessions
        .iter()
        .take(30)
        .map(|session| bench.action(renamed(&session.game_session_id, "all alike")))
        .collect();
    bench.faults(&[slow_after_a_few("UpdateGameSession")]);
    let id = bench.confirmed(Intent::Actions(actions)).await.unwrap().run.unwrap();
    bench.run_until(&id, |run| run.done > 0).await;
    let paused = bench.guard.run_pause(&id).await.unwrap();
    assert!(paused.left > 0, "{paused:?}");
    bench.faults(&[]);
    let last = &sessions[29].game_session_id;
    let other = bench.done(renamed(last, "by hand")).await;
    assert_eq!(other.outcome, ActivityOutcome::Done, "{other:?}");
    let sent = bench.calls("UpdateGameSession");

    let preview = bench.guard.preview(Intent::Resume(id.clone())).await.unwrap();
    assert_eq!(preview.items.len(), paused.left as usize, "the rest of it, and nothing else");
    let asked: Vec<&str> = preview.warnings.iter().map(|warning| warning.text.as_str()).collect();
    assert!(asked.iter().any(|text| text.contains("is now by hand")), "{asked:?}");
    let still = Run::get(&bench.store.reader(), &id).await.unwrap();
    assert_eq!((still.state, still.left), (RunState::Paused, paused.left), "{still:?}");
    assert_eq!(bench.calls("UpdateGameSession"), sent, "nothing is sent that was not confirmed");

    bench.guard.confirm(&preview.id, preview.must_type.as_deref()).await.unwrap();
    let ended = bench.at_rest(&id).await;
    assert_eq!((ended.state, ended.done), (RunState::Finished, 30), "{ended:?}");
    let rows = rows(&bench, &id).await;
    let row = rows.iter().find(|row| row.action.request.resource().id == last.as_str()).unwrap();
    assert_eq!(row.facts[0].before.as_deref(), Some("by hand"), "the record says what was overwritten");
    assert_eq!(row.undo, [bench.action(renamed(last, "by hand"))]);
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_that_end_pause_a_run_and_cost_it_no_change() {
    let bench = Bench::frozen().await;
    let actions = terminations(&bench, 40).await;
    bench.faults(&[slow_after_a_few("TerminateGameSession")]);
    let id = bench.confirmed(Intent::Actions(actions)).await.unwrap().run.unwrap();
    bench.run_until(&id, |run| run.done > 0).await;
    let before = bench.guard.run_pause(&id).await.unwrap();
    bench.faults(&[]);
    bench.guard.unlock(5, None).await.unwrap();
    let credentials = Credentials { expired: ["AKIDTEST".to_owned()].into(), ..Credentials::default() };
    bench.simulator.set_credentials(credentials);
    let refused = bench.resumed(&id).await;
    let told = refused.unwrap_err().to_string();
    assert!(told.contains("credentials") && told.contains("ExpiredToken"), "{told}");
    let paused = Run::get(&bench.store.reader(), &id).await.unwrap();
    assert_eq!((paused.state, paused.done, paused.failed), (RunState::Paused, before.done, 0), "{paused:?}");
    assert_eq!(rows(&bench, &id).await.len(), before.done as usize, "nothing was tried");

    bench.simulator.set_credentials(Credentials::default());
    bench.guard.unlock(5, None).await.unwrap();
    bench.resumed(&id).await.unwrap();
    let ended = bench.at_rest(&id).await;
    assert_eq!((ended.state, ended.done, ended.failed), (RunState::Finished, 40, 0), "{ended:?}");
}
