//! Sends forged frames to the socket of a program that has a database open.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{Group, command, eventually, run, socket_of};
use liftdeck_tests::trial::Trial;
use serde_json::{Value, json};

use crate::{NAME, Place};

/// Time limit for any step on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Commands that change something at AWS or in Liftdeck's own data.
const QUESTIONS: [&str; 6] =
    ["guard_unlock", "action_confirm", "activity_settle", "run_stop", "connection_delete", "preset_delete"];

/// Starts a program that collects into the database of the production connection.
fn holding(place: &Place, db: &Path) -> (Group, PathBuf) {
    std::fs::create_dir_all(db.parent().expect("a folder")).expect("a folder");
    let mut collect = command(place.home.path());
    collect.args(place.words(&["collect", "--for", "1h"], db)).stdout(Stdio::null()).stderr(Stdio::null());
    let group = Group::spawn(&mut collect);
    let socket = socket_of(db);
    eventually(PATIENCE, "it takes commands", || socket.exists().then_some(()));
    (group, socket)
}

/// Sends lines to the socket and returns everything received until it is closed.
fn say(socket: &Path, lines: &[Value]) -> String {
    let mut stream = UnixStream::connect(socket).expect("the socket");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    for line in lines {
        // The program may close the connection before everything is sent.
        let _ = stream.write_all(format!("{line}\n").as_bytes());
    }
    let mut heard = String::new();
    let _ = stream.read_to_string(&mut heard);
    heard
}

/// Makes another home, in which the same account and Region is not production.
fn harmless_home(place: &Place) -> Value {
    let folder = place.home.path().join("another");
    let config = folder.join("config");
    std::fs::create_dir_all(&config).expect("a folder");
    let connections = json!({ "connections": [{
        "id": "live", "name": "Mine", "environment": "development", "profile": null,
        "endpointUrl": place.simulation.endpoint(), "account": null, "regions": [place.region],
        "eventQueues": [], "lastOpenedMs": null,
    }] });
    std::fs::write(config.join("connections.json"), connections.to_string()).expect("connections");
    json!({ "config": config, "data": folder.join("data") })
}

/// Sends this many forgeries and returns how many were sent.
pub(crate) fn forge(trial: &Trial, place: &Place, forgeries: u64) -> u64 {
    let mut chance = trial.chance(7);
    // The database of the saved production connection, whatever home the caller claims.
    let db = place.home.path().join("data/databases/live.sqlite");
    let (mut holder, socket) = holding(place, &db);
    let version = run(place.home.path(), ["--version"]).stdout;
    let version = version.trim().rsplit(' ').next().unwrap_or_default().to_owned();
    let [fleet, _] = place.fleets();
    let alias = place.first("Aliases", "AliasId");
    let changes = [
        vec!["fleet", "capacity", &fleet, "--max", "88"],
        vec!["alias", "repoint", &alias, "--message", "forged"],
        vec!["alias", "create", "forged", "--fleet", &fleet],
    ];
    let own = json!({ "config": place.home.path().join("config"), "data": place.home.path().join("data") });
    let homes = [own, harmless_home(place)];
    for number in 0..forgeries {
        let change = chance.choice(&changes).expect("a change").clone();
        let by_name = chance.bool();
        let with_consent = chance.bool();
        let home = chance.choice(&homes).expect("a home").clone();
        let mut words = [&["liftdeck"], &change[..]].concat();
        let db = db.to_string_lossy();
        words.extend(if by_name { ["--connection", NAME] } else { ["--db", &*db] });
        words.extend(["--region", &place.region, "--no-wait"]);
        if with_consent {
            words.push("--yes");
        }
        let command = json!({ "kind": "run", "words": words, "folder": "/", "lines": [], "home": home,
            "is_person_there": chance.bool(),
            "principal": { "account": "111122223333", "arn": "arn:aws:iam::111122223333:user/AKIDEXAMPLE" } });
        let hello = |version: &str| json!({ "kind": "hello", "version": version });
        let ask = json!({ "kind": "ask", "name": chance.choice(&QUESTIONS).expect("a question"),
            "arguments": { "minutes": 30, "typed": NAME, "previewId": "forged", "id": "live", "name": "forged" } });
        let answer = json!({ "kind": "answer", "line": "yes" });
        let name = format!("forgery {number}: {command}");
        trial.part(&name, || {
            let said = match chance.u8(..6) {
                0 => say(&socket, &[hello("0.0.1"), command]),
                1 => say(&socket, std::slice::from_ref(&command)),
                2 => say(&socket, &[ask, command]),
                3 => say(&socket, &[answer, hello(&version), command]),
                // The same user may send queries, but a command that changes something is not a query.
                4 => {
                    let said = say(&socket, &[hello(&version), ask, answer]);
                    assert!(
                        said.contains("failed") && !said.contains(r#""kind":"answer""#),
                        "it was answered: {said}"
                    );
                    said
                }
                // The same user may also run commands, but production still requires its name.
                _ => say(&socket, &[hello(&version), command, answer]),
            };
            assert!(!said.contains(r#""code":0"#), "it was done: {said}");
            assert!(holder.runs(), "the program with the database is gone");
        });
    }
    holder.kill();
    forgeries
}
