//! `liftdeck matchmaking`: FlexMatch tickets and backfills.

mod player;

use clap::{Args, Subcommand};
use liftdeck_model::action::{
    AcceptMatch, Action, Request, StartMatchBackfill, StartMatchmaking, StopMatchmaking,
};
use liftdeck_model::arn::id_of;
use liftdeck_model::game_session;
use liftdeck_model::matchmaking::Ticket;
use serde_json::{Value, json};

use super::difference::OfTickets;
use super::operate::{ChangeOptions, ConnectionOptions, make, several};
use super::show::ReadCommand;
use super::{Caller, Failure, Lines, Outcome};
use player::Players;

/// The subcommands of `liftdeck matchmaking`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Start a ticket
    Start(Start),
    /// Answer a proposed match for players of a ticket
    Accept(Accept),
    /// Stop tickets or backfills
    Stop(Stop),
    /// Ask for new players for a running match
    Backfill(Backfill),
    /// Show what is different about the tickets that failed or timed out, against the rest
    Difference(ReadCommand<OfTickets>),
    /// Show tickets as GameLift has them now
    Show(Show),
}

/// A new ticket.
#[derive(Debug, Args)]
#[command(override_usage = "liftdeck matchmaking start <CONFIGURATION> [OPTIONS]")]
pub(super) struct Start {
    #[command(flatten)]
    options: ChangeOptions,
    /// Configuration, by name
    #[arg(value_name = "CONFIGURATION")]
    configuration: String,
    /// Id of the ticket; generated if absent
    #[arg(long, value_name = "ID")]
    ticket: Option<String>,
    #[command(flatten)]
    players: Players,
}

/// An answer to a proposed match.
#[derive(Debug, Args)]
#[command(override_usage = "liftdeck matchmaking accept [OPTIONS] <TICKET> --player <ID>...")]
pub(super) struct Accept {
    #[command(flatten)]
    options: ChangeOptions,
    /// Ticket
    #[arg(value_name = "TICKET")]
    ticket: String,
    /// Players who answer
    #[arg(long = "player", required = true, num_args = 1.., value_name = "ID")]
    players: Vec<String>,
    /// Turn the match down
    #[arg(long)]
    reject: bool,
}

/// Tickets to stop.
#[derive(Debug, Args)]
pub(super) struct Stop {
    #[command(flatten)]
    options: ChangeOptions,
    /// Tickets; - reads them from stdin, one per line
    #[arg(required = true, value_name = "TICKET")]
    tickets: Vec<String>,
}

/// A new backfill.
#[derive(Debug, Args)]
#[command(override_usage = "liftdeck matchmaking backfill <CONFIGURATION> <SESSION> [OPTIONS]")]
pub(super) struct Backfill {
    #[command(flatten)]
    options: ChangeOptions,
    /// Configuration, by name
    #[arg(value_name = "CONFIGURATION")]
    configuration: String,
    /// Full ARN of the running game session, created by FlexMatch
    #[arg(value_name = "SESSION")]
    session: String,
    /// Id of the ticket; generated if absent
    #[arg(long, value_name = "ID")]
    ticket: Option<String>,
    #[command(flatten)]
    players: Players,
}

/// Tickets to look at.
#[derive(Debug, Args)]
pub(super) struct Show {
    #[command(flatten)]
    connection: ConnectionOptions,
    /// Tickets; - reads them from stdin, one per line
    #[arg(required = true, value_name = "TICKET")]
    tickets: Vec<String>,
}

