//! A world with the operations on it and nothing else, for tests: returns as JSON what a client would get.

use std::borrow::Borrow;
use std::sync::OnceLock;

use serde_json::Value as Json;

use super::operation;
use crate::operation::{Act, Call, Change};
use crate::page::Tokens;
use crate::service::{Service, ServiceError};
use crate::wire::{Writer, read_json};
use liftdeck_simulated_world::Scenario;
use liftdeck_simulated_world::{World, WorldOptions};

/// 2026-11-20, a Friday, 20:13:27 UTC.
const START_MS: i64 = 1_795_205_607_000;

/// The base URL of links in responses.
const ENDPOINT: &str = "http://127.0.0.1:1";

/// A quiet world that is called in one region.
pub(super) struct Trial {
    pub(super) world: World,
    pub(super) region: &'static str,
    pub(super) tokens: Tokens,
}

impl Trial {
    /// Creates the world at its start, to be called in a region.
    pub(super) fn new(region: &'static str) -> Trial {
        // Every trial begins in the same world, so simulating its month once is enough.
        static BEGINNING: OnceLock<World> = OnceLock::new();
        let beginning = BEGINNING.get_or_init(|| {
            World::new(&WorldOptions {
                seed: 1,
                scenario: Scenario::Quiet,
                start_ms: START_MS,
                ..WorldOptions::default()
            })
        });
        Trial { world: beginning.clone(), region, tokens: Tokens::new(1) }
    }

    /// Calls an operation and returns its response.
    pub(super) fn ask(&mut self, name: &str, input: impl Borrow<Json>) -> Result<Json, ServiceError> {
        let known = operation(name).ok_or_else(|| ServiceError::unknown_operation(name))?;
        let body = read_json(input.borrow().to_string().as_bytes()).unwrap();
        let mut writer = Writer::json();
        let (service, operation, region) = (Service::GameLift, known.name, self.region);
        let (body, tokens, next_token) = (&body, &self.tokens, None);
        let endpoint = ENDPOINT;
        match known.act {
            Act::Read(answer) => {
                let world = &self.world;
                let call = Call { service, operation, region, body, world, tokens, endpoint, next_token };
                answer(&call, &mut writer)?;
            }
            Act::Recall(_) => panic!("{name} is no operation of GameLift"),
            Act::Change(effect) => {
                let world = &mut self.world;
                let mut change = Change { service, operation, region, body, world, tokens, endpoint };
                effect(&mut change, &mut writer)?;
            }
        }
        Ok(serde_json::from_slice(&writer.finish()).unwrap())
    }

    /// Calls an operation that has to succeed and returns its response.
    pub(super) fn get(&mut self, name: &str, input: Json) -> Json {
        self.ask(name, input).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Asserts that each request of a table is refused with its code. Each line cites the rule it checks.
    pub(super) fn refuses(&mut self, table: Vec<(&str, &str, Json, &str)>) {
        for (rule, name, input, code) in table {
            match self.ask(name, &input) {
                Err(error) => {
                    assert_eq!((error.code.as_ref(), error.status), (code, 400), "{rule}: {error}");
                    assert!(!error.message.is_empty(), "{rule}: the error says what is wrong");
                }
                Ok(answer) => panic!("{rule}: {name} {input} was answered with {answer}"),
            }
        }
    }

    /// Lets virtual time pass.
    pub(super) fn wait_s(&mut self, seconds: i64) {
        self.world.advance_to(self.world.now_ms() + seconds * 1_000);
    }

    /// The id of the fleet created with that name.
    pub(super) fn fleet(&self, name: &str) -> String {
        let mut fleets = self.world.fleets(self.region);
        let named =
            |fleet: &liftdeck_simulated_world::FleetRef<'_>| match (fleet.attributes(), fleet.container()) {
                (Some(attributes), _) => attributes.name == name,
                (None, Some(container)) => container.fleet_role_arn.contains(name),
                (None, None) => false,
            };
        fleets.find(named).map(|fleet| fleet.id().to_owned()).unwrap()
    }

    /// The codes of a fleet's events, newest first.
    pub(super) fn event_codes(&mut self, fleet: &str) -> Vec<String> {
        let answer = self.get("DescribeFleetEvents", serde_json::json!({ "FleetId": fleet, "Limit": 50 }));
        let events = answer["Events"].as_array().unwrap();
        events.iter().map(|event| event["EventCode"].as_str().unwrap().to_owned()).collect()
    }
}
