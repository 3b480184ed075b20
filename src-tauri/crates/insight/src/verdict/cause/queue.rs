//! Why placements of a queue and tickets of a matchmaking configuration fail: what leads to which fleets, and what is
//! wrong with these.

use liftdeck_model::matchmaking::{MatchmakingConfiguration, MatchmakingRuleSet};
use liftdeck_model::observation::PollKind;
use liftdeck_model::{FleetId, Region, Severity, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;
use liftdeck_store::reader::freshness::Basis;
use liftdeck_store::reader::queue::{QueueDestination, QueueRow};

use super::room::{is_suspended_somewhere, limit_reached, processes_held};
use super::{Likely, LikelyCause, Past, Strength, fair, is_before, now_leads_to, strong};
use crate::change::ChangeKind;
use crate::state::is_at_maximum;
use crate::verdict::destination::{self, takes};
use crate::verdict::{LostDestination, Rule, Scene, Trouble, Verdict};

impl Past {
    pub(super) fn of_placements(&self, scene: &Scene<'_>, verdict: &Verdict, all: &[Verdict]) -> Vec<Likely> {
        let (Trouble::PlacementsFail { queue, .. }
        | Trouble::PlacementsWait { queue, .. }
        | Trouble::NoDestination { queue, .. }) = &verdict.facts.trouble
        else {
            return Vec::new();
        };
        let of_queue =
            |row: &&QueueRow| row.queue.name == *queue && Some(&row.queue.region) == verdict.region.as_ref();
        scene.queues.iter().find(of_queue).map_or_else(Vec::new, |row| {
            let mut causes = self.of_queue(scene, verdict.since, row, all);
            if verdict.rule == Rule::NoDestination {
                causes.extend(self.changed(verdict.since, |change| takes(change, row)));
            } else {
                causes.extend(unusable(scene, row));
            }
            causes
        })
    }

    /// Why game sessions cannot be placed by a queue since a moment.
    fn of_queue(&self, scene: &Scene<'_>, since: Timestamp, row: &QueueRow, all: &[Verdict]) -> Vec<Likely> {
        let mut causes = self.changed(since, |change| {
            change.kind == ChangeKind::Queue
                && change.resource == row.queue.name.as_str()
                && change.region == row.queue.region
        });
        for to in &row.destinations {
            let Some(id) = &to.fleet_id else {
                causes.push(fair(LikelyCause::DestinationTerminal { alias: to.label.clone() }, None));
                continue;
            };
            if to.alias_id.is_some() {
                causes.extend(self.alias_updated(scene, id, since));
                causes.extend(
                    self.changed(since, |change| {
                        change.kind == ChangeKind::Alias && now_leads_to(change, id)
                    }),
                );
            }
            causes.extend(self.of_destination(scene, since, id, all));
        }
        if causes.is_empty() {
            causes.extend(latency_policies(scene, row));
        }
        causes
    }

    fn of_destination(
        &self,
        scene: &Scene<'_>,
        since: Timestamp,
        id: &FleetId,
        all: &[Verdict],
    ) -> Vec<Likely> {
        let Some(fleet) = scene.fleet(id) else { return Vec::new() };
        let name = fleet.fleet.display_name().to_owned();
        let mut causes = Vec::new();
        if !fleet.fleet.can_host() {
            let status = fleet.fleet.status.as_str().to_owned();
            causes.push(fair(LikelyCause::DestinationNotActive { fleet: name.clone(), status }, None));
        }
        for other in all.iter().filter(|other| other.fleet_id.as_ref() == Some(id)) {
            causes.extend(processes_held(other));
            causes.extend(limit_reached(other));
            match (&other.facts.trouble, other.rule) {
                (Trouble::Capped { locations, .. }, _) => {
                    let cause = LikelyCause::AtMaximum { fleet: name.clone(), locations: locations.clone() };
                    causes.push(strong(cause, Some(other.since)));
                    // Who lowered the maximum explains more than that it is reached.
                    causes.extend(self.lowered(id, other.since.max(since)));
                }
                (_, rule)
                    if other.severity > Severity::Info
                        && matches!(
                            rule,
                            Rule::Crashes
                                | Rule::Activation
                                | Rule::Startup
                                | Rule::NoProcess
                                | Rule::Interruptions
                        ) =>
                {
                    let cause = LikelyCause::Elsewhere { rule, name: name.clone() };
                    causes.push(fair(cause, Some(other.since)));
                }
                _ => {}
            }
        }
        // A process that happens to be free at this look is soon taken: the maximum still holds the fleet down.
        if !all.iter().any(|other| other.rule == Rule::Capped && other.fleet_id.as_ref() == Some(id))
            && fleet.locations.iter().any(is_at_maximum)
        {
            causes.extend(self.lowered(id, since));
        }
        let is_full = fleet.free_processes() == Some(0) && fleet.processes().is_some_and(|all| all > 0);
        if is_full {
            let coming_instances = (fleet.desired() - fleet.active()).max(0);
            causes.push(fair(LikelyCause::Full { fleet: name.clone(), coming_instances }, None));
            if is_suspended_somewhere(fleet) {
                causes.push(strong(LikelyCause::ScalingSuspended { fleet: name }, None));
            }
        }
        causes
    }

    pub(super) fn of_tickets(&self, scene: &Scene<'_>, verdict: &Verdict, all: &[Verdict]) -> Vec<Likely> {
        let (Trouble::TicketsFail { configuration, .. } | Trouble::TicketsWait { configuration, .. }) =
            &verdict.facts.trouble
        else {
            return Vec::new();
        };
        let mut causes = self.changed(verdict.since, |change| {
            change.kind == ChangeKind::MatchmakingConfiguration
                && change.resource == *configuration
                && Some(&change.region) == verdict.region.as_ref()
        });
        if causes.is_empty() {
            causes.extend(self.new_rule_set(verdict, configuration));
        }
        let queues: Vec<&QueueRow> = self.queues_of(scene, verdict.region.as_ref(), configuration).collect();
        causes.extend(queues.iter().flat_map(|row| self.of_queue(scene, verdict.since, row, all)));
        causes.extend(queues.iter().flat_map(|row| unusable(scene, row)));
        for other in all.iter().filter(|other| other.region == verdict.region) {
            if let Trouble::PlacementsFail { queue, .. } | Trouble::PlacementsWait { queue, .. } =
                &other.facts.trouble
                && (queues.is_empty() || queues.iter().any(|row| row.queue.name == *queue))
            {
                let cause = LikelyCause::Elsewhere { rule: other.rule, name: queue.to_string() };
                causes.push(fair(cause, Some(other.since)));
            }
        }
        causes
    }

    /// That the rule set of a configuration is new: a rule set cannot be changed, so other rules need a new one.
    fn new_rule_set(&self, verdict: &Verdict, configuration: &str) -> Option<Likely> {
        let rule_set = self.configuration(verdict.region.as_ref(), configuration)?.rule_set_name.as_ref()?;
        let own =
            |it: &&MatchmakingRuleSet| it.name == *rule_set && Some(&it.region) == verdict.region.as_ref();
        let created = self.rule_sets.iter().find(own)?.creation_time?;
        let cause =
            LikelyCause::NewRuleSet { configuration: configuration.to_owned(), rule_set: rule_set.clone() };
        is_before(created, verdict.since).then(|| strong(cause, Some(created)))
    }

    fn configuration(&self, region: Option<&Region>, name: &str) -> Option<&MatchmakingConfiguration> {
        self.configurations.iter().find(|it| it.name == name && Some(&it.region) == region)
    }

    /// The queues with which a matchmaking configuration places game sessions.
    fn queues_of<'a>(
        &'a self,
        scene: &Scene<'a>,
        region: Option<&Region>,
        configuration: &str,
    ) -> impl Iterator<Item = &'a QueueRow> {
        let arns = self.configuration(region, configuration).map_or(&[][..], |it| &it.queue_arns);
        scene.queues.iter().filter(move |row| arns.iter().any(|arn| is_arn_of(arn, row)))
    }
}

