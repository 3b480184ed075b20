//! The built program: where it is, how to run it to completion, and how to run it beside a test.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Returns the path of the `liftdeck` built beside this test.
///
/// # Panics
/// If it was not built.
pub fn path() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let built = test.ancestors().find(|folder| folder.join("liftdeck").is_file());
    built.expect("build the program first: cargo build --package liftdeck").join("liftdeck")
}

/// Returns a command that starts the program with its own home and none of the machine's AWS settings.
pub fn command(home: &Path) -> Command {
    let mut command = Command::new(path());
    for name in ["AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_SESSION_TOKEN"] {
        command.env_remove(name);
    }
    command
        .env("LIFTDECK_HOME", home)
        .env("HOME", home)
        .env("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
        .env("AWS_SECRET_ACCESS_KEY", "secret")
        .env("AWS_EC2_METADATA_DISABLED", "true")
        .stdin(Stdio::null());
    command
}

/// Lets the program with this home use the full request rates that AWS allows, not only a fifth: for tests that need
/// a complete pass, or many changes, and do not test the rates.
///
/// # Panics
/// If the home cannot be written.
pub fn take_the_whole_budget(home: &Path) {
    let config = home.join("config");
    std::fs::create_dir_all(&config).expect("a folder of settings");
    std::fs::write(config.join("settings.json"), r#"{"budgetShare":1.0}"#).expect("a file of settings");
}

/// The result of a completed run.
pub struct Ended {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ended {
    /// Parses each line of standard output as JSON.
    ///
    /// # Panics
    /// If a line is not JSON.
    pub fn ndjson(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

/// Runs the program with these arguments to completion.
pub fn run<I: AsRef<str>>(home: &Path, arguments: impl IntoIterator<Item = I>) -> Ended {
    let mut command = command(home);
    command.args(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
    command.output().expect("the program starts").into()
}

/// Returns the rows that a reading command lists from a database.
///
/// # Panics
/// If it fails, or returns something else.
pub fn rows(home: &Path, database: &Path, words: &[&str]) -> Vec<Value> {
    let place = ["--db", &database.to_string_lossy(), "--json"];
    let ended = run(home, [words, &place].concat());
    assert_eq!(ended.code, 0, "{words:?}: {}", ended.stderr);
    let mut told: Value = serde_json::from_str(&ended.stdout).expect(&ended.stdout);
    serde_json::from_value(told["rows"].take()).expect("rows")
}

/// Returns the only run on record.
///
/// # Panics
/// If there are none or several.
pub fn only_run(home: &Path, database: &Path) -> Value {
    let mut runs = rows(home, database, &["activity", "runs"]);
    assert_eq!(runs.len(), 1, "{runs:?}");
    runs.remove(0)
}

/// `liftdeck simulate` running beside a test; dropping this ends it.
pub struct Simulation {
    process: Group,
    /// The line it prints when it is ready.
    pub ready: Value,
}

impl Simulation {
    /// Starts a simulator with these arguments and waits for its line.
    ///
    /// # Panics
    /// If it is not ready within three minutes: its world first simulates a month, and many may start at once.
    pub fn start(home: &Path, arguments: &[&str]) -> Self {
        let mut command = command(home);
        command.arg("simulate").args(arguments).stdout(Stdio::piped());
        let mut process = Group::spawn(&mut command);
        let line = process.first_line(Duration::from_secs(180));
        let ready = serde_json::from_str(&line).expect(&line);
        Self { process, ready }
    }

    /// Returns the address it listens on.
    pub fn endpoint(&self) -> String {
        self.ready["endpoint"].as_str().expect("the line names the endpoint").to_owned()
    }

    /// Returns its Regions.
    pub fn regions(&self) -> Vec<String> {
        let regions = self.ready["regions"].as_array().expect("the line names the regions");
        regions.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// Returns the event queues as pairs of Region and URL.
    pub fn event_queues(&self) -> Vec<(String, String)> {
        let queues = self.ready["event_queues"].as_object().expect("the line names the queues");
        queues
            .iter()
            .map(|(region, url)| (region.clone(), url.as_str().unwrap_or_default().to_owned()))
            .collect()
    }

    /// Returns the URL of a Region's event queue.
    ///
    /// # Panics
    /// If the Region has none.
    pub fn event_queue(&self, region: &str) -> String {
        self.ready["event_queues"][region].as_str().expect(region).to_owned()
    }

    /// Sends a GET request to the control plane.
    ///
    /// # Panics
    /// If it does not answer with JSON.
    pub fn get(&self, path: &str) -> Value {
        let url = format!("{}{path}", self.endpoint());
        ureq::get(&url).call().expect(&url).body_mut().with_config().limit(256 << 20).read_json().expect(&url)
    }

    /// Sends a POST request to the control plane.
    ///
    /// # Panics
    /// If it refuses.
    pub fn post(&self, path: &str, body: &Value) {
        let url = format!("{}{path}", self.endpoint());
        ureq::post(&url).send_json(body).expect(&url);
    }

    /// Advances the world by half an hour at a time, for a day at most, until it has what a test needs: at night
    /// there is little activity.
    ///
    /// # Panics
    /// If a whole day is not enough; names what was waited for.
    pub fn until<T>(&self, what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
        for _ in 0..48 {
            if let Some(found) = ask() {
                return found;
            }
            self.post("/_simulator/advance", &serde_json::json!({ "seconds": 1800 }));
        }
        panic!("a whole day of the world brought none: {what}")
    }

    /// Runs `act` while the world advances by `seconds` with each request that follows a change. A slow machine thus
    /// sees the same world as a fast one. Until the change the world stands still.
    ///
    /// # Panics
    /// If the control plane does not answer.
    pub fn moved_by_looks<T>(&self, seconds: u64, act: impl FnOnce() -> T) -> T {
        let ended = AtomicBool::new(false);
        let (changed_before, _) = self.asked();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut moved_at = None;
                while !ended.load(Ordering::Relaxed) {
                    let (changed, asked) = self.asked();
                    if changed > changed_before && moved_at != Some(asked) {
                        self.post("/_simulator/advance", &serde_json::json!({ "seconds": seconds }));
                        moved_at = Some(asked);
                    }
                    std::thread::sleep(BETWEEN_LOOKS);
                }
            });
            // Set even if `act` panics; otherwise the thread would advance the world for ever.
            let _ended = Ending(&ended);
            act()
        })
    }

    /// Returns the number of GameLift calls so far: those that change something, and all of them.
    fn asked(&self) -> (u64, u64) {
        const READS: [&str; 6] = ["Describe", "List", "Search", "Get", "Resolve", "Validate"];
        let calls = self.get("/_simulator/calls");
        let (mut changes, mut all) = (0, 0);
        for (action, counted) in
            calls.as_object().into_iter().flat_map(|regions| regions.values()).flat_map(of_region)
        {
            let Some(operation) = action.strip_prefix("gamelift:") else { continue };
            let count = counted["calls"].as_u64().unwrap_or(0);
            all += count;
            changes += if READS.iter().any(|read| operation.starts_with(read)) { 0 } else { count };
        }
        (changes, all)
    }

    /// Saves a production connection to one of its Regions under a name and returns the file of connections.
    ///
    /// # Panics
    /// If the home cannot be written.
    pub fn declare_production(&self, home: &Path, region: &str, name: &str) -> PathBuf {
        self.declare(home, &[region.to_owned()], name)
    }

    /// Saves a production connection to these Regions under a name and returns the file of connections.
    ///
    /// # Panics
    /// If the home cannot be written.
    pub fn declare(&self, home: &Path, regions: &[String], name: &str) -> PathBuf {
        let config = home.join("config");
        std::fs::create_dir_all(&config).expect("a folder of settings");
        let connections = serde_json::json!({ "connections": [{
            "id": "live", "name": name, "environment": "production", "profile": null,
            "endpointUrl": self.endpoint(), "account": null, "regions": regions,
            "eventQueues": [], "lastOpenedMs": null,
        }] });
        let file = config.join("connections.json");
        std::fs::write(&file, connections.to_string()).expect("a file of connections");
        file
    }

    /// Kills it at once, as if the network failed.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Collects one of its Regions until game sessions are on record, for tests that need no complete pass. A
    /// complete pass takes minutes at a fifth of the request rates.
    ///
    /// # Panics
    /// Like [`Self::collect_until`].
    pub fn collect_some(&self, home: &Path, db: &Path, region: &str) -> Ended {
        self.collect_until(home, db, region, "game sessions are on record", || {
            let exported = run(home, ["export", "game-sessions", "--db", &db.to_string_lossy()]);
            exported.code == 0 && !exported.stdout.is_empty()
        })
    }

    /// Collects one of its Regions until a condition holds, then ends the collection normally.
    ///
    /// # Panics
    /// If the condition does not hold after five minutes.
    pub fn collect_until(
        &self,
        home: &Path,
        db: &Path,
        region: &str,
        what: &str,
        mut is_so: impl FnMut() -> bool,
    ) -> Ended {
        let said = tempfile::NamedTempFile::new().expect("a file");
        let mut collect = command(home);
        collect.args([
            "collect",
            "--for",
            "1h",
            "--region",
            region,
            "--endpoint-url",
            &self.endpoint(),
            "--db",
        ]);
        collect.arg(db).stdout(Stdio::null()).stderr(said.reopen().expect("the file"));
        let mut collecting = Group::spawn(&mut collect);
        eventually(Duration::from_secs(300), what, || is_so().then_some(()));
        collecting.signal("-TERM");
        let code = collecting.wait(Duration::from_secs(60));
        let stderr = std::fs::read_to_string(said.path()).expect("what was said");
        Ended { code, stdout: String::new(), stderr }
    }

    /// Returns the arguments that point `collect` at this simulator with all Regions and queues.
    pub fn collect_arguments(&self) -> Vec<String> {
        let mut arguments = vec!["--endpoint-url".to_owned(), self.endpoint()];
        for region in self.regions() {
            arguments.extend(["--region".to_owned(), region]);
        }
        for (_, url) in self.event_queues() {
            arguments.extend(["--event-queue".to_owned(), url]);
        }
        arguments.push("--adopt".to_owned());
        arguments
    }
}

/// A process and everything it started, ended together: drivers would otherwise leave their children behind.
pub struct Group {
    child: Child,
    /// Whether it has a process group of its own.
    leads: bool,
}

impl Group {
    /// Starts a command as the leader of its own process group.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn spawn(command: &mut Command) -> Self {
        Self { child: started(command.process_group(0)), leads: true }
    }

    /// Starts a command that starts nothing itself, in the process group of this program. Whoever kills this program
    /// with its group kills the command too, which would otherwise be left with the open files of this program.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn of_one(command: &mut Command) -> Self {
        Self { child: started(command), leads: false }
    }

    /// Returns the first line of its standard output, which must be piped.
    ///
    /// # Panics
    /// If none comes in time.
    pub fn first_line(&mut self, within: Duration) -> String {
        let stdout = self.child.stdout.take().expect("standard output is piped");
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(stdout).lines();
            let _ = sender.send(lines.next().and_then(Result::ok).unwrap_or_default());
            // The rest is read and dropped so that the process never blocks on a full pipe.
            lines.for_each(drop);
        });
        receiver.recv_timeout(within).expect("a line in time")
    }

    /// Returns the lines of its standard output as they arrive; it must be piped.
    ///
    /// # Panics
    /// If it is not piped.
    pub fn lines(&mut self) -> mpsc::Receiver<String> {
        let stdout = self.child.stdout.take().expect("standard output is piped");
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            // The rest is read and dropped, as above.
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        receiver
    }

    /// Returns its standard input, which must be piped.
    ///
    /// # Panics
    /// If it is not, or was taken before.
    pub fn stdin(&mut self) -> std::process::ChildStdin {
        self.child.stdin.take().expect("standard input is piped")
    }

    /// Returns its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it is still running.
    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends the group with SIGKILL. On return, none of its processes holds a file, a port or a lock any more.
    pub fn kill(&mut self) {
        self.signal("-KILL");
        let _ = self.child.wait();
        // The other processes are not children of this one, so they are polled and not waited for. This never panics,
        // because it also runs while a test unwinds.
        let deadline = Instant::now() + Duration::from_secs(30);
        while is_alive(self.child.id()) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sends a signal such as `-TERM` to the group.
    pub fn signal(&self, signal: &str) {
        let to = format!("{}{}", if self.leads { "-" } else { "" }, self.child.id());
        let _ = Command::new("kill").args([signal, "--", &to]).stderr(Stdio::null()).status();
    }

    /// Waits for it to end and returns the exit code.
    ///
    /// # Panics
    /// If it runs longer.
    pub fn wait(&mut self, within: Duration) -> i32 {
        let status = eventually(within, "the process ends", || self.child.try_wait().ok().flatten());
        status.code().unwrap_or(-1)
    }
}

