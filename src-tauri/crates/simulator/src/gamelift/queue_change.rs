//! Operations that create, change and delete game session queues.

use super::choice::Choice;
use super::constraint::{LOCATIONS, QUEUE, SESSION};
use super::listing;
use super::lookup::{self, invalid, names, not_found};
use super::queue_log;
use super::tag::{self, NewTag, TAGS};
use crate::operation::{Call, Change};
use crate::service::ServiceError;
use crate::wire::{Integer, Items, Nested, Text, Wire, Writer, in_place, input};
use liftdeck_simulated_world::QueueSettings;
use liftdeck_simulated_world::records::{PlayerLatencyPolicy, PriorityConfiguration, PriorityType};

static NAME: Text = Text::matching(1, 128, r"^[a-zA-Z0-9-]+$");
static WHOLE: Integer = Integer::between(0, i32::MAX as i64);
static CUSTOM: Text = Text::length(0, 256);
static TOPIC: Text = Text::matching(0, 300, r"^[a-zA-Z0-9:_-]*(\.fifo)?$");
static CRITERION: Choice<PriorityType> = Choice::new(PriorityType::ALL, PriorityType::as_str);
static CRITERIA: Items<'_, Choice<PriorityType>> = Items { each: &CRITERION, min: 1, max: 4 };
static POLICY: Nested<Policy> = Nested::new();
static DESTINATION: Nested<Destination> = Nested::new();

input! {
    struct Policy {
        most_ms: Option<i64> = optional("MaximumIndividualPlayerLatencyMilliseconds", WHOLE),
        lasts_s: Option<i64> = optional("PolicyDurationSeconds", WHOLE),
    }

    struct Destination {
        arn: Option<String> = optional("DestinationArn", SESSION),
    }

    struct Filter {
        locations: Option<Vec<String>> = optional("AllowedLocations", LOCATIONS),
    }

    struct Priorities {
        order: Option<Vec<PriorityType>> = optional("PriorityOrder", CRITERIA),
        locations: Option<Vec<String>> = optional("LocationOrder", LOCATIONS),
    }

    struct Settings {
        timeout_s: Option<i64> = optional("TimeoutInSeconds", WHOLE),
        policies: Option<Vec<Policy>> = optional(
            "PlayerLatencyPolicies",
            Items { each: &POLICY, min: 0, max: usize::MAX }
        ),
        destinations: Option<Vec<Destination>> = optional(
            "Destinations",
            Items { each: &DESTINATION, min: 0, max: usize::MAX }
        ),
        filter: Option<Filter> = optional("FilterConfiguration", Nested::<Filter>::new()),
        priorities: Option<Priorities> = optional("PriorityConfiguration", Nested::<Priorities>::new()),
        custom: Option<String> = optional("CustomEventData", CUSTOM),
        topic: Option<String> = optional("NotificationTarget", TOPIC),
    }

    struct CreateInput {
        name: String = required("Name", NAME),
        tags: Option<Vec<NewTag>> = optional("Tags", TAGS),
    }

    struct NamedInput {
        name: String = required("Name", QUEUE),
    }
}

/// Reads the settings of a new or changed queue and checks them against the service's limits.
fn settings(call: &Call<'_>) -> Result<QueueSettings, ServiceError> {
    let input: Settings = lookup::read(call)?;
    let timeout = input.timeout_s.map(|timeout_s| match u32::try_from(timeout_s) {
        Ok(timeout_s @ 10..=600) => Ok(timeout_s),
        _ => Err(invalid("TimeoutInSeconds must be from 10 to 600.")),
    });
    let policies = input.policies.map(|policies| policies.iter().map(policy).collect());
    let destinations = input.destinations.map(|all| {
        let arns = all.into_iter().map(|destination| destination.arn);
        arns.map(|arn| arn.ok_or_else(|| invalid("A destination has no DestinationArn."))).collect()
    });
    Ok(QueueSettings {
        timeout_in_seconds: timeout.transpose()?,
        player_latency_policies: policies.transpose()?,
        destinations: destinations.transpose()?,
        allowed_locations: input.filter.map(|filter| filter.locations.unwrap_or_default()),
        priority_configuration: input.priorities.map(priorities).transpose()?,
        custom_event_data: input.custom,
        notification_target: input.topic,
        log_destinations: None,
    })
}

fn policy(policy: &Policy) -> Result<PlayerLatencyPolicy, ServiceError> {
    let whole = |value: i64| u32::try_from(value).unwrap_or(u32::MAX);
    let most_ms = policy.most_ms.ok_or_else(|| {
        invalid("Every player latency policy needs MaximumIndividualPlayerLatencyMilliseconds.")
    })?;
    Ok(PlayerLatencyPolicy {
        maximum_individual_player_latency_milliseconds: whole(most_ms),
        policy_duration_seconds: policy.lasts_s.map(whole),
    })
}

fn priorities(input: Priorities) -> Result<PriorityConfiguration, ServiceError> {
    let order = input.order.unwrap_or_default();
    let locations = input.locations.unwrap_or_default();
    let twice = repeated(&order).map(ToString::to_string).or(repeated(&locations).cloned());
    if let Some(twice) = twice {
        return Err(invalid(format!("PriorityConfiguration lists {twice} more than once.")));
    }
    Ok(PriorityConfiguration { priority_order: order, location_order: locations })
}

/// Returns the first item that already occurs earlier in the list.
pub(super) fn repeated<T: PartialEq>(list: &[T]) -> Option<&T> {
    list.iter()
        .enumerate()
        .find(|(at, item)| list.iter().take(*at).any(|before| before == *item))
        .map(|(_, item)| item)
}

/// Returns the name of the queue with this name or ARN.
pub(super) fn named(call: &Call<'_>, name_or_arn: &str) -> Result<String, ServiceError> {
    let mut queues = call.world.queues(call.region);
    let found = queues.find(|queue| names(name_or_arn, &queue.name, &queue.game_session_queue_arn));
    let found = found.ok_or_else(|| not_found("Game session queue", name_or_arn))?;
    Ok(found.name.clone())
}

fn write(change: &Change<'_>, name: &str, writer: &mut Writer) {
    let queue = change.world.queues(change.region).find(|queue| queue.name == name);
    in_place!({ "GameSessionQueue" => queue }).write(writer);
}

/// `CreateGameSessionQueue`.
pub(super) fn create(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: CreateInput = lookup::read(&change.call())?;
    let logs = queue_log::given(&change.call())?;
    let settings = QueueSettings { log_destinations: logs, ..settings(&change.call())? };
    change.world.create_queue(change.region, &input.name, settings, tag::by_key(input.tags)?)?;
    write(change, &input.name, writer);
    Ok(())
}

/// `UpdateGameSessionQueue`.
pub(super) fn update(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: NamedInput = lookup::read(&change.call())?;
    let settings = settings(&change.call())?;
    let logs: queue_log::Changes = lookup::read(&change.call())?;
    let name = named(&change.call(), &input.name)?;
    let known = change.world.queues(change.region).find(|queue| queue.name == name);
    let known = known.map(|queue| queue.log_destinations.clone()).unwrap_or_default();
    let logs = queue_log::changed(logs, &known)?;
    let settings = QueueSettings { log_destinations: logs, ..settings };
    change.world.update_queue(change.region, &name, settings)?;
    write(change, &name, writer);
    Ok(())
}

/// `DeleteGameSessionQueue`.
pub(super) fn delete(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: NamedInput = lookup::read(&change.call())?;
    let name = named(&change.call(), &input.name)?;
    change.world.delete_queue(change.region, &name)?;
    listing::write_empty(writer);
    Ok(())
}
