//! Tests of which events reach a queue: by pattern, state and policy.

use serde_json::json;

use super::*;
use crate::pace::Pace;
use crate::page::Tokens;
use crate::service::ServiceError;
use crate::sqs::Body;
use crate::wire::{Writer, read_json};

const REGION: &str = "eu-west-1";
const ACCOUNT: &str = "111122223333";

/// An event with a type.
#[derive(Debug)]
struct Told(&'static str);

impl Event for Told {
    fn id(&self) -> &str {
        self.0
    }

    fn at_ms(&self) -> i64 {
        0
    }

    fn member(&self, name: &str) -> Option<Value> {
        match name {
            "source" => Some("aws.gamelift".into()),
            "detail" => Some(json!({ "type": self.0 })),
            _ => None,
        }
    }

    fn body(&self) -> Body {
        self.0.into()
    }
}

/// EventBridge without rules, and the event queue of a region, whose policy lets every rule of the account in.
struct Bench {
    bridge: EventBridge,
    queues: Queues,
}

impl Bench {
    fn new() -> Bench {
        let queues = Queues::new("http://here", ACCOUNT, [REGION].into_iter(), None, 0, Pace::default());
        Bench { bridge: EventBridge { account: ACCOUNT.to_owned(), regions: RwLock::default() }, queues }
    }

    fn ask(&self, operation: &'static str, input: &Value) -> Result<String, ServiceError> {
        let body = read_json(input.to_string().as_bytes()).unwrap();
        let (tokens, mut writer) = (Tokens::new(1), Writer::json());
        self.bridge
            .answer(&Request { operation, region: REGION, body: &body, tokens: &tokens }, &mut writer)?;
        Ok(String::from_utf8(writer.finish()).unwrap())
    }

    /// Puts a rule on the bus that sends to the event queue.
    fn send(&self, pattern: &Value) {
        self.ask("PutRule", &json!({ "Name": "r", "EventPattern": pattern.to_string() })).unwrap();
        let target = json!({ "Id": "queue", "Arn": self.queues.arn_of_events(REGION) });
        self.ask("PutTargets", &json!({ "Rule": "r", "Targets": [target] })).unwrap();
    }

    /// How many messages arrive for an event.
    fn arrive(&self, event: &'static str) -> usize {
        let queue = self.queues.events(REGION).unwrap();
        let before = queue.waiting();
        self.bridge.deliver(REGION, &Told(event), &self.queues);
        queue.waiting() - before
    }
}

#[test]
fn an_event_goes_where_an_enabled_rule_sends_it() {
    let bench = Bench::new();
    assert_eq!(bench.arrive("PlacementFailed"), 0);
    bench.send(&json!({ "source": ["aws.gamelift"], "detail": { "type": [{ "prefix": "Placement" }] } }));
    assert_eq!((bench.arrive("PlacementFailed"), bench.arrive("MatchmakingFailed")), (1, 0));
    bench.ask("DisableRule", &json!({ "Name": "r" })).unwrap();
    assert_eq!(bench.arrive("PlacementFulfilled"), 0);
    bench.ask("EnableRule", &json!({ "Name": "r" })).unwrap();
    assert_eq!(bench.arrive("PlacementTimedOut"), 1);
    bench.ask("RemoveTargets", &json!({ "Rule": "r", "Ids": ["queue"] })).unwrap();
    assert_eq!(bench.arrive("PlacementCancelled"), 0);
}

#[test]
fn a_rule_that_is_put_again_keeps_its_targets_and_nothing_else() {
    let bench = Bench::new();
    bench.send(&json!({ "source": ["aws.gamelift"] }));
    bench.ask("DisableRule", &json!({ "Name": "r" })).unwrap();
    bench.ask("PutRule", &json!({ "Name": "r", "EventPattern": r#"{"source":["another"]}"# })).unwrap();
    assert_eq!(bench.arrive("PlacementFailed"), 0);
    let shown: Value =
        serde_json::from_str(&bench.ask("DescribeRule", &json!({ "Name": "r" })).unwrap()).unwrap();
    assert_eq!(
        (&shown["State"], &shown["EventPattern"]),
        (&json!("ENABLED"), &json!(r#"{"source":["another"]}"#))
    );
    bench.send(&json!({ "source": ["aws.gamelift"] }));
    assert_eq!(bench.arrive("PlacementFailed"), 1, "one target, put twice");
    let error = bench.ask("DeleteRule", &json!({ "Name": "r" })).unwrap_err();
    assert_eq!(error.code, "ValidationException");
}
