//! `liftdeck placement`: game sessions through a queue.

mod list;

use clap::{Args, Subcommand};
use liftdeck_model::action::{
    Action, PlacementPlayer, PriorityOverride, RegionLatency, Request, StartGameSessionPlacement,
    StopGameSessionPlacement,
};
use liftdeck_model::game_session::{GameProperty, address};
use liftdeck_model::placement::Placement;
use serde_json::{Value, json};

use super::difference::OfPlacements;
use super::names::Noun;
use super::operate::{ChangeOptions, ChosenConnection, ConnectionOptions, make, several};
use super::show::ReadCommand;
use super::{Caller, Failure, Lines, Outcome};

/// The subcommands of `liftdeck placement`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List placements, newest first
    List(ReadCommand<list::List>),
    /// Show what is different about the placements that failed or timed out, against the rest
    Difference(ReadCommand<OfPlacements>),
    /// Ask a queue for a game session
    Start(Box<Start>),
    /// Give up placements that are still PENDING
    Stop(Stop),
    /// Show a placement as GameLift has it now
    Show(Show),
}

/// A new placement.
#[derive(Debug, Args)]
#[command(override_usage = "liftdeck placement start <QUEUE> --max-players <COUNT> [OPTIONS]")]
pub(super) struct Start {
    #[command(flatten)]
    options: ChangeOptions,
    /// Queue, by name or ARN
    #[arg(value_name = "QUEUE", add = super::complete::of(Noun::Queue))]
    queue: String,
    /// Id of the placement, never used before; generated if absent
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    #[command(flatten)]
    placing: Placing,
}

/// What the new game session should be like, and for whom.
#[derive(Debug, Args)]
pub(super) struct Placing {
    /// Slots, 1 to 200
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    pub(super) max_players: i32,
    /// Name of the game session
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Properties, 16 at most
    #[arg(long = "property", value_name = "KEY=VALUE")]
    pub(super) properties: Vec<GameProperty>,
    /// Data passed to the game server
    #[arg(long, value_name = "TEXT")]
    pub(super) data: Option<String>,
    /// Players to reserve slots for, with --queue
    #[arg(long = "player", num_args = 1.., value_name = "ID")]
    players: Vec<String>,
    /// Latencies that each player measured, with --queue
    #[arg(long = "latency", value_name = "REGION=MS", requires = "players")]
    latencies: Vec<RegionLatency>,
    /// Locations in order of preference, instead of the queue's own order; needs a queue
    #[arg(long = "prefer", num_args = 1.., value_name = "LOCATION")]
    prefer: Vec<String>,
    /// Try no other location after those of --prefer
    #[arg(long, requires = "prefer")]
    only: bool,
}

/// Placements to stop.
#[derive(Debug, Args)]
pub(super) struct Stop {
    #[command(flatten)]
    options: ChangeOptions,
    /// Ids; - reads them from stdin, one per line
    #[arg(required = true, value_name = "PLACEMENT")]
    placements: Vec<String>,
}

/// A placement to look at.
#[derive(Debug, Args)]
pub(super) struct Show {
    #[command(flatten)]
    connection: ConnectionOptions,
    /// Id
    #[arg(value_name = "PLACEMENT")]
    placement: String,
}

impl Placing {
    /// Builds the placement that these options ask of a queue.
    pub(super) fn action(
        &self,
        chosen: &ChosenConnection,
        queue: &str,
        id: Option<&str>,
    ) -> Result<Action, Failure> {
        let player = |id: &String| PlacementPlayer {
            player_id: id.as_str().into(),
            player_data: None,
            latencies: self.latencies.clone(),
        };
        let order = (!self.prefer.is_empty())
            .then(|| PriorityOverride { location_order: self.prefer.clone(), fall_back: !self.only });
        let (region, name) = chosen.meant(Noun::Queue, queue)?;
        let request = StartGameSessionPlacement {
            placement_id: id.map_or_else(|| uuid::Uuid::new_v4().to_string(), str::to_owned).into(),
            game_session_queue_name: name.into(),
            maximum_player_session_count: self.max_players,
            game_session_name: self.name.clone(),
            game_properties: self.properties.clone(),
            game_session_data: self.data.clone(),
            players: self.players.iter().map(player).collect(),
            priority_override: order,
        };
        Ok(Action { region, request: Request::StartGameSessionPlacement(request) })
    }

    /// Refuses the options that only a queue understands: players and preferred locations.
    pub(super) fn nothing_for_a_queue(&self) -> Result<(), Failure> {
        if self.players.is_empty() && self.prefer.is_empty() {
            return Ok(());
        }
        Err(Failure::usage(
            "--player, --latency and --prefer need --queue. On a fleet or alias, make the session first and keep slots \
             with `liftdeck session reserve`.",
        ))
    }
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::List(it) => it.show(caller).await,
        Command::Difference(it) => it.show(caller).await,
        Command::Start(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let action = it.placing.action(&chosen, &it.queue, it.id.as_deref())?;
            Box::pin(make(caller, &it.options, chosen, vec![action])).await
        }
        Command::Stop(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let mut actions = Vec::new();
            for id in several(caller, &it.placements)? {
                let region = chosen.region_of_placement(&id).await?;
                let request = StopGameSessionPlacement { placement_id: id.into() };
                actions.push(Action { region, request: Request::StopGameSessionPlacement(request) });
            }
            Box::pin(make(caller, &it.options, chosen, actions)).await
        }
        Command::Show(it) => show(caller, it).await,
    }
}

async fn show(caller: &Caller, it: Show) -> Result<Outcome, Failure> {
    let chosen = it.connection.named(caller).await?;
    let aws = chosen.reader(&chosen.region_of_placement(&it.placement).await?).await?;
    let Some(found) = aws.placement(&it.placement.as_str().into()).await? else {
        return Err(Failure::new(format!(
            "GameLift knows no placement {} in {}.",
            it.placement,
            aws.region()
        )));
    };
    caller.terminal.answer_as(it.connection.json, || json_of(&found), || text_of(&found))?;
    Ok(Outcome::Done)
}

fn text_of(found: &Placement) -> Lines {
    let queue = found.queue.as_ref().map_or("", |queue| queue.as_str());
    let mut out = Lines::one(format!("{}  {}  queue {queue}", found.placement_id, found.status));
    if let Some(session) = &found.game_session_id {
        let address = address(&found.dns_name, &found.ip_address, found.port);
        out.push(format!("{session}  {}", address.as_deref().unwrap_or("no address yet")));
    }
    for placed in &found.placed_player_sessions {
        out.push(format!("player {}  {}", placed.player_id, placed.player_session_id));
    }
    out
}

fn json_of(found: &Placement) -> Value {
    json!({
        "placement_id": found.placement_id,
        "region": found.region,
        "status": found.status,
        "game_session_queue_name": found.queue,
        "game_session_id": found.game_session_id,
        "address": address(&found.dns_name, &found.ip_address, found.port),
        "start_time": found.start_time.map(|at| at.to_string()),
        "end_time": found.end_time.map(|at| at.to_string()),
        "placed_player_sessions": found.placed_player_sessions,
    })
}
