//! Why a fleet has no room: what holds its size down, and who holds its server processes.

use liftdeck_model::{FleetEventCode, FleetId, Timestamp};
use liftdeck_store::reader::fleet::FleetSummary;

use super::{Likely, LikelyCause, Past, Strength, fair, now_leads_to, strong};
use crate::change::{Change, ChangeKind, Part, Value, What, is_suspended};
use crate::state::scaling_is_suspended;
use crate::verdict::{Rule, Scene, Trouble, Verdict};

impl Past {
    pub(super) fn of_room(&self, scene: &Scene<'_>, verdict: &Verdict, all: &[Verdict]) -> Vec<Likely> {
        let Some(id) = &verdict.fleet_id else { return Vec::new() };
        let held = all.iter().filter(|other| other.fleet_id.as_ref() == Some(id)).find_map(processes_held);
        let mut causes = self.lowered(id, verdict.since);
        causes.extend(
            self.changed(verdict.since, |change| change.fleet_id.as_ref() == Some(id) && suspends(change)),
        );
        causes.extend(self.alias_updated(scene, id, verdict.since));
        causes.extend(
            self.changed(verdict.since, |change| {
                change.kind == ChangeKind::Alias && now_leads_to(change, id)
            }),
        );
        causes.extend(held);
        let own = |other: &&Verdict| other.fleet_id.as_ref() == Some(id);
        if verdict.rule != Rule::InstanceLimit {
            causes.extend(all.iter().filter(own).find_map(limit_reached));
        }
        causes.extend(spills_over(scene, verdict, all));
        if scene.fleet(id).is_some_and(is_suspended_somewhere) {
            causes.push(fair(LikelyCause::ScalingSuspended { fleet: scene.fleet_name(id) }, None));
        }
        causes
    }
}

impl Past {
    /// Changes before `since` that lowered a maximum of a fleet. If polls have seen none, because they began later, an
    /// event that tells of its limits may be one.
    pub(super) fn lowered(&self, id: &FleetId, since: Timestamp) -> Vec<Likely> {
        let of_fleet = |change: &Change| change.fleet_id.as_ref() == Some(id);
        let seen = self.changed(since, |change| of_fleet(change) && lowers_maximum(change));
        if !seen.is_empty() {
            return seen;
        }
        let told = self.changed(since, |change| of_fleet(change) && tells_of_limits(change));
        told.into_iter().map(|likely| Likely { strength: Strength::Fair, ..likely }).collect()
    }
}

/// The account's limit for instances of a fleet.
pub(super) fn limit_reached(other: &Verdict) -> Option<Likely> {
    let Trouble::InstanceLimit { fleet, instance_type, locations, current, limit, .. } = &other.facts.trouble
    else {
        return None;
    };
    let cause = LikelyCause::InstanceLimit {
        fleet: fleet.clone(),
        instance_type: instance_type.clone(),
        locations: locations.clone(),
        current: *current,
        limit: *limit,
    };
    Some(strong(cause, Some(other.since)))
}

/// A fleet of the same queue that had no room before: its players look for room here.
fn spills_over(scene: &Scene<'_>, verdict: &Verdict, all: &[Verdict]) -> Option<Likely> {
    let queues =
        |verdict: &Verdict| verdict.fleet_id.as_ref().and_then(|id| scene.fleet(id)).map(|it| &it.queues);
    let own = queues(verdict)?;
    let had_no_room = |other: &&Verdict| {
        matches!(other.rule, Rule::Capped | Rule::InstanceLimit | Rule::ScalingSuspended)
            && other.fleet_id != verdict.fleet_id
            && other.since < verdict.since
            && queues(other).is_some_and(|theirs| theirs.iter().any(|queue| own.contains(queue)))
    };
    let first = all.iter().filter(had_no_room).min_by_key(|other| other.since)?;
    let name = scene.fleet_name(first.fleet_id.as_ref()?);
    Some(fair(LikelyCause::Elsewhere { rule: first.rule, name }, Some(first.since)))
}

/// Game sessions without players that hold the server processes a fleet lacks.
pub(super) fn processes_held(other: &Verdict) -> Option<Likely> {
    let Trouble::SessionsStayEmpty { fleet, .. } = &other.facts.trouble else { return None };
    let cause = LikelyCause::Elsewhere { rule: other.rule, name: fleet.clone() };
    Some(strong(cause, Some(other.since)))
}

/// Whether it is an event that tells of a fleet's new limits (AWS: FLEET_SCALING_EVENT is sent for these as well; how
/// it words them is not published).
fn tells_of_limits(change: &Change) -> bool {
    match &change.what {
        What::Events { code: FleetEventCode::FleetScaling, message: Some(message), scaled: None, .. } => {
            let message = message.to_lowercase();
            ["limit", "maximum"].iter().any(|word| message.contains(word))
        }
        _ => false,
    }
}

fn lowers_maximum(change: &Change) -> bool {
    match &change.what {
        What::Set { field, before: Some(Value::Count(before)), after: Some(Value::Count(after)), .. } => {
            field == "maximum" && after < before
        }
        _ => false,
    }
}

fn suspends(change: &Change) -> bool {
    match &change.what {
        What::Set { field, after: Some(after), .. } => {
            matches!(field.as_str(), "stopped_actions" | "scaling_suspended") && is_suspended(after)
        }
        What::Removed { part: Some(Part::Policy(_)) } => true,
        _ => false,
    }
}

/// Whether automatic scaling of a fleet is suspended in one of its locations.
pub(super) fn is_suspended_somewhere(fleet: &FleetSummary) -> bool {
    fleet.locations.iter().any(|here| scaling_is_suspended(fleet, here))
}
