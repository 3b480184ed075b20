//! The same query gets the same answer through window, browser, socket and terminal.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use liftdeck_tests::browser::{Browser, serve};
use liftdeck_tests::program::{Simulation, eventually, run};
use liftdeck_tests::window::PATIENCE;
use serde_json::{Value, json};

use crate::open;

/// Reading commands that are not compared, and why.
const NOT_COMPARED: &[(&str, &str)] = &[
    ("app_state", "tells of the program that answers"),
    ("health_get", "tells of the program that answers"),
    ("connection_check", "asks AWS"),
    ("focus_set", "tells the program that answers something"),
    ("retry_now", "tells the program that answers something"),
    ("session_search", "asks AWS"),
    ("feed_look", "asks AWS"),
    ("placement_get", "asks AWS"),
    ("ticket_get", "asks AWS"),
    ("repoint_compare", "asks AWS"),
    ("action_preview", "asks AWS, and is kept by the program that answers"),
    ("script_zip_check", "a browser may name only what it brought"),
    ("usual_read", "bytes, which the driver of a window does not bring out"),
    ("player_look_up", "asks AWS"),
    ("player_session_look_up", "asks AWS"),
    ("metric_read", "bytes, which the driver of a window does not bring out"),
    ("series_read", "bytes, which the driver of a window does not bring out"),
    ("alert_list", "that AWS is gone is judged on and on"),
    ("alert_get", "that AWS is gone is judged on and on"),
    ("incident_get", "tells the moment it was read"),
    ("incident_players", "tells where players are at the moment it is asked"),
    ("incident_evidence", "an alert's course goes on while AWS is gone"),
    ("rule_try", "tells of the days before the moment it is asked"),
    ("custom_rule_try", "tells of the days before the moment it is asked"),
    ("repoint_watch", "there was no repoint"),
    ("activity_get", "there was no attempt"),
    ("run_get", "there was no run"),
];

/// Fields that contain the time of the answer or depend on the hours before it, and what is judged again and again.
const OF_THE_MOMENT: &[&str] = &[
    "asOf",
    "stale",
    "now",
    "usual",
    "standing",
    "usualFailedShare",
    "spark",
    "sparkLow",
    "sparkHigh",
    "alerts",
    "seen",
    "knowledge",
];

/// Key figures of the last 15 min. What was counted for one answer is too old for the next.
const OF_THE_LAST_MINUTES: &[&str] = &["crashes", "placementsPerMinute", "matchmakingWaitP95"];

fn without_the_moment(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| !OF_THE_MOMENT.contains(&name.as_str()));
            let key = fields.get("key").and_then(Value::as_str);
            if key.is_some_and(|key| OF_THE_LAST_MINUTES.contains(&key)) {
                fields.retain(|name, _| name != "value" && name != "failedShare");
            }
            fields.values_mut().for_each(|field| *field = without_the_moment(field.take()));
        }
        Value::Array(all) => all.iter_mut().for_each(|one| *one = without_the_moment(one.take())),
        _ => {}
    }
    value
}

/// Returns where two answers first differ, and how.
fn difference(at: &str, one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            one.iter().find_map(|(name, value)| difference(&format!("{at}.{name}"), value, &other[name]))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let both = one.iter().zip(other).enumerate();
            both.into_iter()
                .find_map(|(index, (one, other))| difference(&format!("{at}[{index}]"), one, other))
        }
        // JavaScript has only one number type.
        (Value::Number(one), Value::Number(other)) if one.as_f64() == other.as_f64() => None,
        _ => (one != other).then(|| format!("{at}: {one} and {other}")),
    }
}

/// Returns the commands that read, from the documented list; another test checks that list against the program.
fn that_read() -> BTreeSet<String> {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri/COMMANDS.md");
    let list = std::fs::read_to_string(list).expect("the list of commands");
    let rows = list.lines().filter(|line| line.contains("| read |"));
    rows.filter_map(|line| Some(line.split('`').nth(1)?.to_owned())).collect()
}

