//! SIGKILL at every step of a drain, each time after AWS has carried out the change and before the program receives
//! the response.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use liftdeck_tests::post::{Keeps, Post};
use liftdeck_tests::program::{Group, eventually, only_run, take_the_whole_budget};
use serde_json::{Value, json};

use super::Desk;
use crate::aged::a_drain_led_elsewhere_earlier;

/// A running drain.
struct Drain {
    desk: Desk,
    post: Post,
    fleet: String,
}

impl Drain {
    /// Kills the program at an operation: its response is held back, and all `sent` calls of it have reached the
    /// world.
    ///
    /// While requests from before the previous kill may still arrive, the run pauses; it is then resumed again.
    fn killed_at(&self, mut begun: Group, operation: &str, sent: u64) {
        let tries = (0..180).find(|_| {
            if !begun.runs() {
                self.post.moves_on();
                begun = self.resumed();
            }
            self.post.keeps_within(Duration::from_secs(1))
        });
        assert!(tries.is_some(), "nothing was kept of {operation}");
        eventually(Duration::from_secs(120), operation, || {
            (self.desk.calls(operation) >= sent).then_some(())
        });
        begun.kill();
        let open = self.desk.attempts(operation);
        let open = open.iter().filter(|row| row["outcome"] == "sending").count();
        assert!(open > 0, "{operation} was answered before the kill");
        // AWS: fleet settings take up to a minute to show.
        self.desk.simulation.post("/_simulator/advance", &json!({ "seconds": 90 }));
    }

    fn run(&self) -> Value {
        only_run(self.desk.home.path(), &self.desk.db)
    }

    fn resumed(&self) -> Group {
        self.desk.begin_resuming(self.run()["id"].as_str().unwrap())
    }

    fn live(&self) -> usize {
        live(&self.desk, &self.fleet)
    }
}

/// Counts the game sessions of a fleet that have not ended.
fn live(desk: &Desk, fleet: &str) -> usize {
    let sessions = desk.truth("GameSessions");
    let live = |session: &&Value| {
        session["FleetId"] == fleet && !["TERMINATED", "ERROR"].contains(&session["Status"].as_str().unwrap())
    };
    sessions.iter().filter(live).count()
}

