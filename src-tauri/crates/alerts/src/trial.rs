//! Tries a rule of one's own on the stored past, minute by minute, with the code that judges now.
//!
//! Owns how far back there is time for. Deliberately has no judgement of its own: values are read and weighed by
//! `insight`, and what becomes of them is decided by the same [`judge`](crate::judge) as in the [`Watch`](crate::Watch).

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use liftdeck_insight::Alert;
use liftdeck_insight::custom::{
    BACK_MS, CustomLook, CustomSpan, CustomTried, Past, Point, RuleCourse, RuleSubject, STEP_MS, Standing,
    dated, watched_fleets,
};
use liftdeck_insight::knowledge::Knowledge;
use liftdeck_insight::verdict::Look;
use liftdeck_model::Timestamp;
use liftdeck_model::alert::{AlertId, AlertRecord, AlertState};
use liftdeck_model::custom_rule::{CustomRule, Watched};
use liftdeck_model::time::TimeRange;
use liftdeck_store::{Reader, StoreError};

use crate::course::Courses;
use crate::judge::{Own, judge};

/// How long the past is read, and how long everything may take.
const READING: Duration = Duration::from_secs(7);
const ALL: Duration = Duration::from_secs(12);
/// How much of the past of a figure is read at a time, in milliseconds; and of a query, which is searched for anew at
/// every moment.
const FIGURE_PIECE_MS: i64 = 86_400_000;
const QUERY_PIECE_MS: i64 = 3_600_000;
/// Most values held at a time: about 100 MB.
const MOST_POINTS: usize = 4_000_000;
/// Most moments at which a query is counted. Of a longer past they are further apart.
const MOST_COUNTS: u64 = 1_008;
/// Most alerts told of.
const MOST_SPANS: usize = 200;

/// Says what a rule would have done in `range`.
///
/// # Errors
/// When the store cannot be read.
pub async fn try_rule(
    reader: &Reader,
    rule: &CustomRule,
    range: TimeRange,
    now: Timestamp,
) -> Result<CustomTried, StoreError> {
    let began = Instant::now();
    let fleets = watched_fleets(reader, now).await?;
    let mut past = Past::new(reader, rule, &fleets);
    let step_ms = step_ms(rule, past.known_minutes(range).await?);
    let range = TimeRange::new(range.from.floor_to_ms(step_ms), range.to.floor_to_ms(step_ms));
    let piece_ms = match rule.watched {
        Watched::Metric { .. } => FIGURE_PIECE_MS,
        Watched::Query { .. } => QUERY_PIECE_MS,
    };
    // The newest first, because that is what there must be time for.
    let mut courses: BTreeMap<String, (RuleSubject, Vec<Vec<Point>>)> = BTreeMap::new();
    let mut looked = TimeRange::new(range.to, range.to);
    let mut points = 0;
    while looked.from > range.from && began.elapsed() < READING && points < MOST_POINTS {
        let from = looked.from.plus_ms(-piece_ms).max(range.from);
        for RuleCourse { subject, points: more } in
            past.read_all(TimeRange::new(from, looked.from), step_ms).await?
        {
            points += more.len();
            let known = courses.entry(subject.key.clone()).or_insert_with(|| (subject, Vec::new()));
            known.1.push(more);
        }
        looked.from = from;
    }
    let courses: Vec<RuleCourse> = courses
        .into_values()
        .map(|(subject, pieces)| RuleCourse { subject, points: pieces.into_iter().rev().flatten().collect() })
        .collect();
    let (rule, until) = (rule.clone(), began + ALL);
    let replay = move || replay(&rule, &courses, looked, range, step_ms, || Instant::now() >= until);
    // It may take seconds, which the threads that answer everything else cannot spare.
    match tokio::task::spawn_blocking(replay).await {
        Ok(tried) => Ok(tried),
        Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
    }
}

/// How far apart the moments are at which a rule is looked at, in milliseconds: a minute if there is time for that.
/// Only moments of which there is data take time.
fn step_ms(rule: &CustomRule, known_minutes: u64) -> i64 {
    if matches!(rule.watched, Watched::Metric { .. }) {
        return STEP_MS;
    }
    let minutes = [1, 2, 5, 10, 15, 30, 60];
    let fits = |minutes: &i64| known_minutes / minutes.unsigned_abs() <= MOST_COUNTS;
    minutes.into_iter().find(fits).unwrap_or(60) * STEP_MS
}

