//! Game sessions that take much longer than usual to become ACTIVE: those of one fleet, or of all fleets of a Region in
//! one location.
//!
//! How long they usually take is learnt from the fleet's own. A few late ones among many are everyday; where hardly any
//! other started meanwhile, they are not. A location with little demand shows that only over all its fleets.

use std::collections::{BTreeSet, HashMap, HashSet};

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::{MINUTE_MS, TimeRange};
use liftdeck_model::{FleetId, Location, Region, Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::outcomes::Outcomes;
use liftdeck_store::reader::start::Start;
use statrs::distribution::{Binomial, DiscreteCDF as _};

use super::excursion::{beginning, with_forerunners};
use super::{Alone, Rule, Scene, Target, Trouble, Verdict};

/// No game session is late before, however fast the fleet's usually are.
const LATE_MS: i64 = 30_000;
/// How much longer than 95 % of the fleet's game sessions were ACTIVATING, as polls saw it.
const BEYOND_USUAL_MS: i64 = 15_000;
/// How far back starts are looked at.
const BACK_MS: i64 = 15 * MINUTE_MS;
/// Share of game sessions that start late where nothing is wrong: several times more than is usual.
const USUAL: f64 = 0.01;
/// So improbable is no chance: three of nine, or four of twenty. In ten days two late ones follow each other once.
const CHANCE: f64 = 1e-4;
/// It goes on while one of so many that started last was late.
const LAST: usize = 10;

/// `known` are the verdicts so far: where it is certain that activations time out, that they are late is no news.
pub(super) async fn verdicts(scene: &Scene<'_>, known: &[Verdict]) -> Result<Vec<Verdict>, StoreError> {
    let suspects = suspects(scene).await?;
    let mut newest = Newest { scene, by_fleet: HashMap::new() };
    let mut found = Vec::new();
    for fleet in scene.fleets {
        let id = &fleet.fleet.fleet_id;
        let times_out = |verdict: &Verdict| {
            verdict.rule == Rule::Activation
                && verdict.fleet_id.as_ref() == Some(id)
                && verdict.alone == Alone::Stands
        };
        if !suspects.contains(id) || known.iter().any(times_out) {
            continue;
        }
        let own = newest.of(id).await?.clone();
        let since = match scene.began(Rule::Activation, id.as_str()) {
            Some(began) => goes_on(&own).then_some(began),
            None => newest.slow_since(fleet, &own).await?,
        };
        found.extend(since.map(|since| of_fleet(fleet, &own, since)));
    }
    Ok(found)
}

/// The game sessions of all fleets that were late since a moment, without those that GameLift gave up.
pub(super) async fn late_since(
    scene: &Scene<'_>,
    from: Timestamp,
) -> Result<Vec<(FleetId, Started)>, StoreError> {
    let mut late = Vec::new();
    for id in suspects(scene).await? {
        let started = started(scene, &id, from).await?;
        let here = started.into_iter().filter(|one| one.is_late && !one.timed_out);
        late.extend(here.map(|one| (id.clone(), one)));
    }
    Ok(late)
}

/// Whether chance explains how many of all game sessions were late or never became ACTIVE that the fleets of a Region
/// created in a location since a moment.
pub(super) async fn is_chance_in(
    scene: &Scene<'_>,
    region: &Region,
    location: &Location,
    from: Timestamp,
) -> Result<bool, StoreError> {
    let mut here = Vec::new();
    for fleet in scene.fleets.iter().filter(|fleet| fleet.fleet.region == *region) {
        let own = started(scene, &fleet.fleet.fleet_id, from).await?;
        here.extend(own.into_iter().filter(|one| one.location == *location));
    }
    Ok(chance(counted(&here)) >= CHANCE)
}

/// When the first game session of a fleet was created that belongs to those, since `from`, that were late or never became
/// ACTIVE.
pub(super) async fn first_late(
    scene: &Scene<'_>,
    id: &FleetId,
    from: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let those = started(scene, id, from).await?;
    Ok(most_likely(&those).map(|began| forerun(those.iter(), began)))
}

/// The fleets that may have late ones: those of which one is ACTIVATING for so long, or was not long ago.
async fn suspects(scene: &Scene<'_>) -> Result<HashSet<FleetId>, StoreError> {
    let ids = scene.fleet_ids();
    let activating = scene.reader.activating_since(&ids, scene.now.plus_ms(-LATE_MS)).await?;
    let known = ids.into_iter().filter(|id| scene.began(Rule::Activation, id.as_str()).is_some());
    Ok(activating.into_iter().map(|here| here.fleet_id).chain(known).collect())
}

fn of_fleet(fleet: &FleetSummary, own: &[Started], since: Timestamp) -> Verdict {
    let (late, started) = counted(own.iter().filter(|one| one.at >= since));
    let name = fleet.fleet.display_name().to_owned();
    let trouble = Trouble::SessionsStartSlowly { fleet: name, late, started };
    let target = Target::Sessions(format!("fleet:{} status:activating", fleet.fleet.fleet_id));
    Verdict::of_fleet(Rule::Activation, fleet, Severity::Warning, since, trouble, target)
        .hitting(late, Some(started))
}

/// A game session of which it is known whether it started in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Started {
    /// When it was created.
    pub(super) at: Timestamp,
    pub(super) location: Location,
    is_late: bool,
    /// Whether it took longer than hardly any usually does. Late ones did.
    is_slow: bool,
    timed_out: bool,
}

