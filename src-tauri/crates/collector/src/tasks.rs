//! The tasks of a Region: some for the Region as a whole, others for each fleet, depending on its kind.

use liftdeck_model::fleet::{ComputeKind, Fleet};
use liftdeck_model::observation::{PollKind, PollSubject};

use crate::poll::metrics::HISTORY;

/// Tasks for the Region as a whole. Fleets come first, because everything else follows from them.
pub(crate) fn of_region() -> Vec<PollSubject> {
    let whole = [
        PollKind::Fleets,
        PollKind::FleetCapacity,
        PollKind::FleetUtilization,
        PollKind::InstanceLimits,
        PollKind::Queues,
        PollKind::Aliases,
        PollKind::MatchmakingConfigurations,
        PollKind::MatchmakingRuleSets,
        PollKind::Builds,
        PollKind::Scripts,
        PollKind::PlayerSessions,
        PollKind::Metrics,
        PollKind::Trail,
        PollKind::FailedPlacements,
    ];
    let mut tasks: Vec<PollSubject> = whole.into_iter().map(|kind| task(kind, "")).collect();
    tasks.push(history());
    tasks
}

/// The kinds without which nothing can be called well, as long as some of them were never read.
pub(crate) const NEEDED: [PollKind; 10] = [
    PollKind::Fleets,
    PollKind::FleetLocations,
    PollKind::FleetCapacity,
    PollKind::FleetUtilization,
    PollKind::ScalingPolicies,
    PollKind::InstanceLimits,
    PollKind::GameSessions,
    PollKind::FleetEvents,
    PollKind::Queues,
    PollKind::Aliases,
];

/// What is needed of a Region before its fleets are known.
pub(crate) fn needed() -> impl Iterator<Item = PollSubject> {
    NEEDED.into_iter().map(|kind| task(kind, ""))
}

/// Tasks that read what people change and few calls tell: often the cause of what goes wrong.
pub(crate) fn of_causes() -> impl Iterator<Item = PollSubject> {
    let kinds = [
        PollKind::Fleets,
        PollKind::FleetCapacity,
        PollKind::Queues,
        PollKind::Aliases,
        PollKind::MatchmakingConfigurations,
        PollKind::MatchmakingRuleSets,
    ];
    kinds.into_iter().map(|kind| task(kind, ""))
}

/// Tasks of one fleet (reference, section A: which operation applies to which fleets).
pub(crate) fn of_fleet(fleet: &Fleet) -> Vec<PollSubject> {
    let mut kinds = vec![
        PollKind::FleetLocations,
        PollKind::GameSessions,
        PollKind::FleetEvents,
        PollKind::Computes,
        PollKind::EndedGameSessions,
    ];
    if fleet.kind.has_capacity() {
        kinds.extend([PollKind::FleetCapacity, PollKind::ScalingPolicies]);
    }
    if fleet.kind.has_utilization() {
        kinds.push(PollKind::FleetUtilization);
    }
    if fleet.kind != ComputeKind::Anywhere {
        kinds.push(PollKind::FleetConfiguration);
    }
    kinds.into_iter().map(|kind| task(kind, fleet.fleet_id.as_str())).collect()
}

/// The task that reads the players of the next game sessions in line.
pub(crate) fn players() -> PollSubject {
    task(PollKind::PlayerSessions, "")
}

/// The task that reads metric history.
pub(crate) fn history() -> PollSubject {
    task(PollKind::Metrics, HISTORY)
}

/// The task that asks CloudTrail who made the changes that were seen.
pub(crate) fn trail() -> PollSubject {
    task(PollKind::Trail, "")
}

/// The task that reads the account's instance limits.
pub(crate) fn instance_limits() -> PollSubject {
    task(PollKind::InstanceLimits, "")
}

/// The task that asks CloudWatch for the newest samples.
pub(crate) fn newest_samples() -> PollSubject {
    task(PollKind::Metrics, "")
}

fn task(kind: PollKind, resource: &str) -> PollSubject {
    PollSubject { kind, resource: resource.to_owned() }
}
