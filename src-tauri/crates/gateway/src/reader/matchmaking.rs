//! FlexMatch: configurations, rule sets and tickets.

use liftdeck_model::TicketId;
use liftdeck_model::matchmaking::{MatchmakingConfiguration, MatchmakingRuleSet, Ticket};

use super::Reader;
use crate::mapping::{matchmaking, routing};
use crate::page::Reading;

/// Tickets per call (AWS: at most 10).
const TICKETS_A_CALL: usize = 10;

impl Reader {
    /// Every matchmaking configuration of the Region.
    pub async fn matchmaking_configurations(&self) -> Reading<MatchmakingConfiguration> {
        self.list(
            "DescribeMatchmakingConfigurations",
            None,
            |token| self.gamelift().describe_matchmaking_configurations().set_next_token(token).send(),
            |answer| (answer.configurations, answer.next_token),
            |configuration| routing::matchmaking_configuration(configuration, self.region()),
        )
        .await
    }

    /// Every matchmaking rule set of the Region.
    pub async fn rule_sets(&self) -> Reading<MatchmakingRuleSet> {
        self.list(
            "DescribeMatchmakingRuleSets",
            None,
            |token| self.gamelift().describe_matchmaking_rule_sets().set_next_token(token).send(),
            |answer| (answer.rule_sets, answer.next_token),
            |rule_set| matchmaking::rule_set(rule_set, self.region()),
        )
        .await
    }

    /// Reads these tickets. AWS leaves out unknown ones, so a complete reading may hold fewer.
    pub async fn tickets(&self, ids: &[TicketId]) -> Reading<Ticket> {
        let mut all = Reading { items: Vec::new(), complete: true, failure: None };
        for some in ids.chunks(TICKETS_A_CALL) {
            let some: Vec<_> = some.iter().map(|id| id.as_str().to_owned()).collect();
            let request = self.gamelift().describe_matchmaking().set_ticket_ids(Some(some));
            let read = self.list(
                "DescribeMatchmaking",
                None,
                |_| request.clone().send(),
                |answer| (answer.ticket_list, None),
                |ticket| matchmaking::ticket(ticket, self.region()),
            );
            all = all.and(read.await);
        }
        all
    }
}
