//! What can go wrong between this program and AWS, in words for the person who has to act.
//!
//! Owns the error type of the gateway. Deliberately knows nothing of the SDKs' error types: `fault` reads those.

use std::fmt;
use std::sync::Arc;

use liftdeck_model::Region;
use serde::{Deserialize, Serialize};

use crate::profile::ProfileKind;

/// What sort of failure it was; decides what the program does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ErrorKind {
    /// No connection: name not found, refused, reset, TLS.
    Unreachable,
    /// No answer in time.
    TimedOut,
    /// Credentials are missing, expired or not accepted.
    Credentials,
    /// The credentials are good but may not do this.
    Denied,
    /// AWS asked us to slow down.
    Throttled,
    /// The resource does not exist (any more).
    NotFound,
    /// AWS refused the request itself.
    Invalid,
    /// AWS failed on its side.
    Service,
    /// The answer could not be understood, or a listing contradicted itself.
    Decode,
    /// Our own request budget had no room in time.
    BudgetExhausted,
    /// The connection is set up wrongly: profile, Region or endpoint.
    Config,
    /// A change without a valid grant: nothing was sent, or no further attempt was made.
    ReadOnly,
    /// The credentials belong to a different account than the connection and its database; nothing is sent.
    WrongAccount,
    /// A different principal than the one that unlocked the connection would send the change; nothing is sent.
    WrongCaller,
    /// AWS could not be asked whose credentials these are; nothing is sent.
    Unproven,
}

/// A failed call. Its `Display` is one sentence: what failed, on which resource, where, why, code and request id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct GatewayError {
    /// What sort of failure.
    pub kind: ErrorKind,
    /// The AWS operation, or what was being set up (`profiles`, `connect`).
    pub operation: &'static str,
    /// The resource asked about.
    pub resource: Option<String>,
    /// AWS error code, such as `AccessDeniedException`.
    pub code: Option<String>,
    /// AWS request id, for AWS Support.
    pub request_id: Option<String>,
    /// What AWS, the transport or the program said.
    pub message: Box<str>,
    /// Whether an attempt may have been carried out.
    pub(crate) may_have_happened: bool,
    /// Whether the request was held back because it was not proven whose credentials these are.
    pub(crate) is_unproven: bool,
    /// Where the request went; shared by all errors of a Region.
    pub(crate) origin: Arc<Origin>,
}

/// Used in place of an operation while credentials are loaded; nothing was requested from AWS itself.
pub(crate) const CREDENTIALS: &str = "credentials";
/// Used in place of an operation if the connection's profile does not exist. The message then lists those that do.
const ABSENT_PROFILE: &str = "profile";

/// Where a request went and with which profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Region the request went to, if any.
    pub(crate) region: Option<Region>,
    /// Profile of the connection, for the remedy.
    pub(crate) profile: Option<String>,
    /// Where that profile's credentials come from, if known.
    pub(crate) profile_kind: Option<ProfileKind>,
    /// Endpoint the request went to, if it is not AWS's own.
    pub(crate) endpoint: Option<String>,
}

impl GatewayError {
    /// An error that concerns no resource and does not come from an AWS response.
    pub(crate) fn plain(kind: ErrorKind, operation: &'static str, message: impl Into<Box<str>>) -> Self {
        Self {
            kind,
            operation,
            resource: None,
            code: None,
            request_id: None,
            message: message.into(),
            may_have_happened: false,
            is_unproven: false,
            origin: Arc::default(),
        }
    }

    /// An error for a profile that is not in the AWS configuration files, which contain the `known` ones.
    pub(crate) fn absent_profile(name: &str, known: &[&str]) -> Self {
        let plain = Self::plain(ErrorKind::Config, ABSENT_PROFILE, known.join(", "));
        Self { resource: Some(name.to_owned()), ..plain }
    }

    /// Region the request went to, if any.
    pub fn region(&self) -> Option<&Region> {
        self.origin.region.as_ref()
    }

