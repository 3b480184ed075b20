//! What is seen of the window when nobody looks at it: notifications and the tray, on a desktop of the test's own, and
//! links that are brought from outside.

use liftdeck_tests::desktop::Desktop;
use liftdeck_tests::program::{eventually, run, take_the_whole_budget};
use liftdeck_tests::window::{Opening, PATIENCE, Window};
use serde_json::{Value, json};

fn open(home: &std::path::Path, arguments: &[&str], bus: &str) -> Window {
    let environment = [("DBUS_SESSION_BUS_ADDRESS", Some(bus.to_owned()))];
    Window::open(&Opening { home, arguments, environment: &environment, ..Opening::default() })
}

/// Waits until an incident's page is shown with its title, and returns its address.
fn incident(window: &Window) -> String {
    window.wait_for("main h1", "a page is drawn");
    let shown = window.wait_until(
        "an incident is shown",
        "const at = /^#\\/alerts\\/[0-9a-f-]{36}/.exec(location.hash)?.[0];
         const title = document.querySelector('main h1')?.innerText ?? '';
         return at && title !== '' && title !== 'Incident' ? at : null",
    );
    shown.as_str().expect("an address").to_owned()
}

/// Opens the demo in which Spot instances are interrupted at any time of day, and waits until that is a notification.
fn storm(home: &std::path::Path, desktop: &mut Desktop) -> (Window, Value) {
    // Nothing is told before everything was read once.
    take_the_whole_budget(home);
    let window = open(home, &["demo", "--scenario", "spot-storm"], desktop.address());
    desktop.act(&format!("look-away {}", window.display()));
    let shown = desktop.wait(2 * PATIENCE, "an alert is a notification", is_of_an_alert);
    (window, shown)
}

fn is_of_an_alert(told: &Value) -> bool {
    told["kind"] == "notify" && told["body"].as_str().is_some_and(|body| body.contains("Demo"))
}

#[test]
fn an_alert_out_of_sight_becomes_a_notification_whose_click_opens_its_page_and_the_tray_counts_it() {
    let home = tempfile::tempdir().unwrap();
    let mut desktop = Desktop::start();
    let (window, shown) = storm(home.path(), &mut desktop);
    assert_eq!(shown["actions"], json!(["default", "Open"]), "{shown}");
    assert!(shown["body"].as_str().unwrap().contains("since "), "{shown}");
    let is_bad = shown["summary"].as_str().unwrap().starts_with("Bad: ");
    assert_eq!(shown["urgency"], if is_bad { 2 } else { 1 }, "{shown}");
    assert_eq!(shown["timeOut"] == 0, is_bad, "what is bad stays until it is dismissed: {shown}");

    desktop.act(&format!("click {}", shown["number"]));
    let address = incident(&window);
    let id = address.trim_start_matches("#/alerts/").to_owned();
    let list = window.invoke("alert_list", &json!({ "range": crate::now() })).unwrap();
    let alerts = list["alerts"].as_array().unwrap();
    let clicked = alerts.iter().find(|alert| alert["id"] == *id).expect("an alert");
    let title = clicked["title"].as_str().unwrap();
    assert!(shown["summary"].as_str().unwrap().contains(title), "{shown} leads to {clicked}");

    desktop.wait(PATIENCE, "the tray has an icon", |told| told["kind"] == "tray registered");
    let tray = eventually(PATIENCE, "the tray lists the alert", || {
        desktop.act("tray");
        let tray =
            desktop.wait(PATIENCE, "the tray", |told| told["kind"] == "tray" || told["kind"] == "failed");
        let texts: Vec<String> = tray["menu"]
            .as_array()?
            .iter()
            .filter_map(|one| one["text"].as_str().map(str::to_owned))
            .collect();
        texts.iter().any(|text| text.contains("interrupted")).then_some(texts)
    });
    assert!(tray[0].contains("alert"), "its first line counts: {tray:?}");
    assert_eq!(tray[tray.len() - 2..], ["Open Liftdeck", "Quit"], "{tray:?}");
    window.go("#/fleets");
    let listed = tray.iter().find(|text| text.contains("interrupted")).unwrap();
    desktop.act(&format!("choose {listed}"));
    incident(&window);

    window.invoke("notification_test", &json!({})).expect("a test is shown");
    let test = desktop.wait(PATIENCE, "a test", |told| {
        told["summary"].as_str().is_some_and(|summary| summary.contains("nothing is wrong"))
    });
    desktop.act(&format!("click {}", test["number"]));
    window.wait_until("the settings are shown", "return location.hash.startsWith('#/settings')");
}

