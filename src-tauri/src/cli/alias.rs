//! `liftdeck alias`: aliases made, repointed, edited, deleted and put back.

use clap::{Args, Subcommand};
use liftdeck_model::action::{Action, CreateAlias, DeleteAlias, Request, ResourceKind, UpdateAlias};
use liftdeck_model::activity::{Activity, ActivityId};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_operations::Intent;

use super::operate::{Desk, How, Place, consent_is_possible, id_of, intend, make, several};
use super::{Caller, Failure, Outcome};

/// Attempts on one alias looked through for the one to undo.
const LOOKED_THROUGH: u32 = 200;

/// What to do with aliases.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
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
    /// To this fleet
    #[arg(long, value_name = "FLEET")]
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
    /// Id or ARN
    #[arg(value_name = "ALIAS")]
    alias: String,
    #[command(flatten)]
    routing: Routing,
}

/// Other words.
#[derive(Debug, Args)]
pub(super) struct Edit {
    #[command(flatten)]
    how: How,
    /// Id or ARN
    #[arg(value_name = "ALIAS")]
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
    /// Ids or ARNs; - reads them from stdin, one a line
    #[arg(required = true, value_name = "ALIAS")]
    aliases: Vec<String>,
}

/// The alias to put back.
#[derive(Debug, Args)]
pub(super) struct Undo {
    #[command(flatten)]
    how: How,
    /// Id or ARN
    #[arg(value_name = "ALIAS")]
    alias: String,
    /// This change instead of the last one, by its id in `liftdeck activity list`
    #[arg(long, value_name = "ID")]
    activity: Option<String>,
}

impl Routing {
    fn strategy(&self) -> RoutingStrategy {
        match (&self.fleet, &self.message) {
            (Some(fleet), _) => RoutingStrategy::Simple { fleet_id: id_of(fleet).into() },
            (None, message) => RoutingStrategy::Terminal { message: message.clone().unwrap_or_default() },
        }
    }
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    let (how, place, actions) = match &command {
        Command::Create(it) => {
            let place = it.how.place.find(caller)?;
            let request = CreateAlias {
                name: it.name.clone(),
                description: it.description.clone(),
                routing: it.routing.strategy(),
            };
            let named = it.routing.fleet.as_deref().unwrap_or(&it.name);
            let action = Action { region: place.region_for(named)?, request: Request::CreateAlias(request) };
            (&it.how, place, vec![action])
        }
        Command::Repoint(it) => {
            let place = it.how.place.find(caller)?;
            let action = update(&place, &it.alias, None, None, Some(it.routing.strategy()))?;
            (&it.how, place, vec![action])
        }
        Command::Edit(it) => {
            let place = it.how.place.find(caller)?;
            let action = update(&place, &it.alias, it.name.clone(), it.description.clone(), None)?;
            (&it.how, place, vec![action])
        }
        Command::Delete(it) => {
            let place = it.how.place.find(caller)?;
            let one = |alias: &String| {
                let request = Request::DeleteAlias(DeleteAlias { alias_id: id_of(alias).into() });
                Ok(Action { region: place.region_for(alias)?, request })
            };
            let actions = several(caller, &it.aliases)?.iter().map(one).collect::<Result<_, Failure>>()?;
            (&it.how, place, actions)
        }
        Command::Undo(it) => return Box::pin(undo(caller, it)).await,
    };
    Box::pin(make(caller, how, place, actions)).await
}

/// The action that changes an alias.
pub(super) fn update(
    place: &Place,
    alias: &str,
    name: Option<String>,
    description: Option<String>,
    routing: Option<RoutingStrategy>,
) -> Result<Action, Failure> {
    let request = UpdateAlias { alias_id: id_of(alias).into(), name, description, routing };
    Ok(Action { region: place.region_for(alias)?, request: Request::UpdateAlias(request) })
}

async fn undo(caller: &Caller, it: &Undo) -> Result<Outcome, Failure> {
    consent_is_possible(caller, &it.how)?;
    let place = it.how.place.find(caller)?;
    let region = place.region_for(&it.alias)?;
    let desk = place.open(&caller.terminal, vec![region]).await?;
    let undone = match &it.activity {
        Some(id) => Ok(ActivityId::new(id.clone())),
        None => last(&desk, id_of(&it.alias)).await,
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
