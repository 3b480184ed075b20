//! FlexMatch: tickets, configurations and rule sets.

use super::constraint::{MATCHMAKERS, POSITIVE, RULE_SET, RULE_SETS, TICKETS, TOKEN};
use super::listing::{self, Asked};
use super::lookup::{self, names, not_found};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Integer, Wire, Writer, in_place, input};

/// The largest page of configurations and of rule sets.
const PAGE: usize = 10;

input! {
    struct TicketsInput {
        tickets: Vec<String> = required("TicketIds", TICKETS),
    }

    struct ConfigurationsInput {
        names: Option<Vec<String>> = optional("Names", MATCHMAKERS),
        rule_set: Option<String> = optional("RuleSetName", RULE_SET),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct RuleSetsInput {
        names: Option<Vec<String>> = optional("Names", RULE_SETS),
        limit: Option<i64> = optional("Limit", Integer::between(1, 10)),
        token: Option<String> = optional("NextToken", TOKEN),
    }
}

/// `DescribeMatchmaking`: unknown ids are left out.
pub(super) fn tickets(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: TicketsInput = lookup::read(call)?;
    let ids = input.tickets.iter();
    let tickets: Vec<_> = ids.filter_map(|id| call.world.ticket(call.region, id)).collect();
    in_place!({ "TicketList" => tickets }).write(writer);
    Ok(())
}

/// `DescribeMatchmakingConfigurations`.
pub(super) fn configurations(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ConfigurationsInput = lookup::read(call)?;
    let wanted = input.names.filter(|names| !names.is_empty());
    let asked = Asked::new(input.limit, &input.token).at_most(PAGE);
    let page = asked.cut(
        call,
        call.world.matchmaking_configurations(call.region),
        |configuration| &configuration.name,
        |configuration| {
            let (name, arn) = (&configuration.name, &configuration.configuration_arn);
            wanted.as_ref().is_none_or(|wanted| wanted.iter().any(|asked| names(asked, name, arn)))
                && input.rule_set.as_deref().is_none_or(|asked| {
                    names(asked, &configuration.rule_set_name, &configuration.rule_set_arn)
                })
        },
    )?;
    listing::write(call, writer, "Configurations", &page);
    Ok(())
}

/// `DescribeMatchmakingRuleSets`: an unknown name is an error here.
pub(super) fn rule_sets(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: RuleSetsInput = lookup::read(call)?;
    let all = call.world.matchmaking_rule_sets(call.region);
    for asked in input.names.iter().flatten() {
        if !all.iter().any(|rule_set| names(asked, &rule_set.rule_set_name, &rule_set.rule_set_arn)) {
            return Err(not_found("Rule set", asked));
        }
    }
    let page = Asked::new(input.limit, &input.token).at_most(PAGE).cut(
        call,
        all,
        |rule_set| &rule_set.rule_set_name,
        |rule_set| {
            let (name, arn) = (&rule_set.rule_set_name, &rule_set.rule_set_arn);
            input.names.as_ref().is_none_or(|wanted| wanted.iter().any(|asked| names(asked, name, arn)))
        },
    )?;
    listing::write(call, writer, "RuleSets", &page);
    Ok(())
}