#[test]
fn a_notification_is_withdrawn_once_somebody_took_note_of_its_alerts() {
    let home = tempfile::tempdir().unwrap();
    let mut desktop = Desktop::start();
    let (window, shown) = storm(home.path(), &mut desktop);
    eventually(PATIENCE, "it is withdrawn", || {
        let list = window.invoke("alert_list", &json!({ "range": crate::now() })).ok()?;
        // Others may join it meanwhile, and one may grow worse: whoever looks after alerts takes note of that, too.
        for alert in list["alerts"].as_array()?.iter().filter(|alert| alert["endedAt"].is_null()) {
            window.invoke("alert_acknowledge", &json!({ "id": alert["id"] })).ok()?;
        }
        desktop
            .has_heard(|told| told["kind"] == "withdrawn" && told["number"] == shown["number"])
            .then_some(())
    });
}

#[test]
fn a_system_without_notifications_is_told_to_whoever_tries_and_nothing_else_changes() {
    let home = tempfile::tempdir().unwrap();
    let window = open(home.path(), &["demo", "--scenario", "quiet"], "unix:path=/nowhere/at/all");
    let refused = window.invoke("notification_test", &json!({})).unwrap_err();
    assert!(refused.contains("D-Bus"), "{refused}");
    window.go("#/settings");
    window.wait_until("the settings say why", "return document.body.innerText.includes('no D-Bus')");
    let state = window.invoke("app_state", &json!({})).unwrap();
    assert_eq!(state["current"]["id"], "demo", "{state}");
}

#[test]
fn a_link_is_shown_by_the_window_that_runs_and_one_that_is_no_link_by_nobody() {
    let home = tempfile::tempdir().unwrap();
    let window = open(home.path(), &["demo", "--scenario", "quiet"], "unix:path=/nowhere/at/all");
    window.wait_for("main h1", "the demo is open");
    let state = window.invoke("app_state", &json!({})).unwrap();
    let account = state["current"]["account"].as_str().unwrap();

    let brought = run(home.path(), [format!("liftdeck://{account}/sessions?q=status%3Aactive")]);
    assert_eq!(brought.code, 0, "{}", brought.stderr);
    window.wait_until(
        "its page is shown",
        "return location.hash.startsWith('#/sessions?') && location.hash.includes('status')",
    );

    let draft = json!({"name": "Elsewhere", "environment": "production", "profile": null,
        "endpointUrl": "http://127.0.0.1:9", "regions": ["eu-west-1"], "eventQueues": []});
    window.invoke("connection_save", &json!({"id": null, "draft": draft})).expect("it is saved");
    let other = run(home.path(), ["open", "liftdeck://elsewhere/fleets"]);
    assert_eq!(other.code, 0, "{}", other.stderr);
    // What is open is closed for another connection only by a person.
    window.click_button("[role=dialog]", "Stay here");
    window.wait_until("nothing is asked any more", "return document.querySelector('[role=dialog]') === null");

    let unknown = run(home.path(), ["open", "liftdeck://nobodys/fleets"]);
    assert_eq!(unknown.code, 1, "{}", unknown.stderr);
    assert!(unknown.stderr.contains("No connection here is nobodys"), "{}", unknown.stderr);
    for wrong in
        ["liftdeck://demo/aliases/alias-1?do=repoint", "liftdeck://demo/nowhere", "https://demo/fleets"]
    {
        let refused = run(home.path(), ["open", wrong]);
        assert_eq!(refused.code, 2, "{wrong}: {}", refused.stderr);
        assert!(refused.stderr.contains("no link of Liftdeck"), "{wrong}: {}", refused.stderr);
    }
    let at = window.session.run("return location.hash", &[]);
    assert!(at.as_str().unwrap().starts_with("#/sessions?"), "nothing else moved the window: {at}");
}
