//! What a look means for the alerts that are open: which begin, fire, recover, end, or can no longer be told.
//!
//! Pure. Owns pending periods, damping and what happens without data. A trouble that is not seen is over only on the
//! word of fresh data; without it an alert stays as it was, and says since when nothing is known.

use std::collections::HashSet;

use liftdeck_insight::knowledge::{Knowledge, RegionKnown};
use liftdeck_insight::verdict::{Look, Rule, Verdict, Weight};
use liftdeck_model::alert::{AlertId, AlertRecord, AlertState, AlertStep, AlertStepKind};
use liftdeck_model::alert_rule::Adjustment;
use liftdeck_model::{Region, Severity, Timestamp};
use liftdeck_store::AlertChanges;

/// Compares what is open with what was seen. `adjustments` is what a person has set about the rules; `new_id` gives the
/// ids of new alerts.
pub fn judge(
    open: &[AlertRecord],
    look: &Look,
    adjustments: &[Adjustment],
    mut new_id: impl FnMut() -> AlertId,
) -> AlertChanges {
    let mut changes = AlertChanges::default();
    let mut seen: HashSet<&AlertId> = HashSet::new();
    for verdict in &look.verdicts {
        let name = <&str>::from(verdict.rule);
        let (region, fleet_id) = (verdict.region.as_ref(), verdict.fleet_id.as_ref());
        let weight = verdict.rule.weigh(adjustments, region, fleet_id, verdict.severity);
        let known = open.iter().find(|alert| alert.rule == name && alert.subject == verdict.subject);
        let unknown_since = unknown_since(verdict.rule, verdict.region.as_ref(), &look.knowledge, look.at);
        match known {
            Some(alert) => {
                seen.insert(&alert.id);
                let next = goes_on(alert, verdict, weight, look.at, unknown_since);
                keep(&mut changes, alert, next, look.at);
            }
            // What old data shows may be long over.
            None if unknown_since.is_some() => {}
            None => {
                let alert = begins(verdict, weight, look.at, new_id());
                let step = if alert.state == AlertState::Firing {
                    AlertStepKind::Firing
                } else {
                    AlertStepKind::Pending
                };
                changes.put.push((alert, vec![AlertStep::new(look.at, step)]));
            }
        }
    }
    for alert in open.iter().filter(|alert| !seen.contains(&alert.id)) {
        let rule: Option<Rule> = alert.rule.parse().ok();
        let unknown_since =
            rule.and_then(|rule| unknown_since(rule, alert.region.as_ref(), &look.knowledge, look.at));
        match not_seen(alert, rule, look.at, unknown_since) {
            Some(next) => keep(&mut changes, alert, next, look.at),
            None => changes.forget.push(alert.id.clone()),
        }
    }
    changes
}

/// Since when there is no data that could tell whether a trouble goes on; `None` while there is.
fn unknown_since(
    rule: Rule,
    region: Option<&Region>,
    knowledge: &Knowledge,
    now: Timestamp,
) -> Option<Timestamp> {
    if rule == Rule::Blind {
        return None;
    }
    let concerned =
        knowledge.regions.iter().filter(|known| region.is_none_or(|region| known.region == *region));
    let of_region = |known: &RegionKnown| {
        let late = rule.sources().iter().filter_map(|source| {
            match known.sources.iter().find(|known| known.source == *source) {
                Some(known) if known.is_late => Some(known.as_of.unwrap_or(now)),
                Some(_) => None,
                None => Some(now),
            }
        });
        known.blind_since.into_iter().chain(late).min()
    };
    concerned.filter_map(of_region).min()
}

fn begins(verdict: &Verdict, weight: Weight, now: Timestamp, id: AlertId) -> AlertRecord {
    let fires = fires(weight, verdict.since, now);
    AlertRecord {
        id,
        rule: <&str>::from(verdict.rule).to_owned(),
        subject: verdict.subject.clone(),
        region: verdict.region.clone(),
        fleet_id: verdict.fleet_id.clone(),
        severity: weight.severity,
        state: if fires { AlertState::Firing } else { AlertState::Pending },
        since: verdict.since,
        seen_at: now,
        fired_at: fires.then_some(now),
        clear_since: None,
        unknown_since: None,
        ended_at: None,
        acknowledged: None,
        document: verdict.facts.to_document(),
    }
}

fn fires(weight: Weight, since: Timestamp, now: Timestamp) -> bool {
    weight.severity > Severity::Info && now.since_ms(since) >= weight.pending_ms
}

fn goes_on(
    alert: &AlertRecord,
    verdict: &Verdict,
    weight: Weight,
    now: Timestamp,
    unknown_since: Option<Timestamp>,
) -> AlertRecord {
    let since = alert.since.min(verdict.since);
    let is_only_known = weight.severity == Severity::Info;
    if is_only_known && alert.state.is_shown() && unknown_since.is_none() {
        // It has come down to what is only worth knowing, or its rule was switched off.
        let cleared = cleared(alert, verdict.rule, now);
        return AlertRecord { document: verdict.facts.to_document(), ..cleared };
    }
    let state = match alert.state {
        AlertState::Pending if unknown_since.is_none() && fires(weight, since, now) => AlertState::Firing,
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
        document: verdict.facts.to_document(),
        ..alert.clone()
    }
}

/// `None` when it was pending and is to be forgotten.
fn not_seen(
    alert: &AlertRecord,
    rule: Option<Rule>,
    now: Timestamp,
    unknown_since: Option<Timestamp>,
) -> Option<AlertRecord> {
    // A rule that this program does not know cannot be looked for: it was recorded by a newer one.
    let rule = rule?;
    match (alert.state, unknown_since) {
        // A blip must not make it wait anew; but what never fired leaves no trace.
        (AlertState::Pending, None) => {
            let clear_since = alert.clear_since.unwrap_or(now);
            let is_over = now.since_ms(clear_since) >= rule.clear_ms();
            (!is_over).then(|| AlertRecord { clear_since: Some(clear_since), ..alert.clone() })
        }
        (AlertState::Pending, Some(_)) => None,
        (_, Some(since)) => {
            Some(AlertRecord { unknown_since: alert.unknown_since.or(Some(since)), ..alert.clone() })
        }
        (_, None) => Some(cleared(alert, rule, now)),
    }
}

fn cleared(alert: &AlertRecord, rule: Rule, now: Timestamp) -> AlertRecord {
    let clear_since = alert.clear_since.unwrap_or(now);
    let is_over = now.since_ms(clear_since) >= rule.clear_ms();
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
