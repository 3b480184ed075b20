//! Effects on what sends players to fleets, and on what fleets run: aliases, queues, scripts.

use liftdeck_model::action::{
    CreateGameSessionQueue, LatencyPolicy, UpdateAlias, UpdateGameSessionQueue, UpdateScript,
};
use liftdeck_model::alias::Alias;
use liftdeck_model::content::Script;
use liftdeck_model::queue::GameSessionQueue;

use super::verdict::Verdict;
use crate::words::Sight;

/// AWS, "Edit an alias": for this long after a repoint, new placements may still go to the previous fleet.
pub(crate) const STRAGGLERS_MS: i64 = 120_000;

/// Whether a new alias exists.
pub(super) fn alias_made(found: Option<&Alias>) -> Verdict {
    match found {
        Some(alias) => {
            Verdict::Seen(Sight::AliasIs { alias: alias.alias_id.clone(), routing: alias.routing.clone() })
        }
        None => Verdict::Awaited(Sight::AliasNotShown),
    }
}

/// Whether an alias is as requested.
pub(super) fn alias_changed(asked: &UpdateAlias, found: Option<&Alias>) -> Verdict {
    let Some(alias) = found else {
        return Verdict::Missed(Sight::AliasDeleted);
    };
    let differs = asked.name.as_ref().is_some_and(|name| *name != alias.name)
        || (asked.description.is_some() && asked.description != alias.description)
        || asked.routing.as_ref().is_some_and(|routing| *routing != alias.routing);
    if differs {
        return Verdict::Awaited(Sight::AliasLacksChange);
    }
    Verdict::Seen(match &asked.routing {
        Some(routing) => Sight::AliasRepointed { routing: routing.clone(), stragglers_ms: STRAGGLERS_MS },
        None => Sight::AliasShowsChange,
    })
}

/// Whether an alias is gone.
pub(super) fn alias_deleted(found: Option<&Alias>) -> Verdict {
    match found {
        None => Verdict::Seen(Sight::AliasGone),
        Some(_) => Verdict::Awaited(Sight::AliasShownStill),
    }
}

/// Whether a new queue is there.
pub(super) fn queue_made(asked: &CreateGameSessionQueue, found: Option<&GameSessionQueue>) -> Verdict {
    match found {
        None => Verdict::Awaited(Sight::QueueNotListed),
        Some(queue) if is_made_as(asked, queue) => Verdict::Seen(Sight::QueueThere),
        Some(_) => Verdict::Missed(Sight::QueueOtherwise),
    }
}

/// Whether a queue has the settings with which one was to be made.
pub(crate) fn is_made_as(asked: &CreateGameSessionQueue, queue: &GameSessionQueue) -> bool {
    asked.timeout_seconds.is_none_or(|seconds| queue.timeout_seconds == Some(seconds))
        && asked.destinations == queue.destinations
        && has_policies(queue, &asked.player_latency_policies)
        && (asked.notification_target.is_none() || asked.notification_target == queue.notification_target)
}

fn has_policies(queue: &GameSessionQueue, wanted: &[LatencyPolicy]) -> bool {
    wanted.len() == queue.player_latency_policies.len()
        && wanted.iter().zip(&queue.player_latency_policies).all(|(wanted, is)| {
            wanted.maximum_individual_player_latency_ms == is.maximum_individual_player_latency_ms
                && wanted.policy_duration_seconds == is.policy_duration_seconds
        })
}

/// Whether a queue is as requested.
pub(super) fn queue_changed(asked: &UpdateGameSessionQueue, found: Option<&GameSessionQueue>) -> Verdict {
    let Some(queue) = found else {
        return Verdict::Missed(Sight::QueueDeleted);
    };
    let timeout = asked.timeout_seconds.is_none_or(|seconds| queue.timeout_seconds == Some(seconds));
    let destinations = asked.destinations.as_ref().is_none_or(|wanted| *wanted == queue.destinations);
    let policies = asked.player_latency_policies.as_ref().is_none_or(|wanted| has_policies(queue, wanted));
    let target =
        asked.notification_target.is_none() || asked.notification_target == queue.notification_target;
    if timeout && destinations && policies && target {
        Verdict::Seen(Sight::QueueShowsChange)
    } else {
        Verdict::Awaited(Sight::QueueLacksChange)
    }
}

