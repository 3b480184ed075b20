//! Effects on game sessions and their slots: begun, ended, changed, reserved.

use liftdeck_model::action::{CreatePlayerSessions, TerminationMode, UpdateGameSession};
use liftdeck_model::game_session::{self, GameSession, GameSessionStatus};
use liftdeck_model::player_session::{PlayerSession, PlayerSessionStatus};

use super::verdict::{GRACE_MS, Verdict};
use crate::words::Sight;

/// A session that was just made may not be found yet. After this long, it was there and has ended.
const UNSEEN_MS: i64 = 60_000;

/// Returns the address for players: `203.0.113.7:7780`.
pub(super) fn connection(ip: Option<&str>, dns: Option<&str>, port: Option<i32>) -> Option<String> {
    game_session::connection(dns.filter(|name| !name.is_empty()), ip, port)
}

/// Whether a new game session runs. `age_ms` counts from the request.
pub(super) fn begun(session: Option<&GameSession>, age_ms: i64) -> Verdict {
    let Some(session) = session else {
        return if age_ms < UNSEEN_MS {
            Verdict::Awaited(Sight::SessionNotShown)
        } else {
            Verdict::Missed(Sight::SessionEndedUnseen)
        };
    };
    match session.status {
        GameSessionStatus::Active => {
            let at = connection(session.ip_address.as_deref(), session.dns_name.as_deref(), session.port);
            Verdict::Seen(Sight::SessionActive { at })
        }
        GameSessionStatus::Terminated | GameSessionStatus::Error | GameSessionStatus::Terminating => {
            Verdict::Missed(Sight::SessionNeverActive {
                status: session.status.clone(),
                reason: session.status_reason.clone(),
            })
        }
        GameSessionStatus::Activating | GameSessionStatus::Other(_) => {
            Verdict::Awaited(Sight::SessionIs { status: session.status.clone(), reason: None })
        }
    }
}

/// Whether a game session has ended.
pub(super) fn ended(mode: TerminationMode, session: Option<&GameSession>, age_ms: i64) -> Verdict {
    let Some(session) = session else {
        return Verdict::Seen(Sight::SessionForgotten);
    };
    match session.status {
        GameSessionStatus::Terminated => Verdict::Seen(Sight::SessionIs {
            status: session.status.clone(),
            reason: session.status_reason.clone(),
        }),
        GameSessionStatus::Error => Verdict::Missed(Sight::SessionInError),
        _ if mode == TerminationMode::TriggerOnProcessTerminate && age_ms >= GRACE_MS => {
            Verdict::Missed(Sight::SessionStuck { status: session.status.clone(), after_ms: age_ms })
        }
        _ => Verdict::Awaited(Sight::SessionWithPlayers {
            status: session.status.clone(),
            players: session.current_player_session_count,
        }),
    }
}

/// Whether a game session has the requested settings.
pub(super) fn changed(asked: &UpdateGameSession, session: Option<&GameSession>) -> Verdict {
    let Some(session) = session.filter(|session| session.status.is_live()) else {
        return Verdict::Missed(Sight::SessionEnded);
    };
    let mut lacking = Vec::new();
    if asked.name.is_some() && asked.name != session.name {
        lacking.push("name");
    }
    if asked.maximum_player_session_count.is_some_and(|most| most != session.maximum_player_session_count) {
        lacking.push("maximum of players");
    }
    let policy = asked.player_session_creation_policy.map(|policy| policy.as_str());
    if policy.is_some() && policy != session.player_session_creation_policy.as_deref() {
        lacking.push("player policy");
    }
    let protection = asked.protection_policy.map(|policy| policy.as_str());
    if protection.is_some() && protection != session.protection_policy.as_ref().map(|it| it.as_str()) {
        lacking.push("protection");
    }
    if asked.game_properties.iter().any(|property| !session.game_properties.contains(property)) {
        lacking.push("properties");
    }
    if lacking.is_empty() {
        Verdict::Seen(Sight::SessionShowsChange)
    } else {
        Verdict::Awaited(Sight::SessionLacks { settings: lacking })
    }
}

/// Whether slots are reserved. AWS: a reservation times out after 60 s.
pub(super) fn reserved(
    asked: &CreatePlayerSessions,
    made: &[(String, String)],
    found: &[PlayerSession],
) -> Verdict {
    let ours = || {
        found.iter().filter(|session| made.iter().any(|(_, id)| *id == session.player_session_id.as_str()))
    };
    let (seen, wanted) = (ours().count(), asked.players.len());
    if seen < wanted {
        return Verdict::Awaited(Sight::SlotsShown { seen, wanted });
    }
    let count = |status: PlayerSessionStatus| ours().filter(|session| session.status == status).count();
    let (joined, late) = (count(PlayerSessionStatus::Active), count(PlayerSessionStatus::TimedOut));
    if late > 0 {
        return Verdict::Missed(Sight::SlotsTimedOut { late, wanted });
    }
    Verdict::Seen(if joined == 0 {
        Sight::SlotsReserved { wanted }
    } else {
        Sight::SlotsJoined { wanted, joined }
    })
}

