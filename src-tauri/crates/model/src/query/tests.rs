//! The query language as its users meet it.

use super::{Comparison, Field, MAX_DEPTH, Node, Query, Test, TextTest, Vocabulary, completions};
use crate::game_session::GameSessionEnding;
use proptest::prelude::*;

fn only(text: &str) -> (Field, Test) {
    match Query::parse(text).expect(text).root {
        Some(Node::Term(term)) => (term.field, term.test),
        other => panic!("{text}: {other:?}"),
    }
}

fn complaint(text: &str) -> (String, String) {
    let error = Query::parse(text).expect_err(text);
    (error.message.clone(), text.get(error.span.start..error.span.end).expect("span in text").to_owned())
}

#[test]
fn the_example_of_the_manual_parses() {
    let text = "status:active fleet:eu-prod* players>=8 prop.mode:ranked name:/season.+/ created:<2h \
                -region:us-east-1 player:abc";
    let query = Query::parse(text).unwrap();
    assert_eq!(query.terms().len(), 8);
    let Some(Node::And(parts)) = query.root else { panic!("one conjunction") };
    assert!(matches!(parts[6], Node::Not(_)));
}

#[test]
fn a_blank_text_matches_everything() {
    assert_eq!(Query::parse("  \t ").unwrap(), Query::everything());
}

#[test]
fn each_kind_of_field_has_its_own_values() {
    assert_eq!(only("status:active"), (Field::Status, Test::Text(TextTest::Exact("ACTIVE".into()))));
    assert_eq!(only("players:>=8"), (Field::Players, Test::Count(Comparison::GreaterEqual, 8)));
    assert_eq!(only("free=0"), (Field::Free, Test::Count(Comparison::Equal, 0)));
    assert_eq!(only("created:2h"), (Field::Created, Test::Age(Comparison::LessEqual, 7_200_000)));
    assert_eq!(only("created:<2h"), (Field::Created, Test::Age(Comparison::Less, 7_200_000)));
    assert_eq!(only("duration>30m"), (Field::Duration, Test::Length(Comparison::Greater, 1_800_000)));
    assert_eq!(only("ended:none"), (Field::Ended, Test::Absent));
    assert_eq!(only("ended:15m"), (Field::Ended, Test::Age(Comparison::LessEqual, 900_000)));
    assert_eq!(only("ended:Crashed"), (Field::Ended, Test::Ending(vec![GameSessionEnding::Crashed])));
    assert_eq!(only("data:ranked"), (Field::Data, Test::Text(TextTest::Contains("ranked".into()))));
    let address = TextTest::Is("198.51.100.7:1935".into());
    assert_eq!(only("address:198.51.100.7:1935"), (Field::Address, Test::Text(address)));
    assert_eq!(only("fleet:eu-*"), (Field::Fleet, Test::Text(TextTest::Glob("eu-*".into()))));
    assert_eq!(only("name:\"a * (b)\""), (Field::Name, Test::Text(TextTest::Contains("a * (b)".into()))));
    assert_eq!(
        only("name=\"say \\\"hi\\\"\""),
        (Field::Name, Test::Text(TextTest::Exact("say \"hi\"".into())))
    );
    assert_eq!(
        only("prop.\"game mode\":x"),
        (Field::Property("game mode".into()), Test::Text(TextTest::Is("x".into())))
    );
}

#[test]
fn abnormal_stands_for_every_ending_nobody_wanted() {
    let (_, Test::Ending(endings)) = only("ended:abnormal") else { panic!() };
    assert!(endings.contains(&GameSessionEnding::Crashed) && endings.iter().all(|one| one.is_abnormal()));
    let error = Query::parse("ended:crushed").unwrap_err();
    assert!(error.message.contains("abnormal") && error.message.contains("crashed"), "{error:?}");
    assert!(Query::parse("created:crashed").is_err(), "only an end has a way");
    assert!(Query::parse("ended>crashed").is_err(), "ways have no order");
}

#[test]
fn a_quoted_value_is_read_as_it_was() {
    for value in ["arena", "two words", "a \"b\" \\c", "with*star", ""] {
        let read = only(&format!("prop.\"map\"={}", super::quoted(value)));
        assert_eq!(read, (Field::Property("map".into()), Test::Text(TextTest::Exact(value.into()))));
    }
}

#[test]
fn a_query_is_taken_apart_and_put_together_by_what_must_all_hold() {
    let query = Query::parse("fleet:a (map or mode) -status:active").unwrap();
    let parts = query.clone().parts();
    assert_eq!(parts.len(), 3);
    let together = parts.into_iter().fold(Query::everything(), Query::and);
    assert_eq!(together.terms().len(), query.terms().len());
    assert_eq!(Query::everything().and(Query::everything()), Query::everything());
}

