//! Passes each observation of a batch to the submodule it belongs to.
//!
//! Owns the order within a group: keys of sessions, slots and players are looked up together before the rows that
//! need them, so that a group costs a few queries and not one per row.

use liftdeck_model::GameSessionId;
use liftdeck_model::observation::{Batch, Observation, Poll};

use rustc_hash::FxHashSet;

use crate::error::StoreError;
use crate::writer::ending::sessions_told_of;
use crate::writer::memory::session_hash;
use crate::writer::transaction::Transaction;

/// Looks up the keys of the sessions, slots and players in a group of batches. This happens before any rows are sent,
/// because a query would have to wait for them.
pub(super) async fn know(transaction: &mut Transaction<'_>, batches: &[Batch]) -> Result<(), StoreError> {
    let mut sessions: Vec<&GameSessionId> = Vec::new();
    let mut named: Vec<GameSessionId> = Vec::new();
    for observation in batches.iter().flat_map(|batch| &batch.observations) {
        match observation {
            Observation::GameSessions(seen) => {
                sessions.extend(seen.iter().map(|session| &session.game_session_id))
            }
            Observation::GameSessionGone(id) | Observation::PlayerSessions(id, _) => sessions.push(id),
            Observation::GameSessionsUnlisted(_, ids) => sessions.extend(ids),
            Observation::FleetEvents(_, events) => named.extend(sessions_told_of(events)),
            _ => {}
        }
    }
    sessions.extend(&named);
    transaction.know_sessions(&sessions).await?;
    // Sessions in the group itself; their players come with them or after them.
    let mut new: FxHashSet<u128> = FxHashSet::default();
    let mut listings = Vec::new();
    for batch in batches {
        for observation in &batch.observations {
            if let Observation::GameSessions(seen) = observation {
                new.extend(seen.iter().map(|session| session_hash(&session.game_session_id)));
            }
        }
        for observation in &batch.observations {
            if let Observation::PlayerSessions(id, listing) = observation {
                let hash = session_hash(id);
                if new.contains(&hash) || transaction.memory.sessions.contains_key(&hash) {
                    listings.push((hash, listing));
                }
            }
        }
    }
    transaction.know_slots(&listings).await
}

/// Applies one batch of a group that [`know`] has looked at.
pub(super) async fn apply(transaction: &mut Transaction<'_>, batch: &Batch) -> Result<(), StoreError> {
    transaction.at = transaction.time.stamp_ms(batch.observed_at);
    let off_ms = transaction.at - batch.observed_at.as_ms();
    transaction.region = batch.region.clone();
    transaction.region_key = transaction.region_key(batch.region.as_str()).await?;
    // Players belong to sessions, which may be new in the same batch.
    let (first, rest): (Vec<&Observation>, Vec<&Observation>) =
        batch.observations.iter().partition(|seen| matches!(seen, Observation::GameSessions(_)));
    for observation in first.into_iter().chain(rest) {
        Box::pin(observe(transaction, observation, off_ms)).await?;
    }
    // Resources are written one by one, so queries already see those of this batch. The resources that a message
    // names may have been read after the message was sorted.
    let may_confirm = |seen: &Observation| {
        matches!(
            seen,
            Observation::Fleets(_)
                | Observation::Queues(_)
                | Observation::MatchmakingConfigurations(_)
                | Observation::Quarantined(_)
        )
    };
    if transaction.memory.has_waiting && batch.observations.iter().any(may_confirm) {
        Box::pin(transaction.confirm_waiting()).await?;
    }
    Ok(())
}

/// Applies one observation. `off_ms` is the correction of the computer's clock.
async fn observe(
    transaction: &mut Transaction<'_>,
    observation: &Observation,
    off_ms: i64,
) -> Result<(), StoreError> {
    match observation {
        Observation::Fleets(listing) => transaction.fleets(listing).await,
        Observation::FleetLocations(fleet, listing) => transaction.fleet_locations(fleet, listing).await,
        Observation::FleetCapacity(capacity) => transaction.fleet_capacity(capacity).await,
        Observation::FleetUtilization(utilization) => transaction.fleet_utilization(utilization).await,
        Observation::InstanceLimits(location, limits) => transaction.instance_limits(location, limits).await,
        Observation::Computes(fleet, listing) => transaction.computes(fleet, listing).await,
        Observation::FleetEvents(fleet, events) => transaction.fleet_events(fleet, events).await,
        Observation::ScalingPolicies(fleet, listing) => transaction.scaling_policies(fleet, listing).await,
        Observation::RuntimeConfiguration(fleet, seen) => {
            transaction.runtime_configuration(fleet, seen).await
        }
        Observation::PortSettings(fleet, location, seen) => {
            transaction.port_settings(fleet, location.as_ref(), seen).await
        }
        Observation::FleetDeployments(fleet, deployments) => {
            transaction.fleet_deployments(fleet, deployments).await
        }
        Observation::GameSessions(sessions) => transaction.game_sessions(sessions).await,
        Observation::GameSessionGone(id) => transaction.game_session_gone(id).await,
        Observation::GameSessionsUnlisted(fleet, ids) => transaction.game_sessions_unlisted(fleet, ids).await,
        Observation::PlayerSessions(id, listing) => transaction.player_sessions(id, listing).await,
        Observation::PlacementAsked(id, told) => transaction.placement_asked(id, told.as_ref()).await,
        Observation::TicketAsked(ticket) => transaction.ticket_asked(ticket).await,
        Observation::Queues(listing) => transaction.queues(listing).await,
        Observation::Aliases(listing) => transaction.aliases(listing).await,
        Observation::MatchmakingConfigurations(listing) => {
            transaction.matchmaking_configurations(listing).await
        }
        Observation::MatchmakingRuleSets(listing) => transaction.matchmaking_rule_sets(listing).await,
        Observation::Builds(listing) => transaction.builds(listing).await,
        Observation::Scripts(listing) => transaction.scripts(listing).await,
        Observation::PlacementEvents(events) => transaction.placement_events(events).await,
        Observation::MatchmakingEvents(events) => transaction.matchmaking_events(events).await,
        Observation::TrailRecords(records) => transaction.trail_records(records).await,
        Observation::TrailLook(look) => transaction.trail_look(look, off_ms).await,
        Observation::TrailMark(mark) => transaction.trail_mark(mark).await,
        Observation::Quarantined(messages) => transaction.quarantined(messages).await,
        Observation::MetricSamples(series, samples) => transaction.metric_samples(series, samples).await,
        Observation::Poll(poll) => {
            transaction
                .polls
                .push((transaction.region.clone(), Poll { at: poll.at.plus_ms(off_ms), ..poll.clone() }));
            Ok(())
        }
    }
}
