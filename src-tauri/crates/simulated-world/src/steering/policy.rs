//! Adding and removing scaling policies.

use super::super::World;
use super::super::scaling::Policy;
use super::FleetKey;

impl World {
    /// Adds a policy, or replaces the one with that name. It is in force in every location at once.
    pub fn put_policy(&mut self, fleet: FleetKey, policy: Policy) {
        let owner = &mut self.fleets[fleet.0];
        match owner.policies.iter().position(|known| known.name == policy.name) {
            Some(place) => {
                for streak in owner.sites.iter_mut().filter_map(|site| site.streaks.get_mut(place)) {
                    *streak = 0;
                }
                owner.policies[place] = policy;
            }
            None => {
                owner.policies.push(policy);
                owner.sites.iter_mut().for_each(|site| site.streaks.push(0));
            }
        }
    }

    /// Removes a policy and everything recorded about it. Returns whether there was one with that name.
    pub fn delete_policy(&mut self, fleet: FleetKey, name: &str) -> bool {
        let owner = &mut self.fleets[fleet.0];
        let Some(place) = owner.policies.iter().position(|known| known.name == name) else { return false };
        owner.policies.remove(place);
        for site in &mut owner.sites {
            if place < site.streaks.len() {
                site.streaks.remove(place);
            }
        }
        true
    }
}