/// Plays what was read of `looked` back; `range` is what was asked for.
fn replay(
    rule: &CustomRule,
    courses: &[RuleCourse],
    looked: TimeRange,
    range: TimeRange,
    step_ms: i64,
    is_late: impl Fn() -> bool,
) -> CustomTried {
    let moments = u64::try_from(range.length_ms() / step_ms).unwrap_or(0).max(1);
    let mut tried = CustomTried::new(range, looked, step_ms);
    let mut known: u64 = 0;
    for course in courses {
        if course.points.is_empty() {
            tried.silent += 1;
            continue;
        }
        // Of one there is always an answer: no time is not the same as no data.
        if tried.subjects > 0 && is_late() {
            tried.is_whole = false;
            break;
        }
        tried.subjects += 1;
        known += course.points.len() as u64;
        tried.spans.extend(spans(rule, course, looked, step_ms));
    }
    let all = moments.saturating_mul(u64::from(tried.subjects));
    tried.known_share = if all == 0 { 0.0 } else { (known as f64 / all as f64).min(1.0) };
    tried.finished(MOST_SPANS)
}

/// The alerts that one course would have given.
fn spans(rule: &CustomRule, course: &RuleCourse, looked: TimeRange, step_ms: i64) -> Vec<CustomSpan> {
    let mut over: Vec<(AlertRecord, Option<String>)> = Vec::new();
    let mut courses = Courses::default();
    let mut open: Option<AlertRecord> = None;
    let mut title = None;
    let mut ids = 0_u32;
    let mut at = looked.from.plus_ms(step_ms);
    while at <= looked.to {
        let verdict = look_back(rule, course, open.is_some(), at);
        if open.is_some() || verdict.verdicts.iter().any(|one| one.facts.is_some()) {
            let look = Look { at, verdicts: Vec::new(), knowledge: Knowledge::default() };
            let own = Own { looks: std::slice::from_ref(&verdict), not_looked: &[] };
            let changes = judge(open.as_slice(), &courses, &look, own, &[], || {
                ids += 1;
                AlertId::new(format!("tried-{ids}"))
            });
            courses.follow(&changes, at);
            if !changes.forget.is_empty() {
                open = None;
            }
            for (alert, _) in changes.put {
                if let Some((_, first)) = over.pop_if(|(ended, _)| ended.id == alert.id) {
                    title = first;
                } else if alert.state == AlertState::Firing && title.is_none() {
                    title = Some(Alert::of(alert.clone()).title);
                }
                open = Some(alert);
            }
            if let Some(alert) = open.take_if(|alert| !alert.state.is_open()) {
                over.push((alert, title.take()));
            }
        }
        at = at.plus_ms(step_ms);
    }
    over.extend(open.map(|alert| (alert, title)));
    over.into_iter().filter_map(|(alert, title)| span(course, &alert, title)).collect()
}

/// What the rule saw at a moment, with the values that were there then.
fn look_back(rule: &CustomRule, course: &RuleCourse, is_in_force: bool, at: Timestamp) -> CustomLook {
    let RuleCourse { subject, points } = course;
    let mut verdict = CustomLook::judge(rule, subject, points, is_in_force, at);
    if let Some(one) = &mut verdict
        && let Standing::Wrong { since, is_older: true, .. } = &mut one.standing
        && !is_in_force
    {
        let from = points.partition_point(|point| point.at < at.plus_ms(-BACK_MS));
        *since = dated(rule, points.get(from..).unwrap_or_default(), *since);
    }
    CustomLook { rule: rule.clone(), verdicts: verdict.into_iter().collect() }
}

/// `None` for what never fired.
fn span(course: &RuleCourse, alert: &AlertRecord, title: Option<String>) -> Option<CustomSpan> {
    Some(CustomSpan {
        subject: course.subject.name.clone(),
        since: alert.since,
        from: alert.fired_at?,
        until: alert.ended_at,
        title: title.unwrap_or_default(),
    })
}
