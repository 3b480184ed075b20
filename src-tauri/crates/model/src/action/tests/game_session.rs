//! Form rules of changes to game sessions and to their player sessions.

use super::*;

fn create() -> CreateGameSession {
    CreateGameSession {
        target: GameSessionTarget::Fleet("fleet-1".into()),
        location: None,
        maximum_player_session_count: 8,
        name: None,
        game_properties: Vec::new(),
        game_session_data: None,
        idempotency_token: "token-1".to_owned(),
        creator_id: None,
    }
}

#[test]
fn create_game_session() {
    let count = |maximum_player_session_count| CreateGameSession { maximum_player_session_count, ..create() };
    let fleet = |id: &str| CreateGameSession { target: GameSessionTarget::Fleet(id.into()), ..create() };
    let alias = |id: &str| CreateGameSession { target: GameSessionTarget::Alias(id.into()), ..create() };
    let place = |place: &str| CreateGameSession { location: Some(place.into()), ..create() };
    let token = |token: &str| CreateGameSession { idempotency_token: token.to_owned(), ..create() };
    let with = |game_properties| CreateGameSession { game_properties, ..create() };
    let many = |count: usize| {
        let one = |n| GameProperty { key: format!("k{n}"), value: String::new() };
        with((0..count).map(one).collect())
    };
    let data = |length| CreateGameSession { game_session_data: Some(text(length)), ..create() };
    let name = |length| CreateGameSession { name: Some(text(length)), ..create() };
    let creator = |length| CreateGameSession { creator_id: Some(text(length)), ..create() };
    hold(
        [
            ("A14 CreateGameSession", create(), &[][..]),
            ("A16 FleetId", fleet("containerfleet-1a-2B"), &[]),
            ("A16 FleetId", fleet("Fleet-1"), &["target"]),
            ("A16 FleetId", fleet("fleet-"), &["target"]),
            ("A16 FleetId", fleet("fleet-1 2"), &["target"]),
            ("A16 FleetId", fleet(""), &["target"]),
            ("A16 FleetArn", fleet("arn:aws:gamelift:eu-west-1::fleet/fleet-1"), &["target"]),
            ("A16 AliasId", alias("alias-1"), &[]),
            ("A16 AliasId", alias("fleet-1"), &["target"]),
            ("A16 LocationStringModel", place("custom-home-1"), &[]),
            ("A16 LocationStringModel", place(&text(65)), &["location"]),
            ("A16 LocationStringModel", place("eu north"), &["location"]),
            ("G2 Player sessions per game session", count(1), &[]),
            ("G2 Player sessions per game session", count(200), &[]),
            ("G2 Player sessions per game session", count(201), &["maximumPlayerSessionCount"]),
            ("A14 MaximumPlayerSessionCount required", count(0), &["maximumPlayerSessionCount"]),
            ("A16 IdStringModel", token(&text(48)), &[]),
            ("A16 IdStringModel", token(&text(49)), &["idempotencyToken"]),
            ("A16 IdStringModel", token("a_b"), &["idempotencyToken"]),
            ("A16 GamePropertyList", many(16), &[]),
            ("A16 GamePropertyList", many(17), &["gameProperties"]),
            ("A16 GamePropertyKey, GamePropertyValue", with(property(32, 96)), &[]),
            ("A16 GamePropertyValue", with(property(1, 0)), &[]),
            ("A16 GamePropertyKey", with(property(33, 1)), &["gameProperties[0].key"]),
            ("A16 GamePropertyValue", with(property(1, 97)), &["gameProperties[0].value"]),
            (
                "our own: a key twice",
                with([property(1, 1), property(1, 2)].concat()),
                &["gameProperties[1].key"],
            ),
            ("A16 LargeGameSessionData", data(262_144), &[]),
            ("A16 LargeGameSessionData", data(262_145), &["gameSessionData"]),
            ("A16 LargeGameSessionData", data(0), &["gameSessionData"]),
            ("A16 NonZeroAndMaxString", name(1_024), &[]),
            ("A16 NonZeroAndMaxString", name(1_025), &["name"]),
            ("A16 NonZeroAndMaxString", creator(0), &["creatorId"]),
        ],
        Request::CreateGameSession,
    );
}

#[test]
fn game_sessions_by_their_arn() {
    let terminate = |id: &str| TerminateGameSession {
        game_session_id: id.into(),
        termination_mode: TerminationMode::TriggerOnProcessTerminate,
    };
    hold(
        [
            ("H4 GameSessionId", terminate(ARN), &[][..]),
            ("H4 GameSessionId: always an ARN", terminate("s-1"), &["gameSessionId"]),
            ("H4 GameSessionId: names its fleet", terminate("arn:aws:gamelift:x::y/z"), &["gameSessionId"]),
            ("A16 ArnStringModel", terminate(&format!("{ARN}_")), &["gameSessionId"]),
            ("A16 ArnStringModel", terminate(&format!("{ARN}{}", text(500))), &["gameSessionId"]),
        ],
        Request::TerminateGameSession,
    );
    let nothing = UpdateGameSession {
        game_session_id: ARN.into(),
        name: None,
        maximum_player_session_count: None,
        player_session_creation_policy: None,
        protection_policy: None,
        game_properties: Vec::new(),
    };
    let count = |count| UpdateGameSession { maximum_player_session_count: Some(count), ..nothing.clone() };
    hold(
        [
            ("A14 UpdateGameSession: mutable members", count(4), &[][..]),
            ("A14 UpdateGameSession: mutable members", nothing.clone(), &["gameSessionId"]),
            ("G2 Player sessions per game session", count(201), &["maximumPlayerSessionCount"]),
            (
                "A16 GamePropertyKey",
                UpdateGameSession { game_properties: property(33, 1), ..nothing.clone() },
                &["gameProperties[0].key"],
            ),
        ],
        Request::UpdateGameSession,
    );
}

#[test]
fn create_player_sessions() {
    let players = |count: usize| CreatePlayerSessions {
        game_session_id: ARN.into(),
        players: (0..count)
            .map(|n| NewPlayerSession { player_id: format!("p-{n}").into(), player_data: None })
            .collect(),
    };
    let one = |id: usize, data: Option<usize>| CreatePlayerSessions {
        players: vec![NewPlayerSession { player_id: text(id).into(), player_data: data.map(text) }],
        ..players(0)
    };
    let twice =
        CreatePlayerSessions { players: [players(1).players, players(1).players].concat(), ..players(0) };
    hold(
        [
            ("A16 PlayerIdList", players(25), &[][..]),
            ("A16 PlayerIdList", players(0), &["players"]),
            ("A16 PlayerIdList", players(26), &["players"]),
            ("A16 PlayerId, PlayerData", one(1_024, Some(2_048)), &[]),
            ("A16 PlayerId", one(1_025, None), &["players[0].playerId"]),
            ("A16 PlayerId", one(0, None), &["players[0].playerId"]),
            ("A16 PlayerData", one(1, Some(2_049)), &["players[0].playerData"]),
            ("A16 PlayerData", one(1, Some(0)), &["players[0].playerData"]),
            ("our own: a player twice", twice, &["players[1].playerId"]),
        ],
        Request::CreatePlayerSessions,
    );
}
