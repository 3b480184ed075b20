//! The Overview: alerts, key figures, the heat table of fleets and locations, and what changed.

mod kpi;

use liftdeck_model::observation::PollKind;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Region, Timestamp};
use liftdeck_store::reader::fleet::{FleetSummary, LocationFigures};
use liftdeck_store::reader::freshness::{Basis, Freshness};
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use self::kpi::kpis;
use crate::alert::{Alert, complete, open_alerts};
use crate::change::{Change, Folded, changes, fold};
use crate::custom::watched_fleets;
use crate::knowledge::{Knowledge, knowledge};
use crate::state::{FleetState, fleet_state};
use crate::usual::count::UsualShare;
use crate::usual::past::Memory;
use crate::usual::{Standing, Usual};

/// Identifies a key figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum KpiKey {
    /// Crashes of server processes in the last 15 min.
    Crashes,
    /// Player sessions ACTIVE or RESERVED.
    PlayersOnline,
    /// Running game sessions.
    ActiveSessions,
    /// Active instances, out of the maximum that scaling allows.
    Instances,
    /// Server processes without a game session.
    FreeProcesses,
    /// Placements ended per minute.
    PlacementsPerMinute,
    /// 95th percentile of the wait of matched players, in seconds.
    MatchmakingWaitP95,
}

/// A key figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Kpi {
    /// Which figure.
    pub key: KpiKey,
    /// The current value; `None` if unknown.
    pub value: Option<f64>,
    /// The total that the value is part of.
    pub of: Option<f64>,
    /// What is usual at this hour; `None` while too little is known.
    pub usual: Option<Usual>,
    /// How the value stands to that.
    pub standing: Standing,
    /// Placements: share (0 to 1) that failed or timed out.
    pub failed_share: Option<f64>,
    /// The shares that are usual for as many placements at this hour; `None` while too little is known.
    pub usual_failed_share: Option<UsualShare>,
    /// Values over the range, `None` for gaps.
    pub spark: Vec<Option<f64>>,
    /// Lower end of what was usual at each of those times, `None` where too little is known.
    pub spark_low: Vec<Option<f64>>,
    /// Upper end.
    pub spark_high: Vec<Option<f64>>,
    /// Freshness of the value.
    pub freshness: Freshness,
}

/// A fleet in one location, as a cell of the heat table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HeatCell {
    /// Location.
    pub location: Location,
    /// Share (0 to 1) of server processes hosting a game session; `None` if there is no process.
    pub utilization: Option<f64>,
    /// Game sessions.
    pub game_sessions: i64,
    /// Server processes.
    pub processes: i64,
    /// Active instances.
    pub active_instances: i64,
    /// Desired instances.
    pub desired_instances: i64,
    /// Upper limit of scaling.
    pub max_instances: i64,
}

/// A fleet's row of the heat table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HeatRow {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Its name.
    pub name: String,
    /// Home Region.
    pub region: Region,
    /// Its state.
    pub state: FleetState,
    /// One cell for each location it runs in.
    pub cells: Vec<HeatCell>,
    /// Game sessions over all locations.
    pub game_sessions: i64,
    /// Player sessions over all locations.
    pub player_sessions: i64,
}

/// The content of the Overview screen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// Key figures, in the order of the screen.
    pub kpis: Vec<Kpi>,
    /// Locations of the heat table, in an order that only changes with the fleets.
    pub locations: Vec<Location>,
    /// Rows of the heat table, by Region and name.
    pub heat: Vec<HeatRow>,
    /// Freshness of the heat table.
    pub heat_freshness: Freshness,
    /// Alerts that fire or recover, the worst first, then in the order they began.
    pub alerts: Vec<Alert>,
    /// What was seen and is no alert, or not yet, in the order it began.
    pub seen: Vec<Alert>,
    /// What is known, and as of when.
    pub knowledge: Knowledge,
    /// What changed in the range, newest first.
    pub changes: Vec<Change>,
    /// The same range in short, further back: what people did and what happened.
    pub folded: Folded,
    /// Regions in the store.
    pub regions: usize,
    /// Existing fleets.
    pub fleets: usize,
}

/// Maximum number of changes shown.
const MOST_CHANGES: u32 = 60;
/// Maximum number of changes that the short form is made of.
const MOST_FOLDED: u32 = 1_000;

/// Reads the Overview for `range`. `past` keeps what is usual from one answer to the next.
///
/// # Errors
/// When the store cannot be read.
pub async fn overview(
    reader: &Reader,
    past: &Memory,
    range: TimeRange,
    now: Timestamp,
) -> Result<Overview, StoreError> {
    let fleets = watched_fleets(reader, now).await?;
    let (mut alerts, seen): (Vec<Alert>, Vec<Alert>) =
        open_alerts(reader, now).await?.into_iter().partition(|alert| alert.state.is_shown());
    alerts.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.since.cmp(&b.since)));
    complete(reader, &mut alerts, now).await?;
    let heat: Vec<HeatRow> = fleets.iter().map(|fleet| heat_row(fleet, &alerts)).collect();
    let capacity = reader.freshness(Basis::All(PollKind::FleetCapacity), now);
    let mut changes = changes(reader, None, range, MOST_FOLDED).await?;
    let most = usize::try_from(MOST_CHANGES).unwrap_or(usize::MAX);
    let folded = fold(&changes, most);
    changes.truncate(most);
    Ok(Overview {
        kpis: kpis(reader, past, &fleets, range, now).await?,
        locations: locations(&heat),
        heat_freshness: capacity.and(reader.freshness(Basis::All(PollKind::FleetUtilization), now)),
        alerts,
        seen,
        knowledge: knowledge(reader, now),
        changes,
        folded,
        regions: reader.regions().await?.len(),
        fleets: fleets.len(),
        heat,
    })
}

fn heat_row(summary: &FleetSummary, alerts: &[Alert]) -> HeatRow {
    HeatRow {
        fleet_id: summary.fleet.fleet_id.clone(),
        name: summary.fleet.display_name().to_owned(),
        region: summary.fleet.region.clone(),
        state: fleet_state(summary).with(alerts, &summary.fleet.fleet_id),
        cells: summary.locations.iter().map(heat_cell).collect(),
        game_sessions: summary.game_sessions(),
        player_sessions: summary.player_sessions(),
    }
}

fn heat_cell(here: &LocationFigures) -> HeatCell {
    let processes = here.processes().unwrap_or(0);
    let count = |pick: fn(&liftdeck_model::fleet::FleetCapacity) -> i32| {
        here.capacity.as_ref().map_or(0, |c| i64::from(pick(c)))
    };
    HeatCell {
        location: here.location.clone(),
        utilization: (processes > 0).then(|| (here.game_sessions as f64 / processes as f64).min(1.0)),
        game_sessions: here.game_sessions,
        processes,
        active_instances: count(|capacity| capacity.active),
        desired_instances: count(|capacity| capacity.desired),
        max_instances: count(|capacity| capacity.maximum),
    }
}

/// Home Regions first, each followed by the other locations of its fleets: where an eye found one, it finds it again.
fn locations(heat: &[HeatRow]) -> Vec<Location> {
    let mut known: Vec<Location> = Vec::new();
    for row in heat {
        let home = row.cells.iter().filter(|cell| cell.location.as_str() == row.region.as_str());
        let others = row.cells.iter().filter(|cell| cell.location.as_str() != row.region.as_str());
        for cell in home.chain(others) {
            if !known.contains(&cell.location) {
                known.push(cell.location.clone());
            }
        }
    }
    known
}
