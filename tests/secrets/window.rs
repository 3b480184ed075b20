//! A person's window with everything logged: what crosses its boundary and what its page stores.

use liftdeck_tests::program::eventually;
use liftdeck_tests::window::{Opening, PATIENCE, Window};
use serde_json::{Value, json};

use crate::Person;
use crate::sinks::Sink;

/// Opens the window on a saved connection, visits the screens and calls what could reveal keys. Returns what was
/// received.
pub(crate) fn look(person: &Person<'_>) -> Vec<Sink> {
    let mut environment = person.source.environment(person.home.path());
    environment.push(("LIFTDECK_LOG", Some("trace".to_owned())));
    environment.push(("TMPDIR", Some(person.home.path().join("temporary").to_string_lossy().into_owned())));
    let opening = Opening { home: person.home.path(), environment: &environment, ..Opening::default() };
    let window = Window::open(&opening);
    let draft = json!({ "name": "Canary", "environment": "development", "profile": person.source.profile(),
        "endpointUrl": person.simulation.endpoint(), "regions": [person.region], "eventQueues": [] });
    let mut sinks = Vec::new();
    let mut ask = |command: &str, arguments: &Value| {
        let told = window.invoke(command, arguments).unwrap_or_else(|refused| refused.into());
        sinks.push(Sink::text(format!("the answer of {command}"), &told.to_string(), false));
        told
    };
    let page = json!({ "offset": 0, "limit": 50 });
    let range = json!({ "from": 0, "to": 4_000_000_000_000_u64 });
    ask("profile_list", &json!({}));
    ask("connection_check", &json!({ "draft": draft }));
    let state = ask("connection_save", &json!({ "id": null, "draft": draft }));
    let id = state["connections"][0]["id"].clone();
    ask("connection_export", &json!({ "id": id }));
    ask("connection_open", &json!({ "id": id }));
    eventually(PATIENCE, "it collects", || {
        let fleets = ask("fleet_list", &json!({ "range": range }));
        fleets["rows"].as_array().is_some_and(|rows| !rows.is_empty()).then_some(())
    });
    ask("guard_unlock", &json!({ "minutes": 5, "typed": null }));
    ask("app_state", &json!({}));
    ask("health_get", &json!({}));
    ask(
        "activity_list",
        &json!({ "query": { "text": "", "outcomes": [], "operations": [], "resourceKind": null,
        "resourceId": null, "fleetId": null, "runId": null, "range": null, "page": page } }),
    );
    window.reload();
    for address in ["#/fleets", "#/sessions", "#/placements", "#/aliases", "#/activity"] {
        window.go(address);
        window.wait_for("main h1, main [role=grid]", address);
    }
    let kept = window.session.run(
        "return JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])",
        &[],
    );
    sinks.push(Sink::text("web storage", &kept.to_string(), true));
    drop(window);
    sinks
}
