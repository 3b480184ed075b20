//! The one path every request takes: budget, attempt, fault, pause, again.
//!
//! Owns what the four SDK clients of a Region share. Deliberately knows no operation.

use std::error::Error;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws_sdk_gamelift::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use tokio::time::{Instant, sleep, timeout};
use tracing::debug;

use crate::budget::{Budget, Priority};
use crate::connection::Patience;
use crate::error::{ErrorKind, GatewayError, Origin};
use crate::fault::{Cause, Fault};
use crate::grant::Grant;
use crate::retry;
use crate::usage::Meter;

/// The longest a change waits for room in the budget: who pressed the button is still there.
const CHANGE_WAITS: Duration = Duration::from_secs(60);
/// Attempts a throttled change has at least; with the pauses between them about half a minute.
const THROTTLED_ATTEMPTS: u32 = 6;

/// What all calls to one Region share.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) origin: Arc<Origin>,
    pub(crate) budget: Budget,
    pub(crate) meter: Meter,
    pub(crate) patience: Patience,
    pub(crate) chance: Mutex<fastrand::Rng>,
}

/// One call: which operation, about what, how urgent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) operation: &'static str,
    pub(crate) resource: Option<&'a str>,
    pub(crate) priority: Priority,
    /// Time the service was asked to hold its answer back (a long poll).
    pub(crate) holds: Duration,
    /// Leave to change something; reads need none.
    pub(crate) grant: Option<&'a Grant>,
}

impl<'a> Call<'a> {
    pub(crate) const fn new(operation: &'static str, resource: Option<&'a str>, priority: Priority) -> Self {
        Self { operation, resource, priority, holds: Duration::ZERO, grant: None }
    }

    /// A call that changes something: somebody waits for it, and it goes only while the grant is valid.
    pub(crate) const fn change(operation: &'static str, resource: Option<&'a str>, grant: &'a Grant) -> Self {
        Self { grant: Some(grant), ..Self::new(operation, resource, Priority::OnScreen) }
    }

    /// How long to wait for room in the budget, of what a read would.
    fn waits(&self, read: Duration) -> Duration {
        if self.grant.is_some() { read.min(CHANGE_WAITS) } else { read }
    }

    /// How many attempts in all, of what a read has. A throttled change is worth more of them: somebody waits for it,
    /// and nobody sends it again of their own accord.
    fn attempts(&self, fault: &Fault, read: u32) -> u32 {
        let throttled = self.grant.is_some() && fault.kind() == ErrorKind::Throttled;
        if throttled { read.max(THROTTLED_ATTEMPTS) } else { read }
    }

    /// Whether another attempt may follow such a fault. What is uncertain is never sent again: a change whose answer was
    /// lost may have been carried out, or be carried out minutes later, and a second one then undoes what somebody else
    /// did in between. That holds for a value that is set as for a session that is made: even an idempotency token is
    /// resolved anew where an alias has moved.
    fn may_repeat(&self, fault: &Fault) -> bool {
        self.grant.is_none() || fault.surely_not_done()
    }

    fn may_go(&self) -> bool {
        self.grant.is_none_or(Grant::is_valid)
    }
}

impl Line {
    /// Sends a request until it succeeds, fails for good or the patience is used up. `send` makes one attempt. A grant
    /// is looked at right before each, after whatever had to be waited for.
    pub(crate) async fn call<O, E, F, Fut>(&self, call: Call<'_>, send: F) -> Result<O, GatewayError>
    where
        F: Fn() -> Fut,
        Fut: Future<Output = Result<O, SdkError<E, HttpResponse>>>,
        E: ProvideErrorMetadata + Error + 'static,
    {
        let mut left = self.patience.call + call.holds;
        let mut attempt = 1;
        loop {
            if !call.may_go() {
                return Err(self.read_only(call));
            }
            let patience = call.waits(self.patience.budget);
            if self.budget.acquire(call.operation, call.priority, patience).await.is_err() {
                let message = format!("no room for {} s", patience.as_secs());
                return Err(self.give_up(call, ErrorKind::BudgetExhausted, message));
            }
            if !call.may_go() {
                return Err(self.read_only(call));
            }
            self.meter.attempt(call.operation, attempt > 1);
            let begun = Instant::now();
            let limit = left.min(self.patience.attempt + call.holds);
            // Boxed because the SDK's futures are large and this one is held by every poller.
            let fault = match timeout(limit, Box::pin(send())).await {
                Ok(Ok(output)) => return Ok(output),
                Ok(Err(error)) => Fault::of(&error),
                Err(_) => Fault::silence(),
            };
            left = left.saturating_sub(begun.elapsed());
            if fault.kind() == ErrorKind::Throttled {
                self.meter.throttle(call.operation);
                self.budget.throttled(call.operation);
            }
            let pause =
                retry::pause(&fault, attempt, call.attempts(&fault, self.patience.attempts), self.chance());
            match pause.filter(|pause| *pause < left && call.may_repeat(&fault)) {
                None => return Err(self.fail(call, fault)),
                Some(pause) => {
                    debug!(operation = call.operation, attempt, kind = ?fault.kind(), pause_ms = pause.as_millis() as u64, "A call is tried again.");
                    left = left.saturating_sub(pause);
                    attempt += 1;
                    sleep(pause).await;
                }
            }
        }
    }

    /// An error of this Region that no answer of AWS stands behind.
    pub(crate) fn error(
        &self,
        kind: ErrorKind,
        operation: &'static str,
        resource: Option<&str>,
        message: impl Into<String>,
    ) -> GatewayError {
        GatewayError {
            resource: resource.map(str::to_owned),
            origin: Arc::clone(&self.origin),
            ..GatewayError::plain(kind, operation, message)
        }
    }

    fn read_only(&self, call: Call<'_>) -> GatewayError {
        self.give_up(call, ErrorKind::ReadOnly, String::new())
    }

    /// An attempt is not made. Nothing is uncertain of those before it: none would follow.
    fn give_up(&self, call: Call<'_>, kind: ErrorKind, message: String) -> GatewayError {
        self.meter.error(call.operation);
        self.error(kind, call.operation, call.resource, message)
    }

    fn fail(&self, call: Call<'_>, fault: Fault) -> GatewayError {
        self.meter.error(call.operation);
        GatewayError {
            may_have_happened: !fault.surely_not_done(),
            kind: fault.kind(),
            operation: call.operation,
            resource: call.resource.map(str::to_owned),
            code: fault.code,
            request_id: fault.request_id,
            message: fault.message.into_boxed_str(),
            origin: Arc::clone(&self.origin),
        }
    }

    fn chance(&self) -> f64 {
        self.chance.lock().unwrap_or_else(PoisonError::into_inner).f64()
    }
}

impl Fault {
    /// The time allowed ran out before the SDK said anything.
    fn silence() -> Self {
        Self {
            cause: Cause::Silence,
            before_connection: false,
            status: None,
            code: None,
            request_id: None,
            retry_after: None,
            message: "the time allowed for an answer ran out".to_owned(),
        }
    }
}
