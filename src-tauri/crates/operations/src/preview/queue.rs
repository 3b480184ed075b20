//! Queues: destinations, time-out, latency policies and notification target.

use liftdeck_model::action::{
    Action, CreateGameSessionQueue, LatencyPolicy, Request, UpdateGameSessionQueue, is_fifo, topic_region,
};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::fleet::FleetStatus;
use liftdeck_model::{AliasId, FleetId, Region};

use super::draft::{Draft, Hit};
use super::present::Present;
use crate::error::OperationError;
use crate::fact::{UndoOffer, Warning};
use crate::words::{self, SkipFact, WarningFact};

/// A destination of a queue, as it was found.
pub(super) struct Destination {
    /// The name to show.
    pub(super) called: String,
    /// Why no game session can be made there now, if so.
    pub(super) trouble: Option<WarningFact>,
}

/// Reads what these ARNs stand for. A destination in a Region outside the connection is taken as it is.
pub(super) async fn destinations(
    present: &mut Present<'_>,
    home: &Region,
    arns: &[String],
) -> Result<Vec<Destination>, OperationError> {
    let mut found = Vec::with_capacity(arns.len());
    for arn in arns {
        let region = arn.split(':').nth(3).filter(|region| !region.is_empty());
        let region = region.map_or_else(|| home.clone(), Region::from);
        if !present.connection().gateway.spec().regions.contains(&region) {
            found.push(Destination { called: arn.clone(), trouble: None });
            continue;
        }
        let id = arn.rsplit('/').next().unwrap_or(arn);
        let destination = if arn.contains("alias/") {
            by_alias(present, &region, &AliasId::from(id)).await?
        } else {
            by_fleet(present, &region, &FleetId::from(id)).await?
        };
        found.push(destination);
    }
    Ok(found)
}

async fn by_alias(
    present: &mut Present<'_>,
    region: &Region,
    id: &AliasId,
) -> Result<Destination, OperationError> {
    let Some(alias) = present.alias(region, id).await? else {
        let trouble = Some(WarningFact::DestinationMissing { id: id.to_string() });
        return Ok(Destination { called: id.to_string(), trouble });
    };
    match &alias.routing {
        RoutingStrategy::Terminal { .. } => {
            let trouble = Some(WarningFact::DestinationTerminal { alias: alias.name.clone() });
            Ok(Destination { called: alias.name, trouble })
        }
        RoutingStrategy::Simple { fleet_id } => {
            let fleet = by_fleet(present, region, fleet_id).await?;
            let called = format!("{} → {}", alias.name, fleet.called);
            Ok(Destination { called, trouble: fleet.trouble })
        }
    }
}

async fn by_fleet(
    present: &mut Present<'_>,
    region: &Region,
    id: &FleetId,
) -> Result<Destination, OperationError> {
    let fleet = present.fleet(region, id).await?;
    let called = words::fleet(id, fleet.as_ref());
    let trouble = match fleet {
        None => Some(WarningFact::DestinationMissing { id: id.to_string() }),
        Some(fleet) if fleet.status != FleetStatus::Active => {
            Some(WarningFact::DestinationNotActive { fleet: called.clone(), status: fleet.status })
        }
        Some(_) => None,
    };
    Ok(Destination { called, trouble })
}

fn policies_in_words(policies: &[LatencyPolicy]) -> String {
    let one = |policy: &LatencyPolicy| {
        let limit = policy.maximum_individual_player_latency_ms;
        let limit = limit.map_or_else(|| "any latency".to_owned(), |limit| format!("at most {limit} ms"));
        match policy.policy_duration_seconds {
            Some(seconds) => format!("{limit} for {seconds} s"),
            None => format!("{limit} to the end"),
        }
    };
    if policies.is_empty() {
        return "none".to_owned();
    }
    policies.iter().map(one).collect::<Vec<_>>().join(", then ")
}

/// Lists destinations by name, and warns of those that cannot host.
fn warn_of_destinations(draft: &mut Draft, after: Vec<Destination>) {
    if after.is_empty() {
        draft.bad(WarningFact::NoDestination);
    } else if after.iter().all(|destination| destination.trouble.is_some()) {
        draft.bad(WarningFact::NoDestinationCouldHost);
    }
    draft.warnings.extend(after.into_iter().filter_map(|found| found.trouble).map(Warning::caution));
}

