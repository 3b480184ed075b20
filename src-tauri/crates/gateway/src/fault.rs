//! Reads the SDKs' errors: describes what happened on the wire in one plain value.
//!
//! Owns the inspection of `SdkError`. Deliberately decides nothing: `retry` and `GatewayError` do.

use std::error::Error;
use std::time::Duration;

use aws_credential_types::provider::error::CredentialsError;
use aws_sdk_gamelift::error::{ErrorMetadata, ProvideErrorMetadata, SdkError};
use aws_sdk_gamelift::operation::RequestId;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::ConnectorError;

use crate::error::ErrorKind;

/// How an attempt failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) cause: Cause,
    /// Whether it failed before a connection to the service was made.
    pub(crate) before_connection: bool,
    /// HTTP status, when there was an answer.
    pub(crate) status: Option<u16>,
    /// AWS error code.
    pub(crate) code: Option<String>,
    pub(crate) request_id: Option<String>,
    /// How long the service asks us to wait.
    pub(crate) retry_after: Option<Duration>,
    pub(crate) message: String,
}

/// Where an attempt failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The request could not be built.
    Request,
    /// No credentials to sign with.
    Credentials,
    /// No connection, or it broke.
    Connection,
    /// No response in time.
    Silence,
    /// A success response that cannot be read.
    Damaged,
    /// An error response.
    Refused,
}

/// Which of the SDK's errors it was.
#[derive(Clone, Copy)]
enum BrokenOff<'a> {
    Construction,
    Timeout,
    Dispatch(Option<&'a ConnectorError>),
    Answer,
}

/// Codes AWS uses for "slow down". `LimitExceededException` is not among them: GameLift uses it for a quota.
const THROTTLING_CODES: &[&str] = &[
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestThrottledException",
    "TooManyRequestsException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "BandwidthLimitExceeded",
    "RequestThrottled",
    "SlowDown",
    "PriorRequestNotComplete",
    "EC2ThrottledException",
    "KMS.ThrottlingException",
    "KmsThrottled",
    "OverLimit",
];

const CREDENTIAL_CODES: &[&str] = &[
    "ExpiredToken",
    "ExpiredTokenException",
    "RequestExpired",
    "RequestTimeTooSkewed",
    "UnrecognizedClientException",
    "InvalidClientTokenId",
    "InvalidAccessKeyId",
    "MissingAuthenticationToken",
    "MissingAuthenticationTokenException",
    "IncompleteSignature",
    "IncompleteSignatureException",
    "SignatureDoesNotMatch",
    "InvalidSignatureException",
    "AuthFailure",
];

/// Codes with which AWS also refuses a signature for a Region that does not exist; only the message tells the
/// difference.
const WRONG_REGION_CODES: &[&str] = &["InvalidSignatureException", "SignatureDoesNotMatch"];

const DENIED_CODES: &[&str] = &[
    "AccessDenied",
    "AccessDeniedException",
    "UnauthorizedException",
    "NotAuthorized",
    "AuthorizationError",
];

/// Codes that can mean the signature's time was off; the SDK learns the server's clock from the same response.
const SKEW_CODES: &[&str] =
    &["RequestTimeTooSkewed", "InvalidSignatureException", "SignatureDoesNotMatch", "RequestExpired"];

impl Fault {
    /// Reads an SDK error.
    pub(crate) fn of<E>(error: &SdkError<E, HttpResponse>) -> Self
    where
        E: ProvideErrorMetadata + Error + 'static,
    {
        let request_id = error.request_id().map(str::to_owned);
        let broken_off = match error {
            SdkError::ConstructionFailure(_) => BrokenOff::Construction,
            SdkError::TimeoutError(_) => BrokenOff::Timeout,
            SdkError::DispatchFailure(failure) => BrokenOff::Dispatch(failure.as_connector_error()),
            _ => BrokenOff::Answer,
        };
        Self { request_id, ..Self::read(broken_off, error.raw_response(), error.meta(), error) }
    }

