//! The command line beside the open window: it works through the window, and the window stays unchanged.

use liftdeck_tests::program::{Simulation, eventually, run};
use liftdeck_tests::window::PATIENCE;
use serde_json::json;

use crate::connected;

#[test]
fn a_command_changes_what_the_window_has_open_and_the_window_stays_read_only() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "3", "--speed", "0"]);
    let window = connected(home.path(), &simulation, "production");
    let fleet = eventually(PATIENCE, "a fleet of instances", || {
        let fleets = window.invoke("fleet_list", &json!({"range": crate::now()})).ok()?;
        let fleets = fleets["rows"].as_array().cloned()?;
        fleets.into_iter().find(|fleet| {
            // Its capacity is collected by a different call than its status.
            let is_ec2 = fleet["kind"] == "ec2_on_demand" || fleet["kind"] == "ec2_spot";
            fleet["status"] == "ACTIVE" && is_ec2 && fleet["max"].as_i64() > Some(0)
        })
    });
    let (id, region) = (fleet["fleetId"].as_str().unwrap(), fleet["region"].as_str().unwrap());
    let most = (fleet["max"].as_i64().unwrap() + 1).to_string();
    let change = [
        "fleet",
        "capacity",
        id,
        "--region",
        region,
        "--connection",
        "arena-test",
        "--max",
        &most,
        "--no-wait",
    ];
    // Nobody can answer a prompt and nothing was typed, so it is refused as usual.
    for (more, code) in [(&[][..], 3), (&["--yes"][..], 3), (&["--yes", "--confirm", "arena-test"][..], 0)] {
        let ended = run(home.path(), [&change[..], more].concat());
        assert_eq!(ended.code, code, "{more:?}: {}{}", ended.stdout, ended.stderr);
    }
    let row = eventually(PATIENCE, "the change is in the window's Activity", || {
        let query = json!({"text": "", "outcomes": [], "operations": [], "resourceKind": null, "resourceId": null,
            "fleetId": id, "runId": null, "range": null, "page": {"offset": 0, "limit": 10}});
        let page = window.invoke("activity_list", &json!({"query": query})).ok()?;
        page["rows"].as_array()?.first().cloned()
    });
    assert_eq!(row["operation"], "UpdateFleetCapacity", "{row}");
    assert_eq!(row["outcome"], "done", "{row}");
    let state = window.invoke("app_state", &json!({})).unwrap();
    assert_eq!(state["mode"]["kind"], "readOnly", "{state}");
}
