//! Long runs look again: what has ended or filled up since the first look is left out, and a resumed run asks again.

use std::time::Duration;

use liftdeck_model::GameSessionId;
use liftdeck_model::action::{Action, TerminationMode};
use liftdeck_model::activity::RunId;
use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_operations::{Intent, OperationError, Run, SkipReason};
use liftdeck_simulator::{FaultKind, FaultRule};
use liftdeck_store::RunState;

use crate::bench::Bench;

fn ends(bench: &Bench, sessions: &[GameSessionId]) -> Intent {
    let one = |id| bench.termination(id, TerminationMode::ForceTerminate);
    Intent::Actions(sessions.iter().map(one).collect::<Vec<Action>>())
}

/// Makes the first four terminations slow, so that something can happen before the others are sent.
fn slow_first(bench: &Bench) {
    bench.faults(&[FaultRule {
        operation: "gamelift:TerminateGameSession".to_owned(),
        kind: FaultKind::Latency,
        latency_ms: 20_000,
        count: Some(4),
        ..FaultRule::default()
    }]);
}

/// Begins to end these sessions, and returns once the first four terminations are on their way.
async fn begun(bench: &Bench, sessions: &[GameSessionId]) -> RunId {
    let id = bench.confirmed(ends(bench, sessions)).await.unwrap().run.expect("more than one is a run");
    bench.until("four are on their way", || bench.calls("TerminateGameSession") == 4).await;
    id
}

async fn goes_on(bench: &Bench, id: &GameSessionId) -> bool {
    let session = bench.gateway.reader(&bench.region).unwrap().game_session(id).await.unwrap().unwrap();
    session.status == GameSessionStatus::Active
}

