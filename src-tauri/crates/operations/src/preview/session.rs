//! Game sessions: creating, changing and ending them, and reserving slots in them.

use liftdeck_model::action::{
    Action, CreateGameSession, CreatePlayerSessions, GameSessionTarget, PlayerSessionCreationPolicy,
    Protection, Request, TerminateGameSession, TerminationMode, UpdateGameSession,
};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::{ComputeKind, Fleet, ProtectionPolicy};
use liftdeck_model::game_session::{GameProperty, GameSession, GameSessionStatus};
use liftdeck_model::{FleetId, GameSessionId};

use super::draft::{Draft, Hit, How};
use super::present::{Found, Present};
use super::scaling::protection;
use crate::error::OperationError;
use crate::fact::{UndoOffer, Warning};
use crate::words::{self, SkipFact, WarningFact};

/// The name of a session, or the last part of its ARN.
fn called(id: &GameSessionId, session: Option<&GameSession>) -> String {
    session.and_then(|session| session.name.clone()).unwrap_or_else(|| id.short().to_owned())
}

fn count(value: i32) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// Leaves out sessions that have ended, and those that GameLift does not know.
fn ended(draft: &mut Draft, found: &Found) {
    match found {
        Found::Unknown => {
            draft.refuse(SkipFact::SessionUnknown);
        }
        Found::NotLive => draft.end(SkipFact::SessionNotListed),
        Found::Here(session) if !session.status.is_live() => {
            draft.end(SkipFact::SessionOver { status: session.status.clone() });
        }
        Found::Here(_) => {}
    }
}

/// Who a change of one session affects.
fn concerned(session: Option<&GameSession>, how: How) -> Hit {
    match session.filter(|session| session.status.is_live()) {
        None => Hit::default(),
        Some(session) => Hit {
            how,
            game_sessions: 1,
            player_sessions: count(session.current_player_session_count),
            protected_game_sessions: u64::from(
                session.protection_policy == Some(ProtectionPolicy::FullProtection),
            ),
            ..Hit::default()
        },
    }
}

/// CreateGameSession, on a fleet or through an alias.
pub(super) async fn create(
    present: &mut Present<'_>,
    action: &Action,
    it: &CreateGameSession,
) -> Result<Draft, OperationError> {
    let region = &action.region;
    let mut draft = Draft::new(action, "Create a game session");
    draft.offer = UndoOffer::None("The new game session can only be terminated.".to_owned());
    draft.hit = Hit::nobody("Takes one free server process; no other game session is affected.");
    let fleet_id = match &it.target {
        GameSessionTarget::Fleet(fleet) => Some(fleet.clone()),
        GameSessionTarget::Alias(alias) => through(present, &mut draft, alias).await?,
    };
    if let Some(fleet_id) = &fleet_id {
        let fleet = present.fleet(region, fleet_id).await?;
        on_fleet(present, &mut draft, it, fleet_id, fleet.as_ref()).await?;
    }
    draft.fleet_id = fleet_id;
    draft.fact("Slots", None, Some(it.maximum_player_session_count.to_string()));
    if let Some(name) = &it.name {
        draft.title = format!("Create game session {name}");
        draft.name = Some(name.clone());
        draft.fact("Name", None, Some(name.clone()));
    }
    for GameProperty { key, value } in &it.game_properties {
        draft.fact(&format!("Property {key}"), None, Some(value.clone()));
    }
    draft.fact("Idempotency token", None, Some(it.idempotency_token.clone()));
    Ok(draft)
}

/// Reads which fleet an alias points to now.
async fn through(
    present: &mut Present<'_>,
    draft: &mut Draft,
    id: &liftdeck_model::AliasId,
) -> Result<Option<FleetId>, OperationError> {
    let Some(alias) = present.alias(&draft.action.region, id).await? else {
        let missing = words::missing("alias", id.as_str(), &draft.action);
        draft.refuse(missing);
        return Ok(None);
    };
    draft.fact("Alias", None, Some(alias.name.clone()));
    match &alias.routing {
        RoutingStrategy::Simple { fleet_id } => {
            draft.rests_on("Routing of the alias", Some(fleet_id.to_string()));
            Ok(Some(fleet_id.clone()))
        }
        RoutingStrategy::Terminal { message } => {
            draft.rests_on("Routing of the alias", Some(words::routing(&alias.routing, None)));
            draft.refuse(SkipFact::AliasIsTerminal { message: message.clone() });
            Ok(None)
        }
    }
}

