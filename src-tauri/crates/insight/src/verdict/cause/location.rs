//! Whether game sessions fail to start in one location only.

use std::collections::BTreeMap;

use liftdeck_model::Location;
use liftdeck_model::time::TimeRange;
use liftdeck_store::StoreError;
use liftdeck_store::reader::outcomes::LocationOutcome;

use super::{Likely, LikelyCause, fair, strong};
use crate::verdict::{Rule, Scene, Verdict};

/// Fewer failures say nothing about where they happen.
const LEAST: u64 = 3;
/// Share of the failures that one location must have.
const MOST: f64 = 0.9;
/// So many that ended well elsewhere show that it is the location.
const WELL: u64 = 10;
/// Longest time looked at, in milliseconds.
const BACK_MS: i64 = 3 * 3_600_000;

/// The location in which nearly all of a fleet's failed activations happened, if it runs in others as well or other
/// fleets of the Region fail there, too.
pub(super) async fn one_location(scene: &Scene<'_>, verdict: &Verdict) -> Result<Option<Likely>, StoreError> {
    let Some(id) = verdict.fleet_id.as_ref().filter(|_| verdict.rule == Rule::Activation) else {
        return Ok(None);
    };
    let from = verdict.since.max(scene.now.plus_ms(-BACK_MS));
    let outcomes = scene.reader.activations_by_location(TimeRange::new(from, scene.now.plus_ms(1))).await?;
    let (own, others): (Vec<_>, Vec<_>) = outcomes.iter().partition(|outcome| outcome.fleet_id == *id);
    let Some(worst) = own.iter().max_by_key(|outcome| outcome.timed_out) else { return Ok(None) };
    let failed: u64 = own.iter().map(|outcome| outcome.timed_out).sum();
    if worst.timed_out < LEAST || (worst.timed_out as f64) < MOST * failed as f64 {
        return Ok(None);
    }
    let well_elsewhere: u64 = outcomes
        .iter()
        .filter(|outcome| outcome.location != worst.location)
        .map(|outcome| outcome.ended - outcome.timed_out)
        .sum();
    let also = fleets_that_fail_at(&worst.location, &others);
    let cause = LikelyCause::OneLocation {
        location: worst.location.clone(),
        failed: worst.timed_out,
        of: failed,
        fleets: also + 1,
    };
    Ok(match (also > 0, well_elsewhere >= WELL) {
        (true, _) => Some(strong(cause, None)),
        (false, true) => Some(fair(cause, None)),
        (false, false) => None,
    })
}

fn fleets_that_fail_at(location: &Location, others: &[&LocationOutcome]) -> usize {
    let mut by_fleet: BTreeMap<_, u64> = BTreeMap::new();
    for outcome in others.iter().filter(|outcome| outcome.location == *location) {
        *by_fleet.entry(&outcome.fleet_id).or_default() += outcome.timed_out;
    }
    by_fleet.values().filter(|timed_out| **timed_out > 0).count()
}
