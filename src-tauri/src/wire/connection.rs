//! Connections: what reaches one AWS account. Holds no secret; credentials stay where the AWS profile has them.

use liftdeck_gateway as gateway;
use liftdeck_model::{Environment, Region};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::error::AppError;
use crate::wire::number::Ms;

/// An SQS queue of the connection's own that receives placement and FlexMatch events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventQueue {
    pub(crate) region: String,
    pub(crate) url: String,
}

/// A connection as the operator describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConnectionDraft {
    pub(crate) name: String,
    pub(crate) environment: Environment,
    /// Profile of the shared AWS configuration; null for the default chain.
    pub(crate) profile: Option<String>,
    /// An endpoint other than AWS's own; null for AWS.
    pub(crate) endpoint_url: Option<String>,
    pub(crate) regions: Vec<String>,
    pub(crate) event_queues: Vec<EventQueue>,
}

/// A saved connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConnectionSummary {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) environment: Environment,
    pub(crate) profile: Option<String>,
    pub(crate) endpoint_url: Option<String>,
    pub(crate) account: Option<String>,
    pub(crate) regions: Vec<String>,
    pub(crate) event_queues: Vec<EventQueue>,
    pub(crate) last_opened_ms: Option<Ms>,
}

/// Where a profile's credentials come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ProfileKind {
    Sso,
    AssumeRole,
    Keys,
    Process,
    Environment,
    Other,
}

/// A profile of the shared AWS configuration.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AwsProfile {
    pub(crate) name: String,
    pub(crate) kind: ProfileKind,
    pub(crate) region: Option<String>,
}

/// How a permission was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum PermissionOutcome {
    Allowed,
    Denied,
    Failed,
}

/// One action tried in one Region.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PermissionCheck {
    pub(crate) action: String,
    /// What needs the action.
    pub(crate) feature: String,
    pub(crate) region: String,
    pub(crate) outcome: PermissionOutcome,
    pub(crate) detail: Option<String>,
    pub(crate) request_id: Option<String>,
}

/// What a connection may do, tried before it is saved.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConnectionCheck {
    pub(crate) account: Option<String>,
    pub(crate) caller_arn: Option<String>,
    pub(crate) checks: Vec<PermissionCheck>,
    pub(crate) ok: bool,
    pub(crate) error: Option<AppError>,
}

impl From<gateway::AwsProfile> for AwsProfile {
    fn from(profile: gateway::AwsProfile) -> Self {
        let kind = match profile.kind {
            gateway::ProfileKind::Sso => ProfileKind::Sso,
            gateway::ProfileKind::AssumeRole => ProfileKind::AssumeRole,
            gateway::ProfileKind::Keys => ProfileKind::Keys,
            gateway::ProfileKind::Process => ProfileKind::Process,
            gateway::ProfileKind::Environment => ProfileKind::Environment,
            gateway::ProfileKind::Other => ProfileKind::Other,
        };
        Self { name: profile.name, kind, region: profile.region.map(Region::into_string) }
    }
}

impl From<gateway::PermissionCheck> for PermissionCheck {
    fn from(check: gateway::PermissionCheck) -> Self {
        let outcome = match check.outcome {
            gateway::PermissionOutcome::Allowed => PermissionOutcome::Allowed,
            gateway::PermissionOutcome::Denied => PermissionOutcome::Denied,
            gateway::PermissionOutcome::Failed => PermissionOutcome::Failed,
        };
        Self {
            action: check.action,
            feature: check.feature.to_owned(),
            region: check.region.into_string(),
            outcome,
            detail: check.detail,
            request_id: check.request_id,
        }
    }
}

impl ConnectionCheck {
    /// The connection could not even say who it is.
    pub(crate) const fn failed(error: AppError) -> Self {
        Self { account: None, caller_arn: None, checks: Vec::new(), ok: false, error: Some(error) }
    }
}
