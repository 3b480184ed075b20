//! `liftdeck fleet drain`: empties a fleet in an orderly way.

use clap::Args;
use liftdeck_model::Region;
use liftdeck_model::action::{Action, Request, SetFleetActions, UpdateGameSessionQueue};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::game_session::GameProperty;
use liftdeck_operations::{DrainPlan, Intent};

use super::super::alias;
use super::super::names::Noun;
use super::super::operate::{ChangeOptions, ChosenConnection, consent_is_possible, well_formed};
use super::super::{Caller, Failure, Outcome};

const MANUAL: &str = "\
Aliases and queues that send new game sessions to the fleet must send them elsewhere first: name each alias with \
--alias ALIAS=FLEET or --close ALIAS=MESSAGE, and each queue with its remaining destinations, --queue QUEUE=FLEET,ALIAS.

The command waits until the fleet is empty. If interrupted, the drain is paused: `liftdeck activity resume` \
continues it.";

/// How a fleet is drained.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(in crate::cli) struct Drain {
    #[command(flatten)]
    options: ChangeOptions,
    /// Name, id or ARN
    #[arg(value_name = "FLEET", add = super::super::complete::of(Noun::Fleet))]
    fleet: String,
    /// Repoint this alias to another fleet
    #[arg(long = "alias", value_name = "ALIAS=FLEET")]
    aliases: Vec<GameProperty>,
    /// Close this alias with a message
    #[arg(long = "close", value_name = "ALIAS=MESSAGE")]
    closed: Vec<GameProperty>,
    /// Keep only these destinations in this queue
    #[arg(long = "queue", value_name = "QUEUE=NAME,NAME")]
    queues: Vec<GameProperty>,
    /// Protect live game sessions from scale-in meanwhile
    #[arg(long)]
    protect: bool,
    /// Leave automatic scaling on
    #[arg(long)]
    keep_scaling: bool,
    /// Leave the instances running once the fleet is empty
    #[arg(long)]
    keep_instances: bool,
}

pub(super) async fn run(caller: &Caller, it: &Drain) -> Result<Outcome, Failure> {
    consent_is_possible(caller, &it.options)?;
    let chosen = it.options.connection.named(caller).await?;
    let (region, fleet) = chosen.meant(Noun::Fleet, &it.fleet)?;
    // A drain starts with this action, so its errors are reported before anything is asked or read.
    let suspend = SetFleetActions { fleet_id: fleet.as_str().into(), location: None };
    well_formed(&[Action { region: region.clone(), request: Request::StopFleetActions(suspend) }])?;
    let routes = routes(it, &chosen)?;
    well_formed(&routes)?;
    let plan = DrainPlan {
        region: region.clone(),
        fleet_id: fleet.into(),
        routes,
        protect: it.protect,
        suspend_scaling: !it.keep_scaling,
        scale_to_zero: !it.keep_instances,
    };
    let connection = chosen.open(&caller.terminal, vec![region]).await?;
    connection.carry_out(caller, &it.options, Intent::Drain(plan)).await
}

fn routes(it: &Drain, chosen: &ChosenConnection) -> Result<Vec<Action>, Failure> {
    let mut routes = Vec::new();
    for GameProperty { key, value } in &it.aliases {
        let to = |region: &Region| {
            let (_, fleet) = chosen.meant_in(Noun::Fleet, value, Some(region))?;
            Ok(Some(RoutingStrategy::Simple { fleet_id: fleet.into() }))
        };
        routes.push(alias::update(chosen, key, None, None, to)?);
    }
    for GameProperty { key, value } in &it.closed {
        let to = |_: &Region| Ok(Some(RoutingStrategy::Terminal { message: value.clone() }));
        routes.push(alias::update(chosen, key, None, None, to)?);
    }
    for GameProperty { key, value } in &it.queues {
        let (region, name) = chosen.meant(Noun::Queue, key)?;
        let remain = value.split(',').map(str::trim).filter(|named| !named.is_empty());
        let request = UpdateGameSessionQueue {
            name: name.into(),
            timeout_seconds: None,
            destinations: Some(
                remain.map(|named| chosen.destination(named, &region)).collect::<Result<_, _>>()?,
            ),
            player_latency_policies: None,
            notification_target: None,
        };
        routes.push(Action { region, request: Request::UpdateGameSessionQueue(request) });
    }
    Ok(routes)
}