async fn on_fleet(
    present: &mut Present<'_>,
    draft: &mut Draft,
    it: &CreateGameSession,
    fleet_id: &FleetId,
    fleet: Option<&Fleet>,
) -> Result<(), OperationError> {
    let region = draft.action.region.clone();
    draft.fact("Fleet", None, Some(words::fleet(fleet_id, fleet)));
    let place = words::location_name(&draft.action, it.location.as_ref());
    let Some(fleet) = fleet else {
        let missing = words::missing("fleet", fleet_id.as_str(), &draft.action);
        draft.refuse(missing);
        return Ok(());
    };
    draft.warnings.extend(words::not_active(fleet).map(Warning::bad));
    if fleet.kind == ComputeKind::Anywhere && it.location.is_none() {
        draft.refuse(SkipFact::AnywhereNeedsLocation);
    } else {
        draft.fact("Location", None, Some(place.clone()));
    }
    if fleet.creator_limit.is_some() && it.creator_id.is_none() {
        draft.refuse(SkipFact::CreatorNeeded);
    }
    if it.location.is_some() {
        let locations = present.locations(&region, fleet_id).await?;
        if !locations.iter().any(|location| location.location.as_str() == place) {
            draft.refuse(SkipFact::NoSuchLocation { location: place });
            return Ok(());
        }
    }
    if fleet.kind.has_capacity()
        && let Some(capacity) = present.capacity(&region, fleet_id, it.location.as_ref()).await?
        && capacity.active == 0
    {
        draft.bad(WarningFact::NoInstanceIn { location: place });
    }
    Ok(())
}

/// UpdateGameSession.
pub(super) async fn update(
    present: &mut Present<'_>,
    action: &Action,
    it: &UpdateGameSession,
) -> Result<Draft, OperationError> {
    let found = present.find_session(&action.region, &it.game_session_id).await?;
    let name = called(&it.game_session_id, found.here());
    let mut draft = Draft::new(action, format!("Change game session {name}"));
    draft.name = Some(name);
    ended(&mut draft, &found);
    draft.hit = concerned(found.here(), How::Concerns);
    let Found::Here(session) = found else {
        draft.fact("Game session", None, Some("changed".to_owned()));
        return Ok(draft);
    };
    let mut former = UpdateGameSession {
        game_session_id: it.game_session_id.clone(),
        name: None,
        maximum_player_session_count: None,
        player_session_creation_policy: None,
        protection_policy: None,
        game_properties: Vec::new(),
    };
    let mut lost = Vec::new();
    if let Some(name) = &it.name {
        draft.fact("Name", session.name.clone(), Some(name.clone()));
        former.name = session.name.clone().filter(|name| !name.is_empty());
        if former.name.is_none() {
            lost.push("A name cannot be removed.".to_owned());
        }
    }
    if let Some(most) = it.maximum_player_session_count {
        let before = session.maximum_player_session_count;
        draft.fact("Slots", Some(before.to_string()), Some(most.to_string()));
        former.maximum_player_session_count = Some(before);
        if most < session.current_player_session_count {
            draft.refuse(SkipFact::FewerSlotsThanPlayers { players: session.current_player_session_count });
        }
    }
    if let Some(policy) = it.player_session_creation_policy {
        draft.fact(
            "New players",
            session.player_session_creation_policy.clone(),
            Some(policy.as_str().to_owned()),
        );
        former.player_session_creation_policy = creation(session.player_session_creation_policy.as_deref());
        if former.player_session_creation_policy.is_none() {
            lost.push("AWS does not show whether new players were let in.".to_owned());
        }
    }
    if let Some(wanted) = it.protection_policy {
        draft.fact(
            "Protection",
            session.protection_policy.as_ref().map(ToString::to_string),
            Some(wanted.as_str().to_owned()),
        );
        former.protection_policy = session.protection_policy.as_ref().and_then(protection);
        if former.protection_policy.is_none() {
            lost.push("AWS does not show the former protection.".to_owned());
        }
        if wanted == Protection::NoProtection {
            draft.caution(WarningFact::SessionUnprotected);
        }
    }
    for property in &it.game_properties {
        let before = session.game_properties.iter().find(|known| known.key == property.key);
        draft.fact(
            &format!("Property {}", property.key),
            before.map(|known| known.value.clone()),
            Some(property.value.clone()),
        );
        match before {
            Some(known) => former.game_properties.push(known.clone()),
            None => lost.push(format!("The property {} stays: GameLift never removes one.", property.key)),
        }
    }
    if !draft.holds() {
        offer_former(&mut draft, former, &lost);
    }
    Ok(draft)
}

