//! Commands while another program has the database open: they run in that program, print in the caller's terminal,
//! and end as they would have ended by themselves.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{Ended, Group, Simulation, command, eventually, rows, run, socket_of};
use serde_json::{Value, json};

/// Time limit for any step on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A frozen simulated world, and a collection that has the database open.
struct Held {
    home: tempfile::TempDir,
    simulation: Simulation,
    region: String,
    db: PathBuf,
    holder: Group,
}

impl Held {
    fn open() -> Self {
        Self::at(|home| home.join("held.sqlite"), |_, _, _| {})
    }

    fn at(db: impl Fn(&Path) -> PathBuf, prepare: impl Fn(&Simulation, &Path, &str)) -> Self {
        let home = tempfile::tempdir().unwrap();
        let simulation =
            Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "3", "--speed", "0"]);
        let region = simulation.regions().remove(0);
        prepare(&simulation, home.path(), &region);
        let db = db(home.path());
        std::fs::create_dir_all(db.parent().unwrap()).unwrap();
        let mut collect = command(home.path());
        collect.args(["collect", "--for", "1h", "--region", &region]);
        collect.args(["--endpoint-url", &simulation.endpoint(), "--db"]).arg(&db);
        let holder = Group::spawn(collect.stdout(Stdio::null()).stderr(Stdio::null()));
        let held = Self { home, simulation, region, db, holder };
        eventually(PATIENCE, "it takes commands", || held.socket().exists().then_some(()));
        held
    }

    fn socket(&self) -> PathBuf {
        socket_of(&self.db)
    }

    fn words(&self, db: &Path, words: &[&str]) -> Vec<String> {
        let (db, endpoint) = (db.to_string_lossy(), self.simulation.endpoint());
        let place = ["--db", &db, "--region", &self.region, "--endpoint-url", &endpoint];
        words.iter().chain(&place).map(|word| (*word).to_owned()).collect()
    }

    fn run(&self, words: &[&str]) -> Ended {
        run(self.home.path(), self.words(&self.db, words))
    }

    /// Makes a change without a prompt and without waiting for its effect.
    fn made(&self, words: &[&str]) -> Value {
        let ended = self.run(&[words, &["--yes", "--no-wait", "--json"]].concat());
        assert_eq!(ended.code, 0, "{words:?}: {}{}", ended.stdout, ended.stderr);
        serde_json::from_str(&ended.stdout).unwrap()
    }

    /// Starts a command with these lines on its standard input and leaves it running.
    fn begin(&self, words: &[&str], lines: &[String]) -> std::process::Child {
        let mut begun = command(self.home.path());
        begun.args(self.words(&self.db, words));
        begun.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut begun = begun.spawn().unwrap();
        begun.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
        begun
    }

    fn truth(&self, kind: &str) -> Vec<Value> {
        let truth = self.simulation.get(&format!("/_simulator/truth?region={}", self.region));
        truth[kind].as_array().unwrap().clone()
    }

    fn alias(&self) -> Value {
        self.truth("Aliases").into_iter().find(|alias| alias["RoutingStrategy"]["Type"] == "SIMPLE").unwrap()
    }

    fn fleets(&self) -> Vec<String> {
        let fleets = self.truth("Fleets").into_iter();
        fleets
            .filter(|fleet| fleet["Status"] == "ACTIVE" && fleet["BuildId"].is_string())
            .filter(|fleet| fleet["ComputeType"] != "ANYWHERE")
            .map(|fleet| fleet["FleetId"].as_str().unwrap().to_owned())
            .collect()
    }

    fn sessions(&self) -> Vec<String> {
        let sessions = self.truth("GameSessions").into_iter().filter(|session| session["Status"] == "ACTIVE");
        sessions.map(|session| session["GameSessionId"].as_str().unwrap().to_owned()).collect()
    }

    fn calls(&self, operation: &str) -> u64 {
        let calls = self.simulation.get("/_simulator/calls");
        calls[&self.region][format!("gamelift:{operation}")]["calls"].as_u64().unwrap_or(0)
    }

    fn record(&self) -> Vec<Value> {
        let ended = run(self.home.path(), ["export", "activity", "--db", &self.db.to_string_lossy()]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        ended.ndjson()
    }

    fn runs(&self) -> Vec<Value> {
        rows(self.home.path(), &self.db, &["activity", "runs"])
    }

    /// Starts a run of many changes and returns once it has begun to send.
    fn begin_run(&self) -> (std::process::Child, usize) {
        let sessions = self
            .simulation
            .until("fifty game sessions", || Some(self.sessions()).filter(|sessions| sessions.len() >= 50));
        let sessions = &sessions[..50];
        // Slow enough that most are still unsent when something happens, even if that is noticed late.
        let slow =
            json!({ "operation": "gamelift:UpdateGameSession", "kind": "latency", "latency_ms": 2_000 });
        self.simulation.post("/_simulator/faults", &json!({ "fault": [slow] }));
        let begun = self.begin(&["session", "update", "-", "--deny", "--yes"], sessions);
        eventually(PATIENCE, "the run sends", || (self.calls("UpdateGameSession") > 0).then_some(()));
        (begun, sessions.len())
    }
}

