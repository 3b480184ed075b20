//! Matchmaking configurations and rule sets that callers create, change and delete.

use std::collections::BTreeMap;

use super::super::matchmaking::{Matchmaker, RuleSet};
use super::super::records::{
    BackfillMode, FlexMatchMode, GameProperty, MatchmakingConfiguration, MatchmakingRuleSet,
};
use super::super::refusal::{Refusal, RefusalKind};
use super::super::{NEVER_MS, World};

/// Maximum number of configurations and of rule sets in a region (G2).
const MOST_CONFIGURATIONS: usize = 300;
const MOST_RULE_SETS: usize = 1_000;

/// Settings of a configuration. An absent one stays as it is, or has the service's default in a new configuration.
#[derive(Clone, Debug, Default)]
pub struct ConfigurationSettings {
    /// Free text.
    pub description: Option<String>,
    /// All the queues that place its matches.
    pub game_session_queue_arns: Option<Vec<String>>,
    /// 1..=43200.
    pub request_timeout_seconds: Option<u32>,
    /// 1..=600.
    pub acceptance_timeout_seconds: Option<u32>,
    /// Whether players must accept.
    pub acceptance_required: Option<bool>,
    /// Name of the rule set.
    pub rule_set_name: Option<String>,
    /// SNS topic.
    pub notification_target: Option<String>,
    /// Slots kept open for later players.
    pub additional_player_count: Option<u32>,
    /// Copied to events.
    pub custom_event_data: Option<String>,
    /// Given to each session.
    pub game_properties: Option<Vec<GameProperty>>,
    /// Given to each session.
    pub game_session_data: Option<String>,
    /// Who backfills.
    pub backfill_mode: Option<BackfillMode>,
    /// With or without a queue.
    pub flex_match_mode: Option<FlexMatchMode>,
}

