//! Why game sessions of a fleet crash, start late or stay: what it runs, and what leads to it.

use super::{Likely, LikelyCause, Past, fair, now_leads_to};
use crate::change::ChangeKind;
use crate::verdict::{Scene, Verdict};

/// A fleet younger than this when its trouble began may itself be the novelty.
const NEW_FLEET_MS: i64 = 2 * 3_600_000;

impl Past {
    pub(super) fn of_processes(&self, scene: &Scene<'_>, verdict: &Verdict) -> Vec<Likely> {
        let Some(id) = &verdict.fleet_id else { return Vec::new() };
        let runs = scene.fleet(id).and_then(|fleet| fleet.fleet.script_id.clone());
        let mut causes = self.changed(verdict.since, |change| match change.kind {
            ChangeKind::Alias => now_leads_to(change, id),
            ChangeKind::RuntimeConfiguration | ChangeKind::Deployment => change.fleet_id.as_ref() == Some(id),
            ChangeKind::Script => runs.as_ref().is_some_and(|script| script.as_str() == change.resource),
            _ => false,
        });
        causes.extend(self.alias_updated(scene, id, verdict.since));
        if let Some(fleet) = scene.fleet(id)
            && let Some(created) = fleet.fleet.creation_time
            && (0..NEW_FLEET_MS).contains(&verdict.since.since_ms(created))
        {
            let cause = LikelyCause::NewFleet { fleet: fleet.fleet.display_name().to_owned() };
            causes.push(fair(cause, Some(created)));
        }
        causes
    }
}
