//! The error type of this crate.

use liftdeck_model::FleetId;
use liftdeck_store::StoreError;

/// Why a chart could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store has never listed the fleet.
    #[error("there is no fleet {0} in this database; `liftdeck export fleets` lists them all")]
    NoFleet(FleetId),
    /// The picture could not be drawn.
    #[error("the chart could not be drawn: {0}")]
    Drawing(String),
}
