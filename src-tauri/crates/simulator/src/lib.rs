//! GameLift, CloudWatch, CloudTrail, SQS, SNS, EventBridge, STS and IAM on loopback, over a simulated world.
//!
//! The **world** is a separate crate, `liftdeck-simulated-world`: it holds fleets, sessions and players and moves
//! with virtual time. This crate is the **wire**: protocols, operations, queues, credentials, rates and faults. The
//! world knows nothing about the wire.
//!
//! Neither crate shares types or its reading of the API with the rest of the program, so that a mistake in one shows
//! up against the other.

mod calls;
mod clock;
mod cloud;
mod cloudtrail;
mod cloudwatch;
mod event_bridge;
mod fault;
mod filter;
mod gamelift;
mod iam;
mod identity;
mod kept;
mod litter;
mod notification;
mod operation;
mod options;
mod pace;
mod page;
mod policy;
mod query;
mod server;
mod service;
mod simulator;
mod sns;
mod sqs;
mod sts;
mod throttle;
mod wire;

pub use calls::{CallCount, CallCounts};
pub use fault::{FaultKind, FaultPlan, FaultRule, PlanError};
pub use identity::{Credentials, MfaDevice, Role};
pub use liftdeck_simulated_world::{Mixture, Scenario, UnknownScenario};
pub use options::{SimulateArgs, SimulatorOptions, TrailOptions};
pub use simulator::{Ready, Simulator, StartError};

/// Every supported operation, in order, named like an IAM action: `gamelift:ListFleets`.
#[must_use]
pub fn operations() -> Vec<String> {
    let named = |service: service::Service, name: &str| format!("{}:{name}", service.action_prefix());
    let mut all: Vec<String> =
        gamelift::operations().map(|name| named(service::Service::GameLift, name)).collect();
    all.extend(cloudwatch::operations().map(|name| named(service::Service::CloudWatch, name)));
    all.extend(cloudtrail::operations().map(|name| named(service::Service::CloudTrail, name)));
    all.extend(sqs::operations().map(|name| named(service::Service::Sqs, name)));
    all.extend(event_bridge::operations().map(|name| named(service::Service::EventBridge, name)));
    all.extend(sns::operations().map(|name| named(service::Service::Sns, name)));
    all.extend(iam::operations().map(|name| named(service::Service::Iam, name)));
    all.extend(sts::operations().map(|name| named(service::Service::Sts, name)));
    all.sort();
    all
}
