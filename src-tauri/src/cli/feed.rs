//! `liftdeck feed`: which event queues this connection has adopted, and what was set aside from them.

mod list;
mod shown;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use liftdeck_collector::adoption::{self, Peek, QueueLook};
use liftdeck_gateway::EventQueue;
use liftdeck_model::feed::{Adoption, ForeignBodies, is_same_url, region_in_url};
use serde_json::json;

use self::shown::{adoption_json, aside_json, look_json, look_text};
use super::operate::ConnectionOptions;
use super::show::ReadCommand;
use super::{Caller, Failure, Lines, Outcome, Terminal, database, is_stdout};
use liftdeck_app::clock;
use liftdeck_app::home::Whole;

/// How many messages are read at a time.
const PART: u32 = 100;

/// The subcommands of `liftdeck feed`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Look at a queue, and make it this connection's own: only then are its messages received and deleted
    Adopt(Adopt),
    /// Release a queue: its messages are left alone from then on
    Release(One),
    /// List adopted queues
    List(ReadCommand<list::List>),
    /// List, export and delete what was set aside
    #[command(subcommand)]
    Aside(Aside),
}

/// What to do with messages that are not GameLift events of this account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Foreign {
    /// They stay in the queue
    Leave,
    /// They are kept in the database and deleted from the queue
    SetAside,
}

