//! Aliases.

use aws_sdk_gamelift::types;
use liftdeck_model::action::{CreateAlias, DeleteAlias, UpdateAlias};
use liftdeck_model::alias::RoutingStrategy;

use super::{Change, Made, Sent};
use crate::error::GatewayError;
use crate::mapping::{Lacks, need, routing};

fn strategy(routing: &RoutingStrategy) -> types::RoutingStrategy {
    let to = types::RoutingStrategy::builder();
    match routing {
        RoutingStrategy::Simple { fleet_id } => {
            to.r#type(types::RoutingStrategyType::Simple).fleet_id(fleet_id.as_str())
        }
        RoutingStrategy::Terminal { message } => {
            to.r#type(types::RoutingStrategyType::Terminal).message(message)
        }
    }
    .build()
}

fn made(found: Option<types::Alias>, change: &Change<'_>) -> Result<Made, Lacks> {
    let found = need(found, "an answer", "Alias")?;
    Ok(Made::Alias(Box::new(routing::alias(found, change.region())?)))
}

pub(super) async fn create(change: &Change<'_>, it: &CreateAlias) -> Result<Sent, GatewayError> {
    let request = change
        .client()
        .create_alias()
        .name(&it.name)
        .set_description(it.description.clone())
        .routing_strategy(strategy(&it.routing));
    change.send(|| request.clone().send(), |answer| made(answer.alias, change)).await
}

pub(super) async fn update(change: &Change<'_>, it: &UpdateAlias) -> Result<Sent, GatewayError> {
    let request = change
        .client()
        .update_alias()
        .alias_id(it.alias_id.as_str())
        .set_name(it.name.clone())
        .set_description(it.description.clone())
        .set_routing_strategy(it.routing.as_ref().map(strategy));
    change.send(|| request.clone().send(), |answer| made(answer.alias, change)).await
}

pub(super) async fn delete(change: &Change<'_>, it: &DeleteAlias) -> Result<Sent, GatewayError> {
    let request = change.client().delete_alias().alias_id(it.alias_id.as_str());
    change.send(|| request.clone().send(), |_| Ok(Made::Nothing)).await
}