fn names(all: &[Destination]) -> String {
    let names: Vec<&str> = all.iter().map(|destination| destination.called.as_str()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Checks the topic that is to get the events, and tells what follows from it.
fn warn_of_topic(draft: &mut Draft, topic: &str) {
    let home = draft.action.region.clone();
    match topic_region(topic) {
        Some(region) if region == home.as_str() => {}
        region => {
            let region = Region::from(region.unwrap_or_default());
            draft.refuse(SkipFact::TopicElsewhere { topic: topic.to_owned(), region, home });
        }
    }
    if is_fifo(topic) {
        draft.caution(WarningFact::FifoTopic);
    }
    draft.info(WarningFact::TopicMustReachUs);
}

/// CreateGameSessionQueue.
pub(super) async fn create(
    present: &mut Present<'_>,
    action: &Action,
    it: &CreateGameSessionQueue,
) -> Result<Draft, OperationError> {
    let mut draft = Draft::new(action, format!("Create queue {}", it.name));
    draft.name = Some(it.name.to_string());
    draft.hit = Hit::nobody("Nothing is placed by it until a game or a matchmaking configuration names it.");
    if present.queue(&action.region, &it.name).await?.is_some() {
        let (name, region) = (it.name.to_string(), action.region.clone());
        draft.refuse(SkipFact::QueueNameTaken { name, region });
    }
    draft.fact("Name", None, Some(it.name.to_string()));
    let timeout =
        it.timeout_seconds.map_or_else(|| "chosen by AWS".to_owned(), |seconds| format!("{seconds} s"));
    draft.fact("Time-out", None, Some(timeout));
    let after = destinations(present, &action.region, &it.destinations).await?;
    draft.fact("Destinations", None, Some(names(&after)));
    warn_of_destinations(&mut draft, after);
    draft.fact("Latency policies", None, Some(policies_in_words(&it.player_latency_policies)));
    let lists = [
        ("Allowed locations", &it.allowed_locations),
        ("Priorities", &it.priority_order),
        ("Order of locations", &it.location_order),
    ];
    for (label, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        draft.fact(label, None, Some(list.join(", ")));
    }
    if it.custom_event_data.is_some() {
        draft.fact("Custom event data", None, it.custom_event_data.clone());
    }
    draft.fact(
        "Notification target",
        None,
        Some(it.notification_target.clone().unwrap_or_else(|| "none".to_owned())),
    );
    match &it.notification_target {
        Some(topic) => warn_of_topic(&mut draft, topic),
        None => draft.info(WarningFact::NoTopic),
    }
    draft.offer = UndoOffer::None(
        "Liftdeck deletes no queues: a game that names one would fail. Once nothing names it, delete it with aws gamelift \
         delete-game-session-queue."
            .to_owned(),
    );
    Ok(draft)
}

/// UpdateGameSessionQueue.
pub(super) async fn update(
    present: &mut Present<'_>,
    action: &Action,
    it: &UpdateGameSessionQueue,
) -> Result<Draft, OperationError> {
    let mut draft = Draft::new(action, format!("Change queue {}", it.name));
    draft.name = Some(it.name.to_string());
    draft.hit = Hit::nobody("Running game sessions are not affected; placements from now on are.");
    let Some(queue) = present.queue(&action.region, &it.name).await? else {
        draft.refuse(words::missing("queue", it.name.as_str(), action));
        draft.fact("Queue", None, Some("changed".to_owned()));
        return Ok(draft);
    };
    let mut former = UpdateGameSessionQueue {
        name: it.name.clone(),
        timeout_seconds: None,
        destinations: None,
        player_latency_policies: None,
        notification_target: None,
    };
    if let Some(seconds) = it.timeout_seconds {
        let before = queue.timeout_seconds.map(|seconds| format!("{seconds} s"));
        draft.fact("Time-out", before, Some(format!("{seconds} s")));
        former.timeout_seconds = queue.timeout_seconds;
    }
    if let Some(wanted) = &it.destinations {
        let before = destinations(present, &action.region, &queue.destinations).await?;
        let after = destinations(present, &action.region, wanted).await?;
        draft.fact("Destinations", Some(names(&before)), Some(names(&after)));
        former.destinations = Some(queue.destinations.clone());
        warn_of_destinations(&mut draft, after);
    }
    if let Some(wanted) = &it.player_latency_policies {
        let known: Vec<LatencyPolicy> = queue
            .player_latency_policies
            .iter()
            .map(|policy| LatencyPolicy {
                maximum_individual_player_latency_ms: policy.maximum_individual_player_latency_ms,
                policy_duration_seconds: policy.policy_duration_seconds,
            })
            .collect();
        draft.fact("Latency policies", Some(policies_in_words(&known)), Some(policies_in_words(wanted)));
        former.player_latency_policies = Some(known);
    }
    if let Some(topic) = &it.notification_target {
        draft.fact("Notification target", queue.notification_target.clone(), Some(topic.clone()));
        former.notification_target = queue.notification_target.clone();
        if queue.notification_target.as_ref() != Some(topic) {
            warn_of_topic(&mut draft, topic);
        }
    }
    if draft.holds() {
        draft.info(WarningFact::QueueAlready);
        return Ok(draft);
    }
    if it.timeout_seconds.is_some() && former.timeout_seconds.is_none() {
        draft.offer = UndoOffer::None("AWS does not show the former time-out.".to_owned());
    } else if it.notification_target.is_some() && former.notification_target.is_none() {
        draft.offer = UndoOffer::None(
            "The queue had no notification target before, and AWS documents no way to remove one.".to_owned(),
        );
    } else {
        draft.undone_by(vec![Request::UpdateGameSessionQueue(former)], UndoOffer::Exact);
    }
    Ok(draft)
}
