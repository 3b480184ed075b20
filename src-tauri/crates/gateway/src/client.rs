//! SDK clients for one connection and Region.
//!
//! Owns every setting of the SDKs: TLS with rustls and ring, proxies from the environment, time limits, no
//! retries. Deliberately sends nothing; credentials are looked for at the first call.

use std::time::Duration;

use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, SdkConfig};
use aws_credential_types::Credentials;
use aws_sdk_gamelift::config::SharedHttpClient;
use aws_smithy_http_client::proxy::ProxyConfig;
use aws_smithy_http_client::tls::{self, rustls_provider::CryptoMode};
use aws_smithy_http_client::{Builder, Connector};
use liftdeck_model::Region;

use crate::connection::{ConnectionSpec, CredentialSource, Patience};
use crate::date::AwsClock;

/// The longest a long poll may hold its answer back (AWS: WaitTimeSeconds at most 20).
pub(crate) const LONGEST_POLL: Duration = Duration::from_secs(20);

/// The clients of one Region.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    pub(crate) gamelift: aws_sdk_gamelift::Client,
    pub(crate) cloudwatch: aws_sdk_cloudwatch::Client,
    pub(crate) sqs: aws_sdk_sqs::Client,
    pub(crate) sts: aws_sdk_sts::Client,
}

/// The part of the configuration all Regions of a connection share, credentials cache included.
pub(crate) async fn shared_config(spec: &ConnectionSpec, region: &Region) -> SdkConfig {
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .region(aws_config::Region::new(region.as_str().to_owned()))
        .retry_config(RetryConfig::disabled())
        .timeout_config(time_limits(&spec.patience, Duration::ZERO))
        .http_client(http_client(is_loopback(spec.endpoint_url.as_deref())));
    if let Some(profile) = &spec.profile {
        loader = loader.profile_name(profile);
    }
    if let Some(endpoint) = &spec.endpoint_url {
        loader = loader.endpoint_url(endpoint);
    }
    if let CredentialSource::Keys { access_key_id, secret_access_key } = &spec.credentials {
        loader = loader.credentials_provider(Credentials::new(
            access_key_id,
            secret_access_key,
            None,
            None,
            "connection",
        ));
    }
    loader.load().await
}

/// Clients of one Region over the shared configuration; what AWS answers to those of GameLift tells `clock` its time.
pub(crate) fn clients(config: &SdkConfig, region: &Region, patience: &Patience, clock: &AwsClock) -> Clients {
    let config = config.to_builder().region(aws_config::Region::new(region.as_str().to_owned())).build();
    let polling = config.to_builder().timeout_config(time_limits(patience, LONGEST_POLL)).build();
    let gamelift = aws_sdk_gamelift::config::Builder::from(&config).interceptor(clock.clone()).build();
    Clients {
        gamelift: aws_sdk_gamelift::Client::from_conf(gamelift),
        cloudwatch: aws_sdk_cloudwatch::Client::new(&config),
        sqs: aws_sdk_sqs::Client::new(&polling),
        sts: aws_sdk_sts::Client::new(&config),
    }
}

/// The SDK sets no limit on reading; a silent server would hang it for ever.
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
        // A proxy of the company's must not be asked for this computer itself.
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
