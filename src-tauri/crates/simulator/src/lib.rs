//! GameLift, CloudWatch, SQS, SNS and STS on loopback, over a simulated world.

pub mod clock;
pub mod scenario;
pub mod world;
