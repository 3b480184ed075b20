//! The rules: what each looks at, and for how long it must be seen, or not be seen, to count.

use serde::{Deserialize, Serialize};
use specta::Type;
use strum::{EnumString, IntoStaticStr};

use crate::knowledge::Source;

/// A kind of trouble that is looked for.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    Type,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "kebab-case")]
pub enum Rule {
    /// Nothing can be read of a Region.
    Blind,
    /// Game sessions of a fleet crash far more often than usual.
    Crashes,
    /// Game sessions of a fleet do not become ACTIVE in time.
    Activation,
    /// Server processes of a fleet do not get ready.
    Startup,
    /// Placements of a queue time out or fail far more often than usual.
    Placements,
    /// Tickets of a matchmaking configuration time out or fail far more often than usual.
    Tickets,
    /// A location is at its maximum with no free server process.
    Capped,
    /// A fleet has few free server processes.
    LittleRoom,
    /// A fleet gets no more instances, because the account may have no more of its type.
    InstanceLimit,
    /// Automatic scaling of a fleet is suspended although its policy would ask for more instances.
    ScalingSuspended,
    /// Game sessions of a fleet stay without players far longer than usual.
    EmptySessions,
    /// Game sessions of a fleet stay ACTIVATING or TERMINATING.
    StuckSessions,
    /// A fleet is in status ERROR.
    FleetError,
    /// EC2 reclaims Spot instances.
    Interruptions,
    /// An event queue brings none of the events that must have happened.
    FeedMute,
    /// Messages of an event queue could not be turned into events.
    EventsAside,
    /// Something of a Region cannot be read, while the rest can.
    Unread,
}

impl Rule {
    /// How long it must be seen before it alerts, in milliseconds.
    pub const fn pending_ms(self) -> i64 {
        match self {
            // The statistic behind these demands enough evidence by itself.
            Self::Crashes | Self::Activation | Self::Startup | Self::Placements | Self::Tickets => 0,
            Self::Blind | Self::FleetError | Self::Interruptions => 0,
            // These have lasted for a minute or more when they are first seen.
            Self::EmptySessions | Self::StuckSessions | Self::InstanceLimit => 0,
            Self::ScalingSuspended => 30_000,
            Self::Capped => 2 * 60_000,
            Self::FeedMute | Self::EventsAside | Self::Unread => 2 * 60_000,
            Self::LittleRoom => 10 * 60_000,
        }
    }

    /// How long it must not be seen before it is over, in milliseconds. A blip shorter than this neither ends it nor
    /// dates it anew.
    pub const fn clear_ms(self) -> i64 {
        match self {
            Self::Blind | Self::FleetError => 0,
            Self::Unread => 60_000,
            Self::Capped | Self::LittleRoom | Self::InstanceLimit | Self::ScalingSuspended => 5 * 60_000,
            _ => 3 * 60_000,
        }
    }

    /// The sources without which it can neither be seen nor be called over.
    pub const fn sources(self) -> &'static [Source] {
        match self {
            Self::Crashes | Self::Activation | Self::Startup => &[Source::FleetEvents, Source::GameSessions],
            Self::Interruptions => &[Source::FleetEvents],
            Self::Placements | Self::Tickets => &[Source::EventQueue],
            Self::Capped | Self::LittleRoom => &[Source::Capacity],
            Self::InstanceLimit => &[Source::Capacity, Source::InstanceLimits],
            Self::ScalingSuspended => &[Source::Capacity, Source::Fleets],
            Self::EmptySessions | Self::StuckSessions => &[Source::GameSessions],
            Self::FleetError => &[Source::Fleets],
            Self::Blind | Self::FeedMute | Self::EventsAside | Self::Unread => &[],
        }
    }
}
