//! What would most likely help against a trouble: the one change worth offering, or what to look at when none is safe.
//!
//! Owns the choice, from the trouble, its likely causes and the state as it is now. An offer is a draft of a change and
//! nothing more: the guard previews, asks and sends it like any other. Deliberately offers nothing against a trouble that
//! is over, and never more than puts back what was, or makes room where there is none.

mod fleet;
mod former;

use liftdeck_model::action::{Action, Request, UpdateAlias, UpdateGameSessionQueue};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::feed::Adoption;
use liftdeck_model::time::{DAY_MS, TimeRange};
use liftdeck_model::{AliasId, FleetId, Location, QueueName, Region, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::queue::{AliasRow, QueueRow};
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

pub(crate) use self::fleet::content;
pub(crate) use self::former::of_alias as former_of;
use crate::alert::Alert;
use crate::change::{Change, ChangeKind, FleetNamed, Value, What};
use crate::verdict::{Likely, LikelyCause, Rule, Trouble};
use crate::words;

/// A change that most likely helps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Help {
    /// Point an alias back to the fleet it led to before.
    RepointBack {
        /// Alias.
        alias_id: AliasId,
        /// Its name.
        alias: String,
        /// Where it leads now; `None` if to no fleet.
        from: Option<FleetNamed>,
        /// Where it led before.
        to: FleetNamed,
        /// Whether that fleet is known only from the game sessions that ceased on it when the alias was updated.
        is_inferred: bool,
    },
    /// Raise the maximum of locations that stand at it.
    RaiseMaximum {
        /// Fleet.
        fleet: FleetNamed,
        /// Each location.
        places: Vec<Raise>,
        /// Whether the new maxima are those that were in force before.
        is_former: bool,
    },
    /// Resume the automatic scaling of locations.
    ResumeScaling {
        /// Fleet.
        fleet: FleetNamed,
        /// Those locations.
        locations: Vec<Location>,
    },
    /// Give a queue back what it had before.
    RestoreQueue {
        /// Queue.
        queue: QueueName,
        /// Region.
        region: Region,
        /// The setting, as the store names it.
        field: String,
    },
}

/// A maximum to raise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Raise {
    /// Location.
    pub location: Location,
    /// Instances now.
    pub from: i32,
    /// Instances offered.
    pub to: i32,
}

/// One thing that the change would change, or leave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OfferFact {
    /// What.
    pub label: String,
    /// As it is.
    pub before: String,
    /// As it would be.
    pub after: String,
}

/// A change that is offered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// What it is.
    pub help: Help,
    /// The changes to preview; several become a run.
    pub actions: Vec<Action>,
    /// What it is, in words: `Point arena-live-eu back to arena-prod-eu`.
    pub title: String,
    /// What the button says.
    pub button: String,
    /// Why it is likely to help.
    pub why: String,
    /// What it would change, as of now.
    pub facts: Vec<OfferFact>,
    /// The same in the terminal, a command for each change.
    pub commands: Vec<String>,
}

/// What is offered against a trouble.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", content = "of", rename_all = "camelCase")]
pub enum Offered {
    /// A change.
    Change(Box<Offer>),
    /// No change is safe. What to look at, in a sentence.
    Look(String),
}

impl Offered {
    /// The change, if one is offered.
    pub fn change(&self) -> Option<&Offer> {
        match self {
            Self::Change(offer) => Some(offer),
            Self::Look(_) => None,
        }
    }
}

/// Everything that offers depend on, read once for all of them.
pub(crate) struct Ground<'a> {
    pub(crate) reader: &'a Reader,
    pub(crate) fleets: Vec<FleetSummary>,
    pub(crate) aliases: Vec<AliasRow>,
    pub(crate) queues: Vec<QueueRow>,
    pub(crate) adoptions: Vec<Adoption>,
    pub(crate) now: Timestamp,
}

