//! Repointing an alias: the comparison before, the watch after.

use liftdeck_model::FleetId;
use liftdeck_operations as operations;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::wire::number::{Ms, count};
use crate::wire::operate::PreviewWarning;
use crate::wire::window::Freshness;

/// How much a difference matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum CompareSeverity {
    Same,
    Info,
    Warning,
    Bad,
}

/// One fact of both fleets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompareLine {
    pub(crate) label: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) severity: CompareSeverity,
    pub(crate) note: Option<String>,
}

/// The fleet an alias leads to beside the one it would.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RepointComparison {
    pub(crate) alias_id: String,
    pub(crate) from_fleet_id: Option<String>,
    pub(crate) to_fleet_id: String,
    pub(crate) lines: Vec<CompareLine>,
    pub(crate) warnings: Vec<PreviewWarning>,
    /// Queues that use this alias.
    pub(crate) queues: Vec<String>,
}

/// New and live sessions of both fleets at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WatchPoint {
    pub(crate) t_ms: Ms,
    pub(crate) on_old: u32,
    pub(crate) on_target: u32,
}

/// What happens after a repoint.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RepointWatch {
    pub(crate) activity_id: String,
    pub(crate) alias_id: String,
    pub(crate) since_ms: Ms,
    pub(crate) from_fleet_id: Option<String>,
    pub(crate) from_name: Option<String>,
    pub(crate) to_fleet_id: Option<String>,
    pub(crate) to_name: Option<String>,
    pub(crate) new_on_target: u32,
    /// Made on the old fleet all the same.
    pub(crate) new_on_old: u32,
    pub(crate) live_on_old: u32,
    pub(crate) players_on_old: u32,
    pub(crate) live_on_target: u32,
    /// AWS: until then new sessions may still go to the old fleet.
    pub(crate) stragglers_until_ms: Ms,
    pub(crate) settled: bool,
    pub(crate) can_undo: bool,
    pub(crate) series: Vec<WatchPoint>,
    pub(crate) freshness: Freshness,
}

impl From<operations::CompareLine> for CompareLine {
    fn from(line: operations::CompareLine) -> Self {
        let severity = match line.severity {
            operations::CompareSeverity::Same => CompareSeverity::Same,
            operations::CompareSeverity::Info => CompareSeverity::Info,
            operations::CompareSeverity::Warning => CompareSeverity::Warning,
            operations::CompareSeverity::Bad => CompareSeverity::Bad,
        };
        Self { label: line.label, from: line.from, to: line.to, severity, note: line.note }
    }
}

impl From<operations::RepointComparison> for RepointComparison {
    fn from(comparison: operations::RepointComparison) -> Self {
        Self {
            alias_id: comparison.alias_id.into_string(),
            from_fleet_id: comparison.from_fleet_id.map(FleetId::into_string),
            to_fleet_id: comparison.to_fleet_id.into_string(),
            lines: comparison.lines.into_iter().map(CompareLine::from).collect(),
            warnings: comparison.warnings.into_iter().map(PreviewWarning::from).collect(),
            queues: comparison.queues,
        }
    }
}

impl From<operations::RepointWatch> for RepointWatch {
    fn from(watch: operations::RepointWatch) -> Self {
        let point = |point: operations::WatchPoint| WatchPoint {
            t_ms: point.at.into(),
            on_old: count(point.on_old),
            on_target: count(point.on_target),
        };
        Self {
            activity_id: watch.activity_id.into_string(),
            alias_id: watch.alias_id.into_string(),
            since_ms: watch.since.into(),
            from_fleet_id: watch.from_fleet_id.map(FleetId::into_string),
            from_name: watch.from_name,
            to_fleet_id: watch.to_fleet_id.map(FleetId::into_string),
            to_name: watch.to_name,
            new_on_target: count(watch.new_on_target),
            new_on_old: count(watch.new_on_old),
            live_on_old: count(watch.live_on_old),
            players_on_old: count(watch.players_on_old),
            live_on_target: count(watch.live_on_target),
            stragglers_until_ms: watch.stragglers_until.into(),
            settled: watch.settled,
            can_undo: watch.can_undo,
            series: watch.series.into_iter().map(point).collect(),
            freshness: watch.freshness.into(),
        }
    }
}
