//! The credentials of a connection: where they come from, and when they are fetched again.
//!
//! A chosen profile is the only source: neither keys in the environment nor anything else stands in for it. Owns the
//! cached credentials and a generation number that increases when different ones arrive. Deliberately does not know
//! whose they are; `identity` asks AWS.

use std::time::{Duration, SystemTime};

use aws_config::default_provider::credentials::DefaultCredentialsChain;
use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::provider_config::ProviderConfig;
use aws_config::retry::RetryConfig;
use aws_credential_types::Credentials;
use aws_credential_types::provider::ProvideCredentials;
use aws_types::SdkConfig;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::error::{CREDENTIALS, ErrorKind, GatewayError};
use crate::fault;

/// How long before their expiry credentials are fetched again.
const EARLY: Duration = Duration::from_secs(10);
/// How long credentials without an expiry are cached; the files they come from may change.
const WITHOUT_EXPIRY: Duration = Duration::from_mins(15);
/// Shortest interval at which credentials that AWS refused are fetched again.
const DOUBTED_AGAIN: Duration = Duration::from_secs(5);

/// Where credentials come from.
#[derive(Debug)]
pub(crate) enum Source {
    /// These keys.
    Keys(Credentials),
    /// The chosen profile alone.
    Profile(String),
    /// The SDK's chain: environment, `AWS_PROFILE` or the default profile, container, instance.
    Chain,
}

/// Fetched credentials.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) credentials: Credentials,
    /// Increases when different credentials arrive; fetching the same ones again leaves it unchanged.
    pub(crate) generation: u64,
    pub(crate) fetched: Instant,
    /// How long they may be cached.
    pub(crate) good_for: Duration,
}

/// Fetches credentials and caches them.
#[derive(Debug)]
pub(crate) struct Vault {
    source: Source,
    /// Settings for fetching the credentials: Region, time limits, HTTP client.
    setup: SdkConfig,
    /// Time limit for one fetch.
    patience: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    held: Option<Held>,
    doubted: bool,
}

impl Vault {
    pub(crate) fn new(source: Source, setup: SdkConfig, patience: Duration) -> Self {
        Self { source, setup, patience, state: Mutex::default() }
    }

    /// Returns the current credentials, fetching them if they are due. Callers that arrive during a fetch wait for
    /// it.
    ///
    /// # Errors
    /// `Credentials` when there are none, `Unproven` when their source cannot be reached or does not answer.
    pub(crate) async fn current(&self) -> Result<Held, GatewayError> {
        let mut state = self.state.lock().await;
        if let Some(held) = state.held.as_ref().filter(|held| !self.is_due(held, state.doubted)) {
            return Ok(held.clone());
        }
        let credentials = self.fetch().await?;
        let generation = match &state.held {
            Some(before) if is_same(&before.credentials, &credentials) => before.generation,
            Some(before) => before.generation + 1,
            None => 0,
        };
        let good_for = match credentials.expiry() {
            None => WITHOUT_EXPIRY,
            Some(expiry) => expiry.duration_since(self.now()).unwrap_or_default().saturating_sub(EARLY),
        };
        let held = Held { credentials, generation, fetched: Instant::now(), good_for };
        *state = State { held: Some(held.clone()), doubted: false };
        Ok(held)
    }

    /// Marks the credentials as refused, so that changes to their files are picked up before a later attempt.
    pub(crate) async fn doubt(&self) {
        self.state.lock().await.doubted = true;
    }

    /// Checks both the clock that stands still while the computer sleeps and the one that does not.
    fn is_due(&self, held: &Held, doubted: bool) -> bool {
        let age = held.fetched.elapsed();
        age >= held.good_for
            || held.credentials.expiry().is_some_and(|expiry| self.now() + EARLY >= expiry)
            || doubted && age >= DOUBTED_AGAIN
    }

    /// The current time, according to the SDK's time source.
    pub(crate) fn now(&self) -> SystemTime {
        self.setup.time_source().unwrap_or_default().now()
    }

    /// Uses a new provider each time, because those of the SDK read the files only once.
    async fn fetch(&self) -> Result<Credentials, GatewayError> {
        let setup = self.provider_config();
        let fetched = timeout(self.patience, async {
            match &self.source {
                Source::Keys(keys) => Ok(keys.clone()),
                Source::Profile(name) => {
                    let profile = ProfileFileCredentialsProvider::builder();
                    profile.configure(&setup).profile_name(name).build().provide_credentials().await
                }
                Source::Chain => {
                    let chain = DefaultCredentialsChain::builder().configure(setup).build().await;
                    chain.provide_credentials().await
                }
            }
        });
        match fetched.await {
            Ok(Ok(credentials)) => Ok(credentials),
            Ok(Err(error)) => {
                let (kind, message) = fault::without_credentials(&error);
                Err(GatewayError::plain(kind, CREDENTIALS, message))
            }
            Err(_) => {
                let message = format!(
                    "the source of the credentials did not respond within {} s",
                    self.patience.as_secs()
                );
                Err(GatewayError::plain(ErrorKind::Unproven, CREDENTIALS, message))
            }
        }
    }

