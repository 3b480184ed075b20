//! How single operations are recognised when their answer was lost.

use liftdeck_model::action::{Request, UpdateScript};
use liftdeck_model::activity::{Activity, ActivityOutcome};
use liftdeck_simulator::FaultKind;

use crate::asked;
use crate::bench::Bench;
use crate::unknown::{LONG_ENOUGH, unanswered};

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_that_never_arrived_is_told_by_what_came_instead() {
    let bench = Bench::open().await;
    let duel = bench.acceptance_required().await;
    // The latency is above what the queue allows, so it waits until it times out.
    bench.done(asked::place_at("plc-1", "arena-eu", 900)).await;
    let stop = unanswered(&bench, &asked::stop_placement("plc-1"), FaultKind::Reset).await;
    bench.pass(LONG_ENOUGH.unsigned_abs()).await;
    told(&bench, &stop, "It did not arrive: the placement is TIMED_OUT.").await;

    bench.done(asked::ticket(&duel, "t-1", "ada")).await;
    let stop = unanswered(&bench, &asked::stop_ticket("t-1"), FaultKind::Reset).await;
    bench.wait(LONG_ENOUGH);
    told(&bench, &stop, "It did not arrive: the ticket is QUEUED.").await;
}

/// Settles a change, and checks that it failed with these words.
async fn told(bench: &Bench, activity: &Activity, says: &str) {
    let settled = bench.guard.settle(&activity.id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Failed, "{settled:?}");
    assert!(settled.message.as_ref().unwrap().starts_with(says), "{settled:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_that_was_carried_out_is_seen() {
    let bench = Bench::open().await;
    let duel = bench.acceptance_required().await;
    bench.done(asked::place_at("plc-1", "arena-eu", 900)).await;
    bench.done(asked::ticket(&duel, "t-1", "ada")).await;
    for (request, seen) in [
        (asked::stop_placement("plc-1"), "Seen: the placement is CANCELLED."),
        (asked::stop_ticket("t-1"), "Seen: the ticket is CANCELLED."),
    ] {
        let activity = unanswered(&bench, &request, FaultKind::Truncate).await;
        let settled = bench.guard.settle(&activity.id).await.unwrap();
        assert_eq!(settled.outcome, ActivityOutcome::Done, "{settled:?}");
        assert!(settled.message.as_ref().unwrap().contains(seen), "{settled:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_to_a_match_that_was_lost_stays_unknown_while_others_have_not_answered() {
    let bench = Bench::open().await;
    let duel = bench.acceptance_required().await;
    bench.done(asked::ticket(&duel, "t-1", "ada")).await;
    bench.matched("t-1").await;
    let activity = unanswered(&bench, &asked::accept("t-1", "ada"), FaultKind::Reset).await;
    let settled = bench.guard.settle(&activity.id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Unknown, "{settled:?}");
    assert!(settled.message.as_ref().unwrap().contains("AWS does not show single answers"), "{settled:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_the_same_size_prove_nothing_and_a_name_does() {
    let bench = Bench::open().await;
    let script = bench.reader().scripts().await.items.remove(0).script_id;
    bench.done(asked::upload(&script, Some("by hand"), bench.folder.path())).await;
    let again = asked::upload(&script, Some("by hand"), bench.folder.path());
    let activity = unanswered(&bench, &again, FaultKind::Truncate).await;
    let settled = bench.guard.settle(&activity.id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Unknown, "{settled:?}");

    let Request::UpdateScript(renamed) = again else { panic!("an upload") };
    let renamed = UpdateScript { name: Some("renamed".to_owned()), version: None, zip_file: None, ..renamed };
    let activity = unanswered(&bench, &Request::UpdateScript(renamed), FaultKind::Truncate).await;
    let settled = bench.guard.settle(&activity.id).await.unwrap();
    assert_eq!(settled.outcome, ActivityOutcome::Done, "{settled:?}");
}
