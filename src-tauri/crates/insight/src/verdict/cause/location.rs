//! Whether game sessions start late or not at all in one location only.

use std::collections::BTreeMap;

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Timestamp};
use liftdeck_store::StoreError;

use super::{Likely, LikelyCause, fair, strong};
use crate::verdict::slow_start::{is_chance_in, late_since};
use crate::verdict::{Rule, Scene, Verdict};

/// Fewer say nothing about where they happen.
const LEAST: u64 = 2;
/// Share of the late ones that one location must have.
const MOST: f64 = 0.9;
/// So many that ended well elsewhere show that it is the location.
const WELL: u64 = 10;
/// Longest time looked at, in milliseconds.
const BACK_MS: i64 = 3 * 3_600_000;

/// Game sessions of a fleet in one location.
#[derive(Default)]
struct Starts {
    /// Those that were not activated in time, or are late now.
    late: u64,
    /// Those that ended otherwise.
    well: u64,
}

type ByPlace = BTreeMap<(FleetId, Location), Starts>;

async fn starts(scene: &Scene<'_>, from: Timestamp) -> Result<ByPlace, StoreError> {
    let mut places = ByPlace::new();
    let range = TimeRange::new(from, scene.now.plus_ms(1));
    for outcome in scene.reader.activations_by_location(range).await? {
        let here = places.entry((outcome.fleet_id, outcome.location)).or_default();
        here.late += outcome.timed_out;
        here.well += outcome.ended - outcome.timed_out;
    }
    for (fleet, late) in late_since(scene, from).await? {
        places.entry((fleet, late.location)).or_default().late += 1;
    }
    Ok(places)
}

/// The location in which nearly all late starts of a fleet happen, if game sessions start well in others, or so many of
/// other fleets are late there, too, that it is no chance.
pub(super) async fn one_location(scene: &Scene<'_>, verdict: &Verdict) -> Result<Option<Likely>, StoreError> {
    let Some(id) = verdict.fleet_id.as_ref().filter(|_| verdict.rule == Rule::Activation) else {
        return Ok(None);
    };
    let from = verdict.since.max(scene.now.plus_ms(-BACK_MS));
    let places = starts(scene, from).await?;
    let own = || places.iter().filter(|((fleet, _), _)| fleet == id);
    let late: u64 = own().map(|(_, here)| here.late).sum();
    let Some(((_, location), worst)) = own().max_by_key(|(_, here)| here.late) else { return Ok(None) };
    let all_late: u64 = places.iter().filter(|((_, at), _)| at == location).map(|(_, here)| here.late).sum();
    if all_late < LEAST || (worst.late as f64) < MOST * late as f64 {
        return Ok(None);
    }
    let elsewhere: u64 = places.iter().filter(|((_, at), _)| at != location).map(|(_, here)| here.well).sum();
    let also =
        places.iter().filter(|((fleet, at), here)| fleet != id && at == location && here.late > 0).count();
    let cause = LikelyCause::OneLocation {
        location: location.clone(),
        failed: worst.late,
        of: late,
        fleets: also + 1,
    };
    let are_others_late = match &verdict.region {
        Some(region) if also > 0 => !is_chance_in(scene, region, location, from).await?,
        _ => false,
    };
    Ok(match (are_others_late, elsewhere >= WELL) {
        (true, _) => Some(strong(cause, None)),
        (false, true) => Some(fair(cause, None)),
        (false, false) => None,
    })
}
