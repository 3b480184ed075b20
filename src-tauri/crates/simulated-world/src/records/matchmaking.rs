//! FlexMatch: configurations, rule sets and tickets.

use super::{GameProperty, PlacedPlayerSession, wire_enum};

wire_enum!(/// State of a ticket.
MatchmakingConfigurationStatus {
    Cancelled = "CANCELLED", Completed = "COMPLETED", Failed = "FAILED", Placing = "PLACING",
    Queued = "QUEUED", RequiresAcceptance = "REQUIRES_ACCEPTANCE", Searching = "SEARCHING",
    TimedOut = "TIMED_OUT",
});
wire_enum!(/// Who fills sessions that lose players.
BackfillMode { Automatic = "AUTOMATIC", Manual = "MANUAL" });
wire_enum!(/// Whether matches go to a queue.
FlexMatchMode { Standalone = "STANDALONE", WithQueue = "WITH_QUEUE" });

/// `MatchmakingConfiguration`.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchmakingConfiguration {
    /// Name, unique in the region.
    pub name: String,
    /// ARN with the account.
    pub configuration_arn: String,
    /// Free text.
    pub description: Option<String>,
    /// Queues that place its matches.
    pub game_session_queue_arns: Vec<String>,
    /// 1..=43200.
    pub request_timeout_seconds: u32,
    /// 1..=600.
    pub acceptance_timeout_seconds: Option<u32>,
    /// Whether players must accept.
    pub acceptance_required: bool,
    /// Rule set.
    pub rule_set_name: String,
    /// Its ARN.
    pub rule_set_arn: String,
    /// SNS topic.
    pub notification_target: Option<String>,
    /// Slots kept open for later players.
    pub additional_player_count: Option<u32>,
    /// Copied to every event.
    pub custom_event_data: Option<String>,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
    /// Given to each session.
    pub game_properties: Vec<GameProperty>,
    /// Given to each session.
    pub game_session_data: Option<String>,
    /// Who backfills.
    pub backfill_mode: BackfillMode,
    /// With or without queue.
    pub flex_match_mode: FlexMatchMode,
}

/// `MatchmakingRuleSet`.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchmakingRuleSet {
    /// Name, unique in the region.
    pub rule_set_name: String,
    /// ARN with the account.
    pub rule_set_arn: String,
    /// FlexMatch JSON.
    pub rule_set_body: String,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
}

/// `MatchmakingTicket`.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchmakingTicket {
    /// Id.
    pub ticket_id: String,
    /// Configuration.
    pub configuration_name: String,
    /// Its ARN.
    pub configuration_arn: String,
    /// State.
    pub status: MatchmakingConfigurationStatus,
    /// Code of the reason, if the ticket ended without success.
    pub status_reason: Option<String>,
    /// Message for that reason.
    pub status_message: Option<String>,
    /// Epoch milliseconds.
    pub start_time_ms: i64,
    /// Epoch milliseconds; absent until ended.
    pub end_time_ms: Option<i64>,
    /// The players who want to play.
    pub players: Vec<Player>,
    /// Present once COMPLETED.
    pub game_session_connection_info: Option<GameSessionConnectionInfo>,
    /// Seconds.
    pub estimated_wait_time_s: Option<u32>,
}

/// `Player` of a ticket.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The player.
    pub player_id: String,
    /// `PlayerAttributes`, by name.
    pub player_attributes: Vec<(String, AttributeValue)>,
    /// Present once matched.
    pub team: Option<String>,
    /// `LatencyInMs`, by location.
    pub latency_in_ms: Vec<(String, u32)>,
}

/// `AttributeValue`.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeValue {
    /// `S`.
    Text(String),
    /// `N`.
    Number(f64),
    /// `SL`.
    Texts(Vec<String>),
    /// `SDM`.
    Numbers(Vec<(String, f64)>),
}

impl AttributeValue {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The value in the form that matchmaker data uses.
    pub(crate) fn matchmaker_json(&self) -> serde_json::Value {
        let (kind, value) = match self {
            Self::Text(text) => ("STRING", serde_json::json!(text)),
            Self::Number(number) => ("DOUBLE", serde_json::json!(number)),
            Self::Texts(texts) => ("STRING_LIST", serde_json::json!(texts)),
            Self::Numbers(numbers) => {
                let members = numbers.iter().map(|(name, number)| (name.clone(), serde_json::json!(number)));
                ("STRING_DOUBLE_MAP", serde_json::Value::Object(members.collect()))
            }
        };
        serde_json::json!({ "attributeType": kind, "valueAttribute": value })
    }
}

/// `GameSessionConnectionInfo`.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSessionConnectionInfo {
    /// The session.
    pub game_session_arn: String,
    /// Address.
    pub ip_address: Option<String>,
    /// Name.
    pub dns_name: Option<String>,
    /// Port.
    pub port: Option<u16>,
    /// `MatchedPlayerSessions`.
    pub matched_player_sessions: Vec<PlacedPlayerSession>,
}