    /// Whether the request may have been carried out although it failed: an attempt got no response, failed inside
    /// AWS, or got a response that cannot be read. False if the request certainly never left this computer, or AWS
    /// refused it. Meaningful for changes only; a read is simply repeated.
    pub const fn may_have_happened(&self) -> bool {
        self.may_have_happened
    }

    /// Whether the request was not sent because the credentials are not proven to belong to the connection's account
    /// and caller, or do not belong to them. Such an error says nothing about any resource of the account.
    pub const fn is_unproven(&self) -> bool {
        self.is_unproven
    }

    /// Whether the same request may succeed later without anybody doing anything.
    pub const fn retryable(&self) -> bool {
        matches!(
            self.kind,
            ErrorKind::Unreachable
                | ErrorKind::TimedOut
                | ErrorKind::Throttled
                | ErrorKind::Service
                | ErrorKind::Decode
                | ErrorKind::BudgetExhausted
                | ErrorKind::Unproven
        )
    }

    /// What the user can do about it; `None` if there is nothing to do but wait.
    pub fn remedy(&self) -> Option<String> {
        let region = self.region().map_or("the Region", Region::as_str);
        match self.kind {
            ErrorKind::Unproven if self.operation == CREDENTIALS => Some(
                "Check the network and VPN: credentials come from elsewhere, such as AWS SSO, STS or a program that \
                 the profile names."
                    .to_owned(),
            ),
            ErrorKind::Unreachable | ErrorKind::TimedOut | ErrorKind::Unproven => Some(match &self.origin.endpoint {
                Some(endpoint) => {
                    format!("Check that {endpoint} runs and can be reached from this computer.")
                }
                None => format!(
                    "Check the network, VPN and proxy, and that {region} is a Region of Amazon GameLift Servers."
                ),
            }),
            ErrorKind::Credentials => Some(self.credentials_remedy()),
            ErrorKind::Denied => Some(format!(
                "Ask for this identity to be allowed `{}` in {region}.",
                permission_of(self.operation)
            )),
            ErrorKind::Config if self.operation == ABSENT_PROFILE => Some(self.profile_remedy()),
            ErrorKind::Config => Some(match self.code.as_deref() {
                Some("UnsupportedRegionException" | "OptInRequired") => {
                    format!("Remove {region} from the connection, or enable it for the account.")
                }
                Some(_) => format!("Check the name of the Region: AWS does not know {region}."),
                None if self.origin.profile.is_some() => {
                    "List the profiles with `aws configure list-profiles`, or correct the profile, Region \
                     or endpoint of the connection."
                        .to_owned()
                }
                None => "Correct the Region or endpoint of the connection.".to_owned(),
            }),
            ErrorKind::WrongAccount => Some(match &self.origin.profile {
                Some(profile) => format!(
                    "Point the profile {profile} at the connection's account, or create a connection for the other \
                     account."
                ),
                None => "Choose a profile for the connection's account, or create a connection for the other account."
                    .to_owned(),
            }),
            ErrorKind::WrongCaller => {
                Some("Unlock the connection again if the current identity may make changes.".to_owned())
            }
            ErrorKind::ReadOnly => Some("Unlock changes for this connection, then try again.".to_owned()),
            ErrorKind::NotFound
            | ErrorKind::Throttled
            | ErrorKind::Invalid
            | ErrorKind::Service
            | ErrorKind::Decode
            | ErrorKind::BudgetExhausted => None,
        }
    }

    /// How to make the absent profile, or which ones there are instead.
    fn profile_remedy(&self) -> String {
        let name = self.resource.as_deref().unwrap_or_default();
        let make = format!(
            "Create it with `aws configure --profile {name}` or `aws configure sso --profile {name}`"
        );
        if self.message.is_empty() { format!("{make}.") } else { format!("{make}, or use {}.", self.message) }
    }

    /// Writes the sentence for credentials that could not be loaded, before anything was requested from AWS.
    fn about_credentials(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin.profile {
            Some(profile) => write!(f, "The credentials of the profile {profile} could not be loaded")?,
            None => f.write_str("AWS credentials could not be loaded")?,
        }
        write!(f, ": {}", self.message.trim_end_matches('.'))
    }

