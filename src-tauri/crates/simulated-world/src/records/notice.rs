//! The events of queues and matchmakers: placement and FlexMatch events as typed records.
//!
//! The server owns the JSON envelope and its delivery through SNS, EventBridge and SQS.

use super::PlacedPlayerSession;

/// One event of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// UUID, unique; the same over every route.
    pub id: String,
    /// Epoch milliseconds.
    pub time_ms: i64,
    /// Region of the queue or configuration.
    pub region: String,
    /// `resources[0]`: ARN of the queue or the matchmaking configuration.
    pub resource_arn: String,
    /// Topic to which the resource publishes, if it does. EventBridge receives every event.
    pub notification_target: Option<String>,
    /// Custom data of the resource, copied to its events.
    pub custom_event_data: Option<String>,
    /// What happened.
    pub detail: NoticeDetail,
}

/// The `detail` of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum NoticeDetail {
    /// `GameLift Queue Placement Event`.
    Placement(PlacementNotice),
    /// `GameLift Matchmaking Event`.
    Matchmaking(MatchmakingNotice),
}

/// `detail` of a placement event.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacementNotice {
    /// The placement.
    pub placement_id: String,
    /// Epoch milliseconds.
    pub start_time_ms: i64,
    /// Epoch milliseconds.
    pub end_time_ms: i64,
    /// How it ended.
    pub outcome: PlacementOutcome,
}

/// The four ways a placement ends.
#[derive(Clone, Debug, PartialEq)]
pub enum PlacementOutcome {
    /// `PlacementFulfilled`.
    Fulfilled(Box<FulfilledPlacement>),
    /// `PlacementCancelled`.
    Cancelled,
    /// `PlacementTimedOut`.
    TimedOut,
    /// `PlacementFailed`.
    Failed,
}

impl PlacementOutcome {
    /// `detail.type`.
    pub fn event_type(&self) -> &'static str {
        match self {
            Self::Fulfilled(_) => "PlacementFulfilled",
            Self::Cancelled => "PlacementCancelled",
            Self::TimedOut => "PlacementTimedOut",
            Self::Failed => "PlacementFailed",
        }
    }
}

/// Data that only a fulfilled placement has.
#[derive(Clone, Debug, PartialEq)]
pub struct FulfilledPlacement {
    /// A string in the event's JSON.
    pub port: u16,
    /// The session.
    pub game_session_arn: String,
    /// Address.
    pub ip_address: String,
    /// Name; absent for Anywhere.
    pub dns_name: Option<String>,
    /// Home Region of the fleet.
    pub game_session_region: String,
    /// Location of the session.
    pub game_session_location: String,
    /// Instance or compute.
    pub compute_name: String,
    /// The players who were placed.
    pub placed_player_sessions: Vec<PlacedPlayerSession>,
}

/// `detail` of a FlexMatch event; which members are present depends on the kind.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchmakingNotice {
    /// What happened, with the members of that kind.
    pub kind: MatchmakingKind,
    /// The tickets concerned.
    pub tickets: Vec<NoticeTicket>,
    /// Absent on MatchmakingSearching.
    pub match_id: Option<String>,
    /// Members of `gameSessionInfo` besides `players`; only on MatchmakingSucceeded.
    pub connection: Option<NoticeConnection>,
}

/// Kinds of FlexMatch event.
#[derive(Clone, Debug, PartialEq)]
pub enum MatchmakingKind {
    /// `MatchmakingSearching`.
    Searching {
        /// `estimatedWaitMillis`, in seconds despite its name; `NOT_AVAILABLE` when absent.
        estimated_wait_s: Option<u32>,
    },
    /// `PotentialMatchCreated`.
    PotentialMatchCreated {
        /// Whether players must accept.
        acceptance_required: bool,
        /// Seconds they have to do so.
        acceptance_timeout_s: Option<u32>,
        /// Results of the rule evaluations.
        rule_evaluation_metrics: Vec<RuleEvaluation>,
    },
    /// `AcceptMatch`.
    AcceptMatch,
    /// `AcceptMatchCompleted`.
    AcceptMatchCompleted {
        /// `Accepted`, `Rejected` or `TimedOut`.
        acceptance: &'static str,
    },
    /// `MatchmakingSucceeded`.
    Succeeded,
    /// `MatchmakingTimedOut`.
    TimedOut {
        /// Results of the rule evaluations.
        rule_evaluation_metrics: Vec<RuleEvaluation>,
        /// Text.
        message: String,
    },
    /// `MatchmakingCancelled`.
    Cancelled {
        /// Results of the rule evaluations.
        rule_evaluation_metrics: Vec<RuleEvaluation>,
        /// Text.
        message: String,
    },
    /// `MatchmakingFailed`.
    Failed {
        /// Code of the reason.
        reason: &'static str,
        /// Text.
        message: String,
        /// Results of the rule evaluations.
        rule_evaluation_metrics: Vec<RuleEvaluation>,
    },
}

impl MatchmakingKind {
    /// `detail.type`.
    pub fn event_type(&self) -> &'static str {
        match self {
            Self::Searching { .. } => "MatchmakingSearching",
            Self::PotentialMatchCreated { .. } => "PotentialMatchCreated",
            Self::AcceptMatch => "AcceptMatch",
            Self::AcceptMatchCompleted { .. } => "AcceptMatchCompleted",
            Self::Succeeded => "MatchmakingSucceeded",
            Self::TimedOut { .. } => "MatchmakingTimedOut",
            Self::Cancelled { .. } => "MatchmakingCancelled",
            Self::Failed { .. } => "MatchmakingFailed",
        }
    }

    /// `detail.reason`, on the kinds that have one.
    pub fn reason(&self) -> Option<&'static str> {
        match self {
            Self::TimedOut { .. } => Some("TimedOut"),
            Self::Cancelled { .. } => Some("Cancelled"),
            Self::Failed { reason, .. } => Some(reason),
            _ => None,
        }
    }
}

/// A ticket in a FlexMatch event.
#[derive(Clone, Debug, PartialEq)]
pub struct NoticeTicket {
    /// Id.
    pub ticket_id: String,
    /// Epoch milliseconds.
    pub start_time_ms: i64,
    /// Its players; `gameSessionInfo.players` is all of them together.
    pub players: Vec<NoticePlayer>,
}

/// A player in a FlexMatch event.
#[derive(Clone, Debug, PartialEq)]
pub struct NoticePlayer {
    /// The player.
    pub player_id: String,
    /// Present once matched.
    pub team: Option<String>,
    /// Present once answered.
    pub accepted: Option<bool>,
    /// Present once placed.
    pub player_session_id: Option<String>,
}

/// The game session of a successful match, and how to connect to it.
#[derive(Clone, Debug, PartialEq)]
pub struct NoticeConnection {
    /// The session.
    pub game_session_arn: String,
    /// Address.
    pub ip_address: String,
    /// Name; absent for Anywhere.
    pub dns_name: Option<String>,
    /// A number in the event's JSON.
    pub port: u16,
    /// Location of the session.
    pub game_session_location: String,
    /// Instance or compute.
    pub compute_name: String,
}

/// `ruleEvaluationMetrics[]`, also the names of the rule metrics.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleEvaluation {
    /// The rule.
    pub rule_name: String,
    /// Times it passed.
    pub passed_count: u64,
    /// Times it failed.
    pub failed_count: u64,
}
