//! The command line as a contract: exit codes, and messages that say what is wrong and what to do.
//!
//! Runs the built program with its own home and none of the machine's AWS settings.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the verdict, in its helpers too")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use assert_cmd::assert::Assert;

fn liftdeck(home: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("liftdeck"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("AWS_") {
            command.env_remove(name);
        }
    }
    command
        .env("LIFTDECK_HOME", home)
        .env("HOME", home)
        .env("AWS_EC2_METADATA_DISABLED", "true")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("LIFTDECK_LOG")
        .current_dir(home)
        .stdin(Stdio::null());
    command
}

fn run(home: &Path, arguments: &[&str]) -> Assert {
    assert_cmd::Command::from_std(liftdeck(home)).args(arguments).assert()
}

/// Returns the text on stderr. Fails if the program panicked.
fn said(assert: &Assert) -> String {
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(!text.contains("panicked"), "{text}");
    text
}

/// `liftdeck simulate` beside a test; dropping this ends it.
struct Simulation {
    process: Child,
    ready: serde_json::Value,
}

impl Simulation {
    fn start(home: &Path) -> Self {
        let mut command = liftdeck(home);
        command.args(["simulate", "--speed", "0"]).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { process, ready: serde_json::from_str(&line).unwrap() }
    }

    fn endpoint(&self) -> &str {
        self.ready["endpoint"].as_str().unwrap()
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_version_is_told() {
    let home = tempfile::tempdir().unwrap();
    run(home.path(), &["--version"]).success().stdout(format!("liftdeck {}\n", env!("CARGO_PKG_VERSION")));
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_window_says_so() {
    let home = tempfile::tempdir().unwrap();
    for arguments in [&[] as &[&str], &["demo"]] {
        let text = said(&run(home.path(), arguments).code(1));
        assert!(text.contains("DISPLAY") && text.contains("liftdeck collect"), "{text}");
    }
}

#[test]
fn wrong_use_ends_with_two_and_says_what_is_meant() {
    let home = tempfile::tempdir().unwrap();
    for (arguments, named) in [
        (vec!["collect", "--db", "x.sqlite"], "--region"),
        (vec!["collect", "--db", "x.sqlite", "--region", "Ireland"], "eu-west-1"),
        (vec!["collect", "--db", "x.sqlite", "--region", "eu-west-1", "--for", "soon"], "10m"),
        (vec!["collect", "--db", "x.sqlite", "--region", "eu-west-1", "--endpoint-url", "host:1"], "http://"),
        (vec!["collect", "--db", "x.sqlite", "--region", "eu-west-1", "--event-queue", "mine"], "mine"),
        (vec!["export", "dragons", "--db", "x.sqlite"], "game-sessions"),
        (vec!["export", "fleets", "--db", "x.sqlite", "--since", "yesterday"], "7d"),
        (vec!["export", "game-sessions", "--db", "x.sqlite", "--where", "status:"], "^"),
        (vec!["open", "liftdeck://live/nowhere"], "no screen"),
        (vec!["liftdeck://live/sessions/new"], "opens no form"),
        (vec!["chart", "scaling", "--db", "x.sqlite", "--out", "x.png"], "--fleet"),
        (vec!["chart", "sessions", "--db", "x.sqlite", "--out", "x.jpg"], ".svg"),
        (vec!["simulate", "--scenario", "armageddon"], "launch-day"),
        (
            vec!["export", "game-sessions", "--db", "x.sqlite", "--where", "+playres:2"],
            "^^^^^^^ there is no field `playres`; did you mean `players`?",
        ),
        (
            vec!["session", "list", "--db", "x.sqlite", "--where", "+values.metadata.mode:x"],
            "did you mean the game property `prop.mode`?",
        ),
        (
            vec!["session", "list", "--db", "x.sqlite", "--where", "-regoin:eu-west-1"],
            "there is no field `regoin`",
        ),
        (vec!["collect", "--connection", "Nobody", "--once"], "no connection Nobody"),
        (vec!["collect", "--connection", "Live", "--db", "x.sqlite"], "--db"),
        (vec!["chart", "sessions", "--db", "x.sqlite", "--out", "-"], "--format"),
        (vec!["fleet", "capacity", "f", "--db", "x.sqlite", "--region", "eu-west-1"], "--desired"),
        (vec!["queue", "update", "q", "--db", "x.sqlite", "--region", "eu-west-1"], "--timeout"),
        (vec!["alias", "edit", "a", "--db", "x.sqlite", "--region", "eu-west-1"], "--description"),
        (vec!["session", "update", "s", "--db", "x.sqlite", "--region", "eu-west-1"], "--max-players"),
        (vec!["session", "terminate", "plc-123", "--db", "x.sqlite"], "id:plc-123"),
        (vec!["session", "reserve", "plc-123", "--player", "ada", "--db", "x.sqlite"], "full ARN"),
        (
            vec![
                "session",
                "log",
                "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/s",
                "--db",
                "x.sqlite",
                "--out",
                "-",
            ],
            "zip",
        ),
        (vec!["fleet", "list", "--watch", "0", "--db", "x.sqlite"], "3600"),
        (vec!["completion", "tcsh"], "powershell"),
    ] {
        let text = said(&run(home.path(), &arguments).code(2));
        assert!(text.contains(named), "{arguments:?}: {text}");
    }
    assert!(!home.path().join("x.sqlite").exists(), "wrong use makes no file");
}

#[test]
fn a_query_may_begin_with_a_minus() {
    let home = tempfile::tempdir().unwrap();
    for words in [["export", "game-sessions"], ["session", "list"]] {
        let arguments = [&words[..], &["--db", "absent.sqlite", "--where", "-region:eu-west-1"]].concat();
        let text = said(&run(home.path(), &arguments).code(1));
        assert!(text.contains("absent.sqlite"), "it is read as a query: {text}");
    }
}

#[test]
fn a_file_that_is_no_database_is_named_and_left_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("notes.txt"), "kept").unwrap();
    for words in [&["export", "fleets"][..], &["status"], &["fleet", "list"]] {
        let text = said(&run(home.path(), &[words, &["--db", "notes.txt"]].concat()).code(1));
        assert!(text.contains("is not a Liftdeck database"), "{text}");
    }
    assert_eq!(std::fs::read_to_string(home.path().join("notes.txt")).unwrap(), "kept");
}

#[test]
fn credentials_that_are_nowhere_are_told_in_one_line() {
    let home = tempfile::tempdir().unwrap();
    let text =
        said(&run(home.path(), &["collect", "--once", "--db", "x.sqlite", "--region", "eu-west-1"]).code(1));
    assert!(
        text.starts_with("liftdeck: AWS credentials could not be loaded: no credentials found"),
        "{text}"
    );
    assert!(text.contains("aws sso login") && text.lines().count() == 1, "{text}");
}

#[test]
fn credentials_of_a_profile_that_come_from_elsewhere_are_told_from_an_endpoint_that_is_gone() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path());
    std::fs::create_dir(home.path().join(".aws")).unwrap();
    let config = "[profile given]\ncredential_process = false\nregion = eu-west-1\n";
    std::fs::write(home.path().join(".aws/config"), config).unwrap();
    let arguments = ["collect", "--once", "--db", "x.sqlite", "--region", "eu-west-1", "--profile", "given"];
    let arguments = [&arguments[..], &["--endpoint-url", simulation.endpoint()]].concat();
    let text = said(&run(home.path(), &arguments).code(1));
    assert!(text.contains("The credentials of the profile given could not be loaded"), "{text}");
    assert!(!text.contains("Check that http") && !text.contains("Provider"), "{text}");
}

