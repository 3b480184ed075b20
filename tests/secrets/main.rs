//! Searches for keys and player ids where they must not be, with everything logged that can be.
//!
//! Owns the canaries and the rules: keys may be nowhere at all. Player ids may be in the database, on a screen and in
//! output that was asked to name players, but never in a log, in web storage, in a temporary file or among a
//! process's arguments.

mod keys;
mod sinks;
mod window;

use std::cell::RefCell;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use liftdeck_tests::program::{Ended, Group, Simulation, command, eventually};
use liftdeck_tests::trial::Trial;
use serde_json::json;

use keys::Source;
use sinks::{Canaries, Sink};

/// A player who exists only in this test.
const PLAYER: &str = "player-canary-7f3b1c";

/// How long to wait for what must happen; generous, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(240);

/// Exports that name players; no other kind does. Of a game session it is the matchmaker data, as GameLift returns
/// it.
const OF_PLAYERS: [&str; 5] =
    ["player-sessions", "game-sessions", "placements", "matchmaking-events", "activity"];
const EXPORTS: [&str; 16] = [
    "fleets",
    "fleet-locations",
    "fleet-capacity",
    "fleet-events",
    "scaling-policies",
    "scaling-steps",
    "game-sessions",
    "player-sessions",
    "placements",
    "queues",
    "aliases",
    "matchmaking-events",
    "builds",
    "scripts",
    "metrics",
    "activity",
];

/// A person whose keys come from one source.
pub(crate) struct Person<'a> {
    pub(crate) home: tempfile::TempDir,
    pub(crate) source: Source,
    simulation: &'a Simulation,
    region: &'a str,
}

impl<'a> Person<'a> {
    fn with(source: Source, simulation: &'a Simulation, region: &'a str) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        for folder in ["temporary", "exports"] {
            std::fs::create_dir_all(home.path().join(folder)).expect("a folder");
        }
        source.lay_out(home.path());
        Self { home, source, simulation, region }
    }

    fn db(&self) -> PathBuf {
        self.home.path().join("secret.sqlite")
    }

    /// Returns the program as this person starts it, with everything logged.
    fn program(&self, words: &[&str]) -> Command {
        let mut program = command(self.home.path());
        self.source.tell(&mut program, self.home.path());
        // Nothing listens there: an attempt fails, and may name only that it did.
        program
            .env("HOOK", format!("http://127.0.0.1:9/{}", sinks::HOOK))
            .env("HOOK_KEY", sinks::SIGNING_KEY);
        program.env("LIFTDECK_LOG", "trace").env("TMPDIR", self.home.path().join("temporary"));
        program.args(words).arg("--db").arg(self.db());
        if words[0] != "export" {
            program.args(["--region", self.region, "--endpoint-url", &self.simulation.endpoint()]);
            program.args(self.source.profile().iter().flat_map(|name| ["--profile", name]));
        }
        program
    }

    /// Collects until the database holds a canary player, then ends normally. The output goes to a file in the home
    /// and is searched with all others.
    fn collect(&self, canaries: &Canaries) {
        let log = self.home.path().join("collect.log");
        let said = File::create(&log).expect("a file");
        let mut group = Group::spawn(self.program(&["collect"]).stdout(Stdio::null()).stderr(said));
        eventually(PATIENCE, "a player who is looked for is in the database", || {
            assert!(group.runs(), "the collection ended by itself");
            let kept = self.program(&["export", "player-sessions", "--format", "csv"]).output();
            canaries.meets_player(&Ended::from(kept.expect("the program starts")).stdout).then_some(())
        });
        group.signal("-TERM");
        assert_eq!(group.wait(PATIENCE), 0, "it ends in good order");
        // Warnings are always logged; INFO lines show that the log level was honoured.
        let said = std::fs::read_to_string(log).expect("a log");
        assert!(said.contains(" INFO "), "not everything is logged: {said}");
    }

    /// Does everything that could leak and returns what to search.
    fn live(&self, canaries: &Canaries) -> Vec<Sink> {
        let sinks = RefCell::new(Vec::new());
        let keep = |sink| sinks.borrow_mut().push(sink);
        let ran = |words: &[&str]| {
            let ended: Ended = self.program(words).output().expect("the program starts").into();
            keep(Sink::text(format!("stderr of {}", words[0]), &ended.stderr, true));
            ended
        };
        if self.source == Source::Expired {
            let collected = ran(&["collect", "--once"]);
            assert_ne!(collected.code, 0, "keys that have expired collect nothing");
            return sinks.into_inner();
        }
        self.collect(canaries);
        let added =
            ran(&["alerts", "channel", "add", "hook", "webhook", "env:HOOK", "--sign-with", "env:HOOK_KEY"]);
        assert_eq!(added.code, 0, "{}", added.stderr);
        let tested = ran(&["alerts", "channel", "test", "hook"]);
        assert!(tested.code == 1 && tested.stderr.contains("no connection"), "{}", tested.stderr);
        let refused =
            ran(&["alerts", "channel", "add", "pager", "pagerduty", "env:HOOK_KEY", "--endpoint", "nowhere"]);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        let truth = self.simulation.get(&format!("/_simulator/truth?region={}", self.region));
        // What hour it is in the world decides which fleet has a free process.
        let fleets = truth["Fleets"].as_array().expect("fleets").iter();
        let fleets = fleets.map(|fleet| fleet["FleetId"].as_str().expect("its id"));
        let create = ["session", "create", "--max-players", "4", "--yes", "--no-wait", "--json", "--fleet"];
        let mut made = fleets.map(|fleet| ran(&[&create[..], &[fleet]].concat()));
        assert!(made.any(|made| made.code == 0), "no fleet has a free process");
        // Another person reserves in the same world meanwhile, perhaps in this game session.
        let has_room_for_all = |session: &&serde_json::Value| {
            let slots = |count: &str| session[count].as_u64().expect("a number of players");
            session["Status"] == "ACTIVE"
                && session["PlayerSessionCreationPolicy"] == "ACCEPT_ALL"
                && slots("CurrentPlayerSessionCount") + Source::ALL.len() as u64
                    <= slots("MaximumPlayerSessionCount")
        };
        let mut sessions = truth["GameSessions"].as_array().expect("game sessions").iter();
        let session = sessions.find(has_room_for_all).expect("one with room")["GameSessionId"].as_str();
        let session = session.expect("its id").to_owned();
        let reserved = ran(&["session", "reserve", &session, "--player", PLAYER, "--yes", "--no-wait"]);
        assert!([0, 1].contains(&reserved.code), "{}", reserved.stderr);
        let refused = ran(&[
            "session",
            "reserve",
            "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/x",
            "--player",
            PLAYER,
            "--yes",
        ]);
        assert_ne!(refused.code, 0);
        for kind in EXPORTS {
            // There are weeks of metrics.
            let since: &[&str] = if kind == "metrics" { &["--since", "10m"] } else { &[] };
            let exported = ran(&[&["export", kind, "--format", "csv"], since].concat());
            assert_eq!(exported.code, 0, "{kind}: {}", exported.stderr);
            let name = format!("export of {kind}");
            keep(Sink::text(name, &exported.stdout, !OF_PLAYERS.contains(&kind)));
            if kind == "player-sessions" {
                assert!(canaries.meets_player(&exported.stdout), "else nobody could be found anywhere");
            }
            if kind == "activity" {
                // Otherwise another source was used, and finding nothing would prove nothing.
                assert!(
                    exported.stdout.contains(canaries.key_of(self.source)),
                    "{:?} was not used",
                    self.source
                );
            }
        }
        sinks.into_inner()
    }
}

