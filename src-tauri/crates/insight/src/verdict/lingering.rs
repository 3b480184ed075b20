//! Game sessions that stay where others move on: without a player, or on their way into or out of ACTIVE.
//!
//! Each holds a server process that nobody can use. What is usual is learnt from the fleet's own ended game sessions:
//! games that keep empty game sessions waiting on purpose are not in trouble.

use std::collections::HashMap;

use liftdeck_model::{FleetId, Severity};
use liftdeck_store::StoreError;
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::lingering::Lingering;

use super::{Rule, Scene, Target, Trouble, Verdict};

const MINUTE_MS: i64 = 60_000;
/// Least time without a player after which a game session stays too long.
const EMPTY_MS: i64 = 5 * MINUTE_MS;
/// How many times longer than the fleet's own 99th percentile.
const BEYOND_USUAL: i64 = 3;
/// Fewer may be one server's whim.
const EMPTY_LEAST: u64 = 3;
/// Fewer ended game sessions say nothing of what is usual; then only so long is too long.
const EXAMPLES_LEAST: usize = 20;
const WITHOUT_EXAMPLES_MS: i64 = 60 * MINUTE_MS;
/// GameLift ends an activation after its time-out (300 s by default) and a termination after a grace period of some
/// seconds. Much longer is stuck.
const STUCK_MS: i64 = 20 * MINUTE_MS;

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let ids: Vec<FleetId> = scene.fleets.iter().map(|fleet| fleet.fleet.fleet_id.clone()).collect();
    let empty = by_fleet(scene.reader.empty_since(&ids, scene.now.plus_ms(-EMPTY_MS)).await?);
    let stuck = by_fleet(scene.reader.stuck_since(&ids, scene.now.plus_ms(-STUCK_MS)).await?);
    let mut found = Vec::new();
    for fleet in scene.fleets {
        let id = &fleet.fleet.fleet_id;
        if let Some(here) = empty.get(id) {
            found.extend(stay_empty(scene, fleet, here).await?);
        }
        if let Some(here) = stuck.get(id) {
            found.push(are_stuck(fleet, here));
        }
    }
    Ok(found)
}

fn by_fleet(found: Vec<Lingering>) -> HashMap<FleetId, Lingering> {
    found.into_iter().map(|here| (here.fleet_id.clone(), here)).collect()
}

async fn stay_empty(
    scene: &Scene<'_>,
    fleet: &FleetSummary,
    seen: &Lingering,
) -> Result<Option<Verdict>, StoreError> {
    let id = &fleet.fleet.fleet_id;
    let is_known = scene.began(Rule::EmptySessions, id.as_str()).is_some();
    let mut here = seen.clone();
    if !is_known {
        if here.game_sessions < EMPTY_LEAST {
            return Ok(None);
        }
        let usual = scene.reader.empty_before_end_ms(id).await?;
        let before = scene.now.plus_ms(-too_long_ms(&usual));
        let long = scene.reader.empty_since(std::slice::from_ref(id), before).await?;
        match long.into_iter().next().filter(|long| long.game_sessions >= EMPTY_LEAST) {
            Some(long) => here = long,
            None => return Ok(None),
        }
    }
    let live = u64::try_from(fleet.game_sessions()).unwrap_or(0).max(here.game_sessions);
    let trouble = Trouble::SessionsStayEmpty {
        fleet: fleet.fleet.display_name().to_owned(),
        game_sessions: here.game_sessions,
        live,
    };
    let target = Target::Sessions(format!("fleet:{id} status:active players=0"));
    let verdict =
        Verdict::of_fleet(Rule::EmptySessions, fleet, Severity::Warning, here.first, trouble, target);
    Ok(Some(verdict.hitting(here.game_sessions, Some(live))))
}

/// From which time on a game session of this fleet has been empty for too long.
fn too_long_ms(usual: &[i64]) -> i64 {
    match usual.get(usual.len() * 99 / 100) {
        Some(p99) if usual.len() >= EXAMPLES_LEAST => (p99 * BEYOND_USUAL + MINUTE_MS).max(EMPTY_MS),
        _ => WITHOUT_EXAMPLES_MS,
    }
}

fn are_stuck(fleet: &FleetSummary, here: &Lingering) -> Verdict {
    let id = &fleet.fleet.fleet_id;
    let trouble = Trouble::SessionsStuck {
        fleet: fleet.fleet.display_name().to_owned(),
        game_sessions: here.game_sessions,
    };
    let target = Target::Sessions(format!("fleet:{id} (status:activating or status:terminating)"));
    let rule = Rule::StuckSessions;
    Verdict::of_fleet(rule, fleet, Severity::Warning, here.first, trouble, target)
        .hitting(here.game_sessions, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_follows_the_fleet_and_is_an_hour_without_examples() {
        assert_eq!(too_long_ms(&[]), WITHOUT_EXAMPLES_MS);
        assert_eq!(too_long_ms(&[0; 19]), WITHOUT_EXAMPLES_MS);
        assert_eq!(too_long_ms(&[0; 20]), EMPTY_MS);
        let patient: Vec<i64> = (0..100).map(|minute| minute * MINUTE_MS).collect();
        assert_eq!(too_long_ms(&patient), (99 * 3 + 1) * MINUTE_MS);
    }
}
