//! What a look means for the alerts that are open: which begin, fire, recover, end, or can no longer be told.
//!
//! Pure. Owns pending periods, blips and what happens without data, for ready-made rules and those of one's own
//! alike; what comes back is damped by [`Courses`]. A trouble that is not seen is over only on the word of fresh data;
//! without it an alert stays as it was, and says since when nothing is known.

use std::collections::HashSet;

use liftdeck_insight::custom::{self, CLEAR_MS, CustomLook, CustomVerdict, Standing};
use liftdeck_insight::knowledge::{Knowledge, RegionKnown, Source};
use liftdeck_insight::verdict::{Facts, Look, Rule, Verdict, Weight};
use liftdeck_model::alert::{AlertId, AlertRecord, AlertState, AlertStep, AlertStepKind};
use liftdeck_model::alert_rule::Adjustment;
use liftdeck_model::custom_rule::CustomRule;
use liftdeck_model::{FleetId, Region, Severity, Timestamp};
use liftdeck_store::AlertChanges;

use crate::course::Courses;

/// What rules of one's own saw at a look.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Own<'a> {
    /// What was looked at.
    pub(crate) looks: &'a [CustomLook],
    /// Rules that there was no time for: nothing is known of them, and nothing changes about their alerts.
    pub(crate) not_looked: &'a [String],
}

/// Compares what is open with what was seen. `adjustments` is what a person has set about ready-made rules; `new_id`
/// gives the ids of new alerts.
pub(crate) fn judge(
    open: &[AlertRecord],
    courses: &Courses,
    look: &Look,
    own: Own<'_>,
    adjustments: &[Adjustment],
    mut new_id: impl FnMut() -> AlertId,
) -> AlertChanges {
    let mut changes = AlertChanges::default();
    let mut seen: HashSet<&AlertId> = HashSet::new();
    let ready = look.verdicts.iter().map(|verdict| Found::ready(verdict, adjustments, look));
    let all: Vec<Found<'_>> = ready.chain(own.looks.iter().flat_map(|one| Found::own(one, look))).collect();
    for found in &all {
        let known = open.iter().find(|alert| alert.rule == found.rule && alert.subject == found.subject);
        match known {
            Some(alert) => {
                seen.insert(&alert.id);
                let clear_ms = courses.clear_ms(&alert.id, found.clear_ms, look.at);
                let next = goes_on(alert, found, clear_ms, look.at);
                let fires = alert.state == AlertState::Pending && next.state == AlertState::Firing;
                match courses.returns(&next, look.at).filter(|_| fires) {
                    Some(ended) => {
                        changes.forget.push(alert.id.clone());
                        comes_back(&mut changes, ended, found, look.at);
                    }
                    None => keep(&mut changes, alert, next, look.at),
                }
            }
            // What old data shows may be long over.
            None if found.unknown_since.is_some() => {}
            None => {
                let alert = begins(found, look.at, new_id());
                let fires = alert.state == AlertState::Firing;
                match courses.returns(&alert, look.at).filter(|_| fires) {
                    Some(ended) => comes_back(&mut changes, ended, found, look.at),
                    None => {
                        let step = if fires { AlertStepKind::Firing } else { AlertStepKind::Pending };
                        changes.put.push((alert, vec![AlertStep::new(look.at, step)]));
                    }
                }
            }
        }
    }
    for alert in open.iter().filter(|alert| !seen.contains(&alert.id)) {
        if own.not_looked.contains(&alert.rule) {
            continue;
        }
        let absence = absence(alert, look, own, |own_ms| courses.clear_ms(&alert.id, own_ms, look.at));
        match not_seen(alert, &absence, look.at) {
            Some(next) => keep(&mut changes, alert, next, look.at),
            None => changes.forget.push(alert.id.clone()),
        }
    }
    changes
}

/// Something wrong, whichever rule found it.
struct Found<'a> {
    rule: String,
    subject: &'a str,
    region: Option<&'a Region>,
    fleet_id: Option<&'a FleetId>,
    weight: Weight,
    clear_ms: i64,
    since: Timestamp,
    facts: &'a Facts,
    unknown_since: Option<Timestamp>,
}

impl<'a> Found<'a> {
    fn ready(verdict: &'a Verdict, adjustments: &[Adjustment], look: &Look) -> Self {
        let (region, fleet_id) = (verdict.region.as_ref(), verdict.fleet_id.as_ref());
        Self {
            rule: <&str>::from(verdict.rule).to_owned(),
            subject: &verdict.subject,
            region,
            fleet_id,
            weight: verdict.rule.weigh(adjustments, region, fleet_id, verdict.severity),
            clear_ms: verdict.rule.clear_ms(),
            since: verdict.since,
            facts: &verdict.facts,
            unknown_since: of_ready(verdict.rule, region, look),
        }
    }