fn ticket(given: Option<&String>) -> liftdeck_model::TicketId {
    given.cloned().unwrap_or_else(|| uuid::Uuid::new_v4().to_string()).into()
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    let (options, chosen, actions) = match &command {
        Command::Start(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let request = StartMatchmaking {
                configuration_name: id_of(&it.configuration).to_owned(),
                ticket_id: ticket(it.ticket.as_ref()),
                players: it.players.read(caller)?,
            };
            let region = chosen.region_for(&it.configuration)?;
            (&it.options, chosen, vec![Action { region, request: Request::StartMatchmaking(request) }])
        }
        Command::Accept(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let request = AcceptMatch {
                ticket_id: it.ticket.as_str().into(),
                player_ids: it.players.iter().map(|id| id.as_str().into()).collect(),
                accept: !it.reject,
            };
            let region = chosen.region_of_ticket(&it.ticket).await?;
            (&it.options, chosen, vec![Action { region, request: Request::AcceptMatch(request) }])
        }
        Command::Stop(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let mut actions = Vec::new();
            for id in several(caller, &it.tickets)? {
                let region = chosen.region_of_ticket(&id).await?;
                let request = Request::StopMatchmaking(StopMatchmaking { ticket_id: id.into() });
                actions.push(Action { region, request });
            }
            (&it.options, chosen, actions)
        }
        Command::Backfill(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let request = StartMatchBackfill {
                configuration_name: id_of(&it.configuration).to_owned(),
                ticket_id: ticket(it.ticket.as_ref()),
                game_session_id: it.session.as_str().into(),
                players: it.players.read(caller)?,
            };
            let region = chosen.region_for(&it.session)?;
            (&it.options, chosen, vec![Action { region, request: Request::StartMatchBackfill(request) }])
        }
        Command::Difference(it) => return Box::pin(it.show(caller)).await,
        Command::Show(it) => return Box::pin(show(caller, it)).await,
    };
    Box::pin(make(caller, options, chosen, actions)).await
}

async fn show(caller: &Caller, it: &Show) -> Result<Outcome, Failure> {
    let chosen = it.connection.named(caller).await?;
    let ids = several(caller, &it.tickets)?;
    let first = ids.first().map(String::as_str).unwrap_or_default();
    let aws = chosen.reader(&chosen.region_of_ticket(first).await?).await?;
    let wanted: Vec<_> = ids.iter().map(|id| id.as_str().into()).collect();
    let found = aws.tickets(&wanted).await;
    if let Some(failure) = found.failure {
        return Err(failure.into());
    }
    let tickets = || found.items.iter().map(json_of).collect::<Vec<_>>();
    let mut lines = Lines::default();
    found.items.iter().for_each(|ticket| lines.append(text_of(ticket)));
    caller.terminal.answer_as(it.connection.json, || json!({ "tickets": tickets() }), || lines)?;
    // AWS leaves out tickets that it does not know.
    let missing: Vec<&str> = wanted
        .iter()
        .filter(|id| found.items.iter().all(|ticket| ticket.ticket_id != **id))
        .map(AsRef::as_ref)
        .collect();
    match (missing.as_slice(), found.items.is_empty()) {
        ([], _) => Ok(Outcome::Done),
        (missing, none) => {
            let message = format!("GameLift knows no ticket {} in {}.", missing.join(", "), aws.region());
            if none {
                return Err(Failure::new(message));
            }
            caller.terminal.say(&message);
            Ok(Outcome::Partly)
        }
    }
}

fn address(ticket: &Ticket) -> Option<String> {
    let connection = ticket.connection.as_ref()?;
    game_session::address(&connection.dns_name, &connection.ip_address, connection.port)
}

fn text_of(ticket: &Ticket) -> Lines {
    let configuration = ticket.configuration_name.as_deref().unwrap_or_default();
    let mut first = format!("{}  {}  {configuration}", ticket.ticket_id, ticket.status);
    for more in [&ticket.status_reason, &ticket.status_message].into_iter().flatten() {
        first.push_str(&format!("  {more}"));
    }
    let mut out = Lines::one(first);
    if let Some(session) =
        ticket.connection.as_ref().and_then(|connection| connection.game_session_id.as_ref())
    {
        out.push(format!("  {session}  {}", address(ticket).as_deref().unwrap_or("no address")));
    }
    out
}

fn json_of(ticket: &Ticket) -> Value {
    let connection = ticket.connection.as_ref();
    json!({
        "ticket_id": ticket.ticket_id,
        "region": ticket.region,
        "configuration_name": ticket.configuration_name,
        "status": ticket.status,
        "status_reason": ticket.status_reason,
        "status_message": ticket.status_message,
        "start_time": ticket.start_time.map(|at| at.to_string()),
        "end_time": ticket.end_time.map(|at| at.to_string()),
        "estimated_wait_seconds": ticket.estimated_wait_seconds,
        "players": ticket.players.iter().map(|player| &player.player_id).collect::<Vec<_>>(),
        "game_session_id": connection.and_then(|found| found.game_session_id.as_ref()),
        "address": address(ticket),
        "player_sessions": connection.map(|found| &found.player_sessions),
    })
}