fn offer_former(draft: &mut Draft, former: UpdateGameSession, lost: &[String]) {
    let nothing = former.name.is_none()
        && former.maximum_player_session_count.is_none()
        && former.player_session_creation_policy.is_none()
        && former.protection_policy.is_none()
        && former.game_properties.is_empty();
    match (nothing, lost) {
        (true, _) => draft.offer = UndoOffer::None(lost.join(" ")),
        (false, []) => draft.undone_by(vec![Request::UpdateGameSession(former)], UndoOffer::Exact),
        (false, lost) => {
            draft.undone_by(vec![Request::UpdateGameSession(former)], UndoOffer::Partly(lost.join(" ")));
        }
    }
}

fn creation(policy: Option<&str>) -> Option<PlayerSessionCreationPolicy> {
    policy?.parse().ok()
}

/// TerminateGameSession.
pub(super) async fn terminate(
    present: &mut Present<'_>,
    action: &Action,
    it: &TerminateGameSession,
) -> Result<Draft, OperationError> {
    let found = present.find_session(&action.region, &it.game_session_id).await?;
    let session = found.here();
    let name = called(&it.game_session_id, session);
    let forced = it.termination_mode == TerminationMode::ForceTerminate;
    let how = if forced { "Terminate at once" } else { "Terminate" };
    let mut draft = Draft::new(action, format!("{how} game session {name}"));
    draft.name = Some(name);
    // Nothing changes about a session that is not there.
    if let Some(session) = session {
        draft.fact(
            "Status",
            Some(session.status.to_string()),
            Some(GameSessionStatus::Terminated.to_string()),
        );
    }
    draft.fact("Termination mode", None, Some(it.termination_mode.as_str().to_owned()));
    draft.offer = UndoOffer::None("A game session that has ended does not come back.".to_owned());
    ended(&mut draft, &found);
    draft.hit = concerned(session, How::Ends);
    if let Some(session) = session.filter(|session| session.status.is_live()) {
        if !forced && session.status == GameSessionStatus::Terminating {
            draft.end(SkipFact::SessionAskedToEnd);
        }
        if forced {
            draft.caution(WarningFact::ProcessStopped);
            let fleet = present.fleet(&action.region, &session.fleet_id).await?;
            if fleet.is_some_and(|fleet| fleet.kind == ComputeKind::Anywhere) {
                draft.caution(WarningFact::AnywhereNeedsAgent);
            }
        } else {
            draft.info(WarningFact::ServerAskedToEnd);
        }
    }
    Ok(draft)
}

/// CreatePlayerSessions.
pub(super) async fn reserve(
    present: &mut Present<'_>,
    action: &Action,
    it: &CreatePlayerSessions,
) -> Result<Draft, OperationError> {
    let found = present.find_session(&action.region, &it.game_session_id).await?;
    let session = found.here();
    let name = called(&it.game_session_id, session);
    let wanted = it.players.len() as u64;
    let title = format!("Reserve {} in {name}", words::count(wanted, "slot", "slots"));
    let mut draft = Draft::new(action, title);
    draft.name = Some(name);
    draft.offer =
        UndoOffer::None("A reserved slot is freed after 60 seconds if its player does not join.".to_owned());
    draft.hit = Hit::nobody("Nobody who is playing is affected.");
    for player in &it.players {
        draft.fact(&format!("Slot of {}", player.player_id), None, Some("RESERVED".to_owned()));
    }
    ended(&mut draft, &found);
    let Some(session) = session.filter(|session| session.status.is_live()) else { return Ok(draft) };
    if session.status != GameSessionStatus::Active {
        draft.refuse(SkipFact::SessionTakesNoSlots { status: session.status.clone() });
    }
    if creation(session.player_session_creation_policy.as_deref())
        == Some(PlayerSessionCreationPolicy::DenyAll)
    {
        draft.refuse(SkipFact::SessionDeniesPlayers);
    }
    let free = count(session.maximum_player_session_count - session.current_player_session_count);
    if free < wanted {
        draft.refuse(SkipFact::TooFewSlots { free });
    }
    draft.info(WarningFact::SlotsKept);
    Ok(draft)
}
