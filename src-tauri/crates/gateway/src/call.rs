//! The single path of every request: budget, proof of the account, attempt, fault, pause, retry.
//!
//! Owns what the four SDK clients of a Region share. Deliberately knows no operation. The clients have no credentials
//! of their own, so a request that bypasses this path cannot be signed.

use std::error::Error;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use aws_credential_types::Credentials;
use aws_sdk_gamelift::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use parking_lot::Mutex;
use tokio::time::{Instant, sleep, timeout};
use tracing::debug;

use crate::budget::{Budget, Priority};
use crate::connection::Patience;
use crate::error::{ErrorKind, GatewayError, Origin};
use crate::fault::{Cause, Fault};
use crate::grant::Grant;
use crate::identity::Identity;
use crate::pass;
use crate::retry;
use crate::usage::Meter;

/// The longest a change waits for room in the budget. It is short enough that the person who asked for it is still
/// there.
const CHANGE_WAITS: Duration = Duration::from_secs(60);
/// Minimum number of attempts for a throttled change. With the pauses between them they take about half a minute.
const THROTTLED_ATTEMPTS: u32 = 6;

/// A read is attempted only while at least 1 / `LEAST_OF_AN_ATTEMPT` of an attempt's full time is left. With less,
/// the attempt would time out before most responses arrive.
const LEAST_OF_AN_ATTEMPT: u32 = 3;

/// Sends all calls to one Region, each only with proof of the account.
#[derive(Debug)]
pub(crate) struct ProvenWire {
    pub(crate) wire: Arc<Wire>,
    pub(crate) identity: Arc<Identity>,
}

/// What all attempts in one Region share.
#[derive(Debug)]
pub(crate) struct Wire {
    pub(crate) origin: Arc<Origin>,
    pub(crate) budget: Budget,
    pub(crate) meter: Meter,
    pub(crate) patience: Patience,
    pub(crate) chance: Mutex<fastrand::Rng>,
}

/// One call: which operation, on which resource, how urgent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) operation: &'static str,
    pub(crate) resource: Option<&'a str>,
    pub(crate) priority: Priority,
    /// How long the service was asked to hold its response back (a long poll).
    pub(crate) holds: Duration,
    /// Whether receiving a response hides its content for a while. A retry would then return, and hide, something
    /// else.
    pub(crate) takes: bool,
    /// Permission to change something; reads need none.
    pub(crate) grant: Option<&'a Grant>,
    /// Whether this is the identity check, which has a shorter time limit.
    pub(crate) is_proof: bool,
}

/// Which credentials sign the attempts of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leave<'a> {
    /// The credentials that this identity has proven.
    Proven(&'a Identity),
    /// These credentials, not yet proven: used to ask AWS whose they are.
    Given(&'a Credentials),
}

/// The attempts of one call, one after the other.
#[derive(Debug)]
struct Attempts<'a> {
    wire: &'a Wire,
    call: Call<'a>,
    leave: Leave<'a>,
    /// Time left for the call.
    left: Duration,
    /// The longest one attempt may take.
    whole: Duration,
    made: u32,
    /// When the last attempt began.
    begun: Instant,
}

impl<'a> Call<'a> {
    pub(crate) const fn new(operation: &'static str, resource: Option<&'a str>, priority: Priority) -> Self {
        Self {
            operation,
            resource,
            priority,
            holds: Duration::ZERO,
            takes: false,
            grant: None,
            is_proof: false,
        }
    }

    /// The call that asks AWS whose credentials these are.
    pub(crate) const fn proof(operation: &'static str) -> Self {
        Self { is_proof: true, ..Self::new(operation, None, Priority::OnScreen) }
    }

    /// A call that changes something. It has the highest priority because somebody is waiting for it, and it is sent
    /// only while the grant is valid.
    pub(crate) const fn change(operation: &'static str, resource: Option<&'a str>, grant: &'a Grant) -> Self {
        Self { grant: Some(grant), ..Self::new(operation, resource, Priority::OnScreen) }
    }

    /// How long this call waits for room in the budget, given how long a read would wait.
    fn waits(&self, read: Duration) -> Duration {
        if self.grant.is_some() { read.min(CHANGE_WAITS) } else { read }
    }

    /// How many attempts to make in all, given the number for a read. A throttled change gets more of them: somebody
    /// is waiting for it, and nothing sends it again automatically.
    fn attempts(&self, fault: &Fault, read: u32) -> u32 {
        let throttled = self.grant.is_some() && fault.kind() == ErrorKind::Throttled;
        if throttled { read.max(THROTTLED_ATTEMPTS) } else { read }
    }

