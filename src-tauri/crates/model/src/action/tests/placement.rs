//! Form rules of placements.

use super::*;

#[test]
fn placements() {
    let start = || StartGameSessionPlacement {
        placement_id: "plc-1".into(),
        game_session_queue_name: "eu-1".into(),
        maximum_player_session_count: 2,
        game_session_name: None,
        game_properties: Vec::new(),
        game_session_data: None,
        players: Vec::new(),
        priority_override: None,
    };
    let id = |id: &str| StartGameSessionPlacement { placement_id: id.into(), ..start() };
    let queue = |name: &str| StartGameSessionPlacement { game_session_queue_name: name.into(), ..start() };
    let player = |latency_ms| PlacementPlayer {
        player_id: "p-1".into(),
        player_data: None,
        latencies: vec![RegionLatency { region: "eu-west-1".to_owned(), latency_ms }],
    };
    let players =
        |players: &[PlacementPlayer]| StartGameSessionPlacement { players: players.to_vec(), ..start() };
    let order = |places: &[&str]| {
        let location_order = places.iter().map(|place| (*place).to_owned()).collect();
        StartGameSessionPlacement {
            priority_override: Some(PriorityOverride { location_order, fall_back: false }),
            ..start()
        }
    };
    let both = StartGameSessionPlacement { players: vec![player(1)], ..order(&["eu-north-1"]) };
    hold(
        [
            ("A14 StartGameSessionPlacement", start(), &[][..]),
            ("A14 PlacementId", id(&text(48)), &[]),
            ("A14 PlacementId", id(&text(49)), &["placementId"]),
            ("A14 PlacementId", id("a.b"), &["placementId"]),
            ("A14 PlacementId", id(""), &["placementId"]),
            ("A16 GameSessionQueueName", queue(&text(129)), &["gameSessionQueueName"]),
            ("A16 GameSessionQueueName", queue("eu_1"), &["gameSessionQueueName"]),
            ("A7 PlayerLatencies", players(&[player(0), player(9)]), &[]),
            ("A7 PlayerLatencies", players(&[player(-1)]), &["players[0].latencies[0].latencyMs"]),
            ("our own: players fit", players(&[player(1), player(1), player(1)]), &["players"]),
            ("A16 LocationOrderOverrideList", order(&["eu-north-1"; 10]), &[]),
            ("A16 LocationOrderOverrideList", order(&[]), &["priorityOverride"]),
            ("A16 LocationOrderOverrideList", order(&["eu-north-1"; 11]), &["priorityOverride"]),
            ("A16 LocationStringModel", order(&["eu north"]), &["priorityOverride.locationOrder[0]"]),
            ("A14 latencies together with the override", both, &["priorityOverride"]),
        ],
        Request::StartGameSessionPlacement,
    );
    hold(
        [
            ("A16 IdStringModel", StopGameSessionPlacement { placement_id: "plc-1".into() }, &[][..]),
            ("A16 IdStringModel", StopGameSessionPlacement { placement_id: "".into() }, &["placementId"]),
        ],
        Request::StopGameSessionPlacement,
    );
}
