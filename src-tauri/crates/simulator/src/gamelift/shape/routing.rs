//! Aliases and game session queues.

use crate::wire::{At, Filled, Wire, Writer, enumerations, in_place, structure};
use liftdeck_simulated_world::records::{
    Alias, GameSessionQueue, LogDeliveryDestination, LogDeliveryDestinationType, PlayerLatencyPolicy,
    PriorityConfiguration, PriorityType, RoutingStrategy,
};

enumerations!(LogDeliveryDestinationType, PriorityType);

structure!(Alias, alias, {
    "AliasId" => alias.alias_id,
    "Name" => alias.name,
    "AliasArn" => alias.alias_arn,
    "Description" => alias.description,
    "RoutingStrategy" => alias.routing_strategy,
    "CreationTime" => At(alias.creation_time_ms),
    "LastUpdatedTime" => At(alias.last_updated_time_ms),
});

impl Wire for RoutingStrategy {
    fn write(&self, writer: &mut Writer) {
        match self {
            RoutingStrategy::Simple { fleet_id } => {
                in_place!({ "Type" => "SIMPLE", "FleetId" => fleet_id }).write(writer);
            }
            RoutingStrategy::Terminal { message } => {
                in_place!({ "Type" => "TERMINAL", "Message" => message }).write(writer);
            }
        }
    }
}

/// A destination of a queue: the ARN of a fleet or an alias.
struct Destination<'a>(&'a str);

structure!(Destination<'_>, destination, { "DestinationArn" => destination.0 });

structure!(GameSessionQueue, queue, {
    "Name" => queue.name,
    "GameSessionQueueArn" => queue.game_session_queue_arn,
    "TimeoutInSeconds" => queue.timeout_in_seconds,
    "PlayerLatencyPolicies" => Filled(&queue.player_latency_policies),
    "Destinations" => queue.destinations.iter().map(|arn| Destination(arn)).collect::<Vec<_>>(),
    "FilterConfiguration" => (!queue.allowed_locations.is_empty()).then_some(in_place!({
        "AllowedLocations" => queue.allowed_locations,
    })),
    "PriorityConfiguration" => queue.priority_configuration,
    "CustomEventData" => queue.custom_event_data,
    "NotificationTarget" => queue.notification_target,
    "LogConfiguration" => (!queue.log_destinations.is_empty()).then_some(in_place!({
        "DeliveryDestinations" => queue.log_destinations,
    })),
});

structure!(LogDeliveryDestination, destination, {
    "LogDestination" => destination.log_destination,
    "DestinationArn" => destination.destination_arn,
});

structure!(PriorityConfiguration, configuration, {
    "PriorityOrder" => Filled(&configuration.priority_order),
    "LocationOrder" => Filled(&configuration.location_order),
});

structure!(PlayerLatencyPolicy, policy, {
    "MaximumIndividualPlayerLatencyMilliseconds" => policy.maximum_individual_player_latency_milliseconds,
    "PolicyDurationSeconds" => policy.policy_duration_seconds,
});
