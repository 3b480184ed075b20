//! Everything that is announced happened, and everything that happened is announced once.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::records::{
    GameSessionPlacementState, MatchmakingConfigurationStatus, MatchmakingKind, Notice, NoticeDetail,
};

/// The notices of the hour before the start and of half an hour after it.
fn told(world: &mut World) -> Vec<Notice> {
    let mut all: Vec<Notice> = regions(world).iter().flat_map(|region| world.drain_events(region)).collect();
    assert!(all.iter().all(|notice| (START_MS - 3_600_000..=START_MS).contains(&notice.time_ms)));
    assert!(all.len() > 500, "{}", all.len());
    world.advance_to(START_MS + 30 * MINUTE_MS);
    for region in regions(world) {
        let more = world.drain_events(&region);
        assert!(more.is_sorted_by_key(|notice| notice.time_ms));
        all.extend(more);
    }
    all
}

#[test]
fn every_placement_ends_in_exactly_one_event_that_agrees_with_its_record() {
    let mut world = world(8, Scenario::CappedFleet);
    let notices = told(&mut world);
    let ids: BTreeSet<&str> = notices.iter().map(|notice| notice.id.as_str()).collect();
    assert_eq!(ids.len(), notices.len());
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ended = BTreeSet::new();
    for notice in &notices {
        let NoticeDetail::Placement(event) = &notice.detail else { continue };
        *kinds.entry(event.outcome.event_type()).or_default() += 1;
        assert!(ended.insert(event.placement_id.clone()), "{} ended twice", event.placement_id);
        let record = world.placement(&notice.region, &event.placement_id).unwrap();
        assert_eq!(
            (record.start_time_ms, record.end_time_ms),
            (event.start_time_ms, Some(event.end_time_ms))
        );
        assert_eq!(
            record.status == GameSessionPlacementState::Fulfilled,
            event.outcome.event_type() == "PlacementFulfilled"
        );
    }
    assert_eq!(kinds.len(), 4, "{kinds:?}");
    let settled = world.settled.iter().filter(|(end_ms, _)| *end_ms >= START_MS - 3_600_000).count();
    assert_eq!(settled, ended.len());
}

#[test]
fn every_flexmatch_event_type_occurs_and_tickets_end_as_told() {
    let mut world = world(8, Scenario::CappedFleet);
    let notices = told(&mut world);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for notice in &notices {
        let NoticeDetail::Matchmaking(event) = &notice.detail else { continue };
        *kinds.entry(event.kind.event_type()).or_default() += 1;
        assert!(!event.tickets.is_empty());
        let expected = match event.kind {
            MatchmakingKind::Succeeded => MatchmakingConfigurationStatus::Completed,
            MatchmakingKind::TimedOut { .. } => MatchmakingConfigurationStatus::TimedOut,
            MatchmakingKind::Cancelled { .. } => MatchmakingConfigurationStatus::Cancelled,
            MatchmakingKind::Failed { .. } => MatchmakingConfigurationStatus::Failed,
            _ => continue,
        };
        for ticket in &event.tickets {
            let record = world.ticket(&notice.region, &ticket.ticket_id).unwrap();
            assert_eq!((record.status, record.end_time_ms), (expected, Some(notice.time_ms)));
        }
    }
    assert_eq!(kinds.len(), 8, "{kinds:?}");
}

#[test]
fn answers_to_a_match_add_up_until_they_are_complete() {
    let mut world = world(8, Scenario::Quiet);
    let mut answered: BTreeMap<String, usize> = BTreeMap::new();
    let mut completed = 0;
    for notice in told(&mut world) {
        let NoticeDetail::Matchmaking(event) = notice.detail else { continue };
        let Some(id) = event.match_id else { continue };
        let players: Vec<_> = event.tickets.iter().flat_map(|ticket| &ticket.players).collect();
        match event.kind {
            MatchmakingKind::AcceptMatch => {
                let count = players.iter().filter(|player| player.accepted.is_some()).count();
                let before = answered.insert(id, count).unwrap_or(0);
                assert!(count > before, "{before} then {count}");
            }
            MatchmakingKind::AcceptMatchCompleted { acceptance: "Accepted" } => {
                // A match that was proposed before the first event still available is not seen from its start.
                completed += usize::from(answered.get(&id).is_some_and(|count| *count == players.len()));
            }
            _ => {}
        }
    }
    assert!(completed > 100, "{completed}");
}

#[test]
fn a_succeeded_match_names_a_session_with_all_its_players_and_their_data() {
    let mut world = world(8, Scenario::Quiet);
    let notices = told(&mut world);
    let mut count = 0;
    for notice in &notices {
        let NoticeDetail::Matchmaking(event) = &notice.detail else { continue };
        let Some(connection) = &event.connection else { continue };
        let session = world.game_session(&notice.region, &connection.game_session_arn).unwrap();
        for player in event.tickets.iter().flat_map(|ticket| &ticket.players) {
            let id = player.player_session_id.as_deref().unwrap();
            let seat = world.player_session(&notice.region, id).unwrap();
            assert_eq!(seat.player_id, player.player_id);
            assert_eq!(seat.game_session_id, connection.game_session_arn);
        }
        let data = session.record().matchmaker_data.unwrap();
        assert!((900..4_000).contains(&data.len()), "{} bytes", data.len());
        let parsed: serde_json::Value = serde_json::from_str(&data).unwrap();
        let match_id = event.match_id.as_deref().unwrap();
        assert_eq!(parsed["matchId"], match_id);
        // FlexMatch asks its queue for a placement with the id of the match, and the session takes that id.
        assert!(connection.game_session_arn.ends_with(&format!("/{match_id}")), "{connection:?}");
        let placement = world.placement(&notice.region, match_id).unwrap();
        assert_eq!(placement.placement_id, match_id);
        assert_eq!(parsed["teams"][1]["players"].as_array().unwrap().len(), 5);
        count += 1;
    }
    assert!(count > 50, "{count}");
}
