//! The one path every request takes: budget, proof of the account, attempt, fault, pause, again.
//!
//! Owns what the four SDK clients of a Region share. Deliberately knows no operation. The clients have no credentials: what
//! does not come this way cannot be signed.

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

/// The longest a change waits for room in the budget: who pressed the button is still there.
const CHANGE_WAITS: Duration = Duration::from_secs(60);
/// Attempts a throttled change has at least; with the pauses between them about half a minute.
const THROTTLED_ATTEMPTS: u32 = 6;

/// An attempt of a read is sent only while this part of its whole time is left: with less it would be given up before most
/// answers come.
const LEAST_OF_AN_ATTEMPT: u32 = 3;

/// The way of all calls to one Region: each only with proof of the account.
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

/// One call: which operation, about what, how urgent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) operation: &'static str,
    pub(crate) resource: Option<&'a str>,
    pub(crate) priority: Priority,
    /// Time the service was asked to hold its answer back (a long poll).
    pub(crate) holds: Duration,
    /// Whether what is answered is gone for a while: a repeat then brings something else, and hides that too.
    pub(crate) takes: bool,
    /// Leave to change something; reads need none.
    pub(crate) grant: Option<&'a Grant>,
    /// Whether it asks whose credentials these are; that alone has less patience.
    pub(crate) is_proof: bool,
}

/// Who signs the attempts of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leave<'a> {
    /// Whoever the identity gives leave to.
    Proven(&'a Identity),
    /// These credentials: the question whose they are.
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
    /// Time an attempt may have at most.
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

    /// The question whose credentials these are.
    pub(crate) const fn proof(operation: &'static str) -> Self {
        Self { is_proof: true, ..Self::new(operation, None, Priority::OnScreen) }
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

    /// How much time must be left for an attempt, of what a whole one has. The answer to a change is waited for as long as
    /// the first time: nobody would know what became of it.
    fn least(&self, attempt: Duration) -> Duration {
        if self.grant.is_some() { attempt } else { attempt / LEAST_OF_AN_ATTEMPT }
    }

    fn may_go(&self) -> bool {
        self.grant.is_none_or(Grant::is_valid)
    }
}

impl ProvenWire {
    /// Sends a request as `Wire::send` does, each attempt only with proof that its credentials are of the connection's
    /// account and, for a change, of whom the grant was given to.
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

    /// Proves what an attempt of a change would stand on, without sending it.
    ///
    /// # Errors
    /// As for an attempt that is held back.
    pub(crate) async fn prove(&self, grant: &Grant) -> Result<(), GatewayError> {
        let leave = self.identity.leave(self.wire.origin.region.as_ref(), Some(grant)).await;
        let call = Call::new("connect", None, Priority::OnScreen);
        leave.map(drop).map_err(|error| self.wire.hold_back(call, error))
    }

    /// An error of this Region that no answer of AWS stands behind.
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
    /// Sends a request until it succeeds, fails for good or the patience is used up. `send` makes one attempt.
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
        // Compiled once for every operation: what does not depend on one is in `Attempts`.
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

    /// An error of this Region that no answer of AWS stands behind.
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

    /// An attempt is not made. Nothing is uncertain of those before it: none would follow.
    fn give_up(&self, call: Call<'_>, kind: ErrorKind, message: impl Into<Box<str>>) -> GatewayError {
        self.meter.error(call.operation);
        self.error(kind, call.operation, call.resource, message)
    }

    /// No leave was given: this attempt was not sent.
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
    /// Boxed as a type of its own because an identity asks over a `Wire`, too.
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

    /// Waits until an attempt may be made, and says who signs it. A grant is looked at right before, after whatever had to
    /// be waited for.
    async fn next(&mut self) -> Result<Credentials, GatewayError> {
        let Self { wire, call, .. } = *self;
        if !call.may_go() {
            return Err(wire.read_only(call));
        }
        let patience = call.waits(wire.patience.budget);
        if wire.budget.acquire(call.operation, call.priority, patience).await.is_err() {
            let message = format!("no room for {} s", patience.as_secs());
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

    /// The longest the attempt that was begun may take.
    fn limit(&self) -> Duration {
        self.left.min(self.whole)
    }

    /// Waits until the next attempt is due, after a fault of this one.
    ///
    /// # Errors
    /// There is no next attempt.
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