    /// Whether another attempt may follow this fault. A change with an uncertain outcome is never sent again: it may
    /// have been carried out, or may be carried out minutes later, and a second one could then undo what somebody
    /// else did in between. This applies to setting a value and to creating a session alike: even with an idempotency
    /// token, an alias that has been repointed is resolved anew.
    fn may_repeat(&self, fault: &Fault) -> bool {
        (self.grant.is_none() && !self.takes) || fault.surely_not_done()
    }

    /// How long the whole call and each attempt may take.
    fn patience(&self, patience: &Patience) -> (Duration, Duration) {
        if self.is_proof {
            (patience.proof, patience.proof)
        } else {
            (patience.call + self.holds, patience.attempt + self.holds)
        }
    }

    /// How much time must be left for an attempt, given the full time of one. Every attempt of a change gets the full
    /// time, because after a timeout nobody would know its outcome.
    fn least(&self, attempt: Duration) -> Duration {
        if self.grant.is_some() { attempt } else { attempt / LEAST_OF_AN_ATTEMPT }
    }

    fn may_go(&self) -> bool {
        self.grant.is_none_or(Grant::is_valid)
    }
}

impl ProvenWire {
    /// Sends a request as `Wire::send` does, but makes each attempt only with proof that its credentials belong to
    /// the connection's account and, for a change, to the identity the grant was issued to.
    pub(crate) async fn call<O, E, F, Fut>(&self, call: Call<'_>, send: F) -> Result<O, GatewayError>
    where
        F: Fn() -> Fut,
        Fut: Future<Output = Result<O, SdkError<E, HttpResponse>>>,
        E: ProvideErrorMetadata + Error + 'static,
    {
        let answer = self.wire.send(call, Leave::Proven(&self.identity), send).await;
        if answer.as_ref().is_err_and(|error| error.kind == ErrorKind::Credentials) {
            self.identity.doubt().await;
        }
        answer
    }

    /// Obtains the proof that an attempt of a change needs, without sending the change.
    ///
    /// # Errors
    /// The same as for an attempt that is held back.
    pub(crate) async fn prove(&self, grant: &Grant) -> Result<(), GatewayError> {
        let leave = self.identity.leave(self.wire.origin.region.as_ref(), Some(grant)).await;
        let call = Call::new("connect", None, Priority::OnScreen);
        leave.map(drop).map_err(|error| self.wire.hold_back(call, error))
    }

    /// An error of this Region that does not come from an AWS response.
    pub(crate) fn error(
        &self,
        kind: ErrorKind,
        operation: &'static str,
        resource: Option<&str>,
        message: impl Into<Box<str>>,
    ) -> GatewayError {
        self.wire.error(kind, operation, resource, message)
    }
}

impl Wire {
    /// Sends a request until it succeeds, fails for good or runs out of time or attempts. `send` makes one attempt.
    pub(crate) async fn send<O, E, F, Fut>(
        &self,
        call: Call<'_>,
        leave: Leave<'_>,
        send: F,
    ) -> Result<O, GatewayError>
    where
        F: Fn() -> Fut,
        Fut: Future<Output = Result<O, SdkError<E, HttpResponse>>>,
        E: ProvideErrorMetadata + Error + 'static,
    {
        // This function is compiled once per operation, so whatever does not depend on the operation is in
        // `Attempts`.
        let mut attempts = Attempts::new(self, call, leave);
        loop {
            let credentials = attempts.next().await?;
            // Boxed because the SDK's futures are large and this one is held by every poller.
            let attempt = Box::pin(pass::signed_with(credentials, send()));
            let fault = match timeout(attempts.limit(), attempt).await {
                Ok(Ok(output)) => return Ok(output),
                Ok(Err(error)) => Fault::of(&error),
                Err(_) => Fault::silence(),
            };
            attempts.pause(fault).await?;
        }
    }

    /// An error of this Region that does not come from an AWS response.
    pub(crate) fn error(
        &self,
        kind: ErrorKind,
        operation: &'static str,
        resource: Option<&str>,
        message: impl Into<Box<str>>,
    ) -> GatewayError {
        GatewayError {
            resource: resource.map(str::to_owned),
            origin: Arc::clone(&self.origin),
            ..GatewayError::plain(kind, operation, message)
        }
    }

    fn read_only(&self, call: Call<'_>) -> GatewayError {
        self.give_up(call, ErrorKind::ReadOnly, "")
    }

    /// Builds the error for an attempt that is not made. Earlier attempts cannot have left anything uncertain, or no
    /// further attempt would be due.
    fn give_up(&self, call: Call<'_>, kind: ErrorKind, message: impl Into<Box<str>>) -> GatewayError {
        self.meter.error(call.operation);
        self.error(kind, call.operation, call.resource, message)
    }