    fn provider_config(&self) -> ProviderConfig {
        let mut setup = ProviderConfig::default()
            .with_region(self.setup.region().cloned())
            .with_behavior_version(self.setup.behavior_version())
            .with_use_fips(self.setup.use_fips())
            .with_use_dual_stack(self.setup.use_dual_stack())
            .with_retry_config(RetryConfig::disabled());
        if let Some(client) = self.setup.http_client() {
            setup = setup.with_http_client(client);
        }
        match self.setup.timeout_config() {
            Some(limits) => setup.with_timeout_config(limits.clone()),
            None => setup,
        }
    }
}

/// Whether AWS would treat both as the same session.
fn is_same(one: &Credentials, other: &Credentials) -> bool {
    one.access_key_id() == other.access_key_id()
        && one.secret_access_key() == other.secret_access_key()
        && one.session_token() == other.session_token()
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use aws_types::sdk_config::TimeSource;
    use parking_lot::Mutex as Lock;

    use super::*;

    /// A wall clock, set by the test.
    #[derive(Clone, Debug)]
    pub(crate) struct Wall(pub(crate) Arc<Lock<SystemTime>>);

    impl Wall {
        pub(crate) fn new() -> Self {
            Self(Arc::new(Lock::new(SystemTime::UNIX_EPOCH)))
        }
    }

    impl TimeSource for Wall {
        fn now(&self) -> SystemTime {
            *self.0.lock()
        }
    }

    fn keys(secret: &str, token: Option<&str>, expiry: Option<SystemTime>) -> Credentials {
        Credentials::new("AKIDONE", secret, token.map(str::to_owned), expiry, "test")
    }

    fn vault(credentials: Credentials, wall: &Wall) -> Vault {
        let setup = SdkConfig::builder().time_source(wall.clone()).build();
        Vault::new(Source::Keys(credentials), setup, Duration::from_secs(1))
    }

    /// When the current credentials were fetched.
    async fn fetched(vault: &Vault) -> Instant {
        vault.current().await.unwrap().fetched
    }

    #[tokio::test(start_paused = true)]
    async fn credentials_without_an_expiry_are_held_for_a_while_and_are_the_same_ones_afterwards() {
        let vault = vault(keys("secret", None, None), &Wall::new());
        let first = vault.current().await.unwrap();
        tokio::time::advance(WITHOUT_EXPIRY - Duration::from_secs(1)).await;
        assert_eq!(fetched(&vault).await, first.fetched);
        tokio::time::advance(Duration::from_secs(1)).await;
        let again = vault.current().await.unwrap();
        assert!(again.fetched > first.fetched, "files change");
        assert_eq!(again.generation, first.generation, "what was proven of them holds");
    }

    #[tokio::test(start_paused = true)]
    async fn credentials_are_fetched_again_shortly_before_they_expire_by_either_clock() {
        let wall = Wall::new();
        let lasts = Duration::from_secs(60);
        let vault = vault(keys("secret", None, Some(SystemTime::UNIX_EPOCH + lasts)), &wall);
        let held = vault.current().await.unwrap();
        assert_eq!(held.good_for, lasts - EARLY);
        let almost = lasts - EARLY - Duration::from_secs(1);
        tokio::time::advance(almost).await;
        *wall.0.lock() += almost;
        assert!(!vault.is_due(&held, false));
        // After the computer slept, the monotonic clock has stood still.
        *wall.0.lock() += Duration::from_secs(1);
        assert!(vault.is_due(&held, false));
        *wall.0.lock() = SystemTime::UNIX_EPOCH;
        assert!(!vault.is_due(&held, false));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(vault.is_due(&held, false));
    }

    #[tokio::test(start_paused = true)]
    async fn credentials_that_were_refused_are_fetched_again_and_not_at_once_every_time() {
        let vault = vault(keys("secret", None, None), &Wall::new());
        let first = fetched(&vault).await;
        tokio::time::advance(DOUBTED_AGAIN).await;
        assert_eq!(fetched(&vault).await, first);
        vault.doubt().await;
        let second = fetched(&vault).await;
        assert!(second > first);
        vault.doubt().await;
        tokio::time::advance(DOUBTED_AGAIN - Duration::from_millis(1)).await;
        assert_eq!(fetched(&vault).await, second);
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(fetched(&vault).await > second);
    }

    #[test]
    fn the_same_credentials_are_those_with_the_same_key_secret_and_token() {
        let one = keys("secret", Some("token"), None);
        assert!(is_same(&one, &keys("secret", Some("token"), Some(SystemTime::UNIX_EPOCH))));
        assert!(!is_same(&one, &keys("other", Some("token"), None)));
        assert!(!is_same(&one, &keys("secret", Some("other"), None)));
        assert!(!is_same(&one, &Credentials::new("AKIDTWO", "secret", Some("token".into()), None, "test")));
    }
}
