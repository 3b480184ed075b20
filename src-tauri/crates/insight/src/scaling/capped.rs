//! The times when a location was at its limit with no free process for a game session.

use liftdeck_model::time::{DAY_MS, HOUR_MS, TimeRange};
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::reader::fleet::{FleetSummary, LocationFigures};
use liftdeck_store::reader::hosted::Hosted;
use liftdeck_store::{Reader, StoreError};

use super::step::{AVAILABLE, DESIRED, LocationHistory, MAXIMUM};
use crate::state::is_capped;
use crate::verdict::Rule;

/// Percentage of free processes that counts as none: a process that was free for a moment shows in a bucket's mean.
const NONE_PERCENT: f64 = 0.5;
/// How far back to look for the beginning of a cap.
pub(crate) const LOOK_BACK_MS: i64 = DAY_MS;
/// How far back from the moment at which nothing was free game sessions are counted.
const COUNTED_MS: i64 = HOUR_MS;
/// A period whose last sample is more recent than this is still going on, because polls are infrequent and late.
pub(super) const STILL_MS: i64 = 5 * 60_000;

/// Periods of a location's history in which desired was at the maximum and nothing was free.
pub(super) fn capped_ranges(history: &LocationHistory) -> Vec<TimeRange> {
    history.periods(|value| {
        is_at_maximum(value) && value(AVAILABLE).is_some_and(|percent| percent <= NONE_PERCENT)
    })
}

fn is_at_maximum(value: &dyn Fn(usize) -> Option<f64>) -> bool {
    value(DESIRED).zip(value(MAXIMUM)).is_some_and(|(desired, maximum)| maximum > 0.0 && desired >= maximum)
}

/// Merges overlapping and touching ranges of several locations into one list.
pub(super) fn united(mut ranges: Vec<TimeRange>) -> Vec<TimeRange> {
    ranges.sort_by_key(|range| range.from);
    let mut united: Vec<TimeRange> = Vec::new();
    for range in ranges {
        match united.last_mut().filter(|last| range.from <= last.to) {
            Some(last) => last.to = last.to.max(range.to),
            None => united.push(range),
        }
    }
    united
}

/// Since when a fleet is held down by its maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Capped {
    /// Since when its target-based policy asks in vain for more instances; without such a policy, since when nothing is
    /// free.
    pub(crate) since: Timestamp,
    /// Since when nothing is free.
    pub(crate) full_since: Timestamp,
}

/// The time since which a fleet is capped; `None` if it is not capped now. What the alert about it says holds: the
/// figures alone reach a day back, and know of no moment without them.
///
/// # Errors
/// When the store cannot be read.
pub async fn capped_since(
    reader: &Reader,
    summary: &FleetSummary,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let (rule, id) = (<&str>::from(Rule::Capped), summary.fleet.fleet_id.as_str());
    let open = reader.open_alerts().await?;
    if let Some(alert) = open.iter().find(|alert| alert.rule == rule && alert.subject == id) {
        return Ok(alert.clear_since.is_none().then_some(alert.since));
    }
    let here: Vec<&LocationFigures> = summary.locations.iter().filter(|here| is_capped(here)).collect();
    Ok(capped(reader, summary, &here, LOOK_BACK_MS, now).await?.map(|capped| capped.since))
}

/// Since when locations of a fleet are held down by their maximum, looking back for `back_ms`; `None` without any.
pub(crate) async fn capped(
    reader: &Reader,
    summary: &FleetSummary,
    locations: &[&LocationFigures],
    back_ms: i64,
    now: Timestamp,
) -> Result<Option<Capped>, StoreError> {
    let fleet: &FleetId = &summary.fleet.fleet_id;
    let mut first: Option<Capped> = None;
    for here in locations {
        let range = TimeRange::new(now.plus_ms(-back_ms), now);
        let history = LocationHistory::read(reader, fleet, &here.location, range).await?;
        let full_since = began(&capped_ranges(&history), now);
        let since = match KeptFree::read(reader, summary, here).await? {
            Some(kept) => {
                let counted = TimeRange::new(full_since.plus_ms(-COUNTED_MS), full_since.plus_ms(1));
                let hosted = reader.hosted(fleet, &here.location, counted).await?;
                asked_since(&history, &hosted, kept, full_since)
            }
            None => full_since,
        };
        let known = first.unwrap_or(Capped { since, full_since });
        first = Some(Capped { since: known.since.min(since), full_since: known.full_since.min(full_since) });
    }
    Ok(first)
}

