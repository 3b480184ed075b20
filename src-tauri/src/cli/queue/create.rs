//! `liftdeck queue create`.

use clap::Args;
use liftdeck_model::action::{Action, CreateGameSessionQueue, LatencyPolicy, Request};

use crate::cli::operate::{ChangeOptions, make};
use crate::cli::{Caller, Failure, Outcome};

/// A queue to create.
#[derive(Debug, Args)]
#[command(override_usage = "liftdeck queue create <NAME> [OPTIONS]")]
pub(in crate::cli) struct Create {
    #[command(flatten)]
    options: ChangeOptions,
    /// Name: letters, digits and hyphens
    #[arg(value_name = "NAME")]
    name: String,
    /// Seconds after which a placement is TIMED_OUT, 10 to 600
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    timeout: Option<i32>,
    /// Fleets or aliases in order of preference, by name, id or ARN
    #[arg(long = "destination", num_args = 1.., value_name = "DESTINATION")]
    destinations: Vec<String>,
    /// Maximum latency of any player, and for how long: 80:30 for 80 ms in the first 30 seconds, 120 to the end
    #[arg(long = "latency-policy", num_args = 1.., value_name = "MS[:SECONDS]")]
    policies: Vec<LatencyPolicy>,
    /// Place game sessions only in these locations
    #[arg(long = "allow-location", num_args = 1.., value_name = "LOCATION")]
    allowed_locations: Vec<String>,
    /// What matters first: LATENCY, COST, DESTINATION, LOCATION
    #[arg(long = "priority", num_args = 1.., value_name = "PRIORITY")]
    priority_order: Vec<String>,
    /// Locations in order of preference, for the priority LOCATION
    #[arg(long = "location-order", num_args = 1.., value_name = "LOCATION")]
    location_order: Vec<String>,
    /// Text that is copied to every event of the queue, at most 256 characters
    #[arg(long, value_name = "TEXT")]
    custom_event_data: Option<String>,
    /// ARN of the SNS topic that gets the events of placements
    #[arg(long = "notification-target", value_name = "TOPIC")]
    topic: Option<String>,
}

pub(in crate::cli) async fn run(caller: &Caller, it: Create) -> Result<Outcome, Failure> {
    let chosen = it.options.connection.named(caller).await?;
    let region = chosen.region_for(&it.name)?;
    let to = it.destinations.iter().map(|named| chosen.destination(named, &region));
    let request = CreateGameSessionQueue {
        name: it.name.into(),
        timeout_seconds: it.timeout,
        destinations: to.collect::<Result<Vec<_>, _>>()?,
        player_latency_policies: it.policies,
        allowed_locations: it.allowed_locations,
        priority_order: it.priority_order,
        location_order: it.location_order,
        custom_event_data: it.custom_event_data,
        notification_target: it.topic,
    };
    let action = Action { region, request: Request::CreateGameSessionQueue(request) };
    Box::pin(make(caller, &it.options, chosen, vec![action])).await
}
