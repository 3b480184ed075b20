//! Effects on what leads players to fleets and on what fleets run: aliases, queues, scripts.

use liftdeck_model::action::{UpdateAlias, UpdateGameSessionQueue, UpdateScript};
use liftdeck_model::alias::{Alias, RoutingStrategy};
use liftdeck_model::content::Script;
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::time::in_words;

use super::verdict::Verdict;

/// AWS: Edit an alias; for so long after a repoint new placements may still go to the fleet it led to before.
pub(crate) const STRAGGLERS_MS: i64 = 120_000;

fn way(routing: &RoutingStrategy) -> String {
    match routing {
        RoutingStrategy::Simple { fleet_id } => format!("leads to {fleet_id}"),
        RoutingStrategy::Terminal { message } => format!("ends with the message “{message}”"),
    }
}

/// Whether a new alias is there.
pub(super) fn alias_made(found: Option<&Alias>) -> Verdict {
    match found {
        Some(alias) => Verdict::Seen(format!("The alias {} {}.", alias.alias_id, way(&alias.routing))),
        None => Verdict::Awaited("The alias is not shown yet.".to_owned()),
    }
}

/// Whether an alias is as asked.
pub(super) fn alias_changed(asked: &UpdateAlias, found: Option<&Alias>) -> Verdict {
    let Some(alias) = found else {
        return Verdict::Missed("The alias was deleted.".to_owned());
    };
    let differs = asked.name.as_ref().is_some_and(|name| *name != alias.name)
        || (asked.description.is_some() && asked.description != alias.description)
        || asked.routing.as_ref().is_some_and(|routing| *routing != alias.routing);
    if differs {
        return Verdict::Awaited("The alias does not show the change yet.".to_owned());
    }
    Verdict::Seen(match &asked.routing {
        Some(routing) => format!(
            "The alias {}. New placements may still go to the fleet before it for up to {}.",
            way(routing),
            in_words(STRAGGLERS_MS)
        ),
        None => "The alias shows the change.".to_owned(),
    })
}

/// Whether an alias is gone.
pub(super) fn alias_deleted(found: Option<&Alias>) -> Verdict {
    match found {
        None => Verdict::Seen("The alias is gone.".to_owned()),
        Some(_) => Verdict::Awaited("The alias is shown still.".to_owned()),
    }
}

/// Whether a queue is as asked.
pub(super) fn queue_changed(asked: &UpdateGameSessionQueue, found: Option<&GameSessionQueue>) -> Verdict {
    let Some(queue) = found else {
        return Verdict::Missed("The queue was deleted.".to_owned());
    };
    let timeout = asked.timeout_seconds.is_none_or(|seconds| queue.timeout_seconds == Some(seconds));
    let destinations = asked.destinations.as_ref().is_none_or(|wanted| *wanted == queue.destinations);
    let policies = asked.player_latency_policies.as_ref().is_none_or(|wanted| {
        wanted.len() == queue.player_latency_policies.len()
            && wanted.iter().zip(&queue.player_latency_policies).all(|(wanted, is)| {
                wanted.maximum_individual_player_latency_ms == is.maximum_individual_player_latency_ms
                    && wanted.policy_duration_seconds == is.policy_duration_seconds
            })
    });
    if timeout && destinations && policies {
        Verdict::Seen("The queue shows the change.".to_owned())
    } else {
        Verdict::Awaited("The queue does not show the change yet.".to_owned())
    }
}

/// Whether a script is as asked. AWS keeps no word of its files but their size.
pub(super) fn script_changed(asked: &UpdateScript, found: Option<&Script>) -> Verdict {
    let Some(script) = found else {
        return Verdict::Missed("The script was deleted.".to_owned());
    };
    let differs = (asked.name.is_some() && asked.name != script.name)
        || (asked.version.is_some() && asked.version != script.version);
    if differs {
        return Verdict::Awaited("The script does not show the change yet.".to_owned());
    }
    Verdict::Seen(if asked.zip_file.is_some() {
        "The script has its new files. Game sessions begun from now on run them.".to_owned()
    } else {
        "The script shows the change.".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use liftdeck_model::action::LatencyPolicy;
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
        let Verdict::Seen(text) = alias_changed(&asked, Some(&alias("fleet-2"))) else { panic!("repointed") };
        assert!(text.contains("leads to fleet-2") && text.contains("2 min 00 s"), "{text}");
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
