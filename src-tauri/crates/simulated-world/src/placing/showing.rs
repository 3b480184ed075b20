//! How placements are shown: their records, and the outcome that is announced when they end.

use super::super::geography::latency_ms;
use super::super::names::mix;
use super::super::profile::profile;
use super::super::records::{
    FulfilledPlacement, GameSessionPlacement, GameSessionPlacementState, PlacedPlayerSession,
    PlacementOutcome, PlayerLatency,
};
use super::super::session::Session;
use super::super::{SessionRef, World};
use super::{Asked, Placement, Queue};

impl World {
    pub(super) fn outcome(&self, number: u32, state: GameSessionPlacementState) -> PlacementOutcome {
        let placement = self.placements.get(number as usize).and_then(Option::as_deref);
        let session = placement.and_then(|placement| self.session(placement.session));
        match (state, session) {
            (GameSessionPlacementState::Fulfilled, Some(session)) => {
                let view = SessionRef { world: self, session };
                let connection = self.connection(session);
                PlacementOutcome::Fulfilled(Box::new(FulfilledPlacement {
                    port: session.port,
                    game_session_arn: view.arn(),
                    ip_address: connection.ip_address,
                    dns_name: connection.dns_name,
                    game_session_region: self.fleets[usize::from(session.fleet)].home.clone(),
                    game_session_location: view.location().to_owned(),
                    compute_name: connection.compute_name,
                    placed_player_sessions: self.placed(session),
                }))
            }
            (GameSessionPlacementState::Cancelled, _) => PlacementOutcome::Cancelled,
            (GameSessionPlacementState::TimedOut, _) => PlacementOutcome::TimedOut,
            _ => PlacementOutcome::Failed,
        }
    }

    /// Returns the seats of the players a session was created for.
    pub(crate) fn placed(&self, session: &Session) -> Vec<PlacedPlayerSession> {
        let founders = (0u16..session.founders).zip(&session.seats);
        founders
            .map(|(number, seat)| PlacedPlayerSession {
                player_id: self.player_id(seat.player),
                player_session_id: self.names.player_session(session.number, number),
            })
            .collect()
    }

    pub(crate) fn placement_record(&self, number: u32, placement: &Placement) -> GameSessionPlacement {
        let (queue, kind) = (&self.queues[usize::from(placement.queue)], profile(placement.profile));
        let session = self.session(placement.session);
        let fulfilled = session.filter(|_| placement.state == GameSessionPlacementState::Fulfilled);
        let connection = fulfilled.map(|session| self.connection(session));
        let seated =
            session.map(|session| session.seats.iter().take(session.founders.into()).map(|seat| seat.player));
        let players: Vec<u32> = match seated {
            Some(seated) => seated.collect(),
            None => placement.party.clone(),
        };
        let mut record = GameSessionPlacement {
            placement_id: self.placement_id(number),
            game_session_queue_name: queue.record.name.clone(),
            status: placement.state,
            game_properties: session.map_or_else(
                || kind.properties(placement.flavour),
                |session| kind.properties(session.flavour),
            ),
            maximum_player_session_count: kind.max_players.into(),
            game_session_name: session.map(|session| kind.session_name(session.number)),
            game_session_arn: session.map(|session| SessionRef { world: self, session }.arn()),
            game_session_region: session.map(|session| self.fleets[usize::from(session.fleet)].home.clone()),
            player_latencies: players
                .iter()
                .flat_map(|player| self.latencies(queue, placement, *player))
                .collect(),
            start_time_ms: placement.start_ms,
            end_time_ms: (placement.state != GameSessionPlacementState::Pending).then_some(placement.end_ms),
            ip_address: connection.as_ref().map(|connection| connection.ip_address.clone()),
            dns_name: connection.and_then(|connection| connection.dns_name),
            port: fulfilled.map(|session| session.port),
            placed_player_sessions: fulfilled.map(|session| self.placed(session)).unwrap_or_default(),
            game_session_data: session.map(|session| kind.session_data(session.flavour)),
            matchmaker_data: session.and_then(|session| self.matchmaker_data(session)).map(str::to_owned),
            priority_configuration_override: None,
        };
        if let Some(Asked(new)) = placement.asked.as_deref() {
            record.game_properties.clone_from(&new.game_properties);
            record.maximum_player_session_count = new.maximum_player_session_count.into();
            record.game_session_name.clone_from(&new.game_session_name);
            record.game_session_data.clone_from(&new.game_session_data);
            record.player_latencies.clone_from(&new.player_latencies);
            record.priority_configuration_override.clone_from(&new.priority_configuration_override);
        }
        record
    }

    fn latencies(&self, queue: &Queue, placement: &Placement, player: u32) -> Vec<PlayerLatency> {
        let own_ms = (mix(placement.flavour, player.into()) % 160) as f64 / 10.0 - 8.0;
        let extra_ms = own_ms + if placement.remote { 420.0 } else { 0.0 };
        let of_location = |location: &String| PlayerLatency {
            player_id: self.player_id(player),
            region_identifier: location.clone(),
            latency_in_milliseconds: (latency_ms(placement.area, location) + extra_ms).max(2.0) as f32,
        };
        queue.locations.iter().map(of_location).collect()
    }
}
