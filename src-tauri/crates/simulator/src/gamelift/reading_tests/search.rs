//! SearchGameSessions in a world: which sessions an expression finds, in which order and in which pages (A14, A15).

use super::*;

/// Returns the sessions an expression finds, over all pages.
fn find(trial: &mut Trial, filter: &str, sort: Option<&str>) -> Vec<Json> {
    let mut input = json!({ "FleetId": trial.fleet("arena-prod-eu") });
    if !filter.is_empty() {
        input["FilterExpression"] = json!(filter);
    }
    if let Some(sort) = sort {
        input["SortExpression"] = json!(sort);
    }
    all(trial, "SearchGameSessions", &input, "GameSessions")
}

fn ids(items: &[Json]) -> Vec<String> {
    let mut ids = texts(items, "GameSessionId");
    ids.sort();
    ids
}

fn number(session: &Json, member: &str) -> f64 {
    session[member].as_f64().unwrap()
}

fn property<'a>(session: &'a Json, key: &str) -> Option<&'a str> {
    let all = session["GameProperties"].as_array()?;
    all.iter().find(|property| property["Key"] == key).and_then(|property| property["Value"].as_str())
}

#[test]
fn requests_that_break_a_rule_of_search_are_refused() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("arena-prod-eu");
    let (live, closed) = (alias(&mut trial, "SIMPLE"), alias(&mut trial, "TERMINAL"));
    let name = "SearchGameSessions";
    let filter = |text: &str| json!({ "FleetId": fleet, "FilterExpression": text });
    let sort = |text: &str| json!({ "FleetId": fleet, "SortExpression": text });
    trial.refuses(vec![
        ("A14 SearchGameSessions: one fleet or alias per call", name, json!({}), INVALID),
        ("A14: one fleet or alias per call", name, json!({ "FleetId": fleet, "AliasId": live }), INVALID),
        ("A5: NF", name, json!({ "FleetId": "fleet-0" }), UNKNOWN),
        ("A5: NF", name, json!({ "FleetId": fleet, "Location": "sa-east-1" }), UNKNOWN),
        ("H3 TerminalRoutingStrategyException", name, json!({ "AliasId": closed }), TERMINAL),
        ("A15: strings 1..1024", name, filter(""), INVALID),
        ("A15: strings 1..1024", name, filter(&"x".repeat(1_025)), INVALID),
        ("A15 Operands", name, filter("players = 1"), INVALID),
        ("A15 Operands: a key", name, filter("gameSessionProperties = 'a'"), INVALID),
        (
            "A15: keys containing . cannot be searched",
            name,
            filter("gameSessionProperties.a.b = 'c'"),
            INVALID,
        ),
        ("A15 Comparators", name, filter("playerSessionCount == 1"), INVALID),
        ("A15 Comparators", name, filter("playerSessionCount != 1"), INVALID),
        ("A15: strings only with = and <>", name, filter("gameSessionName > 'a'"), INVALID),
        ("A15: booleans only with = and <>", name, filter("hasAvailablePlayerSessions >= true"), INVALID),
        ("A15 Values: a string in quotes", name, filter("gameSessionName = duel"), INVALID),
        ("A15 Values: a closed string", name, filter("gameSessionName = 'duel"), INVALID),
        ("A15 Logic: parentheses", name, filter("(playerSessionCount = 1"), INVALID),
        ("A15 Logic: two sides", name, filter("playerSessionCount = 1 AND"), INVALID),
        ("A15 Sort: ASC or DESC", name, sort("creationTimeMillis"), INVALID),
        ("A15 Sort: ASC or DESC", name, sort("creationTimeMillis UP"), INVALID),
        ("A15 Sort: an operand", name, sort("players ASC"), INVALID),
        ("A15: strings 1..1024", name, sort(""), INVALID),
    ]);
}

#[test]
fn a_search_gives_active_sessions_twenty_a_page_at_most() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("arena-prod-eu");
    for (limit, size) in [(None, 20), (Some(100), 20), (Some(20), 20), (Some(7), 7)] {
        let mut input = json!({ "FleetId": fleet });
        if let Some(limit) = limit {
            input["Limit"] = json!(limit);
        }
        let page = trial.get("SearchGameSessions", input);
        let sessions = page["GameSessions"].as_array().unwrap();
        assert_eq!(sessions.len(), size, "A14: at most 20 even if Limit is larger or absent");
        assert!(sessions.iter().all(|session| session["Status"] == "ACTIVE"), "A14: only ACTIVE sessions");
        assert!(page["NextToken"].is_string());
    }
    let active = json!({ "FleetId": fleet, "StatusFilter": "ACTIVE" });
    let listed = all(&mut trial, "DescribeGameSessions", &active, "GameSessions");
    assert_eq!(ids(&find(&mut trial, "", None)), ids(&listed));
}

