//! The likely causes of an incident with the facts that speak for and against each, and what was looked at and is not
//! the cause.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use liftdeck_model::Timestamp;
use liftdeck_model::alert::AlertId;
use liftdeck_store::StoreError;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::IncidentOf;
use super::evidence::{self, EvidenceLine};
use super::failed::Failed;
use super::failing::Failing;
use super::hit::{self, WhoIsHit};
use super::sphere::Sphere;
use crate::alert::{Alert, CauseWords};
use crate::change::Change;
use crate::verdict::{Facts, LikelyCause, Rule, Strength, Trouble};
use crate::words;

/// Most alerts of a span that are read as on their own page; of the others the causes come without facts.
const READ: usize = 12;
/// Most changes before the first failure of a span.
const CHANGED: usize = 8;

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
    /// The alerts of a span that it is kept with, oldest first; empty on an alert's own page.
    pub alerts: Vec<CauseAlert>,
}

/// An alert that a cause of a span is kept with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CauseAlert {
    /// Id.
    pub id: AlertId,
    /// What is wrong, as text.
    pub title: String,
}

fn proof(fact: CauseFactKind, speaks: Speaks) -> CauseFact {
    CauseFact { text: words::incident::proof(&fact), fact, speaks }
}

/// The likely causes, and what was looked at and is not the cause.
pub(super) async fn causes(
    sphere: &Sphere<'_>,
    failed: &Failed,
    who: &WhoIsHit,
) -> Result<(Vec<CauseStory>, Vec<CauseFact>), StoreError> {
    match &sphere.alert {
        Some(alert) => Ok((stories(sphere, alert, failed, who), ruled_out(sphere, failed))),
        None => of_span(sphere, failed, who).await,
    }
}

/// The causes kept with an alert. `sphere` is that of the alert.
fn stories(sphere: &Sphere<'_>, alert: &Alert, failed: &Failed, who: &WhoIsHit) -> Vec<CauseStory> {
    let causes = likely_of(alert).enumerate();
    causes
        .map(|(index, (words, likely))| CauseStory {
            proofs: proofs(sphere, failed, who, (words, likely), index == 0),
            ..story(words, likely)
        })
        .collect()
}

fn likely_of(alert: &Alert) -> impl Iterator<Item = (&CauseWords, &LikelyCause)> {
    let kinds = alert.facts.iter().flat_map(|facts| &facts.causes);
    alert.causes.iter().zip(kinds.map(|likely| &likely.cause))
}

/// A cause without its facts.
fn story(words: &CauseWords, likely: &LikelyCause) -> CauseStory {
    CauseStory {
        heading: words::incident::cause_heading(likely),
        text: words.text.clone(),
        strength: words.strength,
        at: words.at,
        lead_ms: words.lead_ms,
        proofs: Vec::new(),
        alerts: Vec::new(),
    }
}

