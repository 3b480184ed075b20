//! Series of numbers: requested in JSON, answered in raw bytes.

use liftdeck_charts::Theme;
use liftdeck_model::FleetId;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::series::BandedTable;
use serde::{Deserialize, Serialize};
use specta::datatype::DataType;
use specta::{Type, Types};

/// Columns as raw little-endian `Float64Array`: `[rows, columns, b1 …, t[rows], c1[rows] …, low1[rows], high1[rows] …]`;
/// t is in epoch seconds and NaN is a gap. b is 1 for a column that has a band, the lowest and highest value in each
/// bucket, and 0 for a column that has none; bands follow in the order of their columns.
/// Bytes, because 100 000 numbers take 6 ms to transfer as bytes and 20 ms as JSON.
pub struct Columns(Vec<u8>);

impl From<&BandedTable> for Columns {
    fn from(table: &BandedTable) -> Self {
        Self(table.to_le_bytes())
    }
}

impl Columns {
    /// The bytes to transfer.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
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
pub enum ChartFormat {
    Png,
    Svg,
    Csv,
}

/// A scaling chart to save.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChartSave {
    pub fleet_id: FleetId,
    pub range: TimeRange,
    pub format: ChartFormat,
    pub theme: Theme,
}
