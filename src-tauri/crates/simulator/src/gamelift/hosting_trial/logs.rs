//! Logs of ended game sessions.

use std::io::Read as _;

use super::*;
use crate::gamelift::{LogRefusal, read_log};

fn parts(url: &str) -> (String, String) {
    let link = url.strip_prefix("http://127.0.0.1:1/game-session-logs/").unwrap();
    let (path, query) = link.split_once('?').unwrap();
    (path.to_owned(), query.to_owned())
}

#[test]
fn the_log_of_an_ended_session_can_be_fetched_for_a_quarter_of_an_hour() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let arn = trial.active(EU, &fleet);
    let ask = json!({ "GameSessionId": arn });
    assert_eq!(
        trial.refused(EU, "GetGameSessionLogUrl", ask.clone()),
        "NotFoundException",
        "not stored before the end"
    );
    trial.ask(
        EU,
        "TerminateGameSession",
        json!({"GameSessionId": arn, "TerminationMode": "FORCE_TERMINATE"}),
    );
    trial.pass(6);
    let url = trial.ask(EU, "GetGameSessionLogUrl", ask.clone())["PreSignedUrl"].as_str().unwrap().to_owned();
    assert!(url.len() <= 1_024);
    let (path, query) = parts(&url);
    let read = |trial: &Trial, path: &str| {
        read_log(&trial.inner.world, &trial.inner.tokens, path, &query, trial.inner.world.now_ms())
    };
    let bytes = read(&trial, &path).unwrap();
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    zip.by_index(0).unwrap().read_to_string(&mut text).unwrap();
    assert!(
        text.contains(&arn) && text.contains("ActivateGameSession") && text.ends_with("was stopped\n"),
        "{text}"
    );
    assert_eq!(read(&trial, &path.replace(".zip", "0.zip")), Err(LogRefusal::Forged));
    trial.pass(15 * 60);
    assert_eq!(read(&trial, &path), Err(LogRefusal::Expired), "A14: the URL works for 15 minutes");
}

#[test]
fn the_log_goes_after_fourteen_days_and_the_token_is_free_after_thirty() {
    let mut trial = Trial::new();
    let fleet = trial.fleet("arena-prod-eu");
    let make =
        |most: i64| json!({"FleetId": fleet, "MaximumPlayerSessionCount": most, "IdempotencyToken": "t-1"});
    let made = trial.ask(EU, "CreateGameSession", make(4));
    let arn = made["GameSession"]["GameSessionId"].clone();
    trial.ask(
        EU,
        "TerminateGameSession",
        json!({"GameSessionId": arn, "TerminationMode": "FORCE_TERMINATE"}),
    );
    let url = json!({ "GameSessionId": arn });
    trial.pass(14 * 86_400 - 60);
    trial.ask(EU, "GetGameSessionLogUrl", url.clone());
    trial.pass(120);
    assert_eq!(
        trial.refused(EU, "GetGameSessionLogUrl", url),
        "NotFoundException",
        "G3: logs are kept 14 days"
    );
    let other = trial.refused(EU, "CreateGameSession", make(5));
    assert_eq!(other, "IdempotentParameterMismatchException", "G3: the token stays reserved for 30 days");
    trial.pass(17 * 86_400);
    let later = trial.ask(EU, "CreateGameSession", make(5));
    assert_eq!(later["GameSession"]["MaximumPlayerSessionCount"], 5);
}

#[test]
fn only_ec2_fleets_have_session_logs() {
    let mut trial = Trial::new();
    let container = trial.container_fleet(EU);
    let sessions =
        trial.ask(EU, "DescribeGameSessions", json!({"FleetId": container, "StatusFilter": "TERMINATED"}));
    let ask = json!({"GameSessionId": sessions["GameSessions"][0]["GameSessionId"]});
    assert_eq!(
        trial.refused(EU, "GetGameSessionLogUrl", ask),
        "InvalidRequestException",
        "A14: EC2 fleets only"
    );
}
