//! Aliases: where new game sessions are sent.

use liftdeck_model::action::{Action, CreateAlias, DeleteAlias, Request, UpdateAlias};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::fleet::Fleet;
use liftdeck_model::{FleetId, Region};

use super::crowd;
use super::draft::{Draft, Hit};
use super::present::Present;
use crate::error::OperationError;
use crate::fact::{UndoOffer, Warning};
use crate::words::{self, WarningFact};

/// Reads the fleet an alias points to; `None` for a terminal alias and for a fleet that is gone.
async fn target(
    present: &mut Present<'_>,
    region: &Region,
    routing: &RoutingStrategy,
) -> Result<Option<Fleet>, OperationError> {
    match routing {
        RoutingStrategy::Simple { fleet_id } => present.fleet(region, fleet_id).await,
        RoutingStrategy::Terminal { .. } => Ok(None),
    }
}

/// Notes what to know about a fleet before new sessions are sent to it.
fn warn_of_target(draft: &mut Draft, routing: &RoutingStrategy, fleet: Option<&Fleet>) {
    match (routing, fleet) {
        (RoutingStrategy::Simple { fleet_id }, None) => {
            let missing = words::missing("fleet", fleet_id.as_str(), &draft.action);
            draft.refuse(missing);
        }
        (RoutingStrategy::Simple { .. }, Some(fleet)) => {
            draft.warnings.extend(words::not_active(fleet).map(Warning::bad))
        }
        (RoutingStrategy::Terminal { .. }, _) => draft.caution(WarningFact::AliasTerminal),
    }
}

/// CreateAlias.
pub(super) async fn create(
    present: &mut Present<'_>,
    action: &Action,
    it: &CreateAlias,
) -> Result<Draft, OperationError> {
    let fleet = target(present, &action.region, &it.routing).await?;
    let mut draft = Draft::new(action, format!("Create alias {}", it.name));
    draft.name = Some(it.name.clone());
    draft.fleet_id = fleet_id(&it.routing);
    draft.fact("Name", None, Some(it.name.clone()));
    if let Some(description) = &it.description {
        draft.fact("Description", None, Some(description.clone()));
    }
    draft.fact("Routing", None, Some(words::routing(&it.routing, fleet.as_ref())));
    warn_of_target(&mut draft, &it.routing, fleet.as_ref());
    draft.hit = Hit::nobody("Nothing uses the alias until a game or a queue names it.");
    draft.offer = UndoOffer::None("The new alias can be deleted again.".to_owned());
    Ok(draft)
}

/// UpdateAlias, which is a repoint if it sets the routing.
pub(super) async fn update(
    present: &mut Present<'_>,
    action: &Action,
    it: &UpdateAlias,
) -> Result<Draft, OperationError> {
    let Some(alias) = present.alias(&action.region, &it.alias_id).await? else {
        let mut draft = Draft::new(action, format!("Change alias {}", it.alias_id));
        draft.refuse(words::missing("alias", it.alias_id.as_str(), action));
        draft.fact("Alias", None, Some("changed".to_owned()));
        return Ok(draft);
    };
    let mut draft = Draft::new(action, format!("Change alias {}", alias.name));
    draft.name = Some(alias.name.clone());
    draft.fleet_id = fleet_id(&alias.routing);
    let mut former =
        UpdateAlias { alias_id: it.alias_id.clone(), name: None, description: None, routing: None };
    let mut lost = None;
    if let Some(name) = &it.name {
        draft.fact("Name", Some(alias.name.clone()), Some(name.clone()));
        former.name = Some(alias.name.clone());
    }
    if let Some(description) = &it.description {
        draft.fact("Description", alias.description.clone(), Some(description.clone()));
        former.description = alias.description.clone().filter(|text| !text.is_empty());
        if former.description.is_none() {
            lost = Some("A description cannot be removed: AWS accepts no empty one.");
        }
    }
    if let Some(routing) = &it.routing {
        repoint(present, &mut draft, &alias, routing).await?;
        former.routing = Some(alias.routing.clone());
    }
    if draft.hit == Hit::default() {
        draft.hit = Hit::nobody("The routing of the alias does not change.");
    }
    if !draft.holds() {
        let changes_something =
            former.name.is_some() || former.description.is_some() || former.routing.is_some();
        match lost {
            None => draft.undone_by(vec![Request::UpdateAlias(former)], UndoOffer::Exact),
            Some(text) if changes_something => {
                draft.undone_by(vec![Request::UpdateAlias(former)], UndoOffer::Partly(text.to_owned()));
            }
            Some(text) => draft.offer = UndoOffer::None(text.to_owned()),
        }
    }
    Ok(draft)
}

