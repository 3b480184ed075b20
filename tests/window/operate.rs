//! Changes in the real window: locked first, then unlocked, previewed, confirmed, followed and undone, with boto3 as
//! an independent witness.

use std::process::Command;
use std::time::Duration;

use liftdeck_tests::program::{Simulation, eventually};
use liftdeck_tests::window::{PATIENCE, Window};
use serde_json::{Value, json};

use crate::{connected, open, wait_for_rows};

/// How long the world may take to show an effect.
const EFFECT: Duration = Duration::from_secs(300);

/// Returns the simulator's count of calls that change something.
fn changes(simulation: &Simulation) -> u64 {
    const READS: [&str; 7] = ["Describe", "List", "Lookup", "Search", "Get", "Receive", "Resolve"];
    let calls = simulation.get("/_simulator/calls");
    let mut count = 0;
    for actions in calls.as_object().expect("calls by Region").values() {
        for (action, counted) in actions.as_object().expect("calls by operation") {
            let name = action.rsplit(['.', ':']).next().unwrap_or(action);
            if !READS.iter().any(|read| name.starts_with(read)) && !name.starts_with("DeleteMessage") {
                count += counted["calls"].as_u64().unwrap_or(0);
            }
        }
    }
    count
}

/// Returns what boto3, an independent AWS client, reads for each of these requests.
fn boto3_each(simulation: &Simulation, region: &Value, operation: &str, asked: &[Value]) -> Vec<Value> {
    let python = std::env::var_os("LIFTDECK_PYTHON").expect("LIFTDECK_PYTHON names a Python that has boto3");
    let mut client = Command::new(python);
    client.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/clients/ask.py")).arg(simulation.endpoint());
    client.arg(region.as_str().expect("a Region")).arg(operation).args(asked.iter().map(Value::to_string));
    let ended = client.output().expect("Python starts");
    assert!(ended.status.success(), "{operation}: {}", String::from_utf8_lossy(&ended.stderr));
    let answers = serde_json::Deserializer::from_slice(&ended.stdout).into_iter();
    let answers: Vec<Value> = answers.map(|answer| answer.expect("an answer in JSON")).collect();
    assert_eq!(answers.len(), asked.len(), "an answer to each");
    answers
}

/// Does the same for one request.
fn boto3(simulation: &Simulation, region: &Value, operation: &str, asked: &Value) -> Value {
    boto3_each(simulation, region, operation, std::slice::from_ref(asked)).remove(0)
}

/// Counts the server processes of a fleet in its home location that have no game session.
fn free(simulation: &Simulation, region: &Value, fleet: &Value) -> i64 {
    let truth = simulation.get(&format!("/_simulator/truth?region={}", region.as_str().expect("a Region")));
    let of_fleet = truth["FleetUtilization"].as_array().expect("what is used").iter();
    let number = |load: &Value, key: &str| load[key].as_i64().unwrap_or(0);
    of_fleet
        .filter(|load| load["FleetId"] == *fleet && load["Location"] == *region)
        .map(|load| number(load, "ActiveServerProcessCount") - number(load, "ActiveGameSessionCount"))
        .sum()
}

/// Returns the status of each game session; `None` once GameLift no longer lists it.
fn statuses(simulation: &Simulation, region: &Value, sessions: &[&Value]) -> Vec<Option<String>> {
    let asked: Vec<Value> = sessions.iter().map(|session| json!({"GameSessionId": session})).collect();
    let found = boto3_each(simulation, region, "describe_game_sessions", &asked);
    found.iter().map(|found| found["GameSessions"][0]["Status"].as_str().map(str::to_owned)).collect()
}

/// Does the same for one game session.
fn status(simulation: &Simulation, region: &Value, session: &Value) -> Option<String> {
    statuses(simulation, region, &[session]).remove(0)
}

fn aliases(window: &Window) -> Vec<Value> {
    eventually(PATIENCE, "aliases are collected", || {
        let rows = window.invoke("alias_list", &json!({})).ok()?.as_array().cloned()?;
        (!rows.is_empty()).then_some(rows)
    })
}

