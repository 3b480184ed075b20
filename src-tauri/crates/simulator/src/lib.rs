//! GameLift, CloudWatch, SQS, SNS and STS on loopback, over a simulated world.
