//! Forged frames at the desk of a program that has a database open.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{Group, command, desk_note, eventually};
use liftdeck_tests::trial::Trial;
use serde_json::{Value, json};

use crate::{NAME, Place};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program that collects into the database of the production connection.
fn holding(place: &Place, db: &Path) -> (Group, Value) {
    std::fs::create_dir_all(db.parent().expect("a folder")).expect("a folder");
    let mut collect = command(place.home.path());
    collect.args(place.words(&["collect", "--for", "1h"], db)).stdout(Stdio::null()).stderr(Stdio::null());
    let group = Group::spawn(&mut collect);
    let note = desk_note(db);
    let read = || serde_json::from_slice(&std::fs::read(&note).ok()?).ok();
    let note = eventually(PATIENCE, "the desk is open", read);
    (group, note)
}

/// Says lines to the desk and hears what comes back until it hangs up.
fn say(note: &Value, lines: &[Value]) -> String {
    let port = u16::try_from(note["port"].as_u64().unwrap_or_default()).expect("a port");
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the desk");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    for line in lines {
        // It may hang up before all of it is said.
        let _ = stream.write_all(format!("{line}\n").as_bytes());
    }
    let mut heard = String::new();
    let _ = stream.read_to_string(&mut heard);
    heard
}

/// Another home, in which the same place is nobody's production.
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

/// Forges so many frames; gives how many were sent.
pub(crate) fn forge(trial: &Trial, place: &Place, forgeries: u64) -> u64 {
    let mut chance = trial.chance(7);
    // The database of the saved production connection, wherever a caller says it comes from.
    let db = place.home.path().join("data/databases/live.sqlite");
    let (mut holder, note) = holding(place, &db);
    let (token, version) = (note["token"].as_str().expect("a token"), &note["version"]);
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
        let run = json!({ "kind": "run", "words": words, "folder": "/", "lines": [], "home": home,
            "is_person_there": chance.bool() });
        let mut wrong: Vec<char> = token.chars().collect();
        let at = chance.usize(..wrong.len());
        wrong[at] = if wrong[at] == '0' { '1' } else { '0' };
        let wrong: String = wrong.into_iter().collect();
        let hello =
            |token: &str, version: &Value| json!({ "kind": "hello", "token": token, "version": version });
        let answer = json!({ "kind": "answer", "line": "yes" });
        let name = format!("forgery {number}: {run}");
        trial.part(&name, || {
            let said = match chance.u8(..6) {
                0 => say(&note, &[hello(&wrong, version), run]),
                1 => say(&note, std::slice::from_ref(&run)),
                2 => say(&note, &[hello(token, &json!("0.0.1")), run]),
                3 => say(&note, &[hello("", version), run, answer]),
                4 => say(&note, &[answer, hello(token, version), run]),
                // Somebody who can read the token, and so may ask: production still wants its name typed.
                _ => say(&note, &[hello(token, version), run, answer]),
            };
            assert!(!said.contains(r#""code":0"#), "it was done: {said}");
            assert!(holder.runs(), "the program at the desk is gone");
        });
    }
    holder.kill();
    forgeries
}
