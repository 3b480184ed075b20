//! Changes while AWS throttles and a collector runs beside them. They get through, and the rate limits hold.

use std::process::Stdio;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use liftdeck_tests::program::{Group, command};
use serde_json::Value;

use super::Desk;

/// The share of AWS's rates that the program uses by default.
const SHARE: f64 = 0.2;
/// Rates that AWS publishes, per second; those of every other operation here are 30 or more.
const RATES: [(&str, f64); 8] = [
    ("DescribeGameSessions", 20.0),
    ("UpdateAlias", 20.0),
    ("UpdateGameSession", 20.0),
    ("TerminateGameSession", 20.0),
    ("DescribePlayerSessions", 200.0),
    ("DescribeGameSessionPlacement", 75.0),
    ("DescribeMatchmaking", 200.0),
    ("DescribeAlias", 30.0),
];
/// Time between looks until the changes have ended, because a rate is measured over time.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
const CHANGES: [&str; 3] = ["UpdateAlias", "UpdateGameSession", "TerminateGameSession"];

/// Calls of every GameLift operation so far, counted at some moment between two known ones.
struct Look {
    asked: Instant,
    told: Instant,
    calls: Value,
}

impl Look {
    fn at(desk: &Desk) -> Self {
        let asked = Instant::now();
        let calls = desk.simulation.get("/_simulator/calls")[&desk.region].clone();
        Self { asked, told: Instant::now(), calls }
    }

    /// Returns how long the simulator took to answer: it may have counted a request that much later.
    fn took(&self) -> Duration {
        self.told - self.asked
    }
}

fn count(calls: &Value, operation: &str) -> u64 {
    calls[format!("gamelift:{operation}")]["calls"].as_u64().unwrap_or(0)
}

#[test]
fn changes_get_through_a_throttled_region_within_the_budget_while_collection_goes_on() {
    // The world stands still, so that no game session ends before its turn. The game's backend still calls in its
    // bursts.
    let desk = Desk::at(&["--scenario", "throttled", "--seed", "3", "--speed", "0"]);
    let fleets = desk.fleets();
    let leads = |alias: &Value| alias["RoutingStrategy"]["Type"] == "SIMPLE";
    let alias = desk.truth("Aliases").into_iter().find(leads).unwrap();
    let to = fleets.iter().find(|fleet| alias["RoutingStrategy"]["FleetId"] != ***fleet).unwrap().clone();
    let alias = alias["AliasId"].as_str().unwrap().to_owned();
    let sessions = desk.sessions(7);

    // A connection's database has one writer at a time, so the collector beside it uses its own.
    let mut collect = command(desk.home.path());
    collect.args([
        "collect",
        "--for",
        "1h",
        "--region",
        &desk.region,
        "--endpoint-url",
        &desk.endpoint,
        "--db",
    ]);
    collect.arg(desk.home.path().join("collected.sqlite"));
    let mut collecting = Group::spawn(collect.stdout(Stdio::null()).stderr(Stdio::null()));

    let before = Look::at(&desk);
    let looks = std::thread::scope(|scope| {
        let (changing, changed) = channel::<()>();
        let desk = &desk;
        let (alias, to, sessions) = (&alias, &to, &sessions);
        let changes = scope.spawn(move || {
            let _changing = changing;
            desk.made(&["alias", "repoint", alias, "--fleet", to]);
            desk.made(&["session", "terminate", &sessions[0], "--force"]);
            let mut words = vec!["session", "update", "--name", "renamed"];
            words.extend(sessions[1..7].iter().map(String::as_str));
            desk.made(&words);
        });
        let mut looks = vec![before];
        while changed.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
            looks.push(Look::at(desk));
        }
        looks.push(Look::at(desk));
        changes.join().unwrap();
        looks
    });
    assert!(collecting.runs(), "the collector ended early");
    collecting.kill();

    let alias = desk.found("Aliases", "AliasId", &alias).unwrap();
    assert_eq!(alias["RoutingStrategy"]["FleetId"], *to);
    assert!(desk.record().iter().filter(|row| row["outcome"] == "done").count() >= 8, "{:?}", desk.record());

    let (before, after) = (&looks[0], &looks[looks.len() - 1]);
    let grown = |operation: &str| count(&after.calls, operation) - count(&before.calls, operation);
    assert!(grown("DescribeGameSessions") > 0, "reads starved for {:?}", after.told - before.asked);
    let slowest = looks.iter().map(Look::took).max().unwrap_or_default().as_secs_f64();
    let counted = after.calls.as_object().unwrap();
    for operation in counted.keys().filter_map(|action| action.strip_prefix("gamelift:")) {
        let rate = RATES.iter().find(|(known, _)| *known == operation).map_or(30.0, |(_, rate)| *rate);
        // Two processes read, each within its own share; only one makes changes.
        let programs = if CHANGES.contains(&operation) { 1.0 } else { 2.0 };
        for (at, earlier) in looks.iter().enumerate() {
            for later in
                looks[at..].iter().filter(|later| later.told - earlier.asked >= Duration::from_secs(2))
            {
                let seconds = (later.told - earlier.asked).as_secs_f64();
                // A call sent before the first look may be counted after it, on a busy machine seconds later.
                let late = seconds + 1.0 + slowest;
                let most = programs * ((SHARE * rate).floor().max(1.0) * late + 1.0);
                let asked = count(&later.calls, operation) - count(&earlier.calls, operation);
                assert!(
                    asked as f64 <= most,
                    "{asked} calls of {operation} in {seconds:.1} s; {most:.0} at most"
                );
            }
        }
    }
}
