//! From a batch to the submodule each observation belongs to.
//!
//! Owns the order within a group: keys of sessions, slots and players are looked up together before the rows that need
//! them, so that a group costs a few questions and not one a row.

use liftdeck_model::GameSessionId;
use liftdeck_model::observation::{Batch, Observation, Poll};

use rustc_hash::FxHashSet;

use crate::error::StoreError;
use crate::writer::desk::Desk;
use crate::writer::memory::session_hash;

/// Looks up what the sessions, slots and players of a group of batches are known by. Nothing is asked about them while
/// rows are on their way: a question would wait for those.
pub(super) async fn know(desk: &mut Desk<'_>, batches: &[Batch]) -> Result<(), StoreError> {
    let mut sessions: Vec<&GameSessionId> = Vec::new();
    for observation in batches.iter().flat_map(|batch| &batch.observations) {
        match observation {
            Observation::GameSessions(seen) => {
                sessions.extend(seen.iter().map(|session| &session.game_session_id))
            }
            Observation::GameSessionGone(id) | Observation::PlayerSessions(id, _) => sessions.push(id),
            _ => {}
        }
    }
    desk.know_sessions(&sessions).await?;
    // Sessions the group itself brings: their players come with them or after them.
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
                if new.contains(&hash) || desk.memory.sessions.contains_key(&hash) {
                    listings.push((hash, listing));
                }
            }
        }
    }
    desk.know_slots(&listings).await
}

/// Takes in one batch of a group [`know`] has seen.
pub(super) async fn apply(desk: &mut Desk<'_>, batch: &Batch) -> Result<(), StoreError> {
    desk.at = desk.time.stamp_ms(batch.observed_at);
    let off_ms = desk.at - batch.observed_at.as_ms();
    desk.region = batch.region.clone();
    desk.region_key = desk.region_key(batch.region.as_str()).await?;
    // Players belong to sessions, which may be new in the same batch.
    let (first, rest): (Vec<&Observation>, Vec<&Observation>) =
        batch.observations.iter().partition(|seen| matches!(seen, Observation::GameSessions(_)));
    for observation in first.into_iter().chain(rest) {
        Box::pin(observe(desk, observation, off_ms)).await?;
    }
    // Resources are written one by one, so what this batch made known can be asked about. What a message names may have
    // been read between its sorting and now.
    let may_confirm = |seen: &Observation| {
        matches!(
            seen,
            Observation::Fleets(_)
                | Observation::Queues(_)
                | Observation::MatchmakingConfigurations(_)
                | Observation::Quarantined(_)
        )
    };
    if desk.memory.has_waiting && batch.observations.iter().any(may_confirm) {
        Box::pin(desk.confirm_waiting()).await?;
    }
    Ok(())
}

/// `off_ms`: what the computer's clock has to be corrected by.
async fn observe(desk: &mut Desk<'_>, observation: &Observation, off_ms: i64) -> Result<(), StoreError> {
    match observation {
        Observation::Fleets(listing) => desk.fleets(listing).await,
        Observation::FleetLocations(fleet, listing) => desk.fleet_locations(fleet, listing).await,
        Observation::FleetCapacity(capacity) => desk.fleet_capacity(capacity).await,
        Observation::FleetUtilization(utilization) => desk.fleet_utilization(utilization).await,
        Observation::Computes(fleet, listing) => desk.computes(fleet, listing).await,
        Observation::FleetEvents(fleet, events) => desk.fleet_events(fleet, events).await,
        Observation::ScalingPolicies(fleet, listing) => desk.scaling_policies(fleet, listing).await,
        Observation::RuntimeConfiguration(fleet, seen) => desk.runtime_configuration(fleet, seen).await,
        Observation::PortSettings(fleet, location, seen) => {
            desk.port_settings(fleet, location.as_ref(), seen).await
        }
        Observation::FleetDeployments(fleet, deployments) => desk.fleet_deployments(fleet, deployments).await,
        Observation::GameSessions(sessions) => desk.game_sessions(sessions).await,
        Observation::GameSessionGone(id) => desk.game_session_gone(id).await,
        Observation::PlayerSessions(id, listing) => desk.player_sessions(id, listing).await,
        Observation::Queues(listing) => desk.queues(listing).await,
        Observation::Aliases(listing) => desk.aliases(listing).await,
        Observation::MatchmakingConfigurations(listing) => desk.matchmaking_configurations(listing).await,
        Observation::MatchmakingRuleSets(listing) => desk.matchmaking_rule_sets(listing).await,
        Observation::Builds(listing) => desk.builds(listing).await,
        Observation::Scripts(listing) => desk.scripts(listing).await,
        Observation::PlacementEvents(events) => desk.placement_events(events).await,
        Observation::MatchmakingEvents(events) => desk.matchmaking_events(events).await,
        Observation::Quarantined(messages) => desk.quarantined(messages).await,
        Observation::MetricSamples(series, samples) => desk.metric_samples(series, samples).await,
        Observation::Poll(poll) => {
            desk.polls.push((desk.region.clone(), Poll { at: poll.at.plus_ms(off_ms), ..poll.clone() }));
            Ok(())
        }
    }
}
