//! The Overview screen.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::Change;
use crate::wire::fleet::FleetState;
use crate::wire::number::{Ms, Real};
use crate::wire::window::Freshness;

/// Which figure a card shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum KpiKey {
    PlayersOnline,
    ActiveSessions,
    Instances,
    FreeProcesses,
    PlacementsPerMinute,
    MatchmakingWaitP95,
}

/// Unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum KpiUnit {
    Count,
    PerMinute,
    Seconds,
}

/// A figure card.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Kpi {
    pub(crate) key: KpiKey,
    pub(crate) value: Option<Real>,
    /// What the value is out of.
    pub(crate) of: Option<Real>,
    /// Value at the same time yesterday.
    pub(crate) yesterday: Option<Real>,
    pub(crate) failed_share: Option<Real>,
    pub(crate) unit: KpiUnit,
    pub(crate) spark: Vec<Option<Real>>,
    pub(crate) freshness: Freshness,
}

/// One fleet in one location.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HeatCell {
    pub(crate) location: String,
    /// Share of server processes hosting a session, 0..1; null when the fleet is there but has no process.
    pub(crate) utilization: Option<Real>,
    pub(crate) sessions: u32,
    pub(crate) processes: u32,
    pub(crate) active_instances: u32,
    pub(crate) desired_instances: u32,
    pub(crate) max_instances: u32,
}

/// One fleet in the heat table.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HeatRow {
    pub(crate) fleet_id: String,
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) state: FleetState,
    pub(crate) cells: Vec<HeatCell>,
    pub(crate) sessions: u32,
    pub(crate) players: u32,
}

/// How urgent it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum AttentionSeverity {
    Bad,
    Warning,
}

/// Something that needs a look.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Attention {
    pub(crate) key: String,
    pub(crate) severity: AttentionSeverity,
    pub(crate) title: String,
    pub(crate) detail: String,
    pub(crate) fleet_id: Option<String>,
    pub(crate) since_ms: Ms,
    pub(crate) link: String,
}

/// The Overview screen.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Overview {
    pub(crate) kpis: Vec<Kpi>,
    pub(crate) locations: Vec<String>,
    pub(crate) heat: Vec<HeatRow>,
    pub(crate) heat_freshness: Freshness,
    pub(crate) attention: Vec<Attention>,
    pub(crate) changes: Vec<Change>,
    pub(crate) regions: u32,
    pub(crate) fleets: u32,
}
