//! Sessions, players and placements obey their state machines.

use std::collections::BTreeMap;

use super::*;
use crate::records::{GameSessionPlacementState, GameSessionStatus as Game, PlayerSessionStatus as Seat};
use crate::requests::{NewPlayer, TicketPurpose};

#[test]
fn sessions_and_players_only_move_along_their_state_machines() {
    let (ended, never_came) = watch(Scenario::CappedFleet);
    assert!(ended > 30 && never_came > 3, "{ended} sessions, {never_came} players");
}

#[test]
fn incidents_keep_to_the_state_machines_too() {
    for name in ["slow-region+bad-rules", "leak+wrong-alias"] {
        let (ended, _) = watch(name.parse().unwrap());
        assert!(ended > 10, "{name}: {ended} sessions");
    }
}

/// Watches six minutes of a scenario. Returns how many sessions ended and how many players never came.
fn watch(scenario: Scenario) -> (usize, usize) {
    let mut world = world(4, scenario);
    let (mut games, mut seats): (BTreeMap<String, Game>, BTreeMap<String, Seat>) = Default::default();
    for step in 0..90 {
        world.advance_to(START_MS + step * 4_000);
        let mut ended: Vec<String> = Vec::new();
        for session in live_sessions(&world) {
            see_game(&mut games, &session.arn(), session.status(), step == 0);
            for player in session.player_sessions() {
                see_seat(&mut seats, &player.player_session_id, player.status);
            }
        }
        for (arn, status) in &games {
            let region = arn.split(':').nth(3).unwrap();
            let now = world.game_session(region, arn).unwrap();
            if now.status() == Game::Terminated && *status != Game::Terminated {
                assert!(now.record().termination_time_ms.is_some());
                assert_eq!(present(&now.player_sessions()), 0);
                ended.push(arn.clone());
            }
        }
        ended.into_iter().for_each(|arn| see_game(&mut games, &arn, Game::Terminated, false));
    }
    let ended = games.values().filter(|status| **status == Game::Terminated).count();
    (ended, seats.values().filter(|status| **status == Seat::TimedOut).count())
}

fn see_game(games: &mut BTreeMap<String, Game>, arn: &str, now: Game, first_look: bool) {
    let before = games.insert(arn.to_owned(), now);
    let legal = match (before, now) {
        (None, Game::Activating | Game::Active) => true,
        (None, Game::Terminating) => first_look,
        (Some(Game::Activating), Game::Activating | Game::Active | Game::Terminated) => true,
        (Some(Game::Active), Game::Active | Game::Terminating | Game::Terminated) => true,
        (Some(Game::Terminating), Game::Terminating | Game::Terminated) => true,
        _ => false,
    };
    assert!(legal, "{arn} went from {before:?} to {now:?}");
}

fn see_seat(seats: &mut BTreeMap<String, Seat>, id: &str, now: Seat) {
    let before = seats.insert(id.to_owned(), now);
    let legal = match (before, now) {
        (None, _) | (Some(Seat::Reserved), _) => true,
        (Some(Seat::Active), Seat::Active | Seat::Completed) => true,
        (Some(before), now) => before == now,
    };
    assert!(legal, "{id} went from {before:?} to {now:?}");
}

#[test]
fn a_session_that_never_became_active_has_no_address_and_no_players() {
    let world = quiet();
    let never = world.sessions.iter().flatten().filter(|session| session.active_ms == crate::NEVER_MS);
    let mut count = 0;
    for session in never {
        let record = SessionRef { world, session }.record();
        assert_eq!((record.ip_address, record.port, record.current_player_session_count), (None, None, 0));
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn reserved_players_who_do_not_come_time_out_after_a_minute() {
    let world = quiet();
    let mut count = 0;
    for session in world.sessions.iter().flatten().take(3_000) {
        for player in (SessionRef { world, session }).player_sessions() {
            if player.status == Seat::TimedOut {
                let held_ms = player.termination_time_ms.unwrap() - player.creation_time_ms;
                assert!(held_ms <= 60_000, "{held_ms}");
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn a_pending_placement_ends_in_one_of_four_ways_and_stays_there() {
    let mut world = world(4, Scenario::CappedFleet);
    let region = "eu-west-1";
    let mut seen: BTreeMap<String, GameSessionPlacementState> = BTreeMap::new();
    for step in 0..60 {
        world.advance_to(START_MS + step * 4_000);
        let new: Vec<String> = world.pending_placements(region).collect();
        for id in new.into_iter().chain(seen.keys().cloned().collect::<Vec<_>>()) {
            let placement = world.placement(region, &id).unwrap();
            let before = seen.insert(id.clone(), placement.status);
            let open = before.is_none_or(|before| before == GameSessionPlacementState::Pending);
            assert!(open || before == Some(placement.status), "{id}");
            let done = placement.status != GameSessionPlacementState::Pending;
            assert_eq!(placement.end_time_ms.is_some(), done);
            if placement.status == GameSessionPlacementState::Fulfilled {
                assert!(!placement.placed_player_sessions.is_empty() && placement.port.is_some());
                let arn = placement.game_session_arn.unwrap();
                assert!(arn.ends_with(&id) && world.game_session(region, &arn).is_some());
            }
        }
    }
    for state in [GameSessionPlacementState::Fulfilled, GameSessionPlacementState::TimedOut] {
        assert!(seen.values().any(|seen| *seen == state), "none {state}");
    }
}

#[test]
fn a_ticket_that_is_open_is_listed_under_the_id_its_caller_chose() {
    let mut world = world(4, Scenario::Quiet);
    let player = NewPlayer {
        player_id: "ada".to_owned(),
        attributes: BTreeMap::new(),
        latencies: BTreeMap::new(),
        team: None,
    };
    let id = Some("ticket-1".to_owned());
    world.start_matchmaking("eu-west-1", "arena-ranked-eu", id, vec![player], TicketPurpose::Match).unwrap();
    let open: Vec<String> = world.open_tickets("eu-west-1").collect();
    assert!(open.contains(&"ticket-1".to_owned()), "{open:?}");
    assert!(open.iter().all(|id| world.ticket("eu-west-1", id).is_some()), "{open:?}");
}
