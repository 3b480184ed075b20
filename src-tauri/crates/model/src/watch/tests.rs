//! Tasks that end, panic and recover, and what is reported about them.

use std::future::{pending, ready};
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::*;

/// A roll on tokio's paused clock, with times counted from its creation.
fn roll() -> Roll {
    let begun = Instant::now();
    let clock = move || Timestamp::from_ms(i64::try_from(begun.elapsed().as_millis()).unwrap());
    Roll::new(Arc::new(clock), |pause| Box::pin(sleep(pause)))
}

async fn seconds(count: u64) {
    sleep(Duration::from_millis(count * 1_000 + 1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_task_that_panics_is_on_the_roll_until_it_has_run_again_for_a_while() {
    let (roll, tries) = (roll(), AtomicU32::new(0));
    let begin = async || {
        assert!(tries.fetch_add(1, Ordering::SeqCst) > 0, "the first try");
        pending::<()>().await;
    };
    let kept = roll.keep("The reading of eu-west-1", pending::<()>, begin);
    let seen = async {
        seconds(0).await;
        let [down] = roll.down().try_into().unwrap();
        assert_eq!(down.task, "The reading of eu-west-1");
        assert_eq!(down.why, "it failed: the first try");
        assert_eq!((down.since, down.next_try), (Timestamp::from_ms(0), Some(Timestamp::from_ms(1_000))));
        seconds(1).await;
        assert_eq!(roll.down()[0].next_try, None, "it was begun again, and is not trusted yet");
        seconds(1).await;
        assert_eq!(roll.down(), []);
        assert_eq!(tries.load(Ordering::SeqCst), 2);
    };
    tokio::select! {
        () = kept => panic!("nobody stopped it"),
        () = seen => {}
    }
}

#[tokio::test(start_paused = true)]
async fn pauses_grow_up_to_a_minute_while_it_goes_on_ending() {
    let (roll, begun) = (roll(), Mutex::new(Vec::new()));
    let at = Instant::now();
    let kept = roll.keep("a", pending::<()>, || {
        begun.lock().unwrap().push(at.elapsed().as_secs());
        ready(())
    });
    let _ = tokio::time::timeout(Duration::from_secs(200), kept).await;
    assert_eq!(*begun.lock().unwrap(), [0, 1, 3, 7, 15, 31, 63, 123, 183]);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_is_told_to_stop_may_end_also_in_a_pause() {
    let (roll, (stop, stopped)) = (roll(), watch::channel(false));
    let stopped = || {
        let mut stopped = stopped.clone();
        async move { drop(stopped.wait_for(|stopped| *stopped).await) }
    };
    let kept = roll.keep("a", stopped, || ready(()));
    let at = Instant::now();
    tokio::join!(kept, async {
        sleep(Duration::from_millis(500)).await;
        stop.send_replace(true);
    });
    assert_eq!(at.elapsed(), Duration::from_millis(500));
    assert_eq!(roll.down(), []);
}

#[tokio::test(start_paused = true)]
async fn work_with_an_end_is_carried_to_it() {
    let (roll, tries) = (roll(), AtomicU32::new(0));
    let work = || {
        assert!(tries.fetch_add(1, Ordering::SeqCst) > 1, "not yet");
        ready(())
    };
    roll.carry("a", pending::<()>, work).await;
    assert_eq!(tries.load(Ordering::SeqCst), 3);
    assert_eq!(roll.down(), []);
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_fails_takes_down_nobody_who_keeps_others_running() {
    let tries = AtomicU32::new(0);
    let roll = Roll::new(Arc::new(|| panic!("the clock")), |pause| Box::pin(sleep(pause)));
    let work = || {
        assert!(tries.fetch_add(1, Ordering::SeqCst) > 0);
        ready(())
    };
    roll.carry("a", pending::<()>, work).await;
    assert_eq!(tries.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn a_task_nobody_keeps_any_more_leaves_the_roll() {
    let roll = roll();
    let kept = roll.keep("a", pending::<()>, || ready(()));
    assert!(tokio::time::timeout(Duration::from_millis(10), kept).await.is_err());
    assert_eq!(roll.down(), []);
}
