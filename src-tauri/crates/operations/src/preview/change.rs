//! Compares changes with the current state, and drafts each according to its kind.
//!
//! Owns which kind handles which request, and reading many game sessions ahead together.

use liftdeck_model::action::{Action, Request};
use liftdeck_model::{GameSessionId, Region};

use super::draft::Draft;
use super::present::Present;
use super::{alias, capacity, matchmaking, placement, queue, scaling, script, session};
use crate::connection::Connection;
use crate::error::OperationError;

/// Drafts each change against the current state, in order.
pub(crate) async fn all(connection: &Connection, actions: &[Action]) -> Result<Vec<Draft>, OperationError> {
    let mut present = Present::new(connection);
    let sessions: Vec<(Region, GameSessionId)> = actions
        .iter()
        .filter_map(|action| Some((action.region.clone(), session_of(&action.request)?.clone())))
        .collect();
    present.read_sessions(&sessions).await?;
    let mut drafts = Vec::with_capacity(actions.len());
    for action in actions {
        drafts.push(one(&mut present, action).await?);
    }
    Ok(drafts)
}

/// Drafts one change against the current state.
pub(crate) async fn single(connection: &Connection, action: &Action) -> Result<Draft, OperationError> {
    one(&mut Present::new(connection), action).await
}

const fn session_of(request: &Request) -> Option<&GameSessionId> {
    match request {
        Request::UpdateGameSession(it) => Some(&it.game_session_id),
        Request::TerminateGameSession(it) => Some(&it.game_session_id),
        Request::CreatePlayerSessions(it) => Some(&it.game_session_id),
        _ => None,
    }
}

async fn one(present: &mut Present<'_>, action: &Action) -> Result<Draft, OperationError> {
    // Boxed, because the largest of these futures would make the future of every caller as large.
    match &action.request {
        Request::CreateGameSession(it) => Box::pin(session::create(present, action, it)).await,
        Request::UpdateGameSession(it) => Box::pin(session::update(present, action, it)).await,
        Request::TerminateGameSession(it) => Box::pin(session::terminate(present, action, it)).await,
        Request::CreatePlayerSessions(it) => Box::pin(session::reserve(present, action, it)).await,
        Request::StartGameSessionPlacement(it) => Box::pin(placement::start(present, action, it)).await,
        Request::StopGameSessionPlacement(it) => Box::pin(placement::stop(present, action, it)).await,
        Request::CreateAlias(it) => Box::pin(alias::create(present, action, it)).await,
        Request::UpdateAlias(it) => Box::pin(alias::update(present, action, it)).await,
        Request::DeleteAlias(it) => Box::pin(alias::delete(present, action, it)).await,
        Request::UpdateFleetCapacity(it) => Box::pin(capacity::update(present, action, it)).await,
        Request::PutScalingPolicy(it) => Box::pin(scaling::put(present, action, it)).await,
        Request::DeleteScalingPolicy(it) => Box::pin(scaling::delete(present, action, it)).await,
        Request::StopFleetActions(it) => Box::pin(scaling::switch(present, action, it, true)).await,
        Request::StartFleetActions(it) => Box::pin(scaling::switch(present, action, it, false)).await,
        Request::UpdateFleetAttributes(it) => Box::pin(scaling::protect(present, action, it)).await,
        Request::CreateGameSessionQueue(it) => Box::pin(queue::create(present, action, it)).await,
        Request::UpdateGameSessionQueue(it) => Box::pin(queue::update(present, action, it)).await,
        Request::StartMatchmaking(it) => Box::pin(matchmaking::start(present, action, it)).await,
        Request::AcceptMatch(it) => Box::pin(matchmaking::accept(present, action, it)).await,
        Request::StopMatchmaking(it) => Box::pin(matchmaking::stop(present, action, it)).await,
        Request::StartMatchBackfill(it) => Box::pin(matchmaking::backfill(present, action, it)).await,
        Request::UpdateScript(it) => Box::pin(script::update(present, action, it)).await,
    }
}