/// What a location's target-based policy keeps free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeptFree {
    /// Percent of the server processes.
    pub(crate) percent: f64,
    /// Server processes, or container groups, that run on each instance.
    pub(crate) processes_per_instance: f64,
}

impl KeptFree {
    /// The policy that is in force now; `None` without one, or where it is not known how many processes an instance
    /// runs.
    pub(crate) async fn read(
        reader: &Reader,
        summary: &FleetSummary,
        here: &LocationFigures,
    ) -> Result<Option<Self>, StoreError> {
        let fleet = &summary.fleet;
        let targets = reader.policy_targets(&fleet.fleet_id, Some(&here.location)).await?;
        let Some(percent) = targets.last().and_then(|target| target.target_value) else { return Ok(None) };
        let told = match &fleet.container {
            Some(groups) => groups.groups_per_instance.map(i64::from),
            None => {
                let runtime = reader.runtime_configuration(&fleet.fleet_id).await?;
                runtime.map(|runtime| runtime.processes_per_instance())
            }
        };
        let told = told.filter(|processes| *processes > 0).map(|processes| processes as f64);
        let kept = |processes_per_instance| Self { percent, processes_per_instance };
        Ok(told.or_else(|| counted(here)).map(kept))
    }

    /// How many instances it asks for to host that many game sessions.
    pub(crate) fn instances(self, game_sessions: f64) -> f64 {
        /// A policy that keeps nearly everything free asks for more than any maximum.
        const HIGHEST_PERCENT: f64 = 95.0;
        /// What a division leaves over is not worth an instance.
        const ROUNDED: f64 = 0.001;
        let used = 1.0 - self.percent.clamp(0.0, HIGHEST_PERCENT) / 100.0;
        (game_sessions / used / self.processes_per_instance - ROUNDED).ceil()
    }
}

/// The processes that run on each instance as they are counted. Not exact: those that restart are not counted, and the
/// two numbers are not of the same moment.
fn counted(here: &LocationFigures) -> Option<f64> {
    let instances = here.capacity.as_ref().map(|capacity| capacity.active).filter(|active| *active > 0)?;
    let processes = here.processes().filter(|processes| *processes > 0)?;
    Some(processes as f64 / f64::from(instances))
}

/// Since when a location that is full since `full_since` was at its maximum and its policy asked for more, by the game
/// sessions that it hosted from moment to moment: a poll may miss the first minute.
fn asked_since(
    history: &LocationHistory,
    hosted: &[Hosted],
    kept: KeptFree,
    full_since: Timestamp,
) -> Timestamp {
    let Some(counted_from) = hosted.first().map(|first| first.at) else { return full_since };
    let times = history.times.iter().copied().chain(hosted.iter().map(|hosted| hosted.at));
    let mut moments: Vec<Timestamp> = times.filter(|at| (counted_from..=full_since).contains(at)).collect();
    moments.sort_unstable();
    moments.dedup();
    let asks = |at: Timestamp| {
        let value = |column: usize| history.value(column, at);
        let last = hosted[..hosted.partition_point(|hosted| hosted.at <= at)].last();
        let needed = last.map(|hosted| kept.instances(hosted.game_sessions as f64));
        is_at_maximum(&value) && needed.zip(value(MAXIMUM)).is_some_and(|(needed, most)| needed > most)
    };
    let asked: Vec<(Timestamp, bool)> = moments.into_iter().map(|at| (at, asks(at))).collect();
    began(&held(&asked, full_since), full_since)
}

/// The periods up to `now` in which something held, by the moments from which on it did (`true`) or did not, in order.
pub(super) fn held(moments: &[(Timestamp, bool)], now: Timestamp) -> Vec<TimeRange> {
    let ends = moments.iter().skip(1).map(|(at, _)| *at).chain([now]);
    let held = moments.iter().zip(ends).filter(|((_, holds), _)| *holds);
    united(held.map(|((from, _), to)| TimeRange::new(*from, to)).collect())
}

