//! The real window, driven as a user would: one binary, one window at a time.
//!
//! Deliberately narrow: covers only what needs the real window. The screens in all their states are tested in
//! `screens/`.

mod ask;
mod desktop;
mod hosts;
mod operate;
mod socket;

use std::path::Path;

use liftdeck_tests::program::{Simulation, eventually, take_the_whole_budget};
use liftdeck_tests::window::{Opening, PATIENCE, Window};
use serde_json::{Value, json};

/// A range that is not over, so that fleets have the figures of now.
fn now() -> Value {
    json!({"from": 3_999_999_999_999_i64, "to": 4_000_000_000_000_i64})
}

fn open(home: &Path, arguments: &[&str], locale: &str) -> Window {
    Window::open(&Opening { home, arguments, locale, size: (1440, 900), ..Opening::default() })
}

/// Opens a window on the test's own simulator, through a connection saved as a user saves one.
fn connected(home: &Path, simulation: &Simulation, environment: &str) -> Window {
    // No test here is about rates.
    take_the_whole_budget(home);
    let window = open(home, &[], "C.UTF-8");
    let queues: Vec<Value> = simulation
        .event_queues()
        .into_iter()
        .map(|(region, url)| json!({"region": region, "url": url}))
        .collect();
    let draft = json!({"name": "arena-test", "environment": environment, "profile": null,
        "endpointUrl": simulation.endpoint(), "regions": simulation.regions(), "eventQueues": queues});
    let checked = window.invoke("connection_check", &json!({"draft": draft})).expect("the check runs");
    assert_eq!(checked["ok"], true, "{checked}");
    let state = window.invoke("connection_save", &json!({"id": null, "draft": draft})).expect("it is saved");
    let id = state["connections"][0]["id"].as_str().expect("an id").to_owned();
    window.invoke("connection_open", &json!({"id": id})).expect("it opens");
    window.reload();
    window
}

/// Whether any file below a folder holds these bytes.
fn holds(folder: &Path, bytes: &[u8]) -> bool {
    std::fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => holds(&entry.path(), bytes),
            Ok(kind) if kind.is_file() => {
                let read = std::fs::read(entry.path()).unwrap_or_default();
                read.windows(bytes.len()).any(|window| window == bytes)
            }
            _ => false,
        })
    })
}

/// Goes to a screen and waits for the rows of its own list, because the previous screen may have rows too.
fn wait_for_rows(window: &Window, address: &str, list: &str) {
    window.go(address);
    window.wait_until(
        &format!("rows at {address}"),
        &format!(
            "const row = \"main [role=grid][aria-label='{list}'] [role=row][aria-rowindex='3']\";
             return (document.querySelector(row)?.innerText ?? '').trim() !== ''"
        ),
    );
}

#[test]
fn a_person_goes_from_the_fleets_to_a_player_and_what_is_not_allowed_is_denied() {
    let home = tempfile::tempdir().unwrap();
    // A machine without any locale: the chart library throws there unless guarded.
    let window = open(home.path(), &["demo", "--scenario", "quiet"], "C");

    wait_for_rows(&window, "#/fleets", "Fleets");
    window.session.click("main [role=row][aria-rowindex='2'] [role=gridcell]");
    window.wait_until("a fleet is open", "return /#\\/fleets\\/[a-z]*fleet-/.test(location.hash)");
    window.wait_for("main .uplot canvas", "charts are drawn in locale C");

    wait_for_rows(&window, "#/sessions?sort=-players", "Game sessions");
    window.session.press("j");
    window.wait_for("main [role=grid][aria-activedescendant]", "a session is chosen");
    window.session.press("\u{e007}");
    window.wait_until("a session is open", "return location.hash.includes('gamesession')");
    let first_player = "main [role=grid][aria-label='Player sessions'] [role=row][aria-rowindex='2']";
    window.wait_for(first_player, "its player sessions");
    window.session.click(&format!("{first_player} a[href*='#/players'] .cut"));
    window.wait_until("a player is open", "return location.hash.startsWith('#/players/')");
    window.wait_for(first_player, "the player's sessions");

    let series = window.session.run_async(
        "const now = Date.now();
         const answer = await window.__TAURI_INTERNALS__.invoke('series_read', { request: {
           scope: { kind: 'all' }, names: ['activeGameSessions'], maxPoints: 100,
           range: { from: now - 3600e3, to: now } } });
         return { kind: answer.constructor.name, bytes: answer.byteLength }",
        &[],
    );
    assert_eq!(series["kind"], "ArrayBuffer", "raw series arrive as bytes, not as a list: {series}");
    assert!(series["bytes"].as_u64() > Some(16), "{series}");

    for command in [
        "plugin:webview|create_webview_window",
        "plugin:window|destroy",
        "plugin:event|emit",
        "no_such_command",
    ] {
        let refused = window.invoke(command, &json!({})).expect_err(command);
        assert!(refused.contains("not allowed") || refused.contains("not found"), "{command}: {refused}");
    }
    let fetched = window.session.run_async(
        "try { await fetch('http://127.0.0.1:9/'); return 'fetched' } catch (error) { return 'blocked' }",
        &[],
    );
    assert_eq!(fetched, "blocked", "the page may speak to the core only");
}