/// That the latency policies of a queue may leave players no destination, although there is room: by elimination.
fn latency_policies(scene: &Scene<'_>, row: &QueueRow) -> Option<Likely> {
    // What has not been read is not ruled out.
    let is_read = |kind| {
        let freshness = scene.reader.freshness(Basis::All(kind), scene.now);
        freshness.as_of.is_some() && !freshness.stale
    };
    if ![PollKind::FleetEvents, PollKind::GameSessions, PollKind::FleetCapacity].into_iter().all(is_read) {
        return None;
    }
    let limits = row.queue.player_latency_policies.iter();
    let maximum_ms = limits.filter_map(|policy| policy.maximum_individual_player_latency_ms).max()?;
    let fleets = row.destinations.iter().filter_map(|to| scene.fleet(to.fleet_id.as_ref()?));
    let free_processes: i64 = fleets.filter_map(FleetSummary::free_processes).sum();
    let queue = row.queue.name.to_string();
    let cause = LikelyCause::LatencyPolicies { queue, maximum_ms, free_processes };
    (free_processes > 0).then_some(Likely { cause, strength: Strength::Weak, at: None })
}

/// Destinations that can host no game session of the queue although they are ACTIVE. Many queues have one that only
/// takes over now and then.
fn unusable(scene: &Scene<'_>, row: &QueueRow) -> Vec<Likely> {
    let of_destination = |to: &QueueDestination| {
        let why = destination::of_fleet(scene, scene.fleet(to.fleet_id.as_ref()?)?, &row.queue)?;
        let lost = LostDestination { name: to.label.clone(), why };
        Some(Likely { cause: LikelyCause::DestinationUnusable { lost }, strength: Strength::Weak, at: None })
    };
    row.destinations.iter().filter_map(of_destination).collect()
}

/// Whether an ARN names a queue (AWS: `arn:…:gamelift:REGION:ACCOUNT:gamesessionqueue/NAME`).
fn is_arn_of(arn: &str, row: &QueueRow) -> bool {
    arn.split(':').nth(3) == Some(row.queue.region.as_str())
        && arn.split_once("gamesessionqueue/").is_some_and(|(_, name)| name == row.queue.name.as_str())
}
