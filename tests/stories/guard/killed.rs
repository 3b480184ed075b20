//! SIGKILL between the record of a change and its outcome: before the world has changed, and after.

use std::time::Duration;

use liftdeck_tests::post::{Keeps, Post};
use liftdeck_tests::program::eventually;
use serde_json::{Value, json};

use super::Desk;

/// A change and how the world shows it.
struct Change<'a> {
    words: Vec<&'a str>,
    operation: &'a str,
    /// Returns what the world shows of it.
    shows: Box<dyn Fn(&Desk) -> Value + 'a>,
}

/// Returns a change of each kind that can be recognized afterwards. `tag` separates two rounds.
fn changes<'a>(desk: &Desk, names: &'a Names, tag: &'a str) -> Vec<Change<'a>> {
    let change = |words: &[&'a str], operation: &'a str, shows: Box<dyn Fn(&Desk) -> Value + 'a>| Change {
        words: words.to_vec(),
        operation,
        shows,
    };
    let Names { fleet, other, alias, queue, script, configuration, sessions, zip } = names;
    let [ended, renamed, reserved] = sessions;
    let seconds = if tag == "before" { "81" } else { "82" };
    assert!(desk.found("Aliases", "AliasId", alias).is_some());
    vec![
        change(
            &["alias", "repoint", alias, "--fleet", other],
            "UpdateAlias",
            Box::new(move |desk| desk.found("Aliases", "AliasId", alias).unwrap()["RoutingStrategy"].clone()),
        ),
        change(
            &["alias", "create", tag, "--fleet", fleet],
            "CreateAlias",
            Box::new(move |desk| json!(desk.found("Aliases", "Name", tag).is_some())),
        ),
        change(
            &["session", "create", "--fleet", fleet, "--max-players", "4", "--name", tag],
            "CreateGameSession",
            Box::new(move |desk| json!(desk.found("GameSessions", "Name", tag).is_some())),
        ),
        change(
            &["session", "update", renamed, "--name", seconds],
            "UpdateGameSession",
            Box::new(move |desk| json!(desk.found("GameSessions", "Name", seconds).is_some())),
        ),
        change(
            &["session", "reserve", reserved, "--player", tag],
            "CreatePlayerSessions",
            Box::new(move |desk| json!(desk.found("PlayerSessions", "PlayerId", tag).is_some())),
        ),
        change(
            &["session", "terminate", ended, "--force"],
            "TerminateGameSession",
            Box::new(move |desk| {
                let found = desk.found("GameSessions", "GameSessionId", ended);
                json!(found.is_some_and(|session| session["Status"] == "ACTIVE"))
            }),
        ),
        change(
            &["queue", "update", queue, "--timeout", seconds],
            "UpdateGameSessionQueue",
            Box::new(move |desk| {
                desk.found("GameSessionQueues", "Name", queue).unwrap()["TimeoutInSeconds"].clone()
            }),
        ),
        change(
            &["placement", "start", queue, "--id", tag, "--max-players", "4"],
            "StartGameSessionPlacement",
            Box::new(move |desk| json!(desk.found("GameSessionPlacements", "PlacementId", tag).is_some())),
        ),
        change(
            &[
                "matchmaking",
                "start",
                configuration,
                "--ticket",
                tag,
                "--player",
                "ada",
                "--attribute",
                "skill=1000",
                "--attribute",
                "platform=pc",
                "--latency",
                "eu-west-1=20",
            ],
            "StartMatchmaking",
            Box::new(move |desk| json!(desk.run(&["matchmaking", "show", tag]).code)),
        ),
        change(
            &[
                "fleet",
                "policy",
                "put",
                fleet,
                tag,
                "--metric",
                "IdleInstances",
                "--when",
                "GreaterThanThreshold",
                "--threshold",
                "9",
                "--by",
                "ChangeInCapacity",
                "--change",
                "1",
            ],
            "PutScalingPolicy",
            Box::new(move |desk| json!(desk.found("ScalingPolicies", "Name", tag).is_some())),
        ),
        change(
            &["script", "upload", script, zip, "--version", tag],
            "UpdateScript",
            Box::new(move |desk| desk.found("Scripts", "ScriptId", script).unwrap()["Version"].clone()),
        ),
    ]
}

/// The resources that are changed.
struct Names {
    fleet: String,
    other: String,
    alias: String,
    queue: String,
    script: String,
    configuration: String,
    sessions: [String; 3],
    zip: String,
}

impl Names {
    fn of(desk: &Desk) -> Self {
        let mut fleets = desk.fleets();
        let (fleet, other) = (fleets.remove(0), fleets.remove(0));
        let first = |kind: &str, key: &str| desk.truth(kind)[0][key].as_str().unwrap().to_owned();
        let aliases = desk.truth("Aliases");
        let elsewhere = |alias: &&Value| alias["RoutingStrategy"]["FleetId"] != other.as_str();
        let alias = aliases.iter().find(elsewhere).unwrap()["AliasId"].as_str().unwrap().to_owned();
        let sessions = desk.sessions(3);
        let roomy = &sessions[2];
        desk.made(&["session", "update", roomy, "--max-players", "199", "--accept"]);
        let zip = desk.home.path().join("script.zip");
        std::fs::write(&zip, include_bytes!("../../../src-tauri/crates/gateway/tests/simulated/script.zip"))
            .unwrap();
        Self {
            alias,
            queue: first("GameSessionQueues", "Name"),
            script: first("Scripts", "ScriptId"),
            configuration: first("MatchmakingConfigurations", "Name"),
            sessions: [sessions[0].clone(), sessions[1].clone(), roomy.clone()],
            zip: zip.to_string_lossy().into_owned(),
            fleet,
            other,
        }
    }
}

