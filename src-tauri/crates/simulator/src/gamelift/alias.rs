//! Aliases.

use super::constraint::{ALIAS, NON_EMPTY, POSITIVE, ROUTING, TOKEN};
use super::listing::{self, Asked};
use super::lookup::{self, not_found};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place, input};
use crate::world::records::RoutingStrategy;

input! {
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

/// `ResolveAlias`: a terminal alias answers with an error that carries its text.
pub(super) fn resolve(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: AliasInput = lookup::read(call)?;
    let id = lookup::route(lookup::alias(call, &input.alias)?)?;
    let fleet = call.world.fleet(call.region, id).ok_or_else(|| not_found("Fleet", id))?;
    in_place!({ "FleetId" => fleet.id(), "FleetArn" => fleet.arn() }).write(writer);
    Ok(())
}
