//! Locations whose instances run no server process: no game session can start there, and only the counts say so.

use liftdeck_model::time::{DAY_MS, MINUTE_MS, TimeRange};
use liftdeck_model::{FleetId, Location, Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::fleet::{FleetSummary, LocationFigures};
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope, SeriesTable};

use super::{Rule, Scene, Target, Trouble, Verdict};
use crate::state::runs_no_process;

/// How far back the beginning is looked for.
const BACK_MS: i64 = DAY_MS;

pub(super) async fn verdicts(scene: &Scene<'_>) -> Result<Vec<Verdict>, StoreError> {
    let mut found = Vec::new();
    for fleet in scene.fleets {
        found.extend(of_fleet(scene, fleet).await?);
    }
    Ok(found)
}

async fn of_fleet(scene: &Scene<'_>, fleet: &FleetSummary) -> Result<Option<Verdict>, StoreError> {
    let without: Vec<&LocationFigures> =
        fleet.locations.iter().filter(|here| runs_no_process(here)).collect();
    if without.is_empty() || scene.is_partly_unread(fleet) {
        return Ok(None);
    }
    let id = &fleet.fleet.fleet_id;
    let since = match scene.began(Rule::NoProcess, id.as_str()) {
        Some(began) => began,
        None => {
            let mut first = scene.now;
            for here in &without {
                first = first.min(since(scene, id, &here.location).await?);
            }
            first
        }
    };
    let active = |here: &&LocationFigures| here.capacity.as_ref().map_or(0, |it| i64::from(it.active));
    let instances = without.iter().map(active).sum();
    // In its other locations players find game sessions.
    let severity = if fleet.processes().unwrap_or(0) == 0 { Severity::Bad } else { Severity::Warning };
    let trouble = Trouble::NoProcess {
        fleet: fleet.fleet.display_name().to_owned(),
        locations: without.iter().map(|here| here.location.clone()).collect(),
        of: fleet.locations.len(),
        instances,
    };
    let target = Target::FleetEvents(id.clone());
    let verdict = Verdict::of_fleet(Rule::NoProcess, fleet, severity, since, trouble, target);
    let (count, of) = (u64::try_from(instances).unwrap_or(0), u64::try_from(fleet.active()).ok());
    Ok(Some(verdict.hitting(count, of)))
}

/// Since when a location that runs no process now ran none, by its counts of every minute.
async fn since(scene: &Scene<'_>, fleet: &FleetId, location: &Location) -> Result<Timestamp, StoreError> {
    let request = SeriesRequest {
        scope: SeriesScope::Fleet { fleet_id: fleet.clone(), location: Some(location.clone()) },
        names: vec![SeriesName::ActiveInstances, SeriesName::ActiveServerProcesses],
        range: TimeRange::new(scene.now.plus_ms(-BACK_MS), scene.now.plus_ms(1)),
        max_points: 0,
    };
    let table = scene.reader.series_every(&request, MINUTE_MS).await?;
    Ok(last_run_of_none(&table).unwrap_or(scene.now).min(scene.now))
}

/// When the run of minutes began in which instances ran no process, up to the end of the table. A minute without a
/// count neither ends nor begins it.
fn last_run_of_none(table: &SeriesTable) -> Option<Timestamp> {
    let [instances, processes] = table.columns.as_slice() else { return None };
    let counts = table.times.iter().zip(instances).zip(processes).rev();
    let known = counts.filter(|((_, instances), processes)| !instances.is_nan() && !processes.is_nan());
    let none = known.take_while(|((_, instances), processes)| **instances > 0.0 && **processes <= 0.0);
    none.last().map(|((at, _), _)| *at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_began_with_the_first_minute_of_the_last_run_in_which_instances_ran_no_process() {
        let gap = f64::NAN;
        let table = |instances: [f64; 6], processes: [f64; 6]| SeriesTable {
            times: (0..6).map(|minute| Timestamp::from_ms(minute * MINUTE_MS)).collect(),
            bucket_ms: MINUTE_MS,
            columns: vec![instances.to_vec(), processes.to_vec()],
        };
        let began = |instances, processes| {
            last_run_of_none(&table(instances, processes)).map(|at| at.as_ms() / MINUTE_MS)
        };
        assert_eq!(began([2.0; 6], [0.0, 8.0, 0.0, 0.0, 0.0, 0.0]), Some(2));
        assert_eq!(began([2.0; 6], [8.0, 0.0, gap, 0.0, 0.0, gap]), Some(1), "across what was not counted");
        assert_eq!(
            began([2.0, 0.0, 0.0, 1.0, 1.0, 1.0], [0.0; 6]),
            Some(3),
            "without instances none is lacking"
        );
        assert_eq!(began([2.0; 6], [8.0; 6]), None);
    }
}
