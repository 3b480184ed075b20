//! Requests that are held back until they are given up, and then arrive. AWS carries each out once, and the record
//! becomes right by itself.

use std::time::Duration;

use liftdeck_tests::post::{Keeps, Post};
use liftdeck_tests::program::{Group, command, eventually, only_run, socket_of};
use serde_json::{Value, json};

use super::Desk;

/// A world in which all requests of the program pass through a proxy.
struct Held {
    desk: Desk,
    post: Post,
}

impl Held {
    fn new() -> Self {
        let mut desk = Desk::at(&["--scenario", "quiet", "--seed", "3"]);
        let post = Post::before(&desk.endpoint);
        desk.endpoint.clone_from(&post.endpoint);
        Self { desk, post }
    }

    /// Starts a program that keeps the database open during the test: it checks the outcome of changes again.
    fn collecting(&self) -> Group {
        let mut command = command(self.desk.home.path());
        let collecting = Group::spawn(command.args(self.desk.words(&["collect"])));
        let socket = socket_of(&self.desk.db);
        eventually(Duration::from_secs(120), "it takes commands", || socket.exists().then_some(()));
        collecting
    }

    /// Waits until the record says of an attempt at an operation that its outcome is unknown.
    fn is_given_up(&self, operation: &str) {
        eventually(Duration::from_secs(240), &format!("{operation} is given up"), || {
            let rows = self.desk.attempts(operation);
            rows.iter().any(|row| row["outcome"] == "unknown").then_some(())
        });
    }

    /// Releases the request. By hand it can be held for longer: `LIFTDECK_HELD_S=40`.
    fn let_go(&self) {
        let longer = std::env::var("LIFTDECK_HELD_S").ok().and_then(|seconds| seconds.parse().ok());
        std::thread::sleep(Duration::from_secs(longer.unwrap_or(0)));
        self.post.let_go();
    }

    /// Returns the attempts at an operation once all of them are done without a further command. Nothing was sent
    /// twice.
    fn ends_done(&self, operation: &str) -> Vec<Value> {
        let rows = eventually(Duration::from_secs(300), &format!("{operation} ends as done"), || {
            let rows = self.desk.attempts(operation);
            rows.iter().all(|row| row["outcome"] == "done").then_some(rows)
        });
        assert_eq!(self.desk.calls(operation), rows.len() as u64, "{operation}: {rows:?}");
        rows
    }

    /// Passes the time that AWS needs: fleet settings take up to a minute to show.
    fn pass_a_minute(&self) {
        self.desk.simulation.post("/_simulator/advance", &json!({ "seconds": 90 }));
    }

    /// Returns the id and state of the only run.
    fn run(&self) -> (String, String) {
        let run = only_run(self.desk.home.path(), &self.desk.db);
        (run["id"].as_str().unwrap().to_owned(), run["state"].as_str().unwrap().to_owned())
    }

    fn comes_to_rest(&self, as_state: &str) -> String {
        eventually(Duration::from_secs(240), "the run comes to rest", || {
            let (id, state) = self.run();
            (state == as_state).then_some(id)
        })
    }
}

#[test]
fn what_is_held_until_it_was_given_up_is_carried_out_once_and_ends_as_done_by_itself() {
    let held = Held::new();
    let desk = &held.desk;
    let (fleet, session) = (desk.fleet(), desk.sessions(1).remove(0));
    let _collecting = held.collecting();
    let changes = [
        ("CreateAlias", vec!["alias", "create", "held", "--fleet", &fleet]),
        ("TerminateGameSession", vec!["session", "terminate", &session, "--force"]),
        ("UpdateFleetCapacity", vec!["fleet", "capacity", &fleet, "--max", "63"]),
    ];
    for (operation, _) in &changes {
        held.post.keep(operation, Keeps::Late);
    }
    let _begun: Vec<Group> = changes.iter().map(|(_, words)| desk.begin(words)).collect();
    for (operation, _) in &changes {
        held.is_given_up(operation);
        assert_eq!(desk.calls(operation), 0, "{operation} has not arrived");
    }
    held.let_go();
    for (operation, _) in &changes {
        eventually(Duration::from_secs(120), operation, || (desk.calls(operation) == 1).then_some(()));
    }
    held.pass_a_minute();
    for (operation, _) in &changes {
        let [row] = held.ends_done(operation).try_into().unwrap();
        assert_eq!(row["proof"], "seen", "AWS does not tell who did it: {row}");
    }
    assert!(desk.found("Aliases", "Name", "held").is_some());
    let ended = desk.found("GameSessions", "GameSessionId", &session);
    assert!(ended.as_ref().is_none_or(|session| session["Status"] != "ACTIVE"), "{ended:?}");
    let capacity = desk
        .truth("FleetCapacity")
        .into_iter()
        .find(|place| place["FleetId"] == *fleet && place["Location"] == *desk.region);
    assert_eq!(capacity.unwrap()["InstanceCounts"]["MAXIMUM"], 63);

    let row = desk.attempts("UpdateFleetCapacity").remove(0);
    let undone = desk.run(&["activity", "undo", row["activity_id"].as_str().unwrap(), "--yes"]);
    assert_eq!(undone.code, 3, "{}{}", undone.stdout, undone.stderr);
    assert!(undone.stderr.contains("someone else may have done it"), "{}", undone.stderr);
}

