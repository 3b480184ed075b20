//! Asks AWS whose credentials these are. Every request depends on this proof.
//!
//! Owns the identity check, its result and the decision what may be sent. AWS is asked at the first request, again
//! whenever the credentials change, and for a change also when the last answer is older than half a minute. Nothing
//! is sent to an account other than the connection's, or while AWS does not answer. The check goes to the same
//! endpoint as the changes, in any Region that answers. Callers that arrive while it is under way share its answer or
//! its failure.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use aws_credential_types::Credentials;
use liftdeck_model::{AccountId, Region};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::call::{Call, Leave, Wire};
use crate::credentials::{Held, Vault};
use crate::error::{ErrorKind, GatewayError};
use crate::grant::Grant;
use crate::principal;

const OPERATION: &str = "GetCallerIdentity";
/// How old an answer may be for a change to rely on it.
const FRESH: Duration = Duration::from_secs(30);
/// How long to wait for one Region before the next one is asked too.
const HEAD_START: Duration = Duration::from_secs(2);

/// The identity that AWS sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallerIdentity {
    /// Account.
    pub account: AccountId,
    /// ARN of the user or assumed role.
    pub arn: String,
}

impl CallerIdentity {
    /// Whether both are the same principal of the same account, even if the credentials were renewed in between.
    pub fn is_same_principal(&self, other: &Self) -> bool {
        self.account == other.account && principal::same(&self.arn, &other.arn)
    }
}

/// One Region in which AWS can be asked.
#[derive(Debug)]
pub(crate) struct Asker {
    pub(crate) wire: Arc<Wire>,
    pub(crate) sts: aws_sdk_sts::Client,
}

/// What is known about the credentials of a connection, shared by all its Regions.
#[derive(Debug)]
pub(crate) struct Identity {
    vault: Vault,
    /// The account of the connection and its database; taken from the first answer if none was named.
    account: OnceLock<AccountId>,
    profile: Option<String>,
    askers: Vec<Arc<Asker>>,
    known: Mutex<Known>,
    /// Held while AWS is asked.
    asking: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Known {
    proof: Option<Proof>,
    failure: Option<Failure>,
}

/// An answer, and the credentials it applies to.
#[derive(Clone, Debug)]
struct Proof {
    generation: u64,
    caller: CallerIdentity,
    asked_at: Instant,
    /// The same moment by the wall clock, which keeps running while the computer sleeps.
    asked_at_clock: SystemTime,
}

/// A failed attempt to ask AWS.
#[derive(Clone, Debug)]
struct Failure {
    generation: u64,
    at: Instant,
    error: GatewayError,
}

/// Which answers are acceptable.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    /// Any answer about exactly these credentials.
    Any,
    /// An answer from the last half minute.
    Fresh,
    /// An answer to a request made at or after this moment.
    Since(Instant),
}

impl Identity {
    pub(crate) fn new(
        vault: Vault,
        account: Option<AccountId>,
        profile: Option<String>,
        askers: Vec<Arc<Asker>>,
    ) -> Self {
        Self {
            vault,
            account: account.map_or_else(OnceLock::new, OnceLock::from),
            profile,
            askers,
            known: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
        }
    }

    /// Returns the credentials an attempt may be signed with. They are proven to belong to the connection's account
    /// and, for a change, to the identity that unlocked it. If they do not, the grant is revoked.
    ///
    /// # Errors
    /// `WrongAccount`, `WrongCaller`, `Credentials`, or the error that kept AWS from answering.
    pub(crate) async fn leave(
        &self,
        region: Option<&Region>,
        grant: Option<&Grant>,
    ) -> Result<Credentials, GatewayError> {
        let wanted = if grant.is_some() { Wanted::Fresh } else { Wanted::Any };
        let (held, caller) = self.caller(region, wanted).await?;
        let judged = self.judge(&caller, grant);
        if judged.is_err() {
            if let Some(grant) = grant {
                grant.revoke();
            }
            self.vault.doubt().await;
        }
        judged.map(|()| held.credentials)
    }

    /// Asks AWS now, and compares the answer with the connection's account.
    ///
    /// # Errors
    /// As for `leave`.
    pub(crate) async fn prove(&self) -> Result<CallerIdentity, GatewayError> {
        let (_, caller) = self.caller(None, Wanted::Since(Instant::now())).await?;
        if let Err(error) = self.judge(&caller, None) {
            self.vault.doubt().await;
            return Err(error);
        }
        Ok(caller)
    }

    /// Notes that AWS refused the credentials.
    pub(crate) async fn doubt(&self) {
        self.vault.doubt().await;
    }

