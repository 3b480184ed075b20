//! Changes for which a click is not enough.

use liftdeck_model::Environment;
use liftdeck_operations::{GuardOptions, Intent, Mode, OperationError};
use liftdeck_simulator::Credentials;

use crate::asked;
use crate::bench::{Bench, NAME};

fn must_type(refused: Result<impl std::fmt::Debug, OperationError>) -> String {
    match refused {
        Err(OperationError::NotTyped { must_type }) => must_type,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn production_is_unlocked_and_confirmed_by_typing() {
    let bench = Bench::of(Environment::Production, Credentials::default()).await;
    for typed in [None, Some(""), Some("arena live"), Some("Arena")] {
        assert_eq!(must_type(bench.guard.unlock(5, typed).await), NAME);
    }
    assert_eq!(*bench.guard.mode().borrow(), Mode::ReadOnly);
    bench.guard.unlock(5, Some(NAME)).await.unwrap();

    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    assert_eq!(preview.must_type.as_deref(), Some(NAME));
    for typed in [None, Some("arena-eu")] {
        assert_eq!(must_type(Box::pin(bench.guard.confirm(&preview.id, typed)).await), NAME);
    }
    assert_eq!(bench.changes_called(), []);
    // After a typing error it can be typed again.
    Box::pin(bench.guard.confirm(&preview.id, Some(NAME))).await.unwrap();
    assert_eq!(bench.calls("UpdateGameSessionQueue"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repoint_on_production_asks_for_the_name_of_the_alias() {
    let bench = Bench::of(Environment::Production, Credentials::default()).await;
    bench.guard.unlock(5, Some(NAME)).await.unwrap();
    let alias = bench.alias("arena-live-eu").await;
    let fleet = bench.fleet("arena-spot-eu").await.fleet_id;
    let preview = bench.preview(asked::repoint(&alias.alias_id, asked::to(&fleet))).await;
    assert_eq!(preview.must_type.as_deref(), Some("arena-live-eu"));
    assert_eq!(must_type(Box::pin(bench.guard.confirm(&preview.id, Some(NAME))).await), "arena-live-eu");
    assert_eq!(bench.routing(&alias).await, alias.routing);
}

#[tokio::test(flavor = "multi_thread")]
async fn elsewhere_only_many_people_and_the_end_of_an_alias_ask_to_be_typed() {
    let bench = Bench::open().await;
    let preview = bench.preview(asked::queue_timeout("arena-eu", 120)).await;
    assert_eq!(preview.must_type, None);
    let alias = bench.alias("coop-live-eu").await;
    let preview = bench.preview(asked::delete_alias(&alias.alias_id)).await;
    assert_eq!(preview.must_type.as_deref(), Some("coop-live-eu"));

    let fleet = bench.fleet("arena-prod-eu").await;
    let sessions = bench.sessions(&fleet).await;
    assert!(sessions.len() > 51, "the world has {} sessions", sessions.len());
    let end = |most: usize| {
        let all = sessions.iter().take(most);
        Intent::Actions(all.map(|it| bench.action(asked::terminate(&it.game_session_id))).collect())
    };
    let few = Box::pin(bench.guard.preview(end(2))).await.unwrap();
    assert_eq!((few.must_type, few.title.as_str()), (None, "Terminate 2 game sessions"));
    let many = Box::pin(bench.guard.preview(end(51))).await.unwrap();
    assert_eq!((many.blast.game_sessions, many.must_type.as_deref()), (51, Some(NAME)));
    assert!(many.blast.sentence.starts_with("Ends 51 game sessions with "), "{}", many.blast.sentence);
    assert!(
        many.blast.sentence.contains(" % of all players on fleets of eu-west-1"),
        "{}",
        many.blast.sentence
    );
    let share = many.blast.share_of_region.unwrap();
    assert!(share > 0.0 && share < 1.0, "{share}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_with_letters_of_no_key_is_confirmed_by_what_is_shown_of_it() {
    let bench = Bench::locked().await;
    let name = "Simulator \u{b7} launch-day\u{200b}".to_owned();
    let options = bench.guard.options().clone();
    let guard = bench.guard.beside(GuardOptions {
        connection_name: name.clone(),
        environment: Environment::Production,
        ..options
    });
    assert_eq!(guard.unlock_typed().as_deref(), Some("Simulator launch-day"));
    assert_eq!(must_type(guard.unlock(5, Some("Simulator")).await), "Simulator launch-day");
    for typed in ["Simulator launch-day", name.as_str()] {
        guard.unlock(5, Some(typed)).await.unwrap();
        guard.lock();
    }
}
