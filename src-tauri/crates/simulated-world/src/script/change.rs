//! What scripted people change by hand, each change with its record of who did it.

use serde_json::{Value, json};

use super::super::World;
use super::super::deed::Person;
use super::super::records::RoutingStrategy;
use super::super::requests::{ConfigurationSettings, QueueSettings};
use super::super::steering::{CapacityChange, FleetKey};

impl World {
    /// Sets the maximum of a location, and its desired count if one is given.
    pub(super) fn change_maximum(
        &mut self,
        person: Person,
        fleet: usize,
        site: usize,
        maximum: u32,
        desired: Option<u32>,
    ) {
        let location = self.fleets[fleet].sites[site].name.clone();
        let change = CapacityChange { desired, maximum: Some(maximum), ..CapacityChange::default() };
        self.change_capacity(FleetKey(fleet), &location, &change);
        let mut parameters = self.named(fleet);
        parameters["maxSize"] = json!(maximum);
        parameters["location"] = json!(location);
        if let Some(desired) = desired {
            parameters["desiredInstances"] = json!(desired);
        }
        let mut answer = self.answered(fleet);
        answer["location"] = json!(location);
        self.record_deed(self.fleets[fleet].region, person, "UpdateFleetCapacity", parameters, answer);
    }

    /// Stops or starts automatic scaling in every location of a fleet, with a call for each.
    pub(super) fn change_scaling(&mut self, person: Person, fleet: usize, stopped: bool) {
        let locations: Vec<String> = self.fleets[fleet].places().map(|site| site.name.clone()).collect();
        let operation = if stopped { "StopFleetActions" } else { "StartFleetActions" };
        for location in locations {
            self.set_scaling_stopped(FleetKey(fleet), &location, stopped);
            let mut parameters = self.named(fleet);
            parameters["actions"] = json!(["AUTO_SCALING"]);
            parameters["location"] = json!(location);
            let answer = self.answered(fleet);
            self.record_deed(self.fleets[fleet].region, person, operation, parameters, answer);
        }
    }

    /// Changes the destinations or the latency policies of a queue.
    pub(super) fn change_queue(&mut self, person: Person, queue: usize, settings: QueueSettings) {
        let region = self.queues[queue].region;
        let (home, name) = (self.regions[region].name.clone(), self.queues[queue].record.name.clone());
        let mut parameters = json!({ "name": name });
        if let Some(destinations) = &settings.destinations {
            let named: Vec<Value> = destinations.iter().map(|arn| json!({ "destinationArn": arn })).collect();
            parameters["destinations"] = json!(named);
        }
        if let Some(policies) = &settings.player_latency_policies {
            let shown = policies.iter().map(|policy| {
                let limit = policy.maximum_individual_player_latency_milliseconds;
                let mut shown = json!({ "maximumIndividualPlayerLatencyMilliseconds": limit });
                if let Some(seconds) = policy.policy_duration_seconds {
                    shown["policyDurationSeconds"] = json!(seconds);
                }
                shown
            });
            parameters["playerLatencyPolicies"] = shown.collect();
        }
        // Scripts name only what exists, so the world cannot refuse.
        if self.update_queue(&home, &name, settings).is_ok() {
            let arn = &self.queues[queue].record.game_session_queue_arn;
            let mut shown = parameters.clone();
            shown["gameSessionQueueArn"] = json!(arn);
            let answer = json!({ "gameSessionQueue": shown });
            self.record_deed(region, person, "UpdateGameSessionQueue", parameters, answer);
        }
    }

    /// Gives a matchmaking configuration another rule set.
    pub(super) fn change_rules(&mut self, person: Person, maker: usize, rule_set: &str) {
        let record = &self.matchmakers[maker].record;
        let (region, name) = (self.matchmakers[maker].region, record.name.clone());
        let arn = record.configuration_arn.clone();
        let home = self.regions[region].name.clone();
        let settings = ConfigurationSettings {
            rule_set_name: Some(rule_set.to_owned()),
            ..ConfigurationSettings::default()
        };
        if self.update_configuration(&home, &name, settings).is_ok() {
            let parameters = json!({ "name": name, "ruleSetName": rule_set });
            let shown = json!({ "name": name, "configurationArn": arn, "ruleSetName": rule_set });
            let answer = json!({ "configuration": shown });
            self.record_deed(region, person, "UpdateMatchmakingConfiguration", parameters, answer);
        }
    }

    /// Creates a rule set, unless there is one with that name.
    pub(super) fn make_rules(&mut self, person: Person, region: usize, name: &str, body: &str) {
        let home = self.regions[region].name.clone();
        if self.create_rule_set(&home, name, body.to_owned(), Default::default()).is_ok() {
            let parameters = json!({ "name": name, "ruleSetBody": body });
            let answer = json!({ "ruleSet": { "ruleSetName": name, "ruleSetBody": body } });
            self.record_deed(region, person, "CreateMatchmakingRuleSet", parameters, answer);
        }
    }

    /// Finds the live alias of a region and the fleet to which it leads.
    pub(super) fn live_alias(&self, region: usize) -> Option<(usize, usize)> {
        let home = self.regions.get(region)?;
        let alias = home.aliases.iter().position(|alias| alias.name.starts_with("arena-live-"))?;
        let RoutingStrategy::Simple { fleet_id } = &home.aliases.get(alias)?.routing_strategy else {
            return None;
        };
        let fleet = self.fleets.iter().position(|fleet| fleet.id == *fleet_id)?;
        Some((alias, fleet))
    }

    fn named(&self, fleet: usize) -> Value {
        json!({ "fleetId": self.fleets[fleet].id })
    }

    fn answered(&self, fleet: usize) -> Value {
        json!({ "fleetId": self.fleets[fleet].id, "fleetArn": self.fleets[fleet].arn })
    }
}