impl<'a> Ground<'a> {
    pub(crate) async fn read(reader: &'a Reader, now: Timestamp) -> Result<Self, StoreError> {
        let mut fleets = reader.fleet_summaries(now).await?;
        fleets.retain(|fleet| fleet.gone_at.is_none());
        Ok(Self {
            reader,
            fleets,
            aliases: reader.aliases(now).await?.0,
            queues: reader.queues(now).await?.0,
            adoptions: reader.adoptions().await?,
            now,
        })
    }

    pub(crate) fn fleet(&self, id: &FleetId) -> Option<&FleetSummary> {
        self.fleets.iter().find(|fleet| fleet.fleet.fleet_id == *id)
    }

    fn by_name(&self, region: Option<&Region>, name: &str) -> Option<&FleetSummary> {
        let named = |fleet: &&FleetSummary| {
            fleet.fleet.display_name() == name && region.is_none_or(|region| fleet.fleet.region == *region)
        };
        let mut found = self.fleets.iter().filter(named);
        // A name that several have means none of them.
        found.next().filter(|_| found.next().is_none())
    }

    fn alias(&self, id: &str) -> Option<&AliasRow> {
        self.aliases.iter().find(|row| row.alias.alias_id.as_str() == id)
    }

    fn alias_named(&self, region: Option<&Region>, name: &str) -> Option<&AliasRow> {
        let named = |row: &&AliasRow| {
            row.alias.name == name && region.is_none_or(|region| row.alias.region == *region)
        };
        let mut found = self.aliases.iter().filter(named);
        found.next().filter(|_| found.next().is_none())
    }
}

/// A fleet by id and name.
pub(crate) fn named(fleet: &FleetSummary) -> FleetNamed {
    FleetNamed { fleet_id: fleet.fleet.fleet_id.clone(), name: fleet.fleet.display_name().to_owned() }
}

/// Adds to each alert that is not over what is offered against it.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn add_offers(ground: &Ground<'_>, alerts: &mut [Alert]) -> Result<(), StoreError> {
    for alert in alerts.iter_mut().filter(|alert| alert.state.is_open()) {
        alert.offered = offered(ground, alert).await?;
    }
    Ok(())
}

/// What is offered against an alert; `None` if its facts cannot be read.
pub(crate) async fn offered(ground: &Ground<'_>, alert: &Alert) -> Result<Option<Offered>, StoreError> {
    let Some(facts) = &alert.facts else { return Ok(None) };
    let mut help = None;
    if facts.causes.first().is_some_and(|likely| matches!(likely.cause, LikelyCause::InstanceLimit { .. })) {
        // A higher maximum would start nothing.
        return Ok(Some(Offered::Look(words::offer::look_at_limit())));
    }
    for likely in &facts.causes {
        help = of_cause(ground, alert, likely).await?;
        if help.is_some() {
            break;
        }
    }
    if matches!(facts.trouble, Trouble::InstanceLimit { .. })
        && matches!(help, Some(Help::RaiseMaximum { .. }))
    {
        help = None;
    }
    if help.is_none()
        && matches!(alert.rule.parse(), Ok(Rule::Capped | Rule::LittleRoom | Rule::ScalingSuspended))
    {
        help = of_room(ground, alert).await?;
    }
    if let Some(offer) = help.and_then(|help| worded(ground, alert, help)) {
        return Ok(Some(Offered::Change(Box::new(offer))));
    }
    let look = match facts.causes.first() {
        Some(likely) => match leads_nowhere_back(ground, alert, likely).await? {
            Some(alias) => Some(words::offer::look_for_former(&alias)),
            None => words::offer::look_at_cause(&facts.trouble, &likely.cause),
        },
        None => None,
    };
    Ok(Some(Offered::Look(look.unwrap_or_else(|| words::offer::look(&facts.trouble)))))
}

