//! A fleet's computes with their game sessions, and with what GameLift tells of the server processes on them.
//!
//! GameLift lists no server processes. It tells how many of them run in a location, and the runtime configuration says
//! how many each instance is to run; these are two figures, and neither stands for the other.

use std::collections::{BTreeMap, BTreeSet};

use liftdeck_model::fleet::{Compute, ComputeKind, ComputeStatus};
use liftdeck_model::{FleetId, Location, Timestamp};
use liftdeck_store::reader::compute::ComputeRow;
use liftdeck_store::reader::fleet::FleetDetail;
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{InstanceList, InstanceRow};
use crate::figures::FleetFigures;
use crate::words;

/// Where the number of a compute's server processes comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProcessBasis {
    /// The runtime configuration: so many concurrent executions on each instance.
    RuntimeConfiguration {
        /// Processes on each instance.
        per_instance: i64,
    },
    /// Each compute is a game server container group.
    ContainerGroups {
        /// Groups on each instance; `None` while it is not known.
        per_instance: Option<i64>,
    },
    /// The fleet's own hardware, where GameLift starts nothing.
    OwnHardware,
    /// The runtime configuration was not read yet.
    Unknown,
}

/// The server processes of a location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LocationProcesses {
    pub location: Location,
    /// Computes that are ACTIVE.
    pub computes: i64,
    /// Server processes or container groups that they are to run; `None` if nothing says so.
    pub configured: Option<i64>,
    /// Server processes or container groups that run, as GameLift counts them; `None` if it does not.
    pub running: Option<i64>,
    /// Game sessions on the listed computes.
    pub game_sessions: i64,
}

/// The computes of a fleet.
///
/// # Errors
/// When the store cannot be read.
pub async fn instances(reader: &Reader, fleet: &FleetId, now: Timestamp) -> Result<InstanceList, StoreError> {
    let (rows, freshness) = reader.computes(fleet, now).await?;
    let detail = reader.fleet_detail(fleet, now).await?;
    let basis = detail.as_ref().map_or(ProcessBasis::Unknown, basis);
    let running: BTreeMap<Location, Option<i64>> = detail.map_or_else(BTreeMap::new, |detail| {
        let figures = FleetFigures::now(reader, &detail.summary, now).locations.into_iter();
        figures.map(|(location, figures)| (location, figures.processes)).collect()
    });
    let locations = by_location(&rows, basis, &running);
    let row = |row: ComputeRow| {
        let processes = processes_on(&row.compute, basis);
        InstanceRow { processes, ..InstanceRow::from(row) }
    };
    Ok(InstanceList {
        rows: rows.into_iter().map(row).collect(),
        locations,
        basis,
        note: words::process_basis(basis),
        freshness,
    })
}

fn basis(detail: &FleetDetail) -> ProcessBasis {
    let fleet = &detail.summary.fleet;
    match (fleet.kind, &detail.runtime_configuration) {
        (ComputeKind::Anywhere, _) => ProcessBasis::OwnHardware,
        (ComputeKind::Container, _) => {
            let groups = fleet.container.as_ref().and_then(|container| container.groups_per_instance);
            ProcessBasis::ContainerGroups { per_instance: groups.map(i64::from) }
        }
        (_, Some(runtime)) => {
            ProcessBasis::RuntimeConfiguration { per_instance: runtime.processes_per_instance() }
        }
        (_, None) => ProcessBasis::Unknown,
    }
}

/// Server processes that a compute is to run; `None` while it starts or ends, and where nothing says so.
fn processes_on(compute: &Compute, basis: ProcessBasis) -> Option<i64> {
    match basis {
        ProcessBasis::RuntimeConfiguration { per_instance } if compute.status == ComputeStatus::Active => {
            Some(per_instance)
        }
        _ => None,
    }
}

fn by_location(
    rows: &[ComputeRow],
    basis: ProcessBasis,
    running: &BTreeMap<Location, Option<i64>>,
) -> Vec<LocationProcesses> {
    let mut by_location: BTreeMap<&Location, Vec<&ComputeRow>> =
        running.keys().map(|location| (location, Vec::new())).collect();
    for row in rows {
        by_location.entry(&row.compute.location).or_default().push(row);
    }
    let one = |(location, rows): (&Location, Vec<&ComputeRow>)| {
        let active = || rows.iter().map(|row| &row.compute).filter(|it| it.status == ComputeStatus::Active);
        let instances: BTreeSet<&str> = active().filter_map(|it| it.instance_id.as_deref()).collect();
        let computes = i64::try_from(active().count()).unwrap_or(i64::MAX);
        let configured = match basis {
            ProcessBasis::RuntimeConfiguration { per_instance } => Some(computes * per_instance),
            ProcessBasis::ContainerGroups { per_instance } => {
                per_instance.map(|groups| groups * i64::try_from(instances.len()).unwrap_or(i64::MAX))
            }
            ProcessBasis::OwnHardware | ProcessBasis::Unknown => None,
        };
        LocationProcesses {
            location: location.clone(),
            computes,
            configured,
            running: running.get(location).copied().flatten(),
            game_sessions: rows.iter().map(|row| row.game_sessions).sum(),
        }
    };
    by_location.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, instance: &str, status: ComputeStatus, game_sessions: i64) -> ComputeRow {
        let compute = Compute {
            fleet_id: "fleet-1".into(),
            compute_name: name.to_owned(),
            instance_id: Some(instance.to_owned()),
            status,
            location: "eu-west-1".into(),
            instance_type: None,
            ip_address: None,
            dns_name: None,
            operating_system: None,
            creation_time: None,
        };
        ComputeRow { compute, game_sessions, player_sessions: 0 }
    }

    fn running() -> BTreeMap<Location, Option<i64>> {
        BTreeMap::from([("eu-west-1".into(), Some(7)), ("us-east-1".into(), None)])
    }

    #[test]
    fn what_is_configured_and_what_runs_are_two_figures() {
        let rows = [
            row("i-1", "i-1", ComputeStatus::Active, 3),
            row("i-2", "i-2", ComputeStatus::Active, 1),
            row("i-3", "i-3", ComputeStatus::Pending, 0),
        ];
        let basis = ProcessBasis::RuntimeConfiguration { per_instance: 4 };
        let found = by_location(&rows, basis, &running());
        let here = &found[0];
        assert_eq!(
            (here.computes, here.configured, here.running, here.game_sessions),
            (2, Some(8), Some(7), 4)
        );
        assert_eq!(
            (found[1].computes, found[1].running),
            (0, None),
            "a location without instances is there, too"
        );
        assert_eq!(rows.map(|row| processes_on(&row.compute, basis)), [Some(4), Some(4), None]);
    }

    #[test]
    fn groups_are_counted_by_instance_and_own_hardware_says_nothing() {
        let rows = [
            row("group-1", "i-1", ComputeStatus::Active, 1),
            row("group-2", "i-1", ComputeStatus::Active, 1),
        ];
        let groups = ProcessBasis::ContainerGroups { per_instance: Some(3) };
        let found = by_location(&rows, groups, &running());
        assert_eq!((found[0].computes, found[0].configured), (2, Some(3)));
        let found = by_location(&rows, ProcessBasis::OwnHardware, &running());
        assert_eq!(found[0].configured, None);
    }
}
