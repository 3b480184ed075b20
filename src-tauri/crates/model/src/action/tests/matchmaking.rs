//! Form rules of tickets and backfills.

use std::collections::BTreeMap;

use super::*;

fn match_player() -> MatchPlayer {
    MatchPlayer { player_id: "p-1".into(), team: None, attributes: Vec::new(), latencies: Vec::new() }
}

#[test]
fn tickets() {
    let start = |players: Vec<MatchPlayer>| StartMatchmaking {
        configuration_name: "duel.v2".to_owned(),
        ticket_id: "t-1.a".into(),
        players,
    };
    let with = |value| {
        let attributes = vec![PlayerAttribute { name: "a".to_owned(), value }];
        start(vec![MatchPlayer { attributes, ..match_player() }])
    };
    let attributes = |count| {
        let one = PlayerAttribute { name: "a".to_owned(), value: AttributeValue::Number(1.0) };
        start(vec![MatchPlayer { attributes: vec![one; count], ..match_player() }])
    };
    let texts = |count, length| with(AttributeValue::TextList(vec![text(length); count]));
    let numbers = |count: usize| {
        let pairs: BTreeMap<_, _> = (0..count).map(|n| (format!("k{n}"), 1.0)).collect();
        with(AttributeValue::NumberMap(pairs))
    };
    let latency = |latency_ms| {
        let latencies = vec![RegionLatency { region: "eu-west-1".to_owned(), latency_ms }];
        start(vec![MatchPlayer { latencies, ..match_player() }])
    };
    let id = |id: &str| StartMatchmaking { ticket_id: id.into(), ..start(vec![match_player()]) };
    let configuration =
        |name: &str| StartMatchmaking { configuration_name: name.to_owned(), ..start(vec![match_player()]) };
    let team = MatchPlayer { team: Some(String::new()), ..match_player() };
    let value = &["players[0].attributes[0].value"][..];
    hold(
        [
            ("A14 StartMatchmaking: at most 10 players", start(vec![match_player(); 10]), &[][..]),
            ("A14 StartMatchmaking: at most 10 players", start(vec![match_player(); 11]), &["players"]),
            ("A9 Players required", start(Vec::new()), &["players"]),
            ("A14 StartMatchmaking: at most 10 attributes", attributes(10), &[]),
            ("A14 StartMatchmaking: at most 10 attributes", attributes(11), &["players[0].attributes"]),
            ("A16 PlayerAttributeString", with(AttributeValue::Text(text(100))), &[]),
            ("A16 PlayerAttributeString", with(AttributeValue::Text(text(101))), value),
            ("A16 DoubleObject", with(AttributeValue::Number(f64::NAN)), value),
            ("G2 strings in a list attribute", texts(100, 1), &[]),
            ("G2 strings in a list attribute", texts(101, 1), value),
            ("A16 PlayerAttributeString", texts(1, 0), value),
            ("G2 pairs in a map attribute", numbers(10), &[]),
            ("G2 pairs in a map attribute", numbers(11), value),
            ("A16 PositiveInteger", latency(1), &[]),
            ("A16 PositiveInteger", latency(0), &["players[0].latencies[0].latencyMs"]),
            ("A16 MatchmakingIdStringModel", id(&text(128)), &[]),
            ("A16 MatchmakingIdStringModel", id(&text(129)), &["ticketId"]),
            ("A16 MatchmakingIdStringModel", id("a b"), &["ticketId"]),
            ("A16 MatchmakingConfigurationName", configuration("a/b"), &["configurationName"]),
            ("A16 MatchmakingConfigurationName", configuration(""), &["configurationName"]),
            ("A16 NonZeroAndMaxString", start(vec![team]), &["players[0].team"]),
        ],
        Request::StartMatchmaking,
    );
    let accept = |ids: &[&str]| AcceptMatch {
        ticket_id: "t-1".into(),
        player_ids: ids.iter().map(|id| (*id).into()).collect(),
        accept: true,
    };
    hold(
        [
            ("A9 AcceptMatch", accept(&["p-1"]), &[][..]),
            ("A9 AcceptMatch: PlayerIds required", accept(&[]), &["playerIds"]),
            ("A16 PlayerId", accept(&["p-1", ""]), &["playerIds[1]"]),
        ],
        Request::AcceptMatch,
    );
    hold(
        [("A16 MatchmakingIdStringModel", StopMatchmaking { ticket_id: "a_b".into() }, &["ticketId"][..])],
        Request::StopMatchmaking,
    );
    let backfill = |id: &str, count| StartMatchBackfill {
        configuration_name: "duel".to_owned(),
        ticket_id: "t-1".into(),
        game_session_id: id.into(),
        players: vec![match_player(); count],
    };
    hold(
        [
            ("A9 StartMatchBackfill", backfill(ARN, 200), &[][..]),
            ("G2 Player sessions per game session", backfill(ARN, 201), &["players"]),
            ("H4 GameSessionId: always an ARN", backfill("s-1", 1), &["gameSessionId"]),
        ],
        Request::StartMatchBackfill,
    );
}