/// The causes of the alerts that were open in a span, each said once, the likeliest first; ruled out is what all of
/// these alerts rule out. Each alert is read as on its own page, so that both say the same.
async fn of_span(
    sphere: &Sphere<'_>,
    failed: &Failed,
    who: &WhoIsHit,
) -> Result<(Vec<CauseStory>, Vec<CauseFact>), StoreError> {
    let mut found: Vec<(usize, &LikelyCause, CauseStory)> = Vec::new();
    let mut excluded: Option<Vec<CauseFact>> = None;
    let explained: Vec<&Alert> = sphere.alerts.iter().filter(|alert| !alert.causes.is_empty()).collect();
    for (number, &alert) in explained.iter().enumerate() {
        let own = if number < READ { Box::pin(of_alert(sphere, alert)).await? } else { None };
        let (stories, own_excluded) = own.unwrap_or_else(|| {
            (likely_of(alert).map(|(words, likely)| story(words, likely)).collect(), Vec::new())
        });
        match &mut excluded {
            Some(all) => all.retain(|fact| own_excluded.contains(fact)),
            None => excluded = Some(own_excluded),
        }
        let named = CauseAlert { id: alert.id.clone(), title: alert.title.clone() };
        for (rank, (mut story, (_, likely))) in stories.into_iter().zip(likely_of(alert)).enumerate() {
            if is_told_elsewhere(sphere, &explained, likely) {
                continue;
            }
            story.alerts.push(named.clone());
            match found.iter_mut().find(|(_, other, _)| is_same(other, likely)) {
                Some((least, _, known)) => {
                    *least = rank.min(*least);
                    let mut alerts = std::mem::take(&mut known.alerts);
                    alerts.append(&mut story.alerts);
                    if story.strength > known.strength {
                        *known = story;
                    }
                    known.alerts = alerts;
                }
                None => found.push((rank, likely, story)),
            }
        }
    }
    // The sort is stable: of equals, the cause of the older alert comes first.
    found.sort_by_key(|(rank, _, story)| (Reverse(story.strength), *rank));
    let is_now = sphere.span.to >= sphere.now;
    let ruled_out = match excluded {
        Some(mut facts) => {
            facts.retain(|one| is_now || !matches!(one.fact, CauseFactKind::Room { .. }));
            facts
        }
        None if who.count > 0 => ruled_out(sphere, failed),
        None => Vec::new(),
    };
    Ok((found.into_iter().map(|(_, _, story)| story).collect(), ruled_out))
}

/// The causes of one of the alerts of a span, with their facts.
async fn of_alert(
    sphere: &Sphere<'_>,
    alert: &Alert,
) -> Result<Option<(Vec<CauseStory>, Vec<CauseFact>)>, StoreError> {
    let of = IncidentOf::Alert { id: alert.id.clone() };
    let Some(own) = Sphere::of(Arc::clone(&sphere.ground), &of).await? else { return Ok(None) };
    let failed = own.failed_now().await?;
    let who = hit::who(&own, &failed).await?;
    Ok(Some((stories(&own, alert, &failed, &who), ruled_out(&own, &failed))))
}

/// Whether two likely causes are one: the same change, or the same state of the same thing.
fn is_same(one: &LikelyCause, other: &LikelyCause) -> bool {
    match (one, other) {
        (LikelyCause::Changed { change }, LikelyCause::Changed { change: other }) => change.key == other.key,
        _ => one == other,
    }
}

/// Whether a cause is only another trouble whose own causes are told.
fn is_told_elsewhere(sphere: &Sphere<'_>, alerts: &[&Alert], likely: &LikelyCause) -> bool {
    let LikelyCause::Elsewhere { rule, name } = likely else { return false };
    alerts.iter().any(|alert| {
        let is_its_fleet = alert.fleet_id.as_ref().is_none_or(|id| sphere.name_of(id) == *name);
        alert.rule.parse::<Rule>().is_ok_and(|of| of == *rule) && is_its_fleet
    })
}

/// What was changed in a span before the first failure, newest first, without the likely causes: as an alert's page
/// shows on its timeline what came before.
pub(super) fn changed_before(sphere: &Sphere<'_>, who: &WhoIsHit, changes: &[Change]) -> Vec<EvidenceLine> {
    let (None, Some(first)) = (&sphere.alert, who.first_at) else { return Vec::new() };
    let mut lines = evidence::of_changes(sphere, changes);
    lines.retain(|line| line.is_change && !line.is_cause && line.at <= first);
    lines.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| b.key.cmp(&a.key)));
    lines.truncate(CHANGED);
    lines
}

/// What is said in the place of causes while there are none.
pub(super) fn unexplained(sphere: &Sphere<'_>) -> String {
    match &sphere.alert {
        Some(alert) => alert.unexplained.clone(),
        None => words::incident::unexplained(sphere.alerts.len()),
    }
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
    let is_of_spot = |alert: &Alert| alert.rule.parse::<Rule>().is_ok_and(|rule| rule == Rule::Interruptions);
    if sphere.bad.is_empty() || sphere.alerts.iter().any(is_of_spot) {
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
