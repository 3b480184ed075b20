//! Series of numbers: asked for in JSON, answered in raw bytes.

use serde::{Deserialize, Serialize};
use specta::datatype::DataType;
use specta::{Type, Types};
use tauri::ipc::{InvokeResponseBody, IpcResponse};

use crate::wire::window::Range;

/// A series by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum SeriesName {
    DesiredInstances,
    ActiveInstances,
    PendingInstances,
    IdleInstances,
    TerminatingInstances,
    MinInstances,
    MaxInstances,
    PercentAvailableGameSessions,
    PolicyTarget,
    ActiveGameSessions,
    AvailableGameSessions,
    ActiveServerProcesses,
    CurrentPlayerSessions,
    PlacementsFulfilled,
    PlacementsFailed,
    QueueDepth,
}

/// What the series are of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum SeriesScope {
    /// Every fleet of the connection.
    All,
    /// A fleet, in one location or all.
    Fleet { fleet_id: String, location: Option<String> },
    /// A game session queue.
    Queue { name: String, region: String },
}

/// Which series, of what, over which time.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SeriesRequest {
    pub(crate) scope: SeriesScope,
    pub(crate) names: Vec<SeriesName>,
    pub(crate) range: Range,
    /// At most this many rows come back, bucketed.
    pub(crate) max_points: u32,
}

/// Columns as raw little-endian `Float64Array`: `[rows, columns, t[rows] (epoch seconds), c1[rows], …]`; NaN = gap.
/// Bytes, because 100 000 numbers cross in 6 ms as bytes and in 20 ms as JSON.
pub(crate) struct Columns(Vec<u8>);

impl Columns {
    /// Packs a time column (epoch seconds) and the columns beside it. A column shorter than the time column is
    /// filled up with gaps.
    pub(crate) fn pack(times: &[f64], columns: &[Vec<f64>]) -> Self {
        let rows = times.len();
        let mut bytes = Vec::with_capacity((2 + rows * (columns.len() + 1)) * 8);
        let mut push = |value: f64| bytes.extend_from_slice(&value.to_le_bytes());
        push(rows as f64);
        push(columns.len() as f64);
        times.iter().copied().for_each(&mut push);
        for column in columns {
            let gaps = std::iter::repeat(f64::NAN);
            column.iter().copied().chain(gaps).take(rows).for_each(&mut push);
        }
        Self(bytes)
    }
}

impl IpcResponse for Columns {
    fn body(self) -> tauri::Result<InvokeResponseBody> {
        Ok(InvokeResponseBody::Raw(self.0))
    }
}

impl Type for Columns {
    fn definition(_: &mut Types) -> DataType {
        DataType::Reference(specta_typescript::define("ArrayBuffer"))
    }
}

/// Format of a saved chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ChartFormat {
    Png,
    Svg,
    Csv,
}

/// Colours of a saved chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ChartTheme {
    Light,
    Dark,
}

/// A scaling chart to save.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChartSave {
    pub(crate) fleet_id: String,
    pub(crate) range: Range,
    pub(crate) format: ChartFormat,
    pub(crate) theme: ChartTheme,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_packed_as_rows_columns_times_values_and_gaps() {
        let Columns(bytes) = Columns::pack(&[1.0, 2.0], &[vec![5.0, 6.0], vec![7.0]]);
        let numbers: Vec<f64> =
            bytes.chunks_exact(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap())).collect();
        assert_eq!(numbers[..7], [2.0, 2.0, 1.0, 2.0, 5.0, 6.0, 7.0]);
        assert!(numbers[7].is_nan());
        assert_eq!(numbers.len(), 8);
    }
}