#[cfg(test)]
mod tests {
    use liftdeck_model::action::{NewPlayerSession, PlayerSessionCreationPolicy};
    use liftdeck_model::game_session::{GameProperty, GameSessionStatusReason};
    use liftdeck_model::{FleetId, GameSessionId, PlayerId, PlayerSessionId, Timestamp};

    use super::*;
    use crate::fixtures::{SESSION_ARN, session};

    #[test]
    fn a_new_session_is_followed_until_players_can_reach_it() {
        assert!(matches!(begun(None, 1_000), Verdict::Awaited(_)));
        let activating = session(GameSessionStatus::Activating);
        assert!(matches!(begun(Some(&activating), 1_000), Verdict::Awaited(_)));
        let active = begun(Some(&session(GameSessionStatus::Active)), 9_000);
        assert_eq!(active, Verdict::Seen(Sight::SessionActive { at: Some("203.0.113.7:7780".to_owned()) }));
    }

    #[test]
    fn a_new_session_that_ends_or_never_shows_is_missed() {
        assert!(matches!(begun(None, 60_000), Verdict::Missed(_)));
        assert!(matches!(begun(Some(&session(GameSessionStatus::Terminated)), 1), Verdict::Missed(_)));
    }

    #[test]
    fn a_graceful_end_that_does_not_come_offers_force_and_a_forced_one_waits() {
        let terminating = session(GameSessionStatus::Terminating);
        let graceful = TerminationMode::TriggerOnProcessTerminate;
        assert!(matches!(ended(graceful, Some(&terminating), GRACE_MS - 1), Verdict::Awaited(_)));
        let Verdict::Missed(why) = ended(graceful, Some(&terminating), GRACE_MS) else { panic!("stuck") };
        assert!(why.to_string().contains("Terminate it at once"), "{why}");
        let forced = ended(TerminationMode::ForceTerminate, Some(&terminating), GRACE_MS);
        assert!(matches!(forced, Verdict::Awaited(_)));
    }

    #[test]
    fn an_end_is_seen_with_its_reason_or_by_absence() {
        let mut gone = session(GameSessionStatus::Terminated);
        gone.status_reason = Some(GameSessionStatusReason::ForceTerminated);
        let seen = ended(TerminationMode::ForceTerminate, Some(&gone), 1);
        let Verdict::Seen(sight) = seen else { panic!("it has ended") };
        assert_eq!(sight.to_string(), "The game session is TERMINATED (FORCE_TERMINATED).");
        assert!(matches!(ended(TerminationMode::ForceTerminate, None, 1), Verdict::Seen(_)));
    }

    #[test]
    fn a_change_is_seen_once_every_field_of_it_is() {
        let asked = UpdateGameSession {
            game_session_id: GameSessionId::from(SESSION_ARN),
            name: None,
            maximum_player_session_count: Some(8),
            player_session_creation_policy: Some(PlayerSessionCreationPolicy::DenyAll),
            protection_policy: None,
            game_properties: vec![GameProperty { key: "mode".to_owned(), value: "ranked".to_owned() }],
        };
        let mut session = session(GameSessionStatus::Active);
        let awaited = Verdict::Awaited(Sight::SessionLacks { settings: vec!["player policy", "properties"] });
        assert_eq!(changed(&asked, Some(&session)), awaited);
        session.player_session_creation_policy = Some("DENY_ALL".to_owned());
        session.game_properties.clone_from(&asked.game_properties);
        assert!(matches!(changed(&asked, Some(&session)), Verdict::Seen(_)));
        session.status = GameSessionStatus::Terminated;
        assert!(matches!(changed(&asked, Some(&session)), Verdict::Missed(_)));
    }

    #[test]
    fn reserved_slots_are_seen_and_timed_out_ones_are_missed() {
        let asked = CreatePlayerSessions {
            game_session_id: GameSessionId::from(SESSION_ARN),
            players: vec![NewPlayerSession { player_id: PlayerId::from("p"), player_data: None }],
        };
        let made = vec![("p".to_owned(), "psess-1".to_owned())];
        let slot = |id: &str, status| PlayerSession {
            player_session_id: PlayerSessionId::from(id),
            player_id: PlayerId::from("p"),
            game_session_id: GameSessionId::from(SESSION_ARN),
            fleet_id: FleetId::from("fleet-1"),
            creation_time: Timestamp::from_ms(0),
            termination_time: None,
            status,
            player_data: None,
        };
        let others = [slot("psess-0", PlayerSessionStatus::TimedOut)];
        assert!(matches!(reserved(&asked, &made, &others), Verdict::Awaited(_)));
        let kept = [slot("psess-1", PlayerSessionStatus::Reserved)];
        assert!(matches!(reserved(&asked, &made, &kept), Verdict::Seen(_)));
        let late = [slot("psess-1", PlayerSessionStatus::TimedOut)];
        assert!(matches!(reserved(&asked, &made, &late), Verdict::Missed(_)));
    }
}
