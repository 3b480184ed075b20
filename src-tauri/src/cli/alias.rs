//! `liftdeck alias`: creates, repoints, edits, deletes and restores aliases.

mod list;

use clap::{Args, Subcommand};
use liftdeck_model::Region;
use liftdeck_model::action::{Action, CreateAlias, DeleteAlias, Request, ResourceKind, UpdateAlias};
use liftdeck_model::activity::ActivityId;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_operations::Intent;

use super::names::Noun;
use super::operate::{ChangeOptions, ChosenConnection, consent_is_possible, make};
use super::show::ReadCommand;
use super::{Caller, Failure, Outcome};

/// The subcommands of `liftdeck alias`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List aliases and where they point
    List(ReadCommand<list::List>),
    /// Show an alias and where it pointed
    Show(ReadCommand<list::Show>),
    /// Create an alias
    Create(Create),
    /// Repoint an alias to another fleet, or close it with a message
    Repoint(Repoint),
    /// Change the name or description of an alias
    Edit(Edit),
    /// Delete aliases
    Delete(Delete),
    /// Undo this program's last change of an alias
    Undo(Undo),
}

/// Where an alias points.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Routing {
    /// To this fleet, by name, id or ARN
    #[arg(long, value_name = "FLEET", add = super::complete::of(Noun::Fleet))]
    fleet: Option<String>,
    /// No fleet: callers get this message
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
}

/// A new alias.
#[derive(Debug, Args)]
pub(super) struct Create {
    #[command(flatten)]
    options: ChangeOptions,
    /// Name
    #[arg(value_name = "NAME")]
    name: String,
    /// Description
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[command(flatten)]
    routing: Routing,
}

/// A new target for an alias.
#[derive(Debug, Args)]
pub(super) struct Repoint {
    #[command(flatten)]
    options: ChangeOptions,
    /// Name, id or ARN
    #[arg(value_name = "ALIAS", add = super::complete::of(Noun::Alias))]
    alias: String,
    #[command(flatten)]
    routing: Routing,
}

/// A new name or description.
#[derive(Debug, Args)]
#[group(id = "words", required = true, multiple = true, args = ["name", "description"])]
pub(super) struct Edit {
    #[command(flatten)]
    options: ChangeOptions,
    /// Name, id or ARN
    #[arg(value_name = "ALIAS", add = super::complete::of(Noun::Alias))]
    alias: String,
    /// New name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// New description
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

/// Aliases to delete.
#[derive(Debug, Args)]
pub(super) struct Delete {
    #[command(flatten)]
    options: ChangeOptions,
    /// Names, ids or ARNs; - reads them from stdin, one per line
    #[arg(required = true, value_name = "ALIAS", add = super::complete::of(Noun::Alias))]
    aliases: Vec<String>,
}

/// The alias whose change to undo.
#[derive(Debug, Args)]
pub(super) struct Undo {
    #[command(flatten)]
    options: ChangeOptions,
    /// Name, id or ARN
    #[arg(value_name = "ALIAS", add = super::complete::of(Noun::Alias))]
    alias: String,
    /// This change instead of the last one, by its id in `liftdeck activity list`
    #[arg(long, value_name = "ID")]
    activity: Option<String>,
}

impl Routing {
    /// Returns the routing strategy of an alias in this Region, and the Region of its fleet, which decides if none is
    /// known.
    fn strategy(
        &self,
        chosen: &ChosenConnection,
        region: Option<&Region>,
    ) -> Result<(Option<Region>, RoutingStrategy), Failure> {
        Ok(match (&self.fleet, &self.message) {
            (Some(fleet), _) => {
                let (region, fleet) = chosen.meant_in(Noun::Fleet, fleet, region)?;
                (Some(region), RoutingStrategy::Simple { fleet_id: fleet.into() })
            }
            (None, message) => {
                (None, RoutingStrategy::Terminal { message: message.clone().unwrap_or_default() })
            }
        })
    }
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    let (options, chosen, actions) = match &command {
        Command::Create(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let (region, routing) = it.routing.strategy(&chosen, None)?;
            let region = region.map_or_else(|| chosen.region_for(&it.name), Ok)?;
            let request = CreateAlias { name: it.name.clone(), description: it.description.clone(), routing };
            let action = Action { region, request: Request::CreateAlias(request) };
            (&it.options, chosen, vec![action])
        }
        Command::Repoint(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let action = update(&chosen, &it.alias, None, None, |region| {
                Ok(Some(it.routing.strategy(&chosen, Some(region))?.1))
            })?;
            (&it.options, chosen, vec![action])
        }
        Command::Edit(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let action = update(&chosen, &it.alias, it.name.clone(), it.description.clone(), |_| Ok(None))?;
            (&it.options, chosen, vec![action])
        }
        Command::Delete(it) => {
            let chosen = it.options.connection.named(caller).await?;
            let request = |id: String| Request::DeleteAlias(DeleteAlias { alias_id: id.into() });
            let actions = chosen.each(caller, Noun::Alias, &it.aliases, request)?;
            (&it.options, chosen, actions)
        }
        Command::List(it) => return it.show(caller).await,
        Command::Show(it) => return it.show(caller).await,
        Command::Undo(it) => return Box::pin(undo(caller, it)).await,
    };
    Box::pin(make(caller, options, chosen, actions)).await
}

/// The action that changes an alias; its routing may depend on its Region.
pub(super) fn update(
    chosen: &ChosenConnection,
    alias: &str,
    name: Option<String>,
    description: Option<String>,
    routing: impl FnOnce(&Region) -> Result<Option<RoutingStrategy>, Failure>,
) -> Result<Action, Failure> {
    let (region, id) = chosen.meant(Noun::Alias, alias)?;
    let routing = routing(&region)?;
    let request = UpdateAlias { alias_id: id.into(), name, description, routing };
    Ok(Action { region, request: Request::UpdateAlias(request) })
}

async fn undo(caller: &Caller, it: &Undo) -> Result<Outcome, Failure> {
    consent_is_possible(caller, &it.options)?;
    let chosen = it.options.connection.named(caller).await?;
    let (region, alias) = chosen.meant(Noun::Alias, &it.alias)?;
    let connection = chosen.open(&caller.terminal, vec![region]).await?;
    let undone = match &it.activity {
        Some(id) => Ok(Some(ActivityId::new(id.clone()))),
        None => connection.guard.last_undoable(ResourceKind::Alias, &alias).await,
    };
    match undone {
        Ok(Some(id)) => connection.carry_out(caller, &it.options, Intent::Undo(id)).await,
        nothing => {
            connection.close().await;
            nothing?;
            Err(Failure::refused(format!("Nothing was sent: no change of {alias} on record can be undone.")))
        }
    }
}
