//! Fleet events, newest first.

use super::constraint::{FLEET, POSITIVE, TOKEN};
use super::listing::{self, Asked};
use super::lookup::{self, invalid};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Time, Writer, input};

input! {
    struct EventsInput {
        fleet: String = required("FleetId", FLEET),
        start_ms: Option<i64> = optional("StartTime", Time),
        end_ms: Option<i64> = optional("EndTime", Time),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }
}

/// `DescribeFleetEvents`: from the fleet's creation to now unless a time range is given.
pub(super) fn describe(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: EventsInput = lookup::read(call)?;
    let fleet = lookup::fleet(call, &input.fleet)?;
    let from_ms = input.start_ms.unwrap_or(i64::MIN);
    let to_ms = input.end_ms.unwrap_or_else(|| call.world.now_ms());
    if from_ms > to_ms {
        return Err(invalid("StartTime must not be later than EndTime."));
    }
    let asked = Asked::new(input.limit, &input.token);
    let page = asked.cut(call, fleet.events(from_ms, to_ms), |event| &event.event_id, |_| true)?;
    listing::write(call, writer, "Events", &page);
    Ok(())
}