#[test]
fn every_operand_comparator_and_word_finds_what_it_says() {
    let mut trial = Trial::new(EU);
    let whole = find(&mut trial, "", None);
    let (name, id) = (
        whole[0]["Name"].as_str().unwrap().to_owned(),
        whole[1]["GameSessionId"].as_str().unwrap().to_owned(),
    );
    let born_ms = (number(&whole[2], "CreationTime") * 1_000.0).round();
    let free = |session: &Json| {
        number(session, "CurrentPlayerSessionCount") < number(session, "MaximumPlayerSessionCount")
    };
    let count = |session: &Json| number(session, "CurrentPlayerSessionCount");
    type Fits<'a> = Box<dyn Fn(&Json) -> bool + 'a>;
    let cases: Vec<(String, Fits<'_>)> = vec![
        (format!("gameSessionName = '{name}'"), Box::new(|one| one["Name"] == *name)),
        (format!("gameSessionName <> '{name}'"), Box::new(|one| one["Name"] != *name)),
        (
            format!("gameSessionName = '{}'", name.to_uppercase()),
            Box::new(|one| one["Name"] == *name.to_uppercase()),
        ),
        (format!("gameSessionId = '{id}'"), Box::new(|one| one["GameSessionId"] == *id)),
        ("maximumSessions = 10".to_owned(), Box::new(|one| number(one, "MaximumPlayerSessionCount") == 10.0)),
        (
            format!("creationTimeMillis <= {born_ms}"),
            Box::new(|one| number(one, "CreationTime") * 1_000.0 <= born_ms + 0.5),
        ),
        (
            format!("creationTimeMillis > {born_ms}"),
            Box::new(|one| number(one, "CreationTime") * 1_000.0 > born_ms + 0.5),
        ),
        ("playerSessionCount >= 4".to_owned(), Box::new(|one| count(one) >= 4.0)),
        ("playerSessionCount < 4".to_owned(), Box::new(|one| count(one) < 4.0)),
        ("playerSessionCount <> 4".to_owned(), Box::new(|one| count(one) != 4.0)),
        ("hasAvailablePlayerSessions=true".to_owned(), Box::new(|one| free(one))),
        ("hasAvailablePlayerSessions <> true".to_owned(), Box::new(|one| !free(one))),
        (
            "gameSessionProperties.mode = 'ranked'".to_owned(),
            Box::new(|one| property(one, "mode") == Some("ranked")),
        ),
        // A15: one documented example quotes a property value with double quotes.
        (
            "gameSessionProperties.mode = \"ranked\"".to_owned(),
            Box::new(|one| property(one, "mode") == Some("ranked")),
        ),
        ("gameSessionProperties.nothing = 'x'".to_owned(), Box::new(|_| false)),
        // A15: precedence NOT, AND, OR.
        (
            "playerSessionCount=0 OR NOT hasAvailablePlayerSessions=true AND playerSessionCount>4".to_owned(),
            Box::new(|one| count(one) == 0.0 || (!free(one) && count(one) > 4.0)),
        ),
        (
            "(playerSessionCount=0 OR hasAvailablePlayerSessions=true) AND playerSessionCount<3".to_owned(),
            Box::new(|one| (count(one) == 0.0 || free(one)) && count(one) < 3.0),
        ),
    ];
    let mut narrowed = 0;
    for (filter, fits) in &cases {
        let expected: Vec<Json> = whole.iter().filter(|one| fits(one)).cloned().collect();
        assert_eq!(ids(&find(&mut trial, filter, None)), ids(&expected), "A15: {filter}");
        narrowed += usize::from(!expected.is_empty() && expected.len() < whole.len());
    }
    assert!(narrowed > 8, "most of them tell sessions apart: {narrowed}");
}

#[test]
fn an_escaped_quote_and_a_property_written_as_a_number_are_texts() {
    let mut trial = Trial::new(EU);
    let fleet = trial.fleet("arena-prod-eu");
    let made = trial.get(
        "CreateGameSession",
        json!({
            "FleetId": fleet, "MaximumPlayerSessionCount": 2, "Name": "lobby 'eu' \\ west",
            "GameProperties": [{ "Key": "season", "Value": "7" }, { "Key": "open", "Value": "true" }],
        }),
    );
    trial.wait_s(10);
    let arn = made["GameSession"]["GameSessionId"].as_str().unwrap().to_owned();
    for filter in [
        r"gameSessionName = 'lobby \'eu\' \\ west'",
        "gameSessionProperties.season = '7'",
        // A15: all game property values are compared as strings.
        "gameSessionProperties.season = 7",
        "gameSessionProperties.open = true",
    ] {
        let found = texts(&find(&mut trial, filter, None), "GameSessionId");
        assert_eq!(found, [arn.as_str()], "A15: {filter}");
    }
    assert!(find(&mut trial, "gameSessionProperties.season = '07'", None).is_empty());
}

#[test]
fn sessions_are_sorted_by_any_operand_with_nulls_last_over_all_pages() {
    let mut trial = Trial::new(EU);
    let whole = find(&mut trial, "", None);
    for (operand, member) in [
        ("creationTimeMillis", "CreationTime"),
        ("playerSessionCount", "CurrentPlayerSessionCount"),
        ("maximumSessions", "MaximumPlayerSessionCount"),
    ] {
        let up = find(&mut trial, "", Some(&format!("{operand} ASC")));
        assert!(up.is_sorted_by(|one, two| number(one, member) <= number(two, member)), "A15: {operand} ASC");
        let down = find(&mut trial, "", Some(&format!("{operand} DESC")));
        assert!(
            down.is_sorted_by(|one, two| number(one, member) >= number(two, member)),
            "A15: {operand} DESC"
        );
        assert_eq!((ids(&up), ids(&down)), (ids(&whole), ids(&whole)));
    }
    let fleet = trial.fleet("arena-prod-eu");
    trial.get("CreateGameSession", json!({
        "FleetId": fleet, "MaximumPlayerSessionCount": 2, "GameProperties": [{ "Key": "rare", "Value": "yes" }],
    }));
    trial.wait_s(10);
    for direction in ["ASC", "DESC"] {
        let sorted = find(&mut trial, "", Some(&format!("gameSessionProperties.rare {direction}")));
        assert_eq!(property(&sorted[0], "rare"), Some("yes"), "A15: nulls last");
        assert!(sorted[1..].iter().all(|one| property(one, "rare").is_none()));
    }
}
