//! The Overview screen.

use liftdeck_insight as insight;
use liftdeck_model::{FleetId, Location};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::change::{Change, fleet_link};
use crate::wire::fleet::FleetState;
use crate::wire::goto::encoded;
use crate::wire::number::{Ms, Real, count};
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

impl From<insight::Kpi> for Kpi {
    fn from(kpi: insight::Kpi) -> Self {
        let (key, unit) = match kpi.key {
            insight::KpiKey::PlayersOnline => (KpiKey::PlayersOnline, KpiUnit::Count),
            insight::KpiKey::ActiveSessions => (KpiKey::ActiveSessions, KpiUnit::Count),
            insight::KpiKey::Instances => (KpiKey::Instances, KpiUnit::Count),
            insight::KpiKey::FreeProcesses => (KpiKey::FreeProcesses, KpiUnit::Count),
            insight::KpiKey::PlacementsPerMinute => (KpiKey::PlacementsPerMinute, KpiUnit::PerMinute),
            insight::KpiKey::MatchmakingWaitP95 => (KpiKey::MatchmakingWaitP95, KpiUnit::Seconds),
        };
        Self {
            key,
            value: kpi.value.and_then(Real::finite),
            of: kpi.of.and_then(Real::finite),
            yesterday: kpi.yesterday.and_then(Real::finite),
            failed_share: kpi.failed_share.and_then(Real::finite),
            unit,
            spark: kpi.spark.into_iter().map(Real::finite).collect(),
            freshness: kpi.freshness.into(),
        }
    }
}

impl From<insight::HeatRow> for HeatRow {
    fn from(row: insight::HeatRow) -> Self {
        Self {
            fleet_id: row.fleet_id.into_string(),
            name: row.name,
            region: row.region.into_string(),
            state: row.state.into(),
            cells: row.cells.into_iter().map(HeatCell::from).collect(),
            sessions: count(row.game_sessions),
            players: count(row.player_sessions),
        }
    }
}

impl From<insight::HeatCell> for HeatCell {
    fn from(cell: insight::HeatCell) -> Self {
        Self {
            location: cell.location.into_string(),
            utilization: cell.utilization.and_then(Real::finite),
            sessions: count(cell.game_sessions),
            processes: count(cell.processes),
            active_instances: count(cell.active_instances),
            desired_instances: count(cell.desired_instances),
            max_instances: count(cell.max_instances),
        }
    }
}

impl From<insight::Attention> for Attention {
    fn from(attention: insight::Attention) -> Self {
        let link = match &attention.target {
            insight::Target::FleetsByRoom => "#/fleets?sort=free".to_owned(),
            insight::Target::FleetScaling(fleet) => fleet_link(fleet, "scaling"),
            insight::Target::FleetEvents(fleet) => fleet_link(fleet, "events"),
            insight::Target::Placements(None) => "#/placements".to_owned(),
            insight::Target::Placements(Some(queue)) => {
                format!("#/placements?queue={}", encoded(queue.as_str()))
            }
            insight::Target::Health => "#/settings".to_owned(),
        };
        let bad = attention.severity == insight::Severity::Bad;
        Self {
            key: attention.key,
            severity: if bad { AttentionSeverity::Bad } else { AttentionSeverity::Warning },
            title: attention.title,
            detail: attention.detail,
            fleet_id: attention.fleet_id.map(FleetId::into_string),
            since_ms: attention.since.into(),
            link,
        }
    }
}

impl From<insight::Overview> for Overview {
    fn from(overview: insight::Overview) -> Self {
        Self {
            kpis: overview.kpis.into_iter().map(Kpi::from).collect(),
            locations: overview.locations.into_iter().map(Location::into_string).collect(),
            heat: overview.heat.into_iter().map(HeatRow::from).collect(),
            heat_freshness: overview.heat_freshness.into(),
            attention: overview.attention.into_iter().map(Attention::from).collect(),
            changes: overview.changes.into_iter().map(Change::from).collect(),
            regions: count(overview.regions),
            fleets: count(overview.fleets),
        }
    }
}
