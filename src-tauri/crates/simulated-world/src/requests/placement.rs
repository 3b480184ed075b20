//! Placements that callers start and stop.

use super::super::World;
use super::super::placing::Asked;
use super::super::records::{
    GameProperty, GameSessionPlacementState, PlayerLatency, PriorityConfigurationOverride, PriorityType,
};
use super::super::refusal::Refusal;
use super::super::session::NONE;

/// A placement to start.
#[derive(Clone, Debug, Default)]
pub struct NewPlacement {
    /// The caller's id, unique in all regions and for ever.
    pub placement_id: String,
    /// Slots.
    pub maximum_player_session_count: u16,
    /// Name of the session.
    pub game_session_name: Option<String>,
    /// At most 16.
    pub game_properties: Vec<GameProperty>,
    /// Opaque to GameLift.
    pub game_session_data: Option<String>,
    /// Latencies that players measured.
    pub player_latencies: Vec<PlayerLatency>,
    /// Players who get a player session in the new session: id and player data.
    pub desired_player_sessions: Vec<(String, Option<String>)>,
    /// Locations to try instead of the queue's own.
    pub priority_configuration_override: Option<PriorityConfigurationOverride>,
}

impl World {
    /// Puts a placement into the queue of that name.
    ///
    /// # Errors
    /// When there is no such queue, the id has been used, or locations are given for a queue that does not put them
    /// first.
    pub fn start_game_session_placement(
        &mut self,
        region: &str,
        queue_name: &str,
        new: NewPlacement,
    ) -> Result<(), Refusal> {
        let unknown = || Refusal::not_found("Game session queue", queue_name);
        let here = self.region_index(region).ok_or_else(unknown)?;
        let queue = self.queue_named(here, queue_name).ok_or_else(unknown)?;
        if self.placement_number(&new.placement_id).is_some() {
            let message = format!("Placement ID {} has already been used.", new.placement_id);
            return Err(Refusal::invalid(message));
        }
        let priorities = self.queues[queue].record.priority_configuration.as_ref();
        let first = priorities.and_then(|priorities| priorities.priority_order.first());
        if new.priority_configuration_override.is_some() && first != Some(&PriorityType::Location) {
            let message = format!(
                "PriorityConfigurationOverride needs a queue that prioritizes LOCATION; {queue_name} does not."
            );
            return Err(Refusal::invalid(message));
        }
        let players = new.desired_player_sessions.iter();
        let party: Vec<u32> = players.map(|(player_id, _)| self.meet_player(player_id)).collect();
        let owner = self.queues[queue].destinations.iter().find_map(|named| self.fleet_behind(named));
        let profile = owner.map_or(super::super::profile::CASUAL, |fleet| self.profile_of(fleet));
        let number = self.placements.len() as u32;
        self.ledger.placements.insert(new.placement_id.clone(), number);
        self.start_asked_placement(queue, profile, here, party, Asked(new), NONE);
        Ok(())
    }

    /// Cancels a placement for which there is no session yet.
    ///
    /// # Errors
    /// When there is no such placement, or it is no longer waiting.
    pub fn stop_game_session_placement(&mut self, region: &str, placement_id: &str) -> Result<(), Refusal> {
        let unknown = || Refusal::not_found("Placement", placement_id);
        let record = self.placement(region, placement_id).ok_or_else(unknown)?;
        let number = self.placement_number(placement_id).ok_or_else(unknown)?;
        let placement =
            self.placements.get(number as usize).and_then(Option::as_deref).ok_or_else(unknown)?;
        if record.status != GameSessionPlacementState::Pending {
            let status = record.status.as_str();
            let message = format!("Placement {placement_id} is {status}; only a PENDING one can be stopped.");
            return Err(Refusal::invalid(message));
        }
        if placement.session != NONE {
            let message = format!("A game session has already been created for placement {placement_id}.");
            return Err(Refusal::invalid(message));
        }
        self.settle(number, GameSessionPlacementState::Cancelled);
        Ok(())
    }

    /// Returns the number of the placement with that id, even if the placement itself has been forgotten.
    pub(crate) fn placement_number(&self, placement_id: &str) -> Option<u32> {
        let chosen = self.ledger.placements.get(placement_id).copied();
        let own = || self.read_placement_id(placement_id);
        chosen.or_else(own).filter(|number| (*number as usize) < self.placements.len())
    }
}
