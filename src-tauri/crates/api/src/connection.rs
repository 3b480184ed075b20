//! Connections: how to reach one AWS account. Contains no secret; credentials stay where the AWS profile has them.

use liftdeck_gateway::PermissionCheck;
use liftdeck_model::{Environment, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::error::AppError;

/// An SQS queue used only by this connection that receives placement and FlexMatch events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EventQueue {
    pub region: String,
    pub url: String,
}

/// A connection as the operator describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionDraft {
    pub name: String,
    pub environment: Environment,
    /// Profile of the shared AWS configuration; null for the default chain.
    pub profile: Option<String>,
    /// A custom endpoint; null for AWS's own.
    pub endpoint_url: Option<String>,
    pub regions: Vec<String>,
    pub event_queues: Vec<EventQueue>,
}

/// A saved connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionSummary {
    pub id: String,
    pub name: String,
    pub environment: Environment,
    pub profile: Option<String>,
    pub endpoint_url: Option<String>,
    pub account: Option<String>,
    pub regions: Vec<String>,
    pub event_queues: Vec<EventQueue>,
    pub last_opened: Option<Timestamp>,
}

/// The result of checking what a connection is allowed to do before it is saved.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionCheck {
    pub account: Option<String>,
    pub caller_arn: Option<String>,
    pub checks: Vec<PermissionCheck>,
    pub ok: bool,
    pub error: Option<AppError>,
}

impl ConnectionCheck {
    /// The result if not even the identity of the caller could be determined.
    pub const fn failed(error: AppError) -> Self {
        Self { account: None, caller_arn: None, checks: Vec::new(), ok: false, error: Some(error) }
    }
}
