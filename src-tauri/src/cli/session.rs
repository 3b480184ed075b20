//! `liftdeck session`: creates, changes, joins and ends game sessions.

mod list;
mod log;
mod search;

use clap::{Args, Subcommand};
use liftdeck_model::action::{
    Action, CreateGameSession, CreatePlayerSessions, GameSessionTarget, NewPlayerSession,
    PlayerSessionCreationPolicy, Protection, Request, TerminateGameSession, TerminationMode,
    UpdateGameSession,
};
use liftdeck_model::game_session::GameProperty;
use liftdeck_model::query::Query;
use liftdeck_model::{GameSessionId, Region};

use super::difference::OfSessions;
use super::names::Noun;
use super::operate::{ChangeOptions, ChosenConnection, make, several};
use super::placement::Placing;
use super::show::ReadCommand;
use super::{Caller, Failure, Outcome, query};

/// The subcommands of `liftdeck session`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List game sessions
    List(ReadCommand<list::List>),
    /// Show a game session with its players and what happened to it
    Show(ReadCommand<list::Show>),
    /// Show what is different about game sessions, such as those that crashed, against the rest
    Difference(ReadCommand<OfSessions>),
    /// Ask GameLift's own search for live game sessions
    Search(search::Search),
    /// Create a game session: on a fleet, through an alias or through a queue
    Create(Box<Create>),
    /// Terminate game sessions
    Terminate(Terminate),
    /// Reserve slots in a game session for players and show how they connect
    Reserve(Reserve),
    /// Change name, slots, properties, policy or protection of game sessions
    Update(Box<Update>),
    /// Fetch the log of an ended game session and keep it
    Log(log::Log),
}

/// A new game session.
#[derive(Debug, Args)]
#[group(id = "target", required = true, multiple = false, args = ["fleet", "alias", "queue"])]
pub(super) struct Create {
    #[command(flatten)]
    options: ChangeOptions,
    /// On this fleet, by name, id or ARN
    #[arg(long, value_name = "FLEET", add = super::complete::of(Noun::Fleet))]
    fleet: Option<String>,
    /// On the fleet this alias points to, by the alias's name, id or ARN
    #[arg(long, value_name = "ALIAS", add = super::complete::of(Noun::Alias))]
    alias: Option<String>,
    /// Wherever this queue places it
    #[arg(long, value_name = "QUEUE", add = super::complete::of(Noun::Queue))]
    queue: Option<String>,
    /// Location on the fleet; the home Region when absent
    #[arg(long, value_name = "LOCATION", conflicts_with = "queue")]
    location: Option<String>,
    /// Creator id, if the fleet limits game sessions per creator
    #[arg(long, value_name = "ID", conflicts_with = "queue")]
    creator: Option<String>,
    /// Idempotency token: AWS creates one game session per token, however often it is sent; generated if absent
    #[arg(long, value_name = "TOKEN", conflicts_with = "queue")]
    idempotency_token: Option<String>,
    #[command(flatten)]
    placing: Placing,
}

/// Game sessions to end.
#[derive(Debug, Args)]
pub(super) struct Terminate {
    #[command(flatten)]
    options: ChangeOptions,
    /// Full ARNs; - reads them from stdin, one per line
    #[arg(required_unless_present = "query", value_name = "SESSION")]
    sessions: Vec<String>,
    /// Those that match the query and had not ended when they were last read, instead of naming them
    #[arg(long = "where", value_name = "QUERY", allow_hyphen_values = true, value_parser = some_query, conflicts_with = "sessions")]
    query: Option<Query>,
    /// End the server process at once instead of asking it to end
    #[arg(long)]
    force: bool,
}

/// Slots to reserve.
#[derive(Debug, Args)]
#[command(override_usage = "liftdeck session reserve [OPTIONS] <SESSION> --player <ID>...")]
pub(super) struct Reserve {
    #[command(flatten)]
    options: ChangeOptions,
    /// Full ARN
    #[arg(value_name = "SESSION")]
    session: String,
    /// Players, 25 at most
    #[arg(long = "player", required = true, num_args = 1.., value_name = "ID")]
    players: Vec<String>,
    /// Data passed to the game server with each player
    #[arg(long, value_name = "TEXT")]
    player_data: Option<String>,
}

/// What to change.
#[derive(Debug, Args)]
#[group(id = "changes", required = true, multiple = true, args = ["name", "max_players", "accept", "deny", "protect", "unprotect", "properties"])]
pub(super) struct Update {
    #[command(flatten)]
    options: ChangeOptions,
    /// Full ARNs; - reads them from stdin, one per line
    #[arg(required = true, value_name = "SESSION")]
    sessions: Vec<String>,
    /// New name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Slots, 1 to 200
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true)]
    max_players: Option<i32>,
    /// Accept new players
    #[arg(long, conflicts_with = "deny")]
    accept: bool,
    /// Accept no new players
    #[arg(long)]
    deny: bool,
    /// Keep it from being ended by scale-in
    #[arg(long, conflicts_with = "unprotect")]
    protect: bool,
    /// Let scale-in end it
    #[arg(long)]
    unprotect: bool,
    /// Properties to add or overwrite; AWS deletes none
    #[arg(long = "property", value_name = "KEY=VALUE")]
    properties: Vec<GameProperty>,
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::List(it) => it.show(caller).await,
        Command::Show(it) => it.show(caller).await,
        Command::Difference(it) => it.show(caller).await,
        Command::Create(it) => create(caller, *it).await,
        Command::Terminate(it) => terminate(caller, it).await,
        Command::Reserve(it) => reserve(caller, it).await,
        Command::Update(it) => update(caller, *it).await,
        Command::Search(it) => Box::pin(search::run(caller, it)).await,
        Command::Log(it) => Box::pin(log::run(caller, it)).await,
    }
}

