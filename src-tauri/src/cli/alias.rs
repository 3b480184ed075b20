//! `liftdeck alias`: aliases made, repointed, edited, deleted and put back.

mod list;

use clap::{Args, Subcommand};
use liftdeck_model::Region;
use liftdeck_model::action::{Action, CreateAlias, DeleteAlias, Request, ResourceKind, UpdateAlias};
use liftdeck_model::activity::{Activity, ActivityId};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_operations::Intent;

use super::names::Noun;
use super::operate::{Desk, How, Place, consent_is_possible, intend, make, several};
use super::show::Looking;
use super::{Caller, Failure, Outcome};

/// Attempts on one alias looked through for the one to undo.
const LOOKED_THROUGH: u32 = 200;

/// What to do with aliases.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List aliases and where they lead
    List(Looking<list::List>),
    /// Show an alias and where it led
    Show(Looking<list::Show>),
    /// Make an alias
    Create(Create),
    /// Lead an alias to another fleet, or close it with a message
    Repoint(Repoint),
    /// Change name or description of an alias
    Edit(Edit),
    /// Delete aliases
    Delete(Delete),
    /// Put an alias back where it was before this program changed it last
    Undo(Undo),
}

/// Where an alias leads.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Routing {
    /// To this fleet, by name, id or ARN
    #[arg(long, value_name = "FLEET", add = super::complete::of(Noun::Fleet))]
    fleet: Option<String>,
    /// Nowhere: callers get this message
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
}

/// A new alias.
#[derive(Debug, Args)]
pub(super) struct Create {
    #[command(flatten)]
    how: How,
    /// Name
    #[arg(value_name = "NAME")]
    name: String,
    /// Description
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[command(flatten)]
    routing: Routing,
}

/// Another way.
#[derive(Debug, Args)]
pub(super) struct Repoint {
    #[command(flatten)]
    how: How,
    /// Name, id or ARN
    #[arg(value_name = "ALIAS", add = super::complete::of(Noun::Alias))]
    alias: String,
    #[command(flatten)]
    routing: Routing,
}

/// Other words.
#[derive(Debug, Args)]
#[group(id = "words", required = true, multiple = true, args = ["name", "description"])]
pub(super) struct Edit {
    #[command(flatten)]
    how: How,
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
    how: How,
    /// Names, ids or ARNs; - reads them from stdin, one a line
    #[arg(required = true, value_name = "ALIAS", add = super::complete::of(Noun::Alias))]
    aliases: Vec<String>,
}

/// The alias to put back.
#[derive(Debug, Args)]
pub(super) struct Undo {
    #[command(flatten)]
    how: How,
    /// Name, id or ARN
    #[arg(value_name = "ALIAS", add = super::complete::of(Noun::Alias))]
    alias: String,
    /// This change instead of the last one, by its id in `liftdeck activity list`
    #[arg(long, value_name = "ID")]
    activity: Option<String>,
}

impl Routing {
    /// For an alias of this Region; the fleet tells it where nothing else does.
    fn strategy(
        &self,
        place: &Place,
        region: Option<&Region>,
    ) -> Result<(Option<Region>, RoutingStrategy), Failure> {
        Ok(match (&self.fleet, &self.message) {
            (Some(fleet), _) => {
                let (region, fleet) = place.meant_in(Noun::Fleet, fleet, region)?;
                (Some(region), RoutingStrategy::Simple { fleet_id: fleet.into() })
            }
            (None, message) => {
                (None, RoutingStrategy::Terminal { message: message.clone().unwrap_or_default() })
            }
        })
    }
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    let (how, place, actions) = match &command {
        Command::Create(it) => {
            let place = it.how.place.named(caller).await?;
            let (region, routing) = it.routing.strategy(&place, None)?;
            let region = region.map_or_else(|| place.region_for(&it.name), Ok)?;
            let request = CreateAlias { name: it.name.clone(), description: it.description.clone(), routing };
            let action = Action { region, request: Request::CreateAlias(request) };
            (&it.how, place, vec![action])
        }
        Command::Repoint(it) => {
            let place = it.how.place.named(caller).await?;
            let action = update(&place, &it.alias, None, None, |region| {
                Ok(Some(it.routing.strategy(&place, Some(region))?.1))
            })?;
            (&it.how, place, vec![action])
        }
        Command::Edit(it) => {
            let place = it.how.place.named(caller).await?;
            let action = update(&place, &it.alias, it.name.clone(), it.description.clone(), |_| Ok(None))?;
            (&it.how, place, vec![action])
        }
        Command::Delete(it) => {
            let place = it.how.place.named(caller).await?;
            let one = |alias: &String| {
                let (region, id) = place.meant(Noun::Alias, alias)?;
                Ok(Action { region, request: Request::DeleteAlias(DeleteAlias { alias_id: id.into() }) })
            };
            let actions = several(caller, &it.aliases)?.iter().map(one).collect::<Result<_, Failure>>()?;
            (&it.how, place, actions)
        }
        Command::List(it) => return it.show(caller).await,
        Command::Show(it) => return it.show(caller).await,
        Command::Undo(it) => return Box::pin(undo(caller, it)).await,
    };
    Box::pin(make(caller, how, place, actions)).await
}

/// The action that changes an alias; its routing may depend on its Region.
pub(super) fn update(
    place: &Place,
    alias: &str,
    name: Option<String>,
    description: Option<String>,
    routing: impl FnOnce(&Region) -> Result<Option<RoutingStrategy>, Failure>,
) -> Result<Action, Failure> {
    let (region, id) = place.meant(Noun::Alias, alias)?;
    let routing = routing(&region)?;
    let request = UpdateAlias { alias_id: id.into(), name, description, routing };
    Ok(Action { region, request: Request::UpdateAlias(request) })
}

async fn undo(caller: &Caller, it: &Undo) -> Result<Outcome, Failure> {
    consent_is_possible(caller, &it.how)?;
    let place = it.how.place.named(caller).await?;
    let (region, alias) = place.meant(Noun::Alias, &it.alias)?;
    let desk = place.open(&caller.terminal, vec![region]).await?;
    let undone = match &it.activity {
        Some(id) => Ok(ActivityId::new(id.clone())),
        None => last(&desk, &alias).await,
    };
    let outcome = match undone {
        Ok(id) => intend(caller, &it.how, &desk, Intent::Undo(id)).await,
        Err(failure) => Err(failure),
    };
    desk.close().await;
    outcome
}

/// The newest change of the alias that still stands and can be taken back.
async fn last(desk: &Desk, alias: &str) -> Result<ActivityId, Failure> {
    let reader = &desk.reader;
    let attempts = reader.activities_of(ResourceKind::Alias, alias, LOOKED_THROUGH).await?;
    let may = |activity: &&Activity| {
        activity.is_surely_ours() && !activity.undo.is_empty() && activity.undo_of.is_none()
    };
    for activity in attempts.iter().filter(may) {
        if reader.undone_by(&activity.id).await?.is_none() {
            return Ok(activity.id.clone());
        }
    }
    Err(Failure::refused(format!("Nothing was sent: no change of {alias} on record can be undone.")))
}