    /// The error as a sentence, without code and request id.
    pub(crate) fn sentence(&self) -> String {
        Self { code: None, request_id: None, ..self.clone() }.to_string()
    }

    fn credentials_remedy(&self) -> String {
        if matches!(self.code.as_deref(), Some("RequestTimeTooSkewed" | "RequestExpired")) {
            return "Set this computer's clock: AWS refuses requests whose signing time is minutes off."
                .to_owned();
        }
        match &self.origin.profile {
            Some(profile) => match self.origin.profile_kind {
                Some(ProfileKind::Sso) => {
                    format!("Sign in again with `aws sso login --profile {profile}`.")
                }
                Some(ProfileKind::Keys) => {
                    format!("Renew the access keys of the profile {profile} in the AWS files.")
                }
                Some(ProfileKind::Process) => {
                    format!(
                        "Sign in with the program that the profile {profile} names as its credential_process."
                    )
                }
                Some(ProfileKind::AssumeRole) => format!(
                    "Renew the credentials with which the profile {profile} assumes its role, then try again."
                ),
                Some(ProfileKind::Environment | ProfileKind::Other) | None => {
                    format!("Renew the credentials of the profile {profile}.")
                }
            },
            None => {
                "Sign in again, for example with `aws sso login`, or choose a profile for the connection."
                    .to_owned()
            }
        }
    }
}

impl fmt::Display for GatewayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == ErrorKind::WrongAccount {
            return write!(f, "Nothing is sent or stored: {}", self.message.trim_end_matches('.'));
        }
        if self.operation == CREDENTIALS {
            return self.about_credentials(f);
        }
        if self.operation == ABSENT_PROFILE {
            let name = self.resource.as_deref().unwrap_or_default();
            return write!(f, "There is no profile `{name}` in the AWS configuration files");
        }
        f.write_str(self.operation)?;
        if let Some(resource) = &self.resource {
            write!(f, " of {resource}")?;
        }
        if let Some(region) = self.region() {
            write!(f, " in {region}")?;
        }
        let verdict = match self.kind {
            ErrorKind::Unreachable => "could not reach",
            ErrorKind::TimedOut => "got no answer in time from",
            _ => "",
        };
        if verdict.is_empty() {
            let verdict = match self.kind {
                ErrorKind::Credentials => "has no valid credentials",
                ErrorKind::Denied => "is not allowed",
                ErrorKind::Throttled => "was throttled",
                ErrorKind::NotFound => "found nothing",
                ErrorKind::Invalid => "was refused",
                ErrorKind::Service => "failed inside AWS",
                ErrorKind::Decode => "got an answer that cannot be trusted",
                ErrorKind::ReadOnly => "was not sent: the connection is read-only",
                ErrorKind::WrongCaller => "was not sent: another identity unlocked the connection",
                ErrorKind::Unproven => "was not sent: AWS could not confirm the account",
                ErrorKind::BudgetExhausted => "gave up waiting for room in the request budget",
                _ => "is not possible with this connection's settings",
            };
            write!(f, " {verdict}")?;
        } else {
            write!(f, " {verdict} {}", self.origin.endpoint.as_deref().unwrap_or("AWS"))?;
        }
        if !self.message.is_empty() {
            write!(f, ": {}", self.message.trim_end_matches('.'))?;
        }
        match (&self.code, &self.request_id) {
            (Some(code), Some(id)) => write!(f, " ({code}, request {id})"),
            (Some(code), None) => write!(f, " ({code})"),
            (None, Some(id)) => write!(f, " (request {id})"),
            (None, None) => Ok(()),
        }
    }
}

