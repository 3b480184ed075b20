//! Operations that create player sessions and say where their players connect.

use std::collections::BTreeMap;

use super::constraint::{PLAYER, PLAYER_DATA, PLAYERS, SESSION, SHORT_TEXT};
use super::lookup::{self, invalid, not_found};
use crate::operation::{Call, Change};
use crate::service::ServiceError;
use crate::wire::{Map, Wire, Writer, in_place, input};
use liftdeck_simulated_world::records::{GameSessionStatus, PlayerSession, PlayerSessionStatus};

input! {
    struct CreateInput {
        session: String = required("GameSessionId", SESSION),
        player: String = required("PlayerId", PLAYER),
        player_data: Option<String> = optional("PlayerData", PLAYER_DATA),
    }

    struct CreateManyInput {
        session: String = required("GameSessionId", SESSION),
        players: Vec<String> = required("PlayerIds", PLAYERS),
        player_data: Option<BTreeMap<String, String>> = optional(
            "PlayerDataMap",
            Map { key: &SHORT_TEXT, each: &PLAYER_DATA }
        ),
    }

    struct ConnectInput {
        session: String = required("GameSessionId", SESSION),
        players: Vec<String> = required("PlayerIds", PLAYERS),
    }
}

fn make(
    change: &mut Change<'_>,
    arn: &str,
    players: Vec<(String, Option<String>)>,
) -> Result<Vec<PlayerSession>, ServiceError> {
    Ok(change.world.create_player_sessions(change.region, arn, players)?)
}

/// `CreatePlayerSession`.
pub(super) fn create(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: CreateInput = lookup::read(&change.call())?;
    let made = make(change, &input.session, vec![(input.player, input.player_data)])?;
    in_place!({ "PlayerSession" => made.first() }).write(writer);
    Ok(())
}

/// `CreatePlayerSessions`: creates all of them or none. Data for players not in the request is ignored.
pub(super) fn create_many(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: CreateManyInput = lookup::read(&change.call())?;
    let mut given = input.player_data.unwrap_or_default();
    let with_data = |player: String| {
        let player_data = given.remove(&player);
        (player, player_data)
    };
    let players = input.players.into_iter().map(with_data).collect();
    let made = make(change, &input.session, players)?;
    in_place!({ "PlayerSessions" => made }).write(writer);
    Ok(())
}

/// `GetPlayerConnectionDetails`. No fleet here has a player gateway, so players connect to the game server itself and
/// get no token.
pub(super) fn connect(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ConnectInput = lookup::read(call)?;
    let session = call.world.game_session(call.region, &input.session);
    let session = session.ok_or_else(|| not_found("Game session", &input.session))?;
    let fleet = lookup::managed_fleet(call, session.fleet_id())?;
    if fleet.server_sdk_major().is_some_and(|major| major < 5) {
        let message = "GetPlayerConnectionDetails needs game servers with server SDK 5 or later.";
        return Err(invalid(message));
    }
    if session.status() != GameSessionStatus::Active {
        let status = session.status().as_str();
        let message = format!("Game session {} is {status}, not ACTIVE.", input.session);
        return Err(ServiceError::new("InvalidGameSessionStatusException", message));
    }
    let seats = session.player_sessions();
    let here = [PlayerSessionStatus::Reserved, PlayerSessionStatus::Active];
    for player in &input.players {
        if !seats.iter().any(|seat| seat.player_id == *player && here.contains(&seat.status)) {
            return Err(not_found("Player session of player", player));
        }
    }
    let record = session.record();
    let endpoint = || vec![in_place!({ "IpAddress" => record.ip_address, "Port" => record.port })];
    let details = input
        .players
        .iter()
        .map(|player| in_place!(move { "PlayerId" => player, "Endpoints" => endpoint() }));
    in_place!({
        "GameSessionId" => input.session,
        "PlayerConnectionDetails" => details.clone().collect::<Vec<_>>(),
    })
    .write(writer);
    Ok(())
}
