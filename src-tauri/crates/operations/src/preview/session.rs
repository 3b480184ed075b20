//! Game sessions: made, changed, ended, and slots kept in them.

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
use super::{UndoOffer, Warning, words};
use crate::error::OperationError;

/// The name of a session, or the last part of its ARN.
fn called(id: &GameSessionId, session: Option<&GameSession>) -> String {
    session.and_then(|session| session.name.clone()).unwrap_or_else(|| id.short().to_owned())
}

fn count(value: i32) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// Leaves out the sessions that have ended, and those GameLift does not know.
fn ended(draft: &mut Draft, found: &Found) {
    match found {
        Found::Unknown => {
            draft.refuse("GameLift does not know this game session (any more): AWS will refuse this.");
        }
        Found::NotLive => draft.end("It is not among the live game sessions of its fleet."),
        Found::Here(session) if !session.status.is_live() => {
            draft.end(format!("The game session is {}.", session.status));
        }
        Found::Here(_) => {}
    }
}

/// Whom a change of one session concerns.
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
    draft.offer = UndoOffer::None("A game session that was made can only be terminated.".to_owned());
    draft.hit = Hit::nobody("Takes one free server process; no other game session is touched.");
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

/// The fleet an alias leads to now.
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
            draft.refuse(format!(
                "The alias is terminal: AWS will answer with its message instead of a game session: {message}"
            ));
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
    let place = words::place(&draft.action, it.location.as_ref());
    let Some(fleet) = fleet else {
        let missing = words::missing("fleet", fleet_id.as_str(), &draft.action);
        draft.refuse(missing);
        return Ok(());
    };
    draft.warnings.extend(words::not_active(fleet));
    if fleet.kind == ComputeKind::Anywhere && it.location.is_none() {
        draft.refuse("An Anywhere fleet needs its custom location named: AWS will refuse this.");
    } else {
        draft.fact("Location", None, Some(place.clone()));
    }
    if fleet.creator_limit.is_some() && it.creator_id.is_none() {
        draft.refuse("The fleet limits game sessions per creator: name a creator id.");
    }
    if it.location.is_some() {
        let locations = present.locations(&region, fleet_id).await?;
        if !locations.iter().any(|location| location.location.as_str() == place) {
            draft.refuse(format!("The fleet has no location {place}: AWS will refuse this."));
            return Ok(());
        }
    }
    if fleet.kind.has_capacity()
        && let Some(capacity) = present.capacity(&region, fleet_id, it.location.as_ref()).await?
        && capacity.active == 0
    {
        draft.warnings.push(Warning::bad(format!(
            "No instance is active in {place}: AWS will answer that the fleet has no free server process."
        )));
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
            lost.push("A name cannot be taken away again.".to_owned());
        }
    }
    if let Some(most) = it.maximum_player_session_count {
        let before = session.maximum_player_session_count;
        draft.fact("Slots", Some(before.to_string()), Some(most.to_string()));
        former.maximum_player_session_count = Some(before);
        if most < session.current_player_session_count {
            draft.refuse(format!(
                "{} players are in it: AWS will refuse fewer slots than that.",
                session.current_player_session_count
            ));
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
            draft.warnings.push(Warning::caution("Scale-in may end the game session from then on."));
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
    [PlayerSessionCreationPolicy::AcceptAll, PlayerSessionCreationPolicy::DenyAll]
        .into_iter()
        .find(|known| Some(known.as_str()) == policy)
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
    // Of what is not there nothing changes.
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
            draft.end("The game session is TERMINATING already: it was asked to end itself.");
        }
        if forced {
            draft.warnings.push(Warning::caution(
                "The server process is stopped at once: what it has not saved is lost, and its players are cut off.",
            ));
            let fleet = present.fleet(&action.region, &session.fleet_id).await?;
            if fleet.is_some_and(|fleet| fleet.kind == ComputeKind::Anywhere) {
                draft.warnings.push(Warning::caution(
                    "On an Anywhere fleet this works only where the GameLift Agent runs.",
                ));
            }
        } else {
            draft.warnings.push(Warning::info(
                "The game server is asked to end itself. If its code does not, the game session stays TERMINATING: then force it.",
            ));
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
    draft.offer = UndoOffer::None(
        "A reserved slot frees itself after 60 seconds if its player does not come.".to_owned(),
    );
    draft.hit = Hit::nobody("Nobody who plays is touched.");
    for player in &it.players {
        draft.fact(&format!("Slot of {}", player.player_id), None, Some("RESERVED".to_owned()));
    }
    ended(&mut draft, &found);
    let Some(session) = session.filter(|session| session.status.is_live()) else { return Ok(draft) };
    if session.status != GameSessionStatus::Active {
        draft.refuse(format!("The game session is {}: AWS keeps slots only in ACTIVE ones.", session.status));
    }
    if creation(session.player_session_creation_policy.as_deref())
        == Some(PlayerSessionCreationPolicy::DenyAll)
    {
        draft.refuse("The game session lets no new players in (DENY_ALL): AWS will refuse this.");
    }
    let free = count(session.maximum_player_session_count - session.current_player_session_count);
    if free < wanted {
        draft.refuse(format!(
            "Only {} free: AWS will refuse this.",
            words::count(free, "slot is", "slots are")
        ));
    }
    draft.warnings.push(Warning::info("A slot is kept for 60 seconds, then it is free again."));
    Ok(draft)
}