#[test]
fn shells_are_told_how_to_complete_and_manual_pages_are_written() {
    let home = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let printed = run(home.path(), &["completion", shell]).success();
        let script = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
        assert!(script.contains("LIFTDECK_COMPLETE") && script.contains("liftdeck"), "{shell}: {script}");
    }
    run(home.path(), &["man", "pages"]).success();
    let page = std::fs::read_to_string(home.path().join("pages/liftdeck-fleet-list.1")).unwrap();
    assert!(page.contains("--watch") || page.contains("\\-\\-watch"), "{page}");
    let first = run(home.path(), &["man"]).success();
    assert!(String::from_utf8_lossy(&first.get_output().stdout).contains(".TH liftdeck"));
}

#[test]
fn an_unreachable_endpoint_is_named_and_leaves_no_file() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["collect", "--once", "--db", "x.sqlite", "--region", "eu-west-1"];
    let arguments = [&arguments[..], &["--endpoint-url", "http://127.0.0.1:9"]].concat();
    let text = said(&run(home.path(), &arguments).code(1));
    assert!(text.contains("http://127.0.0.1:9") && text.contains("eu-west-1"), "{text}");
    assert!(!home.path().join("x.sqlite").exists());
}

#[test]
fn an_absent_profile_is_named() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["collect", "--db", "x.sqlite", "--region", "eu-west-1", "--profile", "nobody"];
    let text = said(&run(home.path(), &arguments).code(1));
    assert!(text.contains("nobody") && text.contains("aws configure"), "{text}");
}

