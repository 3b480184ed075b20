//! What a Region has besides fleets: queues, aliases, matchmaking configurations and their rule sets, builds,
//! scripts.

use liftdeck_gateway::Reader as Gateway;
use liftdeck_model::observation::Observation;

use super::{Poller, Seen};

impl Poller {
    pub(super) async fn queues(&self, aws: &Gateway) -> Seen {
        let mut seen = Seen::default();
        seen.list(aws.queues().await, Observation::Queues);
        seen
    }

    pub(super) async fn aliases(&self, aws: &Gateway) -> Seen {
        let mut seen = Seen::default();
        seen.list(aws.aliases().await, Observation::Aliases);
        seen
    }

    pub(super) async fn matchmaking_configurations(&self, aws: &Gateway) -> Seen {
        let mut seen = Seen::default();
        seen.list(aws.matchmaking_configurations().await, Observation::MatchmakingConfigurations);
        seen
    }

    pub(super) async fn matchmaking_rule_sets(&self, aws: &Gateway) -> Seen {
        let mut seen = Seen::default();
        seen.list(aws.rule_sets().await, Observation::MatchmakingRuleSets);
        seen
    }

    pub(super) async fn builds(&self, aws: &Gateway) -> Seen {
        let mut seen = Seen::default();
        seen.list(aws.builds().await, Observation::Builds);
        seen
    }

    pub(super) async fn scripts(&self, aws: &Gateway) -> Seen {
        let mut seen = Seen::default();
        seen.list(aws.scripts().await, Observation::Scripts);
        seen
    }
}
