//! Placements and matchmaking tickets that get what they wait for, but far later than usual.
//!
//! Players feel it long before anything times out. What is usual is learnt from the day before, its busiest hours
//! included. Where they fail, that tells more.

use liftdeck_model::time::{DAY_MS, HOUR_MS, MINUTE_MS, TimeRange};
use liftdeck_model::{QueueName, Region, Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::outcomes::Outcomes;
use liftdeck_store::reader::wait::{Waited, Waiting};

use super::excursion::{Rates, excursion};
use super::{Alone, Rule, Scene, Target, Trouble, Verdict};

/// How far back a long wait is news.
const NEW_MS: i64 = 15 * MINUTE_MS;
/// How far back waits are read.
const BACK_MS: i64 = HOUR_MS;
/// How many times longer than 99 % of the day before.
const BEYOND_USUAL: i64 = 2;
/// Fewer do not tell what is usual.
const EXAMPLES_LEAST: u64 = 200;
/// Share of long waits that is assumed to be usual.
const LEAST: f64 = 0.03;

/// What is looked at, by which rule, and which rule tells more.
struct Kind {
    waiting: Waiting,
    rule: Rule,
    /// That they fail tells more.
    failing: Rule,
    /// No wait is long before, in milliseconds.
    least_ms: i64,
}

const KINDS: [Kind; 2] = [
    Kind {
        waiting: Waiting::Placements,
        rule: Rule::SlowPlacements,
        failing: Rule::Placements,
        least_ms: 30_000,
    },
    Kind { waiting: Waiting::Tickets, rule: Rule::SlowTickets, failing: Rule::Tickets, least_ms: MINUTE_MS },
];

/// `known` are the verdicts so far.
pub(super) async fn verdicts(scene: &Scene<'_>, known: &[Verdict]) -> Result<Vec<Verdict>, StoreError> {
    let newest = TimeRange::new(scene.now.plus_ms(-NEW_MS), scene.now.plus_ms(1));
    let mut found = Vec::new();
    for kind in &KINDS {
        for (region, name) in scene.reader.waited_longer(kind.waiting, newest, kind.least_ms).await? {
            let subject = format!("{region}/{name}");
            let fails = |verdict: &Verdict| {
                verdict.rule == kind.failing && verdict.subject == subject && verdict.alone == Alone::Stands
            };
            if !known.iter().any(fails) {
                found.extend(of_stream(scene, kind, &region, &name, subject).await?);
            }
        }
    }
    Ok(found)
}

async fn of_stream(
    scene: &Scene<'_>,
    kind: &Kind,
    region: &Region,
    name: &str,
    subject: String,
) -> Result<Option<Verdict>, StoreError> {
    let began = scene.began(kind.rule, &subject);
    let recent = scene.now.plus_ms(-BACK_MS);
    // Where they have waited for long, the newest do not tell what is usual.
    let calm = began.map_or(recent, |began| began.min(recent));
    let day = TimeRange::new(calm.plus_ms(-DAY_MS), calm);
    let usual = scene.reader.usual_wait(kind.waiting, name, region, day).await?;
    let Some(usual) = usual.filter(|usual| usual.count >= EXAMPLES_LEAST) else { return Ok(None) };
    let longer_than_ms = (usual.p99_ms * BEYOND_USUAL).max(kind.least_ms);
    let waits =
        scene.reader.waits(kind.waiting, name, region, TimeRange::new(recent, scene.now.plus_ms(1))).await?;
    let is_long = |waited: &Waited| waited.ms > longer_than_ms;
    let outcomes: Vec<Outcomes> = waits
        .iter()
        .map(|one| Outcomes {
            at: one.at,
            failed: u64::from(is_long(one)),
            succeeded: u64::from(!is_long(one)),
        })
        .collect();
    let Some(excursion) = excursion(&outcomes, Rates::of_past(0, 0, LEAST), began) else { return Ok(None) };
    if excursion.worth(began, scene.now) != Some(Alone::Stands) {
        return Ok(None);
    }
    let since = began.unwrap_or_else(|| came_first(&waits, excursion.since, is_long));
    let (long, all) = (excursion.failed, excursion.all);
    let (trouble, target) = match kind.waiting {
        Waiting::Placements => {
            let queue = QueueName::new(name);
            let trouble = Trouble::PlacementsWait {
                queue: queue.clone(),
                long,
                placed: all,
                usual_ms: usual.p99_ms,
                longer_than_ms,
            };
            (trouble, Target::Placements(Some(queue)))
        }
        Waiting::Tickets => {
            let configuration = name.to_owned();
            let trouble = Trouble::TicketsWait {
                configuration: configuration.clone(),
                long,
                matched: all,
                usual_ms: usual.p99_ms,
                longer_than_ms,
            };
            (trouble, Target::Tickets(configuration))
        }
    };
    let verdict = Verdict::new(kind.rule, subject, Severity::Warning, since, trouble, target);
    Ok(Some(Verdict { region: Some(region.clone()), ..verdict.hitting(long, Some(all)) }))
}

/// When the first came of those that waited long, whose wait was over from `over` on.
fn came_first(waits: &[Waited], over: Timestamp, is_long: impl Fn(&Waited) -> bool) -> Timestamp {
    let long = waits.iter().filter(|one| one.at >= over && is_long(one));
    long.map(|one| one.at.plus_ms(-one.ms)).min().unwrap_or(over)
}
