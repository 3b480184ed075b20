//! The guard's background work: a failure is reported, and the work is begun again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use liftdeck_model::activity::EffectState;
use liftdeck_operations::GuardOptions;

use crate::asked;
use crate::bench::{Bench, attempt, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn a_look_for_an_effect_that_fails_is_told_and_begun_again() {
    let bench = Bench::locked().await;
    let options = bench.guard.options().clone();
    let (armed, told) = (Arc::new(AtomicBool::new(false)), Arc::clone(&options.clock));
    let fails = Arc::clone(&armed);
    let clock = Arc::new(move || {
        assert!(!fails.load(Ordering::SeqCst), "a test says so");
        told()
    });
    let guard = bench.guard.beside(GuardOptions { clock, ..options });
    guard.unlock(60, None).await.unwrap();
    let fleet = bench.fleet("arena-prod-eu").await.fleet_id;
    // The world stands still, so nothing is seen of the change before the world advances.
    let sent = attempt(&guard, bench.intent(asked::on(&fleet, "watched-1"))).await;
    armed.store(true, Ordering::SeqCst);
    eventually("the guard tells what is not running", async || {
        let look = "The check for the effect of CreateGameSession";
        guard.down().iter().any(|down| down.task == look && down.why == "it failed: a test says so")
    })
    .await;
    armed.store(false, Ordering::SeqCst);
    let seen = bench.followed(&sent).await;
    assert_eq!(seen.effect.unwrap().state, EffectState::Seen);
    eventually("all of it runs", async || guard.down().is_empty()).await;
}
