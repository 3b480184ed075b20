//! EventBridge: the rules of the default event bus of each region, and the queues they send events to.
//!
//! GameLift's events and, where the account has a trail, the records of its changes are on the bus. Only queues are
//! sent to. Whether a queue accepts an event is up to the queue's policy. Schedules never fire.

mod change;
mod event;
mod input;
mod request;
mod rule;
mod show;
mod target;

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use serde_json::{Value, json};

pub(crate) use event::Event;
pub(crate) use request::{Request, operation, operations};

use self::rule::Rule;
use crate::policy::Sender;
use crate::sqs::Queues;
use liftdeck_simulated_world::World;

/// The rules of one region, by name.
type Rules = BTreeMap<String, Rule>;

/// The rules by region.
type Regions = BTreeMap<String, Rules>;

/// EventBridge in all regions.
#[derive(Debug)]
pub(crate) struct EventBridge {
    account: String,
    regions: RwLock<Regions>,
}

impl EventBridge {
    /// Creates the rules that send events to the event queue of each region: those of resources that have no topic
    /// when the world begins, and, if there is a trail, the records of GameLift's changes.
    pub(crate) fn new(world: &World, trail: bool, queues: &Queues) -> EventBridge {
        let account = world.account();
        let regions = world.regions().map(|region| {
            let queue = queues.arn_of_events(region);
            let rule = |name: &str, pattern: &Value| {
                let arn = format!("arn:aws:events:{region}:{account}:rule/{name}");
                (name.to_owned(), Rule::sending(arn, pattern, &queue))
            };
            let changes =
                json!({ "source": ["aws.gamelift"], "detail-type": ["AWS API Call via CloudTrail"] });
            let events = Some(rule("gamelift-events", &without_topic(world, region)));
            let changes = trail.then(|| rule("gamelift-changes", &changes));
            (region.to_owned(), events.into_iter().chain(changes).collect())
        });
        EventBridge { account: account.to_owned(), regions: RwLock::new(regions.collect()) }
    }

    fn read(&self) -> RwLockReadGuard<'_, Regions> {
        self.regions.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Regions> {
        self.regions.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an event to the targets of the rules it matches. What a queue's policy refuses is lost.
    pub(crate) fn deliver(&self, region: &str, event: &dyn Event, queues: &Queues) {
        let regions = self.read();
        for rule in regions.get(region).into_iter().flat_map(Rules::values) {
            if !rule.wants(event) {
                continue;
            }
            for target in rule.targets.values() {
                let queue = queues.with_arn(target.arn()).filter(|_| target.is_in(region));
                let message = queue.as_ref().and_then(|queue| target.message(event, rule, queue));
                if let (Some(queue), Some(message)) = (queue, message) {
                    queue.accept(message, Sender { service: "events.amazonaws.com", source: &rule.arn });
                }
            }
        }
    }
}

/// The pattern of GameLift's events of a region, except those of resources with a topic of their own.
fn without_topic(world: &World, region: &str) -> Value {
    let queues =
        world.queues(region).map(|queue| (&queue.game_session_queue_arn, &queue.notification_target));
    let matchmakers = world
        .matchmaking_configurations(region)
        .map(|matchmaker| (&matchmaker.configuration_arn, &matchmaker.notification_target));
    let told = queues.chain(matchmakers).filter(|(_, topic)| topic.is_some());
    let told: Vec<&String> = told.map(|(arn, _)| arn).collect();
    let mut pattern = json!({
        "source": ["aws.gamelift"],
        "detail-type": ["GameLift Queue Placement Event", "GameLift Matchmaking Event"],
    });
    if !told.is_empty() {
        pattern["resources"] = json!([{ "anything-but": told }]);
    }
    pattern
}

#[cfg(test)]
mod tests;