    async fn caller(
        &self,
        region: Option<&Region>,
        wanted: Wanted,
    ) -> Result<(Held, CallerIdentity), GatewayError> {
        let held = self.held().await?;
        let came = Instant::now();
        if let Some(caller) = self.answer(&held, wanted) {
            return Ok((held, caller));
        }
        let _turn = self.asking.lock().await;
        if let Some(caller) = self.answer(&held, wanted) {
            return Ok((held, caller));
        }
        if let Some(error) = self.failed_since(&held, came) {
            return Err(error);
        }
        let asked_at = Instant::now();
        let asked_at_clock = self.vault.now();
        let generation = held.generation;
        match self.ask(&held, region).await {
            Ok(caller) => {
                let proof = Proof { generation, caller: caller.clone(), asked_at, asked_at_clock };
                *self.known.lock() = Known { proof: Some(proof), failure: None };
                Ok((held, caller))
            }
            Err(error) => {
                self.known.lock().failure =
                    Some(Failure { generation, at: Instant::now(), error: error.clone() });
                if error.kind == ErrorKind::Credentials {
                    self.vault.doubt().await;
                }
                Err(error)
            }
        }
    }

    /// Asks one Region after the other, starting with `region`, and gives each a head start on the next. The first
    /// answer counts.
    async fn ask(&self, held: &Held, region: Option<&Region>) -> Result<CallerIdentity, GatewayError> {
        let (first, others): (Vec<_>, Vec<_>) =
            self.askers.iter().cloned().partition(|asker| asker.wire.origin.region.as_ref() == region);
        let mut next = first.into_iter().chain(others).peekable();
        let mut asked = JoinSet::new();
        let mut failure = None;
        loop {
            if let Some(asker) = next.next() {
                let credentials = held.credentials.clone();
                asked.spawn(async move { asker.ask(&credentials).await });
            }
            let all_asked = next.peek().is_none();
            tokio::select! {
                answer = asked.join_next() => match answer {
                    Some(Ok(Ok(caller))) => return Ok(caller),
                    Some(Ok(Err(error))) => failure = failure.or(Some(error)),
                    // A task ends without a result only if it was cancelled or panicked.
                    Some(Err(error)) => tracing::error!(%error, "A question to AWS ended abnormally."),
                    None => break,
                },
                () = tokio::time::sleep(HEAD_START), if !all_asked => {}
            }
        }
        Err(failure.unwrap_or_else(|| {
            GatewayError::plain(ErrorKind::Unproven, OPERATION, "no Region could be asked")
        }))
    }

    /// Checks whether these credentials may be used for the connection and, if one is given, with this grant.
    fn judge(&self, caller: &CallerIdentity, grant: Option<&Grant>) -> Result<(), GatewayError> {
        let account = self.account.get_or_init(|| caller.account.clone());
        if caller.account != *account {
            let whose = match &self.profile {
                Some(profile) => format!("the profile `{profile}` leads"),
                None => "the credentials found without a profile lead".to_owned(),
            };
            let message = format!(
                "{whose} to account {}, but the connection and its database belong to account {account}",
                caller.account
            );
            return Err(self.refusal(ErrorKind::WrongAccount, message));
        }
        match grant.map(Grant::caller) {
            Some(holder) if !principal::same(&holder.arn, &caller.arn) => {
                let message = format!("unlocked by {}, but now signed in as {}", holder.arn, caller.arn);
                Err(self.refusal(ErrorKind::WrongCaller, message))
            }
            _ => Ok(()),
        }
    }

    /// Returns the current credentials, or an error that carries this connection's origin.
    async fn held(&self) -> Result<Held, GatewayError> {
        self.vault.current().await.map_err(|error| self.of_here(error))
    }

    fn refusal(&self, kind: ErrorKind, message: String) -> GatewayError {
        self.of_here(GatewayError::plain(kind, OPERATION, message))
    }

    fn of_here(&self, error: GatewayError) -> GatewayError {
        let origin = self.askers.first().map(|asker| Arc::clone(&asker.wire.origin)).unwrap_or_default();
        GatewayError { origin, ..error }
    }

    fn answer(&self, held: &Held, wanted: Wanted) -> Option<CallerIdentity> {
        let known = self.known.lock();
        let proof = known.proof.as_ref().filter(|proof| proof.generation == held.generation)?;
        let will_do = match wanted {
            Wanted::Any => true,
            Wanted::Since(moment) => proof.asked_at >= moment,
            Wanted::Fresh => {
                let by_clock = self.vault.now().duration_since(proof.asked_at_clock);
                proof.asked_at.elapsed() < FRESH && by_clock.is_ok_and(|age| age < FRESH)
            }
        };
        will_do.then(|| proof.caller.clone())
    }

