//! Game sessions that do not fill: far fewer players in each than at any time of the day before.
//!
//! What is usual is learnt from the fleet's own day, its quiet hours included. That nobody comes at all is told by the
//! game sessions that stay empty.

use liftdeck_model::time::{DAY_MS, MINUTE_MS, TimeRange};
use liftdeck_model::{Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope, SeriesTable};

use super::{Rule, Scene, Target, Trouble, Verdict};

/// Over so long the players of each game session are averaged.
const WINDOW_MS: i64 = 15 * MINUTE_MS;
/// Of fewer game sessions a few say nothing.
const SESSIONS_LEAST: i64 = 8;
/// Only where at most this share of the slots is taken, it is worth looking whether that is unusual.
const TAKEN: f64 = 0.3;
/// At most this share of what is least in a day.
const OF_USUAL: f64 = 0.5;
/// Fewer windows of a day do not tell what is usual.
const WINDOWS_LEAST: usize = 64;

/// `known` are the verdicts so far.
pub(super) async fn verdicts(scene: &Scene<'_>, known: &[Verdict]) -> Result<Vec<Verdict>, StoreError> {
    let mut found = Vec::new();
    for fleet in scene.fleets {
        let id = &fleet.fleet.fleet_id;
        let is_told = |verdict: &Verdict| {
            verdict.fleet_id.as_ref() == Some(id)
                && matches!(verdict.rule, Rule::EmptySessions | Rule::LongSessions | Rule::Reservations)
        };
        let is_suspicious = slots(fleet).is_some_and(|slots| {
            fleet.game_sessions() >= SESSIONS_LEAST && fleet.player_sessions() as f64 <= slots as f64 * TAKEN
        });
        if is_suspicious && !known.iter().any(is_told) {
            found.extend(of_fleet(scene, fleet).await?);
        }
    }
    Ok(found)
}

/// How many players the game sessions of a fleet may have; `None` where AWS does not count them.
fn slots(fleet: &FleetSummary) -> Option<i64> {
    let counted = fleet.locations.iter().filter_map(|here| here.utilization.as_ref());
    let slots: i64 = counted.map(|load| i64::from(load.maximum_player_session_count)).sum();
    (slots > 0).then_some(slots)
}

async fn of_fleet(scene: &Scene<'_>, fleet: &FleetSummary) -> Result<Option<Verdict>, StoreError> {
    let id = &fleet.fleet.fleet_id;
    let began = scene.began(Rule::UnfilledSessions, id.as_str());
    let calm = began.map_or(scene.now.plus_ms(-WINDOW_MS), |began| began.min(scene.now.plus_ms(-WINDOW_MS)));
    let request = |range| SeriesRequest {
        scope: SeriesScope::Fleet { fleet_id: id.clone(), location: None },
        names: vec![SeriesName::ActiveGameSessions, SeriesName::CurrentPlayerSessions],
        range,
        max_points: 0,
    };
    let minutes = TimeRange::new(scene.now.plus_ms(-WINDOW_MS), scene.now.plus_ms(1));
    let now = players_each(&scene.reader.series_every(&request(minutes), MINUTE_MS).await?);
    let day = TimeRange::new(calm.plus_ms(-DAY_MS), calm);
    let before = players_each(&scene.reader.series_every(&request(day), WINDOW_MS).await?);
    let Some((players, usual)) = mean(&now).zip(usual(&before)) else { return Ok(None) };
    let limit = usual * OF_USUAL;
    if players > limit {
        return Ok(None);
    }
    let since = began.unwrap_or_else(|| {
        let last = now.iter().rev().take_while(|(_, each)| *each <= limit).last();
        last.map_or(scene.now, |(at, _)| *at)
    });
    let trouble = Trouble::SessionsDoNotFill {
        fleet: fleet.fleet.display_name().to_owned(),
        players_each: players,
        usual_each: usual,
    };
    let target = Target::Sessions(format!("fleet:{id} status:active"));
    let rule = Rule::UnfilledSessions;
    let verdict = Verdict::of_fleet(rule, fleet, Severity::Warning, since, trouble, target);
    Ok(Some(verdict.hitting(u64::try_from(fleet.game_sessions()).unwrap_or(0), None)))
}

/// Players in each game session, where both are known and there are enough.
fn players_each(table: &SeriesTable) -> Vec<(Timestamp, f64)> {
    let [sessions, players] = table.columns.as_slice() else { return Vec::new() };
    let counts = table.times.iter().zip(sessions).zip(players);
    let enough =
        counts.filter(|((_, sessions), players)| **sessions >= SESSIONS_LEAST as f64 && !players.is_nan());
    enough.map(|((at, sessions), players)| (*at, players / sessions)).collect()
}

fn mean(each: &[(Timestamp, f64)]) -> Option<f64> {
    (!each.is_empty()).then(|| each.iter().map(|(_, each)| each).sum::<f64>() / each.len() as f64)
}

/// What is least in a day, but for one window in twenty; `None` if too little of it is known.
fn usual(windows: &[(Timestamp, f64)]) -> Option<f64> {
    let mut each: Vec<f64> = windows.iter().map(|(_, each)| *each).collect();
    each.sort_by(f64::total_cmp);
    each.get(each.len() / 20).copied().filter(|_| each.len() >= WINDOWS_LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_usual_is_the_least_of_a_day_but_for_one_window_in_twenty() {
        let day = |each: &[f64]| -> Vec<(Timestamp, f64)> {
            each.iter().map(|each| (Timestamp::from_ms(0), *each)).collect()
        };
        let mut windows = vec![8.0; 90];
        windows.extend([1.0; 4]);
        assert_eq!(usual(&day(&windows)), Some(8.0));
        windows.extend([2.0; 4]);
        assert_eq!(usual(&day(&windows)), Some(2.0), "hours of the day when few play are usual");
        assert_eq!(usual(&day(&[8.0; 63])), None);
    }
}
