//! The likely causes of an incident with the facts that speak for and against each, and what was looked at and is not
//! the cause.

use std::collections::BTreeSet;

use liftdeck_model::Timestamp;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::failed::Failed;
use super::failing::Failing;
use super::hit::WhoIsHit;
use super::sphere::Sphere;
use crate::alert::CauseWords;
use crate::verdict::{Facts, LikelyCause, Rule, Strength, Trouble};
use crate::words;

/// What a fact speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Speaks {
    /// For the cause.
    For,
    /// Against it.
    Against,
    /// For neither.
    Neither,
}

/// A fact about a cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CauseFactKind {
    /// How long after the cause the first failure came, and how many had come before.
    Lead {
        /// Milliseconds.
        ms: i64,
        /// Failures in the time shown before.
        before: u64,
    },
    /// How many failed here, and of what it is compared with.
    Share {
        /// What it runs here, or the fleet.
        here: String,
        /// How many failed.
        failed: u64,
        /// Of how many.
        of: u64,
        /// What it is compared with.
        there: String,
        /// How many failed there.
        there_failed: u64,
        /// Of how many.
        there_of: u64,
    },
    /// Over how many locations and computes the failures are spread.
    Spread {
        /// Locations with a failure.
        locations: u64,
        /// Locations of the fleets.
        of_locations: u64,
        /// Computes with a failure.
        computes: u64,
    },
    /// Spot interruptions in the time shown.
    Interruptions {
        /// How many.
        count: u64,
    },
    /// Free server processes now.
    Room {
        /// Free.
        free: i64,
        /// All.
        processes: i64,
    },
}

/// A fact with its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CauseFact {
    /// The fact.
    pub fact: CauseFactKind,
    /// What it speaks for.
    pub speaks: Speaks,
    /// The same as text.
    pub text: String,
}

/// A likely cause with what speaks for and against it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CauseStory {
    /// What kind of cause it is, in a few words.
    pub heading: String,
    /// What it is, as text.
    pub text: String,
    /// How strongly the facts speak for it.
    pub strength: Strength,
    /// When it happened or began.
    pub at: Option<Timestamp>,
    /// By how many milliseconds it came before the trouble.
    pub lead_ms: Option<i64>,
    /// The facts.
    pub proofs: Vec<CauseFact>,
}

fn proof(fact: CauseFactKind, speaks: Speaks) -> CauseFact {
    CauseFact { text: words::incident::proof(&fact), fact, speaks }
}

pub(super) fn causes(
    sphere: &Sphere<'_>,
    failed: &Failed,
    who: &WhoIsHit,
) -> (Vec<CauseStory>, Vec<CauseFact>) {
    let Some(alert) = &sphere.alert else { return (Vec::new(), ruled_out(sphere, failed)) };
    let kinds = alert.facts.iter().flat_map(|facts| &facts.causes);
    let causes = alert.causes.iter().zip(kinds).enumerate();
    let told = causes
        .map(|(index, (words, likely))| CauseStory {
            heading: words::incident::cause_heading(&likely.cause),
            text: words.text.clone(),
            strength: words.strength,
            at: words.at,
            lead_ms: words.lead_ms,
            proofs: proofs(sphere, failed, who, (words, &likely.cause), index == 0),
        })
        .collect();
    (told, ruled_out(sphere, failed))
}

/// Whether the trouble began with something that failed.
const fn begins_with_a_failure(facts: &Facts) -> bool {
    matches!(
        facts.trouble,
        Trouble::SessionsCrash { .. }
            | Trouble::ActivationsTimeOut { .. }
            | Trouble::ProcessesDoNotStart { .. }
            | Trouble::Interrupted { .. }
            | Trouble::PlacementsFail { .. }
            | Trouble::TicketsFail { .. }
            | Trouble::ReservationsUnused { .. }
    )
}

/// The facts about a cause. What tells of the failures themselves stands with the first alone.
fn proofs(
    sphere: &Sphere<'_>,
    failed: &Failed,
    who: &WhoIsHit,
    (words, cause): (&CauseWords, &LikelyCause),
    is_first: bool,
) -> Vec<CauseFact> {
    let mut found = Vec::new();
    if let Some(ms) = words.lead_ms.filter(|_| sphere.facts().is_some_and(begins_with_a_failure)) {
        let speaks = if ms < 0 || failed.before > 0 { Speaks::Against } else { Speaks::For };
        found.push(proof(CauseFactKind::Lead { ms, before: failed.before }, speaks));
    }
    if !is_first || !matches!(sphere.failing, Failing::Sessions(_)) {
        return found;
    }
    let there_failed = failed.rest.rows.len() as u64;
    let there_of: u64 = failed.rest_ended.iter().map(|minute| minute.all).sum();
    // That other fleets of the location are hit as well speaks for the location.
    let is_elsewhere = !sphere.rest.is_empty() && !matches!(cause, LikelyCause::OneLocation { .. });
    if let (Some(of), true) = (who.of, who.count > 0 && is_elsewhere && there_of > 0) {
        let share = |failed: u64, of: u64| failed as f64 / of.max(1) as f64;
        let is_more = share(who.count, of) > 3.0 * share(there_failed, there_of);
        let fact = CauseFactKind::Share {
            here: sphere.bad_label(),
            failed: who.count,
            of,
            there: sphere.rest_label(),
            there_failed,
            there_of,
        };
        found.push(proof(fact, if is_more { Speaks::For } else { Speaks::Against }));
    }
    let rows = &failed.sessions.rows;
    let computes: BTreeSet<_> = rows.iter().filter_map(|row| row.compute_name.as_deref()).collect();
    let locations: BTreeSet<_> = rows.iter().map(|row| &row.location).collect();
    if rows.len() > 1 && !computes.is_empty() {
        let here = sphere.ground.fleets.iter().filter(|it| sphere.bad.contains(&it.fleet.fleet_id));
        let fact = CauseFactKind::Spread {
            locations: locations.len() as u64,
            of_locations: here.map(|it| it.locations.len() as u64).sum(),
            computes: computes.len() as u64,
        };
        found.push(proof(fact, if computes.len() > 1 { Speaks::For } else { Speaks::Against }));
    }
    found
}

/// What else it might have been. Only what is known now can be ruled out, so what is over has less.
fn ruled_out(sphere: &Sphere<'_>, failed: &Failed) -> Vec<CauseFact> {
    let mut found = Vec::new();
    let rule = sphere.rule();
    if sphere.bad.is_empty() || sphere.alert.is_none() {
        return found;
    }
    if rule != Some(Rule::Interruptions) && failed.interruptions == 0 && !sphere.freshness().stale {
        found.push(proof(CauseFactKind::Interruptions { count: 0 }, Speaks::Neither));
    }
    let is_of_room =
        matches!(rule, Some(Rule::Capped | Rule::LittleRoom | Rule::InstanceLimit | Rule::ScalingSuspended));
    if sphere.until().is_none() && !is_of_room {
        let here: Vec<_> =
            sphere.ground.fleets.iter().filter(|it| sphere.bad.contains(&it.fleet.fleet_id)).collect();
        let free: i64 = here.iter().filter_map(|it| it.free_processes()).sum();
        let processes: i64 = here.iter().filter_map(|it| it.processes()).sum();
        let is_fresh = here.iter().all(|it| !it.freshness.stale);
        // One tenth free is room enough to place a session at once.
        if is_fresh && processes > 0 && free * 10 >= processes {
            found.push(proof(CauseFactKind::Room { free, processes }, Speaks::Neither));
        }
    }
    found
}
