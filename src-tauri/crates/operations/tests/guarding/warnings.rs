//! What is said before a change is sent.

use liftdeck_model::Severity;
use liftdeck_model::action::{Request, UpdateGameSession, UpdateGameSessionQueue};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_operations::UndoOffer;

use crate::asked;
use crate::bench::{Bench, warns};

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_a_target_policy_would_override_is_said() {
    let bench = Bench::locked().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let now = bench.reader().capacity(&fleet, None).await.unwrap().unwrap();
    let raise = asked::capacity(&fleet, [Some(now.desired + 1), None, None]);
    let preview = bench.preview(raise.clone()).await;
    assert!(warns(&preview, Severity::Bad, "keep-sessions-available"), "{:?}", preview.warnings);
    assert!(warns(&preview, Severity::Bad, "Suspend scaling"), "{:?}", preview.warnings);

    bench.guard.unlock(5, None).await.unwrap();
    bench.done(asked::suspend(&fleet)).await;
    bench.pass(120).await;
    let preview = bench.preview(raise).await;
    assert!(!warns(&preview, Severity::Bad, ""), "{:?}", preview.warnings);
    assert!(warns(&preview, Severity::Info, "Scaling is suspended here"), "{:?}", preview.warnings);
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_outside_the_limits_that_stand_are_said() {
    let bench = Bench::locked().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let now = bench.reader().capacity(&fleet, None).await.unwrap().unwrap();
    let preview = bench.preview(asked::capacity(&fleet, [Some(now.maximum + 1), None, None])).await;
    assert!(warns(&preview, Severity::Bad, "is not between"), "{:?}", preview.warnings);
    let preview = bench.preview(asked::capacity(&fleet, [None, Some(now.maximum + 1), None])).await;
    assert!(warns(&preview, Severity::Bad, "above the maximum"), "{:?}", preview.warnings);
}

#[tokio::test(flavor = "multi_thread")]
async fn scale_in_says_whom_it_may_end() {
    let bench = Bench::locked().await;
    let fleet = bench.fleet("arena-spot-eu").await.fleet_id;
    let preview = bench.preview(asked::capacity(&fleet, [Some(0), Some(0), None])).await;
    assert!(preview.blast.game_sessions > 0, "{:?}", preview.blast);
    assert!(preview.blast.sentence.starts_with("May end up to "), "{}", preview.blast.sentence);
    assert!(preview.blast.share_of_region.is_some_and(|share| share > 0.0));
    assert!(matches!(preview.undo, UndoOffer::Partly(_)));
    let up = bench.preview(asked::capacity(&fleet, [None, None, Some(99)])).await;
    assert_eq!((up.blast.game_sessions, up.undo), (0, UndoOffer::Exact));
    let protected = bench.fleet("arena-prod-eu").await.fleet_id;
    let none = bench.preview(asked::capacity(&protected, [Some(0), Some(0), None])).await;
    assert_eq!(none.blast.game_sessions, 0, "scale-in ends no protected game session: {:?}", none.blast);
}

#[tokio::test(flavor = "multi_thread")]
async fn whom_a_change_hits_is_known_also_where_nothing_was_ever_collected() {
    let bench = Bench::locked().await;
    let newcomer = bench.somebody_else().await;
    let look = async |request| Box::pin(newcomer.preview(bench.intent(request))).await.unwrap();
    let spot = bench.fleet("arena-spot-eu").await;
    let home: Vec<_> = bench
        .sessions(&spot)
        .await
        .into_iter()
        .filter(|session| session.location.as_ref().is_none_or(|place| place.as_str() == "eu-west-1"))
        .collect();
    assert!(!home.is_empty());
    let players: i32 = home.iter().map(|session| session.current_player_session_count).sum();
    let empty = look(asked::capacity(&spot.fleet_id, [Some(0), Some(0), Some(0)])).await;
    let hit = (empty.blast.game_sessions, empty.blast.player_sessions);
    assert_eq!(hit, (home.len() as u64, u64::try_from(players).unwrap()), "{:?}", empty.blast);
    assert!(matches!(empty.undo, UndoOffer::Partly(_)), "{:?}", empty.undo);
    assert_eq!(empty.blast.share_of_region, None, "nobody looked at the whole Region");

    let alias = bench.alias("arena-live-eu").await.alias_id;
    let closed = RoutingStrategy::Terminal { message: "Back at nine".to_owned() };
    let moved = look(asked::repoint(&alias, closed)).await;
    assert!(moved.blast.sentence.contains(" players on arena-prod-eu"), "{}", moved.blast.sentence);
    assert!(!moved.blast.sentence.starts_with('0'), "{}", moved.blast.sentence);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repoint_says_what_else_moves_and_how_long_it_takes() {
    let bench = Bench::locked().await;
    let alias = bench.alias("arena-live-eu").await;
    let spot = bench.fleet("arena-spot-eu").await.fleet_id;
    let preview = bench.preview(asked::repoint(&alias.alias_id, asked::to(&spot))).await;
    assert!(preview.title.starts_with("Repoint alias arena-live-eu to arena-spot-eu ("), "{}", preview.title);
    assert!(warns(&preview, Severity::Info, "two minutes"), "{:?}", preview.warnings);
    assert!(warns(&preview, Severity::Warning, "arena-eu"), "the queues that use it: {:?}", preview.warnings);
    assert!(preview.blast.sentence.contains("go on until they end"), "{}", preview.blast.sentence);
    assert_eq!(preview.items[0].facts[0].label, "Routing");
    let nowhere = "fleet-00000000-0000-0000-0000-000000000000".into();
    let preview = bench.preview(asked::repoint(&alias.alias_id, asked::to(&nowhere))).await;
    assert!(warns(&preview, Severity::Bad, "There is no fleet"), "{:?}", preview.warnings);
    let closed = RoutingStrategy::Terminal { message: "Back at nine".to_owned() };
    let preview = bench.preview(asked::repoint(&alias.alias_id, closed)).await;
    assert!(warns(&preview, Severity::Warning, "terminal alias"), "{:?}", preview.warnings);
    let preview = bench.preview(asked::delete_alias(&alias.alias_id)).await;
    assert!(warns(&preview, Severity::Bad, "arena-eu"), "{:?}", preview.warnings);
    assert!(matches!(preview.undo, UndoOffer::None(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn terminations_slots_and_queues_say_what_aws_would_refuse() {
    let bench = Bench::locked().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let session = bench.sessions(&fleet).await.remove(0);
    let id = &session.game_session_id;
    let preview = bench.preview(asked::terminate(id)).await;
    assert_eq!(preview.blast.game_sessions, 1);
    assert_eq!(preview.blast.player_sessions, u64::try_from(session.current_player_session_count).unwrap());
    assert!(warns(&preview, Severity::Warning, "stopped at once"), "{:?}", preview.warnings);
    let many: Vec<String> = (0..25).map(|at| format!("p-{at}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let preview = bench.preview(asked::reserve(id, &many)).await;
    assert!(warns(&preview, Severity::Bad, "free"), "{:?}", preview.warnings);
    let fewer = Request::UpdateGameSession(UpdateGameSession {
        maximum_player_session_count: Some(1),
        ..asked::no_update(id)
    });
    if session.current_player_session_count > 1 {
        let preview = bench.preview(fewer).await;
        assert!(warns(&preview, Severity::Bad, "fewer slots"), "{:?}", preview.warnings);
    }
    let empty = Request::UpdateGameSessionQueue(UpdateGameSessionQueue {
        name: "arena-eu".into(),
        timeout_seconds: None,
        destinations: Some(Vec::new()),
        player_latency_policies: None,
        notification_target: None,
    });
    let preview = bench.preview(empty).await;
    assert!(warns(&preview, Severity::Bad, "without destinations"), "{:?}", preview.warnings);
    let topic = |region: &str, name: &str| format!("arn:aws:sns:{region}:111122223333:{name}");
    let region = bench.action(asked::queue_timeout("arena-eu", 60)).region;
    let fifo = topic(region.as_str(), "events.fifo");
    let preview = bench.preview(asked::new_queue("by-hand", Vec::new(), Some(&fifo))).await;
    assert!(warns(&preview, Severity::Warning, "FIFO"), "{:?}", preview.warnings);
    assert!(warns(&preview, Severity::Bad, "without destinations"), "{:?}", preview.warnings);
    let elsewhere = topic("us-west-2", "events");
    let preview = bench.preview(asked::new_queue("by-hand", Vec::new(), Some(&elsewhere))).await;
    assert!(preview.skipped().iter().any(|it| it.text.contains("is in us-west-2")), "{preview:?}");
    let preview = bench.preview(asked::place("plc-1", "never-was")).await;
    assert!(warns(&preview, Severity::Bad, "There is no queue"), "{:?}", preview.warnings);
}
