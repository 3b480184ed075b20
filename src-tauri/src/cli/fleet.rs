//! `liftdeck fleet`: lists, capacity, scaling, protection and drain of fleets.

mod drain;
mod instances;
mod list;
mod policy;

use clap::{Args, Subcommand};
use liftdeck_model::action::{
    Action, Protection, Request, SetFleetActions, UpdateFleetAttributes, UpdateFleetCapacity,
};
use liftdeck_model::{FleetId, Location};

use super::names::Noun;
use super::operate::{ChangeOptions, ChosenConnection, make};
use super::show::ReadCommand;
use super::{Caller, Failure, Outcome};
pub(super) use list::{fleets, meant_fleet, state};

/// The subcommands of `liftdeck fleet`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List fleets
    List(ReadCommand<list::List>),
    /// Show a fleet
    Show(ReadCommand<list::Show>),
    /// List the instances or computes of a fleet with their server processes and game sessions
    Instances(ReadCommand<instances::Instances>),
    /// Set desired, minimum or maximum instances of a location
    Capacity(Capacity),
    /// Add, replace or delete a scaling policy
    #[command(subcommand)]
    Policy(policy::Command),
    /// Suspend or resume automatic scaling of a location
    #[command(subcommand)]
    Scaling(Scaling),
    /// Protect new game sessions from scale-in, or stop protecting them
    Protect(Protect),
    /// Drain a fleet: send new game sessions elsewhere, wait for the live ones, scale to zero
    Drain(drain::Drain),
}

/// The capacity to set.
#[derive(Debug, Args)]
#[group(id = "capacity", required = true, multiple = true, args = ["desired", "min", "max"])]
pub(super) struct Capacity {
    #[command(flatten)]
    options: ChangeOptions,
    #[command(flatten)]
    fleets: Fleets,
    /// Desired instances
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    desired: Option<i32>,
    /// Lower limit of scaling
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    min: Option<i32>,
    /// Upper limit of scaling
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    max: Option<i32>,
}

/// Which fleets, and where.
#[derive(Debug, Args)]
pub(super) struct Fleets {
    /// Names, ids or ARNs; - reads them from stdin, one per line
    #[arg(required = true, value_name = "FLEET", add = super::complete::of(Noun::Fleet))]
    fleets: Vec<String>,
    /// Location; the home Region when absent
    #[arg(long, value_name = "LOCATION")]
    location: Option<String>,
}

/// Automatic scaling.
#[derive(Debug, Subcommand)]
pub(super) enum Scaling {
    /// Suspend every policy of the location
    Suspend(Actions),
    /// Resume the policies
    Resume(Actions),
}

/// Where scaling is suspended or resumed.
#[derive(Debug, Args)]
pub(super) struct Actions {
    #[command(flatten)]
    options: ChangeOptions,
    #[command(flatten)]
    fleets: Fleets,
}

/// Protection of new game sessions.
#[derive(Debug, Args)]
pub(super) struct Protect {
    #[command(flatten)]
    options: ChangeOptions,
    /// Names, ids or ARNs; - reads them from stdin, one per line
    #[arg(required = true, value_name = "FLEET", add = super::complete::of(Noun::Fleet))]
    fleets: Vec<String>,
    /// Let scale-in end new game sessions again
    #[arg(long)]
    off: bool,
}

impl Fleets {
    /// Builds an action for each fleet.
    fn each(
        &self,
        caller: &Caller,
        chosen: &ChosenConnection,
        request: impl Fn(FleetId, Option<Location>) -> Request,
    ) -> Result<Vec<Action>, Failure> {
        let location = self.location.as_deref().map(Location::from);
        chosen.each(caller, Noun::Fleet, &self.fleets, |id| request(id.into(), location.clone()))
    }
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    let (options, chosen, actions) = match &command {
        Command::Capacity(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let actions = it.fleets.each(caller, &chosen, |fleet_id, location| {
                Request::UpdateFleetCapacity(UpdateFleetCapacity {
                    fleet_id,
                    location,
                    desired_instances: it.desired,
                    min_size: it.min,
                    max_size: it.max,
                })
            })?;
            (&it.options, chosen, actions)
        }
        Command::Scaling(scaling) => {
            let (it, request): (_, fn(SetFleetActions) -> Request) = match scaling {
                Scaling::Suspend(it) => (it, Request::StopFleetActions),
                Scaling::Resume(it) => (it, Request::StartFleetActions),
            };
            let chosen = it.options.connection.named(caller).await?;
            let actions = it.fleets.each(caller, &chosen, |fleet_id, location| {
                request(SetFleetActions { fleet_id, location })
            })?;
            (&it.options, chosen, actions)
        }
        Command::Protect(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let policy = if it.off { Protection::NoProtection } else { Protection::FullProtection };
            let actions = chosen.each(caller, Noun::Fleet, &it.fleets, |id| {
                Request::UpdateFleetAttributes(UpdateFleetAttributes {
                    fleet_id: id.into(),
                    new_game_session_protection_policy: policy,
                })
            })?;
            (&it.options, chosen, actions)
        }
        Command::List(it) => return it.show(caller).await,
        Command::Show(it) => return it.show(caller).await,
        Command::Instances(it) => return it.show(caller).await,
        Command::Policy(it) => return Box::pin(policy::run(caller, it)).await,
        Command::Drain(it) => return Box::pin(drain::run(caller, it)).await,
    };
    Box::pin(make(caller, options, chosen, actions)).await
}
