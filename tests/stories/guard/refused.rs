//! Refusals: by the program, before anything is sent, and by AWS, with its own message.

use serde_json::{Value, json};

use super::Desk;
use crate::free_processes;

#[test]
fn what_aws_would_refuse_for_its_form_is_refused_here_with_the_field_named() {
    let desk = Desk::at(&["--scenario", "quiet", "--seed", "3", "--speed", "0"]);
    let fleet = desk.fleet();
    let session = desk.sessions(1).remove(0);
    let first = |kind: &str, key: &str| desk.truth(kind)[0][key].as_str().unwrap().to_owned();
    let (alias, queue) = (first("Aliases", "AliasId"), first("GameSessionQueues", "Name"));
    let (configuration, script) = (first("MatchmakingConfigurations", "Name"), first("Scripts", "ScriptId"));
    let long = "x".repeat(1_025);
    let players: Vec<String> = (0..26).map(|number| format!("p{number}")).collect();
    let many: Vec<&str> = players.iter().map(String::as_str).collect();
    let before = desk.simulation.get("/_simulator/calls");
    for (words, field) in [
        (vec!["session", "create", "--fleet", "Fleet 1", "--max-players", "8"], "target"),
        (vec!["session", "create", "--fleet", &fleet, "--max-players", "201"], "maximumPlayerSessionCount"),
        (vec!["session", "create", "--fleet", &fleet, "--max-players", "8", "--name", &long], "name"),
        (vec!["session", "create", "--queue", "no queue", "--max-players", "8"], "gameSessionQueueName"),
        (vec!["session", "update", &session, "--max-players", "201"], "maximumPlayerSessionCount"),
        (vec!["session", "terminate", "session 1"], "gameSessionId"),
        ([vec!["session", "reserve", &session, "--player"], many].concat(), "players"),
        (vec!["alias", "create", "", "--fleet", &fleet], "name"),
        (vec!["alias", "repoint", "live", "--fleet", &fleet], "aliasId"),
        (vec!["alias", "repoint", &alias, "--fleet", "blue"], "routing"),
        (vec!["alias", "repoint", &alias, "--message", ""], "routing"),
        (vec!["fleet", "capacity", &fleet, "--min", "5", "--max", "3"], "minSize"),
        (vec!["fleet", "capacity", &fleet], "--desired"),
        (vec!["fleet", "policy", "put", &fleet, "p", "--target", "0"], "targetValue"),
        (vec!["fleet", "protect", "fleet one"], "fleetId"),
        (vec!["queue", "update", &queue, "--timeout", "5"], "timeoutSeconds"),
        (vec!["placement", "start", &queue, "--id", "no id!", "--max-players", "4"], "placementId"),
        (vec!["matchmaking", "start", &configuration, "--ticket", "a b", "--player", "ada"], "ticketId"),
        (vec!["script", "upload", &script, "/dev/null"], "/dev/null"),
    ] {
        let ended = desk.run(&[&words[..], &["--yes"]].concat());
        assert_eq!(ended.code, 2, "{words:?}: {}{}", ended.stdout, ended.stderr);
        assert!(ended.stderr.contains(field), "{words:?} names no {field}: {}", ended.stderr);
    }
    assert_eq!(desk.simulation.get("/_simulator/calls"), before, "AWS was asked although the form is wrong");
    assert!(desk.record().is_empty());
}

/// Runs a command that AWS refuses: exit code 1, a message with the error code, the request id and what to do, and
/// the same on record.
fn refused(desk: &Desk, words: &[&str], code: &str, advice: &str) {
    let known = desk.record().len();
    let ended = desk.run(&[words, &["--yes"]].concat());
    assert_eq!(ended.code, 1, "{words:?}: {}{}", ended.stdout, ended.stderr);
    let request_id = |text: &str| text.split("request ").nth(1).is_some_and(|rest| rest.len() > 8);
    let said = &ended.stderr;
    assert!(said.contains(code) && request_id(said) && said.contains(advice), "{words:?}: {said}");
    let rows = desk.record();
    assert_eq!(rows.len(), known + 1, "{words:?}");
    let row = rows.last().unwrap();
    assert_eq!((&row["outcome"], &row["aws_code"]), (&json!("failed"), &json!(code)), "{row}");
    assert!(row["request_id"].is_string() && row["message"].as_str().unwrap().contains(advice), "{row}");
}

/// Checks that a change is not sent if the preview says that AWS would refuse it: exit code 3, and the reason.
fn not_sent(desk: &Desk, words: &[&str], operation: &str, why: &str) {
    let (known, sent) = (desk.record().len(), desk.calls(operation));
    for consent in ["--yes", "--dry-run"] {
        let ended = desk.run(&[words, &[consent]].concat());
        assert_eq!(ended.code, 3, "{words:?}: {}{}", ended.stdout, ended.stderr);
        assert!(ended.stdout.contains(why), "{words:?}: {}", ended.stdout);
    }
    assert_eq!((desk.record().len(), desk.calls(operation)), (known, sent), "{words:?}");
}

#[test]
fn what_only_aws_can_know_comes_back_with_code_request_id_and_advice() {
    let desk = Desk::at(&[
        "--scenario",
        "capped-fleet",
        "--seed",
        "3",
        "--speed",
        "0",
        "--deny",
        "AKIDEXAMPLE=gamelift:UpdateGameSessionQueue",
    ]);
    let load = desk.truth("FleetUtilization");
    let is_ec2 = |load: &&Value| {
        let fleet = desk.found("Fleets", "FleetId", load["FleetId"].as_str().unwrap());
        fleet.is_some_and(|fleet| fleet["ComputeType"] == "EC2" && fleet["Status"] == "ACTIVE")
            && load["ActiveServerProcessCount"] != 0
    };
    // How full a location is depends on the time of day, so the last free processes are used up here.
    let fullest = load.iter().filter(is_ec2).min_by_key(|load| free_processes(load)).unwrap();
    let (fleet, location) = (fullest["FleetId"].as_str().unwrap(), fullest["Location"].as_str().unwrap());
    let create = ["session", "create", "--fleet", fleet, "--location", location, "--max-players", "4"];
    for _ in 0..free_processes(fullest) {
        desk.made(&create);
    }
    refused(&desk, &create, "FleetCapacityExceededException", "Raise the desired instances");

    let closed = |alias: &Value| alias["RoutingStrategy"]["Type"] == "TERMINAL";
    let terminal = desk.truth("Aliases").into_iter().find(closed).unwrap();
    not_sent(
        &desk,
        &["session", "create", "--alias", terminal["AliasId"].as_str().unwrap(), "--max-players", "4"],
        "CreateGameSession",
        "The alias is terminal",
    );

    let sessions = desk.sessions(2);
    desk.made(&["session", "terminate", &sessions[0], "--force"]);
    let reserve = ["session", "reserve", &sessions[0], "--player", "ada"];
    not_sent(&desk, &reserve, "CreatePlayerSessions", "AWS reserves slots only in an ACTIVE one");

    let queue = desk.truth("GameSessionQueues")[0]["Name"].as_str().unwrap().to_owned();
    refused(
        &desk,
        &["queue", "update", &queue, "--timeout", "99"],
        "AccessDeniedException",
        "gamelift:UpdateGameSessionQueue",
    );

    desk.faults(&json!([{ "operation": "gamelift:UpdateGameSession", "kind": "throttle" }]));
    refused(
        &desk,
        &["session", "update", &sessions[1], "--name", "later"],
        "ThrottlingException",
        "Try again in a minute",
    );
    desk.faults(&json!([]));
    assert!(desk.found("GameSessions", "Name", "later").is_none());
}
