//! Game sessions that take much longer than usual to become ACTIVE: those of one fleet, or of all fleets in one
//! location.
//!
//! How long they usually take is learnt from the fleet's own. A few late ones among many are everyday; where hardly any
//! other started meanwhile, they are not. A location with little demand shows that only over all its fleets.

use std::collections::{HashMap, HashSet};

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::{MINUTE_MS, TimeRange};
use liftdeck_model::{FleetId, Location, Region, Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::lingering::Lingering;
use statrs::distribution::{Binomial, DiscreteCDF as _};

use super::{Rule, Scene, Target, Trouble, Verdict};

/// A game session that is ACTIVATING for less is not late. A poll may be a minute old.
pub(super) const LATE_MS: i64 = 75_000;
/// How much longer than 95 % of the fleet's game sessions took, as polls saw it.
const BEYOND_USUAL_MS: i64 = 15_000;
/// How far back the first late one is looked for.
const BACK_MS: i64 = 15 * MINUTE_MS;
/// A single one is everyday.
const LEAST: u64 = 2;
/// Share of game sessions that start late where nothing is wrong: several times more than is usual.
const USUAL: f64 = 0.01;
/// So improbable is no chance: two of two, three of twelve, or four of thirty.
const CHANCE: f64 = 2.5e-4;

/// `known` are the verdicts so far: where activations time out, that they are late is no news.
pub(super) async fn verdicts(scene: &Scene<'_>, known: &[Verdict]) -> Result<Vec<Verdict>, StoreError> {
    let before = scene.now.plus_ms(-LATE_MS);
    let activating = scene.reader.activating_since(&scene.fleet_ids(), before).await?;
    let mut found = Vec::new();
    let mut others = Vec::new();
    for fleet in scene.fleets {
        let id = &fleet.fleet.fleet_id;
        let times_out =
            |verdict: &Verdict| verdict.rule == Rule::Activation && verdict.fleet_id.as_ref() == Some(id);
        let here = counted(activating.iter().filter(|here| here.fleet_id == *id));
        if here == 0 || known.iter().any(times_out) {
            continue;
        }
        match scene.began(Rule::Activation, id.as_str()) {
            Some(began) => found.push(of_fleet(fleet, here, began)),
            None => others.push(fleet),
        }
    }
    let suspects: HashSet<&FleetId> =
        groups(scene, &activating).into_values().flatten().map(|here| &here.fleet_id).collect();
    if others.iter().any(|fleet| suspects.contains(&fleet.fleet.fleet_id)) {
        let late = Late::read(scene, suspects).await?;
        let many = late.many(scene).await?;
        for fleet in others {
            found.extend(late.news(scene, fleet, &many).await?);
        }
    }
    Ok(found)
}

fn of_fleet(fleet: &FleetSummary, activating: u64, since: Timestamp) -> Verdict {
    let name = fleet.fleet.display_name().to_owned();
    let trouble = Trouble::SessionsStartSlowly { fleet: name, activating };
    let target = Target::Sessions(format!("fleet:{} status:activating", fleet.fleet.fleet_id));
    Verdict::of_fleet(Rule::Activation, fleet, Severity::Warning, since, trouble, target)
        .hitting(activating, None)
}

/// Game sessions that may start late for one reason.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Group {
    /// Those of a fleet.
    Fleet(FleetId),
    /// Those of a Region's fleets in a location.
    Location(Region, Location),
}

impl Group {
    fn both_of(scene: &Scene<'_>, here: &Lingering) -> [Option<Self>; 2] {
        let region = scene.fleet(&here.fleet_id).map(|fleet| fleet.fleet.region.clone());
        let location = region.map(|region| Self::Location(region, here.location.clone()));
        [Some(Self::Fleet(here.fleet_id.clone())), location]
    }

    /// Whether any game session of a fleet may belong to it.
    fn may_have(&self, fleet: &FleetSummary) -> bool {
        match self {
            Self::Fleet(id) => fleet.fleet.fleet_id == *id,
            Self::Location(region, _) => fleet.fleet.region == *region,
        }
    }

    /// Whether it has those of its fleets that are in a location.
    fn is_in(&self, location: &Location) -> bool {
        match self {
            Self::Fleet(_) => true,
            Self::Location(_, here) => here == location,
        }
    }
}