#[test]
fn what_was_unknown_when_the_program_was_killed_ends_as_done_after_it_began_again() {
    let held = Held::new();
    let fleet = held.desk.fleet();
    let mut collecting = held.collecting();
    held.post.keep("CreateAlias", Keeps::Late);
    let mut begun = held.desk.begin(&["alias", "create", "held", "--fleet", &fleet]);
    held.is_given_up("CreateAlias");
    begun.wait(Duration::from_secs(120));
    collecting.kill();
    held.let_go();
    let _collecting = held.collecting();
    assert_eq!(held.ends_done("CreateAlias").len(), 1);
}

#[test]
fn a_change_of_a_run_that_was_held_ends_as_done_by_itself_and_is_sent_once() {
    let held = Held::new();
    let sessions = held.desk.sessions(3);
    let _collecting = held.collecting();
    held.post.keep("TerminateGameSession", Keeps::Late);
    let words =
        [&["session", "terminate", "--force"][..], &[&sessions[0], &sessions[1], &sessions[2]]].concat();
    let _begun = held.desk.begin(&words);
    held.is_given_up("TerminateGameSession");
    held.comes_to_rest("finished");
    assert_eq!(held.desk.calls("TerminateGameSession"), 2);
    held.let_go();
    assert_eq!(held.ends_done("TerminateGameSession").len(), 3);
}

#[test]
fn a_drain_waits_for_what_was_held_and_goes_on_without_sending_it_again() {
    let held = Held::new();
    let fleet = held.desk.fleet();
    let _collecting = held.collecting();
    held.post.keep("StopFleetActions", Keeps::Late);
    let _begun = held.desk.begin(&["fleet", "drain", &fleet, "--confirm", "guard"]);
    held.is_given_up("StopFleetActions");
    let run = held.comes_to_rest("paused");
    // Resuming sends nothing again while the outcome is unknown.
    let _again = held.desk.run(&["activity", "resume", &run, "--yes", "--confirm", "guard"]);
    assert_eq!(held.comes_to_rest("paused"), run);
    let sent = held.desk.attempts("StopFleetActions").len();
    held.let_go();
    eventually(Duration::from_secs(120), "it arrives", || {
        (held.desk.calls("StopFleetActions") == sent as u64).then_some(())
    });
    held.pass_a_minute();
    held.ends_done("StopFleetActions");
    let _resumed = held.desk.begin_resuming(&run);
    let counted = held.desk.calls("DescribeGameSessions");
    held.comes_to_rest("running");
    eventually(Duration::from_secs(240), "it waits for an empty fleet", || {
        (held.desk.calls("DescribeGameSessions") > counted).then_some(())
    });
    let places = held.ends_done("StopFleetActions").len();
    assert_eq!(places, sent, "each location was suspended once");
}

#[test]
fn an_answer_that_cannot_be_recorded_is_recorded_as_soon_as_it_can() {
    let held = Held::new();
    let (fleet, desk) = (held.desk.fleet(), &held.desk);
    let _collecting = held.collecting();
    held.post.keep("CreateAlias", Keeps::Late);
    let mut begun = desk.begin(&["alias", "create", "unrecorded", "--fleet", &fleet]);
    held.post.wait("CreateAlias");
    // Locks the database: every write is refused, as on a full disk.
    let other = rusqlite::Connection::open(&desk.db).unwrap();
    other.busy_timeout(Duration::from_secs(60)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    held.post.let_go();
    eventually(Duration::from_secs(120), "AWS has done it", || desk.found("Aliases", "Name", "unrecorded"));
    // The caller gets the result, although it is not on record.
    assert_eq!(begun.wait(Duration::from_secs(120)), 0);
    assert_eq!(desk.attempts("CreateAlias")[0]["outcome"], "sending");
    other.execute_batch("ROLLBACK").unwrap();
    drop(other);
    let [row] = held.ends_done("CreateAlias").try_into().unwrap();
    assert_eq!(row["proof"], "answered", "what was known is written, not looked for: {row}");
    assert!(row["request_id"].is_string() && row["made"].is_string(), "{row}");
}
