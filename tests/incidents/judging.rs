//! Sets alerts against the record of what went wrong.
//!
//! Each kind of incident has rules that must find it and a cause that must come first. An alert is right if an
//! incident explains it: one under way or just over that concerns the same fleet, queue or configuration, or one that
//! moves players to other fleets of its Region.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use liftdeck_insight::verdict::Likely;
use liftdeck_insight::{Alert, Cause, ChangeKind, LikelyCause, Rule, ScalingStep, Who};
use liftdeck_model::{FleetId, Timestamp};

use super::record::{Incident, Step};

/// For this long after its end an incident explains alerts: queues are full and sessions still end.
const AFTER_MS: i64 = 30 * 60_000;
/// The time within which an incident is found, or not at all.
const TIME_TO_FIND_MS: i64 = 15 * 60_000;
/// A poll of what is not on screen, and the minute by which outcomes are counted.
const POLL_MS: i64 = 60_000;

/// What was asked of alerts, and how often it held.
pub(super) struct Judgement {
    shares: BTreeMap<&'static str, (usize, usize)>,
    delays_ms: Vec<i64>,
    incidents: usize,
    lines: Vec<String>,
}

impl Judgement {
    /// `now` is the end of the run: what could be seen only shortly before has no time to be found.
    pub(super) fn of(incidents: &[Incident], alerts: &[Alert], now: Timestamp) -> Self {
        let mut judgement =
            Self { shares: BTreeMap::new(), delays_ms: Vec::new(), incidents: 0, lines: Vec::new() };
        let mut by_time: Vec<&Incident> = incidents.iter().collect();
        by_time.sort_by_key(|incident| incident.began_time);
        for incident in by_time {
            judgement.judge(incident, alerts, now);
        }
        for alert in alerts {
            let is_right = incidents.iter().any(|incident| explains(incident, alert));
            judgement.count("precision", is_right);
            if !is_right {
                let told = told(alert);
                judgement.lines.push(format!("nothing was wrong: {told}"));
            }
        }
        judgement
    }

    fn judge(&mut self, incident: &Incident, alerts: &[Alert], now: Timestamp) {
        let Some(seen) = incident.seen_time else {
            self.lines.push(format!("{}: no effect could be seen", name(incident)));
            return;
        };
        let mut direct: Vec<&Alert> =
            alerts.iter().filter(|alert| is_found_by(incident, alert) && explains(incident, alert)).collect();
        // Those that fire together are one incident on screen, since the first of them.
        direct.sort_by_key(|alert| (alert.fired_at, alert.since));
        if direct.is_empty() && now.since_ms(seen) < TIME_TO_FIND_MS {
            self.lines.push(format!("{}: too short before the end to be found", name(incident)));
            return;
        }
        self.incidents += 1;
        self.count("recall", !direct.is_empty());
        let mut line = format!("{}, seen {}", name(incident), clock(seen));
        let Some(first) = direct.first() else {
            line.push_str(": NOT FOUND");
            self.lines.push(line);
            return;
        };
        let is_cause = first.facts.as_ref().is_some_and(|facts| {
            is_told_by_rule(incident, first)
                || facts.causes.first().is_some_and(|likely| is_cause(incident, &likely.cause))
        });
        self.count("first cause", is_cause);
        let told_names = first.facts.iter().flat_map(|facts| names(incident, &facts.causes));
        let wrong_names: Vec<&str> = told_names
            .filter(|name| {
                let is_right = Some(*name) == incident.by.as_deref();
                self.count("names", is_right);
                !is_right
            })
            .collect();
        let off_ms = first.since.since_ms(sign_of(incident, first).unwrap_or(seen));
        let is_dated = off_ms.abs() <= POLL_MS;
        self.count("since", is_dated);
        let delay_ms = first.fired_at.map_or(0, |at| at.since_ms(seen));
        self.delays_ms.push(delay_ms);
        let _ = write!(line, ": after {} s, dated {} s off", delay_ms / 1_000, off_ms / 1_000);
        if !is_dated {
            line.push_str(" (WRONG)");
        }
        if !is_cause {
            line.push_str(", WRONG CAUSE");
        }
        if !wrong_names.is_empty() {
            let _ = write!(line, ", WRONG NAMES {wrong_names:?}");
        }
        for alert in direct {
            let _ = write!(line, "\n    {}", told(alert));
        }
        self.lines.push(line);
    }