    /// Builds the error for an attempt that was not sent because its credentials were not approved.
    fn hold_back(&self, call: Call<'_>, why: GatewayError) -> GatewayError {
        let (kind, message) = match why.kind {
            ErrorKind::WrongAccount | ErrorKind::WrongCaller | ErrorKind::Credentials => {
                (why.kind, why.message)
            }
            _ => (ErrorKind::Unproven, why.sentence().into_boxed_str()),
        };
        let error = self.give_up(call, kind, message);
        GatewayError { code: why.code, request_id: why.request_id, is_unproven: true, ..error }
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
            is_unproven: false,
            origin: Arc::clone(&self.origin),
        }
    }
}

impl Leave<'_> {
    /// Boxed to break the recursion of future types: an identity itself sends requests over a `Wire`.
    fn credentials<'a>(
        &'a self,
        wire: &'a Wire,
        grant: Option<&'a Grant>,
    ) -> Pin<Box<dyn Future<Output = Result<Credentials, GatewayError>> + Send + 'a>> {
        match *self {
            Self::Given(credentials) => Box::pin(ready(Ok(credentials.clone()))),
            Self::Proven(identity) => Box::pin(identity.leave(wire.origin.region.as_ref(), grant)),
        }
    }
}

impl<'a> Attempts<'a> {
    fn new(wire: &'a Wire, call: Call<'a>, leave: Leave<'a>) -> Self {
        let (left, whole) = call.patience(&wire.patience);
        Self { wire, call, leave, left, whole, made: 0, begun: Instant::now() }
    }

    /// Waits until an attempt may be made and returns the credentials to sign it with. The grant is checked again at
    /// the end, because it may have ended during the wait.
    async fn next(&mut self) -> Result<Credentials, GatewayError> {
        let Self { wire, call, .. } = *self;
        if !call.may_go() {
            return Err(wire.read_only(call));
        }
        let patience = call.waits(wire.patience.budget);
        if wire.budget.acquire(call.operation, call.priority, patience).await.is_err() {
            let message = format!("no room within {} s", patience.as_secs());
            return Err(wire.give_up(call, ErrorKind::BudgetExhausted, message));
        }
        let leave = self.leave.credentials(wire, call.grant).await;
        let credentials = leave.map_err(|error| wire.hold_back(call, error))?;
        if !call.may_go() {
            return Err(wire.read_only(call));
        }
        wire.meter.attempt(call.operation, self.made > 0);
        self.made += 1;
        self.begun = Instant::now();
        Ok(credentials)
    }

    /// The longest the current attempt may take.
    fn limit(&self) -> Duration {
        self.left.min(self.whole)
    }

    /// Waits after a fault of the current attempt until the next one is due.
    ///
    /// # Errors
    /// When there is no next attempt.
    async fn pause(&mut self, fault: Fault) -> Result<(), GatewayError> {
        let Self { wire, call, made, .. } = *self;
        self.left = self.left.saturating_sub(self.begun.elapsed());
        if fault.kind() == ErrorKind::Throttled {
            wire.meter.throttle(call.operation);
            wire.budget.throttled(call.operation);
        }
        let chance = wire.chance.lock().f64();
        let at_most = call.attempts(&fault, wire.patience.attempts);
        let least = call.least(self.whole);
        let pause = retry::pause(&fault, made, at_most, chance)
            .filter(|pause| *pause + least <= self.left && call.may_repeat(&fault));
        let Some(pause) = pause else { return Err(wire.fail(call, fault)) };
        debug!(operation = call.operation, attempt = made, kind = ?fault.kind(), pause_ms = pause.as_millis() as u64, "A call is tried again.");
        self.left = self.left.saturating_sub(pause);
        sleep(pause).await;
        Ok(())
    }
}

impl Fault {
    /// The fault of an attempt that ran out of time before the SDK returned.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::tests::caller;

    #[test]
    fn a_long_poll_has_the_time_it_holds_besides_and_the_question_of_the_account_a_time_of_its_own() {
        let patience = Patience::default();
        let read = Call::new("DescribeAlias", None, Priority::Rest);
        assert_eq!(read.patience(&patience), (patience.call, patience.attempt));
        let wait = Duration::from_secs(20);
        let poll = Call { holds: wait, ..read };
        assert_eq!(poll.patience(&patience), (patience.call + wait, patience.attempt + wait));
        let proof = Call::proof("GetCallerIdentity");
        assert_eq!(proof.patience(&patience), (patience.proof, patience.proof));
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the subject of the test")]
    fn a_change_waits_for_room_no_longer_than_a_minute() {
        let grant = Grant::issue(Duration::from_secs(3_600), caller());
        let waits =
            |call: Call<'_>| [10, 60, 300].map(|read| call.waits(Duration::from_secs(read)).as_secs());
        assert_eq!(waits(Call::change("DeleteAlias", None, &grant)), [10, 60, 60]);
        assert_eq!(waits(Call::new("DescribeAlias", None, Priority::Rest)), [10, 60, 300]);
    }
}
