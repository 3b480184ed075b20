//! Game sessions and their player slots.

use std::collections::HashMap;

use aws_sdk_gamelift::types;
use liftdeck_model::action::{
    CreateGameSession, CreatePlayerSessions, GameSessionTarget, TerminateGameSession, UpdateGameSession,
};
use liftdeck_model::game_session::GameProperty;

use super::{Change, Made, Sent};
use crate::error::GatewayError;
use crate::mapping::{Lacks, game_session, need};

/// Converts properties to the SDK's type; `None` if there are none.
pub(super) fn properties(properties: &[GameProperty]) -> Option<Vec<types::GameProperty>> {
    let property =
        |from: &GameProperty| types::GameProperty::builder().key(&from.key).value(&from.value).build();
    (!properties.is_empty()).then(|| properties.iter().map(property).collect())
}

fn made(found: Option<types::GameSession>) -> Result<Made, Lacks> {
    let found = need(found, "an answer", "GameSession")?;
    Ok(Made::GameSession(Box::new(game_session::game_session(found)?)))
}

pub(super) async fn create(change: &Change<'_>, it: &CreateGameSession) -> Result<Sent, GatewayError> {
    let request = change
        .client()
        .create_game_session()
        .set_location(it.location.as_ref().map(|location| location.as_str().to_owned()))
        .maximum_player_session_count(it.maximum_player_session_count)
        .set_name(it.name.clone())
        .set_game_properties(properties(&it.game_properties))
        .set_game_session_data(it.game_session_data.clone())
        .idempotency_token(&it.idempotency_token)
        .set_creator_id(it.creator_id.clone());
    let request = match &it.target {
        GameSessionTarget::Fleet(fleet) => request.fleet_id(fleet.as_str()),
        GameSessionTarget::Alias(alias) => request.alias_id(alias.as_str()),
    };
    change.send(|| request.clone().send(), |answer| made(answer.game_session)).await
}

pub(super) async fn update(change: &Change<'_>, it: &UpdateGameSession) -> Result<Sent, GatewayError> {
    let policy = it.player_session_creation_policy.map(|policy| policy.as_str().into());
    let protection = it.protection_policy.map(|protection| protection.as_str().into());
    let request = change
        .client()
        .update_game_session()
        .game_session_id(it.game_session_id.as_str())
        .set_name(it.name.clone())
        .set_maximum_player_session_count(it.maximum_player_session_count)
        .set_player_session_creation_policy(policy)
        .set_protection_policy(protection)
        .set_game_properties(properties(&it.game_properties));
    change.send(|| request.clone().send(), |answer| made(answer.game_session)).await
}

pub(super) async fn terminate(change: &Change<'_>, it: &TerminateGameSession) -> Result<Sent, GatewayError> {
    let request = change
        .client()
        .terminate_game_session()
        .game_session_id(it.game_session_id.as_str())
        .termination_mode(it.termination_mode.as_str().into());
    change.send(|| request.clone().send(), |answer| made(answer.game_session)).await
}

pub(super) async fn reserve(change: &Change<'_>, it: &CreatePlayerSessions) -> Result<Sent, GatewayError> {
    let ids = it.players.iter().map(|player| player.player_id.as_str().to_owned());
    let data: HashMap<_, _> = it
        .players
        .iter()
        .filter_map(|player| Some((player.player_id.as_str().to_owned(), player.player_data.clone()?)))
        .collect();
    let request = change
        .client()
        .create_player_sessions()
        .game_session_id(it.game_session_id.as_str())
        .set_player_ids(Some(ids.collect()))
        .set_player_data_map((!data.is_empty()).then_some(data));
    change
        .send(
            || request.clone().send(),
            |answer| {
                let found = need(answer.player_sessions, "an answer", "PlayerSessions")?;
                let slots = found.into_iter().map(game_session::reserved_player_session);
                Ok(Made::PlayerSessions(slots.collect::<Result<_, Lacks>>()?))
            },
        )
        .await
}
