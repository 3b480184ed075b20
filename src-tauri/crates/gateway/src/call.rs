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
use crate::retry;
use crate::usage::Meter;

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
}

impl<'a> Call<'a> {
    pub(crate) const fn new(operation: &'static str, resource: Option<&'a str>, priority: Priority) -> Self {
        Self { operation, resource, priority, holds: Duration::ZERO }
    }
}

impl Line {
    /// Sends a read until it succeeds, fails for good or the patience is used up. `send` makes one attempt.
    pub(crate) async fn call<O, E, F, Fut>(&self, call: Call<'_>, send: F) -> Result<O, GatewayError>
    where
        F: Fn() -> Fut,
        Fut: Future<Output = Result<O, SdkError<E, HttpResponse>>>,
        E: ProvideErrorMetadata + Error + 'static,
    {
        let mut left = self.patience.call + call.holds;
        let mut attempt = 1;
        loop {
            if self.budget.acquire(call.operation, call.priority, self.patience.budget).await.is_err() {
                let waited = self.patience.budget.as_secs();
                return Err(self.give_up(
                    call,
                    ErrorKind::BudgetExhausted,
                    format!("no room for {waited} s"),
                ));
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
            let pause = retry::pause(&fault, attempt, self.patience.attempts, self.chance());
            match pause.filter(|pause| *pause < left) {
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

    fn give_up(&self, call: Call<'_>, kind: ErrorKind, message: String) -> GatewayError {
        self.meter.error(call.operation);
        self.error(kind, call.operation, call.resource, message)
    }

    fn fail(&self, call: Call<'_>, fault: Fault) -> GatewayError {
        self.meter.error(call.operation);
        GatewayError {
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
            status: None,
            code: None,
            request_id: None,
            retry_after: None,
            message: "the time allowed for an answer ran out".to_owned(),
        }
    }
}
