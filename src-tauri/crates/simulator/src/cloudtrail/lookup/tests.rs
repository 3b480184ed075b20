//! `LookupEvents` over the deeds of a world and noted calls.

use std::sync::OnceLock;

use serde_json::{Value as Json, json};

use super::super::trail::{HISTORY_MS, Trail};
use super::super::{Call, Caller, Parameters};
use super::*;
use crate::fault::{FaultPlan, Faults};
use crate::options::TrailOptions;
use crate::page::Tokens;
use crate::service::Service;
use crate::wire::read_json;
use liftdeck_simulated_world::{Scenario, World, WorldOptions};

const START_MS: i64 = 1_795_205_607_000;

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let scenario = Scenario::BadBuild;
        World::new(&WorldOptions { scenario, start_ms: START_MS, ..WorldOptions::default() })
    })
}

/// A Region without queues, in whose history is only what a test notes.
const BARE: &str = "eu-west-2";

/// A trail in which every event arrives at once, at a time.
struct Bench {
    region: &'static str,
    trail: Trail,
    faults: Faults,
    tokens: Tokens,
    now_ms: i64,
}

impl Bench {
    fn new() -> Bench {
        let options = TrailOptions { delay_s: Some(0), missing: Some(0.0), event_bridge: false };
        let trail = Trail::new(1, "111122223333", options);
        let faults = Faults::new(1, FaultPlan::default());
        Bench { region: BARE, trail, faults, tokens: Tokens::new(1), now_ms: START_MS }
    }

    fn of_world() -> Bench {
        Bench { region: "eu-west-1", ..Bench::new() }
    }