/// The alias that a likely cause has repointed, and when.
fn repointed<'a>(
    ground: &'a Ground<'_>,
    alert: &Alert,
    likely: &Likely,
) -> Option<(&'a AliasRow, Timestamp)> {
    match &likely.cause {
        LikelyCause::Changed { change } if change.kind == ChangeKind::Alias => {
            Some((ground.alias(&change.resource)?, change.at))
        }
        LikelyCause::AliasUpdated { alias, .. } => {
            let row = ground.alias_named(alert.region.as_ref(), alias)?;
            Some((row, likely.at.unwrap_or(alert.since)))
        }
        _ => None,
    }
}

/// The alias that a likely cause has repointed, if neither its history nor game sessions tell where it led before.
async fn leads_nowhere_back(
    ground: &Ground<'_>,
    alert: &Alert,
    likely: &Likely,
) -> Result<Option<String>, StoreError> {
    let Some((row, at)) = repointed(ground, alert, likely) else { return Ok(None) };
    Ok(former::of_alias(ground, row, at).await?.is_none().then(|| row.alias.name.clone()))
}

/// What undoes a likely cause.
async fn of_cause(ground: &Ground<'_>, alert: &Alert, likely: &Likely) -> Result<Option<Help>, StoreError> {
    if let Some((row, at)) = repointed(ground, alert, likely) {
        return back(ground, alert, row, at).await;
    }
    let region = alert.region.as_ref();
    Ok(match &likely.cause {
        LikelyCause::Changed { change } if change.kind == ChangeKind::Queue => restore(ground, change),
        LikelyCause::Changed { change } if change.kind == ChangeKind::Capacity => {
            match change.fleet_id.as_ref().and_then(|id| ground.fleet(id)) {
                Some(fleet) => fleet::raise(ground, fleet, true).await?,
                None => None,
            }
        }
        LikelyCause::Changed { change } if change.kind == ChangeKind::Fleet => {
            change.fleet_id.as_ref().and_then(|id| ground.fleet(id)).and_then(fleet::resume)
        }
        LikelyCause::DestinationTerminal { alias } => match ground.alias_named(region, alias) {
            Some(row) => {
                let at = row.alias.last_updated_time.unwrap_or(alert.since);
                back(ground, alert, row, at).await?
            }
            None => None,
        },
        LikelyCause::ScalingSuspended { fleet } => ground.by_name(region, fleet).and_then(fleet::resume),
        LikelyCause::AtMaximum { fleet, .. } => match ground.by_name(region, fleet) {
            Some(fleet) => fleet::room(ground, fleet).await?,
            None => None,
        },
        _ => None,
    })
}

async fn of_room(ground: &Ground<'_>, alert: &Alert) -> Result<Option<Help>, StoreError> {
    match alert.fleet_id.as_ref().and_then(|id| ground.fleet(id)) {
        Some(fleet) => fleet::room(ground, fleet).await,
        None => Ok(None),
    }
}

/// Points an alias back to the fleet it led to before it was changed at `at`.
async fn back(
    ground: &Ground<'_>,
    alert: &Alert,
    row: &AliasRow,
    at: Timestamp,
) -> Result<Option<Help>, StoreError> {
    let now_at = match &row.alias.routing {
        RoutingStrategy::Simple { fleet_id } => ground.fleet(fleet_id),
        RoutingStrategy::Terminal { .. } => None,
    };
    let Some(former) = former::of_alias(ground, row, at).await? else { return Ok(None) };
    let Some(fleet) = ground.fleet(&former.fleet_id) else { return Ok(None) };
    let is_there = now_at.is_some_and(|now_at| now_at.fleet.fleet_id == former.fleet_id);
    // Where there is no room or nothing runs, players would fare no better.
    let can_host = fleet.fleet.can_host() && fleet.free_processes().is_some_and(|free| free > 0);
    let is_own_trouble = alert.fleet_id.as_ref() == Some(&former.fleet_id);
    if is_there || !can_host || is_own_trouble {
        return Ok(None);
    }
    Ok(Some(Help::RepointBack {
        alias_id: row.alias.alias_id.clone(),
        alias: row.alias.name.clone(),
        from: now_at.map(named),
        to: named(fleet),
        is_inferred: former.is_inferred,
    }))
}

