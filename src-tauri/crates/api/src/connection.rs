//! Connections: how to reach one AWS account. Contains no secret; credentials stay where the AWS profile has them.

use liftdeck_gateway::{ConnectionSpec, EventQueue, PermissionCheck};
use liftdeck_model::{AccountId, Environment, Region, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::error::AppError;

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
    pub regions: Vec<Region>,
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
    pub account: Option<AccountId>,
    pub regions: Vec<Region>,
    pub event_queues: Vec<EventQueue>,
    pub last_opened: Option<Timestamp>,
}

/// The result of checking what a connection is allowed to do before it is saved.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionCheck {
    pub account: Option<AccountId>,
    pub caller_arn: Option<String>,
    pub checks: Vec<PermissionCheck>,
    pub ok: bool,
    pub error: Option<AppError>,
}

impl ConnectionDraft {
    /// How this connection reaches AWS with this share of the request rates. Its account is not known yet.
    #[must_use]
    pub fn spec(self, budget_share: f64) -> ConnectionSpec {
        let Self { name, profile, endpoint_url, regions, .. } = self;
        ConnectionSpec { name, profile, endpoint_url, regions, budget_share, ..ConnectionSpec::default() }
    }
}

impl ConnectionSummary {
    /// The connection as the operator described it.
    #[must_use]
    pub fn described(&self) -> ConnectionDraft {
        let Self { name, environment, profile, endpoint_url, regions, event_queues, .. } = self.clone();
        ConnectionDraft { name, environment, profile, endpoint_url, regions, event_queues }
    }

    /// How this connection reaches AWS with this share of the request rates.
    #[must_use]
    pub fn spec(&self, budget_share: f64) -> ConnectionSpec {
        ConnectionSpec { account: self.account.clone(), ..self.described().spec(budget_share) }
    }
}

impl ConnectionCheck {
    /// The result if not even the identity of the caller could be determined.
    pub const fn failed(error: AppError) -> Self {
        Self { account: None, caller_arn: None, checks: Vec::new(), ok: false, error: Some(error) }
    }
}
