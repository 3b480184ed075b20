//! Rules of one's own: what each looks at, which values it saw there, and how that stands against its thresholds.
//!
//! Owns reading the values and the judgement of a course of them. The same code judges now and a moment of the past:
//! the moment is an argument, and no later value is looked at. Deliberately keeps no state and writes nothing.

mod read;
mod standing;
mod tried;

use std::collections::BTreeMap;

use liftdeck_model::custom_rule::{CustomRule, MetricSubject, Watched};
use liftdeck_model::fleet::FleetStatus;
use liftdeck_model::query::quoted;
use liftdeck_model::series_name::{FigureOf, SeriesName};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Region, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::{Reader, StoreError};

pub use self::read::{Past, STEP_MS};
pub use self::standing::{BACK_MS, Point, Seen, Standing, dated, recent, standing};
pub use self::tried::{CustomSpan, CustomTried};
use crate::knowledge::Source;
use crate::verdict::{Facts, Hit, Target, Trouble};

/// How long a value must be back on the calm side before what was wrong is over, in milliseconds. A blip shorter than
/// this neither ends it nor dates it anew.
pub const CLEAR_MS: i64 = 3 * 60_000;

/// One thing that a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSubject {
    /// Stable for as long as the rule looks at it.
    pub key: String,
    /// Its name for people; empty for everything at once.
    pub name: String,
    /// Home Region; `None` for what may be in several.
    pub region: Option<Region>,
    /// The fleet concerned.
    pub fleet_id: Option<FleetId>,
    /// Where to look.
    pub target: Target,
}

/// A subject with the values seen there, oldest first.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleCourse {
    /// The subject.
    pub subject: RuleSubject,
    /// The values; none where there was no data.
    pub points: Vec<Point>,
}

/// How one subject stands against a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomVerdict {
    /// The subject.
    pub subject: RuleSubject,
    /// How it stands.
    pub standing: Standing,
    /// The facts, while it is wrong.
    pub facts: Option<Facts>,
}

/// A rule with how everything it is about stands.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomLook {
    /// The rule.
    pub rule: CustomRule,
    /// Each subject that is wrong, or about which nothing is known. Every other is well.
    pub verdicts: Vec<CustomVerdict>,
}

impl CustomLook {
    /// Judges one course as of `now`: the values that were there then, and whether it was in force already.
    pub fn judge(
        rule: &CustomRule,
        subject: &RuleSubject,
        points: &[Point],
        is_in_force: bool,
        now: Timestamp,
    ) -> Option<CustomVerdict> {
        let standing = standing(rule, recent(rule, points, now), is_in_force, now);
        let facts = match standing {
            Standing::Well => return None,
            Standing::Wrong { value, .. } => Some(facts(rule, subject, value)),
            Standing::Unknown { .. } => None,
        };
        Some(CustomVerdict { subject: subject.clone(), standing, facts })
    }
}

fn facts(rule: &CustomRule, subject: &RuleSubject, value: f64) -> Facts {
    let trouble = Trouble::Custom { rule: Box::new(rule.clone()), subject: subject.name.clone(), value };
    let count = match rule.is_percent() {
        false if value >= 0.0 && matches!(rule.watched, Watched::Query { .. }) => value as u64,
        _ => 0,
    };
    Facts { trouble, hit: Hit { count, of: None }, causes: Vec::new(), target: subject.target.clone() }
}

/// The fleets that rules look at, ready-made ones and those of one's own, and that the Overview shows: those there are.
///
/// # Errors
/// When the store cannot be read.
pub async fn watched_fleets(reader: &Reader, now: Timestamp) -> Result<Vec<FleetSummary>, StoreError> {
    let mut fleets = reader.fleet_summaries(now).await?;
    fleets.retain(|fleet| fleet.gone_at.is_none() && fleet.fleet.status != FleetStatus::Terminated);
    Ok(fleets)
}