/// Gives a queue back the destinations or the timeout that a recorded change took.
fn restore(ground: &Ground<'_>, change: &Change) -> Option<Help> {
    let What::Set { field, before: Some(_), after: Some(_), .. } = &change.what else { return None };
    let exists = ground
        .queues
        .iter()
        .any(|row| row.queue.name.as_str() == change.resource && row.queue.region == change.region);
    (exists && matches!(field.as_str(), "destinations" | "timeout_seconds")).then(|| Help::RestoreQueue {
        queue: QueueName::new(change.resource.clone()),
        region: change.region.clone(),
        field: field.clone(),
    })
}

/// The actions of a change, its facts and its words.
fn worded(ground: &Ground<'_>, alert: &Alert, help: Help) -> Option<Offer> {
    let (actions, facts) = match &help {
        Help::RepointBack { alias_id, from, to, .. } => {
            let region = ground.alias(alias_id.as_str())?.alias.region.clone();
            let routing = RoutingStrategy::Simple { fleet_id: to.fleet_id.clone() };
            let update = UpdateAlias {
                alias_id: alias_id.clone(),
                name: None,
                description: None,
                routing: Some(routing),
            };
            let request = Request::UpdateAlias(update);
            let from = from.as_ref().and_then(|from| ground.fleet(&from.fleet_id));
            (vec![Action { region, request }], fleet::compared(from, ground.fleet(&to.fleet_id)?))
        }
        Help::RaiseMaximum { fleet, places, .. } => {
            let summary = ground.fleet(&fleet.fleet_id)?;
            (fleet::raising(summary, places), fleet::raised(places))
        }
        Help::ResumeScaling { fleet, locations } => {
            let summary = ground.fleet(&fleet.fleet_id)?;
            (fleet::resuming(summary, locations), fleet::resumed(summary, locations))
        }
        Help::RestoreQueue { queue, region, field } => {
            let cause = alert.facts.as_ref()?.causes.iter().find_map(|likely| match &likely.cause {
                LikelyCause::Changed { change } if change.resource == queue.as_str() => Some(change),
                _ => None,
            })?;
            let What::Set { before: Some(before), .. } = &cause.what else { return None };
            let mut update = UpdateGameSessionQueue {
                name: queue.clone(),
                timeout_seconds: None,
                destinations: None,
                player_latency_policies: None,
                notification_target: None,
            };
            match (field.as_str(), before) {
                ("destinations", Value::Destinations(to)) => {
                    update.destinations = Some(to.iter().map(|to| to.arn.clone()).collect());
                }
                ("timeout_seconds", Value::Count(seconds)) => {
                    update.timeout_seconds = i32::try_from(*seconds).ok();
                }
                _ => return None,
            }
            let after = cause.words.before.clone().unwrap_or_default();
            let fact = OfferFact {
                label: field.replace('_', " "),
                before: cause.words.after.clone().unwrap_or_default(),
                after,
            };
            let request = Request::UpdateGameSessionQueue(update);
            (vec![Action { region: region.clone(), request }], vec![fact])
        }
    };
    let commands = words::offer::commands(&help, &actions);
    let (title, button, why) = words::offer::offer(&help);
    Some(Offer { help, actions, title, button, why, facts, commands })
}

/// The range of a day before now.
pub(super) fn last_day(now: Timestamp) -> TimeRange {
    TimeRange::new(now.plus_ms(-DAY_MS), now.plus_ms(1))
}

/// Whether a trouble is of a kind that room would mend.
pub(crate) const fn is_of_room(trouble: &Trouble) -> bool {
    matches!(trouble, Trouble::Capped { .. } | Trouble::LittleRoom { .. })
}
