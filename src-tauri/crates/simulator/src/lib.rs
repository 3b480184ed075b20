//! GameLift, CloudWatch, SQS, SNS and STS on loopback, over a simulated world.
//!
//! The crate has two halves. The **world** (`world`, `clock`, `scenario`) is pure: it knows fleets, sessions and players
//! and moves with virtual time. The **wire** is everything else: protocols, operations, queues, credentials, rates and
//! faults. The world knows nothing of the wire; the wire changes nothing in the world but its time.
//!
//! The crate shares neither types nor reading of the API with the rest of the program, so that a mistake in one is seen
//! by the other.

mod calls;
pub mod clock;
mod cloud;
mod cloudwatch;
mod fault;
mod gamelift;
mod identity;
mod kept;
mod litter;
mod notification;
mod operation;
mod options;
mod pace;
mod page;
pub mod scenario;
mod server;
mod service;
mod simulator;
mod sns;
mod sqs;
mod sts;
mod throttle;
mod wire;
pub mod world;

pub use calls::{CallCount, CallCounts};
pub use fault::{FaultKind, FaultPlan, FaultRule, PlanError};
pub use identity::Credentials;
pub use options::{SimulateArgs, SimulatorOptions};
pub use scenario::Scenario;
pub use simulator::{Ready, Simulator, StartError};

/// Every operation that is answered, in order, named as IAM actions are: `gamelift:ListFleets`.
#[must_use]
pub fn operations() -> Vec<String> {
    let named = |service: service::Service, name: &str| format!("{}:{name}", service.action_prefix());
    let mut all: Vec<String> =
        gamelift::operations().map(|name| named(service::Service::GameLift, name)).collect();
    all.extend(cloudwatch::operations().map(|name| named(service::Service::CloudWatch, name)));
    all.extend(sqs::operations().map(|name| named(service::Service::Sqs, name)));
    all.extend(sns::operations().map(|name| named(service::Service::Sns, name)));
    all.push(named(service::Service::Sts, "GetCallerIdentity"));
    all.sort();
    all
}
