//! Changing things in the real window: locked first, then unlocked, previewed, confirmed, followed and undone, with the
//! simulator's own record as the witness.

use std::time::Duration;

use liftdeck_tests::program::{Simulation, eventually};
use liftdeck_tests::window::{PATIENCE, Window};
use serde_json::{Value, json};

use crate::{connected, open, wait_for_rows};

/// How long the world may take to show an effect.
const EFFECT: Duration = Duration::from_secs(120);

/// Calls that change something, as the simulator counted them.
fn changes(simulation: &Simulation) -> u64 {
    const READS: [&str; 6] = ["Describe", "List", "Search", "Get", "Receive", "Resolve"];
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

fn truth(simulation: &Simulation, region: &str) -> Value {
    simulation.get(&format!("/_simulator/truth?region={region}"))
}

fn aliases(window: &Window) -> Vec<Value> {
    eventually(PATIENCE, "aliases are collected", || {
        let rows = window.invoke("alias_list", &json!({})).ok()?.as_array().cloned()?;
        (!rows.is_empty()).then_some(rows)
    })
}

/// The first alias that leads to a fleet, and another fleet of its Region that is ACTIVE.
fn alias_and_another_fleet(window: &Window) -> (Value, Value) {
    let aliases = aliases(window);
    eventually(PATIENCE, "two fleets in one Region", || {
        let fleets = window.invoke("fleet_list", &json!({"range": {"fromMs": 0, "toMs": 1}})).ok()?;
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
    let truth = truth(simulation, alias["region"].as_str().unwrap_or_default());
    let aliases = truth["Aliases"].as_array().cloned().unwrap_or_default();
    let found = aliases.into_iter().find(|known| known["AliasId"] == alias["aliasId"]);
    found.expect("the world has the alias")["RoutingStrategy"].clone()
}

/// Previews and confirms; answers with the receipt.
fn change(window: &Window, intent: &Value) -> Value {
    let preview = window.invoke("action_preview", &json!({"intent": intent})).expect("a preview");
    let confirmed = window
        .invoke("action_confirm", &json!({"previewId": preview["id"], "typed": preview["mustType"]}))
        .expect("it is sent");
    assert_eq!(confirmed["kind"], "sent", "{confirmed}");
    confirmed["receipt"].clone()
}

fn one(region: &Value, request: Value) -> Value {
    json!({"kind": "actions", "actions": [{"region": region, "request": request}]})
}

/// The one attempt of a receipt, once its effect is no longer awaited.
fn followed(window: &Window, receipt: &Value) -> Value {
    let id = receipt["activityIds"][0].clone();
    eventually(EFFECT, "the effect is seen or missed", || {
        let row = window.invoke("activity_get", &json!({"id": id})).ok()?;
        let settled = row["outcome"] != "sending" && row["effect"]["state"] != "awaited";
        settled.then_some(row)
    })
}

fn unlock(window: &Window, typed: &Value) {
    // The guard is there as soon as the connection is open, a moment after the frame.
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
    for command in ["run_resume", "run_pause", "activity_settle"] {
        window.invoke(command, &json!({"id": "forged"})).expect_err("there is no such thing");
    }
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
    window.wait_for("[role=dialog] [role=option]", "the fleet is offered");
    window.session.click("[role=dialog] [role=option]");
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
        &json!({"query": {"text": "", "outcomes": [], "operation": "UpdateAlias", "resourceKind": null,
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
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "5", "--speed", "10"]);
    let window = connected(home.path(), &simulation, "development");
    unlock(&window, &Value::Null);
    let aliases = aliases(&window);
    let alias = aliases.iter().find(|alias| alias["routing"] == "SIMPLE").expect("an alias to a fleet");
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
    let mut made = Vec::new();
    for request in [
        placed,
        direct(json!({"alias": alias["aliasId"]}), "by-alias"),
        direct(json!({"fleet": alias["fleetId"]}), "by-fleet"),
    ] {
        let row = followed(&window, &change(&window, &one(&alias["region"], request)));
        assert_eq!((&row["outcome"], &row["effect"]["state"]), (&json!("done"), &json!("seen")), "{row}");
        made.push(row);
    }
    for (row, mode) in [(&made[1], "TRIGGER_ON_PROCESS_TERMINATE"), (&made[2], "FORCE_TERMINATE")] {
        let request = json!({"operation": "TerminateGameSession", "gameSessionId": row["made"], "terminationMode": mode});
        let live = || {
            let world = truth(&simulation, alias["region"].as_str().unwrap_or_default());
            let sessions = world["GameSessions"].as_array().cloned().unwrap_or_default();
            sessions
                .iter()
                .any(|session| session["GameSessionId"] == row["made"] && session["Status"] != "TERMINATED")
        };
        assert!(live(), "the world has the session that was made: {row}");
        let ended = followed(&window, &change(&window, &one(&alias["region"], request)));
        assert_eq!(ended["effect"]["state"], "seen", "{mode}: {ended}");
        assert!(!live(), "the world has ended it");
    }
}

#[test]
fn a_bulk_change_is_paced_and_a_drain_survives_being_killed() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "9"]);
    let window = connected(home.path(), &simulation, "development");
    unlock(&window, &Value::Null);
    wait_for_rows(&window, "#/sessions?sort=-players");
    let query = json!({"text": "status:active", "fleetId": null, "location": null, "range": null, "sort": null,
        "page": {"offset": 0, "limit": 20}});
    let sessions = window.invoke("session_list", &json!({"query": query})).unwrap();
    let sessions = sessions["rows"].as_array().cloned().unwrap();
    let actions: Vec<Value> = sessions
        .iter()
        .map(|session| {
            json!({"region": session["region"], "request": {"operation": "UpdateGameSession",
                "gameSessionId": session["gameSessionId"], "name": null, "maximumPlayerSessionCount": null,
                "playerSessionCreationPolicy": "DENY_ALL", "protectionPolicy": null, "gameProperties": []}})
        })
        .collect();
    let receipt = change(&window, &json!({"kind": "actions", "actions": actions}));
    let run = eventually(EFFECT, "the run is over", || {
        let run = window.invoke("run_get", &json!({"id": receipt["runId"]})).ok()?;
        (run["state"] == "finished").then_some(run)
    });
    assert_eq!(run["total"], actions.len(), "{run}");
    assert_eq!(run["left"], 0, "{run}");

    let (_, fleet) = alias_and_another_fleet(&window);
    let plan = json!({"region": fleet["region"], "fleetId": fleet["fleetId"], "routes": [], "protect": true,
        "suspendScaling": true, "scaleToZero": true});
    let drain = change(&window, &json!({"kind": "drain", "plan": plan}))["runId"].clone();
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
    let refused = window.invoke("run_resume", &json!({"id": drain})).unwrap_err();
    assert!(refused.contains("readOnly"), "{refused}");
    assert_eq!(changes(&simulation), sent, "nothing was sent since");
    unlock(&window, &Value::Null);
    window.invoke("run_resume", &json!({"id": drain})).unwrap();
    let run = window.invoke("run_get", &json!({"id": drain})).unwrap();
    assert_eq!(run["state"], "running", "{run}");
    assert_eq!(run["unknown"], 0, "{run}");
    eventually(PATIENCE, "the sessions that went on are protected, once each", || {
        let page = window.invoke(
            "activity_list",
            &json!({"query": {"text": "", "outcomes": [], "operation": null, "resourceKind": null,
                "resourceId": null, "fleetId": null, "runId": drain, "range": null, "page": {"offset": 0, "limit": 1000}}}),
        );
        let rows = page.ok()?["rows"].as_array().cloned()?;
        let mut seen: Vec<String> = rows
            .iter()
            .map(|row| format!("{} {} {}", row["operation"], row["resourceId"], row["facts"]))
            .collect();
        let all = seen.len();
        seen.sort();
        seen.dedup();
        (all > 0 && seen.len() == all).then_some(())
    });
}