async fn repoint(
    present: &mut Present<'_>,
    draft: &mut Draft,
    alias: &Alias,
    routing: &RoutingStrategy,
) -> Result<(), OperationError> {
    let region = draft.action.region.clone();
    let from = target(present, &region, &alias.routing).await?;
    let to = target(present, &region, routing).await?;
    let (before, after) =
        (words::routing(&alias.routing, from.as_ref()), words::routing(routing, to.as_ref()));
    draft.title = format!("Repoint alias {} to {after}", alias.name);
    draft.fact("Routing", Some(before), Some(after));
    if alias.routing == *routing {
        draft.info(WarningFact::AliasLeadsThere);
        return Ok(());
    }
    warn_of_target(draft, routing, to.as_ref());
    if let (Some(from), Some(to)) = (&from, &to) {
        let hosts = |fleet: &Fleet| (fleet.build_id.clone(), fleet.script_id.clone());
        if hosts(from) != hosts(to) {
            draft.info(WarningFact::AnotherContent);
        }
        if from.certificate_type != to.certificate_type {
            draft.caution(WarningFact::AnotherCertificate);
        }
    }
    if let RoutingStrategy::Simple { fleet_id } = routing
        && to.is_some()
        && let Some(capacity) = present.capacity(&region, fleet_id, None).await?
        && capacity.active == 0
    {
        draft.bad(WarningFact::TargetWithoutInstances {
            region: region.clone(),
            desired: capacity.desired,
            maximum: capacity.maximum,
        });
    }
    draft.info(WarningFact::Stragglers);
    let queues = present.queues_using(&region, alias).await?;
    if !queues.is_empty() {
        draft.caution(WarningFact::QueuesMove { queues });
    }
    draft.hit = stays(present, &region, &alias.routing, from.as_ref(), "; new ones go elsewhere").await?;
    Ok(())
}

/// The sessions that stay where the alias pointed. `new_ones` says what becomes of those requested from now on.
async fn stays(
    present: &Present<'_>,
    region: &Region,
    routing: &RoutingStrategy,
    from: Option<&Fleet>,
    new_ones: &str,
) -> Result<Hit, OperationError> {
    let Some(fleet_id) = fleet_id(routing) else {
        return Ok(Hit::nobody("The alias creates game sessions again from now on."));
    };
    let on = words::fleet(&fleet_id, from);
    if from.is_none() {
        return Ok(Hit::nobody(format!("{on} no longer exists: no game session is on it.")));
    }
    let crowd = crowd::on_fleet(present, region, &fleet_id, None).await?;
    let least = if crowd.may_be_more { "At least " } else { "" };
    let whom = words::sessions_and_players(crowd.game_sessions, crowd.player_sessions);
    let go_on = if crowd.game_sessions == 1 { "goes on until it ends" } else { "go on until they end" };
    Ok(Hit {
        from_store: crowd.from_store,
        ..Hit::nobody(format!("{least}{whom} on {on} {go_on}{new_ones}."))
    })
}

/// DeleteAlias.
pub(super) async fn delete(
    present: &mut Present<'_>,
    action: &Action,
    it: &DeleteAlias,
) -> Result<Draft, OperationError> {
    let Some(alias) = present.alias(&action.region, &it.alias_id).await? else {
        let mut draft = Draft::new(action, format!("Delete alias {}", it.alias_id));
        draft.fact("Alias", None, None);
        draft.refuse(words::missing("alias", it.alias_id.as_str(), action));
        return Ok(draft);
    };
    let fleet = target(present, &action.region, &alias.routing).await?;
    let mut draft = Draft::new(action, format!("Delete alias {}", alias.name));
    draft.name = Some(alias.name.clone());
    draft.fleet_id = fleet_id(&alias.routing);
    draft.fact("Alias", Some(alias.name.clone()), None);
    draft.rests_on("Routing", Some(words::routing(&alias.routing, fleet.as_ref())));
    let queues = present.queues_using(&action.region, &alias).await?;
    if queues.is_empty() {
        draft.caution(WarningFact::AliasNamedByGames);
    } else {
        draft.bad(WarningFact::QueuesLoseAlias { queues });
    }
    draft.hit = stays(present, &action.region, &alias.routing, fleet.as_ref(), "").await?;
    draft.offer = UndoOffer::None(
        "A deleted alias does not come back: a new one gets another id, which games and queues do not know."
            .to_owned(),
    );
    Ok(draft)
}

fn fleet_id(routing: &RoutingStrategy) -> Option<FleetId> {
    match routing {
        RoutingStrategy::Simple { fleet_id } => Some(fleet_id.clone()),
        RoutingStrategy::Terminal { .. } => None,
    }
}