async fn create(caller: &Caller, it: Create) -> Result<Outcome, Failure> {
    let chosen = it.options.connection.named(caller).await?;
    let action = match (&it.fleet, &it.alias, &it.queue) {
        (_, _, Some(queue)) => it.placing.action(&chosen, queue, None)?,
        (Some(fleet), _, _) => {
            let (region, id) = chosen.meant(Noun::Fleet, fleet)?;
            direct(&it, region, GameSessionTarget::Fleet(id.into()))?
        }
        (_, Some(alias), _) => {
            let (region, id) = chosen.meant(Noun::Alias, alias)?;
            direct(&it, region, GameSessionTarget::Alias(id.into()))?
        }
        (None, None, None) => return Err(Failure::usage("Name --fleet, --alias or --queue.")),
    };
    Box::pin(make(caller, &it.options, chosen, vec![action])).await
}

fn direct(it: &Create, region: Region, target: GameSessionTarget) -> Result<Action, Failure> {
    it.placing.nothing_for_a_queue()?;
    let request = CreateGameSession {
        target,
        location: it.location.as_deref().map(Into::into),
        maximum_player_session_count: it.placing.max_players,
        name: it.placing.name.clone(),
        game_properties: it.placing.properties.clone(),
        game_session_data: it.placing.data.clone(),
        idempotency_token: it.idempotency_token.clone().unwrap_or_else(|| uuid::Uuid::new_v4().to_string()),
        creator_id: it.creator.clone(),
    };
    Ok(Action { region, request: Request::CreateGameSession(request) })
}

/// Builds an action for each game session, in the Region of its ARN.
fn each(
    chosen: &ChosenConnection,
    ids: &[String],
    request: impl Fn(GameSessionId) -> Request,
) -> Result<Vec<Action>, Failure> {
    let one = |id: &String| {
        let id = log::well_formed(id)?;
        Ok(Action { region: chosen.region_for(id.as_str())?, request: request(id) })
    };
    ids.iter().map(one).collect()
}

/// Parses a query that leaves something out: a blank one would mean every game session.
fn some_query(text: &str) -> Result<Query, String> {
    match query(text)? {
        Query { root: None } => Err("it is blank, which every game session matches".to_owned()),
        some => Ok(some),
    }
}

async fn terminate(caller: &Caller, it: Terminate) -> Result<Outcome, Failure> {
    let chosen = it.options.connection.named(caller).await?;
    let termination_mode =
        if it.force { TerminationMode::ForceTerminate } else { TerminationMode::TriggerOnProcessTerminate };
    let sessions = match &it.query {
        Some(query) => chosen.live_game_sessions(query).await?,
        None => several(caller, &it.sessions)?,
    };
    if sessions.is_empty() {
        return Err(Failure::refused("Nothing is sent: no live game session matches."));
    }
    let actions = each(&chosen, &sessions, |game_session_id| {
        Request::TerminateGameSession(TerminateGameSession { game_session_id, termination_mode })
    })?;
    Box::pin(make(caller, &it.options, chosen, actions)).await
}

async fn reserve(caller: &Caller, it: Reserve) -> Result<Outcome, Failure> {
    let chosen = it.options.connection.named(caller).await?;
    log::well_formed(&it.session)?;
    let player =
        |id: &String| NewPlayerSession { player_id: id.as_str().into(), player_data: it.player_data.clone() };
    let request = CreatePlayerSessions {
        game_session_id: it.session.as_str().into(),
        players: it.players.iter().map(player).collect(),
    };
    let action =
        Action { region: chosen.region_for(&it.session)?, request: Request::CreatePlayerSessions(request) };
    Box::pin(make(caller, &it.options, chosen, vec![action])).await
}

async fn update(caller: &Caller, it: Update) -> Result<Outcome, Failure> {
    let chosen = it.options.connection.named(caller).await?;
    let policy = match (it.accept, it.deny) {
        (true, _) => Some(PlayerSessionCreationPolicy::AcceptAll),
        (_, true) => Some(PlayerSessionCreationPolicy::DenyAll),
        (false, false) => None,
    };
    let protection = match (it.protect, it.unprotect) {
        (true, _) => Some(Protection::FullProtection),
        (_, true) => Some(Protection::NoProtection),
        (false, false) => None,
    };
    let actions = each(&chosen, &several(caller, &it.sessions)?, |game_session_id| {
        Request::UpdateGameSession(UpdateGameSession {
            game_session_id,
            name: it.name.clone(),
            maximum_player_session_count: it.max_players,
            player_session_creation_policy: policy,
            protection_policy: protection,
            game_properties: it.properties.clone(),
        })
    })?;
    Box::pin(make(caller, &it.options, chosen, actions)).await
}
