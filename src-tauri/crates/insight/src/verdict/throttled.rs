//! Regions in which GameLift throttles calls: the account's API limits are used up, for the game as well.

use std::collections::BTreeMap;

use liftdeck_model::time::{MINUTE_MS, TimeRange};
use liftdeck_model::{Region, Severity};
use liftdeck_store::StoreError;
use liftdeck_store::reader::throttled::ThrottledCalls;

use super::{Rule, Scene, Target, Trouble, Verdict};

/// How far back throttled calls are read.
const BACK_MS: i64 = 60 * MINUTE_MS;
/// Throttled calls further apart are no trouble that goes on.
const APART_MS: i64 = 3 * MINUTE_MS;
/// AWS lets calls burst, so a few that are throttled are everyday.
const LEAST: u64 = 10;
/// In how many samples they must be: one burst is over at once.
const SAMPLES_LEAST: usize = 3;
/// How many operations are named.
const NAMED: usize = 3;

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let range = TimeRange::new(scene.now.plus_ms(-BACK_MS), scene.now.plus_ms(1));
    let mut by_region: BTreeMap<Region, Vec<ThrottledCalls>> = BTreeMap::new();
    for calls in scene.reader.throttled(range).await? {
        by_region.entry(calls.region.clone()).or_default().push(calls);
    }
    Ok(by_region.into_iter().filter_map(|(region, calls)| of_region(scene, region, &calls)).collect())
}

fn of_region(scene: &Scene<'_>, region: Region, calls: &[ThrottledCalls]) -> Option<Verdict> {
    if scene.now.since_ms(calls.last()?.at) > APART_MS {
        return None;
    }
    let from = calls.windows(2).rposition(|pair| pair[1].at.since_ms(pair[0].at) > APART_MS);
    let lasting = &calls[from.map_or(0, |before| before + 1)..];
    let mut operations: BTreeMap<&str, u64> = BTreeMap::new();
    for here in lasting {
        *operations.entry(&here.operation).or_default() += here.calls;
    }
    let throttled: u64 = operations.values().sum();
    let subject = region.to_string();
    let began = scene.began(Rule::Throttled, &subject);
    let mut moments: Vec<_> = lasting.iter().map(|here| here.at).collect();
    moments.dedup();
    if began.is_none() && (throttled < LEAST || moments.len() < SAMPLES_LEAST) {
        return None;
    }
    let mut operations: Vec<(&str, u64)> = operations.into_iter().collect();
    operations.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let trouble = Trouble::Throttled {
        region: region.clone(),
        throttled,
        operations: operations.iter().take(NAMED).map(|(operation, _)| (*operation).to_owned()).collect(),
    };
    let since = began.unwrap_or(lasting.first()?.at);
    let verdict = Verdict::new(Rule::Throttled, subject, Severity::Warning, since, trouble, Target::Health);
    Some(Verdict { region: Some(region), ..verdict.hitting(throttled, None) })
}