/// Looks at everything a rule is about. `began` says which of its alerts are in force.
///
/// # Errors
/// When the store cannot be read.
pub async fn custom_look(
    reader: &Reader,
    rule: &CustomRule,
    fleets: &[FleetSummary],
    is_in_force: impl Fn(&str) -> bool,
    now: Timestamp,
) -> Result<CustomLook, StoreError> {
    let mut past = Past::new(reader, rule, fleets);
    let to = now.floor_to_ms(STEP_MS);
    let courses = past.read(TimeRange::new(to.plus_ms(-standing::window_ms(rule)), to)).await?;
    let mut verdicts = Vec::new();
    for course in courses {
        let in_force = is_in_force(&course.subject.key);
        verdicts.extend(CustomLook::judge(rule, &course.subject, &course.points, in_force, now));
    }
    // What is new is dated by what came before. That is read only then, for all at once.
    let is_new = |it: &CustomVerdict| {
        matches!(it.standing, Standing::Wrong { is_older: true, .. }) && !is_in_force(&it.subject.key)
    };
    if verdicts.iter().any(is_new) {
        let earlier: BTreeMap<String, Vec<Point>> = past.read_back(to).await?;
        for verdict in &mut verdicts {
            if let Standing::Wrong { since, is_older: true, .. } = &mut verdict.standing
                && let Some(points) = earlier.get(&verdict.subject.key)
            {
                *since = dated(rule, points, *since);
            }
        }
    }
    Ok(CustomLook { rule: rule.clone(), verdicts })
}

/// The sources without which a rule can neither be seen nor be called over, as far as a Region has them.
pub const fn sources(rule: &CustomRule) -> &'static [Source] {
    match &rule.watched {
        Watched::Query { .. } => &[Source::GameSessions],
        Watched::Metric { figure, .. } => match figure.of() {
            FigureOf::Fleet if figure.counts_instances() && !figure.comes_late() => &[Source::Capacity],
            FigureOf::Queue if !figure.comes_late() => &[Source::EventQueue],
            FigureOf::Configuration => &[Source::EventQueue],
            _ => &[],
        },
    }
}

fn of_fleet(rule: &CustomRule, fleet: &FleetSummary, location: Option<&str>) -> RuleSubject {
    let id = &fleet.fleet.fleet_id;
    let name = fleet.fleet.display_name();
    let events = match &rule.watched {
        Watched::Metric { figure, .. } => matches!(
            figure,
            SeriesName::ServerProcessAbnormalTerminations
                | SeriesName::GameSessionInterruptions
                | SeriesName::InstanceSpotInterruptions
        ),
        Watched::Query { .. } => false,
    };
    let target = match &rule.watched {
        Watched::Query { query, .. } => Target::Sessions(narrowed(query, "fleet", id.as_str())),
        Watched::Metric { .. } if events => Target::FleetEvents(id.clone()),
        Watched::Metric { .. } => Target::FleetScaling(id.clone()),
    };
    RuleSubject {
        key: location.map_or_else(|| id.to_string(), |location| format!("{id}/{location}")),
        name: location.map_or_else(|| name.to_owned(), |location| format!("{name} in {location}")),
        region: Some(fleet.fleet.region.clone()),
        fleet_id: Some(id.clone()),
        target,
    }
}

fn of_queue_or_configuration(of: &MetricSubject) -> Option<RuleSubject> {
    let (name, region, target) = match of {
        MetricSubject::Queue { name, region } => {
            (name.to_string(), region, Target::Placements(Some(name.clone())))
        }
        MetricSubject::Configuration { name, region } => {
            (name.clone(), region, Target::Tickets(name.clone()))
        }
        MetricSubject::EachFleet | MetricSubject::Fleet { .. } => return None,
    };
    let key = format!("{region}/{name}");
    Some(RuleSubject { key, name, region: Some(region.clone()), fleet_id: None, target })
}

fn of_location(query: &str, location: &str) -> RuleSubject {
    RuleSubject {
        key: format!("location/{location}"),
        name: location.to_owned(),
        region: None,
        fleet_id: None,
        target: Target::Sessions(narrowed(query, "location", location)),
    }
}

fn of_all(query: &str) -> RuleSubject {
    RuleSubject {
        key: "all".to_owned(),
        name: String::new(),
        region: None,
        fleet_id: None,
        target: Target::Sessions(query.to_owned()),
    }
}

/// A query that also holds one field to a value.
fn narrowed(query: &str, field: &str, value: &str) -> String {
    format!("({}) {field}:{}", query.trim(), quoted(value))
}
