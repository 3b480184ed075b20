//! Whether more game sessions were asked for when a trouble began than in the hour before.

use liftdeck_model::Timestamp;
use liftdeck_model::time::TimeRange;
use liftdeck_store::StoreError;

use super::{Likely, LikelyCause, fair};
use crate::verdict::{Rule, Scene, Verdict};

const MINUTE_MS: i64 = 60_000;
/// Demand is counted for this long before and after the beginning.
const AROUND_MS: i64 = 5 * MINUTE_MS;
/// It is set against this long before that.
const BEFORE_MS: i64 = 60 * MINUTE_MS;
/// Less than this many times as much is everyday.
const RAISED: f64 = 1.5;
/// How many standard deviations of the difference make it more than chance.
const SURE: f64 = 4.0;

/// Placements that ended around the beginning of the trouble, in its Region, set against the hour before.
pub(super) async fn more_demand(scene: &Scene<'_>, verdict: &Verdict) -> Result<Option<Likely>, StoreError> {
    let concerned =
        [Rule::Capped, Rule::LittleRoom, Rule::InstanceLimit, Rule::ScalingSuspended, Rule::Placements];
    let Some(region) = verdict.region.as_ref().filter(|_| concerned.contains(&verdict.rule)) else {
        return Ok(None);
    };
    let from = verdict.since.plus_ms(-AROUND_MS);
    let to = verdict.since.plus_ms(AROUND_MS).min(scene.now);
    let range = TimeRange::new(from.plus_ms(-BEFORE_MS), to);
    let minutes = scene.reader.placements_by_minute(range).await?;
    let (mut before, mut around) = (0_u64, 0_u64);
    for minute in minutes.iter().filter(|minute| minute.region == *region) {
        let funnel = &minute.funnel;
        let all = funnel.fulfilled + funnel.failed + funnel.timed_out + funnel.cancelled;
        *(if minute.at < from { &mut before } else { &mut around }) += all;
    }
    Ok(raised(before, around, from, to).map(|(before_per_min, per_min)| {
        fair(LikelyCause::MoreDemand { region: region.clone(), per_min, before_per_min }, None)
    }))
}

/// Both rates per minute, if the second is raised.
fn raised(before: u64, around: u64, from: Timestamp, to: Timestamp) -> Option<(f64, f64)> {
    let span_ms = to.since_ms(from).max(MINUTE_MS);
    let scale = span_ms as f64 / BEFORE_MS as f64;
    let expected = before as f64 * scale;
    let surplus = around as f64 - expected;
    let deviation = (around as f64 + expected * scale).sqrt();
    let is_raised = before > 0 && around as f64 >= RAISED * expected && surplus >= SURE * deviation;
    let per_min = |count: u64, ms: i64| count as f64 * MINUTE_MS as f64 / ms as f64;
    is_raised.then(|| (per_min(before, BEFORE_MS), per_min(around, span_ms)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(before: u64, around: u64) -> Option<(f64, f64)> {
        raised(before, around, Timestamp::from_ms(0), Timestamp::from_ms(2 * AROUND_MS))
    }

    #[test]
    fn twice_as_many_placements_are_more_demand_and_a_few_more_are_not() {
        assert_eq!(rates(600, 200), Some((10.0, 20.0)));
        assert_eq!(rates(600, 130), None);
        assert_eq!(rates(6, 3), None, "three of an expected one may be chance");
        assert_eq!(rates(0, 50), None, "without a past there is nothing to compare with");
    }
}
