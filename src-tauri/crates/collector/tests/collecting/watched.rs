//! Failures inside the collector itself: the task is restarted, and health reports it until it runs again.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use liftdeck_collector::{Cadence, Clock, Collector, CollectorOptions, HealthState, Pace};
use liftdeck_model::observation::PollKind;
use parking_lot::Mutex;
use tokio::task;

use crate::harness::{Bench, eventually};

/// Number of clock readings that no single poll reaches.
const MANY: u32 = 40;

/// Starts collecting one Region with a clock that panics while `armed`, in the tasks that `fails` selects by how
/// often they have read it.
async fn start(bench: &Bench, armed: &Arc<AtomicBool>, fails: fn(u32, u32) -> bool) -> Collector {
    let pace = Pace { on_screen_ms: 1_000, otherwise_ms: 1_000 };
    let options = CollectorOptions {
        regions: bench.regions().into_iter().take(1).collect(),
        cadence: Cadence::default().with(PollKind::Aliases, pace),
        ..bench.options()
    };
    let (armed, told, asked) = (Arc::clone(armed), bench.moving_clock(), Mutex::new(HashMap::new()));
    let clock: Clock = Arc::new(move || {
        if let Some(id) = task::try_id() {
            let (own, most) = {
                let mut asked = asked.lock();
                let own = asked.entry(id).and_modify(|times| *times += 1).or_insert(1_u32);
                (*own, asked.values().copied().max().unwrap_or(0))
            };
            assert!(!(armed.load(Ordering::SeqCst) && fails(own, most)), "a test says so");
        }
        told()
    });
    let (writer, reader) = (bench.store.writer().unwrap(), bench.store.reader());
    Collector::start(options, &bench.gateway().await, writer, reader, clock).await.unwrap()
}

/// Waits until the Region has been read since `moment` and health reports no problem.
async fn reads_again(collector: &Collector, moment: liftdeck_model::Timestamp) {
    eventually("it reads again and says that all is well", || async {
        let health = collector.health().borrow().clone();
        health.down.is_empty()
            && health.state == HealthState::Live
            && health.message.is_none()
            && health.regions[0].last_success.is_some_and(|at| at > moment)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_collection_of_a_region_that_fails_is_in_health_until_it_goes_on() {
    let bench = Bench::frozen().await;
    let armed = Arc::new(AtomicBool::new(false));
    // No task reads the clock as often as the Region's loop.
    let collector = start(&bench, &armed, |own, most| own == most && own > MANY).await;
    eventually("healthy", || async { collector.health().borrow().state == HealthState::Live }).await;
    armed.store(true, Ordering::SeqCst);
    eventually("health names what is not running", || async {
        let health = collector.health().borrow().clone();
        let down = health.down.iter().find(|down| down.task.starts_with("The collection of "));
        down.is_some_and(|down| down.why == "it failed: a test says so")
            && health.state == HealthState::Behind
            && health.message.is_some_and(|message| message.contains(" stopped at "))
    })
    .await;
    armed.store(false, Ordering::SeqCst);
    reads_again(&collector, bench.moving_clock()()).await;
    collector.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poll_that_fails_in_the_program_itself_is_told_and_ends_no_other() {
    let bench = Bench::frozen().await;
    let armed = Arc::new(AtomicBool::new(false));
    let collector = start(&bench, &armed, |own, _| own < MANY / 10).await;
    eventually("healthy", || async { collector.health().borrow().state == HealthState::Live }).await;
    armed.store(true, Ordering::SeqCst);
    eventually("health says what could not be read", || async {
        let health = collector.health().borrow().clone();
        let told = health.regions[0].message.clone().unwrap_or_default();
        told.contains("failed in Liftdeck itself: a test says so") && health.down.is_empty()
    })
    .await;
    armed.store(false, Ordering::SeqCst);
    reads_again(&collector, bench.moving_clock()()).await;
    collector.stop().await;
}
