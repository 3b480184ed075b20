//! Game sessions that stay where others move on: without a player, long after a game is over, or on their way into or
//! out of ACTIVE.
//!
//! Each holds a server process that nobody can use. What is usual is learnt from the fleet's own ended game sessions:
//! games that keep empty game sessions waiting on purpose are not in trouble. What is new is measured up to the poll
//! that last saw it: while polls are late, a game session is not known to be as it was.

use std::collections::HashMap;

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::{DAY_MS, MINUTE_MS};
use liftdeck_model::{FleetId, Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::lingering::Lingering;

use super::{Rule, Scene, Target, Trouble, Verdict};

/// Least time without a player after which a game session stays too long.
const EMPTY_MS: i64 = 4 * MINUTE_MS;
/// How many times longer than the fleet's own 99th percentile.
const BEYOND_USUAL: i64 = 3;
/// Fewer may be one server's whim, the first number where none of the fleet's ended ones ever stayed so long.
const EMPTY_LEAST: (u64, u64) = (2, 3);
/// Fewer ended game sessions say nothing of what is usual; then only so long is too long.
const EXAMPLES_LEAST: usize = 20;
/// Fewer do not tell that none ever stays so long.
const NEVER_LEAST: usize = 200;
const WITHOUT_EXAMPLES_MS: i64 = 60 * MINUTE_MS;
/// Least time after which a game session runs too long.
const LONG_MS: i64 = 120 * MINUTE_MS;
/// A few may be one game that goes on and on.
const LONG_LEAST: u64 = 3;
/// Fewer ended game sessions do not tell how long one runs.
const LENGTHS_LEAST: usize = 50;
/// Among game sessions created in the last hours only the short ones have ended.
const SEASONED_MS: i64 = DAY_MS;
/// GameLift ends an activation after its time-out (300 s by default) and a termination after a grace period of some
/// seconds. Much longer is stuck.
const STUCK_MS: i64 = 20 * MINUTE_MS;

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let ids = scene.fleet_ids();
    let empty = by_fleet(scene.reader.empty_since(&ids, scene.now.plus_ms(-EMPTY_MS)).await?);
    let long_ago = scene.now.plus_ms(-LONG_MS);
    let old = by_fleet(scene.reader.running_since(&ids, long_ago, false).await?);
    let stuck = by_fleet(scene.reader.stuck_since(&ids, scene.now.plus_ms(-STUCK_MS)).await?);
    let mut found = Vec::new();
    for fleet in scene.fleets {
        let id = &fleet.fleet.fleet_id;
        let is_known = |rule| scene.began(rule, id.as_str()).is_some();
        let least =
            if is_known(Rule::EmptySessions) || is_known(Rule::LongSessions) { 1 } else { LONG_LEAST };
        let are_old = old.get(id).is_some_and(|here| here.game_sessions >= least);
        let lengths = if are_old { Lengths::of(scene, id).await? } else { None };
        let stayed = stay_empty(scene, fleet, empty.get(id).copied(), lengths).await?;
        // Those that stay without a player also run long.
        if let Some(lengths) = lengths.filter(|_| stayed.is_none()) {
            found.extend(run_long(scene, fleet, lengths).await?);
        }
        found.extend(stayed);
        if let Some(here) = stuck.get(id).copied() {
            found.push(are_stuck(fleet, here));
        }
    }
    Ok(found)
}

/// Those of a fleet, over all its locations.
#[derive(Clone, Copy)]
struct Those {
    game_sessions: u64,
    first: Timestamp,
}

impl Those {
    /// How many live game sessions the fleet has, these included.
    fn of_live(self, fleet: &FleetSummary) -> u64 {
        u64::try_from(fleet.game_sessions()).unwrap_or(0).max(self.game_sessions)
    }
}

fn by_fleet(found: Vec<Lingering>) -> HashMap<FleetId, Those> {
    let mut fleets: HashMap<FleetId, Those> = HashMap::new();
    for here in found {
        let those = Those { game_sessions: 0, first: here.first };
        let those = fleets.entry(here.fleet_id).or_insert(those);
        those.game_sessions += here.game_sessions;
        those.first = those.first.min(here.first);
    }
    fleets
}

/// How long the game sessions of a fleet usually run.
#[derive(Clone, Copy)]
struct Lengths {
    /// The time within which 99 % of them ended, in milliseconds.
    usual_ms: i64,
    /// Whether it is that of game sessions which had the time to run long.
    is_seasoned: bool,
}

impl Lengths {
    /// `None` if too few are known.
    async fn of(scene: &Scene<'_>, id: &FleetId) -> Result<Option<Self>, StoreError> {
        for (before, is_seasoned) in [(scene.now.plus_ms(-SEASONED_MS), true), (scene.now, false)] {
            let lengths = scene.reader.lengths_ms(id, before).await?;
            if let Some(usual_ms) = lengths.get(lengths.len() * 99 / 100).copied()
                && lengths.len() >= LENGTHS_LEAST
            {
                return Ok(Some(Self { usual_ms, is_seasoned }));
            }
        }
        Ok(None)
    }

