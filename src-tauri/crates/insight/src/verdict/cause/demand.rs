//! Whether more game sessions were asked for when a trouble began than in the hour before.

use liftdeck_model::Timestamp;
use liftdeck_model::time::{MINUTE_MS, TimeRange};
use liftdeck_store::StoreError;

use super::{Likely, LikelyCause, Strength, fair};
use crate::change::ChangeKind;
use crate::verdict::{Rule, Scene, Verdict};

/// Demand is counted for this long before and after the beginning.
const AROUND_MS: i64 = 5 * MINUTE_MS;
/// It is set against this long before that.
const BEFORE_MS: i64 = 60 * MINUTE_MS;
/// Less than this many times as much is everyday.
const RAISED: f64 = 1.5;
/// How many standard deviations of the difference make it more than chance.
const SURE: f64 = 4.0;

/// After this long without trouble, a change of where players go has shown that it works for as many as there were.
const WELL_MS: i64 = 5 * MINUTE_MS;

/// More game sessions than in the hour before.
pub(super) struct Demand {
    pub(super) likely: Likely,
    /// Whether there were more already before the trouble began: those who were turned away try again.
    came_first: bool,
}

impl Demand {
    /// What a change of where players go is worth where more of them came: little, if it had worked until then.
    pub(super) fn weigh(&self, causes: &mut [Likely], since: Timestamp) {
        let has_worked = |likely: &&mut Likely| likely.at.is_some_and(|at| since.since_ms(at) >= WELL_MS);
        for likely in causes.iter_mut().filter(|_| self.came_first).filter(has_worked) {
            let leads = match &likely.cause {
                LikelyCause::Changed { change } => {
                    matches!(change.kind, ChangeKind::Alias | ChangeKind::Queue)
                }
                LikelyCause::AliasUpdated { .. } => true,
                _ => false,
            };
            if leads {
                likely.strength = Strength::Weak;
            }
        }
    }
}

/// Placements that ended around the beginning of the trouble, in its Region, set against the hour before.
pub(super) async fn more_demand(scene: &Scene<'_>, verdict: &Verdict) -> Result<Option<Demand>, StoreError> {
    let concerned = [
        Rule::Capped,
        Rule::LittleRoom,
        Rule::InstanceLimit,
        Rule::ScalingSuspended,
        Rule::Placements,
        Rule::Tickets,
    ];
    let Some(region) = verdict.region.as_ref().filter(|_| concerned.contains(&verdict.rule)) else {
        return Ok(None);
    };
    let since = verdict.since;
    let from = since.plus_ms(-AROUND_MS);
    let to = since.plus_ms(AROUND_MS).min(scene.now);
    let range = TimeRange::new(from.plus_ms(-BEFORE_MS), to);
    let minutes = scene.reader.placements_by_minute(range).await?;
    let (mut before, mut first, mut around) = (0_u64, 0_u64, 0_u64);
    for minute in minutes.iter().filter(|minute| minute.region == *region) {
        let funnel = &minute.funnel;
        let all = funnel.fulfilled + funnel.failed + funnel.timed_out + funnel.cancelled;
        if minute.at < from {
            before += all;
        } else {
            around += all;
            first += if minute.at.plus_ms(MINUTE_MS) <= since { all } else { 0 };
        }
    }
    Ok(raised(before, around, from, to).map(|(before_per_min, per_min)| {
        let cause = LikelyCause::MoreDemand { region: region.clone(), per_min, before_per_min };
        let came_first = raised(before, first, from, since.floor_to_ms(MINUTE_MS)).is_some();
        Demand { likely: fair(cause, None), came_first }
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
