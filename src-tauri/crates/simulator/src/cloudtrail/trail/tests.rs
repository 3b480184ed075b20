//! When records arrive, what is kept, and what goes to EventBridge.

use std::sync::OnceLock;

use serde_json::{Value, json};

use super::super::caller::Caller;
use super::super::record::Parameters;
use super::*;
use crate::event_bridge::Event;
use crate::fault::FaultPlan;
use liftdeck_simulated_world::{Scenario, WorldOptions};

const START_MS: i64 = 1_795_205_607_000;
const REGION: &str = "eu-west-1";

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let scenario = Scenario::BadBuild;
        World::new(&WorldOptions { scenario, start_ms: START_MS, ..WorldOptions::default() })
    })
}

fn call(name: &str, read_only: bool, at_ms: i64) -> Call {
    Call {
        at_ms,
        service: "gamelift",
        name: name.to_owned(),
        read_only,
        caller: Caller::ada(None),
        parameters: Parameters::read(false, br#"{"AliasId":"alias-1"}"#),
        response: Value::Null,
        error: None,
        request_id: "r-1".to_owned(),
    }
}

fn trail(options: TrailOptions) -> Trail {
    Trail::new(1, "111122223333", options)
}

fn no_faults() -> Faults {
    Faults::new(1, FaultPlan::default())
}

fn delays_min(trail: &Trail, count: usize) -> Vec<f64> {
    let faults = no_faults();
    let records = (0..count).map(|at| Record::new(call("UpdateAlias", false, 0), &at.to_string()));
    let arrived = records.filter_map(|record| trail.arrives_ms(&record, REGION, &faults));
    arrived.map(|at_ms| at_ms as f64 / MINUTE_MS).collect()
}

#[test]
fn most_events_arrive_after_about_five_minutes_some_much_later_and_few_never() {
    let delays = delays_min(&trail(TrailOptions::default()), 20_000);
    let lost = 20_000 - delays.len();
    assert!((15..80).contains(&lost), "{lost} lost");
    let late: Vec<f64> = delays.iter().copied().filter(|delay| *delay > USUAL_MIN.1).collect();
    assert!((400..800).contains(&late.len()), "{} late", late.len());
    assert!(late.iter().all(|delay| (LATE_MIN.0..=LATE_MIN.1).contains(delay)));
    let usual: Vec<f64> = delays.into_iter().filter(|delay| *delay <= USUAL_MIN.1).collect();
    assert!(usual.iter().all(|delay| *delay >= USUAL_MIN.0));
    let mean = usual.iter().sum::<f64>() / usual.len() as f64;
    assert!((mean - 5.0).abs() < 0.2, "{mean}");
}

#[test]
fn an_option_sets_the_delay_and_the_share_that_is_lost() {
    let options = TrailOptions { delay_s: Some(60), missing: Some(0.25), event_bridge: false };
    let delays = delays_min(&trail(options), 2_000);
    assert!((1_400..1_600).contains(&delays.len()), "{}", delays.len());
    assert!(delays.iter().all(|delay| (*delay - 1.0).abs() < f64::EPSILON));
}

#[test]
fn a_rule_of_the_plan_loses_one_kind_of_event_as_long_as_it_is_in_force() {
    let trail = trail(TrailOptions { delay_s: Some(0), missing: Some(0.0), event_bridge: false });
    let plan = FaultPlan::from_toml("[[fault]]\noperation = 'gamelift:UpdateAlias'\nkind = 'trail-missing'");
    let faults = Faults::new(1, plan.unwrap());
    trail.note(REGION, call("UpdateAlias", false, START_MS), &faults);
    trail.note(REGION, call("UpdateScript", false, START_MS), &faults);
    let names = |faults: &Faults| {
        let arrived = trail.arrived(world(), REGION, faults, START_MS);
        arrived.iter().map(|record| record.call.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&faults), ["UpdateScript"]);
    // The one of the world and the one that was noted.
    assert_eq!(names(&no_faults()), ["UpdateAlias", "UpdateAlias", "UpdateScript"]);
}

#[test]
fn a_region_keeps_its_last_reads_and_all_its_changes_of_ninety_days() {
    let trail = trail(TrailOptions { delay_s: Some(0), missing: Some(0.0), event_bridge: false });
    let faults = no_faults();
    let old_ms = START_MS - HISTORY_MS - 1;
    trail.note("us-east-1", call("DeleteAlias", false, old_ms), &faults);
    trail.note("us-east-1", call("UpdateAlias", false, START_MS), &faults);
    for at in 0..MOST_READS + 5 {
        trail.note("us-east-1", call(&format!("List{at}"), true, START_MS), &faults);
    }
    let arrived = trail.arrived(world(), "us-east-1", &faults, START_MS);
    let (reads, changes): (Vec<_>, Vec<_>) = arrived.iter().partition(|record| record.call.read_only);
    assert_eq!((reads.len(), reads[0].call.name.as_str()), (MOST_READS, "List5"));
    assert_eq!((changes.len(), changes[0].call.name.as_str()), (1, "UpdateAlias"));
}

fn bridged(trail: &Trail, now_ms: i64) -> Vec<(i64, Value)> {
    let due = trail.due(now_ms).into_iter();
    let message = |(at_ms, region, record): (i64, String, Arc<Record>)| {
        let sent = trail.event(at_ms, &region, &record).unwrap();
        (sent.at_ms(), serde_json::from_str(&sent.body().text()).unwrap())
    };
    due.map(message).collect()
}

#[test]
fn only_changes_go_to_eventbridge_and_only_where_there_is_a_trail() {
    let (faults, options) = (no_faults(), TrailOptions { event_bridge: true, ..TrailOptions::default() });
    for (options, count) in [(TrailOptions::default(), 0), (options, 2)] {
        let trail = trail(options);
        trail.follow(world(), &faults);
        trail.follow(world(), &faults);
        trail.note(REGION, call("UpdateAlias", false, START_MS), &faults);
        trail.note(REGION, call("ListAliases", true, START_MS), &faults);
        trail.note(REGION, Call { service: "sts", ..call("GetCallerIdentity", true, START_MS) }, &faults);
        assert_eq!(bridged(&trail, START_MS - 9 * 60_000).len(), 0);
        let sent = bridged(&trail, START_MS + 300_000);
        assert_eq!(sent.len(), count);
        assert!(sent.iter().all(|(at_ms, event)| {
            let after_ms = at_ms - event_ms(event);
            (4_000..=241_000).contains(&after_ms)
        }));
        assert_eq!(bridged(&trail, i64::MAX - 1), []);
    }
}

fn event_ms(event: &Value) -> i64 {
    event["time"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_millisecond()
}

#[test]
fn the_message_is_the_record_in_the_envelope_of_eventbridge() {
    let trail = trail(TrailOptions { delay_s: Some(3), missing: Some(0.0), event_bridge: true });
    let faults = no_faults();
    trail.note(REGION, call("UpdateAlias", false, START_MS), &faults);
    let sent = bridged(&trail, START_MS + 3_000);
    let (at_ms, event) = &sent[0];
    assert_eq!(*at_ms, START_MS + 3_000);
    let record = &trail.arrived(world(), REGION, &faults, START_MS + 3_000);
    let record = record.iter().find(|record| record.call.request_id == "r-1").unwrap();
    let mut expected = json!({
        "version": "0", "detail-type": "AWS API Call via CloudTrail", "source": "aws.gamelift",
        "account": "111122223333", "time": "2026-11-20T20:13:27Z", "region": REGION, "resources": [],
        "detail": record.event(REGION, "111122223333"),
    });
    expected["id"] = event["id"].clone();
    assert_eq!(*event, expected);
    assert_eq!(event["detail"]["requestParameters"], json!({ "aliasId": "alias-1" }));
}
