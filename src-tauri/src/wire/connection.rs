//! Connections: what reaches one AWS account. Holds no secret; credentials stay where the AWS profile has them.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::error::AppError;
use crate::wire::number::Ms;

/// How careful to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Environment {
    Production,
    Staging,
    Development,
    Demo,
}

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
