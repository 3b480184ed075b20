//! Queues, aliases, matchmaking configurations.

use aws_sdk_gamelift::types;
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::matchmaking::MatchmakingConfiguration;
use liftdeck_model::queue::{GameSessionQueue, PlayerLatencyPolicy};
use liftdeck_model::{AliasId, FleetId, QueueName, Region};

use super::{Lacks, moment, need, text, texts};

pub(crate) fn queue(from: types::GameSessionQueue, region: &Region) -> Result<GameSessionQueue, Lacks> {
    let policies =
        from.player_latency_policies.unwrap_or_default().into_iter().map(|policy| PlayerLatencyPolicy {
            maximum_individual_player_latency_ms: policy.maximum_individual_player_latency_milliseconds,
            policy_duration_seconds: policy.policy_duration_seconds,
        });
    let destinations = from.destinations.unwrap_or_default().into_iter();
    let (priority_order, location_order) = from
        .priority_configuration
        .map(|found| (found.priority_order, found.location_order))
        .unwrap_or_default();
    Ok(GameSessionQueue {
        name: QueueName::new(need(from.name, "a queue", "Name")?),
        region: region.clone(),
        arn: from.game_session_queue_arn,
        timeout_seconds: from.timeout_in_seconds,
        destinations: destinations.filter_map(|destination| destination.destination_arn).collect(),
        player_latency_policies: policies.collect(),
        allowed_locations: from
            .filter_configuration
            .and_then(|found| found.allowed_locations)
            .unwrap_or_default(),
        priority_order: texts(priority_order),
        location_order: location_order.unwrap_or_default(),
        custom_event_data: from.custom_event_data,
        notification_target: from.notification_target,
    })
}

pub(crate) fn alias(from: types::Alias, region: &Region) -> Result<Alias, Lacks> {
    const RECORD: &str = "an alias";
    let routing = need(from.routing_strategy, RECORD, "RoutingStrategy")?;
    let routing = match routing.r#type {
        Some(types::RoutingStrategyType::Terminal) => {
            RoutingStrategy::Terminal { message: routing.message.unwrap_or_default() }
        }
        _ => RoutingStrategy::Simple {
            fleet_id: FleetId::new(need(routing.fleet_id, RECORD, "RoutingStrategy.FleetId")?),
        },
    };
    Ok(Alias {
        alias_id: AliasId::new(need(from.alias_id, RECORD, "AliasId")?),
        alias_arn: from.alias_arn,
        region: region.clone(),
        name: need(from.name, RECORD, "Name")?,
        description: from.description,
        routing,
        creation_time: from.creation_time.map(moment),
        last_updated_time: from.last_updated_time.map(moment),
    })
}

pub(crate) fn matchmaking_configuration(
    from: types::MatchmakingConfiguration,
    region: &Region,
) -> Result<MatchmakingConfiguration, Lacks> {
    Ok(MatchmakingConfiguration {
        name: need(from.name, "a matchmaking configuration", "Name")?,
        region: region.clone(),
        arn: from.configuration_arn,
        description: from.description,
        queue_arns: from.game_session_queue_arns.unwrap_or_default(),
        request_timeout_seconds: from.request_timeout_seconds,
        acceptance_timeout_seconds: from.acceptance_timeout_seconds,
        acceptance_required: from.acceptance_required.unwrap_or_default(),
        rule_set_name: from.rule_set_name,
        notification_target: from.notification_target,
        additional_player_count: from.additional_player_count,
        backfill_mode: text(from.backfill_mode),
        flex_match_mode: text(from.flex_match_mode),
        creation_time: from.creation_time.map(moment),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alias_to(routing: types::RoutingStrategy) -> Result<RoutingStrategy, Lacks> {
        let built =
            types::Alias::builder().alias_id("alias-1").name("live").routing_strategy(routing).build();
        alias(built, &Region::from("eu-west-1")).map(|alias| alias.routing)
    }

    #[test]
    fn an_alias_leads_to_a_fleet_or_to_a_message() {
        let simple =
            types::RoutingStrategy::builder().r#type(types::RoutingStrategyType::Simple).fleet_id("fleet-2");
        assert_eq!(
            alias_to(simple.build()),
            Ok(RoutingStrategy::Simple { fleet_id: FleetId::from("fleet-2") })
        );
        let terminal =
            types::RoutingStrategy::builder().r#type(types::RoutingStrategyType::Terminal).message("closed");
        assert_eq!(
            alias_to(terminal.build()),
            Ok(RoutingStrategy::Terminal { message: "closed".to_owned() })
        );
        assert!(alias_to(types::RoutingStrategy::builder().build()).is_err());
    }

    #[test]
    fn a_queue_keeps_the_order_of_its_destinations_and_priorities() {
        let destination =
            |arn: &str| types::GameSessionQueueDestination::builder().destination_arn(arn).build();
        let built = types::GameSessionQueue::builder()
            .name("eu")
            .destinations(destination("arn:b"))
            .destinations(destination("arn:a"))
            .priority_configuration(
                types::PriorityConfiguration::builder()
                    .priority_order(types::PriorityType::Cost)
                    .priority_order(types::PriorityType::Latency)
                    .build(),
            )
            .build();
        let queue = queue(built, &Region::from("eu-west-1")).unwrap();
        assert_eq!(queue.destinations, ["arn:b", "arn:a"]);
        assert_eq!(queue.priority_order, ["COST", "LATENCY"]);
    }
}