/// Those of a fleet that were created since `from`, oldest first.
async fn started(scene: &Scene<'_>, id: &FleetId, from: Timestamp) -> Result<Vec<Started>, StoreError> {
    // Where they have been late for long, the newest do not tell what is usual.
    let calm = scene.began(Rule::Activation, id.as_str()).map_or(from, |began| began.min(from));
    let read = scene.last_read(PollKind::GameSessions, id);
    let before = scene.reader.starts(id, TimeRange::new(Timestamp::from_ms(0), calm)).await?;
    let mut usual: Vec<i64> = took_ms(&before).collect();
    usual.sort_unstable();
    let p95 = usual.get(usual.len() * 95 / 100).copied().unwrap_or(0);
    let limit_ms = p95.saturating_add(BEYOND_USUAL_MS).max(LATE_MS);
    let slow_ms = usual.get(usual.len() * 99 / 100).copied().unwrap_or(i64::MAX).min(limit_ms);
    let starts = scene.reader.starts(id, TimeRange::new(from, read.plus_ms(-limit_ms))).await?;
    let judge = |(start, took_ms): (&Start, i64)| Started {
        at: start.created,
        location: start.location.clone(),
        is_late: took_ms > limit_ms,
        is_slow: took_ms > slow_ms,
        timed_out: start.timed_out,
    };
    Ok(starts.iter().zip(took_ms(&starts)).map(judge).collect())
}

/// For how many milliseconds each was ACTIVATING: until its placement was fulfilled, or else at least, as polls saw it:
/// what happens between two polls makes none late.
fn took_ms(starts: &[Start]) -> impl Iterator<Item = i64> {
    starts.iter().map(|start| {
        if start.timed_out && start.placed_at.is_none() {
            return i64::MAX;
        }
        let known_until = start.placed_at.or(start.activating_at);
        known_until.map_or(0, |until| until.since_ms(start.created).max(0))
    })
}

/// The newest game sessions of each fleet that was asked for.
struct Newest<'a> {
    scene: &'a Scene<'a>,
    by_fleet: HashMap<FleetId, Vec<Started>>,
}

impl Newest<'_> {
    async fn of(&mut self, id: &FleetId) -> Result<&Vec<Started>, StoreError> {
        if !self.by_fleet.contains_key(id) {
            let newest = started(self.scene, id, self.scene.now.plus_ms(-BACK_MS)).await?;
            self.by_fleet.insert(id.clone(), newest);
        }
        Ok(&self.by_fleet[id])
    }

    /// Those of all fleets of a Region in a location, oldest first.
    async fn in_location(
        &mut self,
        region: &Region,
        location: &Location,
    ) -> Result<Vec<Started>, StoreError> {
        let mut here = Vec::new();
        for fleet in self.scene.fleets.iter().filter(|fleet| fleet.fleet.region == *region) {
            let own = self.of(&fleet.fleet.fleet_id).await?;
            here.extend(own.iter().filter(|one| one.location == *location).cloned());
        }
        here.sort_by_key(|one| one.at);
        Ok(here)
    }

    /// When the first of too many late ones of a fleet was created: too many for the fleet, or for all fleets where
    /// they are.
    async fn slow_since(
        &mut self,
        fleet: &FleetSummary,
        own: &[Started],
    ) -> Result<Option<Timestamp>, StoreError> {
        let mut slow = begin(own).map(|began| forerun(own.iter(), began));
        let locations: BTreeSet<&Location> =
            own.iter().filter(|one| one.is_late).map(|one| &one.location).collect();
        for location in locations {
            let all = self.in_location(&fleet.fleet.region, location).await?;
            let began = begin(&all);
            let is_of_them = |one: &&Started| {
                one.is_late && one.location == *location && began.is_some_and(|began| one.at >= began)
            };
            let first = own.iter().find(is_of_them).map(|one| one.at);
            let here = own.iter().filter(|one| one.location == *location);
            let first = first.map(|first| forerun(here, first));
            slow = [slow, first].into_iter().flatten().min();
        }
        Ok(slow)
    }
}