/// Returns the first alias that leads to a fleet, and another ACTIVE fleet in its Region.
fn alias_and_another_fleet(window: &Window) -> (Value, Value) {
    let aliases = aliases(window);
    eventually(PATIENCE, "two fleets in one Region", || {
        let fleets = window.invoke("fleet_list", &json!({"range": crate::now()})).ok()?;
        let fleets = fleets["rows"].as_array().cloned()?;
        aliases.iter().filter(|alias| alias["routing"] == "SIMPLE").find_map(|alias| {
            let other = fleets.iter().find(|fleet| {
                fleet["region"] == alias["region"]
                    && fleet["fleetId"] != alias["fleetId"]
                    && fleet["status"] == "ACTIVE"
            })?;
            Some((alias.clone(), other.clone()))
        })
    })
}

fn routing(simulation: &Simulation, alias: &Value) -> Value {
    let found = boto3(simulation, &alias["region"], "describe_alias", &json!({"AliasId": alias["aliasId"]}));
    found["Alias"]["RoutingStrategy"].clone()
}

/// Previews and confirms a change and returns the receipt.
fn change(window: &Window, intent: &Value) -> Value {
    let preview = window.invoke("action_preview", &json!({"intent": intent})).expect("a preview");
    let confirmed = window
        .invoke("action_confirm", &json!({"previewId": preview["id"], "typed": preview["mustType"]}))
        .expect("it is sent");
    assert_eq!(confirmed["kind"], "sent", "{confirmed}");
    confirmed["receipt"].clone()
}

fn one(region: &Value, request: Value) -> Value {
    json!({"kind": "actions", "of": [{"region": region, "request": request}]})
}

/// Returns the only attempt of a receipt, once its effect is no longer awaited.
fn followed(window: &Window, receipt: &Value) -> Value {
    let id = receipt["activityIds"][0].clone();
    eventually(EFFECT, "the effect is seen or missed", || {
        let row = window.invoke("activity_get", &json!({"id": id})).ok()?;
        let settled = row["outcome"] != "sending" && row["effect"]["state"] != "awaited";
        settled.then_some(row)
    })
}

fn unlock(window: &Window, typed: &Value) {
    // The guard is ready as soon as the connection is open, a moment after the frame.
    let state = eventually(PATIENCE, "it unlocks", || {
        window.invoke("guard_unlock", &json!({"minutes": 60, "typed": typed})).ok()
    });
    assert_eq!(state["mode"]["kind"], "operator", "{state}");
}

#[test]
fn a_read_only_window_sends_no_change_whatever_it_is_asked() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "3"]);
    let window = connected(home.path(), &simulation, "production");
    let (alias, fleet) = alias_and_another_fleet(&window);
    let request = json!({"operation": "UpdateAlias", "aliasId": alias["aliasId"], "name": null, "description": null,
        "routing": {"simple": {"fleet_id": fleet["fleetId"]}}});
    let preview =
        window.invoke("action_preview", &json!({"intent": one(&alias["region"], request)})).unwrap();
    assert_eq!(preview["mustType"], alias["name"], "production asks for the alias to be typed: {preview}");

    for (id, typed) in [(preview["id"].clone(), preview["mustType"].clone()), (json!("forged"), Value::Null)]
    {
        let refused = window.invoke("action_confirm", &json!({"previewId": id, "typed": typed})).unwrap_err();
        assert!(refused.contains("readOnly") || refused.contains("expired"), "{refused}");
    }
    let refused = window.invoke("guard_unlock", &json!({"minutes": 60, "typed": "another"})).unwrap_err();
    assert!(refused.contains("notTyped"), "production unlocks by its own name alone: {refused}");
    for command in ["run_pause", "activity_settle"] {
        window.invoke(command, &json!({"id": "forged"})).expect_err("there is no such thing");
    }
    let resume = json!({"intent": {"kind": "resume", "of": "forged"}});
    window.invoke("action_preview", &resume).expect_err("there is no such run");
    assert_eq!(changes(&simulation), 0, "nothing that changes anything reached AWS");
}