    /// The part of `of` that is the same for every operation, and is therefore compiled once.
    fn read(
        broken_off: BrokenOff<'_>,
        response: Option<&HttpResponse>,
        said: &ErrorMetadata,
        error: &(dyn Error + 'static),
    ) -> Self {
        let status = response.map(|response| response.status().as_u16());
        let cause = match broken_off {
            BrokenOff::Construction | BrokenOff::Dispatch(_) if credentials_failed(error) => {
                Cause::Credentials
            }
            BrokenOff::Construction => Cause::Request,
            BrokenOff::Timeout => Cause::Silence,
            BrokenOff::Dispatch(connector) => connector.map_or(Cause::Connection, connection_cause),
            // The status outranks the body: a 503 in HTML is a refusal, not a damaged success.
            BrokenOff::Answer if status.is_some_and(|status| status >= 300) => Cause::Refused,
            BrokenOff::Answer => Cause::Damaged,
        };
        let message = match said.message() {
            Some(message) if !message.is_empty() => message.to_owned(),
            _ => describe(cause, status, error),
        };
        Self {
            cause,
            before_connection: never_connected(error),
            status,
            code: said.code().map(str::to_owned),
            request_id: None,
            retry_after: response.and_then(retry_after),
            message,
        }
    }

    /// What sort of failure it is.
    pub(crate) fn kind(&self) -> ErrorKind {
        match self.cause {
            Cause::Request => return ErrorKind::Config,
            Cause::Credentials => return ErrorKind::Credentials,
            Cause::Connection => return ErrorKind::Unreachable,
            Cause::Silence => return ErrorKind::TimedOut,
            Cause::Damaged => return ErrorKind::Decode,
            Cause::Refused => {}
        }
        let status = self.status.unwrap_or_default();
        match self.code.as_deref() {
            Some(code) if THROTTLING_CODES.contains(&code) => ErrorKind::Throttled,
            _ if status == 429 => ErrorKind::Throttled,
            Some(code) if WRONG_REGION_CODES.contains(&code) && self.message.contains("valid region") => {
                ErrorKind::Config
            }
            Some(code) if CREDENTIAL_CODES.contains(&code) => ErrorKind::Credentials,
            Some(code) if DENIED_CODES.contains(&code) => ErrorKind::Denied,
            Some("UnsupportedRegionException" | "OptInRequired") => ErrorKind::Config,
            Some("RequestTimeout" | "RequestTimeoutException") => ErrorKind::TimedOut,
            Some(
                "ServiceUnavailable"
                | "InternalFailure"
                | "InternalServiceException"
                | "InternalServiceError",
            ) => ErrorKind::Service,
            Some(code)
                if code.contains("NotFound")
                    || code.contains("NonExistentQueue")
                    || code == "QueueDoesNotExist" =>
            {
                ErrorKind::NotFound
            }
            _ if status >= 500 => ErrorKind::Service,
            _ if status == 408 => ErrorKind::TimedOut,
            None if status == 401 || status == 403 => ErrorKind::Denied,
            _ => ErrorKind::Invalid,
        }
    }

    /// Whether the service certainly did not do what was asked: it refused, or the request never reached it.
    pub(crate) fn surely_not_done(&self) -> bool {
        match self.cause {
            Cause::Request | Cause::Credentials => true,
            Cause::Connection | Cause::Silence => self.before_connection,
            Cause::Damaged => false,
            Cause::Refused => !matches!(self.kind(), ErrorKind::Service | ErrorKind::TimedOut),
        }
    }

    /// Whether the signature's time may have been the problem.
    pub(crate) fn may_be_clock_skew(&self) -> bool {
        self.cause == Cause::Refused && self.code.as_deref().is_some_and(|code| SKEW_CODES.contains(&code))
    }
}

/// Classifies a failure to load credentials: either nobody has signed in, or their source cannot be reached.
pub(crate) fn without_credentials(error: &CredentialsError) -> (ErrorKind, String) {
    let kind = if credentials_failed(error) { ErrorKind::Credentials } else { ErrorKind::Unproven };
    (kind, describe(Cause::Credentials, None, error))
}

/// The causes of an error, outermost first.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let this = next?;
        next = this.source();
        Some(this)
    })
}