/// Late ones, and all.
fn counted<'a>(those: impl IntoIterator<Item = &'a Started>) -> (u64, u64) {
    those.into_iter().fold((0, 0), |(late, all), one| (late + u64::from(one.is_late), all + 1))
}

/// Whether they still start late.
fn goes_on(those: &[Started]) -> bool {
    those.iter().rev().take(LAST).any(|one| one.is_late)
}

/// When they began to be late, if chance does not explain the late ones and they go on.
fn begin(those: &[Started]) -> Option<Timestamp> {
    let late = (0..those.len()).filter(|index| those[*index].is_late);
    let is_chance = late.map(|index| chance(counted(&those[index..]))).all(|chance| chance >= CHANCE);
    if is_chance || !goes_on(those) {
        return None;
    }
    most_likely(those)
}

/// The most likely beginning of the late ones. One that was late for another reason long before is left out.
fn most_likely(those: &[Started]) -> Option<Timestamp> {
    let outcomes: Vec<Outcomes> = those.iter().map(|one| outcome(one, one.is_late)).collect();
    beginning(&outcomes, USUAL).map(|began| began.since)
}

/// The first of the slow ones shortly before the late ones: polls do not prove of each how long it took.
fn forerun<'a>(those: impl Iterator<Item = &'a Started>, began: Timestamp) -> Timestamp {
    let outcomes: Vec<Outcomes> = those.map(|one| outcome(one, one.is_slow)).collect();
    with_forerunners(&outcomes, began, USUAL)
}

fn outcome(one: &Started, is_failed: bool) -> Outcomes {
    Outcomes { at: one.at, failed: u64::from(is_failed), succeeded: u64::from(!is_failed) }
}

/// How probable so many late ones are by chance.
fn chance((late, all): (u64, u64)) -> f64 {
    let Some(fewer) = late.checked_sub(1) else { return 1.0 };
    Binomial::new(USUAL, all).map_or(1.0, |usual| usual.sf(fewer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_ones_are_no_chance_where_hardly_any_other_started() {
        for those in [(3, 3), (3, 9), (4, 20)] {
            assert!(chance(those) < CHANCE, "{those:?}");
        }
        for those in [(0, 0), (1, 1), (2, 2), (3, 12), (4, 30)] {
            assert!(chance(those) >= CHANCE, "{those:?}");
        }
    }

    #[test]
    fn a_start_took_until_its_placement_was_fulfilled_or_else_until_a_poll_last_saw_it_activating() {
        let at = |second: i64| Timestamp::from_ms(second * 1_000);
        let start = |created: i64, activating: Option<i64>| Start {
            created: at(created),
            location: "eu-west-1".into(),
            timed_out: false,
            activating_at: activating.map(at),
            placed_at: None,
        };
        let starts = [
            start(0, Some(60)),
            start(90, None),
            Start { timed_out: true, ..start(150, Some(200)) },
            Start { placed_at: Some(at(192)), ..start(160, Some(170)) },
        ];
        let took: Vec<i64> = took_ms(&starts).collect();
        assert_eq!(took, [60_000, 0, i64::MAX, 32_000]);
    }

    /// One a second.
    fn started(late: &[bool]) -> Vec<Started> {
        let one = |(second, is_late): (i64, &bool)| Started {
            at: Timestamp::from_ms(second * 1_000),
            location: "eu-west-1".into(),
            is_late: *is_late,
            is_slow: *is_late,
            timed_out: false,
        };
        (0..).zip(late).map(one).collect()
    }

    #[test]
    fn they_begin_with_the_first_of_the_many_not_with_one_that_was_late_before() {
        let mut late = vec![true];
        late.extend([false; 60]);
        assert_eq!(begin(&started(&late)), None, "a single one");
        late.extend([true, false, true, true]);
        assert_eq!(begin(&started(&late)), Some(Timestamp::from_ms(61_000)));
        late.extend([false; LAST]);
        assert_eq!(begin(&started(&late)), None, "they are over");
    }

    #[test]
    fn slow_ones_just_before_belong_to_those_that_polls_prove_to_be_late() {
        let mut those = started(&[false, false, false, false, true, true, true]);
        those[1].is_slow = true;
        let began = begin(&those).unwrap();
        assert_eq!(began, Timestamp::from_ms(4_000));
        assert_eq!(forerun(those.iter(), began), Timestamp::from_ms(1_000));
        let mut those = started(&[vec![false; 20], vec![true; 3]].concat());
        those[1].is_slow = true;
        assert_eq!(forerun(those.iter(), Timestamp::from_ms(20_000)), Timestamp::from_ms(20_000), "everyday");
    }
}
