//! What the local check lets through, what it refuses, and where it points.

use proptest::prelude::*;

use super::{FilterExpression, MAX_EXPRESSION_CHARS, SortExpression};

/// The characters an error points at, and its message.
fn mistake(text: &str) -> (String, String) {
    let error = FilterExpression::parse(text).expect_err(text);
    let part = text.get(error.span.start..error.span.end).expect("on character borders");
    (part.to_owned(), error.message)
}

#[test]
fn what_the_reference_shows_is_let_through() {
    for text in [
        "hasAvailablePlayerSessions=true AND maximumSessions>=8",
        r"NOT (playerSessionCount=0 OR gameSessionName='lobby \'eu\'')",
        "gameSessionProperties.mode = 'ranked'",
        "gameSessionProperties.mode = \"ranked\"",
        "creationTimeMillis>1469498468057 and ( maximumSessions < 5 )",
        "gameSessionId <> 'arn:aws:gamelift:eu-west-1::gamesession/fleet-1/s-1'",
        "gameSessionName = 'größer (als) AND'",
        "  hasAvailablePlayerSessions <> false  ",
    ] {
        let found = FilterExpression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(found.as_ref().map(FilterExpression::as_str), Some(text.trim()));
    }
    for text in
        ["creationTimeMillis DESC", "gameSessionProperties.mode asc", "hasAvailablePlayerSessions ASC "]
    {
        assert!(SortExpression::parse(text).is_ok_and(|sort| sort.is_some()), "{text}");
    }
    assert_eq!(FilterExpression::parse("  "), Ok(None));
    assert_eq!(SortExpression::parse(""), Ok(None));
}

#[test]
fn a_mistake_is_pointed_at() {
    for (text, part, says) in [
        ("players = 1", "players", "GameLift searches"),
        ("PlayerSessionCount = 1", "PlayerSessionCount", "written `playerSessionCount`"),
        ("playerSessionCount", "", "is followed by"),
        ("playerSessionCount == 1", "=", "a value is missing"),
        ("playerSessionCount != 1", "!=", "is followed by"),
        ("playerSessionCount = ", "", "a value is missing"),
        ("playerSessionCount = 'two'", "'two'", "a number"),
        ("playerSessionCount = nan", "nan", "single quotes"),
        ("maximumSessions < 1e999", "1e999", "not a number"),
        ("gameSessionName > 'a'", ">", "= or <> only"),
        ("gameSessionName = lobby", "lobby", "single quotes"),
        ("gameSessionName = 'open", "'", "not closed"),
        ("hasAvailablePlayerSessions <> 1", "1", "true or false"),
        ("gameSessionProperties = 'x'", "gameSessionProperties", "its-key"),
        ("gameSessionProperties. = 'x'", "gameSessionProperties.", "key is missing"),
        ("gameSessionProperties.a.b = 'x'", "gameSessionProperties.a.b", "a dot"),
        ("gameSessionProperties.season > 5", ">", "= or <> only"),
        ("(playerSessionCount = 1", "(", "not closed"),
        ("playerSessionCount = 1)", ")", "no matching"),
        ("playerSessionCount = 1 AND", "", "a condition is missing"),
        ("playerSessionCount = 1 maximumSessions = 2", "maximumSessions", "AND, OR"),
        ("(playerSessionCount = 1 , x)", ",", "AND, OR or `)`"),
    ] {
        let (found, message) = mistake(text);
        assert_eq!(found, part, "{text}: {message}");
        assert!(message.contains(says), "{text}: {message}");
    }
}

#[test]
fn an_order_is_one_operand_and_a_direction() {
    for (text, says) in [
        ("creationTimeMillis", "ASC or DESC"),
        ("creationTimeMillis UP", "ASC or DESC"),
        ("ASC", "GameLift searches"),
        ("creationTimeMillis ASC, playerSessionCount DESC", "one field only"),
    ] {
        let error = SortExpression::parse(text).expect_err(text);
        assert!(error.message.contains(says), "{text}: {error}");
    }
}

#[test]
fn an_expression_has_as_many_characters_as_the_service_takes() {
    let named = |letters: usize| format!("gameSessionName='{}'", "é".repeat(letters));
    let around = named(0).len();
    assert!(FilterExpression::parse(&named(MAX_EXPRESSION_CHARS - around)).is_ok());
    assert_eq!(mistake(&named(MAX_EXPRESSION_CHARS - around + 1)).0, "'");
}

#[test]
fn deep_nesting_is_refused_instead_of_exhausting_the_stack() {
    assert!(mistake(&format!("{}playerSessionCount=1", "NOT ".repeat(200))).1.contains("deeply"));
    assert!(mistake(&"(".repeat(1_000)).1.contains("deeply"));
}

proptest! {
    #[test]
    fn rubbish_is_refused_on_character_borders(text in "[a-z'\"() =<>.é\\\\]{0,60}|gameSession(Name|Properties.é) ?[=<>]{1,2} ?'?.{0,20}") {
        for error in [FilterExpression::parse(&text).err(), SortExpression::parse(&text).err()].into_iter().flatten() {
            prop_assert!(error.span.start <= error.span.end);
            prop_assert!(text.get(error.span.start..error.span.end).is_some());
        }
    }
}