/// Whether credentials could not be loaded for a reason other than the network being down.
fn credentials_failed(error: &(dyn Error + 'static)) -> bool {
    let mut causes = chain(error).skip_while(|cause| !cause.is::<CredentialsError>()).peekable();
    causes.peek().is_some() && !causes.any(|cause| cause.is::<ConnectorError>())
}

/// Whether name resolution, address, proxy or TLS failed, so that no byte of the request was sent.
fn never_connected(error: &(dyn Error + 'static)) -> bool {
    chain(error)
        .filter_map(|cause| cause.downcast_ref::<hyper_util::client::legacy::Error>())
        .any(hyper_util::client::legacy::Error::is_connect)
}

fn connection_cause(error: &ConnectorError) -> Cause {
    if error.is_timeout() {
        Cause::Silence
    } else if error.is_user() {
        Cause::Request
    } else {
        Cause::Connection
    }
}

/// Describes a failure for which AWS gave no message; the innermost cause says the most.
fn describe(cause: Cause, status: Option<u16>, error: &(dyn Error + 'static)) -> String {
    let innermost = chain(error).last().map(ToString::to_string).unwrap_or_default();
    match (cause, status) {
        (Cause::Refused, Some(status)) => {
            format!("the answer was HTTP status {status} without an AWS error code")
        }
        (Cause::Damaged, _) => format!("the answer is damaged ({innermost})"),
        // The SDK lists every place it looked in, one per line.
        (Cause::Credentials, _) if innermost.starts_with("no credentials found in chain") => {
            "no credentials found in the environment, the shared AWS configuration, a container or the instance"
                .to_owned()
        }
        (Cause::Credentials, _) => innermost,
        (Cause::Silence, _) => "the time allowed for an answer ran out".to_owned(),
        _ => innermost,
    }
}

/// `x-amz-retry-after` in milliseconds, else `retry-after` in seconds.
fn retry_after(response: &HttpResponse) -> Option<Duration> {
    let number = |name: &str| response.headers().get(name)?.trim().parse::<u64>().ok();
    number("x-amz-retry-after")
        .map(Duration::from_millis)
        .or_else(|| number("retry-after").map(Duration::from_secs))
}

#[cfg(test)]
mod tests {
    use aws_credential_types::provider::{ProvideCredentials, future};

    use super::*;

    fn refused(status: u16, code: Option<&str>) -> Fault {
        Fault {
            cause: Cause::Refused,
            before_connection: false,
            status: Some(status),
            code: code.map(str::to_owned),
            request_id: None,
            retry_after: None,
            message: String::new(),
        }
    }

    #[test]
    fn every_answer_has_one_kind() {
        for (status, code, kind) in [
            (429, None, ErrorKind::Throttled),
            (400, Some("ThrottlingException"), ErrorKind::Throttled),
            (503, Some("SlowDown"), ErrorKind::Throttled),
            (503, None, ErrorKind::Service),
            (500, Some("InternalServiceException"), ErrorKind::Service),
            (400, Some("LimitExceededException"), ErrorKind::Invalid),
            (400, Some("NotReadyException"), ErrorKind::Invalid),
            (400, Some("TerminalRoutingStrategyException"), ErrorKind::Invalid),
            (400, Some("NotFoundException"), ErrorKind::NotFound),
            (400, Some("AWS.SimpleQueueService.NonExistentQueue"), ErrorKind::NotFound),
            (403, Some("AccessDeniedException"), ErrorKind::Denied),
            (400, Some("UnauthorizedException"), ErrorKind::Denied),
            (403, None, ErrorKind::Denied),
            (403, Some("ExpiredTokenException"), ErrorKind::Credentials),
            (403, Some("UnrecognizedClientException"), ErrorKind::Credentials),
            (400, Some("UnsupportedRegionException"), ErrorKind::Config),
            (408, None, ErrorKind::TimedOut),
            (404, Some("UnknownOperationException"), ErrorKind::Invalid),
        ] {
            assert_eq!(refused(status, code).kind(), kind, "{status} {code:?}");
        }
    }

    #[test]
    fn only_a_refusal_or_a_request_that_never_left_is_surely_not_done() {
        for (status, code, not_done) in [
            (400, Some("InvalidRequestException"), true),
            (400, Some("ThrottlingException"), true),
            (503, Some("SlowDown"), true),
            (429, None, true),
            (403, Some("AccessDeniedException"), true),
            (400, Some("NotFoundException"), true),
            (408, None, false),
            (400, Some("RequestTimeoutException"), false),
            (500, Some("InternalServiceException"), false),
            (502, None, false),
            (503, None, false),
            (400, Some("ServiceUnavailable"), false),
        ] {
            assert_eq!(refused(status, code).surely_not_done(), not_done, "{status} {code:?}");
        }
        for (cause, before_connection, not_done) in [
            (Cause::Request, false, true),
            (Cause::Credentials, false, true),
            (Cause::Connection, true, true),
            (Cause::Connection, false, false),
            (Cause::Silence, true, true),
            (Cause::Silence, false, false),
            (Cause::Damaged, false, false),
        ] {
            let fault = Fault { cause, before_connection, ..refused(200, None) };
            assert_eq!(fault.surely_not_done(), not_done, "{cause:?} {before_connection}");
        }
    }

    /// The fault of a call whose credentials cannot be loaded for this reason.
    async fn without_credentials(reason: fn() -> CredentialsError) -> Fault {
        let config = aws_sdk_gamelift::Config::builder()
            .behavior_version(aws_sdk_gamelift::config::BehaviorVersion::latest())
            .region(aws_sdk_gamelift::config::Region::new("eu-west-1"))
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .credentials_provider(Provider(reason))
            .build();
        let error = aws_sdk_gamelift::Client::from_conf(config).list_aliases().send().await.unwrap_err();
        Fault::of(&error)
    }

    #[derive(Debug)]
    struct Provider(fn() -> CredentialsError);

    impl ProvideCredentials for Provider {
        fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
        where
            Self: 'a,
        {
            future::ProvideCredentials::ready(Err(self.0()))
        }
    }

    #[tokio::test]
    async fn absent_and_expired_logins_are_a_matter_of_credentials() {
        let reasons: [fn() -> CredentialsError; 3] = [
            || CredentialsError::not_loaded("no provider had any"),
            || CredentialsError::provider_error("the SSO session has expired"),
            || CredentialsError::invalid_configuration("the profile names no source"),
        ];
        for reason in reasons {
            let fault = without_credentials(reason).await;
            assert_eq!(fault.kind(), ErrorKind::Credentials, "{fault:?}");
        }
        let fault = without_credentials(reasons[1]).await;
        assert!(fault.message.contains("the SSO session has expired"), "{fault:?}");
    }

    #[tokio::test]
    async fn a_login_that_fails_for_want_of_a_network_is_not_answered_with_a_login() {
        let fault = without_credentials(|| {
            CredentialsError::provider_error(ConnectorError::io("name resolution failed".into()))
        });
        assert_eq!(fault.await.kind(), ErrorKind::Unreachable);
    }
}
