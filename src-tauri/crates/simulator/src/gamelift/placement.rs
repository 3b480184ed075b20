//! Game session queues and placements.

use super::constraint::{ID, POSITIVE, QUEUES, TOKEN};
use super::listing::{self, Asked};
use super::lookup::{self, names, not_found};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place, input};

/// The largest page of queues.
const PAGE: usize = 50;

input! {
    struct QueuesInput {
        names: Option<Vec<String>> = optional("Names", QUEUES),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct PlacementInput {
        placement: String = required("PlacementId", ID),
    }
}

/// `DescribeGameSessionQueues`: unknown names are left out.
pub(super) fn queues(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: QueuesInput = lookup::read(call)?;
    let wanted = input.names.filter(|names| !names.is_empty());
    let asked = Asked::new(input.limit, &input.token).at_most(PAGE);
    let page = asked.cut(
        call,
        call.world.queues(call.region),
        |queue| &queue.name,
        |queue| {
            wanted.as_ref().is_none_or(|wanted| {
                wanted.iter().any(|asked| names(asked, &queue.name, &queue.game_session_queue_arn))
            })
        },
    )?;
    listing::write(call, writer, "GameSessionQueues", &page);
    Ok(())
}

/// `DescribeGameSessionPlacement`.
pub(super) fn describe(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: PlacementInput = lookup::read(call)?;
    let placement = call.world.placement(call.region, &input.placement);
    let placement = placement.ok_or_else(|| not_found("Placement", &input.placement))?;
    in_place!({ "GameSessionPlacement" => placement }).write(writer);
    Ok(())
}