#[test]
fn changes_are_made_while_a_collection_has_the_database_open() {
    let mut held = Held::open();
    let alias = held.alias();
    let id = alias["AliasId"].as_str().unwrap();
    let fleets = held.fleets();
    let to = fleets.iter().find(|fleet| alias["RoutingStrategy"]["FleetId"] != ***fleet).unwrap();

    let repointed = held.made(&["alias", "repoint", id, "--fleet", to]);
    assert_eq!(repointed["result"]["activities"][0]["outcome"], "done", "{repointed}");
    let now = held.truth("Aliases").into_iter().find(|alias| alias["AliasId"] == id).unwrap();
    assert_eq!(now["RoutingStrategy"]["FleetId"], **to);
    held.made(&["fleet", "capacity", to, "--max", "40"]);
    held.made(&["alias", "undo", id]);
    let now = held.truth("Aliases").into_iter().find(|alias| alias["AliasId"] == id).unwrap();
    assert_eq!(now["RoutingStrategy"], alias["RoutingStrategy"]);

    let record = held.record();
    assert_eq!(record.len(), 3, "{record:?}");
    let of_command_line = |row: &Value| row["outcome"] == "done" && row.to_string().contains("command_line");
    assert!(record.iter().all(of_command_line), "{record:?}");
    let twice = run(held.home.path(), held.words(&held.db, &["collect", "--once"]));
    assert_eq!(twice.code, 1, "one program collects into a database: {}", twice.stderr);
    assert!(held.holder.runs(), "the collection goes on");

    held.holder.signal("-TERM");
    assert_eq!(held.holder.wait(PATIENCE), 0);
    assert!(!held.socket().exists(), "what is closed leaves no socket");
}

#[test]
fn a_bulk_change_from_stdin_ends_with_the_same_words_and_code() {
    let held = Held::open();
    let sessions: Vec<String> = held.sessions().into_iter().take(8).collect();
    let shown = held
        .begin(&["session", "terminate", "-", "--force", "--dry-run"], &sessions)
        .wait_with_output()
        .unwrap();
    let shown = Ended::from(shown);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(shown.stdout.contains("$ aws gamelift terminate-game-session"), "{}", shown.stdout);
    let unasked = held.begin(&["session", "terminate", "-", "--force"], &sessions);
    let unasked = Ended::from(unasked.wait_with_output().unwrap());
    assert_eq!(unasked.code, 3, "{}{}", unasked.stdout, unasked.stderr);
    assert_eq!(held.calls("TerminateGameSession"), 0);

    let mut lines = sessions.clone();
    let never = format!("{}-never", sessions[0]);
    lines.push(never.clone());
    let partly = held.begin(&["session", "update", "-", "--deny", "--yes", "--json"], &lines);
    let partly = Ended::from(partly.wait_with_output().unwrap());
    assert!([1, 4].contains(&partly.code), "{}{}", partly.stdout, partly.stderr);

    let all = held.begin(&["session", "terminate", "-", "--force", "--yes", "--json"], &sessions);
    let all = Ended::from(all.wait_with_output().unwrap());
    assert_eq!(all.code, 0, "{}{}", all.stdout, all.stderr);
    let told: Value = serde_json::from_str(&all.stdout).expect("stdout is one document");
    assert_eq!(told["result"]["run"]["done"], json!(sessions.len()), "{told}");
    assert!(all.stderr.contains("of 8 done"), "progress is told on stderr: {}", all.stderr);
    assert_eq!(held.calls("TerminateGameSession"), 8, "each was sent once");
}

