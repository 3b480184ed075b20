//! The request budget of one account and Region: a share of each published rate is ours, the rest is left to the
//! game.
//!
//! Owns the queue in front of each operation. Every attempt passes through it, retries included. Requests for what is
//! on screen go first, but nothing waits for ever: a higher priority is worth only a fixed head start.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::rate::{RateTable, is_gamelift};
use pace::Pace;
use window::Window;

mod pace;
mod window;

/// Which requests go first when the budget is short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Priority {
    /// The data is on screen.
    OnScreen,
    /// The data is older than it should be.
    Stale,
    /// Everything else.
    #[default]
    Rest,
}

impl Priority {
    /// How much later this is served than an on-screen request that arrived at the same moment.
    const fn handicap(self) -> Duration {
        match self {
            Self::OnScreen => Duration::ZERO,
            Self::Stale => Duration::from_secs(5),
            Self::Rest => Duration::from_secs(20),
        }
    }
}

/// The budget had no room in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted;

/// Budget of one account and Region.
#[derive(Debug)]
pub(crate) struct Budget {
    share: f64,
    rates: RateTable,
    origin: Instant,
    queues: Mutex<Queues>,
}

#[derive(Debug)]
struct Queues {
    operations: HashMap<&'static str, Queue>,
    /// All GameLift operations together.
    account: Window,
    /// Samples requested from CloudWatch.
    samples: Pace,
    arrivals: u64,
}

#[derive(Debug)]
struct Queue {
    window: Window,
    waiting: BTreeMap<Turn, Arc<Notify>>,
}

/// Order of service: by moment of arrival plus handicap, then by arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    due: Duration,
    arrival: u64,
}

/// A place in a queue, given up when dropped, so that a cancelled request never blocks those behind it.
struct Waiting<'a> {
    budget: &'a Budget,
    operation: &'static str,
    turn: Turn,
    called: Arc<Notify>,
}

impl Budget {
    /// A budget that may use `share` (0..1) of each rate in the table.
    pub(crate) fn new(share: f64, rates: RateTable) -> Self {
        let share = if share.is_finite() {
            share.clamp(0.001, 1.0)
        } else {
            crate::ConnectionSpec::DEFAULT_BUDGET_SHARE
        };
        let account = Window::new(rates.account_per_second() * share);
        Self {
            share,
            rates,
            origin: Instant::now(),
            queues: Mutex::new(Queues {
                operations: HashMap::new(),
                account,
                samples: Pace::default(),
                arrivals: 0,
            }),
        }
    }

    /// The rate AWS publishes for an operation, per second.
    pub(crate) fn published_per_second(&self, operation: &str) -> Option<f64> {
        self.rates.per_second(operation)
    }

    /// The rate currently allowed, per second; `None` for operations without a published rate.
    pub(crate) fn allowed_per_second(&self, operation: &str) -> Option<f64> {
        let published = self.rates.per_second(operation)?;
        let now = self.now();
        let queues = self.queues.lock();
        Some(
            queues
                .operations
                .get(operation)
                .map_or(published * self.share, |queue| queue.window.allowed_per_second(now)),
        )
    }

    /// Waits for room for one request, at most `patience`. Safe to cancel at any point.
    pub(crate) async fn acquire(
        &self,
        operation: &'static str,
        priority: Priority,
        patience: Duration,
    ) -> Result<(), Exhausted> {
        let Some(waiting) = self.enqueue(operation, priority) else { return Ok(()) };
        let deadline = Instant::now() + patience;
        loop {
            match self.advance(&waiting) {
                Standing::Served => return Ok(()),
                Standing::First(ready) => {
                    let ready = self.origin + ready;
                    if ready > deadline {
                        return Err(Exhausted);
                    }
                    sleep_until(ready).await;
                }
                Standing::Behind => {
                    if timeout_at(deadline, waiting.called.notified()).await.is_err() {
                        return Err(Exhausted);
                    }
                }
            }
        }
    }

    /// Waits until this many samples may be requested from CloudWatch. AWS allows `per_second` of them in all.
    pub(crate) async fn pace_samples(&self, samples: u64, per_second: f64) {
        let now = self.now();
        let begins = self.queues.lock().samples.book(now, samples, per_second * self.share);
        sleep_until(self.origin + begins).await;
    }

