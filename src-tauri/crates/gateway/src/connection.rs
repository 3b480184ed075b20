//! How to reach one AWS account: profile, Regions, endpoint, budget, patience.
//!
//! Owns values only; `client` turns them into SDK clients.

use std::fmt;
use std::time::Duration;

use liftdeck_model::{AccountId, Region};

use crate::rate::RateTable;

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
            credentials: CredentialSource::Chain,
            patience: Patience::default(),
        }
    }
}

/// Where credentials come from.
#[derive(Clone, Default)]
pub enum CredentialSource {
    /// Only the connection's profile; without one, the SDK's chain: environment, default profile, container,
    /// instance.
    #[default]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
}
