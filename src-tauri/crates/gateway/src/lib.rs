//! The only crate that uses the AWS SDKs: clients, request budget, retries, error translation, mapping to the model.
//!
//! Has two halves with different types: `Reader` has every read; `Operator` has every change and needs a `Grant`.
//! Deliberately knows nothing of the store, of schedules or of the window.
//!
//! This crate logs no credentials and no player data. The SDKs' own DEBUG and TRACE logs do contain access key ids
//! and player data, so every subscriber must filter them out, for example with [`SDK_LOG_FILTER`], which caps every
//! crate of the SDKs and of the HTTP stack at `warn`.

mod budget;
mod call;
mod client;
mod connection;
mod credentials;
mod date;
mod error;
mod event_feed;
mod fault;
mod gateway;
mod grant;
mod identity;
mod mapping;
mod operator;
mod page;
mod pass;
mod permission;
mod principal;
mod profile;
mod rate;
mod reader;
mod retry;
mod topic;
mod usage;

pub use budget::Priority;
pub use connection::{ConnectionSpec, CredentialSource, EventQueue, Patience};
pub use date::HeardDate;
pub use error::{ErrorKind, GatewayError};
pub use event_feed::{AdoptedFeed, EventFeed, FeedMessage, Glance, HandleFailure, QueueAttributes, Redrive};
pub use gateway::Gateway;
pub use grant::Grant;
pub use identity::CallerIdentity;
pub use operator::{Made, OPERATOR_ACTIONS, Operator, ReservedPlayerSession, Sent};
pub use page::{PageOf, PageToken, Reading};
pub use permission::{PermissionCheck, PermissionOutcome};
pub use profile::{AwsProfile, ProfileKind, profiles};
pub use rate::RateTable;
pub use reader::{
    GameSessionFilter, MAX_SEARCH_PAGES, MetricId, MetricReading, MetricRequest, MetricSeriesSamples, Reader,
    SearchPages, metrics_billed,
};
pub use topic::Publication;
pub use usage::{OperationUsage, Usage};

/// `tracing` filter directives that keep the key ids and player data logged by the SDKs out of every log.
pub const SDK_LOG_FILTER: &str = "aws_config=warn,aws_credential_types=warn,aws_runtime=warn,aws_sdk_cloudtrail=warn,aws_sdk_cloudwatch=warn,\
aws_sdk_gamelift=warn,aws_sdk_sns=warn,aws_sdk_sqs=warn,aws_sdk_sso=warn,aws_sdk_ssooidc=warn,aws_sdk_sts=warn,aws_sigv4=warn,\
aws_smithy_http=warn,aws_smithy_http_client=warn,aws_smithy_runtime=warn,aws_smithy_runtime_api=warn,\
aws_types=warn,hyper=warn,hyper_util=warn,h2=warn,rustls=warn";
