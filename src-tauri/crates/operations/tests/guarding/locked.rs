//! A connection that is not unlocked, or no longer: nothing is sent, whatever is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use liftdeck_model::action::{Protection, Request};
use liftdeck_model::{Environment, GameSessionId};
use liftdeck_operations::{GuardOptions, Intent, Mode, Objection, OperationError, PreviewId};
use liftdeck_simulator::Credentials;

use crate::asked;
use crate::bench::{Bench, NAME, PATIENCE};

/// Every kind of change, most of them such that AWS would accept them.
async fn everything(bench: &Bench) -> Vec<Request> {
    let fleet = bench.fleets().await.remove(0);
    let session = bench.sessions(&fleet).await.remove(0).game_session_id;
    let alias = bench.alias("arena-live-eu").await.alias_id;
    let script = bench.reader().scripts().await.items.remove(0).script_id;
    let id = &fleet.fleet_id;
    vec![
        asked::on(id, "token-1"),
        asked::rename(&session, "renamed"),
        asked::terminate(&session),
        asked::reserve(&session, &["ada"]),
        asked::place("plc-1", "arena-eu"),
        asked::stop_placement("plc-1"),
        asked::create_alias("by hand", id),
        asked::repoint(&alias, asked::to(id)),
        asked::delete_alias(&alias),
        asked::capacity(id, [Some(1), Some(0), Some(9)]),
        asked::rule_policy(id, "shrink", 2.0),
        asked::delete_policy(id, "shrink"),
        asked::suspend(id),
        asked::resume(id),
        asked::protect(id, Protection::FullProtection),
        asked::queue_timeout("arena-eu", 120),
        asked::ticket("duel-eu", "t-1", "ada"),
        asked::accept("t-1", "ada"),
        asked::stop_ticket("t-1"),
        asked::backfill("duel-eu", "t-2", &session, "ada"),
        asked::upload(&script, Some("2"), bench.folder.path()),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn read_only_sends_no_change_whatever_is_asked() {
    let bench = Bench::locked().await;
    for request in everything(&bench).await {
        let preview = bench.preview(request.clone()).await;
        assert_eq!(preview.items.len() + preview.skipped().len(), 1, "{preview:?}");
        for (item, command) in preview.items.iter().zip(&preview.commands) {
            assert!(!item.facts.is_empty(), "{request:?}");
            assert!(command.starts_with("aws gamelift "), "{command}");
        }
        let refused = bench.confirm(&preview).await;
        assert!(matches!(refused, Err(OperationError::ReadOnly)), "{request:?}: {refused:?}");
    }
    let all = everything(&bench).await.into_iter().map(|request| bench.action(request)).collect();
    let bulk = Box::pin(bench.guard.preview(Intent::Actions(all))).await.unwrap();
    assert_eq!(bulk.items.len() + bulk.skipped().len(), 21);
    assert!(bulk.items.len() > 10, "{:?}", bulk.skipped());
    assert!(matches!(bench.confirm(&bulk).await, Err(OperationError::ReadOnly)));
    assert_eq!(bench.changes_called(), []);
    assert_eq!(bench.store.reader().unsettled_count().await.unwrap(), 0, "nothing was even recorded");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_confirmation_finds_nothing_to_confirm() {
    let bench = Bench::open().await;
    for id in ["", "1", "00000000-0000-4000-8000-000000000001"] {
        let forged = bench.guard.confirm(&PreviewId::new(id), Some("anything")).await;
        assert!(matches!(forged, Err(OperationError::Expired)), "{forged:?}");
    }
    assert_eq!(bench.changes_called(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_is_confirmed_once() {
    let bench = Bench::open().await;
    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    bench.confirm(&preview).await.unwrap();
    assert!(matches!(bench.confirm(&preview).await, Err(OperationError::Expired)));
    assert_eq!(bench.calls("UpdateGameSessionQueue"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_time_is_over_a_preview_made_before_is_not_confirmed() {
    let bench = Bench::locked().await;
    let mut mode = bench.guard.mode();
    bench.guard.unlock(5, None).await.unwrap();
    assert!(matches!(*mode.borrow_and_update(), Mode::Operator { .. }));
    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    bench.wait(300);
    tokio::time::timeout(PATIENCE, mode.changed()).await.expect("it locks by itself").unwrap();
    assert_eq!(*mode.borrow(), Mode::ReadOnly);
    assert!(matches!(bench.confirm(&preview).await, Err(OperationError::ReadOnly)));
    assert_eq!(bench.changes_called(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_grows_too_old_to_be_confirmed() {
    let bench = Bench::open().await;
    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    bench.wait(299);
    assert!(bench.now() < preview.expires_at);
    bench.wait(1);
    assert!(matches!(bench.confirm(&preview).await, Err(OperationError::Expired)));
    assert_eq!(bench.changes_called(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_log_a_guard_is_told_by_its_connection() {
    let bench = Bench::locked().await;
    let told = format!("{:?}", bench.guard);
    assert!(told.contains(NAME) && told.contains("Demo") && told.contains("eu-west-1"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_out_of_range_unlocks_nothing() {
    let bench = Bench::locked().await;
    for minutes in [0, 4, 481] {
        let refused = bench.guard.unlock(minutes, None).await;
        let Err(OperationError::Invalid(fields)) = refused else { panic!("{refused:?}") };
        assert_eq!(fields[0].1.field, "minutes");
    }
    assert_eq!(*bench.guard.mode().borrow(), Mode::ReadOnly);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_aws_would_refuse_is_refused_with_its_field_before_anything_is_asked() {
    let bench = Bench::of(Environment::Demo, Credentials::default()).await;
    bench.guard.unlock(5, None).await.unwrap();
    let wrong = bench.action(asked::rename(&GameSessionId::from("by-its-short-id"), ""));
    let fields = bench.guard.check(std::slice::from_ref(&wrong));
    assert_eq!(fields.iter().map(|(item, _)| *item).collect::<Vec<_>>(), [0, 0]);
    let fine = bench.action(asked::queue_timeout("arena-eu", 120));
    let before = bench.calls("DescribeGameSessionQueues");
    let refused = Box::pin(bench.guard.preview(Intent::Actions(vec![fine, wrong]))).await;
    let Err(OperationError::Invalid(fields)) = refused else { panic!("{refused:?}") };
    assert!(fields.iter().all(|(item, _)| *item == 1), "{fields:?}");
    assert!(fields.iter().any(|(_, error)| error.field == "gameSessionId"));
    assert_eq!(bench.calls("DescribeGameSessionQueues"), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_region_the_connection_does_not_have_is_refused() {
    let bench = Bench::open().await;
    let mut action = bench.action(asked::queue_timeout("arena-eu", 120));
    action.region = "eu-south-2".into();
    let refused = Box::pin(bench.guard.preview(Intent::Actions(vec![action]))).await;
    assert!(
        matches!(&refused, Err(OperationError::Refused(text)) if text.contains("eu-south-2")),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_changes_of_one_thing_are_not_sent_side_by_side() {
    let bench = Bench::open().await;
    let fleet = bench.fleet("arena-prod-eu").await;
    let session = bench.sessions(&fleet).await.remove(0).game_session_id;
    let asked = |requests: [Request; 2]| Intent::Actions(requests.map(|it| bench.action(it)).into());
    for both in [
        [asked::terminate(&session), asked::terminate(&session)],
        [asked::rename(&session, "one"), asked::rename(&session, "other")],
        [asked::on(&fleet.fleet_id, "token"), asked::on(&fleet.fleet_id, "token")],
    ] {
        let refused = bench.guard.preview(asked(both)).await;
        assert!(
            matches!(&refused, Err(OperationError::Refused(why)) if why.contains("twice")),
            "{refused:?}"
        );
    }
    let two = [asked::on(&fleet.fleet_id, "token-1"), asked::on(&fleet.fleet_id, "token-2")];
    assert_eq!(bench.guard.preview(asked(two)).await.unwrap().items.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_unlocks_against_an_objection_and_it_is_asked_again_each_time() {
    let bench = Bench::locked().await;
    let stands = Arc::new(AtomicBool::new(true));
    let asked = Arc::clone(&stands);
    let objection: Objection =
        Arc::new(move || asked.load(Ordering::SeqCst).then(|| "the file is cut".to_owned()));
    let guard = bench.guard.beside(GuardOptions { objection, ..bench.guard.options().clone() });
    let refused = guard.unlock(5, Some(NAME)).await;
    assert!(
        matches!(&refused, Err(OperationError::Refused(reason)) if reason == "the file is cut"),
        "{refused:?}"
    );
    assert_eq!(*guard.mode().borrow(), Mode::ReadOnly);
    stands.store(false, Ordering::SeqCst);
    guard.unlock(5, Some(NAME)).await.unwrap();
}
