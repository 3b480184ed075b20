//! Game sessions of a fleet or an alias, or by their own id.

use super::constraint::{ALIAS, FLEET, LOCATION, POSITIVE, SESSION, SHORT_TEXT, TOKEN};
use super::listing::{self, Asked, BAD_TOKEN};
use super::lookup::{self, invalid, no_location, not_found};
use super::shape::Detail;
use crate::operation::Call;
use crate::page::Page;
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, input};
use liftdeck_simulated_world::records::GameSessionStatus;
use liftdeck_simulated_world::{FleetRef, SessionFilter, SessionKey, SessionRef};

input! {
    struct SessionsInput {
        fleet: Option<String> = optional("FleetId", FLEET),
        session: Option<String> = optional("GameSessionId", SESSION),
        alias: Option<String> = optional("AliasId", ALIAS),
        location: Option<String> = optional("Location", LOCATION),
        status: Option<String> = optional("StatusFilter", SHORT_TEXT),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }
}

/// The statuses a listing can be filtered by; ERROR is not among them.
const FILTERS: [GameSessionStatus; 4] = [
    GameSessionStatus::Active,
    GameSessionStatus::Activating,
    GameSessionStatus::Terminated,
    GameSessionStatus::Terminating,
];

/// `DescribeGameSessions`.
pub(super) fn describe(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    write(call, writer, "GameSessions", |session| session)
}

/// `DescribeGameSessionDetails`.
pub(super) fn details(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    write(call, writer, "GameSessionDetails", Detail)
}

fn write<'a, T: Wire>(
    call: &Call<'a>,
    writer: &mut Writer,
    member: &str,
    shown: impl Fn(SessionRef<'a>) -> T,
) -> Result<(), ServiceError> {
    let page = sessions(call)?;
    let items = page.items.into_iter().map(shown).collect();
    listing::write(call, writer, member, &Page { items, cursor: page.cursor });
    Ok(())
}

fn sessions<'a>(call: &Call<'a>) -> Result<Page<SessionRef<'a>>, ServiceError> {
    let input: SessionsInput = lookup::read(call)?;
    let status = input.status.as_deref().map(filter).transpose()?;
    if let Some(arn) = &input.session {
        if input.fleet.is_some() || input.alias.is_some() {
            return Err(invalid("GameSessionId cannot be combined with FleetId or AliasId."));
        }
        let found =
            call.world.game_session(call.region, arn).ok_or_else(|| not_found("Game session", arn))?;
        let location = input.location.as_deref();
        let fits = location.is_none_or(|location| found.location() == location)
            && status.is_none_or(|status| found.status() == status);
        return Ok(Page { items: if fits { vec![found] } else { Vec::new() }, cursor: None });
    }
    let fleet = lookup::fleet_or_alias(call, input.fleet.as_deref(), input.alias.as_deref())?;
    check_location(&fleet, input.location.as_deref())?;
    let asked = Asked::new(input.limit, &input.token);
    let after = call.cursor(asked.token, BAD_TOKEN)?;
    let after = after.and_then(|cursor| cursor.parse().ok()).map(SessionKey::from_value);
    let filter = SessionFilter { location: input.location.as_deref(), status };
    let mut sessions = call.world.game_sessions(call.region, fleet.id(), filter, after);
    let items: Vec<_> = sessions.by_ref().take(asked.size()).collect();
    let last = items.last().map(|session| session.key().value().to_string());
    let cursor = sessions.next().and(last);
    Ok(Page { items, cursor })
}

fn filter(text: &str) -> Result<GameSessionStatus, ServiceError> {
    let known = FILTERS.into_iter().find(|status| status.as_str() == text);
    known.ok_or_else(|| {
        invalid(format!(
            "StatusFilter {text} is not one of {}.",
            FILTERS.map(GameSessionStatus::as_str).join(", ")
        ))
    })
}

/// Refuses a location the fleet does not have.
pub(super) fn check_location(fleet: &FleetRef<'_>, location: Option<&str>) -> Result<(), ServiceError> {
    match location {
        Some(location) if !fleet.locations().iter().any(|place| place.location == location) => {
            Err(no_location(fleet, location))
        }
        _ => Ok(()),
    }
}
