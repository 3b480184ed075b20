//! Calls every command of the window's interface in the real window, as a malicious page could.

use std::collections::BTreeSet;
use std::path::Path;

use liftdeck_tests::trial::Trial;
use liftdeck_tests::window::{Opening, Window};
use serde_json::{Value, json};

use crate::{NAME, Place};

/// Returns the commands in the window's bindings. A new one must be added to the table by hand.
fn commands() -> BTreeSet<String> {
    let bindings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/host/bindings.gen.ts");
    let text = std::fs::read_to_string(bindings).expect("the bindings");
    let calls = text.split("=> send<").skip(1);
    calls.filter_map(|call| call.split('"').nth(1).map(str::to_owned)).collect()
}

/// Returns every command with plausible arguments, ordered so that none removes what the next one needs.
fn asked(place: &Place) -> Vec<(&'static str, Value)> {
    let [fleet, other] = place.fleets();
    let region = &place.region;
    let session = place.sessions().remove(0);
    let alias = place.first("Aliases", "AliasId");
    let queue = place.first("GameSessionQueues", "Name");
    let range = json!({ "from": 0, "to": 4_000_000_000_000_u64 });
    let page = json!({ "offset": 0, "limit": 50 });
    let action = json!({ "region": region, "request": { "operation": "UpdateAlias", "aliasId": alias, "name": null,
        "description": null, "routing": { "simple": { "fleet_id": other } } } });
    let nothing = json!({ "kind": "alert", "id": "never-was" });
    let activities = json!({ "text": "", "outcomes": [], "operations": [], "resourceKind": null, "resourceId": null,
        "fleetId": null, "runId": null, "range": null, "page": page });
    let sessions = json!({ "text": "", "fleetId": fleet, "location": null, "range": null, "search": null,
        "sort": null, "page": page });
    let different = json!({ "text": "ended:abnormal", "fleetId": fleet, "location": null, "range": range });
    let draft = json!({ "name": "Another", "environment": "development", "profile": null,
        "endpointUrl": place.simulation.endpoint(), "regions": [region], "eventQueues": [] });
    let handed = json!({ "liftdeckConnection": 1, "name": "Handed", "environment": "development", "profile": null,
        "endpointUrl": place.simulation.endpoint(), "regions": [region], "eventQueues": [] });
    let scope = json!({ "queue": queue, "region": null, "destination": null });
    let placements = json!({ "scope": scope, "eventTypes": [], "text": "", "range": range, "page": page });
    let settings = json!({ "theme": "dark", "timeZone": "utc", "desktopNotifications": true, "budgetShare": 0.2,
        "cloudwatchDailyCapUsd": 1.0, "sessionRetentionDays": 90, "metricRetentionDays": 455 });
    let drain = json!({ "kind": "drain", "of": { "region": region, "fleetId": fleet, "routes": [action],
        "protect": false, "suspendScaling": true, "scaleToZero": true } });
    let end = json!({ "kind": "actions", "of": [{ "region": region, "request": {
        "operation": "TerminateGameSession", "gameSessionId": session, "terminationMode": "FORCE_TERMINATE" } }] });
    let channel = json!({ "name": "forged", "kind": "webhook", "address": { "from": "environment", "name": "FORGED" },
        "signingKey": null, "endpoint": null, "leastSeverity": "warning", "rules": [], "regions": [], "isOn": true });
    let rule = json!({ "rule": "capped", "scope": { "region": null, "fleetId": null }, "isOff": true, "pendingMs": null,
        "severity": null });
    let of = json!({ "kind": "eachFleet" });
    let watched = json!({ "kind": "metric", "figure": "activeInstances", "of": of, "relative": null, "overMinutes": 1 });
    let custom = json!({ "name": "forged", "watched": watched, "compare": "below", "raise": 4.0, "clear": 6.0,
        "pendingMs": 0, "severity": "bad", "isOff": false });
    let matchers = json!({ "rules": [], "region": null, "fleetId": null, "subject": null });
    let silence =
        json!({ "matchers": matchers, "from": null, "until": 4_000_000_000_000_u64, "reason": "forged" });
    let series = json!({ "scope": { "kind": "all" }, "names": ["activeGameSessions"], "range": range,
        "maxPoints": 100 });
    let search = json!({ "region": region, "fleetId": fleet, "aliasId": null, "location": null,
        "filter": "playerSessionCount>=0", "sort": "" });
    vec![
        ("app_state", json!({})),
        ("health_get", json!({})),
        ("profile_list", json!({})),
        ("guard_lock", json!({})),
        // Unlocking that must fail: nothing typed, or the wrong text typed.
        ("guard_unlock", json!({ "minutes": 5, "typed": null })),
        ("guard_unlock", json!({ "minutes": 480, "typed": NAME.to_lowercase() })),
        ("action_check", json!({ "action": action })),
        ("action_preview", json!({ "intent": { "kind": "actions", "of": [action] } })),
        ("action_preview", json!({ "intent": end })),
        ("action_preview", json!({ "intent": drain })),
        ("action_preview", json!({ "intent": { "kind": "undo", "of": "never-was" } })),
        ("action_preview", json!({ "intent": { "kind": "resume", "of": "never-was" } })),
        ("action_confirm", json!({ "previewId": "never-was", "typed": NAME })),
        ("activity_get", json!({ "id": "never-was" })),
        ("activity_list", json!({ "query": activities })),
        ("activity_settle", json!({ "id": "never-was" })),
        ("alert_list", json!({ "range": range })),
        ("alert_get", json!({ "id": "never-was" })),
        ("incident_get", json!({ "of": nothing })),
        ("incident_players", json!({ "of": nothing, "page": page })),
        ("incident_evidence", json!({ "of": nothing, "filter": "all", "page": page })),
        ("alert_acknowledge", json!({ "id": "never-was" })),
        ("alert_note", json!({ "id": "never-was", "text": "forged" })),
        ("span_note", json!({ "scope": { "kind": "all" }, "range": range, "text": "forged" })),
        ("channel_list", json!({})),
        ("channel_put", json!({ "channel": channel })),
        ("channel_remove", json!({ "name": "forged" })),
        ("channel_test", json!({ "name": "forged" })),
        ("rule_list", json!({})),
        ("rule_try", json!({ "trial": { "setting": rule, "days": 7 } })),
        ("rule_put", json!({ "setting": rule })),
        ("rule_reset", json!({ "rule": "capped", "scope": rule["scope"] })),
        ("custom_rule_try", json!({ "trial": { "rule": custom, "days": 7 } })),
        ("custom_rule_put", json!({ "draft": { "rule": custom, "replaces": null } })),
        ("custom_rule_remove", json!({ "name": "forged" })),
        ("silence_list", json!({})),
        ("silence_add", json!({ "draft": silence })),
        ("silence_end", json!({ "id": "never-was" })),
        ("alias_list", json!({})),
        ("repoint_compare", json!({ "aliasId": alias, "fleetId": other })),
        ("repoint_watch", json!({ "activityId": "never-was" })),
        ("content_list", json!({})),
        ("fleet_events", json!({ "fleetId": fleet, "range": range, "page": page })),
        ("fleet_get", json!({ "fleetId": fleet })),
        ("fleet_instances", json!({ "fleetId": fleet })),
        ("fleet_list", json!({ "range": range })),
        ("fleet_scaling", json!({ "fleetId": fleet, "range": range })),
        ("goto", json!({ "text": "arena" })),
        ("focus_set", json!({ "focus": { "fleets": [fleet], "gameSessions": [session], "metrics": true } })),
        ("retry_now", json!({})),
        ("matchmaking_events", json!({ "configuration": null, "range": range, "page": page })),
        ("matchmaking_get", json!({ "range": range })),
        ("ticket_get", json!({ "ticketId": "never-was", "region": region })),
        (
            "ticket_list",
            json!({ "query": { "text": "", "configuration": null, "state": null, "range": null,
            "page": page } }),
        ),
        (
            "ticket_difference",
            json!({ "scope": { "configuration": null, "region": null }, "range": range, "span": null }),
        ),
        ("feed_look", json!({ "url": "http://127.0.0.1:9/111122223333/forged", "anyway": true })),
        (
            "feed_adopt",
            json!({ "url": "http://127.0.0.1:9/111122223333/forged", "setAside": true, "typed": "forged" }),
        ),
        ("feed_release", json!({ "url": "http://127.0.0.1:9/111122223333/forged" })),
        ("feed_list", json!({})),
        ("feed_aside", json!({ "below": null })),
        ("overview_get", json!({ "range": range })),
        ("placement_get", json!({ "placementId": "never-was" })),
        ("placement_list", json!({ "query": placements })),
        ("placement_split", json!({ "scope": scope, "split": "queue", "range": range })),
        ("placement_difference", json!({ "scope": scope, "range": range, "span": null })),
        ("player_search", json!({ "text": "player", "page": page })),
        ("player_get", json!({ "playerId": "player-1" })),
        ("player_look_up", json!({ "playerId": "player-1" })),
        ("player_session_look_up", json!({ "playerSessionId": "psess-1" })),
        ("preset_save", json!({ "preset": { "name": "forged", "kind": "newSession", "body": "{}" } })),
        ("preset_list", json!({})),
        ("preset_delete", json!({ "name": "forged" })),
        ("queue_get", json!({ "name": queue, "region": region })),
        ("queue_list", json!({})),
        ("run_get", json!({ "id": "never-was" })),
        ("run_list", json!({ "openOnly": false })),
        ("run_pause", json!({ "id": "never-was" })),
        ("run_stop", json!({ "id": "never-was" })),
        ("series_read", json!({ "request": series })),
        ("usual_read", json!({ "request": series })),
        ("metric_list", json!({ "of": { "kind": "fleet", "fleetId": fleet, "location": null } })),
        ("metric_read", json!({ "request": { "keys": [1], "range": range, "maxPoints": 60 } })),
        ("query_check", json!({ "text": "players>=1", "caret": 3 })),
        ("search_check", json!({ "filter": "playerSessionCount>=0", "sort": "" })),
        ("session_get", json!({ "gameSessionId": session })),
        ("player_data_list", json!({ "gameSessionId": session })),
        ("session_list", json!({ "query": sessions })),
        ("session_difference", json!({ "query": different })),
        ("session_search", json!({ "query": search })),
        ("settings_save", json!({ "settings": settings })),
        ("connection_check", json!({ "draft": draft })),
        ("connection_export", json!({ "id": "live" })),
        ("connection_import", json!({ "json": handed.to_string() })),
        ("connection_save", json!({ "id": null, "draft": draft })),
        ("connection_open", json!({ "id": "live" })),
        // These open a file dialog, which nobody answers.
        ("session_log_save", json!({ "gameSessionId": session })),
        ("incident_save", json!({ "of": nothing, "format": "html" })),
        ("activity_export", json!({ "query": activities, "format": "csv" })),
        (
            "chart_save",
            json!({ "request": { "fleetId": fleet, "range": range, "format": "svg", "theme": "dark" } }),
        ),
        ("script_zip_check", json!({ "path": "nowhere.zip" })),
        ("demo_open", json!({ "scenario": "quiet" })),
        ("connection_delete", json!({ "id": "live" })),
    ]
}