/// Checks the newest attempt at an operation and returns it.
fn held(desk: &Desk, change: &Change<'_>, outcome: &str, attempts: usize) -> Value {
    let rows = desk.attempts(change.operation);
    assert_eq!(rows.len(), attempts, "{}: {rows:?}", change.operation);
    let last = rows.last().unwrap().clone();
    assert_eq!(last["outcome"], outcome, "{}: {last}", change.operation);
    last
}

#[test]
fn a_change_that_was_killed_before_it_arrived_is_found_not_to_have_arrived() {
    // The world stands still, so any difference was made by the program.
    let mut desk = Desk::at(&["--scenario", "quiet", "--seed", "3", "--speed", "0"]);
    let names = Names::of(&desk);
    let post = Post::before(&desk.endpoint);
    desk.endpoint.clone_from(&post.endpoint);
    let changes = changes(&desk, &names, "before");
    let mut told = Vec::new();
    for change in &changes {
        let (sent, known) = (desk.calls(change.operation), desk.attempts(change.operation).len());
        let before = (change.shows)(&desk);
        desk.faults(&json!([{ "operation": format!("gamelift:{}", change.operation), "kind": "stall" }]));
        let mut begun = desk.begin(&change.words);
        eventually(Duration::from_secs(240), change.operation, || {
            (desk.calls(change.operation) > sent).then_some(())
        });
        begun.kill();
        desk.faults(&json!([]));
        held(&desk, change, "sending", known + 1);
        told.push((sent + 1, known + 1, before));
    }
    // While it may still arrive, the outcome is unknown, whatever AWS shows.
    desk.settle_all();
    for (change, (_, known, _)) in changes.iter().zip(&told) {
        let row = held(&desk, change, "unknown", *known);
        assert!(row["message"].as_str().unwrap().starts_with("Not known yet"), "{row}");
    }
    desk.settle_for_good(&post);
    for (change, (sent, known, before)) in changes.iter().zip(told) {
        let row = held(&desk, change, "failed", known);
        assert!(row["message"].as_str().unwrap().starts_with("It did not arrive"), "{row}");
        assert_eq!(desk.calls(change.operation), sent, "{} was sent again", change.operation);
        assert_eq!((change.shows)(&desk), before, "{}", change.operation);
    }
}

#[test]
fn a_change_that_was_killed_before_its_answer_is_found_done() {
    let mut desk = Desk::at(&["--scenario", "quiet", "--seed", "3"]);
    let names = Names::of(&desk);
    let post = Post::before(&desk.endpoint);
    desk.endpoint.clone_from(&post.endpoint);
    let changes = changes(&desk, &names, "after");
    for change in &changes {
        let (sent, known) = (desk.calls(change.operation), desk.attempts(change.operation).len());
        let before = (change.shows)(&desk);
        post.keep(change.operation, Keeps::Answer);
        let mut begun = desk.begin(&change.words);
        post.wait(change.operation);
        begun.kill();
        let row = held(&desk, change, "sending", known + 1);
        assert_ne!((change.shows)(&desk), before, "{} changed nothing", change.operation);
        let settled = desk.run(&["activity", "settle", row["activity_id"].as_str().unwrap()]);
        assert_eq!(settled.code, 0, "{}: {}{}", change.operation, settled.stdout, settled.stderr);
        held(&desk, change, "done", known + 1);
        assert_eq!(desk.calls(change.operation), sent + 1, "{} was sent again", change.operation);
    }
}

#[test]
fn what_was_killed_before_it_was_recorded_was_never_sent() {
    let mut desk = Desk::at(&["--scenario", "quiet", "--seed", "3", "--speed", "0"]);
    let post = Post::before(&desk.endpoint);
    desk.endpoint.clone_from(&post.endpoint);
    let alias = desk.truth("Aliases")[0]["AliasId"].as_str().unwrap().to_owned();
    let words = ["alias", "repoint", &alias, "--message", "Back at nine"];
    // Once for the preview, and once more just before sending.
    for skip in [0, 1] {
        for _ in 0..skip {
            post.keep("DescribeAlias", Keeps::Answer);
        }
        post.keep("DescribeAlias", Keeps::Request);
        let mut begun = desk.begin(&words);
        post.wait("the reads of a preview");
        begun.kill();
        assert_eq!(desk.calls("UpdateAlias"), 0);
        assert!(desk.attempts("UpdateAlias").is_empty());
    }
    desk.made(&words);
    assert_eq!((desk.calls("UpdateAlias"), desk.attempts("UpdateAlias").len()), (1, 1));
}
