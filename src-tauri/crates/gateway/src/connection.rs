//! How to reach one AWS account: profile, Regions, endpoint, budget, patience.
//!
//! Owns values only; `client` turns them into SDK clients.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use aws_credential_types::Credentials;
use liftdeck_model::{AccountId, Region};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::credentials::Source;
use crate::rate::RateTable;

/// Environment variables that select credentials.
const OWN_CREDENTIALS: [&str; 3] = ["AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"];

/// One connection to one AWS account.
#[derive(Clone, Debug)]
pub struct ConnectionSpec {
    /// Name the operator gave it; appears in messages only.
    pub name: String,
    /// Account that the connection and its database belong to; nothing is sent to any other. `None` only before the
    /// connection is first opened; AWS's first answer then sets it for the life of the gateway.
    pub account: Option<AccountId>,
    /// Profile in the shared AWS files. If set, it is the only source of credentials, whatever the environment
    /// contains. `None` uses the environment's own chain.
    pub profile: Option<String>,
    /// Endpoint for all four APIs instead of AWS's own, such as a simulator on loopback. `None` uses
    /// `AWS_ENDPOINT_URL` or the profile's `endpoint_url`, if it is the same for all four.
    pub endpoint_url: Option<String>,
    /// Home Regions to read.
    pub regions: Vec<Region>,
    /// Share of each published rate we may use, above 0 and at most 1; 0.2 leaves the game four fifths.
    pub budget_share: f64,
    /// Published rates; overridable because AWS changes them per account.
    pub rates: RateTable,
    /// Where credentials come from.
    pub credentials: CredentialSource,
    /// How long to wait at each step.
    pub patience: Patience,
}

impl ConnectionSpec {
    /// Share of each published rate that is used by default.
    pub const DEFAULT_BUDGET_SHARE: f64 = 0.2;

    /// Where the credentials of this connection are loaded from, in the environment of this process.
    pub(crate) fn source(&self) -> Source {
        self.source_beside(OWN_CREDENTIALS.iter().any(|name| std::env::var_os(name).is_some()))
    }

    /// The same, if the environment has credentials of its own or has none. A chosen profile is the only source of
    /// credentials.
    fn source_beside(&self, has_own: bool) -> Source {
        let keys =
            |id: &str, secret: &str| Source::Keys(Credentials::new(id, secret, None, None, "connection"));
        match (&self.credentials, &self.profile) {
            (CredentialSource::Keys { access_key_id, secret_access_key }, _) => {
                keys(access_key_id, secret_access_key)
            }
            (_, Some(profile)) => Source::Profile(profile.clone()),
            (CredentialSource::ChainOrInvented, None) if !has_own && self.is_on_loopback() => {
                keys("LIFTDECKSIMULATOR", "not-a-secret")
            }
            (_, None) => Source::Chain,
        }
    }

    fn is_on_loopback(&self) -> bool {
        self.endpoint_url.as_deref().is_some_and(is_loopback)
    }
}

fn is_loopback(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

impl Default for ConnectionSpec {
    fn default() -> Self {
        Self {
            name: String::new(),
            account: None,
            profile: None,
            endpoint_url: None,
            regions: Vec::new(),
            budget_share: Self::DEFAULT_BUDGET_SHARE,
            rates: RateTable::published(),
            credentials: CredentialSource::default(),
            patience: Patience::default(),
        }
    }
}

/// Where credentials come from.
#[derive(Clone, Default)]
pub enum CredentialSource {
    /// As [`Self::Chain`], except for an endpoint on this computer if neither a profile nor the environment names
    /// credentials. A simulator there verifies no signatures, so made-up keys are used; real ones never reach it.
    #[default]
    ChainOrInvented,
    /// Only the connection's profile; without one, the SDK's chain: environment, default profile, container,
    /// instance.
    Chain,
    /// These keys, for a simulator that does not verify signatures. Never written anywhere.
    Keys {
        /// Access key id.
        access_key_id: String,
        /// Secret access key.
        secret_access_key: String,
    },
}

impl fmt::Debug for CredentialSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ChainOrInvented => "ChainOrInvented",
            Self::Chain => "Chain",
            Self::Keys { .. } => "Keys { .. }",
        })
    }
}

/// How long to wait. On a silent server, the SDK itself would wait for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For a connection, TLS included.
    pub connect: Duration,
    /// For the first byte of an answer; a long poll adds its own wait.
    pub read: Duration,
    /// For one attempt, from request to last byte.
    pub attempt: Duration,
    /// For a call with all its attempts and the pauses between them; waiting for the budget is not counted.
    pub call: Duration,
    /// Attempts in all, at least 1.
    pub attempts: u32,
    /// For room in the request budget.
    pub budget: Duration,
    /// For asking AWS whose credentials these are, with all attempts in one Region; also for fetching the
    /// credentials.
    pub proof: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(4),
            read: Duration::from_secs(10),
            attempt: Duration::from_secs(15),
            call: Duration::from_secs(30),
            attempts: 3,
            budget: Duration::from_secs(300),
            proof: Duration::from_secs(10),
        }
    }
}

/// The connection's own queue that receives its events; never one that another consumer reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EventQueue {
    /// Region of the queue.
    pub region: Region,
    /// Queue URL.
    pub url: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_never_show_in_debug_output() {
        let spec = ConnectionSpec {
            credentials: CredentialSource::Keys {
                access_key_id: "AKIDCANARY".to_owned(),
                secret_access_key: "secret-canary".to_owned(),
            },
            ..ConnectionSpec::default()
        };
        let text = format!("{spec:?}");
        assert!(!text.contains("AKIDCANARY") && !text.contains("secret-canary"), "{text}");
    }

    #[test]
    fn invented_keys_are_for_loopback_alone_and_never_replace_real_ones() {
        let invented = |profile: Option<&str>, endpoint: Option<&str>, has_own| {
            let (profile, endpoint_url) = (profile.map(str::to_owned), endpoint.map(str::to_owned));
            let spec = ConnectionSpec { profile, endpoint_url, ..ConnectionSpec::default() };
            matches!(spec.source_beside(has_own), Source::Keys(_))
        };
        assert!(invented(None, Some("http://127.0.0.1:4000"), false));
        assert!(!invented(None, Some("http://127.0.0.1:4000"), true));
        assert!(!invented(Some("dev"), Some("http://127.0.0.1:4000"), false));
        assert!(!invented(None, Some("https://gamelift.example"), false));
        assert!(!invented(None, None, false));
    }

    #[test]
    fn loopback_is_told_from_the_host_alone() {
        for url in ["http://localhost:1/x", "http://127.3.2.1", "http://[::1]:80/"] {
            assert!(is_loopback(url), "{url}");
        }
        for url in ["http://127.0.0.1.example", "https://host/127.0.0.1", "http://10.0.0.1"] {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
