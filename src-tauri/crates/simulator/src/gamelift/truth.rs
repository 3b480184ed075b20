//! The world's own records of a region, for tests to compare with what a client reads: everything that exists at one
//! instant, under the names of the API. Ended sessions are left out; a client counts those through the API.
//! `Incidents` and `ScalingSteps` tell what no operation does: what went wrong and since when, and why each location
//! was scaled.

use std::collections::BTreeMap;

use crate::wire::{At, Pairs, Wire, Writer, enumerations, in_place, structure};
use liftdeck_simulated_world::records::{
    GameSessionStatus, Incident, IncidentKind, IncidentSign, PlayerSession, ScalingReason, ScalingStep,
};
use liftdeck_simulated_world::{FleetRef, SessionFilter, SessionRef, World};

/// The states of sessions that have not ended.
const LIVE: [GameSessionStatus; 3] =
    [GameSessionStatus::Activating, GameSessionStatus::Active, GameSessionStatus::Terminating];

enumerations!(IncidentKind, ScalingReason);

/// Effects, and when each could be seen first.
struct Signs<'a>(&'a BTreeMap<IncidentSign, i64>);

impl Wire for Signs<'_> {
    fn write(&self, writer: &mut Writer) {
        let signs: Vec<_> = self.0.iter().map(|(sign, at_ms)| (sign.to_string(), At(*at_ms))).collect();
        Pairs(&signs).write(writer);
    }

    fn is_absent(&self) -> bool {
        self.0.is_empty()
    }
}

structure!(Incident, incident, {
    "IncidentId" => incident.id,
    "Kind" => incident.kind,
    "Region" => incident.region,
    "BeganTime" => At(incident.began_ms),
    "SeenTime" => incident.seen_ms.map(At),
    "Signs" => Signs(&incident.signs),
    "SignsOn" => Pairs(
        &incident.signs_on.iter().map(|(name, signs)| (name.clone(), Signs(signs))).collect::<Vec<_>>()
    ),
    "EndedTime" => incident.ended_ms.map(At),
    "By" => incident.by,
    "Door" => incident.door,
    "FleetIds" => incident.fleet_ids,
    "Locations" => incident.locations,
    "InstanceType" => incident.instance_type,
    "AliasId" => incident.alias_id,
    "GameSessionQueueNames" => incident.queues,
    "MatchmakingConfigurationName" => incident.configuration,
    "RuleSetName" => incident.rule_set,
    "BuildId" => incident.build_id,
});

structure!(ScalingStep, step, {
    "Time" => At(step.time_ms),
    "FleetId" => step.fleet_id,
    "Location" => step.location,
    "From" => step.from,
    "To" => step.to,
    "Wanted" => step.wanted,
    "Reason" => step.reason,
    "PolicyName" => step.policy,
});

/// One entry per fleet, under the fleet's id.
fn by_fleet<'a, T: Wire>(
    fleets: &[FleetRef<'a>],
    record: impl Fn(&FleetRef<'a>) -> Option<T>,
) -> Vec<(String, T)> {
    fleets.iter().filter_map(|fleet| Some((fleet.id().to_owned(), record(fleet)?))).collect()
}

fn in_locations<T>(fleet: &FleetRef<'_>, record: impl Fn(&str) -> Option<T>) -> Vec<T> {
    fleet.locations().iter().filter_map(|place| record(&place.location)).collect()
}

/// Writes the records of a region.
pub(crate) fn write_truth(world: &World, region: &str, writer: &mut Writer) {
    let fleets: Vec<FleetRef<'_>> = world.fleets(region).collect();
    let sessions: Vec<SessionRef<'_>> = fleets
        .iter()
        .flat_map(|fleet| {
            LIVE.into_iter().flat_map(|status| {
                let filter = SessionFilter { location: None, status: Some(status) };
                world.game_sessions(region, fleet.id(), filter, None)
            })
        })
        .collect();
    let players: Vec<PlayerSession> = sessions.iter().flat_map(SessionRef::player_sessions).collect();
    let placements: Vec<_> =
        world.pending_placements(region).filter_map(|id| world.placement(region, &id)).collect();
    let tickets: Vec<_> = world.open_tickets(region).filter_map(|id| world.ticket(region, &id)).collect();
    let runtime = by_fleet(&fleets, |fleet| fleet.runtime_configuration());
    let attributes = by_fleet(&fleets, |fleet| Some(fleet.locations()));
    in_place!({
        "Now" => At(world.now_ms()),
        "FleetIds" => fleets.iter().map(FleetRef::id).collect::<Vec<_>>(),
        "Fleets" => fleets.iter().filter_map(FleetRef::attributes).collect::<Vec<_>>(),
        "ContainerFleets" => fleets.iter().filter_map(FleetRef::container).collect::<Vec<_>>(),
        "LocationAttributes" => Pairs(&attributes),
        "FleetCapacity" => fleets.iter().flat_map(|fleet| {
            in_locations(fleet, |location| fleet.capacity(location))
        }).collect::<Vec<_>>(),
        "FleetUtilization" => fleets.iter().flat_map(|fleet| {
            in_locations(fleet, |location| fleet.utilization(location))
        }).collect::<Vec<_>>(),
        "RuntimeConfigurations" => Pairs(&runtime),
        "ScalingPolicies" => fleets.iter().flat_map(FleetRef::scaling_policies).collect::<Vec<_>>(),
        "Instances" => fleets.iter().flat_map(|fleet| {
            in_locations(fleet, |location| fleet.instances(location))
        }).flatten().collect::<Vec<_>>(),
        "Computes" => fleets.iter().flat_map(|fleet| {
            in_locations(fleet, |location| fleet.computes(location))
        }).flatten().collect::<Vec<_>>(),
        "GameSessions" => sessions,
        "PlayerSessions" => players,
        "GameSessionPlacements" => placements,
        "MatchmakingTickets" => tickets,
        "GameSessionQueues" => world.queues(region).collect::<Vec<_>>(),
        "Aliases" => world.aliases(region),
        "MatchmakingConfigurations" => world.matchmaking_configurations(region).collect::<Vec<_>>(),
        "MatchmakingRuleSets" => world.matchmaking_rule_sets(region),
        "Builds" => world.builds(region),
        "Scripts" => world.scripts(region),
        "ContainerGroupDefinitions" => world.container_group_definitions(region),
        "FleetDeployments" => fleets.iter().flat_map(|fleet| {
            world.deployments(region, fleet.id())
        }).collect::<Vec<_>>(),
        "Locations" => world.locations(region),
        "Incidents" => world.incidents(region),
        "ScalingSteps" => world.scaling_steps(region),
    })
    .write(writer);
}
