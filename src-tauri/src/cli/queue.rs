//! `liftdeck queue`: settings of game session queues.

mod create;
mod list;

use clap::{Args, Subcommand};
use liftdeck_model::action::{Action, LatencyPolicy, Request, UpdateGameSessionQueue};

use super::names::Noun;
use super::operate::{ChangeOptions, make};
use super::show::ReadCommand;
use super::{Caller, Failure, Outcome};

/// The subcommands of `liftdeck queue`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List queues
    List(ReadCommand<list::List>),
    /// Show a queue with its destinations
    Show(ReadCommand<list::Show>),
    /// Create a queue
    Create(Box<create::Create>),
    /// Change destinations, timeout, latency policies or notification target
    Update(Update),
}

/// What to change. Each setting that is given replaces its previous value entirely.
#[derive(Debug, Args)]
#[command(override_usage = "liftdeck queue update <QUEUE> [OPTIONS]")]
#[group(id = "settings", required = true, multiple = true, args = ["timeout", "destinations", "policies", "no_latency_policies", "topic"])]
pub(super) struct Update {
    #[command(flatten)]
    options: ChangeOptions,
    /// Name or ARN
    #[arg(value_name = "QUEUE", add = super::complete::of(Noun::Queue))]
    queue: String,
    /// Seconds after which a placement is TIMED_OUT, 10 to 600
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    timeout: Option<i32>,
    /// Fleets or aliases in order of preference, by name, id or ARN
    #[arg(long = "destination", num_args = 1.., value_name = "DESTINATION")]
    destinations: Vec<String>,
    /// Maximum latency of any player, and for how long: 80:30 for 80 ms in the first 30 seconds, 120 to the end
    #[arg(long = "latency-policy", num_args = 1.., value_name = "MS[:SECONDS]")]
    policies: Vec<LatencyPolicy>,
    /// Remove every latency policy
    #[arg(long, conflicts_with = "policies")]
    no_latency_policies: bool,
    /// ARN of the SNS topic that gets the events of placements
    #[arg(long = "notification-target", value_name = "TOPIC")]
    topic: Option<String>,
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    let it = match command {
        Command::List(it) => return it.show(caller).await,
        Command::Show(it) => return it.show(caller).await,
        Command::Create(it) => return Box::pin(create::run(caller, *it)).await,
        Command::Update(it) => it,
    };
    let chosen = it.options.connection.named(caller).await?;
    let policies = (it.no_latency_policies || !it.policies.is_empty()).then(|| it.policies.clone());
    let (region, name) = chosen.meant(Noun::Queue, &it.queue)?;
    let to = it.destinations.iter().map(|named| chosen.destination(named, &region));
    let destinations = to.collect::<Result<Vec<_>, _>>()?;
    let request = UpdateGameSessionQueue {
        name: name.into(),
        timeout_seconds: it.timeout,
        destinations: (!destinations.is_empty()).then_some(destinations),
        player_latency_policies: policies,
        notification_target: it.topic.clone(),
    };
    let action = Action { region, request: Request::UpdateGameSessionQueue(request) };
    Box::pin(make(caller, &it.options, chosen, vec![action])).await
}
