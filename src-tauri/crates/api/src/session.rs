//! The query for game sessions.

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location};
use liftdeck_store::reader::session::SessionColumn;
use liftdeck_store::reader::window::Page;
use serde::{Deserialize, Serialize};
use specta::Type;

/// A query for game sessions.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionQuery {
    /// The local query language, e.g. `status:active fleet:eu-prod* players>=8 prop.mode:ranked`.
    pub text: String,
    pub fleet_id: Option<FleetId>,
    pub location: Option<Location>,
    pub range: Option<TimeRange>,
    /// Limits the list to what this GameLift search found, in its order; all other filters are then ignored.
    pub search: Option<u32>,
    pub sort: Option<SessionSort>,
    pub page: Page,
}

/// The sort order of game sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionSort {
    pub column: SessionColumn,
    pub descending: bool,
}
