//! Game session queues that callers create, change and delete.

use std::collections::BTreeMap;

use super::super::placing::Queue;
use super::super::records::{
    GameSessionPlacementState, GameSessionQueue, LogDeliveryDestination, PlayerLatencyPolicy,
    PriorityConfiguration,
};
use super::super::refusal::{Refusal, RefusalKind};
use super::super::{NEVER_MS, World};

/// Maximum number of queues in a region, and of destinations in a queue (G2).
const MOST_QUEUES: usize = 100;
const MOST_DESTINATIONS: usize = 10;

/// Timeout of a queue if none is given. The service has a default but does not publish it.
const DEFAULT_TIMEOUT_S: u32 = 600;

/// Settings of a queue. An absent one stays as it is, or has the service's default in a new queue.
#[derive(Clone, Debug, Default)]
pub struct QueueSettings {
    /// 10..=600.
    pub timeout_in_seconds: Option<u32>,
    /// The complete list.
    pub player_latency_policies: Option<Vec<PlayerLatencyPolicy>>,
    /// ARNs of fleets and aliases: the complete list, in order of preference.
    pub destinations: Option<Vec<String>>,
    /// The complete list; an empty one removes the filter.
    pub allowed_locations: Option<Vec<String>>,
    /// An empty one removes the configuration.
    pub priority_configuration: Option<PriorityConfiguration>,
    /// Copied to events.
    pub custom_event_data: Option<String>,
    /// SNS topic; an empty text removes it.
    pub notification_target: Option<String>,
    /// The complete list; an empty one removes the log configuration.
    pub log_destinations: Option<Vec<LogDeliveryDestination>>,
}

impl World {
    /// Creates a queue.
    ///
    /// # Errors
    /// When the name is taken, a destination does not exist, or a quota allows no more.
    pub fn create_queue(
        &mut self,
        region: &str,
        name: &str,
        settings: QueueSettings,
        tags: BTreeMap<String, String>,
    ) -> Result<(), Refusal> {
        let here = self.region_index(region).ok_or_else(|| Refusal::not_found("Region", region))?;
        if self.queue_named(here, name).is_some() {
            return Err(Refusal::invalid(format_args!("A game session queue named {name} already exists.")));
        }
        if self.queues(region).count() >= MOST_QUEUES {
            let message = format!(
                "The account has {MOST_QUEUES} game session queues in this Region, as many as it can."
            );
            return Err(Refusal::new(RefusalKind::Limit, message));
        }
        self.check_destinations(here, &settings)?;
        let arn = format!("arn:aws:gamelift:{region}:{}:gamesessionqueue/{name}", self.account);
        let record = GameSessionQueue {
            name: name.to_owned(),
            game_session_queue_arn: arn.clone(),
            timeout_in_seconds: DEFAULT_TIMEOUT_S,
            player_latency_policies: Vec::new(),
            destinations: Vec::new(),
            allowed_locations: Vec::new(),
            priority_configuration: None,
            custom_event_data: None,
            notification_target: None,
            log_destinations: Vec::new(),
        };
        self.regions[here].tags.insert(arn, tags);
        self.queues.push(Queue { created_ms: self.now_ms, ..Queue::new(record, here, self.now_ms) });
        self.set_queue(self.queues.len() - 1, settings);
        Ok(())
    }

    /// Changes settings of a queue. They also apply to placements that are already waiting in it.
    ///
    /// # Errors
    /// When there is no such queue, or a destination does not exist.
    pub fn update_queue(&mut self, region: &str, name: &str, settings: QueueSettings) -> Result<(), Refusal> {
        let unknown = || Refusal::not_found("Game session queue", name);
        let here = self.region_index(region).ok_or_else(unknown)?;
        let queue = self.queue_named(here, name).ok_or_else(unknown)?;
        self.check_destinations(here, &settings)?;
        self.set_queue(queue, settings);
        Ok(())
    }

    /// Deletes a queue. The placements that wait in it fail.
    ///
    /// # Errors
    /// When there is no such queue.
    pub fn delete_queue(&mut self, region: &str, name: &str) -> Result<(), Refusal> {
        let unknown = || Refusal::not_found("Game session queue", name);
        let here = self.region_index(region).ok_or_else(unknown)?;
        let queue = self.queue_named(here, name).ok_or_else(unknown)?;
        self.queues[queue].gone_ms = self.now_ms;
        let arn = self.queues[queue].record.game_session_queue_arn.clone();
        self.regions[here].tags.remove(&arn);
        let waiting: Vec<u32> = self.queues[queue].pending.iter().copied().collect();
        for number in waiting {
            self.settle(number, GameSessionPlacementState::Failed);
        }
        Ok(())
    }

    /// Finds the queue with that name that has not been deleted.
    pub(crate) fn queue_named(&self, region: usize, name: &str) -> Option<usize> {
        let known =
            |queue: &Queue| queue.region == region && queue.gone_ms == NEVER_MS && queue.record.name == name;
        self.queues.iter().position(known)
    }

    fn check_destinations(&self, region: usize, settings: &QueueSettings) -> Result<(), Refusal> {
        let destinations = settings.destinations.as_deref().unwrap_or_default();
        if destinations.len() > MOST_DESTINATIONS {
            let message = format!("A game session queue can have at most {MOST_DESTINATIONS} destinations.");
            return Err(Refusal::invalid(message));
        }
        for arn in destinations {
            if !self.is_destination(region, arn) {
                return Err(Refusal::not_found("Destination", arn));
            }
        }
        Ok(())
    }

    fn set_queue(&mut self, queue: usize, settings: QueueSettings) {
        let record = &mut self.queues[queue].record;
        record.timeout_in_seconds = settings.timeout_in_seconds.unwrap_or(record.timeout_in_seconds);
        if let Some(policies) = settings.player_latency_policies {
            record.player_latency_policies = policies;
        }
        if let Some(locations) = settings.allowed_locations {
            record.allowed_locations = locations;
        }
        if let Some(priorities) = settings.priority_configuration {
            let is_empty = priorities.priority_order.is_empty() && priorities.location_order.is_empty();
            record.priority_configuration = (!is_empty).then_some(priorities);
        }
        if let Some(text) = settings.custom_event_data {
            record.custom_event_data = (!text.is_empty()).then_some(text);
        }
        if let Some(topic) = settings.notification_target {
            record.notification_target = (!topic.is_empty()).then_some(topic);
        }
        if let Some(destinations) = settings.log_destinations {
            record.log_destinations = destinations;
        }
        if let Some(destinations) = settings.destinations {
            let region = self.queues[queue].region;
            self.queues[queue].destinations =
                destinations.iter().map(|arn| self.destination(region, arn)).collect();
            self.queues[queue].record.destinations = destinations;
            self.note_locations(queue);
        }
    }

    /// Adds the locations of the destinations that the queue's metrics do not cover yet.
    fn note_locations(&mut self, queue: usize) {
        let fleets = self.queues[queue].destinations.iter().filter_map(|named| self.fleet_behind(named));
        let names: Vec<String> =
            fleets.flat_map(|fleet| &self.fleets[fleet].sites).map(|site| site.name.clone()).collect();
        let known = &mut self.queues[queue].locations;
        for name in names {
            if !known.contains(&name) {
                known.push(name);
            }
        }
    }
}
