//! The figures that are kept over time, by name: what charts draw and rules watch.
//!
//! Owns the names, what each is about and in which unit. Deliberately does not know how a figure is computed.

use serde::{Deserialize, Serialize};
use specta::Type;
use strum::{EnumString, IntoStaticStr, VariantNames};

/// A figure charts can draw.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Type,
    EnumString,
    IntoStaticStr,
    VariantNames,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "kebab-case")]
pub enum SeriesName {
    /// Desired instances.
    DesiredInstances,
    /// Instances that can host game sessions.
    ActiveInstances,
    /// Instances starting.
    PendingInstances,
    /// Active instances without a game session.
    IdleInstances,
    /// Instances terminating.
    TerminatingInstances,
    /// Lower limit of scaling.
    MinInstances,
    /// Upper limit of scaling.
    MaxInstances,
    /// Percent (0 to 100) of server processes free for a game session.
    PercentAvailableGameSessions,
    /// Target of the fleet's target-based policy, in percent (0 to 100).
    PolicyTarget,
    /// Game sessions running.
    ActiveGameSessions,
    /// Game sessions starting.
    ActivatingGameSessions,
    /// Server processes free for a game session.
    AvailableGameSessions,
    /// Server processes running.
    ActiveServerProcesses,
    /// Server processes that report being healthy.
    HealthyServerProcesses,
    /// Percent (0 to 100) of the running server processes that report being healthy.
    PercentHealthyServerProcesses,
    /// Server processes that started and called `ProcessReady()` inside the bucket.
    ServerProcessActivations,
    /// Server processes that ended inside the bucket, however they ended.
    ServerProcessTerminations,
    /// Server processes that ended abnormally inside the bucket.
    ServerProcessAbnormalTerminations,
    /// Game sessions lost to interrupted spot instances, inside the bucket.
    GameSessionInterruptions,
    /// Spot instances interrupted by AWS inside the bucket.
    InstanceSpotInterruptions,
    /// Player sessions ACTIVE or RESERVED.
    CurrentPlayerSessions,
    /// Placements fulfilled per minute.
    PlacementsFulfilled,
    /// Placements failed or timed out per minute.
    PlacementsFailed,
    /// Placements waiting.
    QueueDepth,
    /// Placements cancelled per minute.
    PlacementsCancelled,
    /// Percent (0 to 100) of the placements ended that failed or timed out.
    PlacementFailedPercent,
    /// Median milliseconds that fulfilled placements took.
    TimeToPlaceP50,
    /// 95th percentile of the milliseconds that fulfilled placements took.
    TimeToPlaceP95,
    /// Tickets matched per minute.
    TicketsCompleted,
    /// Tickets failed per minute.
    TicketsFailed,
    /// Tickets timed out per minute.
    TicketsTimedOut,
    /// Tickets cancelled per minute.
    TicketsCancelled,
    /// Median milliseconds that matched tickets waited.
    MatchmakingWaitP50,
    /// 95th percentile of the milliseconds that matched tickets waited.
    MatchmakingWaitP95,
}

/// What a figure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FigureOf {
    /// A fleet, or one of its locations.
    Fleet,
    /// A queue.
    Queue,
    /// A matchmaking configuration.
    Configuration,
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FigureUnit {
    /// How many there are at a moment.
    Count,
    /// How many there were in a time; they add up.
    Total,
    /// How many there are a minute.
    PerMinute,
    /// A percentage, 0 to 100.
    Percent,
    /// Milliseconds.
    Milliseconds,
}

impl SeriesName {
    /// What it is about.
    pub const fn of(self) -> FigureOf {
        match self {
            Self::PlacementsFulfilled
            | Self::PlacementsFailed
            | Self::QueueDepth
            | Self::PlacementsCancelled
            | Self::PlacementFailedPercent
            | Self::TimeToPlaceP50
            | Self::TimeToPlaceP95 => FigureOf::Queue,
            Self::TicketsCompleted
            | Self::TicketsFailed
            | Self::TicketsTimedOut
            | Self::TicketsCancelled
            | Self::MatchmakingWaitP50
            | Self::MatchmakingWaitP95 => FigureOf::Configuration,
            _ => FigureOf::Fleet,
        }
    }

    /// Its unit.
    pub const fn unit(self) -> FigureUnit {
        match self {
            Self::PercentAvailableGameSessions
            | Self::PercentHealthyServerProcesses
            | Self::PolicyTarget
            | Self::PlacementFailedPercent => FigureUnit::Percent,
            Self::ServerProcessActivations
            | Self::ServerProcessTerminations
            | Self::ServerProcessAbnormalTerminations
            | Self::GameSessionInterruptions
            | Self::InstanceSpotInterruptions => FigureUnit::Total,
            Self::PlacementsFulfilled
            | Self::PlacementsFailed
            | Self::PlacementsCancelled
            | Self::TicketsCompleted
            | Self::TicketsFailed
            | Self::TicketsTimedOut
            | Self::TicketsCancelled => FigureUnit::PerMinute,
            Self::TimeToPlaceP50
            | Self::TimeToPlaceP95
            | Self::MatchmakingWaitP50
            | Self::MatchmakingWaitP95 => FigureUnit::Milliseconds,
            _ => FigureUnit::Count,
        }
    }

    /// Whether it counts instances, so that a share of a fleet's size means something.
    pub const fn counts_instances(self) -> bool {
        matches!(
            self,
            Self::DesiredInstances
                | Self::ActiveInstances
                | Self::PendingInstances
                | Self::IdleInstances
                | Self::TerminatingInstances
                | Self::InstanceSpotInterruptions
        )
    }

    /// Whether only CloudWatch tells it, whose values come minutes late.
    pub const fn comes_late(self) -> bool {
        matches!(
            self,
            Self::ActivatingGameSessions
                | Self::HealthyServerProcesses
                | Self::PercentHealthyServerProcesses
                | Self::ServerProcessActivations
                | Self::ServerProcessTerminations
                | Self::ServerProcessAbnormalTerminations
                | Self::GameSessionInterruptions
                | Self::InstanceSpotInterruptions
                | Self::QueueDepth
        )
    }
}
