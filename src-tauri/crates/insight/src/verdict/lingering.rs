//! Game sessions that stay where others move on: without a player, long after a game is over, or on their way into or
//! out of ACTIVE.
//!
//! Each holds a server process that nobody can use. What is usual is learnt from the fleet's own ended game sessions:
//! games that keep empty game sessions waiting on purpose are not in trouble. What is new is measured up to the poll
//! that last saw it: while polls are late, a game session is not known to be as it was.

use std::collections::HashMap;

use liftdeck_model::game_session::GameProperty;
use liftdeck_model::observation::PollKind;
use liftdeck_model::query::quoted;
use liftdeck_model::time::{DAY_MS, MINUTE_MS};
use liftdeck_model::{FleetId, Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::lingering::{Length, Lingering};

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
    let old = by_fleet(scene.reader.running_since(&ids, long_ago).await?);
    let stuck = by_fleet(scene.reader.stuck_since(&ids, scene.now.plus_ms(-STUCK_MS)).await?);
    let mut found = Vec::new();
    for fleet in scene.fleets {
        let id = &fleet.fleet.fleet_id;
        let is_known = |rule| scene.began(rule, id.as_str()).is_some();
        let least =
            if is_known(Rule::EmptySessions) || is_known(Rule::LongSessions) { 1 } else { LONG_LEAST };
        let are_old = old.get(id).is_some_and(|here| here.game_sessions >= least);
        let lengths = if are_old { Some(Lengths::of(scene, id).await?) } else { None };
        let stayed = stay_empty(scene, fleet, empty.get(id).copied(), lengths.as_ref()).await?;
        // Those that stay without a player also run long.
        if let Some(lengths) = lengths.as_ref().filter(|_| stayed.is_none()) {
            found.extend(run_long(scene, fleet, lengths).await?);
        }
        found.extend(stayed);
        if stuck.contains_key(id) {
            // While polls are late, one is not known to be as it was.
            let before = scene.last_read(PollKind::GameSessions, id).plus_ms(-STUCK_MS);
            let here = by_fleet(scene.reader.stuck_since(std::slice::from_ref(id), before).await?);
            found.extend(here.get(id).map(|here| are_stuck(fleet, *here)));
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

/// The mode of game sessions, as a game property tells it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Mode {
    key: String,
    value: String,
}

impl Mode {
    fn of(GameProperty { key, value }: GameProperty) -> Self {
        Self { key, value }
    }

    /// The term of the query language that selects it.
    fn term(&self) -> String {
        format!("prop.{}={}", self.key, quoted(&self.value))
    }
}

/// How long game sessions usually run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Usual {
    /// The time within which 99 % of them ended, in milliseconds.
    ms: i64,
    /// Whether it is that of game sessions which had the time to run long.
    is_seasoned: bool,
}

impl Usual {
    /// For how long a game session must have run to run too long, in milliseconds.
    fn too_long_ms(self) -> i64 {
        (self.ms * BEYOND_USUAL).max(LONG_MS)
    }
}

/// How long the game sessions of a fleet usually run. Those of one mode may run much longer than those of another.
#[derive(Clone, Debug, Default)]
struct Lengths {
    /// Of the modes of which enough are known.
    by_mode: HashMap<Option<Mode>, Usual>,
    /// Of all.
    of_all: Option<Usual>,
}

/// The game sessions of one mode that run too long.
struct Beyond {
    mode: Option<Mode>,
    usual: Usual,
    game_sessions: u64,
    /// When the first of them ran too long.
    first: Timestamp,
}

impl Lengths {
    async fn of(scene: &Scene<'_>, id: &FleetId) -> Result<Self, StoreError> {
        let mut lengths = Self::default();
        for (before, is_seasoned) in [(scene.now.plus_ms(-SEASONED_MS), true), (scene.now, false)] {
            lengths.learn(scene.reader.lengths(id, before).await?, is_seasoned);
            if lengths.of_all.is_some() {
                break;
            }
        }
        Ok(lengths)
    }

    /// `ended`: the shortest first.
    fn learn(&mut self, ended: Vec<Length>, is_seasoned: bool) {
        let usual = |ms: &[i64]| {
            let p99 = ms.get(ms.len() * 99 / 100).copied().filter(|_| ms.len() >= LENGTHS_LEAST);
            p99.map(|ms| Usual { ms, is_seasoned })
        };
        let all: Vec<i64> = ended.iter().map(|one| one.ms).collect();
        let mut by_mode: HashMap<Option<Mode>, Vec<i64>> = HashMap::new();
        for one in ended {
            by_mode.entry(one.mode.map(Mode::of)).or_default().push(one.ms);
        }
        self.by_mode = by_mode.into_iter().filter_map(|(mode, ms)| Some((mode, usual(&ms)?))).collect();
        self.of_all = usual(&all);
    }

    /// `None` if too few are known.
    fn usual(&self, mode: &Option<Mode>) -> Option<Usual> {
        self.by_mode.get(mode).copied().or(self.of_all)
    }

    /// The ACTIVE game sessions of a fleet that run too long, by mode.
    async fn beyond(
        &self,
        scene: &Scene<'_>,
        id: &FleetId,
        is_empty: bool,
    ) -> Result<Vec<Beyond>, StoreError> {
        let usuals = self.by_mode.values().chain(&self.of_all);
        let Some(shortest) = usuals.map(|usual| usual.too_long_ms()).min() else { return Ok(Vec::new()) };
        let read = scene.last_read(PollKind::GameSessions, id);
        let mut found: Vec<Beyond> = Vec::new();
        for one in scene.reader.running(id, read.plus_ms(-shortest), is_empty).await? {
            let mode = one.mode.map(Mode::of);
            let Some(usual) = self.usual(&mode) else { continue };
            let first = one.created.plus_ms(usual.too_long_ms());
            if first >= read {
                continue;
            }
            match found.iter_mut().find(|beyond| beyond.mode == mode) {
                Some(beyond) => beyond.game_sessions += 1,
                // The oldest come first.
                None => found.push(Beyond { mode, usual, game_sessions: 1, first }),
            }
        }
        Ok(found)
    }
}

/// All of several modes together.
fn together(beyond: &[Beyond]) -> Option<Those> {
    let first = beyond.iter().map(|here| here.first).min()?;
    Some(Those { game_sessions: beyond.iter().map(|here| here.game_sessions).sum(), first })
}

/// `seen` are those that have been empty for a while. Since when is not known of those that were empty when first seen:
/// their age tells that they run longer than any game (`lengths`).
async fn stay_empty(
    scene: &Scene<'_>,
    fleet: &FleetSummary,
    seen: Option<Those>,
    lengths: Option<&Lengths>,
) -> Result<Option<Verdict>, StoreError> {
    let id = &fleet.fleet.fleet_id;
    let is_known = scene.began(Rule::EmptySessions, id.as_str()).is_some();
    let mut found = seen.filter(|here| is_known || here.game_sessions >= EMPTY_LEAST.0);
    if found.is_some() && !is_known {
        let usual = scene.reader.empty_before_end_ms(id).await?;
        let watched = scene.reader.watched(PollKind::GameSessions, id.as_str());
        let read = scene.last_read(PollKind::GameSessions, id);
        let too_long_ms = too_long_ms(&usual, watched.map_or(0, |watched| read.since_ms(watched.since)));
        let before = read.plus_ms(-too_long_ms);
        let long = scene.reader.empty_since(std::slice::from_ref(id), before).await?;
        found = by_fleet(long).remove(id).filter(|long| long.game_sessions >= least(&usual, too_long_ms));
        if let Some(here) = &mut found {
            here.first = scene.reader.first_left(id, before).await?.unwrap_or(here.first);
        }
    }
    if found.is_none()
        && let Some(lengths) = lengths
    {
        let least = if is_known { 1 } else { EMPTY_LEAST.1 };
        found = together(&lengths.beyond(scene, id, true).await?).filter(|here| here.game_sessions >= least);
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
    lengths: &Lengths,
) -> Result<Option<Verdict>, StoreError> {
    let id = &fleet.fleet.fleet_id;
    let least = if scene.began(Rule::LongSessions, id.as_str()).is_some() { 1 } else { LONG_LEAST };
    let beyond = lengths.beyond(scene, id, false).await?;
    let Some(here) = together(&beyond).filter(|here| here.game_sessions >= least) else { return Ok(None) };
    let Some(shortest) = beyond.iter().map(|here| here.usual).min_by_key(|usual| usual.ms) else {
        return Ok(None);
    };
    let longer_than_ms = shortest.too_long_ms();
    let mode = match beyond.as_slice() {
        [only] => only.mode.as_ref(),
        _ => None,
    };
    let trouble = Trouble::SessionsRunLong {
        fleet: fleet.fleet.display_name().to_owned(),
        mode: mode.map(|mode| mode.value.clone()),
        game_sessions: here.game_sessions,
        usual_ms: shortest.ms,
        longer_than_ms,
    };
    let of_mode = mode.map(|mode| format!(" {}", mode.term())).unwrap_or_default();
    let minutes = longer_than_ms / MINUTE_MS;
    let target = Target::Sessions(format!("fleet:{id} status:active duration>{minutes}m{of_mode}"));
    let is_seasoned = beyond.iter().any(|here| here.usual.is_seasoned);
    let severity = if is_seasoned { Severity::Warning } else { Severity::Info };
    let verdict = Verdict::of_fleet(Rule::LongSessions, fleet, severity, here.first, trouble, target);
    let live = here.of_live(fleet);
    Ok(Some(verdict.hitting(here.game_sessions, Some(live))))
}

/// From which time on a game session of this fleet has been empty for too long. Where the fleet has not been watched for
/// long, only those that were not empty for long have ended.
fn too_long_ms(usual: &[i64], watched_ms: i64) -> i64 {
    match usual.get(usual.len() * 99 / 100) {
        Some(p99) if usual.len() >= EXAMPLES_LEAST && watched_ms >= WITHOUT_EXAMPLES_MS => {
            (p99 * BEYOND_USUAL + MINUTE_MS).max(EMPTY_MS)
        }
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
        assert_eq!(too_long_ms(&[], DAY_MS), WITHOUT_EXAMPLES_MS);
        assert_eq!(too_long_ms(&[0; 19], DAY_MS), WITHOUT_EXAMPLES_MS);
        assert_eq!(too_long_ms(&[0; 20], DAY_MS), EMPTY_MS);
        assert_eq!(
            too_long_ms(&[0; 20], 59 * MINUTE_MS),
            WITHOUT_EXAMPLES_MS,
            "watched for too short a time"
        );
        let patient: Vec<i64> = (0..100).map(|minute| minute * MINUTE_MS).collect();
        assert_eq!(too_long_ms(&patient, DAY_MS), (99 * 3 + 1) * MINUTE_MS);
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