#[test]
fn an_alias_is_repointed_watched_and_led_back_by_hand() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "3"]);
    let window = connected(home.path(), &simulation, "development");
    let (alias, fleet) = alias_and_another_fleet(&window);
    let former = routing(&simulation, &alias);

    window.click_button("header", "Read-only");
    window.click_button("[role=dialog]", "Unlock");
    window
        .wait_until("the mode is told", "return /Operator/.test(document.querySelector('header').innerText)");

    window.go(&format!("#/aliases/{}", alias["aliasId"].as_str().unwrap()));
    window.click_button("main", "Repoint…");
    window.fill("[role=dialog] [role=combobox]", fleet["fleetId"].as_str().unwrap());
    window.wait_until(
        "the fleet alone is offered",
        "return document.querySelectorAll('[role=dialog] [role=option]').length === 1",
    );
    // The list may be redrawn under the pointer and lose the click, so it is repeated as a person would. Once a fleet
    // is chosen no more clicks follow, because another would restart its comparison.
    eventually(PATIENCE, "a fleet is chosen", || {
        window.session.click("[role=dialog] [role=option]");
        let chosen = "return !document.querySelector('[role=dialog]').innerText.includes('Choose a fleet')";
        (window.session.run(chosen, &[]) == true).then_some(())
    });
    window.wait_for("[role=dialog] table", "both fleets side by side");
    window.click_button("[role=dialog]", "Review the repoint…");
    window.click_button("[role=dialog]", "Repoint alias");
    window.wait_until(
        "the watch",
        "return /Since the repoint/i.test(document.querySelector('main').innerText)",
    );
    let now = routing(&simulation, &alias);
    assert_eq!(now["FleetId"], fleet["fleetId"], "the world leads to the other fleet");

    window.click_button("main", "Undo");
    window.click_button("[role=dialog] footer, [role=dialog]", "Undo");
    eventually(PATIENCE, "the former routing is back", || {
        (routing(&simulation, &alias) == former).then_some(())
    });
    let page = window.invoke(
        "activity_list",
        &json!({"query": {"text": "", "outcomes": [], "operations": ["UpdateAlias"], "resourceKind": null,
            "resourceId": null, "fleetId": null, "runId": null, "range": null, "page": {"offset": 0, "limit": 10}}}),
    );
    let page = page.unwrap();
    assert_eq!(page["total"], 2, "both attempts are on record: {page}");
    assert_eq!(page["rows"][0]["undoOf"], page["rows"][1]["id"]);
    assert!(page["rows"][1]["requestId"].is_string(), "{page}");
}

#[test]
fn sessions_are_made_in_three_ways_and_ended_in_both() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "5", "--speed", "0"]);
    let window = connected(home.path(), &simulation, "development");
    unlock(&window, &Value::Null);
    let aliases = aliases(&window);
    let alias = simulation.until("an alias to a fleet with free server processes", || {
        let roomy = |alias: &&Value| free(&simulation, &alias["region"], &alias["fleetId"]) > 4;
        aliases.iter().filter(|alias| alias["routing"] == "SIMPLE").find(roomy)
    });
    let queue = eventually(PATIENCE, "queues are collected", || {
        let rows = window.invoke("queue_list", &json!({})).ok()?;
        rows.as_array()?.iter().find(|queue| queue["region"] == alias["region"]).cloned()
    });
    let direct = |target: Value, token: &str| {
        json!({"operation": "CreateGameSession", "target": target, "location": null, "maximumPlayerSessionCount": 8,
            "name": token, "gameProperties": [], "gameSessionData": null, "idempotencyToken": token, "creatorId": null})
    };
    let placed = json!({"operation": "StartGameSessionPlacement", "placementId": "by-queue",
        "gameSessionQueueName": queue["name"], "maximumPlayerSessionCount": 8, "gameSessionName": "by-queue",
        "gameProperties": [], "gameSessionData": null, "players": [], "priorityOverride": null});
    // The world stands still until a change has reached it, so that no game session ends by itself.
    let shown = |intent: &Value, seconds: u64| {
        let before = changes(&simulation);
        let receipt = change(&window, intent);
        eventually(PATIENCE, "it is sent", || (changes(&simulation) > before).then_some(()));
        simulation.post("/_simulator/advance", &json!({"seconds": seconds}));
        followed(&window, &receipt)
    };
    let mut made = Vec::new();
    for request in [
        placed,
        direct(json!({"alias": alias["aliasId"]}), "by-alias"),
        direct(json!({"fleet": alias["fleetId"]}), "by-fleet"),
    ] {
        let row = shown(&one(&alias["region"], request), 30);
        assert_eq!((&row["outcome"], &row["effect"]["state"]), (&json!("done"), &json!("seen")), "{row}");
        made.push(row);
    }
    for (row, mode) in [(&made[1], "TRIGGER_ON_PROCESS_TERMINATE"), (&made[2], "FORCE_TERMINATE")] {
        let request = json!({"operation": "TerminateGameSession", "gameSessionId": row["made"], "terminationMode": mode});
        let region = &alias["region"];
        assert_eq!(status(&simulation, region, &row["made"]).as_deref(), Some("ACTIVE"), "{row}");
        let ended = shown(&one(region, request), 60);
        assert_eq!(ended["effect"]["state"], "seen", "{mode}: {ended}");
        assert_eq!(status(&simulation, region, &row["made"]).as_deref(), Some("TERMINATED"), "{mode}");
    }
}