#[test]
fn a_database_that_is_not_there_is_named_and_not_made() {
    let home = tempfile::tempdir().unwrap();
    for arguments in [
        vec!["export", "fleets", "--db", "absent.sqlite"],
        vec!["chart", "sessions", "--db", "absent.sqlite", "--out", "x.svg"],
    ] {
        let text = said(&run(home.path(), &arguments).code(1));
        assert!(text.contains("absent.sqlite"), "{text}");
    }
    assert!(!home.path().join("absent.sqlite").exists());
}

#[test]
fn a_database_in_a_place_that_cannot_be_is_named() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path());
    std::fs::write(home.path().join("file"), "no folder").unwrap();
    let arguments = ["collect", "--once", "--db", "file/x.sqlite", "--region", "eu-west-1"];
    let arguments = [&arguments[..], &["--endpoint-url", simulation.endpoint()]].concat();
    let text = said(&run(home.path(), &arguments).code(1));
    assert!(text.contains("file/x.sqlite"), "{text}");
}

#[test]
fn what_is_collected_can_be_exported_and_drawn() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path());
    let mut fleets: Vec<serde_json::Value> = Vec::new();
    // A slow machine takes longer to read the first data.
    for length in ["4s", "20s", "100s"] {
        let collect = ["collect", "--for", length, "--json", "--db", "x.sqlite", "--region", "eu-west-1"];
        let collect = [&collect[..], &["--endpoint-url", simulation.endpoint()]].concat();
        let collected = run(home.path(), &collect).success();
        let ran: serde_json::Value = serde_json::from_slice(&collected.get_output().stdout).unwrap();
        let exported = run(home.path(), &["export", "fleets", "--db", "x.sqlite"]).success();
        let text = String::from_utf8(exported.get_output().stdout.clone()).unwrap();
        fleets = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        if !fleets.is_empty() {
            assert!(ran["calls"]["DescribeFleetAttributes"]["calls"].as_u64().unwrap() > 0, "{ran}");
            break;
        }
    }
    assert!(fleets.len() > 2, "{fleets:?}");

    run(home.path(), &["export", "fleets", "--db", "x.sqlite", "--format", "csv", "--out", "f.csv"])
        .success();
    let rows = std::fs::read_to_string(home.path().join("f.csv")).unwrap().lines().count();
    assert_eq!(rows, fleets.len() + 1);

    let text = said(&run(home.path(), &["export", "fleets", "--db", "x.sqlite", "--where", "a"]).code(2));
    assert!(text.contains("--where"), "{text}");

    let fleet = fleets[0]["fleet_id"].as_str().unwrap();
    run(home.path(), &["chart", "scaling", "--db", "x.sqlite", "--fleet", fleet, "--out", "s.png"]).success();
    for (shell, value) in [("bash", 3), ("fish", 0)] {
        let mut asked = liftdeck(home.path());
        asked.args(["--", "liftdeck", "fleet", "show", &fleet[..9], "--db", "x.sqlite"]);
        asked.env("LIFTDECK_COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", value.to_string());
        if shell == "bash" {
            let offered = asked.output().unwrap();
            let offered = String::from_utf8_lossy(&offered.stdout).into_owned();
            assert!(offered.contains(fleet), "{offered}");
        }
    }
    let wrong = [
        "activity",
        "undo",
        "1234",
        "--db",
        "x.sqlite",
        "--endpoint-url",
        simulation.endpoint(),
        "--dry-run",
    ];
    let text = said(&run(home.path(), &wrong).code(1));
    assert!(text.contains("no attempt 1234") && text.contains("activity list"), "{text}");
    assert!(std::fs::read(home.path().join("s.png")).unwrap().starts_with(b"\x89PNG"));
    let missing = ["chart", "scaling", "--db", "x.sqlite", "--fleet", "fleet-none", "--out", "n.svg"];
    assert!(said(&run(home.path(), &missing).code(1)).contains("fleet-none"));
    assert!(!home.path().join("n.svg").exists());
}