    /// Sets the causes of scaling steps against the record.
    pub(super) fn judge_steps(&mut self, known: &[Step], told: &[(FleetId, ScalingStep)]) {
        /// A step shows within a minute in the API, and polls see it within another.
        const SHOWN_MS: std::ops::RangeInclusive<i64> = -5_000..=150_000;
        for (fleet, step) in told {
            let is_it = |it: &&Step| {
                it.fleet_id == fleet.as_str()
                    && it.location == step.location.as_str()
                    && it.to == step.to_desired
                    && SHOWN_MS.contains(&step.at.since_ms(it.time))
            };
            // Two decisions between two polls show as one step, by the last of them.
            let truth = known.iter().rev().find(is_it);
            let is_right = truth.is_some_and(|truth| is_reason(truth, &step.cause));
            self.count("scaling causes", is_right);
            if !is_right {
                let truth = truth.map_or("no decision", |truth| truth.reason.as_str());
                let (from, to) = (step.from_desired, step.to_desired);
                self.lines.push(format!(
                    "{fleet} {} {}: {from} → {to} is called {:?}, in truth {truth}",
                    step.location,
                    clock(step.at),
                    step.cause
                ));
            }
        }
    }

    fn count(&mut self, name: &'static str, is_right: bool) {
        let share = self.shares.entry(name).or_default();
        share.0 += usize::from(is_right);
        share.1 += 1;
    }

    /// A line for each incident and for each alert that none explains.
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// How many incidents could be seen.
    pub(super) const fn incidents(&self) -> usize {
        self.incidents
    }

    /// The share that was right, 0 to 1.
    pub(super) fn share(&self, name: &str) -> f64 {
        let (right, all) = self.shares.get(name).copied().unwrap_or_default();
        if all == 0 { 1.0 } else { right as f64 / all as f64 }
    }

    pub(super) fn median_delay_s(&self) -> f64 {
        let mut delays = self.delays_ms.clone();
        delays.sort_unstable();
        delays.get(delays.len() / 2).copied().unwrap_or(0) as f64 / 1_000.0
    }

    pub(super) fn figure(&self) -> String {
        let shares = self.shares.iter().map(|(name, (right, all))| format!("{name} {right} of {all}"));
        let shares: Vec<String> = shares.collect();
        format!("{}, median delay {:.0} s", shares.join(", "), self.median_delay_s())
    }
}

/// Whether a cause of a step is its true reason.
fn is_reason(truth: &Step, cause: &Cause) -> bool {
    match truth.reason.as_str() {
        // What was asked for beyond the limit shows nowhere: only that the step ends there.
        "POLICY" if truth.wanted == truth.to => {
            matches!(
                cause,
                Cause::TargetPolicy { .. } | Cause::RulePolicy { .. } | Cause::LimitReached { .. }
            )
        }
        "POLICY" | "LIMITS" => matches!(cause, Cause::LimitReached { .. }),
        "PERSON" => matches!(cause, Cause::Manual),
        _ => matches!(cause, Cause::Unknown),
    }
}

