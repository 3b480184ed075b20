//! `liftdeck fleet drain`: the orderly end of everything on a fleet.

use clap::Args;
use liftdeck_model::action::{Action, Request, SetFleetActions, UpdateGameSessionQueue};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_operations::{DrainPlan, Intent};

use super::super::alias;
use super::super::operate::{
    How, Place, Property, consent_is_possible, id_of, intend, property, well_formed,
};
use super::super::{Caller, Failure, Outcome};

const MANUAL: &str = "\
What leads new game sessions to the fleet has to lead elsewhere first: name each alias with \
--alias ALIAS=FLEET or --close ALIAS=MESSAGE, and each queue with the destinations that remain, --queue QUEUE=ARN,ARN.

The command waits until the fleet is empty. Interrupted, the drain is paused: `liftdeck activity resume` goes on with it.";

/// How a fleet is drained.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(in crate::cli) struct Drain {
    #[command(flatten)]
    how: How,
    /// Id or ARN
    #[arg(value_name = "FLEET")]
    fleet: String,
    /// Lead this alias to another fleet
    #[arg(long = "alias", value_name = "ALIAS=FLEET", value_parser = property)]
    aliases: Vec<Property>,
    /// Close this alias with a message
    #[arg(long = "close", value_name = "ALIAS=MESSAGE", value_parser = property)]
    closed: Vec<Property>,
    /// Leave this queue only these destinations
    #[arg(long = "queue", value_name = "QUEUE=ARN,ARN", value_parser = property)]
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
    let place = it.how.place.find(caller)?;
    let region = place.region_for(&it.fleet)?;
    // A drain begins with these; told before anything is asked or read.
    let suspend = SetFleetActions { fleet_id: id_of(&it.fleet).into(), location: None };
    well_formed(&[Action { region: region.clone(), request: Request::StopFleetActions(suspend) }])?;
    let routes = routes(it, &place)?;
    well_formed(&routes)?;
    let plan = DrainPlan {
        region: region.clone(),
        fleet_id: id_of(&it.fleet).into(),
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
        let to = RoutingStrategy::Simple { fleet_id: id_of(value).into() };
        routes.push(alias::update(place, key, None, None, Some(to))?);
    }
    for Property { key, value } in &it.closed {
        let to = RoutingStrategy::Terminal { message: value.clone() };
        routes.push(alias::update(place, key, None, None, Some(to))?);
    }
    for Property { key, value } in &it.queues {
        let request = UpdateGameSessionQueue {
            name: id_of(key).into(),
            timeout_seconds: None,
            destinations: Some(
                value.split(',').map(str::trim).filter(|arn| !arn.is_empty()).map(str::to_owned).collect(),
            ),
            player_latency_policies: None,
        };
        routes.push(Action {
            region: place.region_for(key)?,
            request: Request::UpdateGameSessionQueue(request),
        });
    }
    Ok(routes)
}