    fn own(one: &'a CustomLook, look: &'a Look) -> impl Iterator<Item = Self> {
        let weight = Weight { severity: one.rule.severity, pending_ms: one.rule.pending_ms };
        one.verdicts.iter().filter_map(move |verdict| {
            let Standing::Wrong { since, .. } = verdict.standing else { return None };
            let subject = &verdict.subject;
            let region = subject.region.as_ref();
            Some(Self {
                rule: one.rule.key(),
                subject: &subject.key,
                region,
                fleet_id: subject.fleet_id.as_ref(),
                weight,
                clear_ms: CLEAR_MS,
                since,
                facts: verdict.facts.as_ref()?,
                unknown_since: of_own(&one.rule, region, look),
            })
        })
    }

    fn fires(&self, since: Timestamp, now: Timestamp) -> bool {
        self.weight.severity > Severity::Info && now.since_ms(since) >= self.weight.pending_ms
    }
}

/// What it means that an alert's trouble was not seen.
enum Absence {
    /// This program does not know its rule: a newer one recorded it.
    NewerRule,
    /// A person has deleted its rule or switched it off.
    NoRule,
    /// It may be over: it ends after it was not seen for so long, unless nothing is known.
    NotSeen { clear_ms: i64, unknown_since: Option<Timestamp> },
}

/// `damped` is how long the alert must not be seen where its rule asks for so long.
fn absence(alert: &AlertRecord, look: &Look, own: Own<'_>, damped: impl Fn(i64) -> i64) -> Absence {
    let region = alert.region.as_ref();
    if CustomRule::name_of(&alert.rule).is_some() {
        let Some(one) = own.looks.iter().find(|one| one.rule.key() == alert.rule) else {
            return Absence::NoRule;
        };
        let silent = one.verdicts.iter().find(|verdict| verdict.subject.key == alert.subject);
        let silent = silent.and_then(|verdict| match verdict {
            CustomVerdict { standing: Standing::Unknown { since }, .. } => Some(*since),
            _ => None,
        });
        let known = of_own(&one.rule, region, look);
        let unknown_since = silent.into_iter().chain(known).min();
        return Absence::NotSeen { clear_ms: damped(CLEAR_MS), unknown_since };
    }
    match alert.rule.parse::<Rule>() {
        Ok(rule) => {
            let unknown_since = of_ready(rule, region, look);
            Absence::NotSeen { clear_ms: damped(rule.clear_ms()), unknown_since }
        }
        Err(_) => Absence::NewerRule,
    }
}

fn of_ready(rule: Rule, region: Option<&Region>, look: &Look) -> Option<Timestamp> {
    if rule == Rule::Blind {
        return None;
    }
    unknown_since(rule.sources(), true, region, &look.knowledge, look.at)
}

/// A rule of one's own looks at values that say themselves whether they are there, so it needs no source that a Region
/// does not have.
fn of_own(rule: &CustomRule, region: Option<&Region>, look: &Look) -> Option<Timestamp> {
    unknown_since(custom::sources(rule), false, region, &look.knowledge, look.at)
}

/// Since when there is no data that could tell whether a trouble goes on; `None` while there is. `must_have` says
/// whether a Region without one of the sources can tell nothing.
fn unknown_since(
    sources: &[Source],
    must_have: bool,
    region: Option<&Region>,
    knowledge: &Knowledge,
    now: Timestamp,
) -> Option<Timestamp> {
    let concerned =
        knowledge.regions.iter().filter(|known| region.is_none_or(|region| known.region == *region));
    let of_region = |known: &RegionKnown| {
        let late = sources.iter().filter_map(|source| {
            match known.sources.iter().find(|known| known.source == *source) {
                Some(known) if known.is_late => Some(known.as_of.unwrap_or(now)),
                Some(_) => None,
                None => must_have.then_some(now),
            }
        });
        known.blind_since.into_iter().chain(late).min()
    };
    concerned.filter_map(of_region).min()
}

fn begins(found: &Found<'_>, now: Timestamp, id: AlertId) -> AlertRecord {
    let fires = found.fires(found.since, now);
    AlertRecord {
        id,
        rule: found.rule.clone(),
        subject: found.subject.to_owned(),
        region: found.region.cloned(),
        fleet_id: found.fleet_id.cloned(),
        severity: found.weight.severity,
        state: if fires { AlertState::Firing } else { AlertState::Pending },
        since: found.since,
        seen_at: now,
        fired_at: fires.then_some(now),
        clear_since: None,
        unknown_since: None,
        ended_at: None,
        acknowledged: None,
        document: found.facts.to_document(),
    }
}

/// The alert of a trouble that came back goes on: it was not over after all.
fn comes_back(changes: &mut AlertChanges, ended: &AlertRecord, found: &Found<'_>, now: Timestamp) {
    let open = AlertRecord { state: AlertState::Recovering, ended_at: None, ..ended.clone() };
    let again = goes_on(&open, found, found.clear_ms, now);
    keep(changes, &open, again, now);
}