    fn note(&self, name: &str, at_ms: i64, error: Option<&str>) {
        let call = Call {
            at_ms,
            service: "gamelift",
            name: name.to_owned(),
            read_only: name.starts_with("List"),
            caller: Caller::ada(Some("agent/1")),
            parameters: Parameters::sent(false, br#"{"Limit":3}"#),
            response: Json::Null,
            error: error.map(|code| (code.to_owned(), "no".to_owned())),
            request_id: format!("request of {name}"),
        };
        self.trail.note(self.region, call, &self.faults);
    }

    fn ask(&self, input: &Json) -> Result<Json, ServiceError> {
        let call = operation::Call {
            service: Service::CloudTrail,
            operation: "LookupEvents",
            region: self.region,
            body: &read_json(input.to_string().as_bytes()).unwrap(),
            world: world(),
            tokens: &self.tokens,
            endpoint: "http://127.0.0.1:1",
            next_token: None,
        };
        let history = History { trail: &self.trail, faults: &self.faults, now_ms: self.now_ms };
        let mut writer = Writer::json();
        events(&call, &history, &mut writer)?;
        Ok(serde_json::from_slice(&writer.finish()).unwrap())
    }

    fn names(&self, input: &Json) -> Vec<String> {
        let answer = self.ask(input).unwrap();
        let events = answer["Events"].as_array().unwrap();
        events.iter().map(|event| event["EventName"].as_str().unwrap().to_owned()).collect()
    }

    fn by(&self, key: &str, value: &str) -> Vec<String> {
        self.names(&json!({ "LookupAttributes": [{ "AttributeKey": key, "AttributeValue": value }] }))
    }

    fn refusal(&self, input: &Json) -> String {
        self.ask(input).unwrap_err().code.into_owned()
    }
}

#[test]
fn an_event_names_its_caller_and_holds_the_whole_record() {
    let bench = Bench::of_world();
    let attribute = json!({ "AttributeKey": "EventName", "AttributeValue": "UpdateAlias" });
    let answer = bench.ask(&json!({ "LookupAttributes": [attribute] })).unwrap();
    let event = &answer["Events"][0];
    assert_eq!(event["EventName"], "UpdateAlias");
    assert_eq!((&event["ReadOnly"], &event["Username"]), (&"false".into(), &"alice".into()));
    assert_eq!(event["EventSource"], "gamelift.amazonaws.com");
    assert_eq!(event["EventTime"], (START_MS - 8 * 60_000) / 1_000);
    assert_eq!(event["Resources"], json!([]));
    assert_eq!(answer.get("NextToken"), None);
    let record: Json = serde_json::from_str(event["CloudTrailEvent"].as_str().unwrap()).unwrap();
    assert_eq!(record["eventID"], event["EventId"]);
    assert_eq!(record["userIdentity"]["accessKeyId"], event["AccessKeyId"]);
    assert_eq!(record["sessionCredentialFromConsole"], "true");
    assert_eq!(record["requestParameters"]["routingStrategy"]["type"], "SIMPLE");
    let alias = &record["responseElements"]["alias"];
    assert_eq!(alias["lastUpdatedTime"], "Nov 20, 2026 8:05:27 PM");
    assert_eq!((&record["eventTime"], &record["readOnly"]), (&"2026-11-20T20:05:27Z".into(), &false.into()));
}

#[test]
fn a_refused_call_is_recorded_with_its_error() {
    let bench = Bench::new();
    bench.note("UpdateScript", START_MS, Some("AccessDenied"));
    let answer = bench.ask(&json!({})).unwrap();
    let record: Json =
        serde_json::from_str(answer["Events"][0]["CloudTrailEvent"].as_str().unwrap()).unwrap();
    assert_eq!((&record["errorCode"], &record["errorMessage"]), (&"AccessDenied".into(), &"no".into()));
    assert_eq!((&record["responseElements"], &record["userAgent"]), (&Json::Null, &"agent/1".into()));
    assert_eq!(record["requestID"], "request of UpdateScript");
    assert_eq!(record.get("sessionCredentialFromConsole"), None);
}

#[test]
fn each_attribute_finds_its_own_events() {
    let bench = Bench { now_ms: START_MS + 1, ..Bench::new() };
    bench.note("ListAliases", START_MS, None);
    bench.note("UpdateScript", START_MS + 1, None);
    let all = bench.ask(&json!({})).unwrap();
    let id = all["Events"][0]["EventId"].as_str().unwrap();
    for (key, value, expected) in [
        ("EventName", "UpdateScript", &["UpdateScript"][..]),
        ("EventName", "updatescript", &[]),
        ("ReadOnly", "true", &["ListAliases"]),
        ("ReadOnly", "false", &["UpdateScript"]),
        ("Username", "ada", &["UpdateScript", "ListAliases"]),
        ("AccessKeyId", "AKIAONE", &["UpdateScript", "ListAliases"]),
        ("EventSource", "gamelift.amazonaws.com", &["UpdateScript", "ListAliases"]),
        ("EventSource", "sqs.amazonaws.com", &[]),
        ("ResourceName", "alias-1", &[]),
        ("ResourceType", "AWS::GameLift::Alias", &[]),
    ] {
        assert_eq!(bench.by(key, value), expected, "{key} {value}");
    }
    assert_eq!(bench.by("EventId", id), ["UpdateScript"]);
}

#[test]
fn the_times_of_a_lookup_are_both_included_and_the_history_ends_after_ninety_days() {
    let mut bench = Bench::new();
    bench.note("UpdateScript", START_MS, None);
    let start_s = START_MS / 1_000;
    assert_eq!(bench.names(&json!({ "StartTime": start_s, "EndTime": start_s })), ["UpdateScript"]);
    assert_eq!(bench.names(&json!({ "StartTime": start_s + 1 })).len(), 0);
    assert_eq!(bench.names(&json!({ "EndTime": start_s - 1 })).len(), 0);
    bench.now_ms = START_MS + HISTORY_MS;
    assert_eq!(bench.names(&json!({})), ["UpdateScript"]);
    bench.now_ms += 1;
    assert_eq!(bench.names(&json!({})).len(), 0);
}

#[test]
fn pages_together_are_the_whole_history_newest_first() {
    let bench = Bench { now_ms: START_MS + 1_000, ..Bench::new() };
    for at in 0..120 {
        bench.note(&format!("List{at}"), START_MS + at % 7, None);
    }
    let mut input = json!({ "EndTime": START_MS / 1_000 + 5 });
    let (mut sizes, mut seen, mut times) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let answer = bench.ask(&input).unwrap();
        let events = answer["Events"].as_array().unwrap();
        sizes.push(events.len());
        seen.extend(events.iter().map(|event| event["EventId"].as_str().unwrap().to_owned()));
        times.extend(events.iter().map(|event| event["EventTime"].as_i64().unwrap()));
        match answer.get("NextToken") {
            Some(token) => input["NextToken"] = token.clone(),
            None => break,
        }
    }
    assert_eq!(sizes, [50, 50, 20]);
    assert!(times.is_sorted_by(|one, next| one >= next));
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 120);
}

/// Events of a history without an attribute, page after page until so many are seen.
fn walk(bench: &Bench, input: &Json, count: usize) -> Vec<Json> {
    let (mut input, mut seen) = (input.clone(), Vec::new());
    while seen.len() < count {
        let answer = bench.ask(&input).unwrap();
        seen.extend(answer["Events"].as_array().unwrap().iter().cloned());
        match answer.get("NextToken") {
            Some(token) => input["NextToken"] = token.clone(),
            None => break,
        }
    }
    seen
}

