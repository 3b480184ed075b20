//! Tests of operations that change the world: calls as a client makes them, without the port, and the rules they must
//! keep, each with the line of the reference it comes from.

mod aliases;
mod logs;
mod placements;
mod players;
mod queues;
mod sessions;

use std::borrow::Borrow;

use serde_json::{Value as Json, json};

use super::trial;
use crate::service::ServiceError;
use liftdeck_simulated_world::World;

const EU: &str = "eu-west-1";
const US: &str = "us-east-1";
const AP: &str = "ap-northeast-1";

/// A world that is called in all its regions.
struct Trial {
    inner: trial::Trial,
}

impl Trial {
    fn new() -> Trial {
        Trial { inner: trial::Trial::new(EU) }
    }

    fn world(&mut self) -> &mut World {
        &mut self.inner.world
    }

    /// Calls an operation in a region.
    fn call(&mut self, region: &str, name: &str, input: impl Borrow<Json>) -> Result<Json, ServiceError> {
        self.inner.region = [EU, US, AP].into_iter().find(|known| *known == region).unwrap();
        self.inner.ask(name, input)
    }

    /// Calls an operation that has to succeed.
    fn ask(&mut self, region: &str, name: &str, input: impl Borrow<Json>) -> Json {
        let input = input.borrow();
        self.call(region, name, input).unwrap_or_else(|error| panic!("{name} {input}: {error}"))
    }

    /// Calls an operation that has to fail, and returns the error's code.
    fn refused(&mut self, region: &str, name: &str, input: impl Borrow<Json>) -> String {
        let input = input.borrow();
        match self.call(region, name, input) {
            Ok(answer) => panic!("{name} {input} was answered with {answer}"),
            Err(error) => {
                assert_eq!(error.status, 400, "{name} {input}: {error}");
                assert!(!error.message.is_empty(), "{name} {input}: the error says what is wrong");
                error.code.into_owned()
            }
        }
    }

    /// Checks every case: the rule it is about, the input, and the code it is refused with.
    fn refuses(&mut self, region: &str, name: &str, cases: Vec<(&str, Json, &str)>) {
        for (rule, input, code) in cases {
            assert_eq!(self.refused(region, name, input), code, "{rule}");
        }
    }

    fn pass(&mut self, seconds: i64) {
        self.inner.wait_s(seconds);
    }

    /// The id of the fleet with that name, in any region.
    fn fleet(&self, name: &str) -> String {
        let mut fleets = [EU, US, AP].into_iter().flat_map(|region| self.inner.world.fleets(region));
        let named = |fleet: &liftdeck_simulated_world::FleetRef<'_>| {
            fleet.attributes().is_some_and(|known| known.name == name)
        };
        fleets.find(named).unwrap().id().to_owned()
    }

    fn container_fleet(&self, region: &str) -> String {
        self.inner.world.fleets(region).find(|fleet| fleet.is_container()).unwrap().id().to_owned()
    }

    /// Creates a session and returns its ARN.
    fn session(&mut self, region: &str, fleet: &str) -> String {
        let input = json!({"FleetId": fleet, "MaximumPlayerSessionCount": 4});
        let made = self.ask(region, "CreateGameSession", input);
        made["GameSession"]["GameSessionId"].as_str().unwrap().to_owned()
    }

    /// Creates a session and waits until it is ACTIVE.
    fn active(&mut self, region: &str, fleet: &str) -> String {
        let arn = self.session(region, fleet);
        self.pass(8);
        assert_eq!(self.look(&arn)["Status"], "ACTIVE");
        arn
    }

    fn look(&mut self, arn: &str) -> Json {
        let region = arn.split(':').nth(3).unwrap().to_owned();
        let found = self.ask(&region, "DescribeGameSessions", json!({ "GameSessionId": arn }));
        found["GameSessions"][0].clone()
    }
}
