//! Routing to fleets: aliases and game session queues.

use super::wire_enum;

wire_enum!(/// Criteria that a queue can put in order.
PriorityType { Latency = "LATENCY", Cost = "COST", Destination = "DESTINATION", Location = "LOCATION" });

wire_enum!(/// Services that can keep the placement logs of a queue.
LogDeliveryDestinationType { CloudWatch = "CLOUDWATCH", S3 = "S3", Firehose = "FIREHOSE" });

/// `Alias`.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// `alias-…`.
    pub alias_id: String,
    /// Not unique.
    pub name: String,
    /// ARN.
    pub alias_arn: String,
    /// Free text.
    pub description: Option<String>,
    /// Where it leads.
    pub routing_strategy: RoutingStrategy,
    /// Epoch milliseconds.
    pub creation_time_ms: i64,
    /// Epoch milliseconds; changes with UpdateAlias.
    pub last_updated_time_ms: i64,
}

/// `RoutingStrategy`.
#[derive(Clone, Debug, PartialEq)]
pub enum RoutingStrategy {
    /// Leads to a fleet.
    Simple {
        /// The id, never the ARN.
        fleet_id: String,
    },
    /// Leads to no fleet.
    Terminal {
        /// Text for the caller.
        message: String,
    },
}

/// `GameSessionQueue`.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSessionQueue {
    /// Name, unique in the region.
    pub name: String,
    /// ARN with the account.
    pub game_session_queue_arn: String,
    /// 10..=600.
    pub timeout_in_seconds: u32,
    /// In the order in which they apply.
    pub player_latency_policies: Vec<PlayerLatencyPolicy>,
    /// `Destinations[].DestinationArn`, fleets or aliases, in order of preference.
    pub destinations: Vec<String>,
    /// `FilterConfiguration.AllowedLocations`.
    pub allowed_locations: Vec<String>,
    /// `PriorityConfiguration`.
    pub priority_configuration: Option<PriorityConfiguration>,
    /// Copied to every event.
    pub custom_event_data: Option<String>,
    /// SNS topic.
    pub notification_target: Option<String>,
    /// `LogConfiguration.DeliveryDestinations`, at most three. Stored and shown, but nothing is delivered to them.
    pub log_destinations: Vec<LogDeliveryDestination>,
}

/// `LogDeliveryDestination`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogDeliveryDestination {
    /// The service.
    pub log_destination: LogDeliveryDestinationType,
    /// ARN of the log group, bucket or stream.
    pub destination_arn: Option<String>,
}

/// `PriorityConfiguration` of a queue.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorityConfiguration {
    /// Criteria, most important first.
    pub priority_order: Vec<PriorityType>,
    /// Locations, best first.
    pub location_order: Vec<String>,
}

/// `PlayerLatencyPolicy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerLatencyPolicy {
    /// Maximum latency of any one player, in milliseconds.
    pub maximum_individual_player_latency_milliseconds: u32,
    /// Absent on the last policy.
    pub policy_duration_seconds: Option<u32>,
}
