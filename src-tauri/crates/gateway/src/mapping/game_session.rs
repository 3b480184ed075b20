//! Game sessions and player sessions.

use aws_sdk_gamelift::types;
use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionStatus, GameSessionStatusReason};
use liftdeck_model::player_session::{PlayerSession, PlayerSessionStatus};
use liftdeck_model::{FleetId, GameSessionId, Location, PlayerId, PlayerSessionId};

use super::{Lacks, fleet::protection, moment, need, text};
use crate::operator::ReservedPlayerSession;

pub(crate) fn game_session(from: types::GameSession) -> Result<GameSession, Lacks> {
    const RECORD: &str = "a game session";
    let id = GameSessionId::new(need(from.game_session_id, RECORD, "GameSessionId")?);
    let fleet = from.fleet_id.map(FleetId::new).or_else(|| id.fleet_id());
    let properties = from.game_properties.unwrap_or_default().into_iter().map(|property| GameProperty {
        key: property.key.unwrap_or_default(),
        value: property.value.unwrap_or_default(),
    });
    Ok(GameSession {
        fleet_id: need(fleet, RECORD, "FleetId")?,
        game_session_id: id,
        name: from.name,
        location: from.location.map(Location::new),
        status: GameSessionStatus::from(need(from.status, RECORD, "Status")?.as_str()),
        status_reason: from.status_reason.map(|reason| GameSessionStatusReason::from(reason.as_str())),
        creation_time: moment(need(from.creation_time, RECORD, "CreationTime")?),
        termination_time: from.termination_time.map(moment),
        current_player_session_count: from.current_player_session_count.unwrap_or_default(),
        maximum_player_session_count: from.maximum_player_session_count.unwrap_or_default(),
        player_session_creation_policy: text(from.player_session_creation_policy),
        creator_id: from.creator_id,
        game_properties: properties.collect(),
        ip_address: from.ip_address,
        dns_name: from.dns_name,
        port: from.port,
        game_session_data: from.game_session_data,
        matchmaker_data: from.matchmaker_data,
        compute_name: from.compute_name,
        player_gateway_status: text(from.player_gateway_status),
        protection_policy: None,
    })
}

pub(crate) fn game_session_detail(from: types::GameSessionDetail) -> Result<GameSession, Lacks> {
    let mut session = game_session(need(from.game_session, "a game session detail", "GameSession")?)?;
    session.protection_policy = protection(from.protection_policy.as_ref());
    Ok(session)
}

pub(crate) fn player_session(
    from: types::PlayerSession,
    asked: &GameSessionId,
) -> Result<PlayerSession, Lacks> {
    const RECORD: &str = "a player session";
    let game_session_id = from.game_session_id.map_or_else(|| asked.clone(), GameSessionId::new);
    let fleet = from.fleet_id.map(FleetId::new).or_else(|| game_session_id.fleet_id());
    Ok(PlayerSession {
        player_session_id: PlayerSessionId::new(need(from.player_session_id, RECORD, "PlayerSessionId")?),
        player_id: PlayerId::new(need(from.player_id, RECORD, "PlayerId")?),
        fleet_id: need(fleet, RECORD, "FleetId")?,
        game_session_id,
        creation_time: moment(need(from.creation_time, RECORD, "CreationTime")?),
        termination_time: from.termination_time.map(moment),
        status: PlayerSessionStatus::from(need(from.status, RECORD, "Status")?.as_str()),
        player_data: from.player_data,
    })
}

/// A session of a player asked about: the record itself names its game session.
pub(crate) fn player_session_of_player(from: types::PlayerSession) -> Result<PlayerSession, Lacks> {
    let session = need(from.game_session_id.clone(), "a player session", "GameSessionId")?;
    player_session(from, &GameSessionId::new(session))
}

pub(crate) fn reserved_player_session(from: types::PlayerSession) -> Result<ReservedPlayerSession, Lacks> {
    const RECORD: &str = "a player session";
    Ok(ReservedPlayerSession {
        player_id: PlayerId::new(need(from.player_id, RECORD, "PlayerId")?),
        player_session_id: PlayerSessionId::new(need(from.player_session_id, RECORD, "PlayerSessionId")?),
        ip_address: from.ip_address,
        dns_name: from.dns_name,
        port: from.port,
    })
}

#[cfg(test)]
mod tests {
    use aws_sdk_gamelift::primitives::DateTime;
    use liftdeck_model::fleet::ProtectionPolicy;

    use super::*;

    const ARN: &str = "arn:aws:gamelift:eu-west-1::gamesession/fleet-11/eu-north-1/plc-7";

    fn session() -> types::builders::GameSessionBuilder {
        types::GameSession::builder()
            .game_session_id(ARN)
            .creation_time(DateTime::from_millis(1_700_000_000_250))
            .status(types::GameSessionStatus::Active)
    }

    #[test]
    fn the_fleet_is_read_from_the_arn_when_the_member_is_missing() {
        let session = game_session(session().build()).unwrap();
        assert_eq!(session.fleet_id.as_str(), "fleet-11");
        assert_eq!(session.creation_time.as_ms(), 1_700_000_000_250);
    }

    #[test]
    fn only_details_tell_the_protection() {
        let detail = types::GameSessionDetail::builder()
            .game_session(session().build())
            .protection_policy(types::ProtectionPolicy::FullProtection)
            .build();
        assert_eq!(game_session(session().build()).unwrap().protection_policy, None);
        assert_eq!(
            game_session_detail(detail).unwrap().protection_policy,
            Some(ProtectionPolicy::FullProtection)
        );
    }

    #[test]
    fn a_session_without_a_status_is_refused_not_guessed() {
        let lacks = game_session(session().set_status(None).build()).unwrap_err();
        assert_eq!(lacks.to_string(), "a game session came without Status");
    }

    #[test]
    fn a_session_of_a_player_asked_about_must_name_its_game_session() {
        let built = || {
            types::PlayerSession::builder()
                .player_session_id("psess-1")
                .player_id("p-1")
                .creation_time(DateTime::from_secs(1))
                .status(types::PlayerSessionStatus::Completed)
        };
        let found = player_session_of_player(built().game_session_id(ARN).build()).unwrap();
        assert_eq!((found.game_session_id.as_str(), found.fleet_id.as_str()), (ARN, "fleet-11"));
        let lacks = player_session_of_player(built().build()).unwrap_err();
        assert_eq!(lacks.to_string(), "a player session came without GameSessionId");
    }

    #[test]
    fn a_player_session_belongs_to_the_session_asked_about() {
        let built = types::PlayerSession::builder()
            .player_session_id("psess-1")
            .player_id("p-1")
            .creation_time(DateTime::from_secs(1))
            .status(types::PlayerSessionStatus::Timedout)
            .build();
        let found = player_session(built, &GameSessionId::from(ARN)).unwrap();
        assert_eq!((found.game_session_id.as_str(), found.fleet_id.as_str()), (ARN, "fleet-11"));
        assert_eq!(found.status, PlayerSessionStatus::TimedOut);
    }
}