/// The groups that have more than a single late one.
fn groups<'a>(scene: &Scene<'_>, late: &'a [Lingering]) -> HashMap<Group, Vec<&'a Lingering>> {
    let mut groups: HashMap<Group, Vec<&Lingering>> = HashMap::new();
    for here in late {
        for group in Group::both_of(scene, here).into_iter().flatten() {
            groups.entry(group).or_default().push(here);
        }
    }
    groups.retain(|_, late| counted(late.iter().copied()) >= LEAST);
    groups
}

fn counted<'a>(those: impl IntoIterator<Item = &'a Lingering>) -> u64 {
    those.into_iter().map(|here| here.game_sessions).sum()
}

/// The late ones of some fleets, by what is late on each.
struct Late {
    /// Milliseconds after its creation from which a game session of each fleet is late.
    limits_ms: HashMap<FleetId, i64>,
    those: Vec<Lingering>,
}

impl Late {
    async fn read(scene: &Scene<'_>, fleets: HashSet<&FleetId>) -> Result<Self, StoreError> {
        let mut late = Self { limits_ms: HashMap::new(), those: Vec::new() };
        for id in fleets {
            let usual = scene.reader.active_after_ms(id).await?;
            let p95 = usual.get(usual.len() * 95 / 100).copied().unwrap_or(0);
            late.limits_ms.insert(id.clone(), (p95 + BEYOND_USUAL_MS).max(LATE_MS));
            let before = late.judged_before(scene, id);
            late.those.extend(scene.reader.activating_since(std::slice::from_ref(id), before).await?);
        }
        Ok(late)
    }

    fn limit_ms(&self, id: &FleetId) -> i64 {
        self.limits_ms.get(id).copied().unwrap_or(LATE_MS)
    }

    /// Of those created before, the last poll tells whether they started in time.
    fn judged_before(&self, scene: &Scene<'_>, id: &FleetId) -> Timestamp {
        scene.last_read(PollKind::GameSessions, id).plus_ms(-self.limit_ms(id))
    }

    /// The groups with more late ones than chance has among so many.
    async fn many(&self, scene: &Scene<'_>) -> Result<HashSet<Group>, StoreError> {
        let mut many = HashSet::new();
        for (group, late) in groups(scene, &self.those) {
            let Some(first) = late.iter().map(|here| here.first).min() else { continue };
            let mut started = 0;
            for fleet in scene.fleets.iter().filter(|fleet| group.may_have(fleet)) {
                let id = &fleet.fleet.fleet_id;
                let range = TimeRange::new(first, self.judged_before(scene, id));
                let all = scene.reader.live_created_in(std::slice::from_ref(id), range).await?;
                started += counted(all.iter().filter(|here| group.is_in(&here.location)));
            }
            if !is_chance(counted(late), started) {
                many.insert(group);
            }
        }
        Ok(many)
    }

    /// The verdict on a fleet with late ones in one of these groups, dated by the first of them.
    async fn news(
        &self,
        scene: &Scene<'_>,
        fleet: &FleetSummary,
        many: &HashSet<Group>,
    ) -> Result<Option<Verdict>, StoreError> {
        let id = &fleet.fleet.fleet_id;
        let own: Vec<&Lingering> = self.those.iter().filter(|here| here.fleet_id == *id).collect();
        let is_in_one = |here: &&Lingering| {
            Group::both_of(scene, here).iter().flatten().any(|group| many.contains(group))
        };
        let Some(first) = own.iter().copied().filter(is_in_one).map(|here| here.first).min() else {
            return Ok(None);
        };
        let from = scene.now.plus_ms(-BACK_MS);
        let read = scene.last_read(PollKind::GameSessions, id);
        let slow = scene.reader.first_slow(id, from, self.limit_ms(id), read).await?;
        Ok(Some(of_fleet(fleet, counted(own), slow.unwrap_or(first))))
    }
}

/// Whether so many late ones of those that started are chance.
fn is_chance(late: u64, started: u64) -> bool {
    late < LEAST || Binomial::new(USUAL, started.max(late)).is_ok_and(|usual| usual.sf(late - 1) >= CHANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_ones_are_no_chance_where_hardly_any_other_started() {
        for (late, started) in [(2, 2), (3, 3), (3, 12), (4, 30), (2, 0)] {
            assert!(!is_chance(late, started), "{late} of {started}");
        }
        for (late, started) in [(0, 0), (1, 1), (2, 4), (3, 20), (4, 60)] {
            assert!(is_chance(late, started), "{late} of {started}");
        }
    }
}
