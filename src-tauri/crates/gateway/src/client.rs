//! SDK clients for one connection and Region.
//!
//! Owns every setting of the SDKs: TLS with rustls and ring, proxies from the environment, time limits, no retries,
//! one endpoint for all services. Deliberately sends nothing and has no credentials: each attempt brings its own.

use std::time::Duration;

use aws_config::identity::IdentityCache;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, SdkConfig};
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sdk_gamelift::config::SharedHttpClient;
use aws_smithy_http_client::proxy::ProxyConfig;
use aws_smithy_http_client::tls::{self, rustls_provider::CryptoMode};
use aws_smithy_http_client::{Builder, Connector};
use aws_types::service_config::{LoadServiceConfig, ServiceConfigKey};
use liftdeck_model::Region;

use crate::connection::{ConnectionSpec, Patience};
use crate::date::AwsClock;
use crate::pass::OfThisAttempt;

/// The longest a long poll may hold its answer back (AWS: WaitTimeSeconds at most 20).
pub(crate) const LONGEST_POLL: Duration = Duration::from_secs(20);
/// The services called, as the SDKs name them in endpoint settings. The first one is asked whose account it is.
const SERVICES: [&str; 6] = ["STS", "GameLift", "CloudWatch", "SNS", "SQS", "CloudTrail"];

/// The clients of one Region.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    pub(crate) gamelift: aws_sdk_gamelift::Client,
    pub(crate) cloudwatch: aws_sdk_cloudwatch::Client,
    pub(crate) sns: aws_sdk_sns::Client,
    pub(crate) sqs: aws_sdk_sqs::Client,
    pub(crate) cloudtrail: aws_sdk_cloudtrail::Client,
    pub(crate) sts: aws_sdk_sts::Client,
}

/// What all Regions of a connection share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// For fetching credentials: goes through the proxies even if the services are on loopback.
    pub(crate) setup: SdkConfig,
    /// For the services: signs with the credentials of each attempt.
    pub(crate) services: SdkConfig,
    /// The endpoint of all services, when it is not AWS's own.
    pub(crate) endpoint: Option<String>,
}

/// Loads the part of the configuration that all Regions of a connection share.
///
/// # Errors
/// A message, when the environment or the profile does not give all services the same endpoint.
pub(crate) async fn shared(spec: &ConnectionSpec, region: &Region) -> Result<Shared, String> {
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .region(aws_config::Region::new(region.as_str().to_owned()))
        .retry_config(RetryConfig::disabled())
        .timeout_config(time_limits(&spec.patience, Duration::ZERO))
        .http_client(http_client(false))
        .no_credentials();
    if let Some(profile) = &spec.profile {
        loader = loader.profile_name(profile);
    }
    let setup = loader.load().await;
    let endpoint = match &spec.endpoint_url {
        Some(endpoint) => Some(endpoint.clone()),
        None => one_endpoint(&SERVICES.map(|service| (service, configured(&setup, service))))?,
    };
    let mut services = setup
        .to_builder()
        .http_client(http_client(is_loopback(endpoint.as_deref())))
        .credentials_provider(SharedCredentialsProvider::new(OfThisAttempt))
        // The credentials of one attempt must not be cached for the next.
        .identity_cache(IdentityCache::no_cache())
        .service_config(NoneOfItsOwn);
    services.set_endpoint_url(endpoint.clone()).set_token_provider(None);
    Ok(Shared { setup, services: services.build(), endpoint })
}

/// Keeps every service from having its own setting: the environment has already been read, once for all of them.
#[derive(Debug)]
struct NoneOfItsOwn;

impl LoadServiceConfig for NoneOfItsOwn {
    fn load_config(&self, _: ServiceConfigKey<'_>) -> Option<String> {
        None
    }
}

/// The endpoint that `AWS_ENDPOINT_URL…` or the profile's `endpoint_url` sets for a service.
fn configured(config: &SdkConfig, service: &str) -> Option<String> {
    let key = ServiceConfigKey::builder()
        .service_id(service)
        .env("AWS_ENDPOINT_URL")
        .profile("endpoint_url")
        .build()
        .ok()?;
    config.service_config()?.load_config(key).or_else(|| config.endpoint_url().map(str::to_owned))
}

