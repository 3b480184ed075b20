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
}

impl UpdateGameSessionQueue {
    pub(super) fn check(&self, rules: &mut Rules) {
        rules.queue("name", &self.name);
        if let Some(seconds) = self.timeout_seconds {
            rules.range("timeoutSeconds", seconds, 10, 600);
        }
        for (index, destination) in self.destinations.iter().flatten().enumerate() {
            let field = format!("destinations[{index}]");
            rules.arn(&field, destination);
            let arn = destination.starts_with("arn:")
                && (destination.contains("fleet/") || destination.contains("alias/"));
            rules.require(arn, &field, || "A destination is the ARN of a fleet or an alias.".to_owned());
            let twice = self.destinations.iter().flatten().take(index).any(|other| other == destination);
            rules.require(!twice, &field, || "This destination is already there.".to_owned());
        }
        for (index, policy) in self.player_latency_policies.iter().flatten().enumerate() {
            let field = format!("playerLatencyPolicies[{index}]");
            let right = policy.maximum_individual_player_latency_ms.is_none_or(|latency| latency >= 0)
                && policy.policy_duration_seconds.is_none_or(|seconds| seconds >= 0);
            rules.require(right, &field, || "Neither latency nor duration can be negative.".to_owned());
        }
        let nothing = self.timeout_seconds.is_none()
            && self.destinations.is_none()
            && self.player_latency_policies.is_none();
        rules.require(!nothing, "name", || "Nothing would change.".to_owned());
    }
}
