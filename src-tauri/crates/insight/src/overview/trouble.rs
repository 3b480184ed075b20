//! What may be wrong, as data. Pure: found in `attention` and `storm`, said in `words`.

use liftdeck_model::feed::QuarantineReason;
use liftdeck_model::observation::PollKind;
use liftdeck_model::{Location, Region};
use serde::{Deserialize, Serialize};
use specta::Type;

/// What is wrong, with the figures behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Trouble {
    /// A fleet is at its limit and has no process free in a location.
    Capped {
        /// Its name.
        fleet: String,
        /// Desired instances over all locations.
        desired: i64,
        /// The most scaling allows over all locations.
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
        /// Instances that are desired and not yet active.
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
    /// EC2 took Spot instances of a fleet back.
    Interrupted {
        /// Its name.
        fleet: String,
        /// How many instances.
        count: i64,
        /// Their type.
        instance_type: Option<String>,
    },
    /// Server processes of a fleet do not come up, crash, or have to be ended.
    ProcessesFail {
        /// Its name.
        fleet: String,
        /// How many.
        count: i64,
        /// What the newest event says.
        message: Option<String>,
    },
    /// A large share of placements does not succeed.
    PlacementsFail {
        /// Placements that timed out.
        timed_out: u64,
        /// Placements that failed.
        failed: u64,
        /// All that ended.
        total: u64,
    },
    /// Messages of an event queue became no event.
    EventsAside {
        /// Name of the queue.
        queue: String,
        /// How many, for which reason.
        counts: Vec<SetAside>,
    },
    /// Something could not be read for a while.
    Unread {
        /// What.
        poll: PollKind,
        /// Where.
        region: Region,
        /// How many resources of it.
        count: usize,
        /// Why, in the words of the failure.
        failure: String,
        /// For how long, in milliseconds.
        for_ms: i64,
    },
}

/// How much room a fleet has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FleetRoom {
    /// Its name.
    pub fleet: String,
    /// Share of its server processes that are free, in percent (0 to 100).
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
