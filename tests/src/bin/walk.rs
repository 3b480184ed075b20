//! Visits every screen of the demo in the real window on a virtual display and saves a picture of each.
//!
//! Does what `cargo xtask demo` does, but without a display. Fails if a screen does not come up.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use liftdeck_tests::program::run;
use liftdeck_tests::window::{Opening, Window};
use serde_json::{Value, json};

#[derive(Parser)]
struct Arguments {
    /// Scenario of the simulated world.
    #[arg(long, default_value = "launch-day")]
    scenario: String,
    /// Folder of the pictures.
    #[arg(long)]
    out: PathBuf,
}

/// Screens that need no resource: name of the picture, address, and the selector that must match before it is taken.
const SCREENS: &[(&str, &str, &str)] = &[
    ("overview", "#/overview?last=3h", "main h1"),
    ("fleets", "#/fleets", "main [role=row][aria-rowindex='3']"),
    ("sessions", "#/sessions", "main [role=row][aria-rowindex='3']"),
    ("placements", "#/placements", "main [role=row][aria-rowindex='3']"),
    ("queues", "#/placements/queues", "main [role=row][aria-rowindex='2']"),
    ("matchmaking", "#/matchmaking", "main [role=row][aria-rowindex='2']"),
    ("tickets", "#/matchmaking/tickets", "main h1"),
    ("aliases", "#/aliases", "main [role=row][aria-rowindex='2'], main h1"),
    ("builds", "#/builds", "main [role=row][aria-rowindex='2'], main h1"),
    ("new-session", "#/sessions/new", "main form, main h1"),
    ("settings", "#/settings", "main h1"),
];

const FLEET_TABS: &[&str] =
    &["scaling", "sessions", "instances", "locations", "events", "metrics", "configuration"];

fn main() {
    let arguments = Arguments::parse();
    std::fs::create_dir_all(&arguments.out).expect("the folder of the pictures");
    let home = tempfile::Builder::new().prefix("walk-").tempdir().expect("a home");
    let opening = Opening {
        home: home.path(),
        arguments: &["demo", "--scenario", &arguments.scenario],
        locale: "C.UTF-8",
        size: (1440, 900),
        ..Opening::default()
    };
    let window = Window::open(&opening);
    // Session counts arrive with the first polls, the charts with the first backfill.
    window.wait_until(
        "the first sessions are on the overview",
        "return /Active sessions\\s*[1-9]/.test(document.body.innerText)",
    );
    wait_for_backfill(&window);

    show_in(&window, "dark");

    let mut pictures = Vec::new();
    let mut take = |name: &str, address: &str, selector: &str| {
        let asked = std::time::Instant::now();
        window.go(address);
        window.wait_for(selector, name);
        println!("  {name:<24} {:>6} ms", asked.elapsed().as_millis());
        // Charts and ages settle within a moment.
        std::thread::sleep(Duration::from_millis(900));
        pictures.push(window.save_picture(&arguments.out.join(format!("{name}.png"))));
    };
    for (name, address, selector) in SCREENS {
        take(name, address, selector);
    }
    let fleet = first(&window, "fleet_list", &json!({"range": last_hours(3)}), "fleetId");
    for tab in FLEET_TABS {
        take(&format!("fleet-{tab}"), &format!("#/fleets/{fleet}/{tab}"), "main h1");
    }
    let query = json!({"text": "status:active players>=2", "fleetId": null, "location": null, "range": null,
        "sort": null, "page": {"offset": 0, "limit": 1}});
    let session = first(&window, "session_list", &json!({"query": query}), "gameSessionId");
    take("session", &format!("#/sessions/{}", encoded(&session)), "main [role=row][aria-rowindex='2']");
    let detail =
        window.invoke("session_get", &json!({"gameSessionId": session})).expect("the session's detail");
    let player = detail["playerSessions"][0]["playerId"].as_str().expect("a player").to_owned();
    take("players", &format!("#/players?q={}", encoded(&player)), "main [role=row][aria-rowindex='2']");
    change_capacity(&window, &fleet);
    take("fleet-scaling-changed", &format!("#/fleets/{fleet}/scaling"), "main .uplot canvas");
    take("activity", "#/activity", "main [role=row][aria-rowindex='2']");
    show_in(&window, "light");
    take("activity-light", "#/activity", "main [role=row][aria-rowindex='2']");
    take("overview-light", "#/overview?last=3h", "main h1");
    take("fleet-scaling-light", &format!("#/fleets/{fleet}/scaling"), "main .uplot canvas");

    summarize(home.path(), &pictures);
}

