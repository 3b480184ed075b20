//! `liftdeck fleet drain`: the orderly end of everything on a fleet.

use clap::Args;
use liftdeck_model::Region;
use liftdeck_model::action::{Action, Request, SetFleetActions, UpdateGameSessionQueue};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_operations::{DrainPlan, Intent};

use super::super::alias;
use super::super::names::Noun;
use super::super::operate::{How, Place, Property, consent_is_possible, intend, property, well_formed};
use super::super::{Caller, Failure, Outcome};

const MANUAL: &str = "\
What leads new game sessions to the fleet has to lead elsewhere first: name each alias with \
--alias ALIAS=FLEET or --close ALIAS=MESSAGE, and each queue with the destinations that remain, --queue QUEUE=FLEET,ALIAS.

The command waits until the fleet is empty. Interrupted, the drain is paused: `liftdeck activity resume` goes on with it.";

/// How a fleet is drained.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(in crate::cli) struct Drain {
    #[command(flatten)]
    how: How,
    /// Name, id or ARN
    #[arg(value_name = "FLEET", add = super::super::complete::of(Noun::Fleet))]
    fleet: String,
    /// Lead this alias to another fleet
    #[arg(long = "alias", value_name = "ALIAS=FLEET", value_parser = property)]
    aliases: Vec<Property>,
    /// Close this alias with a message
    #[arg(long = "close", value_name = "ALIAS=MESSAGE", value_parser = property)]
    closed: Vec<Property>,
    /// Leave this queue only these destinations
    #[arg(long = "queue", value_name = "QUEUE=NAME,NAME", value_parser = property)]
    queues: Vec<Property>,
    /// Protect live game sessions from scale-in meanwhile
    #[arg(long)]
    protect: bool,
    /// Leave automatic scaling at work
    #[arg(long)]
    keep_scaling: bool,
    /// Leave the instances running once the fleet is empty
    #[arg(long)]
    keep_instances: bool,
}

pub(super) async fn run(caller: &Caller, it: &Drain) -> Result<Outcome, Failure> {
    consent_is_possible(caller, &it.how)?;
    let place = it.how.place.named(caller).await?;
    let (region, fleet) = place.meant(Noun::Fleet, &it.fleet)?;
    // A drain begins with these; told before anything is asked or read.
    let suspend = SetFleetActions { fleet_id: fleet.as_str().into(), location: None };
    well_formed(&[Action { region: region.clone(), request: Request::StopFleetActions(suspend) }])?;
    let routes = routes(it, &place)?;
    well_formed(&routes)?;
    let plan = DrainPlan {
        region: region.clone(),
        fleet_id: fleet.into(),
        routes,
        protect: it.protect,
        suspend_scaling: !it.keep_scaling,
        scale_to_zero: !it.keep_instances,
    };
    let desk = place.open(&caller.terminal, vec![region]).await?;
    let outcome = Box::pin(intend(caller, &it.how, &desk, Intent::Drain(plan))).await;
    desk.close().await;
    outcome
}

fn routes(it: &Drain, place: &Place) -> Result<Vec<Action>, Failure> {
    let mut routes = Vec::new();
    for Property { key, value } in &it.aliases {
        let to = |region: &Region| {
            let (_, fleet) = place.meant_in(Noun::Fleet, value, Some(region))?;
            Ok(Some(RoutingStrategy::Simple { fleet_id: fleet.into() }))
        };
        routes.push(alias::update(place, key, None, None, to)?);
    }
    for Property { key, value } in &it.closed {
        let to = |_: &Region| Ok(Some(RoutingStrategy::Terminal { message: value.clone() }));
        routes.push(alias::update(place, key, None, None, to)?);
    }
    for Property { key, value } in &it.queues {
        let (region, name) = place.meant(Noun::Queue, key)?;
        let remain = value.split(',').map(str::trim).filter(|named| !named.is_empty());
        let request = UpdateGameSessionQueue {
            name: name.into(),
            timeout_seconds: None,
            destinations: Some(
                remain.map(|named| place.destination(named, &region)).collect::<Result<_, _>>()?,
            ),
            player_latency_policies: None,
        };
        routes.push(Action { region, request: Request::UpdateGameSessionQueue(request) });
    }
    Ok(routes)
}
