//! The place that a queue chooses for a placement: every location its destinations offer, in the order of its
//! priorities, except those that the latency policies or the caller's own list of locations rule out.

use super::super::World;
use super::super::geography::latency_ms;
use super::super::records::{
    GameSessionQueue, PlacementFallbackStrategy, PlayerLatency, PlayerLatencyPolicy,
    PriorityConfigurationOverride, PriorityType, RoutingStrategy,
};
use super::{Asked, Destination, NewPlacement, Placement};

/// A place a queue could choose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) fleet: usize,
    pub(super) site: usize,
    /// Mean over the players; infinite where no player has measured it.
    pub(super) latency_ms: f64,
    pub(super) spot: bool,
    pub(super) viable: bool,
    /// A value for each criterion, in the order of priority; unused ones are equal for all.
    rank: [u64; CRITERIA.len()],
}

/// A fleet that a destination of a queue leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reachable {
    /// Index of the destination in the queue.
    place: usize,
    fleet: usize,
}

/// Every criterion, in the order in which criteria that a queue does not name follow those it names.
const CRITERIA: [PriorityType; 4] =
    [PriorityType::Latency, PriorityType::Cost, PriorityType::Destination, PriorityType::Location];

/// Latencies to a location: the mean, which ranks it, and the worst, which policies check.
#[derive(Clone, Copy, Debug)]
struct Latency {
    mean_ms: f64,
    worst_ms: f64,
}

impl World {
    /// Returns the fleets that the queue's destinations lead to now.
    pub(super) fn reachable(&self, queue: usize) -> Vec<Reachable> {
        let destinations = self.queues[queue].destinations.iter().enumerate();
        destinations
            .filter_map(|(place, named)| Some(Reachable { place, fleet: self.fleet_behind(named)? }))
            .collect()
    }

    /// Returns every place that the queue's destinations offer in these fleets, best first.
    pub(super) fn candidates(
        &self,
        queue: usize,
        placement: &Placement,
        reachable: &[Reachable],
    ) -> Vec<Candidate> {
        if reachable.is_empty() {
            return Vec::new();
        }
        let record = &self.queues[queue].record;
        let limit_ms = latency_limit_ms(&record.player_latency_policies, self.now_ms - placement.start_ms);
        let asked = placement.asked.as_deref().map(|Asked(new)| new);
        let list = asked.and_then(|new| new.priority_configuration_override.as_ref());
        let order = criteria(record, asked);
        let mut all = Vec::new();
        for Reachable { place, fleet } in reachable.iter().copied() {
            let owner = &self.fleets[fleet];
            for (site, found) in owner.sites.iter().enumerate() {
                if found.gone || !allows(record, list, &found.name) {
                    continue;
                }
                let latency = placement.latency(&found.name);
                let mean_ms = latency.map_or(f64::INFINITY, |latency| latency.mean_ms);
                let spot = owner.is_spot();
                let mut rank = [0; CRITERIA.len()];
                for (rank, criterion) in rank.iter_mut().zip(&order) {
                    *rank = match criterion {
                        PriorityType::Latency => mean_ms as u64,
                        PriorityType::Cost => u64::from(!spot),
                        PriorityType::Destination => place as u64,
                        PriorityType::Location => location_rank(record, asked, &found.name, mean_ms),
                    };
                }
                let measured = asked.is_none_or(|new| !new.player_latencies.is_empty());
                let near = limit_ms
                    .filter(|_| measured)
                    .is_none_or(|limit_ms| latency.is_some_and(|latency| latency.worst_ms <= limit_ms));
                let viable = owner.hosts(found, self.now_ms) && near;
                all.push(Candidate { fleet, site, latency_ms: mean_ms, spot, viable, rank });
            }
        }
        let name = |candidate: &Candidate| &self.fleets[candidate.fleet].sites[candidate.site].name;
        all.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| name(a).cmp(name(b))));
        all
    }

    /// Returns the fleet or alias that the ARN of a queue's destination names.
    pub(crate) fn destination(&self, region: usize, arn: &str) -> Destination {
        let id = arn.rsplit_once('/').map_or(arn, |(_, id)| id);
        Destination { region: self.destination_region(region, arn), id: id.to_owned() }
    }

    /// Returns the fleet behind a destination (fleet or alias), if it exists by now. An alias that was repointed may
    /// still lead to its old fleet.
    pub(crate) fn fleet_behind(&self, destination: &Destination) -> Option<usize> {
        self.fleet_to_be(destination).filter(|fleet| self.fleets[*fleet].exists(self.now_ms))
    }

    /// Does the same while the world is being built, when the fleets of its past do not exist yet.
    pub(crate) fn fleet_to_be(&self, destination: &Destination) -> Option<usize> {
        let Destination { region, id } = destination;
        let fleet_with =
            |id: &str| self.fleets.iter().position(|fleet| fleet.region == *region && fleet.id == id);
        match self.current_route(*region, id) {
            Some(RoutingStrategy::Simple { fleet_id }) => fleet_with(fleet_id),
            Some(RoutingStrategy::Terminal { .. }) => None,
            None => fleet_with(id),
        }
    }

    /// Whether an ARN names an existing fleet or alias, wherever the alias leads.
    pub(crate) fn is_destination(&self, region: usize, arn: &str) -> bool {
        let region = self.destination_region(region, arn);
        let home = &self.regions[region];
        let is_alias = home.aliases.iter().any(|alias| alias.alias_arn == arn);
        is_alias || self.fleets(&home.name).any(|fleet| fleet.arn() == arn)
    }

    /// Returns the region of a destination, which may differ from the queue's own.
    fn destination_region(&self, region: usize, arn: &str) -> usize {
        let named = arn.split(':').nth(3);
        self.regions.iter().position(|known| Some(known.name.as_str()) == named).unwrap_or(region)
    }
}

