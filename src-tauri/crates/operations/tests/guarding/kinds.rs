//! Each kind of change from its preview to its effect.

use liftdeck_model::GameSessionId;
use liftdeck_model::action::Protection;
use liftdeck_model::activity::{Activity, ActivityOutcome, ActivitySource, EffectState};
use liftdeck_model::game_session::GameSessionStatus;

use crate::asked;
use crate::bench::Bench;

/// Sends a change, follows it to its effect, and compares the record with the preview.
async fn through(bench: &Bench, request: liftdeck_model::action::Request) -> Activity {
    let preview = bench.preview(request.clone()).await;
    let receipt = bench.confirm(&preview).await.unwrap();
    let sent = receipt.activities.into_iter().next().unwrap();
    assert_eq!(sent.outcome, ActivityOutcome::Done, "{sent:?}");
    assert_eq!(sent.facts, preview.items[0].facts);
    assert_eq!((sent.source, sent.run.clone()), (ActivitySource::Window, None));
    assert!(sent.request_id.is_some() && sent.ended_at.is_some());
    assert!(sent.caller_arn.as_ref().is_some_and(|arn| arn.contains("AKIDTEST")), "{:?}", sent.caller_arn);
    let seen = bench.followed(&sent).await;
    assert_eq!(seen.effect.as_ref().unwrap().state, EffectState::Seen, "{seen:?}");
    let recorded = bench.recorded(&sent.id).await;
    assert_eq!(recorded, seen);
    recorded
}

#[tokio::test(flavor = "multi_thread")]
async fn game_sessions_are_made_changed_joined_and_ended() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let made = through(&bench, asked::on(&fleet.fleet_id, "token-1")).await;
    assert_eq!(made.fleet_id.as_ref(), Some(&fleet.fleet_id));
    let id = GameSessionId::new(made.made.unwrap());
    assert_eq!(id.short(), "token-1");
    through(&bench, asked::rename(&id, "renamed")).await;
    let slots = through(&bench, asked::reserve(&id, &["ada", "bo"])).await;
    assert_eq!(slots.made_player_sessions.len(), 2);
    assert!(slots.message.unwrap().contains("2 slots are kept for 60 seconds"));
    let ended = through(&bench, asked::terminate(&id)).await;
    assert!(ended.undo.is_empty());
    let session = bench.reader().game_session(&id).await.unwrap().unwrap();
    assert_eq!((session.status, session.name.as_deref()), (GameSessionStatus::Terminated, Some("renamed")));
}

#[tokio::test(flavor = "multi_thread")]
async fn placements_are_started_and_stopped_and_queues_changed() {
    let bench = Bench::open().await;
    through(&bench, asked::place("plc-1", "arena-eu")).await;
    // The latency is above what the queue allows, so it stays PENDING.
    bench.done(asked::place_at("plc-2", "arena-eu", 900)).await;
    through(&bench, asked::stop_placement("plc-2")).await;
    through(&bench, asked::queue_timeout("arena-eu", 120)).await;
    let queue = bench.reader().queue(&"arena-eu".into()).await.unwrap().unwrap();
    assert_eq!(queue.timeout_seconds, Some(120));
}

#[tokio::test(flavor = "multi_thread")]
async fn aliases_are_made_repointed_and_deleted() {
    let bench = Bench::open().await;
    let [from, to] = [bench.fleet("arena-prod-eu").await, bench.fleet("arena-spot-eu").await];
    let made = through(&bench, asked::create_alias("by hand", &from.fleet_id)).await;
    let id = made.made.unwrap().into();
    let moved = through(&bench, asked::repoint(&id, asked::to(&to.fleet_id))).await;
    assert_eq!(moved.name.as_deref(), Some("by hand"));
    assert_eq!(moved.undo.len(), 1);
    let gone = through(&bench, asked::delete_alias(&id)).await;
    assert!(gone.undo.is_empty());
    assert_eq!(bench.reader().alias(&id).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn fleets_are_resized_rescaled_suspended_and_protected() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let before = bench.reader().capacity(&fleet, None).await.unwrap().unwrap();
    through(&bench, asked::suspend(&fleet)).await;
    through(&bench, asked::capacity(&fleet, [Some(before.desired + 1), None, Some(before.maximum + 1)]))
        .await;
    through(&bench, asked::rule_policy(&fleet, "shrink", 2.0)).await;
    through(&bench, asked::delete_policy(&fleet, "shrink")).await;
    through(&bench, asked::resume(&fleet)).await;
    let policy = match bench.fleet("arena-prod-eu").await.new_game_session_protection_policy.unwrap().as_str()
    {
        "FullProtection" => Protection::NoProtection,
        _ => Protection::FullProtection,
    };
    through(&bench, asked::protect(&fleet, policy)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tickets_are_started_accepted_backfilled_and_stopped() {
    let bench = Bench::open().await;
    let duel = bench.acceptance_required().await;
    let started = bench.done(asked::ticket(&duel, "t-1", "ada")).await;
    bench.matched("t-1").await;
    through(&bench, asked::accept("t-1", "ada")).await;
    let matched = bench.followed(&started).await;
    assert_eq!(matched.effect.unwrap().state, EffectState::Seen);
    let ticket = bench.reader().tickets(&["t-1".into()]).await.items.remove(0);
    let session = ticket.connection.unwrap().game_session_id.unwrap();
    bench.done(asked::backfill(&duel, "t-2", &session, "ada")).await;
    bench.done(asked::ticket(&duel, "t-3", "bo")).await;
    through(&bench, asked::stop_ticket("t-3")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_gets_exactly_the_files_that_were_looked_at() {
    let bench = Bench::open().await;
    let script = bench.reader().scripts().await.items.remove(0).script_id;
    let request = asked::upload(&script, Some("by hand"), bench.folder.path());
    through(&bench, request.clone()).await;
    assert_eq!(bench.reader().script(&script).await.unwrap().unwrap().version.as_deref(), Some("by hand"));
    // The file is rewritten between the preview and its confirmation.
    let preview = bench.preview(asked::upload(&script, Some("next"), bench.folder.path())).await;
    std::fs::write(bench.folder.path().join("script.zip"), "something else").unwrap();
    let refused = bench.confirm(&preview).await.unwrap_err().to_string();
    assert!(refused.contains("has changed since it was looked at"), "{refused}");
    assert_eq!(bench.calls("UpdateScript"), 1);
}