/// Returns the endpoint that all services share, or an error if they differ: the account must be checked at the same
/// endpoint that receives the changes.
fn one_endpoint(services: &[(&str, Option<String>)]) -> Result<Option<String>, String> {
    let first = &services.first().and_then(|(_, endpoint)| endpoint.clone());
    if services.iter().all(|(_, endpoint)| endpoint == first) {
        return Ok(first.clone());
    }
    let leads: Vec<String> = services
        .iter()
        .map(|(service, endpoint)| format!("{service} to {}", endpoint.as_deref().unwrap_or("AWS itself")))
        .collect();
    Err(format!(
        "AWS_ENDPOINT_URL or endpoint_url, in the environment or the profile, sets different endpoints for the \
         services: {}",
        leads.join(", ")
    ))
}

/// Builds the clients of one Region from the shared configuration. Responses to the GameLift client set `clock`.
pub(crate) fn clients(config: &SdkConfig, region: &Region, patience: &Patience, clock: &AwsClock) -> Clients {
    let config = config.to_builder().region(aws_config::Region::new(region.as_str().to_owned())).build();
    let polling = config.to_builder().timeout_config(time_limits(patience, LONGEST_POLL)).build();
    let gamelift = aws_sdk_gamelift::config::Builder::from(&config).interceptor(clock.clone()).build();
    let proof = Patience { read: patience.proof, attempt: patience.proof, ..*patience };
    let asking = config.to_builder().timeout_config(time_limits(&proof, Duration::ZERO)).build();
    Clients {
        gamelift: aws_sdk_gamelift::Client::from_conf(gamelift),
        cloudwatch: aws_sdk_cloudwatch::Client::new(&config),
        sns: aws_sdk_sns::Client::new(&config),
        sqs: aws_sdk_sqs::Client::new(&polling),
        cloudtrail: aws_sdk_cloudtrail::Client::new(&config),
        sts: aws_sdk_sts::Client::new(&asking),
    }
}

/// Sets all time limits. The SDK sets none on reading, so a silent server would hang it for ever.
fn time_limits(patience: &Patience, holds: Duration) -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(patience.connect)
        .read_timeout(patience.read + holds)
        .operation_attempt_timeout(patience.attempt + holds)
        .operation_timeout(patience.attempt + holds)
        .build()
}

fn http_client(loopback: bool) -> SharedHttpClient {
    Builder::new().build_with_connector_fn(move |settings, components| {
        let mut connector = Connector::builder();
        connector.set_connector_settings(settings.cloned());
        connector.set_sleep_impl(components.and_then(|components| components.sleep_impl()));
        // A company proxy must not be used for requests to this computer itself.
        connector.set_proxy_config(Some(if loopback {
            ProxyConfig::disabled()
        } else {
            ProxyConfig::from_env()
        }));
        connector.tls_provider(tls::Provider::Rustls(CryptoMode::Ring)).build()
    })
}

/// Whether an endpoint is on this computer.
fn is_loopback(endpoint: Option<&str>) -> bool {
    let Some((_, rest)) = endpoint.and_then(|endpoint| endpoint.split_once("://")) else { return false };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    ["127.0.0.1", "localhost", "[::1]"]
        .iter()
        .any(|host| authority.strip_prefix(host).is_some_and(|port| port.is_empty() || port.starts_with(':')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_taken_from_the_surroundings_only_when_every_service_has_it() {
        let at = |url: Option<&str>| url.map(str::to_owned);
        let services = |sts: Option<&str>, rest: Option<&str>| {
            let others = ["GameLift", "CloudWatch", "SQS", "CloudTrail"].map(|service| (service, at(rest)));
            let [game_lift, cloud_watch, sqs, cloud_trail] = others;
            [("STS", at(sts)), game_lift, cloud_watch, sqs, cloud_trail]
        };
        assert_eq!(one_endpoint(&services(None, None)), Ok(None));
        assert_eq!(one_endpoint(&services(Some("http://a"), Some("http://a"))), Ok(at(Some("http://a"))));
        for (sts, rest) in
            [(Some("http://a"), None), (None, Some("http://a")), (Some("http://a"), Some("http://b"))]
        {
            let refused = one_endpoint(&services(sts, rest)).unwrap_err();
            assert!(refused.contains("STS to") && refused.contains("http://a"), "{refused}");
        }
    }

    #[test]
    fn only_this_computer_is_loopback() {
        for endpoint in ["http://127.0.0.1:4566", "http://localhost", "http://[::1]:80/x"] {
            assert!(is_loopback(Some(endpoint)), "{endpoint}");
        }
        for endpoint in
            ["https://localhost.example.com", "http://127.0.0.1.example.com/", "https://10.0.0.1", "rubbish"]
        {
            assert!(!is_loopback(Some(endpoint)), "{endpoint}");
        }
        assert!(!is_loopback(None));
    }
}
