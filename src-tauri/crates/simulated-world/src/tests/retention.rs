//! Ended sessions are kept for thirty days, and no longer.

use super::*;

const DAY_MS: i64 = 24 * 3_600_000;

/// Ends of the retained sessions of the Realtime fleet of eu-west-1.
fn ends(world: &World) -> Vec<i64> {
    let fleet = world.fleets("eu-west-1").find(|fleet| fleet.script_id().is_some()).unwrap();
    let ended = sessions(world, "eu-west-1", fleet.id(), None, GameSessionStatus::Terminated);
    ended.iter().filter_map(|session| session.record().termination_time_ms).collect()
}

#[test]
fn ended_sessions_fill_thirty_days_and_vanish_after_them() {
    let mut world = world(9, Scenario::Quiet);
    let before = ends(&world);
    let oldest_ms = before.iter().min().copied().unwrap();
    assert!(oldest_ms > START_MS - 30 * DAY_MS && oldest_ms < START_MS - 29 * DAY_MS);
    world.advance_to(START_MS + DAY_MS + 17 * MINUTE_MS);
    let after = ends(&world);
    assert!(after.iter().min().unwrap() > &(START_MS - 29 * DAY_MS + 17 * MINUTE_MS));
    assert!(before.len().abs_diff(after.len()) < before.len() / 10);
}

#[test]
fn the_past_is_small_enough_to_be_read_in_one_sitting() {
    let ended = quiet().sessions.iter().flatten().filter(|session| session.end_ms <= START_MS).count();
    assert!((30_000..=64_000).contains(&ended), "{ended}");
}

#[test]
fn players_return_and_their_history_is_found_newest_first() {
    let world = quiet();
    let session =
        live_sessions(world).into_iter().find(|session| session.current_player_session_count() > 0).unwrap();
    let region = session.arn().split(':').nth(3).unwrap().to_owned();
    let mut longest = 0;
    for player in session.player_sessions() {
        let history = world.player_sessions_of(&region, &player.player_id);
        assert!(history.iter().any(|seat| seat.player_session_id == player.player_session_id));
        assert!(history.iter().all(|seat| seat.player_id == player.player_id));
        assert!(history.is_sorted_by(|newer, older| newer.creation_time_ms >= older.creation_time_ms));
        longest = longest.max(history.len());
    }
    assert!(longest > 3, "{longest}");
    assert!(world.player_sessions_of("us-east-1", "p-nobody").is_empty());
}

#[test]
fn a_listing_continues_behind_a_key_without_gap_or_repetition() {
    let world = quiet();
    let fleet = world.fleets("eu-west-1").next().unwrap();
    let whole: Vec<_> = world
        .game_sessions("eu-west-1", fleet.id(), SessionFilter::default(), None)
        .map(|s| s.key())
        .collect();
    assert!(whole.is_sorted());
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = world.game_sessions("eu-west-1", fleet.id(), SessionFilter::default(), after).take(999);
        let page: Vec<_> = page.map(|session| session.key()).collect();
        after = page.last().copied();
        if after.is_none() {
            break;
        }
        paged.extend(page);
    }
    assert_eq!(paged, whole);
}

#[test]
fn a_session_is_found_by_its_arn_in_its_own_region_only() {
    let world = quiet();
    for session in live_sessions(world).into_iter().take(40) {
        let arn = session.arn();
        let region = arn.split(':').nth(3).unwrap();
        assert_eq!(world.game_session(region, &arn).unwrap().key(), session.key());
        let elsewhere = if region == "us-east-1" { "eu-west-1" } else { "us-east-1" };
        assert!(world.game_session(elsewhere, &arn).is_none());
        assert!(world.game_session(region, &arn.replace("fleet-", "fleet-0")).is_none());
    }
}