/// Returns the output without request ids, which always differ.
fn without_requests(said: &str) -> String {
    let mut words = said.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        kept.push(word);
        if word == "request" {
            words.next();
        }
    }
    kept.join(" ")
}

#[test]
fn exit_codes_are_those_of_a_command_that_has_the_database_for_itself() {
    let held = Held::open();
    let alone = held.home.path().join("alone.sqlite");
    let (fleet, alias) = (held.fleets().remove(0), held.alias());
    let alias = alias["AliasId"].as_str().unwrap();
    let never = format!("arn:aws:gamelift:{}::gamesession/{fleet}/never-was", held.region);
    let folder = held.home.path().join("elsewhere");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("players.json"), r#"[{"playerId":"ada","latencies":[],"attributes":[]}]"#)
        .unwrap();
    for (words, code) in [
        (vec!["fleet", "capacity", &fleet, "--max", "-1", "--yes"], 2),
        (vec!["fleet", "capacity", &fleet, "--max", "41"], 3),
        (vec!["fleet", "capacity", &fleet, "--max", "41", "--dry-run"], 0),
        (vec!["alias", "undo", alias, "--yes"], 3),
        (vec!["session", "reserve", &never, "--player", "ada", "--yes"], 3),
        (vec!["session", "log", &never], 1),
        (vec!["activity", "undo", "never-was", "--yes"], 1),
        (vec!["matchmaking", "start", "no-such", "--players", "players.json", "--dry-run"], 3),
    ] {
        let ended = |db: &Path| {
            let mut command = command(held.home.path());
            // Relative paths start from the folder of the caller, not of the other program.
            command.args(held.words(db, &words)).current_dir(&folder);
            Ended::from(command.output().unwrap())
        };
        let by_itself = ended(&alone);
        let handed = ended(&held.db);
        assert_eq!(
            (by_itself.code, handed.code),
            (code, code),
            "{words:?}: {}{}",
            by_itself.stderr,
            handed.stderr
        );
        assert_eq!(without_requests(&by_itself.stderr), without_requests(&handed.stderr), "{words:?}");
    }
}

#[test]
fn what_does_not_fit_the_open_database_is_refused() {
    let held = Held::at(
        |home| home.join("data/databases/live.sqlite"),
        |simulation, home, region| {
            simulation.declare_production(home, region, "Live");
        },
    );
    let fleet = held.fleets().remove(0);
    let change = ["fleet", "capacity", &fleet, "--max", "40", "--yes", "--no-wait"];
    let by_name =
        |more: &[&str]| run(held.home.path(), [&change[..], &["--connection", "Live"], more].concat());
    let db = held.db.to_string_lossy();
    // The open database decides which connection is used, even if the command does not name one.
    let bare = run(held.home.path(), [&change[..], &["--db", &db, "--region", &held.region]].concat());
    for refused in [by_name(&[]), by_name(&["--confirm", "Test"]), held.run(&change), bare] {
        assert_eq!(refused.code, 3, "{}{}", refused.stdout, refused.stderr);
        assert!(refused.stderr.contains("Live"), "{}", refused.stderr);
    }
    let other = ["--db", &db, "--region", &held.region, "--endpoint-url", "http://127.0.0.1:9"];
    let other = run(held.home.path(), [&change[..], &other].concat());
    assert_eq!(other.code, 2, "{}{}", other.stdout, other.stderr);
    let region = ["--db", &db, "--region", "ap-south-2"];
    let region = run(held.home.path(), [&change[..], &region].concat());
    assert_eq!(region.code, 3, "{}{}", region.stdout, region.stderr);
    assert!(region.stderr.contains("ap-south-2"), "{}", region.stderr);
    assert_eq!(held.calls("UpdateFleetCapacity"), 0);

    let made = by_name(&["--confirm", "Live"]);
    assert_eq!(made.code, 0, "{}{}", made.stdout, made.stderr);
    assert_eq!(held.calls("UpdateFleetCapacity"), 1);
}

