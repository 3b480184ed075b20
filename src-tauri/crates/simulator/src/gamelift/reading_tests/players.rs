//! Player sessions by id, by game session and by player.

use super::*;

/// The first active session whose player sessions differ in status, and those player sessions.
fn played(trial: &mut Trial) -> (String, Vec<Json>) {
    let fleet = trial.fleet("arena-prod-eu");
    let sessions = trial.get("DescribeGameSessions", json!({ "FleetId": fleet, "StatusFilter": "ACTIVE" }));
    for session in sessions["GameSessions"].as_array().unwrap() {
        let arn = session["GameSessionId"].as_str().unwrap();
        let seats = all(trial, "DescribePlayerSessions", &json!({ "GameSessionId": arn }), "PlayerSessions");
        let statuses: std::collections::BTreeSet<String> = texts(&seats, "Status").into_iter().collect();
        if statuses.len() > 1 {
            return (arn.to_owned(), seats);
        }
    }
    panic!("no session whose players are in different states");
}

#[test]
fn requests_that_break_a_rule_of_player_reads_are_refused() {
    let mut trial = Trial::new(EU);
    let (arn, seats) = played(&mut trial);
    let (name, player, id) = ("DescribePlayerSessions", &seats[0]["PlayerId"], &seats[0]["PlayerSessionId"]);
    trial.refuses(vec![
        ("A14: one of PlayerSessionId, GameSessionId, PlayerId", name, json!({}), INVALID),
        ("A14: one of them", name, json!({ "GameSessionId": arn, "PlayerId": player }), INVALID),
        ("A14: one of them", name, json!({ "GameSessionId": arn, "PlayerSessionId": id }), INVALID),
        ("A14: one of them", name, json!({ "PlayerId": player, "PlayerSessionId": id }), INVALID),
        (
            "B PlayerSessionStatus",
            name,
            json!({ "GameSessionId": arn, "PlayerSessionStatusFilter": "AWAKE" }),
            INVALID,
        ),
        ("A6: NF", name, json!({ "PlayerSessionId": "psess-0" }), UNKNOWN),
        ("A6: NF", name, json!({ "GameSessionId": format!("{arn}0") }), UNKNOWN),
    ]);
}

#[test]
fn the_status_counts_only_with_a_game_session_and_the_limit_not_with_an_id() {
    let mut trial = Trial::new(EU);
    let (arn, seats) = played(&mut trial);
    let (status, player, id) = (&seats[0]["Status"], &seats[0]["PlayerId"], &seats[0]["PlayerSessionId"]);
    let other =
        ["ACTIVE", "COMPLETED", "TIMEDOUT", "RESERVED"].into_iter().find(|other| status != other).unwrap();
    let read = |trial: &mut Trial, input: Json| {
        trial.get("DescribePlayerSessions", input)["PlayerSessions"].as_array().unwrap().clone()
    };
    let narrowed = read(&mut trial, json!({ "GameSessionId": arn, "PlayerSessionStatusFilter": status }));
    assert_eq!(narrowed.len(), seats.iter().filter(|seat| seat["Status"] == *status).count());
    assert!(narrowed.len() < seats.len());
    // A14: the status filter is ignored with PlayerSessionId or PlayerId, Limit with PlayerSessionId.
    let by_id =
        read(&mut trial, json!({ "PlayerSessionId": id, "PlayerSessionStatusFilter": other, "Limit": 1 }));
    assert_eq!(by_id, seats[..1]);
    let by_player = read(&mut trial, json!({ "PlayerId": player, "PlayerSessionStatusFilter": other }));
    assert!(by_player.contains(&seats[0]));
    let small = json!({ "GameSessionId": arn, "Limit": 1 });
    assert_eq!(read(&mut trial, small.clone()).len(), 1);
    assert_eq!(all(&mut trial, "DescribePlayerSessions", &small, "PlayerSessions"), seats, "in pages of one");
}