fn started(command: &mut Command) -> Child {
    let program = command.get_program().to_owned();
    command.spawn().unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()))
}

/// Whether any process of a group is still running. Zombies do not count.
fn is_alive(group: u32) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    processes.flatten().any(|process| {
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        // The fields after the name, which is in brackets: state, parent, group.
        let mut facts = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let state = facts.next();
        facts.nth(1).and_then(|id| id.parse().ok()) == Some(group) && !matches!(state, Some("Z" | "X"))
    })
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns the path of the socket that a program creates beside its open database.
pub fn socket_of(db: &Path) -> PathBuf {
    let mut socket = db.as_os_str().to_owned();
    socket.push(".sock");
    PathBuf::from(socket)
}

/// Starts a collection that adopts its queue, and returns once it collects. A process that was killed during its look
/// at the queue left messages in flight. The next one suspects another reader and refuses to adopt until they are
/// visible again, 10 s later, so a process that ends is started again.
///
/// # Panics
/// If none collects in time.
pub fn collecting(db: &Path, start: impl Fn() -> Group) -> Group {
    let socket = socket_of(db);
    // Removes what a killed process left, so that the socket of the next one can be recognized.
    let _ = std::fs::remove_file(&socket);
    let mut copy = start();
    eventually(Duration::from_secs(600), "it collects", || {
        if !copy.runs() {
            copy = start();
        }
        socket.exists().then_some(())
    });
    copy
}

/// Iterates over the counters of a Region, by operation.
fn of_region(counted: &Value) -> impl Iterator<Item = (&String, &Value)> {
    counted.as_object().into_iter().flatten()
}

/// Sets its flag when dropped, so that the end is signalled even on a panic.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Time between two checks of a condition.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Repeats a check until it returns something.
///
/// # Panics
/// If it returns nothing in time; names what was waited for.
pub fn eventually<T>(within: Duration, what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + within;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < deadline, "waited {within:?} in vain: {what}");
        std::thread::sleep(BETWEEN_LOOKS);
    }
}