/// Returns a query for each compared command, about existing resources.
fn questions(ask: impl Fn(&str, Value) -> Value) -> BTreeMap<String, Value> {
    let page = json!({ "offset": 0, "limit": 50 });
    // All of the past, so that the time of the query makes no difference.
    let range = json!({ "from": 0, "to": 4_000_000_000_000_i64 });
    let everything = json!({ "queue": null, "region": null, "destination": null });
    let sessions = json!({ "query": { "text": "", "fleetId": null, "location": null, "range": null, "search": null,
        "sort": null, "page": page } });
    let different = json!({ "text": "ended:abnormal", "fleetId": null, "location": null, "range": range });
    let placements = json!({ "query": { "scope": everything, "eventTypes": [], "text": "", "range": range, "page": page } });
    let tickets = json!({ "query": { "text": "", "configuration": null, "state": null, "range": range, "page": page } });
    let activity = json!({ "query": { "text": "", "outcomes": [], "operations": [], "resourceKind": null,
        "resourceId": null, "fleetId": null, "runId": null, "range": null, "page": page } });
    let fleets = ask("fleet_list", json!({ "range": range }));
    let fleet = fleets["rows"][0]["fleetId"].clone();
    let session = ask("session_list", sessions.clone())["rows"][0]["gameSessionId"].clone();
    let queue = ask("queue_list", json!({}))[0].clone();
    let limit = json!({ "region": "eu-west-1", "request": { "operation": "UpdateFleetCapacity", "fleetId": fleet,
        "location": null, "desiredInstances": 1, "minSize": null, "maxSize": null } });
    [
        ("profile_list", json!({})),
        ("connection_export", json!({ "id": "live" })),
        ("overview_get", json!({ "range": range })),
        ("goto", json!({ "text": "arena" })),
        ("fleet_list", json!({ "range": range })),
        ("fleet_get", json!({ "fleetId": fleet })),
        ("fleet_instances", json!({ "fleetId": fleet })),
        ("fleet_events", json!({ "fleetId": fleet, "range": null, "page": page })),
        ("metric_list", json!({ "of": { "kind": "fleet", "fleetId": fleet, "location": null } })),
        ("fleet_scaling", json!({ "fleetId": fleet, "range": range })),
        ("session_list", sessions),
        ("session_get", json!({ "gameSessionId": session })),
        ("player_data_list", json!({ "gameSessionId": session })),
        ("session_difference", json!({ "query": different })),
        ("search_check", json!({ "filter": "hasAvailablePlayerSessions=", "sort": "" })),
        ("query_check", json!({ "text": "status:active pl", "caret": 16 })),
        ("player_search", json!({ "text": "player-", "page": page })),
        ("player_get", json!({ "playerId": "player-1" })),
        ("placement_list", placements),
        ("placement_split", json!({ "scope": everything, "split": "queue", "range": range })),
        ("placement_difference", json!({ "scope": everything, "range": range, "span": null })),
        ("queue_list", json!({})),
        ("queue_get", json!({ "name": queue["name"], "region": queue["region"] })),
        ("matchmaking_get", json!({ "range": range })),
        ("matchmaking_events", json!({ "configuration": null, "range": range, "page": page })),
        ("ticket_list", tickets),
        (
            "ticket_difference",
            json!({ "scope": { "configuration": null, "region": null }, "range": range, "span": null }),
        ),
        ("alias_list", json!({})),
        ("content_list", json!({})),
        ("feed_list", json!({})),
        ("feed_aside", json!({ "below": null })),
        ("action_check", json!({ "action": limit })),
        ("activity_list", activity),
        ("run_list", json!({ "openOnly": false })),
        ("preset_list", json!({})),
        ("channel_list", json!({})),
        ("silence_list", json!({})),
        ("rule_list", json!({})),
    ]
    .into_iter()
    .map(|(command, arguments)| (command.to_owned(), arguments))
    .collect()
}

#[test]
fn the_same_question_gets_the_same_answer_through_window_browser_socket_and_terminal() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let mut simulation = Simulation::start(home, &["--scenario", "quiet", "--seed", "3", "--speed", "0"]);
    let region = simulation.regions().remove(0);
    simulation.declare_production(home, &region, "Live");
    let terminal = |command: &str, arguments: &Value| {
        let ended = run(home, ["ask", command, &arguments.to_string(), "--connection", "Live"]);
        assert_eq!(ended.code, 0, "{command}: {}", ended.stderr);
        serde_json::from_str::<Value>(&ended.stdout).expect(&ended.stdout)
    };
    let compare = |host: &str, answers: &BTreeMap<String, Value>, command: &str, answer: Value| {
        let other = difference("", &answers[command], &without_the_moment(answer));
        assert!(other.is_none(), "{command} through the {host}: {other:?}");
    };

    let (mut program, link) = serve(home, &["--connection", "Live"]);
    let browser = Browser::enter(&link).unwrap();
    let ask = |command: &str, arguments: Value| browser.ask(command, &arguments).unwrap_or_default();
    eventually(PATIENCE, "a Region is collected", || {
        let there = |command: &str, arguments: Value| {
            !ask(command, arguments)["rows"].as_array().is_none_or(Vec::is_empty)
        };
        let range = json!({ "from": 0, "to": 4_000_000_000_000_i64 });
        let sessions = json!({ "query": { "text": "", "fleetId": null, "location": null, "range": null, "search": null,
            "sort": null, "page": { "offset": 0, "limit": 1 } } });
        let is_live = ask("health_get", json!({}))["state"] == "live";
        (is_live && there("fleet_list", json!({ "range": range })) && there("session_list", sessions))
            .then_some(())
    });
    // From here on nothing changes: AWS is gone.
    simulation.kill();
    eventually(PATIENCE, "AWS is gone", || (ask("health_get", json!({}))["state"] != "live").then_some(()));

    let questions = questions(ask);
    let asked: BTreeSet<String> = questions.keys().cloned().collect();
    let left_out: BTreeSet<String> = NOT_COMPARED.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(
        &asked | &left_out,
        that_read(),
        "every command that reads is compared, or it is said why not"
    );
    // Responses that were in flight when AWS went may still be written, so this repeats until two rounds are alike.
    let answer = |(command, arguments): (&String, &Value)| {
        let answer = browser.ask(command, arguments);
        (command.clone(), without_the_moment(answer.unwrap_or_else(|refused| panic!("{command}: {refused}"))))
    };
    let mut before = BTreeMap::new();
    let answers = eventually(PATIENCE, "nothing moves any more", || {
        let answers: BTreeMap<String, Value> = questions.iter().map(answer).collect();
        let is_still = before == answers;
        before = answers.clone();
        is_still.then_some(answers)
    });

    for (command, arguments) in &questions {
        compare("socket", &answers, command, terminal(command, arguments));
    }
    program.signal("-TERM");
    assert_eq!(program.wait(PATIENCE), 0);
    for (command, arguments) in &questions {
        compare("terminal", &answers, command, terminal(command, arguments));
    }
    let window = open(home, &[], "C.UTF-8");
    for (command, arguments) in &questions {
        let answer =
            window.invoke(command, arguments).unwrap_or_else(|refused| panic!("{command}: {refused}"));
        compare("window", &answers, command, answer);
    }
}
