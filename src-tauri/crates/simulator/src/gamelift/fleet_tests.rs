//! Tests of changes to fleets, called as a client calls them; one file per family.

mod access;
mod capacity;
mod container;
mod content;
mod impairment;
mod life;
mod location;
mod setting;

use super::trial::Trial;
use serde_json::{Value as Json, json};

/// Returns the capacity of a fleet's location: minimum, desired, maximum.
fn capacity(trial: &mut Trial, fleet: &str, location: &str) -> [u64; 3] {
    let input = json!({ "FleetId": fleet, "Location": location });
    let answer = trial.get("DescribeFleetLocationCapacity", input);
    let counts = &answer["FleetCapacity"]["InstanceCounts"];
    ["MINIMUM", "DESIRED", "MAXIMUM"].map(|name| counts[name].as_u64().unwrap())
}

/// Scales every location of a fleet to zero by hand, with automatic scaling stopped.
fn empty(trial: &mut Trial, fleet: &str) {
    let places = trial.world.fleet(trial.region, fleet).unwrap().locations();
    for place in places {
        let actions = json!({ "FleetId": fleet, "Actions": ["AUTO_SCALING"], "Location": place.location });
        trial.get("StopFleetActions", actions);
        let input =
            json!({ "FleetId": fleet, "Location": place.location, "MinSize": 0, "DesiredInstances": 0 });
        trial.get("UpdateFleetCapacity", input);
    }
}

/// Returns a fleet's location as DescribeFleetLocationAttributes shows it.
fn location(trial: &mut Trial, fleet: &str, location: &str) -> Json {
    let input = json!({ "FleetId": fleet, "Locations": [location] });
    trial.get("DescribeFleetLocationAttributes", input)["LocationAttributes"][0].clone()
}
