//! Where a queue sends its placement logs: destinations given, added and removed.
//!
//! They are kept and shown. Nothing is delivered to them, because this world has no service that would receive it.

use super::choice::Choice;
use super::lookup::{self, invalid};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Items, Nested, Text, input};
use liftdeck_simulated_world::records::{LogDeliveryDestination, LogDeliveryDestinationType};

/// The most destinations of a queue (A16, LogDeliveryDestinationList).
const MOST: usize = 3;

static KIND: Choice<LogDeliveryDestinationType> =
    Choice::new(LogDeliveryDestinationType::ALL, LogDeliveryDestinationType::as_str);
static ARN: Text = Text::matching(1, 512, r"^arn:[a-zA-Z0-9:/*._#-]+$");
static DESTINATION: Nested<Destination> = Nested::new();
static DESTINATIONS: Items<'_, Nested<Destination>> = Items { each: &DESTINATION, min: 1, max: MOST };

input! {
    /// `LogDeliveryDestination`.
    pub(super) struct Destination {
        kind: LogDeliveryDestinationType = required("LogDestination", KIND),
        arn: Option<String> = optional("DestinationArn", ARN),
    }

    struct Configuration {
        destinations: Vec<Destination> = required("DeliveryDestinations", DESTINATIONS),
    }

    struct CreateInput {
        logs: Option<Configuration> = optional("LogConfiguration", Nested::<Configuration>::new()),
    }

    /// The destinations that an update adds and removes.
    pub(super) struct Changes {
        added: Option<Vec<Destination>> = optional("AddLogDeliveryDestinations", DESTINATIONS),
        removed: Option<Vec<Destination>> = optional("RemoveLogDeliveryDestinations", DESTINATIONS),
    }
}

/// Reads the destinations a new queue is created with.
pub(super) fn given(call: &Call<'_>) -> Result<Option<Vec<LogDeliveryDestination>>, ServiceError> {
    let input: CreateInput = lookup::read(call)?;
    Ok(input.logs.map(|logs| logs.destinations.into_iter().map(record).collect()))
}

/// Returns the destinations of a queue after an update. A destination to remove has to exist; adding one that exists
/// changes nothing.
pub(super) fn changed(
    input: Changes,
    known: &[LogDeliveryDestination],
) -> Result<Option<Vec<LogDeliveryDestination>>, ServiceError> {
    if input.added.is_none() && input.removed.is_none() {
        return Ok(None);
    }
    let mut all = known.to_vec();
    for destination in input.removed.into_iter().flatten().map(record) {
        let place = all.iter().position(|known| *known == destination).ok_or_else(|| {
            invalid(format!("The queue has no such {} log destination.", destination.log_destination))
        })?;
        all.remove(place);
    }
    for destination in input.added.into_iter().flatten().map(record) {
        if !all.contains(&destination) {
            all.push(destination);
        }
    }
    if all.len() > MOST {
        return Err(invalid(format!("A queue can have at most {MOST} log destinations.")));
    }
    Ok(Some(all))
}

fn record(given: Destination) -> LogDeliveryDestination {
    LogDeliveryDestination { log_destination: given.kind, destination_arn: given.arn }
}