/// When the period that reaches the present began: a process that is free for a few minutes does not begin another. If
/// there is none, what is seen now began now.
pub(super) fn began(ranges: &[TimeRange], now: Timestamp) -> Timestamp {
    let mut began = now;
    for range in ranges.iter().rev().take_while(|range| range.to <= now.plus_ms(STILL_MS)) {
        if began.since_ms(range.to) >= STILL_MS {
            break;
        }
        began = range.from;
    }
    began
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::history;
    use super::*;

    fn minutes(range: TimeRange) -> (i64, i64) {
        (range.from.as_ms() / 60_000, range.to.as_ms() / 60_000)
    }

    #[test]
    fn capped_means_at_the_limit_and_nothing_free() {
        let rows = [
            [8.0, 8.0, 8.0, 20.0, 1.0],
            [8.0, 8.0, 8.0, 0.0, 1.0],
            [8.0, 8.0, 8.0, 0.4, 1.0],
            [7.0, 8.0, 8.0, 0.0, 1.0],
            [8.0, 8.0, 8.0, f64::NAN, 1.0],
            [8.0, 8.0, 8.0, 0.0, 1.0],
        ];
        let found: Vec<_> = capped_ranges(&history(&rows)).into_iter().map(minutes).collect();
        assert_eq!(found, [(1, 3), (5, 6)]);
    }

    #[test]
    fn a_cap_is_dated_by_the_first_moment_at_which_the_policy_asked_for_more() {
        let rows = [[7.0, 7.0, 8.0, 25.0, 1.0], [8.0, 8.0, 8.0, 20.0, 1.0], [8.0, 8.0, 8.0, 0.0, 1.0]];
        let (history, at) = (history(&rows), |second: i64| Timestamp::from_ms(second * 1_000));
        let hosted = [(0, 66), (50, 63), (85, 65), (90, 64), (95, 70), (120, 80)]
            .map(|(second, game_sessions)| Hosted { at: at(second), game_sessions });
        let kept = |percent: f64| KeptFree { percent, processes_per_instance: 10.0 };
        assert_eq!(
            asked_since(&history, &hosted, kept(20.0), at(120)),
            at(85),
            "until then it was not at its maximum, or had room"
        );
        assert_eq!(
            asked_since(&history, &hosted, kept(0.0), at(120)),
            at(120),
            "the policy asked for nothing"
        );
        assert_eq!(asked_since(&history, &[], kept(20.0), at(120)), at(120), "no game session is known");
    }

    #[test]
    fn a_policy_asks_by_game_sessions_however_many_processes_are_just_restarting() {
        let kept = KeptFree { percent: 20.0, processes_per_instance: 6.0 };
        assert_eq!(kept.instances(14.0), 3.0);
        assert_eq!(kept.instances(15.0), 4.0);
        assert_eq!(KeptFree { percent: 100.0, ..kept }.instances(6.0), 20.0);
    }

    #[test]
    fn a_cap_is_dated_by_its_beginning_across_moments_in_which_a_process_was_free() {
        let at = |minute: i64| Timestamp::from_ms(minute * 60_000);
        let range = |from: i64, to: i64| TimeRange::new(at(from), at(to));
        let ranges = [range(0, 3), range(10, 12), range(14, 20), range(22, 29)];
        assert_eq!(began(&ranges, at(30)), at(10));
        assert_eq!(began(&ranges, at(40)), at(40), "that one is over");
        assert_eq!(began(&[], at(5)), at(5));
    }

    #[test]
    fn ranges_of_two_locations_unite_where_they_meet() {
        let range = |from: i64, to: i64| {
            TimeRange::new(Timestamp::from_ms(from * 60_000), Timestamp::from_ms(to * 60_000))
        };
        let found: Vec<_> = united(vec![range(5, 9), range(1, 3), range(3, 4), range(6, 7)])
            .into_iter()
            .map(minutes)
            .collect();
        assert_eq!(found, [(1, 4), (5, 9)]);
    }
}
