//! GameLift's own search from the Sessions screen: a link sends no request, and the results match the world.

use liftdeck_tests::program::{Simulation, eventually};
use liftdeck_tests::window::PATIENCE;
use serde_json::{Value, json};

use crate::connected;

#[test]
fn a_search_is_sent_when_it_is_asked_for_and_lists_what_the_world_holds() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "3", "--speed", "0"]);
    let window = connected(home.path(), &simulation, "development");
    let fleet = eventually(PATIENCE, "a fleet with game sessions", || {
        let fleets = window.invoke("fleet_list", &json!({"range": crate::now()})).ok()?;
        let busy = |fleet: &&Value| fleet["gameSessions"].as_i64() > Some(2);
        fleets["rows"].as_array()?.iter().find(busy).cloned()
    });
    let (id, region) = (fleet["fleetId"].as_str().unwrap(), fleet["region"].as_str().unwrap());
    let searches = || {
        let calls = simulation.get("/_simulator/calls");
        calls[region]["gamelift:SearchGameSessions"]["calls"].as_u64().unwrap_or(0)
    };
    let before = searches();

    window.go(&format!("#/sessions?ask={id}&filter=playerSessionCount%3E%3D1"));
    window.wait_until(
        "the question of the link is in the form",
        "return [...document.querySelectorAll('main input')].some((one) => one.value === 'playerSessionCount>=1')",
    );
    assert_eq!(searches(), before, "a link sends nothing");
    window.click_button("main form", "Search");
    let found = window.wait_until(
        "what was found",
        "return document.body.innerText.match(/asked [0-9:]+ UTC, ([0-9]+) found/)?.[1] ?? false",
    );
    let truth = simulation.get(&format!("/_simulator/truth?region={region}"));
    let there = truth["GameSessions"].as_array().unwrap().iter().filter(|session| {
        session["FleetId"] == id
            && session["Status"] == "ACTIVE"
            && session["CurrentPlayerSessionCount"].as_i64() >= Some(1)
    });
    assert_eq!(found.as_str(), Some(there.count().to_string().as_str()));
    assert!(searches() > before);
}