    fn failed_since(&self, held: &Held, came: Instant) -> Option<GatewayError> {
        let known = self.known.lock();
        let failure = known.failure.as_ref()?;
        (failure.generation == held.generation && failure.at >= came).then(|| failure.error.clone())
    }
}

impl Asker {
    /// Asks AWS in this Region, using these credentials.
    async fn ask(&self, credentials: &Credentials) -> Result<CallerIdentity, GatewayError> {
        let call = Call::proof(OPERATION);
        let send = || self.sts.get_caller_identity().send();
        let answer = self.wire.send(call, Leave::Given(credentials), send).await?;
        match (answer.account, answer.arn) {
            (Some(account), Some(arn)) => Ok(CallerIdentity { account: AccountId::new(account), arn }),
            _ => {
                let message = "the answer names no account or no ARN";
                Err(self.wire.error(ErrorKind::Decode, OPERATION, None, message))
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use aws_config::SdkConfig;

    use super::*;
    use crate::credentials::Source;
    use crate::credentials::tests::Wall;

    pub(crate) fn caller() -> CallerIdentity {
        CallerIdentity { account: "111122223333".into(), arn: "arn:aws:iam::111122223333:user/a".to_owned() }
    }

    /// An identity that was just proven, the credentials it belongs to and the wall clock.
    async fn proven() -> (Identity, Held, Wall) {
        let wall = Wall::new();
        let setup = SdkConfig::builder().time_source(wall.clone()).build();
        let keys = Credentials::new("AKIDONE", "secret", None, None, "test");
        let vault = Vault::new(Source::Keys(keys), setup, FRESH);
        let identity = Identity::new(vault, None, None, Vec::new());
        let held = identity.vault.current().await.unwrap();
        identity.known.lock().proof = Some(Proof {
            generation: held.generation,
            caller: caller(),
            asked_at: Instant::now(),
            asked_at_clock: identity.vault.now(),
        });
        (identity, held, wall)
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_holds_for_reads_and_half_a_minute_for_changes() {
        let (identity, held, wall) = proven().await;
        let holds = |wanted| identity.answer(&held, wanted).is_some();
        assert!(holds(Wanted::Any) && holds(Wanted::Fresh));
        tokio::time::advance(FRESH).await;
        assert!(holds(Wanted::Any) && !holds(Wanted::Fresh) && !holds(Wanted::Since(Instant::now())));
        // After the computer slept, the monotonic clock has stood still but the wall clock has not. An answer is not
        // fresh if the wall clock went back, either.
        identity.known.lock().proof.as_mut().unwrap().asked_at = Instant::now();
        assert!(identity.answer(&held, Wanted::Fresh).is_some());
        *wall.0.lock() += FRESH;
        assert!(identity.answer(&held, Wanted::Fresh).is_none());
        identity.known.lock().proof.as_mut().unwrap().asked_at_clock += FRESH * 2;
        assert!(identity.answer(&held, Wanted::Fresh).is_none());
    }

    #[tokio::test]
    async fn an_answer_about_other_credentials_is_none() {
        let (identity, held, _) = proven().await;
        let renewed = Held { generation: held.generation + 1, ..held };
        for wanted in [Wanted::Any, Wanted::Fresh] {
            assert!(identity.answer(&renewed, wanted).is_none(), "{wanted:?}");
        }
        // There is no Region to ask here, so nothing may be signed.
        identity.known.lock().proof = None;
        let error = identity.leave(None, None).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unproven);
    }
    #[tokio::test]
    async fn a_failure_is_the_answer_to_all_who_waited_and_to_nobody_else() {
        let (identity, held, _) = proven().await;
        let (before, at) = (Instant::now(), Instant::now() + HEAD_START);
        let error = GatewayError::plain(ErrorKind::Unproven, OPERATION, "silence");
        identity.known.lock().failure =
            Some(Failure { generation: held.generation, at, error: error.clone() });
        assert_eq!(identity.failed_since(&held, before), Some(error.clone()));
        assert_eq!(identity.failed_since(&held, at), Some(error));
        assert_eq!(identity.failed_since(&held, at + HEAD_START), None);
        let renewed = Held { generation: held.generation + 1, ..held };
        assert_eq!(identity.failed_since(&renewed, before), None);
    }

    #[test]
    fn one_principal_is_one_user_of_one_account() {
        let other_account = CallerIdentity { account: "999988887777".into(), ..caller() };
        let other_user = CallerIdentity { arn: "arn:aws:iam::111122223333:user/b".to_owned(), ..caller() };
        assert!(caller().is_same_principal(&caller()));
        assert!(!caller().is_same_principal(&other_account));
        assert!(!caller().is_same_principal(&other_user));
    }
}
