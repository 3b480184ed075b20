//! Why the number of desired instances changed, as text.

use liftdeck_model::time::in_words;

use super::counted;
use crate::scaling::{Cause, Evidence, Limit};

/// The cause: `target policy 20 %`, `maximum is 40`.
pub(crate) fn cause(cause: &Cause, is_ours: bool) -> String {
    match cause {
        Cause::TargetPolicy { target_percent } => format!("target policy {target_percent} %"),
        Cause::RulePolicy { policies } => match policies.as_slice() {
            [only] => format!("rule policy {only}"),
            _ => "rule policies".to_owned(),
        },
        Cause::Manual if is_ours => "capacity set with Liftdeck".to_owned(),
        Cause::Manual => "capacity set by hand".to_owned(),
        Cause::LimitReached { limit, instances } => format!("{} is {instances}", of(*limit)),
        Cause::Interruption => "Spot instances interrupted".to_owned(),
        Cause::Unhealthy => "unhealthy instances replaced".to_owned(),
        Cause::Unknown => "unknown cause".to_owned(),
    }
}

/// The evidence for a cause, strongest first.
pub(crate) fn evidence(evidence: &[Evidence]) -> String {
    evidence.iter().map(one).collect::<Vec<_>>().join(" · ")
}

fn one(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Recorded => "recorded by CloudTrail".to_owned(),
        Evidence::SentFromHere => "sent by this Liftdeck".to_owned(),
        Evidence::LimitMoved { limit, from, to } => format!("{} {from} → {to}", of(*limit)),
        Evidence::Available { percent, for_ms: 0 } => format!("available {percent:.1} % before"),
        Evidence::Available { percent, for_ms } => {
            format!("available {percent:.1} % for {}", in_words(*for_ms))
        }
        Evidence::ScalingEvent => "FLEET_SCALING_EVENT".to_owned(),
        Evidence::InstancesLost { count } => before_it(*count, "instance lost", "instances lost"),
        Evidence::Unhealthy { count } => before_it(*count, "unhealthy process", "unhealthy processes"),
        Evidence::Suspended => "automatic scaling was suspended".to_owned(),
        Evidence::NoPolicy => "no scaling policy in force".to_owned(),
        Evidence::NoCall { is_settled: true } => "no call in CloudTrail set the capacity".to_owned(),
        Evidence::NoCall { is_settled: false } => "no call in CloudTrail set the capacity so far".to_owned(),
    }
}

const fn of(limit: Limit) -> &'static str {
    match limit {
        Limit::Minimum => "minimum",
        Limit::Maximum => "maximum",
    }
}

fn before_it(count: i64, one: &str, several: &str) -> String {
    format!("{} before it", counted(u64::try_from(count).unwrap_or(0), one, several))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_and_what_speaks_for_it_read_as_words() {
        assert_eq!(cause(&Cause::TargetPolicy { target_percent: 20.0 }, false), "target policy 20 %");
        let limit = Cause::LimitReached { limit: Limit::Maximum, instances: 40 };
        assert_eq!(cause(&limit, false), "maximum is 40");
        assert_eq!(
            cause(&Cause::RulePolicy { policies: vec!["grow".to_owned()] }, false),
            "rule policy grow"
        );
        assert_eq!(cause(&Cause::Manual, true), "capacity set with Liftdeck");
        let available = Evidence::Available { percent: 12.44, for_ms: 300_000 };
        assert_eq!(
            evidence(&[available, Evidence::ScalingEvent]),
            "available 12.4 % for 5 min 00 s · FLEET_SCALING_EVENT"
        );
        assert_eq!(evidence(&[Evidence::InstancesLost { count: 1 }]), "1 instance lost before it");
    }
}
