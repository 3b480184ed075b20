//! Two guards on one open connection: each has a lock of its own, and they share everything under way.

use liftdeck_model::action::Protection;
use liftdeck_operations::{Mode, OperationError};

use crate::asked;
use crate::bench::{Bench, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn unlocking_one_guard_leaves_the_one_beside_it_locked_and_closing_one_closes_both() {
    let bench = Bench::locked().await;
    let beside = bench.guard.beside(bench.guard.options().clone());
    let name = bench.guard.options().connection_name.clone();
    beside.unlock(5, Some(&name)).await.unwrap();
    assert_eq!(*bench.guard.mode().borrow(), Mode::ReadOnly);
    let change = || bench.intent(asked::queue_timeout("arena-eu", 120));

    let preview = Box::pin(beside.preview(change())).await.unwrap();
    let other = bench.guard.confirm(&preview.id, None).await;
    assert!(matches!(other, Err(OperationError::ReadOnly)), "{other:?}");
    let receipt = beside.confirm(&preview.id, Some(&name)).await.unwrap();
    // One guard follows and undoes what the other has sent.
    let made = bench.followed(&receipt.activities[0]).await;
    bench.guard.unlock(5, Some(&name)).await.unwrap();
    let undone = bench.undo(&made).await;
    assert_eq!(undone.undo_of.as_ref(), Some(&made.id));
    beside.lock();
    assert!(matches!(*bench.guard.mode().borrow(), Mode::Operator { .. }));

    beside.unlock(5, Some(&name)).await.unwrap();
    let preview = Box::pin(beside.preview(change())).await.unwrap();
    bench.guard.clone().close().await;
    let closed = beside.confirm(&preview.id, Some(&name)).await;
    assert!(matches!(closed, Err(OperationError::ReadOnly)), "{closed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_was_confirmed_is_made_although_nobody_waits_for_it() {
    let bench = Bench::open().await;
    let fleet = bench.fleets().await.remove(0).fleet_id;
    let protect = bench.intent(asked::protect(&fleet, Protection::FullProtection));
    let preview = Box::pin(bench.guard.preview(protect)).await.unwrap();
    {
        let confirming = std::pin::pin!(bench.guard.confirm(&preview.id, None));
        // Begun, and abandoned at once.
        assert!(futures::poll!(confirming).is_pending());
    }
    eventually("it is made", async || !bench.changes_called().is_empty()).await;
    assert_eq!(bench.changes_called(), [("gamelift:UpdateFleetAttributes".to_owned(), 1)]);
}
