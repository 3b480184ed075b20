//! Possible problems as plain data: found in `attention` and `storm`, worded in `words`.

use liftdeck_model::feed::QuarantineReason;
use liftdeck_model::observation::PollKind;
use liftdeck_model::{Location, Region};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A problem, with the figures behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Trouble {
    /// A fleet is at its limit and has no free process in a location.
    Capped {
        /// Its name.
        fleet: String,
        /// Desired instances over all locations.
        desired: i64,
        /// Maximum instances over all locations.
        maximum: i64,
        /// Server processes without a game session.
        free_processes: i64,
    },
    /// A fleet has little room for more game sessions.
    LittleRoom {
        /// The fleet.
        room: FleetRoom,
        /// Server processes without a game session.
        free_processes: i64,
        /// All server processes.
        processes: i64,
        /// Locations without a free process.
        full_locations: Vec<Location>,
        /// Instances that are desired but not yet active.
        coming_instances: i64,
    },
    /// Several fleets have little room.
    FleetsWithLittleRoom {
        /// How many.
        count: usize,
        /// The fullest of them.
        fullest: Vec<FleetRoom>,
    },
    /// A fleet is in the status ERROR.
    InError {
        /// Its name.
        fleet: String,
    },
    /// EC2 reclaimed Spot instances of a fleet.
    Interrupted {
        /// Its name.
        fleet: String,
        /// How many instances.
        count: i64,
        /// Their type.
        instance_type: Option<String>,
    },
    /// Server processes of a fleet fail to start, crash, or must be terminated.
    ProcessesFail {
        /// Its name.
        fleet: String,
        /// How many.
        count: i64,
        /// Message of the newest event.
        message: Option<String>,
    },
    /// A large share of placements does not succeed.
    PlacementsFail {
        /// Placements that timed out.
        timed_out: u64,
        /// Placements that failed.
        failed: u64,
        /// All placements that ended.
        total: u64,
    },
    /// Messages of an event queue could not be turned into events.
    EventsAside {
        /// Name of the queue.
        queue: String,
        /// Their number, by reason.
        counts: Vec<SetAside>,
    },
    /// Something could not be read for a while.
    Unread {
        /// What could not be read.
        poll: PollKind,
        /// Its Region.
        region: Region,
        /// Number of resources affected.
        count: usize,
        /// The error message.
        failure: String,
        /// How long it has failed, in milliseconds.
        for_ms: i64,
    },
}

/// The room a fleet has for more game sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FleetRoom {
    /// Its name.
    pub fleet: String,
    /// Share of its server processes that are free, as a percentage (0 to 100).
    pub free_percent: f64,
}

/// Messages set aside for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetAside {
    /// The reason.
    pub reason: QuarantineReason,
    /// How many.
    pub messages: u64,
}