#[test]
fn the_placements_of_the_games_own_backend_fill_the_history_around_a_deed() {
    let bench = Bench::of_world();
    let deed_s = START_MS / 1_000 - 8 * 60;
    let times = json!({ "StartTime": deed_s - 120, "EndTime": deed_s + 120, "MaxResults": 7 });
    let events = walk(&bench, &times, usize::MAX);
    let named = |name: &str| events.iter().filter(|event| event["EventName"] == name).count();
    assert_eq!(named("UpdateAlias"), 1);
    let started = world().backend_calls("eu-west-1").filter(|made| {
        let at_s = made.at_ms().div_euclid(1_000);
        (deed_s - 120..=deed_s + 120).contains(&at_s)
    });
    assert!(named("StartGameSessionPlacement") > 20);
    assert_eq!(named("StartGameSessionPlacement"), started.count());
    assert_eq!(events.len(), named("StartGameSessionPlacement") + 1);
    let all = events.iter().map(|event| event["EventTime"].as_i64().unwrap());
    assert!(all.collect::<Vec<_>>().is_sorted_by(|one, next| one >= next));
    let event = events.iter().find(|event| event["EventName"] == "StartGameSessionPlacement").unwrap();
    for (key, value) in [("EventId", &event["EventId"]), ("AccessKeyId", &event["AccessKeyId"])] {
        assert!(bench.by(key, value.as_str().unwrap()).contains(&"StartGameSessionPlacement".to_owned()));
    }
    assert_eq!(bench.by("Username", "game-backend"), [""; 0], "the session's name finds it, not the role's");
    assert_eq!(bench.by("Username", event["Username"].as_str().unwrap()).len(), 50);
    let record: Json = serde_json::from_str(event["CloudTrailEvent"].as_str().unwrap()).unwrap();
    let (asked, told) = (&record["requestParameters"], &record["responseElements"]["gameSessionPlacement"]);
    assert_eq!((&told["placementId"], &told["status"]), (&asked["placementId"], &"PENDING".into()));
    assert_eq!(record["userIdentity"]["sessionContext"]["sessionIssuer"]["userName"], "game-backend");
}

#[test]
fn a_token_belongs_to_its_parameters_and_expires() {
    let mut bench = Bench::new();
    for name in ["ListAliases", "ListFleets", "ListBuilds"] {
        bench.note(name, START_MS, None);
    }
    let first = bench.ask(&json!({ "MaxResults": 1, "EndTime": START_MS / 1_000 })).unwrap();
    let token = &first["NextToken"];
    let again = json!({ "MaxResults": 1, "EndTime": START_MS / 1_000, "NextToken": token });
    let moved = json!({ "MaxResults": 1, "EndTime": START_MS / 1_000 + 1, "NextToken": token });
    assert_eq!(bench.refusal(&moved), "InvalidNextTokenException");
    assert_eq!(bench.refusal(&json!({ "NextToken": "?" })), "InvalidNextTokenException");
    assert_eq!(bench.names(&again).len(), 1);
    bench.now_ms += TOKEN_MS + 1;
    assert_eq!(bench.refusal(&again), "InvalidNextTokenException");
}

#[test]
fn each_broken_rule_has_an_error_of_its_own() {
    let bench = Bench::new();
    let attribute = |key: &str, value: &str| json!({ "AttributeKey": key, "AttributeValue": value });
    let name = attribute("EventName", "UpdateAlias");
    for (input, code) in [
        (json!({ "MaxResults": 0 }), "InvalidMaxResultsException"),
        (json!({ "MaxResults": 51 }), "InvalidMaxResultsException"),
        (json!({ "LookupAttributes": [name, name] }), "InvalidLookupAttributesException"),
        (json!({ "LookupAttributes": [attribute("Name", "x")] }), "InvalidLookupAttributesException"),
        (json!({ "LookupAttributes": [attribute("EventName", "")] }), "InvalidLookupAttributesException"),
        (
            json!({ "LookupAttributes": [{ "AttributeKey": "EventName" }] }),
            "InvalidLookupAttributesException",
        ),
        (json!({ "StartTime": 2, "EndTime": 1 }), "InvalidTimeRangeException"),
        (json!({ "EventCategory": "management" }), "InvalidEventCategoryException"),
        (json!({ "MaxResults": "1" }), "SerializationException"),
    ] {
        assert_eq!(bench.refusal(&input), code, "{input}");
    }
    assert_eq!(bench.names(&json!({ "EventCategory": "insight" })).len(), 0, "there are no Insights events");
}