#[test]
fn five_hundred_sessions_are_ended_in_one_go_and_those_that_would_not_are_told() {
    let home = tempfile::tempdir().unwrap();
    let simulation =
        Simulation::start(home.path(), &["--scenario", "launch-day", "--seed", "9", "--speed", "0"]);
    // The world stands still, so that none ends by itself before its turn. Twenty minutes into the launch there are
    // several hundred in each Region.
    simulation.post("/_simulator/advance", &json!({"seconds": 1200}));
    let window = connected(home.path(), &simulation, "development");
    unlock(&window, &Value::Null);
    let query = json!({"text": "status:active", "fleetId": null, "location": null, "range": null, "sort": null,
        "page": {"offset": 0, "limit": 500}});
    let sessions = eventually(EFFECT, "five hundred live sessions are collected", || {
        let page = window.invoke("session_list", &json!({"query": query})).ok()?;
        page["rows"].as_array().filter(|rows| rows.len() == 500).cloned()
    });
    let actions: Vec<Value> = sessions
        .iter()
        .map(|session| {
            json!({"region": session["region"], "request": {"operation": "TerminateGameSession",
                "gameSessionId": session["gameSessionId"], "terminationMode": "FORCE_TERMINATE"}})
        })
        .collect();
    let fault = json!({"operation": "gamelift:TerminateGameSession", "kind": "status", "status": 400,
        "probability": 0.03});
    simulation.post("/_simulator/faults", &json!({"fault": [fault]}));
    let before = changes(&simulation);
    let receipt = change(&window, &json!({"kind": "actions", "of": actions}));
    let run = eventually(Duration::from_secs(900), "the run is over", || {
        let run = window.invoke("run_get", &json!({"id": receipt["runId"]})).ok()?;
        (run["state"] == "finished").then_some(run)
    });
    let count = |key: &str| run[key].as_u64().expect(key);
    assert_eq!((count("total"), count("left"), count("unknown")), (500, 0, 0), "{run}");
    assert!((1..=60).contains(&count("failed")), "3 % were refused: {run}");
    assert_eq!(changes(&simulation) - before, 500, "each was sent once");
    simulation.post("/_simulator/faults", &json!({"fault": []}));

    let page = window
        .invoke("activity_list", &json!({"query": of_run(&receipt["runId"], &["done", "failed"])}))
        .unwrap();
    let rows = page["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 500, "a result for each");
    // boto3 checks up to 20 failures and 20 of the others.
    let failed = rows.iter().filter(|row| row["outcome"] == "failed");
    let done = rows.iter().filter(|row| row["outcome"] == "done").take(20);
    let looked: Vec<&Value> = failed.take(20).chain(done).collect();
    for region in simulation.regions().into_iter().map(Value::from) {
        let here: Vec<&Value> = looked.iter().copied().filter(|row| row["region"] == region).collect();
        let sessions: Vec<&Value> = here.iter().map(|row| &row["resourceId"]).collect();
        for (now, row) in statuses(&simulation, &region, &sessions).into_iter().zip(here) {
            let ended = now.as_deref().is_none_or(|status| status == "TERMINATED" || status == "TERMINATING");
            assert_eq!(ended, row["outcome"] == "done", "{now:?}: {row}");
            assert!(row["requestId"].is_string(), "{row}");
        }
    }
    wait_for_rows(&window, "#/activity", "Activity");
}

/// Returns the query for the attempts of a run.
fn of_run(run: &Value, outcomes: &[&str]) -> Value {
    json!({"text": "", "outcomes": outcomes, "operations": [], "resourceKind": null, "resourceId": null,
        "fleetId": null, "runId": run, "range": null, "page": {"offset": 0, "limit": 1000}})
}

#[test]
fn a_drain_survives_being_killed() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "9"]);
    let window = connected(home.path(), &simulation, "development");
    unlock(&window, &Value::Null);
    let fleet = eventually(PATIENCE, "a fleet of instances with game sessions", || {
        let fleets = window.invoke("fleet_list", &json!({"range": crate::now()})).ok()?;
        let mut fleets = fleets["rows"].as_array().cloned()?;
        // Enough that some are still active at the end of the test, but no more, because each must be protected.
        let sessions = |fleet: &Value| fleet["gameSessions"].as_u64().unwrap_or(0);
        fleets.retain(|fleet| {
            let is_ec2 = fleet["kind"] == "ec2_on_demand" || fleet["kind"] == "ec2_spot";
            fleet["status"] == "ACTIVE" && is_ec2 && sessions(fleet) > 9
        });
        fleets.into_iter().min_by_key(sessions)
    });
    let plan = json!({"region": fleet["region"], "fleetId": fleet["fleetId"], "routes": [], "protect": true,
        "suspendScaling": true, "scaleToZero": true});
    let drain = change(&window, &json!({"kind": "drain", "of": plan}))["runId"].clone();
    eventually(EFFECT, "the drain waits for the sessions to end", || {
        let run = window.invoke("run_get", &json!({"id": drain})).ok()?;
        let steps = run["drain"]["steps"].as_array().cloned()?;
        steps.iter().any(|step| step["key"] == "wait" && step["state"] == "running").then_some(())
    });
    let sent = changes(&simulation);
    window.kill();

    let window = open(home.path(), &[], "C.UTF-8");
    let run = eventually(PATIENCE, "the drain is remembered", || {
        window.invoke("run_get", &json!({"id": drain})).ok()
    });
    assert_eq!(run["state"], "paused", "nothing goes on by itself after a crash: {run}");
    let resume = json!({"kind": "resume", "of": drain});
    let preview = window.invoke("action_preview", &json!({"intent": resume})).unwrap();
    let confirm = json!({"previewId": preview["id"], "typed": preview["mustType"]});
    let refused = window.invoke("action_confirm", &confirm).unwrap_err();
    assert!(refused.contains("readOnly"), "{refused}");
    assert_eq!(changes(&simulation), sent, "nothing was sent since");
    unlock(&window, &Value::Null);
    change(&window, &resume);
    let run = window.invoke("run_get", &json!({"id": drain})).unwrap();
    assert_eq!(run["state"], "running", "{run}");
    assert_eq!(run["unknown"], 0, "{run}");
    let rows = eventually(PATIENCE, "what was sent is on record", || {
        let page = window.invoke("activity_list", &json!({"query": of_run(&drain, &[])}));
        page.ok()?["rows"].as_array().filter(|rows| !rows.is_empty()).cloned()
    });
    // The command names the location too: a fleet with several is suspended in each.
    let mut commands: Vec<&str> =
        rows.iter().map(|row| row["command"].as_str().expect("a command")).collect();
    commands.sort_unstable();
    let twice: Vec<_> = commands.windows(2).filter(|two| two[0] == two[1]).collect();
    assert!(twice.is_empty(), "the sessions that went on are protected, once each: {twice:?}");
    // AWS: fleet settings take up to a minute to show.
    eventually(EFFECT, "boto3 reads a fleet that protects new game sessions and does not scale", || {
        let asked = json!({"FleetIds": [fleet["fleetId"]]});
        let attributes = boto3(&simulation, &fleet["region"], "describe_fleet_attributes", &asked);
        let attributes = &attributes["FleetAttributes"][0];
        let is_seen = attributes["NewGameSessionProtectionPolicy"] == "FullProtection"
            && attributes["StoppedActions"] == json!(["AUTO_SCALING"]);
        is_seen.then_some(())
    });
}