/// The IAM action for an operation of one of the APIs this program uses.
pub(crate) fn permission_of(operation: &str) -> String {
    let prefix = match operation {
        "GetMetricData" | "ListMetrics" => "cloudwatch",
        // IAM has one action for both the single request and the batch.
        "DeleteMessageBatch" => return "sqs:DeleteMessage".to_owned(),
        "ChangeMessageVisibilityBatch" => return "sqs:ChangeMessageVisibility".to_owned(),
        "ReceiveMessage" | "GetQueueAttributes" => "sqs",
        "GetCallerIdentity" => "sts",
        "LookupEvents" => "cloudtrail",
        "Publish" => "sns",
        _ => "gamelift",
    };
    format!("{prefix}:{operation}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn denied() -> GatewayError {
        GatewayError {
            kind: ErrorKind::Denied,
            operation: "DescribeFleetEvents",
            resource: Some("fleet-1".to_owned()),
            code: Some("AccessDeniedException".to_owned()),
            request_id: Some("1111".to_owned()),
            message: "User: arn:aws:iam::1:user/a is not authorized.".into(),
            may_have_happened: false,
            is_unproven: false,
            origin: Arc::new(Origin {
                region: Some(Region::from("eu-west-1")),
                profile: Some("prod".to_owned()),
                profile_kind: Some(ProfileKind::Sso),
                endpoint: None,
            }),
        }
    }

    #[test]
    fn an_error_reads_as_one_sentence_with_code_and_request_id() {
        assert_eq!(
            denied().to_string(),
            "DescribeFleetEvents of fleet-1 in eu-west-1 is not allowed: User: arn:aws:iam::1:user/a is not \
             authorized (AccessDeniedException, request 1111)"
        );
    }

    #[test]
    fn a_denied_action_is_named_in_the_remedy() {
        assert!(denied().remedy().unwrap().contains("`gamelift:DescribeFleetEvents`"));
        let feed = GatewayError { operation: "DeleteMessageBatch", ..denied() };
        assert!(feed.remedy().unwrap().contains("`sqs:DeleteMessage`"));
    }

    #[test]
    fn absent_credentials_name_the_login_of_the_profile() {
        let error = GatewayError { kind: ErrorKind::Credentials, code: None, ..denied() };
        assert!(error.remedy().unwrap().contains("aws sso login --profile prod"));
        assert!(!error.retryable());
    }

    #[test]
    fn only_a_profile_that_signs_in_through_sso_is_told_to() {
        for (kind, wanted) in [
            (ProfileKind::Keys, "access keys of the profile prod"),
            (ProfileKind::Process, "credential_process"),
            (ProfileKind::AssumeRole, "assumes its role"),
            (ProfileKind::Other, "credentials of the profile prod"),
        ] {
            let origin = Origin { profile_kind: Some(kind), ..(*denied().origin).clone() };
            let error = GatewayError { kind: ErrorKind::Credentials, origin: Arc::new(origin), ..denied() };
            let remedy = error.remedy().unwrap();
            assert!(remedy.contains(wanted) && !remedy.contains("sso"), "{remedy}");
        }
    }

    #[test]
    fn an_absent_profile_comes_with_the_way_to_make_it_and_those_there_are() {
        let error = GatewayError::absent_profile("prod", &["default", "dev"]);
        assert_eq!(error.to_string(), "There is no profile `prod` in the AWS configuration files");
        let remedy = error.remedy().unwrap();
        assert!(remedy.contains("aws configure --profile prod") && remedy.ends_with("use default, dev."));
        assert!(GatewayError::absent_profile("prod", &[]).remedy().unwrap().ends_with("--profile prod`."));
    }

    #[test]
    fn a_skewed_clock_is_not_answered_with_a_login() {
        let error = GatewayError {
            kind: ErrorKind::Credentials,
            code: Some("RequestTimeTooSkewed".to_owned()),
            ..denied()
        };
        assert!(error.remedy().unwrap().contains("clock"));
    }

    #[test]
    fn an_unreachable_simulator_is_named_by_its_endpoint() {
        let error = GatewayError {
            kind: ErrorKind::Unreachable,
            origin: Arc::new(Origin { endpoint: Some("http://127.0.0.1:9".to_owned()), ..Origin::default() }),
            code: None,
            request_id: None,
            message: "connection refused".into(),
            ..denied()
        };
        assert!(error.to_string().contains("could not reach http://127.0.0.1:9: connection refused"));
        assert!(error.remedy().unwrap().contains("http://127.0.0.1:9"));
        assert!(error.retryable());
    }
}
