//! Who made a change, as text.

use liftdeck_model::trail::{Caller, Via};

use crate::change::{Who, WhyUnknown};

/// `alice in the console`, `one of bob by API, ci-deploy through CloudFormation`, `not in CloudTrail`. `None` for what
/// this installation did, which is told by its own link.
pub(crate) fn who(who: &Who) -> Option<String> {
    Some(match who {
        Who::Ours => return None,
        Who::Named { calls } => {
            let mut told: Vec<String> = Vec::new();
            for call in calls {
                let one = caller(&call.caller);
                if !told.contains(&one) {
                    told.push(one);
                }
            }
            match told.as_slice() {
                [only] => only.clone(),
                several => format!("one of {}", several.join(", ")),
            }
        }
        Who::Policy { is_settled: true } => "a scaling policy: no call set the capacity".to_owned(),
        Who::Policy { is_settled: false } => "a scaling policy, as far as is known".to_owned(),
        Who::Pending { .. } => "not in CloudTrail yet".to_owned(),
        Who::Unknown { why } => match why {
            WhyUnknown::NotPermitted => "CloudTrail not permitted",
            WhyUnknown::NotInTrail => "not in CloudTrail",
            WhyUnknown::TooOld => "older than CloudTrail keeps",
            WhyUnknown::NotAsked => "CloudTrail was not asked",
        }
        .to_owned(),
    })
}

fn caller(caller: &Caller) -> String {
    let name = caller.principal.label();
    match &caller.via {
        Via::Console => format!("{name} in the console"),
        Via::Service(service) => format!("{name} through {}", service_name(service)),
        Via::CommandLine | Via::Program(_) => format!("{name} by API"),
        Via::Unknown => name.to_owned(),
    }
}

fn service_name(service: &str) -> &str {
    match service.strip_suffix(".amazonaws.com").unwrap_or(service) {
        "cloudformation" => "CloudFormation",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Timestamp;
    use liftdeck_model::trail::Principal;

    use super::*;
    use crate::change::RecordedCall;

    fn call(name: &str, via: Via) -> RecordedCall {
        RecordedCall {
            event_id: "e".into(),
            event_name: "UpdateAlias".into(),
            at: Timestamp::default(),
            caller: Caller {
                principal: Principal::User { name: name.into() },
                via,
                access_key_end: None,
                source_ip: None,
                user_agent: None,
            },
        }
    }

    #[test]
    fn one_caller_is_named_and_several_are_all_told() {
        let stack = || call("ci-deploy", Via::Service("cloudformation.amazonaws.com".into()));
        let named = |calls| who(&Who::Named { calls }).unwrap();
        assert_eq!(named(vec![call("alice", Via::Console)]), "alice in the console");
        assert_eq!(named(vec![stack(), stack()]), "ci-deploy through CloudFormation");
        let both = vec![call("bob", Via::CommandLine), stack()];
        assert_eq!(named(both), "one of bob by API, ci-deploy through CloudFormation");
        assert_eq!(who(&Who::Ours), None);
    }
}