/// Which queue, and how.
#[derive(Debug, Args)]
pub(super) struct Adopt {
    /// URL of the queue
    #[arg(value_name = "URL")]
    url: String,
    /// What to do with messages that are not GameLift events of this account
    #[arg(long, value_enum, default_value_t = Foreign::Leave)]
    foreign: Foreign,
    /// Look at waiting messages even if a dead-letter rule counts each look
    #[arg(long)]
    look_anyway: bool,
    /// Only show the queue; adopt nothing
    #[arg(long, conflicts_with_all = ["yes", "confirm"])]
    dry_run: bool,
    /// Do not ask; needed when there is nobody to ask
    #[arg(long, short = 'y')]
    yes: bool,
    /// The queue's name, needed if there is a reason not to adopt it
    #[arg(long, value_name = "NAME")]
    confirm: Option<String>,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// One queue.
#[derive(Debug, Args)]
pub(super) struct One {
    /// URL or ARN of the queue
    #[arg(value_name = "URL")]
    url: String,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// The subcommands for messages that were set aside.
#[derive(Debug, Subcommand)]
pub(super) enum Aside {
    /// List messages that were set aside, newest first
    List(ReadCommand<list::Aside>),
    /// Write them whole as NDJSON, newest first
    Export(Export),
    /// Delete them from the database
    Clear(Clear),
}

/// Where to write the export.
#[derive(Debug, Args)]
pub(super) struct Export {
    /// The file; stdout when absent or -
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    connection: ConnectionOptions,
}

/// Which messages to delete.
#[derive(Debug, Args)]
pub(super) struct Clear {
    /// Only this queue
    #[arg(long, value_name = "URL")]
    queue: Option<String>,
    /// Do not ask; needed when there is nobody to ask
    #[arg(long, short = 'y')]
    yes: bool,
    #[command(flatten)]
    connection: ConnectionOptions,
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::Adopt(arguments) => Box::pin(adopt(caller, arguments)).await,
        Command::Release(arguments) => Box::pin(release(caller, arguments)).await,
        Command::List(it) => it.show(caller).await,
        Command::Aside(Aside::List(it)) => it.show(caller).await,
        Command::Aside(Aside::Export(arguments)) => Box::pin(export(caller, &arguments)).await,
        Command::Aside(Aside::Clear(arguments)) => Box::pin(clear(caller, arguments)).await,
    }
}

async fn adopt(caller: &Caller, arguments: Adopt) -> Result<Outcome, Failure> {
    let terminal = &caller.terminal;
    if !(arguments.dry_run || arguments.yes || arguments.confirm.is_some() || terminal.is_person_there()) {
        return Err(Failure::refused(
            "Nothing was adopted: there is nobody to ask. Add --yes to go ahead, or --dry-run to see the queue.",
        ));
    }
    let chosen = arguments.connection.find(caller)?;
    let region = match region_in_url(&arguments.url) {
        Some(region) => region,
        None => chosen.region_for(&arguments.url)?,
    };
    let connection = chosen.open(&caller.terminal, vec![region.clone()]).await?;
    let queue = EventQueue { region, url: arguments.url.clone() };
    let outcome = async {
        let identity = connection.identity().await?;
        let peek = if arguments.look_anyway { Peek::Always } else { Peek::Unharmful };
        let adopted = connection.reader.adoptions().await?;
        let now = clock::now();
        let looking = adoption::look(connection.gateway(), &queue, &identity.account, &adopted, peek, now);
        let look = Box::pin(looking).await?;
        if arguments.connection.json && !arguments.dry_run {
            terminal.say(&look_text(&look).to_string());
        } else {
            terminal.answer_as(arguments.connection.json, || look_json(&look), || look_text(&look))?;
        }
        if arguments.dry_run {
            return Ok(Outcome::Done);
        }
        let typed = agree(terminal, &arguments, &look).await?;
        let foreign = match arguments.foreign {
            Foreign::Leave => ForeignBodies::Leave,
            Foreign::SetAside => ForeignBodies::SetAside,
        };
        let adoption = look
            .adopt(foreign, typed.as_deref(), Some(identity.arn), clock::now())
            .map_err(|refusal| Failure::refused(format!("Nothing was adopted. {refusal}")))?;
        connection.writer().adopt_queue(adoption.clone()).await?;
        let done = "from now on its events are received and deleted";
        terminal.answer_as(
            arguments.connection.json,
            || json!({ "look": look_json(&look), "adoption": adoption_json(&adoption) }),
            || Lines::one(format!("Adopted {}: {done}.", adoption.queue_arn)),
        )?;
        Ok(Outcome::Done)
    }
    .await;
    connection.close().await;
    outcome
}

/// Returns what was typed, once the person has agreed. The adoption itself checks whether it is the right name.
async fn agree(terminal: &Terminal, arguments: &Adopt, look: &QueueLook) -> Result<Option<String>, Failure> {
    if arguments.confirm.is_some() {
        return Ok(arguments.confirm.clone());
    }
    if look.against().is_some() && terminal.is_person_there() {
        let question = format!("Type the queue's name, {}, to adopt it: ", look.name());
        return Ok(Some(terminal.ask(&question).await?));
    }
    if arguments.yes || look.against().is_some() {
        return Ok(None);
    }
    if terminal.agrees("Adopt it?").await? { Ok(None) } else { Err(Failure::refused("Nothing was adopted.")) }
}

async fn release(caller: &Caller, arguments: One) -> Result<Outcome, Failure> {
    let chosen = arguments.connection.find(caller)?;
    let adoption = one_of(&place_adoptions(chosen.database()).await?, &arguments.url)?;
    let connection = chosen.open(&caller.terminal, vec![adoption.region.clone()]).await?;
    let released = connection.writer().release_queue(&adoption.queue_arn).await;
    connection.close().await;
    released?;
    let released = format!("Released {}: its messages are left alone.", adoption.queue_arn);
    caller.terminal.answer(&Lines::one(released))?;
    Ok(Outcome::Done)
}

async fn place_adoptions(database: &std::path::Path) -> Result<Vec<Adoption>, Failure> {
    let store = database::look(database, clock::now()).await?;
    let adoptions = store.reader().adoptions().await;
    store.close().await;
    Ok(adoptions?)
}

fn one_of(adoptions: &[Adoption], named: &str) -> Result<Adoption, Failure> {
    let is_it = |adoption: &&Adoption| adoption.queue_arn == named || is_same_url(&adoption.queue_url, named);
    adoptions.iter().find(is_it).cloned().ok_or_else(|| {
        Failure::new(format!("The queue {named} is not adopted. `liftdeck feed list` lists those that are."))
    })
}

async fn export(caller: &Caller, arguments: &Export) -> Result<Outcome, Failure> {
    let chosen = arguments.connection.find(caller)?;
    let out = arguments.out.as_deref().filter(|out| !is_stdout(out)).map(|out| caller.path(out));
    if let Some(out) = &out {
        database::keep_apart(chosen.database(), out)?;
    }
    let store = database::look(chosen.database(), clock::now()).await?;
    let written = async {
        let unwritten = |error: std::io::Error| {
            Failure::new(format!("{}: {error}.", out.as_deref().unwrap_or(Path::new("stdout")).display()))
        };
        let mut file = out.as_deref().map(Whole::begin).transpose().map_err(unwritten)?;
        let mut below = None;
        loop {
            let rows = store.reader().aside(below, PART, u32::MAX).await?;
            let Some(last) = rows.last() else { break };
            below = Some(last.key);
            for row in &rows {
                match &mut file {
                    Some(file) => writeln!(file, "{}", aside_json(row)).map_err(unwritten)?,
                    None => caller.terminal.answer_json_line(&aside_json(row))?,
                }
            }
        }
        file.map_or(Ok(()), Whole::take_its_place).map_err(unwritten)?;
        Ok(Outcome::Done)
    }
    .await;
    store.close().await;
    written
}

async fn clear(caller: &Caller, arguments: Clear) -> Result<Outcome, Failure> {
    if !arguments.yes && !caller.terminal.agrees("Delete what was set aside from the database?").await? {
        return Err(Failure::refused("Nothing was deleted."));
    }
    let chosen = arguments.connection.find(caller)?;
    let regions = chosen.regions();
    let connection = chosen.open(&caller.terminal, regions).await?;
    let cleared = connection.writer().clear_aside(arguments.queue.as_deref()).await;
    connection.close().await;
    cleared?;
    caller.terminal.answer(&Lines::one("Deleted."))?;
    Ok(Outcome::Done)
}
