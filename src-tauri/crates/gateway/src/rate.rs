//! The request rates AWS publishes per account, Region and operation.
//!
//! Owns the table; the budget derives its windows from it. The rates are deliberately configurable: AWS changes its
//! page from time to time and raises rates for individual accounts.

use std::collections::BTreeMap;

/// Requests per second that AWS allows an account in a Region, by operation.
#[derive(Clone, Debug, PartialEq)]
pub struct RateTable {
    per_second: BTreeMap<String, f64>,
    /// All GameLift operations together.
    account_per_second: f64,
}

/// Rate of every Describe and List operation for fleets, queues, aliases, builds, scripts, computes and policies.
const LISTING_PER_SECOND: f64 = 30.0;

/// Rate of most changes.
const CHANGE_PER_SECOND: f64 = 20.0;

/// Steady rates (AWS: GameLift API limits reference; CloudWatch service quotas; CloudTrail).
const PUBLISHED: &[(&str, f64)] = &[
    ("DescribeFleetAttributes", LISTING_PER_SECOND),
    ("DescribeFleetCapacity", LISTING_PER_SECOND),
    ("DescribeFleetUtilization", LISTING_PER_SECOND),
    ("DescribeEC2InstanceLimits", LISTING_PER_SECOND),
    ("DescribeFleetEvents", LISTING_PER_SECOND),
    ("DescribeFleetLocationAttributes", LISTING_PER_SECOND),
    ("DescribeFleetLocationCapacity", LISTING_PER_SECOND),
    ("DescribeFleetLocationUtilization", LISTING_PER_SECOND),
    ("DescribeRuntimeConfiguration", LISTING_PER_SECOND),
    ("DescribeFleetPortSettings", LISTING_PER_SECOND),
    ("DescribeScalingPolicies", LISTING_PER_SECOND),
    ("ListContainerFleets", LISTING_PER_SECOND),
    ("ListFleetDeployments", LISTING_PER_SECOND),
    ("DescribeInstances", LISTING_PER_SECOND),
    ("ListCompute", LISTING_PER_SECOND),
    ("DescribeGameSessions", 20.0),
    ("DescribeGameSessionDetails", 30.0),
    ("SearchGameSessions", 30.0),
    ("DescribePlayerSessions", 200.0),
    ("DescribeGameSessionQueues", LISTING_PER_SECOND),
    ("DescribeGameSessionPlacement", 75.0),
    ("DescribeContainerFleet", LISTING_PER_SECOND),
    ("GetGameSessionLogUrl", 1.0),
    ("ListAliases", LISTING_PER_SECOND),
    ("DescribeAlias", LISTING_PER_SECOND),
    ("DescribeMatchmaking", 200.0),
    ("DescribeMatchmakingConfigurations", LISTING_PER_SECOND),
    ("DescribeMatchmakingRuleSets", LISTING_PER_SECOND),
    ("DescribeScript", LISTING_PER_SECOND),
    ("ListBuilds", LISTING_PER_SECOND),
    ("ListScripts", LISTING_PER_SECOND),
    ("ListLocations", LISTING_PER_SECOND),
    ("CreateGameSession", 50.0),
    ("UpdateGameSession", CHANGE_PER_SECOND),
    ("TerminateGameSession", CHANGE_PER_SECOND),
    ("CreatePlayerSessions", 200.0),
    ("StartGameSessionPlacement", 75.0),
    ("StopGameSessionPlacement", CHANGE_PER_SECOND),
    ("CreateAlias", CHANGE_PER_SECOND),
    ("UpdateAlias", CHANGE_PER_SECOND),
    ("DeleteAlias", CHANGE_PER_SECOND),
    ("UpdateFleetCapacity", CHANGE_PER_SECOND),
    ("PutScalingPolicy", CHANGE_PER_SECOND),
    ("DeleteScalingPolicy", CHANGE_PER_SECOND),
    ("StopFleetActions", CHANGE_PER_SECOND),
    ("StartFleetActions", CHANGE_PER_SECOND),
    ("UpdateFleetAttributes", CHANGE_PER_SECOND),
    ("CreateGameSessionQueue", CHANGE_PER_SECOND),
    ("UpdateGameSessionQueue", CHANGE_PER_SECOND),
    ("StartMatchmaking", 100.0),
    ("AcceptMatch", 100.0),
    ("StopMatchmaking", 100.0),
    ("StartMatchBackfill", 70.0),
    ("UpdateScript", CHANGE_PER_SECOND),
    ("GetMetricData", 500.0),
    ("ListMetrics", 25.0),
    // AWS: CloudTrail API reference, LookupEvents.
    ("LookupEvents", 2.0),
];

/// All GameLift operations of an account in a Region together (AWS: GameLift API limits).
const ACCOUNT_PER_SECOND: f64 = 500.0;

/// Samples per second that GetMetricData may ask for: the first when its window begins within the last three hours,
/// the second when it begins earlier (AWS: CloudWatch service quotas).
pub(crate) const RECENT_SAMPLES_PER_SECOND: f64 = 180_000.0;
pub(crate) const OLDER_SAMPLES_PER_SECOND: f64 = 396_000.0;

impl RateTable {
    /// The rates AWS publishes for an account without raised limits.
    pub fn published() -> Self {
        Self {
            per_second: PUBLISHED.iter().map(|(operation, rate)| ((*operation).to_owned(), *rate)).collect(),
            account_per_second: ACCOUNT_PER_SECOND,
        }
    }

    /// The same table with a different rate for one operation; rates that are not above zero are ignored.
    #[must_use]
    pub fn with(mut self, operation: &str, per_second: f64) -> Self {
        if per_second.is_finite() && per_second > 0.0 {
            self.per_second.insert(operation.to_owned(), per_second);
        }
        self
    }

    /// The published rate of an operation, per second; `None` where AWS publishes none (SQS, STS).
    pub fn per_second(&self, operation: &str) -> Option<f64> {
        self.per_second.get(operation).copied()
    }

    /// The rate of all GameLift operations together, per second.
    pub const fn account_per_second(&self) -> f64 {
        self.account_per_second
    }
}

impl Default for RateTable {
    fn default() -> Self {
        Self::published()
    }
}

/// Whether an operation counts against GameLift's account-wide rate.
pub(crate) fn is_gamelift(operation: &str) -> bool {
    crate::error::permission_of(operation).starts_with("gamelift:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_limit_replaces_the_published_one_and_rubbish_does_not() {
        let table = RateTable::published()
            .with("ListFleets", 90.0)
            .with("ListAliases", f64::NAN)
            .with("ListBuilds", 0.0);
        assert_eq!(table.per_second("ListFleets"), Some(90.0));
        assert_eq!(table.per_second("ListAliases"), Some(30.0));
        assert_eq!(table.per_second("ListBuilds"), Some(30.0));
    }

    #[test]
    fn only_gamelift_operations_share_the_account_wide_rate() {
        assert!(is_gamelift("DescribeGameSessions"));
        assert!(!is_gamelift("GetMetricData"));
        assert!(!is_gamelift("ReceiveMessage"));
    }
}