    /// For how long a game session must have run to run too long.
    fn too_long_ms(self) -> i64 {
        (self.usual_ms * BEYOND_USUAL).max(LONG_MS)
    }

    /// The ACTIVE game sessions of a fleet that run too long, dated by when the first of them did.
    async fn beyond(
        self,
        scene: &Scene<'_>,
        id: &FleetId,
        is_empty: bool,
    ) -> Result<Option<Those>, StoreError> {
        let before = scene.last_read(PollKind::GameSessions, id).plus_ms(-self.too_long_ms());
        let found = scene.reader.running_since(std::slice::from_ref(id), before, is_empty).await?;
        let dated = |those: Those| Those { first: those.first.plus_ms(self.too_long_ms()), ..those };
        Ok(by_fleet(found).remove(id).map(dated))
    }
}

/// `seen` are those that have been empty for a while. Since when is not known of those that were empty when first seen:
/// their age tells that they run longer than any game (`lengths`).
async fn stay_empty(
    scene: &Scene<'_>,
    fleet: &FleetSummary,
    seen: Option<Those>,
    lengths: Option<Lengths>,
) -> Result<Option<Verdict>, StoreError> {
    let id = &fleet.fleet.fleet_id;
    let is_known = scene.began(Rule::EmptySessions, id.as_str()).is_some();
    let mut found = seen.filter(|here| is_known || here.game_sessions >= EMPTY_LEAST.0);
    if found.is_some() && !is_known {
        let usual = scene.reader.empty_before_end_ms(id).await?;
        let too_long_ms = too_long_ms(&usual);
        let before = scene.last_read(PollKind::GameSessions, id).plus_ms(-too_long_ms);
        let long = scene.reader.empty_since(std::slice::from_ref(id), before).await?;
        found = by_fleet(long).remove(id).filter(|long| long.game_sessions >= least(&usual, too_long_ms));
    }
    if found.is_none()
        && let Some(lengths) = lengths
    {
        let least = if is_known { 1 } else { EMPTY_LEAST.1 };
        found = lengths.beyond(scene, id, true).await?.filter(|here| here.game_sessions >= least);
    }
    let Some(here) = found else { return Ok(None) };
    let live = here.of_live(fleet);
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

async fn run_long(
    scene: &Scene<'_>,
    fleet: &FleetSummary,
    lengths: Lengths,
) -> Result<Option<Verdict>, StoreError> {
    let id = &fleet.fleet.fleet_id;
    let least = if scene.began(Rule::LongSessions, id.as_str()).is_some() { 1 } else { LONG_LEAST };
    let beyond = lengths.beyond(scene, id, false).await?;
    let Some(here) = beyond.filter(|here| here.game_sessions >= least) else { return Ok(None) };
    let longer_than_ms = lengths.too_long_ms();
    let trouble = Trouble::SessionsRunLong {
        fleet: fleet.fleet.display_name().to_owned(),
        game_sessions: here.game_sessions,
        usual_ms: lengths.usual_ms,
        longer_than_ms,
    };
    let target =
        Target::Sessions(format!("fleet:{id} status:active duration>{}m", longer_than_ms / MINUTE_MS));
    let severity = if lengths.is_seasoned { Severity::Warning } else { Severity::Info };
    let verdict = Verdict::of_fleet(Rule::LongSessions, fleet, severity, here.first, trouble, target);
    let live = here.of_live(fleet);
    Ok(Some(verdict.hitting(here.game_sessions, Some(live))))
}

/// From which time on a game session of this fleet has been empty for too long.
fn too_long_ms(usual: &[i64]) -> i64 {
    match usual.get(usual.len() * 99 / 100) {
        Some(p99) if usual.len() >= EXAMPLES_LEAST => (p99 * BEYOND_USUAL + MINUTE_MS).max(EMPTY_MS),
        _ => WITHOUT_EXAMPLES_MS,
    }
}

/// How many game sessions that stay so long are no whim.
fn least(usual: &[i64], too_long_ms: i64) -> u64 {
    let is_new = usual.len() >= NEVER_LEAST && usual.last().is_some_and(|longest| *longest < too_long_ms);
    if is_new { EMPTY_LEAST.0 } else { EMPTY_LEAST.1 }
}

fn are_stuck(fleet: &FleetSummary, here: Those) -> Verdict {
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

    #[test]
    fn two_are_enough_only_where_none_ever_stayed_so_long() {
        assert_eq!(least(&[0; 400], EMPTY_MS), 2);
        assert_eq!(least(&[0; 199], EMPTY_MS), 3, "too few to tell that none ever does");
        let once = [vec![0; 399], vec![EMPTY_MS]].concat();
        assert_eq!(least(&once, EMPTY_MS), 3);
        assert_eq!(least(&[], WITHOUT_EXAMPLES_MS), 3, "nothing is known of the fleet");
    }
}