/// Whether a script is as requested. AWS shows nothing of its files but their size.
pub(super) fn script_changed(asked: &UpdateScript, found: Option<&Script>) -> Verdict {
    let Some(script) = found else {
        return Verdict::Missed(Sight::ScriptDeleted);
    };
    let differs = (asked.name.is_some() && asked.name != script.name)
        || (asked.version.is_some() && asked.version != script.version);
    if differs {
        return Verdict::Awaited(Sight::ScriptLacksChange);
    }
    Verdict::Seen(if asked.zip_file.is_some() { Sight::ScriptHasFiles } else { Sight::ScriptShowsChange })
}

#[cfg(test)]
mod tests {
    use liftdeck_model::alias::RoutingStrategy;
    use liftdeck_model::queue::PlayerLatencyPolicy;
    use liftdeck_model::{AliasId, FleetId, QueueName, Region};

    use super::*;
    use crate::fixtures::alias;

    fn to(fleet: &str) -> RoutingStrategy {
        RoutingStrategy::Simple { fleet_id: FleetId::from(fleet) }
    }

    #[test]
    fn a_repoint_is_seen_at_once_and_warns_of_stragglers() {
        let asked = UpdateAlias {
            alias_id: AliasId::from("alias-1"),
            name: None,
            description: None,
            routing: Some(to("fleet-2")),
        };
        assert!(matches!(alias_changed(&asked, Some(&alias("fleet-1"))), Verdict::Awaited(_)));
        let Verdict::Seen(sight) = alias_changed(&asked, Some(&alias("fleet-2"))) else {
            panic!("repointed")
        };
        let text = sight.to_string();
        assert!(text.contains("points to fleet-2") && text.contains("2 min 00 s"), "{text}");
        assert!(matches!(alias_changed(&asked, None), Verdict::Missed(_)));
    }

    #[test]
    fn a_deletion_is_seen_by_absence() {
        assert!(matches!(alias_deleted(Some(&alias("fleet-1"))), Verdict::Awaited(_)));
        assert!(matches!(alias_deleted(None), Verdict::Seen(_)));
    }

    #[test]
    fn a_queue_is_compared_in_order() {
        let mut queue = GameSessionQueue {
            name: QueueName::from("q"),
            region: Region::from("eu-west-1"),
            arn: None,
            timeout_seconds: Some(60),
            destinations: vec!["arn:b".to_owned(), "arn:a".to_owned()],
            player_latency_policies: Vec::new(),
            allowed_locations: Vec::new(),
            priority_order: Vec::new(),
            location_order: Vec::new(),
            custom_event_data: None,
            notification_target: None,
        };
        let asked = UpdateGameSessionQueue {
            name: QueueName::from("q"),
            timeout_seconds: None,
            destinations: Some(vec!["arn:a".to_owned(), "arn:b".to_owned()]),
            player_latency_policies: Some(vec![LatencyPolicy {
                maximum_individual_player_latency_ms: Some(80),
                policy_duration_seconds: None,
            }]),
            notification_target: None,
        };
        assert!(matches!(queue_changed(&asked, Some(&queue)), Verdict::Awaited(_)));
        queue.destinations.reverse();
        assert!(matches!(queue_changed(&asked, Some(&queue)), Verdict::Awaited(_)));
        queue.player_latency_policies.push(PlayerLatencyPolicy {
            maximum_individual_player_latency_ms: Some(80),
            policy_duration_seconds: None,
        });
        assert!(matches!(queue_changed(&asked, Some(&queue)), Verdict::Seen(_)));
    }
}
