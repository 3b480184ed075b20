//! Where to look on AWS for what an unanswered change may have left.
//!
//! Owns what is read for each operation; what it proves is in `settle::trace`. Deliberately only reads.

use std::collections::BTreeSet;

use liftdeck_model::action::{
    CreateAlias, CreateGameSession, CreatePlayerSessions, GameSessionTarget, Request,
};
use liftdeck_model::activity::Activity;
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, TicketId, Timestamp};
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;

use super::trace::{self, Evidence};
use crate::connection::Connection;
use crate::error::OperationError;
use crate::preview::change;
use crate::preview::present::Present;
use crate::words::Trace;

/// The most other attempts of the last minutes that are searched for what they made.
const LOOKED_THROUGH: u32 = 1_000;

/// Looks for what an attempt left on AWS.
///
/// # Errors
/// `Gateway` if AWS cannot be asked.
pub(super) async fn of(connection: &Connection, activity: &Activity) -> Result<Evidence, OperationError> {
    let mut present = Present::new(connection);
    let region = &activity.region;
    match &activity.action.request {
        Request::CreateGameSession(it) => created(&mut present, activity, it).await,
        Request::CreatePlayerSessions(it) => reserved(connection, &present, activity, it).await,
        Request::CreateGameSessionQueue(it) => {
            Ok(trace::queue(it, present.queue(region, &it.name).await?.as_ref()))
        }
        Request::CreateAlias(it) => named(connection, &present, activity, it).await,
        Request::StartGameSessionPlacement(it) => {
            Ok(trace::placement(activity.at, present.placement(region, &it.placement_id).await?))
        }
        Request::StartMatchmaking(_) | Request::StartMatchBackfill(_) => {
            let ticket = TicketId::new(activity.action.request.resource().id);
            Ok(trace::ticket(activity.at, present.ticket(region, &ticket).await?.as_ref()))
        }
        Request::TerminateGameSession(it) => {
            Ok(trace::ended(present.session(region, &it.game_session_id).await?.as_ref()))
        }
        Request::StopGameSessionPlacement(it) => {
            Ok(trace::stopped(present.placement(region, &it.placement_id).await?.as_ref()))
        }
        Request::StopMatchmaking(it) => {
            Ok(trace::cancelled(present.ticket(region, &it.ticket_id).await?.as_ref()))
        }
        Request::AcceptMatch(it) => {
            Ok(trace::answered(it.accept, present.ticket(region, &it.ticket_id).await?.as_ref()))
        }
        Request::UpdateScript(it) if it.zip_file.is_some() => {
            let script = present.script(region, &it.script_id).await?;
            Ok(trace::uploaded(&activity.facts, it, script.as_ref()))
        }
        Request::UpdateAlias(it) => {
            let alias = present.alias(region, &it.alias_id).await?;
            compared(connection, activity, alias.and_then(|alias| alias.last_updated_time)).await
        }
        _ => compared(connection, activity, None).await,
    }
}

/// Compares settings: what was asked for, what was there before, and what is there now. `since` is the time of the
/// last update, if AWS tells it.
async fn compared(
    connection: &Connection,
    activity: &Activity,
    since: Option<Timestamp>,
) -> Result<Evidence, OperationError> {
    let draft = change::single(connection, &activity.action).await?;
    Ok(trace::compared(&draft, &activity.facts, since))
}

/// Finds a game session by its idempotency token, which is the last part of its ARN (H4).
async fn created(
    present: &mut Present<'_>,
    activity: &Activity,
    it: &CreateGameSession,
) -> Result<Evidence, OperationError> {
    let region = &activity.region;
    let mut fleets: Vec<FleetId> = match &it.target {
        GameSessionTarget::Fleet(fleet) => vec![fleet.clone()],
        GameSessionTarget::Alias(_) => activity.fleet_id.iter().cloned().collect(),
    };
    // A request that arrives late makes the session where the alias points by then.
    if let GameSessionTarget::Alias(alias) = &it.target
        && let Some(RoutingStrategy::Simple { fleet_id }) =
            present.alias(region, alias).await?.map(|alias| alias.routing)
        && !fleets.contains(&fleet_id)
    {
        fleets.push(fleet_id);
    }
    if fleets.is_empty() {
        return Ok(Evidence::unclear(Trace::AliasLeadsNowhere));
    }
    for fleet in fleets {
        let known = present.fleet(region, &fleet).await?;
        let arn = known.and_then(|fleet| fleet.fleet_arn);
        let id =
            trace::session_arn(region, &fleet, arn.as_deref(), it.location.as_ref(), &it.idempotency_token);
        if let Some(session) = present.session(region, &id).await? {
            return Ok(trace::made(activity.at, &session));
        }
    }
    Ok(Evidence::no_trace(Trace::NoSessionWithToken))
}

/// Finds slots by player and time. AWS makes all of a call's slots or none.
async fn reserved(
    connection: &Connection,
    present: &Present<'_>,
    activity: &Activity,
    it: &CreatePlayerSessions,
) -> Result<Evidence, OperationError> {
    let players = present.players(&activity.region, &it.game_session_id).await?;
    let others = made_by_others(connection, activity).await?;
    Ok(trace::slots(activity.at, it, &players, &others))
}

/// Selects attempts at the same operation, from as long before this one as clocks may differ.
fn around(activity: &Activity, now: Timestamp) -> ActivityRequest {
    let range = TimeRange { from: activity.at.plus_ms(-2 * trace::SKEW_MS), to: now.plus_ms(1) };
    ActivityRequest {
        operations: vec![activity.action.request.operation().to_owned()],
        range: Some(range),
        ..ActivityRequest::everything(Page::first(LOOKED_THROUGH))
    }
}

/// Returns the ids of what other attempts at the same operation made in the minutes around this one. This attempt did
/// not make them.
async fn made_by_others(
    connection: &Connection,
    activity: &Activity,
) -> Result<BTreeSet<String>, OperationError> {
    let request = around(activity, connection.now());
    let others =
        connection.store.activities(&request).await?.rows.into_iter().filter(|other| other.id != activity.id);
    let slots =
        |other: Activity| other.made_player_sessions.into_iter().map(|(_, slot)| slot).chain(other.made);
    Ok(others.flat_map(slots).collect())
}

/// Finds a new alias by name, routing and time, because names are not unique.
async fn named(
    connection: &Connection,
    present: &Present<'_>,
    activity: &Activity,
    it: &CreateAlias,
) -> Result<Evidence, OperationError> {
    let others = made_by_others(connection, activity).await?;
    let all = present.all_aliases(&activity.region).await?;
    Ok(trace::alias(activity.at, it, &all, &others))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;

    #[test]
    fn other_attempts_are_those_at_the_same_operation_since_shortly_before() {
        let at = Timestamp::from_ms(10_000_000);
        let request = around(&fixtures::unanswered(at, at), at.plus_ms(5_000));
        assert_eq!(request.operations, ["TerminateGameSession"]);
        // Ten minutes before: one clock may be five minutes behind AWS's, and the other five minutes ahead.
        let range = TimeRange { from: Timestamp::from_ms(9_400_000), to: Timestamp::from_ms(10_005_001) };
        assert_eq!(request.range, Some(range));
        assert_eq!(request.page.limit, LOOKED_THROUGH);
    }
}