fn goes_on(alert: &AlertRecord, found: &Found<'_>, clear_ms: i64, now: Timestamp) -> AlertRecord {
    let (weight, unknown_since) = (found.weight, found.unknown_since);
    let was_only_known = alert.state == AlertState::Pending && alert.severity == Severity::Info;
    // What was only worth knowing may have begun long before what is wrong now.
    let since = if was_only_known { found.since } else { alert.since.min(found.since) };
    let is_only_known = weight.severity == Severity::Info;
    if is_only_known && alert.state.is_shown() && unknown_since.is_none() {
        // It has come down to what is only worth knowing, or its rule was switched off.
        return AlertRecord { document: last_told(alert, found, since), ..cleared(alert, clear_ms, now) };
    }
    let state = match alert.state {
        AlertState::Pending if unknown_since.is_none() && found.fires(since, now) => AlertState::Firing,
        AlertState::Recovering if !is_only_known => AlertState::Firing,
        state => state,
    };
    let fired_at = alert.fired_at.or((state == AlertState::Firing).then_some(now));
    AlertRecord {
        // Without data it stays the alert that it was.
        severity: if is_only_known && state.is_shown() { alert.severity } else { weight.severity },
        state,
        since,
        seen_at: now,
        fired_at,
        clear_since: None,
        unknown_since: alert.unknown_since.filter(|_| unknown_since.is_some()).or(unknown_since),
        document: facts(alert, found, since).to_document(),
        ..alert.clone()
    }
}

/// The facts of now, with the causes that were found before: what caused it may be put right while its effects last.
fn facts(alert: &AlertRecord, found: &Found<'_>, since: Timestamp) -> Facts {
    let before = Facts::of_document(&alert.document).map(|facts| facts.causes).unwrap_or_default();
    found.facts.clone().remembering(before, since)
}

/// What it was while it was bad: the little that is left of it would belittle it. Causes may still be found.
fn last_told(alert: &AlertRecord, found: &Found<'_>, since: Timestamp) -> String {
    let now = facts(alert, found, since);
    let told = Facts::of_document(&alert.document);
    told.map(|told| Facts { causes: now.causes.clone(), ..told }).unwrap_or(now).to_document()
}

/// `None` when it was pending and is to be forgotten.
fn not_seen(alert: &AlertRecord, absence: &Absence, now: Timestamp) -> Option<AlertRecord> {
    let (clear_ms, unknown_since) = match *absence {
        Absence::NewerRule => return None,
        Absence::NoRule if alert.state == AlertState::Pending => return None,
        Absence::NoRule => return Some(cleared(alert, 0, now)),
        Absence::NotSeen { clear_ms, unknown_since } => (clear_ms, unknown_since),
    };
    match (alert.state, unknown_since) {
        // A blip must not make it wait anew; but what never fired leaves no trace.
        (AlertState::Pending, None) => {
            let clear_since = alert.clear_since.unwrap_or(now);
            let is_over = now.since_ms(clear_since) >= clear_ms;
            (!is_over).then(|| AlertRecord { clear_since: Some(clear_since), ..alert.clone() })
        }
        (AlertState::Pending, Some(_)) => None,
        (_, Some(since)) => {
            Some(AlertRecord { unknown_since: alert.unknown_since.or(Some(since)), ..alert.clone() })
        }
        (_, None) => Some(cleared(alert, clear_ms, now)),
    }
}

fn cleared(alert: &AlertRecord, clear_ms: i64, now: Timestamp) -> AlertRecord {
    let clear_since = alert.clear_since.unwrap_or(now);
    let is_over = now.since_ms(clear_since) >= clear_ms;
    AlertRecord {
        state: if is_over { AlertState::Resolved } else { AlertState::Recovering },
        clear_since: Some(clear_since),
        unknown_since: None,
        ended_at: is_over.then_some(clear_since),
        ..alert.clone()
    }
}
/// Adds an alert to the changes if anything about it is worth writing down.
fn keep(changes: &mut AlertChanges, before: &AlertRecord, after: AlertRecord, now: Timestamp) {
    let mut steps = Vec::new();
    if before.state != after.state {
        steps.push(AlertStep::new(
            now,
            match after.state {
                AlertState::Pending => AlertStepKind::Pending,
                AlertState::Firing => AlertStepKind::Firing,
                AlertState::Recovering => AlertStepKind::Recovering,
                AlertState::Resolved => AlertStepKind::Resolved,
            },
        ));
    }
    match (before.unknown_since, after.unknown_since) {
        (None, Some(since)) => steps.push(AlertStep::new(since, AlertStepKind::Unknown)),
        (Some(_), None) => steps.push(AlertStep::new(now, AlertStepKind::Known)),
        _ => {}
    }
    // When it was last seen is no news by itself: an unchanged look costs no commit.
    let is_same = AlertRecord { seen_at: before.seen_at, ..after.clone() } == *before;
    if !steps.is_empty() || !is_same {
        changes.put.push((after, steps));
    }
}

#[cfg(test)]
mod tests;
