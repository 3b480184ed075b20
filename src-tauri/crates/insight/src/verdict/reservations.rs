//! Players who are given a slot on a fleet and do not get into the game session.

use liftdeck_model::time::{MINUTE_MS, TimeRange};
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::outcomes::Outcomes;
use liftdeck_store::reader::reservations::{ReservationMinute, ReservationScope};

use super::excursion::{ALARM, Excursion, Rates, excursion};
use super::{Alone, Rule, Scene, Target, Trouble, Verdict};

/// How far back reservations are read, and the past that they are set against.
const BACK_MS: i64 = 60 * MINUTE_MS;
const FAR_BACK_MS: i64 = 24 * BACK_MS;
/// In how many game sessions of a fleet.
const SAMPLE: u32 = 100;
/// Players change their minds: least usual share of reservations that nobody uses.
const LEAST: f64 = 0.10;
/// Share that players notice.
const BAD_SHARE: f64 = 0.25;
/// All players of one game session may miss it together: in so many must some.
const GAME_SESSIONS_LEAST: u64 = 4;
/// A look asks only for a part of the fleets, each in its turn, about once a minute: there are many players to count.
const PARTS: usize = 12;
/// With more fleets than this a part, there are more parts.
const FLEETS_A_LOOK: usize = 40;

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let all = scene.fleets.len();
    let parts = all.div_ceil(FLEETS_A_LOOK).max(all.clamp(1, PARTS));
    let turn = turn(scene.now, parts);
    let mut found = Vec::new();
    for (index, fleet) in scene.fleets.iter().enumerate() {
        let is_known = scene.began(Rule::Reservations, fleet.fleet.fleet_id.as_str()).is_some();
        if is_known || index % parts == turn {
            found.extend(unused(scene, fleet).await?);
        }
    }
    Ok(found)
}

/// Whose turn it is: each part has a slice of the minute, another one the next minute, so that looks at any interval come
/// to all.
fn turn(now: Timestamp, parts: usize) -> usize {
    let (minute, within) = (now.as_ms().div_euclid(MINUTE_MS), now.as_ms().rem_euclid(MINUTE_MS));
    let parts = i64::try_from(parts).unwrap_or(1);
    usize::try_from((within * parts / MINUTE_MS + minute).rem_euclid(parts)).unwrap_or(0)
}

async fn read(
    scene: &Scene<'_>,
    id: &FleetId,
    from_ms: i64,
    to_ms: i64,
) -> Result<Vec<ReservationMinute>, StoreError> {
    let range = TimeRange::new(scene.now.plus_ms(-from_ms), scene.now.plus_ms(-to_ms));
    let scope = ReservationScope { fleet_id: id.clone(), range, game_sessions: SAMPLE };
    scene.reader.reservations(&scope).await
}

async fn unused(scene: &Scene<'_>, fleet: &FleetSummary) -> Result<Option<Verdict>, StoreError> {
    let id = &fleet.fleet.fleet_id;
    let minutes = read(scene, id, BACK_MS, 0).await?;
    let outcomes: Vec<Outcomes> = minutes
        .iter()
        .map(|minute| Outcomes { at: minute.at, failed: minute.timed_out, succeeded: minute.used })
        .collect();
    if !excursion(&outcomes, Rates::of_past(0, 0, LEAST), None).is_some_and(|found| found.sum >= ALARM) {
        return Ok(None);
    }
    // Only where something may be wrong is the past worth reading.
    let past = read(scene, id, FAR_BACK_MS, BACK_MS).await?;
    let missed: u64 = past.iter().map(|minute| minute.timed_out).sum();
    let made: u64 = past.iter().map(|minute| minute.used).sum::<u64>() + missed;
    let rates = Rates::of_past(missed, made, LEAST);
    let began = scene.began(Rule::Reservations, id.as_str());
    let Some(found) = excursion(&outcomes, rates, began) else { return Ok(None) };
    let since_then = || minutes.iter().filter(|minute| minute.at >= found.since);
    let game_sessions: u64 = since_then().map(|minute| minute.game_sessions).sum();
    let is_new = began.is_none();
    if found.worth(began, scene.now) != Some(Alone::Stands) || (is_new && game_sessions < GAME_SESSIONS_LEAST)
    {
        return Ok(None);
    }
    let Excursion { failed, all, .. } = found;
    let severity = found.severity(BAD_SHARE);
    let first = since_then().find_map(|minute| minute.first_timed_out);
    let since = began.or(first).unwrap_or(found.since);
    let trouble = Trouble::ReservationsUnused {
        fleet: fleet.fleet.display_name().to_owned(),
        timed_out: failed,
        reservations: all,
        usual_share: rates.usual,
    };
    let target = Target::Sessions(format!("fleet:{id} status:active"));
    let verdict = Verdict::of_fleet(Rule::Reservations, fleet, severity, since, trouble, target);
    Ok(Some(verdict.hitting(failed, Some(all))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_at_any_interval_come_to_every_fleet() {
        for parts in 1..12 {
            for interval_ms in [5_000, 15_000, 60_000] {
                let looks = (0..60).map(|look| turn(Timestamp::from_ms(look * interval_ms), parts));
                let seen: std::collections::BTreeSet<usize> = looks.collect();
                assert_eq!(seen.len(), parts, "{parts} parts every {interval_ms} ms");
            }
        }
    }
}