/// Adds an instance to a fleet as an operator does: unlock, preview, confirm.
fn change_capacity(window: &Window, fleet: &str) {
    let detail = window.invoke("fleet_get", &json!({"fleetId": fleet})).expect("the fleet's detail");
    let place = &detail["locations"][0];
    let (most, desired) = (place["max"].as_i64().unwrap_or(1), place["desired"].as_i64().unwrap_or(0));
    let request = json!({"operation": "UpdateFleetCapacity", "fleetId": fleet, "location": place["location"],
        "desiredInstances": desired + 1, "minSize": null, "maxSize": most.max(desired + 1)});
    let intent = json!({"kind": "actions", "of": [{"region": detail["row"]["region"], "request": request}]});
    window.invoke("guard_unlock", &json!({"minutes": 15, "typed": null})).expect("the demo unlocks");
    let preview = window.invoke("action_preview", &json!({"intent": intent})).expect("a preview");
    let confirm = json!({"previewId": preview["id"], "typed": preview["mustType"]});
    let confirmed = window.invoke("action_confirm", &confirm).expect("it is sent");
    assert_eq!(confirmed["kind"], "sent", "{confirmed}");
}

/// Waits for the metric history, but only for a while: without it the charts start at the present.
fn wait_for_backfill(window: &Window) {
    let deadline = std::time::Instant::now() + Duration::from_secs(90);
    while std::time::Instant::now() < deadline {
        let health = window.invoke("health_get", &json!({})).unwrap_or_default();
        let backfill = &health["backfill"];
        let done = backfill.is_null() || backfill["done"].as_f64() >= backfill["total"].as_f64();
        if done
            && health["lastSuccessMs"] != Value::Null
            && health["cloudwatchMetricsToday"].as_f64() > Some(0.0)
        {
            return;
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// Selects a theme as the settings screen does.
fn show_in(window: &Window, theme: &str) {
    let state = window.invoke("app_state", &json!({})).expect("the program's state");
    let mut settings = state["settings"].clone();
    settings["theme"] = json!(theme);
    window.invoke("settings_save", &json!({"settings": settings})).expect("the settings are kept");
    window.reload();
}

fn last_hours(hours: i64) -> Value {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let now_ms = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    json!({"from": now_ms - hours * 3_600_000, "to": now_ms})
}

fn first(window: &Window, command: &str, arguments: &Value, id: &str) -> String {
    let answer = window.invoke(command, arguments).expect(command);
    answer["rows"][0][id].as_str().unwrap_or_else(|| panic!("{command} has no row")).to_owned()
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn summarize(home: &Path, pictures: &[PathBuf]) {
    let database = find(home, "demo.sqlite").expect("the demo's database");
    println!("collected:");
    for kind in
        ["fleets", "game-sessions", "player-sessions", "placements", "aliases", "queues", "fleet-events"]
    {
        let ended = run(home, ["export", kind, "--db", &database.to_string_lossy(), "--format", "ndjson"]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        println!("  {kind:<16} {:>8}", ended.stdout.lines().count());
    }
    println!("pictures:");
    for picture in pictures {
        println!("  {}", picture.display());
    }
}

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    std::fs::read_dir(folder).ok()?.flatten().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() { find(&path, name) } else { path.ends_with(name).then_some(path) }
    })
}
