//! Undo restores exactly what was there before, at any later time.

use liftdeck_model::Severity;
use liftdeck_model::action::{LatencyPolicy, Protection, Request, UpdateGameSession, UpdateGameSessionQueue};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::game_session::GameProperty;
use liftdeck_operations::{Intent, OperationError, Receipt, UndoOffer};

use crate::asked;
use crate::bench::{Bench, warns};

#[tokio::test(flavor = "multi_thread")]
async fn a_repoint_is_undone_to_the_exact_former_routing_simple_and_terminal() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-spot-eu").await.fleet_id;
    for name in ["arena-live-eu", "arena-legacy-eu"] {
        let alias = bench.alias(name).await;
        let preview = bench.preview(asked::repoint(&alias.alias_id, asked::to(&fleet))).await;
        assert_eq!(preview.undo, UndoOffer::Exact);
        let moved = bench.done(asked::repoint(&alias.alias_id, asked::to(&fleet))).await;
        assert_eq!(bench.routing(&alias).await, asked::to(&fleet));
        bench.pass(7_200).await;
        bench.guard.unlock(60, None).await.unwrap();
        let undone = bench.undo(&moved).await;
        assert_eq!(bench.routing(&alias).await, alias.routing);
        assert_eq!(undone.undo_of, Some(moved.id.clone()));
        // A change can be undone once. The undo can itself be undone.
        let again = Box::pin(bench.guard.preview(Intent::Undo(moved.id.clone()))).await;
        assert!(
            matches!(&again, Err(OperationError::Refused(text)) if text.contains("already undone")),
            "{again:?}"
        );
        bench.undo(&undone).await;
        assert_eq!(bench.routing(&alias).await, asked::to(&fleet));
    }
    let legacy = bench.alias("arena-legacy-eu").await;
    assert!(matches!(legacy.routing, RoutingStrategy::Simple { .. }));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_after_other_changes_says_what_it_overwrites() {
    let bench = Bench::open().await;
    let alias = bench.alias("arena-live-eu").await;
    let spot = bench.fleet("arena-spot-eu").await.fleet_id;
    let moved = bench.done(asked::repoint(&alias.alias_id, asked::to(&spot))).await;
    let closed = RoutingStrategy::Terminal { message: "Back at nine".to_owned() };
    bench.done(asked::repoint(&alias.alias_id, closed)).await;
    let preview = Box::pin(bench.guard.preview(Intent::Undo(moved.id.clone()))).await.unwrap();
    assert!(
        preview.title.starts_with("Undo: Repoint alias arena-live-eu to arena-prod-eu"),
        "{}",
        preview.title
    );
    assert!(warns(&preview, Severity::Warning, "Routing has changed since"), "{:?}", preview.warnings);
    assert!(warns(&preview, Severity::Warning, "Back at nine"), "{:?}", preview.warnings);
    bench.confirm(&preview).await.unwrap();
    assert_eq!(bench.routing(&alias).await, alias.routing);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_of_a_fleet_come_back() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    let policies = || async {
        let mut all = bench.reader().scaling_policies(&fleet).await.items;
        all.retain(|policy| policy.status.as_deref() == Some("ACTIVE"));
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.into_iter().map(|it| (it.name, it.target_value, it.threshold)).collect::<Vec<_>>()
    };
    let suspended = bench.done(asked::suspend(&fleet)).await;
    bench.pass(120).await;

    let before = bench.reader().capacity(&fleet, None).await.unwrap().unwrap();
    let wanted = [Some(before.desired + 1), Some(before.minimum), Some(before.maximum + 5)];
    let raised = bench.done(asked::capacity(&fleet, wanted)).await;
    bench.pass(120).await;
    bench.undo(&raised).await;
    bench.pass(120).await;
    let after = bench.reader().capacity(&fleet, None).await.unwrap().unwrap();
    assert_eq!(
        (after.desired, after.minimum, after.maximum),
        (before.desired, before.minimum, before.maximum)
    );

    let known = policies().await;
    let added = bench.done(asked::rule_policy(&fleet, "shrink", 2.0)).await;
    bench.pass(120).await;
    let changed = bench.done(asked::rule_policy(&fleet, "shrink", 4.0)).await;
    bench.pass(120).await;
    bench.undo(&changed).await;
    bench.pass(120).await;
    assert!(policies().await.contains(&("shrink".to_owned(), None, Some(2.0))));
    bench.undo(&added).await;
    bench.pass(120).await;
    assert_eq!(policies().await, known);
    let target = known.iter().find(|(_, target, _)| target.is_some()).expect("a target policy").0.clone();
    let deleted = bench.done(asked::delete_policy(&fleet, &target)).await;
    bench.pass(120).await;
    bench.undo(&deleted).await;
    bench.pass(120).await;
    assert_eq!(policies().await, known);

    bench.undo(&suspended).await;
    bench.pass(120).await;
    assert!(bench.reader().fleet(&fleet).await.unwrap().unwrap().stopped_actions.is_empty());

    let former = bench.fleet("arena-prod-eu").await.new_game_session_protection_policy;
    let other = match former.as_ref().unwrap().as_str() {
        "FullProtection" => Protection::NoProtection,
        _ => Protection::FullProtection,
    };
    let protected = bench.done(asked::protect(&fleet, other)).await;
    bench.undo(&protected).await;
    assert_eq!(bench.fleet("arena-prod-eu").await.new_game_session_protection_policy, former);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_comes_back_whole() {
    let bench = Bench::open().await;
    let name = "arena-eu".into();
    let before = bench.reader().queue(&name).await.unwrap().unwrap();
    let request = Request::UpdateGameSessionQueue(UpdateGameSessionQueue {
        name: name.clone(),
        timeout_seconds: Some(33),
        destinations: Some(before.destinations.iter().rev().take(1).cloned().collect()),
        player_latency_policies: Some(vec![LatencyPolicy {
            maximum_individual_player_latency_ms: Some(300),
            policy_duration_seconds: None,
        }]),
        notification_target: None,
    });
    let changed = bench.done(request).await;
    assert_eq!(changed.facts.len(), 3);
    bench.undo(&changed).await;
    let after = bench.reader().queue(&name).await.unwrap().unwrap();
    assert_eq!(
        (after.timeout_seconds, after.destinations, after.player_latency_policies),
        (before.timeout_seconds, before.destinations, before.player_latency_policies)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_queue_is_seen_and_stays_and_its_topic_is_changed_back() {
    let bench = Bench::open().await;
    let (region, account) = (bench.action(asked::queue_timeout("arena-eu", 60)).region, "111122223333");
    let topic = |name: &str| format!("arn:aws:sns:{region}:{account}:{name}");
    let other = bench.reader().queue(&"arena-eu".into()).await.unwrap().unwrap();
    let request = asked::new_queue("by-hand", other.destinations.clone(), Some(&topic("first")));
    let preview = bench.preview(request.clone()).await;
    assert!(
        matches!(&preview.undo, UndoOffer::None(why) if why.contains("deletes no queues")),
        "{:?}",
        preview.undo
    );
    bench.done(request.clone()).await;
    let made = bench.reader().queue(&"by-hand".into()).await.unwrap().unwrap();
    assert_eq!((made.timeout_seconds, made.destinations), (Some(60), other.destinations));
    assert_eq!(made.custom_event_data.as_deref(), Some("made by hand"));
    assert_eq!(made.notification_target, Some(topic("first")));
    let again = bench.preview(request).await;
    assert!(
        again.skipped().iter().any(|it| it.text.contains("There already is a queue by-hand")),
        "{again:?}"
    );

    let told = |name: &str| {
        Request::UpdateGameSessionQueue(UpdateGameSessionQueue {
            name: "by-hand".into(),
            timeout_seconds: None,
            destinations: None,
            player_latency_policies: None,
            notification_target: Some(topic(name)),
        })
    };
    let changed = bench.done(told("second")).await;
    bench.undo(&changed).await;
    let after = bench.reader().queue(&"by-hand".into()).await.unwrap().unwrap();
    assert_eq!(after.notification_target, Some(topic("first")));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_session_comes_back_what_can() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let before = bench.sessions(&fleet).await.remove(0);
    let id = &before.game_session_id;
    let request = Request::UpdateGameSession(UpdateGameSession {
        maximum_player_session_count: Some(before.maximum_player_session_count + 1),
        game_properties: vec![GameProperty { key: "by-hand".to_owned(), value: "1".to_owned() }],
        ..asked::no_update(id)
    });
    let preview = bench.preview(request.clone()).await;
    assert!(
        matches!(&preview.undo, UndoOffer::Partly(text) if text.contains("by-hand")),
        "{:?}",
        preview.undo
    );
    let changed = bench.done(request).await;
    bench.undo(&changed).await;
    let after = bench.reader().game_session(id).await.unwrap().unwrap();
    assert_eq!(after.maximum_player_session_count, before.maximum_player_session_count);
    assert!(after.game_properties.iter().any(|property| property.key == "by-hand"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_undone_says_why() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let session = bench.sessions(&fleet).await.remove(0).game_session_id;
    for request in [
        asked::on(&fleet.fleet_id, "token-1"),
        asked::terminate(&session),
        asked::reserve(&session, &["ada"]),
        asked::place("plc-1", "arena-eu"),
    ] {
        let preview = bench.preview(request.clone()).await;
        assert!(matches!(&preview.undo, UndoOffer::None(why) if why.len() > 20), "{request:?}");
    }
    let ended = bench.done(asked::terminate(&session)).await;
    let refused = Box::pin(bench.guard.preview(Intent::Undo(ended.id))).await;
    assert!(matches!(&refused, Err(OperationError::Refused(_))), "{refused:?}");
    let nothing = Box::pin(bench.guard.preview(Intent::Undo("never-was".into()))).await;
    assert!(matches!(&nothing, Err(OperationError::Unknown { .. })), "{nothing:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_undo_the_same_at_once_one_does() {
    let bench = Bench::open().await;
    let done = bench.done(asked::queue_timeout("arena-eu", 120)).await;
    let (one, other) = tokio::join!(
        Box::pin(bench.guard.preview(Intent::Undo(done.id.clone()))),
        Box::pin(bench.guard.preview(Intent::Undo(done.id.clone())))
    );
    let (one, other) = (one.unwrap(), other.unwrap());
    let sent = bench.calls("UpdateGameSessionQueue");
    let (one, other) = tokio::join!(bench.confirm(&one), bench.confirm(&other));
    let refused = |told: &Result<Receipt, OperationError>| matches!(told, Err(OperationError::Refused(why)) if why.contains("already undone"));
    assert!(one.is_ok() && refused(&other) || other.is_ok() && refused(&one), "{one:?} {other:?}");
    assert_eq!(bench.calls("UpdateGameSessionQueue"), sent + 1);
}
