//! Converts a connection as the operator described it into what the gateway and the store need.

use std::net::IpAddr;

use liftdeck_collector::CollectorOptions;
use liftdeck_collector::metrics::MetricsPolicy;
use liftdeck_gateway::{ConnectionSpec, CredentialSource, EventQueue, Gateway};
use liftdeck_model::{AccountId, Region};
use liftdeck_store::RetentionPolicy;

use liftdeck_api::connection::{self, ConnectionSummary};
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_api::settings::Settings;

/// Environment variables that select credentials.
const OWN_CREDENTIALS: [&str; 3] = ["AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"];

/// How to reach AWS, or a substitute for it.
#[derive(Clone, Debug)]
pub struct AwsAccess {
    /// Name to use in messages.
    pub name: String,
    /// The account it belongs to, if known. Nothing is sent to any other account.
    pub account: Option<AccountId>,
    /// Profile of the shared AWS configuration.
    pub profile: Option<String>,
    /// Custom endpoint, in place of AWS's own.
    pub endpoint_url: Option<String>,
    /// Home Regions.
    pub regions: Vec<String>,
    /// Share of the published request rates to use.
    pub budget_share: f64,
}

impl AwsAccess {
    /// How a saved connection reaches AWS with this share of the request rates.
    pub fn of(connection: &ConnectionSummary, budget_share: f64) -> Self {
        Self {
            name: connection.name.clone(),
            account: connection.account.as_deref().map(AccountId::from),
            profile: connection.profile.clone(),
            endpoint_url: connection.endpoint_url.clone(),
            regions: connection.regions.clone(),
            budget_share,
        }
    }

    /// Opens the gateway; sends nothing to AWS.
    pub async fn connect(&self) -> Result<Gateway, AppError> {
        if let Some(name) = &self.profile {
            let profiles = liftdeck_gateway::profiles().await?;
            if !profiles.iter().any(|profile| profile.name == *name) {
                let known: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
                return Err(absent_profile(name, &known));
            }
        }
        Ok(Box::pin(Gateway::connect(self.spec())).await?)
    }

    /// The connection specification for the gateway.
    fn spec(&self) -> ConnectionSpec {
        ConnectionSpec {
            name: self.name.clone(),
            account: self.account.clone(),
            profile: self.profile.clone(),
            endpoint_url: self.endpoint_url.clone(),
            regions: self.regions.iter().map(|region| Region::from(region.as_str())).collect(),
            budget_share: self.budget_share,
            credentials: self
                .credentials(OWN_CREDENTIALS.iter().any(|name| std::env::var_os(name).is_some())),
            ..ConnectionSpec::default()
        }
    }

    /// A simulator on this computer verifies no signatures, so made-up keys are used for it. Real ones are used if
    /// there are any.
    fn credentials(&self, has_own: bool) -> CredentialSource {
        let on_loopback = self.endpoint_url.as_deref().is_some_and(is_loopback);
        if self.profile.is_some() || has_own || !on_loopback {
            return CredentialSource::Chain;
        }
        CredentialSource::Keys {
            access_key_id: "LIFTDECKSIMULATOR".to_owned(),
            secret_access_key: "not-a-secret".to_owned(),
        }
    }
}

fn absent_profile(name: &str, known: &[&str]) -> AppError {
    let message = format!("There is no profile `{name}` in the AWS configuration files.");
    let make =
        format!("Create it with `aws configure --profile {name}` or `aws configure sso --profile {name}`");
    let remedy =
        if known.is_empty() { format!("{make}.") } else { format!("{make}, or use {}.", known.join(", ")) };
    AppError::new(ErrorKind::InvalidInput, message).about(name).remedy(remedy)
}

/// The collector's options for a connection under these settings.
pub fn collector_options(
    regions: &[String],
    queues: &[connection::EventQueue],
    settings: &Settings,
) -> CollectorOptions {
    let cap_usd = settings.cloudwatch_daily_cap_usd;
    CollectorOptions {
        regions: regions.iter().map(|region| Region::from(region.as_str())).collect(),
        event_queues: queues.iter().map(event_queue).collect(),
        metrics: MetricsPolicy { enabled: cap_usd > 0.0, daily_cap_usd: cap_usd, ..MetricsPolicy::default() },
        retention: RetentionPolicy {
            session_days: settings.session_retention_days,
            metric_days: settings.metric_retention_days,
            ..RetentionPolicy::default()
        },
        ..CollectorOptions::default()
    }
}

/// Converts an event queue of a connection to the gateway's type.
pub fn event_queue(queue: &connection::EventQueue) -> EventQueue {
    EventQueue { region: Region::from(queue.region.as_str()), url: queue.url.clone() }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn aws_access(profile: Option<&str>, endpoint: Option<&str>) -> AwsAccess {
        AwsAccess {
            name: "x".to_owned(),
            account: None,
            profile: profile.map(str::to_owned),
            endpoint_url: endpoint.map(str::to_owned),
            regions: vec!["eu-west-1".to_owned()],
            budget_share: 0.2,
        }
    }

    #[test]
    fn invented_keys_are_for_loopback_alone_and_never_replace_real_ones() {
        let invented = |aws_access: &AwsAccess, has_keys| {
            matches!(aws_access.credentials(has_keys), CredentialSource::Keys { .. })
        };
        assert!(invented(&aws_access(None, Some("http://127.0.0.1:4000")), false));
        assert!(!invented(&aws_access(None, Some("http://127.0.0.1:4000")), true));
        assert!(!invented(&aws_access(Some("dev"), Some("http://127.0.0.1:4000")), false));
        assert!(!invented(&aws_access(None, Some("https://gamelift.example")), false));
        assert!(!invented(&aws_access(None, None), false));
    }

    #[test]
    fn an_absent_profile_comes_with_the_way_to_make_it_and_those_there_are() {
        let error = absent_profile("prod", &["default", "dev"]);
        assert!(error.message.contains("`prod`"));
        let remedy = error.remedy.unwrap();
        assert!(remedy.contains("aws configure --profile prod") && remedy.ends_with("use default, dev."));
        assert!(absent_profile("prod", &[]).remedy.unwrap().ends_with("--profile prod`."));
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