impl Placement {
    fn latency(&self, location: &str) -> Option<Latency> {
        match self.asked.as_deref() {
            Some(Asked(new)) => measured(&new.player_latencies, location),
            None => {
                let ms = latency_ms(self.area, location) + if self.remote { 420.0 } else { 0.0 };
                Some(Latency { mean_ms: ms, worst_ms: ms })
            }
        }
    }
}

/// Returns the latencies that players measured to a location, if there are any.
fn measured(latencies: &[PlayerLatency], location: &str) -> Option<Latency> {
    let here = latencies.iter().filter(|latency| latency.region_identifier == location);
    let values: Vec<f64> = here.map(|latency| f64::from(latency.latency_in_milliseconds)).collect();
    let worst_ms = values.iter().copied().reduce(f64::max)?;
    Some(Latency { mean_ms: values.iter().sum::<f64>() / values.len() as f64, worst_ms })
}

/// Returns the criteria in order of priority. Without a priority configuration, a request without latencies gets the
/// destinations in their order, and locations by name.
fn criteria(record: &GameSessionQueue, asked: Option<&NewPlacement>) -> Vec<PriorityType> {
    let named = match &record.priority_configuration {
        Some(configuration) => configuration.priority_order.as_slice(),
        None if asked.is_some_and(|new| new.player_latencies.is_empty()) => {
            return vec![PriorityType::Destination];
        }
        None => &[],
    };
    let others = CRITERIA.iter().filter(|criterion| !named.contains(criterion));
    named.iter().chain(others).copied().collect()
}

/// Whether a placement may go to a location at all.
fn allows(record: &GameSessionQueue, list: Option<&PriorityConfigurationOverride>, location: &str) -> bool {
    let contains = |names: &[String]| names.iter().any(|name| name == location);
    let filtered = !record.allowed_locations.is_empty() && !contains(&record.allowed_locations);
    let unlisted = list.is_some_and(|list| {
        list.placement_fallback_strategy == PlacementFallbackStrategy::None && !contains(&list.location_order)
    });
    !filtered && !unlisted
}

/// Returns the rank of a location: by the caller's list, by the measured latencies, or by the queue's list.
fn location_rank(
    record: &GameSessionQueue,
    asked: Option<&NewPlacement>,
    location: &str,
    mean_ms: f64,
) -> u64 {
    let place = |names: &[String]| names.iter().position(|name| name == location).map(|at| at as u64);
    let own = record.priority_configuration.as_ref().and_then(|own| place(&own.location_order));
    // Locations on no list follow those on a list.
    let own = own.unwrap_or(1_000);
    match asked {
        Some(NewPlacement { priority_configuration_override: Some(list), .. }) => {
            place(&list.location_order).unwrap_or(1_000 + own)
        }
        Some(new) if !new.player_latencies.is_empty() => mean_ms as u64,
        _ => own,
    }
}

/// Returns the latency that a player may have after that wait; `None` if there is no limit.
fn latency_limit_ms(policies: &[PlayerLatencyPolicy], waited_ms: i64) -> Option<f64> {
    let mut left_ms = waited_ms;
    for policy in policies {
        let limit = f64::from(policy.maximum_individual_player_latency_milliseconds);
        match policy.policy_duration_seconds {
            Some(seconds) if left_ms >= i64::from(seconds) * 1_000 => left_ms -= i64::from(seconds) * 1_000,
            _ => return Some(limit),
        }
    }
    policies.last().map(|policy| f64::from(policy.maximum_individual_player_latency_milliseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latency_policies_relax_with_the_wait() {
        let policy = |limit, seconds| PlayerLatencyPolicy {
            maximum_individual_player_latency_milliseconds: limit,
            policy_duration_seconds: seconds,
        };
        let policies = [policy(60, Some(20)), policy(120, Some(20)), policy(250, None)];
        let limits = [0, 19_999, 20_000, 40_000, 500_000].map(|waited| latency_limit_ms(&policies, waited));
        assert_eq!(limits, [60.0, 60.0, 120.0, 250.0, 250.0].map(Some));
        assert_eq!(latency_limit_ms(&[], 0), None);
    }
}
