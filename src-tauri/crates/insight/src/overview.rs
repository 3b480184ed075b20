//! The Overview: alerts, key figures, the heat table of fleets and locations, and what changed. A range that is over is
//! shown as it was: all of it is of its end, and alerts are those that were open in it.

mod kpi;

use std::collections::BTreeMap;

use liftdeck_model::fleet::FleetStatus;
use liftdeck_model::observation::PollKind;
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_model::{FleetId, Location, Region, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::freshness::{Basis, Freshness};
use liftdeck_store::{Reader, RetentionPolicy, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use self::kpi::{Times, kpis};
use crate::alert::{Alert, alerts_in, complete, open_alerts};
use crate::change::{Change, Folded, changes, fold};
use crate::custom::watched_fleets;
use crate::figures::{Figures, FleetFigures, figures_of, moment_of};
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
    /// The value, now or at the end of a range that is over; `None` if unknown.
    pub value: Option<f64>,
    /// The total that the value is part of.
    pub of: Option<f64>,
    /// What is usual at the hour of the value; `None` while too little is known.
    pub usual: Option<Usual>,
    /// How the value stands to that.
    pub standing: Standing,
    /// Placements: share (0 to 1) that failed or timed out.
    pub failed_share: Option<f64>,
    /// The shares that are usual for as many placements at this hour; `None` while too little is known.
    pub usual_failed_share: Option<UsualShare>,
    /// How many fleets the value leaves out, because theirs is unknown.
    pub unknown_fleets: u32,
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
    /// Share (0 to 1) of server processes hosting a game session; `None` if there is no process, or that is unknown.
    pub utilization: Option<f64>,
    /// Game sessions. Like each figure, `None` while it is unknown, and if there is none of the kind.
    pub game_sessions: Option<i64>,
    /// Server processes.
    pub processes: Option<i64>,
    /// Active instances.
    pub active_instances: Option<i64>,
    /// Desired instances.
    pub desired_instances: Option<i64>,
    /// Upper limit of scaling.
    pub max_instances: Option<i64>,
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
    /// Game sessions over all locations; `None` while those of one are unknown.
    pub game_sessions: Option<i64>,
    /// Player sessions over all locations; the same.
    pub player_sessions: Option<i64>,
}

/// A time in which nothing was collected from a Region, so that nobody would have seen what was wrong there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Unwatched {
    /// Region.
    pub region: Region,
    /// The time.
    pub range: TimeRange,
}

