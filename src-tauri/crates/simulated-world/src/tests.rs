//! Laws of the world that must hold for any seed, each in a file of its own.

mod backend;
mod conservation;
mod days;
mod deeds;
mod determinism;
mod events;
mod incidents;
mod legality;
mod metrics;
mod retention;
mod scenarios;
mod truth;

use std::sync::OnceLock;

use super::records::{GameSessionStatus, PlayerSession, PlayerSessionStatus};
use super::{SessionFilter, SessionRef, World, WorldOptions};
use crate::Scenario;

/// 2026-11-20, a Friday, 20:13:27 UTC: evening in Europe, not on a full minute.
const START_MS: i64 = 1_795_205_607_000;
const MINUTE_MS: i64 = 60_000;

fn world(seed: u64, scenario: Scenario) -> World {
    World::new(&WorldOptions { seed, scenario, start_ms: START_MS, ..WorldOptions::default() })
}

/// A quiet world at its start, shared by tests that only read.
fn quiet() -> &'static World {
    static QUIET: OnceLock<World> = OnceLock::new();
    QUIET.get_or_init(|| world(1, Scenario::Quiet))
}

fn regions(world: &World) -> Vec<String> {
    world.regions().map(str::to_owned).collect()
}

/// Sessions of a fleet in a state.
fn sessions<'a>(
    world: &'a World,
    region: &str,
    fleet: &str,
    location: Option<&str>,
    status: GameSessionStatus,
) -> Vec<SessionRef<'a>> {
    let filter = SessionFilter { location, status: Some(status) };
    world.game_sessions(region, fleet, filter, None).collect()
}

/// Every session that has not ended.
fn live_sessions(world: &World) -> Vec<SessionRef<'_>> {
    let mut all = Vec::new();
    for region in regions(world) {
        for fleet in world.fleets(&region) {
            let sessions = world.game_sessions(&region, fleet.id(), SessionFilter::default(), None);
            all.extend(sessions.filter(|session| session.status() != GameSessionStatus::Terminated));
        }
    }
    all
}

fn present(players: &[PlayerSession]) -> u32 {
    let here = [PlayerSessionStatus::Active, PlayerSessionStatus::Reserved];
    players.iter().filter(|player| here.contains(&player.status)).count() as u32
}