impl World {
    /// Whether a text is a valid rule set.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check_rule_set(body: &str) -> Result<(), Refusal> {
        let problem = |problem| Refusal::invalid(format!("The rule set is not valid: {problem}."));
        RuleSet::read(body).map(|_| ()).map_err(problem)
    }

    /// Creates a rule set.
    ///
    /// # Errors
    /// When it is not valid, its name is taken, or a quota allows no more.
    pub fn create_rule_set(
        &mut self,
        region: &str,
        name: &str,
        body: String,
        tags: BTreeMap<String, String>,
    ) -> Result<(), Refusal> {
        let here = self.region_index(region).ok_or_else(|| Refusal::not_found("Region", region))?;
        Self::check_rule_set(&body)?;
        let (account, now_ms) = (self.account.clone(), self.now_ms);
        let home = &mut self.regions[here];
        if name.is_empty() || home.rule_sets.iter().any(|set| set.rule_set_name == name) {
            return Err(Refusal::invalid(format!("The rule set name '{name}' is empty or taken.")));
        }
        if home.rule_sets.len() >= MOST_RULE_SETS {
            return Err(quota(MOST_RULE_SETS, "matchmaking rule sets"));
        }
        let arn = format!("arn:aws:gamelift:{region}:{account}:matchmakingruleset/{name}");
        home.tags.insert(arn.clone(), tags);
        home.rule_sets.push(MatchmakingRuleSet {
            rule_set_name: name.to_owned(),
            rule_set_arn: arn,
            rule_set_body: body,
            creation_time_ms: now_ms,
        });
        Ok(())
    }

    /// Deletes a rule set that no configuration uses.
    ///
    /// # Errors
    /// When there is no such rule set, or a configuration uses it.
    pub fn delete_rule_set(&mut self, region: &str, name: &str) -> Result<(), Refusal> {
        let unknown = || Refusal::not_found("Rule set", name);
        let here = self.region_index(region).ok_or_else(unknown)?;
        let at = self.regions[here]
            .rule_sets
            .iter()
            .position(|set| set.rule_set_name == name)
            .ok_or_else(unknown)?;
        if let Some(user) = self.matchmaking_configurations(region).find(|user| user.rule_set_name == name) {
            let message = format!("Rule set {name} is used by the matchmaking configuration {}.", user.name);
            return Err(Refusal::invalid(message));
        }
        let set = self.regions[here].rule_sets.remove(at);
        self.regions[here].tags.remove(&set.rule_set_arn);
        Ok(())
    }

    /// Creates a configuration.
    ///
    /// # Errors
    /// When a setting is missing or does not fit the others, a named resource does not exist, or a quota allows no
    /// more.
    pub fn create_configuration(
        &mut self,
        region: &str,
        name: &str,
        settings: ConfigurationSettings,
        tags: BTreeMap<String, String>,
    ) -> Result<(), Refusal> {
        let here = self.region_index(region).ok_or_else(|| Refusal::not_found("Region", region))?;
        if name.is_empty() || self.matchmaker_named(here, name).is_some() {
            return Err(Refusal::invalid(format!("The configuration name '{name}' is empty or taken.")));
        }
        if self.matchmaking_configurations(region).count() >= MOST_CONFIGURATIONS {
            return Err(quota(MOST_CONFIGURATIONS, "matchmaking configurations"));
        }
        let arn = format!("arn:aws:gamelift:{region}:{}:matchmakingconfiguration/{name}", self.account);
        let record = MatchmakingConfiguration {
            name: name.to_owned(),
            configuration_arn: arn.clone(),
            description: None,
            game_session_queue_arns: Vec::new(),
            request_timeout_seconds: 0,
            acceptance_timeout_seconds: None,
            acceptance_required: false,
            rule_set_name: String::new(),
            rule_set_arn: String::new(),
            notification_target: None,
            additional_player_count: None,
            custom_event_data: None,
            creation_time_ms: self.now_ms,
            game_properties: Vec::new(),
            game_session_data: None,
            backfill_mode: BackfillMode::Manual,
            flex_match_mode: FlexMatchMode::WithQueue,
        };
        let maker = self.configured(Matchmaker::new(record, here, self.now_ms), settings)?;
        self.regions[here].tags.insert(arn, tags);
        self.matchmakers.push(maker);
        Ok(())
    }

    /// Changes settings of a configuration. They also apply to tickets that are already searching.
    ///
    /// # Errors
    /// When there is no such configuration, or the settings do not fit together.
    pub fn update_configuration(
        &mut self,
        region: &str,
        name: &str,
        settings: ConfigurationSettings,
    ) -> Result<(), Refusal> {
        let unknown = || Refusal::not_found("Matchmaking configuration", name);
        let here = self.region_index(region).ok_or_else(unknown)?;
        let maker = self.matchmaker_named(here, name).ok_or_else(unknown)?;
        let known = &self.matchmakers[maker];
        let changed =
            self.configured(Matchmaker::new(known.record.clone(), here, known.begins_ms), settings)?;
        let known = &mut self.matchmakers[maker];
        (known.record, known.queue, known.rules) = (changed.record, changed.queue, changed.rules);
        Ok(())
    }

    /// Deletes a configuration that no ticket uses.
    ///
    /// # Errors
    /// When there is no such configuration, or a ticket of it has not ended.
    pub fn delete_configuration(&mut self, region: &str, name: &str) -> Result<(), Refusal> {
        let unknown = || Refusal::not_found("Matchmaking configuration", name);
        let here = self.region_index(region).ok_or_else(unknown)?;
        let maker = self.matchmaker_named(here, name).ok_or_else(unknown)?;
        let mut tickets =
            self.tickets.iter().map(|(_, ticket)| ticket).filter(|ticket| ticket.start_ms <= self.now_ms);
        if tickets.any(|ticket| usize::from(ticket.matchmaker) == maker && ticket.end_ms.is_none()) {
            let message = format!("Matchmaking configuration {name} is used by active tickets.");
            return Err(Refusal::invalid(message));
        }
        self.matchmakers[maker].gone_ms = self.now_ms;
        let arn = self.matchmakers[maker].record.configuration_arn.clone();
        self.regions[here].tags.remove(&arn);
        Ok(())
    }

    /// Finds the configuration with that name that has not been deleted.
    pub(crate) fn matchmaker_named(&self, region: usize, name: &str) -> Option<usize> {
        let known = |maker: &Matchmaker| {
            maker.region == region && maker.gone_ms == NEVER_MS && maker.record.name == name
        };
        self.matchmakers.iter().position(known)
    }

    /// Returns a configuration with new settings, if they fit together.
    fn configured(&self, mut maker: Matchmaker, new: ConfigurationSettings) -> Result<Matchmaker, Refusal> {
        let record = &mut maker.record;
        record.description = new.description.or(record.description.take());
        record.request_timeout_seconds =
            new.request_timeout_seconds.unwrap_or(record.request_timeout_seconds);
        record.acceptance_timeout_seconds =
            new.acceptance_timeout_seconds.or(record.acceptance_timeout_seconds);
        record.acceptance_required = new.acceptance_required.unwrap_or(record.acceptance_required);
        record.custom_event_data = new.custom_event_data.or(record.custom_event_data.take());
        record.notification_target = new.notification_target.or(record.notification_target.take());
        record.flex_match_mode = new.flex_match_mode.unwrap_or(record.flex_match_mode);
        if record.acceptance_required && record.acceptance_timeout_seconds.is_none() {
            return Err(Refusal::invalid(
                "AcceptanceTimeoutSeconds is required when AcceptanceRequired is true.",
            ));
        }
        if let Some(name) = new.rule_set_name {
            let sets = &self.regions[maker.region].rule_sets;
            let named = |set: &&MatchmakingRuleSet| set.rule_set_name == name || set.rule_set_arn == name;
            let set = sets.iter().find(named).ok_or_else(|| Refusal::not_found("Rule set", &name))?;
            let rules = RuleSet::read(&set.rule_set_body).map_err(Refusal::invalid)?;
            maker.rules = rules.rule_names();
            record.rule_set_name.clone_from(&set.rule_set_name);
            record.rule_set_arn.clone_from(&set.rule_set_arn);
        }
        // Settings that concern sessions are not used without a queue.
        let with_queue = record.flex_match_mode == FlexMatchMode::WithQueue;
        if !with_queue {
            record.game_session_queue_arns.clear();
            maker.queue = None;
            return Ok(maker);
        }
        record.additional_player_count = new.additional_player_count.or(record.additional_player_count);
        record.game_properties = new.game_properties.unwrap_or(std::mem::take(&mut record.game_properties));
        record.game_session_data = new.game_session_data.or(record.game_session_data.take());
        record.backfill_mode = new.backfill_mode.unwrap_or(record.backfill_mode);
        record.game_session_queue_arns =
            new.game_session_queue_arns.unwrap_or(std::mem::take(&mut record.game_session_queue_arns));
        let Some(first) = record.game_session_queue_arns.first() else {
            return Err(Refusal::invalid(
                "GameSessionQueueArns is required for a configuration with a queue.",
            ));
        };
        for arn in &record.game_session_queue_arns {
            self.queue_with_arn(arn).ok_or_else(|| Refusal::not_found("Game session queue", arn))?;
        }
        maker.queue = self.queue_with_arn(first);
        Ok(maker)
    }

    /// Finds a queue in any region, because a match may be placed by a queue of another region.
    fn queue_with_arn(&self, arn: &str) -> Option<usize> {
        let known = |queue: &super::super::placing::Queue| {
            queue.gone_ms == NEVER_MS && queue.record.game_session_queue_arn == arn
        };
        self.queues.iter().position(known)
    }
}

fn quota(most: usize, what: &str) -> Refusal {
    Refusal::new(
        RefusalKind::Limit,
        format!("The account has {most} {what} in this Region, as many as it can."),
    )
}
