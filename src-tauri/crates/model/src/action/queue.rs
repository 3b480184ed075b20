//! Actions on game session queues.

use serde::{Deserialize, Serialize};

use super::rule::Rules;
use crate::id::QueueName;

/// A latency policy of a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LatencyPolicy {
    /// The highest latency any player may have, in milliseconds.
    pub maximum_individual_player_latency_ms: Option<i32>,
    /// For how many seconds the policy applies; the last one applies to the end.
    pub policy_duration_seconds: Option<i32>,
}

/// CreateGameSessionQueue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CreateGameSessionQueue {
    /// Name (AWS: 1 to 128 letters, digits and hyphens; unique in the Region).
    pub name: QueueName,
    /// Seconds after which a placement is TIMED_OUT (AWS: 10 to 600); AWS chooses when absent.
    pub timeout_seconds: Option<i32>,
    /// ARNs of fleets or aliases in order of preference.
    pub destinations: Vec<String>,
    /// Latency policies in order.
    pub player_latency_policies: Vec<LatencyPolicy>,
    /// The locations in which game sessions may be placed; all when empty.
    pub allowed_locations: Vec<String>,
    /// What matters first: `LATENCY`, `COST`, `DESTINATION`, `LOCATION`; AWS's own order when empty.
    pub priority_order: Vec<String>,
    /// Locations in order of preference, for `LOCATION` (AWS: at most 100).
    pub location_order: Vec<String>,
    /// Copied to every event of the queue (AWS: at most 256 characters).
    pub custom_event_data: Option<String>,
    /// ARN of the SNS topic that gets the events of placements.
    pub notification_target: Option<String>,
}

/// UpdateGameSessionQueue; absent fields stay unchanged, given ones replace the previous value entirely.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateGameSessionQueue {
    /// Queue.
    pub name: QueueName,
    /// Seconds after which a placement is TIMED_OUT (AWS: 10 to 600).
    pub timeout_seconds: Option<i32>,
    /// ARNs of fleets or aliases in order of preference.
    pub destinations: Option<Vec<String>>,
    /// Latency policies in order.
    pub player_latency_policies: Option<Vec<LatencyPolicy>>,
    /// ARN of the SNS topic that gets the events of placements. AWS documents no way to remove it again.
    #[serde(default)]
    pub notification_target: Option<String>,
}

/// What AWS accepts in the order of priorities (AWS: PriorityType).
const PRIORITIES: [&str; 4] = ["LATENCY", "COST", "DESTINATION", "LOCATION"];

impl CreateGameSessionQueue {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.queue("name", &self.name);
        timeout(self.timeout_seconds, rules);
        destinations(&self.destinations, rules);
        policies(&self.player_latency_policies, rules);
        locations("allowedLocations", &self.allowed_locations, rules);
        locations("locationOrder", &self.location_order, rules);
        for (index, priority) in self.priority_order.iter().enumerate() {
            let field = format!("priorityOrder[{index}]");
            rules.require(PRIORITIES.contains(&priority.as_str()), &field, || {
                format!("One of {}.", PRIORITIES.join(", "))
            });
            let twice = self.priority_order.iter().take(index).any(|other| other == priority);
            rules.require(!twice, &field, || "This priority is already there.".to_owned());
        }
        let by_location = self.priority_order.iter().any(|priority| priority == "LOCATION");
        rules.require(self.location_order.is_empty() || by_location, "locationOrder", || {
            "An order of locations counts only if LOCATION is among the priorities.".to_owned()
        });
        if let Some(data) = &self.custom_event_data {
            rules.length("customEventData", data, 0, 256);
        }
        target(self.notification_target.as_deref(), rules);
    }
}

/// The Region of an SNS topic, by its ARN; `None` if it is not the ARN of a topic.
pub fn topic_region(arn: &str) -> Option<&str> {
    let mut parts = arn.split(':');
    let (head, service) = (parts.next()?, parts.nth(1)?);
    let (region, account, name) = (parts.next()?, parts.next()?, parts.next()?);
    let is_topic = head == "arn" && service == "sns" && !region.is_empty() && !name.is_empty();
    let is_account = account.len() == 12 && account.bytes().all(|digit| digit.is_ascii_digit());
    (is_topic && is_account && parts.next().is_none()).then_some(region)
}

/// Whether a topic is a FIFO topic.
pub fn is_fifo(arn: &str) -> bool {
    arn.ends_with(".fifo")
}

fn timeout(seconds: Option<i32>, rules: &mut Rules) {
    if let Some(seconds) = seconds {
        rules.range("timeoutSeconds", seconds, 10, 600);
    }
}

fn destinations(arns: &[String], rules: &mut Rules) {
    for (index, destination) in arns.iter().enumerate() {
        let field = format!("destinations[{index}]");
        rules.arn(&field, destination);
        let arn = destination.starts_with("arn:")
            && (destination.contains("fleet/") || destination.contains("alias/"));
        rules.require(arn, &field, || "A destination is the ARN of a fleet or an alias.".to_owned());
        let twice = arns.iter().take(index).any(|other| other == destination);
        rules.require(!twice, &field, || "This destination is already there.".to_owned());
    }
}

fn policies(policies: &[LatencyPolicy], rules: &mut Rules) {
    for (index, policy) in policies.iter().enumerate() {
        let field = format!("playerLatencyPolicies[{index}]");
        let right = policy.maximum_individual_player_latency_ms.is_none_or(|latency| latency >= 0)
            && policy.policy_duration_seconds.is_none_or(|seconds| seconds >= 0);
        rules.require(right, &field, || "Neither latency nor duration can be negative.".to_owned());
    }
}

fn locations(field: &str, locations: &[String], rules: &mut Rules) {
    rules.require(locations.len() <= 100, field, || "At most 100 locations.".to_owned());
    for (index, location) in locations.iter().enumerate() {
        let one = format!("{field}[{index}]");
        rules.location(&one, location);
        let twice = locations.iter().take(index).any(|other| other == location);
        rules.require(!twice, &one, || "This location is already there.".to_owned());
    }
}

/// Checks a notification target (AWS: QueueSnsArnStringModel, `[a-zA-Z0-9:_-]*(.fifo)?`, at most 300).
fn target(topic: Option<&str>, rules: &mut Rules) {
    let Some(topic) = topic else { return };
    rules.length("notificationTarget", topic, 1, 300);
    let stem = topic.strip_suffix(".fifo").unwrap_or(topic);
    rules.letters(
        "notificationTarget",
        stem,
        ":_-",
        "Letters, digits, colons, underscores and hyphens only.",
    );
    rules.require(topic_region(topic).is_some(), "notificationTarget", || {
        "A notification target is the ARN of an SNS topic: arn:aws:sns:REGION:ACCOUNT:NAME.".to_owned()
    });
}

impl UpdateGameSessionQueue {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.queue("name", &self.name);
        timeout(self.timeout_seconds, rules);
        destinations(self.destinations.as_deref().unwrap_or_default(), rules);
        policies(self.player_latency_policies.as_deref().unwrap_or_default(), rules);
        target(self.notification_target.as_deref(), rules);
        let nothing = self.timeout_seconds.is_none()
            && self.destinations.is_none()
            && self.player_latency_policies.is_none()
            && self.notification_target.is_none();
        rules.require(!nothing, "name", || "Nothing would change.".to_owned());
    }
}