/// Returns the outcome of a command: an answer, a refusal, or nothing while a dialog is open.
fn ask(window: &Window, command: &str, arguments: &Value) -> Value {
    window.session.run_async(
        "const asked = window.__TAURI_INTERNALS__.invoke(arguments_[0], arguments_[1]).then(
             (answer) => ({ ok: answer ?? null }),
             (error) => ({ refused: typeof error === 'string' ? error : JSON.stringify(error) }));
         const waited = new Promise((done) => setTimeout(() => done({ waits: true }), arguments_[2]));
         return await Promise.race([asked, waited])",
        &[json!(command), arguments.clone(), json!(if is_dialog(command) { 2_000 } else { 120_000 })],
    )
}

fn is_dialog(command: &str) -> bool {
    ["session_log_save", "activity_export", "chart_save", "incident_save"].contains(&command)
}

/// Calls every command and returns a summary.
pub(crate) fn ask_everything(trial: &Trial, place: &Place, forgeries: u64) -> String {
    let home = tempfile::tempdir().expect("a folder");
    place.simulation.declare_production(home.path(), &place.region, NAME);
    let window = Window::open(&Opening { home: home.path(), ..Opening::default() });
    let opened = ask(&window, "connection_open", &json!({ "id": "live" }));
    assert!(opened.get("ok").is_some(), "the connection opens: {opened}");
    let asked = asked(place);
    let (known, there) = (asked.iter().map(|(command, _)| (*command).to_owned()).collect(), commands());
    for command in there.symmetric_difference(&known) {
        trial.broke(format!("{command} is in the bindings or in this table, and not in both"));
    }
    let mut previews = Vec::new();
    for (command, arguments) in &asked {
        if *command == "connection_check" {
            // Everything up to here used a connection that was never unlocked.
            forge(trial, &window, &previews, forgeries);
        }
        trial.part(command, || {
            let told = ask(&window, command, arguments);
            let refused = told["refused"].as_str().unwrap_or_default();
            assert!(
                !refused.contains("invalid args") && !refused.contains("not found. "),
                "its arguments are not understood: {refused}"
            );
            match *command {
                "guard_unlock" => assert!(!refused.is_empty(), "it unlocked: {told}"),
                "action_confirm" => assert!(!refused.is_empty(), "it was done: {told}"),
                "action_preview" => previews.extend(told["ok"]["id"].as_str().map(str::to_owned)),
                _ => {}
            }
            if command.starts_with("run_") && arguments.get("id").is_some() {
                assert!(!refused.is_empty(), "{told}");
            }
        });
    }
    // A dialog is still open, so the window cannot be closed normally.
    window.kill();
    format!("{} window commands, {forgeries} forged confirmations", there.len())
}

/// Confirms what must not be confirmed: real previews, and guessed ids.
fn forge(trial: &Trial, window: &Window, previews: &[String], forgeries: u64) {
    if previews.is_empty() {
        trial.broke("nothing could be previewed, so nothing real could be confirmed");
        return;
    }
    let mut chance = trial.chance(8);
    for number in 0..forgeries {
        let id = match chance.u8(..3) {
            0 => previews[chance.usize(..previews.len())].clone(),
            1 => {
                let mut id: Vec<char> = previews[chance.usize(..previews.len())].chars().collect();
                chance.shuffle(&mut id);
                id.into_iter().collect()
            }
            _ => format!("{:08x}-0000-4000-8000-{:012x}", chance.u32(..), chance.u64(..1 << 48)),
        };
        let typed = if chance.bool() { json!(NAME) } else { json!(null) };
        let arguments = json!({ "previewId": id, "typed": typed, "grant": "forged", "unlocked": true });
        trial.part(&format!("forged confirmation {number}: {arguments}"), || {
            let told = ask(window, "action_confirm", &arguments);
            assert!(told.get("refused").is_some(), "it was done: {told}");
        });
    }
}