/// Who is told to have made the change that caused an incident. What put it right comes after it.
fn names<'a>(incident: &Incident, causes: &'a [Likely]) -> Vec<&'a str> {
    match causes.first().map(|likely| &likely.cause) {
        Some(cause @ LikelyCause::Changed { change }) if is_cause(incident, cause) => match &change.who {
            Some(Who::Named { calls }) => calls.iter().map(|call| call.caller.principal.label()).collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn name(incident: &Incident) -> String {
    format!("{} in {} at {}", incident.kind, incident.region, clock(incident.began_time))
}

fn told(alert: &Alert) -> String {
    let cause = alert.causes.first().map_or("no cause", |cause| cause.text.as_str());
    let region = alert.region.as_ref().map_or("", |region| region.as_str());
    let fired = alert.fired_at.map(clock).unwrap_or_default();
    format!("{} {region} since {}, fired {fired}: {}; {cause}", alert.rule, clock(alert.since), alert.title)
}

fn clock(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_millisecond(at.as_ms()).unwrap_or_default();
    at.strftime("%d. %H:%M:%S").to_string()
}

/// Rules one of which must find an incident of a kind.
fn is_found_by(incident: &Incident, alert: &Alert) -> bool {
    let Ok(rule) = alert.rule.parse::<Rule>() else { return false };
    match incident.kind.as_str() {
        "bad-build" => rule == Rule::Crashes,
        "spot-storm" => rule == Rule::Interruptions,
        "slow-region" => rule == Rule::Activation,
        "leak" => rule == Rule::EmptySessions,
        "stopped-scaling" => matches!(rule, Rule::ScalingSuspended | Rule::Capped | Rule::Placements),
        "limit" => rule == Rule::InstanceLimit || (of_queue(rule) && is_limited(alert)),
        "bad-rules" => rule == Rule::Tickets,
        "lost-destination" => matches!(rule, Rule::NoDestination | Rule::Placements | Rule::Tickets),
        "tight-latency" => matches!(rule, Rule::Placements | Rule::Tickets),
        _ => matches!(rule, Rule::Capped | Rule::Placements | Rule::Tickets),
    }
}

const fn of_queue(rule: Rule) -> bool {
    matches!(rule, Rule::Placements | Rule::Tickets)
}

/// Whether the account's instance limit is named first.
fn is_limited(alert: &Alert) -> bool {
    let first = alert.facts.as_ref().and_then(|facts| facts.causes.first());
    first.is_some_and(|likely| matches!(likely.cause, LikelyCause::InstanceLimit { .. }))
}

/// When what an alert tells could be seen first on what it is about.
fn sign_of(incident: &Incident, alert: &Alert) -> Option<Timestamp> {
    let signs: &[&str] = match alert.rule.parse().ok()? {
        Rule::Placements => &["PLACEMENT_TIMED_OUT"],
        // The queue of a configuration has its name.
        Rule::Tickets => &["PLACEMENT_TIMED_OUT", "PLACEMENT_GIVEN_UP", "TICKET_TIMED_OUT"],
        Rule::Capped => &["AT_MAXIMUM"],
        Rule::InstanceLimit => &["INSTANCE_LIMIT"],
        Rule::ScalingSuspended => &["SCALING_MISSING"],
        Rule::Crashes => &["CRASH"],
        Rule::Interruptions => &["SPOT_NOTICE"],
        Rule::Activation => &["LATE_ACTIVATION"],
        Rule::EmptySessions => &["EMPTY_SESSION"],
        // What was taken away shows before anybody misses it.
        Rule::NoDestination => return Some(incident.began_time),
        _ => return None,
    };
    let on = incident.signs_on.get(name_of_subject(alert));
    on.and_then(|on| on.first(signs)).or_else(|| incident.signs.first(signs))
}

/// The id of the fleet that an alert is about, or the name of the queue or matchmaking configuration.
fn name_of_subject(alert: &Alert) -> &str {
    match &alert.fleet_id {
        Some(fleet) => fleet.as_str(),
        None => alert.subject.split_once('/').map_or("", |(_, name)| name),
    }
}

/// Whether players who are turned away try other fleets and queues of the Region, and tickets wait.
fn spreads(kind: &str) -> bool {
    !matches!(kind, "bad-build" | "bad-rules")
}

fn explains(incident: &Incident, alert: &Alert) -> bool {
    let fired = alert.fired_at.unwrap_or(alert.since);
    let ended = incident.ended_time.unwrap_or(Timestamp::from_ms(i64::MAX));
    let is_then = fired >= incident.began_time && fired <= ended.plus_ms(AFTER_MS);
    let is_here = alert.region.as_ref().is_some_and(|region| region.as_str() == incident.region);
    let concerns = match &alert.fleet_id {
        Some(fleet) => incident.fleet_ids.iter().any(|id| id == fleet.as_str()),
        None => {
            let name = name_of_subject(alert);
            incident.game_session_queue_names.iter().any(|queue| queue == name)
                || incident.matchmaking_configuration_name.as_deref() == Some(name)
        }
    };
    is_then && is_here && (concerns || spreads(&incident.kind))
}

/// Whether the rule that finds an incident of this kind says why by itself.
fn is_told_by_rule(incident: &Incident, alert: &Alert) -> bool {
    incident.kind == "leak" || alert.rule.parse() == Ok(Rule::InstanceLimit)
}

fn is_cause(incident: &Incident, cause: &LikelyCause) -> bool {
    let of_fleet =
        |fleet: Option<&str>| fleet.is_some_and(|fleet| incident.fleet_ids.iter().any(|id| id == fleet));
    match (incident.kind.as_str(), cause) {
        ("launch-day", LikelyCause::MoreDemand { .. } | LikelyCause::AtMaximum { .. }) => true,
        ("slow-region", LikelyCause::OneLocation { location, .. }) => {
            incident.locations.iter().any(|slow| slow == location.as_str())
        }
        ("capped-fleet" | "lowered-max", LikelyCause::Changed { change }) => {
            change.kind == ChangeKind::Capacity && of_fleet(change.fleet_id.as_ref().map(|id| id.as_str()))
        }
        ("bad-build" | "wrong-alias", LikelyCause::Changed { change }) => {
            incident.alias_id.as_deref() == Some(change.resource.as_str())
        }
        ("bad-build" | "wrong-alias", LikelyCause::AliasUpdated { .. }) => true,
        ("limit", LikelyCause::InstanceLimit { locations, .. }) => {
            locations.iter().any(|here| incident.locations.iter().any(|it| it == here.as_str()))
        }
        ("spot-storm", LikelyCause::Spot) => true,
        ("bad-rules", LikelyCause::NewRuleSet { .. }) => true,
        ("bad-rules", LikelyCause::Changed { change }) => {
            change.kind == ChangeKind::MatchmakingConfiguration
                && incident.matchmaking_configuration_name.as_ref() == Some(&change.resource)
        }
        ("stopped-scaling", LikelyCause::ScalingSuspended { .. }) => true,
        ("stopped-scaling", LikelyCause::Changed { change }) => {
            of_fleet(change.fleet_id.as_ref().map(|id| id.as_str()))
        }
        ("lost-destination" | "tight-latency", LikelyCause::Changed { change }) => {
            change.kind == ChangeKind::Queue && incident.game_session_queue_names.contains(&change.resource)
        }
        _ => false,
    }
}