/// The content of the Overview screen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// The end of a range that is over: figures, heat table and states are of that moment, alerts of the range. `None`
    /// while they are of now.
    pub figures_at: Option<Timestamp>,
    /// The parts of a range that is over about which nothing is known, by Region. No alert in such a part means nothing.
    pub unwatched: Vec<Unwatched>,
    /// Key figures, in the order of the screen.
    pub kpis: Vec<Kpi>,
    /// Locations of the heat table, in an order that only changes with the fleets.
    pub locations: Vec<Location>,
    /// Rows of the heat table, by Region and name.
    pub heat: Vec<HeatRow>,
    /// Freshness of the heat table.
    pub heat_freshness: Freshness,
    /// Alerts that fire or recover, the worst first, then in the order they began. Of a range that is over, those that
    /// were open at some time in it, at most 500.
    pub alerts: Vec<Alert>,
    /// What was seen and is no alert, or not yet, in the order it began; of now only.
    pub seen: Vec<Alert>,
    /// What is known of now, and as of when.
    pub knowledge: Knowledge,
    /// What changed in the range, newest first.
    pub changes: Vec<Change>,
    /// The same range in short, further back: what people did and what happened.
    pub folded: Folded,
    /// Regions in the store.
    pub regions: usize,
    /// Fleets that exist, or did at that moment.
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
    let at = moment_of(range, now);
    let fleets = match at {
        Some(at) => fleets_at(reader, at, now).await?,
        None => watched_fleets(reader, now).await?,
    };
    let (mut alerts, seen) = match at {
        Some(_) => (alerts_in(reader, range, now).await?, Vec::new()),
        None => open_alerts(reader, now).await?.into_iter().partition(|alert| alert.state.is_shown()),
    };
    alerts.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.since.cmp(&b.since)));
    if at.is_none() {
        complete(reader, &mut alerts, now).await?;
    }
    let figures = figures_of(reader, &fleets, at, now).await?;
    let heat: Vec<HeatRow> =
        fleets.iter().zip(&figures).map(|(fleet, figures)| heat_row(fleet, figures, &alerts, at)).collect();
    let capacity = reader.freshness(Basis::All(PollKind::FleetCapacity), now);
    let mut changes = changes(reader, None, range, MOST_FOLDED).await?;
    let most = usize::try_from(MOST_CHANGES).unwrap_or(usize::MAX);
    let folded = fold(&changes, most);
    changes.truncate(most);
    Ok(Overview {
        figures_at: at,
        unwatched: if at.is_some() { unwatched(reader, range, now).await? } else { Vec::new() },
        kpis: kpis(reader, past, &fleets, &figures, &Times { range, at, now }).await?,
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

/// The fleets that existed at a moment.
async fn fleets_at(reader: &Reader, at: Timestamp, now: Timestamp) -> Result<Vec<FleetSummary>, StoreError> {
    let mut fleets = reader.fleet_summaries_in(TimeRange::new(at, at.plus_ms(1)), now).await?;
    // Without the time of its end, one that is listed as ended is taken to have ended before.
    fleets.retain(|fleet| fleet.ended_at().is_some() || fleet.fleet.status != FleetStatus::Terminated);
    Ok(fleets)
}

/// The moment since which events and alerts are kept: what is older is deleted.
fn kept_since(now: Timestamp) -> Timestamp {
    now.plus_ms(-i64::from(RetentionPolicy::default().event_days) * DAY_MS)
}

/// The parts of a range in which nothing was collected from a Region that had fleets then, or of which alerts are not
/// kept.
async fn unwatched(reader: &Reader, range: TimeRange, now: Timestamp) -> Result<Vec<Unwatched>, StoreError> {
    let kept = TimeRange { from: range.from.max(kept_since(now)).min(range.to), to: range.to };
    let polled = reader.polled_in(kept).await?;
    let mut begins: BTreeMap<Region, Timestamp> = BTreeMap::new();
    for fleet in reader.fleet_summaries_in(range, now).await? {
        // Fleets of one's own hardware have no capacity that would be polled.
        if fleet.fleet.kind.has_capacity() {
            let created = fleet.fleet.creation_time.unwrap_or(range.from).max(range.from);
            let first = begins.entry(fleet.fleet.region).or_insert(created);
            *first = created.min(*first);
        }
    }
    if begins.is_empty() {
        begins = reader.regions().await?.into_iter().map(|region| (region, range.from)).collect();
    }
    let none = Vec::new();
    let mut found = Vec::new();
    for (region, from) in begins {
        let mut rest = from;
        let ends = TimeRange { from: range.to, to: range.to };
        for part in polled.get(&region).unwrap_or(&none).iter().chain([&ends]) {
            if rest < part.from {
                found.push(Unwatched {
                    region: region.clone(),
                    range: TimeRange { from: rest, to: part.from },
                });
            }
            rest = rest.max(part.to);
        }
    }
    Ok(found)
}

fn heat_row(
    summary: &FleetSummary,
    figures: &FleetFigures,
    alerts: &[Alert],
    at: Option<Timestamp>,
) -> HeatRow {
    let id = &summary.fleet.fleet_id;
    let state = match at {
        Some(at) => {
            let named = alerts.iter().filter(|alert| alert.fleet_id.as_ref() == Some(id));
            let open = named.filter(|alert| alert.is_open_at(at));
            figures.state_at(summary, at).named_by(open.map(|alert| alert.severity).max())
        }
        None => fleet_state(summary).with(alerts, id),
    };
    HeatRow {
        fleet_id: id.clone(),
        name: summary.fleet.display_name().to_owned(),
        region: summary.fleet.region.clone(),
        state,
        cells: figures.locations.iter().map(heat_cell).collect(),
        game_sessions: figures.all.game_sessions,
        player_sessions: figures.all.player_sessions,
    }
}

fn heat_cell((location, here): &(Location, Figures)) -> HeatCell {
    HeatCell {
        location: location.clone(),
        utilization: here.utilization(),
        game_sessions: here.game_sessions,
        processes: here.processes,
        active_instances: here.active,
        desired_instances: here.desired,
        max_instances: here.maximum,
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