    /// Halves the rate allowed for an operation that AWS has throttled.
    pub(crate) fn throttled(&self, operation: &str) {
        let now = self.now();
        if let Some(queue) = self.queues.lock().operations.get_mut(operation) {
            queue.window.throttle(now);
        }
    }

    fn enqueue(&self, operation: &'static str, priority: Priority) -> Option<Waiting<'_>> {
        let published = self.rates.per_second(operation)?;
        let due = self.now() + priority.handicap();
        let called = Arc::new(Notify::new());
        let mut queues = self.queues.lock();
        queues.arrivals += 1;
        let turn = Turn { due, arrival: queues.arrivals };
        let queue = queues.operations.entry(operation).or_insert_with(|| Queue {
            window: Window::new(published * self.share),
            waiting: BTreeMap::new(),
        });
        queue.waiting.insert(turn, Arc::clone(&called));
        drop(queues);
        Some(Waiting { budget: self, operation, turn, called })
    }

    fn advance(&self, waiting: &Waiting<'_>) -> Standing {
        let now = self.now();
        let mut queues = self.queues.lock();
        let Queues { operations, account, .. } = &mut *queues;
        let Some(queue) = operations.get_mut(waiting.operation) else { return Standing::Served };
        if queue.waiting.keys().next() != Some(&waiting.turn) {
            return Standing::Behind;
        }
        let shares_account = is_gamelift(waiting.operation);
        let mut ready = queue.window.ready_at(now);
        if shares_account {
            ready = ready.max(account.ready_at(now));
        }
        if ready > now {
            return Standing::First(ready);
        }
        queue.window.send(now);
        if shares_account {
            account.send(now);
        }
        Standing::Served
    }

    fn now(&self) -> Duration {
        self.origin.elapsed()
    }
}

enum Standing {
    /// The request may go.
    Served,
    /// First in the queue; check again at this moment.
    First(Duration),
    /// Another request is first.
    Behind,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut queues = self.budget.queues.lock();
        if let Some(queue) = queues.operations.get_mut(self.operation) {
            queue.waiting.remove(&self.turn);
            if let Some(next) = queue.waiting.values().next() {
                next.notify_one();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(600);
    /// The published rate is 20 a second; one fifth of it is ours: 4 a second.
    const SESSIONS: &str = "DescribeGameSessions";

    fn budget() -> Arc<Budget> {
        Arc::new(Budget::new(0.2, RateTable::published()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_hundred_callers_share_four_requests_a_second() {
        let budget = budget();
        let begun = Instant::now();
        let calls: Vec<_> = (0..100)
            .map(|_| {
                let budget = Arc::clone(&budget);
                tokio::spawn(async move {
                    budget.acquire(SESSIONS, Priority::Rest, LONG).await.unwrap();
                    Instant::now()
                })
            })
            .collect();
        let mut sent = Vec::new();
        for call in calls {
            sent.push(call.await.unwrap());
        }
        for from in &sent {
            let count = sent.iter().filter(|at| *at >= from && **at < *from + Duration::from_secs(1)).count();
            assert!(count <= 4, "{count} in one second");
        }
        let took = begun.elapsed();
        assert!(took <= Duration::from_millis(24_200), "at least 95 % of the allowance is used: {took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_on_screen_overtakes_what_waits() {
        let budget = budget();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut calls = Vec::new();
        for priority in [Priority::Rest; 12].into_iter().chain([Priority::Stale, Priority::OnScreen]) {
            let (budget, order) = (Arc::clone(&budget), Arc::clone(&order));
            calls.push(tokio::spawn(async move {
                budget.acquire(SESSIONS, priority, LONG).await.unwrap();
                order.lock().push(priority);
            }));
            tokio::task::yield_now().await;
        }
        for call in calls {
            call.await.unwrap();
        }
        let order = order.lock();
        assert_eq!(order[..4], [Priority::Rest; 4], "the first four found room at once");
        assert_eq!(order[4..6], [Priority::OnScreen, Priority::Stale]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_screen_does_not_starve_the_rest() {
        let budget = budget();
        let rest = tokio::spawn({
            let budget = Arc::clone(&budget);
            async move { budget.acquire(SESSIONS, Priority::Rest, LONG).await.map(|()| Instant::now()) }
        });
        let begun = Instant::now();
        let screens: Vec<_> = (0..8)
            .map(|_| {
                let budget = Arc::clone(&budget);
                tokio::spawn(async move {
                    for _ in 0..40 {
                        budget.acquire(SESSIONS, Priority::OnScreen, LONG).await.unwrap();
                    }
                })
            })
            .collect();
        let served = rest.await.unwrap().unwrap();
        assert!(served - begun <= Duration::from_secs(25), "{:?}", served - begun);
        for screen in screens {
            screen.await.unwrap();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_cancelled_caller_leaves_the_queue_to_the_next() {
        let budget = budget();
        for _ in 0..4 {
            budget.acquire(SESSIONS, Priority::Rest, LONG).await.unwrap();
        }
        let first = tokio::spawn({
            let budget = Arc::clone(&budget);
            async move { budget.acquire(SESSIONS, Priority::OnScreen, LONG).await }
        });
        tokio::task::yield_now().await;
        let second = tokio::spawn({
            let budget = Arc::clone(&budget);
            async move { budget.acquire(SESSIONS, Priority::Rest, LONG).await }
        });
        tokio::task::yield_now().await;
        first.abort();
        assert_eq!(second.await.unwrap(), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn impatience_ends_in_an_error_and_frees_the_place() {
        let budget = budget();
        for _ in 0..4 {
            budget.acquire(SESSIONS, Priority::Rest, LONG).await.unwrap();
        }
        let impatient = budget.acquire(SESSIONS, Priority::Rest, Duration::from_millis(100)).await;
        assert_eq!(impatient, Err(Exhausted));
        assert_eq!(budget.acquire(SESSIONS, Priority::Rest, LONG).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_throttle_halves_the_allowance_of_that_operation_only() {
        let budget = budget();
        budget.acquire(SESSIONS, Priority::Rest, LONG).await.unwrap();
        budget.throttled(SESSIONS);
        assert!((budget.allowed_per_second(SESSIONS).unwrap() - 2.0).abs() < 0.1);
        assert!((budget.allowed_per_second("ListAliases").unwrap() - 6.0).abs() < 1e-9);
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!((budget.allowed_per_second(SESSIONS).unwrap() - 4.0).abs() < 1e-9);
    }

    #[tokio::test(start_paused = true)]
    async fn operations_without_a_published_rate_never_wait() {
        let budget = budget();
        for _ in 0..1_000 {
            budget.acquire("ReceiveMessage", Priority::Rest, Duration::ZERO).await.unwrap();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn all_operations_together_stay_below_the_account_wide_rate() {
        let rates = RateTable::published().with("ListAliases", 400.0).with("ListBuilds", 400.0);
        let budget = Arc::new(Budget::new(1.0, rates));
        assert_eq!(budget.published_per_second("ListAliases"), Some(400.0));
        let calls: Vec<_> = (0..2_000)
            .map(|n: usize| {
                let budget = Arc::clone(&budget);
                tokio::spawn(async move {
                    let operation = if n.is_multiple_of(2) { "ListAliases" } else { "ListBuilds" };
                    budget.acquire(operation, Priority::Rest, LONG).await.unwrap();
                    Instant::now()
                })
            })
            .collect();
        let mut sent = Vec::new();
        for call in calls {
            sent.push(call.await.unwrap());
        }
        sent.sort();
        let most = sent.iter().enumerate().map(|(index, from)| {
            sent[index..].iter().take_while(|at| **at < *from + Duration::from_secs(1)).count()
        });
        assert_eq!(most.max(), Some(500), "the account-wide rate is used, and not exceeded");
    }

    #[tokio::test(start_paused = true)]
    async fn a_backfill_asks_for_no_more_samples_than_its_share() {
        let budget = budget();
        let begun = Instant::now();
        for _ in 0..11 {
            budget.pace_samples(100_800, 396_000.0).await;
        }
        let rate = 10.0 * 100_800.0 / begun.elapsed().as_secs_f64();
        assert!((rate - 79_200.0).abs() < 100.0, "{rate} a second");
    }
}