#[test]
fn rubbish_in_the_socket_disturbs_nobody() {
    let mut held = Held::open();
    let connect = || {
        let stream = UnixStream::connect(held.socket()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    };
    let told = |sent: &[u8]| {
        let mut stream = connect();
        // The program may close the connection before everything is written.
        let _ = stream.write_all(sent);
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    };
    let hello = |version: &str| json!({"kind": "hello", "version": version});
    let version = run(held.home.path(), ["--version"]).stdout;
    let version = version.trim().rsplit(' ').next().unwrap();
    let line = |frame: &Value| format!("{frame}\n").into_bytes();
    assert_eq!(told(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "", "what is no frame");
    assert_eq!(told(&[&[0xff; 9_000][..], b"\n"].concat()), "", "what is no text");
    let run = json!({"kind": "run", "words": ["liftdeck", "fleet"], "folder": "/", "lines": [],
        "home": {"config": "/", "data": "/"}, "is_person_there": true,
        "principal": {"account": "111122223333", "arn": "arn:aws:iam::111122223333:user/AKIDEXAMPLE"}});
    assert_eq!(told(&line(&run)), "", "a command without a greeting");
    let older = told(&line(&hello("0.0.1")));
    assert!(older.contains("refused") && older.contains("0.0.1"), "{older}");
    // Half-open connections keep nobody out, and are closed.
    let silent: Vec<UnixStream> = (0..8).map(|_| connect()).collect();

    let fleet = held.fleets().remove(0);
    held.made(&["fleet", "capacity", &fleet, "--max", "40"]);
    for mut stream in silent {
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        assert_eq!(answer, "");
    }
    // The connection is accepted, but the words are not a change: refused like any wrong usage.
    let mut stream = connect();
    stream.write_all(&line(&hello(version))).unwrap();
    let mut answers = BufReader::new(stream.try_clone().unwrap()).lines();
    assert!(answers.next().unwrap().unwrap().contains("accepted"));
    let words = json!(["liftdeck", "collect", "--db", "x", "--region", "eu-west-1"]);
    let mut run = run;
    run["words"] = words;
    stream.write_all(&line(&run)).unwrap();
    let said: Vec<String> = answers.map(Result::unwrap).collect();
    assert!(said.last().unwrap().contains(r#""code":2"#), "{said:?}");
    assert!(held.holder.runs());
}

#[test]
fn a_socket_nobody_listens_at_any_more_is_no_hindrance() {
    let mut held = Held::open();
    let fleet = held.fleets().remove(0);
    held.holder.kill();
    assert!(held.socket().exists(), "what a killed program leaves");
    held.made(&["fleet", "capacity", &fleet, "--max", "40"]);
    assert_eq!(held.calls("UpdateFleetCapacity"), 1);
}

#[test]
fn what_was_confirmed_is_carried_on_when_its_caller_is_killed() {
    let held = Held::open();
    let (mut caller, all) = held.begin_run();
    caller.kill().unwrap();
    caller.wait().unwrap();
    eventually(PATIENCE * 3, "the run is finished", || (held.runs()[0]["state"] == "finished").then_some(()));
    assert_eq!(held.calls("UpdateGameSession"), all as u64, "each was sent once");
    assert!(held.record().iter().all(|row| row["outcome"] == "done"));
}

#[test]
fn a_run_whose_caller_asks_to_stop_is_paused() {
    let held = Held::open();
    let (caller, all) = held.begin_run();
    let signalled = std::process::Command::new("kill").args(["-INT", &caller.id().to_string()]).status();
    assert!(signalled.unwrap().success());
    let ended = Ended::from(caller.wait_with_output().unwrap());
    assert_eq!(ended.code, 4, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("Paused. Go on with"), "{}", ended.stderr);
    assert_eq!(held.runs()[0]["state"], "paused");
    assert!(held.calls("UpdateGameSession") < all as u64, "the rest is not sent");
}

#[test]
fn a_caller_is_told_when_the_program_with_the_database_closes() {
    let mut held = Held::open();
    let (caller, all) = held.begin_run();
    held.holder.signal("-TERM");
    let ended = Ended::from(caller.wait_with_output().unwrap());
    assert_eq!(ended.code, 1, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("activity list"), "{}", ended.stderr);
    assert_eq!(held.holder.wait(PATIENCE), 0);
    assert!(held.calls("UpdateGameSession") < all as u64, "the rest is not sent");
    assert_eq!(held.runs()[0]["state"], "paused");
    assert!(held.record().iter().all(|row| row["outcome"] != "sending"), "what was sent is answered");
}

#[test]
fn a_person_is_asked_where_the_command_was_typed() {
    let held = Held::open();
    let fleet = held.fleets().remove(0);
    for (typed, code, calls) in [("no\n", 3, 0), ("yes\n", 0, 1)] {
        let words = held.words(&held.db, &["fleet", "capacity", &fleet, "--max", "40", "--no-wait"]);
        let line: Vec<String> = [liftdeck_tests::program::path().to_string_lossy().into_owned()]
            .into_iter()
            .chain(words)
            .collect();
        // `script` provides a terminal.
        let mut terminal = command(held.home.path());
        let environment: Vec<(std::ffi::OsString, std::ffi::OsString)> = terminal
            .get_envs()
            .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
            .collect();
        terminal = std::process::Command::new("script");
        terminal.args(["--quiet", "--return", "--command", &line.join(" "), "/dev/null"]).envs(environment);
        terminal.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut asked = terminal.spawn().expect("script of bsdutils");
        let mut stdin = asked.stdin.take().unwrap();
        stdin.write_all(typed.as_bytes()).unwrap();
        let ended = Ended::from(asked.wait_with_output().unwrap());
        drop(stdin);
        assert!(ended.stdout.contains("Go ahead? Type yes:"), "{}{}", ended.stdout, ended.stderr);
        assert_eq!(ended.code, code, "{}{}", ended.stdout, ended.stderr);
        assert_eq!(held.calls("UpdateFleetCapacity"), calls);
    }
}

/// Locks a database as a command does that has it open.
fn as_a_command_does(db: &Path) -> std::fs::File {
    let lock = std::fs::File::create(db.with_extension("sqlite.lock")).unwrap();
    lock.lock().unwrap();
    lock
}

#[test]
fn a_command_waits_for_another_one_that_has_the_database() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "3", "--speed", "0"]);
    let region = simulation.regions().remove(0);
    let db = home.path().join("waited.sqlite");
    let lock = as_a_command_does(&db);
    let mut silence = command(home.path());
    silence.args(["alerts", "silence", "--all", "--for", "1h", "--reason", "Rehearsal"]);
    silence.args(["--region", &region, "--endpoint-url", &simulation.endpoint(), "--db"]).arg(&db);
    let said = home.path().join("said");
    let out = std::fs::File::create(&said).unwrap();
    let mut silence = Group::spawn(silence.stdout(Stdio::null()).stderr(out));
    eventually(PATIENCE, "it waits", || {
        std::fs::read_to_string(&said).unwrap().contains("in use by a command").then_some(())
    });
    lock.unlock().unwrap();
    assert_eq!(silence.wait(PATIENCE), 0, "{}", std::fs::read_to_string(&said).unwrap());
    assert_eq!(rows(home.path(), &db, &["alerts", "silences"]).len(), 1);
}

#[test]
fn a_collection_waits_for_a_command_that_has_the_database_and_not_for_another_collection() {
    let home = tempfile::tempdir().unwrap();
    let simulation = Simulation::start(home.path(), &["--scenario", "quiet", "--seed", "3", "--speed", "0"]);
    let region = simulation.regions().remove(0);
    let db = home.path().join("waited.sqlite");
    let lock = as_a_command_does(&db);
    let mut collect = command(home.path());
    collect.args(["collect", "--region", &region, "--endpoint-url", &simulation.endpoint(), "--db"]).arg(&db);
    let said = home.path().join("said");
    let out = std::fs::File::create(&said).unwrap();
    let mut collecting = Group::spawn(collect.stdout(Stdio::null()).stderr(out));
    eventually(PATIENCE, "it waits", || {
        std::fs::read_to_string(&said).unwrap().contains("in use by a command").then_some(())
    });
    lock.unlock().unwrap();
    eventually(PATIENCE, "it collects", || socket_of(&db).exists().then_some(()));
    let (path, endpoint) = (db.to_string_lossy(), simulation.endpoint());
    let other =
        run(home.path(), ["collect", "--region", &region, "--endpoint-url", &endpoint, "--db", &path]);
    assert_eq!(other.code, 1, "{}", other.stderr);
    assert!(other.stderr.contains("in use by another copy"), "{}", other.stderr);
    assert!(!other.stderr.contains("in use by a command"), "{}", other.stderr);
    collecting.signal("-TERM");
    assert_eq!(collecting.wait(PATIENCE), 0);
}