fn counts(run: &Run) -> (u32, u32, u32, u32) {
    (run.done, run.ended, run.skipped, run.failed + run.unknown + run.left)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_ended_is_left_out_with_a_count_and_never_sent() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let sessions = bench.made_empty(&fleet, 14).await;
    let over = bench.confirmed(ends(&bench, &sessions[..11])).await.unwrap().run.unwrap();
    assert_eq!(counts(&bench.at_rest(&over).await), (11, 0, 0, 0));
    bench.advance(Duration::from_secs(30)).await;
    let sent = bench.calls("TerminateGameSession");

    let preview = bench.guard.preview(ends(&bench, &sessions)).await.unwrap();
    assert_eq!((preview.items.len(), preview.skipped().len()), (3, 11), "{preview:?}");
    assert_eq!(
        preview.left_out.as_ref().map(|left_out| left_out.sentence.as_str()),
        Some("11 already ended")
    );
    assert_eq!((preview.title.as_str(), preview.blast.game_sessions), ("Terminate 3 game sessions", 3));
    let id = bench.guard.confirm(&preview.id, None).await.unwrap().run.unwrap();
    let run = bench.at_rest(&id).await;
    assert_eq!((run.total, counts(&run)), (3, (3, 0, 0, 0)), "{run:?}");
    assert_eq!(bench.calls("TerminateGameSession"), sent + 3, "nothing else was sent");

    bench.advance(Duration::from_secs(30)).await;
    let none = bench.guard.preview(ends(&bench, &sessions)).await.unwrap();
    assert_eq!((none.items.len(), none.confirmable), (0, false), "{none:?}");
    let refused = bench.guard.confirm(&none.id, None).await;
    assert!(
        matches!(&refused, Err(OperationError::Refused(why)) if why.contains("14 already ended")),
        "{refused:?}"
    );
    assert_eq!(bench.calls("TerminateGameSession"), sent + 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_of_a_deleted_fleet_are_left_out_and_keep_no_others_from_ending() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let sessions = bench.made_empty(&fleet, 2).await;
    let gone = "fleet-00000000-0000-4000-8000-000000000000";
    let of_the_gone = (0..9).map(|number| {
        let id = sessions[0].as_str().replace(fleet.as_str(), gone);
        GameSessionId::from(format!("{id}-{number}"))
    });
    let all: Vec<GameSessionId> = sessions.iter().cloned().chain(of_the_gone).collect();
    let preview = bench.guard.preview(ends(&bench, &all)).await.unwrap();
    assert_eq!((preview.items.len(), preview.skipped().len()), (2, 9), "{preview:?}");
    assert!(preview.skipped().iter().all(|one| one.reason == SkipReason::Refused), "{preview:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_filled_up_or_ended_between_preview_and_confirmation_is_left_out() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let sessions = bench.made_empty(&fleet, 4).await;
    let preview = bench.guard.preview(ends(&bench, &sessions)).await.unwrap();
    assert_eq!((preview.items.len(), preview.blast.player_sessions), (4, 0), "{preview:?}");
    bench.join(&sessions[1]).await;
    bench.confirmed(ends(&bench, &sessions[2..3])).await.unwrap();
    bench.advance(Duration::from_secs(30)).await;
    let id = bench.guard.confirm(&preview.id, None).await.unwrap().run.unwrap();
    let run = bench.at_rest(&id).await;
    assert_eq!(counts(&run), (2, 1, 1, 0), "{run:?}");
    let told = |reason: SkipReason| run.left_out.iter().find(|it| it.reason == reason).unwrap();
    assert_eq!(told(SkipReason::Moved).resource, sessions[1].as_str());
    assert!(told(SkipReason::Moved).text.contains("1 player is there now"), "{run:?}");
    assert_eq!(told(SkipReason::Ended).resource, sessions[2].as_str());
    assert!(goes_on(&bench, &sessions[1]).await, "nobody who plays is cut off");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_looks_again_at_what_it_has_not_looked_at_for_half_a_minute() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let sessions = bench.made_empty(&fleet, 8).await;
    slow_first(&bench);
    let id = begun(&bench, &sessions).await;
    bench.join(&sessions[5]).await;
    bench.wait(40);
    let run = bench.at_rest(&id).await;
    assert_eq!((run.state, counts(&run)), (RunState::Finished, (7, 0, 1, 0)), "{run:?}");
    assert_eq!(run.left_out[0].resource, sessions[5].as_str());
    assert!(run.message.as_ref().unwrap().contains("1 of 8 changed"), "{run:?}");
    assert!(goes_on(&bench, &sessions[5]).await, "nobody who plays is cut off");
    assert_eq!(bench.calls("TerminateGameSession"), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_resumed_over_sessions_that_filled_up_cuts_nobody_off() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let sessions = bench.made_empty(&fleet, 7).await;
    slow_first(&bench);
    let id = begun(&bench, &sessions).await;
    let paused = bench.guard.run_pause(&id).await.unwrap();
    assert_eq!((paused.state, paused.done, paused.left), (RunState::Paused, 4, 3), "{paused:?}");
    for session in &sessions[4..6] {
        bench.join(session).await;
    }
    let bench = bench.killed_and_restarted().await;

    let preview = bench.guard.preview(Intent::Resume(id.clone())).await.unwrap();
    assert!(preview.title.starts_with("Resume: Terminate 7"), "{}", preview.title);
    assert_eq!((preview.items.len(), preview.blast.player_sessions), (1, 0), "{preview:?}");
    assert_eq!(
        preview.left_out.as_ref().map(|left_out| left_out.sentence.as_str()),
        Some("2 changed meanwhile")
    );
    let locked = bench.guard.confirm(&preview.id, None).await;
    assert!(matches!(locked, Err(OperationError::ReadOnly)), "{locked:?}");
    bench.guard.unlock(5, None).await.unwrap();
    // The last session fills up just before the confirmation.
    bench.join(&sessions[6]).await;
    bench.guard.confirm(&preview.id, None).await.unwrap();
    let run = bench.at_rest(&id).await;
    assert_eq!((run.state, counts(&run)), (RunState::Finished, (4, 0, 3, 0)), "{run:?}");
    assert_eq!(bench.calls("TerminateGameSession"), 4, "nothing more was sent");
    for session in &sessions[4..] {
        assert!(goes_on(&bench, session).await, "nobody who plays is cut off");
    }
    let over = bench.guard.preview(Intent::Resume(id)).await;
    assert!(matches!(over, Err(OperationError::Refused(_))), "{over:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_under_way_is_not_resumed() {
    let bench = Bench::frozen().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let sessions = bench.made_empty(&fleet, 5).await;
    slow_first(&bench);
    let id = begun(&bench, &sessions).await;
    let refused = bench.guard.preview(Intent::Resume(id.clone())).await;
    assert!(
        matches!(&refused, Err(OperationError::Refused(why)) if why.contains("under way")),
        "{refused:?}"
    );
    assert_eq!(counts(&bench.at_rest(&id).await), (5, 0, 0, 0));
}