#[test]
fn a_drain_killed_at_each_of_its_steps_ends_with_an_empty_fleet_and_nothing_sent_twice() {
    let mut desk = Desk::at(&["--scenario", "quiet", "--seed", "3", "--no-throttle"]);
    take_the_whole_budget(desk.home.path());
    let fleets = desk.truth("Fleets");
    let fleet = fleets.iter().find(|fleet| fleet["FleetType"] == "SPOT").unwrap();
    let fleet = fleet["FleetId"].as_str().unwrap().to_owned();
    desk.simulation.until("a dozen game sessions on the fleet", || (live(&desk, &fleet) > 12).then_some(()));
    let queues = desk.truth("GameSessionQueues");
    let arns = |queue: &Value| -> Vec<String> {
        let places = queue["Destinations"].as_array().unwrap().iter();
        places.map(|place| place["DestinationArn"].as_str().unwrap().to_owned()).collect()
    };
    let placing = |queue: &&Value| arns(queue).iter().any(|arn| arn.ends_with(&fleet));
    let [queue] = queues.iter().filter(placing).collect::<Vec<_>>()[..] else {
        panic!("one queue places there")
    };
    let left: Vec<String> = arns(queue).into_iter().filter(|arn| !arn.ends_with(&fleet)).collect();
    let route = format!("{}={}", queue["Name"].as_str().unwrap(), left.join(","));
    let places = desk.truth("FleetCapacity").iter().filter(|place| place["FleetId"] == *fleet).count() as u64;

    let post = Post::before(&desk.endpoint);
    desk.endpoint.clone_from(&post.endpoint);
    let drain = Drain { desk, post, fleet };
    let desk = &drain.desk;
    assert!(drain.live() > 8);

    drain.post.keep("UpdateGameSessionQueue", Keeps::Answer);
    // More than fifty game sessions require a typed confirmation even outside production.
    let words = ["fleet", "drain", &drain.fleet, "--protect", "--queue", &route, "--confirm", "guard"];
    let begun = desk.begin(&words);
    drain.killed_at(begun, "UpdateGameSessionQueue", 1);

    drain.post.keep("UpdateGameSession", Keeps::Answer);
    drain.killed_at(drain.resumed(), "UpdateGameSession", 1);

    drain.post.keep("StopFleetActions", Keeps::Answer);
    drain.killed_at(drain.resumed(), "StopFleetActions", places);

    let counted = desk.calls("DescribeGameSessions");
    let mut waiting = drain.resumed();
    eventually(Duration::from_secs(240), "it counts who is left", || {
        (desk.calls("DescribeGameSessions") >= counted + 6).then_some(())
    });
    waiting.kill();
    a_drain_led_elsewhere_earlier(&desk.db, 2);
    assert_eq!(desk.calls("UpdateFleetCapacity"), 0);
    assert!(drain.live() > 0, "the fleet ran empty too early for this story");
    for _ in 0..96 {
        if drain.live() == 0 {
            break;
        }
        desk.simulation.post("/_simulator/advance", &json!({ "seconds": 900 }));
    }
    assert_eq!(drain.live(), 0);

    drain.post.keep("UpdateFleetCapacity", Keeps::Answer);
    drain.killed_at(drain.resumed(), "UpdateFleetCapacity", places);
    let run = drain.run();
    let ended = eventually(Duration::from_secs(180), "it is known what arrived", || {
        drain.post.moves_on();
        let ended =
            desk.run(&["activity", "resume", run["id"].as_str().unwrap(), "--yes", "--confirm", "guard"]);
        (drain.run()["state"] != "paused").then_some(ended)
    });
    // 4 if game sessions ended before they could be protected.
    assert!([0, 4].contains(&ended.code), "{}{}", ended.stdout, ended.stderr);
    assert_eq!(drain.run()["state"], "finished");
    desk.simulation.post("/_simulator/advance", &json!({ "seconds": 90 }));

    for place in desk.truth("FleetCapacity").iter().filter(|place| place["FleetId"] == *drain.fleet) {
        assert_eq!(place["InstanceCounts"]["DESIRED"], 0, "{place}");
        assert_eq!(place["InstanceCounts"]["MAXIMUM"], 0, "{place}");
    }
    let forced = |session: &Value| {
        session["FleetId"] == *drain.fleet
            && session["StatusReason"].as_str().is_some_and(|reason| reason != "INTERRUPTED")
    };
    assert!(!desk.truth("GameSessions").iter().any(forced), "a drain ends no game session");
    desk.settle_for_good(&drain.post);
    let rows = desk.record();
    assert!(rows.iter().all(|row| row["run_id"] == run["id"]), "every attempt belongs to the drain");
    let mut done: BTreeMap<String, u64> = BTreeMap::new();
    for row in &rows {
        assert!(row["outcome"] == "done" || row["outcome"] == "failed", "{row}");
        *done.entry(row["operation"].as_str().unwrap().to_owned()).or_default() +=
            u64::from(row["outcome"] == "done");
    }
    for (operation, times) in [
        ("UpdateGameSessionQueue", 1),
        ("UpdateFleetAttributes", 1),
        ("StopFleetActions", places),
        ("UpdateFleetCapacity", places),
    ] {
        assert_eq!((desk.calls(operation), done[operation]), (times, times), "{operation}: {rows:?}");
    }
    // Requests that were in flight at a kill and did not arrive are sent again.
    let is_lost = |row: &&Value| row["message"].as_str().is_some_and(|text| text.contains("did not arrive"));
    let protections = rows.iter().filter(|row| row["operation"] == "UpdateGameSession" && !is_lost(row));
    let sessions: BTreeSet<&str> = protections.clone().map(|row| row["resource"].as_str().unwrap()).collect();
    assert_eq!(sessions.len(), protections.count(), "each game session was protected once");
    assert!(desk.calls("UpdateGameSession") <= sessions.len() as u64, "none was sent twice");
}