fn main() -> ExitCode {
    let trial = Trial::begin("secrets");
    let minutes = trial.size(10);
    let home = tempfile::tempdir().expect("a folder");
    let expired = Source::Expired.keys()[0];
    let world = ["--scenario", "quiet", "--seed", "3", "--speed", "0", "--no-throttle", "--expired", expired];
    let simulation = Simulation::start(home.path(), &world);
    let region = simulation.regions().remove(0);
    simulation.post("/_simulator/advance", &json!({ "seconds": minutes * 60 }));
    let canaries = Canaries::of(&simulation, &region);
    let sniffer = sinks::Arguments::watch(&canaries);
    let people: Vec<Person<'_>> =
        Source::ALL.into_iter().map(|source| Person::with(source, &simulation, &region)).collect();
    let mut looked = 0;
    let parts = people.iter().map(|person| (format!("{:?}", person.source), person));
    for sink in trial.parts(2, parts, |person| person.live(&canaries)).into_iter().flatten() {
        looked += 1;
        sink.hold(&trial, &canaries);
    }
    trial.part("the window", || {
        let person = people.iter().find(|person| person.source == Source::Profile).expect("a person");
        for sink in window::look(person) {
            looked += 1;
            sink.hold(&trial, &canaries);
        }
    });
    for person in &people {
        for file in sinks::files(person.home.path()) {
            looked += 1;
            file_of(person.home.path(), &file).hold(&trial, &canaries);
        }
    }
    for found in sniffer.end() {
        trial.broke(found);
    }
    let hits = trial.broken();
    trial.end(&format!(
        "{} canary keys from {} sources and {} players, {hits} hits in {looked} places",
        canaries.keys(),
        people.len(),
        canaries.players(),
    ))
}

/// Classifies a remaining file by what it may hold: a database holds players. The owner's own AWS files hold the
/// keys.
fn file_of(home: &Path, file: &Path) -> Sink {
    let name = file.strip_prefix(home).unwrap_or(file).display().to_string();
    let is_database = [".sqlite", ".sqlite-wal", ".sqlite-shm"].iter().any(|ending| name.ends_with(ending));
    Sink::bytes(name, &std::fs::read(file).unwrap_or_default(), !is_database)
}