#[cfg(unix)]
#[test]
fn the_simulator_prints_one_line_and_stops_when_asked() {
    let home = tempfile::tempdir().unwrap();
    let mut command = liftdeck(home.path());
    command.args(["simulate", "--seed", "7", "--scenario", "capped-fleet"]).stdout(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut out = BufReader::new(process.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let ready: serde_json::Value = serde_json::from_str(&line).unwrap();
    for member in ["endpoint", "account", "regions", "event_queues", "scenario", "seed"] {
        assert!(!ready[member].is_null(), "{member} is missing: {line}");
    }
    assert_eq!((ready["scenario"].as_str(), ready["seed"].as_u64()), (Some("capped-fleet"), Some(7)));
    assert!(Command::new("kill").arg(process.id().to_string()).status().unwrap().success());
    assert_eq!(process.wait().unwrap().code(), Some(0));
    line.clear();
    out.read_line(&mut line).unwrap();
    assert_eq!(line, "", "one line is all it prints");
}

#[cfg(unix)]
#[test]
fn a_second_copy_on_the_same_database_is_refused_and_the_first_stops_in_order() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path());
    let arguments = ["collect", "--db", "x.sqlite", "--region", "eu-west-1", "--endpoint-url"];
    let arguments = [&arguments[..], &[simulation.endpoint()]].concat();
    let mut first = liftdeck(home.path());
    let mut first = first.args(&arguments).stdout(Stdio::null()).spawn().unwrap();
    let begun = std::time::Instant::now();
    // The database file exists before it is locked; the socket exists only afterwards.
    while !home.path().join("x.sqlite.sock").exists() {
        assert!(begun.elapsed().as_secs() < 180, "the first copy opens no socket");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let text = said(&run(home.path(), &[&arguments[..], &["--once"]].concat()).code(1));
    assert!(text.contains("x.sqlite") && text.contains("another copy"), "{text}");
    assert!(Command::new("kill").arg(first.id().to_string()).status().unwrap().success());
    assert_eq!(first.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_collection_told_to_stop_before_it_reached_anybody_ends_in_order() {
    let home = tempfile::tempdir().unwrap();
    // Accepts connections and never responds.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let mut command = liftdeck(home.path());
    command.args(["collect", "--db", "x.sqlite", "--region", "eu-west-1", "--endpoint-url", &endpoint]);
    let mut process = command.spawn().unwrap();
    let asked = silent.accept().unwrap();
    assert!(Command::new("kill").arg(process.id().to_string()).status().unwrap().success());
    assert_eq!(process.wait().unwrap().code(), Some(0));
    assert!(!home.path().join("x.sqlite").exists());
    drop(asked);
}
