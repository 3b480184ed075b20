//! Aliases.

use super::constraint::{ALIAS, NON_EMPTY, POSITIVE, ROUTING, SHORT_TEXT, TOKEN};
use super::listing::{self, Asked};
use super::lookup::{self, invalid, not_found};
use super::tag::{self, NewTag, TAGS};
use crate::operation::{Call, Change};
use crate::service::ServiceError;
use crate::wire::{Nested, Text, Wire, Writer, in_place, input};
use liftdeck_simulated_world::records::RoutingStrategy;

static NAME: Text = Text::matching(1, 1024, r"^.*\S.*$");
static FLEET_ID: Text = Text::matching(1, 128, r"^[a-z]*fleet-[a-zA-Z0-9\-]+$");
static MESSAGE: Text = Text::any();
static STRATEGY: Nested<Strategy> = Nested::new();

input! {
    struct Strategy {
        kind: Option<String> = optional("Type", ROUTING),
        fleet: Option<String> = optional("FleetId", FLEET_ID),
        message: Option<String> = optional("Message", MESSAGE),
    }

    struct CreateInput {
        name: String = required("Name", NAME),
        description: Option<String> = optional("Description", SHORT_TEXT),
        strategy: Strategy = required("RoutingStrategy", STRATEGY),
        tags: Option<Vec<NewTag>> = optional("Tags", TAGS),
    }

    struct UpdateInput {
        alias: String = required("AliasId", ALIAS),
        name: Option<String> = optional("Name", NAME),
        description: Option<String> = optional("Description", SHORT_TEXT),
        strategy: Option<Strategy> = optional("RoutingStrategy", STRATEGY),
    }

    struct ListInput {
        routing: Option<String> = optional("RoutingStrategyType", ROUTING),
        name: Option<String> = optional("Name", NON_EMPTY),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct AliasInput {
        alias: String = required("AliasId", ALIAS),
    }
}

/// `ListAliases`.
pub(super) fn list(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ListInput = lookup::read(call)?;
    let page = Asked::new(input.limit, &input.token).cut(
        call,
        call.world.aliases(call.region),
        |alias| &alias.alias_id,
        |alias| {
            let routing = match alias.routing_strategy {
                RoutingStrategy::Simple { .. } => "SIMPLE",
                RoutingStrategy::Terminal { .. } => "TERMINAL",
            };
            input.routing.as_deref().is_none_or(|asked| asked == routing)
                && input.name.as_deref().is_none_or(|asked| asked == alias.name)
        },
    )?;
    listing::write(call, writer, "Aliases", &page);
    Ok(())
}

/// `DescribeAlias`.
pub(super) fn describe(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: AliasInput = lookup::read(call)?;
    let alias = lookup::alias(call, &input.alias)?;
    in_place!({ "Alias" => alias }).write(writer);
    Ok(())
}

/// `ResolveAlias`: a terminal alias returns an error with its message.
pub(super) fn resolve(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: AliasInput = lookup::read(call)?;
    let id = lookup::route(lookup::alias(call, &input.alias)?)?;
    let fleet = call.world.fleet(call.region, id).ok_or_else(|| not_found("Fleet", id))?;
    in_place!({ "FleetId" => fleet.id(), "FleetArn" => fleet.arn() }).write(writer);
    Ok(())
}

/// Reads the requested strategy: one fleet by its id, or a message.
fn strategy(input: Strategy) -> Result<RoutingStrategy, ServiceError> {
    match (input.kind.as_deref(), input.fleet, input.message) {
        (Some("SIMPLE"), Some(fleet_id), None) => Ok(RoutingStrategy::Simple { fleet_id }),
        (Some("TERMINAL"), None, Some(message)) => Ok(RoutingStrategy::Terminal { message }),
        (Some("SIMPLE"), ..) => Err(invalid("A SIMPLE routing strategy needs a FleetId and no Message.")),
        (Some(_), ..) => Err(invalid("A TERMINAL routing strategy needs a Message and no FleetId.")),
        (None, ..) => Err(invalid("RoutingStrategy needs a Type.")),
    }
}

/// Refuses a strategy whose fleet is not in the alias's Region.
fn leads(call: &Call<'_>, routing: &RoutingStrategy) -> Result<(), ServiceError> {
    match routing {
        RoutingStrategy::Simple { fleet_id } => lookup::fleet(call, fleet_id).map(|_| ()),
        RoutingStrategy::Terminal { .. } => Ok(()),
    }
}

fn write(change: &Change<'_>, alias_id: &str, writer: &mut Writer) -> Result<(), ServiceError> {
    let call = change.call();
    in_place!({ "Alias" => lookup::alias(&call, alias_id).ok() }).write(writer);
    Ok(())
}

/// `CreateAlias`. It declares no NotFoundException, so an unknown fleet is an invalid request.
pub(super) fn create(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: CreateInput = lookup::read(&change.call())?;
    let routing = strategy(input.strategy)?;
    leads(&change.call(), &routing).map_err(|error| invalid(error.message))?;
    let tags = tag::by_key(input.tags)?;
    let id = change.world.create_alias(change.region, input.name, input.description, routing, tags)?;
    write(change, &id, writer)
}

/// `UpdateAlias`: reads show the change at once; new placements follow it up to two minutes later.
pub(super) fn update(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: UpdateInput = lookup::read(&change.call())?;
    let id = lookup::alias(&change.call(), &input.alias)?.alias_id.clone();
    let routing = input.strategy.map(strategy).transpose()?;
    if let Some(routing) = &routing {
        leads(&change.call(), routing)?;
    }
    change.world.update_alias(change.region, &id, input.name, input.description, routing)?;
    write(change, &id, writer)
}

/// `DeleteAlias`.
pub(super) fn delete(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: AliasInput = lookup::read(&change.call())?;
    let id = lookup::alias(&change.call(), &input.alias)?.alias_id.clone();
    change.world.delete_alias(change.region, &id)?;
    listing::write_empty(writer);
    Ok(())
}