#[test]
fn a_star_stands_for_any_run_and_case_is_ignored() {
    let glob = |glob: &str, text: &str| TextTest::Glob(glob.into()).matches(text);
    for (pattern, text) in
        [("eu-*", "EU-prod"), ("*", ""), ("a*b*c", "a1b2b3c"), ("*prod*", "eu-prod-1"), ("**", "x")]
    {
        assert!(glob(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [("eu-*", "us-prod"), ("a*b*c", "acb"), ("ab*ba", "aba"), ("*x", "xy")] {
        assert!(!glob(pattern, text), "{pattern} {text}");
    }
}

#[test]
fn a_plus_before_a_term_changes_nothing() {
    for (with, without) in [("+players:2", "players:2"), ("+(a or b)", "(a or b)"), ("+-a", "-a")] {
        let fields = |text: &str| {
            let query = Query::parse(text).expect(text);
            query.terms().into_iter().map(|term| (term.field.clone(), term.test.clone())).collect::<Vec<_>>()
        };
        assert_eq!(fields(with), fields(without));
    }
    assert_eq!(only("\"+1\"").1, Test::Text(TextTest::Contains("+1".into())), "in quotes it is text");
}

#[test]
fn a_day_is_as_wide_as_a_day() {
    let (_, Test::Moment(Comparison::Greater, range)) = only("created>2026-03-04") else { panic!() };
    assert_eq!(
        (range.from.to_rfc3339().as_str(), range.length_ms()),
        ("2026-03-04T00:00:00.000Z", 86_400_000)
    );
    let (_, Test::Moment(_, range)) = only("created>=2026-03-04T10:15:00+01:00") else { panic!() };
    assert_eq!(range.from.to_rfc3339(), "2026-03-04T09:15:00.000Z");
}

#[test]
fn an_arn_or_an_address_with_a_port_is_a_text_not_a_field() {
    for text in
        ["arn:aws:gamelift:eu-west-1::gamesession/fleet-1/abc", "10.0.0.1:7777", "maps/a:b", "a+b", "+"]
    {
        assert_eq!(only(text), (Field::Text, Test::Text(TextTest::Contains(text.into()))));
    }
}

#[test]
fn what_stands_in_quotes_is_a_text_whatever_is_in_it() {
    assert_eq!(only("\"+players:2\""), (Field::Text, Test::Text(TextTest::Contains("+players:2".into()))));
    assert_eq!(only("instance:i-1").0, Field::Compute);
}

#[test]
fn or_binds_looser_than_side_by_side_and_groups_override() {
    let Some(Node::Or(parts)) = Query::parse("a b or c").unwrap().root else { panic!() };
    assert_eq!(parts.len(), 2);
    let Some(Node::And(parts)) = Query::parse("a (b or c) and -d").unwrap().root else { panic!() };
    assert_eq!(parts.len(), 3);
    assert!(matches!(&parts[1], Node::Or(inner) if inner.len() == 2));
}

#[test]
fn every_error_points_at_its_cause() {
    for (text, message, at) in [
        ("status:activ", "status is one of active", "activ"),
        ("a +values.metadata.mode:x", "did you mean the game property `prop.mode`?", "values.metadata.mode"),
        ("label.map:dust", "did you mean the game property `prop.map`?", "label.map"),
        ("label.:dust", "there is no field `label.`; fields are", "label."),
        ("ip_adress:1.2.3.4", "did you mean `ip`?", "ip_adress"),
        ("lcoation:eu", "did you mean `location`?", "lcoation"),
        ("xyz:eu", "there is no field `xyz`; fields are status, ", "xyz"),
        ("größe:3", "there is no field `größe`", "größe"),
        ("[0]=x", "there is no field", "[0]"),
        ("players >= 8", "right before this", ">="),
        ("\"players\":8", "right before this", ":"),
        ("+a!=b", "there is no field `a`", "a"),
        ("players>=many", "players needs a whole number", "many"),
        ("stats:active", "there is no field `stats`", "stats"),
        ("fleets:x", "did you mean `fleet`", "fleets"),
        ("a (b or c", "is not closed", "("),
        ("a) b", "no matching", ")"),
        ("name:\"abc", "quote is not closed", "\""),
        ("name:/[/", "not a regular expression", "/[/"),
        ("name:/a{1000}{1000}{1000}/", "not a regular expression", "/a{1000}{1000}{1000}/"),
        ("a or", "`or` needs a term after it", "or"),
        ("or a", "`or` needs a term before it", "o"),
        ("- a", "right after", "-"),
        ("players:", "players needs a value", "players:"),
        ("status>active", "cannot be compared", "active"),
        ("created:yesterday", "2026-03-04", "yesterday"),
        ("prop.:x", "prop. needs a key", "prop."),
        ("()", "a term is missing", ")"),
    ] {
        let (said, place) = complaint(text);
        assert!(said.contains(message), "{text}: {said}");
        assert_eq!(place, at, "{text}: {said}");
    }
}

#[test]
fn the_carets_stand_under_the_fault_even_after_wide_characters() {
    let text = "name:größe players>=x";
    let shown = Query::parse(text).unwrap_err().render(text);
    let caret_column = shown.lines().nth(1).unwrap().chars().position(|c| c == '^').unwrap();
    assert_eq!(text.chars().nth(caret_column), Some('x'));
}

#[test]
fn nesting_and_length_are_bounded() {
    let deep = "(".repeat(MAX_DEPTH + 1) + "a" + &")".repeat(MAX_DEPTH + 1);
    assert!(complaint(&deep).0.contains("nested deeper"));
    assert!(complaint(&"-".repeat(3_000)).0.contains("nested deeper"));
    assert!(complaint(&"a ".repeat(100)).0.contains("more than"));
    assert!(complaint(&"a".repeat(5_000)).0.contains("longer than"));
}

#[test]
fn completions_offer_fields_then_values() {
    let vocabulary = Vocabulary {
        fleets: vec!["arena us".into(), "arena-eu".into()],
        queues: vec!["arena-queue".into()],
        ..Vocabulary::default()
    };
    let labels = |text: &str| -> Vec<String> {
        completions(text, text.len(), &vocabulary).into_iter().map(|found| found.insert).collect()
    };
    assert_eq!(labels("status:active pla"), ["players>=", "player:", "placement:"]);
    assert_eq!(labels("-sta"), ["status:"]);
    assert_eq!(labels("+sta"), ["status:"]);
    assert_eq!(labels("queue:"), ["arena-queue"]);
    assert_eq!(labels("status:TERM"), ["terminated", "terminating"]);
    assert_eq!(labels("(fleet:ar"), ["\"arena us\"", "arena-eu"]);
    let found = completions("a fleet:ar b", 10, &vocabulary);
    assert_eq!((found[0].replaces.start, found[0].replaces.end), (8, 10));
    assert!(completions("größe", 3, &vocabulary).is_empty(), "a caret inside a character is moved");
}

#[test]
fn completions_offer_the_values_of_a_game_property() {
    let vocabulary = Vocabulary {
        properties: vec![
            ("map".into(), vec!["dust".into(), "old town".into()]),
            ("mode".into(), vec!["ranked".into()]),
        ],
        ..Vocabulary::default()
    };
    let labels = |text: &str| -> Vec<String> {
        completions(text, text.len(), &vocabulary).into_iter().map(|found| found.insert).collect()
    };
    assert_eq!(labels("prop.map:"), ["dust", "\"old town\""]);
    assert_eq!(labels("status:active prop.mode=ra"), ["ranked"]);
    assert_eq!(labels("prop.m"), ["prop.map:", "prop.mode:"]);
    assert!(labels("prop.other:").is_empty());
}

proptest! {
    #[test]
    fn no_text_makes_it_panic_and_every_span_lies_in_the_text(text in "\\PC{0,80}", caret in 0usize..120) {
        let _ = completions(&text, caret, &Vocabulary::default());
        if let Err(error) = Query::parse(&text) {
            prop_assert!(text.get(error.span.start..error.span.end).is_some(), "{error:?}");
            prop_assert!(error.render(&text).lines().count() >= 2);
        }
    }

    #[test]
    fn texts_made_of_the_grammars_own_pieces_never_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "status", "players", "prop.", "created", "fleet", ":", ">=", "!=", "<", "-", "(", ")", " ", "or", "and",
            "\"", "/", "\\", "*", "8", "2h", "none", "active", "é", "a.+", "2026-03-04",
        ]), 0..24),
    ) {
        let text = pieces.concat();
        match Query::parse(&text) {
            Ok(query) => for term in query.terms() {
                prop_assert!(text.get(term.span.start..term.span.end).is_some());
            },
            Err(error) => prop_assert!(text.get(error.span.start..error.span.end).is_some(), "{error:?}"),
        }
    }

    #[test]
    fn a_quoted_value_comes_back_as_it_was(value in "\\PC{1,30}") {
        let text = format!("name=\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
        prop_assert_eq!(only(&text).1, Test::Text(TextTest::Exact(value)));
    }
}
