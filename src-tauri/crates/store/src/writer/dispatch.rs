//! From a batch to the submodule each observation belongs to.
//!
//! Owns the order within a batch: keys of sessions, slots and players are looked up together before the rows that need
//! them, so that a batch costs a few questions and not one a row.

use liftdeck_model::GameSessionId;
use liftdeck_model::observation::{Batch, Observation};

use crate::error::StoreError;
use crate::writer::desk::Desk;

/// Takes in one batch.
pub(super) async fn apply(desk: &mut Desk<'_>, batch: &Batch) -> Result<(), StoreError> {
    desk.at = batch.observed_at.as_ms();
    desk.region = batch.region.clone();
    desk.region_key = desk.region_key(batch.region.as_str()).await?;
    let mut sessions: Vec<&GameSessionId> = Vec::new();
    let mut listings = Vec::new();
    for observation in &batch.observations {
        match observation {
            Observation::GameSessions(seen) => {
                sessions.extend(seen.iter().map(|session| &session.game_session_id))
            }
            Observation::GameSessionGone(id) => sessions.push(id),
            Observation::PlayerSessions(id, listing) => {
                sessions.push(id);
                listings.push((id, listing));
            }
            _ => {}
        }
    }
    desk.know_sessions(&sessions).await?;
    // Slots can only be looked up once their sessions have keys, so those of the batch come first.
    let (first, rest): (Vec<&Observation>, Vec<&Observation>) =
        batch.observations.iter().partition(|seen| matches!(seen, Observation::GameSessions(_)));
    for observation in first {
        Box::pin(observe(desk, observation)).await?;
    }
    desk.know_slots(&listings).await?;
    for observation in rest {
        Box::pin(observe(desk, observation)).await?;
    }
    Ok(())
}

async fn observe(desk: &mut Desk<'_>, observation: &Observation) -> Result<(), StoreError> {
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
        Observation::Builds(listing) => desk.builds(listing).await,
        Observation::Scripts(listing) => desk.scripts(listing).await,
        Observation::PlacementEvents(events) => desk.placement_events(events).await,
        Observation::MatchmakingEvents(events) => desk.matchmaking_events(events).await,
        Observation::Quarantined(messages) => desk.quarantined(messages).await,
        Observation::MetricSamples(series, samples) => desk.metric_samples(series, samples).await,
        Observation::Poll(poll) => {
            desk.polls.push((desk.region.clone(), poll.clone()));
            Ok(())
        }
    }
}
