//! Operations that create, change and end game sessions.

use super::choice::Choice;
use super::constraint::{
    ALIAS, FLEET, GAME_PROPERTIES, ID, LARGE_DATA, LOCATION, SESSION, SHORT_TEXT, SLOTS,
};
use super::lookup::{self, invalid, not_found};
use crate::operation::Change;
use crate::service::ServiceError;
use crate::wire::{Text, Wire, Writer, in_place, input};
use liftdeck_simulated_world::records::{GameProperty, PlayerSessionCreationPolicy, ProtectionPolicy};
use liftdeck_simulated_world::{NewGameSession, SessionSettings, TerminationMode};

static POLICY: Choice<PlayerSessionCreationPolicy> =
    Choice::new(PlayerSessionCreationPolicy::ALL, PlayerSessionCreationPolicy::as_str);
static PROTECTION: Choice<ProtectionPolicy> = Choice::new(ProtectionPolicy::ALL, ProtectionPolicy::as_str);
static MODE: Text = Text::one_of(&["TRIGGER_ON_PROCESS_TERMINATE", "FORCE_TERMINATE"]);

input! {
    struct CreateInput {
        fleet: Option<String> = optional("FleetId", FLEET),
        alias: Option<String> = optional("AliasId", ALIAS),
        most: i64 = required("MaximumPlayerSessionCount", SLOTS),
        name: Option<String> = optional("Name", SHORT_TEXT),
        properties: Option<Vec<GameProperty>> = optional("GameProperties", GAME_PROPERTIES),
        creator: Option<String> = optional("CreatorId", SHORT_TEXT),
        id: Option<String> = optional("GameSessionId", ID),
        token: Option<String> = optional("IdempotencyToken", ID),
        game_data: Option<String> = optional("GameSessionData", LARGE_DATA),
        location: Option<String> = optional("Location", LOCATION),
    }

    struct UpdateInput {
        session: String = required("GameSessionId", SESSION),
        most: Option<i64> = optional("MaximumPlayerSessionCount", SLOTS),
        name: Option<String> = optional("Name", SHORT_TEXT),
        policy: Option<PlayerSessionCreationPolicy> = optional("PlayerSessionCreationPolicy", POLICY),
        protection: Option<ProtectionPolicy> = optional("ProtectionPolicy", PROTECTION),
        properties: Option<Vec<GameProperty>> = optional("GameProperties", GAME_PROPERTIES),
    }

    struct TerminateInput {
        session: String = required("GameSessionId", SESSION),
        mode: String = required("TerminationMode", MODE),
    }
}

/// The most player sessions in a game session (G2).
const MOST_PLAYERS: i64 = 200;

/// Reads the requested number of slots and checks it against the service's limit.
pub(super) fn slots(asked: i64) -> Result<u16, ServiceError> {
    let within = u16::try_from(asked).ok().filter(|_| asked <= MOST_PLAYERS);
    within.ok_or_else(|| invalid(format!("MaximumPlayerSessionCount can be at most {MOST_PLAYERS}.")))
}

/// Returns the given properties; refuses a repeated key.
pub(super) fn properties(given: Option<Vec<GameProperty>>) -> Result<Vec<GameProperty>, ServiceError> {
    let given = given.unwrap_or_default();
    for (at, property) in given.iter().enumerate() {
        if given.iter().take(at).any(|before| before.key == property.key) {
            return Err(invalid(format!("GameProperties has the key {} more than once.", property.key)));
        }
    }
    Ok(given)
}

fn write(change: &Change<'_>, arn: &str, writer: &mut Writer) -> Result<(), ServiceError> {
    let session = change.world.game_session(change.region, arn);
    let session = session.ok_or_else(|| not_found("Game session", arn))?;
    in_place!({ "GameSession" => session }).write(writer);
    Ok(())
}

/// `CreateGameSession`.
pub(super) fn create(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: CreateInput = lookup::read(&change.call())?;
    if input.id.is_some() && input.token.is_some() {
        return Err(invalid("GameSessionId and IdempotencyToken cannot be combined."));
    }
    let fleet_id = target(&change.call(), input.fleet.as_deref(), input.alias.as_deref())?;
    let new = NewGameSession {
        location: input.location,
        maximum_player_session_count: slots(input.most)?,
        name: input.name,
        game_properties: properties(input.properties)?,
        creator_id: input.creator,
        game_session_data: input.game_data,
        // The fleet may be named by id, ARN or alias, so it is left out; tokens are kept per fleet anyway.
        repeatable: input.token.as_ref().map(|_| change.body.fingerprint(&["FleetId", "AliasId"])),
        id: input.token.or(input.id),
    };
    let arn = change.world.create_game_session(change.region, &fleet_id, new)?;
    write(change, &arn, writer)
}

/// Returns the id of the fleet for a new session. A changed alias may still lead to its previous fleet.
fn target(
    call: &crate::operation::Call<'_>,
    fleet: Option<&str>,
    alias: Option<&str>,
) -> Result<String, ServiceError> {
    if let (None, Some(alias)) = (fleet, alias) {
        let alias = lookup::alias(call, alias)?;
        let routing = call.world.route(call.region, &alias.alias_id).unwrap_or(&alias.routing_strategy);
        return Ok(lookup::fleet(call, lookup::strategy(routing)?)?.id().to_owned());
    }
    Ok(lookup::fleet_or_alias(call, fleet, alias)?.id().to_owned())
}

/// `UpdateGameSession`.
pub(super) fn update(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: UpdateInput = lookup::read(&change.call())?;
    let settings = SessionSettings {
        maximum_player_session_count: input.most.map(slots).transpose()?,
        name: input.name,
        player_session_creation_policy: input.policy,
        protection_policy: input.protection,
        game_properties: properties(input.properties)?,
    };
    change.world.update_game_session(change.region, &input.session, settings)?;
    write(change, &input.session, writer)
}

/// `TerminateGameSession`.
pub(super) fn terminate(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: TerminateInput = lookup::read(&change.call())?;
    let mode = match input.mode.as_str() {
        "FORCE_TERMINATE" => TerminationMode::ForceTerminate,
        _ => TerminationMode::TriggerOnProcessTerminate,
    };
    change.world.terminate_game_session(change.region, &input.session, mode)?;
    write(change, &input.session, writer)
}
