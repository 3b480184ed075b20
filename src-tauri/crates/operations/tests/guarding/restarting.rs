//! The program ends between any two steps: nothing is sent twice, and nothing goes unrecorded.

use liftdeck_model::activity::{Activity, ActivityId, ActivityOutcome, Effect, EffectState};
use liftdeck_operations::{Mode, OperationError};
use liftdeck_simulator::FaultKind;
use liftdeck_store::ActivityEnd;

use crate::asked;
use crate::bench::{Bench, attempt, eventually};
use crate::unknown::LONG_ENOUGH;

/// Records a change as it is before it is sent.
async fn recorded(bench: &Bench, id: &str, request: liftdeck_model::action::Request) -> ActivityId {
    let preview = bench.preview(request.clone()).await;
    let item = preview.items.into_iter().next().unwrap();
    let activity = Activity {
        name: item.resource_name,
        facts: item.facts,
        ..Activity::sending(ActivityId::from(id), bench.now(), item.action)
    };
    bench.store.writer().unwrap().begin_activity(activity.clone()).await.unwrap();
    activity.id
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_preview_nothing_was_sent_and_nothing_can_be_confirmed() {
    let bench = Bench::open().await;
    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    let bench = bench.killed_and_restarted().await;
    assert_eq!(*bench.guard.mode().borrow(), Mode::ReadOnly, "a restart locks");
    assert!(matches!(bench.confirm(&preview).await, Err(OperationError::ReadOnly)));
    bench.guard.unlock(5, None).await.unwrap();
    assert!(matches!(bench.confirm(&preview).await, Err(OperationError::Expired)));
    assert_eq!(bench.changes_called(), []);
    assert_eq!(bench.store.reader().unsettled_count().await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_the_record_and_the_call_it_is_unknown_then_found_not_arrived() {
    let bench = Bench::open().await;
    let id = recorded(&bench, "a-1", asked::queue_timeout("arena-eu", 120)).await;
    // It is looked into unprompted a second after the restart, in vain as long as nothing can be read.
    bench.fault("DescribeGameSessionQueues", FaultKind::Status);
    let bench = bench.killed_and_restarted().await;
    let found = bench.recorded(&id).await;
    assert_eq!(found.outcome, ActivityOutcome::Unknown, "{found:?}");
    assert!(found.message.unwrap().contains("The program ended or failed before the answer came"));
    bench.heal();
    // Only this computer's clock shows how long ago it was sent, and anybody can set that clock: the wait starts
    // again.
    let settled = bench.guard.settle(&id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Unknown, "{settled:?}");
    bench.wait(LONG_ENOUGH);
    let settled = bench.guard.settle(&id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Failed, "{settled:?}");
    assert_eq!(bench.changes_called(), [], "it is not sent by itself");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_the_call_and_its_outcome_it_is_unknown_then_found_done() {
    let bench = Bench::open().await;
    let request = asked::queue_timeout("arena-eu", 120);
    let id = recorded(&bench, "a-2", request.clone()).await;
    // Stands for the request sent before the end. It comes from a guard with other records.
    attempt(&bench.somebody_else().await, bench.intent(request)).await;
    bench.fault("DescribeGameSessionQueues", FaultKind::Status);
    let bench = bench.killed_and_restarted().await;
    assert_eq!(bench.recorded(&id).await.outcome, ActivityOutcome::Unknown);
    bench.heal();
    let settled = bench.guard.settle(&id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Done, "{settled:?}");
    assert_eq!(bench.calls("UpdateGameSessionQueue"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_unknown_is_settled_by_itself_after_a_restart_too() {
    let bench = Bench::open().await;
    let request = asked::queue_timeout("arena-eu", 120);
    let id = recorded(&bench, "a-3", request.clone()).await;
    let bench = bench.killed_and_restarted().await;
    assert_eq!(bench.recorded(&id).await.outcome, ActivityOutcome::Unknown);
    attempt(&bench.somebody_else().await, bench.intent(request)).await;
    let found = async || bench.recorded(&id).await.outcome == ActivityOutcome::Done;
    eventually("it is found done", found).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_on_record_as_being_sent_and_is_not_is_taken_up_without_a_restart() {
    let bench = Bench::open().await;
    let id = recorded(&bench, "a-4", asked::queue_timeout("arena-eu", 120)).await;
    let taken_up = async || bench.recorded(&id).await.outcome == ActivityOutcome::Unknown;
    let looked = bench.calls("DescribeGameSessionQueues");
    eventually("it is taken up", taken_up).await;
    // The time it may still arrive in is counted from a moment between that and the first look.
    eventually("it is looked into", async || bench.calls("DescribeGameSessionQueues") > looked).await;
    bench.wait(LONG_ENOUGH);
    let found = async || bench.recorded(&id).await.outcome == ActivityOutcome::Failed;
    eventually("it is found not to have arrived", found).await;
    assert_eq!(bench.changes_called(), [], "it is not sent by itself");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_aws_is_silent_it_is_looked_into_after_the_restart() {
    let bench = Bench::open().await;
    bench.fault("UpdateGameSessionQueue", FaultKind::Stall);
    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    let (guard, id) = (bench.guard.clone(), preview.id.clone());
    let confirming = tokio::spawn(async move { Box::pin(guard.confirm(&id, None)).await });
    eventually("it is sent", async || bench.calls("UpdateGameSessionQueue") > 0).await;
    let bench = bench.killed_and_restarted().await;
    confirming.abort();
    let open = bench.store.reader().unsettled().await.unwrap();
    assert_eq!(open.len(), 1, "what was sent is in the records");
    bench.wait(LONG_ENOUGH);
    let settled = bench.guard.settle(&open[0].id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Failed, "{settled:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_stops_waiting_for_an_answer_loses_nothing() {
    let bench = Bench::open().await;
    bench.faults(liftdeck_simulator::FaultRule {
        operation: "gamelift:UpdateGameSessionQueue".to_owned(),
        latency_ms: 5_000,
        ..liftdeck_simulator::FaultRule::default()
    });
    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    let (guard, id) = (bench.guard.clone(), preview.id.clone());
    let confirming = tokio::spawn(async move { Box::pin(guard.confirm(&id, None)).await });
    let recorded = async || bench.store.reader().unsettled_count().await.unwrap() > 0;
    eventually("it is recorded", recorded).await;
    confirming.abort();
    let sending = bench.store.reader().unsettled().await.unwrap().remove(0);
    let refused = bench.guard.settle(&sending.id).await;
    assert!(
        matches!(&refused, Err(OperationError::Refused(_))),
        "nobody settles what is under way: {refused:?}"
    );
    // Closing waits for the answer of what was sent.
    bench.guard.clone().close().await;
    assert_eq!(bench.recorded(&sending.id).await.outcome, ActivityOutcome::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_restart_one_look_is_enough_when_aws_tells_that_nothing_can_arrive_any_more() {
    let bench = Bench::dated().await;
    let id = recorded(&bench, "a-5", asked::queue_timeout("arena-eu", 120)).await;
    // AWS states whole seconds.
    let given_up = bench.gateway.aws_now().unwrap().plus_ms(-(LONG_ENOUGH + 2) * 1_000);
    let end = ActivityEnd {
        given_up_aws_at: Some(given_up),
        ..ActivityEnd::new(ActivityOutcome::Unknown, bench.now())
    };
    bench.store.writer().unwrap().end_activity(&id, end).await.unwrap();
    // The new process has neither seen that time pass nor heard AWS's time. It hears it while it looks.
    let bench = bench.killed_and_reconnected().await;
    assert_eq!(bench.gateway.aws_now(), None);
    let settled = bench.guard.settle(&id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Failed, "{settled:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_to_be_followed_and_never_arrived_is_missed() {
    let bench = Bench::open().await;
    let id = recorded(&bench, "a-6", asked::queue_timeout("arena-eu", 120)).await;
    let text = "Accepted; no effect seen yet.".to_owned();
    let awaited = Effect { state: EffectState::Awaited, text, at: bench.now() };
    bench.store.writer().unwrap().note_effect(&id, awaited).await.unwrap();
    let bench = bench.killed_and_restarted().await;
    bench.wait(LONG_ENOUGH);
    let settled = bench.guard.settle(&id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Failed, "{settled:?}");
    assert_eq!(bench.recorded(&id).await.effect.unwrap().state, EffectState::Missed);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_end_of_the_program_cut_off_is_given_up_by_the_time_of_aws() {
    let bench = Bench::dated().await;
    let id = recorded(&bench, "a-7", asked::queue_timeout("arena-eu", 120)).await;
    let bench = bench.killed_and_restarted().await;
    let found = bench.recorded(&id).await;
    assert_eq!(found.outcome, ActivityOutcome::Unknown, "{found:?}");
    assert!(found.given_up_aws_at.is_some(), "{found:?}");
}