#[test]
fn data_place_and_size_survive_the_endpoint_and_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let mut simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "7"]);
    let window = connected(home.path(), &simulation, "production");
    wait_for_rows(&window, "#/fleets", "Fleets");
    let fleets = window.invoke("fleet_list", &json!({"range": now()})).unwrap();
    let fleets = fleets["rows"].as_array().unwrap().len();
    assert!(fleets >= 9, "{fleets} fleets");
    wait_for_rows(&window, "#/sessions", "Game sessions");

    simulation.kill();
    let health = eventually(PATIENCE, "the lost endpoint is told", || {
        let health = window.invoke("health_get", &json!({})).ok()?;
        (health["state"] == "unreachable").then_some(health)
    });
    assert!(health["message"].is_string() && health["remedy"].is_string(), "{health}");
    window.wait_until(
        "the chip tells it",
        "return /unreachable/i.test(document.querySelector('header')?.innerText ?? '')",
    );
    window.wait_for("main [role=row][aria-rowindex='3']", "the last data stays on the screen");
    let width = window.session.run("return window.innerWidth", &[]).as_f64().unwrap();
    window.session.run(
        "window.dispatchEvent(new KeyboardEvent('keydown', { key: '=', code: 'Equal', ctrlKey: true, bubbles: true }))",
        &[],
    );
    let is_larger = format!("return window.innerWidth < {}", width * 0.9);
    window.wait_until("everything is drawn larger", &is_larger);
    // The web view writes stored values to disk a moment later.
    eventually(PATIENCE, "the size is on disk", || holds(home.path(), b"liftdeck.zoom").then_some(()));
    drop(window);

    let window = open(home.path(), &[], "C.UTF-8");
    wait_for_rows(&window, "#/fleets", "Fleets");
    let state = window.invoke("app_state", &json!({})).unwrap();
    assert_eq!(state["current"]["name"], "arena-test", "the last connection opens again");
    window.wait_until("everything is as large as it was", &is_larger);
    let again = window.invoke("fleet_list", &json!({"range": now()})).unwrap();
    assert_eq!(again["rows"].as_array().unwrap().len(), fleets, "offline the last data is there");
    wait_for_rows(&window, "#/sessions", "Game sessions");
}

#[test]
fn the_first_run_offers_the_demo_in_one_click() {
    let home = tempfile::tempdir().unwrap();
    let window = open(home.path(), &[], "C.UTF-8");
    window.wait_until(
        "the three choices",
        "return /demo/i.test(document.body.innerText) && /AWS/.test(document.body.innerText)",
    );
    let clicked = window.session.run(
        "const button = [...document.querySelectorAll('button')].find((one) => /demo/i.test(one.innerText));
         button?.click(); return button !== undefined",
        &[],
    );
    assert_eq!(clicked, true, "a button opens the demo");
    window.wait_until("live data", "return /Active sessions\\s*[1-9]/.test(document.body.innerText)");
}
